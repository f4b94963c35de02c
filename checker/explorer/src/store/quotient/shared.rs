//! Quotient table to which several threads add words at the same time.
//!
//! A slot changes once, from 0 to its value. A thread adds a word in the first free slot of the
//! word's buckets, after it has seen the values of all slots before, which are final and of other
//! words. Therefore no word is stored twice. Of two threads with the same word, the one that fills
//! the slot has added it; the other one finds the slot filled, looks again, and finds the word. (As
//! in the table of A. Laarman, J. van de Pol and M. Weber, "Boosting Multi-Core Reachability
//! Performance with Shared Hash Tables", FMCAD 2010, but a slot has all that is stored of a word.)
//!
//! No lock is taken for a word, except for one that fits in none of its buckets. The table grows
//! while no other thread has it.

use std::convert::Infallible;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytemuck::Pod;
use rustc_hash::FxHashSet;
use stubborn_space::threads::{Threads, Work};

use super::buckets::{Buckets, Put, Slot, each_mixed, first_free, has, is_in, ones, put_all_in};
use super::mixing::Mixing;
use super::place::Place;
use super::set::{
    AT_ONCE, FULLEST, Quotient, Table, bytes_of_apart, has_small_slots, size, slots_in_bucket,
};
use crate::store::lines::{LINE, Lines};
use crate::store::prefetch::prefetch;
use crate::store::shared_lines::{SharedLine, SharedLines};

/// Buckets that are moved to another table at a time, some tenths of a millisecond of work. For
/// fewer of them no other thread is started.
const SECTION: u64 = 1 << 12;

/// Set of words of a number of bits.
pub struct Shared {
    mixing: Mixing,
    /// The logarithm of the number of buckets.
    bits: u32,
    lines: SharedLines,
    /// The words that fit in none of their buckets.
    apart: Mutex<FxHashSet<u64>>,
    /// Number of words in the set, and of those for which room was claimed.
    claimed: AtomicU64,
}

/// Threads that move words when a set grows or its words change.
#[derive(Clone, Copy)]
pub struct Movers<'t> {
    /// Number of threads, including the one that asks.
    pub many: usize,
    pub threads: &'t dyn Threads,
}

impl Movers<'_> {
    /// Memory of the words that wait to be added, in bytes.
    fn bytes(self) -> u64 {
        (self.many * AT_ONCE * size_of::<Place>()) as u64
    }
}

/// Result of adding words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PutIn {
    /// Which words are new, the first in the lowest bit.
    pub new: u64,
    /// Bytes by which the set has grown.
    pub more: u64,
}

impl From<Quotient> for Shared {
    fn from(set: Quotient) -> Shared {
        let (Table::Small(lines) | Table::Large(lines)) = set.table;
        Shared {
            mixing: set.mixing,
            bits: set.bits,
            lines: lines.into(),
            apart: set.apart.into(),
            claimed: set.len.into(),
        }
    }
}

/// All claims must be settled.
impl From<Shared> for Quotient {
    fn from(shared: Shared) -> Quotient {
        let (width, bits) = (shared.mixing.width, shared.bits);
        let lines = Lines::from(shared.lines);
        let apart = shared.apart.into_inner();
        let set = Quotient {
            mixing: shared.mixing,
            table: match has_small_slots(width, bits) {
                true => Table::Small(lines),
                false => Table::Large(lines),
            },
            bits,
            apart: apart.unwrap_or_else(PoisonError::into_inner),
            len: shared.claimed.into_inner(),
        };
        debug_assert_eq!(counted(&set), set.len, "all room was settled");
        set
    }
}

/// Number of words, counted one by one.
fn counted(set: &Quotient) -> u64 {
    let mut many = 0;
    let ControlFlow::Continue(()) = set.each(|_| {
        many += 1;
        ControlFlow::<Infallible>::Continue(())
    });
    many
}

impl Shared {
    /// Bytes that it takes in addition to share a set.
    pub fn bytes_to_share(set: &Quotient) -> u64 {
        Lines::bytes_to_share(1 << set.bits) as u64
    }

    /// Empty set with room for this number of words below 2^`width`.
    fn with_room(width: u32, words: u64) -> Shared {
        let (width, bits) = size(width, words);
        Shared::with_buckets(Mixing::of(width), bits)
    }

    fn with_buckets(mixing: Mixing, bits: u32) -> Shared {
        Shared {
            mixing,
            bits,
            lines: SharedLines::zeroed(1 << bits),
            apart: Mutex::default(),
            claimed: 0.into(),
        }
    }

    /// Memory in use, in bytes.
    #[inline]
    pub fn bytes(&self) -> u64 {
        self.lines.bytes() as u64 + bytes_of_apart(&self.apart_now())
    }

    fn apart_now(&self) -> MutexGuard<'_, FxHashSet<u64>> {
        // Each word is added whole or not at all.
        self.apart.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes that [`changed`](Shared::changed) to this width takes in addition, on these threads.
    pub fn bytes_to_change(&self, width: u32, movers: Movers<'_>) -> u64 {
        let (_, bits) = size(width, self.claimed.load(Relaxed));
        let apart = bytes_of_apart(&self.apart_now());
        ((LINE as u64) << bits) + 2 * apart + movers.bytes()
    }

    /// Bytes that [`grow`](Shared::grow) for `more` words takes in addition, on these threads.
    pub fn bytes_to_grow(&self, more: u64, movers: Movers<'_>) -> u64 {
        let apart = bytes_of_apart(&self.apart_now());
        ((LINE as u64) << self.bits_for(more)) + 2 * apart + movers.bytes()
    }

    /// Claims room for `more` words; returns whether there is any. The claim ends with
    /// [`settle`](Shared::settle).
    #[inline]
    pub fn claim(&self, more: u64) -> bool {
        let room = self.room(self.bits);
        let claim = |claimed: u64| Some(claimed + more).filter(|all| *all <= room);
        self.claimed.fetch_update(Relaxed, Relaxed, claim).is_ok()
    }

    /// Ends a claim, of which `new` words were new.
    #[inline]
    pub fn settle(&self, claimed: u64, new: u64) {
        self.claimed.fetch_sub(claimed - new, Relaxed);
    }

    /// Number of words for which this number of buckets has room.
    fn room(&self, bits: u32) -> u64 {
        let width = self.mixing.width;
        // No bucket can have more words than there are choices for them.
        match bits >= width {
            true => u64::MAX,
            false => (slots_in_bucket(width, bits) << bits) * FULLEST / 16,
        }
    }

    fn bits_for(&self, more: u64) -> u32 {
        let all = self.claimed.load(Relaxed) + more;
        let mut bits = self.bits;
        while self.room(bits) < all {
            bits += 1;
        }
        bits
    }

    /// Size of the table; while it stays the same, so do the places of words.
    #[inline]
    pub fn size(&self) -> u32 {
        self.bits
    }

    /// Computes and prefetches the place of a word, which must not have more bits than the set is
    /// for. The place is valid until the set has another [`size`](Shared::size).
    #[inline]
    pub fn place(&self, word: u64) -> Place {
        self.place_of_mixed(self.mixing.mix(word), word)
    }

    #[inline]
    fn place_of_mixed(&self, mixed: u64, word: u64) -> Place {
        let place = Place::of_mixed(mixed, self.mixing.width - self.bits, word);
        prefetch(self.lines.all(), place.bucket as usize);
        place
    }

    /// Whether the word is in the set.
    #[inline]
    pub fn has(&self, place: Place) -> bool {
        let (lines, of) = (&self.lines.all(), self.layout());
        let is_in = match self.has_small_slots() {
            true => is_in::<u32, { LINE / 4 }>(lines, of, place),
            false => is_in::<u64, { LINE / 8 }>(lines, of, place),
        };
        is_in.unwrap_or_else(|| self.apart_now().contains(&place.word))
    }

    /// Adds up to [`AT_ONCE`] words for which there is room.
    pub fn insert_all(&self, places: &[Place]) -> PutIn {
        debug_assert!(places.len() <= AT_ONCE, "each has a bit");
        let (lines, of) = (&mut self.lines.all(), self.layout());
        let (new, no_room) = match self.has_small_slots() {
            true => put_all_in::<u32, { LINE / 4 }>(lines, of, places),
            false => put_all_in::<u64, { LINE / 8 }>(lines, of, places),
        };
        let mut put = PutIn { new, more: 0 };
        if no_room != 0 {
            let mut apart = self.apart_now();
            let before = bytes_of_apart(&apart);
            for at in ones(no_room) {
                put.new |= u64::from(apart.insert(places[at].word)) << at;
            }
            put.more = bytes_of_apart(&apart) - before;
        }
        put
    }

    fn has_small_slots(&self) -> bool {
        has_small_slots(self.mixing.width, self.bits)
    }

    /// The logarithm of the number of buckets, and the bits of a remainder.
    fn layout(&self) -> (u32, u32) {
        (self.bits, self.mixing.width - self.bits)
    }

    /// Makes room for `more` words, on these threads. If the set is large that takes a while, and
    /// `ask` is called regularly: if it breaks the set stays as it was.
    pub fn grow<B>(
        &mut self,
        more: u64,
        movers: Movers<'_>,
        ask: impl FnMut() -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let larger = Shared::with_buckets(self.mixing, self.bits_for(more));
        let place = |mixed| larger.place_of_mixed(mixed, self.mixing.unmix(mixed));
        self.move_to(&larger, movers, place, ask)?;
        larger.claimed.store(self.claimed.load(Relaxed), Relaxed);
        *self = larger;
        ControlFlow::Continue(())
    }

    /// Returns the set with each word changed injectively to one of at most `width` bits, unless
    /// `ask`, which is called regularly, breaks.
    pub fn changed<B>(
        &self,
        width: u32,
        movers: Movers<'_>,
        change: impl Fn(u64) -> u64 + Sync,
        ask: impl FnMut() -> ControlFlow<B>,
    ) -> ControlFlow<B, Shared> {
        let claimed = self.claimed.load(Relaxed);
        let others = Shared::with_room(width, claimed);
        let place = |mixed| others.place(change(self.mixing.unmix(mixed)));
        self.move_to(&others, movers, place, ask)?;
        others.claimed.store(claimed, Relaxed);
        ControlFlow::Continue(others)
    }

    /// Adds every word to another set, in the place that its mix here gives.
    fn move_to<B>(
        &self,
        others: &Shared,
        movers: Movers<'_>,
        place: impl Fn(u64) -> Place + Sync,
        mut ask: impl FnMut() -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let buckets = 1_u64 << self.bits;
        let many = buckets.div_ceil(SECTION);
        let (next, ends) = (AtomicU64::new(0), AtomicBool::new(false));
        let take_section = || {
            let section = next.fetch_add(1, Relaxed);
            (section < many && !ends.load(Relaxed)).then_some(section * SECTION)
        };
        let move_section = |first: u64, waiting: &mut Vec<Place>| {
            self.each_mixed(first..buckets.min(first + SECTION), |mixed| {
                waiting.push(place(mixed));
                if waiting.len() == AT_ONCE {
                    others.insert_all(waiting);
                    waiting.clear();
                }
            });
        };
        let others_move = || {
            let mut waiting = Vec::with_capacity(AT_ONCE);
            while let Some(section) = take_section() {
                move_section(section, &mut waiting);
            }
            others.insert_all(&waiting);
        };
        let work = (1..many.min(movers.many as u64)).map(|_| Box::new(others_move) as Work<'_>);
        let mut flow = ControlFlow::Continue(());
        // Without other threads this one does it all.
        movers.threads.run(work.collect(), &mut || {
            let mut waiting = Vec::with_capacity(AT_ONCE);
            while flow.is_continue()
                && let Some(section) = take_section()
            {
                move_section(section, &mut waiting);
                flow = ask();
            }
            ends.store(true, Relaxed);
            others.insert_all(&waiting);
        });
        flow?;
        let apart: Vec<u64> = self.apart_now().iter().copied().collect();
        for words in apart.chunks(AT_ONCE) {
            let places: Vec<Place> = words
                .iter()
                .map(|word| place(self.mixing.mix(*word)))
                .collect();
            others.insert_all(&places);
        }
        ControlFlow::Continue(())
    }

    /// The mix of each word in these buckets.
    fn each_mixed(&self, buckets: Range<u64>, mut give: impl FnMut(u64)) {
        let (lines, of) = (&self.lines.all(), self.layout());
        let give = |mixed| {
            give(mixed);
            ControlFlow::<Infallible>::Continue(())
        };
        let ControlFlow::Continue(()) = match self.has_small_slots() {
            true => each_mixed::<u32, { LINE / 4 }, _>(lines, buckets, of, give),
            false => each_mixed::<u64, { LINE / 8 }, _>(lines, buckets, of, give),
        };
    }
}

/// Buckets that other threads change at the same time.
impl<S: Slot, const N: usize> Buckets<S, N> for &[SharedLine]
where
    [S; N]: Pod,
{
    #[inline]
    fn slots(&self, bucket: u64) -> [S; N] {
        bytemuck::cast(self[bucket as usize].load())
    }

    #[inline]
    fn come_near(&self, bucket: u64) {
        prefetch(self, bucket as usize);
    }

    #[inline(always)]
    fn put(&mut self, bucket: u64, wanted: S) -> Put {
        let line = &self[bucket as usize];
        loop {
            let slots: [S; N] = bytemuck::cast(line.load());
            if has(&slots, wanted) {
                return Put::Old;
            }
            // Another thread may have filled slots behind a free one since: the first free slot
            // counts, not the number of free ones.
            let Some(free) = first_free(&slots) else {
                return Put::NoRoom;
            };
            if line.fill::<N>(free, wanted.get()) {
                return Put::New;
            }
        }
    }

    #[inline]
    fn put_first(&mut self, places: &[Place]) -> (u64, u64) {
        // By value, so that the compiler knows that the lines stay where they are.
        let mut lines = *self;
        let (mut new, mut crowded) = (0, 0);
        for (at, place) in places.iter().enumerate() {
            match lines.put(place.bucket, S::of(1 + place.remainder)) {
                Put::New => new |= 1 << at,
                Put::Old => {}
                Put::NoRoom => crowded |= 1 << at,
            }
        }
        (new, crowded)
    }
}

#[cfg(test)]
mod tests;
