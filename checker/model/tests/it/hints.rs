//! What may surprise: the hints about actions, automata and hidden names.

use crate::support::*;
use expect_test::{Expect, expect};

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&problems(text));
}

/// The codes of the hints about a text without other problems.
fn hints(text: &str) -> Vec<&'static str> {
    let problems = analysis(text).problems;
    problems
        .iter()
        .map(|problem| problem.code.as_str())
        .collect()
}

#[test]
fn nobody_decides_on_a_value_that_only_other_values_are_named_for() {
    check(
        "action give(0..2)
action move(0..1, 0..3)
process taker { var got: 0..2  loop { on give(?got); if got == 1 { stop } } }
process giver { loop { on give(0) ; on give(1) } }
process mover(i in 0..1) { loop { on move(i, 2) } }
process seer { loop { on move(*, *) } }
",
        expect![[r#"
              1 | action give(0..2)
                |        ^^^^
            hint[undecided-value]: nobody decides that `give(2)` occurs: all who take part in it, `taker` among them, have `?` or `*` where other values are named, and who names a value takes part in no other; a line `alphabet give(*)` in the process that should decide would mend it
              2 | action move(0..1, 0..3)
                |        ^^^^
            hint[undecided-value]: nobody decides that `move(0,0)` occurs: all who take part in it, `seer` among them, have `?` or `*` where other values are named, and who names a value takes part in no other; a line `alphabet move(*, *)` in the process that should decide would mend it
        "#]],
    );
}

#[test]
fn a_value_is_decided_on_where_somebody_names_it_or_can_block_it() {
    let taker = "process taker { var got: 0..2  loop { on give(?got); if got == 1 { stop } } }\n";
    for giver in [
        // Nobody names one: all is left to chance.
        "process giver { loop { on give(*) } }",
        // An expression decides.
        "process giver { var v: 0..2  loop { v = (v + 1) % 3; on give(v); on give(0) } }",
        // All values are named.
        "process giver { loop { for v in 0..2 on give(v) } }",
        // It has the others in its alphabet, and no step for them.
        "process giver { alphabet give(*)  loop { on give(0) } }",
        // It takes part in all of them, and names one elsewhere.
        "process giver { loop { on give(0); on give(*) } }",
        // Other actions do not matter.
        "action other(0..2) process giver { loop { on other(0); on give(*) } }",
    ] {
        let text = format!("action give(0..2)\n{taker}{giver}\n");
        let found = hints(&text);
        assert!(!found.contains(&"undecided-value"), "{giver}: {found:?}");
    }
}

#[test]
fn one_action_can_lead_to_two_states() {
    check(
        "enum Color { red, green }
action paint(Color, 0..2)
process p(i in 0..1) {
    var x: 0..2
    initial state s {
        on paint(red, ?x) when x > 0 -> s
        on paint(*, i) -> t
        on paint(*, x) -> t
    }
    final state t
}
",
        expect![[r#"
              7 |         on paint(*, i) -> t
                |         ^^^^^^^^^^^^^^^^^^^
            hint[ambiguous-step]: `paint(red,0)` can lead to `t` by this step and to `s` by another one, and either may be taken; `*` in this one takes `paint(red,0)` too; narrow one of them if that is not meant
                6:9: the other step is here
              8 |         on paint(*, x) -> t
                |         ^^^^^^^^^^^^^^^^^^^
            hint[ambiguous-step]: `paint(red,*)` can lead to `t` by this step and to `s` by another one, and either may be taken; `*` in this one takes `paint(red,*)` too; narrow one of them if that is not meant
                6:9: the other step is here
        "#]],
    );
}

#[test]
fn steps_that_values_or_guards_keep_apart_are_not_ambiguous() {
    let mut found = hints(
        "action a(0..2)
process p {
    var x: 0..2
    initial state s {
        on a(0) -> t
        on a(1) -> s
        for v in 1..1 on a(v) -> s
        on a(2) when 2 > 1 -> s
        on a(2) when 1 > 2 -> t
    }
    state t {
        on a(?x) when x > 1 -> s
        on a(?x) when x <= 1 -> t
        when x == 0 -> s
        when x == 0 -> t
    }
}
process q {
    either { on a(0); skip } or { on a(0) }
    loop { for v in 0..2 on a(v) }
}
",
    );
    found.retain(|code| *code == "ambiguous-step");
    assert_eq!(found, Vec::<&str>::new());
}

#[test]
fn a_tester_can_be_led_to_two_states_by_one_action() {
    expect![[r#"
          3 |     initial state s { on a(i) -> t  on a(*) -> s  on a(2) -> s }
            |                                     ^^^^^^^^^^^^
        hint[ambiguous-step]: `a(0)` can lead to `s` by this step and to `t` by another one, and either may be taken; `*` in this one takes `a(0)` too; narrow one of them if that is not meant
            3:23: the other step is here
    "#]]
    .assert_eq(&tester_problems(
        "action a(0..2)\nprocess p { loop { for v in 0..2 on a(v) } }\ntermination not required\n",
        r#"use "model.stb"
tester t(i in 0..1) {
    initial state s { on a(i) -> t  on a(*) -> s  on a(2) -> s }
    reject state t
}
specification free {
    initial state s { on a(*) -> s  on a(*) -> t }
    state t { on a(*) -> s }
}
refines free in traces
"#,
    ));
}

#[test]
fn a_buchi_automaton_without_a_state_for_ends_says_nothing_of_them() {
    expect![[r#"
          2 | buchi stays(i in 0..1) {
            |       ^^^^^
        hint[nothing-of-ends]: `stays` says nothing of runs that end, since an `infinite` state accepts only what goes on for ever; mark the states `deadlock` in which a run must not end
    "#]]
    .assert_eq(&tester_problems(
        "var x: 0..1\nprocess p { loop { x = 1 - x } }\ntermination not required\n",
        r#"use "model.stb"
buchi stays(i in 0..1) {
    observe p = x == i
    initial state s { -> s -> there }
    infinite state there when p { -> there }
}
buchi ends {
    observe p = x == 1
    initial state s { -> s -> there }
    infinite deadlock state there when p { -> there }
}
buchi bad {
    observe p = x == 1
    initial state s { -> s -> there -> never }
    infinite state there when p { -> there }
    reject state never when p
}
testing silent {
    observe p = x == 1
    initial state s { change p -> s }
}
"#,
    ));
}

#[test]
fn a_local_variable_hides_a_shared_one() {
    check(
        "var x, y: 0..3
process p(i in 0..1) {
    var x: 0..3 = i
    var k: 0..3
    x = k
    k = x
    y = k
}
process q(y in 0..1) { await x == y }
invariant all: x + y < 9
",
        expect![[r#"
              3 |     var x: 0..3 = i
                |         ^
            hint[hides-shared]: `x` hides the shared variable of the same name, which cannot be reached here; another name would keep the two apart
                1:5: the shared variable is here
        "#]],
    );
}

#[test]
fn a_million_pairs_of_steps_are_compared() {
    let is_told = |before: usize| {
        let steps = "on a -> s\n".repeat(before);
        let text = format!(
            "action a\nprocess p {{ initial state s {{\n{steps}on a -> t }}\nstate t {{ -> s }} }}\n"
        );
        hints(&text).contains(&"ambiguous-step")
    };
    // Each step with all before it: 999,000 pairs, 1,000,405.
    assert_eq!([1_412, 1_413, 1_414].map(is_told), [true, true, false]);
}

#[test]
fn two_thousand_visible_actions_are_compared_with_the_steps_of_a_testers_states() {
    let is_told = |number: usize| {
        let visible = (1..=number).map(|at| format!("a({at}), "));
        let model = format!("action a(0..{number})\nprocess p {{ loop {{ on a(*) }} }}\n");
        let visible: String = visible.collect();
        tester_problems(
            &model,
            &format!(
                "use \"model.stb\"\ntester t {{\nvisible {visible}a(0)\ninitial state s {{ on a(0) -> s }} }}\n"
            ),
        )
        .contains("missing-visible-action")
    };
    // And the one that the state has.
    assert_eq!([1_998, 1_999, 2_000].map(is_told), [true, true, false]);
}

#[test]
fn a_million_actions_of_a_visible_line_are_tried() {
    let is_told = |some: usize, others: usize| {
        let model =
            format!("action a(1..{some}, 1..{others})\nprocess p {{ loop {{ on a(*, *) }} }}\n");
        tester_problems(
            &model,
            "use \"model.stb\"\ntester t { visible a(*, *)\ninitial state s { on a(1, *) -> s } }\n",
        )
        .contains("missing-visible-action")
    };
    assert!(is_told(999, 1_001));
    assert!(is_told(1_000, 1_000));
    assert!(!is_told(101, 9_901));
}
