//! From a text to the canonical tester.

use std::fmt::Write as _;
use std::sync::Arc;

use expect_test::{Expect, expect};
use stubborn_automata::{NotMade, Work};
use stubborn_engine::Reason;
use stubborn_engine::monitored::refinement::{Canonical, tester_of};
use stubborn_model::analyze;
use stubborn_model::elaborate::Settings;
use stubborn_model::problem::Severity;
use stubborn_model::program::{ParsedFile, Program};
use stubborn_system::property::{Property, Tester};
use stubborn_system::source_map::SourceMap;

/// What becomes of each refinement of a text: for each state of the tester where the specification
/// may be, its marks, and its steps.
fn testers(text: &str) -> String {
    let program = Program::assemble(Arc::new(ParsedFile::new("m.stb", text)), &mut |_| None);
    let analysis = analyze(&program, &Settings::default());
    let mut written = String::new();
    for problem in &analysis.problems {
        if problem.severity == Severity::Error {
            writeln!(written, "{}", problem.message).expect("a text takes all");
        }
    }
    let model = analysis.model.expect("the model has no mistakes");
    for named in &model.properties {
        let Property::Refinement(refinement) = &named.property else {
            continue;
        };
        let monitor = named.monitor.as_ref().expect("a refinement is shown");
        let names: Vec<&str> = monitor.states.iter().map(|s| s.name.as_str()).collect();
        written += &named.name;
        written += &match tester_of(&model.system, refinement, &Work::unlimited()) {
            Ok(canonical) => shown(&canonical, &names, &model.source_map),
            Err(NotMade::TooLarge(Reason::AlphabetTooLarge(most))) => {
                format!(": more than {most} events\n")
            }
            Err(NotMade::TooLarge(Reason::MonitorTooLarge(most))) => {
                format!(": more than {most} states\n")
            }
            Err(other) => format!(": {other:?}\n"),
        };
    }
    written
}

fn shown(canonical: &Canonical, names: &[&str], actions: &SourceMap) -> String {
    let Canonical { tester, shown } = canonical;
    assert_eq!(tester.states.len(), shown.len());
    let sees: Vec<String> = tester
        .visible
        .iter()
        .map(|pattern| actions.action_pattern(pattern))
        .collect();
    let mut text = format!(" sees {}\n", sees.join(" "));
    for (number, locations) in shown.iter().enumerate() {
        let locations: Vec<&str> = locations.iter().map(|at| names[*at as usize]).collect();
        let _ = write!(text, "  {number} {{{}}}", locations.join(", "));
        text += &marks_and_steps(tester, number, actions);
        text.push('\n');
    }
    text
}

fn marks_and_steps(tester: &Tester, number: usize, actions: &SourceMap) -> String {
    let state = &tester.states[number];
    let marks = [
        (state.reject, " reject"),
        (state.deadlock, " deadlock"),
        (state.livelock, " livelock"),
        (state.infinite, " infinite"),
    ];
    let mut text: String = marks
        .iter()
        .filter(|mark| mark.0)
        .map(|mark| mark.1)
        .collect();
    for step in &state.steps {
        let on = match &step.on {
            Some(pattern) => actions.action_pattern(pattern),
            None => String::from("tau"),
        };
        let _ = write!(text, ", {on} -> {}", step.target);
    }
    text
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&testers(text));
}

const TWO: &str = "type Id = 0..1
action ask(Id)
action get(Id)
action never(Id)
process customer(i in Id) { loop { on ask(i); on get(i) } }
";

fn of_two(text: &str) -> String {
    format!("{TWO}{text}")
}

#[test]
fn every_semantics_has_its_marks() {
    check(
        &of_two(
            "specification turns {
    initial state idle { on ask(0) -> busy  on ask(1) -> other  -> rest }
    state busy { on get(0) -> idle }
    state other { on get(1) -> idle }
    state rest { -> rest }
}
refines turns in traces
refines turns in failures
refines turns in divergences
refines turns in infinite traces
refines turns in cffd
",
        ),
        expect![[r#"
            refines turns in traces sees ask(0) ask(1) get(0) get(1)
              0 {idle, rest}, ask(0) -> 1, ask(1) -> 2, get(0) -> 3, get(1) -> 3
              1 {busy}, ask(0) -> 3, ask(1) -> 3, get(0) -> 0, get(1) -> 3
              2 {other}, ask(0) -> 3, ask(1) -> 3, get(0) -> 3, get(1) -> 0
              3 {} reject
            refines turns in failures sees ask(0) ask(1) get(0) get(1)
              0 {idle, rest}, ask(0) -> 1, ask(1) -> 2, get(0) -> 3, get(1) -> 3, tau -> 4
              1 {busy}, ask(0) -> 3, ask(1) -> 3, get(0) -> 0, get(1) -> 3, tau -> 5
              2 {other}, ask(0) -> 3, ask(1) -> 3, get(0) -> 3, get(1) -> 0, tau -> 6
              3 {} reject
              4 {idle, rest} deadlock
              5 {busy} deadlock, get(0) -> 0
              6 {other} deadlock, get(1) -> 0
            refines turns in divergences sees ask(0) ask(1) get(0) get(1)
              0 {idle, rest}, ask(0) -> 1, ask(1) -> 2, get(0) -> 3, get(1) -> 3
              1 {busy} livelock, ask(0) -> 3, ask(1) -> 3, get(0) -> 0, get(1) -> 3
              2 {other} livelock, ask(0) -> 3, ask(1) -> 3, get(0) -> 3, get(1) -> 0
              3 {} livelock, ask(0) -> 3, ask(1) -> 3, get(0) -> 3, get(1) -> 3
            refines turns in infinite traces sees ask(0) ask(1) get(0) get(1)
              0 {idle, rest}, ask(0) -> 1, ask(1) -> 2, get(0) -> 3, get(1) -> 3
              1 {busy}, ask(0) -> 3, ask(1) -> 3, get(0) -> 0, get(1) -> 3
              2 {other}, ask(0) -> 3, ask(1) -> 3, get(0) -> 3, get(1) -> 0
              3 {} infinite, ask(0) -> 3, ask(1) -> 3, get(0) -> 3, get(1) -> 3
            refines turns in cffd sees ask(0) ask(1) get(0) get(1)
              0 {idle, rest}, ask(0) -> 1, ask(1) -> 2, get(0) -> 3, get(1) -> 3, tau -> 4
              1 {busy} livelock, ask(0) -> 3, ask(1) -> 3, get(0) -> 0, get(1) -> 3, tau -> 5
              2 {other} livelock, ask(0) -> 3, ask(1) -> 3, get(0) -> 3, get(1) -> 0, tau -> 6
              3 {} reject
              4 {idle, rest} deadlock
              5 {busy} deadlock, get(0) -> 0
              6 {other} deadlock, get(1) -> 0
        "#]],
    );
}

#[test]
fn the_values_of_variables_are_not_shown_but_tell_states_apart() {
    check(
        &of_two(
            "specification pairs {
    var who: Id
    initial state idle { on ask(?who) -> busy }
    state busy { on get(who) -> idle }
}
refines pairs in traces
",
        ),
        expect![[r#"
            refines pairs in traces sees ask(*) get(*)
              0 {idle}, ask(0) -> 1, ask(1) -> 2, get(*) -> 3
              1 {busy}, ask(*) -> 3, get(0) -> 0, get(1) -> 3
              2 {busy}, ask(*) -> 3, get(0) -> 3, get(1) -> 0
              3 {} reject
        "#]],
    );
}

#[test]
fn states_after_which_the_same_is_allowed_are_one() {
    check(
        &of_two(
            "specification counts {
    var n: 0..9
    loop { on ask(*) do n = (n + 1) % 10 }
}
refines counts in failures
",
        ),
        expect![[r#"
            refines counts in failures sees ask(*)
              0 {line 8}, ask(*) -> 0, tau -> 1, tau -> 2
              1 {line 8} deadlock, ask(0) -> 0
              2 {line 8} deadlock, ask(1) -> 0
        "#]],
    );
}

#[test]
fn what_the_model_never_does_is_left_out_and_refused() {
    check(
        &of_two(
            "specification hopes {
    initial state a { on ask(*) -> b  on never(0) -> c }
    state b { on never(*) -> a }
    state c { on ask(0) -> c }
}
refines hopes in traces
refines hopes in failures
",
        ),
        expect![[r#"
            refines hopes in traces sees ask(*)
              0 {a}, ask(*) -> 1
              1 {b}, ask(*) -> 2
              2 {} reject
            refines hopes in failures sees ask(*)
              0 {a}, ask(*) -> 1, tau -> 2
              1 {b}, ask(*) -> 3, tau -> 4
              2 {a} deadlock
              3 {} reject
              4 {b} deadlock
        "#]],
    );
}

#[test]
fn what_can_not_be_violated_has_no_steps() {
    check(
        &of_two(
            "specification anything { loop { either { on ask(*) } or { skip } } }
specification once { on ask(*); loop { on ask(*) } }
refines anything in traces
refines anything in cffd
refines once in infinite traces
",
        ),
        expect![[r#"
            refines anything in traces sees ask(*)
              0 {line 6}
            refines anything in cffd sees ask(*)
              0 {line 6}, ask(*) -> 0, tau -> 1
              1 {line 6} deadlock
            refines once in infinite traces sees ask(*)
              0 {line 7}
        "#]],
    );
}

#[test]
fn a_step_that_fails_is_not_refused_and_no_trace() {
    check(
        &of_two(
            "specification risky {
    var n: 0..1
    initial state a {
        on ask(?n) when 1 / n == 1 -> b
        on get(1 / n) -> b
    }
    state b { do assert n == 0 -> c }
    state c
}
specification wild { assert false; on ask(0) }
refines risky in failures
refines wild in failures
",
        ),
        expect![[r#"
            refines risky in failures sees ask(*) get(*)
              0 {a}, ask(0) -> 1, ask(1) -> 2, get(*) -> 1, tau -> 3, tau -> 4, tau -> 5, tau -> 6
              1 {} reject
              2 {b}, ask(*) -> 1, get(*) -> 1, tau -> 7
              3 {a} deadlock, ask(0) -> 1
              4 {a} deadlock, ask(1) -> 2
              5 {a} deadlock, get(0) -> 1
              6 {a} deadlock, get(1) -> 1
              7 {b} deadlock
            refines wild in failures sees ask(0)
              0 {line 15}, ask(0) -> 1, tau -> 2
              1 {} reject
              2 {line 15} deadlock
        "#]],
    );
}

#[test]
fn the_parameters_of_a_specification_are_constants_in_it() {
    check(
        &of_two(
            "specification only(k in Id) { alphabet ask(*) loop { on ask(k) } }
refines only in traces
",
        ),
        expect![[r#"
            refines only(0) in traces sees ask(*)
              0 {line 6}, ask(0) -> 0, ask(1) -> 1
              1 {} reject
            refines only(1) in traces sees ask(*)
              0 {line 6}, ask(0) -> 1, ask(1) -> 0
              1 {} reject
        "#]],
    );
}

#[test]
fn what_is_too_large_is_said_to_be() {
    check(
        "action wide(0..99, 0..200)
action tick
action bit(bool)
process p { loop { either { on wide(*, *) } or { on tick } or { on bit(*) } } }
specification many { loop { on wide(*, *) } }
specification long {
    var n: 0..200_000
    loop { on tick do n = n + 1 }
}
specification last {
    var k: 0..20
    loop {
        either { on bit(*) when k == 0 }
        or     { on bit(true) when k == 0 do k = 1 }
        or     { on bit(*) when k > 0 and k < 20 do k = k + 1 }
    }
}
specification choosy {
    var k: 0..19
    loop { k = any 0..19; either { on wide(0, 2 * k) } or { on wide(0, 2 * k + 1) } }
}
refines many in traces
refines long in traces
refines last in divergences
refines choosy in failures
",
        expect![[r#"
            refines many in traces: more than 10000 events
            refines long in traces: more than 100000 states
            refines last in divergences: more than 100001 states
            refines choosy in failures: more than 2000 states
        "#]],
    );
}
