//! The search in layers on several threads.
//!
//! The words are dealt out, by bits of their mix, to at least as many sets as there are threads, and nobody
//! ever looks into a set while another does: nothing is locked for a state (Stern and Dill, "Parallelizing
//! the Murφ Verifier", CAV 1997, deal states out to machines in the same way). A layer is gone through in rounds.
//! In the first half of each the threads take the steps of states of the layer, as many as they come to, and
//! lay what they lead to apart by the set that it belongs to; in the second half each set takes in what is its
//! own. So a layer has the states that it has on one thread, in another order; and who watches is
//! asked by one thread alone.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle, scope};
use std::time::Duration;

use stubborn_system::system::Failure;

use super::{BATCH, Layers, Look};
use crate::search::meter::{Figures, Meter, Stop};
use crate::store::quotient::{Mixing, Place, Quotient};
use crate::store::recent::Recent;
use crate::successors::{Label, Successors, Visit, Wanted};
use crate::verdict::Reason;

/// So many states are taken from a layer at a time.
const BLOCK: usize = 64;
/// Smaller layers are sooner gone through by one thread than others are begun.
const FEW: usize = 1024;
/// A thread lays out no more words than about so many before they are taken in; 1 MiB.
const MOST_LAID: usize = 1 << 17;
/// Nor more than this part of the states that are known, so that a small set grows no larger than it must.
const PART_LAID: u64 = 8;
/// How often one looks whether the others go on too long, and how many steps they take between two looks
/// at whether they are to end.
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);
const STEPS_BETWEEN_LOOKS: usize = 512;
/// Room for the deepest expressions; a system gives it only as it is used.
const STACK: usize = 256 << 20;

/// The same as [`super::search`], on as many threads as there are who look.
pub fn search<S, L>(
    model: &S,
    width: u32,
    meter: &mut Meter<'_>,
    looks: &mut [L],
) -> (ControlFlow<Stop>, Layers)
where
    S: Successors + Sync,
    S::Scratch: Send,
    L: Look + Send,
{
    in_layers_from(FEW, model, width, meter, looks)
}

/// With others from layers of so `many` states on.
fn in_layers_from<S, L>(
    many: usize,
    model: &S,
    width: u32,
    meter: &mut Meter<'_>,
    looks: &mut [L],
) -> (ControlFlow<Stop>, Layers)
where
    S: Successors + Sync,
    S::Scratch: Send,
    L: Look + Send,
{
    debug_assert_eq!(model.words(), 1, "a state is one word");
    let deal = Deal::new(width, looks.len());
    let set = || Shard {
        set: Quotient::new(deal.rest),
        next: Vec::new(),
        places: Vec::with_capacity(BATCH),
    };
    let hands = looks.iter_mut().map(|look| Hand {
        scratch: model.scratch(),
        look,
        bag: Bag::for_shards(deal.shards()),
        recent: Recent::of(model.initial()[0]),
    });
    let mut parallel = Parallel {
        meter,
        hands: hands.collect(),
        shards: (0..deal.shards()).map(|_| set()).collect(),
        deal,
        many,
        layer: 0,
        edges: 0,
        leaves_out: false,
        bytes: 0,
    };
    let flow = parallel.all(model);
    let is_complete = flow.is_continue();
    let layers = Layers {
        states: parallel.states(),
        edges: parallel.edges,
        full: is_complete && !parallel.leaves_out,
        leaves_out: parallel.leaves_out,
        bytes: parallel.bytes.max(parallel.of_sets()),
    };
    (flow, layers)
}

/// Which set a word belongs to, and as what.
#[derive(Clone, Copy)]
struct Deal {
    mixing: Mixing,
    /// How many bits of the mix the set does not tell.
    rest: u32,
    /// The logarithm of the number of sets.
    bits: u32,
}

impl Deal {
    fn new(width: u32, threads: usize) -> Deal {
        let bits = threads.next_power_of_two().ilog2();
        debug_assert!(bits > 0, "there are several threads");
        let width = width.clamp(bits + 1, u64::BITS);
        Deal {
            mixing: Mixing::of(width),
            rest: width - bits,
            bits,
        }
    }

    fn shards(self) -> usize {
        1 << self.bits
    }

    #[inline]
    fn shard(self, word: u64) -> usize {
        (self.mixing.mix(word) >> self.rest) as usize
    }

    /// What with the set tells the word.
    #[inline]
    fn in_shard(self, word: u64) -> u64 {
        self.mixing.mix(word) & ((1 << self.rest) - 1)
    }
}

/// One thread's.
struct Hand<'l, C, L> {
    scratch: C,
    look: &'l mut L,
    bag: Bag,
    /// States that this thread has laid out lately.
    recent: Recent,
}

/// What the steps of a round lead to, by the set that it belongs to.
struct Bag {
    words: Vec<Vec<u64>>,
    len: usize,
    edges: u64,
    leaves_out: bool,
}

impl Bag {
    fn for_shards(shards: usize) -> Bag {
        Bag {
            words: vec![Vec::new(); shards],
            len: 0,
            edges: 0,
            leaves_out: false,
        }
    }

    fn bytes(&self) -> u64 {
        let words = self.words.iter().map(Vec::capacity);
        words.sum::<usize>() as u64 * 8
    }
}

struct Shard {
    set: Quotient,
    /// The states of the next layer that were found.
    next: Vec<u64>,
    places: Vec<Place>,
}

struct Parallel<'l, 'a, 'm, C, L> {
    meter: &'a mut Meter<'m>,
    hands: Vec<Hand<'l, C, L>>,
    shards: Vec<Shard>,
    deal: Deal,
    /// Layers of fewer states are gone through by one thread.
    many: usize,
    /// How many states there is room for in the lists of the present layer.
    layer: usize,
    edges: u64,
    leaves_out: bool,
    bytes: u64,
}

impl<C: Send, L: Look + Send> Parallel<'_, '_, '_, C, L> {
    fn all<S: Successors<Scratch = C> + Sync>(&mut self, model: &S) -> ControlFlow<Stop> {
        let initial = model.initial()[0];
        let shard = &mut self.shards[self.deal.shard(initial)];
        shard.set.reserve(1);
        let place = shard.set.place(self.deal.in_shard(initial));
        shard.set.insert(place);
        shard.next.push(initial);
        self.hands[0].look.found(initial)?;
        loop {
            let nexts = self.shards.iter_mut();
            let layer: Vec<Vec<u64>> = nexts.map(|shard| std::mem::take(&mut shard.next)).collect();
            self.layer = layer.iter().map(Vec::capacity).sum();
            let states: usize = layer.iter().map(Vec::len).sum();
            if states == 0 {
                return ControlFlow::Continue(());
            }
            let threads = match states < self.many {
                true => 1,
                false => self.hands.len(),
            };
            let round = Round {
                blocks: Mutex::new(layer.iter().flat_map(|list| list.chunks(BLOCK))),
                is_over: AtomicBool::new(false),
                must_end: AtomicBool::new(false),
                deal: self.deal,
            };
            while !round.is_over.load(Ordering::Relaxed) {
                self.take_steps(model, &round, threads)?;
                self.take_in(threads)?;
            }
            if self.shards.iter().any(|shard| !shard.next.is_empty()) {
                self.meter.depth += 1;
                let hands = self.hands.iter_mut();
                let mut scratches: Vec<&mut C> = hands.map(|hand| &mut hand.scratch).collect();
                model.end_layer(&mut scratches);
            }
        }
    }

    fn states(&self) -> u64 {
        self.shards.iter().map(|shard| shard.set.len()).sum()
    }

    fn of_sets(&self) -> u64 {
        self.shards.iter().map(|shard| shard.set.bytes()).sum()
    }

    fn held(&self) -> u64 {
        let of_shard = |shard: &Shard| {
            let places = shard.places.capacity() * size_of::<Place>();
            shard.set.bytes() + (shard.next.capacity() * 8 + places) as u64
        };
        let shards: u64 = self.shards.iter().map(of_shard).sum();
        let of_hand = |hand: &Hand<'_, C, L>| hand.bag.bytes() + hand.recent.bytes();
        let bags: u64 = self.hands.iter().map(of_hand).sum();
        shards + bags + self.layer as u64 * 8
    }

    fn figures(&self) -> Figures {
        Figures {
            states: self.states(),
            edges: self.edges,
            bytes: self.held(),
        }
    }

    /// The first half of a round.
    fn take_steps<'b, S>(
        &mut self,
        model: &S,
        round: &Round<impl Iterator<Item = &'b [u64]> + Send>,
        threads: usize,
    ) -> ControlFlow<Stop>
    where
        S: Successors<Scratch = C> + Sync,
    {
        let figures = self.figures();
        let part = (figures.states / PART_LAID / threads as u64) as usize;
        let room = self.room(part.clamp(BATCH, MOST_LAID), threads)?;
        let most_memory = self.meter.max_memory();
        let stops = scope(|scope| {
            let (over, all_over) = channel::<()>();
            let mut hands = self.hands.iter_mut().take(threads);
            let own = hands.next();
            let others: Vec<_> = hands
                .filter_map(|hand| {
                    let over = over.clone();
                    begin(scope, move || {
                        let stop = round.steps(model, hand, room, None, most_memory);
                        drop(over);
                        stop
                    })
                })
                .collect();
            drop(over);
            let asked = Some((&mut *self.meter, figures));
            let mut stops =
                vec![own.and_then(|hand| round.steps(model, hand, room, asked, most_memory))];
            // Until the others are over somebody has to ask whether to go on.
            while let Err(RecvTimeoutError::Timeout) = all_over.recv_timeout(BETWEEN_LOOKS) {
                if let ControlFlow::Break(stop) = self.meter.poll(figures) {
                    round.must_end.store(true, Ordering::Relaxed);
                    stops.push(Some(stop));
                }
            }
            stops.extend(others.into_iter().map(ended));
            stops
        });
        for hand in &mut self.hands {
            self.edges += std::mem::take(&mut hand.bag.edges);
            self.leaves_out |= hand.bag.leaves_out;
        }
        first_of(stops)
    }

    /// As much of this room for words as each thread may have.
    fn room(&self, room: usize, threads: usize) -> ControlFlow<Stop, usize> {
        let Some(most) = self.meter.max_memory() else {
            return ControlFlow::Continue(room);
        };
        let bags: u64 = self.hands.iter().map(|hand| hand.bag.bytes()).sum();
        let spare = most.saturating_sub(self.held() - bags);
        // A list that is full is twice as long soon.
        match (spare / 16 / threads as u64) as usize {
            0 => ControlFlow::Break(Stop::Limit(Reason::Memory(most))),
            allowed => ControlFlow::Continue(room.min(allowed)),
        }
    }

    /// The second half: each set takes in what was laid out for it.
    fn take_in(&mut self, threads: usize) -> ControlFlow<Stop> {
        let of = |shard: usize| -> u64 {
            let hands = self.hands.iter();
            hands.map(|hand| hand.bag.words[shard].len() as u64).sum()
        };
        let many: Vec<u64> = (0..self.shards.len()).map(of).collect();
        self.make_room(&many)?;
        let (states, all) = (self.states(), many.iter().sum::<u64>());
        let most = self.meter.most_states();
        let deal = self.deal;
        let (mut looks, mut bags) = (Vec::new(), Vec::new());
        for hand in &mut self.hands {
            looks.push(&mut *hand.look);
            bags.push(&mut hand.bag);
        }
        let laid: Vec<&Bag> = bags.iter().map(|bag| &**bag).collect();
        let flow = match states + all > most {
            // Which state is one too many is seen by counting them one by one.
            true => {
                let mut left = most.saturating_sub(states);
                let mut shards = self.shards.iter_mut().enumerate();
                shards.try_for_each(|(at, shard)| {
                    shard.take_in(deal, at, &laid, looks[0], Some((&mut left, most)))
                })
            }
            false => {
                let shards = Mutex::new(self.shards.iter_mut().enumerate());
                let next = || locked(&shards).next();
                let take_in = |look: &mut L| {
                    while let Some((at, shard)) = next() {
                        if let ControlFlow::Break(stop) = shard.take_in(deal, at, &laid, look, None)
                        {
                            return Some(stop);
                        }
                    }
                    None
                };
                first_of(scope(|scope| {
                    let mut looks = looks.into_iter().take(threads);
                    let own = looks.next();
                    let take_in = &take_in;
                    let others: Vec<_> = looks
                        .filter_map(|look| begin(scope, move || take_in(look)))
                        .collect();
                    let mut stops = vec![own.and_then(take_in)];
                    stops.extend(others.into_iter().map(ended));
                    stops
                }))
            }
        };
        for bag in bags {
            bag.len = 0;
            bag.words.iter_mut().for_each(Vec::clear);
        }
        flow
    }

    /// For so many more states in each set.
    fn make_room(&mut self, many: &[u64]) -> ControlFlow<Stop> {
        let more = self.shards.iter().zip(many).map(|(shard, many)| {
            let next = &shard.next;
            let list = match next.capacity() - next.len() < *many as usize {
                // A list that is full is copied into one twice as long.
                true => next.capacity() as u64 * 16 + many * 8,
                false => 0,
            };
            shard.set.bytes_to_grow(*many) + list
        });
        let needed = self.held() + more.sum::<u64>();
        if let Some(reason) = self.meter.forbids(needed) {
            return ControlFlow::Break(Stop::Limit(reason));
        }
        self.bytes = self.bytes.max(needed);
        let figures = self.figures();
        self.meter.step(|| figures)
    }
}

impl Shard {
    /// Takes in what was laid out for it, of which, where a limit is near, no more than so many may be new.
    fn take_in<L: Look>(
        &mut self,
        deal: Deal,
        at: usize,
        bags: &[&Bag],
        look: &mut L,
        mut left: Option<(&mut u64, u64)>,
    ) -> ControlFlow<Stop> {
        let all: usize = bags.iter().map(|bag| bag.words[at].len()).sum();
        self.set.reserve(all as u64);
        for words in bags.iter().flat_map(|bag| bag.words[at].chunks(BATCH)) {
            self.places.clear();
            let set = &self.set;
            let places = words.iter().map(|word| set.place(deal.in_shard(*word)));
            self.places.extend(places);
            for (word, place) in words.iter().zip(&self.places) {
                if let Some((0, most)) = left
                    && !self.set.has(*place)
                {
                    return ControlFlow::Break(Stop::Limit(Reason::States(most)));
                }
                if self.set.insert(*place) {
                    if let Some((left, _)) = &mut left {
                        **left -= 1;
                    }
                    self.next.push(*word);
                    look.found(*word)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// A layer, as several threads go through it.
struct Round<I> {
    blocks: Mutex<I>,
    /// There are no more blocks.
    is_over: AtomicBool,
    must_end: AtomicBool,
    deal: Deal,
}

impl<'b, I: Iterator<Item = &'b [u64]>> Round<I> {
    /// Takes the steps of blocks until there is no room for more. `asked` whether to go on is who has a meter;
    /// the others end when they are told to.
    fn steps<S: Successors, L: Look>(
        &self,
        model: &S,
        hand: &mut Hand<'_, S::Scratch, L>,
        room: usize,
        asked: Option<(&mut Meter<'_>, Figures)>,
        most_memory: Option<u64>,
    ) -> Option<Stop> {
        let mut taking = Taking {
            look: &mut *hand.look,
            bag: &mut hand.bag,
            recent: &mut hand.recent,
            deal: self.deal,
            must_end: &self.must_end,
            asked,
            most_memory,
            countdown: STEPS_BETWEEN_LOOKS,
            of_state: 0,
            stop: None,
        };
        let flow = self.all_blocks(model, &mut hand.scratch, room, &mut taking);
        if taking.stop.is_some() {
            self.must_end.store(true, Ordering::Relaxed);
        }
        debug_assert!(
            flow.is_continue() || self.must_end.load(Ordering::Relaxed),
            "who breaks off says why"
        );
        taking.stop
    }

    fn all_blocks<S: Successors, L: Look>(
        &self,
        model: &S,
        scratch: &mut S::Scratch,
        room: usize,
        taking: &mut Taking<'_, '_, L>,
    ) -> ControlFlow<()> {
        while taking.bag.len < room {
            taking.pulse()?;
            let Some(block) = locked(&self.blocks).next() else {
                self.is_over.store(true, Ordering::Relaxed);
                break;
            };
            for state in block {
                taking.of_state = 0;
                model.visit(&[*state], scratch, taking)?;
                if taking.of_state == 0 {
                    let flow = taking.look.terminal(*state);
                    taking.or_stop(flow)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Takes the steps of one state after the other.
struct Taking<'t, 'm, L> {
    look: &'t mut L,
    bag: &'t mut Bag,
    recent: &'t mut Recent,
    deal: Deal,
    must_end: &'t AtomicBool,
    asked: Option<(&'t mut Meter<'m>, Figures)>,
    /// In bytes.
    most_memory: Option<u64>,
    countdown: usize,
    /// How many steps the present state has.
    of_state: u64,
    stop: Option<Stop>,
}

impl<L> Taking<'_, '_, L> {
    fn or_stop(&mut self, flow: ControlFlow<Stop>) -> ControlFlow<()> {
        flow.map_break(|stop| self.stop = Some(stop))
    }
}

impl<L: Look> Visit for Taking<'_, '_, L> {
    fn wanted(&self) -> Wanted {
        Wanted::AsItPays
    }

    fn leaves_out(&mut self) {
        self.bag.leaves_out = true;
    }

    #[inline]
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        self.of_state += 1;
        self.bag.edges += 1;
        match outcome {
            Ok(state) if self.recent.meet(state[0]) => {}
            Ok(state) => {
                self.bag.words[self.deal.shard(state[0])].push(state[0]);
                self.bag.len += 1;
            }
            Err(failure) => {
                let flow = self.look.failing(label, failure);
                self.or_stop(flow)?;
            }
        }
        self.countdown -= 1;
        match self.countdown {
            0 => self.pulse(),
            _ => ControlFlow::Continue(()),
        }
    }

    #[cold]
    fn pulse(&mut self) -> ControlFlow<()> {
        self.countdown = STEPS_BETWEEN_LOOKS;
        if self.must_end.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        let held = self.bag.bytes();
        let flow = match &mut self.asked {
            Some((meter, figures)) => meter.poll_memory(Figures {
                edges: figures.edges + self.bag.edges,
                bytes: figures.bytes + held,
                ..*figures
            }),
            None => match self.most_memory.filter(|most| held > *most) {
                Some(most) => ControlFlow::Break(Stop::Limit(Reason::Memory(most))),
                None => ControlFlow::Continue(()),
            },
        };
        self.or_stop(flow)
    }
}

/// Has another thread do it, if there is one to be had: the rest do it otherwise.
fn begin<'s, 'e, T: Send + 's>(
    scope: &'s Scope<'s, 'e>,
    work: impl FnOnce() -> T + Send + 's,
) -> Option<ScopedJoinHandle<'s, T>> {
    let thread = Builder::new().name("search".to_owned()).stack_size(STACK);
    thread.spawn_scoped(scope, work).ok()
}

fn ended<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// What was found comes before a limit that was reached at the same time.
fn first_of(stops: Vec<Option<Stop>>) -> ControlFlow<Stop> {
    let mut stops: Vec<Stop> = stops.into_iter().flatten().collect();
    let found = stops.iter().position(|stop| *stop == Stop::Decided);
    match stops.is_empty() {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(stops.swap_remove(found.unwrap_or(0))),
    }
}

fn locked<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
    use stubborn_random::systems::Source;

    use super::super::alone;
    use super::*;
    use crate::options::Limits;
    use crate::packed::Packed;
    use crate::reduction::Stubborn;
    use crate::related::Related;
    use crate::watch::Silent;

    /// The numbers of states that were found, without a step, and of steps that fail.
    #[derive(Default)]
    struct Count([u64; 3], Option<u64>);

    impl Look for Count {
        fn found(&mut self, state: u64) -> ControlFlow<Stop> {
            self.0[0] += 1;
            match self.1 == Some(state) {
                true => ControlFlow::Break(Stop::Decided),
                false => ControlFlow::Continue(()),
            }
        }

        fn failing(&mut self, _: Label<'_>, _: &Failure) -> ControlFlow<Stop> {
            self.0[1] += 1;
            ControlFlow::Continue(())
        }

        fn terminal(&mut self, _: u64) -> ControlFlow<Stop> {
            self.0[2] += 1;
            ControlFlow::Continue(())
        }
    }

    /// What a search has counted: states, edges, layers, whether all steps were taken, and what was met.
    type Counted = (u64, u64, u64, bool, [u64; 3]);

    fn counted<S>(model: &S, width: u32, threads: usize, limits: Limits) -> (Option<Stop>, Counted)
    where
        S: Successors + Sync,
        S::Scratch: Send,
    {
        let mut meter = Meter::new(limits, &Silent);
        let mut looks: Vec<Count> = (0..threads).map(|_| Count::default()).collect();
        let (flow, layers) = match &mut looks[..] {
            [look] => alone(model, width, &mut meter, look),
            looks => in_layers_from(0, model, width, &mut meter, looks),
        };
        let mut met = [0; 3];
        for look in &looks {
            (0..3).for_each(|what| met[what] += look.0[what]);
        }
        let counts = (layers.states, layers.edges, meter.depth, layers.full, met);
        (flow.break_value(), counts)
    }

    fn drawn(cases: u32, test: impl Fn(&Packed<'_>) -> Result<(), TestCaseError>) {
        let config = ProptestConfig {
            cases,
            failure_persistence: None,
            ..ProptestConfig::default()
        };
        let seed = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let numbers = proptest::collection::vec(any::<u16>(), 0..200);
        let result = TestRunner::new_with_rng(config, seed).run(&numbers, |numbers| {
            let system = Source::new(&numbers).system();
            let packed = Packed::new(&system).expect("its states are small");
            match packed.words() {
                1 => test(&packed),
                _ => Ok(()),
            }
        });
        result.expect("it is so");
    }

    #[test]
    fn as_much_is_met_on_several_threads_as_on_one_with_stubborn_sets_too() {
        let limits = Limits {
            max_states: Some(20_000),
            ..Limits::default()
        };
        drawn(60, |packed| {
            let width = packed.layout.width();
            let one = counted(packed, width, 1, limits);
            let related = Related::new(packed, &[], &mut |_| ControlFlow::Continue(()));
            let reduced = Stubborn::new(related.continue_value().expect("no limit"));
            let reduced_one = counted(&reduced, width, 1, limits);
            for threads in [2, 3] {
                let several = counted(packed, width, threads, limits);
                let reduced = counted(&reduced, width, threads, limits);
                if one.0.is_none() {
                    prop_assert_eq!(&several, &one);
                }
                if reduced_one.0.is_none() {
                    prop_assert_eq!(&reduced, &reduced_one);
                }
            }
            Ok(())
        });
    }

    #[test]
    fn as_many_states_as_are_allowed_are_no_limit_and_one_fewer_is() {
        drawn(60, |packed| {
            let width = packed.layout.width();
            let limited = |most| Limits {
                max_states: Some(most),
                ..Limits::default()
            };
            let (stop, all) = counted(packed, width, 1, limited(20_000));
            if stop.is_none() && all.0 > 1 {
                prop_assert_eq!(counted(packed, width, 2, limited(all.0)), (None, all));
                let (stop, counts) = counted(packed, width, 2, limited(all.0 - 1));
                prop_assert_eq!(stop, Some(Stop::Limit(Reason::States(all.0 - 1))));
                prop_assert_eq!(counts.0, all.0 - 1);
            }
            Ok(())
        });
    }
}
