//! The set that several threads put the words of their states into.
//!
//! Each looks words up while it takes steps, some tens at a time, and nobody waits for anybody but where the table grows,
//! which it does on all threads. Before that everybody lets go of it: none has it for longer than until these words are in.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use crossbeam_utils::sync::{ShardedLock, ShardedLockReadGuard};

use super::bounds::Bounds;
use crate::search::meter::Stop;
use crate::store::quotient::{Movers, Place, PutIn, Quotient, Shared};

/// Room is claimed for so many words at a time, as each claim has threads wait for each other.
const ROOM: u64 = 1024;

pub struct SharedSet<'t> {
    set: ShardedLock<Shared>,
    /// Who has it grow, so that others do not wait until nobody has the set to see that it has grown.
    growing: Mutex<()>,
    movers: Movers<'t>,
}

/// Has the set, which does not grow meanwhile.
pub type Having<'s> = ShardedLockReadGuard<'s, Shared>;

/// What a thread has claimed for words that nobody has found yet, and how many of those it has found since. Who waits
/// for others to give back what they have claimed has none, and does not have the set.
#[derive(Default)]
pub struct Room {
    claimed: u64,
    new: u64,
}

impl Room {
    /// Whether so many words may be put in, whichever of them are new.
    #[inline]
    pub fn is_enough(&self, words: usize) -> bool {
        self.claimed - self.new >= words as u64
    }

    #[inline]
    pub fn is_none(&self) -> bool {
        self.claimed == 0
    }

    /// Tells everybody what has been found, and keeps the rest.
    pub fn tell(&mut self, bounds: &Bounds) {
        let new = std::mem::take(&mut self.new);
        self.claimed -= new;
        bounds.found(new);
    }
}

impl<'t> SharedSet<'t> {
    /// For words of so many bits that are in no set yet, or are in this one.
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

    /// At least as much memory as it takes to change all words to others of so many bits.
    pub fn bytes_to_change(&mut self, width: u32) -> u64 {
        let movers = self.movers;
        self.own().bytes_to_change(width, movers)
    }

    /// Changes each word, of which no two become one, to another of no more than `width` bits; unless `ask`, which is
    /// asked now and then, breaks off.
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

    /// While no other thread has it. One that has panicked while it grew has left it as it was.
    fn own(&mut self) -> &mut Shared {
        let set = self.set.get_mut();
        set.unwrap_or_else(PoisonError::into_inner)
    }

    /// Breaks where a thread has panicked that changed it, which tells so.
    fn read(&self) -> ControlFlow<Option<Stop>, Having<'_>> {
        match self.set.read() {
            Ok(set) => ControlFlow::Continue(set),
            Err(_) => ControlFlow::Break(None),
        }
    }

    /// To begin with, and after each time that words were put in: has the set, and room for so many words where that
    /// may be claimed. Breaks at a limit, where `ask` does, which is asked while the table grows, or without a word of its
    /// own where others have ended.
    pub fn have(
        &self,
        words: usize,
        room: &mut Room,
        bounds: &Bounds,
        ask: &mut dyn FnMut() -> ControlFlow<Option<Stop>>,
    ) -> ControlFlow<Option<Stop>, Having<'_>> {
        let set = self.read()?;
        let somebody_waits = bounds.somebody_waits();
        if room.is_enough(words) && !somebody_waits {
            return ControlFlow::Continue(set);
        }
        give_back(&set, room, bounds);
        // Where little is left each takes a small part of it.
        let part = bounds.left() / (4 * self.movers.many as u64);
        let claimed = part.clamp(words as u64, ROOM.max(words as u64));
        if somebody_waits || !bounds.claim(claimed) {
            return ControlFlow::Continue(set);
        }
        let set = self.claim(set, claimed, bounds, ask)?;
        *room = Room { claimed, new: 0 };
        ControlFlow::Continue(set)
    }

    /// Puts a word in for which there was no room to be claimed together with others. Whether it is new.
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
            // The last state that there may be is no limit for who has found the same one.
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

    /// Puts words in for which there is room. Of each whether it is new, the first in the lowest bit.
    pub fn put_all_in(set: &Having<'_>, places: &[Place], room: &mut Room, bounds: &Bounds) -> u64 {
        let put = set.insert_all(places);
        hold_more(put, bounds);
        room.new += u64::from(put.new.count_ones());
        debug_assert!(room.new <= room.claimed, "room was claimed before");
        put.new
    }

    /// What a thread has claimed and has not needed.
    pub fn give_back(&self, room: &mut Room, bounds: &Bounds) {
        if let ControlFlow::Continue(set) = self.read() {
            give_back(&set, room, bounds);
        }
    }

    fn has(&self, word: u64) -> ControlFlow<Option<Stop>, bool> {
        let set = self.read()?;
        ControlFlow::Continue(set.has(set.place(word)))
    }

    /// Room for so many words, for which the bounds have room. If there is none to be had theirs is given back.
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

    /// The same, where the table has to grow.
    #[cold]
    fn grow(
        &self,
        many: u64,
        bounds: &Bounds,
        ask: &mut dyn FnMut() -> ControlFlow<Option<Stop>>,
    ) -> ControlFlow<Option<Stop>> {
        let _growing = self.growing.lock();
        // Another thread may have had it grow meanwhile.
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
        debug_assert!(is_claimed, "it has grown for them");
        ControlFlow::Continue(())
    }
}

/// As much more memory as words take that fit in none of their buckets.
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
    fn who_has_claimed_all_room_there_is_gives_it_back_as_soon_as_somebody_waits() {
        let (set, bounds) = (SharedSet::new(Quotient::new(20), TWO), bounds(64));
        let mut room = Room::default();
        assert!(set.have(64, &mut room, &bounds, &mut never).is_continue());
        assert!(room.is_enough(64) && bounds.left() == 0);
        let put_in = scope(|scope| {
            let waits = scope.spawn(|| set.put_in(7, &bounds, &mut never));
            while !bounds.somebody_waits() && !waits.is_finished() {
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
    fn of_two_threads_that_find_the_last_state_at_the_same_time_neither_comes_to_a_limit() {
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
    fn the_last_state_there_may_be_is_no_limit_for_who_finds_the_same_one() {
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
