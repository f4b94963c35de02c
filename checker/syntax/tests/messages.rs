//! Every mistake has a message that says what is wrong, where, and what would mend it; and one
//! mistake has one message.
//!
//! A message is shown under its line, with its place (lines and columns from 1).

use expect_test::{Expect, expect};
use stubborn_syntax::{LineIndex, parse};

fn check(text: &str, expected: Expect) {
    let parse = parse(text);
    let lines = LineIndex::new(text);
    let mut shown = String::new();
    for error in &parse.errors {
        let start = lines.line_column(error.range.start());
        let end = lines.line_column(error.range.end());
        let source = lines.line_range(start.line - 1).map(|range| &text[range]);
        let width = (u32::from(error.range.len()) as usize).max(1);
        let width = if start.line == end.line { width } else { 1 };
        shown += &format!("{:<3} | {}\n", start.line, source.unwrap_or_default());
        let indent = " ".repeat(start.column as usize - 1);
        let mark = if error.range.is_empty() {
            "^".into()
        } else {
            "~".repeat(width)
        };
        shown += &format!("    | {indent}{mark} {}\n", error.message);
        if let Some(hint) = &error.hint {
            shown += &format!("    | {indent}{} {hint}\n", " ".repeat(width));
        }
    }
    expected.assert_eq(&shown);
}

#[test]
fn the_wrong_one_of_the_two_equal_signs_is_told_and_read_as_the_right_one() {
    check(
        r"process p {
    x == 1
    x := 2
    await x = 1
    if x = 1 { y == 2 }
}
invariant a: x = 1
invariant b: x === 1
const c == 1
",
        expect![[r#"
            2   |     x == 1
                |       ~~ `==` compares, it does not assign
                |          write `=`
            3   |     x := 2
                |       ~~ there is no `:=`
                |          write `=`
            4   |     await x = 1
                |             ~ `=` assigns, it does not compare
                |               to compare, write `==`
            5   |     if x = 1 { y == 2 }
                |          ~ `=` assigns, it does not compare
                |            to compare, write `==`
            5   |     if x = 1 { y == 2 }
                |                  ~~ `==` compares, it does not assign
                |                     write `=`
            7   | invariant a: x = 1
                |                ~ `=` assigns, it does not compare
                |                  to compare, write `==`
            8   | invariant b: x === 1
                |                ~~ there is no operator `===`
                |                   to compare, write `==`
            9   | const c == 1
                |         ~~ `==` compares, it does not assign
                |            write `=`
        "#]],
    );
}

#[test]
fn operators_of_other_languages_are_told_with_what_to_write() {
    check(
        r"process p {
    await x & y | z
    x++
    x += 1
    goto s
    c!3
    c?x
}
invariant a: x => y
invariant b: x -> y
invariant c: x <> y
invariant d: x in 1..3
invariant e: 'a' == ~b
",
        expect![[r#"
            2   |     await x & y | z
                |             ~ there is no operator `&`
                |               write `and`, or `&&`; for the bits of integers, `bit_and(a, b)`
            2   |     await x & y | z
                |                 ~ there is no operator `|`
                |                   write `or`, or `||`; for the bits of integers, `bit_or(a, b)`
            3   |     x++
                |      ~ there is no operator `++`
                |        write `x = x + 1`
            4   |     x += 1
                |       ~ there is no operator `+=`
                |         write `x = x + e`
            5   |     goto s
                |     ~~~~ there is no `goto` among statements
                |          write the process as states, with `-> s`
            6   |     c!3
                |      ~ messages are not sent and received with `!` and `?`
                |        write `send c(e)` and `receive c(?x)`
            7   |     c?x
                |      ~ messages are not sent and received with `!` and `?`
                |        write `send c(e)` and `receive c(?x)`
            9   | invariant a: x => y
                |                ~~ there is no operator `=>`
                |                   write `implies`; to compare, `>=`
            10  | invariant b: x -> y
                |                ~~ `->` is an operator only in the formulas of `ltl`
                |                   write `implies`
            11  | invariant c: x <> y
                |                ~ `<>` stands before a formula, not between two values
                |                  to compare, write `!=`
            12  | invariant d: x in 1..3
                |                ~~ `in` asks whether a value is in a set `{e, e}`
                |                   for a range write `lo <= x and x <= hi`
            13  | invariant e: 'a' == ~b
                |              ~~~ `'a'` means nothing here
                |                  names stand without quotation marks
            13  | invariant e: 'a' == ~b
                |                     ~ `~` means nothing here
                |                       write `not`, or `!`
        "#]],
    );
}

#[test]
fn comparisons_do_not_chain() {
    check(
        r"invariant a: 1 < x < 3
invariant b: x == 1 == y == 2
invariant c: x in {1} in {2}
",
        expect![[r#"
            1   | invariant a: 1 < x < 3
                |                    ~ comparisons do not chain
                |                      write `a < b and b < c`, or put one of them in parentheses
            2   | invariant b: x == 1 == y == 2
                |                     ~~ comparisons do not chain
                |                        write `a < b and b < c`, or put one of them in parentheses
            3   | invariant c: x in {1} in {2}
                |                       ~~ comparisons do not chain
                |                          write `a < b and b < c`, or put one of them in parentheses
        "#]],
    );
}

#[test]
fn a_declaration_does_not_end_with_a_semicolon() {
    check(
        r"var x: 0..3;
process p {
    var y: bool;
    final state s;
}
",
        expect![[r#"
            1   | var x: 0..3;
                |            ~ a declaration does not end with `;`
                |              leave it out
            3   |     var y: bool;
                |                ~ a declaration does not end with `;`
                |                  leave it out
            4   |     final state s;
                |                  ~ a declaration does not end with `;`
                |                    leave it out
        "#]],
    );
}

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
                |                       every step of a state says where it goes; its parts come in the order `for`, `on` (or `send`, `receive`), `when`, `do`, `->`
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
            6   |     either skip or skip
                |                   ^ expected `{` and the statements of the branch
            8   | process q skip }
                |          ^ expected `{` and the body of a process
            9   | tester t
                |         ^ expected `{` and the body of a tester
        "#]],
    );
}

#[test]
fn other_brackets_that_are_missing_are_told_where_the_step_goes_on() {
    check(
        r"process p(i in Id {
    a[i = 3
    b = f(1
    on c(1, 2
    when (x == 1 do y = 2
}
const j = (1 + 2))
const k = [1, 2
process q { skip } }
",
        expect![[r#"
            1   | process p(i in Id {
                |                  ^ expected `)` after the parameters
            2   |     a[i = 3
                |        ^ expected `]` after the index
            3   |     b = f(1
                |            ^ expected `)` after the arguments
            4   |     on c(1, 2
                |              ^ expected `)` after the arguments
            5   |     when (x == 1 do y = 2
                |                 ^ expected `)` after the expression
            7   | const j = (1 + 2))
                |                  ~ this `)` closes nothing
                |                    leave it out, or add the bracket that it closes
            8   | const k = [1, 2
                |                ^ expected `]` after the cells
            9   | process q { skip } }
                |                    ~ this `}` closes nothing
                |                      leave it out, or add the `{` before it
        "#]],
    );
}

#[test]
fn what_is_missing_between_the_parts_of_a_list_is_told() {
    check(
        r"const a = f(1 2)
const b = [1; 2]
type R = record { x: bool; y: bool }
enum E { a b }
process p {
    do x = 1 y = 2
    send c
}
process q {
    initial state s {
        do x = 1 y = 2 -> s
        do x = 1; y = 2 -> s
        x = 1 -> s
    }
}
",
        expect![[r#"
            1   | const a = f(1 2)
                |              ^ expected `,`
            2   | const b = [1; 2]
                |             ~ expected `,`
                |               within brackets `,` separates, not `;`
            3   | type R = record { x: bool; y: bool }
                |                          ~ expected `,`
                |                            within brackets `,` separates, not `;`
            4   | enum E { a b }
                |           ^ expected `,`
            7   |     send c
                |           ^ expected the message in parentheses
                |             write `send c(e)`
            11  |         do x = 1 y = 2 -> s
                |                 ^ expected `,` between effects
                |                   or write `do { … }`
            12  |         do x = 1; y = 2 -> s
                |                 ~ `;` ends the step
                |                   between effects write `,`, or put them in braces, `do { … }`
            13  |         x = 1 -> s
                |         ~ a step's effects stand after `do`
                |           write `do x = e -> s`
        "#]],
    );
}

#[test]
fn a_reserved_word_is_no_name() {
    check(
        r"const type = 3
var in: bool
process loop { state state }
enum E { a, any }
invariant a: x + not * 3
",
        expect![[r#"
            1   | const type = 3
                |       ~~~~ `type` is a reserved word and cannot name a constant
                |            choose another name
            2   | var in: bool
                |     ~~ `in` is a reserved word and cannot name a variable
                |        choose another name
            3   | process loop { state state }
                |         ~~~~ `loop` is a reserved word and cannot name a process
                |              choose another name
            3   | process loop { state state }
                |                      ~~~~~ `state` is a reserved word and cannot name a state
                |                            choose another name
            4   | enum E { a, any }
                |             ~~~ `any` is a reserved word and cannot name a value of an enumeration
                |                 choose another name
            5   | invariant a: x + not * 3
                |                     ^ expected an expression after `not`
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
                |       a block follows `if`, `while`, `loop`, `either`, `or` or `do`
            9   |     const N = 3
                |     ~~~~~ `const` stands at the top of a file, not in a body
                |           move it out of the braces
            11  |     var z: bool
                |     ~~~ this `var` comes too late
                |         it stands at the head of the body, before the states or statements
            12  |     do { on a; x = 1 }
                |          ~~ expected an effect
                |             it stands before `do`; a step has one of them
            13  |     do if x == 1 { y = any bool }
                |                        ~~~ `any` cannot stand inside an `if` or a `for`
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

#[test]
fn there_is_no_next_in_a_formula() {
    check(
        r"ltl f: always (p -> next q)
ltl g: [] X p
ltl h: G p
ltl i: F (p)
",
        expect![[r#"
            1   | ltl f: always (p -> next q)
                |                     ~~~~ there is no `next`
                |                          which step of which process comes next is chance; say what holds `until` something else does
            2   | ltl g: [] X p
                |           ~ there is no `next`
                |             which step of which process comes next is chance; say what holds `until` something else does
            3   | ltl h: G p
                |        ~ there is no operator `G`
                |          write `always`, or `[]`
        "#]],
    );
}

#[test]
fn formulas_that_are_not_whole_are_told() {
    check(
        r"ltl a: always
ltl b: p U
ltl c: (p -> q
ltl d
invariant e: always x
invariant f: [] x
invariant g: p U q
",
        expect![[r#"
            1   | ltl a: always
                |              ^ expected an expression after `always`
            2   | ltl b: p U
                |           ^ expected an expression after `U`
            3   | ltl c: (p -> q
                |               ^ expected `)` after the expression
            4   | ltl d
                |      ^ expected `:` and a formula
            5   | invariant e: always x
                |              ~~~~~~ temporal operators stand only in the formulas of `ltl`
                |                     write `ltl NAME: f`; an `invariant` holds in every reachable state anyway
            6   | invariant f: [] x
                |              ~ temporal operators stand only in the formulas of `ltl`
                |                write `ltl NAME: f`; an `invariant` holds in every reachable state anyway
            7   | invariant g: p U q
                |                ~ temporal operators stand only in the formulas of `ltl`
                |                  write `ltl NAME: f`; an `invariant` holds in every reachable state anyway
        "#]],
    );
}

#[test]
fn expressions_that_are_not_whole_are_told() {
    check(
        r"const a = 1 +
const b = not
const c = if a then b
const d = a[ ]
const e = p(1)@
const f = a.
const g = {1, 2}
const h = forall x in T x == 1
const i = count(x in T)
const j = a[1]@s
const k = m n
const l =
const m = any bool
",
        expect![[r#"
            1   | const a = 1 +
                |              ^ expected an expression after `+`
            2   | const b = not
                |              ^ expected an expression after `not`
            3   | const c = if a then b
                |                      ^ expected `else` and a value
                |                        an expression with a test is written `if e then e else e`
            4   | const d = a[ ]
                |             ^ expected an index
            5   | const e = p(1)@
                |                ^ expected the name of a state or a label
            6   | const f = a.
                |             ^ expected the name of a field or a variable
            7   | const g = {1, 2}
                |           ~ a set in braces stands only after `in`
                |             an array is written `[e, e]`, a record `{f: e, g: e}`
            8   | const h = forall x in T x == 1
                |                        ^ expected `:` and what is said of each value
            9   | const i = count(x in T)
                |                       ^ expected `:` and an expression
            10  | const j = a[1]@s
                |               ~ `@` stands after an instance of a process
                |                 write `p@s` or `p(i)@s`
            11  | const k = m n
                |             ~ `n` does not belong here
                |               the declaration ends before it; is an operator or a `,` missing?
            12  | const l =
                |          ^ expected a value
            13  | const m = any bool
                |           ~~~ `any` stands alone on the right of `=` in an effect
                |               write `x = any T`, and use `x` in a later effect
        "#]],
    );
}

#[test]
fn types_that_are_not_whole_are_told() {
    check(
        r"type A = array 3 of bool
type B = array[3] of bool
type C = array[bool] bool
type D = record x: bool
type E = {1, 2}
type F = 0..
type G = 0...3
type H
var x 0..3
var y = 3
",
        expect![[r#"
            1   | type A = array 3 of bool
                |               ^ expected `[` and the type of the index
                |                 write `array[I] of T`
            2   | type B = array[3] of bool
                |                 ^ expected `..` and the upper end of the range
                |                   a type of integers is written `lo..hi`, both ends belonging to it
            3   | type C = array[bool] bool
                |                     ^ expected `of` and the type of the cells
                |                       write `array[I] of T`
            4   | type D = record x: bool
                |                ^ expected `{` and the fields
                |                  write `record { f: T, g: U }`
            5   | type E = {1, 2}
                |          ~ expected a type
                |            a type is `bool`, `lo..hi`, a name, `array[I] of T` or `record { f: T }`
            6   | type F = 0..
                |             ^ expected the upper end of the range
            7   | type G = 0...3
                |             ~ a range is written with two dots
                |               write `lo..hi`
            8   | type H
                |       ^ expected `=` and a type
                |         it is written `type NAME = T`
            9   | var x 0..3
                |      ^ expected `:` and a type
                |        it is written `var NAME: T`
            10  | var y = 3
                |      ^ expected `:` and a type
                |        it is written `var NAME: T`
        "#]],
    );
}

#[test]
fn declarations_that_are_not_whole_are_told() {
    check(
        r"const z
param N = 3
enum E = { a, b }
channel c: queue of T
channel d: fifo[3] of T
channel e queue[1] of T
channel f: queue[2]
action a, b
use foo.stb
macro m
def f(x: 0..3): x
def g = 3
process { skip }
process q(i Id) { skip }
var v: 0..3 = any 0..3
",
        expect![[r#"
            1   | const z
                |        ^ expected `=` and a value
                |          a constant is declared with its value, `const NAME = e`
            2   | param N = 3
                |        ^ expected `:` and the range of the parameter
                |          it is written `param NAME: lo..hi = e`
            3   | enum E = { a, b }
                |        ~ expected `{` and the values
                |          it is written `enum NAME { a, b, c }`
            4   | channel c: queue of T
                |                 ^ expected `[` and how many messages the channel holds
                |                   it is written `channel c: queue[n] of T1, T2`
            5   | channel d: fifo[3] of T
                |           ^ expected `queue` or `bag`
                |             it is written `channel c: queue[n] of T1, T2`
            6   | channel e queue[1] of T
                |          ^ expected `:` and `queue` or `bag`
                |            it is written `channel c: queue[n] of T1, T2`
            7   | channel f: queue[2]
                |                    ^ expected `of` and the types of a message
                |                      it is written `channel c: queue[n] of T1, T2`
            8   | action a, b
                |         ~ one `action` declares one action
                |           begin a line with `action` for each
            9   | use foo.stb
                |    ^ expected the name of a file
                |      it is written `use "FILE"`
            10  | macro m
                |        ^ expected `{` and the statements or effects of the macro
            11  | def f(x: 0..3): x
                |        ~ expected `in` and a type
                |          it is written `x in T`
            12  | def g = 3
                |       ~ expected `:` and an expression
                |         it is written `def NAME(x in T): e`
            13  | process { skip }
                |        ^ expected a name for a process
            14  | process q(i Id) { skip }
                |            ^ expected `in` and a type
                |              it is written `x in T`
            15  | var v: 0..3 = any 0..3
                |               ~~~ a variable has one value at first
                |                   write `x = any T` as a first step
        "#]],
    );
}

#[test]
fn properties_and_settings_that_are_not_whole_are_told() {
    check(
        r"invariant : x
invariant a x
progress c: x
recurrence d: a implies b
recurrence e: infinitely a
deadlock
deadlock allowed
termination required
errors ignored
refines s
refines s in trace
refines s(2) in traces
refines s in infinite
",
        expect![[r#"
            1   | invariant : x
                |          ^ expected a name for the property
            2   | invariant a x
                |            ^ expected `:` and what is always true
            3   | progress c: x
                |            ^ expected `may` or `must`
                |              `may e`: a state with `e` can be reached; `must e`: one is met on every path
            4   | recurrence d: a implies b
                |              ^ expected `infinitely`
                |                it is written `recurrence NAME: infinitely A implies infinitely B`
            4   | recurrence d: a implies b
                |                        ^ expected `infinitely`
                |                          it is written `recurrence NAME: infinitely A implies infinitely B`
            5   | recurrence e: infinitely a
                |                           ^ expected `implies` and `infinitely`
                |                             it is written `recurrence NAME: infinitely A implies infinitely B`
            6   | deadlock
                |         ^ expected `allowed when` or `ignored`
                |           it is written `deadlock allowed when e` or `deadlock ignored`
            7   | deadlock allowed
                |                 ^ expected `when` and a condition
                |                   it is written `deadlock allowed when e` or `deadlock ignored`
            8   | termination required
                |            ^ expected `not required`
                |              the only setting of it is `termination not required`
            9   | errors ignored
                | ~~~~~~ expected a declaration or a property
                |        the property `errors` is checked always
            10  | refines s
                |          ^ expected `in` and what is compared
                |            it is written `refines NAME in traces`; others are `failures`, `divergences`, `infinite traces` and `cffd`
            11  | refines s in trace
                |              ~~~~~ `trace` is nothing to compare in
                |                    it is written `refines NAME in traces`; others are `failures`, `divergences`, `infinite traces` and `cffd`
            12  | refines s(2) in traces
                |          ~ `refines` takes the name of the specification alone
                |            one with parameters is checked for each value of them
            13  | refines s in infinite
                |                      ^ expected `traces` after `infinite`
                |                        it is written `refines NAME in traces`; others are `failures`, `divergences`, `infinite traces` and `cffd`
        "#]],
    );
}

#[test]
fn a_word_that_is_misspelt_is_told_with_the_one_that_is_near() {
    check(
        r"proces p { skip }
invarient a: true
chan c: queue[3] of bool
actoin b
hello world
",
        expect![[r#"
            1   | proces p { skip }
                | ~~~~~~ `proces` begins no declaration
                |        did you mean `process`?
            2   | invarient a: true
                | ~~~~~~~~~ `invarient` begins no declaration
                |           did you mean `invariant`?
            3   | chan c: queue[3] of bool
                | ~~~~ `chan` begins no declaration
                |      did you mean `channel`?
            4   | actoin b
                | ~~~~~~ `actoin` begins no declaration
                |        did you mean `action`?
            5   | hello world
                | ~~~~~ expected a declaration or a property
                |       a file is made of declarations (`const`, `param`, `type`, `enum`, `var`, `channel`, `action`, `def`, `macro`, `process`), properties and testers
        "#]],
    );
}

#[test]
fn integers_have_64_bits() {
    check(
        r"const a = 9223372036854775807
const b = 9223372036854775808
const c = -9223372036854775808
const d = 1 - 9223372036854775808
const e = 99_999_999_999_999_999_999
const f = 1_
const g = 0x1F
",
        expect![[r#"
            2   | const b = 9223372036854775808
                |           ~~~~~~~~~~~~~~~~~~~ this integer is too large
                |                               integers have 64 bits: the largest is 9223372036854775807
            4   | const d = 1 - 9223372036854775808
                |               ~~~~~~~~~~~~~~~~~~~ this integer is too large
                |                                   integers have 64 bits: the largest is 9223372036854775807
            5   | const e = 99_999_999_999_999_999_999
                |           ~~~~~~~~~~~~~~~~~~~~~~~~~~ this integer is too large
                |                                      integers have 64 bits: the largest is 9223372036854775807
            6   | const f = 1_
                |           ~~ `1_` ends with `_`
                |              `_` may stand between the digits of a number
            7   | const g = 0x1F
                |           ~~~~ `0x1F` is neither a number nor a name
                |                numbers are decimal, and names do not begin with a digit
        "#]],
    );
}

#[test]
fn characters_that_mean_nothing_are_told() {
    check(
        r#"var x: 0..3 = #
var ä: bool
const s = "text
const t = 1 \/ 2
"#,
        expect![[r#"
            1   | var x: 0..3 = #
                |               ~ `#` means nothing here
                |                 write `!=`; comments begin with `//`
            2   | var ä: bool
                |     ~~ `ä` means nothing here
                |        names are made of the letters a to z, digits and `_`
            3   | const s = "text
                |           ~~~~~ this text has no end
                |                 close it with `"` on the same line
            4   | const t = 1 \/ 2
                |             ~ `\` means nothing here
                |               write `and` and `or`
        "#]],
    );
}

#[test]
fn a_comment_without_its_end_is_told_at_its_beginning() {
    check(
        r"var x: bool
/* never /* */
var y: bool
",
        expect![[r#"
            2   | /* never /* */
                | ~~ this comment has no end
                |    close it with `*/`; comments nest, so each `/*` in it needs its own
        "#]],
    );
}
