//! Forms for protocols (`language.md` §10), and what they are short for: both give one system.

use expect_test::expect;
use stubborn_model::problem::Severity;
use stubborn_system::dump;
use stubborn_system::property::{Form, Property, StepPattern, StepSet};

use crate::support::*;

/// Both texts are without mistakes and give the same system, which has no names.
#[track_caller]
fn same(short: &str, long: &str) {
    let [short, long] = [short, long].map(|text| {
        let model = analysis(text).model.expect(text);
        let named = model.properties.into_iter();
        let properties: Vec<_> = named.map(|one| (one.name, one.property)).collect();
        (model.system, properties)
    });
    assert_eq!(short, long);
}

/// Both texts are without mistakes, and in each location the same steps can be taken.
#[track_caller]
fn same_steps(short: &str, long: &str) {
    let [short, long] = [short, long].map(|text| {
        let model = analysis(text).model.expect(text);
        dump::dump(&model.system, &model.source_map)
    });
    assert_eq!(short, long);
}

#[test]
fn a_sum_is_assigned_to_what_is_added_to() {
    same(
        "var x: 0..9
var a: array[0..1] of 0..9
var s: set of 0..3
var l: list[2] of 0..3
process p { do { x += 2; a[1] -= x + 1; s += {1}; s -= {2}; l += [3] } }
invariant i: x < 9",
        "var x: 0..9
var a: array[0..1] of 0..9
var s: set of 0..3
var l: list[2] of 0..3
process p { do { x = x + 2; a[1] = a[1] - (x + 1); s = s + {1}; s = s - {2}; l = l + [3] } }
invariant i: x < 9",
    );
}

#[test]
fn same_leads_back_to_the_state_of_the_step() {
    same(
        "var x: 0..3
process p {
    initial state a { when x == 0 -> same  -> b }
    state b { do x = 1 -> same }
}",
        "var x: 0..3
process p {
    initial state a { when x == 0 -> a  -> b }
    state b { do x = 1 -> b }
}",
    );
}

#[test]
fn same_is_a_name_where_a_state_has_it() {
    same(
        "process p { initial state a { -> same } state same { -> a } }",
        "process p { initial state a { -> b } state b { -> a } }",
    );
}

#[test]
fn a_where_leaves_out_steps_branches_and_effects() {
    same(
        "var x: 0..3
action a(0..3)
process p { loop { either { for k in 0..3 where k != 1 and k < 3 on a(k) }
                   or for k in 1..3 where k > 2 { x = k } } }
process q { loop { on a(*) do for k in 0..3 where k % 2 == 1 { x = k } } }",
        "var x: 0..3
action a(0..3)
process p { alphabet a(0), a(2) loop { either { for k in 0..1 on a(k * 2) }
                   or for k in 3..3 { x = k } } }
process q { loop { on a(*) do { x = 1; x = 3 } } }",
    );
}

#[test]
fn a_where_of_effects_may_depend_on_the_state() {
    same(
        "var x: 0..3
process p { do for k in 2..3 where k > x { x = k } }",
        "var x: 0..3
process p { do { if 2 > x { x = 2 } if 3 > x { x = 3 } } }",
    );
}

#[test]
fn a_where_restricts_quantifiers_and_aggregates() {
    same(
        "var a: array[0..3] of 0..3
invariant one: forall i in 0..3, j in 0..3 where i < j: a[i] != a[j]
invariant two: exists i in 0..3 where a[i] > 0: a[i] == i
invariant three: count(i in 0..3 where i > 1: a[i] == 0) < 2
invariant four: sum(i in 0..3 where i != 2: a[i]) < 2
invariant five: max(i in 0..3 where i != 2: a[i]) < 2
ltl six: forall i in 0..3 where i > 1: eventually a[i] == 1",
        "var a: array[0..3] of 0..3
invariant one: forall i in 0..3, j in 0..3: i < j implies a[i] != a[j]
invariant two: exists i in 0..3: a[i] > 0 and a[i] == i
invariant three: count(i in 2..3: a[i] == 0) < 2
invariant four: sum(i in 0..3: if i != 2 then a[i] else 0) < 2
invariant five: max(a[0], a[1], a[3]) < 2
ltl six: eventually a[2] == 1 and eventually a[3] == 1",
    );
}

#[test]
fn a_goto_goes_on_at_its_label() {
    same(
        "var x: 0..3
process p {
    again: x = 1
    loop { if x == 2 { goto again } else { goto out } }
    out: skip
}",
        "var x: 0..3
process p {
    loop {
        again: x = 1
        if x == 2 { } else { break }
    }
    out: skip
}",
    );
}

#[test]
fn a_branch_that_begins_with_a_jump_takes_a_step() {
    same(
        "var x: 0..3
process p { loop { either { continue } or { x = 1 goto out } } out: x = 2 }",
        "var x: 0..3
process p { loop { either { skip } or { x = 1 break } } out: x = 2 }",
    );
}

#[test]
fn continue_goes_to_the_test_of_its_loop() {
    same(
        "var x: 0..3
process p { while x < 3 { if x == 1 { continue } x = 2 } }",
        "var x: 0..3
process p { while x < 3 { if x == 1 { } else { x = 2 } } }",
    );
}

#[test]
fn words_of_other_forms_stay_names_of_macros() {
    same(
        "var x: 0..3
macro continue { x = 1 }
macro reset { x = 2 }
process p { loop { continue do { reset } } }",
        "var x: 0..3
process p { loop { x = 1 do { x = 2 } } }",
    );
}

#[test]
fn reset_gives_the_variables_of_the_process_their_initial_values() {
    same(
        "var x: 0..3 = 3
process p(i in 0..3) {
    var y: 0..3 = i
    var a: array[0..1] of bool
    initial state s { do { x = 0; reset } -> s }
}",
        "var x: 0..3 = 3
process p(i in 0..3) {
    var y: 0..3 = i
    var a: array[0..1] of bool
    initial state s { do { x = 0; y = i; a = [false, false] } -> s }
}",
    );
}

#[test]
fn steps_of_several_states_belong_to_each() {
    same_steps(
        "var x: 0..3
process p {
    in a, b { when x == 1 do x = 2 -> c }
    initial state a { -> b }
    state b { -> c }
    state c { -> same }
}",
        "var x: 0..3
process p {
    initial state a { when x == 1 do x = 2 -> c  -> b }
    state b { when x == 1 do x = 2 -> c  -> c }
    state c { -> c }
}",
    );
}

#[test]
fn steps_of_any_state_belong_to_those_that_are_not_final() {
    same_steps(
        "var x: 0..3
action crash
process p {
    in any { on crash do x = 0 -> same }
    initial state a { -> b }
    state b { -> c }
    final state c
}",
        "var x: 0..3
action crash
process p {
    initial state a { on crash do x = 0 -> a  -> b }
    state b { on crash do x = 0 -> b  -> c }
    final state c
}",
    );
}

#[test]
fn shared_steps_belong_to_the_labelled_places_of_statements() {
    same_steps(
        "var x: 0..3
process p {
    var y: 0..3 = 0
    in a, b { when x == 3 -> c }
    in any { when x == 2 do y = 1 -> same }
    a: x = 1
    b: either { x = 2 } or { x = 3 }
    c: x = 0
}",
        "var x: 0..3
process p {
    var y: 0..3 = 0
    initial state a { when x == 3 -> c  when x == 2 do y = 1 -> a  do x = 1 -> b }
    state b { when x == 3 -> c  when x == 2 do y = 1 -> b  do x = 2 -> c  do x = 3 -> c }
    state c { when x == 2 do y = 1 -> c  do x = 0 -> end }
    final state end
}",
    );
}

#[test]
fn the_name_of_a_step_stands_for_all_steps_with_it() {
    let text = "var x: 0..3
process p {
    initial state a { ask: for k in 0..1 do x = k -> b  -> a }
    state b { ask: when x == 1 -> same  -> a }
}
recurrence r: infinitely p@ask implies infinitely { p@b, p@ask }";
    let model = analysis(text).model.expect(text);
    let recurrence = model.properties.iter().find(|one| one.name == "r");
    let ask = StepPattern::Taken(0, vec![0, 1, 3]);
    let set = |patterns| StepSet { patterns };
    assert_eq!(
        recurrence.map(|one| &one.property),
        Some(&Property::Recurrence(
            set(vec![ask.clone()]),
            set(vec![StepPattern::At(0, vec![1]), ask])
        ))
    );
    let names = (0..5).map(|step| model.source_map.step_name(0, step));
    let ask = Some("ask");
    assert_eq!(names.collect::<Vec<_>>(), [ask, ask, None, ask, None]);
}

#[test]
fn each_round_of_a_for_chooses_by_itself() {
    same(
        "var a: array[0..3] of 0..3
process p { do for k in 0..3 where k % 2 == 0 { a[k] = any 0..2 } }",
        "var a: array[0..3] of 0..3
process p { do { a[0] = any 0..2; a[2] = any 0..2 } }",
    );
}

#[test]
fn the_parts_of_any_value_are_chosen_one_by_one() {
    let text = "type Pair = record { first: 0..2, rest: array[0..1] of bool }
var x: Pair
var s: set of 1..3
var l: list[2] of 0..1
process p { x = any Pair, s = any set of 1..3, l = any list[2] of 0..1 }";
    let model = analysis(text).model.expect(text);
    let choices = &model.system.instances[0].steps[0].choices;
    let sizes: Vec<u64> = choices.iter().map(|range| range.size()).collect();
    assert_eq!(sizes, [3, 2, 2, 2, 2, 2, 1 + 2 + 4]);
}

#[test]
fn quantifiers_and_aggregates_go_through_sets() {
    same(
        "var s, t: set of 1..3
process p(i in 0..1) { var votes: set of 0..1 votes += {i} }
invariant one: forall x in s: x < 3
invariant two: exists x in s, y in t where y > 1: x == y
invariant three: count(x in p(0).votes: x == 0) < 2
invariant four: sum(x in s: x) < 5",
        "var s, t: set of 1..3
process p(i in 0..1) { var votes: set of 0..1 votes += {i} }
invariant one: forall x in 1..3: x in s implies x < 3
invariant two: exists x in 1..3, y in 1..3: x in s and y in t and y > 1 and x == y
invariant three: count(x in 0..1 where x in p(0).votes: x == 0) < 2
invariant four: sum(x in 1..3 where x in s: x) < 5",
    );
}

#[test]
fn quantifiers_and_aggregates_go_through_lists() {
    let text = "var l: list[2] of 0..3
invariant one: forall x in l: x < 3
invariant two: exists x in l where x > 1: x == 2
invariant three: max(x in l: x) < 3";
    let model = analysis(text).model.expect(text);
    let declared = model
        .properties
        .iter()
        .filter(|one| one.form == Form::Invariant);
    let shown = declared.map(|one| dump::property(&model.system, &model.source_map, &one.property));
    let shown: Vec<String> = shown.collect();
    expect![[r#"
        invariant all(any(not (0 < l.0), (l.1[0] < 3)), any(not (1 < l.0), (l.1[1] < 3)))
        invariant any(all((0 < l.0), (l.1[0] > 1), (l.1[0] == 2)), all((1 < l.0), (l.1[1] > 1), (l.1[1] == 2)))
        invariant (if any((0 < l.0), (1 < l.0)) then max(if (0 < l.0) then l.1[0] else -9223372036854775808, if (1 < l.0) then l.1[1] else -9223372036854775808) else fail(NothingToCompare) < 3)"#]].assert_eq(&shown.join("\n"));
}

#[test]
fn a_where_with_a_parameter_leaves_other_parts_in_each_instance() {
    let written = |parts: [&str; 4]| {
        let instances = parts.iter().enumerate();
        let instances =
            instances.map(|(i, part)| format!("process p{i} {{ await {part} == 1 }}\n"));
        instances.collect::<String>()
    };
    for (short, parts) in [
        (
            "sum(j in 0..3 where j == i or f[j]: a[j])",
            [
                "sum(j in 0..3: if j == 0 then a[j] else if f[j] then a[j] else 0)",
                "sum(j in 0..3: if j == 1 then a[j] else if f[j] then a[j] else 0)",
                "sum(j in 0..3: if j == 2 then a[j] else if f[j] then a[j] else 0)",
                "sum(j in 0..3: if j == 3 then a[j] else if f[j] then a[j] else 0)",
            ],
        ),
        (
            "max(j in 0..3 where j != i: a[j])",
            [
                "max(a[1], a[2], a[3])",
                "max(a[0], a[2], a[3])",
                "max(a[0], a[1], a[3])",
                "max(a[0], a[1], a[2])",
            ],
        ),
    ] {
        let head = "var a: array[0..3] of 0..3\nvar f: array[0..3] of bool\n";
        let short = format!("{head}process p(i in 0..3) {{ await {short} == 1 }}");
        let long = format!("{head}{}", written(parts));
        let [short, long] = [&short, &long].map(|text| {
            let system = analysis(text).model.expect(text).system;
            let steps = system.instances.iter().map(|one| one.steps.clone());
            steps.collect::<Vec<_>>()
        });
        assert_eq!(short, long);
    }
}

#[test]
fn an_aggregate_of_nothing_fails_where_a_parameter_decides_it() {
    let text = "var a: array[0..3] of 0..3
process p(i in 0..3) { if i < 3 { a[i] = max(j in 0..3 where j > i: a[j]) } }
macro pick(i in 0..2) { for k in 0..2 where k != i { a[k] = any 0..1 } }
process q { do { pick(0) } }";
    assert_eq!(
        analysis(text)
            .problems
            .iter()
            .filter(|one| one.severity == Severity::Error)
            .count(),
        0
    );
}
