//! Two texts that differ in names alone have equal Systems, so what must stay of a model is written
//! as a model.

use std::sync::Arc;

use stubborn_model::elaborate::Settings;
use stubborn_model::problem::Severity;
use stubborn_model::program::{ParsedFile, Program};
use stubborn_system::property::{Property, StepPattern};
use stubborn_system::slice::{Dependencies, Slice};
use stubborn_system::system::System;

pub fn model(text: &str) -> (Arc<System>, Vec<(String, Property)>) {
    let root = Arc::new(ParsedFile::new("model.stb", text));
    let program = Program::assemble(root, &mut |_| None);
    let analysis = stubborn_model::analyze(&program, &Settings::default());
    let problems = analysis.problems.into_iter();
    let errors: Vec<_> = problems
        .filter(|problem| problem.severity == Severity::Error)
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    let model = analysis
        .model
        .expect("a model without errors has a meaning");
    let properties = model.properties.into_iter();
    let properties = properties.map(|property| (property.name, property.property));
    (model.system, properties.collect())
}

pub fn named<'a>(properties: &'a [(String, Property)], name: &str) -> &'a Property {
    let found = properties.iter().find(|(of, _)| of == name);
    &found.expect("there is such a property").1
}

/// Holds the slice of the model for the property to what must stay, and the property to what it
/// becomes.
fn stays(text: &str, property: &str, smaller: &str) {
    let (system, properties) = model(text);
    let (expected, expected_properties) = model(smaller);
    let of_it = named(&properties, property);
    let slice = Slice::new(&system, &Dependencies::new(&system).cone([of_it]));
    assert_eq!(slice.system, *expected);
    assert_eq!(
        slice.property(of_it),
        *named(&expected_properties, property)
    );
}

/// Nothing that moves goes.
fn all_stays(text: &str, property: &str) {
    let (system, properties) = model(text);
    let dependencies = Dependencies::new(&system);
    let cone = dependencies.cone([named(&properties, property)]);
    assert!(dependencies.is_whole(&cone));
}

const WALKER: &str = "process walker {
    initial state left { do x = 1 -> right }
    state right { do x = 0 -> left }
    final state off
}
";

fn with_walker(rest: &str) -> String {
    format!("var x: 0..1\n{WALKER}{rest}")
}

#[test]
fn a_process_that_shares_nothing_with_an_invariant_goes() {
    let property = "invariant it: x <= 1";
    stays(
        &with_walker(&format!(
            "var y: 0..1  process other {{ loop {{ y = 1 - y }} }}\n{property}"
        )),
        "it",
        &with_walker(property),
    );
}

#[test]
fn a_process_that_only_looks_goes_for_may() {
    let property = "progress it: may walker@left and x == 0";
    stays(
        &format!(
            "process before {{ when x == 1 and walker@right; await x == 0 }}\n{}",
            with_walker(property)
        ),
        "it",
        &with_walker(property),
    );
}

#[test]
fn every_process_stays_for_must_and_the_settings() {
    let (system, properties) = model(&with_walker(
        "process other { loop { either { skip } or { stop } } }
        progress it: must x == 1",
    ));
    let dependencies = Dependencies::new(&system);
    for property in ["it", "errors", "deadlock", "termination"] {
        let cone = dependencies.cone([named(&properties, property)]);
        assert_eq!(cone.instances().count(), 2, "{property}");
    }
}

#[test]
fn data_that_nothing_depends_on_goes_for_errors_and_the_process_stays() {
    stays(
        "var seen: 0..7  var told: array[0..2] of bool
        process p { var k: 0..2  loop { k = (k + 1) % 3; seen = k, told[k] = true; told[2] = seen > 1 } }",
        "errors",
        "process p { loop { skip; skip; skip } }",
    );
}

#[test]
fn what_decides_the_value_of_something_that_stays_stays() {
    all_stays(
        "var a, b: 0..3  process p { loop { a = b; b = (a + 1) % 4; await a < 3 } }",
        "errors",
    );
}

#[test]
fn an_assignment_that_may_fail_stays() {
    all_stays("var n: 0..9  process p { loop { n = n + 1 } }", "errors");
    all_stays(
        "var a: array[0..2] of bool  var i: 0..3
        process p { loop { i = (i + 1) % 4; a[i] = true } }",
        "errors",
    );
    all_stays(
        "var n, d: 0..9  process p { loop { d = (d + 1) % 10; n = 1 / d } }",
        "errors",
    );
}

#[test]
fn a_condition_goes_with_all_that_stands_under_it() {
    stays(
        "var n, m: 0..9
        process p { loop { do { if m > 3 { n = 0 } else { if m > 1 { n = 2 } }  m = (m + 1) % 10 } } }",
        "errors",
        "process p { loop { skip } }",
    );
}

#[test]
fn a_condition_that_may_fail_stays_by_itself() {
    let (system, properties) = model(
        "var n: 0..9  var a: array[0..1] of bool  var i: 0..2
        process p { loop { do { if a[i] { n = 0 }  i = (i + 1) % 3 } } }",
    );
    let cone = Dependencies::new(&system).cone([named(&properties, "errors")]);
    let slice = Slice::new(&system, &cone);
    assert_eq!(slice.variables, [1, 2], "n alone goes");
    assert_eq!(slice.system.instances[0].steps[0].effects.len(), 2);
}

#[test]
fn what_an_assert_reads_stays() {
    all_stays(
        "var n: 0..3  process p { loop { do { n = (n + 1) % 4  assert n < 4 } } }",
        "errors",
    );
}

#[test]
fn a_choice_that_nobody_makes_any_more_goes_and_the_others_move_up() {
    stays(
        "var a, b: 0..3  process p { loop { a = any 0..2, b = any 1..3; await b == 1 } }",
        "errors",
        "var b: 0..3  process p { loop { b = any 1..3; await b == 1 } }",
    );
}

#[test]
fn a_place_that_nobody_reads_becomes_a_star() {
    stays(
        "var a: 0..3  channel c: queue[2] of 0..3, bool  action go(0..3)
        process p { var x: 0..3  var y: bool
            loop { on go(?a); send c(1, true); receive c(?x, ?y) when y; on go(?x) } }",
        "errors",
        "channel c: queue[2] of 0..3, bool  action go(0..3)
        process p { var y: bool
            loop { on go(*); send c(1, true); receive c(*, ?y) when y; on go(*) } }",
    );
}

#[test]
fn a_place_that_may_not_take_the_message_stays() {
    all_stays(
        "channel c: queue[2] of 0..3
        process p { var x: 0..2  loop { send c(1); receive c(?x) } }",
        "errors",
    );
}

#[test]
fn the_other_users_of_a_channel_stay_and_a_reader_of_its_length_goes() {
    let text = "channel c: queue[2] of 0..3
        process sender { s: loop { send c(1) } }
        process receiver { loop { receive c(*) } }
        invariant it: sender@s";
    stays(
        &format!("process looks {{ loop {{ when len(c) > 0; await empty(c) }} }}\n{text}"),
        "it",
        text,
    );
}

#[test]
fn an_array_of_channels_stays_as_a_whole() {
    let text = "channel c[0..1]: queue[1] of bool
        process p { var i: 0..1  s: loop { send c[i](true); i = 1 - i } }
        invariant it: p@s";
    stays(
        &format!("channel d: queue[1] of bool  process q {{ send d(true) }}\n{text}"),
        "it",
        text,
    );
}

#[test]
fn everybody_who_can_block_an_action_stays() {
    let text = "action a(0..3)
        process p { s: loop { on a(1) } }
        process partner { loop { on a(*) } }
        invariant it: p@s";
    stays(
        &format!(
            "action b  process others {{ loop {{ either {{ skip }} or {{ on b }} }} }}\n{text}"
        ),
        "it",
        text,
    );
    let (system, properties) = model(&format!("{text}\nprocess far {{ loop {{ on a(2) }} }}"));
    let cone = Dependencies::new(&system).cone([named(&properties, "it")]);
    assert_eq!(
        cone.instances().count(),
        3,
        "`far` shares a(2) with `partner`"
    );
}

#[test]
fn other_values_of_an_action_are_other_actions() {
    let text = "action a(0..3)
        process p { s: loop { on a(1) } }
        invariant it: p@s";
    stays(
        &format!("{text}\nprocess far {{ loop {{ on a(2) }} }}"),
        "it",
        text,
    );
}

#[test]
fn who_writes_what_a_guard_reads_stays() {
    all_stays(
        "var a, b: 0..1
        process p { s: loop { await a == 1 } }
        process q { loop { await b == 0 do a = 1 - a } }
        process r { loop { b = 1 - b } }
        invariant it: p@s",
        "it",
    );
}

#[test]
fn instances_are_looked_at_one_by_one() {
    let text = "process p(i in 0..2) { var n: 0..1  s: loop { n = 1 - n; await n == 0 } }
        invariant it: p(LAST).n <= 1";
    let (system, properties) = model(&text.replace("LAST", "2"));
    let cone = Dependencies::new(&system).cone([named(&properties, "it")]);
    let slice = Slice::new(&system, &cone);
    assert_eq!(slice.instances, [2]);
    assert_eq!(slice.system.instances[0].process, 0);
}

#[test]
fn a_process_that_takes_no_part_in_what_recurs_goes() {
    let text = |rest: &str| {
        format!(
            "action go(0..1)
action aside
process p(i in 0..1) {{
    initial final state s {{ on go(i) -> t }}
    state t {{ when i == 0 -> s }}
}}
{rest}"
        )
    };
    let rest = "process other { initial final state a { on aside -> a } }
recurrence r: infinitely go(0) implies infinitely p(0)@t
";
    let (system, properties) = model(&text(rest));
    let r = named(&properties, "r");
    let cone = Dependencies::new(&system).cone([r]);
    let slice = Slice::new(&system, &cone);
    assert_eq!(slice.instances, [0]);
    assert_eq!(slice.actions, [0]);
    let Property::Recurrence(_, implies) = slice.property(r) else {
        panic!("a property keeps its form");
    };
    assert_eq!(implies.patterns, [StepPattern::At(0, vec![1])]);
    let rest =
        format!("{rest}recurrence all: infinitely aside implies infinitely {{go(1), p(0)@s}}");
    all_stays(&text(&rest), "all");
}

#[test]
fn a_cone_of_several_properties_has_what_any_of_them_needs() {
    let text = "var a, b, c: 0..1
        process p { loop { a = 1 - a } }
        process q { loop { b = 1 - b } }
        process r { loop { c = 1 - c } }
        invariant one: a <= 1
        invariant other: c <= 1";
    let (system, properties) = model(text);
    let dependencies = Dependencies::new(&system);
    let cone = dependencies.cone([named(&properties, "one"), named(&properties, "other")]);
    let slice = Slice::new(&system, &cone);
    assert_eq!(slice.instances, [0, 2]);
    assert_eq!(slice.variables, [0, 2]);
    assert_eq!(dependencies.bits(&cone), 2.0);
}

mod sure {
    //! What the types show of an assignment.

    use super::*;

    /// `n` goes, since the value is sure to be one of its values.
    #[track_caller]
    fn goes(value: &str) {
        assert!(!keeps(value), "{value} is in 0..9");
    }

    #[track_caller]
    fn stays(value: &str) {
        assert!(keeps(value), "{value} may fail, or not be in 0..9");
    }

    fn keeps(value: &str) -> bool {
        let (system, properties) = model(&format!(
            "var n: 0..9  var a: 0..3  var s: -3..3  var cells: array[0..3] of 0..9
            channel c: bag[9] of bool
            process p {{ l: loop {{ n = {value} }} }}"
        ));
        let cone = Dependencies::new(&system).cone([named(&properties, "errors")]);
        Slice::new(&system, &cone).variables.contains(&0)
    }

    #[test]
    fn arithmetic() {
        goes("a + 6");
        stays("a + 7");
        goes("a * a");
        stays("a * a + 1");
        goes("7 - a");
        stays("2 - a");
        goes("-s + 3");
        stays("-s + 2");
        goes("7 / (a + 1)");
        stays("7 / a");
        goes("(n + 1) % 10");
        stays("s % 10");
        goes("s % 3 + 2");
        stays("n % s");
        goes("sum(i in 0..2: a)");
        stays("sum(i in 0..3: a)");
    }

    #[test]
    fn bits_of_numbers() {
        goes("bit_and(a, 9)");
        goes("bit_or(a, 4)");
        stays("bit_or(a, 8)");
        goes("bit_xor(a, a)");
        goes("bit_not(s) + 4");
        goes("shift_right(n, a)");
        stays("shift_left(n, a)");
        stays("shift_right(n, s)");
    }

    #[test]
    fn choices_and_cells() {
        goes("if a > 2 then 9 else a");
        stays("if a > 2 then 10 else a");
        goes("cells[a]");
        stays("cells[n]");
        goes("[1, 2, 3, 9][a]");
        goes("max(a, min(s, 0), 4)");
        stays("min(s, a)");
        goes("count(i in 0..8: n == i)");
        goes("len(c)");
        stays("len(c) + 1");
        goes("any 0..9");
    }
}

/// A process that stores what nobody reads, beside an argument and before a guard.
fn stores_beside(argument: &str, guard: &str) -> String {
    format!(
        "var b: array[0..1] of 0..1  var k: 0..2  var got: 0..1
        action a(0..1, 0..1)
        process p {{ initial state s {{ on a(?got, {argument}) {guard} do k = 2 -> s }} }}"
    )
}

#[test]
fn what_is_received_stays_beside_an_argument_that_a_guard_would_protect() {
    all_stays(&stores_beside("b[k]", "when k < 2"), "errors");
    all_stays(&stores_beside("k", "when k < 2"), "errors");
    all_stays(
        "channel c[0..1]: queue[1] of 0..1  var k: 0..2  var got: 0..1
        process p { initial state s { receive c[k](?got) when k < 2 do k = 2 -> s } }
        process q { initial state s { send c[0](0) -> s } }",
        "errors",
    );
}

#[test]
fn what_is_received_and_never_read_goes_where_nothing_is_to_be_protected() {
    for (argument, guard) in [("b[k]", ""), ("b[0]", "when k < 2"), ("*", "when k < 2")] {
        let (system, properties) = model(&stores_beside(argument, guard));
        let dependencies = Dependencies::new(&system);
        let cone = dependencies.cone([named(&properties, "errors")]);
        assert!(!dependencies.is_whole(&cone), "{argument} {guard}");
    }
}
