//! Texts in lines of a width, as columns need them.

use super::place::cut;

/// A statement may take so many lines.
const MOST_LINES: usize = 3;

/// A statement in lines of so many characters, cut where it takes very many; how a test has come out is never cut.
pub(super) fn lines_of((text, came): &(String, String), width: usize) -> Vec<String> {
    let most = (MOST_LINES * width).saturating_sub(came.len());
    broken(&format!("{}{came}", cut(text, most)), width)
}

/// A line that is too long in several, between words where that can be.
pub(super) fn broken(line: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut rest: Vec<char> = line.chars().collect();
    let width = width.max(1);
    while rest.len() > width {
        let blank = rest[..=width]
            .iter()
            .rposition(|c| *c == ' ')
            .filter(|at| *at > 0);
        let after = rest.split_off(blank.unwrap_or(width));
        lines.push(rest.into_iter().collect());
        rest = after
            .into_iter()
            .skip(usize::from(blank.is_some()))
            .collect();
    }
    lines.push(rest.into_iter().collect());
    lines
}

/// What a cell lacks of the width of its column.
pub(super) fn blanks(cell: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(length(cell)))
}

pub(super) fn length(text: &str) -> usize {
    text.chars().count()
}

/// Joins what changed with commas, in lines of at most `width` characters where that can be.
pub(super) fn wrap(changes: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (at, change) in changes.iter().enumerate() {
        let comma = if at + 1 < changes.len() { "," } else { "" };
        match lines.last_mut() {
            Some(line) if length(line) + 1 + length(change) + comma.len() <= width => {
                *line = format!("{line} {change}{comma}");
            }
            _ => lines.push(format!("{change}{comma}")),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_broken_between_words_and_a_long_word_anywhere() {
        assert_eq!(broken("one two three", 7), ["one two", "three"]);
        assert_eq!(broken("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(broken("", 3), [""]);
        let long = ("x ".repeat(100), ": no".to_owned());
        let lines = lines_of(&long, 10);
        assert_eq!(lines.len(), MOST_LINES);
        assert!(lines.concat().ends_with("…: no"), "{lines:?}");
    }
}
