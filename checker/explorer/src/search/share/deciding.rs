//! Which bits of a state say whom it belongs to.
//!
//! Where all do, nearly each step leads to another worker: of two workers half of all states are sent. F. Lerda and R. Sisto
//! ("Distributed-Memory Model Checking with SPIN", SPIN 1999) let the local state of one process decide: then only the steps
//! of that process lead away. What others do stays with one worker, who also sees that two such steps lead to the same
//! state in either order. Which process or variable that is, is found out here: by walks through the model, which are the
//! same for every worker, a step of as few as possible is to lead away, as long as each worker has about as many states.
//!
//! The answer is a guess that costs time at the most where it is wrong: every choice shares states out.

use std::collections::HashMap;
use std::hash::Hasher;
use std::ops::ControlFlow;

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use stubborn_space::several::Seat;
use stubborn_space::successors::{Label, Successors, Visit, Wanted};
use stubborn_system::system::Failure;

use super::owners::{Decide, Owners, can_decide};
use crate::search::meter::{Meter, Stop};

/// So many states are walked through,
const STATES: usize = 4096;
/// of so many words together,
const WORDS: usize = 1 << 18;
/// and in each walk,
const LENGTH: usize = 512;
/// unless there are so many steps before.
const STEPS: u64 = 1 << 15;
/// Parts are looked at one by one, and two by two, where there are no more than this.
const MOST_PARTS: usize = 128;
/// A worker may have so many times as many states as the mean.
const UNEVEN: f64 = 1.1;
/// States are to fall into so many kinds for each worker, if all were as frequent: with fewer it is chance who has how many.
const KINDS_FOR_EACH: u64 = 8;
/// Where more of the steps than this lead away, it gains too little.
const GAINS: f64 = 0.8;
const SALTS: u64 = 8;
/// No more choices are tried: who has found nothing by then has all bits decide.
const MOST_TRIED: usize = 512;

/// What a walk has met.
struct Walked {
    states: FxHashSet<Box<[u64]>>,
    /// Of the steps how many change which of the parts, one bit for each.
    changes: HashMap<u128, u64>,
    steps: u64,
}

/// The bits that decide for states of these parts.
///
/// # Errors
/// Where a limit is reached before that is known.
pub fn decide<S: Successors>(
    model: &S,
    parts: &[(u32, u64)],
    seat: Seat,
    meter: &mut Meter<'_>,
) -> ControlFlow<Stop, Decide> {
    let all = Decide::all(model.words());
    if seat.workers < 2 || parts.len() < 2 || parts.len() > MOST_PARTS {
        return ControlFlow::Continue(all);
    }
    let walked = walk(model, parts, meter)?;
    let total = walked.steps.max(1) as f64;
    let away = |of: u128| {
        let changed = walked.changes.iter().filter(|(parts, _)| *parts & of != 0);
        changed.map(|(_, many)| *many).sum::<u64>() as f64 / total
    };
    let mut found: Vec<(f64, u128)> = Vec::new();
    for of in choices(parts.len()) {
        meter.prepare(0)?;
        found.push((away(of), of));
    }
    found.retain(|(away, _)| *away < GAINS);
    found.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    for (_, of) in found.into_iter().take(MOST_TRIED) {
        meter.prepare(0)?;
        let mut bits = vec![0; model.words()];
        for (at, (word, mask)) in parts.iter().enumerate() {
            if of >> at & 1 == 1 {
                bits[*word as usize] |= mask;
            }
        }
        if let Some(decide) = evened(&walked.states, bits, parts, seat) {
            return ControlFlow::Continue(decide);
        }
    }
    ControlFlow::Continue(all)
}

/// Sets of parts: each, and each two.
fn choices(parts: usize) -> impl Iterator<Item = u128> {
    (0..parts).flat_map(move |one| (one..parts).map(move |other| 1 << one | 1 << other))
}

/// With a salt by which states are shared out evenly, if there is one.
fn evened(
    states: &FxHashSet<Box<[u64]>>,
    bits: Vec<u64>,
    parts: &[(u32, u64)],
    seat: Seat,
) -> Option<Decide> {
    if !can_decide(&bits, seat) {
        return None;
    }
    let total = states.len() as u64;
    if squares(states, &bits) * KINDS_FOR_EACH * seat.workers as u64 > total * total {
        return None;
    }
    let mut kinds: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
    for state in states {
        let kind = state.iter().zip(&bits).map(|(word, bits)| word & bits);
        *kinds.entry(kind.collect()).or_default() += 1;
    }
    let width = |word: u32| {
        let of_word = parts.iter().filter(|(at, _)| *at == word);
        of_word.fold(0, |all, (_, mask)| all | mask)
    };
    let used = (0..bits.len() as u32).map(width).collect::<Vec<u64>>();
    let salted = (0..SALTS).map(|salt| {
        let decide = Decide {
            bits: bits.clone(),
            salt: salt.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        };
        let owners = Owners::of(&used, &decide, seat);
        let mut of_workers = vec![0_u32; seat.workers];
        for (kind, many) in &kinds {
            of_workers[owners.owner(kind)] += many;
        }
        (of_workers.into_iter().max().unwrap_or(0), decide)
    });
    let (most, decide) = salted.min_by_key(|(most, decide)| (*most, decide.salt))?;
    let mean = total as f64 / seat.workers as f64;
    (f64::from(most) <= UNEVEN * mean).then_some(decide)
}

/// The squares of how many of the states are of each kind, added up: in whole numbers, so that the order in which they come
/// makes no difference, as all workers have to find the same.
fn squares(states: &FxHashSet<Box<[u64]>>, bits: &[u64]) -> u64 {
    let some: Vec<usize> = (0..bits.len()).filter(|word| bits[*word] != 0).collect();
    let mut kinds: FxHashMap<u64, u32> = FxHashMap::default();
    for state in states {
        let mut hasher = FxHasher::default();
        for word in &some {
            hasher.write_u64(state[*word] & bits[*word]);
        }
        *kinds.entry(hasher.finish()).or_default() += 1;
    }
    kinds.values().map(|many| u64::from(*many).pow(2)).sum()
}

fn walk<S: Successors>(
    model: &S,
    parts: &[(u32, u64)],
    meter: &mut Meter<'_>,
) -> ControlFlow<Stop, Walked> {
    let mut scratch = model.scratch();
    let mut walked = Walked {
        states: FxHashSet::default(),
        changes: HashMap::new(),
        steps: 0,
    };
    let mut lot = Lot(0x2545_f491_4f6c_dd1d);
    let mut state = model.initial().to_vec();
    let mut length = 0;
    for _ in 0..STATES.min(WORDS / state.len()) {
        meter.prepare(0)?;
        walked.states.insert(state.clone().into());
        let mut steps = Steps {
            from: &state,
            parts,
            walked: &mut walked,
            lot: &mut lot,
            meter,
            next: Vec::new(),
            met: 0,
            stop: None,
        };
        let _ = model.visit(&state, &mut scratch, &mut steps);
        let Steps { next, stop, .. } = steps;
        if let Some(stop) = stop {
            return ControlFlow::Break(stop);
        }
        if walked.steps >= STEPS {
            break;
        }
        length += 1;
        if next.is_empty() || length == LENGTH {
            state = model.initial().to_vec();
            length = 0;
        } else {
            state = next;
        }
    }
    ControlFlow::Continue(walked)
}

/// Numbers that look drawn by lot, and are the same for everybody (G. Marsaglia, "Xorshift RNGs", 2003).
struct Lot(u64);

impl Lot {
    /// A number below this one.
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }
}

/// Takes note of a state's steps, and keeps where one of them leads, whichever it is with the same chance.
struct Steps<'s, 'm> {
    from: &'s [u64],
    parts: &'s [(u32, u64)],
    walked: &'s mut Walked,
    lot: &'s mut Lot,
    meter: &'s mut Meter<'m>,
    next: Vec<u64>,
    /// How many steps lead somewhere.
    met: u64,
    stop: Option<Stop>,
}

impl Steps<'_, '_> {
    fn leads_to(&mut self, to: &[u64]) {
        let changed = self.parts.iter().enumerate().filter(|(_, (word, mask))| {
            let word = *word as usize;
            (self.from[word] ^ to[word]) & mask != 0
        });
        let changed = changed.fold(0, |all, (at, _)| all | 1 << at);
        *self.walked.changes.entry(changed).or_default() += 1;
        self.met += 1;
        if self.lot.below(self.met) == 0 {
            self.next.clear();
            self.next.extend_from_slice(to);
        }
    }
}

impl Visit for Steps<'_, '_> {
    fn wanted(&self) -> Wanted {
        Wanted::All
    }

    fn step(&mut self, _: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        self.walked.steps += 1;
        if let Ok(to) = outcome {
            self.leads_to(to);
        }
        match self.walked.steps < STEPS {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }

    fn pulse(&mut self) -> ControlFlow<()> {
        let flow = self.meter.prepare(0);
        flow.map_break(|stop| self.stop = Some(stop))
    }
}
