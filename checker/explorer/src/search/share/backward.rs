//! Going back from states along steps that lead to them, among several workers.
//!
//! Each worker has, of each state that belongs to it, where the steps come from that lead to it: by worker, and by the
//! number that the state has there. So a question is asked backwards, in linear time and without a state being sent
//! again:
//!
//! - *Reaching* (EF): a goal is known, and so is whatever has a step to a state that is known.
//! - *Cycles*: OWCTY (I. Černá, R. Pelánek, "Distributed Explicit Fair Cycle Detection", SPIN 2003; J. Barnat et
//!   al., DiVinE) with time turned round, as [`cycles`](crate::search::whole::cycles) has it forwards. Of the states
//!   that are *left*, at first all in which a run may stay,
//!   1. those stay left from which a wanted step can be reached, by steps between states that are left;
//!   2. and of these those that are not *trimmed*: a state goes of which no step leads to one that is left, until
//!      there is none.
//!
//!   No state of a cycle that is looked for ever goes. So where nothing is left there is none. And where nothing has gone
//!   there is one: from each state a wanted step can be reached, whose end is left, and so on, through finitely many
//!   states. Where all steps are wanted, what 2 leaves has a cycle, and 1 has nothing to do.

use stubborn_space::several::Phase;

use super::gathers::BATCH;
use crate::graph::StateSet;

/// Steps are kept in blocks of so many, so that none is ever copied.
const BLOCK: usize = 1 << 14;
/// No step.
const NONE: u32 = u32::MAX;
/// So many states, or steps, are gone through at a time.
const AT_ONCE: usize = 16 * BATCH;

/// A step that leads to a state, by where it comes from.
#[derive(Clone, Copy)]
struct From {
    number: u32,
    /// The worker, and in the lowest bit whether the step is wanted.
    worker: u32,
    /// The next one that leads there.
    next: u32,
}

/// What is said of a step to whom the state belongs to that it leads to: where it comes from, and whether it is
/// wanted.
pub fn said(worker: u32, number: u32, is_wanted: bool) -> u64 {
    u64::from(worker) << 33 | u64::from(number) << 1 | u64::from(is_wanted)
}

/// What is known of the states that belong to one worker.
pub struct Backward {
    own: u32,
    numbers: u32,
    /// Of each state the first step that leads to it.
    first: Vec<u32>,
    blocks: Vec<Vec<From>>,
    /// The states that are known, or left.
    marked: StateSet,
    many: u64,
    /// Of those that are left, the ones from which a wanted step was reached.
    reached: StateSet,
    many_reached: u64,
    /// How many steps of each state lead to one that is left.
    counts: Vec<u32>,
    phase: Phase,
    /// States that were not swept yet in this phase: from this number on.
    unswept: u32,
    /// States that are still to be gone back from.
    waiting: Vec<u32>,
}

impl Backward {
    /// For so many states of this worker; with counts where cycles are asked for.
    pub fn new(own: u32, numbers: u32, counts: bool) -> Backward {
        let all = numbers as usize;
        Backward {
            own,
            numbers,
            first: vec![NONE; all],
            blocks: Vec::new(),
            marked: StateSet::with_room(numbers),
            many: 0,
            reached: StateSet::with_room(numbers),
            many_reached: 0,
            counts: if counts { vec![0; all] } else { Vec::new() },
            phase: Phase::Known,
            unswept: numbers,
            waiting: Vec::new(),
        }
    }

    /// What that takes, in bytes, before there are steps.
    pub fn bytes_for(numbers: u64, counts: bool) -> u64 {
        numbers * (if counts { 8 } else { 4 }) + numbers / 4
    }

    pub fn bytes(&self) -> u64 {
        let steps = self.blocks.len() * BLOCK * size_of::<From>();
        let numbers = self.first.len() + self.counts.len() + self.waiting.capacity();
        (steps + numbers * 4) as u64 + self.marked.bytes() + self.reached.bytes()
    }

    /// What one more block of steps takes, if the next step needs one.
    pub fn bytes_to_grow(&self) -> u64 {
        let is_full = self.blocks.last().is_none_or(|last| last.len() == BLOCK);
        match is_full {
            true => (BLOCK * size_of::<From>()) as u64,
            false => 0,
        }
    }

    /// Notes a step to a state of this worker. Whether there is a number for it.
    pub fn note(&mut self, to: u32, said: u64) -> bool {
        let next = self.blocks.len().saturating_sub(1) * BLOCK;
        let next = next + self.blocks.last().map_or(0, Vec::len);
        let Some(next) = u32::try_from(next).ok().filter(|next| *next < NONE) else {
            return false;
        };
        if self.blocks.last().is_none_or(|last| last.len() == BLOCK) {
            self.blocks.push(Vec::with_capacity(BLOCK));
        }
        if let Some(last) = self.blocks.last_mut() {
            last.push(From {
                number: (said >> 1) as u32,
                worker: (said >> 33 << 1) as u32 | (said & 1) as u32,
                next: self.first[to as usize],
            });
        }
        self.first[to as usize] = next;
        true
    }

    fn from(&self, step: u32) -> From {
        self.blocks[step as usize / BLOCK][step as usize % BLOCK]
    }

    /// A state is a goal, or one in which a run may stay.
    pub fn mark(&mut self, number: u32) {
        if !self.marked.contains(number) {
            self.marked.insert(number);
            self.many += 1;
        }
    }

    pub fn is_marked(&self, number: u32) -> bool {
        self.marked.contains(number)
    }

    /// How many are known, or left.
    pub fn many(&self) -> u64 {
        self.many
    }

    pub fn begin(&mut self, phase: Phase) {
        if self.phase == Phase::Reach {
            self.marked = std::mem::replace(&mut self.reached, StateSet::with_room(self.numbers));
            self.many = std::mem::take(&mut self.many_reached);
        }
        if phase == Phase::Count {
            self.counts.fill(0);
        }
        self.phase = phase;
        self.unswept = 0;
    }

    /// How many states wait.
    pub fn waiting(&self) -> u64 {
        self.waiting.len() as u64
    }

    /// Goes on with the phase for a while. Tells `send` of states that are another worker's. Whether there is more.
    pub fn go_back(&mut self, send: &mut dyn FnMut(u32, u64)) -> bool {
        let mut left = AT_ONCE;
        while left > 0 {
            left -= 1;
            if self.unswept < self.numbers {
                let number = self.unswept;
                self.unswept += 1;
                if self.marked.contains(number) {
                    self.sweep(number, send);
                }
                continue;
            }
            let Some(number) = self.waiting.pop() else {
                return false;
            };
            self.back_from(number, false, send);
        }
        self.unswept < self.numbers || !self.waiting.is_empty()
    }

    fn sweep(&mut self, number: u32, send: &mut dyn FnMut(u32, u64)) {
        match self.phase {
            Phase::Known => self.waiting.push(number),
            Phase::Reach => self.back_from(number, true, send),
            Phase::Count => self.back_from(number, false, send),
            Phase::Trim => {
                if self.counts[number as usize] == 0 {
                    self.remove(number);
                }
            }
        }
    }

    /// Along all steps to a state, or those that are wanted.
    fn back_from(&mut self, number: u32, only_wanted: bool, send: &mut dyn FnMut(u32, u64)) {
        let mut next = self.first[number as usize];
        while next != NONE {
            let from = self.from(next);
            next = from.next;
            if only_wanted && from.worker & 1 == 0 {
                continue;
            }
            match from.worker >> 1 == self.own {
                true => self.come(from.number),
                false => send(from.worker >> 1, from.number.into()),
            }
        }
    }

    /// Somebody has come back to a state along one of its steps.
    fn come(&mut self, number: u32) {
        if number >= self.numbers {
            return;
        }
        let is_marked = self.marked.contains(number);
        match self.phase {
            Phase::Known if !is_marked => {
                self.mark(number);
                self.waiting.push(number);
            }
            Phase::Reach if is_marked && !self.reached.contains(number) => {
                self.reached.insert(number);
                self.many_reached += 1;
                self.waiting.push(number);
            }
            Phase::Count if is_marked => {
                let count = &mut self.counts[number as usize];
                *count = count.saturating_add(1);
            }
            Phase::Trim if is_marked => {
                let count = &mut self.counts[number as usize];
                // So many steps that they were not counted to the end are never all gone.
                if *count != u32::MAX {
                    *count = count.saturating_sub(1);
                }
                // One that is swept later goes then.
                if *count == 0 && number < self.unswept {
                    self.remove(number);
                }
            }
            _ => {}
        }
    }

    /// The same of others' states' steps.
    pub fn come_back(&mut self, numbers: &[u64]) {
        for number in numbers {
            if let Ok(number) = u32::try_from(*number) {
                self.come(number);
            }
        }
    }

    fn remove(&mut self, number: u32) {
        self.marked.remove(number);
        self.many -= 1;
        self.waiting.push(number);
    }
}

#[cfg(test)]
mod tests;
