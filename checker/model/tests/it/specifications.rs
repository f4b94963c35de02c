//! What a specification is by itself, and how `refines` hands it over (`language.md` §7).

use crate::support::*;
use expect_test::{Expect, expect};
use stubborn_model::Model;
use stubborn_model::analyze;
use stubborn_model::elaborate::Settings;
use stubborn_model::problem::Code;
use stubborn_model::program::Program;
use stubborn_system::dump;
use stubborn_system::property::Property;
use stubborn_system::source::{FileId, Span};
use stubborn_system::source_map::{InstanceSource, Shape, SourceMap, VariableSource};
use stubborn_system::system::System;

const MODEL: &str = "var busy: bool
var level: 0..3
type Id = 0..2
action ask(Id)
action enter(Id)
action paint(Id, bool)
process customer(i in Id) { loop { on ask(i) when not busy do busy = level == 1; on enter(i) } }
process painter { on paint(*, *) }
def bound: level < 3
macro raise { level = level + 1 }
";

/// The problems, and each refinement with its specification as a system of its own.
fn refinements(program: &Program) -> String {
    let analysis = analyze(program, &Settings::default());
    let mut text = rendered(program, &analysis.problems);
    let model = analysis.model.expect("the model has no mistakes");
    for named in &model.properties {
        let Property::Refinement(refinement) = &named.property else {
            continue;
        };
        let monitor = named.monitor.as_ref().expect("a refinement has a monitor");
        assert!(monitor.steps.is_empty());
        let nowhere = Span {
            file: FileId(0),
            start: 0,
            end: 0,
        };
        let instance = refinement.specification.clone();
        let source = InstanceSource {
            name: String::from("it"),
            span: nowhere,
            locals: (0..instance.locals.len())
                .map(|number| VariableSource {
                    name: format!("v{number}"),
                    span: nowhere,
                    shape: Shape::Int,
                })
                .collect(),
            locations: monitor.states.clone(),
            named: Vec::new(),
            steps: vec![nowhere; instance.steps.len()],
            branches: Vec::new(),
            step_names: Vec::new(),
        };
        let alphabet = instance.alphabet.clone();
        let (system, names) = alone(&model, instance, source);
        text += &format!("{}: {:?}\n", named.name, refinement.semantics);
        text += &dump::dump(&system, &names);
        let alphabet = alphabet.iter().map(|p| names.action_pattern(p));
        text += &format!(
            "  takes part in {}\n",
            alphabet.collect::<Vec<_>>().join(", ")
        );
    }
    text
}

fn alone(
    model: &Model,
    instance: stubborn_system::system::Instance,
    source: InstanceSource,
) -> (System, SourceMap) {
    let system = System {
        actions: model.system.actions.clone(),
        instances: vec![instance],
        ..System::default()
    };
    let names = SourceMap {
        actions: model.source_map.actions.clone(),
        instances: vec![source.into()],
        ..SourceMap::default()
    };
    (system, names)
}

fn check(text: &str, expected: Expect) {
    let text = format!("use \"model.stb\"\n{text}");
    let program = program_of("t.tester", &text, &[("model.stb", MODEL)]);
    expected.assert_eq(&refinements(&program));
}

#[test]
fn a_specification_of_states_is_a_process_by_itself() {
    check(
        "specification turns(n in 0..1) {
    var who: Id
    var shade: bool
    alphabet ask(2), paint(*, true)
    initial state idle {
        on ask(?who) when who != n -> busy
        for k in Id on enter(k)   -> idle
        do who = n                 -> idle
    }
    state busy { on enter(who) do who = any Id, shade = not shade -> idle }
}
refines turns in cffd
",
        expect![[r#"
            refines turns(0) in cffd: Cffd
            action ask(0..2)
            action enter(0..2)
            action paint(0..2, 0..1)
            it: alphabet ask(*) enter(*) paint(*,true)
              var v0: 0..2 = 0
              var v1: 0..1 = 0
              initial idle:
                on ask(?it.v0) when (it.v0 != 0) -> busy
                on enter(0) -> idle
                on enter(1) -> idle
                on enter(2) -> idle
                do it.v0 = 0 -> idle
              busy:
                on enter(it.v0) choose #0 in 0..2 do it.v0 = #0, it.v1 = not it.v1 -> idle
              takes part in ask(*), enter(*), paint(*,true)
            refines turns(1) in cffd: Cffd
            action ask(0..2)
            action enter(0..2)
            action paint(0..2, 0..1)
            it: alphabet ask(*) enter(*) paint(*,true)
              var v0: 0..2 = 0
              var v1: 0..1 = 0
              initial idle:
                on ask(?it.v0) when (it.v0 != 1) -> busy
                on enter(0) -> idle
                on enter(1) -> idle
                on enter(2) -> idle
                do it.v0 = 1 -> idle
              busy:
                on enter(it.v0) choose #0 in 0..2 do it.v0 = #0, it.v1 = not it.v1 -> idle
              takes part in ask(*), enter(*), paint(*,true)
        "#]],
    );
}

#[test]
fn a_specification_of_statements_has_locations_as_a_process_has() {
    check(
        "specification rounds {
    var n: 0..2
    while n < 2 { n = n + 1 }
    wait: either { on ask(0) } or { stop }
    loop {
        either for k in Id { on enter(k) } or { on paint(1, true); break }
    }
}
refines rounds in infinite traces
",
        expect![[r#"
            refines rounds in infinite traces: InfiniteTraces
            action ask(0..2)
            action enter(0..2)
            action paint(0..2, 0..1)
            it: alphabet ask(0) enter(0) enter(1) enter(2) paint(1,true)
              var v0: 0..2 = 0
              initial line 4:
                if (it.v0 < 2) -> line 4 (2) else -> wait
              line 4 (2):
                do it.v0 = (it.v0 + 1) -> line 4
              wait:
                on ask(0) -> line 7
                -> end
              line 7:
                on enter(0) -> line 7
                on enter(1) -> line 7
                on enter(2) -> line 7
                on paint(1, 1) -> end
              final end:
              takes part in ask(0), enter(0), enter(1), enter(2), paint(1,true)
        "#]],
    );
}

#[test]
fn a_used_file_may_hold_the_specification_and_what_refines_it() {
    let model = format!(
        "{MODEL}refines calm in traces
specification calm {{ loop {{ on ask(*) }} }}
"
    );
    let tester = "use \"model.stb\"\nrefines calm in failures\n";
    let program = program_of("t.tester", tester, &[("model.stb", &model)]);
    expect![[r#"
        refines calm in traces: Traces
        action ask(0..2)
        action enter(0..2)
        action paint(0..2, 0..1)
        it: alphabet ask(*)
          initial line 12:
            on ask(*) -> line 12
          takes part in ask(*)
        refines calm in failures: Failures
        action ask(0..2)
        action enter(0..2)
        action paint(0..2, 0..1)
        it: alphabet ask(*)
          initial line 12:
            on ask(*) -> line 12
          takes part in ask(*)
    "#]]
    .assert_eq(&refinements(&program));
}

#[test]
fn a_specification_does_not_touch_the_model_by_way_of_definitions() {
    check(
        "def inside: customer(1)@end or bound
specification s {
    var x: 0..3
    initial state a { when inside and x == 0 -> b }
    state b { on ask(0) -> a }
}
specification t { raise(); on ask(1) when bound }
specification u { on ask(1) }
refines s in traces
refines t in traces
refines u in traces
",
        expect![[r#"
              5 |     initial state a { when inside and x == 0 -> b }
                |                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^
            error[misplaced]: a specification touches nothing but its own variables, and this step touches a shared variable by way of a definition or a macro; it meets the model in actions alone
              8 | specification t { raise(); on ask(1) when bound }
                |                   ^^^^^^^
            error[misplaced]: a specification touches nothing but its own variables, and this step touches a shared variable by way of a definition or a macro; it meets the model in actions alone
              8 | specification t { raise(); on ask(1) when bound }
                |                            ^^^^^^^^^^^^^^^^^^^^
            error[misplaced]: a specification touches nothing but its own variables, and this step touches a shared variable by way of a definition or a macro; it meets the model in actions alone
            refines u in traces: Traces
            action ask(0..2)
            action enter(0..2)
            action paint(0..2, 0..1)
            it: alphabet ask(1)
              initial line 9:
                on ask(1) -> end
              final end:
              takes part in ask(1)
        "#]],
    );
}

#[test]
fn a_variable_of_a_specification_named_as_its_parameter_is_one_mistake() {
    let text = "action go(0..2)
process p { on go(1) }
specification s(i in 0..1) {
    var i: bool
    var k: bool
    var k: 0..3
    initial state a { on go(1) when i and k == 2 do i = 1, k = 2 -> a }
}
refines s in traces
";
    expect![[r#"
          4 |     var i: bool
            |         ^
        error[duplicate-name]: `i` is declared twice in this process; another name would mend it
            3:17: it is declared here first
          6 |     var k: 0..3
            |         ^
        error[duplicate-name]: `k` is declared twice in this process; another name would mend it
            5:9: it is declared here first
    "#]]
    .assert_eq(&problems(text));
}

#[test]
fn a_variable_of_a_specification_hides_nothing_that_could_be_reached() {
    let text = "var x: 0..3
action go(0..3)
process p { on go(x) do x = 1 }
specification s {
    var x: 0..3
    initial state a { on go(?x) -> b }
    state b { on go(x) -> b }
}
refines s in traces
";
    assert_eq!(problems(text), "");
}

#[test]
fn a_refinement_is_there_once() {
    let text = format!(
        "{MODEL}specification calm {{ initial state s }}
refines calm in traces
refines calm in failures
refines calm in traces
"
    );
    let analysis = analysis(&text);
    let errors = analysis.problems.iter();
    let messages: Vec<&str> = errors
        .filter(|problem| problem.code == Code::DuplicateName)
        .map(|problem| problem.message.as_str())
        .collect();
    assert_eq!(
        messages,
        ["there is already `refines calm in traces`; leave one of them out"]
    );
}
