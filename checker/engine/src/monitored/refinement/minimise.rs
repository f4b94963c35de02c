//! Fewer states for the same: states that nothing tells apart become one.

use rustc_hash::FxHashMap;
use stubborn_automata::{Stopped, Work};

use super::determinise::{Deterministic, Subset};
use super::events::EventId;

/// How many transitions may be looked at before the automaton is left as it is.
const MOST_WORK: usize = 20_000_000;

/// The automaton with one state for each class of those that are shown alike and after which the
/// same is allowed for ever: the coarsest partition that the transitions respect (Moore's
/// refinement). Only states of the same locations are put together, so that what is shown of a run
/// is exactly where the specification may be.
///
/// # Errors
/// Where the work has been stopped.
pub fn minimise(all: &Deterministic, work: &Work<'_>) -> Result<Deterministic, Stopped> {
    // What a state is by itself, without where it leads.
    let alone = |state: &Subset| Subset {
        next: Vec::new(),
        ..state.clone()
    };
    let mut classes: Vec<u32> = Vec::with_capacity(all.states.len());
    let mut kinds: FxHashMap<Subset, u32> = FxHashMap::default();
    for state in &all.states {
        let number = kinds.len() as u32;
        classes.push(*kinds.entry(alone(state)).or_insert(number));
    }
    let mut count = kinds.len();
    let transitions: usize = all.states.iter().map(|state| state.next.len() + 1).sum();
    let mut looked = 0;
    while count < all.states.len() {
        work.spend(transitions)?;
        looked += transitions;
        if looked > MOST_WORK {
            return Ok(all.clone());
        }
        let mut kinds: FxHashMap<(u32, Vec<(EventId, u32)>), u32> = FxHashMap::default();
        let mut finer: Vec<u32> = Vec::with_capacity(all.states.len());
        for (class, state) in classes.iter().zip(&all.states) {
            let next = state.next.iter().map(|(e, to)| (*e, classes[*to as usize]));
            let number = kinds.len() as u32;
            finer.push(*kinds.entry((*class, next.collect())).or_insert(number));
        }
        let is_stable = kinds.len() == count;
        count = kinds.len();
        classes = finer;
        if is_stable {
            break;
        }
    }
    // Classes are numbered as they are met, so that the initial state keeps the number 0.
    let mut minimal = Deterministic::default();
    for (class, state) in classes.iter().zip(&all.states) {
        if *class as usize == minimal.states.len() {
            let mut state = state.clone();
            for (_, to) in &mut state.next {
                *to = classes[*to as usize];
            }
            minimal.states.push(state);
        }
    }
    Ok(minimal)
}
