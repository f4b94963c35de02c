//! What stands between two tokens: nothing, a space, or a line end.

use rowan::{TextRange, TextSize};

use super::columns::Home;
use crate::SyntaxKind::{self, *};
use crate::{SyntaxNode, SyntaxToken};

/// Whether there is a space between two tokens of one line.
pub(super) fn is_spaced(left: &SyntaxToken, right: &SyntaxToken) -> bool {
    let left_parent = parent(left);
    let right_parent = parent(right);
    match right.kind() {
        R_PAREN | R_BRACKET | COMMA | SEMICOLON | COLON | DOT | DOT_DOT | AT => return false,
        R_BRACE if is_tight(right_parent) => return false,
        L_PAREN
            if matches!(
                right_parent,
                ARG_LIST | PARAM_LIST | AGGREGATE_EXPR | ACTION_DECL
            ) =>
        {
            return false;
        }
        L_BRACKET
            if matches!(
                right_parent,
                INDEX_EXPR
                    | SLICE_EXPR
                    | CHANNEL_INDEX
                    | CAPACITY
                    | ARRAY_TYPE
                    | LIST_TYPE
                    | SEND_CLAUSE
                    | RECEIVE_CLAUSE
            ) =>
        {
            return false;
        }
        GREATER if right_parent == PREFIX_EXPR => return false,
        _ => {}
    }
    match left.kind() {
        L_PAREN | L_BRACKET | DOT | DOT_DOT | AT | QUESTION => false,
        L_BRACE => !is_tight(left_parent),
        MINUS | BANG => left_parent != PREFIX_EXPR,
        _ => true,
    }
}

/// Whether the token is an operator whose spacing is the author's choice: `N-1` or `N - 1`.
pub(super) fn is_sum_or_product(token: &SyntaxToken) -> bool {
    matches!(token.kind(), PLUS | MINUS | STAR | SLASH | PERCENT) && parent(token) == BINARY_EXPR
}

/// Whether the braces of such a node hold a value and no lines.
fn is_tight(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        RECORD_EXPR | SET_EXPR | SET_COMPREHENSION_EXPR | IN_EXPR | EVENT_SET | EVENT | AT_EXPR
    )
}

/// Whether the braces of such a node may hold lines.
fn is_block(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        BLOCK | BODY | STATE | SHARED_STEPS | ENUM_DECL | RECORD_TYPE
    )
}

/// Whether the token goes to the end of the line before it.
pub(super) fn joins_line_before(token: &SyntaxToken) -> bool {
    match token.kind() {
        L_BRACE => is_block(parent(token)),
        COMMA | SEMICOLON => true,
        _ => false,
    }
}

/// Whether the token begins a line wherever the author put it.
pub(super) fn must_begin_line(before: Option<&SyntaxToken>, token: &SyntaxToken) -> bool {
    if let Some(before) = before
        && before.kind() == L_BRACE
        && is_broken(before)
    {
        return true;
    }
    if token.kind() == R_BRACE && is_broken(token) {
        return true;
    }
    // The outermost nodes that begin with the token.
    let begun = token
        .parent_ancestors()
        .take_while(|node| node.text_range().start() == token.text_range().start());
    for node in begun {
        let around = node.parent().map(|node| node.kind());
        match around {
            Some(SOURCE_FILE) => return true,
            Some(BODY) => {
                let is_after = || {
                    node.prev_sibling()
                        .map(|before| is_line_of_body(before.kind()))
                };
                return is_line_of_body(node.kind()) || is_after() == Some(true);
            }
            _ => {}
        }
    }
    false
}

/// Whether such a node has a line of its own in a body.
fn is_line_of_body(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        STATE | SHARED_STEPS | VAR_DECL | ALPHABET_DECL | VISIBLE_DECL | OBSERVE_DECL | MACRO_DECL
    )
}

/// Whether the block that the brace belongs to takes more than one line.
fn is_broken(brace: &SyntaxToken) -> bool {
    let Some(node) = brace.parent().filter(|node| is_block(node.kind())) else {
        return false;
    };
    if node.kind() == BODY && node.children().any(|child| is_line_of_body(child.kind())) {
        return true;
    }
    has_lines_within(&node)
}

fn has_lines_within(node: &SyntaxNode) -> bool {
    let brace = |kind: SyntaxKind| {
        let mut tokens = node
            .children_with_tokens()
            .filter_map(|element| element.into_token());
        tokens.find(|token| token.kind() == kind)
    };
    match (brace(L_BRACE), brace(R_BRACE)) {
        (Some(open), Some(close)) => {
            has_lines(node, open.text_range().end(), close.text_range().start())
        }
        _ => false,
    }
}

/// The `->` of a state's step.
pub(super) fn is_arrow_of_state(token: &SyntaxToken) -> bool {
    let Some(target) = token.parent().filter(|_| token.kind() == ARROW) else {
        return false;
    };
    target.kind() == TARGET && target.parent().is_some_and(|step| is_step_of_state(&step))
}

/// The body and the state of a `->`.
pub(super) fn home_of(arrow: &SyntaxToken) -> Option<Home> {
    let start = |kind: SyntaxKind| {
        let node = arrow.parent_ancestors().find(|node| node.kind() == kind)?;
        Some(node.text_range().start())
    };
    Some(Home {
        body: start(BODY)?,
        state: start(STATE).or_else(|| start(SHARED_STEPS))?,
    })
}

/// The first token of a state's step.
pub(super) fn begins_step_of_state(token: &SyntaxToken) -> bool {
    let start = token.text_range().start();
    token
        .parent_ancestors()
        .take_while(|node| node.text_range().start() == start)
        .any(|node| is_step_of_state(&node))
}

fn is_step_of_state(node: &SyntaxNode) -> bool {
    let is_list = |around: SyntaxNode| matches!(around.kind(), STATE | SHARED_STEPS);
    node.kind() == STEP && node.parent().is_some_and(is_list)
}

/// The `{` of a state or a branch that is on one line.
pub(super) fn is_brace_of_line(token: &SyntaxToken) -> bool {
    if token.kind() != L_BRACE || is_broken(token) {
        return false;
    }
    let Some(node) = token.parent() else {
        return false;
    };
    matches!(node.kind(), STATE | SHARED_STEPS)
        || (node.kind() == BLOCK && node.parent().is_some_and(|around| around.kind() == BRANCH))
}

fn parent(token: &SyntaxToken) -> SyntaxKind {
    token.parent().map_or(ERROR, |node| node.kind())
}

/// Whether a line ends between two places of the tree's text, and there is anything else.
pub(super) fn has_lines(node: &SyntaxNode, from: TextSize, to: TextSize) -> bool {
    let start = node.text_range().start();
    let text = node.text().slice(TextRange::new(from - start, to - start));
    let (mut line_end, mut other) = (false, false);
    text.for_each_chunk(|chunk| {
        line_end |= chunk.contains(['\n', '\r']);
        other |= !chunk.trim().is_empty();
    });
    line_end && other
}
