//! Phrases that sentences are made of: numbers with their nouns, lists, and points of a run.

use stubborn_engine::Trace;

/// "at the start", "after 1 step", "after 9 steps".
pub fn after(steps: usize) -> String {
    match steps {
        0 => "at the start".to_owned(),
        steps => format!("after {}", counted(steps, "step")),
    }
}

/// "from the start", "after 1 step".
pub(super) fn from(steps: usize) -> String {
    match steps {
        0 => "from the start".to_owned(),
        steps => after(steps),
    }
}

pub(super) fn any_more(steps: usize) -> &'static str {
    if steps == 0 { "" } else { " any more" }
}

/// Cycle of a run: "after 2 steps a cycle of 3 steps can be gone round for ever".
pub(super) fn round(trace: &Trace) -> String {
    let (from, cycle) = (from(trace.steps().len()), trace.cycle().len());
    let cycle = counted(cycle, "step");
    format!("{from} a cycle of {cycle} can be gone round for ever")
}

/// "1 step", "9 steps", "1,200 steps".
pub fn counted(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        number => format!("{} {}", grouped(number as u64), plural(what)),
    }
}

pub(super) fn plural(noun: &str) -> String {
    let is_vowel = |letter: char| "aeiou".contains(letter);
    if let Some(stem) = noun.strip_suffix('y')
        && !stem.ends_with(is_vowel)
    {
        return format!("{stem}ies");
    }
    if ["s", "x", "z", "ch", "sh"]
        .iter()
        .any(|end| noun.ends_with(end))
    {
        return format!("{noun}es");
    }
    format!("{noun}s")
}

/// "a", "a and b", "a, b and c", "a, b and 5 more".
pub fn list(names: &[&str]) -> String {
    list_of(names, names.len())
}

/// Most elements of a list that are named.
pub const MOST_LISTED: usize = 4;

/// A [`list`] of `count` elements, of which at least the first [`MOST_LISTED`] are given.
pub fn list_of(names: &[&str], count: usize) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] if count <= MOST_LISTED => format!("{} and {last}", most.join(", ")),
        [first, second, ..] => format!("{first}, {second} and {} more", count - 2),
    }
}

/// `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_grouped() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }

    #[test]
    fn numbers_and_nouns_agree() {
        assert_eq!(counted(1, "step"), "1 step");
        assert_eq!(counted(9, "step"), "9 steps");
        assert_eq!(counted(1200, "step"), "1,200 steps");
        assert_eq!(counted(2, "property"), "2 properties");
        assert_eq!(plural("process"), "processes");
        assert_eq!(plural("relay"), "relays");
    }

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(list(&["a"]), "a");
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
        assert_eq!(list(&["a", "b", "c", "d", "e"]), "a, b and 3 more");
    }
}
