//! A search for each property by itself, beside a check that takes long: what is violated within few steps is found
//! as soon as if its property had been asked for alone, whatever the check is busy with.
//!
//! Verdicts are still those of the check. A run that was found here is replayed like any other, and so counts where
//! the check itself has come to no verdict.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use stubborn_engine::{Options, Outcome, Verdict, Watch};
use stubborn_system::property::Property;
use stubborn_system::system::System;

use super::falling::OfSystem;

/// What is over by then needs nobody beside it.
const PATIENCE: Duration = Duration::from_millis(250);
/// So many states each property is given, one after the other, and then once more.
const STATES: [u64; 2] = [5_000, 50_000];
/// No search is begun that much later: it is not to cost much where nothing is violated.
const LONGEST: Duration = Duration::from_secs(1);
/// The part of the memory that the check may take.
const PART_OF_MEMORY: u64 = 16;

/// Whether the check is over.
#[derive(Default)]
pub struct Over {
    is_over: Mutex<bool>,
    told: Condvar,
}

impl Over {
    pub fn tell(&self) {
        *self.is_over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.told.notify_all();
    }

    fn is_over(&self) -> bool {
        *self.is_over.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it is over before so much time has passed.
    fn comes_within(&self, time: Duration) -> bool {
        let is_over = self.is_over.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self
            .told
            .wait_timeout_while(is_over, time, |is_over| !*is_over);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

/// Looks for violations until the check is over, and tells those that are found.
pub fn scout(
    system: &System,
    properties: &[Property],
    options: &Options,
    telling: &OfSystem<'_>,
    over: &Over,
) -> HashMap<usize, Outcome> {
    let mut found = HashMap::new();
    if over.comes_within(PATIENCE) {
        return found;
    }
    let began = Instant::now();
    let watch = Beside { over, telling };
    for states in STATES {
        let mut options = *options;
        options.tells_seen = false;
        options.threads = None;
        options.limits.max_states = Some(states.min(options.limits.max_states.unwrap_or(states)));
        options.limits.max_memory = options.limits.max_memory.map(|most| most / PART_OF_MEMORY);
        for (at, property) in properties.iter().enumerate() {
            if over.is_over() || began.elapsed() > LONGEST {
                return found;
            }
            if found.contains_key(&at) || telling.has(at) {
                continue;
            }
            // The check itself says what cannot be searched.
            let outcomes =
                stubborn_engine::check(system, std::slice::from_ref(property), &options, &watch);
            let outcome = outcomes.ok().and_then(|mut outcomes| outcomes.pop());
            let violated = outcome.filter(|one| matches!(one.verdict, Verdict::Violated { .. }));
            if let Some(outcome) = violated {
                telling.decided(at, &outcome);
                found.insert(at, outcome);
            }
        }
    }
    found
}

/// What was found takes the place of what a limit has left open.
pub fn make_up(outcomes: &mut [Outcome], found: HashMap<usize, Outcome>) {
    for (at, violated) in found {
        debug_assert!(
            outcomes[at].verdict != Verdict::Holds,
            "a run that was replayed violates what was said to hold"
        );
        if !matches!(outcomes[at].verdict, Verdict::Violated { .. }) {
            outcomes[at] = violated;
        }
    }
}

/// Follows such a search.
struct Beside<'s> {
    over: &'s Over,
    telling: &'s OfSystem<'s>,
}

impl Watch for Beside<'_> {
    fn is_cancelled(&self) -> bool {
        self.over.is_over() || self.telling.is_cancelled()
    }

    fn now(&self) -> Instant {
        self.telling.now()
    }
}
