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

use std::ops::ControlFlow;

use stubborn_system::system::{Type, VariableRef};

use super::owners::owned;
use super::taken::taken;
use crate::packed::Packed;
use crate::packed::layout::{Cells, Slot};
use crate::runs::limits::Limited;
use crate::search::{Space, Stop};
use crate::seen::{Extent, Seen, SeenInstance, SeenVariable, Values, scalars};

/// So many states are looked at before somebody is asked whether to go on.
const AT_ONCE: u32 = 1 << 10;
/// Of so many scalars the values are kept, in the order of the System; each costs time in every state.
const MOST_SCALARS: usize = 1 << 12;

/// What the states of a search have. Costs time in proportion to their number, and little beside what
/// it took to find them; [which steps](super::taken) were taken may cost a part of that again, and is not told
/// where a limit is reached meanwhile. Breaks where one is reached before.
pub fn look_back(
    packed: &Packed<'_>,
    space: &Space,
    extent: Extent,
    limited: &Limited<'_>,
) -> ControlFlow<Stop, Seen> {
    let system = packed.system();
    let mut columns = Columns::default();
    let locations = packed.layout.locations.iter().zip(&system.instances);
    let mut counts: Vec<(Slot, Vec<u64>)> = locations
        .map(|(slot, instance)| (*slot, vec![0; instance.locations.len()]))
        .collect();
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
    let held = (columns.all.len() * size_of::<Column>()) as u64
        + counts
            .iter()
            .map(|(_, of)| of.len() as u64 * 8)
            .sum::<u64>();
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
        for (slot, counts) in &mut counts {
            for state in chunk.chunks_exact(packed.layout.words) {
                counts[state.raw(*slot) as usize] += 1;
            }
        }
        columns.look_at(chunk, packed.layout.words);
    }
    // Whether a step was taken somewhere is of use only where it says that others were not.
    let taken = match extent {
        Extent::Part => None,
        Extent::Local | Extent::Whole => taken(packed, space, limited).continue_value(),
    };
    let steps = |number: usize| match &taken {
        Some(taken) => taken[number].iter().copied().map(Some).collect(),
        None => vec![None; system.instances[number].steps.len()],
    };
    let mut instances = Vec::new();
    for (number, ((_, locations), locals)) in counts.into_iter().zip(locals).enumerate() {
        let locals = locals.into_iter();
        instances.push(Some(SeenInstance {
            locations: locations.into_iter().map(Some).collect(),
            locals: locals
                .map(|place| columns.values(place, extent >= Extent::Local))
                .collect(),
            steps: steps(number),
        }));
    }
    let shared = shared.into_iter().zip(is_owned);
    ControlFlow::Continue(Seen {
        extent,
        states: u64::from(space.len()),
        instances,
        variables: shared
            .map(|(place, is_whole)| columns.values(place, is_whole))
            .collect(),
    })
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
