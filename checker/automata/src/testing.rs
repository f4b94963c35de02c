//! Testing automata, which observe changes (Hansen, Penczek and Valmari 2002, section 3).

use crate::label::{Label, Valuation};

/// Accepts sequences of valuations, where what repeats makes no difference. It stays where it is while
/// the valuation does, and takes one of its transitions for the set of propositions that change.
///
/// An infinite sequence is accepted where the automaton comes to a `reject` state; stays in a
/// `livelock` state from some point on, since nothing changes any more; or is in `infinite` states
/// infinitely often while there are infinitely many changes. A finite one where it comes to a
/// `reject` state or is in a `deadlock` state at the end.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Testing {
    /// How many propositions there are, at most [`MOST_PROPOSITIONS`](crate::label::MOST_PROPOSITIONS).
    pub propositions: u32,
    pub states: Vec<TestingState>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct TestingState {
    /// Of an initial state, with which valuations it begins.
    pub initial: Option<Label>,
    /// F_fin.
    pub reject: bool,
    /// F_dl.
    pub deadlock: bool,
    /// F_ll.
    pub livelock: bool,
    /// F_inf.
    pub infinite: bool,
    /// The set of propositions that change, never empty, and where it leads.
    pub next: Vec<(Valuation, u32)>,
}
