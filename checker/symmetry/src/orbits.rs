//! Images of packed states under permutations of elements.

use rustc_hash::FxHashMap;
use stubborn_space::packed::Packed;
use stubborn_space::packed::layout::{CellsMut, Slot};
use stubborn_system::symmetry::{Element, Symmetry};

use super::bags::Bag;
use super::families::{Families, Links, raw, swapped_with};
use super::names::NOBODY;

/// The states that permutations make of each other.
#[derive(Debug)]
pub struct Orbits {
    pub(super) families: Families,
    /// By element, its place in its cluster, and the size of the cluster.
    pub(super) places: Vec<(u16, u16)>,
    pub(super) clusters: Vec<Vec<Element>>,
    pub(super) links: Links,
    permutations: f64,
    pub(super) words: usize,
}

impl Orbits {
    /// `None` where a packed state cannot be turned as a permutation asks for.
    pub fn of(symmetry: &Symmetry, packed: &Packed<'_>) -> Option<Orbits> {
        let families = Families::of(symmetry, packed)?;
        let mut places = vec![(0, 0); symmetry.elements()];
        for elements in &symmetry.clusters {
            for (place, element) in (0..).zip(elements) {
                places[usize::from(*element)] = (place, elements.len() as u16);
            }
        }
        Some(Orbits {
            links: Links::of(&families),
            families,
            places,
            clusters: symmetry.clusters.clone(),
            permutations: symmetry.permutations(),
            words: packed.layout.words,
        })
    }

    /// How many permutations there are; the greatest number where there are more.
    pub fn permutations(&self) -> u64 {
        self.permutations as u64
    }

    /// Number of slots that are moved or name an element.
    pub(super) fn cells(&self) -> usize {
        let bags = self.families.bags.iter().map(Bag::cells);
        self.families.cells.len() + bags.sum::<usize>()
    }

    /// The permutation that leaves everybody in place.
    pub fn identity(&self) -> Vec<Element> {
        (0..self.places.len() as Element).collect()
    }

    /// Computes the image of a state under a permutation.
    pub fn apply(&self, permutation: &[Element], from: &[u64], to: &mut [u64]) {
        to.copy_from_slice(from);
        for (number, family) in self.families.families.iter().enumerate() {
            for cell in self.families.cells_of(number) {
                let mut value = raw(cell, from);
                let named = family.named(cell, value, from);
                if let Some(names) = &family.names
                    && named != NOBODY
                {
                    value = names.raw(permutation[usize::from(named)]);
                }
                let owners = cell.owners.iter();
                let owners = owners.map(|owner| permutation[usize::from(*owner)]);
                let image = self.families.cell(number, owners, &self.places);
                to.set_raw(image.slot, value);
            }
        }
        for bag in &self.families.bags {
            let image = self.families.image_of(bag, permutation, &self.places);
            bag.apply(permutation, from, image, to);
        }
    }

    /// Computes the image of a state under the swap of two elements. `identity` is left as it is.
    pub(super) fn swap(
        &self,
        identity: &mut [Element],
        pair: [Element; 2],
        from: &[u64],
        to: &mut [u64],
    ) {
        let [one, other] = pair.map(usize::from);
        identity.swap(one, other);
        self.apply(identity, from, to);
        identity.swap(one, other);
    }

    /// The neighbours that change places. All permutations are products of these.
    pub(super) fn swaps(&self) -> impl Iterator<Item = [Element; 2]> + '_ {
        let neighbours = self.clusters.iter().flat_map(|cluster| cluster.windows(2));
        neighbours.map(|pair| [pair[0], pair[1]])
    }

    /// Returns a number for each of these slots; slots that permutations move to each other share
    /// it.
    pub fn classes(&self, slots: &[Slot]) -> Vec<usize> {
        let number: FxHashMap<Slot, usize> = slots.iter().copied().zip(0..).collect();
        let mut class: Vec<usize> = (0..slots.len()).collect();
        for family in 0..self.families.families.len() {
            for cell in self.families.cells_of(family) {
                let Some(from) = number.get(&cell.slot) else {
                    continue;
                };
                for pair in self.swaps() {
                    let owners = cell.owners.iter().map(|owner| swapped_with(pair, *owner));
                    let image = self.families.cell(family, owners, &self.places).slot;
                    let Some(to) = number.get(&image) else {
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

    /// Returns the image of a state under a permutation, with the monitor's words.
    pub fn turned(&self, permutation: &[Element], state: &[u64]) -> Vec<u64> {
        let mut to = state.to_vec();
        self.apply(permutation, &state[..self.words], &mut to[..self.words]);
        to
    }
}

/// Returns the inverse of a permutation.
pub fn inverse(permutation: &[Element]) -> Vec<Element> {
    let mut inverse = vec![0; permutation.len()];
    for (element, image) in (0..).zip(permutation) {
        inverse[usize::from(*image)] = element;
    }
    inverse
}

/// One permutation after the other.
pub fn then(first: &[Element], second: &[Element]) -> Vec<Element> {
    first
        .iter()
        .map(|image| second[usize::from(*image)])
        .collect()
}
