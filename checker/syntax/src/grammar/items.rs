//! What stands at the top of a file: declarations (§3), and the way to properties and testers.

use crate::SyntaxKind::{self, *};
use crate::parser::{Marker, Parser};

use super::bodies::{self, BodyKind};
use super::expressions::{self, EXPR_START};
use super::{
    BODY_ITEM_START, ITEM_START, channels, comma_list, elsewhere, fairness, names, properties,
    statements, types,
};

/// Whether something begins here that can only stand at the top of a file.
pub(crate) fn at_item_start(p: &Parser<'_>) -> bool {
    p.at_set(ITEM_START) || at_setting(p)
}

/// Whether the `var` here is the file's: the brace with the number `open` before it is not closed.
pub(super) fn is_variable_outside(p: &Parser<'_>, open: usize) -> bool {
    p.at(VAR_KW) && p.nth_begins_line(0) && p.closer(open).is_none()
}

fn at_setting(p: &Parser<'_>) -> bool {
    match p.nth_word(0) {
        Some("deadlock") => matches!(p.nth_word(1), Some("allowed" | "ignored")),
        Some("termination") => p.nth(1) == NOT_KW,
        Some("reachable") => p.nth(1) == IDENT && matches!(p.nth(2), COLON | L_PAREN),
        Some("expect") => p.nth_word(1) == Some("violated"),
        _ => fairness::at_fairness(p),
    }
}

/// One item at the top of a file, or a message and what it is about.
pub(super) fn item(p: &mut Parser<'_>) {
    p.at_top();
    if let Some(kind) = item_kind(p) {
        item_of(p, kind);
        return;
    }
    match p.current() {
        VAR_KW => item_of(p, VAR_KW),
        SEMICOLON => p.refuse("there is nothing here for `;` to end", "leave it out"),
        R_BRACE => {
            p.refuse(
                "this `}` closes nothing",
                "leave it out, or add the `{` before it",
            );
        }
        IDENT => match misspelt(p.nth_text(0))
            .filter(|kind| p.nth(1) == IDENT && (*kind != PROCESS_KW || p.nth(2) != EQ))
        {
            Some(kind) => {
                let word = kind.reserved_word().unwrap_or_default();
                let message = format!("`{}` begins no declaration", p.nth_text(0));
                p.unexpected(message, format!("did you mean `{word}`?"));
                item_of(p, kind);
            }
            None => junk(p),
        },
        _ => junk(p),
    }
}

/// The word that says what the item here is.
fn item_kind(p: &Parser<'_>) -> Option<SyntaxKind> {
    const WORDS: [&str; 6] = [
        "deadlock",
        "termination",
        "reachable",
        "expect",
        "fair",
        "strongly",
    ];
    if p.at_set(ITEM_START) || WORDS.into_iter().any(|word| p.at_word(word)) {
        return Some(p.current());
    }
    fairness::at_fairness(p).then(|| p.current())
}

fn junk(p: &mut Parser<'_>) {
    let hint = match p.current() {
        STATE_KW => "a state stands in a process: is there a `}` too many before it?",
        OBSERVE_KW => "`observe` stands in a `buchi` or `testing` automaton",
        VISIBLE_KW => "`visible` stands in a tester",
        ALPHABET_KW => "`alphabet` stands in a process",
        kind if super::STATEMENT_START.contains(kind) => {
            "steps and statements stand in a process: is there a `}` too many before it?"
        }
        IDENT if bodies::at_state_start(p) => {
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
        _ => match elsewhere::at_top(p) {
            Some((message, hint)) => p.unexpected(message, hint),
            None => p.unexpected("expected a declaration or a property", hint),
        },
    }
    super::skip_to(p, |p| {
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

/// The item whose word is the current token.
pub(super) fn item_of(p: &mut Parser<'_>, kind: SyntaxKind) {
    let marker = p.start();
    fairness::other_strength(p);
    let kind = fairness::before_another(p).unwrap_or(kind);
    let setting = p.nth_word(0);
    p.bump();
    match kind {
        USE_KW => use_decl(p, marker),
        CONST_KW => const_decl(p, marker),
        PARAM_KW => param_decl(p, marker),
        TYPE_KW => type_decl(p, marker),
        ENUM_KW => enum_decl(p, marker),
        VAR_KW => var_decl(p, marker),
        CHANNEL_KW => channels::declaration(p, marker),
        ACTION_KW => action_decl(p, marker),
        DEF_KW => def_decl(p, marker),
        MACRO_KW => macro_decl(p, marker),
        PROCESS_KW => with_body(p, marker, BodyKind::Process, PROCESS_DECL),
        TESTER_KW => with_body(p, marker, BodyKind::Tester, TESTER_DECL),
        SPECIFICATION_KW => with_body(p, marker, BodyKind::Specification, SPECIFICATION_DECL),
        BUCHI_KW => with_body(p, marker, BodyKind::Buchi, BUCHI_DECL),
        TESTING_KW => with_body(p, marker, BodyKind::Testing, TESTING_DECL),
        INVARIANT_KW => properties::invariant(p, marker),
        PROGRESS_KW => properties::progress(p, marker),
        LTL_KW => properties::ltl(p, marker),
        RECURRENCE_KW => properties::recurrence(p, marker),
        REFINES_KW => properties::refines(p, marker),
        _ if setting == Some("deadlock") => properties::deadlock(p, marker),
        _ if setting == Some("reachable") => properties::reachable(p, marker),
        _ if setting == Some("expect") => properties::expect(p, marker),
        _ if setting == Some("fair") => fairness::fair(p, marker),
        _ if setting == Some("strongly") => fairness::strongly(p, marker),
        _ => properties::termination(p, marker),
    }
    no_semicolon(p);
}

/// Ends a declaration without a body. What is left of its line belongs to it, with a message,
/// so that the mistake is one in this declaration.
fn finish_line(p: &mut Parser<'_>) {
    no_semicolon(p);
    let ends = p.nth_begins_line(0)
        || matches!(p.current(), EOF | R_BRACE | VAR_KW)
        || (p.in_body && (statements::at_statement(p) || p.at_set(BODY_ITEM_START)))
        || bodies::at_state_start(p)
        || at_item_start(p)
        || misspelt(p.nth_text(0)).is_some();
    if !ends {
        junk(p);
    }
}

/// Ends the node of a declaration without a body.
pub(super) fn finish(p: &mut Parser<'_>, marker: Marker, kind: SyntaxKind) {
    finish_line(p);
    marker.complete(p, kind);
}

/// Refuses a `;` after a declaration.
pub(super) fn no_semicolon(p: &mut Parser<'_>) {
    if p.at(SEMICOLON) {
        p.refuse("a declaration does not end with `;`", "leave it out");
    }
}

fn use_decl(p: &mut Parser<'_>, marker: Marker) {
    if !p.eat(STRING) {
        p.missing(
            "expected the name of a file",
            "it is written `use \"FILE\"`",
        );
        if p.at(IDENT) && !p.nth_begins_line(0) {
            super::skip_line(p);
        }
    }
    finish(p, marker, USE_DECL);
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
    names::name(p, "a constant");
    if p.eat(COLON) {
        types::type_expr(p);
    }
    initial_value(p, "a constant is declared with its value, `const NAME = e`");
    finish(p, marker, CONST_DECL);
}

fn param_decl(p: &mut Parser<'_>, marker: Marker) {
    names::name(p, "a parameter");
    if p.eat(COLON) {
        types::type_expr(p);
    } else {
        p.missing(
            "expected `:` and the range of the parameter",
            "it is written `param NAME: lo..hi = e`",
        );
    }
    initial_value(p, "it is written `param NAME: lo..hi = e`");
    finish(p, marker, PARAM_DECL);
}

/// `= e`
fn initial_value(p: &mut Parser<'_>, hint: &str) {
    if !eat_eq(p) {
        p.missing("expected `=` and a value", hint);
        if !p.at_set(EXPR_START) || p.nth_begins_line(0) {
            return;
        }
    }
    expressions::expr_for(p, "a value");
}

/// `=`, or what people write for it.
pub(super) fn eat_eq(p: &mut Parser<'_>) -> bool {
    match p.current() {
        EQ => p.bump(),
        EQ_EQ => {
            p.unexpected("`==` compares, it does not assign", "write `=`");
            p.bump();
        }
        COLON_EQ => {
            p.unexpected("there is no `:=`", "write `=`");
            p.bump();
        }
        _ => return false,
    }
    true
}

fn type_decl(p: &mut Parser<'_>, marker: Marker) {
    names::name(p, "a type");
    if eat_eq(p) {
        types::type_expr(p);
    } else {
        p.missing("expected `=` and a type", "it is written `type NAME = T`");
        if types::at_type_start(p) && !p.nth_begins_line(0) {
            types::type_expr(p);
        }
    }
    finish(p, marker, TYPE_DECL);
}

fn enum_decl(p: &mut Parser<'_>, marker: Marker) {
    names::name(p, "an enumeration");
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
        comma_list(p, R_BRACE, "the values", starts, |p| {
            let marker = p.start();
            if p.at(INT) {
                p.refuse(
                    "a value of an enumeration is a name",
                    "numbers are of a range, `type NAME = lo..hi`",
                );
            } else {
                names::name(p, "a value of an enumeration");
            }
            marker.complete(p, VARIANT);
        });
    } else {
        p.missing(
            "expected `{` and the values",
            "it is written `enum NAME { a, b, c }`",
        );
    }
    finish(p, marker, ENUM_DECL);
}

pub(super) fn var_decl(p: &mut Parser<'_>, marker: Marker) {
    let hint = "write `var NAME: T`, where `T` is `0..7` or `bool`, say";
    no_type_before(p, "a variable's type stands behind its name", hint);
    names::name(p, "a variable");
    while p.eat(COMMA) {
        names::name(p, "a variable");
    }
    types::length_behind(p);
    if p.eat(COLON) {
        types::type_expr(p);
        if p.at(COMMA) && p.nth(1) == IDENT {
            p.unexpected(
                "one `var` has one type",
                "write `var x, y: T`, or begin a line with `var` for each",
            );
            super::skip_line(p);
        }
    } else {
        p.missing(
            "expected `:` and a type",
            "it is written `var NAME: T`, where `T` is `0..7` or `bool`, say",
        );
        if types::at_type_start(p) && !p.at(IDENT) && !p.nth_begins_line(0) {
            types::type_expr(p);
        }
    }
    if eat_eq(p) {
        if p.at(ANY_KW) {
            p.unexpected(
                "a variable has one value at first",
                "write `x = any T` as a first step",
            );
            super::skip_line(p);
        } else {
            expressions::expr_for(p, "a value");
        }
    }
    finish(p, marker, VAR_DECL);
}

fn action_decl(p: &mut Parser<'_>, marker: Marker) {
    names::name(p, "an action");
    if p.at(COLON) && !p.nth_begins_line(0) {
        p.unexpected(
            "the types of an action's arguments stand in parentheses",
            "write `action a(T)`",
        );
        super::skip_line(p);
    }
    if p.at(L_PAREN) {
        comma_list(
            p,
            R_PAREN,
            "the types of the arguments",
            types::at_type_start,
            |p| {
                if p.at(IDENT) && matches!(p.nth(1), COLON | IN_KW) {
                    p.unexpected(
                        "the arguments of an action have no names",
                        "write their types, `action a(T, U)`",
                    );
                    super::skip_to(p, |p| !matches!(p.current(), IDENT | COLON | IN_KW));
                }
                types::type_expr(p);
                if p.at_word("where") && !p.nth_begins_line(0) {
                    names::no_where(p, "an action");
                }
            },
        );
    }
    if p.at(COMMA) {
        p.unexpected(
            "one `action` declares one action",
            "begin a line with `action` for each",
        );
        super::skip_line(p);
    }
    finish(p, marker, ACTION_DECL);
}

fn def_decl(p: &mut Parser<'_>, marker: Marker) {
    names::name(p, "a definition");
    names::opt_param_list(p, "a `def`");
    let hint = "it is written `def NAME(x in T): e`";
    if p.at(EQ) {
        p.refuse("expected `:` and an expression", hint);
        expressions::expr(p);
    } else if p.at(COLON) && p.nth(1) == IDENT && matches!(p.nth(2), EQ | COLON_EQ) {
        p.bump();
        p.unexpected(
            "a `def` has a value and changes nothing",
            "effects stand in a `macro NAME { … }`",
        );
        super::skip_line(p);
    } else if p.eat(COLON) {
        expressions::expr(p);
    } else {
        p.missing("expected `:` and an expression", hint);
        if p.at_set(EXPR_START) && !p.nth_begins_line(0) {
            expressions::expr(p);
        }
    }
    finish(p, marker, DEF_DECL);
}

/// A macro, at the top of a file or in a process; its word has been taken.
pub(super) fn macro_decl(p: &mut Parser<'_>, marker: Marker) {
    names::name(p, "a macro");
    names::opt_param_list(p, "a macro");
    let outside = std::mem::replace(&mut p.in_body, true);
    statements::block(p, "the statements or effects of the macro");
    p.in_body = outside;
    marker.complete(p, MACRO_DECL);
}

const PROCESS: &str = "it is written `process p(i in 0..2) { … }`, say";

pub(super) fn with_body(p: &mut Parser<'_>, marker: Marker, body: BodyKind, kind: SyntaxKind) {
    if body == BodyKind::Process {
        fairness::behind_word(p);
    }
    let name = p.nth_text(0);
    match body {
        BodyKind::Process => names::name_as(p, body.article(), PROCESS),
        _ => names::name(p, body.article()),
    };
    let is_array = body == BodyKind::Process && p.at(L_BRACKET) && p.closer_of(0).is_some();
    if is_array || p.at(L_PAREN) && p.nth(1) == INT && p.nth(2) == R_PAREN {
        p.unexpected(
            "the instances of a process are the values of a parameter",
            PROCESS,
        );
        super::skip_one(p);
    }
    if p.at(IDENT) && p.nth(1) == IN_KW && !p.nth_begins_line(0) {
        p.missing("expected `(` before the parameters", None);
        names::parameters_up_to_parenthesis(p);
    } else {
        names::opt_param_list_where(p);
    }
    if body == BodyKind::Process {
        fairness::behind_head(p, name);
    }
    bodies::body(p, body);
    marker.complete(p, kind);
}

/// `expect` for the `:` after a property's name and parameters; `form` says how all of it is written.
pub(super) fn colon(p: &mut Parser<'_>, message: &str, form: &str) -> bool {
    if p.at(EQ) {
        p.refuse(message, "write `:` before it");
        return true;
    }
    let there = p.eat(COLON);
    if !there {
        p.missing(message, form);
    }
    there
}
