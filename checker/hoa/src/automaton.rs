//! An automaton as a file has it: what is only another way to write the same is resolved, and all
//! numbers are those of something that there is.

use stubborn_automata::label::Label;

use super::acceptance::{Condition, Set};
use super::place::Place;

#[derive(Debug)]
pub(super) struct Automaton {
    pub(super) name: Option<String>,
    pub(super) propositions: Vec<String>,
    pub(super) starts: Vec<u32>,
    pub(super) condition: Condition,
    /// Of the condition.
    pub(super) place: Place,
    pub(super) states: Vec<State>,
    /// What our own header items say.
    pub(super) reject: Option<(Vec<u32>, Place)>,
    pub(super) deadlock: Option<(Vec<u32>, Place)>,
}

#[derive(Debug)]
pub(super) struct State {
    /// Where the state and not its edges has one.
    pub(super) label: Option<Label>,
    /// The acceptance sets that it, and so each of its edges, is in; ascending.
    pub(super) sets: Vec<u32>,
    pub(super) edges: Vec<Edge>,
}

#[derive(Debug)]
pub(super) struct Edge {
    /// Where the state has none.
    pub(super) label: Option<Label>,
    pub(super) target: u32,
    /// Its own, ascending.
    pub(super) sets: Vec<u32>,
}

impl Edge {
    /// Whether it is in a set or complement.
    pub(super) fn is_in(&self, state: &State, (set, outside): Set) -> bool {
        let inside =
            self.sets.binary_search(&set).is_ok() || state.sets.binary_search(&set).is_ok();
        inside != outside
    }
}

/// Header items of our own. The numbers of the `reject` states, which all lead to a last state that
/// accepts everything and is no state of the automaton.
pub(super) const REJECT: &str = "stubborn-reject";

/// The numbers of the `deadlock` states. Where the item is missing, a run that ends repeats its last
/// valuation.
pub(super) const DEADLOCK: &str = "stubborn-deadlock";
