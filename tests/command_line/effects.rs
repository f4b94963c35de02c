//! What is said of the effects of a step: which have assigned, which has failed, and what a `for` has chosen.

use expect_test::{Expect, expect};

use super::folder::Folder;
use super::trace_forms::replayed;

/// The lines of the run that is told of a property, and what stands before it.
fn told(text: &str, arguments: &str, expected: Expect) {
    let ran = Folder::with("m.stb", text).run(&format!("check m.stb {arguments}"));
    let out = ran.shown();
    let from = out.find("violated[").or_else(|| out.find("reached["));
    let out = &out[from.expect("a run")..];
    let until = out.find("\nm.stb\n").expect("the verdicts");
    let lines = out[..until]
        .lines()
        .map(|line| line.trim_end().to_owned() + "\n");
    expected.assert_eq(&lines.collect::<String>());
}

#[test]
fn a_step_whose_branches_are_not_taken_assigns_nothing() {
    told(
        "\
var x, y: 0..3
process p {
    do if x == 1 { y = 2 }
    do if x == 0 { y = 0 } else { y = 3 }
}
invariant steps: y < 4
reachable done: p@end and x == y
",
        "--property done",
        expect![[r#"
            reached[reachable]: done: it is true after 2 steps
             --> m.stb:7:11
              |
            7 | reachable done: p@end and x == y
              |           ^^^^

              step  who  from → to        statement                              what changed
                 1  p    line 3 → line 4  do if x == 1 { y = 2 }                 no branch is taken
                 2  p    line 4 → end     do if x == 0 { y = 0 } else { y = 3 }  y = 0, as before
        "#]],
    );
}

#[test]
fn nothing_is_said_of_an_assignment_that_is_not_shown() {
    let text = "\
var had: bool
var z: 0..1
process p {
    had = true
    had = true
}
reachable done: p@end and z == 0
";
    let folder = Folder::with("m.stb", text);
    expect![[r#"
        step  who  from → to        statement   what changed
           1  p    line 4 → line 5  had = true
           2  p    line 5 → end     had = true
    "#]]
    .assert_eq(&replayed(folder, "m.stb", "done", "--only p,z"));
}

#[test]
fn an_assignment_that_fails_is_named_with_what_it_assigns_to() {
    told(
        "\
type Record = record { tokens: 0..2, is_on: bool }
var seen: 0..3
process node(i in 0..1) {
    var rec: Record
    loop {
        await i == 0 do {
            seen = 1
            if rec.tokens >= 0 { rec.is_on = true, rec.tokens = rec.tokens + 1 }
        }
    }
}
",
        "--property errors",
        expect![[r#"
            violated[errors]: `await i == 0 do { seen = 1 if rec.tokens >= 0 { rec.is_on =…` of node(0) fails after 2 steps: `rec.tokens = rec.tokens + 1`: the value 3 is outside 0..2, the type of `node(0).rec.tokens`
             --> m.stb:3:9
              |
            3 | process node(i in 0..1) {
              |         ^^^^
            ...
            8 |             if rec.tokens >= 0 { rec.is_on = true, rec.tokens = rec.tokens + 1 }
              |                                                    --------------------------- the value 3 is outside 0..2, the type of `node(0).rec.tokens`

              step  who      from → to  statement                           what changed
                 1  node(0)  line 6     await i == 0 do { seen = 1 if       seen = 1, node(0).rec.tokens = 1,
                                        rec.tokens >= 0 { rec.is_on =       node(0).rec.is_on = true
                                        true, rec.tokens = rec.tokens + 1
                                        } }
                 2  node(0)  line 6     await i == 0 do { seen = 1 if       node(0).rec.tokens = 2
                                        rec.tokens >= 0 { rec.is_on =
                                        true, rec.tokens = rec.tokens + 1
                                        } }
                 3  node(0)  line 6     await i == 0 do { seen = 1 if       fails: `rec.tokens = rec.tokens + 1`: the value 3 is outside 0..2, the type of `node(0).rec.tokens`
                                        rec.tokens >= 0 { rec.is_on =
                                        true, rec.tokens = rec.tokens + 1
                                        } }
        "#]],
    );
}

#[test]
fn of_what_fails_behind_an_any_the_effect_is_named_that_no_choice_can_be() {
    told(
        "\
var g: 0..2
process p {
    do g = any 0..2, g = g + 1
}
",
        "--property errors",
        expect![[r#"
            violated[errors]: `do g = any 0..2, g = g + 1` of p fails at the start: `g = g + 1`: the value 3 is outside 0..2, the type of `g`
             --> m.stb:2:9
              |
            2 | process p {
              |         ^
            3 |     do g = any 0..2, g = g + 1
              |                      --------- the value 3 is outside 0..2, the type of `g`

              step  who  from → to  statement                   what changed
                 1  p    line 3     do g = any 0..2, g = g + 1  fails: `g = g + 1`: the value 3 is outside 0..2, the type of `g`
        "#]],
    );
    // Either assignment fails with the same value, by what was chosen.
    told(
        "\
var g, h: 0..2
process p {
    do g = any 0..3, h = g + 1
}
invariant all: g + h < 9
",
        "--property errors",
        expect![[r#"
            violated[errors]: `do g = any 0..3, h = g + 1` of p fails at the start: the value 3 is outside 0..2
             --> m.stb:2:9
              |
            2 | process p {
              |         ^
            3 |     do g = any 0..3, h = g + 1
              |     -------------------------- the value 3 is outside 0..2

              step  who  from → to  statement                   what changed
                 1  p    line 3     do g = any 0..3, h = g + 1  fails: the value 3 is outside 0..2
        "#]],
    );
}

#[test]
fn the_effect_of_another_participant_may_be_the_one_that_fails() {
    told(
        "\
action pay(1..2)
var till: 0..3 = 2
process customer(c in 1..2) { on pay(c) }
process clerk { loop { on pay(*) do till = till + 1 } }
",
        "--property errors",
        expect![[r#"
            violated[errors]: `pay(2)` of customer(2) and clerk fails after 1 step: `till = till + 1`: the value 4 is outside 0..3, the type of `till`
             --> m.stb:3:9
              |
            3 | process customer(c in 1..2) { on pay(c) }
              |         ^^^^^^^^
            4 | process clerk { loop { on pay(*) do till = till + 1 } }
              |                                     --------------- the value 4 is outside 0..3, the type of `till`

              step  who                  from → to     statement            what changed
                 1  customer(1): pay(1)  line 3 → end  on pay(c)            till = 3
                    clerk                line 4        on pay(*) do till =
                                                       till + 1
                 2  customer(2): pay(2)  line 3        on pay(c)            fails: `till = till + 1`: the value 4 is outside 0..3, the type of `till`
                    clerk                line 4        on pay(*) do till =
                                                       till + 1
        "#]],
    );
}

#[test]
fn a_received_value_that_does_not_fit_is_named_with_its_variable() {
    told(
        "\
channel c: queue[1] of 0..3
process sender { send c(3) }
process receiver {
    var got: 0..1
    receive c(?got)
}
",
        "--property errors",
        expect![[r#"
            violated[errors]: `receive c(?got)` of receiver fails after 1 step: the value 3 is outside 0..1, the type of `receiver.got`
             --> m.stb:2:9
              |
            2 | process sender { send c(3) }
              |         ^^^^^^
            ...
            5 |     receive c(?got)
              |     --------------- the value 3 is outside 0..1, the type of `receiver.got`

              step  who       from → to     statement        what changed
                 1  sender    line 2 → end  send c(3)        c = [3]
                 2  receiver  line 5        receive c(?got)  fails: the value 3 is outside 0..1, the type of `receiver.got`
        "#]],
    );
}

#[test]
fn the_values_that_a_for_has_taken_stand_behind_its_statement() {
    told(
        "\
enum Colour { red, green }
type Id = 0..2
param N: 1..3 = 2
var x: Id
var lamp: Colour
process p {
    for k in Id, c in Colour when k != x and c != lamp do x = k
    for k in 1..N when k > x do x = 2
}
invariant low: x < 2
",
        "--property low",
        expect![[r#"
            violated[invariant]: low: `low` is false after 1 step: x = 2
              --> m.stb:10:11
               |
            10 | invariant low: x < 2
               |           ^^^

              step  who  from → to        statement                                     what changed
                 1  p    line 7 → line 8  for k in Id, c in Colour when k != x and c    x = 2
                                          != lamp do x = k: k = 2, c = green
        "#]],
    );
}

/// Readers who wait for each other, and a writer for whom nobody does.
const UPGRADE: &str = "\
param CARELESS: 0..1 = 1
type Id = 0..2
enum Mode { idle, waiting, reading, writing }
var mode: array[Id] of Mode
def readers: count(i in Id: mode[i] == reading)
process reader(i in 0..1) {
    mode[i] = reading
    pending: either { when readers == 1 do mode[i] = writing }
    or { when CARELESS == 0 do mode[i] = idle }
    mode[i] = idle
}
process writer {
    mode[2] = waiting
    queued: when readers == 0 do mode[2] = writing
    mode[2] = idle
}
";

#[test]
fn who_is_waited_for_is_told_apart_from_who_only_waits() {
    told(
        UPGRADE,
        "--property deadlock",
        expect![[r#"
        violated[deadlock]: reader(0) and reader(1) wait for each other, and writer for them, after 3 steps
          --> m.stb:6:9
           |
         6 |   process reader(i in 0..1) {
           |           ^^^^^^
         7 |       mode[i] = reading
         8 |       pending: either { when readers == 1 do mode[i] = writing }
           |  ______________-
         9 | |     or { when CARELESS == 0 do mode[i] = idle }
           | |                                               -
           | |                                               |
           | |_______________________________________________reader(0) at pending waits for `readers == 1`
           |                                                 reader(1) at pending waits for `readers == 1`
        ...
        14 |       queued: when readers == 0 do mode[2] = writing
           |               -------------------------------------- writer at queued waits for `readers == 0`

          step  who        from → to         statement          what changed
             1  reader(0)  line 7 → pending  mode[i] = reading  mode[0] = reading
             2  reader(1)  line 7 → pending  mode[i] = reading  mode[1] = reading
             3  writer     line 13 → queued  mode[2] = waiting  mode[2] = waiting
    "#]],
    );
}

#[test]
fn all_that_is_waited_for_at_a_place_is_named_with_messages_first() {
    told(
        "\
var x: 0..3
channel c: queue[1] of 0..3
process p {
    initial state s {
        when x == 1 -> t
        when x == 2 or false -> t
        when x == 3 -> t
        receive c(?x) -> t
        when x == 0 and false -> t
    }
    final state t
}
process q { loop { when x == 3 do x = 0  send c(x) } }
",
        "--property deadlock",
        expect![[r#"
            violated[deadlock]: p and q wait for each other, at the start
              --> m.stb:3:9
               |
             3 | process p {
               |         ^
             4 |     initial state s {
               |                   - p at s waits for a message in `c`, `x == 1`, `x == 2` or `x == 3`
            ...
            13 | process q { loop { when x == 3 do x = 0  send c(x) } }
               |                    -------------------- q at line 13 waits for `x == 3`
        "#]],
    );
}

#[test]
fn who_can_always_go_on_is_named_where_no_end_can_be_reached() {
    told(
        "\
var healthy: bool
process worker { await healthy; skip }
process weather { loop { healthy = not healthy } }
",
        "--property termination",
        expect![[r#"
            violated[termination]: from the start no terminal state can be reached, since weather can always take `healthy = not healthy`; if the model is meant to go on for ever, write `termination not required`
             --> m.stb:2:9
              |
            2 | process worker { await healthy; skip }
              |         ^^^^^^
            3 | process weather { loop { healthy = not healthy } }
              |                          --------------------- weather can always take `healthy = not healthy`
        "#]],
    );
}

#[test]
fn a_failing_step_may_be_why_something_is_out_of_reach() {
    let text = "var x: 0..1\nprocess p { x = 1; x = x + 1 }\nreachable done: p@end\n";
    let (_, object) = Folder::with("m.stb", text).json("check m.stb");
    let properties = object["properties"].as_array().expect("a list");
    let whys = properties.iter().filter_map(|one| {
        let name = one["name"].as_str()?;
        Some(format!("{name}: {}\n", one["why"].as_str()?))
    });
    expect![[r#"
        errors: `x = x + 1` of p fails after 1 step: the value 2 is outside 0..1, the type of `x`
        termination: from the start no terminal state can be reached; if the model is meant to go on for ever, write `termination not required`; perhaps since a step fails: see `errors`
        done: it is true in no reachable state; perhaps since a step fails: see `errors`
    "#]].assert_eq(&whys.collect::<String>());
}
