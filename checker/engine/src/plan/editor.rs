//! Searches of a check in an editor: their options, their order, and rounds beside them.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::options::{Limits, Options, Quick, SMALL, Search};

/// Seconds of a search that is slow.
const SLOW: f64 = 0.1;
/// Time that a whole search has before a round begins beside it: it visits many violations by then,
/// and a round takes memory from it.
pub const HEAD_START: Duration = Duration::from_millis(5);
/// Rounds of a search for a violation of a property that took long before. One that goes depth
/// first finds in few states what a breadth-first search finds late.
const ROUNDS: u32 = 1;
/// Fraction of the states of the last whole search that a round may generate.
const PART_OF_FULL: u64 = 10;
/// Time for a shorter run than the first one of a round: the whole search finds the shortest.
const SHORTENING: Duration = Duration::from_millis(50);

/// Options of a check for which a user waits.
pub fn check(limits: Limits) -> Options {
    Options {
        limits,
        plain_first: SMALL,
        weighs_plain: true,
        ..Options::default()
    }
}

/// Returns the properties that are open in batches, each of which is one check. One search decides
/// all properties of states, as cheaply as one of them; a property with a monitor has a search of
/// its own.
///
/// Without a deadline properties with a monitor that are likely to be violated come before those of
/// states, which may never end. With one there is a single check, whose searches share the time:
/// properties of states come first, and all have had their [turn](super::turns) in a quarter of it.
pub fn batches(
    open: &[usize],
    has_deadline: bool,
    is_likely_beside_monitor: impl Fn(&usize) -> bool,
) -> Vec<Vec<usize>> {
    let (first, rest): (Vec<usize>, Vec<usize>) = open
        .iter()
        .partition(|property| is_likely_beside_monitor(property));
    let mut batches = match has_deadline {
        true => vec![[first, rest].concat()],
        false => vec![first, rest],
    };
    batches.retain(|batch| !batch.is_empty());
    batches
}

/// Returns the batches after one that a defect has ended: each property that it has not decided by
/// itself, since the property with the defect is not known.
pub fn after_defect(batch: &[usize], is_decided: impl Fn(&usize) -> bool) -> Vec<Vec<usize>> {
    let open = batch.iter().copied().filter(|one| !is_decided(one));
    match batch.len() {
        0 | 1 => Vec::new(),
        _ => open.map(|property| vec![property]).collect(),
    }
}

/// Returns the number of states of a whole search for a property, if rounds are worth running beside
/// the next one, by the figures of the last search.
pub fn slow_states(
    states: u64,
    seconds: f64,
    is_undecided: bool,
    is_of_round: bool,
) -> Option<u64> {
    match is_of_round {
        // The next round may have as many as this one.
        true => Some(states.saturating_mul(PART_OF_FULL)),
        false => (is_undecided || seconds > SLOW).then_some(states),
    }
}

/// Returns the properties that are open and slow, by the number of states of their last whole
/// search. Those that shared a search, and so have equally many, share rounds, so that these take a
/// part of what the searches took together.
pub fn sharing_rounds(
    open: &[usize],
    slow_states: impl Fn(&usize) -> Option<u64>,
) -> BTreeMap<u64, Vec<usize>> {
    let mut sharing: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for property in open {
        if let Some(states) = slow_states(property) {
            sharing.entry(states).or_default().push(*property);
        }
    }
    sharing
}

/// Rounds beside a whole search for properties whose last one had this number of states.
/// `tests/benchmarks/save_to_verdict.sh` shows how soon a violation is reported after a save.
pub fn rounds_beside(options: &Options, states: u64, now: Instant) -> (Options, Quick) {
    let quick = Quick {
        rounds: ROUNDS,
        states: states / PART_OF_FULL,
    };
    let mut options = *options;
    options.search = Search::Depth;
    options.limits.shortening = now.checked_add(SHORTENING);
    (options, quick)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likely_violations_beside_a_monitor_come_first_without_a_deadline() {
        let is_likely = |property: &usize| *property == 2;
        assert_eq!(batches(&[0, 1, 2], false, is_likely), [vec![2], vec![0, 1]]);
        assert_eq!(batches(&[0, 1, 2], true, is_likely), [vec![2, 0, 1]]);
        assert_eq!(batches(&[0, 1], false, is_likely), [vec![0, 1]]);
    }

    #[test]
    fn after_a_defect_each_open_property_is_checked_by_itself() {
        let is_decided = |property: &usize| *property == 4;
        assert_eq!(after_defect(&[3, 4, 5], is_decided), [vec![3], vec![5]]);
        assert!(after_defect(&[3], is_decided).is_empty());
    }

    #[test]
    fn a_round_may_generate_a_part_of_the_states_of_a_slow_search() {
        assert_eq!(slow_states(500, 0.01, false, false), None);
        assert_eq!(slow_states(500, 0.2, false, false), Some(500));
        assert_eq!(slow_states(500, 0.01, true, false), Some(500));
        let states = slow_states(500, 0.01, false, true).expect("it is slow");
        let (_, rounds) = rounds_beside(&Options::default(), states, Instant::now());
        assert_eq!((rounds.rounds, rounds.states), (1, 500));
    }

    #[test]
    fn properties_that_shared_a_search_share_rounds() {
        let states = [Some(70), Some(50), Some(70), None];
        let sharing = sharing_rounds(&[0, 1, 2, 3], |property| states[*property]);
        let sharing: Vec<(u64, Vec<usize>)> = sharing.into_iter().collect();
        assert_eq!(sharing, [(50, vec![1]), (70, vec![0, 2])]);
    }
}
