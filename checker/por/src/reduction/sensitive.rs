//! What is visible in a round in which only some of the transitions are sensitive that a monitor sees
//! ([`rounds`](super::rounds)).

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use stubborn_space::members::Members;
use stubborn_space::relations::ProcessRelations;
use stubborn_space::successors::Label;

use super::awaits::Awaits;
use super::visibility::{At, Visibility};

/// Answers as if nothing but what is sensitive were visible, and finds out whether it matters.
pub struct Sensitive<V> {
    some: V,
    all: V,
    /// Some answer was another than it is with all transitions.
    matters: AtomicBool,
}

impl<V> Sensitive<V> {
    /// `some` is as `all` with fewer transitions.
    pub fn new(some: V, all: V) -> Sensitive<V> {
        Sensitive {
            some,
            all,
            matters: AtomicBool::new(false),
        }
    }

    /// Whether all sets that were chosen are those that are chosen where everything visible is sensitive: they
    /// are a function of what was asked here.
    pub fn is_exact(&self) -> bool {
        !self.matters.load(Relaxed)
    }

    pub fn into_all(self) -> V {
        self.all
    }

    /// The answer with some, compared with the one with all as long as none differed.
    fn answer<A: PartialEq>(&self, mut ask: impl FnMut(&V) -> A) -> A {
        let answer = ask(&self.some);
        if self.is_exact() && ask(&self.all) != answer {
            self.matters.store(true, Relaxed);
        }
        answer
    }
}

impl<M: ProcessRelations, V: Visibility<M>> Visibility<M> for Sensitive<V> {
    fn awaits(&self, model: &M, state: &[u64]) -> Option<Awaits> {
        self.all.awaits(model, state)
    }

    fn ahead(&self, at: &mut At<'_, M>) -> Members {
        self.answer(|of| of.ahead(at))
    }

    fn takes_visible(&self, process: usize, at: &mut At<'_, M>) -> bool {
        self.answer(|of| of.takes_visible(process, at))
    }

    fn is_visible(&self, label: Label<'_>) -> bool {
        self.answer(|of| of.is_visible(label))
    }

    fn has_key(&self, process: usize, wanted: &Members, at: &mut At<'_, M>) -> bool {
        self.answer(|of| of.has_key(process, wanted, at))
    }

    fn has_passed(&self, process: usize, at: &mut At<'_, M>) -> bool {
        self.answer(|of| of.has_passed(process, at))
    }

    fn allows(&self, set: &Members, at: &mut At<'_, M>) -> bool {
        self.answer(|of| of.allows(set, at))
    }
}
