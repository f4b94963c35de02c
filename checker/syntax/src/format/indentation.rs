//! How deep a line stands, also in a text that is being typed: what is before the line decides, and
//! the first token on it.

use super::anchors::{Anchor, anchors};
use crate::grammar::starts::begins_item;
use crate::interrupt::Interrupt;
use crate::{SyntaxKind, SyntaxNode, SyntaxToken, lexer, parse};

pub(super) const INDENT: usize = 4;

/// How many spaces the line that begins at the byte `line` of a text is to be indented by, counted from
/// the lines before it as they stand; `None` where that is not the formatter's to say, within a
/// comment.
pub fn indentation(text: &str, line: usize) -> Option<usize> {
    let (tokens, _) = lexer::lex(text);
    let (mut start, mut lead) = (0, None);
    for token in &tokens {
        let (from, to) = (
            usize::from(token.range.start()),
            usize::from(token.range.end()),
        );
        let written = text.get(from..to)?;
        let is_white = token.kind == SyntaxKind::WHITESPACE;
        if from < line {
            if line < to && !is_white {
                return None;
            }
            if begins_item(token.kind) {
                start = from;
            }
        } else if !is_white {
            let gap = text.get(line..from)?;
            let is_on_line = !gap.contains(['\n', '\r']);
            lead = (is_on_line && !token.kind.is_trivia()).then_some((token.kind, written));
            break;
        }
    }
    // It begins in the middle of its line only where a mistake was made; then that line counts.
    let start = text
        .get(..start)?
        .rfind(['\n', '\r'])
        .map_or(0, |at| at + 1);
    let before = text.get(start..line)?;
    if let Some((_, lead)) = lead {
        return of_last(&format!("{before}{lead}"));
    }
    // Nothing is there yet: what will be is a step in a state, and a name elsewhere.
    let named = format!("{before}name_of_something");
    let root = parse(&named).syntax();
    let last = root
        .token_at_offset(root.text_range().end())
        .left_biased()?;
    if is_in_state(&last) {
        return of_last(&format!("{before}->"));
    }
    of_last_token(&named, &root)
}

/// How deep the line of the last token of a text stands.
fn of_last(text: &str) -> Option<usize> {
    of_last_token(text, &parse(text).syntax())
}

fn of_last_token(text: &str, root: &SyntaxNode) -> Option<usize> {
    let anchor = anchors(root, &Interrupt::new(&|| false)).pop()?;
    let of_line = |number: usize| {
        let tokens = root.descendants_with_tokens();
        let mut tokens = tokens
            .filter_map(|element| element.into_token())
            .filter(|token| !token.kind().is_trivia());
        tokens.nth(number).map(|token| depth(text, &token))
    };
    match anchor {
        Anchor::Margin => Some(0),
        Anchor::Within(token) => Some(of_line(token)? + INDENT),
        Anchor::Closes(token) | Anchor::Level(token) => of_line(token),
    }
}

/// By how much the line of a token is indented, a tab being a level.
fn depth(text: &str, token: &SyntaxToken) -> usize {
    let before = &text[..usize::from(token.text_range().start())];
    let line = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let white = before[line..]
        .chars()
        .take_while(|c| matches!(c, ' ' | '\t'));
    white.map(|c| if c == '\t' { INDENT } else { 1 }).sum()
}

fn is_in_state(token: &SyntaxToken) -> bool {
    let inside = token.parent_ancestors().find(|node| {
        matches!(
            node.kind(),
            SyntaxKind::STATE | SyntaxKind::SHARED_STEPS | SyntaxKind::BODY | SyntaxKind::BLOCK
        )
    });
    let is_list = |kind| matches!(kind, SyntaxKind::STATE | SyntaxKind::SHARED_STEPS);
    inside.is_some_and(|node| is_list(node.kind()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How deep the line with the `$0` stands.
    #[track_caller]
    fn stands(marked: &str, expected: usize) {
        let at = marked.find("$0").expect("a cursor");
        let text = marked.replacen("$0", "", 1);
        let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
        assert_eq!(indentation(&text, line), Some(expected), "{marked}");
    }

    #[test]
    fn a_line_stands_one_level_deeper_than_the_brace_before_it() {
        stands("process p {\n$0", 4);
        stands("process p {\n$0\n}\n", 4);
        stands("process p {\n    loop {\n$0\n    }\n}\n", 8);
        stands("enum E {\n    a,\n$0", 4);
        stands("process p {\n\tloop {\n$0", 8);
    }

    #[test]
    fn a_closing_brace_stands_below_the_line_of_its_opening_one() {
        stands("process p {\n    loop {\n        skip\n        }$0\n}", 4);
        stands("process p {\n    skip\n    }$0\n", 0);
    }

    #[test]
    fn a_statement_stands_below_the_one_before_it() {
        stands("process p {\n    skip\n$0\n}", 4);
        stands("process p {\n    x = 1\n$0", 4);
        stands("process p {\n    loop {\n        skip\n    }\n$0", 4);
    }

    #[test]
    fn what_goes_on_stands_deeper() {
        stands("process p {\n    x =\n$0", 8);
        stands("invariant i: a and\n$0", 4);
        stands("process p {\n    initial state s {\n        on a\n$0", 12);
        stands(
            "process p {\n    initial state s {\n        on a -> s\n$0",
            8,
        );
        stands("process p {\n    initial state s { -> s }\n$0", 4);
    }

    #[test]
    fn after_a_declaration_a_line_stands_at_the_margin() {
        stands("var x: bool\n$0", 0);
        stands("process p { skip }\n$0", 0);
        stands("process p { skip\ninvariant i: true\n$0", 0);
        assert_eq!(indentation("", 0), Some(0));
    }

    #[test]
    fn the_lines_of_a_comment_are_left_alone() {
        let text = "/* one\n   two */\nvar x: bool\n";
        assert_eq!(indentation(text, 7), None);
    }
}
