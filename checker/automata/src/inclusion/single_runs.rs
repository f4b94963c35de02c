//! Inclusion in an automaton that has at most one run for each word.

use rustc_hash::FxHashMap;

use super::outcome::Inclusion;
use crate::buchi::{Buchi, BuchiState};
use crate::label::Valuation;
use crate::work::{Stopped, Work};
use stubborn_system::components::Components;

/// With more pairs of states it is given up,
const MOST_PAIRS: usize = 100_000;
/// or with more steps from one to another.
const MOST_STEPS: usize = 10_000_000;

/// Looks for a run of `some` that the one run of `all` on the same word does not accept: the pairs
/// of states that both come to, and among them one in which only the first is a `deadlock` state, or
/// a cycle in which only the first is in an `infinite` state. Neither has `reject` states.
pub fn inclusion(
    some: &Buchi,
    all: &Buchi,
    letters: &[Valuation],
    work: &Work<'_>,
) -> Result<Inclusion, Stopped> {
    let mut numbers: FxHashMap<(u32, Option<u32>), u32> = FxHashMap::default();
    // Where the run of `all` has come to its end there is no second state.
    let mut pairs: Vec<(u32, Option<u32>)> = Vec::new();
    let mut number_of = |pair, pairs: &mut Vec<_>| {
        *numbers.entry(pair).or_insert_with(|| {
            pairs.push(pair);
            pairs.len() as u32 - 1
        })
    };
    for &letter in letters {
        work.spend(some.states.len() + all.states.len())?;
        let answer = all.begins(letter).next();
        for state in some.begins(letter) {
            number_of((state, answer), &mut pairs);
        }
    }
    let mut edges: Vec<Vec<u32>> = Vec::new();
    let mut steps = 0;
    while let Some(&(state, answer)) = pairs.get(edges.len()) {
        let mut next = Vec::new();
        let tried = &some.states[state as usize].next;
        let answers = answer.map_or(0, |answer| all.states[answer as usize].next.len());
        for &letter in letters {
            work.spend(1 + tried.len() + answers)?;
            let answer = answer.and_then(|answer| all.follows(answer, letter).next());
            for state in some.follows(state, letter) {
                next.push(number_of((state, answer), &mut pairs));
            }
        }
        steps += letters.len() + next.len();
        next.sort_unstable();
        next.dedup();
        edges.push(next);
        if pairs.len() > MOST_PAIRS || steps > MOST_STEPS {
            return Ok(Inclusion::Unknown);
        }
    }
    let marked = |answer: Option<u32>, mark: fn(&BuchiState) -> bool| {
        answer.is_some_and(|answer| mark(&all.states[answer as usize]))
    };
    let is_missed_end = |&(state, answer): &(u32, Option<u32>)| {
        some.states[state as usize].deadlock && !marked(answer, |state| state.deadlock)
    };
    if !some.ends_repeat && pairs.iter().any(is_missed_end) {
        return Ok(Inclusion::Refuted);
    }
    // Without the pairs in which `all` is in an `infinite` state.
    let gone: Vec<bool> = pairs
        .iter()
        .map(|&(_, answer)| marked(answer, |state| state.infinite))
        .collect();
    for (next, &from_gone) in edges.iter_mut().zip(&gone) {
        next.retain(|&target| !from_gone && !gone[target as usize]);
    }
    let components = Components::of(&edges);
    let is_missed_cycle = |number: usize| {
        some.states[pairs[number].0 as usize].infinite && components.is_on_cycle(number as u32)
    };
    Ok(match (0..pairs.len()).any(is_missed_cycle) {
        true => Inclusion::Refuted,
        false => Inclusion::Shown,
    })
}
