//! Büchi automata whose states are labelled (Hansen, Penczek and Valmari 2002, section 2).

use crate::label::Label;

/// Accepts sequences of valuations. An infinite one where a run reads it and is in `infinite` states
/// infinitely often, or comes to a `reject` state; a finite one where a run reads all of it and ends
/// in a `deadlock` state, or comes to a `reject` state on the way.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Buchi {
    /// How many propositions there are, at most [`MOST_PROPOSITIONS`](crate::label::MOST_PROPOSITIONS).
    pub propositions: u32,
    pub states: Vec<BuchiState>,
    /// A sequence that ends is read as repeating its last valuation for ever, and no state is a
    /// `deadlock` state: so it is with formulas.
    pub ends_repeat: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct BuchiState {
    pub label: Label,
    pub initial: bool,
    /// F_fin.
    pub reject: bool,
    /// F_dl.
    pub deadlock: bool,
    /// F_inf.
    pub infinite: bool,
    pub next: Vec<u32>,
}
