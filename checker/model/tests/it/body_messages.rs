//! What is wrong with a body, and what is odd about it.

use crate::support::*;
use expect_test::{Expect, expect};

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&problems(text));
}

#[test]
fn a_loop_without_a_step_is_told_at_the_loop() {
    check(
        "var x: 0..3
process p {
    loop { }
}
process q {
    loop {
        either { x = 1 } or { loop { break } }
        if x == 1 { stop }
    }
}
process r {
    loop {
        either { x = 1 } or { }
    }
}
process s { loop { loop { x = x % 2; break } } }
process t { loop { loop { break } } }
invariant i: x < 2
",
        expect![[r#"
              3 |     loop { }
                |     ^^^^
            error[loop-without-step]: this loop can be gone round without a step; let every way round it have one (`skip`, say)
             17 | process t { loop { loop { break } } }
                |             ^^^^
            error[loop-without-step]: this loop can be gone round without a step; let every way round it have one (`skip`, say)
        "#]],
    );
}

#[test]
fn a_break_outside_a_loop() {
    check(
        "var x: 0..3
macro leave(v in 0..3) { if x == v { break } }
process p {
    x = 1
    break
}
process q {
    loop { leave(1); skip }
    leave(2)
}
",
        expect![[r#"
              5 |     break
                |     ^^^^^
            error[break-outside-loop]: there is no loop around this `break`; `stop` ends the process
              9 |     leave(2)
                |     ^^^^^^^^
            error[break-outside-loop]: this macro has a `break` that leaves the loop around it, and there is no loop around it here
        "#]],
    );
}

#[test]
fn what_is_never_reached() {
    check(
        "var x: 0..3
process p {
    loop { x = 1 - x }
    x = 2
    while x < 2 { x = 3 }
}
process q {
    if false { x = 1; x = 2 } else { skip }
    while true { skip }
    stop
}
process r {
    initial state a { -> b }
    state b { when 1 > 2 -> c -> a }
    state c { -> d }
    final state d
}
",
        expect![[r#"
              2 | process p {
                |         ^
            hint[no-place-to-stop]: no process has a place where it may stop, so that the model is taken to go on for ever and `termination` is not checked; mark a state `final`, or give a process a `stop`, or write `termination not required`
              4 |     x = 2
                |     ^^^^^
            warning[unreachable]: the process never comes here; what stands before this never lets it through
              8 |     if false { x = 1; x = 2 } else { skip }
                |                ^^^^^
            warning[unreachable]: the process never comes here; what stands before this never lets it through
             10 |     stop
                |     ^^^^
            warning[unreachable]: the process never comes here; what stands before this never lets it through
             15 |     state c { -> d }
                |           ^
            warning[unreachable]: no steps of its process lead to this state; it could be left out
             16 |     final state d
                |                 ^
            warning[unreachable]: no steps of its process lead to this state; it could be left out
        "#]],
    );
}

#[test]
fn a_param_may_be_set_so_it_decides_nothing() {
    check(
        "param LOSSY: 0..1 = 0
var x: 0..3
process p {
    if LOSSY == 1 { x = 1 }
    while x < 2 { x = x + 1 }
}
",
        expect![[r#""#]],
    );
}

#[test]
fn initial_states() {
    check(
        "process p {
    state a { -> b }
    state b
}
process q {
    initial state a { -> b }
    initial state b
    initial state c
}
",
        expect![[r#"
              1 | process p {
                |         ^
            error[no-initial-state]: no state is `initial`; write `initial` before the state in which the process begins
              7 |     initial state b
                |     ^^^^^^^
            error[several-initial-states]: there is already an initial state, and a process begins in one
                6:5: the first is here
              8 |     initial state c
                |     ^^^^^^^
            error[several-initial-states]: there is already an initial state, and a process begins in one
                6:5: the first is here
        "#]],
    );
}

#[test]
fn states_and_statements_mixed() {
    check(
        "var x: 0..3
process p {
    initial state a { when x < 3 -> b }
    x = 1
    final state b
    x = 2
}
process q {
    x = 1
    initial state a { -> a }
}
",
        expect![[r#"
              4 |     x = 1
                |     ^
            error[mixed-body]: this is a statement, but the body is made of states; as a step of a state it can stand here
             10 |     initial state a { -> a }
                |     ^^^^^^^
            error[mixed-body]: this is a state, but the body is made of statements; a body is made of one kind alone
        "#]],
    );
}

#[test]
fn unknown_states_have_the_nearest_name() {
    check(
        "process p {
    initial state waiting { -> critcal }
    state critical { -> wating   -> 7 }
    final state done
}
",
        expect![[r#"
              2 |     initial state waiting { -> critcal }
                |                                ^^^^^^^
            error[unknown-state]: there is no state `critcal` here; did you mean `critical`?
              3 |     state critical { -> wating   -> 7 }
                |                         ^^^^^^
            error[unknown-state]: there is no state `wating` here; did you mean `waiting`?
              3 |     state critical { -> wating   -> 7 }
                |                                     ^
            error[syntax]: expected the name of a state; names begin with a letter or `_`
        "#]],
    );
}

#[test]
fn states_and_labels_are_there_once() {
    check(
        "process p {
    initial state a { -> a }
    state a
}
process q {
    here: skip
    here: skip
    end: skip
}
",
        expect![[r#"
              3 |     state a
                |           ^
            error[duplicate-name]: there is already a state `a`; another name would mend it
                2:19: it is declared here first
              7 |     here: skip
                |     ^^^^
            error[duplicate-name]: there is already a label `here`; another name would mend it
                6:5: it is declared here first
              8 |     end: skip
                |     ^^^
            error[duplicate-name]: `end` is the end of the body; give this label another name
        "#]],
    );
}

#[test]
fn arrows_belong_to_states() {
    check(
        "process p {
    initial state a { when true }
}
process q {
    skip
    when true -> a
}
",
        expect![[r#"
              2 |     initial state a { when true }
                |                                ^
            error[syntax]: expected `->` and a state's name; every step of a state says where it goes
              6 |     when true -> a
                |               ^^
            error[syntax]: a step among statements has no `->`; it goes on with the statement that follows; write `state NAME { … }` around the steps for a process of states
        "#]],
    );
}

#[test]
fn what_belongs_to_other_bodies() {
    check(
        "action a
process p {
    visible a
    observe x = true
    reject initial state s when true { change x -> s   on tau -> s }
}
process q {
    skip
    var x: 0..3
    alphabet a
    for k in 0..1 { x = k }
}
",
        expect![[r#"
              3 |     visible a
                |     ^^^^^^^
            error[syntax]: a process has no `visible`; write `alphabet`, which says what the process takes part in
              4 |     observe x = true
                |     ^^^^^^^
            error[syntax]: a process has no `observe`; it stands in a `buchi` or `testing` automaton
              5 |     reject initial state s when true { change x -> s   on tau -> s }
                |     ^^^^^^
            error[syntax]: a state of a process cannot be `reject`; it may be `initial`, `final`
              5 |     reject initial state s when true { change x -> s   on tau -> s }
                |                            ^^^^
            error[syntax]: a state of a process has no condition; write the guard in its steps: `{ when e -> s }`
              5 |     reject initial state s when true { change x -> s   on tau -> s }
                |                                        ^^^^^^
            error[syntax]: `change` cannot stand here; `change` stands in testing automata alone
              5 |     reject initial state s when true { change x -> s   on tau -> s }
                |                                                           ^^^
            error[misplaced]: `tau` is a move of a tester's own; a process's own step needs no `on`
              9 |     var x: 0..3
                |     ^^^
            error[syntax]: this `var` comes too late; it stands at the head of the body, before the states or statements
             10 |     alphabet a
                |     ^^^^^^^^
            error[syntax]: this `alphabet` comes too late; it stands at the head of the body, before the states or statements
             10 |     alphabet a
                |              ^
            warning[action-never-taken]: `q` has `a` in its alphabet and no step for it, so that nobody can ever take it; give it a step, or leave it out here
             11 |     for k in 0..1 { x = k }
                |     ^^^
            error[syntax]: a `for` with a block stands among effects; write `do for x in T { … }`, which is one step
        "#]],
    );
}

#[test]
fn macros_that_do_not_fit() {
    check(
        "var x: 0..3
var b: bool
macro set(v in 0..3) { v = 1 }
macro steps(v in 0..3) { on a(v); x = 2 }
macro again(v in 0..3) { more(v) }
macro more(v in 0..3) { again(v) }
macro wrong(v in 0..3) { x = v and true }
macro selfish { selfish() }
action a(0..3)
process p {
    set(7)
    set(x, 1)
    set(b)
    sett(x)
    x(1)
    do { steps(1) }
    again(1)
    assert b
}
",
        expect![[r#"
              5 | macro again(v in 0..3) { more(v) }
                |       ^^^^^
            error[cycle]: these macros call each other in a cycle: `again` calls `more` calls `again`; macros are expanded without recursion
              7 | macro wrong(v in 0..3) { x = v and true }
                |                              ^
            error[wrong-type]: `and` takes truth values, but `v` is an integer; did you mean `v != 0`?
              7 | macro wrong(v in 0..3) { x = v and true }
                |                              ^^^^^^^^^^
            error[wrong-type]: `x` is an integer, but `v and true` is a truth value; did you mean `if v and true then 1 else 0`?
              8 | macro selfish { selfish() }
                |       ^^^^^^^
            error[cycle]: `selfish` calls itself; macros are expanded without recursion
             11 |     set(7)
                |         ^
            error[not-assignable]: `7` is no variable and cannot be assigned to; a variable, a cell or a field of one can
             12 |     set(x, 1)
                |            ^
            error[wrong-arguments]: `set` takes one argument, but 2 are given here
             13 |     set(b)
                |         ^
            error[wrong-type]: `v` of `set` is an integer, but `b` is a truth value; did you mean `if b then 1 else 0`?
             14 |     sett(x)
                |     ^^^^
            error[unknown-name]: `sett` is not known here as a macro; did you mean `set`?
             15 |     x(1)
                |     ^
            error[wrong-type]: a macro is asked for here, but `x` is a variable; `macro x` declares one
                1:5: it is declared here
             16 |     do { steps(1) }
                |          ^^^^^^^^
            error[misplaced]: `steps` cannot be used as an effect, since it has statements; call it as a statement
                4:26: this is a statement, not an effect
        "#]],
    );
}

#[test]
fn final_before_no_label_is_one_mistake() {
    check(
        "var x: 0..1
process p {
    final x = 1 - x
    loop { final either { final skip } or { final final stop } }
}
invariant i: x < 2
",
        expect![[r#"
              3 |     final x = 1 - x
                |     ^^^^^
            error[syntax]: `final` stands before a label; write `final NAME:`, and it is right to wait there for ever
              4 |     loop { final either { final skip } or { final final stop } }
                |            ^^^^^
            error[syntax]: `final` stands before a label; write `final NAME:`, and it is right to wait there for ever
              4 |     loop { final either { final skip } or { final final stop } }
                |                           ^^^^^
            error[syntax]: `final` stands before a label; write `final NAME:`, and it is right to wait there for ever
              4 |     loop { final either { final skip } or { final final stop } }
                |                                             ^^^^^
            error[syntax]: `final` stands before a label; write `final NAME:`, and it is right to wait there for ever
        "#]],
    );
}

#[test]
fn final_is_a_name_where_no_statement_follows_it_on_its_line() {
    check(
        "var final: array[0..1] of 0..1
macro finally { skip }
process p {
    final[0] = 1
    final: final[1] = 1
    final here: finally
    skip
}
invariant i: final[0] < 2 and p@final or p@here
",
        expect![[r#""#]],
    );
}

#[test]
fn cycles_of_macros_that_lead_into_each_other_are_told_once() {
    check(
        "var x: 0..3
macro a { b() }
macro b { a() c() }
macro c { d() }
macro d { c() a() }
macro e { x = 1; e() }
process p { a() d() e() x = 2 }
",
        expect![[r#"
              2 | macro a { b() }
                |       ^
            error[cycle]: these macros call each other in a cycle: `a` calls `b` calls `a`; macros are expanded without recursion
              6 | macro e { x = 1; e() }
                |       ^
            error[cycle]: `e` calls itself; macros are expanded without recursion
        "#]],
    );
}

#[test]
fn a_local_variable_named_as_a_parameter_is_one_mistake() {
    check(
        "var y: 0..3
channel c: queue[1] of 0..3
process p(i in 0..1) {
    var i: 0..3 = 2
    var k: bool
    var k: 0..3
    i = 1, k = 2
    receive c(?i)
    await i == 0 and k do y = i
    send c(i)
}
invariant z: y < 2
",
        expect![[r#"
              4 |     var i: 0..3 = 2
                |         ^
            error[duplicate-name]: `i` is declared twice in this process; another name would mend it
                3:11: it is declared here first
              6 |     var k: 0..3
                |         ^
            error[duplicate-name]: `k` is declared twice in this process; another name would mend it
                5:9: it is declared here first
        "#]],
    );
}
