//! Random systems, with every kind of property: by one process, and by several.
//!
//! The tests take a slice, five hundred of them, each in full and reduced, by two processes or more in turn. `PROPTEST_CASES=10000
//! PROPTEST_RNG_SEED=1 cargo test --release -p stubborn-cluster random_systems` takes as many as that of each, by all.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use stubborn_engine::interpreter::replay;
use stubborn_engine::{
    Caller, Exploration, Limits, Options, Outcome, Reason, Reduction, Symmetry, Verdict, check,
    explore,
};
use stubborn_model::elaborate::Settings;
use stubborn_random::random::Random;
use stubborn_random::read::Drawn;
use stubborn_random::systems::{Source, widened};
use stubborn_random::watch::{Case, Kind};
use stubborn_random::{fixed, mixture, read, starving, symmetric, watch};
use stubborn_system::property::{Assumption, Fair, Property, StepPattern, StepSet};
use stubborn_system::system::System;

use crate::together::{Nothing, Together};

fn options(reduction: Reduction, is_wide: bool) -> Options {
    Options {
        reduction,
        // What makes it wide changes nothing, and is to stay.
        keep_dead_variables: is_wide,
        keep_constants: is_wide,
        // Several processes merge no states.
        symmetry: Symmetry::Off,
        limits: Limits {
            max_states: Some(3_000),
            ..Limits::default()
        },
        ..Options::default()
    }
}

/// Both, if many cases are asked for; otherwise each case has one, in turn.
fn ways(case: usize) -> &'static [Reduction] {
    const ALL: [Reduction; 2] = [Reduction::None, Reduction::Stubborn];
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => &ALL,
        None => &ALL[case % 2..][..1],
    }
}

fn explored(system: &System, options: &Options, caller: Caller<'_>) -> Exploration {
    explore(system, options, caller, &mut Nothing).expect("its states are small")
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

/// Whether only one process decides a property.
fn is_refused(property: &Property) -> bool {
    matches!(
        property,
        Property::MustProgress(_) | Property::Recurrence(..) | Property::Fair(_)
    )
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
    (system, is_wide): (&System, bool),
    properties: &[Property],
    ways: &[Reduction],
    together: &Together,
    met: &Mutex<Met>,
) -> Result<(), TestCaseError> {
    for reduction in ways.iter().copied() {
        let options = options(reduction, is_wide);
        let alone = explored(system, &options, Caller::default());
        let shared = explored(system, &options, together.caller());
        prop_assert_eq!(counts(&alone), counts(&shared));
        let alone =
            check(system, properties, &options, Caller::default()).expect("its states are small");
        let shared =
            check(system, properties, &options, together.caller()).expect("its states are small");
        for ((property, one), several) in properties.iter().zip(&alone).zip(&shared) {
            if is_refused(property) {
                let refused = Verdict::Undecided(Reason::OneProcessOnly);
                prop_assert_eq!(&several.verdict, &refused);
                continue;
            }
            prop_assert!(
                are_alike(one, several),
                "{:?}: {:?} and {:?}",
                property,
                one,
                several
            );
            let is_shared = several.sharing.is_some();
            let is_about_all = matches!(property, Property::Termination | Property::MayProgress(_))
                || property.is_monitored();
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
        Property::Recurrence(..) => "recurrence",
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

/// How many processes, and workers in each.
type Layout = (u32, u32);

/// Those of some layouts, all of which are there at once.
struct Layouts(Vec<Together>);

impl Layouts {
    fn of(layouts: &[Layout]) -> Layouts {
        let together = |(processes, workers): &Layout| Together::new(*processes, *workers, None);
        Layouts(layouts.iter().map(together).collect())
    }

    /// All of them, where somebody asks for many cases; of a slice each case has one, in turn.
    fn of_case(&self, case: usize) -> &[Together] {
        match std::env::var_os("PROPTEST_CASES") {
            Some(_) => &self.0,
            // The ways change with each case.
            None => &self.0[case / 2 % self.0.len()..][..1],
        }
    }
}

/// In some cases the same system with states of several words. (It has the layouts and the ways of other cases in turn.)
fn as_wide(system: System, case: usize) -> (System, bool) {
    match case / 4 % 2 {
        0 => (system, false),
        _ => (widened(&system), true),
    }
}

fn sweep(cases: u32, layouts: &[Layout]) -> Met {
    let layouts = Layouts::of(layouts);
    let met = Mutex::default();
    let case = AtomicUsize::new(0);
    fixed::test(many(cases), &fixed::numbers(50..400), |numbers| {
        let mut source = Source::new(&numbers);
        let system = source.system();
        let mut properties = source.properties(&system);
        properties.extend([Property::Errors, Property::Deadlock { allowed: None }]);
        let case = case.fetch_add(1, Relaxed);
        let (system, is_wide) = as_wide(system, case);
        for together in layouts.of_case(case) {
            compare((&system, is_wide), &properties, ways(case), together, &met)?;
        }
        Ok(())
    });
    met.into_inner().expect("nobody panics")
}

/// A system, written as text and read again, with what is asked about it.
fn drawn(seed: u64) -> Option<(Arc<System>, Vec<Property>)> {
    let of_model = |drawn: Drawn| {
        let properties = drawn.properties.into_iter().map(|named| named.property);
        (drawn.system, properties.collect())
    };
    let watched_of = |case: Option<Case>| {
        let read = read::case(&case?).expect("what is drawn there is right")?;
        Some((read.system, vec![read.property]))
    };
    let watched = |kind| watched_of(watch::draw(kind, seed));
    let starving = || starving::model(seed);
    match seed % 8 {
        0 => read::model(&mixture::thirds(seed)).map(of_model),
        1 => {
            let text = symmetric::text(seed, symmetric::Share::Symmetric);
            read::text(text, &Settings::default()).map(of_model)
        }
        2 => watched(Kind::Tester),
        3 => watched(Kind::Formula),
        4 => watched(Kind::Automaton),
        5 => of_fair_runs(read::model(&starving()).map(of_model), seed),
        6 => of_fair_runs(watched_of(watch::of(starving(), Kind::Formula, seed)), seed),
        _ => of_fair_runs(
            watched_of(watch::of(starving(), Kind::Automaton, seed)),
            seed,
        ),
    }
}

/// The same, asked of the runs that are fair to some of the processes, weakly or strongly.
fn of_fair_runs(
    drawn: Option<(Arc<System>, Vec<Property>)>,
    seed: u64,
) -> Option<(Arc<System>, Vec<Property>)> {
    let (system, properties) = drawn?;
    let r = &mut Random::new(seed ^ 0xfa1_5eed);
    let mut assumptions: Vec<Assumption> = Vec::new();
    for (number, instance) in (0..).zip(&system.instances) {
        let locations = (0..instance.locations.len() as u32).collect();
        let patterns = vec![StepPattern::At(number, locations)];
        let one = Assumption {
            is_strong: r.one_in(2),
            steps: StepSet { patterns },
        };
        if assumptions.is_empty() || !r.one_in(3) {
            assumptions.push(one);
        }
    }
    let assumptions = Arc::new(assumptions);
    let fair = properties.into_iter().map(|property| match property {
        Property::MustProgress(_) | Property::Recurrence(..) => of(property, &assumptions),
        Property::Ltl(_) | Property::Buchi(_) | Property::Testing(_) => of(property, &assumptions),
        other => other,
    });
    let fair = fair.collect();
    Some((system, fair))
}

fn of(property: Property, assumptions: &Arc<Vec<Assumption>>) -> Property {
    Property::Fair(Fair {
        property: Box::new(property),
        assumptions: assumptions.clone(),
    })
}

fn sweep_models(cases: u32, layouts: &[Layout]) -> Met {
    let layouts = Layouts::of(layouts);
    let met = Mutex::default();
    let first = std::env::var("PROPTEST_RNG_SEED").ok();
    let first = first.and_then(|seed| seed.parse().ok()).unwrap_or(0);
    for seed in first..first + u64::from(many(cases)) {
        let Some((system, properties)) = drawn(seed) else {
            continue;
        };
        let case = seed as usize / 8;
        let (system, is_wide) = as_wide((*system).clone(), case);
        for together in layouts.of_case(case) {
            if let Err(differs) =
                compare((&system, is_wide), &properties, ways(case), together, &met)
            {
                panic!("seed {seed}: {differs}");
            }
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
];
const WATCHED: &[&str] = &["formula", "tester", "buchi", "testing", "refinement"];

#[test]
fn several_processes_find_what_one_does() {
    were_met(&sweep(100, &[(2, 1), (2, 2)]), ORDINARY);
}

#[test]
fn several_processes_find_in_models_what_one_does() {
    let met = sweep_models(400, &[(2, 1), (2, 2), (3, 2)]);
    if many(400) < 400 {
        // Of fewer than a slice not all kinds need to be met.
        return;
    }
    were_met(&met, WATCHED);
}
