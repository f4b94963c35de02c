//! Questions about all states, asked backwards along steps.
//!
//! For each of its states a worker has the sources of the steps that lead there, by worker and
//! slot, so that a question takes linear time and only slots are sent. A worker knows no edge
//! between states of others, so that neither [`reach`](stubborn_explorer::graph::reach) nor walks
//! ([`reaching`](stubborn_explorer::search::whole::reaching)) can be used.
//!
//! - *Reachability* (EF): a goal is marked, and so is every state with a step to a marked one.
//! - *Cycles*: OWCTY (I. Černá, R. Pelánek, "Distributed Explicit Fair Cycle Detection", SPIN 2003)
//!   with the direction of steps reversed, as [`cycles`](stubborn_explorer::search::whole::cycles)
//!   has it forwards. Marked at first are all states that a cycle may contain. Then
//!   1. only those stay marked from which a wanted step can be reached between marked states;
//!   2. and of these only those with a step to a marked state, until nothing changes.
//!
//!   No state of a cycle is ever unmarked, so that there is none if nothing is left. If a round
//!   unmarks nothing there is one: each state reaches a wanted step, whose target is marked and
//!   reaches the next one, and states are finite. If all steps are wanted, what the second step
//!   leaves has a cycle, and the first one has nothing to do.

use stubborn_explorer::graph::StateSet;

/// Steps are kept in blocks of this many, so that none is ever copied.
const BLOCK: usize = 1 << 14;
/// No step.
const NONE: u32 = u32::MAX;
/// States, or steps, between two exchanges.
const AT_ONCE: usize = 1 << 10;
/// The most slots of a worker: a message has 31 bits for one.
pub const MOST_SLOTS: u32 = 1 << 31;

/// Work along the steps, until no state waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Marks each state with a step to a marked one.
    Known,
    /// Keeps marked only the states from which a wanted step can be reached.
    Reach,
    /// Counts the steps of each state to marked ones.
    Count,
    /// Unmarks states without a step to a marked one.
    Trim,
}

/// A step to a state, by its source.
#[derive(Clone, Copy)]
struct From {
    slot: u32,
    /// The worker, and in the lowest bit whether the step is wanted.
    worker: u32,
    /// The next step to the same state.
    next: u32,
}

/// Encodes the source of a step, and whether the step is wanted, for the owner of its target.
pub fn said(worker: u32, slot: u32, is_wanted: bool) -> u64 {
    u64::from(worker) << 33 | u64::from(slot) << 1 | u64::from(is_wanted)
}

/// The worker that a step comes from.
pub fn worker_of(said: u64) -> u32 {
    (said >> 33) as u32
}

/// Marks on the states of one worker, and the steps to them.
pub struct Backward {
    own: u32,
    slots: u32,
    /// The first step to each state.
    first: Vec<u32>,
    blocks: Vec<Vec<From>>,
    marked: StateSet,
    many: u64,
    /// The marked states from which a wanted step was reached.
    reached: StateSet,
    many_reached: u64,
    /// The number of steps of each state to marked ones.
    counts: Vec<u32>,
    direction: Direction,
    /// The first state that was not visited yet in this direction.
    unswept: u32,
    /// States from which to go backwards.
    waiting: Vec<u32>,
}

impl Backward {
    /// With room for counts, which questions about cycles need.
    pub fn new(own: u32, slots: u32, counts: bool) -> Backward {
        let all = slots as usize;
        Backward {
            own,
            slots,
            first: vec![NONE; all],
            blocks: Vec::new(),
            marked: StateSet::with_room(slots),
            many: 0,
            reached: StateSet::with_room(slots),
            many_reached: 0,
            counts: if counts { vec![0; all] } else { Vec::new() },
            direction: Direction::Known,
            unswept: slots,
            waiting: Vec::new(),
        }
    }

    /// Memory without steps, in bytes.
    pub fn bytes_for(slots: u32, counts: bool) -> u64 {
        let slots = u64::from(slots);
        slots * (if counts { 8 } else { 4 }) + slots / 4
    }

    pub fn bytes(&self) -> u64 {
        let steps = self.blocks.len() * BLOCK * size_of::<From>();
        let slots = self.first.len() + self.counts.len() + self.waiting.capacity();
        (steps + slots * 4) as u64 + self.marked.bytes() + self.reached.bytes()
    }

    /// Bytes that the next step takes, if it needs a block.
    pub fn bytes_to_grow(&self) -> u64 {
        let is_full = self.blocks.last().is_none_or(|last| last.len() == BLOCK);
        match is_full {
            true => (BLOCK * size_of::<From>()) as u64,
            false => 0,
        }
    }

    /// Notes a step to a state of this worker. Returns whether there is a number for it.
    pub fn note(&mut self, to: u32, said: u64) -> bool {
        if self.bytes_to_grow() > 0 {
            self.blocks.push(Vec::with_capacity(BLOCK));
        }
        let before = (self.blocks.len() - 1) * BLOCK;
        let Some(last) = self.blocks.last_mut() else {
            return false;
        };
        let step = u32::try_from(before + last.len()).ok();
        let Some(step) = step.filter(|step| *step < NONE) else {
            return false;
        };
        last.push(From {
            slot: (said >> 1) as u32 & (MOST_SLOTS - 1),
            worker: worker_of(said) << 1 | (said & 1) as u32,
            next: std::mem::replace(&mut self.first[to as usize], step),
        });
        true
    }

    /// Marks a goal, or a state that a cycle may contain.
    pub fn mark(&mut self, slot: u32) {
        if !self.marked.contains(slot) {
            self.marked.insert(slot);
            self.many += 1;
        }
    }

    pub fn is_marked(&self, slot: u32) -> bool {
        self.marked.contains(slot)
    }

    /// The number of marked states.
    pub fn many(&self) -> u64 {
        self.many
    }

    pub fn begin(&mut self, direction: Direction) {
        if self.direction == Direction::Reach {
            self.marked = std::mem::replace(&mut self.reached, StateSet::with_room(self.slots));
            self.many = std::mem::take(&mut self.many_reached);
        }
        if direction == Direction::Count {
            self.counts.fill(0);
        }
        self.direction = direction;
        self.unswept = 0;
    }

    /// The number of states that wait.
    pub fn waiting(&self) -> u64 {
        self.waiting.len() as u64
    }

    /// Does a part of the work, and fills the outbox with slots. Returns whether there is more.
    pub fn go_back(&mut self, outbox: &mut [Vec<u64>]) -> bool {
        for _ in 0..AT_ONCE {
            if self.unswept < self.slots {
                let slot = self.unswept;
                self.unswept += 1;
                if self.marked.contains(slot) {
                    self.sweep(slot, outbox);
                }
            } else if let Some(slot) = self.waiting.pop() {
                self.back_from(slot, false, outbox);
            } else {
                return false;
            }
        }
        self.unswept < self.slots || !self.waiting.is_empty()
    }

    fn sweep(&mut self, slot: u32, outbox: &mut [Vec<u64>]) {
        match self.direction {
            Direction::Known => self.waiting.push(slot),
            Direction::Reach => self.back_from(slot, true, outbox),
            Direction::Count => self.back_from(slot, false, outbox),
            Direction::Trim if self.counts[slot as usize] == 0 => self.remove(slot),
            Direction::Trim => {}
        }
    }

    /// Goes backwards along the steps to a state, or the wanted ones.
    fn back_from(&mut self, slot: u32, only_wanted: bool, outbox: &mut [Vec<u64>]) {
        let mut next = self.first[slot as usize];
        while next != NONE {
            let from = self.blocks[next as usize / BLOCK][next as usize % BLOCK];
            next = from.next;
            if only_wanted && from.worker & 1 == 0 {
                continue;
            }
            match from.worker >> 1 == self.own {
                true => self.come(from.slot),
                false => outbox[(from.worker >> 1) as usize].push(from.slot.into()),
            }
        }
    }

    /// Comes back to a state along one of its steps.
    fn come(&mut self, slot: u32) {
        if slot >= self.slots {
            return;
        }
        let is_marked = self.marked.contains(slot);
        match self.direction {
            Direction::Known if !is_marked => {
                self.mark(slot);
                self.waiting.push(slot);
            }
            Direction::Reach if is_marked && !self.reached.contains(slot) => {
                self.reached.insert(slot);
                self.many_reached += 1;
                self.waiting.push(slot);
            }
            Direction::Count if is_marked => {
                let count = &mut self.counts[slot as usize];
                *count = count.saturating_add(1);
            }
            Direction::Trim if is_marked => {
                let count = &mut self.counts[slot as usize];
                // A count that was saturated never reaches 0.
                if *count != u32::MAX {
                    *count = count.saturating_sub(1);
                }
                // A state that was not visited yet is removed then.
                if *count == 0 && slot < self.unswept {
                    self.remove(slot);
                }
            }
            _ => {}
        }
    }

    /// Comes back to states from other workers.
    pub fn come_back(&mut self, slots: &[u64]) {
        for slot in slots {
            if let Ok(slot) = u32::try_from(*slot) {
                self.come(slot);
            }
        }
    }

    fn remove(&mut self, slot: u32) {
        self.marked.remove(slot);
        self.many -= 1;
        self.waiting.push(slot);
    }
}

#[cfg(test)]
mod tests;
