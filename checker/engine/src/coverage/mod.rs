//! Coverage of a search, collected in one pass over the states that it has kept, so that the search
//! itself costs no more and no state is searched twice.
//!
//! # What follows from what was not seen
//!
//! If every step was taken in every state that was found, these are all states, and what none of
//! them has never happens ([`Extent::Whole`]).
//!
//! If steps were left out, the following holds, with the sets T(s) of D0 to D2 in A. Valmari, "Stop
//! It, and Be Stubborn!" (ACSD 2015). A set has whole instances for members: a step is in T(s) if
//! one of its participants is a member, and if it is enabled then all are (`related/needs.rs`). Let
//! the *local state* of an instance p be its location with the values of its own variables and of
//! the shared scalars that no other instance assigns to (`writers.rs`): only steps change it that p
//! takes part in. A step that fails is taken as one that changes nothing, as everywhere in the
//! reduction.
//!
//! *Claim*: if the model is AG EF terminating, or no step is ignored for ever, every local state of
//! p that some reachable state has is had by a state of the reduced space too ([`Extent::Local`]).
//!
//! Let s be a state of the reduced space from which t1 … tn leads to a state with the local state l
//! of p. If some ti is in T(s), take the first: D1 moves it to the front, and T(s) has all of its
//! participants for members, so that none of t1 … t(i-1) moves any of them. So each step of p is
//! taken from the local state from which it was taken before, and leads to the same one: p goes
//! through the same local states in the same order.
//!
//! - *AG EF terminating* (as the proof of Theorem 4): a terminal state can be reached after tn, so
//!   let t1 … tm lead to it, and p have l on the way. By D0 and D2 some ti is in T(s), else a step
//!   of T(s) would be enabled in the terminal state. It is taken in the reduced space, and m - 1
//!   steps are left. In the end all have been taken there, those of p in their order, and p has had
//!   l.
//! - *No step ignored for ever* ([`ignoring`](crate::reduction::ignoring)): as long as no ti is in
//!   the set, each step u that the reduced space takes commutes with all of them by D1 and D2. If p
//!   takes part in u it is a member, so that no ti moves p, and p has l already. If not, u leaves l
//!   as it is, and t1 … tn leads from the next state, too, to one in which p has l. Let these steps
//!   lead into a terminal component, and there to a state in whose set t1 is, which stays enabled
//!   all the way: there is one, unless some ti was in a set before. That ti is taken, and fewer
//!   steps are left.
//!
//! Of other shared data no such thing holds: variables that several instances assign to in turn may
//! have other values in orders of steps that were left out.
//!
//! # Symmetry
//!
//! With canonical states the coverage is that of the states that they stand for
//! ([`symmetry`](crate::symmetry)): each reachable state is what some permutation makes of a state
//! of the search, and if steps were left out the claim is proved state by state in the graph of
//! states with permutations. So all that permutations make of the states of the search is looked at
//! ([`Images`]). A location is counted in the states in which an instance is there that
//! permutations move to this one.

mod local_branches;
mod steps;
mod writers;

use std::ops::{ControlFlow, Range};

use rustc_hash::FxHashMap;
use stubborn_system::system::{InstanceId, Step, StepId, Type, VariableRef};
use stubborn_system::walk::tests;

pub use stubborn_space::coverage::*;

use self::local_branches::local_branches;
use self::steps::{AT_ONCE, taken};
use self::writers::Writers;
use crate::packed::Packed;
use crate::packed::layout::{Cells, Slot};
use crate::runs::limits::Limited;
use crate::search::{Space, Stop};
use crate::symmetry::{Images, Orbits};

/// Number of scalars whose values are kept, in the order of the System; each costs time in every
/// state.
const MOST_SCALARS: usize = 1 << 12;

/// Coverage of the states of a search; with `orbits` they are canonical ones. Costs time in
/// proportion to their number, and little beside the search itself; the steps (`steps.rs`) may
/// cost a part of that again, and stay unknown if a limit is reached meanwhile. Breaks if one is
/// reached before.
pub fn of_search(
    (packed, orbits): (&Packed<'_>, Option<&Orbits>),
    space: &Space,
    extent: Extent,
    limited: &Limited<'_>,
) -> ControlFlow<Stop, Coverage> {
    let system = packed.system();
    let mut columns = Columns::new(packed);
    let mut counts = Counts::new(packed, orbits);
    let held = (columns.all.len() * size_of::<Column>()) as u64 + counts.bytes();
    let mut images = orbits.map(|orbits| (Images::new(orbits), columns.of_slots()));
    let words = packed.layout.words;
    let mut next = 0;
    while next < space.len() {
        limited.poll(held)?;
        let states = next..space.len().min(next + AT_ONCE);
        next = states.end;
        let chunk = space.words(states);
        counts.look_at(chunk, words);
        columns.look_at(chunk, words);
        if let Some((images, of_slots)) = &mut images {
            for state in chunk.chunks_exact(words) {
                images.look_at(state, &mut |slot, raw| {
                    if let Some(column) = of_slots.get(&slot) {
                        columns.all[*column].values.add(raw, slot.lo);
                    }
                });
            }
            limited.poll(held + images.bytes())?;
        }
    }
    drop(images);
    let mut coverage = Coverage {
        extent,
        is_turned: orbits.is_some(),
        states: u64::from(space.len()),
        levels: space.layers.sizes(space.len()),
        ..Coverage::default()
    };
    let is_local = extent >= Extent::Local;
    let writers = is_local.then(|| Writers::of(system));
    // Which steps were taken is of use only if the others never are.
    let steps = writers.as_ref().and_then(|writers| {
        let asked = |who: InstanceId, step: &Step| match extent {
            Extent::Whole => vec![true; tests(&step.effects)],
            _ => local_branches(writers, who, step),
        };
        taken((packed, orbits), space, &asked, limited).continue_value()
    });
    for (instance, who) in system.instances.iter().zip(0..) {
        for (states, location) in counts.of(who).zip(0..) {
            coverage.note(
                Item::Location(who, location),
                is_local,
                Sight::States(states),
            );
        }
        for step in 0..instance.steps.len() as StepId {
            coverage.note(Item::Step(who, step), is_local, Sight::Unknown);
        }
    }
    for (item, taken) in steps.into_iter().flatten() {
        coverage.note(item, is_local, Sight::Taken(taken));
    }
    for (variable, place) in columns.variables {
        let is_whole = match (extent, variable) {
            (Extent::Local, VariableRef::Shared(_)) => {
                let writers = writers.as_ref();
                writers.is_some_and(|writers| writers.is_owned(variable))
            }
            (extent, _) => extent >= Extent::Local,
        };
        let values = columns.all[place].iter().map(|column| column.values);
        coverage.note(
            Item::Variable(variable),
            is_whole,
            Sight::Values(values.collect()),
        );
    }
    ControlFlow::Continue(coverage)
}

/// Number of states in which instances are at their locations.
struct Counts {
    /// Classes of instances that permutations move to each other: their locations, and the counts.
    classes: Vec<(Vec<Slot>, Vec<Count>)>,
    /// The class of each instance.
    of: Vec<usize>,
    states: u64,
}

#[derive(Clone, Copy, Default)]
struct Count {
    states: u64,
    /// Number of states that had been looked at when the last one was counted.
    last: u64,
}

impl Counts {
    fn new(packed: &Packed<'_>, orbits: Option<&Orbits>) -> Counts {
        let slots = &packed.layout.locations;
        let of = match orbits {
            Some(orbits) => orbits.classes(slots),
            None => (0..slots.len()).collect(),
        };
        let instances = packed.system().instances.iter();
        let mut classes: Vec<(Vec<Slot>, Vec<Count>)> = instances
            .map(|instance| (Vec::new(), vec![Count::default(); instance.locations.len()]))
            .collect();
        for (class, slot) in of.iter().zip(slots) {
            classes[*class].0.push(*slot);
        }
        Counts {
            classes,
            of,
            states: 0,
        }
    }

    fn bytes(&self) -> u64 {
        let counts = self.classes.iter().map(|(_, counts)| counts.len());
        (counts.sum::<usize>() * size_of::<Count>()) as u64
    }

    fn look_at(&mut self, chunk: &[u64], words: usize) {
        for (slots, counts) in &mut self.classes {
            for (state, number) in chunk.chunks_exact(words).zip(self.states + 1..) {
                for slot in slots.iter() {
                    let count = &mut counts[state.raw(*slot) as usize];
                    count.states += u64::from(count.last != number);
                    count.last = number;
                }
            }
        }
        self.states += (chunk.len() / words) as u64;
    }

    /// Of an instance, by location.
    fn of(&self, instance: InstanceId) -> impl Iterator<Item = u64> {
        let counts = &self.classes[self.of[instance as usize]].1;
        counts.iter().map(|count| count.states)
    }
}

/// A scalar in one state after the other.
struct Column {
    slot: Slot,
    values: Values,
    /// The set of all its values, if they are few.
    all: u64,
}

#[derive(Default)]
struct Columns {
    all: Vec<Column>,
    /// Columns that may have values that were not seen yet.
    open: Vec<usize>,
    /// Columns of each variable, as far as values are kept.
    variables: Vec<(VariableRef, Range<usize>)>,
}

impl Columns {
    fn new(packed: &Packed<'_>) -> Columns {
        let mut columns = Columns::default();
        let system = packed.system();
        for (number, variable) in (0..).zip(&system.variables) {
            columns.add(packed, VariableRef::Shared(number), &variable.ty);
        }
        for (who, instance) in (0..).zip(&system.instances) {
            for (number, variable) in (0..).zip(&instance.locals) {
                columns.add(packed, VariableRef::Local(who, number), &variable.ty);
            }
        }
        columns
    }

    fn add(&mut self, packed: &Packed<'_>, variable: VariableRef, ty: &Type) {
        let (first, count) = (self.all.len(), scalars(ty));
        if count > MOST_SCALARS - first {
            return;
        }
        self.variables.push((variable, first..first + count));
        let base = packed.layout.base(variable) as usize;
        let slots = packed.layout.slots[base..].iter();
        let ranges = &packed.layout.ranges[base..];
        for (slot, range) in slots.zip(ranges).take(count) {
            let greatest = range.hi.wrapping_sub(range.lo) as u64;
            if greatest > 0 {
                self.open.push(self.all.len());
            }
            self.all.push(Column {
                slot: *slot,
                values: match greatest {
                    0..64 => Values::Each {
                        lo: slot.lo,
                        set: u64::from(greatest == 0),
                    },
                    _ => Values::Between {
                        least: i64::MAX,
                        greatest: i64::MIN,
                    },
                },
                all: u64::MAX >> (63 - greatest.min(63)),
            });
        }
    }

    fn look_at(&mut self, chunk: &[u64], words: usize) {
        let Columns { all, open, .. } = self;
        // One that has had every value that it can have need not be looked at any more.
        open.retain(|&column| {
            let Column { slot, values, all } = &mut all[column];
            let raws = chunk.chunks_exact(words).map(|state| state.raw(*slot));
            match values {
                Values::Each { set, .. } => {
                    *set |= raws.fold(0, |set, raw| set | 1 << raw);
                    set != all
                }
                Values::Between { .. } => {
                    raws.for_each(|raw| values.add(raw, slot.lo));
                    true
                }
            }
        });
    }

    /// The columns by their slots, of those that have any bits.
    fn of_slots(&self) -> FxHashMap<Slot, usize> {
        let slots = self.all.iter().map(|column| column.slot).zip(0..);
        slots.filter(|(slot, _)| slot.mask != 0).collect()
    }
}
