//! Random runs: a search for violations that lie deep.
//!
//! A run takes one step of each state, from an initial state on, until it ends or is as long as
//! allowed; then the next run begins. States are not stored, so neither memory nor the size of the
//! state space matters, and nothing is proved.
//!
//! Runs choose their steps in different ways, as different errors need different interleavings:
//! uniformly, rare steps first, or by priorities of the processes (Burckhardt et al., "A Randomized
//! Scheduler with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010). On one thread a run is a
//! function of the seed.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use fastrand::Rng;
use rustc_hash::FxHashMap;
use stubborn_space::monitor::Monitored;
use stubborn_space::options::RandomRuns;
use stubborn_space::successors::{Polled, Wanted};
use stubborn_space::verdict::RunsMade;
use stubborn_system::system::{Failure, InstanceId, StepId};

use super::layers::Look;
use super::layers::bounds::Bounds;
use super::layers::pool::{Member, all_together};
use super::meter::{Figures, Meter, Stop};
use super::steps::OwnedLabel;

/// Steps of the shortest runs where no length is asked for, and how often it is doubled: most
/// errors are found soonest by short runs, some by long ones alone.
const SHORTEST: u64 = 64;
const DOUBLED: u64 = 8;
/// Places of a run with priorities at which they change: errors that need more orderings between
/// processes than that are rare.
const CHANGES: u64 = 4;
/// Weight of a step that was never taken.
const RAREST: u64 = 1 << 20;
/// Steps that may be tried to [shorten](super::shrink) the runs of a search: some tenths of a second.
pub const STEPS_OF_SHRINKING: u64 = 1 << 20;
/// Failing steps of a state that are looked at.
const MOST_FAILING: usize = 1 << 10;
/// Steps of one state between two checks of the limits.
const BETWEEN_CHECKS: u64 = 1 << 10;

/// Observer of random runs that notes violations.
pub trait Seek: Look {
    type Noted: Send;

    /// Returns the violations noted since the last call.
    fn take(&mut self) -> Vec<Self::Noted>;

    /// Stops looking for what another worker has noted.
    fn forget(&mut self, noted: &Self::Noted);

    /// Whether there is nothing left to look for.
    fn is_done(&self) -> bool;
}

/// Violations noted at the end of a run.
pub struct Found<N> {
    pub noted: Vec<N>,
    /// States from an initial one to the last, without cycles.
    pub path: Vec<Box<[u64]>>,
}

/// What random runs have come to.
pub struct Made<N> {
    pub found: Vec<Found<N>>,
    pub runs: RunsMade,
    pub figures: Figures,
}

/// Makes random runs of a model on some threads, each with an observer, until all is found, the
/// runs are over or a limit is reached. The limit on states counts each visit of a state. `report` is
/// called with each violation when it is found, by the thread that has found it.
///
/// Costs the steps of each state on a run, and the memory of one run for each thread.
pub fn search<M, L>(
    model: &M,
    (how, threads): (RandomRuns, usize),
    meter: &mut Meter<'_>,
    observer: impl Fn() -> L,
    report: &(dyn Fn(&Found<L::Noted>, Figures) + Sync),
) -> (ControlFlow<Stop>, Made<L::Noted>)
where
    M: Monitored + Sync,
    M::Scratch: Send,
    L: Seek + Send,
{
    if model.initials().is_empty() {
        let made = Made {
            found: Vec::new(),
            runs: RunsMade::default(),
            figures: Figures::default(),
        };
        return (ControlFlow::Continue(()), made);
    }
    let bounds = Bounds::new(meter, Figures::default());
    let shared = Shared {
        begun: AtomicU64::new(0),
        made: AtomicU64::new(0),
        found: Mutex::default(),
        report,
    };
    let walkers = (0..threads.max(1)).map(|_| Walker::new(model, how, observer()));
    let mut walkers: Vec<Walker<'_, M, L>> = walkers.collect();
    let flow = all_together(&bounds, meter, &mut walkers, |_, walker, mut member| {
        let flow = walker.make_runs(&shared, &mut member);
        member.ended(flow)
    });
    let found = shared.found.into_inner();
    let figures = bounds.figures();
    let made = Made {
        found: found.unwrap_or_else(PoisonError::into_inner),
        runs: RunsMade {
            runs: shared.made.into_inner(),
            steps: figures.edges,
        },
        figures,
    };
    (flow, made)
}

/// State of all workers.
struct Shared<'r, N> {
    /// Number of the next run.
    begun: AtomicU64,
    /// Number of runs made, the present ones too.
    made: AtomicU64,
    found: Mutex<Vec<Found<N>>>,
    report: &'r (dyn Fn(&Found<N>, Figures) + Sync),
}

/// Choice of steps in a run.
enum Choice {
    Uniform,
    /// The less often a step was taken, the more probable.
    Rare,
    /// A step of a process with the highest priority, which sinks at some places of the run.
    Priorities {
        of: FxHashMap<InstanceId, i64>,
        changes: Vec<u64>,
        lowest: i64,
    },
}

/// One thread.
struct Walker<'m, M: Monitored, L> {
    model: &'m M,
    how: RandomRuns,
    scratch: M::Scratch,
    observer: L,
    rng: Rng,
    choice: Choice,
    /// How often each step was taken.
    taken: FxHashMap<(InstanceId, StepId), u64>,
    /// The states of the present run.
    path: Vec<u64>,
    state: Vec<u64>,
    next: Vec<u64>,
    failing: Vec<(OwnedLabel, Failure)>,
    /// Findings of all workers that the observer knows of.
    known: usize,
    /// Bytes held.
    held: u64,
}

impl<'m, M: Monitored, L: Seek> Walker<'m, M, L> {
    fn new(model: &'m M, how: RandomRuns, observer: L) -> Self {
        Walker {
            model,
            how,
            scratch: model.scratch(),
            observer,
            rng: Rng::with_seed(how.seed),
            choice: Choice::Uniform,
            taken: FxHashMap::default(),
            path: Vec::new(),
            state: vec![0; model.words()],
            next: vec![0; model.words()],
            failing: Vec::new(),
            known: 0,
            held: 0,
        }
    }

    fn make_runs(
        &mut self,
        shared: &Shared<'_, L::Noted>,
        member: &mut Member<'_>,
    ) -> ControlFlow<()> {
        loop {
            member.ask_whether_to_go_on()?;
            let number = shared.begun.fetch_add(1, Relaxed);
            if (self.how.runs).is_some_and(|most| number >= most.get()) {
                return ControlFlow::Continue(());
            }
            self.forget_what_others_found(shared);
            if self.observer.is_done() {
                return member.stop_with(Stop::Decided);
            }
            shared.made.fetch_add(1, Relaxed);
            self.run(number, shared, member)?;
        }
    }

    fn forget_what_others_found(&mut self, shared: &Shared<'_, L::Noted>) {
        let found = shared.found.lock().unwrap_or_else(PoisonError::into_inner);
        for found in &found[self.known..] {
            found.noted.iter().for_each(|one| self.observer.forget(one));
        }
        self.known = found.len();
    }

    /// Makes the run with this number.
    fn run(
        &mut self,
        number: u64,
        shared: &Shared<'_, L::Noted>,
        member: &mut Member<'_>,
    ) -> ControlFlow<()> {
        let initials = self.model.initials();
        self.rng = Rng::with_seed(self.how.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let depth = match self.how.depth {
            Some(depth) => depth.get(),
            None => SHORTEST << (number / 3 % DOUBLED),
        };
        self.choice = match number % 3 {
            0 => Choice::Uniform,
            1 => Choice::Rare,
            _ => Choice::Priorities {
                of: FxHashMap::default(),
                changes: (0..CHANGES).map(|_| self.rng.u64(..depth)).collect(),
                lowest: 0,
            },
        };
        self.path.clear();
        self.state
            .copy_from_slice(&initials[self.rng.usize(..initials.len())]);
        self.arrive(shared, member)?;
        for at in 0..depth {
            let has_steps = self.choose(member)?;
            member.bounds.count_edges(has_steps.into());
            let is_end = !has_steps
                && self.failing.is_empty()
                && (self.model.is_alone() || self.model.ends(&self.state, &mut self.scratch));
            if is_end || !self.failing.is_empty() {
                self.observer.begins(at, &self.state);
                let observer = &mut self.observer;
                let flow = match is_end {
                    true => observer.terminal(&self.state),
                    false => (self.failing.iter())
                        .try_for_each(|(label, failure)| observer.failing(label.label(), failure)),
                };
                self.note(shared, flow, member)?;
            }
            if !has_steps {
                break;
            }
            std::mem::swap(&mut self.state, &mut self.next);
            self.arrive(shared, member)?;
        }
        ControlFlow::Continue(())
    }

    /// Visits the present state.
    fn arrive(
        &mut self,
        shared: &Shared<'_, L::Noted>,
        member: &mut Member<'_>,
    ) -> ControlFlow<()> {
        let claimed = member.bounds.claim_one();
        member.or_stop(claimed)?;
        member.bounds.settle(1, 1);
        member.count_down()?;
        self.path.extend_from_slice(&self.state);
        let bytes = (self.path.capacity() * size_of::<u64>()) as u64;
        let held = member.bounds.hold_instead(&mut self.held, bytes);
        member.or_stop(held)?;
        let flow = self.observer.found_by_all(&self.state);
        self.note(shared, flow, member)
    }

    /// Keeps the run if the observer has noted something, and ends where it did.
    fn note(
        &mut self,
        shared: &Shared<'_, L::Noted>,
        flow: ControlFlow<Stop>,
        member: &mut Member<'_>,
    ) -> ControlFlow<()> {
        let noted = self.observer.take();
        if !noted.is_empty() {
            let path = without_cycles(self.path.chunks_exact(self.state.len()));
            let new = Found { noted, path };
            (shared.report)(&new, member.bounds.figures());
            let mut found = shared.found.lock().unwrap_or_else(PoisonError::into_inner);
            found.push(new);
        }
        member.or_stop(flow)
    }

    /// Chooses one of the present state's steps; its target is `next`. Returns whether there is
    /// one; the failing steps are kept apart.
    fn choose(&mut self, member: &mut Member<'_>) -> ControlFlow<(), bool> {
        let at = (self.path.len() / self.state.len()) as u64 - 1;
        self.failing.clear();
        let (rng, choice, taken) = (&mut self.rng, &mut self.choice, &self.taken);
        let (next, failing) = (&mut self.next, &mut self.failing);
        let (mut total, mut highest, mut chosen, mut seen) = (0, i64::MIN, None, 0);
        let mut choose = Polled(Wanted::All, |step| {
            let Some((label, outcome)) = step else {
                return member.ask_whether_to_go_on();
            };
            seen += 1;
            if seen % BETWEEN_CHECKS == 0 {
                member.ask_whether_to_go_on()?;
            }
            let to = match outcome {
                Ok(to) => to,
                Err(failure) => {
                    if failing.len() < MOST_FAILING {
                        failing.push((OwnedLabel::of(label), failure.clone()));
                    }
                    return ControlFlow::Continue(());
                }
            };
            let first = label.participants.first().copied();
            let weight = match &mut *choice {
                Choice::Uniform => 1,
                Choice::Rare => {
                    let times = first.and_then(|step| taken.get(&step)).copied();
                    (RAREST / (1 + times.unwrap_or(0))).max(1)
                }
                Choice::Priorities { of, .. } => {
                    let drawn = label
                        .participants
                        .iter()
                        .map(|(who, _)| *of.entry(*who).or_insert_with(|| rng.u32(..).into()));
                    let priority = drawn.max().unwrap_or(i64::MAX);
                    if priority < highest {
                        return ControlFlow::Continue(());
                    }
                    if priority > highest {
                        (highest, total) = (priority, 0);
                    }
                    1
                }
            };
            total += weight;
            if rng.u64(..total) < weight {
                next.copy_from_slice(to);
                chosen = Some(first);
            }
            ControlFlow::Continue(())
        });
        self.model
            .visit(&self.state, &mut self.scratch, &mut choose)?;
        let Some(step) = chosen else {
            return ControlFlow::Continue(false);
        };
        if let Some(step) = step {
            *self.taken.entry(step).or_default() += 1;
            if let Choice::Priorities {
                of,
                changes,
                lowest,
            } = &mut self.choice
                && changes.contains(&at)
            {
                *lowest -= 1;
                of.insert(step.0, *lowest);
            }
        }
        ControlFlow::Continue(true)
    }
}

/// Returns the states of a run without the steps between two visits of the same state.
fn without_cycles<'s>(states: impl Iterator<Item = &'s [u64]> + Clone) -> Vec<Box<[u64]>> {
    let last: FxHashMap<&[u64], usize> = states.clone().zip(0..).collect();
    let (mut path, mut from) = (Vec::new(), 0);
    for (at, state) in states.enumerate() {
        if at == from {
            path.push(state.into());
            from = last[state] + 1;
        }
    }
    path
}
