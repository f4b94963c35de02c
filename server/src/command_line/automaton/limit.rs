//! The limit on the work of conversions.

use std::fmt::Display;

use stubborn_automata::NotMade;

/// The most elementary operations that all conversions of one command may take, some ten seconds'
/// worth.
pub(super) const MOST_WORK: u64 = 4_000_000_000;

/// Why something was not made; goes after a colon.
pub(super) fn told_of<Large: Display>(why: &NotMade<Large>) -> String {
    match why {
        NotMade::TooLarge(why) => why.to_string(),
        NotMade::Stopped => format!("it takes more than {MOST_WORK} steps to make it"),
    }
}
