//! Random systems, with every kind of property: by one process, and by several.

use std::collections::BTreeMap;
use std::sync::Mutex;

use proptest::prelude::*;
use stubborn_engine::interpreter::replay;
use stubborn_engine::{
    Exploration, Limits, Options, Outcome, Reduction, Silent, Sink, Verdict, Watch, check, explore,
};
use stubborn_random::fixed;
use stubborn_random::systems::Source;
use stubborn_system::property::Property;
use stubborn_system::system::System;

use crate::together::Together;

fn options(reduction: Reduction) -> Options {
    Options {
        reduction,
        limits: Limits {
            max_states: Some(3_000),
            ..Limits::default()
        },
        ..Options::default()
    }
}

struct Nothing;

impl Sink for Nothing {
    fn wants_states(&self) -> bool {
        false
    }

    fn wants_edges(&self) -> bool {
        false
    }
}

fn explored(system: &System, reduction: Reduction, watch: &dyn Watch) -> Exploration {
    explore(system, &options(reduction), watch, &mut Nothing).expect("its states are small")
}

/// What does not depend on who has searched.
fn counts(of: &Exploration) -> (bool, Option<(u64, u64, u64, u64, bool)>) {
    let counts = (of.states, of.edges, of.terminal, of.failing, of.full);
    (of.complete, of.complete.then_some(counts))
}

fn length(outcome: &Outcome) -> Option<usize> {
    match &outcome.verdict {
        Verdict::Violated { trace, .. } => Some(trace.len()),
        Verdict::Holds | Verdict::Undecided(_) => None,
    }
}

/// Whether two verdicts are of one kind.
fn are_alike(one: &Outcome, other: &Outcome) -> bool {
    match (&one.verdict, &other.verdict) {
        (Verdict::Violated { .. }, Verdict::Violated { .. }) | (Verdict::Holds, Verdict::Holds) => {
            true
        }
        (Verdict::Undecided(one), Verdict::Undecided(other)) => one == other,
        _ => false,
    }
}

/// How often each was met: what was asked, by whom it was decided, and how.
type Met = BTreeMap<(bool, &'static str), u32>;

fn compare(
    system: &System,
    properties: &[Property],
    together: &Together,
    met: &Mutex<Met>,
) -> Result<(), TestCaseError> {
    for reduction in [Reduction::None, Reduction::Stubborn] {
        let alone = explored(system, reduction, &Silent);
        let shared = explored(system, reduction, together);
        prop_assert_eq!(counts(&alone), counts(&shared));
        let options = options(reduction);
        let alone = check(system, properties, &options, &Silent).expect("its states are small");
        let shared = check(system, properties, &options, together).expect("its states are small");
        for ((property, one), several) in properties.iter().zip(&alone).zip(&shared) {
            prop_assert!(
                are_alike(one, several),
                "{:?}: {:?} and {:?}",
                property,
                one,
                several
            );
            let is_shared = several.sharing.is_some();
            if is_shared {
                prop_assert_eq!(
                    length(one),
                    length(several),
                    "{:?}, {:?}: {:?} and {:?}",
                    reduction,
                    property,
                    one,
                    several
                );
                if one.verdict == Verdict::Holds && reduction == Reduction::None {
                    let counts = |of: &Outcome| (of.states, of.edges, of.full);
                    prop_assert_eq!(counts(one), counts(several));
                }
            }
            if let Verdict::Violated { trace, .. } = &several.verdict {
                prop_assert!(replay(system, trace).is_ok());
            }
            let how = match several.verdict {
                Verdict::Holds => "holds",
                Verdict::Violated { .. } => "violated",
                Verdict::Undecided(_) => "undecided",
            };
            let mut met = met.lock().expect("nobody panics");
            *met.entry((is_shared, how)).or_default() += 1;
        }
    }
    Ok(())
}

/// So many cases; or more, as the variable PROPTEST_CASES says.
fn sweep(cases: u32, processes: u32, workers: u32) -> Met {
    let more = std::env::var("PROPTEST_CASES").ok();
    let cases = more.and_then(|more| more.parse().ok()).unwrap_or(cases);
    let together = Together::new(processes, workers, None);
    let met = Mutex::default();
    fixed::test(cases, &fixed::numbers(50..400), |numbers| {
        let mut source = Source::new(&numbers);
        let system = source.system();
        let mut properties = source.properties(&system);
        properties.extend([Property::Errors, Property::Deadlock { allowed: None }]);
        compare(&system, &properties, &together, &met)
    });
    met.into_inner().expect("nobody panics")
}

#[test]
fn two_processes_find_what_one_does() {
    let met = sweep(150, 2, 1);
    for how in ["holds", "violated"] {
        assert!(met.get(&(true, how)).copied().unwrap_or(0) > 20, "{met:?}");
    }
}

#[test]
fn two_processes_with_two_workers_each_find_what_one_does() {
    let met = sweep(100, 2, 2);
    for how in ["holds", "violated"] {
        assert!(met.get(&(true, how)).copied().unwrap_or(0) > 20, "{met:?}");
    }
}
