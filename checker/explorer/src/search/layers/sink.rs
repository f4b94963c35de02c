//! Interface between a search without numbers and its caches.

use std::ops::ControlFlow;

use stubborn_space::successors::{Label, Wanted};
use stubborn_system::system::Failure;

use crate::store::coding::Coding;

/// Receiver of the steps of one state after the other.
pub trait Sink {
    type Coding: Coding;
    /// Why it breaks off.
    type Stop;

    fn coding(&mut self) -> &mut Self::Coding;

    /// Which steps are to be given.
    fn wanted(&self) -> Wanted {
        Wanted::AsItPays
    }

    /// Called before the steps of a state of which some will be left out.
    fn leaves_out(&mut self) {}

    /// A step leads to the state with this word.
    fn leads_to(&mut self, word: u64) -> ControlFlow<Self::Stop>;

    /// The word of a state that a step leads to; `None` if it has none and the sink has taken it.
    fn word_of(&mut self, state: &[u64]) -> ControlFlow<Self::Stop, Option<u64>>;

    /// A step fails.
    fn failing(&mut self, label: Label<'_>, failure: &Failure) -> ControlFlow<Self::Stop>;

    /// Called now and then while no step is found.
    fn pulse(&mut self) -> ControlFlow<Self::Stop>;

    /// Number of times that all words have changed, which they do only between blocks.
    fn changes(&self) -> u64 {
        0
    }

    /// Holds more bytes for a cache if there is memory for them.
    fn holds(&mut self, bytes: u64) -> bool;

    /// Gives back bytes of a cache.
    fn lets_go(&mut self, bytes: u64);
}
