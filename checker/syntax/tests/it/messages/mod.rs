//! Every mistake has a message that says what is wrong, where, and what would mend it; and one
//! mistake has one message.
//!
//! A message is shown under its line, with its place (lines and columns from 1).

mod bodies;
mod declarations;
mod elsewhere;
mod expressions;
mod fairness;
mod parameters;

use expect_test::Expect;
use stubborn_syntax::{LineIndex, parse};

fn check(text: &str, expected: Expect) {
    let parse = parse(text);
    let lines = LineIndex::new(text);
    let mut shown = String::new();
    for error in &parse.errors {
        let start = lines.line_column(error.range.start());
        let end = lines.line_column(error.range.end());
        let source = lines.line_range(start.line - 1).map(|range| &text[range]);
        let width = (u32::from(error.range.len()) as usize).max(1);
        let width = if start.line == end.line { width } else { 1 };
        shown += &format!("{:<3} | {}\n", start.line, source.unwrap_or_default());
        let indent = " ".repeat(start.column as usize - 1);
        let mark = if error.range.is_empty() {
            "^".into()
        } else {
            "~".repeat(width)
        };
        shown += &format!("    | {indent}{mark} {}\n", error.message);
        if let Some(hint) = &error.hint {
            shown += &format!("    | {indent}{} {hint}\n", " ".repeat(width));
        }
    }
    expected.assert_eq(&shown);
}
