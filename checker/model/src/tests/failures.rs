//! Evaluations that are known to fail.

use expect_test::expect;

use super::{check, means};

#[test]
fn what_the_text_decides_to_fail_is_told_where_it_is_evaluated() {
    check(
        "const N = 3\nvar a: array[0..3] of 0..3\nvar x: 0..9\n\
         invariant i1: a[5] == 1\ninvariant i2: x / 0 == 1\ninvariant i3: 9223372036854775807 + 1 > x\ninvariant i4: shift_left(x, 64) == 1\ninvariant i5: x == 1 and a[N + 1] == 1\ninvariant i6: N % (N - 3) == 1\n",
        expect![[r#"
            4 | invariant i1: a[5] == 1
              |                 ^ error[constant-fails]: 5 is outside 0..3, the indices of `a`
            5 | invariant i2: x / 0 == 1
              |               ^^^^^ error[constant-fails]: `x / 0` divides by zero, which fails
            6 | invariant i3: 9223372036854775807 + 1 > x
              |               ^^^^^^^^^^^^^^^^^^^^^^^ error[constant-fails]: `9223372036854775807 + 1` is no 64-bit integer: it is evaluated to an overflow, which fails
            7 | invariant i4: shift_left(x, 64) == 1
              |               ^^^^^^^^^^^^^^^^^ error[constant-fails]: `shift_left(x, 64)` fails: a shift is by 0 to 63 places, not by 64
            8 | invariant i5: x == 1 and a[N + 1] == 1
              |                            ^^^^^ error[constant-fails]: `N + 1` is 4, which is outside 0..3, the indices of `a`
            9 | invariant i6: N % (N - 3) == 1
              |               ^^^^^^^^^^^ error[constant-fails]: `N % (N - 3)` divides by zero, which fails
        "#]],
    );
}

#[test]
fn what_a_constant_operand_before_keeps_from_being_evaluated_is_not_told() {
    check(
        "const N = 3\nvar a: array[0..3] of 0..3\nvar x: 0..9\n\
         invariant i1: N > 3 and a[5] == 1\ninvariant i2: N == 3 or a[5] == 1\ninvariant i3: N > 3 implies a[5] == 1\ninvariant i4: (if N > 3 then a[5] else 1) == x\ninvariant i5: N > 3 and x == 1 and a[5] == 1\ninvariant i6: a[0] == x\n",
        expect![[""]],
    );
}

#[test]
fn what_a_quantifier_decides_fails_when_it_is_evaluated() {
    means(
        "var a: array[0..1] of bool",
        "exists k in 0..2: a[k]",
        expect![
            "Any([Cell { array: Variable(Shared(0)), lo: 0, index: Const(Int(0)) }, Cell { array: Variable(Shared(0)), lo: 0, index: Const(Int(1)) }, Fail(OutsideArray { index: 2, lo: 0, hi: 1 })])"
        ],
    );
    means(
        "var a: array[0..1] of bool",
        "forall k in 0..1: k == 1 or a[k + 1]",
        expect!["Cell { array: Variable(Shared(0)), lo: 0, index: Const(Int(1)) }"],
    );
}
