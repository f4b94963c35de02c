//! States of several words that are kept whole, each with a number.

use std::ops::ControlFlow;

use super::gathers::{BATCH, Gathers};
use super::taking::Taking;
use crate::search::layers::look::Look;
use crate::search::meter::Stop;
use crate::store::Store;
use crate::store::exact::{Exact, MOST_STATES};

pub struct Numbered {
    store: Exact,
    /// The next state of the present layer, and where that ends: what was taken in since is of the next one.
    at: u32,
    end: u32,
    /// States that are to be looked up together, one after the other.
    waiting: Vec<u64>,
    noted: Option<Noted>,
}

/// In which layers they are, where somebody asks for ways.
struct Noted {
    /// By the numbers of states: one more than the layer; 0 where it is not known.
    levels: Vec<u32>,
    /// One more than the layer of states that are met.
    level: u32,
    /// The states of the present layer that are still to be gone through, and those of the next one.
    layer: Vec<u32>,
    next: Vec<u32>,
}

impl Numbered {
    pub fn new(words: usize) -> Numbered {
        Numbered {
            store: Exact::new(words),
            at: 0,
            end: 0,
            waiting: Vec::with_capacity(BATCH * words),
            noted: None,
        }
    }

    pub fn bytes(&self) -> u64 {
        let noted = self.noted.as_ref().map_or(0, Noted::bytes);
        self.store.bytes() + self.waiting.capacity() as u64 * 8 + noted
    }

    /// Has a state wait. Whether as many do as are looked up together.
    pub fn have_wait(&mut self, state: &[u64]) -> bool {
        self.waiting.extend_from_slice(state);
        self.waiting.len() >= BATCH * self.store.words()
    }

    /// Takes in those that wait, as far as they are new. Then none waits.
    pub fn take_in<L: Gathers>(&mut self, taking: &mut Taking<'_, L>) -> ControlFlow<Stop> {
        let mut rows = std::mem::take(&mut self.waiting);
        let flow = self.meet(&rows, taking);
        rows.clear();
        self.waiting = rows;
        flow
    }

    fn meet<L: Gathers>(&mut self, rows: &[u64], taking: &mut Taking<'_, L>) -> ControlFlow<Stop> {
        let words = self.store.words();
        // The waits for memory overlap.
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
        ControlFlow::Continue(())
    }

    /// How many states it has.
    pub fn next_layer(&mut self) -> u64 {
        match &mut self.noted {
            Some(noted) => {
                noted.layer = std::mem::take(&mut noted.next);
                noted.level += 1;
                noted.layer.len() as u64
            }
            None => {
                self.at = self.end;
                self.end = self.store.len();
                u64::from(self.end - self.at)
            }
        }
    }

    /// Copies the next state of the present layer. Whether there is one.
    pub fn take(&mut self, state: &mut [u64]) -> bool {
        let next = match &mut self.noted {
            Some(noted) => noted.layer.pop(),
            None if self.at < self.end => {
                self.at += 1;
                Some(self.at - 1)
            }
            None => None,
        };
        next.map(|number| self.store.get(number, state)).is_some()
    }

    pub fn has_more(&self) -> bool {
        match &self.noted {
            Some(noted) => !noted.layer.is_empty(),
            None => self.at < self.end,
        }
    }

    /// What it takes to note layers, besides what there is.
    pub fn bytes_for_levels(&self) -> u64 {
        self.len() * 4
    }

    /// From now on states that are met are not taken in: their layers are noted, from the initial state's on.
    pub fn begin_levels(&mut self) {
        self.noted = Some(Noted {
            levels: vec![0; self.store.len() as usize],
            level: 1,
            layer: Vec::new(),
            next: Vec::new(),
        });
    }

    /// The search goes on where it was.
    pub fn end_levels(&mut self) {
        self.noted = None;
    }

    /// Notes the layer of a state that is there, if it has none yet.
    pub fn note<L: Gathers>(
        &mut self,
        state: &[u64],
        taking: &mut Taking<'_, L>,
    ) -> ControlFlow<Stop> {
        if let (Some(number), Some(noted)) = (self.store.spot(state).ok(), &mut self.noted) {
            let level = &mut noted.levels[number as usize];
            if *level == 0 {
                *level = noted.level;
                if noted.next.len() == noted.next.capacity() {
                    // A list that is full is copied into one twice as long.
                    taking.may_hold(noted.next.capacity() as u64 * 8 + 16)?;
                }
                noted.next.push(number);
            }
        }
        ControlFlow::Continue(())
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

    /// The layer that was noted of the state with a number.
    pub fn level_of(&self, number: u64) -> Option<u64> {
        let level = self.noted.as_ref()?.levels.get(number as usize)?;
        level.checked_sub(1).map(u64::from)
    }

    /// The number of a state of a layer, from this number on.
    pub fn of_level(&self, layer: u64, from: &mut u64) -> Option<u64> {
        let level = u32::try_from(layer + 1).ok()?;
        let levels = &self.noted.as_ref()?.levels;
        let number = (*from..self.len()).find(|number| levels[*number as usize] == level);
        *from = number.map_or(self.len(), |number| number + 1);
        number
    }
}

impl Noted {
    fn bytes(&self) -> u64 {
        let numbers = self.levels.len() + self.layer.capacity() + self.next.capacity();
        numbers as u64 * 4
    }
}
