//! The syntax around a place.

use stubborn_syntax::ast::{self, AstNode};
use stubborn_syntax::{SyntaxKind, SyntaxNode, SyntaxToken};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    Item,
    /// Something in a body: whether it is the first state or statement, and which of these there are.
    Body {
        is_first: bool,
        states: bool,
        statements: bool,
    },
    Step,
    Statement,
    Effect,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    Process,
    Macro,
    Tester,
    Specification,
    Buchi,
    Testing,
}

/// Returns the kind of a declaration that has a body.
pub fn owner(node: &SyntaxNode) -> Option<Owner> {
    Some(match node.kind() {
        SyntaxKind::PROCESS_DECL => Owner::Process,
        SyntaxKind::MACRO_DECL => Owner::Macro,
        SyntaxKind::TESTER_DECL => Owner::Tester,
        SyntaxKind::SPECIFICATION_DECL => Owner::Specification,
        SyntaxKind::BUCHI_DECL => Owner::Buchi,
        SyntaxKind::TESTING_DECL => Owner::Testing,
        _ => return None,
    })
}

/// The token before one, white space and comments passed over.
pub fn previous(token: &SyntaxToken) -> Option<SyntaxToken> {
    std::iter::successors(token.prev_token(), SyntaxToken::prev_token)
        .find(|token| !token.kind().is_trivia())
}

/// Whether the node is what is assigned to.
pub fn is_place(parent: &SyntaxNode, node: &SyntaxNode) -> bool {
    ast::Assignment::cast(parent.clone())
        .and_then(|assignment| assignment.place())
        .is_some_and(|place| place.syntax() == node)
}

/// The name before the arguments, or alone.
pub fn callee(expression: &ast::Expr) -> Option<String> {
    match expression {
        ast::Expr::Name(name) => Some(name.name_ref()?.text()),
        ast::Expr::Call(call) => Some(call.name_ref()?.text()),
        _ => None,
    }
}
