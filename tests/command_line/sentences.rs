//! The sentence that says what was found.

use expect_test::{Expect, expect};

use super::folder::Folder;

/// The `why` of each property that does not hold.
fn why(text: &str, expected: Expect) {
    let (_, object) = Folder::with("model.stb", text).json("check model.stb");
    let told = object["properties"]
        .as_array()
        .expect("a list of properties")
        .iter();
    let told = told.filter_map(|property| {
        let name = property["name"].as_str()?;
        Some(format!("{name}: {}\n", property["why"].as_str()?))
    });
    expected.assert_eq(&told.collect::<String>());
}

#[test]
fn an_invariant_is_explained_by_what_it_reads() {
    why(
        "\
enum Colour { red, amber, green }
var lamp: array[0..1] of Colour
var open: bool = true
process p(i in 0..1) {
    initial state s { do lamp[i] = green -> t }
    final state t
}
invariant one_red: lamp[0] == red or lamp[1] == red
invariant apart: not (p(0)@t and p(1)@t)
invariant shut: not open
invariant few: count(i in 0..1: p(i)@t) < 1
",
        expect![[r#"
            one_red: `one_red` is false after 2 steps: lamp[0] = green, lamp[1] = green
            apart: `apart` is false after 2 steps: p(0) at t, p(1) at t
            shut: `shut` is false at the start: open = true
            few: p(0) is in t, after 1 step
        "#]],
    );
}

#[test]
fn the_values_that_make_a_quantifier_false_are_named_below_a_not_too() {
    why(
        "\
enum Colour { red, amber, green }
var lamp: array[Colour] of 0..3
process p { lamp[amber] = 2; lamp[green] = 3 }
def high(c in Colour, k in 0..3): lamp[c] > k
invariant none: not exists c in Colour: lamp[c] == 3
invariant neither: not (lamp[red] > 0 or (exists c in Colour, k in 2..3: high(c, k)))
invariant given: lamp[amber] == 2 implies not exists c in Colour: lamp[c] == 0
ltl never: not exists c in Colour: eventually lamp[c] == 2
",
        expect![[r#"
            none: `none` is false after 2 steps, since `not (lamp[c] == 3)` is false for c = green: lamp[green] = 3
            neither: `neither` is false after 2 steps, since `not (high(c, k))` is false for c = green, k = 2: lamp[green] = 3
            given: `given` is false after 1 step, since `lamp[amber] == 2 implies not (lamp[c] == 0)` is false for c = red: lamp[amber] = 2, lamp[red] = 0
            never: after 1 step it is decided that this run does not satisfy the formula's part `not (eventually lamp[c] == 2)` for c = amber, however it goes on
        "#]],
    );
}

#[test]
fn who_could_not_have_moved_is_not_said_to_stand_still_and_who_could_beside_an_assumption_is() {
    why(
        "\
action go
fair process busy { loop { on go } }
process over { skip; stop }
process idle { y: skip; final z: await false }
process stuck { final w: await false }
recurrence done: infinitely go implies infinitely idle@z
progress comes: must idle@z
",
        expect![[r#"
            termination: from the start no terminal state can be reached, since busy can always take `on go`; if the model is meant to go on for ever, write `termination not required`
            done: from the start a cycle of 1 step can be gone round for ever, with a step of `go` and none of `idle@z`; it is fair: step 1 is one of `fair busy`; over and idle never move on it, which no assumption excludes
            comes: from the start a cycle of 1 step can be gone round for ever, and idle is never at z in it; it is fair: step 1 is one of `fair busy`; over and idle never move on it, which no assumption excludes
        "#]],
    );
}

#[test]
fn a_goal_that_is_out_of_reach_is_named() {
    why(
        "\
var turn: 0..2
process p {
    initial state s { do turn = 1 -> t  do turn = 2 -> u }
    final state t
    final state u
}
process other { skip }
progress at_t: may p@t
progress first: may turn == 1
progress second: may turn == 1 and p@{s, t}
progress sooner: must turn == 1
progress never: may turn > 2
",
        expect![[r#"
            at_t: after 1 step p can never be at t any more
            first: after 1 step a state with `turn == 1` cannot be reached any more
            second: after 1 step a state with `turn == 1 and p@{s, t}` cannot be reached any more
            sooner: a run ends after 2 steps, and its last state is not a state with `turn == 1`
            never: from the start a state with `turn > 2` cannot be reached
        "#]],
    );
}

#[test]
fn what_recurs_and_what_does_not_is_named_as_it_is_written() {
    why(
        "\
action pass(0..1)
action back
process p {
    initial state s { on pass(0) -> t  on pass(1) -> t }
    state t { on back -> s }
}
process other(i in 0..1) { initial final state idle { -> idle } }
termination not required
recurrence one: infinitely pass(*) implies infinitely pass(0)
recurrence set: infinitely {pass(1), p@{s, t}} implies infinitely {pass(0), other(*)@idle}
recurrence none: infinitely other(1)@idle implies infinitely {}
recurrence holds: infinitely pass(*) implies infinitely back
",
        expect![[r#"
            one: from the start a cycle of 2 steps can be gone round for ever, with a step of `pass(*)` and none of `pass(0)`; other(0) and other(1) never move on it, and no fairness is assumed
            set: from the start a cycle of 2 steps can be gone round for ever, with a step of `{pass(1), p@{s, t}}` and none of `{pass(0), other(*)@idle}`; other(0) and other(1) never move on it, and no fairness is assumed
            none: from the start a cycle of 1 step can be gone round for ever, with a step of `other(1)@idle`; p and other(0) never move on it, and no fairness is assumed
        "#]],
    );
}

#[test]
fn who_waits_for_a_channel_or_an_action_is_said() {
    why(
        "\
channel c[0..1]: queue[1] of 0..1
action meet(0..1)
process sender(i in 0..1) { send c[i](0); send c[i](1); on meet(i) }
process receiver { receive c[0](1) }
process partner { on meet(1); on meet(0) }
deadlock allowed when false
",
        expect![[r#"
            deadlock: after 2 steps nothing can happen any more: sender(0) at line 3 (2) waits for room in `c[0]`; sender(1) at line 3 (2) waits for room in `c[1]`; receiver at line 4 waits for a message in `c[0]` that `receive c[0](1)` takes (the first is [0]); and 1 more
        "#]],
    );
}

#[test]
fn what_a_message_is_passed_on_to_is_waited_for_once_there_is_one() {
    why(
        "\
channel c: queue[1] of 0..1 = [1]
channel d[0..1]: queue[1] of 0..1 = [0]
process relay { var x: 0..1  receive c(?x) send d[x](x) when x == 1 }
process other { receive c(0) send d[0](1) }
process idle { receive d[0](1) send c(0) }
deadlock allowed when false
",
        expect![[r#"
            deadlock: relay, other and idle wait for each other, at the start: relay at line 3 waits for room in `d`; other at line 4 waits for a message in `c` that `receive c(0) send d[0](1)` takes (the first is [1]); idle at line 5 waits for a message in `d[0]` that `receive d[0](1) send c(0)` takes (the first is [0])
        "#]],
    );
}

#[test]
fn which_message_is_first_is_said_and_which_variable_it_was_perhaps_meant_for() {
    why(
        "\
enum Kind { ask, answer }
channel c: queue[2] of Kind, 0..7 = [[answer, 3]]
process p { var x: 0..7  receive c(answer, x) }
process q { receive c(ask, *) }
",
        expect![[r#"
            deadlock: p and q wait for each other, at the start: p at line 3 waits for a message in `c` that `receive c(answer, x)` takes (the first is [answer, 3], and `x` is 0: `?x` would store it); q at line 4 waits for a message in `c` that `receive c(ask, *)` takes (the first is [answer, 3])
        "#]],
    );
}

#[test]
fn what_fails_is_told_with_who_takes_the_step() {
    for (body, expected) in [
        (
            "x = 4 / x",
            expect![[r#""`x = 4 / x` of p fails after 1 step: a division by zero""#]],
        ),
        (
            "a[x + 2] = 1",
            expect![[
                r#""`a[x + 2] = 1` of p fails after 1 step: the index 2 is outside the array's 0..1""#
            ]],
        ),
        (
            "assert x > 0",
            expect![[r#""`assert x > 0` of p fails after 1 step: an assertion is false""#]],
        ),
        (
            "on meet(1) do x = x - 1",
            expect![[
                r#""`meet(1)` of p and q fails after 1 step: `x = x - 1`: the value -1 is outside 0..3, the type of `x`""#
            ]],
        ),
    ] {
        let text = format!(
            "var x: 0..3\nvar a: array[0..1] of 0..3\naction meet(0..1)\n\
             process p {{ skip; {body}; await a[0] == 0; on meet(0) }}\nprocess q {{ loop {{ on meet(*) }} }}\n"
        );
        let (_, object) =
            Folder::with("model.stb", &text).json("check model.stb --property errors");
        expected.assert_eq(&object["properties"][0]["why"].to_string());
    }
}

#[test]
fn what_has_no_value_says_why() {
    why(
        "\
var x: 0..3
process p { x = 3; x = 2 }
invariant inside: [true, true, true][x]
invariant shifted: shift_left(1, 0 - x) >= 0
",
        expect![[r#"
            inside: `inside` has no value after 1 step: the index 3 is outside the array's 0..2
            shifted: `shifted` has no value after 1 step: a shift by -3, which is not in 0..63
        "#]],
    );
}

#[test]
fn an_argument_that_is_more_than_a_name_is_followed_into_its_definition() {
    why(
        "\
var a: array[bool] of bool
var n: array[0..3] of 0..3 = [3, 2, 1, 0]
var x: 0..3
channel c[0..1]: queue[1] of bool
def at(z in bool): a[z]
def twice(k in 0..3): n[n[k]]
def inner(k in 0..3, m in 0..3): n[k] == n[m]
def outer(k in 0..3): inner(3 - k, k + 0)
def waiting(k in 0..1): empty(c[k]) or n[k] == 2
process p(i in 0..3) {
    initial state s { when i == 0 do x = 1 -> t }
    final state t
}
process q(i in 0..3) {
    var v: 0..3 = 2
    initial state r { when false -> s }
    final state s
}
deadlock ignored
invariant one: at(x == 0)
invariant two: twice(x + 0) == x + 1
invariant three: outer(x + 0)
invariant four: exists k in 0..1: not waiting(k + x) and false
invariant five: q(x + 1).v == 3 and twice(x + 0) > 0
invariant six: forall k in 0..3: twice(if k < 2 then k + x else x * k) == 3
",
        expect![[r#"
            one: `one` is false at the start: x = 0, a[true] = false
            two: `two` is false at the start: x = 0, n[3] = 0, n[0] = 3
            three: `three` is false at the start: x = 0, n[3] = 0, n[0] = 3
            four: `four` is false at the start: x = 0
            five: `five` is false at the start, since `q(x + 1).v == 3` is false: x = 0, q(0).v = 2, q(1).v = 2, q(2).v = 2, q(3).v = 2
            six: `six` is false at the start, since `twice(if k < 2 then k + x else x * k) == 3` is false for k = 0: x = 0, n[3] = 0, n[0] = 3
        "#]],
    );
}

/// Its only run goes on to a step that fails, and so is none.
const FAILING: &str = "\
var x: 0..1
process p {
    initial state s { do x = 1 -> t }
    state t { do x = x + 1 -> s }
}
ltl always_zero: always x == 0
progress back: must p@s and x == 1
progress possible: may x == 1
recurrence again: infinitely p@s implies infinitely {}
invariant small: x < 2
";

const OF_OTHER_RUNS: &str =
    "it holds only of the runs on which no step fails: `errors` is violated";

#[test]
fn what_holds_of_runs_says_that_others_fail() {
    let folder = Folder::with("model.stb", FAILING).and(
        "watch.tester",
        "use \"model.stb\"
tester never { initial state s }
buchi leaves_zero { observe zero = x == 0 initial state s { -> t } infinite state t when not zero { -> t } }
",
    );
    let (_, object) = folder.json("check model.stb watch.tester");
    let properties = object["properties"].as_array().expect("properties");
    let qualified: Vec<&str> = properties
        .iter()
        .filter(|one| one["why"] == OF_OTHER_RUNS && one["verdict"] == "holds")
        .filter_map(|one| one["name"].as_str())
        .collect();
    assert_eq!(qualified, ["always_zero", "back", "again", "leaves_zero"]);
    let told: Vec<&str> = properties
        .iter()
        .filter(|one| one["verdict"] == "holds" && one["why"].is_null())
        .filter_map(|one| one["name"].as_str())
        .collect();
    assert_eq!(told, ["deadlock", "possible", "small", "never"]);
    let shown = folder.run("check model.stb").out;
    assert!(
        shown.contains(&format!("holds      {OF_OTHER_RUNS}")),
        "{shown}"
    );
}

#[test]
fn nothing_is_said_of_runs_that_fail_where_nobody_asked_for_errors() {
    let folder = Folder::with("model.stb", FAILING);
    let (status, object) = folder.json("check model.stb --property always_zero --property back");
    assert_eq!(status, 0);
    for property in object["properties"].as_array().expect("properties") {
        assert!(property["why"].is_null(), "{property:#}");
    }
}

#[test]
fn of_several_conditions_of_an_invariant_the_one_is_named_that_is_false_and_for_which_values() {
    why(
        "\
type Id = 0..2
var a: array[Id] of 0..3
var b: bool
def low(i in Id): a[i] < 3
process p { a[1] = 2; b = true; a[2] = 3 }
invariant each: forall i in Id: low(i)
invariant two: not b and (forall i in Id: a[i] < 4)
invariant given: forall i in Id, j in Id: i != j and a[i] == 2 implies a[j] != 3
invariant one: a[2] < 3
invariant some: exists i in Id: a[i] == 0
",
        expect![[r#"
            each: `each` is false after 3 steps, since `low(i)` is false for i = 2: a[2] = 3
            two: `two` is false after 2 steps, since `not b` is false: b = true
            given: `given` is false after 3 steps, since `i != j and a[i] == 2 implies a[j] != 3` is false for i = 1, j = 2: a[1] = 2, a[2] = 3
            one: `one` is false after 3 steps: a[2] = 3
        "#]],
    );
}

#[test]
fn what_a_property_asks_for_is_told_in_the_words_of_the_text() {
    why(
        "\
var x: 0..1
process p { initial final state s0 { do x = 1 - x -> s0 } state s1 { -> s0 } }
process q(i in 0..1) { initial final state s0 { -> s0 } state s1 { -> s0 } }
progress a: may p@s1 and x == 0
progress b: must x == 0 implies (exists i in 0..1: q(i)@s1)
progress c: may q(0)@s1
progress d(i in 0..1): may q(i)@s1  // `i` is the one of the property
    and (exists j in 0..1: x == j)
progress e(i in 0..1): may (exists i in 0..1: q(i)@s1)
recurrence f(i in 0..1): infinitely q(*)@s0 implies infinitely {p@{s0, s1}, q(i)@s1}
",
        expect![[r#"
            termination: from the start no terminal state can be reached, since p can always take `do x = 1 - x -> s0`; if the model is meant to go on for ever, write `termination not required`
            a: from the start a state with `p@s1 and x == 0` cannot be reached
            b: from the start a cycle of 1 step can be gone round for ever, and a state with `x == 0 implies (exists i in 0..1: q(i)@s1)` is never met in it; p and q(1) never move on it, and no fairness is assumed
            c: from the start a state with `q(0)@s1` cannot be reached
            d(0): from the start a state with `q(0)@s1 and (exists j in 0..1: x == j)` cannot be reached
            d(1): from the start a state with `q(1)@s1 and (exists j in 0..1: x == j)` cannot be reached
            e(0): from the start a state with `(exists i in 0..1: q(i)@s1)` cannot be reached
            e(1): from the start a state with `(exists i in 0..1: q(i)@s1)` cannot be reached
            f(0): from the start a cycle of 1 step can be gone round for ever, with a step of `q(*)@s0` and none of `{p@{s0, s1}, q(0)@s1}`; p and q(1) never move on it, and no fairness is assumed
            f(1): from the start a cycle of 1 step can be gone round for ever, with a step of `q(*)@s0` and none of `{p@{s0, s1}, q(1)@s1}`; p and q(1) never move on it, and no fairness is assumed
        "#]],
    );
}

#[test]
fn a_guard_that_is_never_true_is_what_is_waited_for_in_vain() {
    why(
        "\
const RUDE = 4
channel c: queue[1] of 0..3
process q { send c(1) }
process p { initial state s { receive c(*) when RUDE == 5 -> t } final state t {} }
process r { initial state s { when RUDE == 5 -> t } final state t {} }
",
        expect![[r#"
            deadlock: after 1 step nothing can happen any more: p at s waits for `RUDE == 5`, which is never true; r at s waits for `RUDE == 5`, which is never true
        "#]],
    );
}
