//! What is wrong with the `where` of parameters, and with what it leaves out.

use crate::support::*;
use expect_test::{Expect, expect};

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&problems(text));
}

#[test]
fn the_condition_is_a_constant_truth_value_over_the_parameters() {
    check(
        "const none = 0
var x: 0..3
process p { loop { x = (x + 1) % 4 } }
invariant a(i in 0..2 where i): x <= 3
invariant b(i in 0..2 where i > x): x <= 3
invariant c(i in 0..2 where p@end): x <= 3
invariant d(i in 0..2, j in 0..1 where i / j == 1): x <= 3
invariant e(i in 0..2 where i / none == 1): x <= 3
invariant f(i in 0..2 where i > 2 + none): x <= 3
invariant g(i in 0..2 where k > 0): x <= 3
invariant h(i in 0..2 where i > 0 and 4 / i > 2): x <= 3
invariant k(i in 0..2, j in 0..999999999 where i == j): x <= 3
invariant l(i in 0..99, j in 0..199 where i != j): x <= 3
invariant m(i in 0..y where i > 0): x <= 3
process q(i in 0..2 where i > 2) { skip }
process r(i in 0..2, j in 0..2 where i / j == 1) { skip }
",
        expect![[r#"
              4 | invariant a(i in 0..2 where i): x <= 3
                |                             ^
            error[wrong-type]: what stands behind `where` is a truth value, but `i` is an integer; did you mean `i != 0`?
              5 | invariant b(i in 0..2 where i > x): x <= 3
                |                             ^^^^^
            error[not-constant]: what stands behind `where` must be constant, but `i > x` depends on the state; the parameters before it, literals and constants can stand here
              6 | invariant c(i in 0..2 where p@end): x <= 3
                |                             ^^^^^
            error[not-constant]: what stands behind `where` must be constant, but `p@end` depends on the state; the parameters before it, literals and constants can stand here
              7 | invariant d(i in 0..2, j in 0..1 where i / j == 1): x <= 3
                |                                        ^^^^^^^^^^
            error[constant-fails]: where `i` is 0 and `j` is 0 `i / j == 1` divides by zero, which fails
              8 | invariant e(i in 0..2 where i / none == 1): x <= 3
                |                             ^^^^^^^^
            error[constant-fails]: `i / none` divides by zero, which fails
              9 | invariant f(i in 0..2 where i > 2 + none): x <= 3
                |                             ^^^^^^^^^^^^
            error[empty-type]: `i > 2 + none` is true of no value, so that nothing is left
             10 | invariant g(i in 0..2 where k > 0): x <= 3
                |                             ^
            error[unknown-name]: `k` is not known here; a `var`, `const` or `def` of this name would declare it
             12 | invariant k(i in 0..2, j in 0..999999999 where i == j): x <= 3
                |                                                ^^^^^^
            error[too-large]: this would be evaluated for 3000000000 combinations of values, and 100000 are the most; smaller types of the parameters would mend it
             13 | invariant l(i in 0..99, j in 0..199 where i != j): x <= 3
                |           ^
            error[too-large]: these are 19900 properties, and no more than 10000 can be checked; smaller types of the parameters would mend it
             14 | invariant m(i in 0..y where i > 0): x <= 3
                |                     ^
            error[unknown-name]: `y` is not known here; a `var`, `const` or `def` of this name would declare it
             15 | process q(i in 0..2 where i > 2) { skip }
                |                           ^^^^^
            error[empty-type]: `i > 2` is true of no value, so that nothing is left
             16 | process r(i in 0..2, j in 0..2 where i / j == 1) { skip }
                |                                      ^^^^^^^^^^
            error[constant-fails]: where `i` is 0 and `j` is 0 `i / j == 1` divides by zero, which fails
        "#]],
    );
}

#[test]
fn what_is_left_out_does_not_exist() {
    check(
        "type Id = 0..2
var x: Id
process p(i in Id, j in Id where i < j) { var y: Id s: x = i }
invariant a: p(0, 1)@s or p(1, 1)@s
invariant b: p(0, 1).y == p(2, 0).y
invariant c(i in Id): i == 0 or p(i, 1)@s or true
invariant d: false and p(1, 1)@s
invariant e: p(0, 3)@s
recurrence f: infinitely p(0, *)@s implies infinitely {p(2, *)@s, p(1, 0)@s}
fair g(i in Id, j in Id where i > j): p(i, j)
fair h: p
invariant free(i in Id, j in Id where i != j): x < 2
expect violated: free(0, 1), free(1, 1), free(0, 3), a
",
        expect![[r#"
              4 | invariant a: p(0, 1)@s or p(1, 1)@s
                |                           ^^^^^^^^^
            error[constant-fails]: there is no instance `p(1,1)`: the `where` of `p` leaves it out
              5 | invariant b: p(0, 1).y == p(2, 0).y
                |                           ^^^^^^^^^
            error[constant-fails]: there is no instance `p(2,0)`: the `where` of `p` leaves it out
              8 | invariant e: p(0, 3)@s
                |              ^^^^^^^^^
            error[constant-fails]: there is no instance 3 of `p`; its instances are 0..2
              9 | recurrence f: infinitely p(0, *)@s implies infinitely {p(2, *)@s, p(1, 0)@s}
                |                                                        ^^^^^^^^^
            error[constant-fails]: `p(2, *)@s` means no instance here: the `where` of `p` leaves it out
              9 | recurrence f: infinitely p(0, *)@s implies infinitely {p(2, *)@s, p(1, 0)@s}
                |                                                                   ^^^^^^^^^
            error[constant-fails]: `p(1, 0)@s` means no instance here: the `where` of `p` leaves it out
             10 | fair g(i in Id, j in Id where i > j): p(i, j)
                |                                       ^^^^^^^
            error[constant-fails]: `p(i, j)` means no instance here: the `where` of `p` leaves it out
             13 | expect violated: free(0, 1), free(1, 1), free(0, 3), a
                |                                  ^^^^^^
            error[unknown-name]: there is no property `free(1,1)`: the `where` of `free` leaves it out
             13 | expect violated: free(0, 1), free(1, 1), free(0, 3), a
                |                                                  ^
            error[outside-type]: 3 is outside 0..2, the type of `j` of `free`; a value up to 2, or a type that goes up to 3, would mend it
        "#]],
    );
}

#[test]
fn what_a_condition_goes_through_for_all_values_together_is_limited() {
    check(
        "process p(a in 0..100, b in 0..100 where forall c in 0..9999: a * b != c + 99999999) { skip }
process q(a in 0..9, b in 0..9 where forall c in 0..99: a * b != c + 99999999) { skip }
",
        expect![[r#"
              1 | process p(a in 0..100, b in 0..100 where forall c in 0..9999: a * b != c + 99999999) { skip }
                |                                                      ^^^^^^^
            error[too-large]: together with what is around it this goes through 102010000 combinations of values, too many to check; smaller ranges would mend it
        "#]],
    );
}
