//! What the states of a monitor are marked as.

/// Which monitor state it is (A. Valmari, "On-the-fly verification with stubborn sets", CAV 1993,
/// Def. 3.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    pub reject: bool,
    pub deadlock: bool,
    pub livelock: bool,
    pub infinite: bool,
}

/// The words before `state`.
pub fn words(marks: Marks) -> String {
    let words = [
        (marks.reject, "reject "),
        (marks.deadlock, "deadlock "),
        (marks.livelock, "livelock "),
        (marks.infinite, "infinite "),
    ];
    words
        .iter()
        .filter(|(is, _)| *is)
        .map(|(_, w)| *w)
        .collect()
}

/// The same without one of the marks.
pub fn fewer(marks: Marks) -> Vec<Marks> {
    let without = [
        Marks {
            reject: false,
            ..marks
        },
        Marks {
            deadlock: false,
            ..marks
        },
        Marks {
            livelock: false,
            ..marks
        },
        Marks {
            infinite: false,
            ..marks
        },
    ];
    without.into_iter().filter(|less| *less != marks).collect()
}
