//! Sets of tokens that begin something.

use crate::SyntaxKind::{self, *};
use crate::kind::TokenSet;

/// The words that begin an item and can begin nothing else, nor continue anything.
pub(crate) const ITEM_START: TokenSet = TokenSet::new(&[
    USE_KW,
    CONST_KW,
    PARAM_KW,
    TYPE_KW,
    ENUM_KW,
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
]);

/// Whether such a token begins a declaration wherever it stands; a macro's may stand in a process.
pub fn begins_item(kind: SyntaxKind) -> bool {
    ITEM_START.contains(kind) && kind != MACRO_KW
}

/// What begins a clause of a step.
pub(crate) const CLAUSE_START: TokenSet = TokenSet::new(&[
    FOR_KW, ON_KW, SEND_KW, RECEIVE_KW, CHANGE_KW, WHEN_KW, DO_KW, ARROW,
]);

/// The words that begin a statement, clauses included; names begin statements too.
pub(crate) const STATEMENT_START: TokenSet = CLAUSE_START.union(TokenSet::new(&[
    ASSERT_KW, AWAIT_KW, SKIP_KW, IF_KW, WHILE_KW, LOOP_KW, EITHER_KW, BREAK_KW, STOP_KW,
]));

/// What begins a line in a body.
pub(crate) const BODY_ITEM_START: TokenSet =
    TokenSet::new(&[VAR_KW, ALPHABET_KW, VISIBLE_KW, OBSERVE_KW, STATE_KW]);

/// What cannot stand in parentheses or in square brackets.
pub(crate) const ENDS_BRACKETS: TokenSet = ITEM_START.union(TokenSet::new(&[
    VAR_KW, STATE_KW, FOR_KW, ON_KW, SEND_KW, RECEIVE_KW, CHANGE_KW, WHEN_KW, DO_KW, AWAIT_KW,
    WHILE_KW, LOOP_KW, EITHER_KW,
]));

/// What begins an expression.
pub(crate) const EXPR_START: TokenSet = TokenSet::new(&[
    INT, TRUE_KW, FALSE_KW, IDENT, L_PAREN, L_BRACKET, L_BRACE, MINUS, NOT_KW, BANG, FORALL_KW,
    EXISTS_KW, IF_KW,
]);
