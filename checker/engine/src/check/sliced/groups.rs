//! Which properties are searched together.

use std::collections::HashMap;
use std::ops::ControlFlow;

use stubborn_system::property::Property;
use stubborn_system::slice::{Cone, Dependencies, Slice};
use stubborn_system::system::System;

use crate::options::Options;
use crate::pipeline::slice;
use crate::plan::stages::Stage;
use crate::search::{Meter, Stop};

/// Properties that share a search.
pub struct Group {
    /// Ascending.
    pub properties: Vec<usize>,
    /// What of the System is searched; `None` for all of it as it is.
    pub cone: Option<Cone>,
    /// Nothing that matters goes with that.
    pub is_whole: bool,
    /// Where its search begins, where that is known.
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

    /// What is searched for the group, unless that is the whole System as it is.
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
}

/// Puts each of the properties with these numbers into one group. Small slices come first.
///
/// One search for all is the rule. A property that can do without some instance, or some data, which
/// the others need is searched by itself or with its like, as long as all these searches together
/// are not likely to take more states than the one for all: the number of valuations, which bounds
/// the number of states, stands for it.
///
/// Breaks where a limit is reached before all are found.
pub fn groups(
    system: &System,
    properties: &[Property],
    asked: &[usize],
    meter: &mut Meter<'_>,
) -> ControlFlow<Stop, Vec<Group>> {
    let dependencies = &Dependencies::within(system, &mut || meter.prepare(0))?;
    let numbered = asked.iter().map(|number| &properties[*number]);
    let all = dependencies.cone_within(numbered, &mut || meter.prepare(0))?;
    let (bits_of_all, instances_of_all) = (dependencies.bits(&all), all.instances().count());
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
    let mut smaller: Vec<(f64, Vec<usize>, Cone)> = Vec::new();
    for (cone, properties) in by_cone {
        meter.prepare(held)?;
        let bits = dependencies.bits(&cone);
        if cone.instances().count() < instances_of_all || bits < bits_of_all {
            smaller.push((bits, properties, cone));
        }
    }
    smaller.sort_by(|(a, first, _), (b, other, _)| a.total_cmp(b).then(first.cmp(other)));
    let mut groups = Vec::new();
    let mut is_apart = vec![false; properties.len()];
    let mut share = 0.0;
    for (bits, apart, cone) in smaller {
        share += (bits - bits_of_all).exp2();
        if share > 1.0 {
            break;
        }
        apart.iter().for_each(|property| is_apart[*property] = true);
        groups.push(Group {
            properties: apart,
            is_whole: dependencies.is_whole(&cone),
            cone: Some(cone),
            stage: None,
        });
    }
    let rest = asked.iter().copied();
    let rest: Vec<usize> = rest.filter(|property| !is_apart[*property]).collect();
    if !rest.is_empty() {
        let searched = rest.iter().map(|property| &properties[*property]);
        let cone = dependencies.cone_within(searched, &mut || meter.prepare(held))?;
        groups.push(Group {
            properties: rest,
            is_whole: dependencies.is_whole(&cone),
            cone: Some(cone),
            stage: None,
        });
    }
    ControlFlow::Continue(groups)
}
