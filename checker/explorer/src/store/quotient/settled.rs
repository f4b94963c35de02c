//! Numbers for the words of a set to which none are added: their slots.

use super::buckets::{CHOICES, Slot, other, slot, taken_apart};
use super::place::Place;
use super::set::{LargeBucket, Quotient, SmallBucket, Table, slots_in_bucket};
use crate::store::lines::LINE;

/// Set that does not change.
pub struct Settled {
    set: Quotient,
    /// The words that are in no slot, in order.
    apart: Vec<u64>,
}

impl Settled {
    pub fn new(mut set: Quotient) -> Settled {
        let mut apart: Vec<u64> = std::mem::take(&mut set.apart).into_iter().collect();
        apart.sort_unstable();
        Settled { set, apart }
    }

    /// The set, to which words can be added again.
    pub fn into_set(self) -> Quotient {
        let Settled { mut set, apart } = self;
        set.apart = apart.into_iter().collect();
        set
    }

    /// Number of words.
    #[inline]
    pub fn len(&self) -> u64 {
        self.set.len
    }

    /// Upper bound of all numbers, at most a few times the number of words.
    #[inline]
    pub fn numbers(&self) -> u64 {
        self.slots() + self.apart.len() as u64
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.set.bytes() + self.apart.capacity() as u64 * 8
    }

    #[inline]
    fn slots(&self) -> u64 {
        slots_in_bucket(self.set.mixing.width, self.set.bits) << self.set.bits
    }

    /// Computes and prefetches the place of a word.
    #[inline]
    pub fn place(&self, word: u64) -> Place {
        self.set.place(word)
    }

    /// The number of a word that is in the set.
    #[inline]
    pub fn number(&self, place: Place) -> Option<u64> {
        let (bits, rest) = (self.set.bits, self.set.mixing.width - self.set.bits);
        let slot = match &self.set.table {
            Table::Small(lines) => slot_of(lines.parts::<SmallBucket>(), bits, rest, place),
            Table::Large(lines) => slot_of(lines.parts::<LargeBucket>(), bits, rest, place),
        };
        slot.or_else(|| {
            let at = self.apart.binary_search(&place.word).ok()?;
            Some(self.slots() + at as u64)
        })
    }

    /// The word with a number, if there is one.
    #[inline]
    pub fn word(&self, number: u64) -> Option<u64> {
        let of = (self.set.bits, self.set.mixing.width - self.set.bits);
        let Some(slot) = number.checked_sub(self.slots()) else {
            let mixed = match &self.set.table {
                Table::Small(lines) => mixed_at(lines.parts::<SmallBucket>(), of, number),
                Table::Large(lines) => mixed_at(lines.parts::<LargeBucket>(), of, number),
            };
            return Some(self.set.mixing.unmix(mixed?));
        };
        self.apart.get(slot as usize).copied()
    }
}

/// The slot of a word, if it is in a bucket.
#[inline]
fn slot_of<S: Slot, const N: usize>(
    buckets: &[[S; N]],
    bits: u32,
    rest: u32,
    place: Place,
) -> Option<u64> {
    for choice in 0..CHOICES {
        let bucket = place.bucket ^ other(choice, place.remainder, bits);
        let slots = &buckets[bucket as usize];
        let wanted = slot::<S>(choice, place.remainder, rest)?;
        // Compares all slots, without branches.
        let found = (0..).zip(slots).fold(0_u32, |found, (at, slot)| {
            found | u32::from(*slot == wanted) << at
        });
        if found != 0 {
            return Some(bucket * N as u64 + u64::from(found.trailing_zeros()));
        }
        if slots[N - 1] == S::of(0) {
            return None;
        }
    }
    None
}

/// The mix of the word in a slot.
#[inline]
fn mixed_at<S: Slot, const N: usize>(
    buckets: &[[S; N]],
    (bits, rest): (u32, u32),
    number: u64,
) -> Option<u64> {
    let (bucket, slot) = (number / N as u64, (number % N as u64) as usize);
    let slot = buckets[bucket as usize][slot].get();
    if slot == 0 {
        return None;
    }
    let (remainder, choice) = taken_apart(slot, rest);
    Some((bucket ^ other(choice, remainder, bits)) << rest | remainder)
}

/// The comparison of a bucket has a bit for each slot.
const _: () = assert!(LINE / 4 <= u32::BITS as usize);

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::ops::ControlFlow;

    use super::*;

    #[test]
    fn each_word_has_a_number_of_its_own_and_no_other_has_one() {
        // Nearly all words of few bits are in the set, so that some fit in none of their buckets.
        let mut apart = 0;
        for (width, words) in [
            (16, 60_000),
            (17, 130_000),
            (20, 700_000),
            (40, 50_000),
            (64, 50_000),
        ] {
            let word = |n: u64| match width {
                0..=20 => n,
                _ => n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - width),
            };
            let mut set = Quotient::new(width);
            for n in 0..words {
                let flow = set.reserve(1, || ControlFlow::<()>::Continue(()));
                assert!(flow.is_continue());
                set.insert(set.place(word(n)));
            }
            let set = Settled::new(set);
            apart += set.apart.len();
            let mut numbers = HashSet::new();
            for n in 0..words {
                let number = set.number(set.place(word(n))).expect("it is in the set");
                assert_eq!(set.word(number), Some(word(n)));
                assert!(number < set.numbers() && numbers.insert(number));
            }
            assert_eq!((numbers.len() as u64, set.len()), (words, words));
            for n in words..(words + 5_000).min(1 << width.min(63)) {
                assert_eq!(set.number(set.place(word(n))), None);
            }
            let taken = (0..set.numbers()).filter(|number| set.word(*number).is_some());
            assert_eq!(taken.count() as u64, words);
        }
        assert!(apart > 0);
    }
}
