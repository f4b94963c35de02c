//! The tokens of a file, with their places.

use logos::{Filter, Lexer, Logos};

use super::place::{Place, Refused, Result};

#[derive(Logos, Clone, Debug, PartialEq, Eq)]
#[logos(error = String, skip r"[ \t\r\n]+")]
pub(super) enum Token {
    /// Without its colon.
    #[regex("[A-Za-z_][A-Za-z0-9_-]*:", |lexer| lexer.slice().trim_end_matches(':').to_owned())]
    Header(String),
    #[regex("[A-Za-z_][A-Za-z0-9_-]*", |lexer| lexer.slice().to_owned(), priority = 1)]
    Identifier(String),
    #[token("t", |_| true)]
    #[token("f", |_| false)]
    Boolean(bool),
    #[regex("[0-9]+", integer)]
    Integer(u32),
    #[token("\"", text)]
    Text(String),
    /// Without its `@`.
    #[regex("@[A-Za-z0-9_-]*", alias)]
    Alias(String),
    #[regex(r"[\[\]{}()&|!]", |lexer| lexer.slice().chars().next())]
    Sign(char),
    #[token("--BODY--")]
    Body,
    #[token("--END--")]
    End,
    #[token("--ABORT--")]
    Abort,
    /// No token at all, and why.
    #[token("/", comment)]
    #[regex("-[A-Za-z0-9_-]*", |lexer| format!(
        "`{}` is no token: `--BODY--`, `--END--` and `--ABORT--` are",
        lexer.slice()
    ))]
    #[regex(".", |lexer| format!("`{}` has no meaning in this format", lexer.slice()), priority = 0)]
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

/// All tokens of a text.
fn tokens(text: &str) -> impl Iterator<Item = (Token, Place)> {
    let mut place = Place::FIRST;
    let mut before = 0;
    Token::lexer(text).spanned().map(move |(token, range)| {
        place = place.after(&text[before..range.start]);
        before = range.start;
        (token.unwrap_or_else(Token::Wrong), place)
    })
}

/// The tokens of the only automaton in a text, from `HOA:` to `--END--`. Automata that are aborted
/// are left out.
pub(super) fn automaton(text: &str) -> Result<Vec<(Token, Place)>> {
    let mut current = Vec::new();
    let mut complete = None;
    let mut aborted = None;
    for (token, place) in tokens(text) {
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
        let ends = token == Token::End;
        current.push((token, place));
        if ends && complete.is_some() {
            break;
        }
        if ends {
            complete = Some(std::mem::take(&mut current));
        }
    }
    match (complete, current.first(), aborted) {
        (Some(_), Some((_, second)), _) => Err(second
            .refuse("a second automaton begins here: put each automaton in a file of its own")),
        (Some(whole), None, _) => Ok(whole),
        (None, None, Some(place)) => {
            Err(place
                .refuse("the automaton was aborted by the program that wrote it: write it again"))
        }
        // The parser tells what is wrong, at the latest that there is no end.
        (None, ..) => Ok(current),
    }
}

fn alias(lexer: &mut Lexer<'_, Token>) -> std::result::Result<String, String> {
    match &lexer.slice()[1..] {
        "" => Err("the name of an alias is missing after `@`".into()),
        name => Ok(name.to_owned()),
    }
}

fn integer(lexer: &mut Lexer<'_, Token>) -> std::result::Result<u32, String> {
    let digits = lexer.slice();
    if digits.len() > 1 && digits.starts_with('0') {
        return Err(format!("`{digits}` begins with a zero: leave it out"));
    }
    match digits.parse::<u32>() {
        Ok(number) if number < 1 << 31 => Ok(number),
        _ => Err(format!("`{digits}` is too large: numbers are below 2^31")),
    }
}

/// Comments nest.
fn comment(lexer: &mut Lexer<'_, Token>) -> Filter<String> {
    let rest = lexer.remainder();
    if !rest.starts_with('*') {
        return Filter::Emit("`/` has no meaning here: comments begin with `/*`".into());
    }
    let mut depth = 1u32;
    let mut before = ' ';
    for (at, c) in rest.char_indices().skip(1) {
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
        if depth == 0 {
            lexer.bump(at + 1);
            return Filter::Skip;
        }
    }
    lexer.bump(rest.len());
    Filter::Emit("this comment does not end: close it with `*/`".into())
}

fn text(lexer: &mut Lexer<'_, Token>) -> std::result::Result<String, String> {
    let rest = lexer.remainder();
    let mut text = String::new();
    let mut chars = rest.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => {
                lexer.bump(at + 1);
                return Ok(text);
            }
            '\\' => text.extend(chars.next().map(|(_, escaped)| escaped)),
            _ => text.push(c),
        }
    }
    lexer.bump(rest.len());
    Err("this string does not end: close it with `\"`".into())
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
