//! Small rounds beside a whole search, for what took long when it was last searched.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::{Condvar, Mutex, MutexGuard};
use stubborn_engine::plan::editor::{rounds_beside, sharing_rounds};
use stubborn_engine::{Budget, Options, Outcome, violated_soon};
use stubborn_system::property::Property;

use super::order::{News, Search};
use crate::jobs::gate::Gate;

/// Lowers the priority of the calling thread: the whole search comes first. Linux only.
pub fn yield_to_others() {
    #[cfg(target_os = "linux")]
    // SAFETY: it touches no memory. On Linux it concerns the calling thread alone, and lowering a
    // priority is always allowed.
    unsafe {
        libc::setpriority(libc::PRIO_PROCESS, 0, 19);
    }
}

/// What the whole search has told of.
#[derive(Default)]
pub struct Settled {
    properties: Mutex<BTreeSet<usize>>,
    /// It tells nothing more.
    is_over: AtomicBool,
    ended: Condvar,
}

impl Settled {
    /// Those that it has told of.
    pub fn properties(&self) -> MutexGuard<'_, BTreeSet<usize>> {
        self.properties.lock()
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Nobody who waits at the lock misses it.
    pub fn end(&self) {
        let properties = self.properties();
        self.is_over.store(true, Ordering::Relaxed);
        drop(properties);
        self.ended.notify_all();
    }

    /// Waits until it tells nothing more, but not longer than this.
    pub fn wait(&self, longest: Duration) {
        let mut properties = self.properties();
        let goes_on = |_: &mut BTreeSet<usize>| !self.is_over();
        self.ended.wait_while_for(&mut properties, goes_on, longest);
    }
}

/// Searches for violations of slow properties in [planned](sharing_rounds) rounds. Reports one
/// unless the whole search was sooner: a user need not wait for that. Returns the violations, and
/// the number of states of the rounds.
pub fn found_soon(
    search: &Search,
    open: &[usize],
    options: &Options,
    (gate, settled): (&Gate, &Settled),
    tell: &(dyn Fn(News) + Sync),
) -> (Vec<(usize, Outcome)>, u64) {
    let (mut found, mut generated) = (Vec::new(), 0);
    let (system, properties) = (&search.wanted.system, &search.wanted.properties);
    let states = |at: &usize| search.wanted.slow.get(&properties[*at].key).copied();
    for (states, together) in sharing_rounds(open, states) {
        // It waits for its turn, and ends with the whole search.
        let budget = Budget::new(gate);
        let is_cancelled = || budget.is_cancelled() || settled.is_over();
        let budget = budget.until(&is_cancelled);
        if budget.is_cancelled() {
            break;
        }
        let stated = || together.iter().map(|at| &properties[*at]);
        let asked: Vec<Property> = stated().map(|one| one.property.clone()).collect();
        let (options, quick) = rounds_beside(options, states, gate.now());
        let of_rounds = || violated_soon(system, &asked, quick, &options, budget.into());
        // A defect in it takes nothing away from the whole search.
        let Ok(Ok(outcomes)) = catch_unwind(AssertUnwindSafe(of_rounds)) else {
            continue;
        };
        let of_each = outcomes.iter().map(|outcome| {
            let before = outcome.round.map_or(0, |round| round.before);
            outcome.states + before
        });
        generated += of_each.max().unwrap_or(0);
        let outcomes = together.iter().zip(stated()).zip(outcomes);
        for ((property, one), outcome) in outcomes.filter(|(_, o)| o.verdict.is_violated()) {
            let outcome = one.kept(system, &outcome);
            // What the whole search tells of it comes later than this, or has come before.
            let settled = settled.properties();
            if settled.contains(property) || gate.is_cancelled() {
                continue;
            }
            tell(News::Decided {
                property: *property,
                outcome: Box::new(outcome.clone()),
                found_before: false,
            });
            drop(settled);
            found.push((*property, outcome));
        }
    }
    (found, generated)
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::yield_to_others;

    fn niceness() -> i32 {
        // SAFETY: it touches no memory.
        unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) }
    }

    #[test]
    fn the_thread_that_yields_comes_last_and_no_other() {
        let before = niceness();
        let of_thread = std::thread::spawn(|| {
            yield_to_others();
            niceness()
        });
        assert_eq!(of_thread.join().ok(), Some(19));
        assert_eq!(niceness(), before);
    }
}
