//! Definitions and their uses.

use expect_test::expect;

use super::{check, means};

#[test]
fn an_argument_that_may_be_outside_is_evaluated_once() {
    means(
        "var x: 0..9\ndef f(y in 0..3): y + y",
        "f(x + 1) == 1",
        expect![
            "Binary(Equal, Let { value: Binary(Add, Variable(Shared(0)), Const(Int(1))), ty: Scalar { lo: 0, hi: 3 }, body: Binary(Add, Bound(0), Bound(0)) }, Const(Int(1)))"
        ],
    );
}

#[test]
fn a_plain_variable_within_the_type_stands_for_itself() {
    means(
        "var x: 0..3\ndef f(y in 0..3): y + y",
        "f(x) == 1",
        expect![
            "Binary(Equal, Binary(Add, Variable(Shared(0)), Variable(Shared(0))), Const(Int(1)))"
        ],
    );
}

#[test]
fn definitions_in_definitions_count_their_arguments() {
    means(
        "var x: 0..9\ndef g(a in 0..5, b in 0..5): a - b\ndef f(y in 0..3): g(y + 1, y)",
        "f(x) == g(x, f(x))",
        expect![
            "Binary(Equal, Let { value: Variable(Shared(0)), ty: Scalar { lo: 0, hi: 3 }, body: Let { value: Binary(Add, Bound(0), Const(Int(1))), ty: Scalar { lo: 0, hi: 5 }, body: Binary(Subtract, Bound(0), Bound(1)) } }, Let { value: Variable(Shared(0)), ty: Scalar { lo: 0, hi: 5 }, body: Let { value: Let { value: Variable(Shared(0)), ty: Scalar { lo: 0, hi: 3 }, body: Let { value: Binary(Add, Bound(0), Const(Int(1))), ty: Scalar { lo: 0, hi: 5 }, body: Binary(Subtract, Bound(0), Bound(1)) } }, ty: Scalar { lo: 0, hi: 5 }, body: Binary(Subtract, Bound(1), Bound(0)) } })"
        ],
    );
}

#[test]
fn a_definition_of_constants_is_constant() {
    means(
        "def twice(n in 0..9): n * 2\ndef four: twice(2)\nvar x: 0..four",
        "x == twice(four)",
        expect!["Binary(Equal, Variable(Shared(0)), Const(Int(8)))"],
    );
}

#[test]
fn an_argument_outside_the_parameter_is_told_at_the_use() {
    check(
        "var a: array[0..3] of bool\ndef f(y in 0..5): a[y]\ninvariant i: f(7)\ninvariant j: f(true)\ninvariant k: f()\ninvariant l: f(5)\ninvariant m: f(1, 2)\ninvariant n: f(1)\n",
        expect![[r#"
            3 | invariant i: f(7)
              |                ^ error[outside-type]: 7 is outside 0..5, the type of `y` of `f`; a value up to 5, or a type that goes up to 7, would mend it
            4 | invariant j: f(true)
              |                ^^^^ error[wrong-type]: `y` of `f` is an integer, but `true` is a truth value; did you mean `1`?
            5 | invariant k: f()
              |                ^ error[wrong-arguments]: `f` takes one argument, but none is given here
            6 | invariant l: f(5)
              |              ^^^^ error[constant-fails]: `y` is 5, which is outside 0..3, the indices of `a`
            2 | def f(y in 0..5): a[y]
              |                     ^ note: it comes from here
            7 | invariant m: f(1, 2)
              |                   ^ error[wrong-arguments]: `f` takes one argument, but 2 are given here
        "#]],
    );
}

#[test]
fn a_mistake_in_a_definition_is_told_once() {
    check(
        "def f(y in 0..5): y and true\ninvariant i: f(1)\ninvariant j: f(2)\n",
        expect![[r#"
            1 | def f(y in 0..5): y and true
              |                   ^ error[wrong-type]: `and` takes truth values, but `y` is an integer; did you mean `y != 0`?
        "#]],
    );
}
