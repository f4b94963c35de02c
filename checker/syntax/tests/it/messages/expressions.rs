//! Mistakes in expressions and formulas.

use expect_test::expect;

use super::check;

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
                |       ~~ `==` compares, it does not assign (nor wait, as `await e` does)
                |          write `=`
            3   |     x := 2
                |       ~~ there is no `:=`
                |          write `=`
            4   |     await x = 1
                |             ~ `=` assigns, it does not compare
                |               to compare, write `==`; a guard or a test has no effects, these stand after `do`
            5   |     if x = 1 { y == 2 }
                |          ~ `=` assigns, it does not compare
                |            to compare, write `==`; a guard or a test has no effects, these stand after `do`
            5   |     if x = 1 { y == 2 }
                |                  ~~ `==` compares, it does not assign (nor wait, as `await e` does)
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
                |                  names stand without quotation marks; the name of a file stands in `"…"`
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
fn there_is_no_next_in_a_formula() {
    check(
        r"ltl f: always (p -> next q)
ltl g: [] X p
ltl h: G p
ltl i: F (p)
invariant j: next p
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
            5   | invariant j: next p
                |              ~~~~ there is no `next`
                |                   which step of which process comes next is chance; say what holds `until` something else does
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
                |        it is written `ltl NAME: f`
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
fn what_other_values_a_record_has_stands_in_braces() {
    check(
        r"var r: record { x: 0..3 }
var with: 0..1
process p {
    r = r with x: 1;
    r = r with { x: 1 } with { x };
    with = with
}
",
        expect![[r#"
            4   |     r = r with x: 1;
                |               ^ expected `{` and the fields that are to have other values
                |                 write `r with { f: e }`
            5   |     r = r with { x: 1 } with { x };
                |                                 ^ expected `:` and the value of the field
        "#]],
    );
}
