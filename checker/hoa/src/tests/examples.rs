//! One file for each form that the format's definition has, and for each thing that can be wrong.

use std::ops::ControlFlow;

use expect_test::{Expect, expect};

use stubborn_automata::Word;
use stubborn_automata::Work;

use super::{buchi, file, refusal};
use crate::{read, write};

/// What the file is as a Büchi automaton, as it is written.
fn check(text: &str, expected: Expect) {
    let read = read(text, &Work::unlimited()).unwrap_or_else(|refused| panic!("{refused}"));
    let written = write(&read.buchi, &read.propositions, read.name.as_deref());
    let body = written.split_once("--BODY--\n").map(|(_, body)| body);
    expected.assert_eq(body.unwrap_or_default());
    assert_eq!(super::read(&written, &Work::unlimited()), Ok(read));
}

fn lasso(prefix: &[u64], cycle: &[u64]) -> Word {
    Word::Lasso {
        prefix: prefix.to_vec(),
        cycle: cycle.to_vec(),
    }
}

#[test]
fn labels_and_acceptance_on_states_stay_as_they_are() {
    let text = "HOA: v1 name: \"again and again\" States: 2 Start: 1 Start: 0
        acc-name: Buchi Acceptance: 1 Inf(0) AP: 1 \"on\" properties: state-labels
        tool: \"by hand\" \"2\" hint: t 3 \"x\" y
        --BODY--
        State: [0] 0 \"is on\" {0} 0 1
        State: [!0] 1 /* is /* still */ off */ 0 1
        --END--";
    check(
        text,
        expect![[r#"
        State: [0] 0 {0}
          0 1
        State: [!0] 1
          0 1
        --END--
    "#]],
    );
    let read = read(text, &Work::unlimited()).unwrap();
    assert_eq!(read.name.as_deref(), Some("again and again"));
    assert_eq!(read.propositions, ["on"]);
    assert!(read.buchi.ends_repeat);
}

#[test]
fn labels_on_edges_go_to_states() {
    check(
        &file("1 Inf(0)", "State: 0 [t] 0 [0] 1 State: 1 {0} [0] 1"),
        expect![[r#"
            State: [t] 0
              0 1
            State: [0] 1 {0}
              1
            --END--
        "#]],
    );
}

#[test]
fn acceptance_on_edges_goes_to_states() {
    check(
        &file("1 Inf(0)", "State: 0 [0] 0 {0} [!0] 0"),
        expect![[r#"
            State: [t] 0
              1 2
            State: [0] 1 {0}
              1 2
            State: [!0] 2
              1 2
            --END--
        "#]],
    );
}

#[test]
fn acceptance_may_be_on_states_and_edges() {
    let mixed = file(
        "1 Inf(0)",
        "State: 0 [0] 0 {0} [!0] 1 State: 1 {0} [1] 1 [!1] 0",
    );
    let edges = file(
        "1 Inf(0)",
        "State: 0 [0] 0 {0} [!0] 1 State: 1 [1] 1 {0} [!1] 0 {0}",
    );
    assert_eq!(buchi(&mixed), buchi(&edges));
}

#[test]
fn implicit_labels_count_through_the_valuations() {
    let implicit = file("2 Inf(0) & Inf(1)", "State: 0 0 0 {0} 0 {1} 0 {0 1}");
    let explicit = file(
        "2 Inf(0) & Inf(1)",
        "State: 0 [!0&!1] 0 [0&!1] 0 {0} [!0&1] 0 {1} [0&1] 0 {0 1}",
    );
    assert_eq!(buchi(&implicit), buchi(&explicit));
    check(
        &implicit,
        expect![[r#"
        State: [t] 0
          1 2 3
        State: [0&1] 1 {0}
          1 2 3
        State: [!0] 2
          1 2 3
        State: [0&!1] 3 {0}
          4 5 6
        State: [!0&1] 4 {0}
          1 2 3
        State: [0&1] 5 {0}
          4 5 6
        State: [!1] 6
          4 5 6
        --END--
    "#]],
    );
}

#[test]
fn aliases_stand_for_what_they_name() {
    let text = "HOA: v1 Alias: @x 0 Alias: @both @x & (1 | !2) AP: 3 \"a\" \"b\" \"c\" Start: 0
        Acceptance: 0 t --BODY-- State: [!@both | @x & f] 0 0 --END--";
    check(
        text,
        expect![[r#"
        State: [!0 | !1&2] 0 {0}
          0
        --END--
    "#]],
    );
}

#[test]
fn a_co_buchi_automaton_guesses_when_it_is_over() {
    let text = file("1 Fin(0)", "State: 0 [0] 0 [!0] 0 {0}");
    check(
        &text,
        expect![[r#"
        State: [t] 0
          0 1
        State: [0] 1 {0}
          1
        --END--
    "#]],
    );
}

#[test]
fn rabin_streett_and_parity_conditions_are_read() {
    let body = "State: 0 [0&!1] 0 {0} [1] 0 {1} [!0&!1] 0";
    for (name, acceptance, again, end) in [
        ("Rabin 1", "2 Fin(0) & Inf(1)", true, false),
        ("Streett 1", "2 Fin(0) | Inf(1)", true, true),
        ("parity min odd 2", "2 Fin(0) & Inf(1)", true, false),
        ("parity max odd 2", "2 Inf(1) | Fin(0)", true, true),
        ("generalized-Rabin 1 1", "2 (Fin(0) & Inf(1))", true, false),
    ] {
        let text = file(acceptance, body).replace("AP:", &format!("acc-name: {name} AP:"));
        let buchi = buchi(&text);
        assert_eq!(buchi.accepts(&lasso(&[1, 1], &[2, 0])), again, "{name}");
        assert_eq!(buchi.accepts(&lasso(&[2, 1], &[0])), end, "{name}");
        let only_even = name.contains("max odd") || name.contains("Streett");
        assert_eq!(buchi.accepts(&lasso(&[], &[1, 2])), only_even, "{name}");
    }
}

#[test]
fn everything_and_nothing_are_conditions_too() {
    check(
        &file("0 t", "State: [0] 0 0"),
        expect![[r#"
        State: [0] 0 {0}
          0
        --END--
    "#]],
    );
    check(
        &file("0 f", "State: [0] 0 0"),
        expect![[r#"
        State: [0] 0
          0
        --END--
    "#]],
    );
    check(
        &file("0 t", "State: 0"),
        expect![[r#"
        State: [t] 0 {0}
        --END--
    "#]],
    );
}

#[test]
fn several_initial_states_need_no_common_one() {
    let text = "HOA: v1 States: 2 Start: 0 Start: 1 AP: 1 \"a\" Acceptance: 1 Inf(!0)
        --BODY-- State: 0 [0] 0 State: 1 {0} [!0] 1 [0] 0 --END--";
    check(
        text,
        expect![[r#"
        State: [0] 0 {0}
          0
        State: [!0] 1
          0 1
        --END--
    "#]],
    );
}

#[test]
fn an_automaton_may_have_no_states_and_begin_nowhere() {
    let empty = "HOA: v1 States: 0 Acceptance: 0 f --BODY-- --END--";
    assert!(buchi(empty).states.is_empty());
    let nowhere = "HOA: v1 AP: 0 Acceptance: 0 t --BODY-- State: [t] 0 0 --END--";
    assert!(!buchi(nowhere).accepts(&lasso(&[], &[0])));
}

#[test]
fn what_was_aborted_is_left_out() {
    let whole = file("0 t", "State: [t] 0 0");
    assert_eq!(
        buchi(&format!("HOA: v1 Start: 7 --ABORT--\n{whole}")),
        buchi(&whole)
    );
}

/// Each refusal, with its place.
#[test]
fn what_is_not_read_is_refused_with_what_would_mend_it() {
    let cases = [
        "",
        "never { skip }",
        "HOA: v2",
        "HOA: v1 --ABORT--",
        "HOA: v1 --BODY-- --END--",
        "HOA: v1 Acceptance: 1 Inf(0) --BODY-- State: 0",
        "HOA: v1 Acceptance: 1 Inf(0) Fairness: 3 --BODY-- --END--",
        "HOA: v1 name: \"x\" name: \"y\" Acceptance: 0 t --BODY-- --END--",
        "HOA: v1 AP: 2 \"a\" Acceptance: 0 t --BODY-- --END--",
        "HOA: v1 AP: 2 \"a\" \"a\" Acceptance: 0 t --BODY-- --END--",
        "HOA: v1 AP: 65 Acceptance: 0 t --BODY-- --END--",
        "HOA: v1 Acceptance: 1 Inf(1) --BODY-- --END--",
        "HOA: v1 Acceptance: 1 Often(0) --BODY-- --END--",
        "HOA: v1 acc-name: Buchi Acceptance: 1 Fin(0) --BODY-- --END--",
        "HOA: v1 Alias: @a @b Acceptance: 0 t --BODY-- --END--",
        "HOA: v1 Alias: @a t Alias: @a f Acceptance: 0 t --BODY-- --END--",
        "HOA: v1 Start: 0&1 Acceptance: 0 t --BODY-- State: [t] 0 State: [t] 1 --END--",
        "HOA: v1 Acceptance: 0 t\n--BODY--\nState: 0 [t] 0&1 State: 1 --END--",
        "HOA: v1 States: 2 Acceptance: 0 t --BODY-- State: [t] 0 0 --END--",
        "HOA: v1 States: 1 Acceptance: 0 t --BODY-- State: [t] 0 1 --END--",
        "HOA: v1 Start: 1 Acceptance: 0 t --BODY-- State: [t] 0 0 --END--",
        "HOA: v1 Acceptance: 0 t --BODY-- State: [t] 0 State: [t] 0 --END--",
        "HOA: v1 Acceptance: 0 t --BODY-- State: [t] 0 [t] 0 --END--",
        "HOA: v1 AP: 1 \"a\" Acceptance: 0 t --BODY-- State: 0 [0] 0 0 --END--",
        "HOA: v1 AP: 1 \"a\" Acceptance: 0 t --BODY-- State: 0 0 --END--",
        "HOA: v1 AP: 1 \"a\" Acceptance: 0 t --BODY-- State: [1] 0 0 --END--",
        "HOA: v1 Acceptance: 1 Inf(0) --BODY-- State: [t] 0 {1} 0 --END--",
        "HOA: v1 Acceptance: 1 Inf(0) properties: state-acc --BODY-- State: [t] 0 0 {0} --END--",
        "HOA: v1 properties: state-labels Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--",
        "HOA: v1 Acceptance: 0 t --BODY-- --END-- HOA: v1 Acceptance: 0 t --BODY-- --END--",
        "HOA: v1 Acceptance: 0 t --BODY-- --END-- thanks",
        "HOA: v1 Acceptance: 0 t --BODY-- /* open",
        "HOA: v1 name: \"open",
        "HOA: v1 States: 007",
        "HOA: v1 States: 4294967296",
        "HOA: v1 Start: 0 Acceptance: 0 t stubborn-reject: 0 --BODY-- State: [t] 0 0 --END--",
        "HOA: v1 Start: 0 Acceptance: 0 t stubborn-deadlock: 3 --BODY-- State: [t] 0 0 --END--",
    ];
    let refused: Vec<String> = cases
        .iter()
        .map(|text| format!("{}\n", refusal(text)))
        .collect();
    expect![[r#"
        1:1: the file ends where `HOA: v1`, with which every file in this format begins, should stand
        1:1: `never` stands where `HOA: v1`, with which every file in this format begins, should
        1:6: version `v2` of the format is not known: only `v1` is
        1:9: the automaton was aborted by the program that wrote it: write it again
        1:9: the header has no `Acceptance:`: a Büchi automaton has `Acceptance: 1 Inf(0)`
        1:47: the file ends where `State:` or `--END--` should stand
        1:30: `Fairness:` is not known, and its capital says that it changes what the automaton means: write the automaton without it
        1:19: the header has `name:` twice: leave one out
        1:13: 2 propositions are announced, but 1 names follow: make the two equal
        1:19: there is a proposition "a" already: rename one
        1:13: 65 propositions are too many: up to 64 can be observed
        1:27: there is no acceptance set 1: `Acceptance:` announces 1, numbered from 0
        1:23: `Often` stands where `Inf(…)`, `Fin(…)`, `t`, `f` or `(` should
        1:9: the name of the acceptance condition does not fit `Acceptance:`, which counts: leave out the name, or mend the other one
        1:19: there is no alias `@b` so far: define it with `Alias: @b …` before it is used
        1:28: there is an alias `@a` already: rename one
        1:17: universal branching is not read: turn the automaton into one without alternation first
        3:15: universal branching is not read: turn the automaton into one without alternation first
        1:9: state 1 is not listed: add `State: 1` to the body
        1:57: there is no state 1: `States:` announces 1, numbered from 0
        1:9: state 1 is not listed: add `State: 1` to the body
        1:58: state 0 is listed twice: put all its edges under one `State:`
        1:47: this edge has a label, but its state has one already: leave one out
        1:59: of the edges of a state either all have labels or none has: add what is missing
        1:53: edges without labels are one for each of the 2^1 valuations, but there are 1: give the state or each edge a label
        1:52: there is no proposition 1: `AP:` announces 1, numbered from 0
        1:53: there is no acceptance set 1: `Acceptance:` announces 1, numbered from 0
        1:76: this edge has acceptance sets, but the header says `state-acc`: leave out one of the two
        1:68: this edge has a label, but the header says `state-labels`: leave out one of the two
        1:42: a second automaton begins here: put each automaton in a file of its own
        1:42: `thanks` after the end of the automaton
        1:34: this comment does not end: close it with `*/`
        1:15: this string does not end: close it with `"`
        1:17: `007` begins with a zero: leave it out
        1:17: `4294967296` is too large: numbers are below 2^31
        1:34: `stubborn-reject:` names the states that lead to the last one, which accepts everything, but here that is not so: leave the item out
        1:34: there is no state 3
    "#]].assert_eq(&refused.concat());
}

#[test]
fn a_file_whose_conversion_is_stopped_is_refused_whoever_stops_it() {
    let edges: String = (0..100).map(|target| format!("[t] {target} ")).collect();
    let states: String = (0..100)
        .map(|state| format!("State: {state} {edges}"))
        .collect();
    let text = file("1 Fin(0)", &states);
    let told = |work: &Work<'_>| read(&text, work).map(|_| ()).unwrap_err().to_string();
    let expected = "4:15: turning it into a Büchi automaton takes more time or memory than there \
                    is: reduce it first";
    // By a bound on the work that it was given, and by somebody who waits.
    assert_eq!(told(&Work::of_most(100)), expected);
    let goes_on = |_: u64| ControlFlow::Break(());
    assert_eq!(told(&Work::asking(&goes_on)), expected);
}

#[test]
fn what_nests_without_end_is_refused() {
    for (open, close) in [("(", ")"), ("!", "")] {
        let label = format!("{}t{}", open.repeat(100_000), close.repeat(100_000));
        let text = file("0 t", &format!("State: [{label}] 0 0"));
        assert!(refusal(&text).message.contains("nests too deeply"));
    }
    let condition = format!("0 {}t{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(
        refusal(&file(&condition, ""))
            .message
            .contains("nests too deeply")
    );
}
