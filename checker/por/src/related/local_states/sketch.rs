//! What a step that is too much to be tried does to queues.
//!
//! A step with a message whose guard and effects depend on many values is too large a tree. But
//! what others can see and change of it is little, if apart from queues it reads nothing that
//! another instance writes, and the queue from which it takes a message has no other receiver:
//! others neither change the first message nor whether the step passes its guard, only how many
//! messages there are. So for others it is a step that is enabled wherever the queue is not empty
//! (to send: not full), and whose outcome they leave as it is. Where it is not enabled though there
//! is a message (or room), nobody else can enable it.

use stubborn_space::packed::StepRef;
use stubborn_space::packed::code::Channel;
use stubborn_space::packed::local::{LocalStep, Message};
use stubborn_system::system::Order;

use super::super::footprint::Collector;
use super::super::forest::{CellId, ChannelUse, DISABLED, Outcome, Takes, TreeId, Write};
use super::super::partial::Partial;
use super::{Explorer, locations};

impl Explorer<'_, '_, '_> {
    /// The sketch of a step that was tried, and has a tree with too many ways to be compared.
    pub(super) fn sketch_of_large(
        &mut self,
        tree: TreeId,
        step: StepRef,
        before: &Partial,
    ) -> Option<TreeId> {
        let StepRef::Local(number) = step else {
            return None;
        };
        let ways = self.vocabulary.bounds.ways;
        if self.vocabulary.forest.cubes(tree, ways).is_some() {
            return None;
        }
        let local = &self.packed.local[number as usize];
        self.sketch(local, before, &locations(&local.body.target))
    }

    /// The tree of a step over the lengths of its queues, or `None` if others see or change more of
    /// it.
    pub(super) fn sketch(
        &mut self,
        step: &LocalStep,
        before: &Partial,
        targets: &[u64],
    ) -> Option<TreeId> {
        let (taken, sent) = self.queues(step)?;
        let vocabulary = &*self.vocabulary;
        let is_own = |cell: &CellId| vocabulary.owners[*cell as usize] == Some(self.who);
        let mut collector = Collector::new(self.packed, &vocabulary.cells, before);
        collector.besides_channels(step);
        let found = collector.found;
        let mut touched = found.reads.iter().chain(&found.writes);
        if !touched.all(|cell| is_own(cell) && !vocabulary.of_channels[*cell as usize]) {
            return None;
        }
        let location = vocabulary.cells.of(step.body.location);
        let mut writes: Vec<(CellId, Write)> = Vec::new();
        let others = found.writes.iter().filter(|cell| Some(**cell) != location);
        let public = others.filter(|cell| vocabulary.public.contains(cell));
        writes.extend(public.map(|cell| (*cell, Write::Any)));
        if let Some(cell) = location {
            let from = before.value(step.body.location).unwrap_or(0);
            let mut to = targets.iter().copied();
            if to.any(|to| vocabulary.are_told_apart(cell, from, to)) {
                let write = match targets {
                    [only] => Write::Known(*only),
                    _ => Write::Any,
                };
                writes.push((cell, write));
            }
        }
        let layout = &self.packed.layout;
        let mut uses = Vec::new();
        let mut lengths = Vec::new();
        if let Some(queue) = taken {
            let at = &layout.channels[queue as usize];
            for part in 0..at.parts {
                if let Some(cell) = vocabulary.cells.of(layout.slots[at.slot(0, part)]) {
                    if !is_own(&cell) {
                        return None;
                    }
                    writes.push((cell, Write::Any));
                }
            }
            uses.push((queue, ChannelUse::Remove));
            lengths.push((vocabulary.cells.of(at.length)?, at.capacity, -1));
        }
        if let Some(queue) = sent {
            let at = &layout.channels[queue as usize];
            uses.push((queue, ChannelUse::Append));
            lengths.push((vocabulary.cells.of(at.length)?, at.capacity, 1));
        }
        writes.extend(lengths.iter().map(|(cell, _, by)| (*cell, Write::Add(*by))));
        writes.sort_unstable_by_key(|(cell, _)| *cell);
        let forest = &mut self.vocabulary.forest;
        let takes = forest.outcome(Outcome::Takes(Takes {
            writes: writes.into(),
            uses: uses.into(),
            ..Takes::default()
        }));
        let (never, mut tree) = (forest.leaf(DISABLED), forest.leaf(takes));
        for (cell, capacity, by) in lengths {
            let mut children = vec![tree; capacity as usize + 1];
            children[if by < 0 { 0 } else { capacity as usize }] = never;
            tree = forest.branch(cell, children);
        }
        Some(tree)
    }

    /// The queues from which the step takes a message and to which it sends one, if the state does
    /// not decide which these are.
    fn queues(&self, step: &LocalStep) -> Option<(Option<u32>, Option<u32>)> {
        let queue = |channel: &Channel| match channel {
            Channel::One(channel) => {
                let order = self.packed.system().channels[*channel as usize].order;
                (order == Order::Queue).then_some(*channel)
            }
            _ => None,
        };
        match &step.message {
            None => Some((None, None)),
            Some(Message::Send(outgoing)) => Some((None, Some(queue(&outgoing.channel)?))),
            Some(Message::Receive {
                channel, onward, ..
            }) => {
                let taken = queue(channel)?;
                let sent = match onward {
                    None => None,
                    Some(onward) => Some(queue(&onward.channel)?),
                };
                (sent != Some(taken)).then_some((Some(taken), sent))
            }
        }
    }
}
