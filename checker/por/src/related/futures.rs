//! Steps that an instance may still take from each of its local states on, while others stand
//! still.

use std::ops::ControlFlow;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use stubborn_explorer::graph::components::for_each_component;
use stubborn_explorer::graph::{Edges, StateSet};
use stubborn_explorer::search::Stop;
use stubborn_system::system::InstanceId;

use super::local_states::{LocalStates, Part};
use super::vocabulary::{EventId, ViewId, Vocabulary};
use super::work::Work;

pub type FutureId = u32;

/// Sets of views, each with a number.
#[derive(Default)]
pub struct FutureSets {
    sets: IndexSet<Box<[u64]>, FxBuildHasher>,
}

impl FutureSets {
    pub fn find(&self, set: &[u64]) -> Option<FutureId> {
        let number = self.sets.get_index_of(set);
        number.map(|number| number as FutureId)
    }

    pub fn number(&mut self, set: &[u64]) -> FutureId {
        let known = self.find(set);
        known.unwrap_or_else(|| self.sets.insert_full(set.into()).0 as FutureId)
    }

    pub fn len(&self) -> usize {
        self.sets.len()
    }

    pub fn get(&self, future: FutureId) -> Future<'_> {
        Future(&self.sets[future as usize])
    }
}

/// Views: what an instance may still do.
#[derive(Clone, Copy)]
pub struct Future<'s>(&'s [u64]);

impl<'s> Future<'s> {
    #[inline]
    pub fn contains(self, view: ViewId) -> bool {
        self.0[view as usize / 64] >> (view % 64) & 1 != 0
    }

    pub fn views(self) -> impl Iterator<Item = ViewId> + 's {
        let words = self.0.iter().enumerate();
        words.flat_map(|(w, word)| {
            (0..64)
                .filter(move |bit| word >> bit & 1 != 0)
                .map(move |bit| (w * 64 + bit) as ViewId)
        })
    }

    pub fn is_subset(self, of: Future<'_>) -> bool {
        self.0.iter().zip(of.0).all(|(word, of)| word & !of == 0)
    }
}

/// The futures of one instance.
pub struct Futures {
    /// For each other instance, which of `of` holds while that one does not move; empty where it is
    /// always the first.
    kind: Vec<u32>,
    /// By local state.
    pub of: Vec<Vec<FutureId>>,
}

impl Futures {
    /// The views of the steps that instance `who` may take, now or later, in any run in which
    /// instance `p` takes no step, for each `p`. Where the two have no action in common it does not
    /// matter who stands still.
    pub fn of_instance(
        who: InstanceId,
        locals: &[LocalStates],
        vocabulary: &Vocabulary,
        views: usize,
        sets: &mut FutureSets,
        work: &mut Work<'_>,
    ) -> ControlFlow<Stop, Futures> {
        let own = &locals[who as usize];
        let events = &vocabulary.events;
        let mut partners: Vec<InstanceId> = Vec::new();
        for state in &own.states {
            for (event, _) in &state.offers {
                let participants = events[*event as usize].participants.iter();
                partners.extend(participants.filter(|p| **p != who));
            }
        }
        partners.sort_unstable();
        partners.dedup();
        let mut of = vec![reachable(own, views, sets, &|_| true, work)?];
        let mut kind = match partners.is_empty() {
            true => Vec::new(),
            false => vec![0; locals.len()],
        };
        for partner in partners {
            let happens = |part: &Part| {
                part.joint.is_none_or(|event: EventId| {
                    let participants = &events[event as usize].participants;
                    participants.binary_search(&partner).is_err()
                })
            };
            of.push(reachable(own, views, sets, &happens, work)?);
            kind[partner as usize] = of.len() as u32 - 1;
        }
        ControlFlow::Continue(Futures { kind, of })
    }

    /// Which of `of` holds while this instance does not move.
    #[inline]
    pub fn kind(&self, still: usize) -> usize {
        self.kind.get(still).map_or(0, |kind| *kind as usize)
    }
}

fn reachable(
    own: &LocalStates,
    views: usize,
    sets: &mut FutureSets,
    happens: &dyn Fn(&Part) -> bool,
    work: &mut Work<'_>,
) -> ControlFlow<Stop, Vec<FutureId>> {
    let words = views.div_ceil(64).max(1);
    let count = own.states.len();
    work.scalars(words * count)?;
    work.holds(words * count * 8);
    let mut future = vec![0u64; words * count];
    let mut edges = Edges::default();
    for (at, state) in own.states.iter().enumerate() {
        for part in state.parts.iter().filter(|part| happens(part)) {
            let view = part.view as usize;
            future[at * words + view / 64] |= 1 << (view % 64);
            for to in part.to.iter().filter(|to| **to as usize != at) {
                edges.push(*to);
            }
        }
        edges.end_state();
    }
    // States that lead to a local state may do later what it may do. The states of a component have
    // all in common; it comes after those that it leads to.
    let all = StateSet::all(edges.states());
    let mut common = vec![0u64; words];
    for_each_component(&edges, &all, &mut || work.scalars(words), |component| {
        common.fill(0);
        let mut add = |future: &[u64], state: u32| {
            let from = state as usize * words;
            let more = &future[from..from + words];
            common
                .iter_mut()
                .zip(more)
                .for_each(|(set, more)| *set |= more);
        };
        for &state in component {
            add(&future, state);
            edges.of(state).iter().for_each(|to| add(&future, *to));
        }
        for &state in component {
            let at = state as usize * words;
            future[at..at + words].copy_from_slice(&common);
        }
    })?;
    let numbers = future.chunks(words).map(|set| sets.number(set)).collect();
    work.gives_back(words * count * 8);
    ControlFlow::Continue(numbers)
}
