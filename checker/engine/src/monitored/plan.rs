//! The monitors that decide a property, each with its search.

use stubborn_automata::{
    Buchi, Insensitivity, NotMade, Stopped, Testing as TestingAutomaton, Work, buchi_of, ltl,
    testing_of,
};
use stubborn_system::property::{Formula, Property, Tester};
use stubborn_system::system::System;

use super::confirm::Watching;
use super::making::within_limits;
use super::product::Watcher;
use super::product::tester::marks_of;
use super::refinement::tester_of;
use crate::options::Options;
use crate::plan::monitors::{MonitorSearch, may_test};
use crate::search::{Marks, Meter};
use crate::verdict::Reason;

/// One way to decide a property.
pub struct Plan {
    pub monitor: PlannedMonitor,
    pub search: MonitorSearch,
}

impl Plan {
    fn watching(
        watcher: Watcher,
        observed: &[u32],
        is_insensitive: bool,
        options: &Options,
    ) -> Plan {
        let search = MonitorSearch::new(&watcher.marks(), is_insensitive, options);
        Plan {
            monitor: PlannedMonitor::Watcher(watcher, observed.to_vec()),
            search,
        }
    }

    /// The tester that watches, if one does.
    pub fn tester(&self) -> Option<Watching<'_>> {
        match &self.monitor {
            PlannedMonitor::Tester(tester, shown) => Some(Watching {
                tester,
                shown: shown.as_deref(),
            }),
            PlannedMonitor::Watcher(..) => None,
        }
    }

    /// Whether a finite run may show a violation.
    pub fn sees_finite_runs(&self) -> bool {
        let marks = match &self.monitor {
            PlannedMonitor::Tester(tester, _) => tester.states.iter().map(marks_of).collect(),
            PlannedMonitor::Watcher(watcher, _) => watcher.marks(),
        };
        marks.iter().any(|marks| marks.reject || marks.deadlock)
    }

    /// Returns the property that the monitor watches for, of a refinement the canonical tester.
    pub fn watched_for(&self, property: &Property) -> Property {
        match &self.monitor {
            PlannedMonitor::Tester(tester, _) => Property::Tester(tester.clone()),
            PlannedMonitor::Watcher(..) => property.clone(),
        }
    }
}

pub enum PlannedMonitor {
    /// With what the states of a canonical tester are shown as.
    Tester(Tester, Option<Vec<Vec<u32>>>),
    /// With the numbers of the property's propositions that it observes.
    Watcher(Watcher, Vec<u32>),
}

/// Returns the plans in their order; the first that reaches a verdict decides. A violation that an
/// automaton has found by an acceptance of its own kind may be none of the property; then the second
/// plan, with infinite acceptance alone, decides.
///
/// # Errors
/// The monitor is too large, or a limit was reached while it was built.
pub fn plans(
    system: &System,
    property: &Property,
    options: &Options,
    meter: &mut Meter<'_>,
) -> Result<Vec<Plan>, Reason> {
    within_limits(&mut |bytes| meter.prepare(bytes), |work| {
        made(system, property, options, work)
    })
}

fn made(
    system: &System,
    property: &Property,
    options: &Options,
    work: &Work<'_>,
) -> Result<Vec<Plan>, NotMade<Reason>> {
    match property {
        Property::Tester(tester) => Ok(vec![of_tester(tester.clone(), None, options)]),
        Property::Refinement(refinement) => {
            let canonical = tester_of(system, refinement, work)?;
            let shown = Some(canonical.shown);
            Ok(vec![of_tester(canonical.tester, shown, options)])
        }
        Property::Ltl(_) => Ok(of_buchi(&violating(property, work)?, true, options, work)?),
        Property::Buchi(_) => {
            let buchi = violating(property, work)?;
            let is_insensitive = buchi.insensitivity(work)? == Insensitivity::Shown;
            Ok(of_buchi(&buchi, is_insensitive, options, work)?)
        }
        Property::Testing(testing) => {
            let testing = TestingAutomaton::of_property(testing, work)
                .map_err(|why| why.map(Reason::AutomatonTooLarge))?;
            let all = (0..testing.propositions).collect();
            let buchi = unless_too_large(buchi_of(&testing, work))?;
            Ok(of_automaton(buchi, Some(testing), all, options, work)?)
        }
        _ => Ok(Vec::new()),
    }
}

/// Returns a Büchi automaton that accepts the maximal runs which violate a formula or an automaton.
///
/// # Errors
/// If it would be too large, or the work is stopped.
pub fn violating(property: &Property, work: &Work<'_>) -> Result<Buchi, NotMade<Reason>> {
    match property {
        Property::Ltl(formula) => {
            let negated = Formula::Not(Box::new(formula.formula.clone()));
            let propositions = formula.propositions.len() as u32;
            ltl::buchi_of(&negated, propositions, work)
                .map_err(|why| why.map(Reason::FormulaTooLarge))
        }
        Property::Buchi(buchi) => {
            Buchi::of_property(buchi, work).map_err(|why| why.map(Reason::AutomatonTooLarge))
        }
        Property::Testing(testing) => TestingAutomaton::of_property(testing, work)
            .and_then(|testing| buchi_of(&testing, work))
            .map_err(|why| why.map(Reason::AutomatonTooLarge)),
        _ => unreachable!("no automaton watches for other properties"),
    }
}

fn of_tester(tester: Tester, shown: Option<Vec<Vec<u32>>>, options: &Options) -> Plan {
    let marks: Vec<Marks> = tester.states.iter().map(marks_of).collect();
    Plan {
        monitor: PlannedMonitor::Tester(tester, shown),
        search: MonitorSearch::new(&marks, true, options),
    }
}

/// What no state of the automaton asks for is not observed.
fn of_buchi(
    buchi: &Buchi,
    is_insensitive: bool,
    options: &Options,
    work: &Work<'_>,
) -> Result<Vec<Plan>, Stopped> {
    let (buchi, observed) = buchi.without_unmentioned(work)?;
    let testing = match is_insensitive && may_test(options) {
        true => unless_too_large(testing_of(&buchi.clone().reduced(true, work)?, work))?,
        false => None,
    };
    of_automaton(Some(buchi), testing, observed, options, work)
}

/// What would be too large is done without, where there is another way.
fn unless_too_large<T>(made: Result<T, NotMade>) -> Result<Option<T>, Stopped> {
    match made {
        Ok(made) => Ok(Some(made)),
        Err(NotMade::TooLarge(_)) => Ok(None),
        Err(NotMade::Stopped) => Err(Stopped),
    }
}

/// `buchi` is the property's own automaton, for the last word.
fn of_automaton(
    buchi: Option<Buchi>,
    testing: Option<TestingAutomaton>,
    observed: Vec<u32>,
    options: &Options,
    work: &Work<'_>,
) -> Result<Vec<Plan>, Stopped> {
    let mut plans = Vec::new();
    if let Some(testing) = testing.filter(|_| may_test(options)) {
        let testing = Watcher::Testing(testing.reduced(work)?);
        let plan = Plan::watching(testing, &observed, true, options);
        if plan.search.is_worth_testing(options) || buchi.is_none() {
            plans.push(plan);
        }
    }
    if let Some(buchi) = buchi {
        for buchi in [buchi.clone().reduced(false, work)?, buchi.without_reject()] {
            let buchi = Watcher::Buchi(buchi);
            plans.push(Plan::watching(buchi, &observed, false, options));
        }
    }
    Ok(plans)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Instant;

    use stubborn_system::property::{Buchi, BuchiState, Ltl, Testing, TestingState};
    use stubborn_system::system::Expr;

    use super::*;
    use crate::budget::Budget;
    use crate::options::Limits;

    const STATES: u32 = 5_000;

    fn propositions(count: u32) -> Vec<Expr> {
        (0..count).map(Expr::Choice).collect()
    }

    /// A long way to go while p holds and does not hold by turns.
    fn buchi() -> Property {
        let p = || Formula::Proposition(0);
        let state = |number: u32| BuchiState {
            label: match number % 2 {
                0 => p(),
                _ => Formula::Not(Box::new(p())),
            },
            initial: number == 0,
            infinite: number + 1 == STATES,
            next: vec![number, (number + 1).min(STATES - 1)],
            reject: false,
            deadlock: false,
        };
        Property::Buchi(Buchi {
            propositions: propositions(1),
            states: (0..STATES).map(state).collect(),
        })
    }

    fn testing() -> Property {
        let state = |number: u32| TestingState {
            initial: (number == 0).then_some(Formula::Constant(true)),
            livelock: number + 1 == STATES,
            next: vec![(1, (number + 1).min(STATES - 1))],
            reject: false,
            deadlock: false,
            infinite: false,
        };
        Property::Testing(Testing {
            propositions: propositions(1),
            states: (0..STATES).map(state).collect(),
        })
    }

    fn ltl() -> Property {
        let often = |number| {
            let often = Formula::Eventually(Box::new(Formula::Proposition(number)));
            Formula::Not(Box::new(often))
        };
        Property::Ltl(Ltl {
            propositions: propositions(7),
            formula: Formula::Any((0..7).map(often).collect()),
        })
    }

    fn planned(property: &Property, budget: Budget<'_>) -> Result<usize, Reason> {
        let mut meter = Meter::quiet(budget);
        let plans = plans(
            &System::default(),
            property,
            &Options::default(),
            &mut meter,
        );
        plans.map(|plans| plans.len())
    }

    #[test]
    fn a_monitor_is_not_made_to_the_end_once_nobody_wants_it() {
        for property in [buchi(), testing(), ltl()] {
            for after in [0, 3] {
                let asked = AtomicU32::new(0);
                let is_cancelled = || asked.fetch_add(1, Ordering::Relaxed) >= after;
                let planned = planned(&property, Budget::default().until(&is_cancelled));
                assert_eq!(planned, Err(Reason::Cancelled));
                assert_eq!(asked.into_inner(), after + 1);
            }
        }
    }

    #[test]
    fn a_monitor_is_not_made_after_the_deadline() {
        let limits = Limits {
            deadline: Some(Instant::now()),
            ..Limits::default()
        };
        for property in [buchi(), testing(), ltl()] {
            assert_eq!(planned(&property, limits.into()), Err(Reason::Time));
        }
    }

    #[test]
    fn a_monitor_is_made_within_the_memory_that_there_is() {
        let limited = |max_memory| Limits {
            max_memory: Some(max_memory),
            ..Limits::default()
        };
        for property in [buchi(), testing()] {
            let planned = |limits: Limits| planned(&property, limits.into());
            assert_eq!(planned(limited(100_000)), Err(Reason::Memory(100_000)));
            assert!(planned(limited(1 << 30)).is_ok());
        }
    }

    #[test]
    fn the_work_for_a_monitor_grows_with_the_automaton() {
        let Property::Buchi(long) = buchi() else {
            unreachable!("it is one")
        };
        let spent = |states: u32| {
            let mut short = long.clone();
            short.states.truncate(states as usize);
            let last = &mut short.states[states as usize - 1];
            last.infinite = true;
            last.next = vec![states - 1];
            let work = Work::unlimited();
            let made = made(
                &System::default(),
                &Property::Buchi(short),
                &Options::default(),
                &work,
            );
            assert!(made.is_ok());
            work.done()
        };
        // What is tried with small automata alone is not.
        assert!(spent(5_000) < 3 * spent(2_500));
    }
}
