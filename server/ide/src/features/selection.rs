//! What can be selected around a place, each piece within the next: a word, an expression, a clause, a
//! step, what stands between brackets, a declaration, the whole text.

use std::ops::Range;

use stubborn_syntax::ast::{self, AstNode};
use stubborn_syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};

use super::tree::{brackets, bytes, token_at};
use crate::database::{Db, SourceFile, parsed};

/// Many clients read no message in which more than some hundred things stand one within the other. Of
/// more than this and that many pieces those in the middle are left out.
const INNERMOST: usize = 40;
const OUTERMOST: usize = 20;

/// The pieces of the text around `offset`, the smallest first. Each is larger than the one before and
/// has it within.
pub fn selections(db: &dyn Db, file: SourceFile, offset: usize) -> Vec<Range<usize>> {
    let Some(parsed) = parsed(db, file) else {
        return Vec::new();
    };
    let root = parsed.parse.syntax();
    let length = root.text_range().end();
    let place = TextSize::try_from(offset).map_or(length, |at| at.min(length));
    let mut pieces: Vec<TextRange> = Vec::new();
    let mut add = |piece: TextRange| {
        let is_larger = match pieces.last() {
            Some(last) => piece.contains_range(*last) && piece != *last,
            None => piece.contains_inclusive(place),
        };
        if is_larger {
            pieces.push(piece);
        }
    };
    if let Some(token) = token_at(&root, place.into()) {
        of_token(&token, &mut add);
        // The whole has no bracket of its own, and all of its items would be gone through for one.
        let is_inside = |node: &SyntaxNode| node.kind() != SyntaxKind::SOURCE_FILE;
        for node in token.parent_ancestors().filter(is_inside) {
            of_node(&node, &mut add);
        }
    }
    add(root.text_range());
    if pieces.len() > INNERMOST + OUTERMOST {
        pieces.drain(INNERMOST..pieces.len() - OUTERMOST);
    }
    pieces.into_iter().map(bytes).collect()
}

fn of_token(token: &SyntaxToken, add: &mut impl FnMut(TextRange)) {
    let range = token.text_range();
    match token.kind() {
        // What stands between its lines is selected by what is around it.
        SyntaxKind::WHITESPACE => return,
        SyntaxKind::STRING if range.len() >= 2.into() => {
            add(TextRange::new(
                range.start() + TextSize::new(1),
                range.end() - TextSize::new(1),
            ));
        }
        _ => {}
    }
    add(range);
}

fn of_node(node: &SyntaxNode, add: &mut impl FnMut(TextRange)) {
    if let Some((open, Some(close))) = brackets(node) {
        let space = |token: Option<SyntaxToken>| {
            let space = token.filter(|token| token.kind() == SyntaxKind::WHITESPACE);
            space.map(|token| token.text_range())
        };
        let start = space(open.next_token()).map_or(open.text_range().end(), TextRange::end);
        let end = space(close.prev_token()).map_or(close.text_range().start(), TextRange::start);
        if start < end {
            add(TextRange::new(start, end));
        }
    }
    add(node.text_range());
    let documented = [
        SyntaxKind::STATE,
        SyntaxKind::VARIANT,
        SyntaxKind::OBSERVE_DECL,
    ];
    if ast::Item::can_cast(node.kind()) || documented.contains(&node.kind()) {
        add(ast::documented_range(node));
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{cursor, file};
    use super::*;

    fn shown(marked: &str) -> Vec<String> {
        let (text, at) = cursor(marked);
        let (db, file) = file(&text);
        let found = selections(&db, file, at);
        let grows = |pair: &[Range<usize>]| {
            pair[1].start <= pair[0].start && pair[0].end <= pair[1].end && pair[0] != pair[1]
        };
        assert!(found.windows(2).all(grows));
        assert!(found.iter().all(|one| one.start <= at && at <= one.end));
        let shown = found.into_iter().map(|one| text[one].to_owned());
        shown.collect()
    }

    #[test]
    fn a_word_grows_to_the_text_by_what_it_stands_in() {
        let text = "/// Doc.\nprocess p { await x + $0yes > 1 do x = 1 }\nvar x: bool\n";
        assert_eq!(
            shown(text),
            [
                "yes",
                "x + yes",
                "x + yes > 1",
                "await x + yes > 1 do x = 1",
                "{ await x + yes > 1 do x = 1 }",
                "process p { await x + yes > 1 do x = 1 }",
                "/// Doc.\nprocess p { await x + yes > 1 do x = 1 }",
                &text.replace("$0", ""),
            ]
        );
    }

    #[test]
    fn what_stands_between_brackets_is_a_selection() {
        let pieces = shown("process p { skip  s$0kip }\n");
        assert_eq!(pieces[..3], ["skip", "skip  skip", "{ skip  skip }"]);
        let pieces = shown("use \"a/$0b.stb\"\n");
        assert_eq!(pieces[..3], ["a/b.stb", "\"a/b.stb\"", "use \"a/b.stb\""]);
    }

    #[test]
    fn a_place_between_lines_selects_what_is_around() {
        let pieces = shown("process p {\n    skip\n $0 \n    skip\n}\n");
        assert_eq!(pieces[0], "skip\n  \n    skip");
        assert_eq!(shown("$0"), [""]);
        assert_eq!(shown("  $0  "), ["    "]);
    }

    #[test]
    fn a_text_with_errors_has_selections_too() {
        let pieces = shown("process p { x = (1 + $0y\nprocess q { }\n");
        assert_eq!(pieces[..2], ["y", "1 + y"]);
    }

    #[test]
    fn what_is_nested_beyond_measure_is_not_told_in_full() {
        let text = format!("invariant i: {}$0x{}\n", "(".repeat(200), ")".repeat(200));
        let pieces = shown(&text);
        assert_eq!(pieces.len(), INNERMOST + OUTERMOST);
        assert_eq!(pieces[1], "(x)");
    }
}
