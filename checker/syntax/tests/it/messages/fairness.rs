//! Fairness that is not said as the language has it.

use expect_test::expect;

use super::check;

#[test]
fn an_assumption_that_is_not_whole_is_told() {
    check(
        r"fair served go
fair served
fair
invariant a: x
fair
reachable r: x
fair = go
fair f:
strongly served: go
strongly
strongly fair
strongly fair f p(1)
fair served(i in Id)
fair served(i): go
fair
fair f: {go, p(1)
",
        expect![[r#"
            1   | fair served go
                |            ^ expected `:` and the steps
                |              it is written `fair NAME: A`, where `A` is an action, an instance or a set of them
            2   | fair served
                |            ^ expected `:` and the steps
                |              it is written `fair NAME: A`, where `A` is an action, an instance or a set of them
            3   | fair
                |     ^ expected a name, `:` and the steps
                |       it is written `fair NAME: A`, where `A` is an action, an instance or a set of them
            5   | fair
                |     ^ expected a name, `:` and the steps
                |       it is written `fair NAME: A`, where `A` is an action, an instance or a set of them
            7   | fair = go
                |     ^ expected a name for what is fair
            8   | fair f:
                |        ^ expected the steps
                |          it is written `fair NAME: A`, where `A` is an action, an instance or a set of them
            9   | strongly served: go
                |         ^ expected `fair` after `strongly`
                |           it is written `strongly fair NAME: A`
            10  | strongly
                |         ^ expected `fair` after `strongly`
                |           it is written `strongly fair NAME: A`
            11  | strongly fair
                |              ^ expected a name, `:` and the steps
                |                it is written `strongly fair NAME: A`
            12  | strongly fair f p(1)
                |                ^ expected `:` and the steps
                |                  it is written `strongly fair NAME: A`
            13  | fair served(i in Id)
                |                     ^ expected `:` and the steps
                |                       it is written `fair NAME: A`, where `A` is an action, an instance or a set of them
            14  | fair served(i): go
                |              ^ expected `in` and a type
                |                it is written `x in T`
            15  | fair
                |     ^ expected a name, `:` and the steps
                |       it is written `fair NAME: A`, where `A` is an action, an instance or a set of them
            16  | fair f: {go, p(1)
                |                  ^ expected `}` after the actions
        "#]],
    );
}

#[test]
fn steps_in_the_place_of_a_name_are_told() {
    check(
        r"fair p(1)
fair p(i, 2)
fair p(1)@critical
fair p@critical
fair {go, p(1)}
strongly fair p(*)
invariant a: x
",
        expect![[r#"
            1   | fair p(1)
                |      ~ expected a name and `:` before the steps
                |        write `fair NAME: p(1)`
            2   | fair p(i, 2)
                |      ~ expected a name and `:` before the steps
                |        write `fair NAME: p(…)`
            3   | fair p(1)@critical
                |      ~ expected a name and `:` before the steps
                |        write `fair NAME: p(1)`
            4   | fair p@critical
                |      ~ expected a name and `:` before the steps
                |        write `fair NAME: p@critical`
            5   | fair {go, p(1)}
                |      ~ expected a name and `:` before the steps
                |        write `fair NAME: {…}`
            6   | strongly fair p(*)
                |               ~ expected a name and `:` before the steps
                |                 write `fair NAME: p(*)`
        "#]],
    );
}

#[test]
fn what_is_no_process_is_not_fair() {
    check(
        r"fair tester t { initial state s }
strongly fair process p { skip }
strongly process q { skip }
fair ltl l: always x
strongly fair buchi b { initial infinite state s }
fair proces r { skip }
fair channel c: queue[1] of bool
fair process s { skip
",
        expect![[r#"
            1   | fair tester t { initial state s }
                | ~~~~ no `tester` is fair, only a `process`
                |      leave it out, or write `fair NAME: A` for the steps that are not to be put off for ever
            2   | strongly fair process p { skip }
                |               ~~~~~~~ a process is `fair`, not `strongly fair`
                |                       write `strongly fair NAME(i in T): p(i)` beside it
            3   | strongly process q { skip }
                | ~~~~~~~~ a process is `fair`, not `strongly fair`
                |          write `strongly fair NAME(i in T): p(i)` beside it
            4   | fair ltl l: always x
                | ~~~~ no `ltl` is fair, only a `process`
                |      leave it out, or write `fair NAME: A` for the steps that are not to be put off for ever
            5   | strongly fair buchi b { initial infinite state s }
                | ~~~~~~~~ no `buchi` is fair, only a `process`
                |          leave it out, or write `fair NAME: A` for the steps that are not to be put off for ever
            6   | fair proces r { skip }
                |      ~~~~~~ `proces` begins no declaration
                |             did you mean `process`?
            7   | fair channel c: queue[1] of bool
                | ~~~~ no `channel` is fair, only a `process`
                |      leave it out, or write `fair NAME: A` for the steps that are not to be put off for ever
            8   | fair process s { skip
                |                      ^ expected `}` at the end of a process
                |                        its `{` is in line 8
        "#]],
    );
}

#[test]
fn an_assumption_in_a_body_belongs_to_the_top_of_the_file() {
    check(
        r"process p {
    fair served: go
    skip
    strongly fair q: go
}
process q {
    skip
fair process r { skip }
",
        expect![[r#"
            2   |     fair served: go
                |     ~~~~ `fair` stands at the top of a file, not in a body
                |          move it out of the braces
            4   |     strongly fair q: go
                |     ~~~~~~~~ `strongly` stands at the top of a file, not in a body
                |              move it out of the braces
            7   |     skip
                |         ^ expected `}` at the end of a process
                |           its `{` is in line 6
        "#]],
    );
}

#[test]
fn the_words_are_names_where_they_have_no_meaning() {
    check(
        r"const fair = 1
const strongly = fair
var x: 0..fair
process strong {
    fair:
    x = fair
    strongly:
    await x == fair
    x = strongly
}
process p { loop { either { fair: skip } or { strongly: skip } } }
invariant strongly: strong@fair and x == fair
fair fair: strong@fair
fair strongly: strong
fair process fair { skip }
fair
process next_line { skip }
strongly fair strong: fair
ltl l: always x == fair
fair reachable: go
",
        expect![[""]],
    );
}

#[test]
fn how_strong_it_is_is_said_in_one_way() {
    check(
        r"action a
process q { loop { on a } }
weakly fair f: q
weak fair g: a
strong fair h: a
weakly fair process r { skip }
invariant weak: true
",
        expect![[r#"
            3   | weakly fair f: q
                | ~~~~~~ `weakly` does not stand before `fair`
                |        leave it out: `fair` alone is weak fairness
            4   | weak fair g: a
                | ~~~~ `weak` does not stand before `fair`
                |      leave it out: `fair` alone is weak fairness
            5   | strong fair h: a
                | ~~~~~~ `strong` does not stand before `fair`
                |        write `strongly fair`
            6   | weakly fair process r { skip }
                | ~~~~~~ `weakly` does not stand before `fair`
                |        leave it out: `fair` alone is weak fairness
        "#]],
    );
}
