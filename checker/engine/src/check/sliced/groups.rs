//! Groups of properties that share a search, and the slices that are searched for them.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use stubborn_system::property::Property;
use stubborn_system::slice::{Cone, Dependencies, Slice};
use stubborn_system::system::System;

use super::relay::Relay;
use crate::options::{Options, Symmetry};
use crate::packed::Packed;
use crate::pipeline::slice;
use crate::plan::groups::{Size, by_slices, by_symmetry};
use crate::plan::stages::Stage;
use crate::search::{Meter, Stop};
use crate::symmetry::Sample;
use crate::symmetry::permutations::permutations;

/// Properties that share a search.
pub struct Group {
    /// Ascending.
    pub properties: Vec<usize>,
    /// The part of the System that is searched; `None` for all of it as it is.
    pub cone: Option<Cone>,
    /// Whether the cone has everything that can change.
    pub is_whole: bool,
    /// The stage in which its search begins, if it is known.
    pub stage: Option<Stage>,
}

impl Group {
    /// Properties of the System as it is.
    pub fn whole(properties: Vec<usize>) -> Group {
        Group {
            properties,
            cone: None,
            is_whole: true,
            stage: None,
        }
    }

    /// Other properties with the same slice.
    pub fn of(&self, properties: Vec<usize>, stage: Option<Stage>) -> Group {
        Group {
            properties,
            cone: self.cone.clone(),
            is_whole: self.is_whole,
            stage,
        }
    }

    /// Returns the slice that is searched for the group, unless that is the whole System as it is.
    pub fn slice(
        &self,
        system: &System,
        properties: &[Property],
        cone: &Cone,
        options: &Options,
        meter: &mut Meter<'_>,
    ) -> Option<Slice> {
        let asked = self.properties.iter().map(|number| &properties[*number]);
        let how = (options, options.merges_steps());
        let slice = slice((system, cone), asked, how, meter);
        let is_changed = slice.is_simpler || !slice.dead.is_empty() || !slice.merged.is_empty();
        (!self.is_whole || is_changed).then_some(slice)
    }

    /// Returns the searches with permutations for properties of the group that are open, in their
    /// order. A sample of states shows the cost of each ([`Sample`]).
    pub fn by_symmetry(
        &self,
        open: &[usize],
        relay: &Relay<'_>,
        options: &Options,
        meter: &mut Meter<'_>,
    ) -> Vec<Group> {
        let Ok(packed) = Packed::new(relay.searched()) else {
            return vec![self.of(open.to_vec(), Some(Stage::Plain))];
        };
        let mut sample = Sample::of(&packed);
        let mut cost = |asked: &[usize]| {
            let asked = relay.within(relay.slice, asked);
            let goes_on = &mut || meter.prepare(0).is_continue();
            let orbits = permutations(&packed, &asked, options, goes_on);
            let worth = orbits.and_then(|orbits| sample.worth(&packed, &orbits, goes_on));
            worth.map_or(1.0, |worth| match options.symmetry {
                Symmetry::Always => worth.share(),
                Symmetry::Auto | Symmetry::Off => worth.share().min(1.0),
            })
        };
        let (stage, searches) = by_symmetry(open, options, &mut cost);
        let searches = searches.into_iter();
        searches
            .map(|properties| self.of(properties, Some(stage)))
            .collect()
    }
}

/// Puts each of the properties with these numbers into one group ([`by_slices`]). Small slices come
/// first.
///
/// Breaks if a limit is reached before all are found.
pub fn groups(
    system: &System,
    properties: &[Property],
    asked: &[usize],
    meter: &mut Meter<'_>,
) -> ControlFlow<Stop, Vec<Group>> {
    let dependencies = &Dependencies::within(system, &mut || meter.prepare(0))?;
    let size = |cone: &Cone| Size {
        bits: dependencies.bits(cone),
        instances: cone.instances().count(),
    };
    let numbered = asked.iter().map(|number| &properties[*number]);
    let all = dependencies.cone_within(numbered, &mut || meter.prepare(0))?;
    let mut held = all.bytes() as u64;
    let mut by_cone: HashMap<Cone, Vec<usize>> = HashMap::new();
    for &number in asked {
        let property = &properties[number];
        meter.prepare(held)?;
        if !property.needs_every_process() {
            let cone = dependencies.cone_within([property], &mut || meter.prepare(held))?;
            let bytes = cone.bytes() as u64;
            let alike = by_cone.entry(cone).or_default();
            if alike.is_empty() {
                held += bytes;
            }
            alike.push(number);
        }
    }
    let mut slices = Vec::new();
    for (cone, properties) in by_cone {
        meter.prepare(held)?;
        slices.push((size(&cone), properties, cone));
    }
    let mut groups = by_slices(size(&all), slices);
    let apart: HashSet<usize> = groups
        .iter()
        .flat_map(|(apart, _)| apart)
        .copied()
        .collect();
    let rest = asked.iter().copied().filter(|one| !apart.contains(one));
    let rest: Vec<usize> = rest.collect();
    if !rest.is_empty() {
        let searched = rest.iter().map(|property| &properties[*property]);
        let cone = dependencies.cone_within(searched, &mut || meter.prepare(held))?;
        groups.push((rest, cone));
    }
    let groups = groups.into_iter().map(|(properties, cone)| Group {
        properties,
        is_whole: dependencies.is_whole(&cone),
        cone: Some(cone),
        stage: None,
    });
    ControlFlow::Continue(groups.collect())
}
