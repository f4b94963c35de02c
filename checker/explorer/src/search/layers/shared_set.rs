//! Set of words that several workers add to.
//!
//! Each worker looks some tens of words up at a time. Workers wait for each other only while the
//! table grows, which all of them do; before that each one unlocks it.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use crossbeam_utils::sync::{ShardedLock, ShardedLockReadGuard};

use super::bounds::Bounds;
use crate::search::meter::Stop;
use crate::store::quotient::{Movers, Place, PutIn, Quotient, Shared};

/// Words of one claim: each claim makes threads wait for each other.
const ROOM: u64 = 1024;

pub struct SharedSet<'t> {
    set: ShardedLock<Shared>,
    /// Held by the worker that grows the set: others then see that it has grown.
    growing: Mutex<()>,
    movers: Movers<'t>,
}

/// Lock under which the set does not grow.
pub type Having<'s> = ShardedLockReadGuard<'s, Shared>;

/// Claim of a worker for new words, and how many of those it has found since. A worker that waits
/// for the claims of others has none, and does not hold the lock.
#[derive(Default)]
pub struct Room {
    claimed: u64,
    new: u64,
}

impl Room {
    /// Whether this many words may be added, even if all are new.
    #[inline]
    pub fn is_enough(&self, words: usize) -> bool {
        self.claimed - self.new >= words as u64
    }

    #[inline]
    pub fn is_none(&self) -> bool {
        self.claimed == 0
    }

    /// Publishes the new words, and keeps the rest of the claim.
    pub fn tell(&mut self, bounds: &Bounds) {
        let new = std::mem::take(&mut self.new);
        self.claimed -= new;
        bounds.found(new);
    }
}

impl<'t> SharedSet<'t> {
    /// Set with these words.
    pub fn new(set: Quotient, movers: Movers<'t>) -> SharedSet<'t> {
        SharedSet {
            set: ShardedLock::new(set.into()),
            growing: Mutex::new(()),
            movers,
        }
    }

    /// All room has to have been given back.
    pub fn into_set(self) -> Quotient {
        let set = self.set.into_inner();
        set.unwrap_or_else(PoisonError::into_inner).into()
    }

    /// Memory in use, in bytes.
    pub fn bytes(&mut self) -> u64 {
        self.own().bytes()
    }

    /// Upper bound of the memory that it takes to change all words to this width, in bytes.
    pub fn bytes_to_change(&mut self, width: u32) -> u64 {
        let movers = self.movers;
        self.own().bytes_to_change(width, movers)
    }

    /// Changes each word injectively to another of at most `width` bits, unless `ask`, which is
    /// called regularly, breaks.
    pub fn change<B>(
        &mut self,
        width: u32,
        change: impl Fn(u64) -> u64 + Sync,
        ask: impl FnMut() -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let movers = self.movers;
        let set = self.own();
        *set = set.changed(width, movers, change, ask)?;
        ControlFlow::Continue(())
    }

    /// The set while no other thread has it. A thread that panicked while it grew has left it
    /// valid.
    fn own(&mut self) -> &mut Shared {
        let set = self.set.get_mut();
        set.unwrap_or_else(PoisonError::into_inner)
    }

    /// Breaks if a thread has panicked that changed it; that thread has the reason.
    fn read(&self) -> ControlFlow<Option<Stop>, Having<'_>> {
        match self.set.read() {
            Ok(set) => ControlFlow::Continue(set),
            Err(_) => ControlFlow::Break(None),
        }
    }

    /// Locks the set, and claims room for the words if that may be claimed. Called at the start and
    /// after each batch. Breaks at a limit, if `ask` does, which is called while the table grows,
    /// or without a reason if another worker has ended the search.
    pub fn have(
        &self,
        words: usize,
        room: &mut Room,
        bounds: &Bounds,
        ask: &mut dyn FnMut() -> ControlFlow<Option<Stop>>,
    ) -> ControlFlow<Option<Stop>, Having<'_>> {
        let set = self.read()?;
        let is_awaited = bounds.is_awaited();
        if room.is_enough(words) && !is_awaited {
            return ControlFlow::Continue(set);
        }
        give_back(&set, room, bounds);
        // A small part of what is left, since the others need some too.
        let part = bounds.left() / (4 * self.movers.many as u64);
        let claimed = part.clamp(words as u64, ROOM.max(words as u64));
        if is_awaited || !bounds.claim(claimed) {
            return ControlFlow::Continue(set);
        }
        let set = self.claim(set, claimed, bounds, ask)?;
        *room = Room { claimed, new: 0 };
        ControlFlow::Continue(set)
    }

    /// Adds a word for which no room could be claimed with others; returns whether it is new.
    pub fn put_in(
        &self,
        word: u64,
        bounds: &Bounds,
        ask: &mut dyn FnMut() -> ControlFlow<Option<Stop>>,
    ) -> ControlFlow<Option<Stop>, bool> {
        if self.has(word)? {
            return ControlFlow::Continue(false);
        }
        if let ControlFlow::Break(stop) = bounds.claim_one() {
            // Another worker may have added this word as the last one that is allowed.
            return match self.has(word)? {
                true => ControlFlow::Continue(false),
                false => ControlFlow::Break(stop),
            };
        }
        let set = self.claim(self.read()?, 1, bounds, ask)?;
        let put = set.insert_all(&[set.place(word)]);
        let mut room = Room {
            claimed: 1,
            new: put.new,
        };
        give_back(&set, &mut room, bounds);
        hold_more(put, bounds);
        ControlFlow::Continue(put.new == 1)
    }

    /// Adds words for which there is room; returns which are new, the first in the lowest bit.
    pub fn put_all_in(set: &Having<'_>, places: &[Place], room: &mut Room, bounds: &Bounds) -> u64 {
        let put = set.insert_all(places);
        hold_more(put, bounds);
        room.new += u64::from(put.new.count_ones());
        debug_assert!(room.new <= room.claimed, "room was claimed before");
        put.new
    }

    /// Gives back the unused part of a claim.
    pub fn give_back(&self, room: &mut Room, bounds: &Bounds) {
        if let ControlFlow::Continue(set) = self.read() {
            give_back(&set, room, bounds);
        }
    }

    fn has(&self, word: u64) -> ControlFlow<Option<Stop>, bool> {
        let set = self.read()?;
        ControlFlow::Continue(set.has(set.place(word)))
    }

    /// Claims room in the table for words that the bounds allow; if that fails, the bounds get it
    /// back.
    fn claim<'s>(
        &'s self,
        set: Having<'s>,
        many: u64,
        bounds: &Bounds,
        ask: &mut dyn FnMut() -> ControlFlow<Option<Stop>>,
    ) -> ControlFlow<Option<Stop>, Having<'s>> {
        if set.claim(many) {
            return ControlFlow::Continue(set);
        }
        drop(set);
        let grown = self.grow(many, bounds, ask);
        if grown.is_break() {
            bounds.settle(many, 0);
        }
        grown?;
        self.read()
    }

    /// The same if the table has to grow.
    #[cold]
    fn grow(
        &self,
        many: u64,
        bounds: &Bounds,
        ask: &mut dyn FnMut() -> ControlFlow<Option<Stop>>,
    ) -> ControlFlow<Option<Stop>> {
        let _growing = self.growing.lock();
        // Another thread may have grown it meanwhile.
        if self.read()?.claim(many) {
            return ControlFlow::Continue(());
        }
        let Ok(mut set) = self.set.write() else {
            return ControlFlow::Break(None);
        };
        let (before, needed) = (set.bytes(), set.bytes_to_grow(many, self.movers));
        bounds.hold(needed).map_break(Some)?;
        let flow = set.grow(many, self.movers, ask);
        bounds.resize(before, set.bytes(), needed);
        flow?;
        let is_claimed = set.claim(many);
        debug_assert!(is_claimed, "the table has room");
        ControlFlow::Continue(())
    }
}

/// Counts the memory of words that fit in none of their buckets.
fn hold_more(put: PutIn, bounds: &Bounds) {
    if put.more > 0 {
        bounds.resize(0, put.more, 0);
    }
}

fn give_back(set: &Shared, room: &mut Room, bounds: &Bounds) {
    let Room { claimed, new } = std::mem::take(room);
    if claimed == 0 {
        return;
    }
    set.settle(claimed, new);
    bounds.settle(claimed, new);
}

#[cfg(test)]
mod tests {
    use std::thread::{scope, yield_now};

    use super::*;
    use crate::search::meter::{Figures, Meter};
    use stubborn_space::options::Limits;
    use stubborn_space::threads::SystemThreads;

    fn bounds(most: u64) -> Bounds {
        let limits = Limits {
            max_states: Some(most),
            ..Limits::default()
        };
        let found = Figures {
            states: 0,
            edges: 0,
            bytes: 0,
        };
        Bounds::new(&Meter::quiet(limits.into()), found)
    }

    const TWO: Movers<'_> = Movers {
        many: 2,
        threads: &SystemThreads,
    };

    fn never() -> ControlFlow<Option<Stop>> {
        ControlFlow::Continue(())
    }

    #[test]
    fn a_worker_with_all_room_gives_it_back_when_another_one_waits() {
        let (set, bounds) = (SharedSet::new(Quotient::new(20), TWO), bounds(64));
        let mut room = Room::default();
        assert!(set.have(64, &mut room, &bounds, &mut never).is_continue());
        assert!(room.is_enough(64) && bounds.left() == 0);
        let put_in = scope(|scope| {
            let waits = scope.spawn(|| set.put_in(7, &bounds, &mut never));
            while !bounds.is_awaited() && !waits.is_finished() {
                yield_now();
            }
            assert!(set.have(64, &mut room, &bounds, &mut never).is_continue());
            assert!(room.is_none());
            waits.join().expect("it does not panic")
        });
        assert_eq!(put_in, ControlFlow::Continue(true));
        assert_eq!((bounds.figures().states, bounds.left()), (1, 63));
        assert_eq!(set.into_set().len(), 1);
    }

    #[test]
    fn two_threads_that_find_the_last_state_reach_no_limit() {
        for word in 0..5_000 {
            let (set, bounds) = (SharedSet::new(Quotient::new(20), TWO), bounds(1));
            let begin = std::sync::Barrier::new(2);
            let put_in = || {
                begin.wait();
                set.put_in(word, &bounds, &mut never)
            };
            let found = scope(|scope| {
                let other = scope.spawn(put_in);
                [put_in(), other.join().expect("it does not panic")]
            });
            let new = found
                .iter()
                .filter(|one| **one == ControlFlow::Continue(true));
            assert_eq!(new.count(), 1, "{found:?}");
            assert!(found.iter().all(ControlFlow::is_continue), "{found:?}");
        }
    }

    #[test]
    fn finding_the_last_allowed_state_again_reaches_no_limit() {
        let (set, bounds) = (SharedSet::new(Quotient::new(20), TWO), bounds(2));
        for (word, is_new) in [(7, true), (7, false), (8, true), (8, false)] {
            let put_in = set.put_in(word, &bounds, &mut never);
            assert_eq!(put_in, ControlFlow::Continue(is_new));
        }
        let stop = Stop::Limit(stubborn_space::verdict::Reason::States(2));
        assert_eq!(
            set.put_in(9, &bounds, &mut never),
            ControlFlow::Break(Some(stop))
        );
        assert_eq!(set.into_set().len(), 2);
    }
}
