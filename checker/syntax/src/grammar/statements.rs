//! Statements (§5).

use crate::SyntaxKind::*;
use crate::parser::Parser;

use super::{STATEMENT_START, bodies, expressions, items, names, steps};

/// Whether a statement begins here.
pub(super) fn at_statement(p: &Parser<'_>) -> bool {
    p.at(IDENT) || p.at_set(STATEMENT_START)
}

/// One statement and the `;` that may end it.
pub(super) fn statement(p: &mut Parser<'_>) {
    if at_final_before_no_label(p) {
        p.unexpected(
            "`final` stands before a label",
            Some("write `final NAME:`, and it is right to wait there for ever"),
        );
        while at_final_before_no_label(p) {
            p.bump_as_error();
        }
    }
    match p.current() {
        IF_KW => if_with(p, |p| block(p, "the statements")),
        WHILE_KW => {
            let marker = p.start();
            p.bump();
            expressions::test(p);
            block(p, "the statements");
            marker.complete(p, WHILE_STMT);
        }
        LOOP_KW => {
            let marker = p.start();
            p.bump();
            block(p, "the statements");
            marker.complete(p, LOOP_STMT);
        }
        EITHER_KW => either(p),
        AWAIT_KW => {
            let marker = p.start();
            p.bump();
            expressions::condition(p);
            if p.at(DO_KW) {
                steps::do_clause(p, false);
            }
            marker.complete(p, AWAIT_STMT);
        }
        ASSERT_KW => steps::assert(p),
        SKIP_KW => word(p, SKIP_STMT),
        BREAK_KW => word(p, BREAK_STMT),
        STOP_KW => word(p, STOP_STMT),
        _ if at_reserved_label(p) => reserved_label(p),
        IDENT if p.nth(1) == COLON => label(p),
        IDENT if p.at_word("final") && p.nth(1) == IDENT && p.nth(2) == COLON => label(p),
        IDENT if from_elsewhere(p) => {}
        IDENT => assign_or_call(p),
        _ => steps::step_statement(p),
    }
    p.eat(SEMICOLON);
}

/// Tells what is written here for a statement that other languages have, and goes past it. Whether it was one.
fn from_elsewhere(p: &mut Parser<'_>) -> bool {
    let word = p.nth_text(0);
    // With arguments it may be a macro, whose arguments are no texts.
    let has_operand = !p.nth_begins_line(1)
        && (matches!(
            p.nth(1),
            IDENT | INT | STRING | TRUE_KW | FALSE_KW | NOT_KW | BANG
        ) || p.nth(1) == L_PAREN && p.nth(2) == STRING);
    let (message, mend) = match word {
        "atomic" | "d_step" if p.nth(1) == L_BRACE => (
            format!(
                "there is no `{word}`: a step has any number of effects, and nobody comes in between"
            ),
            "write `do { … }`",
        ),
        "wait" if has_operand => ("there is no statement `wait`".to_owned(), "write `await e`"),
        "print" | "printf" | "println" if has_operand => (
            format!("there is no statement `{word}`"),
            "leave it out: a trace shows every change",
        ),
        _ => return false,
    };
    p.unexpected(message, Some(mend));
    let marker = p.start();
    let is_call = p.nth(1) == L_PAREN;
    match p.closer_of(1).filter(|_| is_call || p.nth(1) == L_BRACE) {
        Some(closer) => (0..=closer).for_each(|_| p.bump()),
        None => {
            p.bump();
            if p.at(STRING) {
                p.bump();
            } else {
                expressions::expr(p);
            }
        }
    }
    marker.complete(p, ERROR);
    true
}

/// At a reserved word where a label is meant, `use: skip`.
pub(super) fn at_reserved_label(p: &Parser<'_>) -> bool {
    p.current().is_reserved_word() && p.nth(1) == COLON
}

/// It is told, and gone past.
pub(super) fn reserved_label(p: &mut Parser<'_>) {
    let message = format!("`{}` is reserved and cannot name a label", p.nth_text(0));
    p.unexpected(message, Some("choose another name"));
    let marker = p.start();
    p.bump();
    p.bump();
    marker.complete(p, ERROR);
}

/// At a `final` that is meant for the statement which follows on its line, and no name.
fn at_final_before_no_label(p: &Parser<'_>) -> bool {
    let is_label = p.nth(1) == IDENT && p.nth(2) == COLON;
    let goes_on = p.nth(1) == IDENT || STATEMENT_START.contains(p.nth(1));
    p.at_word("final") && goes_on && !is_label && !p.nth_begins_line(1)
}

fn word(p: &mut Parser<'_>, kind: crate::SyntaxKind) {
    let marker = p.start();
    p.bump();
    marker.complete(p, kind);
}

/// `NAME:`, `final NAME:`
fn label(p: &mut Parser<'_>) {
    let marker = p.start();
    p.eat_word_before("final", IDENT);
    names::name(p, "a label");
    p.bump();
    marker.complete(p, LABEL);
    if !at_statement(p) || bodies::at_state_start(p) {
        p.missing(
            "expected a statement after the label",
            Some("a place where nothing more happens is `final NAME: stop`, say, or the end"),
        );
    }
}

/// `x = e, y = f`, one step with what else is an effect after its first assignment; or the call of
/// a macro.
fn assign_or_call(p: &mut Parser<'_>) {
    let marker = p.start();
    if steps::assignment_or_call(p) == CALL_STMT {
        marker.abandon(p);
        return;
    }
    while p.at(COMMA) {
        p.bump();
        if matches!(p.current(), IF_KW | FOR_KW | ASSERT_KW) {
            steps::effect(p);
        } else if p.at(IDENT) {
            let has_arguments = p.nth(1) == L_PAREN;
            if steps::assignment_or_call(p) == CALL_STMT && !has_arguments {
                p.missing(
                    "expected `=` and a value",
                    Some("a macro among the effects of one step stands after `do`"),
                );
            }
        } else {
            p.missing("expected an effect after `,`", None);
        }
    }
    marker.complete(p, ASSIGN_STMT);
}

/// `if e { … } else { … }`, with statements or effects in its blocks.
pub(super) fn if_with(p: &mut Parser<'_>, block: impl Fn(&mut Parser<'_>) + Copy) {
    p.deeper(|p| {
        let marker = p.start();
        p.bump();
        if p.at(COLON_COLON) {
            no_double_colon(p, "fi");
            marker.complete(p, IF_STMT);
            return;
        }
        expressions::test(p);
        if p.at(THEN_KW) {
            p.unexpected(
                "`then` stands only in expressions",
                Some("write `if e { … }`"),
            );
            p.bump_as_error();
        }
        block(p);
        if p.at(ELSE_KW) {
            p.bump();
            if p.at(IF_KW) {
                if_with(p, block);
            } else {
                block(p);
            }
        }
        marker.complete(p, IF_STMT);
    });
}

/// The alternatives of Promela, up to the word that ends them.
pub(super) fn no_double_colon(p: &mut Parser<'_>, end: &str) {
    p.unexpected(
        "alternatives are not written with `::`",
        Some("write `either { … } or { … }`, or `if e { … } else { … }`"),
    );
    super::skip_to(p, |p| p.at_word(end) || p.at(L_BRACE));
    if p.at_word(end) {
        p.bump_as_error();
    }
}

/// `either { … } or { … }`
fn either(p: &mut Parser<'_>) {
    let marker = p.start();
    branch(p);
    while p.at(OR_KW) {
        branch(p);
    }
    marker.complete(p, EITHER_STMT);
}

/// `either { … }`, `or for k in T { … }`; the word is the current token.
fn branch(p: &mut Parser<'_>) {
    let marker = p.start();
    p.bump();
    if p.at(FOR_KW) {
        let clause = p.start();
        p.bump();
        names::binding_list(p);
        clause.complete(p, FOR_CLAUSE);
    }
    block(p, "the statements of the branch");
    marker.complete(p, BRANCH);
}

/// `{ … }` with statements.
pub(super) fn block(p: &mut Parser<'_>, what: &str) {
    p.deeper(|p| {
        let marker = p.start();
        let open = p.position();
        if !p.eat(L_BRACE) {
            p.missing(format!("expected `{{` and {what}"), None);
            if !at_statement(p) || bodies::at_state_start(p) || items::at_item_start(p) {
                marker.abandon(p);
                return;
            }
            if !p.has_spare_closing_brace() {
                statement(p);
                marker.complete(p, BLOCK);
                return;
            }
            p.assume_brace();
        }
        loop {
            match p.current() {
                EOF | R_BRACE => break,
                _ if at_reserved_label(p) => reserved_label(p),
                _ if items::at_item_start(p) => {
                    if p.closer(open).is_none() {
                        break;
                    }
                    items::misplaced_item(p);
                }
                _ if bodies::at_state_start(p) => {
                    if p.closer(open).is_none() {
                        break;
                    }
                    p.unexpected(
                        "a state cannot stand among statements",
                        Some("a process is made of states or of statements"),
                    );
                    super::skip_to(p, |p| p.nth_begins_line(0));
                }
                _ if at_statement(p) => statement(p),
                SEMICOLON => {
                    p.unexpected("there is nothing here for `;` to end", Some("leave it out"));
                    p.bump_as_error();
                }
                _ => not_a_statement(p),
            }
        }
        if !p.eat(R_BRACE) {
            p.missing_closing_brace(open, &format!("expected `}}` after {what}"));
        }
        marker.complete(p, BLOCK);
    });
}

/// Something that begins no statement.
pub(super) fn not_a_statement(p: &mut Parser<'_>) {
    let hint = match p.current() {
        ELSE_KW => "`else` follows the `}` of an `if`",
        OR_KW => "`or` follows the `}` of an `either`",
        COLON_COLON => "alternatives are written `either { … } or { … }`",
        VAR_KW => "a process's variables are declared at its head",
        ALPHABET_KW => "it stands at the head of a process",
        L_BRACE => "a block follows `if`, `while`, `loop`, `either`, `or` or `do`",
        CHANGE_KW => "`change` stands in the steps of testing automata",
        _ => "statements are steps, assignments, `if`, `while`, `loop`, `either` and the like",
    };
    p.unexpected("expected a statement", Some(hint));
    super::skip_to(p, |p| {
        p.nth_begins_line(0) || p.at(SEMICOLON) || p.at_set(STATEMENT_START)
    });
}

impl Parser<'_> {
    /// Takes the word if a token of that kind follows it.
    fn eat_word_before(&mut self, word: &str, next: crate::SyntaxKind) {
        if self.at_word(word) && self.nth(1) == next {
            self.bump();
        }
    }
}
