//! The permutations that a search may use, and a report of those that it used.

use stubborn_space::options::{Obstacle, Options, Symmetry};
use stubborn_space::packed::Packed;
use stubborn_space::plan::stages::{first_states, has_like_instances};
use stubborn_space::successors::Successors;
use stubborn_space::verdict::Permuted;
use stubborn_system::property::Property;
use stubborn_system::symmetry::Symmetry as Permutations;
use stubborn_system::system::System;

use super::{Orbits, Sample};

/// Describes the effect of permutations on a search with this number of states. An obstacle, which
/// may be in the property, is reported only if permutations would have been tried.
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

/// The permutations that leave the steps and what is asked as they are, whether they pay or not;
/// none where `goes_on`, which is asked now and then, does not. Who wants to know what was seen
/// wants to know it of states that can be reached: they leave the initial state as it is then, and
/// make of reachable states reachable ones alone.
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
