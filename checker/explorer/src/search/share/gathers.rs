//! What a share is made for, and with.

use std::sync::atomic::AtomicU64;

use stubborn_space::several::{Asked, FailingStep, Seat, Shown};
use stubborn_space::successors::Label;

use crate::search::meter::Meter;
use crate::search::spilled::Follow;
use crate::search::whole::cycles::Step;

/// States are looked up so many at a time, so that the waits for memory overlap.
pub const BATCH: usize = 64;

/// The steps of so many states are taken between two looks at what others have sent,
pub const STATES_AT_ONCE: usize = 1 << 12;
/// unless they lead to so many words of states.
pub const WORDS_AT_ONCE: usize = 1 << 14;

/// Who looks, and what comes of it.
pub trait Gathers: Follow {
    /// What was found since this was asked.
    fn shown(&mut self) -> Vec<Shown>;

    /// These properties are still open, and no others.
    fn go_on(&mut self, open: &[usize]);

    /// Whether a state is one that a question about all states is about: a goal, or one in which a run that is looked
    /// for may stay. It may be one in which the run ends.
    fn is_asked(&mut self, _: Asked, _state: &[u64], _ends: bool) -> bool {
        false
    }

    /// What a step is to a question about cycles.
    fn step(&mut self, _: Asked, _from: &[u64], _: Label<'_>, _to: &[u64]) -> Step {
        Step::Forbidden
    }

    /// Failing steps to be told.
    fn told(&self) -> Vec<FailingStep>;
}

/// What a worker may use, together with the others of its process.
pub struct Means<'m> {
    pub meter: Meter<'m>,
    /// Memory that they have in use together, in bytes.
    pub account: &'m AtomicU64,
    pub seat: Seat,
}
