//! The documentation before a node.

use rowan::{Language as _, NodeOrToken, TextRange};

use crate::{Stubborn, SyntaxKind, SyntaxNode, SyntaxToken};

pub(super) fn docs_before(node: &SyntaxNode) -> Option<String> {
    let lines: Vec<String> = doc_lines_before(node)
        .iter()
        .map(|token| {
            let text = token.text().trim_start_matches("///");
            text.strip_prefix(' ')
                .unwrap_or(text)
                .trim_end()
                .to_string()
        })
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The range of a node with the `///` lines directly before it.
pub fn documented_range(node: &SyntaxNode) -> TextRange {
    let range = node.text_range();
    match doc_lines_before(node).first() {
        Some(first) => range.cover(first.text_range()),
        None => range,
    }
}

/// The `///` lines directly before a node, in the order of the text.
fn doc_lines_before(node: &SyntaxNode) -> Vec<SyntaxToken> {
    let mut lines = Vec::new();
    if stands_behind_code(node) {
        return lines;
    }
    let mut token = node.first_token().and_then(|first| first.prev_token());
    while let Some(current) = token {
        let before = current.prev_token();
        match current.kind() {
            SyntaxKind::WHITESPACE if current.text().matches('\n').count() < 2 => {}
            // A comment behind something else on its line belongs to that.
            _ if before.as_ref().is_some_and(|token| !ends_line(token)) => break,
            SyntaxKind::DOC_COMMENT => lines.push(current),
            SyntaxKind::LINE_COMMENT | SyntaxKind::BLOCK_COMMENT => {}
            _ => break,
        }
        token = before;
    }
    lines.reverse();
    lines
}

/// Whether nothing but white space is between the node and a token before it that is no comment.
/// It is read from the green tree, which costs less than nodes over it.
fn stands_behind_code(node: &SyntaxNode) -> bool {
    let Some(parent) = node.parent() else {
        return false;
    };
    let green = parent.green();
    let mut before = green.children().take(node.index()).rev();
    let kind = |raw| Stubborn::kind_from_raw(raw);
    let is_space = |raw| kind(raw) == SyntaxKind::WHITESPACE;
    let mut last = before.find(|one| !is_space(one.kind()));
    // The last token of it.
    while let Some(NodeOrToken::Node(inner)) = last {
        last = inner.children().next_back();
    }
    last.is_some_and(|last| !kind(last.kind()).is_trivia())
}

/// Whether a line begins behind the token.
fn ends_line(token: &SyntaxToken) -> bool {
    token.kind().is_trivia() && token.text().contains(['\n', '\r'])
        || token.text_range().start() == 0.into() && token.kind() == SyntaxKind::WHITESPACE
}
