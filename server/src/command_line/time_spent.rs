//! Time that a command has spent in each phase of its work.

use std::time::{Duration, Instant};

use parking_lot::Mutex;
use stubborn_checker::{Event, Phase};

/// Phase outside all others: files are read, and texts are analysed.
const READING: &str = "reading";

/// Clock that adds up the time of each phase. Phases are nested; time counts for the innermost one.
pub struct TimeSpent(Mutex<Spent>);

struct Spent {
    since: Instant,
    phases: Vec<Phase>,
    times: Vec<(&'static str, Duration)>,
}

impl TimeSpent {
    /// Clock of a command that began at `began`.
    pub fn since(began: Instant) -> TimeSpent {
        TimeSpent(Mutex::new(Spent {
            since: began,
            phases: Vec::new(),
            times: Vec::new(),
        }))
    }

    pub fn event(&self, event: Event<'_>) {
        match event {
            Event::Begins(phase) => {
                let mut spent = self.0.lock();
                spent.settle(Instant::now());
                spent.phases.push(phase);
            }
            Event::Ends(_) => {
                let mut spent = self.0.lock();
                spent.settle(Instant::now());
                spent.phases.pop();
            }
            _ => {}
        }
    }

    /// Returns the seconds of each phase so far, in the order in which they were entered first.
    pub fn seconds(&self) -> Vec<(&'static str, f64)> {
        let mut spent = self.0.lock();
        spent.settle(Instant::now());
        let times = spent.times.iter();
        times
            .map(|(name, time)| (*name, time.as_secs_f64()))
            .collect()
    }
}

impl Spent {
    /// Counts the time until now for the present phase.
    fn settle(&mut self, now: Instant) {
        let time = now.saturating_duration_since(self.since);
        self.since = now;
        let name = self.phases.last().map_or(READING, |phase| phase.name());
        match self.times.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += time,
            None => self.times.push((name, time)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_counts_for_the_innermost_phase() {
        let began = Instant::now();
        let at = |seconds| began + Duration::from_secs(seconds);
        let mut spent = Spent {
            since: began,
            phases: Vec::new(),
            times: Vec::new(),
        };
        spent.settle(at(1));
        spent.phases.push(Phase::Search);
        spent.settle(at(3));
        spent.phases.push(Phase::Reduction);
        spent.settle(at(7));
        spent.phases.pop();
        spent.settle(at(15));
        let times = [("reading", 1), ("search", 10), ("reduction", 4)];
        let times = times.map(|(name, seconds)| (name, Duration::from_secs(seconds)));
        assert_eq!(spent.times, times);
    }
}
