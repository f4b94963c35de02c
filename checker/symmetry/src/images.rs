//! Images under permutations of what the states of a search have.
//!
//! A search through canonical states has met one state for all that permutations make of it, and to
//! say what happens in the model is to say it of these as well. They need not be gone through: a
//! *piece* of a state is a slot that is moved, with its value and whether that names anybody, which
//! permutations do not change. What a permutation makes of a piece is a function of the piece
//! alone. So all that swaps of two neighbours of a cluster make of a piece, and of what these make
//! of it, is all that permutations do, which are products of such swaps.
//!
//! If permutations fix the initial state, the image of a reachable state is reachable.

use rustc_hash::FxHashSet;
use stubborn_space::packed::layout::Slot;

use super::Orbits;
use super::families::{raw, swapped_with};
use super::names::NOBODY;

/// The pieces that are known.
pub struct Images<'a> {
    orbits: &'a Orbits,
    /// By cell: its values below 64, of those that name nobody and of those that do.
    few: Vec<[u64; 2]>,
    /// Others.
    others: FxHashSet<Piece>,
    /// Pieces whose images under swaps are not known yet.
    new: Vec<Piece>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Piece {
    family: u32,
    cell: u32,
    value: u64,
    names: bool,
}

/// Appends the image of a state under each swap.
pub fn swapped(orbits: &Orbits, state: &[u64], images: &mut Vec<u64>) {
    let mut identity = orbits.identity();
    for pair in orbits.swaps() {
        let begin = images.len();
        images.extend(state);
        orbits.swap(&mut identity, pair, state, &mut images[begin..]);
    }
}

impl<'a> Images<'a> {
    /// Nothing is known yet.
    pub fn new(orbits: &'a Orbits) -> Images<'a> {
        Images {
            orbits,
            few: vec![[0; 2]; orbits.families.cells.len()],
            others: FxHashSet::default(),
            new: Vec::new(),
        }
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        let pieces = self.others.capacity() + self.new.capacity();
        (size_of_val(self.few.as_slice()) + pieces * (size_of::<Piece>() + 1)) as u64
    }

    /// Takes in a state, and gives each slot and value that permutations make of its pieces and
    /// that was not given before.
    pub fn look_at(&mut self, state: &[u64], give: &mut dyn FnMut(Slot, u64)) {
        let orbits = self.orbits;
        for (number, family) in (0..).zip(&orbits.families.families) {
            let first = orbits.families.first[number as usize];
            for at in first..orbits.families.first[number as usize + 1] {
                let cell = &orbits.families.cells[at];
                let value = raw(cell, state);
                let named = family.named(cell, value, state);
                self.add(Piece {
                    family: number,
                    cell: at as u32,
                    value,
                    names: named != NOBODY,
                });
            }
        }
        while let Some(piece) = self.new.pop() {
            give(orbits.families.cells[piece.cell as usize].slot, piece.value);
            self.turn(piece);
        }
    }

    /// Adds what swaps make of a piece.
    fn turn(&mut self, piece: Piece) {
        let orbits = self.orbits;
        let families = &orbits.families;
        let cell = &families.cells[piece.cell as usize];
        let names = families.families[piece.family as usize].names.as_ref();
        let named = names.filter(|_| piece.names);
        let named = named.map(|names| (names, names.element(piece.value)));
        for pair in orbits.swaps() {
            let names_one = named.is_some_and(|(_, element)| pair.contains(&element));
            if !names_one && !cell.owners.iter().any(|owner| pair.contains(owner)) {
                continue;
            }
            let owners = cell.owners.iter().map(|owner| swapped_with(pair, *owner));
            let at = families.number(piece.family as usize, owners, &orbits.places);
            let value = named.map_or(piece.value, |(names, element)| {
                names.raw(swapped_with(pair, element))
            });
            self.add(Piece {
                cell: at,
                value,
                ..piece
            });
        }
    }

    fn add(&mut self, piece: Piece) {
        let is_new = match piece.value {
            0..64 => {
                let known = &mut self.few[piece.cell as usize][usize::from(piece.names)];
                let was = std::mem::replace(known, *known | 1 << piece.value);
                *known != was
            }
            _ => self.others.insert(piece),
        };
        if is_new {
            self.new.push(piece);
        }
    }
}
