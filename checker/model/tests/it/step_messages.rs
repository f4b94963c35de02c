//! What is wrong with a step, and with steps that are taken together.

use crate::support::*;
use expect_test::{Expect, expect};

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&problems(text));
}

#[test]
fn arguments_of_actions_and_messages() {
    check(
        "action a(0..3, bool)
action b
channel c: queue[1] of 0..3
channel d[0..1]: queue[1] of 0..3
var x: 0..3
var y: bool
process p {
    on a(1)
    on a(1, true, 2)
    on b(1)
    on b()
    on a(true, 4)
    on a(?y, *)
    on a(5, true)
    on nothing(1)
    on c(1)
    send c(?x)
    send c(*)
    send c(7)
    receive c(?x, 1)
    receive d(?x);
    send d[2](1)
    send a(1)
    receive c(?x + 1)
    on tau
    assert x == 0 and y
}
",
        expect![[r#"
              8 |     on a(1)
                |           ^
            error[wrong-arguments]: `a` has 2 arguments, and 1 is given here; `*` stands for any value
              9 |     on a(1, true, 2)
                |                   ^
            error[wrong-arguments]: `a` has 2 arguments, and 3 are given here; leave out what is too many
             10 |     on b(1)
                |          ^
            error[wrong-arguments]: `b` has 0 arguments, and 1 is given here; leave the parentheses out
             12 |     on a(true, 4)
                |          ^^^^
            error[wrong-type]: argument 1 of `a` is an integer, but `true` is a truth value; did you mean `1`?
             12 |     on a(true, 4)
                |                ^
            error[wrong-type]: argument 2 of `a` is a truth value, but `4` is an integer; a comparison or `true` or `false` can stand here
             13 |     on a(?y, *)
                |           ^
            error[wrong-type]: `y` is a truth value, but what it is given here, argument 1 of `a`, is an integer
             14 |     on a(5, true)
                |          ^
            error[outside-type]: 5 is outside 0..3, the type of argument 1 of `a`; a value up to 3, or a type that goes up to 5, would mend it
             15 |     on nothing(1)
                |        ^^^^^^^
            error[unknown-name]: `nothing` is not known here as an action; `action nothing` declares one
             16 |     on c(1)
                |        ^
            error[wrong-type]: an action is asked for here, but `c` is a channel; write `send c(e)` or `receive c(?x)`
                3:9: it is declared here
             17 |     send c(?x)
                |            ^^
            error[misplaced]: `?` receives, and `send` has values; write the value without `?`
             18 |     send c(*)
                |            ^
            error[misplaced]: `*` is no value, and `send` has values; write the value that is sent
             19 |     send c(7)
                |            ^
            error[outside-type]: 7 is outside 0..3, the type of the part of a message of `c`; a value up to 3, or a type that goes up to 7, would mend it
             20 |     receive c(?x, 1)
                |                   ^
            error[wrong-arguments]: a message of `c` has 1 argument, and 2 are given here; leave out what is too many
             21 |     receive d(?x);
                |              ^
            error[wrong-arguments]: `d` is an array of channels; `d[…]` with an index is one of them
             22 |     send d[2](1)
                |            ^
            error[constant-fails]: 2 is outside 0..1, the indices of `d`
             23 |     send a(1)
                |          ^
            error[wrong-type]: a channel is asked for here, but `a` is an action; an action takes place at once, with all who have it: `on a`
                1:8: it is declared here
             24 |     receive c(?x + 1)
                |                  ^
            error[syntax]: expected `)` after the arguments
             25 |     on tau
                |        ^^^
            error[misplaced]: `tau` is a move of a tester's own; a process's own step needs no `on`
        "#]],
    );
}

#[test]
fn a_constant_argument_of_an_action_is_in_its_type_in_every_instance() {
    check(
        "action a(0..1)
process p(i in 0..2) {
    on a(i)
    for k in 0..2 on a(k - 1)
}
",
        expect![[r#"
              3 |     on a(i)
                |          ^
            error[outside-type]: `i` is 2, which is outside 0..1, the type of the argument of `a`; a value up to 1, or a type that goes up to 2, would mend it
              4 |     for k in 0..2 on a(k - 1)
                |                        ^^^^^
            error[outside-type]: `k - 1` is -1, which is outside 0..1, the type of the argument of `a`; a value from 0 on, or a type that begins at -1, would mend it
        "#]],
    );
}

#[test]
fn no_place_takes_two_values() {
    check(
        "action a(0..3, 0..3)
channel c: queue[1] of 0..3, 0..3
var x: array[0..1] of 0..3
process p(i in 0..1) {
    var y: 0..3
    on a(?y, ?y)
    receive c(?x[i], ?x[0])
    receive c(?x[0], ?x[1])
    assert x[0] + y == 0
}
",
        expect![[r#"
              6 |     on a(?y, ?y)
                |               ^
            error[not-assignable]: `y` takes two values in one step; bind one of them to another variable, or write `*`
                6:11: it takes one here
              7 |     receive c(?x[i], ?x[0])
                |                       ^^^^
            error[not-assignable]: `x[0]` takes two values in one step; bind one of them to another variable, or write `*`
                7:16: it takes one here
        "#]],
    );
}

#[test]
fn any_is_a_whole_right_hand_side() {
    check(
        "var x: 0..3
var b: bool
process p {
    if b { x = any 0..1 }
    do { if b { x = any 0..1 } for k in 0..1 { x = any 0..1 } }
    x = any bool
    x = 1 + any 0..1
    b = any array[0..1] of bool
    assert x == 0
}
",
        expect![[r#"
              5 |     do { if b { x = any 0..1 } for k in 0..1 { x = any 0..1 } }
                |                     ^^^
            error[syntax]: `any` cannot stand inside an `if`; choose the value first, `do x = any T`, and use it in the `if`
              6 |     x = any bool
                |             ^^^^
            error[wrong-type]: `x` is an integer, and `any` gives it a truth value
              7 |     x = 1 + any 0..1
                |             ^^^
            error[syntax]: `any` stands alone on the right of `=` in an effect; write `x = any T`, and use `x` in a later effect
              8 |     b = any array[0..1] of bool
                |             ^^^^^^^^^^^^^^^^^^^
            error[wrong-type]: `b` is a truth value, and `any` gives it an `array[0..1] of bool`
        "#]],
    );
}

#[test]
fn participants_that_touch_the_same_variable() {
    check(
        "action go
action put(0..3)
var x: 0..3
var y: 0..3
process p { on go do x = 1 }
process q { on go do y = x }
process r { on go when x == 2 do y = y }
process s(i in 0..1) { on put(?x) }
process t { on put(2) do assert x == 0 }
",
        expect![[r#"
              6 | process q { on go do y = x }
                |             ^^^^^^^^^^^^^^
            error[joint-conflict]: `p` and `q` take part in `go` together, and `p` changes `x`, which `q` reads, in no order that is given; let one of them do it alone, or hand the value over as an argument of `go`
                5:13: the other step is here
              7 | process r { on go when x == 2 do y = y }
                |             ^^^^^^^^^^^^^^^^^^^^^^^^^^
            error[joint-conflict]: `q` and `r` take part in `go` together, and `q` changes `y`, which `r` reads, in no order that is given; let one of them do it alone, or hand the value over as an argument of `go`
                6:13: the other step is here
              8 | process s(i in 0..1) { on put(?x) }
                |                        ^^^^^^^^^^
            error[joint-conflict]: `s(0)` and `s(1)` take part in `put` together, and both change `x`, in no order that is given; let one of them do it alone, or hand the value over as an argument of `put`
              9 | process t { on put(2) do assert x == 0 }
                |             ^^^^^^^^^^^^^^^^^^^^^^^^^^
            error[joint-conflict]: `s(0)` and `t` take part in `put` together, and `s(0)` changes `x`, which `t` reads, in no order that is given; let one of them do it alone, or hand the value over as an argument of `put`
                8:24: the other step is here
        "#]],
    );
}

#[test]
fn cells_and_fields_are_variables_of_their_own() {
    check(
        "action go
var gate: array[0..2] of 0..3
var r: record { a: 0..3, b: 0..3 }
var k: 0..2
process p(i in 0..2) {
    var own: 0..3
    on go do gate[i] = 1, own = i
}
process q { on go do r.a = 1 }
process s { on go do { r.b = 2 for j in 1..2 { k = j } } }
process t { on go do r.a = p(1).own }
process u { on go do gate[k % 2] = 0 }
invariant i: gate[0] + r.a + r.b + k >= 0
",
        expect![[r#"
             11 | process t { on go do r.a = p(1).own }
                |             ^^^^^^^^^^^^^^^^^^^^^^^
            error[joint-conflict]: `p(1)` and `t` take part in `go` together, and `p(1)` changes `p(1).own`, which `t` reads, in no order that is given; let one of them do it alone, or hand the value over as an argument of `go`
                7:5: the other step is here
             11 | process t { on go do r.a = p(1).own }
                |             ^^^^^^^^^^^^^^^^^^^^^^^
            error[joint-conflict]: `q` and `t` take part in `go` together, and both change `r.a`, in no order that is given; let one of them do it alone, or hand the value over as an argument of `go`
                9:13: the other step is here
             12 | process u { on go do gate[k % 2] = 0 }
                |             ^^^^^^^^^^^^^^^^^^^^^^^^
            error[joint-conflict]: `p(0)` and `u` take part in `go` together, and both change `gate[0]`, in no order that is given; let one of them do it alone, or hand the value over as an argument of `go`
                7:5: the other step is here
             12 | process u { on go do gate[k % 2] = 0 }
                |             ^^^^^^^^^^^^^^^^^^^^^^^^
            error[joint-conflict]: `s` and `u` take part in `go` together, and `s` changes `k`, which `u` reads, in no order that is given; let one of them do it alone, or hand the value over as an argument of `go`
                10:13: the other step is here
        "#]],
    );
}

#[test]
fn the_index_of_a_channel_is_read_too() {
    check(
        "action go
channel c[0..1]: queue[1] of bool
var x: 0..1
var y: bool
process p { on go do x = 1 - x }
process q { on go do y = empty(c[x]) }
process r { send c[0](true) }
invariant i: y or x >= 0
",
        expect![[r#"
              6 | process q { on go do y = empty(c[x]) }
                |             ^^^^^^^^^^^^^^^^^^^^^^^^
            error[joint-conflict]: `p` and `q` take part in `go` together, and `p` changes `x`, which `q` reads, in no order that is given; let one of them do it alone, or hand the value over as an argument of `go`
                5:13: the other step is here
        "#]],
    );
}

#[test]
fn steps_whose_constant_arguments_differ_never_meet() {
    check(
        "action a(0..2, bool)
var x: 0..3
process p(i in 0..2) { on a(i, true) do x = i }
process q { on a(*, false) do x = 3 }
invariant i: x < 4
",
        expect![[r#""#]],
    );
}

#[test]
fn actions_without_steps() {
    check(
        "action used(0..2)
action unused
action listed
action blocked
process p {
    alphabet listed, used(*), used(0), used(?)
    alphabet unknown, used, used(3), p
    on used(0)
    on used(1)
}
process q { alphabet blocked; on used(*) }
process r { on blocked }
",
        expect![[r#"
              6 |     alphabet listed, used(*), used(0), used(?)
                |              ^^^^^^
            warning[action-never-taken]: `p` has `listed` in its alphabet and no step for it, so that nobody can ever take it; give it a step, or leave it out here
              6 |     alphabet listed, used(*), used(0), used(?)
                |                      ^^^^^^^
            warning[action-never-taken]: `p` has `used(2)` in its alphabet and no step for it, so that nobody can ever take it; give it a step, or leave it out here
              6 |     alphabet listed, used(*), used(0), used(?)
                |                                             ^
            error[syntax]: expected `)` after the arguments
              7 |     alphabet unknown, used, used(3), p
                |              ^^^^^^^
            error[unknown-name]: `unknown` is not known here as an action; `action unknown` declares one
              7 |     alphabet unknown, used, used(3), p
                |                           ^
            error[wrong-arguments]: `used` takes one argument, but none is given here; `*` stands for any value
              7 |     alphabet unknown, used, used(3), p
                |                                  ^
            error[outside-type]: 3 is outside 0..2, the type of the argument of `used`; a value up to 2, or a type that goes up to 3, would mend it
              7 |     alphabet unknown, used, used(3), p
                |                                      ^
            error[wrong-type]: an action is asked for here, but `p` is a process; `action p` declares one
                5:9: it is declared here
             11 | process q { alphabet blocked; on used(*) }
                |                      ^^^^^^^
            warning[action-never-taken]: `q` has `blocked` in its alphabet and no step for it, so that nobody can ever take it; give it a step, or leave it out here
             11 | process q { alphabet blocked; on used(*) }
                |                             ^
            error[syntax]: a declaration does not end with `;`; leave it out
        "#]],
    );
}

#[test]
fn wrong_types_in_effects() {
    check(
        "var x: 0..3
var r: record { a: 0..3 }
enum Color { red, green }
process p {
    x = red
    x = 4
    x = r
    r = {a: 5}
    if x { skip }
    await x
    assert 1
    red = 1
    x = y
    when x do x = 1
}
",
        expect![[r#"
              5 |     x = red
                |         ^^^
            error[wrong-type]: `x` is an integer, but `red` is a value of `Color`
              6 |     x = 4
                |         ^
            error[outside-type]: 4 is outside 0..3, the type of `x`; a value up to 3, or a type that goes up to 4, would mend it
              7 |     x = r
                |         ^
            error[wrong-type]: `x` is an integer, but `r` is a `record { a: integer }`; did you mean `r.a`?
              8 |     r = {a: 5}
                |             ^
            error[outside-type]: 5 is outside 0..3, the type of `a`; a value up to 3, or a type that goes up to 5, would mend it
              9 |     if x { skip }
                |        ^
            error[wrong-type]: a test is a truth value, but `x` is an integer; did you mean `x != 0`?
             10 |     await x
                |           ^
            error[wrong-type]: `await` takes a truth value, but `x` is an integer; did you mean `x != 0`?
             11 |     assert 1
                |            ^
            error[wrong-type]: `assert` takes a truth value, but `1` is an integer; did you mean `true`?
             12 |     red = 1
                |     ^^^
            error[not-assignable]: `red` is a value of an enumeration and cannot be assigned to; a variable, a cell or a field of one can
             13 |     x = y
                |         ^
            error[unknown-name]: `y` is not known here; a `var`, `const` or `def` of this name would declare it
             14 |     when x do x = 1
                |          ^
            error[wrong-type]: `when` takes a truth value, but `x` is an integer; did you mean `x != 0`?
        "#]],
    );
}
