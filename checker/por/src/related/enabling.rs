//! What would make a step enabled, or a condition true.

use super::conditions::Formula;
use super::forest::Literal;

pub type EnablerId = u32;

/// A literal that may have to become true.
#[derive(Clone)]
pub struct Lacking {
    pub literal: Literal,
    /// The first of four enablers: by whom it can become true at all, also from below, also from
    /// above, both.
    pub enabler: EnablerId,
}

/// One of the conjunctions under which a step is there.
pub struct Conjunction {
    pub literals: Vec<Lacking>,
    /// It begins with so many literals that the one before it begins with, too: they are ways
    /// through a tree, from left to right.
    pub shared: usize,
}

/// What would make a step enabled that is not.
#[derive(Default)]
pub struct Enabling {
    /// The conjunctions under which it is there.
    pub ready: Vec<Conjunction>,
    /// Those under which a part of a joint step matches, or fails.
    pub matching: Vec<Conjunction>,
    /// Besides, or where conjunctions are not known, one of these.
    pub anyway: Vec<EnablerId>,
}

/// A formula, with its enablers.
pub type Wanted = Formula<Lacking, EnablerId>;
