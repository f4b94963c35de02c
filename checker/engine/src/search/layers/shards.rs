//! One set of words in parts, of which several threads can each have one.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError, TryLockError};

use super::bounds::Bounds;
use crate::search::meter::Stop;
use crate::store::quotient::{AT_ONCE, Mixing, Place, Quotient, Settled, ones};

/// The words are dealt out, by bits of their mix, to so many sets for each thread that two seldom want the
/// same one. Nothing is locked for a word: a thread gathers words and has the set to itself for all of them.
pub struct Shards {
    deal: Deal,
    sets: Vec<Part>,
}

/// On lines of a processor's cache of its own, so that two threads with two parts do not wait for each other.
#[repr(align(128))]
struct Part(Mutex<Quotient>);

/// The words that one thread has gathered, in the order in which it came to them.
pub struct Window {
    words: Vec<u64>,
    /// Of each what its part does not tell.
    rests: Vec<u64>,
    /// Which of them belong to each part.
    of_parts: Vec<Vec<u16>>,
    places: Vec<Place>,
    /// For each word whether nobody had found it before.
    are_new: Vec<bool>,
    /// The parts that others had when this thread came to them.
    busy: Vec<usize>,
}

/// So many words are gathered at a time: as many as keep the states of a layer nearly in the order in which
/// one thread would find them, on which it depends how often [`Recent`](crate::store::recent::Recent) helps;
/// and enough that a part is had for some tens of words, so that the waits for memory overlap.
const WINDOW: usize = 1024;
const _: () = assert!(WINDOW <= 1 << u16::BITS);
const SETS_FOR_EACH: usize = 8;
const MOST_SETS: usize = 256;

impl Window {
    /// Empty, for words of so many parts.
    pub fn new(parts: usize) -> Window {
        Window {
            words: Vec::with_capacity(WINDOW),
            rests: Vec::with_capacity(WINDOW),
            of_parts: vec![Vec::new(); parts],
            places: Vec::with_capacity(WINDOW),
            are_new: Vec::with_capacity(WINDOW),
            busy: vec![0; parts],
        }
    }

    /// The most memory that one for so many parts ever uses, in bytes: all words may belong to one part, and
    /// later all to another.
    pub fn bytes(parts: usize) -> u64 {
        let of_part = size_of::<(Vec<u16>, usize)>() + WINDOW * size_of::<u16>();
        let of_word = 2 * size_of::<u64>() + size_of::<Place>() + size_of::<bool>();
        (parts * of_part + WINDOW * of_word) as u64
    }

    #[inline]
    pub fn add(&mut self, word: u64, (part, rest): (usize, u64)) {
        self.of_parts[part].push(self.words.len() as u16);
        self.words.push(word);
        self.rests.push(rest);
    }

    pub fn is_full(&self) -> bool {
        self.words.len() >= WINDOW
    }

    /// How many words wait.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// The word, if it was new.
    #[inline]
    pub fn new_at(&self, at: usize) -> Option<u64> {
        self.are_new[at].then(|| self.words[at])
    }

    pub fn clear(&mut self) {
        self.words.clear();
        self.rests.clear();
        self.of_parts.iter_mut().for_each(Vec::clear);
    }
}

impl Shards {
    /// Empty, for words of so many bits.
    pub fn new(width: u32, threads: usize) -> Shards {
        let deal = Deal::new(width, threads);
        let sets = (0..deal.sets()).map(|_| Part(Mutex::new(Quotient::new(deal.rest))));
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
        3 * bytes + 2 * Deal::new(width, threads).sets() as u64 * empty
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
            *set = Quotient::new(deal.rest);
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
        window.are_new.clear();
        window.are_new.resize(window.words.len(), false);
        // Room for all of them is claimed at once, as each claim has threads wait for each other; but nobody waits for a
        // part with a claim that another one may need who has that part.
        let many = window.words.len() as u64;
        let mut new = bounds.claim(many).then_some(0);
        let flow = self.take_in_free_parts(window, &mut new, bounds, ask);
        if let Some(new) = new {
            bounds.settle(many, new);
        }
        for at in 0..flow? {
            let part = window.busy[at];
            let Ok(mut set) = self.sets[part].0.lock() else {
                return ControlFlow::Break(None);
            };
            self.take_in_part((part, &mut set), window, &mut None, bounds, ask)?;
        }
        ControlFlow::Continue(())
    }

    /// Leaves what belongs to parts that others have; how many these are.
    fn take_in_free_parts(
        &self,
        window: &mut Window,
        claimed: &mut Option<u64>,
        bounds: &Bounds,
        ask: &mut dyn FnMut() -> ControlFlow<Option<Stop>>,
    ) -> ControlFlow<Option<Stop>, usize> {
        // Two threads that came to the parts in one order would wait for each other at all of them, once they
        // have met: what somebody has is left for later.
        let mut others = 0;
        for part in 0..self.sets.len() {
            if window.of_parts[part].is_empty() {
                continue;
            }
            match self.sets[part].0.try_lock() {
                Ok(mut set) => {
                    self.take_in_part((part, &mut set), window, claimed, bounds, ask)?;
                }
                Err(TryLockError::WouldBlock) => {
                    window.busy[others] = part;
                    others += 1;
                }
                // Who has panicked with it tells so.
                Err(TryLockError::Poisoned(_)) => return ControlFlow::Break(None),
            }
        }
        ControlFlow::Continue(others)
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
        let Window {
            rests,
            of_parts,
            places,
            are_new,
            ..
        } = window;
        let indices = &of_parts[part];
        let many = indices.len() as u64;
        let (before, more) = (set.bytes(), set.bytes_to_grow(many));
        if more > 0 {
            bounds.hold(more).map_break(Some)?;
            set.reserve(many, ask)?;
        }
        places.clear();
        let place = |at: &u16| set.place(rests[usize::from(*at)]);
        places.extend(indices.iter().map(place));
        let mut all_in = || {
            let mut new = 0;
            for (indices, places) in indices.chunks(AT_ONCE).zip(places.chunks(AT_ONCE)) {
                let of_these = set.insert_all(places);
                for at in ones(of_these) {
                    are_new[usize::from(indices[at])] = true;
                }
                new += u64::from(of_these.count_ones());
            }
            new
        };
        let flow = match claimed {
            Some(new) => {
                *new += all_in();
                ControlFlow::Continue(())
            }
            None if bounds.claim(many) => {
                bounds.settle(many, all_in());
                ControlFlow::Continue(())
            }
            // Which is one too many is seen by counting them one by one.
            None => indices.iter().zip(&*places).try_for_each(|(at, place)| {
                if !set.has(*place) {
                    bounds.claim_one()?;
                    set.insert(*place);
                    bounds.settle(1, 1);
                    are_new[usize::from(*at)] = true;
                }
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

/// Which set a word belongs to, and as what.
#[derive(Clone, Copy)]
pub struct Deal {
    mixing: Mixing,
    /// How many bits of the mix the set does not tell.
    rest: u32,
    /// The logarithm of the number of sets.
    bits: u32,
}

impl Deal {
    fn new(width: u32, threads: usize) -> Deal {
        let sets = (threads * SETS_FOR_EACH).clamp(2, MOST_SETS);
        let bits = sets.next_power_of_two().ilog2();
        let width = width.clamp(bits + 1, u64::BITS);
        Deal {
            mixing: Mixing::of(width),
            rest: width - bits,
            bits,
        }
    }

    fn sets(self) -> usize {
        1 << self.bits
    }

    /// Which set a word belongs to, and what with the set tells the word.
    #[inline]
    pub fn deal(self, word: u64) -> (usize, u64) {
        let mixed = self.mixing.mix(word);
        (
            (mixed >> self.rest) as usize,
            mixed & ((1 << self.rest) - 1),
        )
    }

    /// The word that is this in this set.
    #[inline]
    pub fn word(self, set: usize, rest: u64) -> u64 {
        self.mixing.unmix((set as u64) << self.rest | rest)
    }
}
