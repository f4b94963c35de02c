//! Which of the steps that properties see are sensitive ([`rounds`](crate::reduction::Rounds)).
//!
//! A transition is a *view*: what a step of an instance in a local state is to others. Steps that are the same to
//! all others become sensitive together. For a tester, which sees joint steps, it is one of these with its values.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::Related;
use super::facts::Facts;
use super::local_states::{LocalStates, Part};
use super::vocabulary::ViewId;
use crate::reduction::Transition;

/// The views that count as not visible, though a property sees them.
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
    /// Whether a view that a property sees is to count as one that it does not see.
    pub fn contains(&self, view: ViewId) -> bool {
        let is_one = self.views.get(view as usize).is_some_and(|is_one| *is_one);
        if !is_one || self.is_over.load(Relaxed) {
            return false;
        }
        self.matters.store(true, Relaxed);
        true
    }
}

impl Related<'_> {
    /// The transitions to which the conditions of the checks are visible, each with its distance.
    pub fn visible_to_checks(&self) -> Vec<(u32, Transition)> {
        let Some(facts) = &self.facts else {
            return Vec::new();
        };
        debug_assert!(facts.insensitive.views.is_empty(), "all are asked for");
        let views = 0..facts.profiles.len() as ViewId;
        let ends = views.map(|view| !facts.ended_by(view, None).is_empty());
        let is_visible: Vec<bool> = ends.collect();
        facts.nearest(|part| is_visible[part.view as usize].then_some(part.view))
    }

    /// From now on of all that are visible to the checks' conditions these alone count.
    pub fn make_sensitive(&mut self, visible: &[(u32, Transition)], sensitive: &[Transition]) {
        let Some(facts) = &mut self.facts else {
            return;
        };
        let mut views = vec![false; facts.profiles.len()];
        visible
            .iter()
            .for_each(|(_, view)| views[*view as usize] = true);
        sensitive
            .iter()
            .for_each(|view| views[*view as usize] = false);
        let is_one = views.contains(&true);
        facts.insensitive = Insensitive {
            views: if is_one { views } else { Vec::new() },
            ..Insensitive::default()
        };
    }

    /// What is asked for the first time from now on is answered as if everything visible were sensitive. What was
    /// asked before is remembered by whoever chooses sets, and so is right where [that is
    /// exact](Related::is_exact).
    pub fn make_all_sensitive(&self) {
        if let Some(facts) = &self.facts {
            facts.insensitive.is_over.store(true, Relaxed);
        }
    }

    /// Whether the sets that were chosen since are those that are chosen where everything visible is sensitive.
    pub fn is_exact(&self) -> bool {
        let facts = self.facts.as_ref();
        facts.is_none_or(|facts| !facts.insensitive.matters.load(Relaxed))
    }
}

impl Facts {
    /// Of all instances, the transitions of their parts with the distances of these.
    pub fn nearest(
        &self,
        transition: impl Fn(&Part) -> Option<Transition>,
    ) -> Vec<(u32, Transition)> {
        let of_instances = self.locals.iter();
        let of_instances = of_instances.flat_map(|locals| nearest(locals, &transition));
        of_instances.collect()
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
