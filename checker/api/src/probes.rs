//! A search for each property by itself, beside a check that takes long.
//!
//! A property that is violated within few steps is found as soon as if it had been checked alone.
//! Verdicts are still those of the check. A run that a probe has found is replayed like any other;
//! it counts if the check itself has come to no verdict.

use std::collections::HashMap;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use stubborn_engine::plan::beside::probes;
use stubborn_engine::{Caller, CheckError, Event, Options, Outcome, Verdict};
use stubborn_system::property::Property;
use stubborn_system::system::System;

/// A check that is over by then has no probes.
const PATIENCE: Duration = Duration::from_millis(250);
/// Time for which probes follow each other without a rest.
const LONGEST: Duration = Duration::from_secs(1);
/// Length of a rest after that, in durations of the last probe: probes must cost little if nothing
/// is violated.
const RESTS: u32 = 4;
/// Time for which a run may be shortened before it is reported.
const SHORTENING: Duration = Duration::from_millis(200);
/// Fraction of the memory of the check that a probe may use.
const PART_OF_MEMORY: u64 = 16;

/// Checks properties, with probes on a second thread if there is one. `is_decided` tells whether the
/// check has decided a property.
///
/// # Errors
/// The errors of [`stubborn_engine::check`].
pub(crate) fn check_with_probes(
    system: &System,
    properties: &[Property],
    options: &Options,
    caller: Caller<'_>,
    is_decided: &(dyn Fn(usize) -> bool + Sync),
) -> Result<Vec<Outcome>, CheckError> {
    let is_over = AtomicBool::new(false);
    let is_cancelled = || is_over.load(Relaxed) || caller.budget.is_cancelled();
    let (end, ended) = channel();
    let mut end = Some(End {
        is_over: &is_over,
        _channel: end,
    });
    let mut probing = Probing {
        system,
        properties,
        options,
        caller,
        quiet: caller.quiet().until(&is_cancelled),
        is_decided,
        ended,
        violated: HashMap::new(),
    };
    let mut outcomes = None;
    let probe = || {
        // A panic in a probe must not fail the check.
        let _ = catch_unwind(AssertUnwindSafe(|| probing.run()));
    };
    caller
        .resources
        .threads
        .run(vec![Box::new(probe)], &mut || {
            let _end = end.take();
            outcomes = Some(stubborn_engine::check(system, properties, options, caller));
        });
    let mut outcomes = outcomes.expect("this thread has checked")?;
    add_violations(&mut outcomes, probing.violated);
    Ok(outcomes)
}

/// Ends the probes when it is dropped.
struct End<'a> {
    is_over: &'a AtomicBool,
    _channel: Sender<()>,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.is_over.store(true, Relaxed);
    }
}

struct Probing<'a> {
    system: &'a System,
    properties: &'a [Property],
    options: &'a Options,
    /// Receives the violations.
    caller: Caller<'a>,
    /// For the searches, which report nothing by themselves.
    quiet: Caller<'a>,
    is_decided: &'a (dyn Fn(usize) -> bool + Sync),
    /// Closed when the check is over.
    ended: Receiver<()>,
    violated: HashMap<usize, Outcome>,
}

impl Probing<'_> {
    /// Searches for violations until the check is over, and reports those that it finds.
    fn run(&mut self) {
        if self.ends_within(PATIENCE) {
            return;
        }
        let clock = self.quiet.budget;
        let began = clock.now();
        let mut took = Duration::ZERO;
        let mut given = *self.options;
        given.tells_seen = false;
        given.threads = None;
        given.limits.max_memory = given.limits.max_memory.map(|most| most / PART_OF_MEMORY);
        for options in probes(&given) {
            for at in in_turns(self.properties) {
                if self.violated.contains_key(&at) || (self.is_decided)(at) {
                    continue;
                }
                let begun = clock.now();
                let rest = match begun - began > LONGEST {
                    true => took * RESTS,
                    false => Duration::ZERO,
                };
                if self.ends_within(rest) {
                    return;
                }
                let begun = clock.now();
                if let Some(outcome) = self.violation(at, &options) {
                    let outcome = self.shorter(at, &given).unwrap_or(outcome);
                    self.caller.observer.event(Event::Decided(at, &outcome));
                    self.violated.insert(at, outcome);
                }
                took = clock.now() - begun;
            }
        }
    }

    /// Whether the check is over before so much time has passed.
    fn ends_within(&self, time: Duration) -> bool {
        self.ended.recv_timeout(time) != Err(RecvTimeoutError::Timeout)
    }

    /// Searches for a violation of one property. The check itself reports errors.
    fn violation(&self, at: usize, options: &Options) -> Option<Outcome> {
        let property = std::slice::from_ref(&self.properties[at]);
        let outcomes = stubborn_engine::check(self.system, property, options, self.quiet);
        let outcome = outcomes.ok()?.pop()?;
        matches!(outcome.verdict, Verdict::Violated { .. }).then_some(outcome)
    }

    /// Searches again for a violation that is known to be near: with as many states for a shorter
    /// run as if its property had been checked alone, and little time.
    fn shorter(&self, at: usize, options: &Options) -> Option<Outcome> {
        let mut options = *options;
        let end = self.quiet.budget.now() + SHORTENING;
        let deadline = options.limits.deadline;
        let end = deadline.map_or(end, |deadline| deadline.min(end));
        (options.limits.deadline, options.limits.shortening) = (Some(end), Some(end));
        self.violation(at, &options)
    }
}

/// Returns the numbers of the properties, the first of each kind first, so that a large family does
/// not keep others waiting.
fn in_turns(properties: &[Property]) -> Vec<usize> {
    let mut before = HashMap::new();
    let turn = |(at, property): (usize, &Property)| {
        let many: &mut usize = before.entry(mem::discriminant(property)).or_default();
        *many += 1;
        (*many, at)
    };
    let mut turns: Vec<(usize, usize)> = properties.iter().enumerate().map(turn).collect();
    turns.sort_unstable();
    turns.into_iter().map(|(_, at)| at).collect()
}

/// Replaces outcomes that a limit has left undecided by violations that probes have found.
fn add_violations(outcomes: &mut [Outcome], violated: HashMap<usize, Outcome>) {
    for (at, violated) in violated {
        debug_assert!(
            outcomes[at].verdict != Verdict::Holds,
            "a run that was replayed violates what was said to hold"
        );
        if !matches!(outcomes[at].verdict, Verdict::Violated { .. }) {
            outcomes[at] = violated;
        }
    }
}

#[cfg(test)]
mod tests {
    use stubborn_system::property::Property;
    use stubborn_system::system::{Expr, Value};

    use super::in_turns;

    #[test]
    fn the_first_of_each_kind_comes_before_the_second_of_any() {
        let holds = || Expr::Const(Value::Int(1));
        let family = (0..70).map(|_| Property::MayProgress(holds()));
        let others = [Property::Invariant(holds()), Property::Errors];
        let all: Vec<Property> = family.chain(others).collect();
        let turns = in_turns(&all);
        assert_eq!(turns[..4], [0, 70, 71, 1]);
        assert_eq!(turns.len(), all.len());
    }
}
