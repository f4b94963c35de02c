//! What is kept of states that are not kept themselves: by it a state that was put in always seems to be
//! there, and now and then one that was not.

use super::bits::BitTable;
use super::fingerprints::Fingerprints;
use super::hashes::Hashes;

/// Sets of states, by hashes of these.
pub enum Filter {
    Bits(BitTable),
    Fingerprints(Fingerprints),
}

impl Filter {
    /// Whether the state seems to be in the set with this number.
    #[inline]
    pub fn has(&self, hashes: Hashes, set: u32) -> bool {
        match self {
            Filter::Bits(table) => table.has(hashes, set),
            Filter::Fingerprints(prints) => prints.has(hashes, set),
        }
    }

    #[inline]
    pub fn insert(&mut self, hashes: Hashes, set: u32) {
        match self {
            Filter::Bits(table) => table.insert(hashes, set),
            Filter::Fingerprints(prints) => prints.insert(hashes, set),
        }
    }

    /// The probability that a state that was not put in seems to be there, if its hashes are as good as
    /// drawn by lot.
    #[inline]
    pub fn mistaken(&self) -> f64 {
        match self {
            Filter::Bits(table) => table.mistaken(),
            Filter::Fingerprints(prints) => prints.mistaken(),
        }
    }

    /// The part of its bits that are set, of a table of bits.
    pub fn fill(&self) -> Option<f64> {
        match self {
            Filter::Bits(table) => Some(table.fill()),
            Filter::Fingerprints(_) => None,
        }
    }

    /// Memory in use, in bytes.
    #[inline]
    pub fn bytes(&self) -> u64 {
        match self {
            Filter::Bits(table) => table.bytes(),
            Filter::Fingerprints(prints) => prints.bytes(),
        }
    }

    /// How many bytes more one more state takes.
    #[inline]
    pub fn bytes_to_grow(&self) -> u64 {
        match self {
            Filter::Bits(_) => 0,
            Filter::Fingerprints(prints) => prints.bytes_to_grow(),
        }
    }
}
