//! Mistakes in declarations, types, properties and names.

use expect_test::expect;

use super::check;

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
                |               within brackets `,` separates, not `;`; so many equal cells are `[i in 0..2: e]`, say
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
                |                ~ an array has a type for its index, not a length
                |                  write `0..2`
            3   | type C = array[bool] bool
                |                     ^ expected `of` and the type of the cells
                |                       write `array[I] of T`
            4   | type D = record x: bool
                |                ^ expected `{` and the fields
                |                  write `record { f: T, g: U }`
            5   | type E = {1, 2}
                |          ~ expected a type
                |            numbers are of a range, `lo..hi`
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
                |        it is written `var NAME: T`, where `T` is `0..7` or `bool`, say
            10  | var y = 3
                |      ^ expected `:` and a type
                |        it is written `var NAME: T`, where `T` is `0..7` or `bool`, say
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
                |          it is written `process p(i in 0..2) { … }`, say
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
                |            it is written `invariant NAME: e`
            2   | invariant a x
                |            ^ expected `:` and what is always true
                |              it is written `invariant NAME: e`
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
                |                 comments begin with `//`; to compare, write `!=`
            2   | var ä: bool
                |     ~~ `ä` cannot be a name
                |        names are made of the letters a to z, digits and `_`
            3   | const s = "text
                |           ~~~~~ this text has no end
                |                 close it with `"` on the same line
            4   | const t = 1 \/ 2
                |             ~~ `\/` means nothing here
                |                write `or`, or `||`
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

#[test]
fn what_is_left_of_a_line_is_told_and_the_next_line_is_read() {
    check(
        r"const a = 1 2
proces p { skip }
process q {
    var x: 0..3 )
    var y: bool y
    skip skip
    L: x = 1
}
invariant b: x y and
    z
var z: bool
",
        expect![[r#"
            1   | const a = 1 2
                |             ~ `2` does not belong here
                |               the declaration ends before it; is an operator or a `,` missing?
            2   | proces p { skip }
                | ~~~~~~ `proces` begins no declaration
                |        did you mean `process`?
            4   |     var x: 0..3 )
                |                 ~ this `)` closes nothing
                |                   leave it out, or add the bracket that it closes
            9   | invariant b: x y and
                |                ~ `y` does not belong here
                |                  the declaration ends before it; is an operator or a `,` missing?
        "#]],
    );
}

#[test]
fn a_comment_without_its_end_hides_what_is_missing_behind_it() {
    check(
        r"process p {
    loop {
        skip
    /* }
",
        expect![[r#"
            4   |     /* }
                |     ~~ this comment has no end
                |        close it with `*/`; comments nest, so each `/*` in it needs its own
        "#]],
    );
}
