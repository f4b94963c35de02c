//! States from which something can be reached (EF), and from which it can be avoided (not AF).
//!
//! Both are least fixpoints. States are numbered in the order in which a search found them, so most
//! edges lead to greater numbers, and a sweep through the states backwards settles most of them.
//! The states that a few sweeps leave open are settled component by component.
//!
//! AG EF asks this question wherever edges are kept. It has other algorithms where they are not:
//! [`termination`](super::termination) and [`reaching`](crate::search::whole::reaching).

use std::ops::ControlFlow;

use super::components::for_each_component;
use super::path::to_nearest;
use super::{Edges, Poll, StateSet};

const SWEEPS: u32 = 8;

/// Returns a shortest path to a state from which none of `goals` can be reached, if there is one.
pub fn out_of_reach<B>(
    edges: &Edges,
    goals: &StateSet,
    poll: Poll<'_, B>,
) -> ControlFlow<B, Option<Vec<u32>>> {
    let reaching = can_reach(edges, goals, poll)?;
    ControlFlow::Continue(to_nearest(edges, |state| !reaching.contains(state)))
}

/// Returns the states from which one of `goals` can be reached.
pub(super) fn can_reach<B>(
    edges: &Edges,
    goals: &StateSet,
    poll: Poll<'_, B>,
) -> ControlFlow<B, StateSet> {
    let leads_there = |state: u32, reaching: &StateSet| {
        let mut targets = edges.of(state).iter();
        targets.any(|target| reaching.contains(*target))
    };
    let (mut reaching, is_settled) = swept(edges, goals, leads_there, poll)?;
    if !is_settled {
        let open = reaching.complement(edges.states());
        for_each_component(edges, &open, poll, |component| {
            if component.iter().any(|state| leads_there(*state, &reaching)) {
                component.iter().for_each(|state| reaching.insert(*state));
            }
        })?;
    }
    ControlFlow::Continue(reaching)
}

/// Returns a set that has every state from which a run can avoid `goals` for ever, and perhaps
/// others, but no goal. A run ends in a state of `terminal`, and none goes through another state
/// all of whose steps fail.
pub fn may_avoid<B>(
    edges: &Edges,
    goals: &StateSet,
    terminal: &StateSet,
    poll: Poll<'_, B>,
) -> ControlFlow<B, StateSet> {
    let must_meet = |state: u32, meeting: &StateSet| {
        let mut targets = edges.of(state).iter();
        !terminal.contains(state) && targets.all(|target| meeting.contains(*target))
    };
    let (meeting, _) = swept(edges, goals, must_meet, poll)?;
    ControlFlow::Continue(meeting.complement(edges.states()))
}

/// Adds to `set` the states that belong to it because of their edges, in a few sweeps. Returns the
/// set, and whether no further state belongs to it.
fn swept<B>(
    edges: &Edges,
    set: &StateSet,
    belongs: impl Fn(u32, &StateSet) -> bool,
    poll: Poll<'_, B>,
) -> ControlFlow<B, (StateSet, bool)> {
    let mut set = set.clone();
    set.reserve(edges.states());
    let mut has_changed = true;
    for _ in 0..SWEEPS {
        if !has_changed {
            break;
        }
        poll()?;
        has_changed = false;
        for state in (0..edges.states()).rev() {
            if !set.contains(state) && belongs(state, &set) {
                set.insert(state);
                has_changed = true;
            }
        }
    }
    ControlFlow::Continue((set, !has_changed))
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
