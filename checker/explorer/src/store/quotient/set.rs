//! Quotient table of one thread.

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;

use super::buckets::{CHOICE_BITS, Put, each_mixed, is_in, ones, put_all_in, put_in};
use super::mixing::Mixing;
use super::place::Place;
use crate::store::lines::{LINE, Lines};
use crate::store::prefetch::prefetch;

/// Part of the slots, in sixteenths, beyond which the table doubles.
pub(super) const FULLEST: u64 = 13;
const FIRST_BUCKETS: u32 = 6;
/// Most words that are added together, so that the waits for memory overlap.
pub const AT_ONCE: usize = u64::BITS as usize;
/// Some tenths of a millisecond of work.
const WORDS_BETWEEN_QUESTIONS: u32 = 1 << 13;

/// Set of words of a number of bits.
pub struct Quotient {
    pub(super) mixing: Mixing,
    pub(super) table: Table,
    /// The logarithm of the number of buckets.
    pub(super) bits: u32,
    /// The words that fit in none of their buckets.
    pub(super) apart: FxHashSet<u64>,
    pub(super) len: u64,
}

/// Slots as small as the remainder allows. A free one is 0, and a bucket is one line.
pub(super) enum Table {
    Small(Lines),
    Large(Lines),
}

/// The slots of a bucket.
pub(super) type SmallBucket = [u32; LINE / 4];
pub(super) type LargeBucket = [u64; LINE / 8];

impl Quotient {
    /// Empty set for words below 2^`width`.
    pub fn new(width: u32) -> Quotient {
        Quotient::with_room(width, 0)
    }

    /// Empty set for words below 2^`width`, with room for `words` of them.
    fn with_room(width: u32, words: u64) -> Quotient {
        let (width, bits) = size(width, words);
        Quotient {
            mixing: Mixing::of(width),
            table: Table::of(width, bits),
            bits,
            apart: FxHashSet::default(),
            len: 0,
        }
    }

    /// Bytes that [`changed`](Quotient::changed) takes in addition.
    pub fn bytes_to_change(&self, width: u32) -> u64 {
        let (_, bits) = size(width, self.len);
        let apart = bytes_of_apart(&self.apart);
        ((LINE as u64) << bits) + 2 * apart + (AT_ONCE * size_of::<Place>()) as u64
    }

    #[inline]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Memory in use, in bytes.
    #[inline]
    pub fn bytes(&self) -> u64 {
        self.table.bytes() + bytes_of_apart(&self.apart)
    }

    /// Bytes that it takes to make room for `more` words: while the table grows the old one exists
    /// too.
    pub fn bytes_to_grow(&self, more: u64) -> u64 {
        let mut bits = self.bits;
        while self.is_crowded_with(bits, more) {
            bits += 1;
        }
        let of = |bits: u32| (LINE as u64) << bits;
        match bits == self.bits {
            true => 0,
            false => of(bits) + of(bits - 1) - of(self.bits),
        }
    }

    #[inline]
    fn is_crowded(&self, more: u64) -> bool {
        self.is_crowded_with(self.bits, more)
    }

    /// Whether `more` words are too many for this number of buckets.
    #[inline]
    fn is_crowded_with(&self, bits: u32, more: u64) -> bool {
        // There are no further words: the table never has more buckets than there are words.
        let words = 1_u64.checked_shl(self.mixing.width).unwrap_or(u64::MAX);
        let more = more.min(words - self.len);
        let slots = slots_in_bucket(self.mixing.width, bits) << bits;
        (self.len + more).saturating_mul(16) > slots * FULLEST
    }

    /// Makes room for `more` words, so that their places stay the same. If the table is large that
    /// takes a while, and `ask` is called regularly: if it breaks the set stays as it was.
    pub fn reserve<B>(
        &mut self,
        more: u64,
        mut ask: impl FnMut() -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        while self.is_crowded(more) {
            self.grow(&mut ask)?;
        }
        ControlFlow::Continue(())
    }

    /// Computes and prefetches the place of a word, which must not have more bits than the set is
    /// for. The place is valid until room is [made](Quotient::reserve).
    #[inline]
    pub fn place(&self, word: u64) -> Place {
        self.place_of_mixed(self.mixing.mix(word), word)
    }

    #[inline]
    pub(super) fn place_of_mixed(&self, mixed: u64, word: u64) -> Place {
        let place = Place::of_mixed(mixed, self.mixing.width - self.bits, word);
        self.come_near(place.bucket);
        place
    }

    #[inline]
    fn come_near(&self, bucket: u64) {
        let (Table::Small(lines) | Table::Large(lines)) = &self.table;
        prefetch(lines.parts::<SmallBucket>(), bucket as usize);
    }

    /// Whether the word is in the set.
    #[inline]
    pub fn has(&self, place: Place) -> bool {
        let of = (self.bits, self.mixing.width - self.bits);
        let is_in = match &self.table {
            Table::Small(lines) => is_in(lines.parts::<SmallBucket>(), of, place),
            Table::Large(lines) => is_in(lines.parts::<LargeBucket>(), of, place),
        };
        is_in.unwrap_or_else(|| self.apart.contains(&place.word))
    }

    /// Adds the word. Returns whether it is new.
    #[inline]
    pub fn insert(&mut self, place: Place) -> bool {
        let of = (self.bits, self.mixing.width - self.bits);
        let put = match &mut self.table {
            Table::Small(lines) => put_in(lines.parts_mut::<SmallBucket>(), of, place, 0),
            Table::Large(lines) => put_in(lines.parts_mut::<LargeBucket>(), of, place, 0),
        };
        let is_new = match put {
            Put::New => true,
            Put::Old => false,
            Put::NoRoom => self.apart.insert(place.word),
        };
        self.len += u64::from(is_new);
        is_new
    }

    /// Adds up to [`AT_ONCE`] words in order; returns which are new, the first in the lowest bit.
    pub fn insert_all(&mut self, places: &[Place]) -> u64 {
        debug_assert!(places.len() <= AT_ONCE, "each has a bit");
        let of = (self.bits, self.mixing.width - self.bits);
        let (new, no_room) = match &mut self.table {
            Table::Small(lines) => put_all_in(lines.parts_mut::<SmallBucket>(), of, places),
            Table::Large(lines) => put_all_in(lines.parts_mut::<LargeBucket>(), of, places),
        };
        let mut new = new;
        for at in ones(no_room) {
            new |= u64::from(self.apart.insert(places[at].word)) << at;
        }
        self.len += u64::from(new.count_ones());
        new
    }

    /// Gives every word, in no order, until `give` breaks.
    pub fn each<B>(&self, mut give: impl FnMut(u64) -> ControlFlow<B>) -> ControlFlow<B> {
        self.each_mixed(|_, word| give(word))
    }

    /// Gives every word with its mix.
    fn each_mixed<B>(&self, mut give: impl FnMut(u64, u64) -> ControlFlow<B>) -> ControlFlow<B> {
        let of = (self.bits, self.mixing.width - self.bits);
        let all = 0..1 << self.bits;
        let mixed = |mixed| give(mixed, self.mixing.unmix(mixed));
        match &self.table {
            Table::Small(lines) => each_mixed(lines.parts::<SmallBucket>(), all, of, mixed)?,
            Table::Large(lines) => each_mixed(lines.parts::<LargeBucket>(), all, of, mixed)?,
        }
        let mut apart = self.apart.iter();
        apart.try_for_each(|word| give(self.mixing.mix(*word), *word))
    }

    fn grow<B>(&mut self, ask: &mut impl FnMut() -> ControlFlow<B>) -> ControlFlow<B> {
        let bits = self.bits + 1;
        let mut larger = Quotient {
            mixing: self.mixing,
            table: Table::of(self.mixing.width, bits),
            bits,
            apart: FxHashSet::default(),
            len: 0,
        };
        let mut countdown = WORDS_BETWEEN_QUESTIONS;
        let mut waiting = Vec::with_capacity(AT_ONCE);
        self.each_mixed(|mixed, word| {
            waiting.push(larger.place_of_mixed(mixed, word));
            if waiting.len() == AT_ONCE {
                larger.insert_all(&waiting);
                waiting.clear();
            }
            countdown -= 1;
            if countdown == 0 {
                countdown = WORDS_BETWEEN_QUESTIONS;
                return ask();
            }
            ControlFlow::Continue(())
        })?;
        larger.insert_all(&waiting);
        *self = larger;
        ControlFlow::Continue(())
    }

    /// Returns the set with each word changed injectively to one of at most `width` bits, unless
    /// `ask`, which is called regularly, breaks.
    pub fn changed<B>(
        &self,
        width: u32,
        change: impl Fn(u64) -> u64,
        mut ask: impl FnMut() -> ControlFlow<B>,
    ) -> ControlFlow<B, Quotient> {
        let mut set = Quotient::with_room(width, self.len);
        let mut waiting = Vec::with_capacity(AT_ONCE);
        self.each(|word| {
            // The waits for memory overlap.
            waiting.push(set.place(change(word)));
            if waiting.len() < AT_ONCE {
                return ControlFlow::Continue(());
            }
            set.insert_all(&waiting);
            waiting.clear();
            ask()
        })?;
        set.insert_all(&waiting);
        debug_assert_eq!(set.len, self.len, "no two words become one");
        ControlFlow::Continue(set)
    }
}

impl Table {
    /// Table for words of `width` bits, with 2^`bits` buckets.
    fn of(width: u32, bits: u32) -> Table {
        let lines = Lines::zeroed(1 << bits);
        match has_small_slots(width, bits) {
            true => Table::Small(lines),
            false => Table::Large(lines),
        }
    }

    #[inline]
    fn bytes(&self) -> u64 {
        match self {
            Table::Small(lines) | Table::Large(lines) => lines.bytes() as u64,
        }
    }
}

/// Memory of words beside the table: a word and a byte for each that there is room for.
pub(super) fn bytes_of_apart(apart: &FxHashSet<u64>) -> u64 {
    apart.capacity() as u64 * 9
}

/// The bits of a word, and the logarithm of the number of buckets with room for `words` words.
pub(super) fn size(width: u32, words: u64) -> (u32, u32) {
    let width = width.clamp(LEAST_WIDTH, u64::BITS);
    let has_room = |bits: &u32| words * 16 <= (slots_in_bucket(width, *bits) << bits) * FULLEST;
    let mut all = FIRST_BUCKETS..=width;
    (width, all.find(has_room).unwrap_or(width))
}

pub(super) fn has_small_slots(width: u32, bits: u32) -> bool {
    // A slot has a remainder and a choice. It is not all zeros: one word of each bucket may have no
    // slot, and is kept beside the table.
    width - bits + CHOICE_BITS <= u32::BITS
}

pub(super) fn slots_in_bucket(width: u32, bits: u32) -> u64 {
    match has_small_slots(width, bits) {
        true => LINE as u64 / 4,
        false => LINE as u64 / 8,
    }
}

/// Least bits of a word: the smallest table has a slot for each such word.
const LEAST_WIDTH: u32 = 16;

#[cfg(test)]
mod tests;
