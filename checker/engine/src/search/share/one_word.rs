//! States of one word.

use std::ops::ControlFlow;

use super::dealt::Dealt;
use super::gathers::Gathers;
use super::levels::Levels;
use super::owners::Decide;
use super::taking::Taking;
use super::window::{WINDOW, Window};
use crate::search::layers::passed::Passed;
use crate::search::meter::Stop;
use crate::several::Seat;
use crate::verdict::Reason;

pub struct OneWords {
    set: Known,
    width: u32,
    decide: Decide,
    seat: Seat,
    /// How many parts it is in.
    parts: usize,
    /// The states of the present layer that are still to be gone through, and those of the next one.
    layer: Vec<u64>,
    next: Vec<u64>,
    /// Those of the search, while others are gone through once more.
    waiting: Option<(Vec<u64>, Vec<u64>)>,
    window: Window,
}

enum Known {
    Growing(Dealt),
    /// Where somebody asks for ways.
    Noted(Levels),
}

/// Somebody has sent a state to the wrong worker.
#[cold]
pub fn not_ours() -> Stop {
    let defect = "a state arrived that belongs to somebody else";
    Stop::Limit(Reason::Internal(defect.to_owned()))
}

/// What it takes while a list grows for so many more: one that is full is copied into one twice as long.
fn to_grow(list: &Vec<u64>, more: usize) -> u64 {
    match list.capacity() - list.len() < more {
        true => (list.capacity() as u64 * 2 + more as u64) * 8,
        false => 0,
    }
}

impl OneWords {
    /// Of so many bits, those of the worker in this seat.
    pub fn new(width: u32, decide: Decide, seat: Seat) -> OneWords {
        let set = Dealt::new(width, &decide, seat);
        OneWords {
            window: Window::new(set.count()),
            parts: set.count(),
            set: Known::Growing(set),
            width,
            decide,
            seat,
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
        let window = Window::bytes(self.parts);
        set + window + ((self.layer.capacity() + self.next.capacity() + waiting) * 8) as u64
    }

    /// Takes in states that are new, or that have no layer yet.
    pub fn meet<L: Gathers>(
        &mut self,
        rows: &[u64],
        (passed, state): (&mut Passed, &mut [u64]),
        taking: &mut Taking<'_, L>,
    ) -> ControlFlow<Stop> {
        for rows in rows.chunks(WINDOW) {
            match &mut self.set {
                Known::Growing(set) => {
                    for word in rows {
                        let Some(dealt) = set.deal(*word) else {
                            return ControlFlow::Break(not_ours());
                        };
                        self.window.add(*word, dealt);
                    }
                    self.take_in((passed, state), taking)?;
                }
                Known::Noted(levels) => {
                    taking.may_hold(to_grow(&self.next, rows.len()))?;
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

    /// Takes in those of some states that belong here, and gives back the others: all, where layers are noted.
    pub fn keep_own<L: Gathers>(
        &mut self,
        rows: &[u64],
        (passed, state): (&mut Passed, &mut [u64]),
        taking: &mut Taking<'_, L>,
        give: &mut impl FnMut(u64),
    ) -> ControlFlow<Stop> {
        let Known::Growing(_) = &self.set else {
            rows.iter().for_each(|word| give(*word));
            return ControlFlow::Continue(());
        };
        for word in rows {
            let Known::Growing(set) = &self.set else {
                break;
            };
            match set.deal(*word) {
                Some(dealt) => self.window.add(*word, dealt),
                None => give(*word),
            }
            if self.window.is_full() {
                self.take_in((passed, state), taking)?;
            }
        }
        self.take_in((passed, state), taking)
    }

    /// Takes in what is in the window, which is empty then.
    fn take_in<L: Gathers>(
        &mut self,
        (passed, state): (&mut Passed, &mut [u64]),
        taking: &mut Taking<'_, L>,
    ) -> ControlFlow<Stop> {
        let OneWords {
            set, window, next, ..
        } = self;
        let Known::Growing(set) = set else {
            return ControlFlow::Continue(());
        };
        let list = to_grow(next, window.len());
        taking.measure()?;
        taking.may_hold(list)?;
        set.take_in(window, |more| {
            taking.may_hold(list + more)?;
            taking.meter.poll(taking.figures())
        })?;
        let mut new = (0..window.len()).filter_map(|at| window.new_at(at));
        let flow = new.try_for_each(|word| {
            taking.measure()?;
            taking.states += 1;
            next.push(word);
            passed.found(word, state, taking)
        });
        window.clear();
        flow
    }

    pub fn next_layer(&mut self) -> u64 {
        // All of the last one were taken: its list is there for the next one.
        std::mem::swap(&mut self.layer, &mut self.next);
        self.next.clear();
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
            let empty = Dealt::new(self.width, &self.decide, self.seat);
            let set = std::mem::replace(set, empty);
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
        let empty = || Dealt::new(self.width, &self.decide, self.seat);
        let set = std::mem::replace(&mut self.set, Known::Growing(empty()));
        self.set = Known::Growing(match set {
            Known::Growing(set) => set,
            Known::Noted(levels) => Dealt::of_numbered(levels.into_states(), empty()),
        });
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
