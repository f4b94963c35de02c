//! What is wrong with properties and settings.

use crate::support::*;
use expect_test::{Expect, expect};

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&problems(text));
}

#[test]
fn conditions() {
    check(
        "var x: 0..3
process p { initial final state a { when x < 3 do x = x + 1 -> a } }
process q(i in 0..1) { here: skip }
invariant a: x
invariant b: x < y
progress c: may x + 1
progress d(k in 0..1): must q(k)@her
invariant e(k in 0..1): q(k)@{here, end} or p@a
invariant f(k in x): true
invariant a: true
invariant errors: true
invariant p: x == 7 / 0
invariant g: eventually x == 1
",
        expect![[r#"
              4 | invariant a: x
                |              ^
            error[wrong-type]: a property is a truth value, but `x` is an integer; did you mean `x != 0`?
              5 | invariant b: x < y
                |                  ^
            error[unknown-name]: `y` is not known here; a `var`, `const` or `def` of this name would declare it
              6 | progress c: may x + 1
                |                 ^^^^^
            error[wrong-type]: a property is a truth value, but `x + 1` is an integer; did you mean `(x + 1) != 0`?
              7 | progress d(k in 0..1): must q(k)@her
                |                                  ^^^
            error[unknown-state]: the process `q` has no state or label `her`; did you mean `here`?
              9 | invariant f(k in x): true
                |                  ^
            error[wrong-type]: `x` is a variable, not a type; a range `0..x`, `bool`, an enumeration or the name of a type can stand here
             10 | invariant a: true
                |           ^
            error[duplicate-name]: there is already a property `a`; another name would mend it
                4:11: it is declared here first
             11 | invariant errors: true
                |           ^^^^^^
            error[reserved-name]: `errors` is a built-in property and cannot be declared; another name would mend it
             12 | invariant p: x == 7 / 0
                |                   ^^^^^
            error[constant-fails]: `7 / 0` divides by zero, which fails
             13 | invariant g: eventually x == 1
                |              ^^^^^^^^^^
            error[syntax]: temporal operators stand only in the formulas of `ltl`; write `ltl NAME: f`; an `invariant` holds in every reachable state anyway
        "#]],
    );
}

#[test]
fn settings_are_there_once() {
    check(
        "var x: 0..3
process p { initial final state a { when x < 3 do x = x + 1 -> a } }
deadlock allowed when x
deadlock ignored
termination not required
termination not required
",
        expect![[r#"
              3 | deadlock allowed when x
                |                       ^
            error[wrong-type]: the condition of `deadlock` is a truth value, but `x` is an integer; did you mean `x != 0`?
              4 | deadlock ignored
                | ^^^^^^^^
            error[duplicate-name]: `deadlock` is already set; one of the two has to go
                3:1: it is set here first
              6 | termination not required
                | ^^^^^^^^^^^
            error[duplicate-name]: `termination` is already set; one of the two has to go
                5:1: it is set here first
        "#]],
    );
}

#[test]
fn formulas() {
    check(
        "var x: 0..3
process p { initial final state a { when x < 3 do x = x + 1 -> a } }
ltl ok(k in 0..1): always (x == k implies eventually p@a) and not (x > 3) U x == 1 or forall v in 0..1: [] <> x >= v
ltl types: always x and eventually y
ltl nested: (always x == 1) == true
ltl steps: always next x == 1
ltl more: X x == 1
ltl choice: if x == 1 then always x == 1 else true
",
        expect![[r#"
              4 | ltl types: always x and eventually y
                |                   ^
            error[wrong-type]: a formula is a truth value, but `x` is an integer; did you mean `x != 0`?
              4 | ltl types: always x and eventually y
                |                                    ^
            error[unknown-name]: `y` is not known here; a `var`, `const` or `def` of this name would declare it
              5 | ltl nested: (always x == 1) == true
                |              ^^^^^^
            error[misplaced]: a temporal operator cannot stand inside `(always x == 1) == true`; only `not`, `and`, `or`, `implies`, quantifiers and other temporal operators hold formulas
              6 | ltl steps: always next x == 1
                |                   ^^^^
            error[next-in-formula]: there is no `next`; which step of which process comes next is chance; say what holds `until` something else does
              7 | ltl more: X x == 1
                |           ^
            error[next-in-formula]: there is no `next`; which step of which process comes next is chance; say what holds `until` something else does
              8 | ltl choice: if x == 1 then always x == 1 else true
                |                            ^^^^^^
            error[misplaced]: a temporal operator cannot stand inside `if x == 1 then always x == 1 else true`; only `not`, `and`, `or`, `implies`, quantifiers and other temporal operators hold formulas
        "#]],
    );
}

#[test]
fn recurrence() {
    check(
        "action a(0..1)
var x: 0..3
process p(i in 0..1) { initial final state s { on a(i) when x < 3 do x = x % 3 -> s } }
recurrence ok(k in 0..1): infinitely a(k) implies infinitely {a(*), p(k)@s, p(0)@{s}}
recurrence nothing: infinitely {} implies infinitely a(1)
recurrence names: infinitely b implies infinitely {a, a(5), p@s, p(0)@t, q(0)@s, p(7)@s, p(x)@s, a(x)}
",
        expect![[r#"
              6 | recurrence names: infinitely b implies infinitely {a, a(5), p@s, p(0)@t, q(0)@s, p(7)@s, p(x)@s, a(x)}
                |                              ^
            error[unknown-name]: `b` is not known here as an action; `action b` declares one
              6 | recurrence names: infinitely b implies infinitely {a, a(5), p@s, p(0)@t, q(0)@s, p(7)@s, p(x)@s, a(x)}
                |                                                     ^
            error[wrong-arguments]: `a` takes one argument, but none is given here; `*` stands for any value
              6 | recurrence names: infinitely b implies infinitely {a, a(5), p@s, p(0)@t, q(0)@s, p(7)@s, p(x)@s, a(x)}
                |                                                         ^
            error[outside-type]: 5 is outside 0..1, the type of the argument of `a`; a value up to 1, or a type that goes up to 5, would mend it
              6 | recurrence names: infinitely b implies infinitely {a, a(5), p@s, p(0)@t, q(0)@s, p(7)@s, p(x)@s, a(x)}
                |                                                              ^
            error[wrong-arguments]: `p` takes one argument, but none is given here
              6 | recurrence names: infinitely b implies infinitely {a, a(5), p@s, p(0)@t, q(0)@s, p(7)@s, p(x)@s, a(x)}
                |                                                                       ^
            error[unknown-state]: `p` has no state, label or step `t`; write a state, a label or a named step of it
              6 | recurrence names: infinitely b implies infinitely {a, a(5), p@s, p(0)@t, q(0)@s, p(7)@s, p(x)@s, a(x)}
                |                                                                          ^
            error[unknown-name]: `q` is not known here as a process; `process q` declares one
              6 | recurrence names: infinitely b implies infinitely {a, a(5), p@s, p(0)@t, q(0)@s, p(7)@s, p(x)@s, a(x)}
                |                                                                                    ^
            error[outside-type]: 7 is outside 0..1, the type of `i` of `p`; a value up to 1, or a type that goes up to 7, would mend it
              6 | recurrence names: infinitely b implies infinitely {a, a(5), p@s, p(0)@t, q(0)@s, p(7)@s, p(x)@s, a(x)}
                |                                                                                            ^
            error[not-constant]: `x` depends on the state; a constant can stand here, or `*` for every value
              6 | recurrence names: infinitely b implies infinitely {a, a(5), p@s, p(0)@t, q(0)@s, p(7)@s, p(x)@s, a(x)}
                |                                                                                                    ^
            error[not-constant]: `x` depends on the state; a constant can stand here, or `*` for every value
        "#]],
    );
}

#[test]
fn bounds() {
    check(
        "var x: 0..3
process p { loop { x = (x + 1) % 4 } }
bound small: x
bound low(k in 0..1): x <= 1
bound high x
invariant small: x < 3
",
        expect![[r#"
              3 | bound small: x
                |              ^
            error[wrong-type]: a bound is a truth value, but `x` is an integer; did you mean `x != 0`?
              4 | bound low(k in 0..1): x <= 1
                |          ^
            error[syntax]: a bound has no parameters; write `bound NAME: forall i in T: e`
              5 | bound high x
                |           ^
            error[syntax]: expected `:` and what is true of the states that are expanded; it is written `bound NAME: e`
              6 | invariant small: x < 3
                |           ^^^^^
            error[duplicate-name]: there is already a bound `small`; another name would mend it
                3:7: it is declared here first
        "#]],
    );
    let found = tester_problems(
        "var x: 0..3\nprocess p { loop { x = (x + 1) % 4 } }\n",
        "use \"model.stb\"\nbound low: x <= 1\n",
    );
    expect![[r#"
          2 | bound low: x <= 1
            | ^^^^^
        error[misplaced]: a `bound` belongs to a model, not to a tester file; move it to the model's file
    "#]].assert_eq(&found);
}
