//! A step tried for all values of what it reads, and what comes of it as a tree.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::super::forest::{
    BREAKS, CellId, ChannelUse, DISABLED, FAILS, Outcome, OutcomeId, Takes, TreeId, WAITS, Write,
};
use super::super::partial::Partial;
use super::super::trial::{Attempt, Status, Trial, missing};
use super::{Explorer, Grown, SIZE_OF_A_TRIAL, size};

enum Raw {
    Leaf(RawOutcome),
    Branch(CellId, Vec<Raw>),
}

enum RawOutcome {
    Disabled,
    Waits,
    Fails,
    FailsOn {
        bag: u32,
        values: Vec<Option<i64>>,
    },
    Breaks,
    Takes {
        to: Box<[u64]>,
        writes: Vec<(CellId, Write)>,
        uses: Vec<(u32, ChannelUse)>,
        values: Vec<Option<i64>>,
    },
}

impl Explorer<'_, '_, '_> {
    /// Tries a step for all values of what it reads; `None` where that is too much.
    pub(super) fn grown(
        &mut self,
        before: &mut Partial,
        attempt: &mut dyn FnMut(Trial<'_>) -> Attempt,
    ) -> Option<Grown> {
        let bounds = self.vocabulary.bounds;
        let mut left = bounds.trials_of_a_part;
        let raw = self.grow(before, attempt, &mut left)?;
        let mut to = Vec::new();
        let mut own = Vec::new();
        let inner = self.planted(raw, &mut Classes::new(&mut to), &mut own);
        let mut tree = inner;
        // What a scalar was before it is written is a matter of the local state.
        own.sort_unstable();
        own.dedup();
        for cell in own.into_iter().take(bounds.own) {
            let slot = self.packed.layout.slots[cell as usize];
            let size = size(self.packed.layout.ranges[cell as usize]);
            let (Some(value), true) = (
                before.value(slot),
                size <= u64::from(bounds.trials_of_a_part),
            ) else {
                continue;
            };
            let forest = &mut self.vocabulary.forest;
            let never = forest.leaf(DISABLED);
            let mut children = vec![never; size as usize];
            children[value as usize] = tree;
            tree = forest.branch(cell, children);
        }
        Some(Grown { tree, inner, to })
    }

    fn grow(
        &mut self,
        before: &mut Partial,
        attempt: &mut dyn FnMut(Trial<'_>) -> Attempt,
        left: &mut u32,
    ) -> Option<Raw> {
        let packed = self.packed;
        let scalars = packed.layout.words + self.tracked.len();
        let cost = 1 + (scalars / SIZE_OF_A_TRIAL) as u32;
        *left = left.checked_sub(cost)?;
        self.trials = match self.trials.checked_sub(cost) {
            Some(trials) => trials,
            None => {
                self.trials = 0;
                return None;
            }
        };
        if let ControlFlow::Break(stop) = self.work.scalars(scalars) {
            self.stopped = Some(stop);
            return None;
        }
        before.take_missing();
        self.next.begin_as(before);
        let made = attempt(Trial {
            layout: &packed.layout,
            stacks: &mut self.stacks,
            before,
            next: &mut self.next,
        });
        let Some(slot) = missing(before, &self.next) else {
            return Some(Raw::Leaf(self.outcome(&made, before)));
        };
        let cell = self.vocabulary.cells.of(slot)?;
        let size = size(packed.layout.ranges[cell as usize]);
        if size > u64::from(*left) {
            return None;
        }
        let mut children = Vec::with_capacity(size as usize);
        for raw in 0..size {
            before.learn(slot, raw);
            let child = self.grow(before, attempt, left);
            before.forget(slot);
            children.push(child?);
        }
        Some(Raw::Branch(cell, children))
    }

    fn outcome(&self, made: &Attempt, before: &Partial) -> RawOutcome {
        match made.status {
            Status::Disabled => return RawOutcome::Disabled,
            Status::Waits => return RawOutcome::Waits,
            Status::Fails => match made.bag {
                None => return RawOutcome::Fails,
                Some(bag) => {
                    let values = made.values.clone();
                    return RawOutcome::FailsOn { bag, values };
                }
            },
            Status::Breaks => return RawOutcome::Breaks,
            Status::Takes => {}
        }
        let next = &self.next;
        let to = self.tracked.iter().map(|(slot, _)| {
            debug_assert!(next.knows(*slot), "what was known stays known");
            next.value(*slot).unwrap_or(0)
        });
        let to = to.collect();
        let vocabulary = &self.vocabulary;
        let location = self.packed.layout.locations[self.who as usize];
        let mut writes = Vec::new();
        for slot in next.written() {
            let (Some(cell), Some(new)) = (vocabulary.cells.of(*slot), next.value(*slot)) else {
                continue;
            };
            let old = before.value(*slot);
            let is_own = vocabulary.owners[cell as usize] == Some(self.who);
            // Of its own variables those that it is not told apart by are left to be compared.
            let is_in_key = is_own && self.is_tracked.contains(&cell);
            if old == Some(new) || is_in_key && !vocabulary.public.contains(&cell) {
                continue;
            }
            if let Some(old) = old
                && *slot == location
                && !vocabulary.are_told_apart(cell, old, new)
            {
                continue;
            }
            writes.push((cell, Write::Known(new)));
        }
        for (slot, by) in &made.added {
            writes.extend(
                vocabulary
                    .cells
                    .of(*slot)
                    .map(|cell| (cell, Write::Add(*by))),
            );
        }
        for slot in &made.lost {
            writes.extend(vocabulary.cells.of(*slot).map(|cell| (cell, Write::Any)));
        }
        writes.sort_unstable_by_key(|(cell, _)| *cell);
        RawOutcome::Takes {
            to,
            writes,
            uses: made.uses.clone(),
            values: made.values.clone(),
        }
    }

    fn planted(&mut self, raw: Raw, to: &mut Classes<'_>, own: &mut Vec<CellId>) -> TreeId {
        match raw {
            Raw::Leaf(outcome) => {
                let outcome = self.numbered(outcome, to, own);
                self.vocabulary.forest.leaf(outcome)
            }
            Raw::Branch(cell, children) => {
                let children = children.into_iter();
                let children = children.map(|child| self.planted(child, to, own)).collect();
                self.vocabulary.forest.branch(cell, children)
            }
        }
    }

    fn numbered(
        &mut self,
        outcome: RawOutcome,
        to: &mut Classes<'_>,
        own: &mut Vec<CellId>,
    ) -> OutcomeId {
        match outcome {
            RawOutcome::Disabled => DISABLED,
            RawOutcome::Waits => WAITS,
            RawOutcome::Fails => FAILS,
            RawOutcome::FailsOn { bag, values } => {
                let values = values.into();
                let outcome = Outcome::FailsOn { bag, values };
                self.vocabulary.forest.outcome(outcome)
            }
            RawOutcome::Breaks => BREAKS,
            RawOutcome::Takes {
                to: key,
                writes,
                uses,
                values,
            } => {
                let written = writes.iter().map(|(cell, _)| *cell);
                own.extend(written.filter(|cell| self.is_tracked.contains(cell)));
                self.vocabulary.forest.outcome(Outcome::Takes(Takes {
                    class: to.number(key),
                    writes: writes.into(),
                    uses: uses.into(),
                    values: values.into(),
                }))
            }
        }
    }
}

/// Where a part's outcomes lead, each with a number.
struct Classes<'a> {
    all: &'a mut Vec<Box<[u64]>>,
    numbers: FxHashMap<Box<[u64]>, u32>,
}

impl<'a> Classes<'a> {
    fn new(all: &'a mut Vec<Box<[u64]>>) -> Classes<'a> {
        Classes {
            all,
            numbers: FxHashMap::default(),
        }
    }

    fn number(&mut self, key: Box<[u64]>) -> u32 {
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let number = self.all.len() as u32;
        self.all.push(key.clone());
        self.numbers.insert(key, number);
        number
    }
}
