//! Statements (§5).

use crate::SyntaxKind::*;
use crate::parser::Parser;

use super::{STATEMENT_START, bodies, elsewhere, expressions, items, misplaced, names, steps};

/// Whether a statement begins here.
pub(super) fn at_statement(p: &Parser<'_>) -> bool {
    p.at(IDENT) || p.at_set(STATEMENT_START)
}

/// One statement and the `;` that may end it.
pub(super) fn statement(p: &mut Parser<'_>) {
    if at_final_before_no_label(p) {
        p.unexpected(
            "`final` stands before a label",
            "write `final NAME:`, and it is right to wait there for ever",
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
            test(p);
            if p.at(SEMICOLON) {
                p.missing(
                    "expected `{` and the statements",
                    "there is no `do … while`: `while e { … }` is tested before each round",
                );
            } else {
                block_of(p, "while", |p| block(p, "the statements"));
            }
            marker.complete(p, WHILE_STMT);
        }
        LOOP_KW if p.nth(1) != L_BRACE && !p.nth_begins_line(1) && elsewhere::line_has_brace(p) => {
            p.unexpected("a `loop` has no test", "write `while e { … }`");
            let marker = p.start();
            p.bump();
            expressions::test(p);
            block(p, "the statements");
            marker.complete(p, WHILE_STMT);
        }
        LOOP_KW => loop_block(p),
        FOR_KW if at_counting(p) => counting(p),
        EITHER_KW => either(p),
        AWAIT_KW => {
            let marker = p.start();
            p.bump();
            expressions::condition(p);
            if p.at(DO_KW) {
                steps::do_clause(p, false);
            } else if p.at(L_BRACE) && !p.nth_begins_line(0) && p.closer_of(0).is_some() {
                steps::block_without_do(p);
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
        IDENT if elsewhere::statement(p) => {}
        IDENT => assign_or_call(p),
        _ => steps::step_statement(p),
    }
    p.eat(SEMICOLON);
}

/// At a reserved word where a label is meant, `use: skip`.
pub(super) fn at_reserved_label(p: &Parser<'_>) -> bool {
    p.current().is_reserved_word() && p.nth(1) == COLON
}

/// It is told, and gone past.
pub(super) fn reserved_label(p: &mut Parser<'_>) {
    if p.at(LOOP_KW) && p.nth(2) == L_BRACE {
        let marker = p.start();
        p.bump();
        p.refuse("no `:` stands behind `loop`", "write `loop { … }`");
        block(p, "the statements");
        marker.complete(p, LOOP_STMT);
        return;
    }
    let message = format!("`{}` is reserved and cannot name a label", p.nth_text(0));
    p.unexpected(message, "choose another name");
    p.bump_many_as_error(2);
}

/// At a `final` that is meant for the statement which follows on its line, and no name.
fn at_final_before_no_label(p: &Parser<'_>) -> bool {
    let is_label = p.nth(1) == IDENT && p.nth(2) == COLON;
    let goes_on = p.nth(1) == IDENT || STATEMENT_START.contains(p.nth(1));
    p.at_word("final") && goes_on && !is_label && !p.nth_begins_line(1)
}

/// `loop { … }`; the word is the current token.
pub(super) fn loop_block(p: &mut Parser<'_>) {
    let marker = p.start();
    p.bump();
    block(p, "the statements");
    marker.complete(p, LOOP_STMT);
}

/// The block behind a test. Where it has the words of another language for its braces, these are told.
fn block_of(p: &mut Parser<'_>, word: &str, block: impl Fn(&mut Parser<'_>)) {
    let is_sign = !p.nth_begins_line(0) && elsewhere::block_sign(p, "the statements");
    if p.at(L_BRACE) || !is_sign {
        block(p);
    } else if !elsewhere::block_that_ends_with(p, word)
        && at_statement(p)
        && !bodies::at_state_start(p)
    {
        p.node(BLOCK, statement);
    }
}

/// At `for (i = 0; i < 3; i++) {`, `for {` or `for e {`, which are no `for` over the values of a type.
fn at_counting(p: &Parser<'_>) -> bool {
    match p.nth(1) {
        L_BRACE | L_PAREN => true,
        IDENT => {
            !matches!(p.nth(2), IN_KW | EQ | L_BRACE | COMMA)
                && !p.nth_begins_line(2)
                && elsewhere::line_has_brace(p)
        }
        _ => false,
    }
}

fn counting(p: &mut Parser<'_>) {
    let (message, hint) = match p.nth(1) {
        L_BRACE => (
            "a `for` goes through the values of a type",
            "write `loop { … }`",
        ),
        L_PAREN => (
            "there is no `for (…)`",
            "write `do for i in 0..3 { … }`, which is one step, or count in a `while`",
        ),
        _ => (
            "a `for` goes through the values of a type",
            "with a test it is written `while e { … }`",
        ),
    };
    p.unexpected(message, hint);
    elsewhere::rest_of_statement(p);
}

fn word(p: &mut Parser<'_>, kind: crate::SyntaxKind) {
    p.bump_as(kind);
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
            "a place where nothing more happens is `final NAME: stop`, say, or the end",
        );
    }
}

/// `x = e, y = f`, one step with what else is an effect after its first assignment; or the call of
/// a macro.
fn assign_or_call(p: &mut Parser<'_>) {
    let marker = p.start();
    let begins = p.position();
    if p.nth(1) == COMMA
        && p.nth(2) == IDENT
        && matches!(p.nth(3), EQ | COLON_EQ)
        && p.nth(5) == COMMA
    {
        p.bump();
        p.unexpected(
            "an assignment has one variable",
            "write `x = e, y = f`; the second sees what the first has assigned",
        );
        elsewhere::rest_of_statement(p);
        marker.complete(p, ASSIGN_STMT);
        return;
    }
    if steps::assignment_or_call(p) == CALL_STMT {
        marker.abandon(p);
        return;
    }
    if p.at(ARROW) && !p.nth_begins_line(0) && p.has_told_since(begins) {
        // `x == 1 -> y = 2`: what comes then is a statement.
        p.bump_as_error();
        marker.complete(p, ASSIGN_STMT);
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
                    "a macro among the effects of one step stands after `do`",
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
        test(p);
        let has_then = p.at(THEN_KW);
        if has_then {
            p.refuse("`then` stands only in expressions", "write `if e { … }`");
            if !p.at(L_BRACE) && elsewhere::block_that_ends_with(p, "if") {
                marker.complete(p, IF_STMT);
                return;
            }
            block_or_statement(p, block);
        } else {
            block_of(p, "if", block);
        }
        if p.at(ELSE_KW) && !p.nth_begins_line(1) && at_test_behind_else(p) {
            p.bump();
            p.missing(
                "expected `{` or `if` after `else`",
                "with another test it is written `else if e { … }`",
            );
            expressions::test(p);
            block(p);
        } else if p.at(ELSE_KW) {
            p.bump();
            if p.at(IF_KW) {
                if_with(p, block);
            } else if has_then {
                block_or_statement(p, block);
            } else {
                block(p);
            }
        } else if matches!(p.nth_text(0), "elif" | "elseif" | "elsif")
            && elsewhere::has_test_and_block(p)
        {
            let message = format!("there is no `{}`", p.nth_text(0));
            p.unexpected(message, "write `else if`");
            // The word is the first token of the `if` that it stands for.
            if_with(p, block);
        }
        marker.complete(p, IF_STMT);
    });
}

/// A block, or a statement where it has been told that a block is meant.
fn block_or_statement(p: &mut Parser<'_>, block: impl Fn(&mut Parser<'_>)) {
    if p.at(L_BRACE) || !at_statement(p) || bodies::at_state_start(p) {
        block(p);
    } else {
        p.node(BLOCK, statement);
    }
}

/// Whether a test and a block stand behind the `else` here.
fn at_test_behind_else(p: &Parser<'_>) -> bool {
    matches!(p.nth(1), IDENT | L_PAREN | NOT_KW | BANG)
        && elsewhere::line_has_brace(p)
        && !matches!(p.nth(2), EQ | COLON_EQ)
}

/// The alternatives of Promela, up to the word that ends them.
pub(super) fn no_double_colon(p: &mut Parser<'_>, end: &str) {
    p.unexpected(
        "alternatives are not written with `::`",
        "write `either { … } or { … }`, or `if e { … } else { … }`",
    );
    super::skip_to(p, |p| p.at_word(end) || p.at(L_BRACE));
    if p.at_word(end) {
        p.bump_as_error();
    }
}

/// `either { … } or { … }`; the word is the current token.
pub(super) fn either(p: &mut Parser<'_>) {
    let marker = p.start();
    if p.nth(1) != L_BRACE && elsewhere::lines_end_with(p, "either") {
        p.bump();
        p.missing(
            "expected `{` and the statements of the branch",
            "what belongs together stands in braces, `{ … }`",
        );
        elsewhere::block_that_ends_with(p, "either");
        marker.complete(p, EITHER_STMT);
        return;
    }
    if !matches!(p.nth(1), L_BRACE | FOR_KW)
        && !p.nth_begins_line(1)
        && elsewhere::line_has(p, OR_KW)
    {
        p.bump();
        p.missing(
            "expected `{` and the statements of the branch",
            "write `either { … } or { … }`",
        );
        elsewhere::rest_of_statement(p);
        marker.complete(p, EITHER_STMT);
        return;
    }
    branch(p);
    loop {
        match p.current() {
            OR_KW => branch(p),
            ELSE_KW | PIPE | PIPE_PIPE if p.nth(1) == L_BRACE => {
                p.unexpected(
                    "the branches of an `either` are joined by `or`",
                    "write `or`",
                );
                branch(p);
            }
            _ => break,
        }
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
        names::binding_list(p, "begin the branch with `await e`");
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
                VAR_KW if items::is_variable_outside(p, open) => break,
                _ if items::at_item_start(p) => {
                    if p.closer(open).is_none() {
                        break;
                    }
                    misplaced::item(p);
                }
                _ if bodies::at_state_start(p) => {
                    if p.closer(open).is_none() {
                        break;
                    }
                    p.unexpected(
                        "a state cannot stand among statements",
                        "a process is made of states or of statements",
                    );
                    super::skip_line(p);
                }
                _ if at_statement(p) => statement(p),
                SEMICOLON => p.refuse("there is nothing here for `;` to end", "leave it out"),
                _ => not_a_statement(p),
            }
        }
        p.close_brace(open, &format!("expected `}}` after {what}"));
        marker.complete(p, BLOCK);
    });
}

/// Something that begins no statement.
pub(super) fn not_a_statement(p: &mut Parser<'_>) {
    let hint = match p.current() {
        ELSE_KW => "`else` follows the `}` of an `if`",
        OR_KW => "`or` follows the `}` of an `either`",
        COLON_COLON => "alternatives are written `either { … } or { … }`",
        ALPHABET_KW => "it stands at the head of a process",
        L_BRACE => {
            "a block follows `if`, `while`, `loop`, `either`, `or` or `do`; without these the \
             statements stand alone"
        }
        R_PAREN | R_BRACKET => {
            closes_nothing(p);
            p.eat(SEMICOLON);
            return;
        }
        COMMA => {
            p.unexpected(
                "no `,` follows the `}` of a statement",
                "write what follows on a line of its own; of a macro that is called behind `do` \
                 all is one step",
            );
            return p.bump_as_error();
        }
        BOOL_KW if p.nth(1) == IDENT && !p.nth_begins_line(1) => return elsewhere::variable(p),
        VAR_KW if p.nth(1) == IDENT && !p.nth_begins_line(1) => return elsewhere::variable(p),
        VAR_KW => "a process's variables are declared at its head",
        L_PAREN if p.closer_of(0).is_some_and(|closer| p.nth(closer + 1) != EQ) => {
            return condition_alone(p);
        }
        CHANGE_KW => "`change` stands in the steps of testing automata",
        THEN_KW => {
            "leave `then` out: statements follow each other; what is to happen in the same step stands behind `do`, and \
             what is sent on with a message that is received directly behind it, `receive c(?x) send d(x)`"
        }
        _ => "statements are steps, assignments, `if`, `while`, `loop`, `either` and the like",
    };
    p.unexpected("expected a statement", hint);
    super::skip_to(p, |p| {
        p.nth_begins_line(0) || p.at(SEMICOLON) || p.at_set(STATEMENT_START)
    });
}

/// A bracket that no other one has opened.
fn closes_nothing(p: &mut Parser<'_>) {
    let message = format!("this `{}` closes nothing", p.nth_text(0));
    p.refuse(message, "leave it out, or add the bracket that it closes");
}

/// The test of an `if` or a `while`.
fn test(p: &mut Parser<'_>) {
    expressions::test(p);
    while matches!(p.current(), R_PAREN | R_BRACKET) && !p.nth_begins_line(0) {
        closes_nothing(p);
    }
}

/// `(x == 1);`, `(x == 1) -> …`: a condition where a statement should be.
fn condition_alone(p: &mut Parser<'_>) {
    p.unexpected(
        "a condition is no statement",
        "to wait until it is true, write `await e`",
    );
    let marker = p.start();
    expressions::expr(p);
    if p.at(ARROW) {
        p.bump();
    }
    p.eat(SEMICOLON);
    marker.complete(p, ERROR);
}

impl Parser<'_> {
    /// Takes the word if a token of that kind follows it.
    fn eat_word_before(&mut self, word: &str, next: crate::SyntaxKind) {
        if self.at_word(word) && self.nth(1) == next {
            self.bump();
        }
    }
}
