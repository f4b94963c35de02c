//! A search for each property by itself, beside a check that takes long: what is violated within few steps is found
//! as soon as if its property had been asked for alone, whatever the check is busy with.
//!
//! Verdicts are still those of the check. A run that was found here is replayed like any other, and so counts where
//! the check itself has come to no verdict.

use std::collections::HashMap;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use stubborn_engine::plan::planner::probes;
use stubborn_engine::{Caller, CheckError, Event, Observer as _, Options, Outcome, Verdict};
use stubborn_system::property::Property;
use stubborn_system::system::System;

use crate::check::SystemCheck;

/// Stack of the thread: room for the deepest expressions.
const STACK: usize = 256 << 20;

/// What is over by then needs nobody beside it.
const PATIENCE: Duration = Duration::from_millis(250);
/// For so long they look ahead without a rest,
const LONGEST: Duration = Duration::from_secs(1);
/// and then they rest so many times as long as each search has taken: they are not to cost much where nothing is
/// violated.
const RESTS: u32 = 4;
/// So long a run that is found may be made shorter before it is told.
const SHORTENING: Duration = Duration::from_millis(200);
/// The part of the memory that the check may take.
const PART_OF_MEMORY: u64 = 16;

/// Checks properties, with a second thread that searches for a violation of each by itself.
///
/// # Errors
/// Those of [`stubborn_engine::check`].
pub(crate) fn beside_scouts(
    system: &System,
    properties: &[Property],
    options: &Options,
    (caller, telling): (Caller<'_>, &SystemCheck<'_>),
) -> Result<Vec<Outcome>, CheckError> {
    let over = AtomicBool::new(false);
    // The scouts report nothing by themselves.
    let is_cancelled = || over.load(Relaxed) || caller.budget.is_cancelled();
    let quiet = Caller::from(caller.budget.until(&is_cancelled));
    thread::scope(|scope| {
        let scouts = Builder::new().stack_size(STACK);
        let scouts = scouts.spawn_scoped(scope, || {
            scout(system, properties, options, (quiet, telling), &over)
        });
        let found = stubborn_engine::check(system, properties, options, caller);
        over.store(true, Relaxed);
        if let Ok(scouts) = &scouts {
            scouts.thread().unpark();
        }
        // Where there was no thread to be had, nobody has looked ahead; nor is a defect there one of the check.
        let violated = scouts.ok().and_then(|scouts| scouts.join().ok());
        let mut found = found?;
        make_up(&mut found, violated.unwrap_or_default());
        Ok(found)
    })
}

/// Whether the check is over before so much time has passed.
fn ends_within(time: Duration, over: &AtomicBool) -> bool {
    let end = Instant::now() + time;
    while !over.load(Relaxed) {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        thread::park_timeout(left);
    }
    true
}

/// Looks for violations until the check is over, and tells those that are found.
fn scout(
    system: &System,
    properties: &[Property],
    options: &Options,
    (caller, telling): (Caller<'_>, &SystemCheck<'_>),
    over: &AtomicBool,
) -> HashMap<usize, Outcome> {
    let mut found = HashMap::new();
    if ends_within(PATIENCE, over) {
        return found;
    }
    let began = Instant::now();
    let mut took = Duration::ZERO;
    let mut given = *options;
    given.tells_seen = false;
    given.threads = None;
    given.limits.max_memory = given.limits.max_memory.map(|most| most / PART_OF_MEMORY);
    for options in probes(&given) {
        for at in in_turns(properties) {
            let property = &properties[at];
            if found.contains_key(&at) || telling.has(at) {
                continue;
            }
            let rest = match began.elapsed() > LONGEST {
                true => took * RESTS,
                false => Duration::ZERO,
            };
            if ends_within(rest, over) {
                return found;
            }
            let begun = Instant::now();
            // The check itself says what cannot be searched.
            let outcomes =
                stubborn_engine::check(system, std::slice::from_ref(property), &options, caller);
            let outcome = outcomes.ok().and_then(|mut outcomes| outcomes.pop());
            let violated = outcome.filter(|one| matches!(one.verdict, Verdict::Violated { .. }));
            if let Some(outcome) = violated {
                let outcome = shorter(system, property, &given, caller).unwrap_or(outcome);
                telling.event(Event::Decided(at, &outcome));
                found.insert(at, outcome);
            }
            took = begun.elapsed();
        }
    }
    found
}

/// The numbers of the properties, the first of each kind first: a family of many is not to keep others waiting.
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

/// The violation once more, now that it is known to be near: with as many states for a shorter run as if its property had
/// been asked for alone, and little time. `None` where that is not over by then.
fn shorter(
    system: &System,
    property: &Property,
    options: &Options,
    caller: Caller<'_>,
) -> Option<Outcome> {
    let mut options = *options;
    let end = Instant::now() + SHORTENING;
    let end = options
        .limits
        .deadline
        .map_or(end, |deadline| deadline.min(end));
    (options.limits.deadline, options.limits.shortening) = (Some(end), Some(end));
    let outcomes = stubborn_engine::check(system, std::slice::from_ref(property), &options, caller);
    let outcome = outcomes.ok()?.pop()?;
    matches!(outcome.verdict, Verdict::Violated { .. }).then_some(outcome)
}

/// What was found takes the place of what a limit has left open.
fn make_up(outcomes: &mut [Outcome], found: HashMap<usize, Outcome>) {
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
