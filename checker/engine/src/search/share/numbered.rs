//! States of several words, each whole and with a number.

use std::ops::ControlFlow;

use super::gathers::{BATCH, Gathers, STATES_AT_ONCE, WORDS_AT_ONCE};
use super::taking::Taking;
use crate::search::layers::look::Look;
use crate::search::meter::Stop;
use crate::search::spilled::Follow;
use crate::store::Store;
use crate::store::exact::{Exact, MOST_STATES};
use crate::successors::Successors;

pub struct Numbered {
    store: Exact,
    /// The first state of each layer that has begun.
    layers: Vec<u32>,
    /// The next state of the present layer, and where that ends.
    at: u32,
    end: u32,
}

impl Numbered {
    pub fn new(words: usize) -> Numbered {
        Numbered {
            store: Exact::new(words),
            layers: Vec::new(),
            at: 0,
            end: 0,
        }
    }

    pub fn bytes(&self) -> u64 {
        self.store.bytes() + self.layers.capacity() as u64 * 4
    }

    /// Takes in states that are new.
    pub fn meet<L: Gathers>(
        &mut self,
        rows: &[u64],
        taking: &mut Taking<'_, L>,
    ) -> ControlFlow<Stop> {
        let words = self.store.words();
        for rows in rows.chunks(BATCH * words) {
            let hints = rows.chunks_exact(words).map(|row| self.store.hint(row));
            let hints: Vec<_> = hints.collect();
            let settled = hints.into_iter().zip(rows.chunks_exact(words));
            let settled: Vec<_> = settled
                .map(|(hint, row)| self.store.settle(hint, row))
                .collect();
            for (hint, row) in settled.into_iter().zip(rows.chunks_exact(words)) {
                taking.measure()?;
                let Err(_) = self.store.spot_from(hint, row) else {
                    continue;
                };
                // The table may have grown since the hint was given.
                let Err(vacancy) = self.store.spot(row) else {
                    continue;
                };
                if u64::from(self.store.len()) >= MOST_STATES {
                    let reason = taking.too_many(MOST_STATES);
                    return ControlFlow::Break(Stop::Limit(reason));
                }
                taking.may_hold(self.store.bytes_to_grow())?;
                self.store.append(vacancy, row);
                taking.states += 1;
                for look in 0..taking.look.looks() {
                    taking.look.found(look, row)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    pub fn next_layer(&mut self) -> u64 {
        self.at = self.end;
        self.end = self.store.len();
        self.layers.push(self.at);
        u64::from(self.end - self.at)
    }

    /// Takes the steps of some states of the present layer, which has this number. Whether there are more.
    pub fn take_steps<S: Successors, L: Gathers>(
        &mut self,
        (model, scratch, taking): (&S, &mut S::Scratch, &mut Taking<'_, L>),
        state: &mut [u64],
        layer: u64,
    ) -> ControlFlow<Stop, bool> {
        for _ in 0..STATES_AT_ONCE {
            if taking.out.len() >= WORDS_AT_ONCE || !self.take(state) {
                break;
            }
            taking.of_state = 0;
            taking.look.begins(layer, state);
            let _ = model.visit(state, scratch, taking);
            taking.end_state(state)?;
        }
        ControlFlow::Continue(self.has_more())
    }

    /// Copies the next state of the present layer. Whether there is one.
    pub fn take(&mut self, state: &mut [u64]) -> bool {
        let has_more = self.has_more();
        if has_more {
            self.store.get(self.at, state);
            self.at += 1;
        }
        has_more
    }

    pub fn has_more(&self) -> bool {
        self.at < self.end
    }

    pub fn has(&self, state: &[u64]) -> bool {
        self.store.spot(state).is_ok()
    }

    /// How many states there are: their numbers are below that.
    pub fn len(&self) -> u64 {
        self.store.len().into()
    }

    pub fn number(&self, state: &[u64]) -> Option<u64> {
        self.store.spot(state).ok().map(u64::from)
    }

    pub fn copy(&self, number: u64, state: &mut [u64]) -> bool {
        let is_one = number < self.len();
        if is_one {
            self.store.get(number as u32, state);
        }
        is_one
    }

    pub fn layer_of(&self, number: u64) -> Option<u64> {
        let begun = self
            .layers
            .partition_point(|first| u64::from(*first) <= number);
        // A layer may have no state of this share: then the next one begins with the same number.
        (begun as u64).checked_sub(1)
    }

    /// Copies a state of a layer, from the one with this place in it on.
    pub fn of_layer(&self, layer: u64, from: &mut u64, state: &mut [u64]) -> Option<()> {
        let layer = layer as usize;
        let first = u64::from(*self.layers.get(layer)?);
        let end = self.layers.get(layer + 1).copied();
        let end = u64::from(end.unwrap_or(self.end));
        let number = first + *from;
        (number < end).then(|| {
            self.store.get(number as u32, state);
            *from += 1;
        })
    }
}
