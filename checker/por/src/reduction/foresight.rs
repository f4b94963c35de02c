//! Whether to ask what others can still do while a whole set stands still
//! ([`choice`](super::choice)): sets become smaller, and each costs more.
//!
//! It is found out once for a model, on a walk through it, by what is counted there and never by
//! the clock: sets have to be the same each time that they are asked for.

use std::cell::Cell;
use std::ops::ControlFlow;

use stubborn_space::options::Use;
use stubborn_space::profit::A_STEP;
use stubborn_space::relations::ProcessRelations;
use stubborn_space::successors::{Polled, Successors, Wanted};

use super::visibility::Visibility;
use super::{Scratch, Stubborn};

/// Least possible number of states: with fewer a walk takes longer than the search.
const LEAST_STATES: u64 = 1 << 12;
/// How many steps the walk has at most.
const STEPS: usize = 128;
/// Number of sets that are made smaller, and the most look-ups that this may cost with
/// [`PROCESSES`] of them or fewer: in each set there are members, and each looks at all others.
const SAMPLE: usize = 48;
const MOST_WORK: u64 = 1 << 16;
const PROCESSES: u64 = 32;
/// Number of steps of a state that are looked at.
const MOST_STEPS: usize = 64;
/// Most pulses: more work than between these is too much.
const MOST_PULSES: u32 = 32;
/// It pays if it leaves out one more step in `LEAST`,
const LEAST: u32 = 10;
/// and costs no more than `DEAR` steps for each: all that would have come after it goes too.
const DEAR: u64 = 16;

impl<M: ProcessRelations, V: Visibility<M>> Stubborn<M, V> {
    /// With sets that are made smaller in this way, or not.
    pub fn foreseeing(mut self, foresight: Use) -> Stubborn<M, V> {
        self.foresees = match foresight {
            Use::Never => false,
            Use::Always => self.model.foresees(),
            Use::WhereItPays => {
                let may_be_large = self.model.most_states() >= LEAST_STATES;
                may_be_large && self.model.foresees() && self.foresight_pays()
            }
        };
        self
    }

    fn foresight_pays(&self) -> bool {
        let scratch = &mut self.scratch();
        let pulses = &Cell::new(0);
        let Some(sample) = self.walk(scratch, pulses) else {
            return false;
        };
        // Answers that cost work for the first time are cached for the second.
        let first = self.smaller(&sample, scratch, pulses);
        let second = first.and_then(|_| self.smaller(&sample, scratch, pulses));
        let Some((before, after, work)) = second else {
            return false;
        };
        let left_out = before.saturating_sub(after);
        left_out * LEAST >= before && work <= u64::from(left_out) * A_STEP * DEAR && left_out > 0
    }

    /// States on a walk in which the set that is found has several enabled steps; nothing where the
    /// walk itself is too much work.
    fn walk(
        &self,
        scratch: &mut Scratch<M::Scratch>,
        pulses: &Cell<u32>,
    ) -> Option<Vec<Box<[u64]>>> {
        let mut sample: Vec<Box<[u64]>> = Vec::new();
        let mut at: Box<[u64]> = self.initial().into();
        // Any numbers will do that are the same each time.
        let mut chance: u64 = 0x9e37_79b9_7f4a_7c15;
        for _ in 0..STEPS {
            let (mut targets, mut steps): (Vec<Box<[u64]>>, usize) = (Vec::new(), 0);
            let mut visitor = Polled(Wanted::Reduced, |step| {
                let Some((_, outcome)) = step else {
                    return pulse(pulses);
                };
                targets.extend(outcome.ok().map(Box::from));
                steps += 1;
                match steps < MOST_STEPS {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            });
            let _ = self.visit(&at, scratch, &mut visitor);
            if pulses.get() > MOST_PULSES {
                return None;
            }
            if steps > 1 && sample.len() < SAMPLE && !sample.contains(&at) {
                sample.push(at);
            }
            chance ^= chance << 13;
            chance ^= chance >> 7;
            chance ^= chance << 17;
            at = match targets.len() {
                0 => self.initial().into(),
                count => targets.swap_remove((chance >> 32) as usize % count),
            };
        }
        Some(sample)
    }

    /// How many steps the sets of these states have with and without it, and how many look-ups more
    /// it took; nothing where that is too many.
    fn smaller(
        &self,
        sample: &[Box<[u64]>],
        scratch: &mut Scratch<M::Scratch>,
        pulses: &Cell<u32>,
    ) -> Option<(u32, u32, u64)> {
        let (mut before, mut after, mut more) = (0, 0, 0);
        let factor = (self.model.processes() as u64).div_ceil(PROCESSES);
        let most_work = MOST_WORK * factor * factor;
        for state in sample {
            let cost = |is_closer: bool, scratch: &mut Scratch<M::Scratch>| {
                let all = |scratch: &Scratch<M::Scratch>| {
                    self.model.work(&scratch.model) + self.model.learning(&scratch.model)
                };
                let work = all(scratch);
                let mut pulse = || pulse(pulses);
                let choice = self.choose(state, scratch, is_closer, &mut pulse);
                let (fired, more) = match choice {
                    ControlFlow::Continue(Some(choice)) => (choice.fired, choice.more_work),
                    _ => (0, 0),
                };
                (fired, all(scratch) - work + more)
            };
            let (all, work) = cost(false, scratch);
            let (fewer, larger) = cost(true, scratch);
            before += all;
            after += fewer;
            more += larger.saturating_sub(work);
            if more > most_work || pulses.get() > MOST_PULSES {
                return None;
            }
        }
        Some((before, after, more))
    }
}

fn pulse(pulses: &Cell<u32>) -> ControlFlow<()> {
    pulses.set(pulses.get() + 1);
    match pulses.get() > MOST_PULSES {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}
