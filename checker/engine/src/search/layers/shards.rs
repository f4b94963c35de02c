//! One set of words in parts, of which several threads can each have one.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError, TryLockError};

use super::bounds::Bounds;
use super::window::Window;
use crate::search::meter::Stop;
use crate::store::deal::Deal;
use crate::store::quotient::{AT_ONCE, Place, Quotient, Settled};

/// The words are dealt out, by bits of their mix, to so many sets for each thread that two seldom want the
/// same one. Nothing is locked for a word: a thread gathers words and has the set to itself for all of them.
pub struct Shards {
    deal: Deal,
    sets: Vec<Part>,
}

/// On lines of a processor's cache of its own, so that two threads with two parts do not wait for each other.
#[repr(align(128))]
struct Part(Mutex<Quotient>);

const SETS_FOR_EACH: usize = 8;
const MOST_SETS: usize = 256;

impl Shards {
    /// Empty, for words of so many bits.
    pub fn new(width: u32, threads: usize) -> Shards {
        let deal = deal(width, threads);
        let sets = (0..deal.sets()).map(|_| Part(Mutex::new(Quotient::new(deal.width_of_rest()))));
        Shards {
            deal,
            sets: sets.collect(),
        }
    }

    /// At least as much memory as the words of a set take that is dealt out, while that set is still there: a
    /// part may have doubled sooner than the whole, and one of them is doubled at a time.
    pub fn bytes_to_deal(set: &Quotient, width: u32, threads: usize) -> u64 {
        Shards::bytes_for(set.bytes(), width, threads)
    }

    /// The same of words that change ([`Shards::changed`]) and have now so many bytes.
    pub fn bytes_for(bytes: u64, width: u32, threads: usize) -> u64 {
        let empty = Quotient::new(width).bytes();
        3 * bytes + 2 * deal(width, threads).sets() as u64 * empty
    }

    pub fn count(&self) -> usize {
        self.sets.len()
    }

    /// Memory in use, in bytes.
    pub fn bytes(&mut self) -> u64 {
        let sets = self.sets.iter_mut().map(|set| {
            let set = set.0.get_mut();
            set.unwrap_or_else(PoisonError::into_inner).bytes()
        });
        sets.sum()
    }

    /// Takes in what one set has, unless `ask`, which is asked after so many words, breaks off.
    pub fn deal_out<B>(
        &mut self,
        set: &Quotient,
        mut ask: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut dealing = Dealing::into(self);
        set.each(|word| dealing.add(word, &mut ask))?;
        dealing.end(&mut ask)
    }

    /// What becomes of the words, of which no two become one, where each changes to another of no more than `width`
    /// bits; unless `ask`, which is asked after so many of them, breaks off.
    pub fn changed<B>(
        &mut self,
        width: u32,
        threads: usize,
        change: impl Fn(u64) -> u64,
        mut ask: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B, Shards> {
        let mut all = Shards::new(width, threads);
        let mut dealing = Dealing::into(&mut all);
        let Shards { deal, sets } = self;
        for (at, set) in sets.iter_mut().enumerate() {
            let set = set.0.get_mut().unwrap_or_else(PoisonError::into_inner);
            set.each(|rest| dealing.add(change(deal.word(at, rest)), &mut ask))?;
            *set = Quotient::new(deal.width_of_rest());
        }
        dealing.end(&mut ask)?;
        ControlFlow::Continue(all)
    }

    /// The parts, to which no more words come.
    pub fn settled(self) -> (Deal, Vec<Settled>) {
        let sets = self.sets.into_iter().map(|set| {
            let set = set.0.into_inner();
            Settled::new(set.unwrap_or_else(PoisonError::into_inner))
        });
        (self.deal, sets.collect())
    }

    /// The part that a word belongs to, and what that does not tell of it.
    #[inline]
    pub fn deal(&self, word: u64) -> (usize, u64) {
        self.deal.deal(word)
    }

    /// Takes in what a thread has gathered. Breaks at a limit, where `ask` does, which is asked while a part
    /// grows, or without a word of its own where others have ended; what is new is known in any case.
    pub fn take_in(
        &self,
        window: &mut Window,
        bounds: &Bounds,
        ask: &mut dyn FnMut() -> ControlFlow<Option<Stop>>,
    ) -> ControlFlow<Option<Stop>> {
        window.begin();
        window.busy.clear();
        // Room for all of them is claimed at once, as each claim has threads wait for each other; but nobody waits for a
        // part with a claim that another one may need who has that part.
        let many = window.len() as u64;
        let mut new = bounds.claim(many).then_some(0);
        let flow = self.take_in_free_parts(window, &mut new, bounds, ask);
        if let Some(new) = new {
            bounds.settle(many, new);
        }
        flow?;
        for at in 0..window.busy.len() {
            let part = window.busy[at];
            let Ok(mut set) = self.sets[part].0.lock() else {
                return ControlFlow::Break(None);
            };
            self.take_in_part((part, &mut set), window, &mut None, bounds, ask)?;
        }
        ControlFlow::Continue(())
    }

    /// Leaves what belongs to parts that others have.
    fn take_in_free_parts(
        &self,
        window: &mut Window,
        claimed: &mut Option<u64>,
        bounds: &Bounds,
        ask: &mut dyn FnMut() -> ControlFlow<Option<Stop>>,
    ) -> ControlFlow<Option<Stop>> {
        // Two threads that came to the parts in one order would wait for each other at all of them, once they
        // have met: what somebody has is left for later.
        for part in 0..self.sets.len() {
            if window.has_none_of(part) {
                continue;
            }
            match self.sets[part].0.try_lock() {
                Ok(mut set) => {
                    self.take_in_part((part, &mut set), window, claimed, bounds, ask)?;
                }
                Err(TryLockError::WouldBlock) => {
                    window.busy.push(part);
                }
                // Who has panicked with it tells so.
                Err(TryLockError::Poisoned(_)) => return ControlFlow::Break(None),
            }
        }
        ControlFlow::Continue(())
    }

    /// Where room was claimed for all words of the window, also counts those that are new.
    fn take_in_part(
        &self,
        (part, set): (usize, &mut Quotient),
        window: &mut Window,
        claimed: &mut Option<u64>,
        bounds: &Bounds,
        ask: &mut dyn FnMut() -> ControlFlow<Option<Stop>>,
    ) -> ControlFlow<Option<Stop>> {
        let many = window.many_of(part) as u64;
        let (before, more) = (set.bytes(), set.bytes_to_grow(many));
        if more > 0 {
            bounds.hold(more).map_break(Some)?;
            set.reserve(many, ask)?;
        }
        let flow = match claimed {
            Some(new) => {
                *new += window.put_into(part, set);
                ControlFlow::Continue(())
            }
            None if bounds.claim(many) => {
                bounds.settle(many, window.put_into(part, set));
                ControlFlow::Continue(())
            }
            // Which is one too many is seen by counting them one by one.
            None => window.put_one_by_one(part, set, || {
                bounds.claim_one()?;
                bounds.settle(1, 1);
                ControlFlow::Continue(())
            }),
        };
        let after = set.bytes();
        if (before, 0) != (after, more) {
            bounds.resize(before, after, more);
        }
        flow
    }
}

/// Words on their way into the parts, so many at a time that the waits for memory overlap.
struct Dealing<'s> {
    shards: &'s mut Shards,
    /// Of each part's what it does not tell of them.
    waiting: Vec<Vec<u64>>,
    places: Vec<Place>,
}

impl<'s> Dealing<'s> {
    fn into(shards: &'s mut Shards) -> Dealing<'s> {
        Dealing {
            waiting: vec![Vec::with_capacity(AT_ONCE); shards.sets.len()],
            places: Vec::with_capacity(AT_ONCE),
            shards,
        }
    }

    #[inline]
    fn add<B>(
        &mut self,
        word: u64,
        ask: &mut impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (part, rest) = self.shards.deal.deal(word);
        self.waiting[part].push(rest);
        match self.waiting[part].len() < AT_ONCE {
            true => ControlFlow::Continue(()),
            false => self.take_in(part, ask),
        }
    }

    fn end<B>(mut self, ask: &mut impl FnMut(usize) -> ControlFlow<B>) -> ControlFlow<B> {
        (0..self.waiting.len()).try_for_each(|part| self.take_in(part, ask))
    }

    fn take_in<B>(
        &mut self,
        part: usize,
        ask: &mut impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let words = &mut self.waiting[part];
        let set = self.shards.sets[part].0.get_mut();
        let set = set.unwrap_or_else(PoisonError::into_inner);
        set.reserve(words.len() as u64, || ask(1))?;
        self.places.clear();
        self.places
            .extend(words.drain(..).map(|word| set.place(word)));
        set.insert_all(&self.places);
        ask(self.places.len())
    }
}

/// How words of so many bits are dealt out for so many threads.
fn deal(width: u32, threads: usize) -> Deal {
    Deal::new(width, (threads * SETS_FOR_EACH).clamp(2, MOST_SETS))
}
