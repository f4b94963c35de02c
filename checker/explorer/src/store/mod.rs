//! Which states have been found.
//!
//! A search keeps states through [`Store`] alone and copies those that it works on into buffers of
//! its own; no caller holds a borrowed state. [`exact::Exact`] keeps every state whole;
//! [`supertrace::Supertrace`] keeps marks of them, bits in a table or fingerprints, and whole only the states
//! that somebody holds.

pub mod bits;
pub mod coding;
pub mod exact;
pub mod filter;
pub mod fingerprints;
pub mod hashes;
mod lines;
pub mod prefetch;
pub mod quotient;
pub mod recent;
mod shared_lines;
pub mod supertrace;

/// One of the sets that a search puts states in for good, such as those visited on one of its
/// levels: one of the low bits of a state's byte of flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Set(u8);

impl Set {
    /// There are four, from 0.
    pub const fn nth(n: u8) -> Set {
        Set(n)
    }
}

/// One of the stacks that a search asks whether a state is on: one of the high bits of a state's byte
/// of flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trail(u8);

impl Trail {
    /// There are three, from 0.
    pub const fn nth(n: u8) -> Trail {
        Trail(n)
    }
}

/// The number of a state that is held whole. An exact store gives them from 0 on in the order in
/// which the states are added.
pub type Key = u32;

/// Keeps states. Besides its place a state costs seven bits at most: four sets and three stacks
/// (Latvala and Tauriainen 2004, §3.3).
///
/// To write one: [`hint`](Store::hint) and [`settle`](Store::settle) say early where a state will be
/// looked for, so that the waits for memory of many overlap; [`spot`](Store::spot) finds it;
/// [`add`](Store::add) puts it in.
pub trait Store {
    /// Where a state is likely to be.
    type Hint: Copy;
    /// Where a state is or belongs. Good until another state is added.
    type Spot: Copy;

    /// Begins to look for a state. Looks at nothing that the answer for another one depends on.
    fn hint(&self, state: &[u64]) -> Self::Hint;

    /// Goes on with that, once all hints of a batch are there.
    fn settle(&self, hint: Self::Hint, state: &[u64]) -> Self::Hint;

    fn spot_from(&self, hint: Self::Hint, state: &[u64]) -> Self::Spot;

    #[inline]
    fn spot(&self, state: &[u64]) -> Self::Spot {
        self.spot_from(self.hint(state), state)
    }

    fn spot_of(&self, key: Key) -> Self::Spot;

    /// Whether the state is in the set. A store that is not exact may say yes of a state that was
    /// never put there.
    fn has(&self, spot: Self::Spot, set: Set) -> bool;

    /// Whether the state is in none of these sets, and in an exact store was never held.
    fn is_new(&self, spot: Self::Spot, sets: &[Set]) -> bool;

    /// Puts a state that is in no set yet into this one, and counts it. An exact store has it already
    /// where it was held before, and counts it once.
    fn add(&mut self, spot: Self::Spot, state: &[u64], set: Set) -> Self::Spot;

    /// Puts a state that is in a set already into this one as well.
    fn insert(&mut self, spot: Self::Spot, set: Set);

    /// Holds a state whole until it is [released](Store::release). It need not be in a set: an exact
    /// store that does not have it keeps it from now on.
    fn hold(&mut self, spot: Self::Spot, state: &[u64]) -> Key;

    fn release(&mut self, key: Key);

    /// Copies a state that is held into a buffer of as many words.
    fn get(&self, key: Key, buffer: &mut [u64]);

    /// Whether a state that is held is this one.
    fn is(&self, key: Key, state: &[u64]) -> bool;

    /// Whether the state is on the stack. Always exact.
    fn is_on(&self, spot: Self::Spot, state: &[u64], trail: Trail) -> bool;

    fn put_on(&mut self, key: Key, trail: Trail);

    fn take_off(&mut self, key: Key, trail: Trail);

    /// How many states were counted.
    fn states(&self) -> u64;

    /// Memory in use, in bytes.
    fn bytes(&self) -> u64;

    /// How many bytes more one more state takes.
    fn bytes_to_grow(&self) -> u64;

    /// How many bytes more it takes at the most to put a state that is in a set already into another one.
    fn bytes_to_insert(&self) -> u64 {
        0
    }

    /// The part of what was to be put into sets that was taken for something else and was not, by an estimate.
    fn missed(&self) -> f64 {
        0.0
    }

    /// The part of its bits that are set, of a table of bits.
    fn fill(&self) -> Option<f64> {
        None
    }

    /// Whether no state is ever taken for another.
    fn is_exact(&self) -> bool;

    /// How many words a state has.
    fn words(&self) -> usize;

    /// A copy of a state that is held.
    #[inline]
    fn boxed(&self, key: Key) -> Box<[u64]> {
        let mut state = vec![0; self.words()].into_boxed_slice();
        self.get(key, &mut state);
        state
    }
}
