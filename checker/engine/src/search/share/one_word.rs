//! States of one word.

use std::ops::ControlFlow;

use super::gathers::{BATCH, Gathers};
use super::levels::Levels;
use super::taking::Taking;
use crate::search::layers::passed::Passed;
use crate::search::meter::Stop;
use crate::store::quotient::{Place, Quotient};

pub struct OneWords {
    set: Known,
    width: u32,
    /// The states of the present layer that are still to be gone through, and those of the next one.
    layer: Vec<u64>,
    next: Vec<u64>,
    /// Those of the search, while others are gone through once more.
    waiting: Option<(Vec<u64>, Vec<u64>)>,
}

enum Known {
    Growing(Quotient),
    /// Where somebody asks for ways.
    Noted(Levels),
}

impl OneWords {
    /// Of so many bits.
    pub fn new(width: u32) -> OneWords {
        OneWords {
            set: Known::Growing(Quotient::new(width)),
            width,
            layer: Vec::new(),
            next: Vec::new(),
            waiting: None,
        }
    }

    pub fn bytes(&self) -> u64 {
        let set = match &self.set {
            Known::Growing(set) => set.bytes(),
            Known::Noted(levels) => levels.bytes(),
        };
        let waiting = self.waiting.as_ref();
        let waiting = waiting.map_or(0, |(layer, next)| layer.capacity() + next.capacity());
        set + ((self.layer.capacity() + self.next.capacity() + waiting) * 8) as u64
    }

    /// Takes in states that are new, or that have no layer yet.
    pub fn meet<L: Gathers>(
        &mut self,
        rows: &[u64],
        (passed, state): (&mut Passed, &mut [u64]),
        taking: &mut Taking<'_, L>,
    ) -> ControlFlow<Stop> {
        let mut places = [None; BATCH];
        for rows in rows.chunks(BATCH) {
            let many = rows.len() as u64;
            let list = match self.next.capacity() - self.next.len() < rows.len() {
                // A list that is full is copied into one twice as long.
                true => self.next.capacity() as u64 * 16 + many * 8,
                false => 0,
            };
            taking.may_hold(list)?;
            match &mut self.set {
                Known::Growing(set) => {
                    let more = set.bytes_to_grow(many);
                    if more > 0 {
                        taking.may_hold(list + more)?;
                        let figures = taking.figures();
                        set.reserve(many, || taking.meter.poll(figures))?;
                    }
                    for (place, word) in places.iter_mut().zip(rows) {
                        *place = Some(set.place(*word));
                    }
                    let places: &[Option<Place>] = &places[..rows.len()];
                    for place in places.iter().flatten() {
                        taking.measure()?;
                        if set.insert(*place) {
                            taking.states += 1;
                            self.next.push(place.word());
                            passed.found(place.word(), state, taking)?;
                        }
                    }
                }
                Known::Noted(levels) => {
                    for word in rows {
                        taking.measure()?;
                        if levels.note(*word) {
                            self.next.push(*word);
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    pub fn next_layer(&mut self) -> u64 {
        self.layer = std::mem::take(&mut self.next);
        if let Known::Noted(levels) = &mut self.set {
            levels.next_layer();
        }
        self.layer.len() as u64
    }

    pub fn take(&mut self) -> Option<u64> {
        self.layer.pop()
    }

    pub fn has_more(&self) -> bool {
        !self.layer.is_empty()
    }

    /// What it takes to note layers up to this one, besides what there is.
    pub fn bytes_for_levels(&self, to: u64) -> u64 {
        match &self.set {
            Known::Growing(set) => Levels::bytes_for(set, to),
            Known::Noted(_) => 0,
        }
    }

    /// From now on states that are met are not taken in: their layers are noted, from the initial state's on.
    pub fn begin_levels(&mut self, to: u64) {
        if let Known::Growing(set) = &mut self.set {
            let set = std::mem::replace(set, Quotient::new(self.width));
            self.set = Known::Noted(Levels::new(set, to));
            let layer = std::mem::take(&mut self.layer);
            self.waiting = Some((layer, std::mem::take(&mut self.next)));
        }
    }

    /// The search goes on where it was.
    pub fn end_levels(&mut self) {
        if let Some(waiting) = self.waiting.take() {
            (self.layer, self.next) = waiting;
        }
        if let Known::Noted(levels) = &mut self.set {
            let set = levels.take_set(self.width);
            self.set = Known::Growing(set);
        }
    }

    /// The layer that was noted of a state.
    pub fn level_of(&self, word: u64) -> Option<u64> {
        match &self.set {
            Known::Noted(levels) => levels.of(word),
            Known::Growing(_) => None,
        }
    }

    /// Every state's number is below this, once layers are noted.
    pub fn numbers(&self) -> u64 {
        match &self.set {
            Known::Noted(levels) => levels.numbers(),
            Known::Growing(_) => 0,
        }
    }

    pub fn number(&self, word: u64) -> Option<u64> {
        match &self.set {
            Known::Noted(levels) => levels.number(word),
            Known::Growing(_) => None,
        }
    }

    /// The state with a number, if one has it.
    pub fn word(&self, number: u64) -> Option<u64> {
        match &self.set {
            Known::Noted(levels) => levels.word(number),
            Known::Growing(_) => None,
        }
    }

    /// A state of a layer, from this number on.
    pub fn of_level(&self, layer: u64, from: &mut u64) -> Option<u64> {
        match &self.set {
            Known::Noted(levels) => levels.next_in(layer, from),
            Known::Growing(_) => None,
        }
    }
}
