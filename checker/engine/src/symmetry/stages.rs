//! Which permutations a search may use, and when it is asked for them.
//!
//! To find permutations takes longer than to search a small model, and to put states in canonical form longer
//! than to find them where hardly any are one. So properties are looked at in two stages: first a search as if nobody
//! had thought of permutations, of as many states as are soon found; and what it leaves open is asked for permutations.
//! What the first stage decides stays decided. Nothing else of it is used afterwards, and where a search is kept to
//! be gone on with it begins anew.

use std::borrow::Cow;

use stubborn_system::property::Property;
use stubborn_system::symmetry::Symmetry as Permutations;
use stubborn_system::system::System;

use super::{Orbits, Sample};
use crate::mutation::{Mutation, is_left_out};
use crate::options::{Limits, Options, Symmetry};
use crate::packed::Packed;
use crate::successors::Successors;
use crate::verdict::Reason;

/// A model of so many states is searched without permutations.
pub const FIRST_STATES: u64 = 1000;

/// What a search has to do with permutations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It goes on to [`FIRST_STATES`] without any, and leaves what is open then to another one.
    First,
    /// It uses those that it finds, where they pay.
    Turned,
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
            Symmetry::Always => Stage::Turned,
            Symmetry::Auto if has_like_instances(system) => Stage::First,
            Symmetry::Auto | Symmetry::Off => Stage::Plain,
        }
    }

    /// The limits of a search in this stage.
    pub fn limits(self, limits: Limits) -> Limits {
        match self {
            Stage::First => Limits {
                max_states: Some(limits.max_states.unwrap_or(u64::MAX).min(FIRST_STATES)),
                ..limits
            },
            Stage::Turned | Stage::Plain => limits,
        }
    }

    /// Whether a search that has ended so goes on in the next stage.
    pub fn is_over(self, reason: &Reason, limits: Limits) -> bool {
        let goes_on = limits.max_states.is_none_or(|most| most > FIRST_STATES);
        self == Stage::First && matches!(reason, Reason::States(_)) && goes_on
    }
}

/// What a search is known by that is kept: with permutations it goes through other states than without.
pub fn known_by(options: &Options, orbits: Option<&Orbits>) -> Options {
    Options {
        symmetry: match orbits {
            Some(_) => Symmetry::Always,
            None => Symmetry::Off,
        },
        ..*options
    }
}

/// Whether two instances may be alike. Instances of a process follow each other.
fn has_like_instances(system: &System) -> bool {
    let mut pairs = system.instances.windows(2);
    pairs.any(|pair| pair[0].process == pair[1].process)
}

/// What is to be mapped onto itself: all of a system.
fn proved(system: &System) -> Cow<'_, System> {
    let unproved = [
        Mutation::PermutedGuards,
        Mutation::PermutedEffects,
        Mutation::PermutedCommunication,
    ];
    if !unproved.into_iter().any(is_left_out) {
        return Cow::Borrowed(system);
    }
    let mut system = system.clone();
    for step in system.instances.iter_mut().flat_map(|one| &mut one.steps) {
        if is_left_out(Mutation::PermutedGuards) {
            step.guard = None;
        }
        if is_left_out(Mutation::PermutedEffects) {
            step.effects.clear();
        }
        if is_left_out(Mutation::PermutedCommunication) {
            step.communication = None;
        }
    }
    Cow::Owned(system)
}

/// The permutations that leave the steps and what is asked as they are, whether they pay or not; none where
/// `goes_on`, which is asked now and then, does not. Who wants to know what was seen wants to know it of states that can be
/// reached: they leave the initial state as it is then, and make of reachable states reachable ones alone.
pub fn permutations(
    packed: &Packed<'_>,
    system: &System,
    properties: &[Property],
    options: &Options,
    goes_on: &mut dyn FnMut() -> bool,
) -> Option<Orbits> {
    let permutations = Permutations::find(system, properties, goes_on)?;
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
    let properties = match is_left_out(Mutation::PermutedProperties) {
        true => &[],
        false => properties,
    };
    let system = &proved(packed.system());
    let orbits = permutations(packed, system, properties, options, goes_on)?;
    match options.symmetry {
        Symmetry::Always => Some(orbits),
        Symmetry::Auto => {
            let worth = Sample::of(packed).worth(packed, &orbits, goes_on)?;
            worth.pays().then_some(orbits)
        }
        Symmetry::Off => None,
    }
}
