//! Types and their mistakes.

use expect_test::expect;

use super::check;

#[test]
fn a_range_needs_a_value() {
    check(
        "const n = 0\nvar x: 3..1\nvar y: 1..n\nenum E { }\nvar z: E\ninvariant a: x == y and z == z\n",
        expect![[r#"
            2 | var x: 3..1
              |        ^^^^ error[empty-type]: `3..1` has no value, and every type has one; its lower end may not be above its upper end
            3 | var y: 1..n
              |        ^^^^ error[empty-type]: `1..n` is 1..0 and has no value, and every type has one; its lower end may not be above its upper end
            4 | enum E { }
              |      ^ error[empty-type]: the enumeration `E` has no value, and every type has one: `enum E { a, b }`
        "#]],
    );
}

#[test]
fn the_ends_of_a_range_are_constant_integers() {
    check(
        "var y: 0..3\nvar x: 0..y\nvar z: false..3\nvar w: 0..w\ninvariant a: x == y and z == w\n",
        expect![[r#"
            2 | var x: 0..y
              |           ^ error[not-constant]: an end of a range must be constant, but `y` depends on the state; literals, constants and parameters can stand here
            3 | var z: false..3
              |        ^^^^^ error[wrong-type]: an end of a range is an integer, but `false` is a truth value; did you mean `0`?
            4 | var w: 0..w
              |           ^ error[not-constant]: an end of a range must be constant, but `w` depends on the state; literals, constants and parameters can stand here
        "#]],
    );
}

#[test]
fn a_cycle_is_told_once_at_its_first_member() {
    check(
        "type B = array[0..1] of C\ntype C = record { b: B }\nconst m = n + 1\nconst n = m\nconst k = k\ndef f(x in 0..3): g(x)\ndef g(x in 0..3): f(x)\nconst l = h\ndef h: l\nvar v: 0..n\nvar w: B\ninvariant a: f(1) == v and w == w\n",
        expect![[r#"
            1 | type B = array[0..1] of C
              |      ^ error[cycle]: `B` is declared by means of itself: `B` needs `C` needs `B`; one of them must do without the next
            3 | const m = n + 1
              |       ^ error[cycle]: `m` is declared by means of itself: `m` needs `n` needs `m`; one of them must do without the next
            5 | const k = k
              |       ^ error[cycle]: `k` is declared by means of itself, which never comes to an end
            6 | def f(x in 0..3): g(x)
              |     ^ error[cycle]: `f` is declared by means of itself: `f` needs `g` needs `f`; one of them must do without the next
            8 | const l = h
              |       ^ error[cycle]: `l` is declared by means of itself: `l` needs `h` needs `l`; one of them must do without the next
        "#]],
    );
}

#[test]
fn an_index_is_scalar_and_small_enough() {
    check(
        "type R = record { x: bool }\nvar a: array[R] of bool\nvar b: array[0..9223372036854775807] of bool\nvar c: array[0..999] of array[0..9999] of bool\nvar d: 0..9223372036854775807\ninvariant i: a[0] and b[1] and c[0][1] and d == 1 and (exists k in 0..1_000_000: k == d)\n",
        expect![[r#"
            2 | var a: array[R] of bool
              |              ^ error[wrong-type]: the index of an array has a scalar type, a range, `bool` or an enumeration, and `R` is none of these
            3 | var b: array[0..9223372036854775807] of bool
              |              ^^^^^^^^^^^^^^^^^^^^^^ error[too-large]: these are 9223372036854775808 values, too many to check; a smaller range would mend it
            4 | var c: array[0..999] of array[0..9999] of bool
              |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[too-large]: a value of this type has 10000000 parts, too many to check; smaller arrays would mend it
            6 | invariant i: a[0] and b[1] and c[0][1] and d == 1 and (exists k in 0..1_000_000: k == d)
              |                                                                    ^^^^^^^^^^^^ error[too-large]: these are 1000001 values, too many to check; a smaller range would mend it
        "#]],
    );
}

#[test]
fn fields_are_declared_once_and_known() {
    check(
        "var r: record { cars: 0..3, open: bool, cars: bool }\ninvariant a: r.car == 1 and r.open\ninvariant b: r == {cars: 1, opn: true}\ninvariant c: r == {cars: 1}\ninvariant d: r == {cars: true, open: 1}\ninvariant e: r.cars.x == 1\n",
        expect![[r#"
            1 | var r: record { cars: 0..3, open: bool, cars: bool }
              |                                         ^^^^ error[duplicate-name]: the record already has a field `cars`; another name would mend it
            1 | var r: record { cars: 0..3, open: bool, cars: bool }
              |                 ^^^^ note: it is declared here first
            2 | invariant a: r.car == 1 and r.open
              |                ^^^ error[unknown-name]: `r` has no field `car`; did you mean `cars`?
            3 | invariant b: r == {cars: 1, opn: true}
              |                             ^^^ error[unknown-name]: the record that is asked for here has no field `opn`; did you mean `open`?
            4 | invariant c: r == {cars: 1}
              |                   ^^^^^^^^^ error[wrong-type]: the record that is asked for here has `open` too; every field is given a value
            5 | invariant d: r == {cars: true, open: 1}
              |                          ^^^^ error[wrong-type]: `cars` is an integer, but `true` is a truth value; did you mean `1`?
            5 | invariant d: r == {cars: true, open: 1}
              |                                      ^ error[wrong-type]: `open` is a truth value, but `1` is an integer; did you mean `true`?
            6 | invariant e: r.cars.x == 1
              |                     ^ error[wrong-type]: only a record has fields, but `r.cars` is an integer; without `.x` it can stand here
        "#]],
    );
}

#[test]
fn arrays_have_as_many_cells_as_their_indices_say() {
    check(
        "var a: array[1..3] of 0..3 = [1, 2]\nvar b: array[bool] of 0..3 = [1, 5]\nvar c: array[0..1] of bool = [true, 1]\ninvariant i: a == [1, 2, 3] and b[true] == 1 and b[1] == 1 and c[0] and a == c and a[true] == 1\n",
        expect![[r#"
            1 | var a: array[1..3] of 0..3 = [1, 2]
              |                              ^^^^^^ error[wrong-type]: an array with the indices 1..3 has 3 cells, but these are 2
            2 | var b: array[bool] of 0..3 = [1, 5]
              |                                  ^ error[outside-type]: 5 is outside 0..3, the type of a part of `b`; a value up to 3, or a type that goes up to 5, would mend it
            3 | var c: array[0..1] of bool = [true, 1]
              |                                     ^ error[wrong-type]: a cell of this array is a truth value, but `1` is an integer; did you mean `true`?
            4 | invariant i: a == [1, 2, 3] and b[true] == 1 and b[1] == 1 and c[0] and a == c and a[true] == 1
              |                                                    ^ error[wrong-type]: the index of `b` is a truth value, but `1` is an integer; did you mean `true`?
            4 | invariant i: a == [1, 2, 3] and b[true] == 1 and b[1] == 1 and c[0] and a == c and a[true] == 1
              |                                                                         ^^^^^^ error[wrong-type]: `==` compares values of one type, but `a` is an `array[1..3] of integer` and `c` is an `array[0..1] of bool`
            4 | invariant i: a == [1, 2, 3] and b[true] == 1 and b[1] == 1 and c[0] and a == c and a[true] == 1
              |                                                                                      ^^^^ error[wrong-type]: the index of `a` is an integer, but `true` is a truth value; did you mean `1`?
        "#]],
    );
}

#[test]
fn only_arrays_have_cells_and_only_records_fields() {
    check(
        "var x: 0..3\ninvariant a: x[1] == 1\ninvariant b: x.y == 1\ninvariant c: x(1) == 1\n",
        expect![[r#"
            2 | invariant a: x[1] == 1
              |              ^^^^ error[wrong-type]: only an array has cells, but `x` is an integer; without the index it can stand here
            3 | invariant b: x.y == 1
              |                ^ error[wrong-type]: only a record has fields, but `x` is an integer; without `.y` it can stand here
            4 | invariant c: x(1) == 1
              |              ^ error[wrong-type]: only a definition or a built-in function takes arguments in an expression, but `x` is a variable; a cell of an array is `x[…]`
        "#]],
    );
}

#[test]
fn only_a_record_can_have_other_values_in_fields_and_each_once() {
    check(
        "type R = record { f: 0..3, g: bool }\nvar r: R\nvar x: 0..3\nconst c: R = {f: 1, g: true} with {f: 5}\n\
         invariant a: r with {h: 1} == r\ninvariant b: r == r with {f: 1, f: 2}\ninvariant d: (x with {f: 1}) == x\n\
         invariant e: r == r with {g: 1}\ninvariant h: r == r with {}\ninvariant i: x == r with {f: 2}\n\
         invariant j: (r with {f: 1 / 0}).g and c.g\n",
        expect![[r#"
            4 | const c: R = {f: 1, g: true} with {f: 5}
              |                                       ^ error[outside-type]: 5 is outside 0..3, the type of `f`; a value up to 3, or a type that goes up to 5, would mend it
            5 | invariant a: r with {h: 1} == r
              |                      ^ error[unknown-name]: `r` has no field `h`; it has `f`, `g`
            6 | invariant b: r == r with {f: 1, f: 2}
              |                                 ^ error[duplicate-name]: the field `f` is given twice; once is enough
            6 | invariant b: r == r with {f: 1, f: 2}
              |                           ^ note: it is given here first
            7 | invariant d: (x with {f: 1}) == x
              |               ^ error[wrong-type]: only a record has fields to be given other values, but `x` is an integer
            8 | invariant e: r == r with {g: 1}
              |                              ^ error[wrong-type]: `g` is a truth value, but `1` is an integer; did you mean `true`?
            9 | invariant h: r == r with {}
              |                   ^^^^^^^^^ error[wrong-type]: no field is given another value here; say which, or leave the `with` out
            10 | invariant i: x == r with {f: 2}
               |              ^^^^^^^^^^^^^^^^^^ error[wrong-type]: `==` compares values of one type, but `x` is an integer and `r with {f: 2}` is a `record { f: integer, g: bool }`
            11 | invariant j: (r with {f: 1 / 0}).g and c.g
               |                          ^^^^^ error[constant-fails]: `1 / 0` divides by zero, which fails
        "#]],
    );
}

#[test]
fn a_type_that_is_too_large_is_one_mistake() {
    check(
        "type I = 0..9999999999\nvar a: array[I] of bool = [i in I: true]\nvar b: array[I] of array[I] of bool\nconst c: array[0..9999] of array[0..9999] of bool = [i in 0..9999: [j in 0..9999: true]]\n\
         invariant i: a[1] and b[1][2] and c[1][2] and (forall i in I: a[i])\n",
        expect![[r#"
            2 | var a: array[I] of bool = [i in I: true]
              |              ^ error[too-large]: these are 10000000000 values, too many to check; a smaller range would mend it
            4 | const c: array[0..9999] of array[0..9999] of bool = [i in 0..9999: [j in 0..9999: true]]
              |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[too-large]: a value of this type has 100000000 parts, too many to check; smaller arrays would mend it
        "#]],
    );
}

#[test]
fn that_a_type_is_too_large_is_told_of_its_own_value_alone() {
    check(
        "type T = 0..9999999999\nconst a: array[T] of bool = b\nconst b = [i in 0..9999999: true]\ninvariant i: a[0] and b[0]\n",
        expect![[r#"
            2 | const a: array[T] of bool = b
              |                ^ error[too-large]: these are 10000000000 values, too many to check; a smaller range would mend it
            3 | const b = [i in 0..9999999: true]
              |                 ^^^^^^^^^^ error[too-large]: these are 10000000 values, too many to check; a smaller range would mend it
        "#]],
    );
}

#[test]
fn a_value_that_is_too_large_is_told_where_its_type_is_not_known() {
    check(
        "var a: array[0..n] of bool = [i in 0..9999999: true]\ninvariant i: a[0]\n",
        expect![[r#"
            1 | var a: array[0..n] of bool = [i in 0..9999999: true]
              |                 ^ error[unknown-name]: `n` is not known here; a `var`, `const` or `def` of this name would declare it
            1 | var a: array[0..n] of bool = [i in 0..9999999: true]
              |                                    ^^^^^^^^^^ error[too-large]: these are 10000000 values, too many to check; a smaller range would mend it
        "#]],
    );
}

#[test]
fn a_type_with_a_name_that_is_too_large_is_one_mistake_with_the_values_of_its_uses() {
    check(
        "type T = array[0..9999999] of bool\nconst a: T = [i in 0..9999999: true]\ntype U = T\nvar b: U = [i in 0..9999999: true]\ninvariant i: a[0] and b[0]\n",
        expect![[r#"
            1 | type T = array[0..9999999] of bool
              |                ^^^^^^^^^^ error[too-large]: these are 10000000 values, too many to check; a smaller range would mend it
        "#]],
    );
}
