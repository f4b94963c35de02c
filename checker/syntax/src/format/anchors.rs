//! What a token's line is indented from: the bracket that it is in, or the statement, step or
//! declaration that it goes on with.

use rowan::WalkEvent;

use crate::interrupt::Interrupt;
use crate::{SyntaxElement, SyntaxKind, SyntaxNode};

/// Tokens are given by their numbers, white space and comments not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    /// Nothing: the line begins at the margin.
    Margin,
    /// One level deeper than the line of that token.
    Within(usize),
    /// As deep as the line of that token, the bracket that is closed.
    Closes(usize),
    /// As deep as the line of that token.
    Level(usize),
}

enum Around {
    Bracket(usize),
    Unit(usize),
}

/// The anchor of each token of a tree without errors; not of all where it is to end.
pub(super) fn anchors(root: &SyntaxNode, interrupt: &Interrupt<'_>) -> Vec<Anchor> {
    use SyntaxKind::*;
    let mut anchors = Vec::new();
    let mut around: Vec<Around> = Vec::new();
    for event in root.preorder_with_tokens() {
        if interrupt.is_due() {
            break;
        }
        match event {
            WalkEvent::Enter(SyntaxElement::Node(node)) => {
                if is_unit(node.kind()) {
                    around.push(Around::Unit(anchors.len()));
                }
            }
            WalkEvent::Leave(SyntaxElement::Node(node)) => {
                if is_unit(node.kind()) {
                    around.pop();
                }
            }
            WalkEvent::Enter(SyntaxElement::Token(token)) => {
                if token.kind().is_trivia() {
                    continue;
                }
                let number = anchors.len();
                let parent = token.parent().map(|parent| parent.kind());
                if matches!(token.kind(), R_PAREN | R_BRACKET | R_BRACE) {
                    let opener = around.pop();
                    anchors.push(match opener {
                        Some(Around::Bracket(opener)) => Anchor::Closes(opener),
                        _ => Anchor::Margin,
                    });
                    continue;
                }
                let begins_branch = matches!(
                    (token.kind(), parent),
                    (ELSE_KW, Some(IF_STMT)) | (OR_KW, Some(BRANCH))
                );
                let anchor = around.iter().rev().find_map(|around| match *around {
                    Around::Unit(first) if first == number => None,
                    Around::Unit(first) if begins_branch => Some(Anchor::Level(first)),
                    Around::Unit(first) | Around::Bracket(first) => Some(Anchor::Within(first)),
                });
                anchors.push(anchor.unwrap_or(Anchor::Margin));
                if matches!(token.kind(), L_PAREN | L_BRACKET | L_BRACE) {
                    around.push(Around::Bracket(number));
                }
            }
            WalkEvent::Leave(SyntaxElement::Token(_)) => {}
        }
    }
    anchors
}

/// Whether what follows the first token of such a node goes on with it, on lines that stand
/// deeper.
fn is_unit(kind: SyntaxKind) -> bool {
    use crate::ast::{AstNode, BodyItem, Effect, Item};
    matches!(
        kind,
        SyntaxKind::VARIANT | SyntaxKind::FIELD_DECL | SyntaxKind::RECORD_FIELD
    ) || Item::can_cast(kind)
        || BodyItem::can_cast(kind)
        || Effect::can_cast(kind)
}
