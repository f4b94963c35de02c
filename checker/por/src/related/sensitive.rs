//! Which of the steps that properties see are sensitive ([`rounds`](crate::reduction::Rounds)), and where they are in
//! the graph of an instance.
//!
//! A transition is a *view*: what a step of an instance in a local state is to others. Steps that are the same to
//! all others become sensitive together. For a tester, which sees joint steps, it is one of these with its values.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use stubborn_system::components::Components;

use super::local_states::{LocalStateId, LocalStates, Part};
use super::vocabulary::ViewId;
use crate::reduction::Transition;

/// The views that count as not visible to the conditions of checks, though these see them.
#[derive(Default)]
pub struct Insensitive {
    /// None where it is empty.
    views: Vec<bool>,
    /// One of them was asked for.
    matters: AtomicBool,
    /// They count as visible after all.
    is_over: AtomicBool,
}

impl Insensitive {
    /// By view.
    pub fn new(views: Vec<bool>) -> Insensitive {
        Insensitive {
            views: match views.contains(&true) {
                true => views,
                false => Vec::new(),
            },
            ..Insensitive::default()
        }
    }

    /// Whether a view that a property sees is to count as one that it does not see.
    pub fn contains(&self, view: ViewId) -> bool {
        let is_one = self.views.get(view as usize).is_some_and(|is_one| *is_one);
        if !is_one || self.is_over.load(Relaxed) {
            return false;
        }
        self.matters.store(true, Relaxed);
        true
    }

    /// None of them, from now on.
    pub fn end(&self) {
        self.is_over.store(true, Relaxed);
    }

    /// Whether one of them has been asked for.
    pub fn matters(&self) -> bool {
        self.matters.load(Relaxed)
    }
}

/// The transitions of an instance's parts, each with how many steps of its own lead there at the least. Each is
/// there once for an instance; costs time in proportion to the parts.
pub fn nearest(
    locals: &LocalStates,
    transition: impl Fn(&Part) -> Option<Transition>,
) -> Vec<(u32, Transition)> {
    let mut distances: Vec<Option<u32>> = vec![None; locals.states.len()];
    let mut order: Vec<u32> = vec![0];
    distances[0] = Some(0);
    let mut found: Vec<(u32, Transition)> = Vec::new();
    let mut next = 0;
    while let Some(&at) = order.get(next) {
        next += 1;
        let distance = distances[at as usize].unwrap_or_default();
        for part in &locals.states[at as usize].parts {
            found.extend(transition(part).map(|one| (distance, one)));
            for &to in &part.to {
                if distances[to as usize].is_none() {
                    distances[to as usize] = Some(distance + 1);
                    order.push(to);
                }
            }
        }
    }
    found.sort_unstable_by_key(|(distance, one)| (*one, *distance));
    found.dedup_by_key(|(_, one)| *one);
    found
}

/// The local states from which an instance may get to take such a part.
pub fn ahead_of(locals: &LocalStates, is_one: &dyn Fn(&Part) -> bool) -> Vec<bool> {
    let states = locals.states.iter();
    let goals: Vec<bool> = states
        .clone()
        .map(|state| state.parts.iter().any(is_one))
        .collect();
    let next = states.map(|state| state.parts.iter().flat_map(|part| part.to.to_vec()));
    let next: Vec<Vec<LocalStateId>> = next.map(Iterator::collect).collect();
    Components::of(&next).leading_to(&goals)
}
