//! The shortest way to write down an infinite run.

use super::{Trace, TraceStep};
use crate::state::State;

impl Trace {
    /// The same infinite run, with the fewest steps before its cycle, and with the shortest cycle:
    /// an automaton that watches it may have waited some steps before it began to go round, or have
    /// gone round in two.
    ///
    /// A run with a run of a monitor beside it stays as it is: the monitor need not close with the
    /// cycle.
    ///
    /// Holds two states at a time, and goes along the run a few times, as often as its length has
    /// bits.
    #[must_use]
    pub fn rolled(self) -> Trace {
        if self.cycle.is_empty() || self.monitor.is_some() {
            return self;
        }
        let before = self.turned();
        let mut cycle = self.cycle;
        cycle.truncate(period(&cycle));
        let mut steps = self.steps;
        steps.truncate(steps.len() - before);
        let back = before % cycle.len();
        cycle.rotate_right(back);
        Trace::new(self.start, steps, cycle)
    }

    /// How many of the last steps before the cycle are those of the cycle, in the same states.
    fn turned(&self) -> usize {
        let around = self.cycle.iter().rev().cycle();
        let mut both = self.steps.iter().rev().zip(around);
        let alike = both.position(|(a, b)| a != b);
        // Where states agree they do so from there on, as the same steps make the same changes.
        let (mut agree, mut differ) = (0, alike.unwrap_or(self.steps.len()) + 1);
        while agree + 1 < differ {
            let many = agree.midpoint(differ);
            let before = self.state_after(self.steps.len() - many);
            let round = (self.cycle.len() - many % self.cycle.len()) % self.cycle.len();
            match before == self.state_after(self.steps.len() + round) {
                true => agree = many,
                false => differ = many,
            }
        }
        agree
    }

    fn state_after(&self, steps: usize) -> State {
        let mut state = self.start.clone();
        for step in self.all_steps().take(steps) {
            state.apply(&step.changes);
        }
        state
    }
}

/// After how many steps a cycle begins anew. Where the steps and their changes are those of before,
/// what is changed has the values that it had.
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

    #[test]
    fn a_step_that_comes_from_elsewhere_is_none_of_the_cycle() {
        // It is at 2 after the same step and the same change, once from 5 and then from 1.
        let trace = Trace::new(counter(5), counting(&[2]), counting(&[1, 2]));
        assert_eq!(trace.clone().rolled(), trace);
    }
}
