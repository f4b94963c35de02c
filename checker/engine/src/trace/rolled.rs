//! The shortest way to write down an infinite run.

use super::{Trace, TraceStep};
use crate::state::State;

/// A longer run stays as it is: its states are held all at once.
const LONGEST: usize = 2_000;

impl Trace {
    /// The same infinite run, with the fewest steps before its cycle, and with the shortest cycle: an automaton that
    /// watches it may have waited some steps before it began to go round, or have gone round in two.
    ///
    /// Of a run that has a monitor's beside it the monitor need not close with the cycle: such a run stays as it is.
    #[must_use]
    pub fn rolled(self) -> Trace {
        if self.cycle.is_empty() || self.monitor.is_some() || self.len() > LONGEST {
            return self;
        }
        let states = self.states();
        let (path, round) = states.split_at(self.steps.len());
        let before = turned(&self.steps, &self.cycle, path, round);
        let mut cycle = self.cycle;
        cycle.truncate(period(&cycle));
        let mut steps = self.steps;
        steps.truncate(steps.len() - before);
        let back = before % cycle.len();
        cycle.rotate_right(back);
        Trace::new(self.start, steps, cycle)
    }
}

/// How many of the last steps are those of the cycle; with the states before each step.
fn turned(steps: &[TraceStep], cycle: &[TraceStep], path: &[State], round: &[State]) -> usize {
    let is_same = |a: &TraceStep, b: &TraceStep| {
        a.participants == b.participants && a.action == b.action && a.failure == b.failure
    };
    let before = steps.iter().zip(path).rev();
    let around = cycle.iter().zip(round).rev().cycle();
    let mut both = before.zip(around);
    let other = both.position(|((a, here), (b, there))| !is_same(a, b) || here != there);
    other.unwrap_or(steps.len())
}

/// After how many steps a cycle begins anew. Where the steps and their changes are those of before, what is changed has the
/// values that it had.
fn period(cycle: &[TraceStep]) -> usize {
    let all = cycle.len();
    let is_period = |steps: &usize| {
        all.is_multiple_of(*steps) && cycle.iter().zip(&cycle[*steps..]).all(|(a, b)| a == b)
    };
    (1..all).find(is_period).unwrap_or(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::InstanceState;
    use crate::trace::Change;

    /// One instance, which is there.
    fn counter(location: u32) -> State {
        State {
            shared: Vec::new(),
            channels: Vec::new(),
            instances: vec![InstanceState {
                location,
                locals: Vec::new(),
            }],
        }
    }

    /// It goes there, one after the other.
    fn counting(to: &[u32]) -> Vec<TraceStep> {
        let step = |location: &u32| TraceStep {
            participants: vec![(0, *location)],
            action: None,
            failure: None,
            changes: vec![Change::Location {
                instance: 0,
                location: *location,
            }],
        };
        to.iter().map(step).collect()
    }

    #[test]
    fn what_is_gone_round_already_belongs_to_the_cycle() {
        // 0, 1, 2, 0, 1 and then 2, 0, 1 for ever, twice: it goes round from the start.
        let steps = counting(&[1, 2, 0, 1]);
        let trace = Trace::new(counter(0), steps, counting(&[2, 0, 1, 2, 0, 1]));
        let expected = Trace::new(counter(0), Vec::new(), counting(&[1, 2, 0]));
        assert_eq!(trace.rolled(), expected);
        // It is never at 3 again.
        let trace = Trace::new(counter(3), counting(&[0, 1, 0, 1]), counting(&[0, 1]));
        let expected = Trace::new(counter(3), counting(&[0]), counting(&[1, 0]));
        assert_eq!(trace.rolled(), expected);
    }
}
