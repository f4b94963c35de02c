//! The stages of a search that may merge states by permutations.
//!
//! Finding permutations takes longer than searching a small model, and computing canonical states
//! takes longer than searching without them where few states are symmetric. So the first stage
//! ignores permutations and is capped at a small number of states; what it decides stays decided,
//! and only what it leaves open is searched with permutations.
//!
//! A sample of all states shows whether permutations pay. With stubborn sets they may not: the sets
//! differ from one canonical state to the next, so that more canonical states may be left than
//! there are states without permutations. Such a search has trials: first with permutations to some
//! tens of thousands of states, then without to twice as many, then with them to ten times as many,
//! and so on. The better one is found for a small multiple of its own cost.

use stubborn_system::system::System;

use crate::options::{Limits, Options, Symmetry};
use crate::verdict::Reason;

/// Models with at most this many states are searched without permutations.
const FIRST_STATES: u64 = 1000;
/// Factor of the first trial with permutations; each later one may have ten times as many states.
const TIMES_IN_TRIAL: u64 = 30;
/// Factor of the search without permutations that follows a trial.
const TIMES_WITHOUT: u64 = 2;
/// Number of trials; the search after them has all states that the limits allow.
const MOST_TRIALS: u8 = 3;

/// The use of permutations by a search, and how far it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// None, up to [`FIRST_STATES`] or [`Options::first_states`]; another stage decides the rest.
    First,
    /// All that are found, where they pay.
    Turned,
    /// The same in a trial with this number, from 0; a search without any decides the rest.
    Trial(u8),
    /// None, after that trial; a search with permutations decides the rest.
    Without(u8),
    /// None.
    Plain,
}

impl Stage {
    /// The first stage of a search of the system.
    pub fn of(system: &System, options: &Options) -> Stage {
        if !options.permutes() {
            return Stage::Plain;
        }
        match options.symmetry {
            Symmetry::Always if options.first_states.is_none() => Stage::Turned,
            Symmetry::Always => Stage::First,
            Symmetry::Auto if has_like_instances(system) => Stage::First,
            Symmetry::Auto | Symmetry::Off => Stage::Plain,
        }
    }

    /// The first stage that uses permutations.
    pub fn with_permutations(options: &Options) -> Stage {
        let is_tried = options.symmetry == Symmetry::Auto || options.first_states.is_some();
        match is_tried && options.reduction.leaves_out() {
            true => Stage::Trial(0),
            false => Stage::Turned,
        }
    }

    /// The stage after one that a limit has ended before everything was decided, if there is one.
    pub fn after(self, ended: Option<&Reason>, options: &Options) -> Option<Stage> {
        let is_over = ended.is_some_and(|reason| self.is_over(reason, options));
        is_over.then(|| self.next(options)).flatten()
    }

    /// The stage after one that has left something open.
    pub fn next(self, options: &Options) -> Option<Stage> {
        match self {
            Stage::First => Some(Stage::with_permutations(options)),
            Stage::Trial(number) => Some(Stage::Without(number)),
            Stage::Without(number) if number + 1 < MOST_TRIALS => Some(Stage::Trial(number + 1)),
            Stage::Without(_) => Some(Stage::Turned),
            Stage::Turned | Stage::Plain => None,
        }
    }

    /// Whether it uses permutations.
    pub fn turns(self) -> bool {
        matches!(self, Stage::Turned | Stage::Trial(_))
    }

    /// The most states that it may visit, where another stage follows.
    pub fn cap(self, options: &Options) -> Option<u64> {
        let first = first_states(options);
        let trial = |number: u8| TIMES_IN_TRIAL * first * 10_u64.pow(u32::from(number));
        match self {
            Stage::First => Some(first),
            Stage::Trial(number) => Some(trial(number)),
            Stage::Without(number) => Some(TIMES_WITHOUT * trial(number)),
            Stage::Turned | Stage::Plain => None,
        }
    }

    /// The limits of a search in this stage.
    pub fn limits(self, options: &Options) -> Limits {
        let limits = options.limits;
        match self.cap(options) {
            Some(cap) => Limits {
                max_states: Some(limits.max_states.unwrap_or(u64::MAX).min(cap)),
                ..limits
            },
            None => limits,
        }
    }

    /// Whether a search that this limit has ended goes on in the next stage.
    ///
    /// A limit of the caller, on states or memory, may end a search without permutations that one
    /// with them, which has had no more than its trial, stays below.
    pub fn is_over(self, reason: &Reason, options: &Options) -> bool {
        match (self, self.cap(options), reason) {
            (Stage::Without(_), _, Reason::States(_)) => true,
            (Stage::First | Stage::Without(_), _, Reason::Memory(_)) => true,
            (_, Some(cap), Reason::States(_)) => {
                options.limits.max_states.is_none_or(|most| most > cap)
            }
            _ => false,
        }
    }
}

/// The most states that are searched before permutations are.
pub fn first_states(options: &Options) -> u64 {
    let asked = options.first_states.map(|states| states.get().into());
    asked.unwrap_or(FIRST_STATES)
}

/// Whether two instances may be alike. Instances of a process follow each other.
pub fn has_like_instances(system: &System) -> bool {
    let mut pairs = system.instances.windows(2);
    pairs.any(|pair| pair[0].process == pair[1].process)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_trial_is_followed_by_a_search_without_permutations() {
        let options = &Options::default();
        let mut stage = Some(Stage::with_permutations(options));
        let mut caps = Vec::new();
        while let Some(now) = stage {
            caps.push((now.turns(), now.cap(options)));
            stage = now.next(options);
        }
        let trials = [30_000, 300_000, 3_000_000];
        let all = trials.map(|states| [(true, Some(states)), (false, Some(2 * states))]);
        let mut expected: Vec<(bool, Option<u64>)> = all.into_iter().flatten().collect();
        expected.push((true, None));
        assert_eq!(caps, expected);
    }

    #[test]
    fn the_end_of_a_search_without_permutations_after_a_trial_begins_one_with_them() {
        let options = Options {
            limits: Limits {
                max_states: Some(40_000),
                ..Limits::default()
            },
            ..Options::default()
        };
        let is_over = |stage: Stage, reason| stage.is_over(&reason, &options);
        assert!(is_over(Stage::Trial(0), Reason::States(30_000)));
        assert!(is_over(Stage::Without(0), Reason::States(40_000)));
        assert!(is_over(Stage::Without(0), Reason::Memory(1)));
        assert!(is_over(Stage::First, Reason::Memory(1)));
        assert!(!is_over(Stage::First, Reason::Time));
        assert!(!is_over(Stage::Without(0), Reason::Time));
        assert!(!is_over(Stage::Trial(1), Reason::States(40_000)));
        assert!(!is_over(Stage::Trial(1), Reason::Memory(1)));
    }

    #[test]
    fn forced_permutations_and_plain_searches_have_no_trials() {
        let always = Options {
            symmetry: Symmetry::Always,
            ..Options::default()
        };
        let plain = Options {
            reduction: crate::options::Reduction::None,
            ..Options::default()
        };
        for options in [always, plain] {
            assert_eq!(Stage::with_permutations(&options), Stage::Turned);
        }
    }
}
