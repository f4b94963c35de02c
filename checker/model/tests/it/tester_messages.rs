//! What is wrong with tester files.

use crate::support::*;
use expect_test::{Expect, expect};

const MODEL: &str = "param N: 2..6 = 3
type Id = 0..N-1
enum Color { red, green }
var gate: array[Id] of 0..3
var on_off: bool
channel c: queue[1] of bool
action ask(Id)
action enter(Id)
action paint(Color, bool)
process customer(i in Id) {
    var j: 0..3
    loop {
        either { stop } or { on ask(i) do j = 0 }
        on enter(i)
        critical: gate[i] = j
        send c(on_off)
        receive c(?on_off)
        on paint(*, *)
    }
}
process painter { loop { on paint(red, true); final idle: skip } }
";

fn check(tester: &str, expected: Expect) {
    expected.assert_eq(&tester_problems(MODEL, tester));
}

#[test]
fn a_tester_that_is_as_it_should_be() {
    check(
        r#"use "model.stb"
tester overtaking(n in Id) {
    visible paint(red, *)
    initial state idle { on ask(n) -> waiting for k in Id on enter(k) -> idle on paint(*, *) -> idle }
    livelock infinite state waiting { on enter(n) -> over on tau -> idle on ask(*) -> waiting on enter(*) -> waiting on paint(*, *) -> waiting }
    reject state over
}
"#,
        expect![[r#"
              4 |     initial state idle { on ask(n) -> waiting for k in Id on enter(k) -> idle on paint(*, *) -> idle }
                |                   ^^^^
            hint[missing-visible-action]: the state `idle` has no step for `ask(1)`, which therefore cannot happen while the tester is here; add a step if it may
              5 |     livelock infinite state waiting { on enter(n) -> over on tau -> idle on ask(*) -> waiting on enter(*) -> waiting on paint(*, *) -> waiting }
                |                                                                                               ^^^^^^^^^^^^^^^^^^^^^^
            hint[ambiguous-step]: `enter(0)` can lead to `waiting` by this step and to `over` by another one, and either may be taken; `*` in this one takes `enter(0)` too; narrow one of them if that is not meant
                5:39: the other step is here
              4 | var gate: array[Id] of 0..3
                |     ^^^^
            warning[never-read]: the variable `gate` is never read; it could be left out
              9 | action paint(Color, bool)
                |        ^^^^^
            hint[undecided-value]: nobody decides that `paint(red,false)` occurs: all who take part in it, `customer(0)` among them, have `?` or `*` where other values are named, and who names a value takes part in no other; a line `alphabet paint(*, *)` in the process that should decide would mend it
        "#]],
    );
}

#[test]
fn definition_3_1() {
    check(
        r#"use "model.stb"
tester t {
    initial state a { on tau -> b   on ask(0) -> a }
    state b { on tau -> c   on ask(*) -> b }
    state c { on tau -> a   on ask(*) -> d  on tau -> e }
    deadlock state d { on tau -> e   on ask(*) -> a }
    state e { on tau -> e on ask(*) -> d }
}
"#,
        expect![[r#"
              3 |     initial state a { on tau -> b   on ask(0) -> a }
                |                   ^
            error[bad-tester]: the tester can go round by `tau` alone: `a` to `b` to `c` to `a`; a cycle needs an action
              3 |     initial state a { on tau -> b   on ask(0) -> a }
                |                   ^
            hint[missing-visible-action]: the state `a` has no step for `ask(1)`, which therefore cannot happen while the tester is here; add a step if it may
              6 |     deadlock state d { on tau -> e   on ask(*) -> a }
                |                        ^^^^^^
            error[bad-tester]: the `deadlock` state `d` has a `tau` step: what can still move is no deadlock; leave one of the two out
                6:5: it is marked here
              7 |     state e { on tau -> e on ask(*) -> d }
                |           ^
            error[bad-tester]: the tester can go round by `tau` alone: `e` to `e`; a cycle needs an action
              9 | action paint(Color, bool)
                |        ^^^^^
            hint[undecided-value]: nobody decides that `paint(red,false)` occurs: all who take part in it, `customer(0)` among them, have `?` or `*` where other values are named, and who names a value takes part in no other; a line `alphabet paint(*, *)` in the process that should decide would mend it
        "#]],
    );
}

#[test]
fn what_a_testers_steps_have() {
    check(
        r#"use "model.stb"
tester t {
    var x: 0..3
    alphabet ask(*)
    initial state a { -> b   on ask(0) when true -> b   on ask(1) do x = 1 -> b   send c(true) -> a }
    final state b when true { on tau(1) -> b   on ask(?x) -> a   on ask(gate[0]) -> a   on ask(7) -> a  on ask -> a on nothing -> a }
}
tester u {
    state a { on ask(0) -> c }
    initial state b { on enter(0) -> a }
    initial state b
    skip
}
tester customer { initial reject state a }
tester t { initial reject state a }
"#,
        expect![[r#"
              3 |     var x: 0..3
                |     ^^^
            error[syntax]: a tester has no variables of its own; it stands in a process
              4 |     alphabet ask(*)
                |     ^^^^^^^^
            error[syntax]: a tester has no `alphabet`; write `visible`
              5 |     initial state a { -> b   on ask(0) when true -> b   on ask(1) do x = 1 -> b   send c(true) -> a }
                |                       ^^
            error[misplaced]: a tester's step says on which action it is taken: `on ACTION`, or `on tau` for a move of its own
              5 |     initial state a { -> b   on ask(0) when true -> b   on ask(1) do x = 1 -> b   send c(true) -> a }
                |                                        ^^^^
            error[syntax]: `when` cannot stand here; a tester's step has `for`, `on` and `->` alone
              5 |     initial state a { -> b   on ask(0) when true -> b   on ask(1) do x = 1 -> b   send c(true) -> a }
                |                                                                   ^^
            error[syntax]: `do` cannot stand here; a tester's step has `for`, `on` and `->` alone
              5 |     initial state a { -> b   on ask(0) when true -> b   on ask(1) do x = 1 -> b   send c(true) -> a }
                |                                                                                   ^^^^
            error[syntax]: `send` cannot stand here; a tester's step has `for`, `on` and `->` alone
              6 |     final state b when true { on tau(1) -> b   on ask(?x) -> a   on ask(gate[0]) -> a   on ask(7) -> a  on ask -> a on nothing -> a }
                |     ^^^^^
            error[syntax]: a state of a tester cannot be `final`; it may be `initial`, `reject`, `deadlock`, `livelock`, `infinite`
              6 |     final state b when true { on tau(1) -> b   on ask(?x) -> a   on ask(gate[0]) -> a   on ask(7) -> a  on ask -> a on nothing -> a }
                |                 ^
            error[bad-tester]: the tester can go round by `tau` alone: `b` to `b`; a cycle needs an action
              6 |     final state b when true { on tau(1) -> b   on ask(?x) -> a   on ask(gate[0]) -> a   on ask(7) -> a  on ask -> a on nothing -> a }
                |                   ^^^^
            error[syntax]: a state of a tester has no condition; write the guard in its steps: `{ when e -> s }`
              6 |     final state b when true { on tau(1) -> b   on ask(?x) -> a   on ask(gate[0]) -> a   on ask(7) -> a  on ask -> a on nothing -> a }
                |                                     ^^^
            error[wrong-arguments]: `tau` has no arguments
              6 |     final state b when true { on tau(1) -> b   on ask(?x) -> a   on ask(gate[0]) -> a   on ask(7) -> a  on ask -> a on nothing -> a }
                |                                                       ^
            error[misplaced]: a tester has no variables to receive into; `*` stands for every value
              6 |     final state b when true { on tau(1) -> b   on ask(?x) -> a   on ask(gate[0]) -> a   on ask(7) -> a  on ask -> a on nothing -> a }
                |                                                                         ^^^^^^^
            error[not-constant]: `gate[0]` depends on the state; a constant can stand here, or `*` for every value
              6 |     final state b when true { on tau(1) -> b   on ask(?x) -> a   on ask(gate[0]) -> a   on ask(7) -> a  on ask -> a on nothing -> a }
                |                                                                                                ^
            error[outside-type]: 7 is outside 0..2, the type of the argument of `ask`; a value up to 2, or a type that goes up to 7, would mend it
              6 |     final state b when true { on tau(1) -> b   on ask(?x) -> a   on ask(gate[0]) -> a   on ask(7) -> a  on ask -> a on nothing -> a }
                |                                                                                                               ^
            error[wrong-arguments]: `ask` takes one argument, but none is given here; `*` stands for any value
              6 |     final state b when true { on tau(1) -> b   on ask(?x) -> a   on ask(gate[0]) -> a   on ask(7) -> a  on ask -> a on nothing -> a }
                |                                                                                                                        ^^^^^^^
            error[unknown-name]: `nothing` is not known here as an action; `action nothing` declares one
              9 |     state a { on ask(0) -> c }
                |                            ^
            error[unknown-state]: there is no state `c` here; `state` declares one
             11 |     initial state b
                |     ^^^^^^^
            error[several-initial-states]: there is already an initial state, and a tester begins in one
                10:5: the first is here
             11 |     initial state b
                |                   ^
            error[duplicate-name]: there is already a state `b`; another name would mend it
                10:19: it is declared here first
             12 |     skip
                |     ^^^^
            error[syntax]: a tester is made of states; write `state NAME { … }`
             14 | tester customer { initial reject state a }
                |        ^^^^^^^^
            error[duplicate-name]: `customer` is already the name of a process; another name would mend it
                10:9: the process is declared here
             15 | tester t { initial reject state a }
                |        ^
            error[duplicate-name]: there is already a property `t`; another name would mend it
                2:8: it is declared here first
              9 | action paint(Color, bool)
                |        ^^^^^
            hint[undecided-value]: nobody decides that `paint(red,false)` occurs: all who take part in it, `customer(0)` among them, have `?` or `*` where other values are named, and who names a value takes part in no other; a line `alphabet paint(*, *)` in the process that should decide would mend it
        "#]],
    );
}

#[test]
fn a_state_that_leaves_out_a_visible_action() {
    check(
        r#"use "model.stb"
tester t {
    visible paint(*, false)
    initial state a { on ask(0) -> b   on enter(*) -> b }
    state b { on ask(*) -> c  on enter(1) -> a  on paint(green, *) -> a }
    reject state c
    state lost { on ask(*) -> c on enter(*) -> c on paint(*, *) -> c }
}
"#,
        expect![[r#"
              4 |     initial state a { on ask(0) -> b   on enter(*) -> b }
                |                   ^
            hint[missing-visible-action]: the state `a` has no step for `paint(*,false)` and 3 more, which therefore cannot happen while the tester is here; add a step if it may
              5 |     state b { on ask(*) -> c  on enter(1) -> a  on paint(green, *) -> a }
                |           ^
            hint[missing-visible-action]: the state `b` has no step for `paint(red,false)` and one more, which therefore cannot happen while the tester is here; add a step if it may
              7 |     state lost { on ask(*) -> c on enter(*) -> c on paint(*, *) -> c }
                |           ^^^^
            warning[unreachable]: no steps lead to the state `lost`; it could be left out
              4 | var gate: array[Id] of 0..3
                |     ^^^^
            warning[never-read]: the variable `gate` is never read; it could be left out
              9 | action paint(Color, bool)
                |        ^^^^^
            hint[undecided-value]: nobody decides that `paint(red,false)` occurs: all who take part in it, `customer(0)` among them, have `?` or `*` where other values are named, and who names a value takes part in no other; a line `alphabet paint(*, *)` in the process that should decide would mend it
        "#]],
    );
}

#[test]
fn specifications() {
    check(
        r#"use "model.stb"
specification good(n in Id) {
    var k: 0..1
    loop { on ask(n) do k = 1; either { on enter(n) } or { stop } }
}
specification bad {
    var k: 0..1
    initial state a { on ask(0) when gate[0] == k do on_off = true -> b   send c(true) -> a  when customer(0)@end -> c }
    state b { when len(c) == 1 -> a }
    state lost { -> a }
}
refines good in traces
refines bad in cffd
refines god in failures
refines good in nothing
"#,
        expect![[r#"
              8 |     initial state a { on ask(0) when gate[0] == k do on_off = true -> b   send c(true) -> a  when customer(0)@end -> c }
                |                                      ^^^^
            error[misplaced]: a specification touches nothing but its own variables, and this is a shared variable; it meets the model in actions alone
              8 |     initial state a { on ask(0) when gate[0] == k do on_off = true -> b   send c(true) -> a  when customer(0)@end -> c }
                |                                                      ^^^^^^
            error[misplaced]: a specification touches nothing but its own variables, and this is a shared variable; it meets the model in actions alone
              8 |     initial state a { on ask(0) when gate[0] == k do on_off = true -> b   send c(true) -> a  when customer(0)@end -> c }
                |                                                                           ^^^^
            error[syntax]: `send` cannot stand here; a specification has no channels; it has actions and its own variables
              8 |     initial state a { on ask(0) when gate[0] == k do on_off = true -> b   send c(true) -> a  when customer(0)@end -> c }
                |                                                                                                   ^^^^^^^^^^^^^^^
            error[misplaced]: a specification touches nothing but its own variables, and this is a process of the model; it meets the model in actions alone
              8 |     initial state a { on ask(0) when gate[0] == k do on_off = true -> b   send c(true) -> a  when customer(0)@end -> c }
                |                                                                                                                      ^
            error[unknown-state]: there is no state `c` here; declare it with `state`
              9 |     state b { when len(c) == 1 -> a }
                |                        ^
            error[misplaced]: a specification touches nothing but its own variables, and this is a channel; it meets the model in actions alone
             14 | refines god in failures
                |         ^^^
            error[unknown-name]: there is no specification `god`; did you mean `good`?
             15 | refines good in nothing
                |                 ^^^^^^^
            error[syntax]: `nothing` is nothing to compare in; it is written `refines NAME in traces`; others are `failures`, `divergences`, `infinite traces` and `cffd`
              9 | action paint(Color, bool)
                |        ^^^^^
            hint[undecided-value]: nobody decides that `paint(red,false)` occurs: all who take part in it, `customer(0)` among them, have `?` or `*` where other values are named, and who names a value takes part in no other; a line `alphabet paint(*, *)` in the process that should decide would mend it
        "#]],
    );
}

#[test]
fn automata() {
    check(
        r#"use "model.stb"
buchi starves(n in Id) {
    observe waits = gate[n] > 0
    observe in_ = customer(n)@critical
    initial state s when waits and not in_ { -> t -> s }
    infinite reject deadlock state t when waits { -> t -> u }
}
buchi wrong {
    observe p = gate
    observe p = true
    livelock state s when p and on_off { on ask(0) -> s   change p -> s }
    state t when customer(0)@end { }
}
testing changes {
    observe p = on_off
    observe q = gate[0] == 1
    initial state s when not p { change p, q -> t }
    initial state s2 when p { -> t }
    livelock state t when p { change r -> s change p -> s }
    deadlock state u
}
"#,
        expect![[r#"
              6 |     infinite reject deadlock state t when waits { -> t -> u }
                |                                                           ^
            error[unknown-state]: there is no state `u` here; `state` declares one
              8 | buchi wrong {
                |       ^^^^^
            error[no-initial-state]: no state is `initial`; write `initial` before the state in which it begins
              9 |     observe p = gate
                |                 ^^^^
            error[wrong-type]: `p` takes a truth value, but `gate` is an `array[0..2] of integer`; did you mean one of its cells, `gate[…]`?
             10 |     observe p = true
                |             ^
            error[duplicate-name]: `p` is already observed; another name would mend it
                9:13: it is declared here first
             11 |     livelock state s when p and on_off { on ask(0) -> s   change p -> s }
                |     ^^^^^^^^
            error[syntax]: a state of a Büchi automaton cannot be `livelock`; it may be `initial`, `infinite`, `reject`, `deadlock`
             11 |     livelock state s when p and on_off { on ask(0) -> s   change p -> s }
                |                                 ^^^^^^
            error[misplaced]: a state's `when` is over what is observed, and `on_off` is not; observe it under a name with `observe NAME = …`
             11 |     livelock state s when p and on_off { on ask(0) -> s   change p -> s }
                |                                          ^^
            error[syntax]: `on` cannot stand here; a step of a Büchi automaton has `->` alone
             11 |     livelock state s when p and on_off { on ask(0) -> s   change p -> s }
                |                                                           ^^^^^^
            error[syntax]: `change` cannot stand here; `change` stands in testing automata alone
             12 |     state t when customer(0)@end { }
                |                  ^^^^^^^^^^^^^^^
            error[misplaced]: a state's `when` is over what is observed, and the place of a process is not; observe it under a name with `observe NAME = …`
             18 |     initial state s2 when p { -> t }
                |                               ^^
            error[syntax]: this step can never be taken; say what changes: `change p, q -> s`; while nothing changes the automaton stays where it is
             19 |     livelock state t when p { change r -> s change p -> s }
                |                      ^^^^
            error[syntax]: only an initial state of a testing automaton has a `when`; the `change` of the steps says what holds in the others
             19 |     livelock state t when p { change r -> s change p -> s }
                |                                      ^
            error[unknown-name]: `r` is not observed here; `observe r = …` would observe it
             20 |     deadlock state u
                |                    ^
            warning[unreachable]: no steps lead to the state `u`; it could be left out
              9 | action paint(Color, bool)
                |        ^^^^^
            hint[undecided-value]: nobody decides that `paint(red,false)` occurs: all who take part in it, `customer(0)` among them, have `?` or `*` where other values are named, and who names a value takes part in no other; a line `alphabet paint(*, *)` in the process that should decide would mend it
        "#]],
    );
}

#[test]
fn what_belongs_to_models() {
    check(
        r#"use "model.stb"
param M: 0..1 = 0
var x: 0..1
process p { skip }
macro m { skip }
channel d: queue[1] of bool
action b
deadlock ignored
termination not required
const TWO = 2
type T = 0..TWO
def yes: x == M
invariant i: customer(0)@critical implies yes
"#,
        expect![[r#"
              2 | param M: 0..1 = 0
                | ^^^^^
            error[misplaced]: a `param` belongs to a model, not to a tester file; move it to the model's file
              3 | var x: 0..1
                | ^^^
            error[misplaced]: a variable belongs to a model, not to a tester file; move it to the model's file
              4 | process p { skip }
                | ^^^^^^^
            error[misplaced]: a process belongs to a model, not to a tester file; move it to the model's file
              5 | macro m { skip }
                | ^^^^^
            error[misplaced]: a macro belongs to a model, not to a tester file; move it to the model's file
              6 | channel d: queue[1] of bool
                | ^^^^^^^
            error[misplaced]: a channel belongs to a model, not to a tester file; move it to the model's file
              7 | action b
                | ^^^^^^
            error[misplaced]: an action belongs to a model, not to a tester file; move it to the model's file
              8 | deadlock ignored
                | ^^^^^^^^
            error[misplaced]: `deadlock` is set in the model's file, not in a tester file, so that every check of the model has it
              9 | termination not required
                | ^^^^^^^^^^^
            error[misplaced]: `termination` is set in the model's file, not in a tester file, so that every check of the model has it
        "#]],
    );
}
