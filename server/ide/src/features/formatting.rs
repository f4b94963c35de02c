//! Formatting: a whole file, the declarations and statements that a range touches, and the line that
//! is being typed.
//!
//! The formatter changes white space alone, so what is to be replaced is white space between two
//! tokens, and everything else stays as it is, with the cursors and marks in it.

use std::ops::Range;

use stubborn_syntax::ast::{self, AstNode};
use stubborn_syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextSize, indentation, lexer};

use crate::database::{Contents, Db, SourceFile, is_to_end, parsed};

/// What is to be written in the place of a piece of a text.
pub type Edit = (Range<usize>, String);

/// What to replace so that the file is formatted, in the order of the text: of a text with mistakes in
/// its syntax, nothing. `None` where there is no text.
pub fn formatting(db: &dyn Db, file: SourceFile) -> Option<Vec<Edit>> {
    match file.contents(db) {
        Contents::Text(text) => Some(whole(db, text).unwrap_or_default()),
        Contents::Unread | Contents::Missing | Contents::Refused(_) => None,
    }
}

/// What to replace so that the declarations, statements and steps that `range` touches are formatted:
/// as in the whole file, or, where that has mistakes elsewhere, the declarations by themselves.
pub fn range_formatting(db: &dyn Db, file: SourceFile, range: &Range<usize>) -> Vec<Edit> {
    let (Contents::Text(text), Some(parsed)) = (file.contents(db), parsed(db, file)) else {
        return Vec::new();
    };
    let root = parsed.parse.syntax();
    if let Some(edits) = whole(db, text) {
        let touched = touched(&root, range, is_unit);
        let is_touched = |(gap, _): &Edit| {
            let touches = |unit: &Range<usize>| unit.start <= gap.end && gap.end <= unit.end;
            touched.as_ref().is_some_and(touches)
        };
        return edits.into_iter().filter(is_touched).collect();
    }
    let Some(items) = touched(&root, range, ast::Item::can_cast) else {
        return Vec::new();
    };
    let declarations = text.get(items.clone());
    let Some(edits) = declarations.and_then(|text| whole(db, text)) else {
        return Vec::new();
    };
    let moved = edits.into_iter().filter_map(|(gap, text)| {
        let gap = gap.start + items.start..gap.end + items.start;
        // What is behind the last of them is not asked for.
        (gap.start < items.end).then_some((gap, text))
    });
    moved.collect()
}

/// What to replace after a line end or a `}` was typed, the cursor being at `offset` now.
pub fn on_type_formatting(
    db: &dyn Db,
    file: SourceFile,
    offset: usize,
    typed: char,
) -> Option<Edit> {
    let Contents::Text(text) = file.contents(db) else {
        return None;
    };
    let before = text.get(..offset)?;
    let line = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    // A brace on a line with something else is where its author wants it.
    if typed == '}' && before.get(line..)?.trim_start() != "}" {
        return None;
    }
    let white = |c: char| matches!(c, ' ' | '\t');
    let rest = text.get(line..)?;
    let old = &rest[..rest.len() - rest.trim_start_matches(white).len()];
    let new = " ".repeat(indentation(text, line)?);
    (old != new).then(|| (line..line + old.len(), new))
}

/// What to replace in a text so that it is formatted; `None` where it has mistakes in its syntax.
fn whole(db: &dyn Db, text: &str) -> Option<Vec<Edit>> {
    let formatted = stubborn_syntax::format_within(text, &|| is_to_end(db)).ok()?;
    Some(differences(text, &formatted))
}

/// Whether a node is formatted as a whole.
fn is_unit(kind: SyntaxKind) -> bool {
    ast::Item::can_cast(kind) || ast::BodyItem::can_cast(kind)
}

/// The piece of the text from the first to the last node of some kinds that a range touches, of such
/// nodes within each other the innermost; from the beginning of its line, if nothing stands before it
/// there.
fn touched(
    root: &SyntaxNode,
    range: &Range<usize>,
    is_wanted: fn(SyntaxKind) -> bool,
) -> Option<Range<usize>> {
    let end = usize::from(root.text_range().end());
    let size = |offset: usize| TextSize::try_from(offset.min(end)).ok();
    let first = root.token_at_offset(size(range.start)?).right_biased();
    let last = root.token_at_offset(size(range.end)?).left_biased();
    let is_there = |token: &SyntaxToken| !token.kind().is_trivia();
    let first = std::iter::successors(first, SyntaxToken::next_token).find(is_there)?;
    let last = std::iter::successors(last, SyntaxToken::prev_token).find(is_there)?;
    if first.text_range().start() > last.text_range().start() {
        // Between two tokens: of something that has both, or of nothing.
        let mut around = first.parent_ancestors();
        let unit = around.find(|node| is_wanted(node.kind()))?.text_range();
        let has_both = unit.contains_range(last.text_range());
        return has_both.then(|| unit.into());
    }
    let around = |token: &SyntaxToken| {
        let mut around = token.parent_ancestors();
        let unit = around.find(|node| is_wanted(node.kind()));
        unit.map_or(token.text_range(), |unit| unit.text_range())
    };
    let (first, last) = (around(&first), around(&last));
    let start = first.start().min(last.start());
    Some(start.into()..first.end().max(last.end()).into())
}

/// The pieces of white space of `old` that have to be replaced to make it `new`, which has the same
/// tokens and comments.
fn differences(old: &str, new: &str) -> Vec<Edit> {
    let (old_tokens, new_tokens) = (places(old), places(new));
    let same = old_tokens.len() == new_tokens.len()
        && old_tokens
            .iter()
            .zip(&new_tokens)
            .all(|(o, n)| old[o.clone()] == new[n.clone()]);
    if !same {
        // It would be a defect of the formatter; a text is never lost to one.
        return Vec::new();
    }
    let ends = (old.len()..old.len(), new.len()..new.len());
    let both = old_tokens.into_iter().zip(new_tokens).chain([ends]);
    let (mut edits, mut old_end, mut new_end) = (Vec::new(), 0, 0);
    for (o, n) in both {
        let (gap, space) = (old_end..o.start, &new[new_end..n.start]);
        (old_end, new_end) = (o.end, n.end);
        if old[gap.clone()] != *space {
            edits.push(smallest(old, gap, space));
        }
    }
    edits
}

/// Where the tokens and the comments of a text stand, without the white space at their ends.
fn places(text: &str) -> Vec<Range<usize>> {
    let tokens = lexer::lex(text).0.into_iter();
    let tokens = tokens.filter(|token| token.kind != SyntaxKind::WHITESPACE);
    let places = tokens.map(|token| {
        let range = Range::<usize>::from(token.range);
        let written = text[range.clone()].trim_end();
        range.start..range.start + written.len()
    });
    places.collect()
}

/// The same edit without what is equal at its ends. A line end of two characters is not cut in two.
fn smallest(text: &str, gap: Range<usize>, space: &str) -> Edit {
    let old = &text[gap.clone()];
    if old.contains('\r') {
        return (gap, space.to_owned());
    }
    let same = |(o, n): &(u8, u8)| o == n;
    let before = old.bytes().zip(space.bytes()).take_while(same).count();
    let (old, space) = (&old[before..], &space[before..]);
    let after = old.bytes().rev().zip(space.bytes().rev());
    let after = after.take_while(same).count();
    let replaced = gap.start + before..gap.end - after;
    (replaced, space[..space.len() - after].to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::fixture::{cursor, file};
    use super::*;

    fn applied(text: &str, edits: &[Edit]) -> String {
        let mut text = text.to_owned();
        for (range, with) in edits.iter().rev() {
            text.replace_range(range.clone(), with);
        }
        text
    }

    const MESSY: &str = "var   x:0..3 // one\nprocess p{\nx=1 // two\n  loop {\nx  = 2\n    x   = 3 } }\nvar y  :bool";

    #[test]
    fn only_white_space_is_replaced() {
        let (db, file) = file(MESSY);
        let edits = formatting(&db, file).expect("a text");
        assert!(
            edits
                .iter()
                .all(|(range, _)| MESSY[range.clone()].trim().is_empty())
        );
        let formatted = stubborn_syntax::format(MESSY).expect("no mistakes");
        assert_eq!(applied(MESSY, &edits), formatted);
    }

    #[test]
    fn the_mark_at_the_beginning_of_a_file_stays() {
        let text = "\u{FEFF}  var x:bool\r\n\r\n\r\n\r\nvar y:bool // end  \r\n";
        let (db, file) = file(text);
        let formatted = applied(text, &formatting(&db, file).expect("a text"));
        assert_eq!(
            formatted,
            "\u{FEFF}var x: bool\r\n\r\nvar y: bool  // end\r\n"
        );
    }

    /// The text after the range between the two `$0` was formatted.
    fn ranged(marked: &str) -> String {
        let (text, start) = cursor(marked);
        let (text, end) = cursor(&text);
        let (db, file) = file(&text);
        applied(&text, &range_formatting(&db, file, &(start..end)))
    }

    #[test]
    fn a_range_formats_the_statements_that_it_touches() {
        let text = "process p {\n  x  = 1\n  x $0 = 2$0\n  x  = 3\n}\nvar   x:0..3\n";
        let formatted = "process p {\n  x  = 1\n    x = 2\n  x  = 3\n}\nvar   x:0..3\n";
        assert_eq!(ranged(text), formatted);
        let text = "var  a:bool\nvar  b$0:bool\nvar  $0c:bool\nvar  d:bool\n";
        let formatted = "var  a:bool\nvar b: bool\nvar c: bool\nvar  d:bool\n";
        assert_eq!(ranged(text), formatted);
    }

    #[test]
    fn a_range_that_touches_nothing_formats_nothing() {
        let text = "var  a:bool\n$0  \n$0\nvar  b:bool\n";
        assert_eq!(ranged(text), text.replace("$0", ""));
    }

    #[test]
    fn where_there_are_mistakes_elsewhere_declarations_are_formatted_by_themselves() {
        let text = "var x: \nprocess p{\n$0x  = 1$0 }\nvar  y:bool\n";
        let formatted = "var x: \nprocess p {\n    x = 1\n}\nvar  y:bool\n";
        assert_eq!(ranged(text), formatted);
        let text = "process p{\n$0x  = $0 }\nvar  y:bool\n";
        assert_eq!(ranged(text), text.replace("$0", ""));
    }

    /// The text after the character before the `$0` was typed.
    fn typed(marked: &str, c: char) -> String {
        let (text, at) = cursor(marked);
        let (db, file) = file(&text);
        let edits: Vec<Edit> = on_type_formatting(&db, file, at, c).into_iter().collect();
        applied(&text, &edits)
    }

    #[test]
    fn a_new_line_is_indented_and_so_is_a_brace_that_closes() {
        assert_eq!(typed("process p {\n$0", '\n'), "process p {\n    ");
        assert_eq!(
            typed("process p {\n  on \n$0\n}", '\n'),
            "process p {\n  on \n      \n}"
        );
        assert_eq!(
            typed("process p {\n    skip\n    }$0", '}'),
            "process p {\n    skip\n}"
        );
        assert_eq!(typed("process p { skip }$0", '}'), "process p { skip }");
    }

    #[test]
    fn no_place_of_a_broken_text_is_a_surprise() {
        let text = "/* é */ process p { \"é\n initial state s {\r\n on a(\n} } }\n}\n'é";
        for at in 0..=text.len() + 1 {
            let (db, file) = file(text);
            for typed in ['}', '\n'] {
                on_type_formatting(&db, file, at, typed);
            }
            range_formatting(&db, file, &(at..at + 3));
        }
    }

    const TEXTS: [&str; 2] = [MESSY, include_str!("../../../../examples/peterson.stb")];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn a_range_that_was_formatted_stays_as_it_is(which in 0..2usize, from in 0.0..1.0f64, to in 0.0..1.0f64) {
            let messy = TEXTS[which].replace("    ", " ").replace(" = ", "=").replace("->", " ->  ");
            let at = |part: f64| (0..=(part * messy.len() as f64) as usize).rev().find(|at| messy.is_char_boundary(*at)).unwrap_or(0);
            let (from, to) = (at(from.min(to)), at(from.max(to)));
            let (db, one) = file(&messy);
            let once = applied(&messy, &range_formatting(&db, one, &(from..to)));
            let squeezed = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(squeezed(&once), squeezed(&messy));
            let all = stubborn_syntax::format(&messy).expect("no mistakes");
            prop_assert_eq!(stubborn_syntax::format(&once), Ok(all));
        }
    }
}
