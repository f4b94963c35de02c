//! What local states have in common as far as needs go, and whose literals they depend on: of what a state's
//! [row](super::outlook) is made.

use rustc_hash::FxHashMap;

use super::enabling::{Enabling, Lacking, Wanted};
use super::forest::{OutcomeId, Tree};
use super::futures::{FutureId, Futures};
use super::local_states::{LocalState, LocalStates};
use super::vocabulary::{EventId, ViewId, Vocabulary};

/// Where there are more literals in a row, it takes as long as what it saves.
const MOST_LITERALS: usize = 512;

/// By which numbers states are told apart, as far as it matters.
pub struct Outlooks {
    /// By instance and local state.
    pub classes: Vec<Vec<u32>>,
    /// By view, the literals that may have to become true for a step with it, each once.
    pub literals: Vec<Vec<Lacking>>,
    /// Those of the conditions.
    pub wanted: Vec<Lacking>,
}

/// What local states of one class have in common.
#[derive(PartialEq, Eq, Hash)]
struct Class<'a> {
    /// The view of each part, what it comes to if nobody else has a say in it, and its joint step.
    parts: Vec<(ViewId, Option<OutcomeId>, Option<EventId>)>,
    offers: &'a [(EventId, Vec<u32>)],
    /// By who stands still.
    futures: Vec<FutureId>,
}

impl Outlooks {
    /// `None` where rows would be too long, or would not tell all.
    pub fn of(
        vocabulary: &Vocabulary,
        locals: &[LocalStates],
        futures: &[Futures],
        enabling: &[Enabling],
        wanted: &[Wanted],
    ) -> Option<Outlooks> {
        let literals: Vec<Vec<Lacking>> = enabling.iter().map(literals).collect();
        let mut of_conditions = Vec::new();
        for wanted in wanted {
            let mut add = |literal: &Lacking| {
                of_conditions.push(literal.clone());
                false
            };
            wanted.any_leaf(&mut add, &|_| false);
        }
        once_each(&mut of_conditions);
        let longest = locals.iter().map(|locals| {
            let of = |local: &LocalState| {
                let parts = local.parts.iter();
                parts.map(|part| literals[part.view as usize].len()).sum()
            };
            locals.states.iter().map(of).max().unwrap_or(0)
        });
        if longest.sum::<usize>() + of_conditions.len() > MOST_LITERALS {
            return None;
        }
        let classes = locals.iter().zip(futures);
        let classes = classes.map(|(locals, futures)| classes_of(vocabulary, locals, futures));
        Some(Outlooks {
            classes: classes.collect(),
            literals,
            wanted: of_conditions,
        })
    }
}

fn classes_of(vocabulary: &Vocabulary, locals: &LocalStates, futures: &Futures) -> Vec<u32> {
    let mut numbers: FxHashMap<Class<'_>, u32> = FxHashMap::default();
    let states = locals.states.iter().enumerate();
    let classes = states.map(|(at, local)| {
        let parts = local.parts.iter().map(|part| {
            let decided = match vocabulary.forest.get(part.tree) {
                Tree::Leaf(outcome) => Some(*outcome),
                Tree::Branch(..) => None,
            };
            (part.view, decided, part.joint)
        });
        let class = Class {
            parts: parts.collect(),
            offers: &local.offers,
            futures: futures.of.iter().map(|of| of[at]).collect(),
        };
        let next = numbers.len() as u32;
        *numbers.entry(class).or_insert(next)
    });
    classes.collect()
}

fn literals(enabling: &Enabling) -> Vec<Lacking> {
    let conjunctions = enabling.ready.iter().chain(&enabling.matching);
    let literals = conjunctions.flat_map(|conjunction| &conjunction.literals);
    let mut literals: Vec<Lacking> = literals.cloned().collect();
    once_each(&mut literals);
    literals
}

/// Equal literals have equal enablers.
fn once_each(literals: &mut Vec<Lacking>) {
    literals.sort_by_key(|literal| literal.enabler);
    literals.dedup_by_key(|literal| literal.enabler);
}
