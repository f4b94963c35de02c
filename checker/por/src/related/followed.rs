//! Which values scalars may have in an abstract run ([`ahead`](super::ahead)): of which it is
//! followed, and who asks for them.

use rustc_hash::FxHashSet;
use stubborn_space::members::Members;
use stubborn_space::packed::layout::{Layout, Slot};

use super::forest::{CellId, Tree, TreeId, Write};
use super::interference::Profile;
use super::local_states::LocalStates;
use super::vocabulary::{View, Vocabulary};

/// A scalar with more values is not followed: its set of values is in one word.
const MOST_VALUES: u64 = 64;

/// Place of the set of values of a scalar, a bit for each.
#[derive(Clone, Copy)]
pub struct Place {
    /// Its number among those that are followed.
    number: u32,
    word: usize,
    shift: u32,
    /// As many ones as there are values.
    all: u64,
    /// Joint steps write it.
    pub in_joint: bool,
}

impl Place {
    #[inline]
    pub fn values(self, of: &[u64]) -> u64 {
        of[self.word] >> self.shift & self.all
    }

    #[inline]
    pub fn add(self, to: &mut [u64], values: u64) {
        to[self.word] |= (values & self.all) << self.shift;
    }
}

/// The scalars of which it is followed which values they may have, and who asks for these.
pub struct Followed {
    /// By scalar.
    places: Vec<Option<Place>>,
    slots: Vec<(Slot, Place)>,
    /// How many words all sets of values take.
    pub words: usize,
    pub instances: Vec<Instance>,
}

pub struct Instance {
    /// By local state: the values that it tells of scalars that are followed.
    pub told: Vec<u64>,
    /// The scalars of which it tells them.
    pub own: FxHashSet<CellId>,
    /// With whom it has joint steps.
    pub partners: Members,
    /// The scalars that decide what its steps come to; of each value, which others are the same to
    /// all its steps.
    pub asks: Vec<(Place, Box<[u64]>)>,
    /// The bits of the sets of values of these.
    pub inputs: Box<[u64]>,
    /// The bits of a state that decide what it may still do while all others stand still.
    pub bits: Vec<(usize, u64)>,
}

impl Followed {
    /// `asked` are the scalars that properties read.
    pub fn of(
        layout: &Layout,
        vocabulary: &Vocabulary,
        profiles: &[Profile],
        locals: &[LocalStates],
        asked: impl Iterator<Item = CellId>,
    ) -> Followed {
        let read = profiles.iter().flat_map(|profile| profile.reads.iter());
        let mut cells: Vec<CellId> = read.copied().chain(asked).collect();
        cells.sort_unstable();
        cells.dedup();
        cells.retain(|cell| {
            let at = *cell as usize;
            // Writes to scalars that no other instance reads are not followed.
            let is_told = vocabulary.owners[at].is_none() || vocabulary.public.contains(cell);
            is_told && !vocabulary.of_channels[at] && layout.ranges[at].size() <= MOST_VALUES
        });
        let mut followed = Followed {
            places: vec![None; layout.slots.len()],
            slots: Vec::with_capacity(cells.len()),
            words: 0,
            instances: Vec::with_capacity(locals.len()),
        };
        let in_joint = written_in_joint_steps(vocabulary, profiles);
        let mut used = u64::BITS;
        for cell in cells {
            let size = layout.ranges[cell as usize].size() as u32;
            if used + size > u64::BITS {
                followed.words += 1;
                used = 0;
            }
            let place = Place {
                number: followed.slots.len() as u32,
                word: followed.words - 1,
                shift: used,
                all: u64::MAX >> (u64::BITS - size),
                in_joint: in_joint.contains(&cell),
            };
            used += size;
            followed.places[cell as usize] = Some(place);
            followed.slots.push((layout.slots[cell as usize], place));
        }
        for locals in locals {
            let instance = followed.instance(locals, vocabulary);
            followed.instances.push(instance);
        }
        followed
    }

    fn instance(&self, locals: &LocalStates, vocabulary: &Vocabulary) -> Instance {
        let mut own: Vec<(CellId, Place, usize)> = Vec::new();
        for (at, slot) in locals.tracked.iter().enumerate() {
            let cell = vocabulary.cells.of(*slot);
            let place = cell.and_then(|cell| self.places[cell as usize]);
            own.extend(cell.zip(place).map(|(cell, place)| (cell, place, at)));
        }
        let mut told = vec![0; locals.states.len() * self.words];
        for (key, told) in locals.keys.iter().zip(told.chunks_mut(self.words.max(1))) {
            own.iter()
                .for_each(|(_, place, at)| place.add(told, 1 << key[*at]));
        }
        let own = own.iter().map(|(cell, ..)| *cell).collect();
        let offers = locals.states.iter().flat_map(|state| &state.offers);
        let partners =
            offers.flat_map(|(event, _)| &vocabulary.events[*event as usize].participants);
        let partners = partners.map(|who| *who as usize).collect();
        let alike = self.alike(locals, vocabulary);
        let mut asks: Vec<(Place, Box<[u64]>)> = Vec::new();
        let mut asked: Vec<Slot> = Vec::new();
        let mut inputs = vec![0; self.words];
        for ((slot, place), alike) in self.slots.iter().zip(alike) {
            if alike.iter().any(|same| *same != place.all) {
                place.add(&mut inputs, u64::MAX);
                asked.push(*slot);
                asks.push((*place, alike));
            }
        }
        let mut bits: Vec<(usize, u64)> = Vec::new();
        for slot in locals.tracked.iter().chain(&asked) {
            let word = slot.word as usize;
            match bits.iter_mut().find(|(other, _)| *other == word) {
                Some((_, bits)) => *bits |= slot.mask << slot.shift,
                None => bits.push((word, slot.mask << slot.shift)),
            }
        }
        Instance {
            told,
            own,
            partners,
            asks,
            inputs: inputs.into(),
            bits,
        }
    }

    /// Two values are the same to an instance if all its trees go on in the same way with both.
    fn alike(&self, locals: &LocalStates, vocabulary: &Vocabulary) -> Vec<Box<[u64]>> {
        let apart = |(_, place): &(Slot, Place)| {
            let count = place.all.count_ones() as usize;
            vec![place.all; count].into_boxed_slice()
        };
        let mut alike: Vec<Box<[u64]>> = self.slots.iter().map(apart).collect();
        let parts = locals.states.iter().flat_map(|state| &state.parts);
        let mut trees: Vec<TreeId> = parts.map(|part| part.tree).collect();
        let mut seen: FxHashSet<TreeId> = FxHashSet::default();
        while let Some(tree) = trees.pop() {
            if !seen.insert(tree) {
                continue;
            }
            match vocabulary.forest.get(tree) {
                Tree::Branch(cell, children) => {
                    trees.extend(children);
                    let Some(place) = self.place(*cell) else {
                        continue;
                    };
                    for (value, alike) in alike[place.number as usize].iter_mut().enumerate() {
                        let child = |value: usize| children.get(value);
                        let same = (0..64).filter(|other| child(*other) == child(value));
                        *alike &= same.fold(0, |same, other| same | 1 << other);
                    }
                }
                Tree::Leaf(outcome) => {
                    // An addition depends on the value itself.
                    if let Some(takes) = vocabulary.forest.takes(*outcome) {
                        for (cell, write) in &takes.writes {
                            if let (Write::Add(_), Some(place)) = (write, self.place(*cell)) {
                                let alike = &mut alike[place.number as usize];
                                (0..)
                                    .zip(alike)
                                    .for_each(|(value, alike)| *alike &= 1 << value);
                            }
                        }
                    }
                }
            }
        }
        alike
    }

    #[inline]
    pub fn place(&self, cell: CellId) -> Option<Place> {
        self.places[cell as usize]
    }

    /// The sets of values of one state.
    pub fn begin(&self, state: &[u64], values: &mut Vec<u64>) {
        values.clear();
        values.resize(self.words, 0);
        for (slot, place) in &self.slots {
            place.add(values, 1 << slot.raw(state));
        }
    }
}

fn written_in_joint_steps(vocabulary: &Vocabulary, profiles: &[Profile]) -> FxHashSet<CellId> {
    let views = vocabulary.views.iter().zip(profiles);
    // A rough view may be a part of a joint step.
    let joint = views.filter(|(view, _)| match view {
        View::Exact { joint, .. } => *joint,
        View::Sketch { .. } => false,
        View::Rough { .. } => true,
    });
    joint
        .flat_map(|(_, profile)| profile.writes.iter().copied())
        .collect()
}

/// The values that a scalar may have after the write, if it had some of these.
pub fn written(write: Write, before: Option<u64>) -> u64 {
    match (write, before) {
        (Write::Known(value), _) => 1 << value,
        (Write::Any, _) | (Write::Add(_), None) => u64::MAX,
        (Write::Add(by), Some(before)) => {
            let distance = u32::from(by.unsigned_abs());
            let moved = match by > 0 {
                true => before.checked_shl(distance),
                false => before.checked_shr(distance),
            };
            moved.unwrap_or(0)
        }
    }
}
