//! Typed views of nodes, and their parts.

use rowan::{GreenNodeData, Language as _, NodeOrToken, TextRange};

use super::docs::docs_before;
use crate::{Stubborn, SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken};

/// A typed view of a node.
pub trait AstNode: Sized {
    /// Whether a node of this kind can be viewed as `Self`.
    fn can_cast(kind: SyntaxKind) -> bool;
    /// The view of `node`, if it is of the right kind.
    fn cast(node: SyntaxNode) -> Option<Self>;
    /// The node itself.
    fn syntax(&self) -> &SyntaxNode;
    /// The range from its first token to its last, without the white space and the comments
    /// around it.
    fn range(&self) -> TextRange {
        self.syntax().text_range()
    }
    /// The text of the `///` lines directly before the node, without the slashes and the one
    /// space after them; `None` where there are none.
    fn docs(&self) -> Option<String> {
        docs_before(self.syntax())
    }
}

// A node over the tree is made anew each time that it is asked for, which costs more than a look at
// the tree itself: whether there is one is asked there.

/// The first child that can be viewed as `N`.
pub(super) fn child<N: AstNode>(parent: &SyntaxNode) -> Option<N> {
    let is_there = kinds_in(parent).any(N::can_cast);
    is_there.then(|| parent.children().find_map(N::cast))?
}

/// The children that can be viewed as `N`, in the order of the text.
pub(super) fn children<N: AstNode>(parent: &SyntaxNode) -> impl Iterator<Item = N> + use<N> {
    parent.children().filter_map(N::cast)
}

/// The kinds of the children that are nodes.
pub(super) fn kinds_in(parent: &SyntaxNode) -> impl Iterator<Item = SyntaxKind> + '_ {
    let nodes = parent.green().children().filter_map(NodeOrToken::into_node);
    nodes.map(kind_of)
}

pub(super) fn kind_of(node: &GreenNodeData) -> SyntaxKind {
    Stubborn::kind_from_raw(node.kind())
}

/// The children that are nodes.
pub(super) fn nodes_in(parent: &GreenNodeData) -> impl Iterator<Item = &GreenNodeData> {
    parent.children().filter_map(NodeOrToken::into_node)
}

/// The tokens directly in the node, without their places.
pub(super) fn tokens_in(parent: &SyntaxNode) -> impl Iterator<Item = (SyntaxKind, &str)> {
    let tokens = parent
        .green()
        .children()
        .filter_map(NodeOrToken::into_token);
    tokens.map(|token| (Stubborn::kind_from_raw(token.kind()), token.text()))
}

/// The children that can be viewed as `N`, behind the first token `after` and before the first
/// token `before`.
pub(super) fn children_between<N: AstNode>(
    parent: &SyntaxNode,
    after: Option<&'static str>,
    before: Option<&'static str>,
) -> impl Iterator<Item = N> + use<N> {
    let is = |element: &SyntaxElement, text| {
        let token = element.as_token();
        token.is_some_and(|token| token.text() == text)
    };
    let elements = parent.children_with_tokens();
    let elements = elements.skip_while(move |it| after.is_some_and(|text| !is(it, text)));
    let elements = elements.take_while(move |it| before.is_none_or(|text| !is(it, text)));
    elements.filter_map(|element| element.into_node().and_then(N::cast))
}

/// The first token with that text directly in the node.
pub(super) fn token(parent: &SyntaxNode, text: &str) -> Option<SyntaxToken> {
    find_token(parent, |(_, token)| token == text)
}

/// The first token of the kind directly in the node.
pub(super) fn token_of(parent: &SyntaxNode, kind: SyntaxKind) -> Option<SyntaxToken> {
    find_token(parent, |(token, _)| token == kind)
}

pub(super) fn find_token(
    parent: &SyntaxNode,
    is_it: impl Fn((SyntaxKind, &str)) -> bool,
) -> Option<SyntaxToken> {
    let is_there = tokens_in(parent).any(&is_it);
    let mut tokens = is_there.then(|| parent.children_with_tokens())?;
    tokens.find_map(|element| {
        let token = element.into_token();
        token.filter(|token| is_it((token.kind(), token.text())))
    })
}

/// The first word of an enum directly in the node.
pub(super) fn word<W>(parent: &SyntaxNode, from_text: impl Fn(&str) -> Option<W>) -> Option<W> {
    tokens_in(parent).find_map(|(_, text)| from_text(text))
}

/// The first token directly in the node that is neither white space nor a comment.
pub(super) fn first_own_token(parent: &SyntaxNode) -> Option<SyntaxToken> {
    parent
        .children_with_tokens()
        .filter_map(|element| element.into_token())
        .find(|token| !token.kind().is_trivia())
}

/// The kind and the text of [`first_own_token`].
pub(super) fn first_own(parent: &SyntaxNode) -> Option<(SyntaxKind, &str)> {
    tokens_in(parent).find(|(kind, _)| !kind.is_trivia())
}
