//! What permutations make of what the states of a search have.
//!
//! A search through canonical states has met one state for all that permutations make of it, and to say what happens
//! in the model is to say it of these as well. They need not be gone through: a *piece* of a state is
//! a slot that is moved, with its value and whether that names anybody. Where a state has a piece that
//! no state before it had, what each swap of two neighbours of a cluster makes of the state is looked at in turn, as far
//! as it moves the piece. So for each piece that is known what swaps make of it is known too; and all permutations are
//! products of such swaps.
//!
//! Which of the states that permutations make of one state can be reached depends on the initial state, which they need not
//! keep. So what is had by nobody's image never happens, and what is had happens to one of
//! those who are alike: to whom is not known.

use rustc_hash::{FxHashMap, FxHashSet};
use stubborn_system::symmetry::Element;

use super::Orbits;
use super::families::{NOBODY, raw};
use crate::packed::layout::Slot;

/// The pieces that are known, and what is to be looked at because of them.
pub struct Images<'a> {
    orbits: &'a Orbits,
    /// By cell: its values below 64, of those that name nobody and of those that do.
    few: Vec<[u64; 2]>,
    /// Others, by cell, and whether they name anybody.
    others: FxHashSet<(u32, u64, bool)>,
    /// Whom the new pieces of a state belong to or name.
    moved: Vec<Element>,
    /// Everybody in place, but for a moment.
    permutation: Vec<Element>,
}

impl Orbits {
    /// Of each of these slots a number, which those have in common that permutations move to each other.
    pub fn classes(&self, slots: &[Slot]) -> Vec<usize> {
        let name = |slot: Slot| (slot.word, slot.shift, slot.mask);
        let number: FxHashMap<_, usize> = slots.iter().map(|slot| name(*slot)).zip(0..).collect();
        let mut class: Vec<usize> = (0..slots.len()).collect();
        let mut permutation = self.identity();
        for family in 0..self.families.families.len() {
            let cells = self.families.first[family]..self.families.first[family + 1];
            for cell in &self.families.cells[cells] {
                let Some(from) = number.get(&name(cell.slot)) else {
                    continue;
                };
                for pair in self.swaps().filter(|pair| is_moved(*pair, &cell.owners)) {
                    swap(&mut permutation, pair);
                    let owners = cell.owners.iter();
                    let owners = owners.map(|owner| permutation[usize::from(*owner)]);
                    let image = self.families.cell(family, owners, &self.places).slot;
                    swap(&mut permutation, pair);
                    let Some(to) = number.get(&name(image)) else {
                        continue;
                    };
                    let (one, other) = (class[*from], class[*to]);
                    if one != other {
                        let others = class.iter_mut().filter(|class| **class == other);
                        others.for_each(|class| *class = one);
                    }
                }
            }
        }
        class
    }

    /// The neighbours that change places. All permutations are products of these.
    fn swaps(&self) -> impl Iterator<Item = [Element; 2]> + '_ {
        let neighbours = self.clusters.iter().flat_map(|cluster| cluster.windows(2));
        neighbours.map(|pair| [pair[0], pair[1]])
    }
}

fn swap(permutation: &mut [Element], [one, other]: [Element; 2]) {
    permutation.swap(usize::from(one), usize::from(other));
}

fn is_moved(pair: [Element; 2], elements: &[Element]) -> bool {
    elements.iter().any(|element| pair.contains(element))
}

impl<'a> Images<'a> {
    /// Nothing is known yet.
    pub fn new(orbits: &'a Orbits) -> Images<'a> {
        Images {
            orbits,
            few: vec![[0; 2]; orbits.families.cells.len()],
            others: FxHashSet::default(),
            moved: Vec::new(),
            permutation: orbits.identity(),
        }
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        let others = self.others.capacity() * (size_of::<(u32, u64, bool)>() + 1);
        let elements = (self.moved.capacity() + self.permutation.len()) * size_of::<Element>();
        (size_of_val(self.few.as_slice()) + elements + others) as u64
    }

    /// Takes in a state, and adds to `images` what swaps make of it that move a piece that is new.
    pub fn look_at(&mut self, state: &[u64], images: &mut Vec<u64>) {
        self.find_moved(state);
        if !self.moved.is_empty() {
            let moved = std::mem::take(&mut self.moved);
            self.turn(state, |pair| is_moved(pair, &moved), images);
            self.moved = moved;
        }
    }

    /// Adds to `images` what each swap makes of a state.
    pub fn of(&mut self, state: &[u64], images: &mut Vec<u64>) {
        self.turn(state, |_| true, images);
    }

    fn turn(
        &mut self,
        state: &[u64],
        is_wanted: impl Fn([Element; 2]) -> bool,
        images: &mut Vec<u64>,
    ) {
        for pair in self.orbits.swaps().filter(|pair| is_wanted(*pair)) {
            let begin = images.len();
            images.extend(state);
            swap(&mut self.permutation, pair);
            (self.orbits).apply(&self.permutation, state, &mut images[begin..]);
            swap(&mut self.permutation, pair);
        }
    }

    /// Whom the pieces of a state are about that are new. They are known then.
    fn find_moved(&mut self, state: &[u64]) {
        self.moved.clear();
        let families = &self.orbits.families;
        for (number, family) in families.families.iter().enumerate() {
            for at in families.first[number]..families.first[number + 1] {
                let cell = &families.cells[at];
                let value = raw(cell, state);
                let names = family.names.as_ref();
                let named = names.map_or(NOBODY, |names| names.of(cell, value, state));
                let is_new = match value {
                    0..64 => {
                        let known = &mut self.few[at][usize::from(named != NOBODY)];
                        let was = std::mem::replace(known, *known | 1 << value);
                        *known != was
                    }
                    _ => self.others.insert((at as u32, value, named != NOBODY)),
                };
                if is_new {
                    self.moved.extend(&cell.owners);
                    self.moved.extend((named != NOBODY).then_some(named));
                }
            }
        }
    }
}
