//! Numbers of states, for questions about all of them. They stay the same until
//! [`thaw`](Explorer::thaw).

use stubborn_explorer::store::Store as _;
use stubborn_explorer::store::coding::Coding;
use stubborn_explorer::store::quotient::{Quotient, Settled};

use super::Explorer;

impl<C: Coding> Explorer<'_, C> {
    pub fn freeze(&mut self) {
        if !self.is_whole() && self.settled.is_none() {
            let set = std::mem::replace(&mut self.set, Quotient::new(1));
            self.settled = Some(Settled::new(set));
        }
    }

    /// Lets states be added again.
    pub fn thaw(&mut self) {
        if let Some(settled) = self.settled.take() {
            self.set = settled.into_set();
        }
    }

    /// The slot of each state is below this; there may be slots without a state.
    pub fn slots(&self) -> u64 {
        match (&self.whole, &self.settled) {
            (Some(whole), _) => whole.len().into(),
            (None, Some(settled)) => settled.numbers(),
            (None, None) => 0,
        }
    }

    /// The slot of a state, if it is kept here.
    pub fn slot(&mut self, state: &[u64]) -> Option<u32> {
        if !self.is_own(state) {
            return None;
        }
        if let Some(whole) = &self.whole {
            return whole.spot(state).ok();
        }
        let word = self.coding.word(state).ok()?;
        let settled = self.settled.as_ref()?;
        let number = settled.number(settled.place(word))?;
        u32::try_from(number).ok()
    }

    /// Copies the state in a slot, if there is one.
    pub fn state_in(&self, slot: u32, state: &mut [u64]) -> bool {
        let word = match (&self.whole, &self.settled) {
            (Some(_), _) => Some(slot.into()),
            (None, Some(settled)) => settled.word(slot.into()),
            (None, None) => None,
        };
        word.map(|word| self.copy(word, state)).is_some()
    }
}
