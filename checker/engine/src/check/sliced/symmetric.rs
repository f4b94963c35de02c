//! Which properties of a group are searched apart because more permutations leave them as they are.
//!
//! What leaves all properties of a search as they are may be little where each speaks of another instance:
//! `access(0)` and `access(1)` together leave nobody to be swapped with. A search that takes states for one that g
//! permutations make of each other has, at best, one state for g. So those that all permutations leave
//! as they are go by themselves, and the others together or one by one, where the sum of these
//! shares is less. Counts alone decide it, never the clock.

use stubborn_system::property::Property;
use stubborn_system::symmetry::Symmetry;
use stubborn_system::system::System;

use super::groups::Group;
use crate::options::Options;
use crate::search::Meter;

/// Of more properties that not all permutations leave as they are none is searched by itself.
const MOST_APART: usize = 32;
/// What several searches must save, since each begins anew: they may take so many states in all, of five for one search.
const OF_FIVE: f64 = 4.0;

/// The group, or the groups that it falls into.
pub fn split(
    group: Group,
    (system, properties, options): (&System, &[Property], &Options),
    meter: &mut Meter<'_>,
) -> Vec<Group> {
    if !options.permutes() || group.properties.len() < 2 {
        return vec![group];
    }
    let slice = (group.cone.as_ref())
        .and_then(|cone| group.slice(system, properties, cone, options, meter));
    let searched = slice.as_ref().map_or(system, |slice| &slice.system);
    let asked = group.properties.iter().map(|number| match &slice {
        Some(slice) => slice.property(&properties[*number]),
        None => properties[*number].clone(),
    });
    let asked: Vec<Property> = asked.collect();
    let goes_on = &mut || meter.prepare(0).is_continue();
    let mut permutations = |asked: &[Property]| {
        let symmetry = Symmetry::find(searched, asked, goes_on);
        symmetry.map_or(1.0, |symmetry| symmetry.permutations())
    };
    let all = permutations(&[]);
    let together = permutations(&asked);
    if all <= together {
        return vec![group];
    }
    let of_each: Vec<f64> = asked
        .iter()
        .map(|one| permutations(std::slice::from_ref(one)))
        .collect();
    let numbered = || group.properties.iter().copied().zip(&of_each);
    let keeping: Vec<usize> = numbered()
        .filter(|(_, of)| **of >= all)
        .map(|(number, _)| number)
        .collect();
    let others: Vec<usize> = numbered()
        .filter(|(_, of)| **of < all)
        .map(|(number, _)| number)
        .collect();
    let of_keeping = if keeping.is_empty() { 0.0 } else { 1.0 / all };
    let of_others_apart: f64 = of_each
        .iter()
        .filter(|of| **of < all)
        .map(|of| 1.0 / of)
        .sum();
    let are_few = others.len() <= MOST_APART;
    let of_others = match are_few {
        true => of_others_apart.min(1.0 / together),
        false => 1.0 / together,
    };
    if of_keeping + of_others > OF_FIVE / 5.0 / together {
        return vec![group];
    }
    let others: Vec<Vec<usize>> = match are_few && of_others_apart < 1.0 / together {
        true => others.into_iter().map(|one| vec![one]).collect(),
        false => vec![others],
    };
    let parts = [keeping]
        .into_iter()
        .chain(others)
        .filter(|part| !part.is_empty());
    parts
        .map(|properties| Group {
            properties,
            cone: group.cone.clone(),
            is_whole: group.is_whole,
        })
        .collect()
}
