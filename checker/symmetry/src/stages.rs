//! Which permutations a search may use, and when it is asked for them.
//!
//! To find permutations takes longer than to search a small model, and to put states in canonical form longer
//! than to find them where hardly any are one. So properties are looked at in two stages: first a search as if nobody
//! had thought of permutations, of as many states as are soon found; and what it leaves open is asked for permutations.
//! What the first stage decides stays decided. Nothing else of it is used afterwards.
//!
//! That permutations pay is judged by a sample of all states. With stubborn sets they need not: which sets are found differs
//! from one canonical form to the next, so that more of the canonical forms may be left than there are states without
//! permutations. So such a search has trials: it may come to some tens of thousands of states, then one without
//! permutations to twice as many, then one with them to ten times as many, and so on. Whichever is the better
//! one is found for a small multiple of what it takes alone.

use stubborn_space::options::{Limits, Obstacle, Options, Symmetry};
use stubborn_space::packed::Packed;
use stubborn_space::successors::Successors;
use stubborn_space::verdict::{Permuted, Reason};
use stubborn_system::property::Property;
use stubborn_system::symmetry::Symmetry as Permutations;
use stubborn_system::system::System;

use super::{Orbits, Sample};

/// A model of so many states is searched without permutations.
const FIRST_STATES: u64 = 1000;
/// So many times as many states the first trial with permutations may have, and each later one ten times as many,
const TIMES_IN_TRIAL: u64 = 30;
/// and so many times as many the one without them that follows it.
const TIMES_WITHOUT: u64 = 2;
/// After so many trials those with permutations have all the states that the limits allow.
const MOST_TRIALS: u8 = 3;

/// What a search has to do with permutations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It goes on to [`FIRST_STATES`] or [`Options::first_states`] without any, and leaves what is open then to another one.
    First,
    /// It uses those that it finds, where they pay.
    Turned,
    /// The same in a trial with this number, from 0, which leaves what is open then to a search without any.
    Trial(u8),
    /// Without any after that trial; leaves what is open then to one with them.
    Without(u8),
    /// It uses none.
    Plain,
}

impl Stage {
    /// Where the search of a system begins.
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

    /// How a search with permutations begins.
    pub fn with_permutations(options: &Options) -> Stage {
        let is_tried = options.symmetry == Symmetry::Auto || options.first_states.is_some();
        match is_tried && options.reduction.leaves_out() {
            true => Stage::Trial(0),
            false => Stage::Turned,
        }
    }

    /// What is searched after it, where it has come to its end before all was decided; for the first stage that has to be
    /// found out.
    pub fn next(self) -> Option<Stage> {
        match self {
            Stage::Trial(number) => Some(Stage::Without(number)),
            Stage::Without(number) if number + 1 < MOST_TRIALS => Some(Stage::Trial(number + 1)),
            Stage::Without(_) => Some(Stage::Turned),
            Stage::First | Stage::Turned | Stage::Plain => None,
        }
    }

    /// Whether it uses permutations.
    pub fn turns(self) -> bool {
        matches!(self, Stage::Turned | Stage::Trial(_))
    }

    /// How many states it may have, where another stage follows.
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

    /// Whether a search that has ended so goes on in the next stage.
    ///
    /// What has ended one without permutations may be too little for it and enough for one with them, which has had
    /// no more than its trial: also a limit of the caller's, in states or in memory.
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

fn first_states(options: &Options) -> u64 {
    let asked = options.first_states.map(|states| states.get().into());
    asked.unwrap_or(FIRST_STATES)
}

/// What permutations did for a search of so many states that could use these. Where nobody would have asked for any
/// there is nothing to say of what keeps a search from them, which may lie in the property.
pub fn permuted(
    system: &System,
    options: &Options,
    orbits: Option<&Orbits>,
    (obstacle, states): (Option<Obstacle>, u64),
) -> Permuted {
    if let Some(orbits) = orbits {
        return Permuted::By(orbits.permutations());
    }
    let would_be_asked = match options.symmetry {
        Symmetry::Off => false,
        Symmetry::Auto => states > first_states(options),
        Symmetry::Always => states > options.first_states.map_or(0, |few| few.get().into()),
    };
    let obstacle = obstacle.or_else(|| options.obstacle());
    let told = obstacle.filter(|_| would_be_asked && has_like_instances(system));
    told.map_or(Permuted::No, Permuted::Not)
}

/// Whether two instances may be alike. Instances of a process follow each other.
fn has_like_instances(system: &System) -> bool {
    let mut pairs = system.instances.windows(2);
    pairs.any(|pair| pair[0].process == pair[1].process)
}

/// The permutations that leave the steps and what is asked as they are, whether they pay or not; none where
/// `goes_on`, which is asked now and then, does not. Who wants to know what was seen wants to know it of states that can be
/// reached: they leave the initial state as it is then, and make of reachable states reachable ones alone.
pub fn permutations(
    packed: &Packed<'_>,
    properties: &[Property],
    options: &Options,
    goes_on: &mut dyn FnMut() -> bool,
) -> Option<Orbits> {
    let permutations = Permutations::find(packed.system(), properties, goes_on)?;
    let orbits = Orbits::of(&permutations, packed)?;
    match options.tells_seen {
        true => orbits.keeping(&permutations, packed, packed.initial()),
        false => Some(orbits),
    }
}

/// Those where they pay.
pub fn orbits(
    packed: &Packed<'_>,
    properties: &[Property],
    options: &Options,
    goes_on: &mut dyn FnMut() -> bool,
) -> Option<Orbits> {
    let orbits = permutations(packed, properties, options, goes_on)?;
    match options.symmetry {
        Symmetry::Always => Some(orbits),
        Symmetry::Auto => {
            let worth = Sample::of(packed).worth(packed, &orbits, goes_on)?;
            worth.pays().then_some(orbits)
        }
        Symmetry::Off => None,
    }
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
            stage = now.next();
        }
        let trials = [30_000, 300_000, 3_000_000];
        let all = trials.map(|states| [(true, Some(states)), (false, Some(2 * states))]);
        let mut expected: Vec<(bool, Option<u64>)> = all.into_iter().flatten().collect();
        expected.push((true, None));
        assert_eq!(caps, expected);
    }

    #[test]
    fn whatever_ends_a_search_without_permutations_after_a_trial_leaves_it_to_another_with_them() {
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
    fn who_asks_for_permutations_or_leaves_nothing_out_has_no_trials() {
        let always = Options {
            symmetry: Symmetry::Always,
            ..Options::default()
        };
        let plain = Options {
            reduction: stubborn_space::options::Reduction::None,
            ..Options::default()
        };
        for options in [always, plain] {
            assert_eq!(Stage::with_permutations(&options), Stage::Turned);
        }
    }
}
