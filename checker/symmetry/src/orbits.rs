//! What permutations of elements do to packed states.

use rustc_hash::FxHashMap;
use stubborn_space::packed::Packed;
use stubborn_space::packed::layout::{CellsMut, Slot};
use stubborn_system::symmetry::{Element, Symmetry};

use super::families::{Families, Links, NOBODY, raw, swapped_with};

/// The states that permutations make of each other.
#[derive(Debug)]
pub struct Orbits {
    pub(super) families: Families,
    /// Of each element its place in its cluster, and how many that has.
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

    /// How many slots are moved or name somebody.
    pub(super) fn cells(&self) -> usize {
        self.families.cells.len()
    }

    /// The permutation that leaves everybody in place.
    pub fn identity(&self) -> Vec<Element> {
        (0..self.places.len() as Element).collect()
    }

    /// What a permutation makes of a state.
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
    }

    /// What the swap of two elements makes of a state. `identity` is left as it is.
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

    /// Of each of these slots a number, which those have in common that permutations move to each other.
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

    /// What a permutation makes of a state, with what stands behind the system's words.
    pub fn turned(&self, permutation: &[Element], state: &[u64]) -> Vec<u64> {
        let mut to = state.to_vec();
        self.apply(permutation, &state[..self.words], &mut to[..self.words]);
        to
    }
}

/// What undoes a permutation.
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
