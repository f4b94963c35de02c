//! The first place that distinguishes two instances of one process.
//!
//! An explanation, not a proof: permutations are found without it.

use super::Symmetry;
use super::blank;
use super::matching::Known;
use super::obstacle::{Reason, Site};
use super::renamed::{Moved, Swap};
use super::sorts::{NONE, Named, Node, Sorts, Use};
use super::swaps::{Generator, Trial};
use crate::property::{Property, with_bounds};
use crate::system::{InstanceId, StepId, System};

/// Two instances of one process that no permutation swaps, and the first obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Difference {
    pub instances: [InstanceId; 2],
    pub site: Site,
    pub reason: Reason,
}

impl Difference {
    /// Returns for each process some instances of which no permutation swaps the first two of
    /// these, with the first obstacle. `goes_on` is asked now and then.
    pub fn find(
        system: &System,
        properties: &[Property],
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Vec<Difference> {
        let pairs = unlike_pairs(system, properties, goes_on);
        if pairs.is_empty() || !goes_on() {
            return Vec::new();
        }
        let properties = &*with_bounds(system, properties);
        let mut sorts = Sorts::of(system, properties);
        sorts.join();
        let blank = blank::find(system, &sorts, properties);
        let Ok(known) = Known::of(system, &sorts, &blank) else {
            return Vec::new();
        };
        let Some(mut trial) = Trial::new(&known, properties) else {
            return Vec::new();
        };
        let pairs = pairs.into_iter();
        let found = pairs.map(|instances| {
            let used = of_pair(system, &sorts, &mut trial, instances);
            Difference {
                instances,
                site: used.site,
                reason: used.reason,
            }
        });
        found.collect()
    }
}

/// Of each process the first instance, and the first of the others that it is not moved to.
fn unlike_pairs(
    system: &System,
    properties: &[Property],
    goes_on: &mut dyn FnMut() -> bool,
) -> Vec<[InstanceId; 2]> {
    if properties.iter().any(Property::is_monitored) {
        return Vec::new();
    }
    let found = Symmetry::find(system, properties, goes_on);
    let is_moved_to = |one: InstanceId, other: InstanceId| {
        let family = |found: &Symmetry, at: InstanceId| found.instances[at as usize].family;
        (found.as_ref()).is_some_and(|found| family(found, one) == family(found, other))
    };
    let mut pairs = Vec::new();
    let instances: Vec<InstanceId> = (0..system.instances.len() as InstanceId).collect();
    let process = |at: &InstanceId| system.instances[*at as usize].process;
    for members in instances.chunk_by(|one, other| process(one) == process(other)) {
        let first = members[0];
        let other = members
            .iter()
            .find(|other| **other != first && !is_moved_to(first, **other));
        pairs.extend(other.map(|other| [first, *other]));
    }
    pairs
}

fn of_pair(
    system: &System,
    sorts: &Sorts,
    trial: &mut Trial<'_>,
    [one, other]: [InstanceId; 2],
) -> Use {
    let [steps, others] = [one, other].map(|at| &system.instances[at as usize].steps);
    if sorts.kind_of[one as usize] != sorts.kind_of[other as usize] {
        return Use::unlike(Site::Declarations);
    }
    if steps.len() != others.len() {
        let mut pairs = steps.iter().zip(others);
        let differ = pairs.position(|(step, other)| {
            step.target != other.target || step.effects.len() != other.effects.len()
        });
        let last = steps.len().min(others.len()).saturating_sub(1);
        return Use::unlike(Site::Step(one, differ.unwrap_or(last) as StepId));
    }
    let mut swapped: Option<(Node, i64, i64)> = None;
    for step in 0..steps.len() as StepId {
        let of = |at| constants_of(sorts, at, step);
        for (named, counterpart) in of(one).zip(of(other)) {
            if named.value == counterpart.value {
                continue;
            }
            match has_sort(sorts, named) {
                false => {
                    let used = why(sorts, named);
                    if used.reason != Reason::Other {
                        return used;
                    }
                }
                true => {
                    let root = sorts.root(named.node);
                    swapped = swapped.or(Some((root, named.value, counterpart.value)));
                }
            }
        }
    }
    let (first, second) = match swapped {
        Some((_, a, b)) => (a, b),
        // They are the same but for what names them by number.
        None => (i64::from(one), i64::from(other)),
    };
    let Some(site) = trial.obstacle(swapped, [one, other]) else {
        return Use::unlike(Site::Declarations);
    };
    let Site::Step(instance, step) = site else {
        return Use::unlike(site);
    };
    // A value that should be renamed has no sort, because of what is done with it elsewhere.
    let unsorted = constants_of(sorts, instance, step)
        .filter(|named| (named.value == first || named.value == second) && !has_sort(sorts, named))
        .map(|named| why(sorts, named))
        .find(|used| used.reason != Reason::Other);
    unsorted.unwrap_or(Use::unlike(site))
}

fn constants_of(sorts: &Sorts, instance: InstanceId, step: StepId) -> impl Iterator<Item = &Named> {
    let constants = sorts.constants[instance as usize].iter();
    constants.filter(move |named| named.used.site == Site::Step(instance, step))
}

fn has_sort(sorts: &Sorts, named: &Named) -> bool {
    sorts.root(named.node) != sorts.root(NONE)
}

/// Why a constant has no sort.
fn why(sorts: &Sorts, named: &Named) -> Use {
    match named.node {
        NONE => named.used,
        node => sorts.why_none(node).unwrap_or(named.used),
    }
}

impl Trial<'_> {
    /// Returns the first obstacle to a swap of two instances, and of the values that name them.
    fn obstacle(
        &mut self,
        values: Option<(Node, i64, i64)>,
        [one, other]: [InstanceId; 2],
    ) -> Option<Site> {
        self.site = Site::Declarations;
        let guessed = match values {
            Some((sort, a, b)) => self.swap_values(sort, a, b),
            None => self.swap_instances(&[(one, other)]),
        };
        if guessed.is_ok() {
            return None;
        }
        if self.site == Site::Declarations {
            // Where they go could not be guessed, or is not right: the others stay where they are.
            let count = self.known.system.instances.len() as u32;
            let mut instances: Vec<u32> = (0..count).collect();
            instances.swap(one as usize, other as usize);
            let channels = (0..self.known.system.channels.len() as u32).collect();
            let to = Generator {
                instances,
                channels,
            };
            let swap = Swap {
                values,
                instances: Moved::To(&to.instances),
                channels: Moved::To(&to.channels),
            };
            let _ = self.prove(&swap, &to);
        }
        Some(self.site)
    }
}
