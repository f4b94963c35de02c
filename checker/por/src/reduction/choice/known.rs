//! Cache of results by the numbers that decide them.
//!
//! The model gives a state a row of numbers
//! ([`outlook`](stubborn_space::relations::ProcessRelations::outlook)); where the same row was met
//! before, so was the same graph of who needs whom, and the set that was chosen from it is known.
//! Nothing but time depends on what is remembered: not the set, nor the work that is counted for
//! it.

use std::hash::Hasher;
use std::ops::Range;

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use stubborn_space::pays::Pays;

/// Most numbers, 4 MiB: beyond them all are forgotten.
const MOST: usize = 1 << 20;
/// Bytes that may be in use, and more for each state: no more than states take.
const FEW_BYTES: u64 = 64 << 10;
const BYTES_OF_A_STATE: u64 = 8;

/// Rows that were met, and what is known of each.
pub struct Rows<K> {
    /// Their numbers, in the order in which they were met.
    table: HashTable<u32>,
    numbers: Vec<u32>,
    /// The end of each row, and its result.
    rows: Vec<(usize, K)>,
    /// That of the present state.
    row: Vec<u32>,
    pays: Pays,
    /// How many states there were, and in how many of them the row was known.
    states: u64,
    found: u64,
    is_off: bool,
}

impl<K> Default for Rows<K> {
    fn default() -> Self {
        Rows {
            table: HashTable::new(),
            numbers: Vec::new(),
            rows: Vec::new(),
            row: Vec::new(),
            pays: Pays::at_once(),
            states: 0,
            found: 0,
            is_off: false,
        }
    }
}

impl<K> Rows<K> {
    /// Nothing is remembered.
    pub fn off() -> Rows<K> {
        Rows {
            is_off: true,
            ..Rows::default()
        }
    }

    /// Returns a place for the row of the next state, if it is to be looked up.
    pub fn begin(&mut self) -> Option<&mut Vec<u32>> {
        self.states += 1;
        if self.is_off || self.pays.rests(self.states) {
            return None;
        }
        self.row.clear();
        Some(&mut self.row)
    }

    /// The row of the state that is looked up, as far as it was put here.
    pub fn row(&self) -> &[u32] {
        &self.row
    }

    /// Builds that check themselves find out every eighth thing that is known once more.
    pub fn is_eighth(&self) -> bool {
        cfg!(debug_assertions) && self.found % 8 == 1
    }

    fn mixed(row: &[u32]) -> u64 {
        let mut hasher = FxHasher::default();
        let mut pairs = row.chunks_exact(2);
        for pair in &mut pairs {
            hasher.write_u64(u64::from(pair[0]) << 32 | u64::from(pair[1]));
        }
        pairs
            .remainder()
            .iter()
            .for_each(|last| hasher.write_u32(*last));
        hasher.finish()
    }

    fn of(rows: &[(usize, K)], row: u32) -> Range<usize> {
        let row = row as usize;
        let begin = row.checked_sub(1).map_or(0, |before| rows[before].0);
        begin..rows[row].0
    }

    /// Returns the result of the same row, if it is known.
    pub fn find(&mut self) -> Option<&K> {
        let (row, numbers, rows) = (&self.row, &self.numbers, &self.rows);
        let is_it = |number: &u32| numbers[Rows::of(rows, *number)] == row[..];
        let Some(number) = self.table.find(Self::mixed(row), is_it) else {
            self.pays.misses(self.states);
            return None;
        };
        self.found += 1;
        Some(&rows[*number as usize].1)
    }

    /// Keeps the result for the row that was not known, if there is memory for it: `besides` bytes
    /// in addition to the row's.
    pub fn learn(&mut self, known: K, besides: usize) {
        // Lists that are full are copied into some that are twice as long.
        let bytes = 2 * (self.bytes(besides) + self.row.len() as u64 * 4 + besides as u64);
        if bytes > FEW_BYTES + self.states * BYTES_OF_A_STATE {
            return;
        }
        if self.numbers.len() + self.row.len() > MOST {
            self.table.clear();
            self.numbers.clear();
            self.rows.clear();
        }
        let number = self.rows.len() as u32;
        self.numbers.extend_from_slice(&self.row);
        self.rows.push((self.numbers.len(), known));
        let (numbers, rows) = (&self.numbers, &self.rows);
        let mix = |number: &u32| Self::mixed(&numbers[Rows::of(rows, *number)]);
        self.table
            .insert_unique(Self::mixed(&self.row), number, mix);
    }

    /// Memory in use, in bytes, given the memory that a result takes besides.
    pub fn bytes(&self, besides: usize) -> u64 {
        let rows = self.rows.capacity() * size_of::<(usize, K)>() + self.rows.len() * besides;
        (rows + self.numbers.capacity() * 4 + self.table.capacity() * 5) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks a row up, and learns a number for it if it is not known.
    fn asked(rows: &mut Rows<u32>, row: &[u32], number: u32) -> Option<u32> {
        let place = rows.begin()?;
        place.extend_from_slice(row);
        let known = rows.find().copied();
        if known.is_none() {
            rows.learn(number, 0);
        }
        known
    }

    #[test]
    fn what_is_known_of_a_row_is_known_of_no_other() {
        let mut rows = Rows::default();
        let all: [&[u32]; 6] = [&[], &[1], &[1, 2], &[1, 2, 3], &[2, 1], &[0, 1]];
        for (number, row) in (0..).zip(all) {
            assert_eq!(asked(&mut rows, row, number), None);
        }
        for (number, row) in (0..).zip(all) {
            assert_eq!(asked(&mut rows, row, 9), Some(number));
        }
    }

    #[test]
    fn what_is_never_known_is_not_asked_for_any_more_for_a_while() {
        let mut rows = Rows::default();
        let asked_for = |rows: &mut Rows<u32>, number: u32| {
            let is_known = asked(rows, &[number], 0).is_some();
            !is_known && !rows.pays.rests(rows.states)
        };
        let first = (0..).find(|number| !asked_for(&mut rows, *number));
        let many = first.expect("it does not pay");
        assert!(many < 10_000);
        let again = (0..).find(|_| rows.begin().is_some());
        assert!(again.is_some_and(|rest: u32| rest > many && rest < 100_000));
    }

    #[test]
    fn what_pays_is_kept_until_it_is_too_much() {
        let mut rows = Rows {
            states: 1 << 20,
            ..Rows::default()
        };
        let long = [7; 1 << 10];
        for number in 0..2 * (MOST >> 10) as u32 {
            let mut row = long;
            row[0] = number;
            assert_eq!(asked(&mut rows, &row, number), None);
            for _ in 0..3 {
                assert_eq!(asked(&mut rows, &row, 0), Some(number));
            }
            assert!(rows.numbers.len() <= MOST);
        }
    }

    #[test]
    fn no_more_memory_is_taken_than_for_the_states_that_were_asked_for() {
        let mut rows = Rows::default();
        for number in 0..100_000 {
            asked(&mut rows, &[number; 16], number);
            let most = FEW_BYTES + rows.states * BYTES_OF_A_STATE;
            assert!(rows.bytes(0) <= most, "{number}");
        }
        assert!(rows.rows.len() > 1_000);
    }
}
