//! The types of expressions, and what they mean.

use expect_test::expect;

use super::{check, means};

#[test]
fn operators_say_what_they_take() {
    check(
        "enum Color { red, green }\nvar j: 0..3\nvar b: bool\nvar c: Color\nvar a: array[0..1] of bool\nvar r: record { n: 0..3, ok: bool }\n\
         invariant i1: j and b\ninvariant i2: not j\ninvariant i3: b or c\ninvariant i4: 1 implies b\ninvariant i5: b + 1 == 2\ninvariant i6: c < green\ninvariant i7: -b == 1\ninvariant i8: a and b\ninvariant i9: r == 1\ninvariant i10: (if r then 1 else 2) == 1\n",
        expect![[r#"
            7 | invariant i1: j and b
              |               ^ error[wrong-type]: `and` takes truth values, but `j` is an integer; did you mean `j != 0`?
            8 | invariant i2: not j
              |                   ^ error[wrong-type]: `not` takes a truth value, but `j` is an integer; did you mean `j != 0`?
            9 | invariant i3: b or c
              |                    ^ error[wrong-type]: `or` takes truth values, but `c` is a value of `Color`; did you mean `c == red`?
            10 | invariant i4: 1 implies b
               |               ^ error[wrong-type]: `implies` takes truth values, but `1` is an integer; did you mean `true`?
            11 | invariant i5: b + 1 == 2
               |               ^ error[wrong-type]: `+` takes integers, but `b` is a truth value; did you mean `if b then 1 else 0`?
            12 | invariant i6: c < green
               |               ^ error[wrong-type]: `<` takes integers, but `c` is a value of `Color`
            13 | invariant i7: -b == 1
               |                ^ error[wrong-type]: `-` takes integers, but `b` is a truth value; did you mean `if b then 1 else 0`?
            14 | invariant i8: a and b
               |               ^ error[wrong-type]: `and` takes truth values, but `a` is an `array[0..1] of bool`; did you mean one of its cells, `a[…]`?
            15 | invariant i9: r == 1
               |               ^^^^^^ error[wrong-type]: `==` compares values of one type, but `r` is a `record { n: integer, ok: bool }` and `1` is an integer
            16 | invariant i10: (if r then 1 else 2) == 1
               |                    ^ error[wrong-type]: `if` takes a truth value, but `r` is a `record { n: integer, ok: bool }`; did you mean `r.ok`?
        "#]],
    );
}

#[test]
fn only_values_of_one_type_are_compared() {
    check(
        "enum Color { red, green }\nvar j: 0..3\nvar b: bool\nvar c: Color\n\
         invariant i1: j == b\ninvariant i2: c != 1\ninvariant i3: j in {1, true}\ninvariant i4: (if b then 1 else red) == 1\ninvariant i5: c == b\ninvariant i6: [1, true] == [2, 3]\n",
        expect![[r#"
            5 | invariant i1: j == b
              |               ^^^^^^ error[wrong-type]: `==` compares values of one type, but `j` is an integer and `b` is a truth value; did you mean `if b then 1 else 0`?
            6 | invariant i2: c != 1
              |               ^^^^^^ error[wrong-type]: `!=` compares values of one type, but `c` is a value of `Color` and `1` is an integer; its values are `red`, `green`
            7 | invariant i3: j in {1, true}
              |                        ^^^^ error[wrong-type]: `in` compares values of one type, but `j` is an integer and `true` is a truth value; did you mean `1`?
            8 | invariant i4: (if b then 1 else red) == 1
              |                ^^^^^^^^^^^^^^^^^^^^ error[wrong-type]: both values of an `if` are of one type, but `1` is an integer and `red` is a value of `Color`
            9 | invariant i5: c == b
              |               ^^^^^^ error[wrong-type]: `==` compares values of one type, but `c` is a value of `Color` and `b` is a truth value; its values are `red`, `green`
            10 | invariant i6: [1, true] == [2, 3]
               |                   ^^^^ error[wrong-type]: the cells of an array are of one type, but `1` is an integer and `true` is a truth value; did you mean `1`?
        "#]],
    );
}

#[test]
fn built_in_functions_say_what_they_take() {
    check(
        "var j: 0..3\nvar b: bool\nchannel c: queue[1] of bool\n\
         invariant i1: min(j, b) == 1\ninvariant i2: bit_and(j) == 1\ninvariant i3: count(j) == 1\ninvariant i4: count(k in 0..3: j) == 1\ninvariant i5: len(j) == 1\ninvariant i6: len(c, c) == 1\ninvariant i7: coutn(k in 0..3: k == j) == 1\ninvariant i8: j(3) == 1\ninvariant i9: max() == 1\ninvariant i10: empty(c + 1)\n",
        expect![[r#"
            4 | invariant i1: min(j, b) == 1
              |                      ^ error[wrong-type]: `min` takes integers, but `b` is a truth value; did you mean `if b then 1 else 0`?
            5 | invariant i2: bit_and(j) == 1
              |                        ^ error[wrong-arguments]: `bit_and` takes 2 arguments, but one is given here
            6 | invariant i3: count(j) == 1
              |               ^^^^^^^^ error[wrong-arguments]: `count` goes through the values of a type, the indices of an array, say: `count(x in T: e)`
            7 | invariant i4: count(k in 0..3: j) == 1
              |                                ^ error[wrong-type]: `count` takes truth values, but `j` is an integer; did you mean `j != 0`?
            8 | invariant i5: len(j) == 1
              |                   ^ error[wrong-type]: `len` asks about a channel, a list or a set, but `j` is an integer
            9 | invariant i6: len(c, c) == 1
              |                      ^ error[wrong-arguments]: `len` takes one argument, but 2 are given here
            10 | invariant i7: coutn(k in 0..3: k == j) == 1
               |               ^^^^^ error[unknown-name]: `coutn` cannot bind a name; did you mean `count`?
            11 | invariant i8: j(3) == 1
               |               ^ error[wrong-type]: only a definition or a built-in function takes arguments in an expression, but `j` is a variable; a cell of an array is `j[…]`
            12 | invariant i9: max() == 1
               |               ^^^^^ error[wrong-arguments]: `max` takes at least one argument: `max(e, e)`, or `max(x in T: e)`
            13 | invariant i10: empty(c + 1)
               |                      ^ error[wrong-type]: a value is asked for here, but `c` is a channel; `len(c)`, `empty(c)` and `full(c)` ask about it
            3 | channel c: queue[1] of bool
              |         ^ note: it is declared here
        "#]],
    );
}

#[test]
fn an_invariant_is_a_truth_value() {
    check(
        "var j: 0..3\ninvariant i: j\ninvariant k: j + 1\n",
        expect![[r#"
            2 | invariant i: j
              |              ^ error[wrong-type]: an invariant is a truth value, but `j` is an integer; did you mean `j != 0`?
            3 | invariant k: j + 1
              |              ^^^^^ error[wrong-type]: an invariant is a truth value, but `j + 1` is an integer; did you mean `(j + 1) != 0`?
        "#]],
    );
}

#[test]
fn constant_operands_are_folded() {
    means(
        "param N: 1..9 = 3\nvar x: 0..9",
        "N > 3 and x == 1 or x == N * 2",
        expect!["Binary(Equal, Variable(Shared(0)), Const(Int(6)))"],
    );
    means(
        "var x: 0..9",
        "forall k in 0..2: k == 1 or x > k",
        expect![
            "All([Binary(Greater, Variable(Shared(0)), Const(Int(0))), Binary(Greater, Variable(Shared(0)), Const(Int(2)))])"
        ],
    );
    means(
        "var x: bool",
        "true and x and true",
        expect!["Variable(Shared(0))"],
    );
    means(
        "",
        "-9223372036854775808 < 9_223_372_036_854_775_807 and -7 / 2 == -3 and -7 % 2 == -1",
        expect!["Const(Int(1))"],
    );
    means(
        "",
        "bit_xor(6, 3) == 5 and bit_not(0) == -1 and shift_left(1, 63) < 0 and shift_right(-8, 1) == -4",
        expect!["Const(Int(1))"],
    );
    means(
        "",
        "sum(k in 0..3: k) == 6 and count(k in 0..3: k > 1) == 2 and min(k in 1..3: -k) == -3 and max(1, 5, 3) == 5",
        expect!["Const(Int(1))"],
    );
}

#[test]
fn a_conjunction_is_one_list_however_it_is_nested() {
    means(
        "var a, b, c: bool",
        "a and b and c",
        expect!["All([Variable(Shared(0)), Variable(Shared(1)), Variable(Shared(2))])"],
    );
    means(
        "var a, b, c: bool",
        "a implies b implies c",
        expect![
            "Any([Unary(Not, Variable(Shared(0))), Any([Unary(Not, Variable(Shared(1))), Variable(Shared(2))])])"
        ],
    );
}

#[test]
fn arrays_and_records_are_values() {
    means(
        "var a: array[1..3] of 0..9",
        "a == [1, 2, 3]",
        expect!["Binary(Equal, Variable(Shared(0)), Const(Cells([Int(1), Int(2), Int(3)])))"],
    );
    means(
        "var a: array[bool] of 0..9",
        "[x in bool: if x then 1 else 0] == a",
        expect!["Binary(Equal, Const(Cells([Int(0), Int(1)])), Variable(Shared(0)))"],
    );
    means(
        "var r: record { f: bool, g: 0..3 }",
        "{g: 1, f: true} == r",
        expect!["Binary(Equal, Const(Cells([Int(1), Int(1)])), Variable(Shared(0)))"],
    );
    means(
        "const t: array[0..2] of 0..9 = [4, 5, 6]\nvar i: 0..2",
        "t[1] == 5 and t[i] == 4",
        expect![
            "Binary(Equal, Cell { array: Const(Cells([Int(4), Int(5), Int(6)])), lo: 0, index: Variable(Shared(0)) }, Const(Int(4)))"
        ],
    );
    means(
        "enum E { a, b }\nvar x: array[E] of E",
        "x[b] == a and x == [b, a]",
        expect![
            "All([Binary(Equal, Cell { array: Variable(Shared(0)), lo: 0, index: Const(Int(1)) }, Const(Int(0))), Binary(Equal, Variable(Shared(0)), Const(Cells([Int(1), Int(0)])))])"
        ],
    );
}

#[test]
fn a_record_with_other_values_is_one_that_has_its_other_fields() {
    means(
        "var r: record { f: 0..3, g: 0..3 }\nvar a: array[0..1] of record { f: 0..3, g: 0..3 }\nvar i: 0..1",
        "r == r with {g: 1} with {f: 2} and a[i] with {f: 1} == a[i] with {g: 2, f: 1}",
        expect![
            "All([Binary(Equal, Variable(Shared(0)), Cells([Const(Int(2)), Const(Int(1))])), Binary(Equal, Cells([Const(Int(1)), Field { record: Cell { array: Variable(Shared(1)), lo: 0, index: Variable(Shared(2)) }, field: 1 }]), Cells([If(Binary(Equal, Field { record: Cell { array: Variable(Shared(1)), lo: 0, index: Variable(Shared(2)) }, field: 0 }, Field { record: Cell { array: Variable(Shared(1)), lo: 0, index: Variable(Shared(2)) }, field: 0 }), Const(Int(1)), Field { record: Cell { array: Variable(Shared(1)), lo: 0, index: Variable(Shared(2)) }, field: 0 }), Const(Int(2))]))])"
        ],
    );
}

#[test]
fn channels_are_asked_how_full_they_are() {
    means(
        "channel c[1..2]: queue[1] of bool\nvar i: 1..2",
        "len(c[2]) == 0 and empty(c[i]) or full(c[1])",
        expect![
            "Any([All([Binary(Equal, Length(One(1)), Const(Int(0))), IsEmpty(Indexed { first: 0, indices: [ChannelIndex { lo: 1, len: 2, index: Variable(Shared(0)) }] })]), IsFull(One(0))])"
        ],
    );
}
