//! What a search has seen, told from the states that it has kept: one pass over them once it is over, so
//! that the search itself costs no more and nothing is searched twice.
//!
//! # What follows from what was not seen
//!
//! Where every step was taken in every state that was found, these are all states, and what none of
//! them has never happens ([`Extent::Whole`]).
//!
//! Where steps were left out, the following holds, with the sets T(s) of D0 to D2 in A. Valmari, "Stop
//! It, and Be Stubborn!" (ACSD 2015). A set has whole instances for members: a step is in T(s) if one of
//! its participants is a member, and if it is enabled then all are (`related/needs.rs`). Let the *local
//! state* of an instance p be its location with the values of its own variables and of the shared scalars
//! that nobody else assigns to ([`owned`]): only steps change it that p takes part in. A step that fails is taken as one that changes nothing, as everywhere in the
//! reduction.
//!
//! *Claim*: if the model is AG EF terminating, or no step is ignored for ever, every local state of p that
//! some reachable state has is had by a state of the reduced space too ([`Extent::Local`]).
//!
//! Let s be a state of the reduced space from which t1 … tn leads to a state with the local state l
//! of p. If some ti is in T(s), take the first: D1 moves it to the front, and T(s) has all of its
//! participants for members, so that none of t1 … t(i-1) moves any of them. So each step of p is taken
//! from the local state from which it was taken before, and leads to the same one: p goes through the
//! same local states in the same order.
//!
//! - *AG EF terminating* (as the proof of Theorem 4): a terminal state can be reached after tn, so
//!   let t1 … tm lead to it, and p have l on the way. By D0 and D2 some ti is in T(s), else a step of
//!   T(s) would be enabled in the terminal state. It is taken in the reduced space, and m - 1 steps are
//!   left. In the end all have been taken there, those of p in their order, and p has had l.
//! - *No step ignored for ever* ([`ignoring`](crate::reduction::ignoring)): as long as no ti is in the
//!   set, each step u that the reduced space takes commutes with all of them by D1 and D2. If p takes part
//!   in u it is a member, so that no ti moves p, and p has l already. If not, u leaves l as it is,
//!   and t1 … tn leads from the next state, too, to one in which p has l. Let these steps lead into a
//!   terminal component, and there to a state in whose set t1 is, which stays enabled all the way: there
//!   is one, unless some ti was in a set before. That ti is taken, and fewer steps are left.
//!
//! Of other shared data no such thing holds: what several instances write in turn may have values in
//! orders of steps that were left out.
//!
//! # Where one state stands for all that permutations make of it
//!
//! What was said of the states of a search is said of those that it stands for ([`symmetry`](crate::symmetry)): each
//! reachable state is what some permutation makes of a state of the search, and where steps were left out the claim is
//! proved state by state in the graph of states with permutations. So with the states of the search all that permutations make
//! of what they have is looked at ([`Images`]). A location is counted in the states in which somebody is there whom
//! permutations move to the instance.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;
use stubborn_system::system::{Type, VariableRef};

use super::owners::owned;
use super::taken::taken;
use crate::packed::Packed;
use crate::packed::layout::{Cells, Slot};
use crate::runs::limits::Limited;
use crate::search::{Space, Stop};
use crate::seen::{Extent, Seen, SeenInstance, SeenVariable, Tests, Values, scalars};
use crate::symmetry::{Images, Orbits};

/// So many states are looked at before somebody is asked whether to go on.
const AT_ONCE: u32 = 1 << 10;
/// Of so many scalars the values are kept, in the order of the System; each costs time in every state.
const MOST_SCALARS: usize = 1 << 12;

/// What the states of a search have. Costs time in proportion to their number, and little beside what
/// it took to find them; [which steps](super::taken) were taken may cost a part of that again, and is not told
/// where a limit is reached meanwhile. Breaks where one is reached before. With `orbits` the states are canonical ones.
pub fn look_back(
    (packed, orbits): (&Packed<'_>, Option<&Orbits>),
    space: &Space,
    extent: Extent,
    limited: &Limited<'_>,
) -> ControlFlow<Stop, Seen> {
    let system = packed.system();
    let mut columns = Columns::default();
    let mut counts = Counts::new(packed, orbits);
    let mut shared = Vec::new();
    for (number, variable) in (0..).zip(&system.variables) {
        shared.push(columns.add(packed, VariableRef::Shared(number), &variable.ty));
    }
    let mut locals = Vec::new();
    for (instance, number) in system.instances.iter().zip(0..) {
        let of_instance = (0..).zip(&instance.locals);
        let of_instance = of_instance
            .map(|(local, v)| columns.add(packed, VariableRef::Local(number, local), &v.ty));
        locals.push(of_instance.collect::<Vec<_>>());
    }
    let held = (columns.all.len() * size_of::<Column>()) as u64 + counts.bytes();
    let mut images = orbits.map(|orbits| (Images::new(orbits), columns.of_slots()));
    let is_owned = match extent {
        Extent::Part => vec![false; shared.len()],
        Extent::Local => owned(system, shared.iter().map(Option::is_some)),
        Extent::Whole => vec![true; shared.len()],
    };
    let mut next = 0;
    while next < space.len() {
        limited.poll(held)?;
        let states = next..space.len().min(next + AT_ONCE);
        next = states.end;
        let chunk = space.words(states);
        counts.look_at(chunk, packed.layout.words);
        columns.look_at(chunk, packed.layout.words);
        if let Some((images, of_slots)) = &mut images {
            for state in chunk.chunks_exact(packed.layout.words) {
                images.look_at(state, &mut |slot, raw| {
                    if let Some(column) = of_slots.get(&slot) {
                        columns.all[*column].values.add(raw);
                    }
                });
            }
            limited.poll(held + images.bytes())?;
        }
    }
    drop(images);
    // Whether a step was taken somewhere is of use only where it says that others were not.
    let taken = match extent {
        Extent::Part => None,
        Extent::Local | Extent::Whole => {
            taken((packed, orbits), space, extent, limited).continue_value()
        }
    };
    let steps = |number: usize| match &taken {
        Some((taken, _)) => taken[number].iter().copied().map(Some).collect(),
        None => vec![None; system.instances[number].steps.len()],
    };
    let mut instances = Vec::new();
    for (number, (locations, locals)) in counts.all().into_iter().zip(locals).enumerate() {
        let locals = locals.into_iter();
        instances.push(Some(SeenInstance {
            locations: locations.into_iter().map(Some).collect(),
            locals: locals
                .map(|place| columns.values(place, extent >= Extent::Local))
                .collect(),
            steps: steps(number),
            branches: (taken.as_ref()).map_or_else(Tests::new, |(_, tests)| tests[number].clone()),
        }));
    }
    let shared = shared.into_iter().zip(is_owned);
    ControlFlow::Continue(Seen {
        extent,
        states: u64::from(space.len()),
        is_turned: orbits.is_some(),
        levels: space.layers.sizes(space.len()),
        instances,
        variables: shared
            .map(|(place, is_whole)| columns.values(place, is_whole))
            .collect(),
    })
}

/// In how many states instances are at their locations.
struct Counts {
    /// Of instances that are alike, those that permutations move to each other: where each of them is, and the counts.
    classes: Vec<(Vec<Slot>, Vec<Count>)>,
    /// The class of each instance.
    of: Vec<usize>,
    states: u64,
}

#[derive(Clone, Copy, Default)]
struct Count {
    states: u64,
    /// How many states were looked at when the last one was counted.
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

    /// Of each instance, by location.
    fn all(self) -> Vec<Vec<u64>> {
        let states = |count: &Count| count.states;
        let of_class = |class: &usize| self.classes[*class].1.iter().map(states).collect();
        self.of.iter().map(of_class).collect()
    }
}

/// A scalar in one state after the other.
struct Column {
    slot: Slot,
    values: Raw,
}

/// The values of a scalar as they are stored.
#[derive(Clone, Copy)]
enum Raw {
    Each { set: u64, all: u64 },
    Between { least: u64, greatest: u64 },
}

#[derive(Default)]
struct Columns {
    all: Vec<Column>,
    /// Those that may have values that were not seen yet.
    open: Vec<usize>,
}

impl Raw {
    fn add(&mut self, raw: u64) {
        match self {
            Raw::Each { set, .. } => *set |= 1 << raw,
            Raw::Between { least, greatest } => {
                *least = raw.min(*least);
                *greatest = raw.max(*greatest);
            }
        }
    }
}

impl Columns {
    /// Where the columns of a variable begin, and how many they are.
    fn add(
        &mut self,
        packed: &Packed<'_>,
        variable: VariableRef,
        ty: &Type,
    ) -> Option<(usize, usize)> {
        let (first, count) = (self.all.len(), scalars(ty));
        if count > MOST_SCALARS - first {
            return None;
        }
        let base = packed.layout.base(variable) as usize;
        let slots = packed.layout.slots[base..].iter();
        let ranges = &packed.layout.ranges[base..];
        for (slot, range) in slots.zip(ranges).take(count) {
            let greatest = range.hi.wrapping_sub(range.lo) as u64;
            let values = match greatest {
                0 => Raw::Each { set: 1, all: 1 },
                1..64 => Raw::Each {
                    set: 0,
                    all: u64::MAX >> (63 - greatest),
                },
                _ => Raw::Between {
                    least: u64::MAX,
                    greatest: 0,
                },
            };
            if greatest > 0 {
                self.open.push(self.all.len());
            }
            self.all.push(Column {
                slot: *slot,
                values,
            });
        }
        Some((first, count))
    }

    fn look_at(&mut self, chunk: &[u64], words: usize) {
        let Columns { all, open } = self;
        // One that has had every value that it can have need not be looked at any more.
        open.retain(|&column| {
            let Column { slot, values } = &mut all[column];
            let raws = chunk.chunks_exact(words).map(|state| state.raw(*slot));
            match values {
                Raw::Each { set, all } => {
                    *set |= raws.fold(0, |set, raw| set | 1 << raw);
                    set != all
                }
                Raw::Between { least, greatest } => {
                    for raw in raws {
                        *least = raw.min(*least);
                        *greatest = raw.max(*greatest);
                    }
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

    fn values(&self, place: Option<(usize, usize)>, is_whole: bool) -> Option<SeenVariable> {
        let (first, count) = place?;
        let values = self.all[first..first + count].iter().map(|column| {
            let value = |raw: u64| (raw as i64).wrapping_add(column.slot.lo);
            match column.values {
                Raw::Each { set, .. } => Values::Each {
                    lo: column.slot.lo,
                    set,
                },
                Raw::Between { least, greatest } => Values::Between {
                    least: value(least),
                    greatest: value(greatest),
                },
            }
        });
        Some(SeenVariable {
            values: values.collect(),
            is_whole,
        })
    }
}
