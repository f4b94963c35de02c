//! Number of workers of a layered search.

use stubborn_space::options::{Options, Use};

/// States of a layer for each thread. A count and no time, so that the number of threads is a
/// function of the model and the options.
const WORTH_A_THREAD: usize = 4096;

/// Number of threads, the width of a layer from which they are used, and their caches.
#[derive(Clone, Copy)]
pub struct Team {
    pub threads: usize,
    /// States of a layer for each further thread.
    pub worth_one: usize,
    /// Whether steps are cached.
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

    /// Team that is used in the smallest model.
    pub fn for_any_model(threads: usize) -> Team {
        Team {
            threads,
            worth_one: 1,
            remembered: Use::default(),
        }
    }

    /// The same with fewer threads.
    pub fn at_most(self, threads: usize) -> Team {
        Team {
            threads: self.threads.min(threads),
            ..self
        }
    }

    /// Number of threads for work on this many states.
    #[inline]
    pub fn of_states(self, states: u64) -> usize {
        let worth_it = states / self.worth_one as u64;
        let worth_it = usize::try_from(worth_it).unwrap_or(usize::MAX);
        worth_it.clamp(1, self.threads.max(1))
    }

    /// Number of threads for a layer of this many states.
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
