//! Refinement as it is checked: tester, search, reduction and replay together.

use std::sync::Arc;

use stubborn_engine::{
    Caller, Finding, Liveness, Options, Reduction, Search, Verdict, Violation, check,
};
use stubborn_model::analyze;
use stubborn_model::elaborate::Settings;
use stubborn_model::problem::Severity;
use stubborn_model::program::{ParsedFile, Program};
use stubborn_system::property::{Property, Refinement, Semantics};
use stubborn_system::system::System;

use super::definition::compare;
use super::process::{ALL, Numbers, Process};

fn verdict(system: &System, property: &Property, options: &Options) -> Verdict {
    let outcomes = check(
        system,
        std::slice::from_ref(property),
        options,
        Caller::default(),
    );
    let mut outcomes = outcomes.expect("the states are small");
    outcomes.remove(0).verdict
}

/// What is found, or none where the property holds.
fn violation(verdict: &Verdict) -> Option<Violation> {
    match verdict {
        Verdict::Holds => None,
        Verdict::Violated {
            finding: Finding::Watched(violation),
            trace,
        } => {
            assert!(trace.monitor().is_some(), "the specification is shown");
            Some(*violation)
        }
        other => panic!("{other:?}"),
    }
}

/// The process, and beside it one that takes its first event with it and otherwise idles.
fn beside_another(process: &Process) -> System {
    let mut system = process.system();
    let follower = Process::new(&[(0, "a", 0), (0, "tau", 1), (1, "a", 1)]);
    system.instances.push(follower.instance());
    system
}

/// The same as one process.
fn composed(process: &Process) -> Process {
    let mut all = Process {
        states: process.states * 2,
        arcs: Vec::new(),
        alphabet: process.alphabet | 1,
    };
    let has_a = process.alphabet & 1 == 1;
    for at in 0..2 {
        for (from, event, to) in &process.arcs {
            all.arcs
                .push((from * 2 + at, *event, to.map(|to| to * 2 + at)));
        }
        for state in 0..process.states {
            if !has_a {
                all.arcs
                    .push((state * 2 + at, Some(0), Some(state * 2 + at)));
            }
            if at == 0 {
                all.arcs.push((state * 2, None, Some(state * 2 + 1)));
            }
        }
    }
    all
}

#[test]
fn checks_say_what_the_definitions_say() {
    let mut numbers = Numbers(0x5eed_0101);
    let reductions = [Reduction::None, Reduction::Stubborn];
    let mut violated = 0;
    for round in 0..250 {
        let specification = numbers.process(false);
        let process = numbers.variant(&specification, false);
        let illegal = compare(&composed(&process), &specification);
        let system = beside_another(&process);
        for semantics in ALL {
            let property = Property::Refinement(Refinement {
                semantics,
                specification: specification.instance(),
            });
            let options = Options {
                reduction: reductions[round % 2],
                search: match round / 2 % 2 {
                    0 => Search::Breadth,
                    _ => Search::Depth,
                },
                keep_dead_variables: round % 3 == 0,
                ..Options::default()
            };
            let found = violation(&verdict(&system, &property, &options));
            let about = || format!("{semantics:?}\n{process:?}\nagainst {specification:?}");
            let expected = illegal.is_violated(semantics);
            assert_eq!(found.is_some(), expected, "{}", about());
            violated += u32::from(expected);
            let fits = match found {
                None => true,
                Some(Violation::Reject) => illegal.trace,
                Some(Violation::Deadlock) => illegal.failure,
                Some(Violation::Livelock) => illegal.divergence,
                Some(Violation::Infinite) => illegal.infinite_trace,
            };
            assert!(fits, "{found:?} in {}", about());
        }
    }
    assert!(violated > 200, "only {violated} are violated");
}

/// The verdicts on the refinements of a text, in their order.
fn verdicts(text: &str) -> Vec<(String, Verdict)> {
    let program = Program::assemble(Arc::new(ParsedFile::new("m.stb", text)), &mut |_| None);
    let analysis = analyze(&program, &Settings::default());
    for problem in &analysis.problems {
        assert_ne!(problem.severity, Severity::Error, "{}", problem.message);
    }
    let model = analysis.model.expect("there are no errors");
    let refinements = model.properties.iter();
    refinements
        .filter(|named| matches!(named.property, Property::Refinement(_)))
        .map(|named| {
            let verdict = verdict(&model.system, &named.property, &Options::default());
            (named.name.clone(), verdict)
        })
        .collect()
}

const LOCK: &str = "type Id = 0..1
action take(Id)
action give(Id)
var free: bool = true
";

const SPECIFICATION: &str = "specification lock {
    var who: Id
    loop { on take(?who); on give(who) }
}
refines lock in traces
refines lock in failures
refines lock in divergences
refines lock in infinite traces
refines lock in cffd
";

#[test]
fn a_lock_refines_what_a_lock_is() {
    let customers = "process customer(i in Id) {
    loop { await free do free = false; on take(i); on give(i); free = true }
}
";
    let text = format!("{LOCK}{customers}{SPECIFICATION}");
    for (name, verdict) in verdicts(&text) {
        // Either customer may be next, but the customers choose who.
        let may_refuse = name.ends_with("failures") || name.ends_with("cffd");
        let expected = may_refuse.then_some(Violation::Deadlock);
        assert_eq!(violation(&verdict), expected, "{name}");
    }
}

#[test]
fn a_process_refines_itself_beside_one_that_does_nothing() {
    let body = "{
    var who: Id
    loop { on take(?who); either { on give(who) } or { skip } }
}
";
    let text = format!(
        "{LOCK}process lock {body}process idle {{ stop }}
process user(i in Id) {{ loop {{ either {{ on take(i) }} or {{ on give(i) }} }} }}
process clerk {{ await free do free = false; free = true }}
specification same {body}
refines same in traces
refines same in failures
refines same in divergences
refines same in infinite traces
refines same in cffd
"
    );
    for (name, verdict) in verdicts(&text) {
        assert_eq!(violation(&verdict), None, "{name}");
    }
}

#[test]
fn a_broken_lock_is_found_out_in_each_semantics() {
    let of = |body: &str, semantics: &str| {
        let text = format!(
            "{LOCK}process customer(i in Id) {{ {body} }}
specification lock {{ var who: Id  loop {{ on take(?who); on give(who) }} }}
refines lock in {semantics}
"
        );
        let mut found = verdicts(&text);
        violation(&found.remove(0).1)
    };
    let unguarded = "loop { on take(i); on give(i) }";
    assert_eq!(of(unguarded, "traces"), Some(Violation::Reject));
    assert_eq!(of(unguarded, "infinite traces"), Some(Violation::Infinite));
    assert_eq!(of(unguarded, "divergences"), None);
    let spins = "loop { await free do free = false; on take(i); while not free { skip } }";
    assert_eq!(of(spins, "traces"), None);
    assert_eq!(of(spins, "divergences"), Some(Violation::Livelock));
    let keeps = "await free do free = false; on take(i)";
    assert_eq!(of(keeps, "failures"), Some(Violation::Deadlock));
    assert_eq!(of(keeps, "infinite traces"), None);
}

#[test]
fn the_searches_that_cannot_decide_a_semantics_say_so() {
    let ticks = Process::new(&[(0, "a", 1), (1, "b", 0)]);
    let property = |semantics| {
        Property::Refinement(Refinement {
            semantics,
            specification: ticks.instance(),
        })
    };
    let with = |liveness, semantics| {
        let options = Options {
            liveness,
            ..Options::default()
        };
        verdict(&ticks.system(), &property(semantics), &options)
    };
    assert_eq!(with(Liveness::OnePass, Semantics::Cffd), Verdict::Holds);
    assert_eq!(with(Liveness::Nested, Semantics::Failures), Verdict::Holds);
    assert_eq!(with(Liveness::FourPass, Semantics::Cffd), Verdict::Holds);
    let undecided = with(Liveness::OnePass, Semantics::InfiniteTraces);
    assert!(matches!(undecided, Verdict::Undecided(_)), "{undecided:?}");
}
