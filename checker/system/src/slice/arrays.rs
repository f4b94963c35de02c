//! Channels that are meant by an index.

use std::collections::HashMap;

use crate::footprint::Thing;
use crate::system::{ChannelId, ChannelRef, InstanceId, Range, System};

/// The arrays of channels that somebody chooses from by an index. Each is known once, however many
/// steps and expressions mean it.
#[derive(Clone, Debug)]
pub struct ChannelArrays {
    pub all: Vec<ChannelArray>,
    /// Of each channel, those that it is in.
    pub with: Vec<Vec<usize>>,
    numbers: HashMap<(ChannelId, u32), usize>,
}

/// Something that is needed as a whole. An array of channels is one thing to those who may mean each
/// of them: else there would be as many as all those together times the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Needed {
    Thing(Thing),
    /// By its number in [`ChannelArrays::all`].
    Array(usize),
}

#[derive(Clone, Debug)]
pub struct ChannelArray {
    first: ChannelId,
    len: u32,
    /// Who sends to one of it or receives from one.
    pub users: Vec<InstanceId>,
    /// The ranges of each part of a message, once they have been asked for; each once, and so one
    /// where all channels have messages of one type.
    received: Vec<Option<Vec<Range>>>,
}

impl ChannelArray {
    pub fn channels(&self) -> std::ops::Range<ChannelId> {
        self.first..self.first.saturating_add(self.len)
    }
}

impl ChannelArrays {
    /// None, of so many channels.
    pub fn new(channels: usize) -> ChannelArrays {
        ChannelArrays {
            all: Vec::new(),
            with: vec![Vec::new(); channels],
            numbers: HashMap::new(),
        }
    }

    /// The channel, or the array that it is chosen from.
    pub(super) fn meant_by(&mut self, channel: &ChannelRef) -> Needed {
        match channel {
            ChannelRef::One(channel) => Needed::Thing(Thing::Channel(*channel)),
            ChannelRef::Indexed { .. } => Needed::Array(self.number(channel.array())),
        }
    }

    /// The ranges of what a part of a message may be that is received from the channel.
    pub fn received(&mut self, system: &System, channel: &ChannelRef, part: usize) -> Vec<Range> {
        let received = |channel: ChannelId| {
            let channel = system.channels.get(channel as usize)?;
            channel.message.get(part).copied()
        };
        match channel {
            ChannelRef::One(channel) => received(*channel).into_iter().collect(),
            ChannelRef::Indexed { .. } => {
                let all = channel.array();
                let number = self.number(all.clone());
                let known = &mut self.all[number].received;
                if known.len() <= part {
                    known.resize(part + 1, None);
                }
                let ranges = known[part].get_or_insert_with(|| {
                    let mut ranges: Vec<Range> = all.filter_map(received).collect();
                    ranges.sort_unstable_by_key(|range| (range.lo, range.hi));
                    ranges.dedup();
                    ranges
                });
                ranges.clone()
            }
        }
    }

    fn number(&mut self, array: std::ops::Range<ChannelId>) -> usize {
        let (first, len) = (array.start, array.end - array.start);
        let next = self.all.len();
        let number = *self.numbers.entry((first, len)).or_insert(next);
        if number == next {
            for with in self.with.iter_mut().skip(first as usize).take(len as usize) {
                with.push(number);
            }
            self.all.push(ChannelArray {
                first,
                len,
                users: Vec::new(),
                received: Vec::new(),
            });
        }
        number
    }
}
