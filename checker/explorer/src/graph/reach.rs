//! From where something can be reached (EF), and from where it can be avoided (not AF).
//!
//! Both are least fixpoints. States are numbered in the order in which a search found them, so most
//! edges lead to greater numbers, and going through the states backwards settles most of them at
//! once; what a few rounds leave open is settled component by component.

use std::ops::ControlFlow;

use super::components::for_each_component;
use super::{Edges, Poll, StateSet};

const ROUNDS: u32 = 8;

/// The states from which one of `goals` can be reached.
pub fn can_reach<B>(
    edges: &Edges,
    goals: &StateSet,
    poll: Poll<'_, B>,
) -> ControlFlow<B, StateSet> {
    let mut reaching = goals.clone();
    reaching.reserve(edges.states());
    let leads_there = |state: u32, reaching: &StateSet| {
        let mut targets = edges.of(state).iter();
        targets.any(|target| reaching.contains(*target))
    };
    for _ in 0..ROUNDS {
        poll()?;
        let mut changed = false;
        for state in (0..edges.states()).rev() {
            if !reaching.contains(state) && leads_there(state, &reaching) {
                reaching.insert(state);
                changed = true;
            }
        }
        if !changed {
            return ControlFlow::Continue(reaching);
        }
    }
    // A component comes after all that it leads to.
    let open = reaching.complement(edges.states());
    for_each_component(edges, &open, poll, |component| {
        if component.iter().any(|state| leads_there(*state, &reaching)) {
            component.iter().for_each(|state| reaching.insert(*state));
        }
    })?;
    ControlFlow::Continue(reaching)
}

/// A set of states that has every state from which a run can avoid `goals` for ever, and perhaps
/// others, but no goal. `terminal` are the states in which a
/// run ends; where all steps of a state fail, no run goes through it.
pub fn may_avoid<B>(
    edges: &Edges,
    goals: &StateSet,
    terminal: &StateSet,
    poll: Poll<'_, B>,
) -> ControlFlow<B, StateSet> {
    let mut meeting = goals.clone();
    meeting.reserve(edges.states());
    for _ in 0..ROUNDS {
        poll()?;
        let mut changed = false;
        for state in (0..edges.states()).rev() {
            if meeting.contains(state) || terminal.contains(state) {
                continue;
            }
            let mut targets = edges.of(state).iter();
            if targets.all(|target| meeting.contains(*target)) {
                meeting.insert(state);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    ControlFlow::Continue(meeting.complement(edges.states()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(states: &[u32]) -> StateSet {
        let mut set = StateSet::default();
        states.iter().for_each(|state| set.insert(*state));
        set
    }

    /// A line whose numbers grow against its edges, so that each round settles one state.
    fn line(len: u32) -> Edges {
        let lists: Vec<Vec<u32>> = (0..len)
            .map(|state| state.checked_sub(1).into_iter().collect())
            .collect();
        let lists: Vec<&[u32]> = lists.iter().map(Vec::as_slice).collect();
        Edges::of_lists(&lists)
    }

    fn done(flow: ControlFlow<(), StateSet>) -> StateSet {
        match flow {
            ControlFlow::Continue(set) => set,
            ControlFlow::Break(_) => unreachable!("nothing stops it"),
        }
    }

    #[test]
    fn what_is_far_against_the_numbers_is_reached_too() {
        let edges = line(100);
        let reaching = done(can_reach(&edges, &set(&[0]), &mut || {
            ControlFlow::Continue(())
        }));
        assert!((0..100).all(|state| reaching.contains(state)));
        let reaching = done(can_reach(&edges, &set(&[50]), &mut || {
            ControlFlow::Continue(())
        }));
        assert!((0..100).all(|state| reaching.contains(state) == (state >= 50)));
    }

    #[test]
    fn a_cycle_beside_the_goal_avoids_it_and_a_stuck_state_does_not() {
        // 0 -> 1 -> 0, 0 -> 2 (goal), 3 -> 2, 3 -> 4 where all steps of 4 fail.
        let edges = Edges::of_lists(&[&[1, 2], &[0], &[2], &[2, 4], &[]]);
        let avoiding = done(may_avoid(&edges, &set(&[2]), &set(&[]), &mut || {
            ControlFlow::Continue(())
        }));
        let states: Vec<u32> = (0..5).filter(|state| avoiding.contains(*state)).collect();
        assert_eq!(states, [0, 1]);
        let avoiding = done(may_avoid(&edges, &set(&[2]), &set(&[4]), &mut || {
            ControlFlow::Continue(())
        }));
        let states: Vec<u32> = (0..5).filter(|state| avoiding.contains(*state)).collect();
        assert_eq!(states, [0, 1, 3, 4]);
    }
}
