//! Who goes through the states of a search without numbers.

use stubborn_space::options::{Options, Use};

/// As many states of a layer as are worth a thread: others are begun where there are twice as many. A count
/// of states and no time, so that what is done is a function of the model and of what was asked.
const WORTH_A_THREAD: usize = 4096;

/// How many threads there may be, from how many states on they are used, and what they remember.
#[derive(Clone, Copy)]
pub struct Team {
    pub threads: usize,
    /// As many states of a layer as are worth a thread.
    pub worth_one: usize,
    /// Whether steps are looked up that were worked out before.
    pub remembered: Use,
}

impl Team {
    pub fn of(options: &Options) -> Team {
        Team {
            threads: options.threads(),
            worth_one: match options.unnumbered {
                Use::Always => 1,
                Use::WhereItPays | Use::Never => WORTH_A_THREAD,
            },
            remembered: options.remembered,
        }
    }

    /// One that is worth it in the smallest model.
    pub fn for_any_model(threads: usize) -> Team {
        Team {
            threads,
            worth_one: 1,
            remembered: Use::default(),
        }
    }

    /// With no more threads than this.
    pub fn at_most(self, threads: usize) -> Team {
        Team {
            threads: self.threads.min(threads),
            ..self
        }
    }

    /// As many as something is worth that is done with so many states, and one at least.
    #[inline]
    pub fn of_states(self, states: u64) -> usize {
        let worth_it = states / self.worth_one as u64;
        let worth_it = usize::try_from(worth_it).unwrap_or(usize::MAX);
        worth_it.clamp(1, self.threads.max(1))
    }

    /// As many as go through a layer of so many states.
    #[inline]
    pub fn of_layer(self, states: usize) -> usize {
        self.of_states(states as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_threads_come_with_layers_that_are_wide_enough() {
        let team = Team {
            worth_one: WORTH_A_THREAD,
            ..Team::for_any_model(4)
        };
        let threads = [1, 4_096, 8_191, 8_192, 12_288, 1 << 20].map(|many| team.of_layer(many));
        assert_eq!(threads, [1, 1, 1, 2, 3, 4]);
    }
}
