//! Access of one worker to the set of all states: its own, or one shared with other workers.

use std::ops::ControlFlow;

use super::pool::Member;
use super::shared_set::{Having, Room, SharedSet};
use crate::store::quotient::{AT_ONCE, Place, Quotient};

/// A set of words to which a worker adds a batch at a time.
///
/// Between [`open`](Access::open) and [`close`](Access::close) the places of words stay.
pub trait Access {
    /// No other worker takes part.
    const IS_ALONE: bool;

    /// Makes room for one batch. Other workers wait with growing the set until it is closed.
    fn open(&mut self, member: &mut Member<'_>) -> ControlFlow<()>;

    /// Whether it is open.
    fn is_open(&self) -> bool;

    /// Lets other workers grow the set.
    fn close(&mut self);

    /// Place of a word; the set must be open.
    fn place(&self, word: u64) -> Place;

    /// Places of these words, which were computed before the set was opened.
    fn place_again(&mut self, places: &mut [Place]);

    /// Adds a batch and closes the set.
    fn add(&mut self, places: &[Place], member: &mut Member<'_>) -> Added;

    /// Makes the numbers of states known to all workers.
    fn publish(&mut self, member: &Member<'_>);

    /// Returns unused room; the worker has come to its end.
    fn give_back(&mut self, member: &Member<'_>);
}

/// Result of adding a batch.
pub struct Added {
    /// Which words are new, the first in the lowest bit.
    pub new: u64,
    /// Number of words that were looked up: up to the limit, if there was one.
    pub looked_up: usize,
    pub flow: ControlFlow<()>,
}

impl Added {
    fn all(new: u64, places: &[Place]) -> Added {
        Added {
            new,
            looked_up: places.len(),
            flow: ControlFlow::Continue(()),
        }
    }
}

/// Access to a set that belongs to one worker.
pub struct Own(pub Quotient);

impl Access for Own {
    const IS_ALONE: bool = true;

    #[inline]
    fn open(&mut self, member: &mut Member<'_>) -> ControlFlow<()> {
        let needed = self.0.bytes_to_grow(AT_ONCE as u64);
        match needed {
            0 => ControlFlow::Continue(()),
            needed => self.grow(needed, member),
        }
    }

    fn is_open(&self) -> bool {
        true
    }

    fn close(&mut self) {}

    #[inline(always)]
    fn place(&self, word: u64) -> Place {
        self.0.place(word)
    }

    #[inline(always)]
    fn place_again(&mut self, _: &mut [Place]) {}

    #[inline]
    fn add(&mut self, places: &[Place], member: &mut Member<'_>) -> Added {
        let (before, many) = (self.0.bytes(), places.len() as u64);
        let mut added = match many <= member.bounds.left() {
            true => {
                let new = self.0.insert_all(places);
                member.bounds.found_alone(u64::from(new.count_ones()));
                Added::all(new, places)
            }
            false => self.add_up_to_the_limit(places, member),
        };
        let more = self.0.bytes() - before;
        if more > 0 && added.flow.is_continue() {
            // Words that fit in none of their buckets.
            let held = member.bounds.hold(more);
            added.flow = member.or_stop(held);
        }
        added
    }

    fn publish(&mut self, _: &Member<'_>) {}

    fn give_back(&mut self, _: &Member<'_>) {}
}

impl Own {
    #[cold]
    fn grow(&mut self, needed: u64, member: &mut Member<'_>) -> ControlFlow<()> {
        let (bounds, before) = (member.bounds, self.0.bytes());
        let held = bounds.hold(needed);
        member.or_stop(held)?;
        let flow = self.0.reserve(AT_ONCE as u64, || member.may_go_on());
        bounds.resize(before, self.0.bytes(), needed);
        member.or_stop(flow)
    }

    /// Adds words one by one: they may be more than the limit leaves, or known.
    #[cold]
    fn add_up_to_the_limit(&mut self, places: &[Place], member: &mut Member<'_>) -> Added {
        let mut new = 0;
        for (at, place) in places.iter().enumerate() {
            if self.0.has(*place) {
                continue;
            }
            let claimed = member.bounds.claim_one();
            if let flow @ ControlFlow::Break(()) = member.or_stop(claimed) {
                return Added {
                    new,
                    looked_up: at,
                    flow,
                };
            }
            self.0.insert(*place);
            member.bounds.found(1);
            new |= 1 << at;
        }
        Added::all(new, places)
    }
}

/// Access to a set that several workers share.
pub struct Shared<'s> {
    set: &'s SharedSet<'s>,
    having: Option<Having<'s>>,
    /// Size of the table by which the places of waiting words were computed.
    size: u32,
    room: Room,
}

impl<'s> Shared<'s> {
    pub fn new(set: &'s SharedSet<'s>) -> Shared<'s> {
        Shared {
            set,
            having: None,
            size: 0,
            room: Room::default(),
        }
    }
}

impl Access for Shared<'_> {
    const IS_ALONE: bool = false;

    fn open(&mut self, member: &mut Member<'_>) -> ControlFlow<()> {
        // A worker that locked it twice would wait for one that waits for it.
        debug_assert!(self.having.is_none(), "it is closed");
        self.having = None;
        let bounds = member.bounds;
        let ask = &mut || member.may_go_on();
        match self.set.have(AT_ONCE, &mut self.room, bounds, ask) {
            ControlFlow::Continue(set) => {
                self.having = Some(set);
                ControlFlow::Continue(())
            }
            ControlFlow::Break(stop) => member.or_stop(ControlFlow::Break(stop)),
        }
    }

    #[inline(always)]
    fn is_open(&self) -> bool {
        self.having.is_some()
    }

    fn close(&mut self) {
        self.having = None;
    }

    #[inline(always)]
    fn place(&self, word: u64) -> Place {
        match &self.having {
            Some(set) => set.place(word),
            None => unreachable!("the set is open while steps are taken"),
        }
    }

    fn place_again(&mut self, places: &mut [Place]) {
        if let Some(set) = &self.having
            && set.size() != self.size
        {
            let places = places.iter_mut();
            places.for_each(|place| *place = set.place(place.word()));
            self.size = set.size();
        }
    }

    fn add(&mut self, places: &[Place], member: &mut Member<'_>) -> Added {
        let bounds = member.bounds;
        let having = self.having.take();
        if let Some(set) = having.filter(|_| self.room.is_enough(places.len())) {
            let new = SharedSet::put_all_in(&set, places, &mut self.room, bounds);
            return Added::all(new, places);
        }
        debug_assert!(self.room.is_none(), "a worker that waits for room has none");
        let mut new = 0;
        for (at, place) in places.iter().enumerate() {
            let ask = &mut || member.may_go_on();
            match self.set.put_in(place.word(), bounds, ask) {
                ControlFlow::Continue(is_new) => new |= u64::from(is_new) << at,
                ControlFlow::Break(stop) => {
                    return Added {
                        new,
                        looked_up: at,
                        flow: member.or_stop(ControlFlow::Break(stop)),
                    };
                }
            }
        }
        Added::all(new, places)
    }

    fn publish(&mut self, member: &Member<'_>) {
        self.room.tell(member.bounds);
    }

    fn give_back(&mut self, member: &Member<'_>) {
        self.having = None;
        self.set.give_back(&mut self.room, member.bounds);
    }
}
