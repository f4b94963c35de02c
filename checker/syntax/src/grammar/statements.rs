//! Statements (§5).

use super::starts::STATEMENT_START;
use crate::SyntaxKind::*;
use crate::parser::Parser;

impl Parser<'_> {
    /// Whether a statement begins here.
    pub(super) fn at_statement(&self) -> bool {
        self.at(IDENT) || self.at_set(STATEMENT_START)
    }

    /// One statement and the `;` that may end it.
    pub(super) fn statement(&mut self) {
        if at_final_before_no_label(self) {
            self.unexpected(
                "`final` stands before a label",
                "write `final NAME:`, and it is right to wait there for ever",
            );
            while at_final_before_no_label(self) {
                self.bump_as_error();
            }
        }
        match self.current() {
            IF_KW => self.if_with(|p| p.block("the statements")),
            WHILE_KW => {
                let marker = self.start();
                self.bump();
                test(self);
                if self.at(SEMICOLON) {
                    self.missing(
                        "expected `{` and the statements",
                        "there is no `do … while`: `while e { … }` is tested before each round",
                    );
                } else {
                    block_of(self, "while", |p| p.block("the statements"));
                }
                marker.complete(self, WHILE_STMT);
            }
            LOOP_KW
                if self.nth(1) != L_BRACE && !self.nth_begins_line(1) && self.line_has_brace() =>
            {
                self.unexpected("a `loop` has no test", "write `while e { … }`");
                let marker = self.start();
                self.bump();
                self.test();
                self.block("the statements");
                marker.complete(self, WHILE_STMT);
            }
            LOOP_KW => self.loop_block(),
            FOR_KW if at_counting(self) => counting(self),
            EITHER_KW => self.either(),
            AWAIT_KW => {
                let marker = self.start();
                self.bump();
                self.condition();
                if self.at(DO_KW) {
                    self.do_clause(false);
                } else if self.at(L_BRACE)
                    && !self.nth_begins_line(0)
                    && self.closer_of(0).is_some()
                {
                    self.block_without_do();
                }
                marker.complete(self, AWAIT_STMT);
            }
            ASSERT_KW => self.assert(),
            SKIP_KW => word(self, SKIP_STMT),
            BREAK_KW => word(self, BREAK_STMT),
            IDENT if at_goto(self) => goto(self),
            STOP_KW => word(self, STOP_STMT),
            _ if self.at_reserved_label() => self.reserved_label(),
            IDENT if self.nth(1) == COLON => label(self),
            IDENT if self.at_word("final") && self.nth(1) == IDENT && self.nth(2) == COLON => {
                label(self)
            }
            IDENT if self.foreign_statement() => {}
            IDENT => assign_or_call(self),
            _ => self.step_statement(),
        }
        self.eat(SEMICOLON);
    }

    /// At a reserved word where a label is meant, `use: skip`.
    pub(super) fn at_reserved_label(&self) -> bool {
        self.current().is_reserved_word() && self.nth(1) == COLON
    }

    /// It is told, and gone past.
    pub(super) fn reserved_label(&mut self) {
        if self.at(LOOP_KW) && self.nth(2) == L_BRACE {
            let marker = self.start();
            self.bump();
            self.refuse("no `:` stands behind `loop`", "write `loop { … }`");
            self.block("the statements");
            marker.complete(self, LOOP_STMT);
            return;
        }
        let message = format!("`{}` is reserved and cannot name a label", self.nth_text(0));
        self.unexpected(message, "choose another name");
        self.bump_many_as_error(2);
    }
}

/// At a `final` that is meant for the statement which follows on its line, and no name.
fn at_final_before_no_label(p: &Parser<'_>) -> bool {
    let is_label = p.nth(1) == IDENT && p.nth(2) == COLON;
    let goes_on = p.nth(1) == IDENT || STATEMENT_START.contains(p.nth(1));
    p.at_word("final") && goes_on && !is_label && !p.nth_begins_line(1)
}

impl Parser<'_> {
    /// `loop { … }`; the word is the current token.
    pub(super) fn loop_block(&mut self) {
        let marker = self.start();
        self.bump();
        self.block("the statements");
        marker.complete(self, LOOP_STMT);
    }
}

/// The block behind a test. Where it has the words of another language for its braces, these are told.
fn block_of(p: &mut Parser<'_>, word: &str, block: impl Fn(&mut Parser<'_>)) {
    let is_sign = !p.nth_begins_line(0) && p.block_sign("the statements");
    if p.at(L_BRACE) || !is_sign {
        block(p);
    } else if !p.block_that_ends_with(word) && p.at_statement() && !p.at_state_start() {
        p.node(BLOCK, Parser::statement);
    }
}

/// At `for (i = 0; i < 3; i++) {`, `for {` or `for e {`, which are no `for` over the values of a type.
fn at_counting(p: &Parser<'_>) -> bool {
    match p.nth(1) {
        L_BRACE | L_PAREN => true,
        IDENT => {
            !matches!(p.nth(2), IN_KW | EQ | L_BRACE | COMMA)
                && !p.nth_begins_line(2)
                && p.line_has_brace()
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
    p.rest_of_statement();
}

fn word(p: &mut Parser<'_>, kind: crate::SyntaxKind) {
    p.bump_as(kind);
}

/// At `goto NAME`.
fn at_goto(p: &Parser<'_>) -> bool {
    p.at_word("goto") && p.nth(1) == IDENT && !p.nth_begins_line(1)
}

/// `goto NAME`
fn goto(p: &mut Parser<'_>) {
    let marker = p.start();
    p.bump();
    p.name_ref("a label");
    marker.complete(p, GOTO_STMT);
}

/// `NAME:`, `final NAME:`
fn label(p: &mut Parser<'_>) {
    let marker = p.start();
    p.eat_word_before("final", IDENT);
    p.name("a label");
    p.bump();
    marker.complete(p, LABEL);
    if !p.at_statement() || p.at_state_start() {
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
        p.rest_of_statement();
        marker.complete(p, ASSIGN_STMT);
        return;
    }
    if p.assignment_or_call() == CALL_STMT {
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
            p.effect();
        } else if p.at(IDENT) {
            let has_arguments = p.nth(1) == L_PAREN;
            if p.assignment_or_call() == CALL_STMT && !has_arguments {
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

impl Parser<'_> {
    /// `if e { … } else { … }`, with statements or effects in its blocks.
    pub(super) fn if_with(&mut self, block: impl Fn(&mut Parser<'_>) + Copy) {
        self.deeper(|p| {
            let marker = p.start();
            p.bump();
            if p.at(COLON_COLON) {
                p.no_double_colon("fi");
                marker.complete(p, IF_STMT);
                return;
            }
            test(p);
            let has_then = p.at(THEN_KW);
            if has_then {
                p.refuse("`then` stands only in expressions", "write `if e { … }`");
                if !p.at(L_BRACE) && p.block_that_ends_with("if") {
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
                p.test();
                block(p);
            } else if p.at(ELSE_KW) {
                p.bump();
                if p.at(IF_KW) {
                    p.if_with(block);
                } else if has_then {
                    block_or_statement(p, block);
                } else {
                    block(p);
                }
            } else if matches!(p.nth_text(0), "elif" | "elseif" | "elsif") && p.has_test_and_block()
            {
                let message = format!("there is no `{}`", p.nth_text(0));
                p.unexpected(message, "write `else if`");
                // The word is the first token of the `if` that it stands for.
                p.if_with(block);
            }
            marker.complete(p, IF_STMT);
        });
    }
}

/// A block, or a statement where it has been told that a block is meant.
fn block_or_statement(p: &mut Parser<'_>, block: impl Fn(&mut Parser<'_>)) {
    if p.at(L_BRACE) || !p.at_statement() || p.at_state_start() {
        block(p);
    } else {
        p.node(BLOCK, Parser::statement);
    }
}

/// Whether a test and a block stand behind the `else` here.
fn at_test_behind_else(p: &Parser<'_>) -> bool {
    matches!(p.nth(1), IDENT | L_PAREN | NOT_KW | BANG)
        && p.line_has_brace()
        && !matches!(p.nth(2), EQ | COLON_EQ)
}

impl Parser<'_> {
    /// The alternatives of Promela, up to the word that ends them.
    pub(super) fn no_double_colon(&mut self, end: &str) {
        self.unexpected(
            "alternatives are not written with `::`",
            "write `either { … } or { … }`, or `if e { … } else { … }`",
        );
        self.skip_to(|p| p.at_word(end) || p.at(L_BRACE));
        if self.at_word(end) {
            self.bump_as_error();
        }
    }

    /// `either { … } or { … }`; the word is the current token.
    pub(super) fn either(&mut self) {
        let marker = self.start();
        if self.nth(1) != L_BRACE && self.lines_end_with("either") {
            self.bump();
            self.missing(
                "expected `{` and the statements of the branch",
                "what belongs together stands in braces, `{ … }`",
            );
            self.block_that_ends_with("either");
            marker.complete(self, EITHER_STMT);
            return;
        }
        if !matches!(self.nth(1), L_BRACE | FOR_KW)
            && !self.nth_begins_line(1)
            && self.line_has(OR_KW)
        {
            self.bump();
            self.missing(
                "expected `{` and the statements of the branch",
                "write `either { … } or { … }`",
            );
            self.rest_of_statement();
            marker.complete(self, EITHER_STMT);
            return;
        }
        branch(self);
        loop {
            match self.current() {
                OR_KW => branch(self),
                ELSE_KW | PIPE | PIPE_PIPE if self.nth(1) == L_BRACE => {
                    self.unexpected(
                        "the branches of an `either` are joined by `or`",
                        "write `or`",
                    );
                    branch(self);
                }
                _ => break,
            }
        }
        marker.complete(self, EITHER_STMT);
    }
}

/// `either { … }`, `or for k in T { … }`; the word is the current token.
fn branch(p: &mut Parser<'_>) {
    let marker = p.start();
    p.bump();
    if p.at(FOR_KW) {
        let clause = p.start();
        p.bump();
        p.binding_list();
        clause.complete(p, FOR_CLAUSE);
    }
    p.block("the statements of the branch");
    marker.complete(p, BRANCH);
}

impl Parser<'_> {
    /// `{ … }` with statements.
    pub(super) fn block(&mut self, what: &str) {
        self.deeper(|p| {
            let marker = p.start();
            let open = p.position();
            if !p.eat(L_BRACE) {
                p.missing(format!("expected `{{` and {what}"), None);
                if !p.at_statement() || p.at_state_start() || p.at_item_start() {
                    marker.abandon(p);
                    return;
                }
                if !p.has_spare_closing_brace() {
                    p.statement();
                    marker.complete(p, BLOCK);
                    return;
                }
                p.assume_brace();
            }
            loop {
                match p.current() {
                    EOF | R_BRACE => break,
                    _ if p.at_reserved_label() => p.reserved_label(),
                    VAR_KW if p.is_variable_outside(open) => break,
                    _ if p.at_item_start() => {
                        if p.closer(open).is_none() {
                            break;
                        }
                        p.misplaced_item();
                    }
                    _ if p.at_state_start() => {
                        if p.closer(open).is_none() {
                            break;
                        }
                        p.unexpected(
                            "a state cannot stand among statements",
                            "a process is made of states or of statements",
                        );
                        p.skip_line();
                    }
                    _ if p.at_statement() => p.statement(),
                    SEMICOLON => p.refuse("there is nothing here for `;` to end", "leave it out"),
                    _ => p.not_a_statement(),
                }
            }
            p.close_brace(open, &format!("expected `}}` after {what}"));
            marker.complete(p, BLOCK);
        });
    }

    /// Something that begins no statement.
    pub(super) fn not_a_statement(&mut self) {
        let hint = match self.current() {
            ELSE_KW => "`else` follows the `}` of an `if`",
            OR_KW => "`or` follows the `}` of an `either`",
            COLON_COLON => "alternatives are written `either { … } or { … }`",
            ALPHABET_KW => "it stands at the head of a process",
            L_BRACE => {
                "a block follows `if`, `while`, `loop`, `either`, `or` or `do`; without these the \
             statements stand alone"
            }
            R_PAREN | R_BRACKET => {
                closes_nothing(self);
                self.eat(SEMICOLON);
                return;
            }
            COMMA => {
                self.unexpected(
                "no `,` follows the `}` of a statement",
                "write what follows on a line of its own; of a macro that is called behind `do` \
                 all is one step",
            );
                return self.bump_as_error();
            }
            BOOL_KW if self.nth(1) == IDENT && !self.nth_begins_line(1) => {
                return self.foreign_variable();
            }
            VAR_KW if self.nth(1) == IDENT && !self.nth_begins_line(1) => {
                return self.foreign_variable();
            }
            VAR_KW => "a process's variables are declared at its head",
            L_PAREN
                if self
                    .closer_of(0)
                    .is_some_and(|closer| self.nth(closer + 1) != EQ) =>
            {
                return condition_alone(self);
            }
            CHANGE_KW => "`change` stands in the steps of testing automata",
            THEN_KW => {
                "leave `then` out: statements follow each other; what is to happen in the same step stands behind `do`, and \
             what is sent on with a message that is received directly behind it, `receive c(?x) send d(x)`"
            }
            _ => "statements are steps, assignments, `if`, `while`, `loop`, `either` and the like",
        };
        self.unexpected("expected a statement", hint);
        self.skip_to(|p| p.nth_begins_line(0) || p.at(SEMICOLON) || p.at_set(STATEMENT_START));
    }
}

/// A bracket that no other one has opened.
fn closes_nothing(p: &mut Parser<'_>) {
    let message = format!("this `{}` closes nothing", p.nth_text(0));
    p.refuse(message, "leave it out, or add the bracket that it closes");
}

/// The test of an `if` or a `while`.
fn test(p: &mut Parser<'_>) {
    p.test();
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
    p.expr();
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
