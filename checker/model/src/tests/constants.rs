//! Constants, parameters, initial values.

use expect_test::expect;

use super::{check, program, read, rendered};

#[test]
fn a_constant_is_in_its_type() {
    check(
        "const a: 0..3 = 4\nconst b: bool = 1\nconst c = [1, 2]\nconst d: array[0..1] of 0..3 = [1, 4]\nconst e = 1 + true\nparam n: 2..6 = 7\nparam m: array[0..1] of bool = [true, true]\nvar x: 0..3 = 9\nvar y: 0..3 = x\n\
         invariant i: a == c[0] and b and d[0] == e and n == 1 and m == 1 and x == y\n",
        expect![[r#"
            1 | const a: 0..3 = 4
              |                 ^ error[outside-type]: 4 is outside 0..3, the type of `a`; a value up to 3, or a type that goes up to 4, would mend it
            2 | const b: bool = 1
              |                 ^ error[wrong-type]: `b` is a truth value, but `1` is an integer; did you mean `true`?
            3 | const c = [1, 2]
              |           ^^^^^^ error[wrong-type]: a constant array or record needs its type: `const c: array[0..1] of 0..9 = …`
            4 | const d: array[0..1] of 0..3 = [1, 4]
              |                                    ^ error[outside-type]: 4 is outside 0..3, the type of a part of `d`; a value up to 3, or a type that goes up to 4, would mend it
            5 | const e = 1 + true
              |               ^^^^ error[wrong-type]: `+` takes integers, but `true` is a truth value; did you mean `1`?
            6 | param n: 2..6 = 7
              |                 ^ error[outside-type]: 7 is outside 2..6, the type of `n`; a value up to 6, or a type that goes up to 7, would mend it
            7 | param m: array[0..1] of bool = [true, true]
              |          ^^^^^^^^^^^^^^^^^^^ error[wrong-type]: a `param` is an integer, a truth value or of an enumeration, not an `array[0..1] of bool`; write `param m: 1..5 = 3`, say
            8 | var x: 0..3 = 9
              |               ^ error[outside-type]: 9 is outside 0..3, the type of `x`; a value up to 3, or a type that goes up to 9, would mend it
            9 | var y: 0..3 = x
              |               ^ error[not-constant]: the value of `y` must be constant, but `x` depends on the state; literals, constants and parameters can stand here
        "#]],
    );
}

#[test]
fn a_parameter_is_set_from_outside_within_its_range() {
    let program = program("param N: 2..6 = 3\nconst M = N * 2\ninvariant a: M == 8\n");
    let reading = read(&program, &[("N", "4")]);
    assert!(reading.problems.is_empty());
    expect!["Const(Int(1))"].assert_eq(&format!("{:?}", reading.invariants[0].1));
    let mistakes = [("N", "7"), ("N", "four"), ("n", "4"), ("Customers", "4")];
    let mut told = String::new();
    for mistake in mistakes {
        let reading = read(&program, &[mistake]);
        told += &rendered(&program, &reading.problems);
    }
    expect![[r#"
        error[parameter-outside-range]: `-D N=7`: 7 is outside 2..6, the range of the parameter `N`
        error[command-line]: `-D N=four`: `four` is not an integer
        error[command-line]: `-D n=4`: there is no parameter `n`; did you mean `N`?
        error[command-line]: `-D Customers=4`: there is no parameter `Customers`; the model has N
    "#]]
    .assert_eq(&told);
}

#[test]
fn a_parameter_is_a_truth_value_or_of_an_enumeration() {
    let text = "enum Bug { none, lost, twice }\nparam BUG: Bug = none\nparam FAST: bool = true\n\
                invariant a: BUG == lost and not FAST\n";
    let program = program(text);
    let value = |settings: &[(&str, &str)]| {
        let reading = read(&program, settings);
        assert!(reading.problems.is_empty(), "{:?}", reading.problems);
        format!("{:?}", reading.invariants[0].1)
    };
    assert_eq!(value(&[]), "Const(Int(0))");
    assert_eq!(
        value(&[("BUG", "lost"), ("FAST", "false")]),
        "Const(Int(1))"
    );
    let mut told = String::new();
    for mistake in [("BUG", "1"), ("BUG", "los"), ("FAST", "1")] {
        let reading = read(&program, &[mistake]);
        told += &rendered(&program, &reading.problems);
    }
    expect![[r#"
        error[parameter-outside-range]: `-D BUG=1`: `1` is no value of the parameter `BUG`; write one of none, lost, twice
        error[parameter-outside-range]: `-D BUG=los`: `los` is no value of the parameter `BUG`; write one of none, lost, twice
        error[parameter-outside-range]: `-D FAST=1`: `1` is no value of the parameter `FAST`; write one of false, true
    "#]]
    .assert_eq(&told);
}

#[test]
fn channels_begin_with_messages_that_fit() {
    check(
        "channel a: queue[2] of 0..3 = [1, 4]\nchannel b: queue[1] of 0..3 = [1, 2]\nchannel c[0..1]: bag[2] of 0..3, bool = [[1, true], [2]]\nchannel d: queue[0] of bool\nchannel e: queue[1] of array[0..1] of bool\nchannel f: queue[1] of bool = true\n\
         invariant i: len(a) == 1 and empty(c) and full(c[2]) and len(b[0]) == 1 and len(3) == 1 and len(cc[0]) == 0\n",
        expect![[r#"
            1 | channel a: queue[2] of 0..3 = [1, 4]
              |                                   ^ error[outside-type]: 4 is outside 0..3, the type of a message of `a`; a value up to 3, or a type that goes up to 4, would mend it
            2 | channel b: queue[1] of 0..3 = [1, 2]
              |                               ^^^^^^ error[outside-type]: `b` can hold 1 message, but these are 2; `queue[2]` would mend it
            3 | channel c[0..1]: bag[2] of 0..3, bool = [[1, true], [2]]
              |                                                     ^^^ error[wrong-arguments]: a message of `c` has 2 parts and is written `[e, e]` here
            4 | channel d: queue[0] of bool
              |                  ^ error[outside-type]: the capacity of `d` cannot be 0; it is at least 1; what is handed over at once is an `action`, `on a(e)` and `on a(?x)`
            6 | channel f: queue[1] of bool = true
              |                               ^^^^ error[wrong-type]: what `f` holds at first is a list of its messages: `[e, e]`
            7 | invariant i: len(a) == 1 and empty(c) and full(c[2]) and len(b[0]) == 1 and len(3) == 1 and len(cc[0]) == 0
              |                                     ^ error[wrong-arguments]: `c` is an array of channels; `c[…]` with an index is one of them
            7 | invariant i: len(a) == 1 and empty(c) and full(c[2]) and len(b[0]) == 1 and len(3) == 1 and len(cc[0]) == 0
              |                                                  ^ error[constant-fails]: 2 is outside 0..1, the indices of `c`
            7 | invariant i: len(a) == 1 and empty(c) and full(c[2]) and len(b[0]) == 1 and len(3) == 1 and len(cc[0]) == 0
              |                                                                ^ error[wrong-arguments]: `b` is one channel, not an array of them; without the index it can stand here
            7 | invariant i: len(a) == 1 and empty(c) and full(c[2]) and len(b[0]) == 1 and len(3) == 1 and len(cc[0]) == 0
              |                                                                                 ^ error[wrong-type]: `len` asks about a channel, a list or a set, but `3` is an integer
            7 | invariant i: len(a) == 1 and empty(c) and full(c[2]) and len(b[0]) == 1 and len(3) == 1 and len(cc[0]) == 0
              |                                                                                                 ^^ error[unknown-name]: `cc` is not known here; did you mean `c`?
        "#]],
    );
}

#[test]
fn the_least_integer_modulo_minus_one_is_zero_and_overflows_elsewhere() {
    check(
        "const least = -9223372036854775807 - 1\nconst zero: 0..0 = least % -1\nconst over = least / -1\nconst minus = -least\nconst times = least * -1\n\
         const shifted = shift_right(least, 63) + shift_left(least, 1)\nconst rest: -1..-1 = (least + 1) % -2\n\
         invariant i: zero + over + minus + times + shifted + rest == 0\n",
        expect![[r#"
            3 | const over = least / -1
              |              ^^^^^^^^^^ error[constant-fails]: `least / -1` is no 64-bit integer: it is evaluated to an overflow, which fails
            4 | const minus = -least
              |               ^^^^^^ error[constant-fails]: `-least` is no 64-bit integer: it is evaluated to an overflow, which fails
            5 | const times = least * -1
              |               ^^^^^^^^^^ error[constant-fails]: `least * -1` is no 64-bit integer: it is evaluated to an overflow, which fails
        "#]],
    );
}
