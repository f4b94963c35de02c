//! The machinery under the grammar: a cursor over the tokens that matter, and the list of
//! events that the tree is built from.

pub(crate) mod messages;

use std::cell::Cell;

use rowan::TextSize;

use crate::brackets::Brackets;
use crate::grammar::body_kind::BodyKind;
use crate::grammar::starts::ITEM_START;
use crate::interrupt::Interrupt;
use crate::kind::TokenSet;
use crate::lexer::Token;
use crate::{MAX_NESTING, SyntaxError, SyntaxKind};

/// One thing that happens while the tree is built.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Event {
    /// A node begins. `parent` is the distance to a later `Start` that is to begin before this
    /// one: what was parsed first turned out to be the first part of something larger.
    Start { kind: SyntaxKind, parent: u32 },
    /// A node ends.
    Finish,
    /// The next token (white space and comments not counted).
    Token,
    /// A node that was given up: its children belong to the node around it.
    Abandoned,
}

/// A node that has begun.
#[must_use]
pub(crate) struct Marker(u32);

/// A node that has ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompletedMarker {
    start: u32,
    kind: SyntaxKind,
}

impl Marker {
    /// Ends the node.
    pub(crate) fn complete(self, parser: &mut Parser<'_>, kind: SyntaxKind) -> CompletedMarker {
        parser.events[self.0 as usize] = Event::Start { kind, parent: 0 };
        parser.events.push(Event::Finish);
        CompletedMarker {
            start: self.0,
            kind,
        }
    }

    /// Gives the node up; what is in it belongs to the node around.
    pub(crate) fn abandon(self, parser: &mut Parser<'_>) {
        if self.0 as usize + 1 == parser.events.len() {
            parser.events.pop();
        }
    }
}

impl CompletedMarker {
    /// Begins a node that has this one as its first part.
    pub(crate) fn precede(self, parser: &mut Parser<'_>) -> Marker {
        let marker = parser.start();
        if let Event::Start { parent, .. } = &mut parser.events[self.start as usize] {
            *parent = marker.0 - self.start;
        }
        marker
    }

    pub(crate) fn kind(self) -> SyntaxKind {
        self.kind
    }
}

/// What a parser has to read.
#[derive(Clone, Copy)]
pub(crate) struct Input<'t> {
    pub text: &'t str,
    /// All tokens of the text.
    pub tokens: &'t [Token],
    /// What stands before the text.
    pub before: &'t str,
    /// No item that begins here or later is read.
    pub end: TextSize,
    /// Whether a comment without its end hides the rest of the text: what is missing at the end
    /// is no mistake of its own.
    pub is_cut_short: bool,
}

/// What the grammar has made of a text.
pub(crate) struct Output {
    pub events: Vec<Event>,
    pub errors: Vec<SyntaxError>,
    pub items: Vec<Looked>,
    /// Where the token stands that was not taken any more, if there is one.
    pub next: Option<TextSize>,
}

/// What an item at the top of a file was read from: it depends on no other token.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Looked {
    /// Its first token.
    pub first: Token,
    /// The end of the last token that was looked at, or `None` where the end of the text was.
    pub end: Option<TextSize>,
}

pub(crate) struct Parser<'t> {
    input: Input<'t>,
    interrupt: &'t Interrupt<'t>,
    /// The tokens without white space and comments.
    tokens: Vec<Token>,
    /// Whether a line ends somewhere before the token with the same number.
    after_line_end: Vec<bool>,
    brackets: Brackets,
    at: usize,
    /// The number of the last token that was looked at since the item began.
    looked: Cell<usize>,
    /// The numbers of each item's first token and of the last one that was looked at for it.
    items: Vec<(usize, usize)>,
    events: Vec<Event>,
    errors: Vec<SyntaxError>,
    /// The token at which the last mistake was told: there is at most one for each.
    told_at: Option<usize>,
    depth: usize,
    /// How many braces are open here.
    open_braces: usize,
    /// Set while the rest of a text that is nested too deep is left: what is missing then is
    /// no mistake of its own.
    leaving: bool,
    /// Whether temporal operators are read.
    pub(crate) in_formula: bool,
    /// Whether `->` begins a clause of a step.
    pub(crate) in_body: bool,
    /// Whether a test is read, behind which a `{` follows.
    pub(crate) in_test: bool,
    /// Whether a variable is declared in a body.
    pub(crate) in_declaration: bool,
    /// Whether an operator of another logic has been told in this formula.
    pub(crate) has_told_letters: bool,
    /// The number of the token at which the body begins that is around.
    pub(crate) body_at: Option<usize>,
    /// Whose body that is.
    pub(crate) body_of: Option<BodyKind>,
    /// Whether a bracket is open that is never closed: then a `=` is more likely the next
    /// assignment than a comparison.
    pub(crate) in_unclosed: bool,
}

impl<'t> Parser<'t> {
    pub(crate) fn new(input: Input<'t>, interrupt: &'t Interrupt<'t>) -> Parser<'t> {
        let (text, all) = (input.text, input.tokens);
        let mut tokens = Vec::with_capacity(all.len() / 2);
        let mut after_line_end = Vec::with_capacity(all.len() / 2);
        let mut line_end = false;
        for token in all {
            if token.kind.is_trivia() {
                line_end |= text[token.range].contains(['\n', '\r']);
            } else {
                tokens.push(*token);
                after_line_end.push(line_end);
                line_end = false;
            }
        }
        Parser {
            input,
            interrupt,
            events: Vec::with_capacity(tokens.len() * 3),
            brackets: Brackets::of(&tokens),
            tokens,
            after_line_end,
            at: 0,
            looked: Cell::new(0),
            items: Vec::new(),
            errors: Vec::new(),
            told_at: None,
            depth: 0,
            open_braces: 0,
            leaving: false,
            in_formula: false,
            in_body: false,
            in_test: false,
            in_declaration: false,
            has_told_letters: false,
            body_at: None,
            body_of: None,
            in_unclosed: false,
        }
    }

    pub(crate) fn finish(mut self) -> Output {
        self.end_item();
        let next = self.tokens.get(self.at).map(|token| token.range.start());
        let items = self.items.iter().filter_map(|&(first, last)| {
            Some(Looked {
                first: *self.tokens.get(first)?,
                end: self.tokens.get(last).map(|token| token.range.end()),
            })
        });
        Output {
            items: items.collect(),
            events: self.events,
            errors: self.errors,
            next,
        }
    }

    /// Whether no item is to be read any more.
    pub(crate) fn at_end(&self) -> bool {
        let next = self.tokens.get(self.at);
        next.is_none_or(|token| token.range.start() >= self.input.end)
    }

    /// Says that an item of the file begins here, outside all braces.
    pub(crate) fn at_top(&mut self) {
        self.open_braces = 0;
        self.end_item();
        self.items.push((self.at, self.at));
    }

    fn end_item(&mut self) {
        if let Some((_, last)) = self.items.last_mut() {
            *last = self.looked.get();
        }
        self.looked.set(self.at);
    }

    /// Notes that what becomes of the item depends on the token with this number. Whatever asks
    /// about a token that is not taken yet goes by here.
    fn look(&self, position: usize) -> usize {
        self.looked.set(self.looked.get().max(position));
        position
    }

    /// The kind of the current token.
    pub(crate) fn current(&self) -> SyntaxKind {
        self.nth(0)
    }

    /// The kind of the token `n` after the current one.
    pub(crate) fn nth(&self, n: usize) -> SyntaxKind {
        self.tokens
            .get(self.look(self.at + n))
            .map_or(SyntaxKind::EOF, |token| token.kind)
    }

    pub(crate) fn at(&self, kind: SyntaxKind) -> bool {
        self.current() == kind
    }

    pub(crate) fn at_set(&self, set: TokenSet) -> bool {
        set.contains(self.current())
    }

    /// Whether the current token is a name with this text.
    pub(crate) fn at_word(&self, word: &str) -> bool {
        self.nth_word(0) == Some(word)
    }

    /// The text of the token `n` after the current one, if it is a name.
    pub(crate) fn nth_word(&self, n: usize) -> Option<&'t str> {
        let token = self.tokens.get(self.look(self.at + n))?;
        (token.kind == SyntaxKind::IDENT).then(|| &self.input.text[token.range])
    }

    /// The text of the token `n` after the current one; empty at the end.
    pub(crate) fn nth_text(&self, n: usize) -> &'t str {
        self.tokens
            .get(self.look(self.at + n))
            .map_or("", |token| &self.input.text[token.range])
    }

    /// Whether the token `n` after the current one is on a later line than the one before it.
    pub(crate) fn nth_begins_line(&self, n: usize) -> bool {
        self.after_line_end
            .get(self.look(self.at + n))
            .copied()
            .unwrap_or(true)
    }

    /// Whether nothing stands between the token `n` after the current one and the one before.
    pub(crate) fn nth_is_joined(&self, n: usize) -> bool {
        let index = self.look(self.at + n);
        match (
            self.tokens.get(index.wrapping_sub(1)),
            self.tokens.get(index),
        ) {
            (Some(before), Some(token)) => before.range.end() == token.range.start(),
            _ => false,
        }
    }

    /// Whether the brace of the body around is closed.
    pub(crate) fn body_is_closed(&self) -> bool {
        self.body_at.is_some_and(|at| self.closer(at).is_some())
    }

    /// Whether `-> s` of another step stands before the token with this number, on its line.
    pub(crate) fn is_behind_target(&self, position: usize) -> bool {
        let kind = |at: usize| self.tokens.get(at).map(|token| token.kind);
        position >= 2
            && kind(position - 1) == Some(SyntaxKind::IDENT)
            && kind(position - 2) == Some(SyntaxKind::ARROW)
            && !self.after_line_end.get(position).copied().unwrap_or(true)
    }

    /// The tokens of this item from the one with this number up to the current one.
    pub(crate) fn taken_since(&self, position: usize) -> Vec<(SyntaxKind, &'t str)> {
        let begins = self.items.last().map_or(0, |(first, _)| *first);
        let taken = self.tokens.get(position.max(begins)..self.at);
        let taken = taken.unwrap_or_default().iter();
        taken
            .map(|token| (token.kind, &self.input.text[token.range]))
            .collect()
    }

    /// The text of the token before the current one.
    pub(crate) fn text_before(&self) -> &'t str {
        let before = self.at.checked_sub(1);
        let token = before.and_then(|before| self.tokens.get(before));
        token.map_or("", |token| &self.input.text[token.range])
    }

    /// Whether a mistake has been told at the current token, or before it.
    pub(crate) fn is_told_here(&self) -> bool {
        self.told_at == Some(self.at)
    }

    /// Whether a mistake has been told at the token with this number or behind it.
    pub(crate) fn has_told_since(&self, position: usize) -> bool {
        let (last, token) = (self.errors.last(), self.tokens.get(position));
        let pair = last.zip(token);
        pair.is_some_and(|(last, token)| last.range.start() >= token.range.start())
    }

    /// The number of the current token.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// For the opening bracket `n` after the current token: how many tokens after the current
    /// one its partner stands.
    pub(crate) fn closer_of(&self, n: usize) -> Option<usize> {
        self.closer(self.at + n).map(|closer| closer - self.at)
    }

    /// For the number of an opening bracket that of its partner.
    pub(crate) fn closer(&self, position: usize) -> Option<usize> {
        let fate = self.brackets.fate(self.look(position))?;
        let known_at = self.look(fate.known_at as usize);
        fate.is_closed.then_some(known_at)
    }

    /// Whether a brace that no other brace opens is still to come before the next item: then
    /// an opening one was left out somewhere before.
    pub(crate) fn has_spare_closing_brace(&self) -> bool {
        let mut open = self.open_braces;
        for position in self.at..self.tokens.len() {
            match self.tokens[self.look(position)].kind {
                SyntaxKind::L_BRACE => open += 1,
                SyntaxKind::R_BRACE if open == 0 => return true,
                SyntaxKind::R_BRACE => open -= 1,
                kind if ITEM_START.contains(kind) => return false,
                _ => {}
            }
        }
        self.look(self.tokens.len());
        false
    }

    /// Says that a brace that was left out counts as open.
    pub(crate) fn assume_brace(&mut self) {
        self.open_braces += 1;
    }

    /// Takes the current token. Where the work is to end the text ends here: the tree is not wanted.
    pub(crate) fn bump(&mut self) {
        if self.interrupt.is_due() {
            self.at = self.tokens.len();
            return;
        }
        if let Some(token) = self.tokens.get(self.at) {
            match token.kind {
                SyntaxKind::L_BRACE => self.open_braces += 1,
                SyntaxKind::R_BRACE => self.open_braces = self.open_braces.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
            self.events.push(Event::Token);
        }
    }

    /// Takes the current token if it is of that kind.
    pub(crate) fn eat(&mut self, kind: SyntaxKind) -> bool {
        let there = self.at(kind);
        if there {
            self.bump();
        }
        there
    }

    /// Takes the current token if it is that word.
    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let there = self.at_word(word);
        if there {
            self.bump();
        }
        there
    }

    /// Begins a node.
    pub(crate) fn start(&mut self) -> Marker {
        let position = self.events.len() as u32;
        self.events.push(Event::Abandoned);
        Marker(position)
    }

    /// Puts the current token aside, as an error that has been reported.
    pub(crate) fn bump_as_error(&mut self) {
        self.bump_as(SyntaxKind::ERROR);
    }

    /// Takes the current token as a node of its own.
    pub(crate) fn bump_as(&mut self, kind: SyntaxKind) -> CompletedMarker {
        self.node(kind, Parser::bump)
    }

    /// Wraps `tokens` tokens in one error node; the error has been reported.
    pub(crate) fn bump_many_as_error(&mut self, tokens: usize) {
        self.node(SyntaxKind::ERROR, |p| (0..tokens).for_each(|_| p.bump()));
    }

    /// Makes a node of what `rule` takes.
    pub(crate) fn node<R>(
        &mut self,
        kind: SyntaxKind,
        rule: impl FnOnce(&mut Self) -> R,
    ) -> CompletedMarker {
        let marker = self.start();
        rule(self);
        marker.complete(self, kind)
    }

    /// Runs `rule` for what stands behind the opening bracket with the number `open`. Where the
    /// bracket has no partner the rest of the step and of the line is left alone.
    pub(crate) fn within<R>(&mut self, open: usize, rule: impl FnOnce(&mut Self) -> R) -> R {
        let outside = (self.in_body, self.in_unclosed);
        self.in_unclosed = self.closer(open).is_none();
        self.in_body &= self.in_unclosed;
        let result = rule(self);
        (self.in_body, self.in_unclosed) = outside;
        result
    }

    /// Runs `rule` one level deeper. Where the text is nested too deep it is told, what stands
    /// there is passed over up to the bracket that closes what is around it, and the answer is
    /// `None`.
    pub(crate) fn deeper<R>(&mut self, rule: impl FnOnce(&mut Self) -> R) -> Option<R> {
        if self.depth >= MAX_NESTING {
            self.unexpected(
                format!("this is nested more than {MAX_NESTING} deep"),
                "give parts of it names of their own, with `def`, `macro` or more states",
            );
            self.skip_rest_of_brackets();
            return None;
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        if self.depth == 0 {
            self.leaving = false;
        }
        Some(result)
    }

    /// Passes over everything up to the closing bracket of what is around.
    fn skip_rest_of_brackets(&mut self) {
        let marker = self.start();
        loop {
            match self.current() {
                SyntaxKind::EOF => break,
                SyntaxKind::R_PAREN | SyntaxKind::R_BRACKET | SyntaxKind::R_BRACE => break,
                SyntaxKind::L_PAREN | SyntaxKind::L_BRACKET | SyntaxKind::L_BRACE => {
                    match self.closer_of(0) {
                        Some(length) => (0..=length).for_each(|_| self.bump()),
                        None => self.bump(),
                    }
                }
                _ if self.at_item_start() => break,
                _ => self.bump(),
            }
        }
        marker.complete(self, SyntaxKind::ERROR);
        self.leaving = true;
    }
}
