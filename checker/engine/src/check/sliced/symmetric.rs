//! Which properties of a group are searched apart because more permutations leave them as they are.
//!
//! What leaves all properties of a search as they are may be little where each speaks of another instance:
//! `access(0)` and `access(1)` together leave nobody to be swapped with. So those that all permutations leave as they
//! are go by themselves, and the others together or one by one, where these searches together are likely to take
//! less than one. How much each takes is told by what its permutations make of a sample of states ([`Sample`]).
//! Counts alone decide it, never the clock.

use stubborn_system::property::Property;

use super::groups::Group;
use super::relay::Relay;
use crate::options::{Options, Symmetry};
use crate::packed::Packed;
use crate::plan::stages::Stage;
use crate::search::Meter;
use crate::symmetry::Sample;
use crate::symmetry::permutations::permutations;

/// Of more properties that not all permutations leave as they are none is searched by itself.
const MOST_APART: usize = 32;
/// So many properties at most are asked what keeps them as they are.
const MOST_ASKED: usize = 4 * MOST_APART;
/// What several searches must save, since each begins anew: they may take so much in all, where one takes one.
const OF_ONE: f64 = 0.9;

/// The searches for what is open of a group, in their order.
pub fn split(
    open: &[usize],
    group: &Group,
    relay: &Relay<'_>,
    options: &Options,
    meter: &mut Meter<'_>,
) -> Vec<Group> {
    let of = |properties: Vec<usize>, stage| Group {
        properties,
        cone: group.cone.clone(),
        is_whole: group.is_whole,
        stage: Some(stage),
    };
    let searched = relay.slice.map_or(relay.system, |slice| &slice.system);
    let Ok(packed) = Packed::new(searched) else {
        return vec![of(open.to_vec(), Stage::Plain)];
    };
    let mut sample = Sample::of(&packed);
    // What a search takes of what one without permutations does.
    let mut share = |asked: &[Property]| {
        let goes_on = &mut || meter.prepare(0).is_continue();
        let orbits = permutations(&packed, asked, options, goes_on);
        let worth = orbits.and_then(|orbits| sample.worth(&packed, &orbits, goes_on));
        worth.map_or(1.0, |worth| match options.symmetry {
            Symmetry::Always => worth.share(),
            Symmetry::Auto | Symmetry::Off => worth.share().min(1.0),
        })
    };
    let all = share(&[]);
    let stage = match all < 1.0 || options.symmetry == Symmetry::Always {
        true => Stage::with_permutations(options),
        false => Stage::Plain,
    };
    let asked = open.iter().map(|number| relay.properties[*number].clone());
    let asked: Vec<Property> = asked
        .map(|property| {
            relay
                .slice
                .map_or(property.clone(), |slice| slice.property(&property))
        })
        .collect();
    if stage == Stage::Plain || open.len() < 2 {
        return vec![of(open.to_vec(), stage)];
    }
    let together = share(&asked);
    if together <= all {
        return vec![of(open.to_vec(), stage)];
    }
    let mut each: Vec<(usize, f64)> = Vec::new();
    let mut apart = 0;
    for (number, one) in open.iter().copied().zip(&asked) {
        // Of many properties most are not asked: they are searched together with those that are not kept.
        let of = match each.len() < MOST_ASKED && apart <= MOST_APART {
            true => share(std::slice::from_ref(one)),
            false => f64::INFINITY,
        };
        apart += usize::from(of > all);
        each.push((number, of));
    }
    let (keeping, others): (Vec<_>, Vec<_>) = each.into_iter().partition(|(_, of)| *of <= all);
    let of_keeping = if keeping.is_empty() { 0.0 } else { all };
    let of_others_apart: f64 = others.iter().map(|(_, of)| of).sum();
    let are_apart = others.len() <= MOST_APART && of_others_apart < together;
    let of_others = if are_apart { of_others_apart } else { together };
    if of_keeping + of_others > OF_ONE * together {
        return vec![of(open.to_vec(), stage)];
    }
    let numbers = |of: Vec<(usize, f64)>| of.into_iter().map(|(number, _)| number).collect();
    let others: Vec<Vec<usize>> = match are_apart {
        true => others.into_iter().map(|(number, _)| vec![number]).collect(),
        false => vec![numbers(others)],
    };
    let parts = [numbers(keeping)].into_iter().chain(others);
    let parts = parts.filter(|part: &Vec<usize>| !part.is_empty());
    parts.map(|part| of(part, stage)).collect()
}
