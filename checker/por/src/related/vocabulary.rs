//! The names that the relations are about: scalars and whose they are, views and joint events.

use std::ops::ControlFlow;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use stubborn_explorer::search::Stop;
use stubborn_space::packed::Packed;
use stubborn_space::packed::code::Code;
use stubborn_space::packed::layout::Layout;
use stubborn_space::packed::walk::Walk as _;
use stubborn_system::system::{ActionId, InstanceId};

use super::bounds::Bounds;
use super::footprint::{CellIndex, Collector, Footprint};
use super::forest::{CellId, ChannelUse, Forest, TreeId};
use super::partial::Partial;
use super::work::Work;

pub type ViewId = u32;
pub type EventId = u32;

/// A step of an instance as the others see it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum View {
    Exact {
        tree: TreeId,
        /// It is a part of a joint step.
        joint: bool,
        /// It takes a message out of this bag, if there is one that matches: the tree does not
        /// tell.
        bag: Option<u32>,
    },
    /// Too much to be tried, but besides what it does to channels it reads nothing that another
    /// instance writes: whether it is enabled there and what it does to the instance itself others
    /// neither see nor change. The tree tells what it does to channels, where it is enabled.
    Sketch { tree: TreeId },
    /// Too much to be tried: only its footprint is known. Ascending.
    Rough {
        reads: Box<[CellId]>,
        writes: Box<[CellId]>,
        uses: Box<[(u32, ChannelUse)]>,
    },
}

/// A joint step with its values, whichever steps its participants take.
#[derive(Clone, Debug)]
pub struct Event {
    pub action: ActionId,
    pub values: Box<[i64]>,
    pub participants: Box<[InstanceId]>,
    /// A participant's part may fail.
    pub can_fail: bool,
}

/// Numbers of scalars, views and events, and what scalars mean to others than their owner.
pub struct Vocabulary {
    pub bounds: Bounds,
    pub cells: CellIndex,
    /// By scalar, the only instance that ever writes it.
    pub owners: Vec<Option<InstanceId>>,
    /// The scalars that others than their owner read, or a property.
    pub public: FxHashSet<CellId>,
    /// The scalars that are lengths of channels or parts of messages.
    pub of_channels: Vec<bool>,
    /// The sets of locations that others compare an instance's location with.
    locations: FxHashMap<CellId, Vec<Vec<u32>>>,
    pub forest: Forest,
    pub views: IndexSet<View, FxBuildHasher>,
    pub events: Vec<Event>,
    /// The actions with a step that was too much to be tried: it may match whatever the values are,
    /// and fail.
    pub opaque: FxHashSet<ActionId>,
    event_numbers: FxHashMap<(ActionId, Vec<i64>), EventId>,
}

impl Vocabulary {
    /// Breaks off where a limit is reached.
    pub fn new(
        bounds: Bounds,
        packed: &Packed<'_>,
        expressions: &[&Code],
        work: &mut Work<'_>,
    ) -> ControlFlow<Stop, Vocabulary> {
        let layout = &packed.layout;
        let cells = CellIndex::new(&layout.slots);
        let nothing = Partial::nothing(layout.words);
        let instances = &packed.system().instances;
        let mut footprints = Vec::with_capacity(instances.len());
        for (i, instance) in instances.iter().enumerate() {
            let mut collector = Collector::new(packed, &cells, &nothing);
            let mut all = Footprint::default();
            for step in 0..instance.steps.len() {
                collector.step(i as InstanceId, step as u32);
                let found = collector.take();
                work.scalars(found.reads.len() + found.writes.len())?;
                all.reads.extend(found.reads);
                all.writes.extend(found.writes);
                for (cell, sets) in found.locations {
                    all.locations.entry(cell).or_default().extend(sets);
                }
            }
            footprints.push(all);
        }
        let mut owners = vec![None; layout.slots.len()];
        let mut several = FxHashSet::default();
        for (i, footprint) in footprints.iter().enumerate() {
            for cell in &footprint.writes {
                match owners[*cell as usize] {
                    Some(other) if other != i as InstanceId => {
                        several.insert(*cell);
                    }
                    _ => owners[*cell as usize] = Some(i as InstanceId),
                }
            }
        }
        for cell in several {
            owners[cell as usize] = None;
        }
        let mut public = FxHashSet::default();
        let mut locations: FxHashMap<CellId, Vec<Vec<u32>>> = FxHashMap::default();
        let mut is_read = |reader: Option<InstanceId>, footprint: &Footprint| {
            for cell in &footprint.reads {
                if reader.is_none() || owners[*cell as usize] != reader {
                    public.insert(*cell);
                    if let Some(sets) = footprint.locations.get(cell) {
                        let known = locations.entry(*cell).or_default();
                        known.extend(sets.iter().cloned());
                    }
                }
            }
        };
        for (i, footprint) in footprints.iter().enumerate() {
            is_read(Some(i as InstanceId), footprint);
        }
        for code in expressions {
            let mut collector = Collector::new(packed, &cells, &nothing);
            collector.code(code);
            is_read(None, &collector.found);
        }
        for sets in locations.values_mut() {
            sets.sort();
            sets.dedup();
        }
        ControlFlow::Continue(Vocabulary {
            bounds,
            of_channels: of_channels(layout, &cells),
            cells,
            owners,
            public,
            locations,
            forest: Forest::new(),
            views: IndexSet::default(),
            events: Vec::new(),
            opaque: FxHashSet::default(),
            event_numbers: FxHashMap::default(),
        })
    }

    /// Whether anybody else can tell two locations of an instance from each other.
    pub fn are_told_apart(&self, cell: CellId, from: u64, to: u64) -> bool {
        let within = |set: &Vec<u32>, location: u64| set.contains(&(location as u32));
        let sets = self.locations.get(&cell);
        sets.is_some_and(|sets| sets.iter().any(|set| within(set, from) != within(set, to)))
    }

    pub fn view(&mut self, view: View) -> ViewId {
        self.views.insert_full(view).0 as ViewId
    }

    pub fn event(&mut self, packed: &Packed<'_>, action: ActionId, values: &[i64]) -> EventId {
        let key = (action, values.to_vec());
        if let Some(number) = self.event_numbers.get(&key) {
            return *number;
        }
        let known: Vec<Option<i64>> = values.iter().copied().map(Some).collect();
        let mut participants = Vec::new();
        packed.participants[action as usize].of_values(&known, &mut participants);
        self.events.push(Event {
            action,
            values: values.into(),
            participants: participants.into(),
            can_fail: false,
        });
        let number = self.events.len() as EventId - 1;
        self.event_numbers.insert(key, number);
        number
    }
}

fn of_channels(layout: &Layout, cells: &CellIndex) -> Vec<bool> {
    let mut of_channels = vec![false; layout.slots.len()];
    for channel in &layout.channels {
        let first = channel.first as usize;
        let messages = (channel.capacity * channel.parts) as usize;
        of_channels[first..first + messages].fill(true);
        if let Some(length) = cells.of(channel.length) {
            of_channels[length as usize] = true;
        }
    }
    of_channels
}
