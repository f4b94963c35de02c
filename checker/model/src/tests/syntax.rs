//! Syntax errors: one message each, and the rest of the file is still read.

use expect_test::expect;

use super::check;

#[test]
fn a_syntax_error_makes_no_other_message() {
    check(
        "var x: 0..\nvar y 0..3\nvar z: = 1\nconst a = \nconst b: = 3\ntype T = \nenum E { }\nparam N: = 3\ninvariant i: x == y and z == a + b\ninvariant j: x == \ninvariant k: (x == 1\ninvariant l: x = 1\ninvariant m: not\n",
        expect![[r#"
            1 | var x: 0..
              |           ^ error[syntax]: expected the upper end of the range
            2 | var y 0..3
              |      ^ error[syntax]: expected `:` and a type; it is written `var NAME: T`
            3 | var z: = 1
              |       ^ error[syntax]: expected a type; a type is `bool`, `lo..hi`, a name, `array[I] of T` or `record { f: T }`
            4 | const a = 
              |          ^ error[syntax]: expected a value
            5 | const b: = 3
              |         ^ error[syntax]: expected a type; a type is `bool`, `lo..hi`, a name, `array[I] of T` or `record { f: T }`
            6 | type T = 
              |         ^ error[syntax]: expected a type; a type is `bool`, `lo..hi`, a name, `array[I] of T` or `record { f: T }`
            8 | param N: = 3
              |         ^ error[syntax]: expected a type; a type is `bool`, `lo..hi`, a name, `array[I] of T` or `record { f: T }`
            10 | invariant j: x == 
               |                  ^ error[syntax]: expected an expression after `==`
            11 | invariant k: (x == 1
               |                     ^ error[syntax]: expected `)` after the expression
            12 | invariant l: x = 1
               |                ^ error[syntax]: `=` assigns, it does not compare; to compare, write `==`
            13 | invariant m: not
               |                 ^ error[syntax]: expected an expression after `not`
        "#]],
    );
}

#[test]
fn what_follows_a_syntax_error_is_still_read() {
    check(
        "var x: 0..3 = (1 + \nvar y: bool\ninvariant i: y + 1 == x\nchannel c: queue of bool\nchannel d: queue[1]\naction a(0..\nprocess p(i in ) { state s }\ndef f(x in 0..3) x\ninvariant k: f(1) and empty(c) and empty(d)\n",
        expect![[r#"
            1 | var x: 0..3 = (1 + 
              |                   ^ error[syntax]: expected an expression after `+`
            3 | invariant i: y + 1 == x
              |              ^ error[wrong-type]: `+` takes integers, but `y` is a truth value; did you mean `if y then 1 else 0`?
            4 | channel c: queue of bool
              |                 ^ error[syntax]: expected `[` and how many messages the channel holds; it is written `channel c: queue[n] of T1, T2`
            5 | channel d: queue[1]
              |                    ^ error[syntax]: expected `of` and the types of a message; it is written `channel c: queue[n] of T1, T2`
            6 | action a(0..
              |             ^ error[syntax]: expected the upper end of the range
            7 | process p(i in ) { state s }
              |               ^ error[syntax]: expected a type; a type is `bool`, `lo..hi`, a name, `array[I] of T` or `record { f: T }`
            8 | def f(x in 0..3) x
              |                 ^ error[syntax]: expected `:` and an expression; it is written `def NAME(x in T): e`
            9 | invariant k: f(1) and empty(c) and empty(d)
              |              ^^^^ error[wrong-type]: `and` takes truth values, but `f(1)` is an integer; did you mean `f(1) != 0`?
        "#]],
    );
}

#[test]
fn operators_of_other_languages_are_told_once() {
    check(
        "var x: 0..3\nvar b: bool\ninvariant i: x => b\ninvariant j: b & b\ninvariant k: x := 3\ninvariant l: b ? b : b\ninvariant m: x == 1 == b\ninvariant n: 0x12 == x\ninvariant o: x.y.z\n",
        expect![[r#"
            3 | invariant i: x => b
              |                ^^ error[syntax]: there is no operator `=>`; write `implies`; to compare, `>=`
            4 | invariant j: b & b
              |                ^ error[syntax]: there is no operator `&`; write `and`, or `&&`; for the bits of integers, `bit_and(a, b)`
            5 | invariant k: x := 3
              |                ^^ error[syntax]: expected a declaration or a property; a file is made of declarations (`const`, `param`, `type`, `enum`, `var`, `channel`, `action`, `def`, `macro`, `process`), properties and testers
            6 | invariant l: b ? b : b
              |                ^ error[syntax]: expected a declaration or a property; a file is made of declarations (`const`, `param`, `type`, `enum`, `var`, `channel`, `action`, `def`, `macro`, `process`), properties and testers
            7 | invariant m: x == 1 == b
              |                     ^^ error[syntax]: comparisons do not chain; write `a < b and b < c`, or put one of them in parentheses
            8 | invariant n: 0x12 == x
              |              ^^^^ error[syntax]: `0x12` is neither a number nor a name; numbers are decimal, and names do not begin with a digit
            9 | invariant o: x.y.z
              |                ^ error[wrong-type]: only a record has fields, but `x` is an integer; without `.y` it can stand here
        "#]],
    );
}
