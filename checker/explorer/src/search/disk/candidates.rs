//! Targets of the steps of a layer, each perhaps many times.

use std::ops::ControlFlow;

use super::files::{Ask, Files, Tiers};
use super::merge::{Source, sort};
use super::sizes::Sizes;
use crate::search::meter::Stop;

/// Targets of a layer, as they are found.
pub struct Candidates {
    words: usize,
    sizes: Sizes,
    /// List that is not sorted yet.
    present: Vec<u64>,
    sorted: Sorted,
    recent: RecentTargets,
}

/// Sorted lists of targets in memory, and sorted sections on the disk if these are too many.
#[derive(Default)]
pub struct Sorted {
    lists: Vec<Vec<u64>>,
    /// Words in all lists.
    held: usize,
    sections: Tiers,
}

impl Candidates {
    pub fn new(initial: &[u64], sizes: Sizes) -> Candidates {
        Candidates {
            words: initial.len(),
            sizes,
            present: Vec::new(),
            sorted: Sorted::default(),
            recent: RecentTargets::new(initial, sizes.targets),
        }
    }

    /// Adds a target; returns whether the list is full and must be [sorted](Candidates::sort).
    #[inline]
    pub fn add(&mut self, row: &[u64]) -> bool {
        if self.recent.meet(row) {
            return false;
        }
        self.present.extend_from_slice(row);
        self.present.len() >= self.sizes.chunk
    }

    /// Sorts the present list, and writes all lists if they are too many.
    #[cold]
    pub fn sort(&mut self, files: &mut Files<'_>, ask: Ask<'_>) -> ControlFlow<Stop> {
        if self.present.is_empty() {
            return ControlFlow::Continue(());
        }
        sort(&mut self.present, self.words);
        let mut list = std::mem::take(&mut self.present);
        list.shrink_to_fit();
        let sorted = &mut self.sorted;
        sorted.held += list.len();
        sorted.lists.push(list);
        if sorted.held < self.sizes.chunk * (self.sizes.chunks - 1) {
            return ControlFlow::Continue(());
        }
        let section = files.merged(sources(&sorted.lists), ask)?;
        sorted.lists.clear();
        sorted.held = 0;
        sorted.sections.add(section, files, ask)
    }

    /// Takes out all targets.
    pub fn take(&mut self, files: &mut Files<'_>, ask: Ask<'_>) -> ControlFlow<Stop, Sorted> {
        self.sort(files, ask)?;
        ControlFlow::Continue(std::mem::take(&mut self.sorted))
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        let words = self.present.capacity() + self.recent.rows.len();
        words as u64 * 8 + self.sorted.bytes()
    }
}

fn sources(lists: &[Vec<u64>]) -> Vec<Source<'_>> {
    lists.iter().map(|list| Source::Memory(list)).collect()
}

impl Sorted {
    /// Upper bound of the number of targets.
    pub fn most(&self, words: usize) -> u64 {
        (self.held / words) as u64 + self.sections.rows()
    }

    pub fn sources<'a>(&'a self, files: &Files<'a>) -> Vec<Source<'a>> {
        let mut all = sources(&self.lists);
        all.extend(self.sections.sources(files));
        all
    }

    /// Number of sections that are read.
    pub fn sections(&self) -> usize {
        self.sections.len()
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.held as u64 * 8 + self.sections.bytes()
    }

    pub fn remove(self, files: &mut Files<'_>) -> ControlFlow<Stop> {
        self.sections.remove(files)
    }
}

/// Direct-mapped cache of recent targets, which are candidates or visited already.
struct RecentTargets {
    words: usize,
    /// The logarithm of the number of places.
    bits: u32,
    initial: Vec<u64>,
    /// A row in each place, as its difference from the initial state, which is there at first.
    rows: Vec<u64>,
}

impl RecentTargets {
    /// Cache with this number of places, a power of two.
    fn new(initial: &[u64], places: usize) -> RecentTargets {
        RecentTargets {
            words: initial.len(),
            bits: places.ilog2(),
            initial: initial.to_vec(),
            rows: vec![0; places * initial.len()],
        }
    }

    /// Whether the row is in the cache; adds it.
    #[inline]
    fn meet(&mut self, row: &[u64]) -> bool {
        let mut hash = 0_u64;
        for word in row {
            hash = (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        let place = hash.unbounded_shr(u64::BITS - self.bits) as usize * self.words;
        let mut is_same = true;
        let rows = &mut self.rows[place..place + self.words];
        for ((kept, word), initial) in rows.iter_mut().zip(row).zip(&self.initial) {
            let told = word ^ initial;
            is_same &= *kept == told;
            *kept = told;
        }
        is_same
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_recent_only_if_it_was_met() {
        for (words, places) in [(1, 1), (1, 64), (3, 16)] {
            let row = |number: u64| vec![number; words];
            let mut met = RecentTargets::new(&row(7), places);
            assert!(met.meet(&row(7)));
            for number in (8..5_000).chain(0..7) {
                assert!(!met.meet(&row(number)));
                assert!(met.meet(&row(number)));
            }
        }
    }
}
