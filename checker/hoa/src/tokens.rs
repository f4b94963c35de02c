//! The tokens of a file, with their places.

use super::{Place, Refused, Result};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// Without its colon.
    Header(String),
    Identifier(String),
    Boolean(bool),
    Integer(u32),
    Text(String),
    /// Without its `@`.
    Alias(String),
    /// One of `[ ] { } ( ) & | !`.
    Sign(char),
    Body,
    End,
    Abort,
    /// No token at all, and why.
    Wrong(String),
}

impl Token {
    /// As a message names it.
    pub(super) fn shown(&self) -> String {
        match self {
            Token::Header(name) => format!("`{name}:`"),
            Token::Identifier(name) => format!("`{name}`"),
            Token::Boolean(value) => if *value { "`t`" } else { "`f`" }.into(),
            Token::Integer(number) => format!("`{number}`"),
            Token::Text(_) => "a string".into(),
            Token::Alias(name) => format!("`@{name}`"),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::Body => "`--BODY--`".into(),
            Token::End => "`--END--`".into(),
            Token::Abort => "`--ABORT--`".into(),
            Token::Wrong(_) => "this".into(),
        }
    }
}

/// The tokens of the only automaton in a text, from `HOA:` to `--END--`, and the place after them.
/// Automata that are aborted are left out.
pub(super) fn automaton(text: &str) -> Result<Vec<(Token, Place)>> {
    let mut lexer = Lexer::new(text);
    let mut current = Vec::new();
    let mut complete: Option<Vec<(Token, Place)>> = None;
    let mut aborted = None;
    while let Some((token, place)) = lexer.next() {
        let begins = token == Token::Abort || token == Token::Header("HOA".into());
        if complete.is_some() && current.is_empty() && !begins {
            let shown = token.shown();
            return Err(place.refuse(format!("{shown} after the end of the automaton")));
        }
        if token == Token::Abort {
            current.clear();
            aborted = Some(place);
            continue;
        }
        let end = token == Token::End;
        current.push((token, place));
        if end {
            let whole = std::mem::take(&mut current);
            if complete.is_some() {
                let place = whole[0].1;
                return Err(place.refuse(
                    "a second automaton begins here: put each automaton in a file of its own",
                ));
            }
            complete = Some(whole);
        }
    }
    match (complete, aborted) {
        (Some(whole), _) => {
            if let Some((_, place)) = current.first() {
                return Err(place.refuse(
                    "a second automaton begins here: put each automaton in a file of its own",
                ));
            }
            Ok(whole)
        }
        (None, Some(place)) if current.is_empty() => {
            Err(place
                .refuse("the automaton was aborted by the program that wrote it: write it again"))
        }
        // What is wrong is told where it is; at the last, that there is no end.
        (None, _) => Ok(current),
    }
}

/// The place after the last character.
pub(super) fn end(text: &str) -> Place {
    let mut lexer = Lexer::new(text);
    while lexer.bump().is_some() {}
    lexer.place
}

struct Lexer<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    place: Place,
}

fn of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

impl<'a> Lexer<'a> {
    fn new(text: &'a str) -> Lexer<'a> {
        Lexer {
            rest: text.chars().peekable(),
            place: Place { line: 1, column: 1 },
        }
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        if c == '\n' {
            self.place.line += 1;
            self.place.column = 1;
        } else {
            self.place.column += 1;
        }
        Some(c)
    }

    fn word(&mut self) -> String {
        let mut word = String::new();
        while let Some(c) = self.rest.next_if(|&c| of_word(c)) {
            self.place.column += 1;
            word.push(c);
        }
        word
    }

    fn next(&mut self) -> Option<(Token, Place)> {
        loop {
            match self.rest.peek()? {
                ' ' | '\t' | '\n' | '\r' => {
                    self.bump();
                }
                '/' => {
                    let place = self.place;
                    if let Err(refused) = self.comment() {
                        return Some((Token::Wrong(refused.message), place));
                    }
                }
                _ => break,
            }
        }
        let place = self.place;
        let token = match *self.rest.peek()? {
            '"' => self.text(),
            '@' => {
                self.bump();
                match self.word() {
                    name if name.is_empty() => {
                        Token::Wrong("the name of an alias is missing after `@`".into())
                    }
                    name => Token::Alias(name),
                }
            }
            '-' => match self.word().as_str() {
                "--BODY--" => Token::Body,
                "--END--" => Token::End,
                "--ABORT--" => Token::Abort,
                word => Token::Wrong(format!(
                    "`{word}` is no token: `--BODY--`, `--END--` and `--ABORT--` are"
                )),
            },
            c if c.is_ascii_digit() => self.integer(),
            c if of_word(c) => {
                let word = self.word();
                if self.rest.next_if_eq(&':').is_some() {
                    self.place.column += 1;
                    Token::Header(word)
                } else if word == "t" || word == "f" {
                    Token::Boolean(word == "t")
                } else {
                    Token::Identifier(word)
                }
            }
            c => {
                self.bump();
                match c {
                    '[' | ']' | '{' | '}' | '(' | ')' | '&' | '|' | '!' => Token::Sign(c),
                    _ => Token::Wrong(format!("`{c}` has no meaning in this format")),
                }
            }
        };
        Some((token, place))
    }

    /// They nest.
    fn comment(&mut self) -> Result<()> {
        let place = self.place;
        self.bump();
        if self.rest.peek() != Some(&'*') {
            return Err(place.refuse("`/` has no meaning here: comments begin with `/*`"));
        }
        self.bump();
        let mut depth = 1u32;
        let mut before = ' ';
        while depth > 0 {
            let Some(c) = self.bump() else {
                return Err(place.refuse("this comment does not end: close it with `*/`"));
            };
            // A star or slash belongs to one bracket only.
            before = match (before, c) {
                ('/', '*') => {
                    depth += 1;
                    ' '
                }
                ('*', '/') => {
                    depth -= 1;
                    ' '
                }
                _ => c,
            };
        }
        Ok(())
    }

    fn text(&mut self) -> Token {
        self.bump();
        let mut text = String::new();
        loop {
            match self.bump() {
                Some('"') => return Token::Text(text),
                Some('\\') => text.extend(self.bump()),
                Some(c) => text.push(c),
                None => return Token::Wrong("this string does not end: close it with `\"`".into()),
            }
        }
    }

    fn integer(&mut self) -> Token {
        let mut digits = String::new();
        while let Some(c) = self.rest.next_if(char::is_ascii_digit) {
            self.place.column += 1;
            digits.push(c);
        }
        if digits.len() > 1 && digits.starts_with('0') {
            return Token::Wrong(format!("`{digits}` begins with a zero: leave it out"));
        }
        match digits.parse::<u32>() {
            Ok(number) if number < 1 << 31 => Token::Integer(number),
            _ => Token::Wrong(format!("`{digits}` is too large: numbers are below 2^31")),
        }
    }
}

/// A refusal of a token that stands where another one should.
pub(super) fn unexpected(token: &Token, place: Place, wanted: &str) -> Refused {
    match token {
        Token::Wrong(why) => place.refuse(why.clone()),
        _ => {
            let shown = token.shown();
            place.refuse(format!("{shown} stands where {wanted} should"))
        }
    }
}
