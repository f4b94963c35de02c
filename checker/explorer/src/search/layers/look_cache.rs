//! Cache of states that passed a look.
//!
//! The result of a look is a function of some bits of a state. If the words of two states have the
//! bits in common that tell these, both pass or neither does: a state is not looked at, nor even
//! decoded, if one with the same bits has passed. States that do not pass are not cached.

use std::ops::ControlFlow;

use stubborn_space::pays::Pays;

use super::look::Look;
use super::outcomes::{NO_KEY, Outcomes};
use super::sink::Sink;

use crate::search::meter::Stop;
use crate::store::coding::Coding;

/// Search with looks at each new state.
pub trait Looks: Sink {
    type Look: Look;

    fn look(&mut self) -> &mut Self::Look;
}

#[derive(Default)]
pub struct LookCache {
    looks: Vec<OfLook>,
    /// Number of changes of all words after which this was set up.
    laid_out: Option<u64>,
    /// Number of new states.
    states: u64,
    bytes: u64,
}

struct OfLook {
    /// The bits of a word that the look is a function of; [`NO_KEY`] if they are not known.
    telling: u64,
    /// Entries of states that pass, as states without steps.
    outcomes: Outcomes,
    pays: Pays,
}

impl LookCache {
    /// Looks at a new state, given by its word; it is decoded into `state` if necessary.
    #[inline]
    pub fn found<T: Looks>(
        &mut self,
        word: u64,
        state: &mut [u64],
        sink: &mut T,
    ) -> ControlFlow<Stop> {
        if self.laid_out != Some(sink.changes()) {
            self.lay_out(state.len(), sink);
        }
        self.states += 1;
        let mut is_laid_out = false;
        for at in 0..self.looks.len() {
            let of_look = &self.looks[at];
            let rests = of_look.pays.rests(self.states);
            let key = word & of_look.telling;
            if !rests && of_look.outcomes.of(key).steps == 0 {
                continue;
            }
            if !is_laid_out {
                sink.coding().state(word, state);
                is_laid_out = true;
            }
            sink.look().found(at, state)?;
            if !rests && of_look.telling != NO_KEY {
                self.pass(at, key, sink);
            }
        }
        ControlFlow::Continue(())
    }

    #[cold]
    fn lay_out<T: Looks>(&mut self, words: usize, sink: &mut T) {
        self.laid_out = Some(sink.changes());
        sink.lets_go(std::mem::take(&mut self.bytes));
        let many = sink.look().looks();
        let bytes = many as u64 * (size_of::<OfLook>() as u64 + Outcomes::BYTES);
        let has_room = sink.holds(bytes);
        self.bytes = if has_room { bytes } else { 0 };
        let of_look = |at: usize| {
            let mut bits = vec![0; words];
            let telling = match has_room && sink.look().footprint(at, &mut bits) {
                true => sink.coding().telling(&bits),
                false => NO_KEY,
            };
            OfLook {
                telling,
                outcomes: Outcomes::new(),
                pays: Pays::since(self.states),
            }
        };
        self.looks = (0..many).map(of_look).collect();
    }

    #[cold]
    fn pass<T: Looks>(&mut self, at: usize, key: u64, sink: &mut T) {
        let OfLook { outcomes, pays, .. } = &mut self.looks[at];
        if pays.misses(self.states) {
            outcomes.clear();
        }
        self.bytes += outcomes.keep_within(self.bytes, key, Some(&[]), sink);
    }
}
