//! Pieces of a text: the nodes at a place, whole lines, indentation.

use std::ops::Range;

use stubborn_model::program::{ParsedFile, Program};
use stubborn_syntax::ast::{AstNode, Name};
use stubborn_syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange};
use stubborn_system::source::Span;

/// The file of a place, and the smallest node that has all of it.
pub fn node_at(program: &Program, span: Span) -> Option<(&ParsedFile, SyntaxNode)> {
    let file = program.files.get(span.file.0 as usize)?;
    let root = file.parse.syntax();
    let range = TextRange::new(span.start.into(), span.end.into());
    if !root.text_range().contains_range(range) {
        return None;
    }
    let element = root.covering_element(range);
    let node = match element {
        stubborn_syntax::SyntaxElement::Node(node) => node,
        stubborn_syntax::SyntaxElement::Token(token) => token.parent()?,
    };
    Some((file, node))
}

/// The node that declares the name at this place.
pub fn declaring(program: &Program, name: Span) -> Option<SyntaxNode> {
    let (_, node) = node_at(program, name)?;
    let name = node.ancestors().find_map(Name::cast)?;
    name.syntax().parent()
}

pub fn bytes(node: &SyntaxNode) -> Range<usize> {
    let range = node.text_range();
    range.start().into()..range.end().into()
}

pub fn bytes_of(token: &SyntaxToken) -> Range<usize> {
    let range = token.text_range();
    range.start().into()..range.end().into()
}

/// The node with the lines of documentation before it, and with its lines where nothing else stands
/// on them: what goes when it is taken out.
pub fn with_its_lines(text: &str, node: &SyntaxNode) -> Range<usize> {
    let mut piece = bytes(node);
    let mut token = node.first_token().and_then(|token| token.prev_token());
    while let Some(current) = token {
        match current.kind() {
            SyntaxKind::WHITESPACE if current.text().matches('\n').count() < 2 => {}
            SyntaxKind::DOC_COMMENT => piece.start = current.text_range().start().into(),
            _ => break,
        }
        token = current.prev_token();
    }
    let line = text[..piece.start].rfind('\n').map_or(0, |at| at + 1);
    let rest = text[piece.end..].find('\n').map(|at| piece.end + at + 1);
    let end = rest.unwrap_or(text.len());
    let is_blank = |piece: &str| piece.trim_matches([' ', '\t', '\r', '\n']).is_empty();
    if is_blank(&text[line..piece.start]) && is_blank(&text[piece.end..end]) {
        return line..end;
    }
    if is_blank(&text[line..piece.start]) {
        // What follows comes to stand where it stood.
        let blanks =
            text[piece.end..].len() - text[piece.end..].trim_start_matches([' ', '\t']).len();
        return piece.start..piece.end + blanks;
    }
    let before = &text[..piece.start];
    before.trim_end_matches([' ', '\t']).len()..piece.end
}

/// The blanks at the beginning of the line of a place.
pub fn indentation(text: &str, at: usize) -> &str {
    let line = text[..at].rfind('\n').map_or(0, |at| at + 1);
    let rest = &text[line..at];
    &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
}

/// Whether a piece goes over several lines.
pub fn has_lines(text: &str, piece: &Range<usize>) -> bool {
    text[piece.clone()].contains('\n')
}

/// The last `}` of a node itself.
pub fn closing_brace(node: &SyntaxNode) -> Option<SyntaxToken> {
    let tokens = node.children_with_tokens();
    let braces = tokens
        .filter_map(|element| element.into_token())
        .filter(|token| token.kind() == SyntaxKind::R_BRACE);
    braces.last()
}

/// A name that nothing in the text has.
pub fn fresh(text: &str, wanted: &str) -> String {
    let is_taken = |name: &str| {
        let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words.any(|word| word == name)
    };
    let mut names = std::iter::once(wanted.to_owned());
    let mut numbered = (2..).map(|number: u32| format!("{wanted}{number}"));
    names
        .find(|name| !is_taken(name))
        .or_else(|| numbered.find(|name| !is_taken(name)))
        .unwrap_or_default()
}
