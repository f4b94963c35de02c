//! Buckets of a table: search and insertion of words.

use std::ops::{ControlFlow, Range};

use super::place::Place;
use crate::store::prefetch::prefetch;

/// Number of buckets of a word, a power of two.
pub const CHOICES: u64 = 4;
pub const CHOICE_BITS: u32 = 2;

/// Buckets of `N` slots each, of which the first ones are taken.
pub trait Buckets<S: Slot, const N: usize> {
    fn slots(&self, bucket: u64) -> [S; N];

    /// Prefetches a bucket.
    fn come_near(&self, bucket: u64);

    /// Puts a value into the first free slot of a bucket, unless the bucket has it.
    fn put(&mut self, bucket: u64, wanted: S) -> Put;

    /// Adds words in their first buckets; returns which are new and which have no room, a bit for
    /// each.
    fn put_first(&mut self, places: &[Place]) -> (u64, u64);
}

/// The mix of each word in these buckets, of a table with 2^`bits` buckets and remainders of `rest`
/// bits.
pub fn each_mixed<S: Slot, const N: usize, B>(
    table: &(impl Buckets<S, N> + ?Sized),
    buckets: Range<u64>,
    (bits, rest): (u32, u32),
    mut give: impl FnMut(u64) -> ControlFlow<B>,
) -> ControlFlow<B> {
    for bucket in buckets {
        let slots = table.slots(bucket);
        let taken = slots.iter().map(|slot| slot.get());
        for slot in taken.take_while(|slot| *slot != 0) {
            let (remainder, choice) = taken_apart(slot, rest);
            let home = bucket ^ other(choice, remainder, bits);
            give(home << rest | remainder)?;
        }
    }
    ControlFlow::Continue(())
}

pub enum Put {
    New,
    Old,
    NoRoom,
}

/// Adds words; returns which are new and which have no room, a bit for each.
///
/// Those whose first bucket is full are added last, so that their next buckets are prefetched
/// meanwhile. That does not change the place of a word, since a full bucket stays full.
pub fn put_all_in<S: Slot, const N: usize>(
    table: &mut (impl Buckets<S, N> + ?Sized),
    (bits, rest): (u32, u32),
    places: &[Place],
) -> (u64, u64) {
    let (mut new, crowded) = table.put_first(places);
    for at in ones(crowded) {
        let place = places[at];
        table.come_near(place.bucket ^ other(1, place.remainder, bits));
    }
    let mut no_room = 0;
    for at in ones(crowded) {
        match put_in(table, (bits, rest), places[at], 1) {
            Put::New => new |= 1 << at,
            Put::Old => {}
            Put::NoRoom => no_room |= 1 << at,
        }
    }
    (new, no_room)
}

/// Buckets of one thread.
impl<S: Slot, const N: usize> Buckets<S, N> for [[S; N]] {
    #[inline]
    fn slots(&self, bucket: u64) -> [S; N] {
        self[bucket as usize]
    }

    #[inline]
    fn come_near(&self, bucket: u64) {
        prefetch(self, bucket as usize);
    }

    #[inline]
    fn put(&mut self, bucket: u64, wanted: S) -> Put {
        let slots = &mut self[bucket as usize];
        if has(slots, wanted) {
            return Put::Old;
        }
        let taken = taken(slots);
        match slots.get_mut(taken) {
            Some(free) => {
                *free = wanted;
                Put::New
            }
            None => Put::NoRoom,
        }
    }

    /// Free of branches on whether a word is new, which a processor could not predict.
    #[inline]
    fn put_first(&mut self, places: &[Place]) -> (u64, u64) {
        let (mut new, mut crowded) = (0, 0);
        for (at, place) in places.iter().enumerate() {
            let slots = &mut self[place.bucket as usize];
            let (is_new, is_crowded) = put_into(slots, S::of(1 + place.remainder));
            new |= u64::from(is_new) << at;
            crowded |= u64::from(is_crowded) << at;
        }
        (new, crowded)
    }
}

/// Puts a value into the first free slot, unless it is there; returns whether it is new, and
/// whether there is no room.
#[inline(always)]
fn put_into<S: Slot, const N: usize>(slots: &mut [S; N], wanted: S) -> (bool, bool) {
    let has = has(slots, wanted);
    let taken = taken(slots);
    let is_full = taken == N;
    let is_new = !has & !is_full;
    let slot = &mut slots[taken % N];
    *slot = if is_new { wanted } else { *slot };
    (is_new, !has & is_full)
}

/// The numbers of the set bits, the lowest first.
#[inline]
pub fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(at)
    })
}

/// Number of taken slots, which are the first ones.
#[inline]
fn taken<S: Slot, const N: usize>(slots: &[S; N]) -> usize {
    slots
        .iter()
        .fold(0, |taken, slot| taken + usize::from(*slot != S::of(0)))
}

/// Searches a word in its buckets from this choice on, since it is in none of those before, which
/// are full; adds it in the first that is not full. Since words are never removed, it is in none
/// behind.
#[inline]
pub fn put_in<S: Slot, const N: usize>(
    table: &mut (impl Buckets<S, N> + ?Sized),
    (bits, rest): (u32, u32),
    place: Place,
    from: u64,
) -> Put {
    for choice in from..CHOICES {
        let bucket = place.bucket ^ other(choice, place.remainder, bits);
        let Some(wanted) = slot(choice, place.remainder, rest) else {
            break;
        };
        match table.put(bucket, wanted) {
            Put::NoRoom => {}
            put => return put,
        }
    }
    Put::NoRoom
}

/// Whether the word is in one of its buckets; `None` if all are full and it is in none.
pub fn is_in<S: Slot, const N: usize>(
    table: &(impl Buckets<S, N> + ?Sized),
    (bits, rest): (u32, u32),
    place: Place,
) -> Option<bool> {
    for choice in 0..CHOICES {
        let slots = table.slots(place.bucket ^ other(choice, place.remainder, bits));
        let wanted = slot(choice, place.remainder, rest)?;
        if has(&slots, wanted) {
            return Some(true);
        }
        if first_free(&slots).is_some() {
            return Some(false);
        }
    }
    None
}

/// Whether a bucket has a value. Compares all slots, without branches.
#[inline]
pub fn has<S: Slot, const N: usize>(slots: &[S; N], wanted: S) -> bool {
    slots
        .iter()
        .fold(false, |has, slot| has | (*slot == wanted))
}

/// The first free slot. Compares all slots, without branches.
#[inline]
pub fn first_free<S: Slot, const N: usize>(slots: &[S; N]) -> Option<usize> {
    let free = (0..).zip(slots).fold(0_u32, |free, (at, slot)| {
        free | u32::from(*slot == S::of(0)) << at
    });
    (free != 0).then(|| free.trailing_zeros() as usize)
}

/// Exclusive or of the numbers of a word's first bucket and of the bucket of this choice.
#[inline]
pub fn other(choice: u64, remainder: u64, bits: u32) -> u64 {
    match choice {
        0 => 0,
        choice => {
            // Never 0, so that consecutive choices are different buckets.
            let mixed = (remainder + choice).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed >> (64 - bits) | 1
        }
    }
}

/// Value of a slot for a word in the bucket of this choice. `None` for the greatest remainder in
/// the last one, if a slot has no bit to spare.
#[inline]
pub fn slot<S: Slot>(choice: u64, remainder: u64, rest: u32) -> Option<S> {
    let value = 1 + (choice << rest | remainder);
    (value <= S::MOST).then(|| S::of(value))
}

#[inline]
pub fn taken_apart(slot: u64, rest: u32) -> (u64, u64) {
    let slot = slot - 1;
    (slot & ((1 << rest) - 1), slot >> rest)
}

pub trait Slot: Copy + PartialEq {
    /// Greatest value.
    const MOST: u64;

    fn of(value: u64) -> Self;
    fn get(self) -> u64;
}

impl Slot for u32 {
    const MOST: u64 = u32::MAX as u64;

    #[inline(always)]
    fn of(value: u64) -> u32 {
        debug_assert!(value <= u64::from(u32::MAX), "a remainder fits its slot");
        value as u32
    }

    #[inline(always)]
    fn get(self) -> u64 {
        u64::from(self)
    }
}

impl Slot for u64 {
    const MOST: u64 = u64::MAX;

    #[inline(always)]
    fn of(value: u64) -> u64 {
        value
    }

    #[inline(always)]
    fn get(self) -> u64 {
        self
    }
}
