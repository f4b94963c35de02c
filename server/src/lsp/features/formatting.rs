//! Formatting a whole file.

use std::ops::Range;

use crate::database::{Contents, Db, SourceFile};

/// What to replace so that the file is formatted, or `None` where it is already, or cannot be: a
/// text with mistakes in its syntax is left as it is.
pub fn formatting(db: &dyn Db, file: SourceFile) -> Option<(Range<usize>, String)> {
    let Contents::Text(text) = file.contents(db) else {
        return None;
    };
    difference(text, &stubborn_syntax::format(text).ok()?)
}

/// The one piece of `old` that has to be replaced to make it `new`. What is equal before and after
/// it is left alone, so that cursors and marks there stay where they are.
fn difference(old: &str, new: &str) -> Option<(Range<usize>, String)> {
    if old == new {
        return None;
    }
    let before = old
        .chars()
        .zip(new.chars())
        .take_while(|(o, n)| o == n)
        .map(|(c, _)| c.len_utf8())
        .sum::<usize>();
    let (old_rest, new_rest) = (&old[before..], &new[before..]);
    let after = old_rest
        .chars()
        .rev()
        .zip(new_rest.chars().rev())
        .take_while(|(o, n)| o == n)
        .map(|(c, _)| c.len_utf8())
        .sum::<usize>();
    let replaced = before..old.len() - after;
    Some((replaced, new_rest[..new_rest.len() - after].to_owned()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_what_differs_is_replaced() {
        assert_eq!(difference("a  b c", "a b c"), Some((2..3, String::new())));
        assert_eq!(difference("same", "same"), None);
    }

    proptest! {
        #[test]
        fn replacing_the_difference_makes_the_new_text(old in "[aé𝔸]{0,6}", new in "[aé𝔸]{0,6}") {
            let mut text = old.clone();
            if let Some((range, with)) = difference(&old, &new) {
                text.replace_range(range, &with);
            }
            prop_assert_eq!(text, new);
        }
    }
}
