//! Steps that a reduced search ignores for ever (the ignoring problem).
//!
//! In a model that is not AG EF terminating, stubborn sets that fulfil D0 to D2 may go round in one
//! part of the system and never take the enabled steps of another. Errors and invariants are
//! preserved all the same if in every terminal strong component of the reduced space each step that
//! is enabled there is taken somewhere in it: let a violation be reachable from a state of the
//! space by `t1 … tn`. As long as none of them is in the set of a state, the steps that are taken
//! commute with all of them (D1, D2) and do not end the condition, so that the same sequence leads
//! to a violation from every state that is reached. Following such steps into a terminal component,
//! `t1` stays enabled, and is taken where it is in the set; then some `ti` is, and D1 moves it to
//! the front: a shorter sequence remains.
//!
//! A step that is enabled in a component and nowhere taken in it is enabled in all of its states,
//! so it is enough to look at one of them, and to fire everything there.

use std::ops::ControlFlow;

use stubborn_explorer::graph::components::for_each_component;
use stubborn_explorer::graph::{Edges, StateSet};
use stubborn_explorer::search::{Space, Stop};
use stubborn_space::members::Members;
use stubborn_space::relations::ProcessRelations;
use stubborn_space::successors::Successors;

use super::{Stubborn, Visibility};

/// Number of sets that take about as long to choose as a search takes between two polls.
const STATES_BETWEEN_POLLS: usize = 256;

/// Whether a process has the same number in all states of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processes {
    KeepTheirs,
    /// Where states are put in canonical form a step may lead to one in which processes have
    /// changed places. That a number is in some set of a component says nothing of whose it was
    /// before.
    ChangePlaces,
}

/// A state of each terminal component in which an enabled step is never taken, as far as that can
/// be told: else of each in which no state takes everything. `edges` are those of the reduced
/// space.
pub fn ignored<M: ProcessRelations, V: Visibility<M>>(
    stubborn: &Stubborn<M, V>,
    processes: Processes,
    edges: &Edges,
    space: &Space,
    poll: &mut dyn FnMut(u64) -> ControlFlow<Stop>,
) -> ControlFlow<Stop, Vec<u32>> {
    let all = StateSet::all(edges.states());
    let held = all.bytes() + u64::from(edges.states()) * 4;
    let mut component_of = vec![0u32; edges.states() as usize];
    let mut count = 0;
    // The terminal components in all of whose states something was left out: where everything is
    // taken in one state, nothing is ignored.
    let mut terminal: Vec<Box<[u32]>> = Vec::new();
    for_each_component(edges, &all, &mut || poll(held), |component| {
        for state in component {
            component_of[*state as usize] = count;
        }
        let leads_out = component.iter().any(|state| {
            let mut targets = edges.of(*state).iter();
            targets.any(|to| component_of[*to as usize] != count)
        });
        count += 1;
        let mut states = component.iter();
        if !leads_out && states.all(|state| space.reduced().contains(*state)) {
            terminal.push(component.into());
        }
    })?;
    if processes == Processes::ChangePlaces {
        return ControlFlow::Continue(terminal.iter().map(|component| component[0]).collect());
    }
    let held = held + u64::from(edges.states()) * 4;
    let mut again = Vec::new();
    let mut sets = stubborn.sets();
    let mut buffer = vec![0; stubborn.words()];
    for component in terminal {
        let mut all_taken = Members::default();
        let mut all_busy = Members::default();
        for (nth, state) in component.iter().enumerate() {
            if nth % STATES_BETWEEN_POLLS == 0 {
                poll(held)?;
            }
            space.copy(*state, &mut buffer);
            debug_assert!(
                sets.lead(&buffer, |to| space.number(to), edges.of(*state)),
                "the set of a state is the one with which it was searched"
            );
            let (taken, busy) = sets.of(&buffer);
            all_taken.add(&taken);
            if nth == 0 {
                all_busy = busy;
            }
            if all_busy.is_subset(&all_taken) {
                break;
            }
        }
        if !all_busy.is_subset(&all_taken) {
            again.push(component[0]);
        }
    }
    ControlFlow::Continue(again)
}
