//! What stands at the top of a file: declarations (§3), and the way to properties and testers.

use super::body_kind::BodyKind;
use super::starts::{BODY_ITEM_START, EXPR_START, ITEM_START, STATEMENT_START};
use crate::SyntaxKind::{self, *};
use crate::parser::{Marker, Parser};

use super::elsewhere;

impl Parser<'_> {
    /// Whether something begins here that can only stand at the top of a file.
    pub(crate) fn at_item_start(&self) -> bool {
        self.at_set(ITEM_START) || at_setting(self)
    }

    /// Whether the `var` here is the file's: the brace with the number `open` before it is not closed.
    pub(super) fn is_variable_outside(&self, open: usize) -> bool {
        self.at(VAR_KW) && self.nth_begins_line(0) && self.closer(open).is_none()
    }
}

fn at_setting(p: &Parser<'_>) -> bool {
    match p.nth_word(0) {
        Some("deadlock") => matches!(p.nth_word(1), Some("allowed" | "ignored")),
        Some("termination") => p.nth(1) == NOT_KW,
        Some("reachable" | "bound") => p.nth(1) == IDENT && matches!(p.nth(2), COLON | L_PAREN),
        Some("expect") => p.nth_word(1) == Some("violated"),
        _ => p.at_fairness(),
    }
}

impl Parser<'_> {
    /// One item at the top of a file, or a message and what it is about.
    pub(super) fn item(&mut self) {
        self.at_top();
        if let Some(kind) = item_kind(self) {
            self.item_of(kind);
            return;
        }
        match self.current() {
            VAR_KW => self.item_of(VAR_KW),
            SEMICOLON => self.refuse("there is nothing here for `;` to end", "leave it out"),
            R_BRACE => {
                self.refuse(
                    "this `}` closes nothing",
                    "leave it out, or add the `{` before it",
                );
            }
            IDENT => match misspelt(self.nth_text(0))
                .filter(|kind| self.nth(1) == IDENT && (*kind != PROCESS_KW || self.nth(2) != EQ))
            {
                Some(kind) => {
                    let word = kind.reserved_word().unwrap_or_default();
                    let message = format!("`{}` begins no declaration", self.nth_text(0));
                    self.unexpected(message, format!("did you mean `{word}`?"));
                    self.item_of(kind);
                }
                None => junk(self),
            },
            _ => junk(self),
        }
    }
}

/// The word that says what the item here is.
fn item_kind(p: &Parser<'_>) -> Option<SyntaxKind> {
    const WORDS: [&str; 7] = [
        "deadlock",
        "termination",
        "reachable",
        "bound",
        "expect",
        "fair",
        "strongly",
    ];
    if p.at_set(ITEM_START) || WORDS.into_iter().any(|word| p.at_word(word)) {
        return Some(p.current());
    }
    p.at_fairness().then(|| p.current())
}

fn junk(p: &mut Parser<'_>) {
    let hint = match p.current() {
        STATE_KW => "a state stands in a process: is there a `}` too many before it?",
        OBSERVE_KW => "`observe` stands in a `buchi` or `testing` automaton",
        VISIBLE_KW => "`visible` stands in a tester",
        ALPHABET_KW => "`alphabet` stands in a process",
        kind if STATEMENT_START.contains(kind) => {
            "steps and statements stand in a process: is there a `}` too many before it?"
        }
        IDENT if p.at_state_start() => {
            "a state stands in a process: is there a `}` too many before it?"
        }
        IDENT if p.at_word("errors") => "the property `errors` is checked always",
        _ => {
            "a file is made of declarations (`const`, `param`, `type`, `enum`, `var`, `channel`, \
             `action`, `def`, `macro`, `process`), properties and testers"
        }
    };
    let is_rest = !p.nth_begins_line(0) && p.position() > 0;
    match p.current() {
        R_PAREN | R_BRACKET => {
            let message = format!("this `{}` closes nothing", p.nth_text(0));
            p.unexpected(message, "leave it out, or add the bracket that it closes");
        }
        _ if is_rest && !(p.at(STAR) && p.nth(1) == SLASH && p.nth_is_joined(1)) => {
            let message = format!("`{}` does not belong here", p.nth_text(0));
            let hint = "the declaration ends before it; is an operator or a `,` missing?";
            p.unexpected(message, hint);
        }
        _ => match p.foreign_item() {
            Some((message, hint)) => p.unexpected(message, hint),
            None => p.unexpected("expected a declaration or a property", hint),
        },
    }
    p.skip_to(|p| {
        let is_misspelt = || misspelt(p.nth_text(0)).is_some() && p.nth(1) == IDENT;
        p.nth_begins_line(0) && (p.in_body || p.at(VAR_KW) || is_misspelt())
    });
}

/// The item's word that somebody meant, if one is near.
pub(super) fn misspelt(word: &str) -> Option<SyntaxKind> {
    const WORDS: [SyntaxKind; 20] = [
        USE_KW,
        CONST_KW,
        PARAM_KW,
        TYPE_KW,
        ENUM_KW,
        VAR_KW,
        CHANNEL_KW,
        ACTION_KW,
        DEF_KW,
        MACRO_KW,
        PROCESS_KW,
        INVARIANT_KW,
        PROGRESS_KW,
        LTL_KW,
        RECURRENCE_KW,
        REFINES_KW,
        TESTER_KW,
        SPECIFICATION_KW,
        BUCHI_KW,
        TESTING_KW,
    ];
    let word = word.to_lowercase();
    match word.as_str() {
        "constant" => return Some(CONST_KW),
        "chan" => return Some(CHANNEL_KW),
        "proc" | "proctype" => return Some(PROCESS_KW),
        "define" => return Some(DEF_KW),
        "parameter" => return Some(PARAM_KW),
        "import" | "include" => return Some(USE_KW),
        _ => {}
    }
    WORDS.into_iter().find(|kind| {
        let name = kind.reserved_word().unwrap_or_default();
        let is_as_long = name.len() > 3 && name.len().abs_diff(word.len()) <= 1;
        word == name || is_as_long && strsim::osa_distance(&word, name) <= 1
    })
}

impl Parser<'_> {
    /// The item whose word is the current token.
    pub(super) fn item_of(&mut self, kind: SyntaxKind) {
        let marker = self.start();
        self.other_fairness();
        let kind = self.fairness_before_another().unwrap_or(kind);
        let setting = self.nth_word(0);
        self.bump();
        match kind {
            USE_KW => use_decl(self, marker),
            CONST_KW => const_decl(self, marker),
            PARAM_KW => param_decl(self, marker),
            TYPE_KW => type_decl(self, marker),
            ENUM_KW => enum_decl(self, marker),
            VAR_KW => self.var_decl(marker),
            CHANNEL_KW => self.channel_decl(marker),
            ACTION_KW => action_decl(self, marker),
            DEF_KW => def_decl(self, marker),
            MACRO_KW => self.macro_decl(marker),
            PROCESS_KW => self.with_body(marker, BodyKind::Process, PROCESS_DECL),
            TESTER_KW => self.with_body(marker, BodyKind::Tester, TESTER_DECL),
            SPECIFICATION_KW => self.with_body(marker, BodyKind::Specification, SPECIFICATION_DECL),
            BUCHI_KW => self.with_body(marker, BodyKind::Buchi, BUCHI_DECL),
            TESTING_KW => self.with_body(marker, BodyKind::Testing, TESTING_DECL),
            INVARIANT_KW => self.invariant(marker),
            PROGRESS_KW => self.progress(marker),
            LTL_KW => self.ltl(marker),
            RECURRENCE_KW => self.recurrence(marker),
            REFINES_KW => self.refines(marker),
            _ if setting == Some("deadlock") => self.deadlock(marker),
            _ if setting == Some("reachable") => self.reachable(marker),
            _ if setting == Some("bound") => self.bound(marker),
            _ if setting == Some("expect") => self.expect_setting(marker),
            _ if setting == Some("fair") => self.fair(marker),
            _ if setting == Some("strongly") => self.strongly(marker),
            _ => self.termination(marker),
        }
        self.no_semicolon();
    }
}

/// Ends a declaration without a body. What is left of its line belongs to it, with a message,
/// so that the mistake is one in this declaration.
fn finish_line(p: &mut Parser<'_>) {
    p.no_semicolon();
    let ends = p.nth_begins_line(0)
        || matches!(p.current(), EOF | R_BRACE | VAR_KW)
        || (p.in_body && (p.at_statement() || p.at_set(BODY_ITEM_START)))
        || p.at_state_start()
        || p.at_item_start()
        || misspelt(p.nth_text(0)).is_some();
    if !ends {
        junk(p);
    }
}

impl Parser<'_> {
    /// Ends the node of a declaration without a body.
    pub(super) fn finish_item(&mut self, marker: Marker, kind: SyntaxKind) {
        finish_line(self);
        marker.complete(self, kind);
    }

    /// Refuses a `;` after a declaration.
    pub(super) fn no_semicolon(&mut self) {
        if self.at(SEMICOLON) {
            self.refuse("a declaration does not end with `;`", "leave it out");
        }
    }
}

fn use_decl(p: &mut Parser<'_>, marker: Marker) {
    if !p.eat(STRING) {
        p.missing(
            "expected the name of a file",
            "it is written `use \"FILE\"`",
        );
        if p.at(IDENT) && !p.nth_begins_line(0) {
            p.skip_line();
        }
    }
    p.finish_item(marker, USE_DECL);
}

/// Tells of `int x` for `x: T`.
fn no_type_before(p: &mut Parser<'_>, message: &str, hint: &str) {
    let is_type = p.at(BOOL_KW) || elsewhere::names_a_type(p.nth_text(0));
    if is_type && p.nth(1) == IDENT && !p.nth_begins_line(0) && !p.nth_begins_line(1) {
        p.refuse(message, hint);
    }
}

fn const_decl(p: &mut Parser<'_>, marker: Marker) {
    let hint = "write `const NAME = e`, or `const NAME: T = e`";
    no_type_before(p, "a constant's type stands behind its name", hint);
    p.name("a constant");
    if p.eat(COLON) {
        p.type_expr();
    }
    initial_value(p, "a constant is declared with its value, `const NAME = e`");
    p.finish_item(marker, CONST_DECL);
}

fn param_decl(p: &mut Parser<'_>, marker: Marker) {
    p.name("a parameter");
    if p.eat(COLON) {
        p.type_expr();
    } else {
        p.missing(
            "expected `:` and the range of the parameter",
            "it is written `param NAME: lo..hi = e`",
        );
    }
    initial_value(p, "it is written `param NAME: lo..hi = e`");
    p.finish_item(marker, PARAM_DECL);
}

/// `= e`
fn initial_value(p: &mut Parser<'_>, hint: &str) {
    if !p.eat_eq() {
        p.missing("expected `=` and a value", hint);
        if !p.at_set(EXPR_START) || p.nth_begins_line(0) {
            return;
        }
    }
    p.expr_for("a value");
}

impl Parser<'_> {
    /// `=`, or what people write for it.
    pub(super) fn eat_eq(&mut self) -> bool {
        match self.current() {
            EQ => self.bump(),
            EQ_EQ => {
                self.unexpected("`==` compares, it does not assign", "write `=`");
                self.bump();
            }
            COLON_EQ => {
                self.unexpected("there is no `:=`", "write `=`");
                self.bump();
            }
            _ => return false,
        }
        true
    }
}

fn type_decl(p: &mut Parser<'_>, marker: Marker) {
    p.name("a type");
    if p.eat_eq() {
        p.type_expr();
    } else {
        p.missing("expected `=` and a type", "it is written `type NAME = T`");
        if p.at_type_start() && !p.nth_begins_line(0) {
            p.type_expr();
        }
    }
    p.finish_item(marker, TYPE_DECL);
}

fn enum_decl(p: &mut Parser<'_>, marker: Marker) {
    p.name("an enumeration");
    if p.at(EQ) {
        p.refuse(
            "expected `{` and the values",
            "it is written `enum NAME { a, b, c }`",
        );
    }
    if p.at(L_BRACE) {
        let starts = |p: &Parser<'_>| {
            p.at(IDENT)
                || p.at(INT)
                || (p.current().is_reserved_word() && matches!(p.nth(1), COMMA | R_BRACE))
        };
        p.comma_list(R_BRACE, "the values", starts, |p| {
            let marker = p.start();
            if p.at(INT) {
                p.refuse(
                    "a value of an enumeration is a name",
                    "numbers are of a range, `type NAME = lo..hi`",
                );
            } else {
                p.name("a value of an enumeration");
            }
            marker.complete(p, VARIANT);
        });
    } else {
        p.missing(
            "expected `{` and the values",
            "it is written `enum NAME { a, b, c }`",
        );
    }
    p.finish_item(marker, ENUM_DECL);
}

impl Parser<'_> {
    pub(super) fn var_decl(&mut self, marker: Marker) {
        let hint = "write `var NAME: T`, where `T` is `0..7` or `bool`, say";
        no_type_before(self, "a variable's type stands behind its name", hint);
        self.name("a variable");
        while self.eat(COMMA) {
            self.name("a variable");
        }
        self.length_behind_type();
        if self.eat(COLON) {
            self.type_expr();
            if self.at(COMMA) && self.nth(1) == IDENT {
                self.unexpected(
                    "one `var` has one type",
                    "write `var x, y: T`, or begin a line with `var` for each",
                );
                self.skip_line();
            }
        } else {
            self.missing(
                "expected `:` and a type",
                "it is written `var NAME: T`, where `T` is `0..7` or `bool`, say",
            );
            if self.at_type_start() && !self.at(IDENT) && !self.nth_begins_line(0) {
                self.type_expr();
            }
        }
        if self.eat_eq() {
            if self.at(ANY_KW) {
                self.unexpected(
                    "a variable has one value at first",
                    "write `x = any T` as a first step",
                );
                self.skip_line();
            } else {
                self.expr_for("a value");
            }
        }
        self.finish_item(marker, VAR_DECL);
    }
}

fn action_decl(p: &mut Parser<'_>, marker: Marker) {
    p.name("an action");
    if p.at(COLON) && !p.nth_begins_line(0) {
        p.unexpected(
            "the types of an action's arguments stand in parentheses",
            "write `action a(T)`",
        );
        p.skip_line();
    }
    if p.at(L_PAREN) {
        p.comma_list(
            R_PAREN,
            "the types of the arguments",
            |p| p.at_type_start(),
            |p| {
                if p.at(IDENT) && matches!(p.nth(1), COLON | IN_KW) {
                    p.unexpected(
                        "the arguments of an action have no names",
                        "write their types, `action a(T, U)`",
                    );
                    p.skip_to(|p| !matches!(p.current(), IDENT | COLON | IN_KW));
                }
                p.type_expr();
                if p.at_word("where") && !p.nth_begins_line(0) {
                    p.no_where("an action");
                }
            },
        );
    }
    if p.at(COMMA) {
        p.unexpected(
            "one `action` declares one action",
            "begin a line with `action` for each",
        );
        p.skip_line();
    }
    p.finish_item(marker, ACTION_DECL);
}

fn def_decl(p: &mut Parser<'_>, marker: Marker) {
    p.name("a definition");
    p.opt_param_list("a `def`");
    let hint = "it is written `def NAME(x in T): e`";
    if p.at(EQ) {
        p.refuse("expected `:` and an expression", hint);
        p.expr();
    } else if p.at(COLON) && p.nth(1) == IDENT && matches!(p.nth(2), EQ | COLON_EQ) {
        p.bump();
        p.unexpected(
            "a `def` has a value and changes nothing",
            "effects stand in a `macro NAME { … }`",
        );
        p.skip_line();
    } else if p.eat(COLON) {
        p.expr();
    } else {
        p.missing("expected `:` and an expression", hint);
        if p.at_set(EXPR_START) && !p.nth_begins_line(0) {
            p.expr();
        }
    }
    p.finish_item(marker, DEF_DECL);
}

impl Parser<'_> {
    /// A macro, at the top of a file or in a process; its word has been taken.
    pub(super) fn macro_decl(&mut self, marker: Marker) {
        self.name("a macro");
        self.opt_param_list("a macro");
        let outside = std::mem::replace(&mut self.in_body, true);
        self.block("the statements or effects of the macro");
        self.in_body = outside;
        marker.complete(self, MACRO_DECL);
    }
}

const PROCESS: &str = "it is written `process p(i in 0..2) { … }`, say";

impl Parser<'_> {
    pub(super) fn with_body(&mut self, marker: Marker, body: BodyKind, kind: SyntaxKind) {
        if body == BodyKind::Process {
            self.fairness_behind_word();
        }
        let name = self.nth_text(0);
        match body {
            BodyKind::Process => self.name_as(body.article(), PROCESS),
            _ => self.name(body.article()),
        };
        let is_array =
            body == BodyKind::Process && self.at(L_BRACKET) && self.closer_of(0).is_some();
        if is_array || self.at(L_PAREN) && self.nth(1) == INT && self.nth(2) == R_PAREN {
            self.unexpected(
                "the instances of a process are the values of a parameter",
                PROCESS,
            );
            self.skip_one();
        }
        if self.at(IDENT) && self.nth(1) == IN_KW && !self.nth_begins_line(0) {
            self.missing("expected `(` before the parameters", None);
            self.parameters_up_to_parenthesis();
        } else {
            self.opt_param_list_where();
        }
        if body == BodyKind::Process {
            self.fairness_behind_head(name);
        }
        self.body(body);
        marker.complete(self, kind);
    }

    /// `expect` for the `:` after a property's name and parameters; `form` says how all of it is written.
    pub(super) fn colon(&mut self, message: &str, form: &str) -> bool {
        if self.at(EQ) {
            self.refuse(message, "write `:` before it");
            return true;
        }
        let there = self.eat(COLON);
        if !there {
            self.missing(message, form);
        }
        there
    }
}
