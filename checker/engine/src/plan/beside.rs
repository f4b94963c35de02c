//! Options of the searches that are made beside the plan of a check: each for one purpose.

use std::time::Instant;

use crate::options::{Limits, Options, Quick, Reduction, Search, Storage};

/// Most states of the probes for shallow violations.
const PROBES: [u64; 3] = [500, 5_000, 50_000];
/// Limit of a search whose verdict is not reported, as a multiple of the states of the check.
const MORE_STATES: u64 = 4;
/// Number of states that such a search may have beside any check.
pub const LEAST_STATES: u64 = 100_000;
/// Memory of a search for a drawing, in bytes, beside that of the checks.
const BYTES_OF_DRAWING: u64 = 512 << 20;

/// States of a search after which one for deep violations begins beside it. Most models have fewer.
const LARGE: u64 = 1 << 20;
/// Number of states of the large search, of one word each, for each state that the other one expands.
/// It is divided by the square of the number of words, as wide states take longer in any search.
const STATES_FOR_ONE: u64 = 512;
/// Maximum number of words by which it is divided.
const MOST_WORDS: u64 = 4;
/// Most states at a time, some milliseconds.
const AT_A_TIME: u64 = 512;
/// Bytes of a search for deep violations, which begins anew with more.
const BYTES_OF_DEEP: u64 = 256 << 20;

/// Share of a search for deep violations in the work of the search that it runs beside.
#[derive(Clone, Copy, Debug)]
pub struct DeepShare {
    states_for_one: u64,
    pub most_bytes: u64,
}

impl DeepShare {
    pub fn of(words: usize) -> DeepShare {
        let words = (words as u64).clamp(1, MOST_WORDS);
        DeepShare {
            states_for_one: STATES_FOR_ONE / (words * words),
            most_bytes: BYTES_OF_DEEP,
        }
    }

    /// States that are due after this many of the search, when `explored` are over.
    pub fn due(&self, states: u64, explored: u64) -> u64 {
        if states < LARGE {
            return 0;
        }
        let due = (states / self.states_for_one).saturating_sub(explored);
        due.min(AT_A_TIME)
    }
}

/// Searches for a shallow violation of one property beside a check that takes long, each with more
/// states. The first is plain: preparing a reduction takes longer than visiting so few states.
/// `tests/benchmarks/as_they_fall.sh`: violations within ten steps are reported after 0.4 s.
pub fn probes(options: &Options) -> impl Iterator<Item = Options> + use<> {
    let options = *options;
    PROBES.into_iter().map(move |states| {
        let limits = options.limits;
        Options {
            reduction: match states == PROBES[0] {
                true => Reduction::None,
                false => options.reduction,
            },
            limits: Limits {
                max_states: Some(limits.max_states.map_or(states, |most| most.min(states))),
                ..limits
            },
            ..options
        }
    })
}

/// A few rounds of [`Reduction::Sensitive`], which look for violations and prove nothing.
pub fn rounds(options: &Options, quick: Quick) -> Options {
    Options {
        reduction: Reduction::Sensitive,
        storage: Storage::Exact,
        quick: Some(quick),
        tells_seen: false,
        ..*options
    }
}

/// A search whose verdict is not reported, beside a check with this number of states: it may not
/// take much longer.
pub fn unreported(options: &Options, states: u64) -> Options {
    let most = states.saturating_mul(MORE_STATES).max(LEAST_STATES);
    let mut options = *options;
    let limit = options.limits.max_states;
    options.limits.max_states = Some(limit.map_or(most, |limit| limit.min(most)));
    options
}

/// A search that takes every step, for its coverage, beside a check with this number of states.
pub fn every_step(options: &Options, states: u64) -> Options {
    Options {
        reduction: Reduction::None,
        tells_seen: true,
        ..unreported(options, states)
    }
}

/// A search for a drawing: nothing is reduced, so that a run is a path in it.
pub fn drawing(most_states: u64, deadline: Instant) -> Options {
    Options {
        reduction: Reduction::None,
        keep_dead_variables: true,
        limits: Limits {
            max_states: Some(most_states),
            max_memory: Some(BYTES_OF_DRAWING),
            deadline: Some(deadline),
            ..Limits::default()
        },
        ..Options::default()
    }
}

/// A search for any maximal run from a state: depth first, which finds one without visiting all
/// states.
pub fn maximal_run() -> Options {
    Options {
        search: Search::Depth,
        ..Options::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_for_deep_violations_begins_beside_a_large_search_and_takes_a_small_part() {
        let share = DeepShare::of(1);
        assert_eq!(share.due(LARGE - 1, 0), 0);
        assert_eq!(share.due(LARGE, 0), AT_A_TIME);
        let due = LARGE / STATES_FOR_ONE;
        assert_eq!(share.due(LARGE, due), 0);
        assert_eq!(share.due(LARGE + 10 * STATES_FOR_ONE, due), 10);
    }

    #[test]
    fn the_first_probe_is_plain_and_none_exceeds_the_limit() {
        let limited = Options {
            limits: Limits {
                max_states: Some(2_000),
                ..Limits::default()
            },
            ..Options::default()
        };
        let planned =
            probes(&limited).map(|options| (options.reduction, options.limits.max_states));
        let planned: Vec<(Reduction, Option<u64>)> = planned.collect();
        let reduced = (Reduction::Stubborn, Some(2_000));
        assert_eq!(planned, [(Reduction::None, Some(500)), reduced, reduced]);
    }

    #[test]
    fn a_search_beside_a_check_has_some_multiple_of_its_states_within_the_limit() {
        let most = |limit: Option<u64>, states| {
            let mut options = Options::default();
            options.limits.max_states = limit;
            unreported(&options, states).limits.max_states
        };
        assert_eq!(most(None, 10), Some(LEAST_STATES));
        assert_eq!(most(None, 1_000_000), Some(4_000_000));
        assert_eq!(most(Some(50), 10), Some(50));
    }
}
