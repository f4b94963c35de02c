//! The choice of the bits of a state that determine its owner.
//!
//! If all bits do, nearly every step leads to another worker: with two workers half of all states
//! are sent. F. Lerda and R. Sisto ("Distributed-Memory Model Checking with SPIN", SPIN 1999) let
//! the local state of one process decide: then only steps of that process lead to another worker,
//! and commuting steps of the others meet on one worker. Walks through the model, the same on every
//! worker, find the process or variable, or two of them, with the fewest steps that lead away and
//! about as many states for each worker.
//!
//! The choice is heuristic and costs time at most.

use std::collections::HashMap;
use std::hash::Hasher;
use std::ops::ControlFlow;

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use stubborn_explorer::search::{Meter, Stop};
use stubborn_space::successors::{Polled, Successors, Wanted};

use super::partition::{Partition, Seat};

/// Most states of all walks.
const STATES: usize = 4096;
/// Most words of these states.
const WORDS: usize = 1 << 18;
/// Most states of one walk.
const LENGTH: usize = 512;
/// Most steps of all walks.
const STEPS: u64 = 1 << 15;
/// The most parts that are tried one by one and in pairs.
const MOST_PARTS: usize = 128;
/// The most states of a worker, as a multiple of the mean.
const UNEVEN: f64 = 1.1;
/// The least number of kinds of states for each worker, if all kinds were equally frequent.
const KINDS_FOR_EACH: u64 = 8;
/// The most steps that may lead to another worker, as a part of all.
const GAINS: f64 = 0.8;
/// Hashes that are tried for each choice of bits.
const SALTS: u64 = 64;
/// The most choices that are tried.
const MOST_TRIED: usize = 512;

/// States and steps of the walks.
struct Walked {
    states: FxHashSet<Box<[u64]>>,
    /// The number of steps by the parts that they change, one bit for each.
    changes: HashMap<u128, u64>,
    steps: u64,
}

/// Chooses the bits for states of these parts.
///
/// # Errors
/// If a limit is reached.
pub fn partition<S: Successors>(
    model: &S,
    parts: &[(u32, u64)],
    seat: Seat,
    meter: &mut Meter<'_>,
) -> ControlFlow<Stop, Partition> {
    let all = Partition::by_all(model.words(), seat.workers);
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
        if let Some(partition) = evened(&walked.states, bits, seat.workers) {
            return ControlFlow::Continue(partition);
        }
    }
    ControlFlow::Continue(all)
}

/// Sets of parts: each, and each two.
fn choices(parts: usize) -> impl Iterator<Item = u128> {
    (0..parts).flat_map(move |one| (one..parts).map(move |other| 1 << one | 1 << other))
}

/// These bits with a salt that shares the states out evenly, if there is one.
fn evened(states: &FxHashSet<Box<[u64]>>, bits: Vec<u64>, workers: usize) -> Option<Partition> {
    // Without groups it is chance how many states a worker has.
    if bits.len() == 1 && !Partition::new(bits.clone(), 0, workers).has_groups() {
        return None;
    }
    let total = states.len() as u64;
    if squares(states, &bits) * KINDS_FOR_EACH * workers as u64 > total * total {
        return None;
    }
    let mut kinds: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
    for state in states {
        let kind = state.iter().zip(&bits).map(|(word, bits)| word & bits);
        *kinds.entry(kind.collect()).or_default() += 1;
    }
    let salted = (0..SALTS).map(|salt| {
        let salt = salt.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let partition = Partition::new(bits.clone(), salt, workers);
        let mut of_workers = vec![0_u32; workers];
        for (kind, many) in &kinds {
            of_workers[partition.owner(kind)] += many;
        }
        (of_workers.into_iter().max().unwrap_or(0), partition)
    });
    let (most, partition) = salted.min_by_key(|(most, partition)| (*most, partition.salt))?;
    let mean = total as f64 / workers as f64;
    (f64::from(most) <= UNEVEN * mean).then_some(partition)
}

/// The sum of the squared numbers of states of each kind; in whole numbers, so that it does not
/// depend on their order and is the same on all workers.
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
        // The target of a random step.
        let (mut next, mut met, mut stop) = (Vec::new(), 0, None);
        let mut visitor = Polled(Wanted::All, |step| {
            let Some((_, outcome)) = step else {
                return meter.prepare(0).map_break(|why| stop = Some(why));
            };
            walked.steps += 1;
            if let Ok(to) = outcome {
                *walked
                    .changes
                    .entry(changed(parts, &state, to))
                    .or_default() += 1;
                met += 1;
                if lot.below(met) == 0 {
                    next.clear();
                    next.extend_from_slice(to);
                }
            }
            match walked.steps < STEPS {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        let _ = model.visit(&state, &mut scratch, &mut visitor);
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

/// Pseudorandom numbers, the same on all workers (G. Marsaglia, "Xorshift RNGs", 2003).
struct Lot(u64);

impl Lot {
    /// Returns a number below this one.
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }
}

/// Set of the parts in which two states differ.
fn changed(parts: &[(u32, u64)], from: &[u64], to: &[u64]) -> u128 {
    let changed = parts.iter().enumerate().filter(|(_, (word, mask))| {
        let word = *word as usize;
        (from[word] ^ to[word]) & mask != 0
    });
    changed.fold(0, |all, (at, _)| all | 1 << at)
}
