//! Random systems, with every kind of property: by one process, and by several.
//!
//! The tests take a slice, five hundred of them, each in full and reduced. `PROPTEST_CASES=20000 PROPTEST_RNG_SEED=1 cargo test --release -p stubborn-cluster random_systems`
//! takes as many as that of each.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use stubborn_engine::interpreter::replay;
use stubborn_engine::{
    Exploration, Limits, Options, Outcome, Reason, Reduction, Silent, Symmetry, Verdict, Watch,
    check, explore,
};
use stubborn_model::elaborate::Settings;
use stubborn_random::read::Drawn;
use stubborn_random::systems::Source;
use stubborn_random::watch::Kind;
use stubborn_random::{fixed, mixture, read, symmetric, watch};
use stubborn_system::property::Property;
use stubborn_system::system::System;

use crate::together::{Nothing, Together};

fn options((reduction, symmetry): How) -> Options {
    Options {
        reduction,
        symmetry,
        limits: Limits {
            max_states: Some(3_000),
            ..Limits::default()
        },
        ..Options::default()
    }
}

/// Whether steps are left out, and states taken for one.
type How = (Reduction, Symmetry);

const ALL: [How; 4] = [
    (Reduction::None, Symmetry::Off),
    (Reduction::Stubborn, Symmetry::Always),
    (Reduction::None, Symmetry::Always),
    (Reduction::Stubborn, Symmetry::Off),
];

/// All of them, where somebody asks for many cases; of a slice each case has two, in turn.
fn ways(case: usize) -> &'static [How] {
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => &ALL,
        None => &ALL[case % 2 * 2..][..2],
    }
}

fn explored(system: &System, how: How, watch: &dyn Watch) -> Exploration {
    explore(system, &options(how), watch, &mut Nothing).expect("its states are small")
}

/// What does not depend on who has searched.
fn counts(of: &Exploration) -> Option<([u64; 4], bool)> {
    let counts = [of.states, of.edges, of.terminal, of.failing];
    of.complete.then_some((counts, of.full))
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
        // Before a limit on states one may come to what the other does not.
        (Verdict::Violated { .. }, Verdict::Undecided(Reason::States(_)))
        | (Verdict::Undecided(Reason::States(_)), Verdict::Violated { .. }) => true,
        _ => false,
    }
}

/// How often each was met: what was asked, by whom it was decided, and how.
type Met = BTreeMap<(bool, &'static str, &'static str), u32>;

fn compare(
    system: &System,
    properties: &[Property],
    ways: &[How],
    together: &Together,
    met: &Mutex<Met>,
) -> Result<(), TestCaseError> {
    for how in ways.iter().copied() {
        let reduction = how.0;
        let alone = explored(system, how, &Silent);
        let shared = explored(system, how, together);
        prop_assert_eq!(counts(&alone), counts(&shared));
        let options = options(how);
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
            let is_about_all = matches!(
                property,
                Property::Termination
                    | Property::MayProgress(_)
                    | Property::MustProgress(_)
                    | Property::Recurrence { .. }
            ) || property.is_monitored();
            // Where one has come to a limit on states before the other's violation there is nothing to compare.
            if is_shared
                && !is_about_all
                && let (Some(alone), Some(together)) = (length(one), length(several))
            {
                prop_assert_eq!(
                    alone,
                    together,
                    "{:?}, {:?}: {:?} and {:?}",
                    reduction,
                    property,
                    one,
                    several
                );
            }
            let is_counted = is_shared && !property.is_monitored();
            if is_counted && one.verdict == Verdict::Holds && reduction == Reduction::None {
                let counts = |of: &Outcome| (of.states, of.edges, of.full);
                prop_assert_eq!(counts(one), counts(several));
            }
            // A tester may take steps that are none of the system: what a monitor shows the engine has confirmed.
            if let Verdict::Violated { trace, .. } = &several.verdict
                && !property.is_monitored()
            {
                prop_assert!(replay(system, trace).is_ok());
            }
            let how = match several.verdict {
                Verdict::Holds => "holds",
                Verdict::Violated { .. } => "violated",
                Verdict::Undecided(_) => "undecided",
            };
            let mut met = met.lock().expect("nobody panics");
            *met.entry((is_shared, kind(property), how)).or_default() += 1;
        }
    }
    Ok(())
}

fn kind(property: &Property) -> &'static str {
    match property {
        Property::Errors => "errors",
        Property::Deadlock { .. } => "deadlock",
        Property::Termination => "termination",
        Property::Invariant(_) => "invariant",
        Property::Reachable(_) => "reachable",
        Property::MayProgress(_) => "may",
        Property::MustProgress(_) => "must",
        Property::Recurrence { .. } => "recurrence",
        Property::Ltl(_) => "formula",
        Property::Tester(_) => "tester",
        Property::Buchi(_) => "buchi",
        Property::Testing(_) => "testing",
        Property::Refinement(_) => "refinement",
        Property::Fair(_) => "fair",
    }
}

/// So many cases; or more, as the variable PROPTEST_CASES says.
fn many(cases: u32) -> u32 {
    let more = std::env::var("PROPTEST_CASES").ok();
    more.and_then(|more| more.parse().ok()).unwrap_or(cases)
}

fn sweep(cases: u32, processes: u32, workers: u32) -> Met {
    let together = Together::new(processes, workers, None);
    let met = Mutex::default();
    let case = AtomicUsize::new(0);
    fixed::test(many(cases), &fixed::numbers(50..400), |numbers| {
        let mut source = Source::new(&numbers);
        let system = source.system();
        let mut properties = source.properties(&system);
        properties.extend([Property::Errors, Property::Deadlock { allowed: None }]);
        let ways = ways(case.fetch_add(1, Relaxed));
        compare(&system, &properties, ways, &together, &met)
    });
    met.into_inner().expect("nobody panics")
}

/// A system, written as text and read again, with what is asked about it.
fn drawn(seed: u64) -> Option<(Arc<System>, Vec<Property>)> {
    let of_model = |drawn: Drawn| {
        let properties = drawn.properties.into_iter().map(|named| named.property);
        (drawn.system, properties.collect())
    };
    let watched = |kind| {
        let case = watch::draw(kind, seed)?;
        let read = read::case(&case).expect("what is drawn there is right")?;
        Some((read.system, vec![read.property]))
    };
    match seed % 5 {
        0 => read::model(&mixture::thirds(seed)).map(of_model),
        1 => {
            let text = symmetric::text(seed, symmetric::Share::Symmetric);
            read::text(text, &Settings::default()).map(of_model)
        }
        2 => watched(Kind::Tester),
        3 => watched(Kind::Formula),
        _ => watched(Kind::Automaton),
    }
}

fn sweep_models(cases: u32, processes: u32, workers: u32) -> Met {
    let together = Together::new(processes, workers, None);
    let met = Mutex::default();
    let first = std::env::var("PROPTEST_RNG_SEED").ok();
    let first = first.and_then(|seed| seed.parse().ok()).unwrap_or(0);
    for seed in first..first + u64::from(many(cases)) {
        if let Some((system, properties)) = drawn(seed)
            && let Err(differs) = compare(
                &system,
                &properties,
                ways(seed as usize / 5),
                &together,
                &met,
            )
        {
            panic!("seed {seed}: {differs}");
        }
    }
    met.into_inner().expect("nobody panics")
}

/// All of these are decided together, both ways.
fn were_met(met: &Met, kinds: &[&'static str]) {
    for kind in kinds {
        for how in ["holds", "violated"] {
            let many = met.get(&(true, *kind, how)).copied();
            assert!(many.unwrap_or(0) > 0, "{kind} {how}: {met:?}");
        }
    }
}

const ORDINARY: &[&str] = &[
    "errors",
    "deadlock",
    "termination",
    "invariant",
    "reachable",
    "may",
    "must",
    "recurrence",
];
const WATCHED: &[&str] = &["formula", "tester", "buchi", "testing", "refinement"];

#[test]
fn two_processes_find_what_one_does() {
    were_met(&sweep(100, 2, 1), ORDINARY);
}

#[test]
fn two_processes_with_two_workers_each_find_what_one_does() {
    assert!(!sweep(50, 2, 2).is_empty());
}

#[test]
fn two_processes_find_in_models_what_one_does() {
    were_met(&sweep_models(250, 2, 1), WATCHED);
}

#[test]
fn three_processes_with_two_workers_each_find_in_models_what_one_does() {
    assert!(!sweep_models(100, 3, 2).is_empty());
}
