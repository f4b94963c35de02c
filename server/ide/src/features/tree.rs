//! What stands at a place of a tree.

use std::ops::Range;

use stubborn_model::program::Program;
use stubborn_syntax::ast::{self, AstNode};
use stubborn_syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};
use stubborn_system::source::{FileId, Span};

/// A range of a tree as bytes of its text.
pub fn bytes(range: TextRange) -> Range<usize> {
    range.start().into()..range.end().into()
}

/// A range of a file's tree as a place of its program.
pub fn span(file: FileId, range: TextRange) -> Span {
    Span {
        file,
        start: range.start().into(),
        end: range.end().into(),
    }
}

/// The token that somebody means whose cursor is at `offset`: of two that meet there a word rather
/// than a bracket, and anything rather than white space.
pub fn token_at(root: &SyntaxNode, offset: usize) -> Option<SyntaxToken> {
    let before = offset.checked_sub(1).and_then(|at| token_over(root, at));
    let behind = token_over(root, offset);
    match (before, behind) {
        (Some(before), Some(behind)) => Some(match weight(&before) > weight(&behind) {
            true => before,
            false => behind,
        }),
        (before, behind) => before.or(behind),
    }
}

fn weight(token: &SyntaxToken) -> u32 {
    match token.kind() {
        SyntaxKind::WHITESPACE => 0,
        kind if kind.is_trivia() => 1,
        SyntaxKind::IDENT | SyntaxKind::INT | SyntaxKind::STRING => 3,
        kind if kind.is_reserved_word() => 3,
        _ => 2,
    }
}

/// The token that has this byte.
fn token_over(root: &SyntaxNode, byte: usize) -> Option<SyntaxToken> {
    let start = TextSize::try_from(byte).ok()?;
    let range = TextRange::at(start, 1.into());
    // It goes down by halves; to look for an offset would go through all children of the root.
    within(root, range)?.into_token()
}

/// The node of the name, declared or used, that stands there.
pub fn name_at(root: &SyntaxNode, name: Range<usize>) -> Option<SyntaxNode> {
    let start = TextSize::try_from(name.start).ok()?;
    let end = TextSize::try_from(name.end).ok()?;
    let element = within(root, TextRange::new(start, end.max(start)))?;
    let mut around = element.ancestors();
    around.find(|node| ast::Name::can_cast(node.kind()) || ast::NameRef::can_cast(node.kind()))
}

/// The node that declares the name that stands there.
pub fn declaring(root: &SyntaxNode, name: Range<usize>) -> Option<SyntaxNode> {
    let name = name_at(root, name).and_then(ast::Name::cast)?;
    name.syntax().parent()
}

/// The same, for a name of a program.
pub fn declaring_in(program: &Program, name: Span) -> Option<SyntaxNode> {
    let file = program.files.get(name.file.0 as usize)?;
    declaring(&file.parse.syntax(), name.start as usize..name.end as usize)
}

/// The smallest part of a tree that has all of a range.
pub fn within(root: &SyntaxNode, range: TextRange) -> Option<stubborn_syntax::SyntaxElement> {
    let is_within = root.text_range().contains_range(range);
    is_within.then(|| root.covering_element(range))
}

/// The opening bracket directly in the node, and the last one that closes it, if it is there.
pub fn brackets(node: &SyntaxNode) -> Option<(SyntaxToken, Option<SyntaxToken>)> {
    let elements = node.children_with_tokens();
    let mut tokens = elements.filter_map(|element| element.into_token());
    let (open, closing) = tokens.find_map(|token| {
        let closing = match token.kind() {
            SyntaxKind::L_BRACE => SyntaxKind::R_BRACE,
            SyntaxKind::L_BRACKET => SyntaxKind::R_BRACKET,
            SyntaxKind::L_PAREN => SyntaxKind::R_PAREN,
            _ => return None,
        };
        Some((token, closing))
    })?;
    // In a broken text one that closes may stand before any that opens.
    let behind = open.text_range().end();
    let last = node.last_child_or_token();
    let close = std::iter::successors(last, |one| one.prev_sibling_or_token())
        .take_while(|one| one.text_range().start() >= behind)
        .filter_map(|one| one.into_token())
        .find(|token| token.kind() == closing);
    Some((open, close))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::cursor;
    use super::*;

    fn at(marked: &str) -> Option<String> {
        let (text, at) = cursor(marked);
        let root = stubborn_syntax::parse(&text).syntax();
        token_at(&root, at).map(|token| token.text().to_owned())
    }

    #[test]
    fn between_two_tokens_the_word_is_meant() {
        assert_eq!(at("process p { on a($0b) }").as_deref(), Some("b"));
        assert_eq!(at("process p { on a(b$0) }").as_deref(), Some("b"));
        assert_eq!(at("process p$0 { }").as_deref(), Some("p"));
        assert_eq!(at("process p { }$0").as_deref(), Some("}"));
        assert_eq!(at("$0").as_deref(), None);
    }

    #[test]
    fn a_name_outside_the_text_is_no_name() {
        let root = stubborn_syntax::parse("var x: bool\n").syntax();
        assert_eq!(declaring(&root, 90..91), None);
        assert_eq!(
            declaring(&root, 4..5).map(|node| node.kind()),
            Some(SyntaxKind::VAR_DECL)
        );
    }
}
