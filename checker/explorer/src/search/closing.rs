//! The weaker condition on cycles of L. Brim et al. (2005), C3~: from each state of a reduced space one can be
//! reached in which nothing is left out.
//!
//! A depth-first search sees to it where it first comes to a state: if no step of the set leads off the search's
//! path, all steps are taken (the paper's C3~-all; a step that fails leads nowhere). That is enough (Lemma 4.1): the
//! first state to be left has all its steps on the path, so all are taken; of any other, one step of the set leads
//! to a state off the path, which is left before it, and from which one can be reached in which nothing is left out.
//! The paper tries one set after another, where here the one that is chosen has to do.
//!
//! A search that comes back to a state must find the same steps. What was found out of each state is kept here; and
//! in a state that a search comes to otherwise than on its path all steps are taken. The path of a one-pass search is
//! that of its inner search: what other steps lead to waits, and there the condition is seen to of those inner searches
//! alone.

use crate::graph::StateSet;

/// In which states all steps are taken because of the path.
#[derive(Default)]
pub struct Closing {
    met: StateSet,
    all: StateSet,
}

impl Closing {
    /// Whether the state was met before.
    pub fn has_met(&self, state: u32) -> bool {
        self.met.contains(state)
    }

    /// It is met; all its steps are taken, or a set's.
    pub fn meet(&mut self, state: u32, takes_all: bool) {
        self.met.insert(state);
        if takes_all {
            self.all.insert(state);
        }
    }

    pub fn takes_all(&self, state: u32) -> bool {
        self.all.contains(state)
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.met.bytes() + self.all.bytes()
    }
}
