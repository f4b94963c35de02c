//! What people bring along from other languages (Promela, PlusCal, mCRL2, C, Python, Rust, Go): it is told once, with
//! what is written here, and gone past.
//!
//! A word is taken for one of another language only where the text has no meaning otherwise, or would have one only
//! if two macros without arguments were called on one line.

use crate::SyntaxKind;
use crate::SyntaxKind::*;
use crate::kind::TokenSet;
use crate::parser::Parser;

/// What a message says: what is wrong, and what would mend it.
pub(super) type Said = (String, &'static str);

/// How far a line is looked along.
pub(super) const FAR: usize = 64;

/// What begins an operand that cannot be a statement of its own.
const OPERAND: TokenSet = TokenSet::new(&[IDENT, INT, STRING, TRUE_KW, FALSE_KW, NOT_KW, BANG]);

impl Parser<'_> {
    /// What stands here where a declaration should begin, if it is known from elsewhere.
    pub(super) fn foreign_item(&self) -> Option<Said> {
        let word = self.nth_text(0);
        let joined = |first: SyntaxKind| self.nth(1) == first && self.nth_is_joined(1);
        let hint = match self.current() {
            BOOL_KW => return typed_first(self),
            ASSERT_KW => "what holds in every reachable state is written `invariant NAME: e`",
            MINUS if joined(MINUS) => "leave the line out: comments begin with `//`",
            EQ_EQ if joined(EQ_EQ) => "leave the line out: comments begin with `//`",
            PERCENT | STRING => "comments begin with `//`",
            STAR if joined(SLASH) => "leave it out, or begin the comment with `/*`",
            L_PAREN if joined(STAR) => "comments are written `/* … */`",
            IDENT => return word_at_top(self, word),
            _ => return None,
        };
        let shown = match self.current() {
            MINUS | EQ_EQ | L_PAREN => format!("{word}{}", self.nth_text(1)),
            STAR => return Some(("this `*/` ends no comment".to_owned(), hint)),
            STRING => return Some(("a text begins no declaration".to_owned(), hint)),
            _ => word.to_owned(),
        };
        Some((format!("`{shown}` begins no declaration"), hint))
    }
}

fn word_at_top(p: &Parser<'_>, word: &str) -> Option<Said> {
    if names_a_type(word) {
        return typed_first(p);
    }
    let lower = word.to_lowercase();
    let hint = match (lower.as_str(), p.nth(1)) {
        ("active", _) => {
            "write `process p { … }`, or `process p(i in 0..1) { … }` for two; all run from the start"
        }
        ("init", _) => {
            "all processes run from the start, side by side; a variable has its first value in its \
             declaration, `var x: 0..7 = 1`"
        }
        ("never", L_BRACE | IDENT) => {
            "write `ltl NAME: f`, or in a tester file a `buchi` or a `tester`"
        }
        ("mtype", _) => "write `enum NAME { a, b }`",
        ("typedef" | "struct" | "class" | "union" | "sort" | "newtype", _) => {
            "write `type NAME = T`, where `T` may be `record { f: T, g: U }`, or `enum NAME { a, b }`"
        }
        ("let" | "variable" | "variables" | "shared" | "vars", _) => {
            "write `var x: 0..7`, or `var x: 0..7 = 1`"
        }
        ("constants", _) => "write `const NAME = e`, or `param NAME: lo..hi = e`",
        ("inline" | "procedure" | "function" | "func" | "fn" | "fun" | "void" | "sub", _) => {
            "a `def NAME(x in T): e` has a value, a `macro NAME(x in T) { … }` has effects"
        }
        ("map" | "eqn", _) => "a named expression is written `def NAME(x in T): e`",
        ("act" | "actions" | "event" | "events", _) => "write `action a`, or `action a(T)`",
        ("proc", _) if p.nth(2) == EQ => "write `process p { … }`",
        ("thread" | "agent" | "task" | "actor" | "role", IDENT) => "write `process p { … }`",
        ("observer" | "monitor", IDENT) => "write `tester NAME { … }`, in a tester file",
        ("extends" | "package" | "module" | "namespace", _) => {
            "leave it out: what another file declares is brought by `use \"FILE\"`"
        }
        (
            "property" | "properties" | "safety" | "liveness" | "formula" | "ltlspec" | "claim"
            | "check" | "verify" | "theorem" | "always" | "eventually",
            _,
        ) => {
            "a property is written `invariant NAME: e`, `ltl NAME: f`, `progress NAME: may e` or \
             `reachable NAME: e`"
        }
        ("expected" | "expects" | "expecting", IDENT) => {
            "write `expect violated: NAME`, of the properties whose verdict it is to be"
        }
        ("no", IDENT) => "that nothing fails, no `deadlock` and `termination` are checked always",
        ("begin" | "end", _) => "what belongs together stands in braces, `{ … }`",
        _ if lower.starts_with("wf_") || lower.starts_with("sf_") => {
            "write `fair process p { … }`, `fair NAME: A` or `strongly fair NAME: A`"
        }
        (_, EQ_EQ) => "a named expression is written `def NAME: e`",
        (_, EQ | COLON_EQ) => "write `const NAME = e`, or `var NAME: T = e`",
        _ => return None,
    };
    Some((format!("`{word}` begins no declaration"), hint))
}

/// `int x`, `bool b = true`, `int f(int x) { … }`
fn typed_first(p: &Parser<'_>) -> Option<Said> {
    let mut n = 1;
    while n < 4 && names_a_type(p.nth_text(n)) {
        n += 1;
    }
    if p.nth(n) != IDENT && p.nth(n) != STAR {
        return None;
    }
    let (message, hint) = if p.nth(n + 1) == L_PAREN {
        (
            "there are no functions of this kind",
            "a `def NAME(x in T): e` has a value, a `macro NAME(x in T) { … }` has effects",
        )
    } else {
        let hint = match (p.nth(n + 1), p.current()) {
            (L_BRACKET, BOOL_KW) => "write `var a: array[0..2] of bool`",
            (L_BRACKET, _) => "write `var a: array[0..2] of 0..7`, say",
            (_, BOOL_KW) => "write `var b: bool`",
            _ => "write `var x: 0..7`, say",
        };
        ("a variable's type stands behind its name", hint)
    };
    Some((message.to_owned(), hint))
}

/// Whether other languages have a type of this name, or a word that stands before one.
pub(super) fn names_a_type(word: &str) -> bool {
    matches!(
        word,
        "int"
            | "integer"
            | "byte"
            | "short"
            | "long"
            | "unsigned"
            | "uint"
            | "bit"
            | "boolean"
            | "bool"
            | "char"
            | "float"
            | "double"
            | "string"
            | "static"
            | "volatile"
            | "auto"
            | "hidden"
            | "local"
    )
}

impl Parser<'_> {
    /// Tells what is written here for a statement that other languages have, and goes past it. Whether it was one.
    pub(super) fn foreign_statement(&mut self) -> bool {
        let word = self.nth_text(0);
        let goes_on = !self.nth_begins_line(1);
        if self.nth(1) == DOT && self.nth(3) == L_PAREN && goes_on && is_method(self) {
            method(self);
            return true;
        }
        if goes_on && self.nth(1) == IDENT && declares_a_variable(self, word) {
            self.foreign_variable();
            return true;
        }
        let Some((message, hint)) = known_statement(self, word, goes_on) else {
            return false;
        };
        self.unexpected(message, hint);
        match word {
            "wait" => {
                let marker = self.start();
                self.bump();
                if self.at_word("until") || self.at(FOR_KW) {
                    self.bump();
                }
                self.expr();
                marker.complete(self, ERROR);
            }
            // Its block is read as that of what is meant.
            "forever" => self.loop_block(),
            "fair" => {
                self.bump_as_error();
                self.statement();
            }
            "choose" | "alt" => self.either(),
            _ => self.rest_of_statement(),
        }
        true
    }
}

/// What is said of a statement that begins with this word.
fn known_statement(p: &Parser<'_>, word: &str, goes_on: bool) -> Option<Said> {
    // With arguments it may be a macro, whose arguments are no texts.
    let text = p.nth(1) == L_PAREN && p.nth(2) == STRING;
    let operand = goes_on && (OPERAND.contains(p.nth(1)) || text);
    let block = p.nth(1) == L_BRACE;
    let is_called = || p.nth(1) == IDENT && matches!(p.nth(2), L_PAREN | SEMICOLON | R_BRACE | EOF);
    let hint = match word {
        "atomic" | "d_step" if block => {
            let message = format!(
                "there is no `{word}`: a step has any number of effects, and nobody comes in between"
            );
            let hint = match p.nth(2) {
                AWAIT_KW => {
                    "write `await e do { … }`, with what is to happen in the same step behind `do`"
                }
                RECEIVE_KW => {
                    "write `receive c(?x) do { … }`, with what is to happen in the same step behind `do`"
                }
                _ => "write `do { … }`",
            };
            return Some((message, hint));
        }
        "wait" if operand || goes_on && p.nth(1) == FOR_KW => "write `await e`",
        "print" | "printf" | "println" if operand || p.nth(1) == BANG && p.nth(2) == L_PAREN => {
            "leave it out: a trace shows every change"
        }
        "forever" if block => "write `loop { … }`",
        "fair" if matches!(p.nth(1), LOOP_KW | WHILE_KW | EITHER_KW | IF_KW) && goes_on => {
            let message = "no statement is fair, only a `process`".to_owned();
            return Some((
                message,
                "write `fair process` at its head, or `fair NAME: A` for the steps that are not to be put off",
            ));
        }
        "final" if !goes_on || matches!(p.nth(1), SEMICOLON | R_BRACE | EOF) => {
            let message = "`final` stands before a label".to_owned();
            return Some((
                message,
                "write `final NAME:` before the statement at which it is right to wait for ever",
            ));
        }
        "until" if operand => "write `while not (e) { … }`",
        "repeat" if block => "write `loop { … }`, with `if e { break }` where it is left",
        "choose" | "alt" if block => "write `either { … } or { … }`",
        "select" if block => "write `either { … } or { … }`",
        "select" if p.nth(1) == L_PAREN && p.nth(3) == COLON => "write `x = any 0..3`, say",
        "switch" | "match" | "case" if p.has_test_and_block() => {
            "write `if e { … } else if f { … } else { … }`"
        }
        "with" if p.nth(1) == IDENT && p.nth(2) == IN_KW => {
            "write `x = any T`, with a variable `x`"
        }
        "run" | "start" | "spawn" | "go" | "fork"
            if goes_on && is_called() || goes_on && p.nth(1) == IDENT && p.nth_begins_line(2) =>
        {
            let message = "processes are not started".to_owned();
            return Some((
                message,
                "leave it out: all run from the start, side by side",
            ));
        }
        "put" | "push" | "enqueue" | "write" | "emit" if names_a_channel(p, goes_on) => {
            "write `send c(e)`"
        }
        "get" | "pop" | "dequeue" | "recv" | "read" if names_a_channel(p, goes_on) => {
            "write `receive c(?x)`"
        }
        "set" if goes_on && p.nth(1) == IDENT && matches!(p.nth(2), EQ | COLON_EQ) => {
            "an assignment is written `x = e`"
        }
        "global" | "nonlocal" if goes_on && p.nth(1) == IDENT => {
            "leave it out: a shared variable is seen everywhere"
        }
        "UNCHANGED" if goes_on && matches!(p.nth(1), IDENT | LESS) => {
            "leave it out: what is not assigned to stays as it is"
        }
        "return" if operand => {
            let message = "there is no `return`".to_owned();
            return Some((message, "`stop` ends the process; a `def` has a value"));
        }
        _ => return None,
    };
    Some((format!("there is no statement `{word}`"), hint))
}

/// `int y = 1`, `let mut y = 1`: whether a variable is declared here in the way of other languages.
fn declares_a_variable(p: &Parser<'_>, word: &str) -> bool {
    const BEHIND: TokenSet = TokenSet::new(&[
        EQ, COLON_EQ, COLON, SEMICOLON, COMMA, L_BRACKET, R_BRACE, IDENT, EOF,
    ]);
    (names_a_type(word) || matches!(word, "let" | "variable"))
        && (BEHIND.contains(p.nth(2)) || p.nth_begins_line(2))
}

impl Parser<'_> {
    /// A variable that is declared among the statements; its type, or a word for it, is the current token.
    pub(super) fn foreign_variable(&mut self) {
        self.unexpected(
            "a process's variables are declared at its head",
            "write `var x: 0..7`, say, before the statements or states",
        );
        let marker = self.start();
        self.bump();
        while (names_a_type(self.nth_text(0)) || self.at_word("mut")) && self.nth(1) == IDENT {
            self.bump();
        }
        // It declares the name all the same.
        if self.at(IDENT) {
            self.bump_as(NAME);
        }
        if !self.nth_begins_line(0) && !matches!(self.current(), SEMICOLON | R_BRACE | EOF) {
            self.skip_to(|p| p.nth_begins_line(0) || p.at(SEMICOLON));
        }
        marker.complete(self, ERROR);
    }
}

/// Whether `x.f(…)` is all of a statement.
fn is_method(p: &Parser<'_>) -> bool {
    let behind = p.closer_of(3).map(|closer| p.nth(closer + 1));
    !matches!(behind, Some(EQ | EQ_EQ | COLON_EQ | AT | L_BRACKET))
}

fn method(p: &mut Parser<'_>) {
    p.unexpected("there are no methods", instead_of_method(p.nth_text(2)));
    p.rest_of_statement();
}

/// What is written for a method of this name.
pub(super) fn instead_of_method(name: &str) -> &'static str {
    match name {
        "push" | "add" | "append" => {
            "write `send c(e)` for a channel, `l = l + [e]` for a list, `s = s + {e}` for a set"
        }
        "send" | "put" | "enqueue" | "write" => "write `send c(e)`",
        "pop" => {
            "write `receive c(?x)` for a channel; a list without its last element is `l[0..len(l)-2]`"
        }
        "receive" | "recv" | "get" | "take" | "dequeue" | "read" => "write `receive c(?x)`",
        "lock" | "acquire" => "a lock is a variable: `await not m do m = true` waits and takes it",
        "unlock" | "release" => "a lock is a variable: `m = false` gives it back",
        "len" | "length" | "size" | "count" => "it is written `len(c)`",
        "empty" | "is_empty" | "isEmpty" => "it is written `empty(c)`",
        "contains" | "includes" | "has" => "it is written `e in s`",
        "remove" | "delete" | "discard" => "an element is taken out of a set by `s = s - {e}`",
        _ => "an expression is named by `def f(x in T): e`, effects by `macro f(x in T) { … }`",
    }
}

/// Whether a channel is named here, with a message.
fn names_a_channel(p: &Parser<'_>, goes_on: bool) -> bool {
    let behind = p.closer_of(2).map(|closer| p.nth(closer + 1));
    goes_on
        && p.nth(1) == IDENT
        && (p.nth(2) == L_PAREN || p.nth(2) == L_BRACKET && behind == Some(L_PAREN))
}

impl Parser<'_> {
    /// Whether a `{` stands on what is left of the line, with no `;` before it.
    pub(super) fn line_has_brace(&self) -> bool {
        let line = (1..FAR).take_while(|n| !self.nth_begins_line(*n));
        let mut tokens = line.map(|n| self.nth(n));
        tokens.find(|kind| matches!(kind, L_BRACE | SEMICOLON)) == Some(L_BRACE)
    }

    /// Whether an operand stands here behind the current word, and then on the line the other word.
    pub(super) fn tests_in_parentheses(&self, word: &str) -> bool {
        let line = (1..FAR).take_while(|n| !self.nth_begins_line(*n) && self.nth(*n) != SEMICOLON);
        let mut behind = line.skip(1);
        OPERAND.contains(self.nth(1)) && behind.any(|n| self.nth_word(n) == Some(word))
    }

    /// Whether a test stands here behind the current word, and then a block: `elif x == 1 {`, `switch (x) {`.
    pub(super) fn has_test_and_block(&self) -> bool {
        const GOES_ON: TokenSet = TokenSet::new(&[
            L_BRACE, AND_KW, OR_KW, AMP_AMP, PIPE_PIPE, EQ, EQ_EQ, BANG_EQ, LESS, LESS_EQ, GREATER,
            GREATER_EQ,
        ]);
        let is_test = match self.nth(1) {
            L_PAREN => {
                let behind = self.closer_of(1).map(|closer| self.nth(closer + 1));
                behind.is_some_and(|behind| GOES_ON.contains(behind))
            }
            IDENT => !matches!(self.nth(2), EQ | COLON_EQ),
            first => OPERAND.contains(first),
        };
        is_test && !self.nth_begins_line(1) && self.line_has_brace()
    }

    /// Whether a reserved word stands on what is left of the line, with no brace before it.
    pub(super) fn line_has(&self, kind: SyntaxKind) -> bool {
        let line = (1..FAR).take_while(|n| !self.nth_begins_line(*n));
        let mut kinds = line.map(|n| self.nth(n));
        kinds.find(|found| *found == kind || matches!(found, L_BRACE | R_BRACE | SEMICOLON))
            == Some(kind)
    }

    /// Passes over a statement that has been told to be wrong, up to the `;` or the line behind it; what stands in
    /// brackets goes with it.
    pub(super) fn rest_of_statement(&mut self) {
        self.skip_to(|p| p.nth_begins_line(0) || p.at(SEMICOLON));
    }
}

/// Whether `end WORD` is to come before the block ends that is around. How many tokens there are before it.
fn end_of(p: &Parser<'_>, word: &str) -> Option<usize> {
    // In `assert p@end`, with another `either` on the next line, it is a place.
    let is_end = |n: usize| {
        p.nth_word(n) == Some("end")
            && (n == 0 || p.nth(n - 1) != AT)
            && !p.nth_begins_line(n + 1)
            && p.nth_text(n + 1) == word
    };
    for n in 0..4 * FAR {
        match p.nth(n) {
            EOF | R_BRACE => return None,
            IDENT if is_end(n) => return Some(n),
            IDENT if p.nth_word(n) == Some(&format!("end{word}")) => return Some(n),
            _ => {}
        }
    }
    None
}

impl Parser<'_> {
    /// Whether a block that begins here ends with such words, and has no braces.
    pub(super) fn lines_end_with(&self, word: &str) -> bool {
        end_of(self, word).is_some()
    }

    /// Passes over a block that ends with words, `end if;`, and has no braces: the mistake has been told. Whether it was
    /// one.
    pub(super) fn block_that_ends_with(&mut self, word: &str) -> bool {
        let Some(length) = end_of(self, word) else {
            return false;
        };
        let marker = self.start();
        for _ in 0..=length {
            self.bump();
        }
        if self.nth_text(0) == word {
            self.bump();
        }
        marker.complete(self, ERROR);
        true
    }

    /// Says that a block stands in braces, where there is a sign or a word of another language for it.
    pub(super) fn block_sign(&mut self, what: &str) -> bool {
        let is_sign = matches!(self.current(), COLON | DO_KW | THEN_KW) || self.at_word("begin");
        if is_sign {
            self.refuse(
                format!("expected `{{` and {what}"),
                "what belongs together stands in braces, `{ … }`",
            );
        }
        is_sign
    }

    /// How an operator that other languages have is written here, where it stands between two operands: the operator
    /// that it is read as, how many tokens it has, and what is said.
    pub(super) fn foreign_operator(&self) -> Option<(SyntaxKind, usize, Said)> {
        let joined = |kind: SyntaxKind| self.nth(1) == kind && self.nth_is_joined(1);
        let no = |name: &str| format!("there is no operator `{name}`");
        Some(match self.current() {
            STAR if joined(STAR) => (STAR, 2, (no("**"), "write `x * x`")),
            LESS if joined(LESS) => (PLUS, 2, (no("<<"), "write `shift_left(a, b)`")),
            GREATER if joined(GREATER) => (PLUS, 2, (no(">>"), "write `shift_right(a, b)`")),
            SLASH if joined(EQ) => (EQ_EQ, 2, (no("/="), "to compare, write `!=`")),
            IDENT if !self.nth_begins_line(0) && !self.nth_begins_line(1) => {
                let word = self.nth_text(0);
                let (kind, hint) = operator_word(word)?;
                let is_operand = OPERAND.contains(self.nth(1))
                    || !self.in_body && matches!(self.nth(1), L_PAREN | MINUS | L_BRACKET);
                // Two statements on one line: `x = y mod = 1`.
                let is_statement = self.in_body
                    && self.nth(1) == IDENT
                    && matches!(
                        self.nth(2),
                        EQ | COLON | COLON_EQ | L_PAREN | L_BRACKET | DOT
                    );
                if !is_operand || is_statement {
                    return None;
                }
                (kind, 1, (no(word), hint))
            }
            _ => return None,
        })
    }
}

fn operator_word(word: &str) -> Option<(SyntaxKind, &'static str)> {
    Some(match word {
        "mod" | "MOD" | "rem" => (STAR, "write `%`"),
        "div" | "DIV" => (STAR, "write `/`"),
        "is" | "equals" | "eq" | "iff" => (EQ_EQ, "write `==`"),
        "isnt" | "ne" | "neq" => (EQ_EQ, "write `!=`"),
        "AND" | "And" => (AND_KW, "write `and`"),
        "OR" | "Or" => (OR_KW, "write `or`"),
        "IMPLIES" | "Implies" => (IMPLIES_KW, "write `implies`"),
        "xor" | "XOR" => (
            EQ_EQ,
            "of truth values it is written `!=`, of the bits of integers `bit_xor(a, b)`",
        ),
        "as" => (STAR, "leave it out: all integers are of one type"),
        "max" | "MAX" => (PLUS, "write `max(a, b)`"),
        "min" | "MIN" => (PLUS, "write `min(a, b)`"),
        "at" => (EQ_EQ, "where a process is, is asked by `p@s` or `p(i)@s`"),
        "leads_to" | "leadsto" | "LEADSTO" => (
            IMPLIES_KW,
            "in the formula of an `ltl` write `always (p implies eventually q)`",
        ),
        _ => return None,
    })
}
