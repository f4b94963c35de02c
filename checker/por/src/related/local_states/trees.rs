//! A step tried for all values of what it reads, and what comes of it as a tree.

use std::ops::ControlFlow;

use stubborn_space::packed::layout::Slot;

use super::super::forest::{
    BREAKS, CellId, DISABLED, FAILS, Outcome, OutcomeId, Takes, TreeId, WAITS, Write,
};
use super::super::partial::{Missing, Partial};
use super::super::trial::{Attempt, Status, Trial, missing};
use super::{Explorer, Grown, Keys, SIZE_OF_A_TRIAL, number};

/// A step that is being tried.
struct Growth<'t> {
    attempt: &'t mut dyn FnMut(Trial<'_>) -> Attempt,
    /// How many trials are left for it.
    left: u32,
    /// Targets of its outcomes, by their classes.
    to: Keys,
    /// The tracked scalars that it writes.
    own: Vec<CellId>,
    /// The lengths of channels whose exact values it asks for.
    exact: Vec<CellId>,
}

impl Explorer<'_, '_, '_> {
    /// Tries a step for all values of what it reads; `None` where that is too much.
    pub(super) fn grown(
        &mut self,
        before: &mut Partial,
        attempt: &mut dyn FnMut(Trial<'_>) -> Attempt,
    ) -> Option<Grown> {
        let bounds = self.vocabulary.bounds;
        let mut growth = Growth {
            attempt,
            left: bounds.trials_of_a_part,
            to: Keys::default(),
            own: Vec::new(),
            exact: Vec::new(),
        };
        let inner = self.grow(before, &mut growth)?;
        let Growth { to, mut own, .. } = growth;
        let mut tree = inner;
        // The local state tells the value of a scalar before it is written.
        own.sort_unstable();
        own.dedup();
        for cell in own.into_iter().take(bounds.own) {
            let slot = self.packed.layout.slots[cell as usize];
            let size = self.packed.layout.ranges[cell as usize].size();
            let is_small = size <= u64::from(bounds.trials_of_a_part);
            let Some(value) = before.value(slot).filter(|_| is_small) else {
                continue;
            };
            let forest = &mut self.vocabulary.forest;
            let never = forest.leaf(DISABLED);
            let mut children = vec![never; size as usize];
            children[value as usize] = tree;
            tree = forest.branch(cell, children);
        }
        Some(Grown {
            tree,
            inner,
            to,
            joint: None,
            bag: None,
        })
    }

    fn grow(&mut self, before: &mut Partial, growth: &mut Growth<'_>) -> Option<TreeId> {
        let packed = self.packed;
        let scalars = packed.layout.words + self.tracked.len();
        let cost = 1 + (scalars / SIZE_OF_A_TRIAL) as u32;
        growth.left = growth.left.checked_sub(cost)?;
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
        let made = (growth.attempt)(Trial {
            layout: &packed.layout,
            stacks: &mut self.stacks,
            before,
            next: &mut self.next,
        });
        let Some(Missing { slot, is_rough }) = missing(before, &self.next) else {
            let outcome = self.outcome(made, before, growth);
            return Some(self.vocabulary.forest.leaf(outcome));
        };
        let cell = self.vocabulary.cells.of(slot)?;
        let size = packed.layout.ranges[cell as usize].size();
        if before.is_rough(slot) {
            // It is tried again from where the length was asked for first.
            growth.exact.push(cell);
            return None;
        }
        if is_rough && !growth.exact.contains(&cell) {
            let tree = self.grow_by_length(before, growth, (slot, cell), size);
            if tree.is_some() || !growth.exact.contains(&cell) {
                return tree;
            }
        }
        if size > u64::from(growth.left) {
            return None;
        }
        let mut children = Vec::with_capacity(size as usize);
        for raw in 0..size {
            before.learn(slot, raw);
            let child = self.grow(before, growth);
            before.forget(slot);
            children.push(child?);
        }
        Some(self.vocabulary.forest.branch(cell, children))
    }

    /// Tries a step for a channel that is empty, full, and neither: it asks for no more.
    fn grow_by_length(
        &mut self,
        before: &mut Partial,
        growth: &mut Growth<'_>,
        (slot, cell): (Slot, CellId),
        size: u64,
    ) -> Option<TreeId> {
        let mut children = Vec::with_capacity(size as usize);
        for (raw, count) in [(0, 1), (1, size.saturating_sub(2)), (size - 1, 1)] {
            if count == 0 {
                continue;
            }
            before.learn_roughly(slot, raw);
            let child = self.grow(before, growth);
            before.forget(slot);
            children.resize(children.len() + count as usize, child?);
        }
        Some(self.vocabulary.forest.branch(cell, children))
    }

    fn outcome(&mut self, made: Attempt, before: &Partial, growth: &mut Growth<'_>) -> OutcomeId {
        let outcome = match (made.status, made.bag) {
            (Status::Disabled, _) => return DISABLED,
            (Status::Waits, _) => return WAITS,
            (Status::Fails, None) => return FAILS,
            (Status::Breaks, _) => return BREAKS,
            (Status::Fails, Some(bag)) => Outcome::FailsOn {
                bag,
                values: made.values.into(),
            },
            (Status::Takes, _) => Outcome::Takes(self.takes(made, before, growth)),
        };
        self.vocabulary.forest.outcome(outcome)
    }

    fn takes(&self, made: Attempt, before: &Partial, growth: &mut Growth<'_>) -> Takes {
        let next = &self.next;
        let to = self.tracked.iter().map(|(slot, _)| {
            debug_assert!(next.knows(*slot), "what was known stays known");
            next.value(*slot).unwrap_or(0)
        });
        let class = number(&mut growth.to, to.collect());
        let vocabulary = &self.vocabulary;
        let location = self.packed.layout.locations[self.who as usize];
        let mut writes = Vec::new();
        for slot in next.written() {
            let (Some(cell), Some(new)) = (vocabulary.cells.of(*slot), next.value(*slot)) else {
                continue;
            };
            let old = before.value(*slot);
            let is_own = vocabulary.owners[cell as usize] == Some(self.who);
            // Own variables that are not in the key are left to be compared.
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
        let added = made.added.iter().map(|(slot, by)| (*slot, Write::Add(*by)));
        let lost = made.lost.iter().map(|slot| (*slot, Write::Any));
        let of_channels = added.chain(lost);
        writes.extend(
            of_channels.filter_map(|(slot, write)| Some((vocabulary.cells.of(slot)?, write))),
        );
        writes.sort_unstable_by_key(|(cell, _)| *cell);
        let written = writes.iter().map(|(cell, _)| *cell);
        let tracked = written.filter(|cell| self.is_tracked.contains(cell));
        growth.own.extend(tracked);
        Takes {
            class,
            writes: writes.into(),
            uses: made.uses.into(),
            values: made.values.into(),
        }
    }
}
