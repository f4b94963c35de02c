//! Pieces of a text: the nodes at a place, whole lines, indentation.

use std::collections::HashSet;
use std::ops::Range;

use stubborn_model::program::{ParsedFile, Program};
use stubborn_syntax::ast::documented_range;
use stubborn_syntax::{SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken, TextRange};
use stubborn_system::source::Span;

use crate::features::tree::{bytes, within};

/// The file of a place, and the smallest node that has all of it.
pub fn node_at(program: &Program, span: Span) -> Option<(&ParsedFile, SyntaxNode)> {
    let file = program.files.get(span.file.0 as usize)?;
    let range = TextRange::new(span.start.into(), span.end.into());
    let node = match within(&file.parse.syntax(), range)? {
        SyntaxElement::Node(node) => node,
        SyntaxElement::Token(token) => token.parent()?,
    };
    Some((file, node))
}

/// The node with the lines of documentation before it, and with its lines where nothing else stands
/// on them: what goes when it is taken out.
pub fn with_its_lines(text: &str, node: &SyntaxNode) -> Range<usize> {
    let piece = bytes(documented_range(node));
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
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let taken: HashSet<&str> = words.filter(|word| word.starts_with(wanted)).collect();
    let numbered = (2..).map(|number: u32| format!("{wanted}{number}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
    names
        .find(|name| !taken.contains(&**name))
        .unwrap_or_default()
}
