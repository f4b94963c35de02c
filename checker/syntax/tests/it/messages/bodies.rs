//! Mistakes in bodies: states, steps, statements, and what may stand where.

use expect_test::expect;

use super::check;

#[test]
fn a_step_of_a_state_says_where_it_goes() {
    check(
        r"process p {
    initial state a {
        when x == 1
        on go -> b
    }
    state b { when x when y -> c }
    state c { on go do x = 1 }
    state d { -> }
    state e { on go ->
    }
}
",
        expect![[r#"
            3   |         when x == 1
                |                    ^ expected `->` and a state's name
                |                      every step of a state says where it goes
            6   |     state b { when x when y -> c }
                |                     ^ expected `->` and a state's name
                |                       every step of a state says where it goes; its parts come in the order `for`, `on` (or `send`, `receive`, `receive … send …`), `when`, `do`, `->`
            7   |     state c { on go do x = 1 }
                |                             ^ expected `->` and a state's name
                |                               every step of a state says where it goes
            8   |     state d { -> }
                |                 ^ expected the name of a state
            9   |     state e { on go ->
                |                       ^ expected the name of a state
        "#]],
    );
}

#[test]
fn the_brace_of_a_state_that_is_missing_is_told_where_the_next_state_begins() {
    check(
        r"process p {
    initial state a {
        on go -> b
    state b {
        -> a
    }
}
invariant a: x == 1
",
        expect![[r#"
            3   |         on go -> b
                |                   ^ expected `}` at the end of the state
                |                     its `{` is in line 2
        "#]],
    );
}

#[test]
fn the_brace_of_a_process_that_is_missing_is_told_where_the_next_item_begins() {
    check(
        r"process p {
    while x < 3 {
        x = x + 1

    skip
}

process q {
    loop {
        skip
    }

invariant a: x == 1
",
        expect![[r#"
            6   | }
                |  ^ expected `}` at the end of a process
                |    its `{` is in line 1
            11  |     }
                |      ^ expected `}` at the end of a process
                |        its `{` is in line 8
        "#]],
    );
}

#[test]
fn an_opening_brace_that_is_missing_is_told_once() {
    check(
        r"process p {
    while x < 3
        x = x + 1
    }
    loop skip
    either skip or skip
}
process q skip }
tester t
    initial state s { -> s }
}
invariant a: x
",
        expect![[r#"
            2   |     while x < 3
                |                ^ expected `{` and the statements
            5   |     loop skip
                |         ^ expected `{` and the statements
            6   |     either skip or skip
                |           ^ expected `{` and the statements of the branch
                |             write `either { … } or { … }`
            8   | process q skip }
                |          ^ expected `{` and the body of a process
            9   | tester t
                |         ^ expected `{` and the body of a tester
        "#]],
    );
}

#[test]
fn alternatives_are_not_written_in_the_way_of_promela() {
    check(
        r"process p {
    if
    :: x == 1 -> x = 2
    :: else -> skip
    fi
    do
    :: x = 1
    od
}
process q {
    initial state s {
        when x -> s
        else -> s
    }
}
",
        expect![[r#"
            3   |     :: x == 1 -> x = 2
                |     ~~ alternatives are not written with `::`
                |        write `either { … } or { … }`, or `if e { … } else { … }`
            7   |     :: x = 1
                |     ~~ alternatives are not written with `::`
                |        write `either { … } or { … }`, or `if e { … } else { … }`
            13  |         else -> s
                |         ~~~~ there is no `else` among the steps of a state
                |              write the guard, `when not (…)`
        "#]],
    );
}

#[test]
fn a_clause_of_a_step_that_is_not_whole_is_told() {
    check(
        r"process p {
    for x on a
    for x in 0..3
    do
    when
    send c
    receive c(?x, any)
    on
    await
    L:
}
",
        expect![[r#"
            2   |     for x on a
                |          ^ expected `in` and a type
                |            it is written `x in T`
            4   |     do
                |       ^ expected an effect after `do`
                |         write `do x = e`, or several: `do x = e, y = f` or `do { … }`
            5   |     when
                |         ^ expected a condition
            6   |     send c
                |           ^ expected the message in parentheses
                |             write `send c(e)`
            7   |     receive c(?x, any)
                |                   ~~~ an argument that may be anything is written `*`
                |                       or `?x`, to keep it in `x`
            8   |     on
                |       ^ expected the name of an action
            9   |     await
                |          ^ expected a condition
            10  |     L:
                |       ^ expected a statement after the label
                |         a place where nothing more happens is `final NAME: stop`, say, or the end
        "#]],
    );
}

#[test]
fn what_cannot_stand_among_statements_is_told() {
    check(
        r"process p {
    else { skip }
    or { skip }
    for x in 0..3 { y = x }
    on a -> b
    change q
    stop; ; stop
    { skip }
    const N = 3
    skip
    var z: bool
    do { on a; x = 1 }
    do if x == 1 { y = any bool }
}
",
        expect![[r#"
            2   |     else { skip }
                |     ~~~~ expected a statement
                |          `else` follows the `}` of an `if`
            3   |     or { skip }
                |     ~~ expected a statement
                |        `or` follows the `}` of an `either`
            4   |     for x in 0..3 { y = x }
                |     ~~~ a `for` with a block stands among effects
                |         write `do for x in T { … }`, which is one step
            5   |     on a -> b
                |          ~~ a step among statements has no `->`
                |             it goes on with the statement that follows; write `state NAME { … }` around the steps for a process of states
            6   |     change q
                |     ~~~~~~ `change` cannot stand here
                |            `change` stands in testing automata alone
            7   |     stop; ; stop
                |           ~ there is nothing here for `;` to end
                |             leave it out
            8   |     { skip }
                |     ~ expected a statement
                |       a block follows `if`, `while`, `loop`, `either`, `or` or `do`; without these the statements stand alone
            9   |     const N = 3
                |     ~~~~~ `const` stands at the top of a file, not in a body
                |           move it out of the braces
            11  |     var z: bool
                |     ~~~ this `var` comes too late
                |         it stands at the head of the body, before the states or statements
            12  |     do { on a; x = 1 }
                |          ~~ `on` stands before `do`
                |             write `on a do x = e`
            13  |     do if x == 1 { y = any bool }
                |                        ~~~ `any` cannot stand inside an `if`
                |                            choose the value first, `do x = any T`, and use it in the `if`
        "#]],
    );
}

#[test]
fn what_cannot_stand_among_the_steps_of_a_state_is_told() {
    check(
        r"process p {
    initial state a {
        await x -> b
        assert x -> b
        skip -> b
        change q -> b
    }
    accept state b when x { -> a }
    final final state c
}
",
        expect![[r#"
            3   |         await x -> b
                |         ~~~~~ expected a step
                |               `await` is a statement; a state has the step `when e -> s`
            4   |         assert x -> b
                |         ~~~~~~ expected a step
                |                in a step it stands after `do`: `do assert e -> s`
            5   |         skip -> b
                |         ~~~~ expected a step
                |              statements and states do not mix; a state has steps `… -> s`
            6   |         change q -> b
                |         ~~~~~~ `change` cannot stand here
                |                `change` stands in testing automata alone
            8   |     accept state b when x { -> a }
                |     ~~~~~~ a state of a process cannot be `accept`
                |            it may be `initial`, `final`
            8   |     accept state b when x { -> a }
                |                    ~~~~ a state of a process has no condition
                |                         write the guard in its steps: `{ when e -> s }`
            9   |     final final state c
                |           ~~~~~ `final` stands here twice
                |                 leave one of them out
        "#]],
    );
}

#[test]
fn a_tester_and_an_automaton_have_clauses_of_their_own() {
    check(
        r"tester t {
    var x: bool
    alphabet a
    initial state s { when x -> s   on a do x = 1 -> s   on b -> s }
    final state u
    on a
    skip
}
specification s { initial state a { send c(1) -> a } }
buchi b {
    observe p
    initial state s when p { when q -> s   -> s }
    livelock state u { on a -> s }
}
testing g {
    observe p = x
    initial state s when p { change p -> t   -> s }
    state t when p { }
    visible a
}
process q { visible a   observe p = x   skip }
",
        expect![[r#"
            2   |     var x: bool
                |     ~~~ a tester has no variables of its own
                |         it stands in a process
            3   |     alphabet a
                |     ~~~~~~~~ a tester has no `alphabet`
                |              write `visible`
            4   |     initial state s { when x -> s   on a do x = 1 -> s   on b -> s }
                |                       ~~~~ `when` cannot stand here
                |                            a tester's step has `for`, `on` and `->` alone
            4   |     initial state s { when x -> s   on a do x = 1 -> s   on b -> s }
                |                                          ~~ `do` cannot stand here
                |                                             a tester's step has `for`, `on` and `->` alone
            5   |     final state u
                |     ~~~~~ a state of a tester cannot be `final`
                |           it may be `initial`, `reject`, `deadlock`, `livelock`, `infinite`
            6   |     on a
                |     ~~ a tester is made of states
                |        write `state NAME { … }`
            9   | specification s { initial state a { send c(1) -> a } }
                |                                     ~~~~ `send` cannot stand here
                |                                          a specification has no channels; it has actions and its own variables
            11  |     observe p
                |              ^ expected `=` and what is observed
                |                it is written `observe p = e`
            12  |     initial state s when p { when q -> s   -> s }
                |                              ~~~~ `when` cannot stand here
                |                                   a step of a Büchi automaton has `->` alone
            13  |     livelock state u { on a -> s }
                |     ~~~~~~~~ a state of a Büchi automaton cannot be `livelock`
                |              it may be `initial`, `infinite`, `reject`, `deadlock`
            13  |     livelock state u { on a -> s }
                |                        ~~ `on` cannot stand here
                |                           a step of a Büchi automaton has `->` alone
            17  |     initial state s when p { change p -> t   -> s }
                |                                              ~~ this step can never be taken
                |                                                 say what changes: `change p, q -> s`; while nothing changes the automaton stays where it is
            18  |     state t when p { }
                |             ~~~~ only an initial state of a testing automaton has a `when`
                |                  the `change` of the steps says what holds in the others
            19  |     visible a
                |     ~~~~~~~ a testing automaton has no `visible`
                |             it stands in a tester
            21  | process q { visible a   observe p = x   skip }
                |             ~~~~~~~ a process has no `visible`
                |                     write `alphabet`, which says what the process takes part in
            21  | process q { visible a   observe p = x   skip }
                |                         ~~~~~~~ a process has no `observe`
                |                                 it stands in a `buchi` or `testing` automaton
        "#]],
    );
}
