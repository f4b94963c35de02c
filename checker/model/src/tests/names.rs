//! Names that are unknown, declared twice, or may not be declared.

use expect_test::expect;

use super::check;

#[test]
fn an_unknown_name_is_told_at_each_use_with_the_nearest_known_name() {
    check(
        "var gate: 0..3\ninvariant a: gaet == 1\ninvariant b: gaet == 2 and xyzzy\n",
        expect![[r#"
            2 | invariant a: gaet == 1
              |              ^^^^ error[unknown-name]: `gaet` is not known here; did you mean `gate`?
            3 | invariant b: gaet == 2 and xyzzy
              |              ^^^^ error[unknown-name]: `gaet` is not known here; did you mean `gate`?
            3 | invariant b: gaet == 2 and xyzzy
              |                            ^^^^^ error[unknown-name]: `xyzzy` is not known here; a `var`, `const` or `def` of this name would declare it
        "#]],
    );
}

#[test]
fn an_unknown_type_is_told_with_the_nearest_known_name() {
    check(
        "type Id = 0..3\nvar x: Idd\ninvariant a: x == 1\n",
        expect![[r#"
            2 | var x: Idd
              |        ^^^ error[unknown-name]: `Idd` is not known here; did you mean `Id`?
        "#]],
    );
}

#[test]
fn a_duplicate_is_told_at_the_later_one() {
    check(
        "const x = 1\naction x\nenum E { a, b, a }\ninvariant p: true\ninvariant p: a == b\n",
        expect![[r#"
            2 | action x
              |        ^ error[duplicate-name]: `x` is declared twice: it is already a constant; another name would mend it
            1 | const x = 1
              |       ^ note: it is declared here first
            3 | enum E { a, b, a }
              |                ^ error[duplicate-name]: `a` is declared twice: it is already a value of an enumeration; another name would mend it
            3 | enum E { a, b, a }
              |          ^ note: it is declared here first
            5 | invariant p: a == b
              |           ^ error[duplicate-name]: there is already a property `p`; another name would mend it
            4 | invariant p: true
              |           ^ note: it is declared here first
        "#]],
    );
}

#[test]
fn built_in_names_may_not_be_declared() {
    check(
        "const len = 1\naction tau\ninvariant deadlock: true\nvar errors: bool\ninvariant p: errors and (forall count in 0..1: count == 0)\n",
        expect![[r#"
            1 | const len = 1
              |       ^^^ error[reserved-name]: `len` is a built-in function and cannot be declared; another name would mend it
            2 | action tau
              |        ^^^ error[reserved-name]: no action may be called `tau`, which stands for a tester's own moves; another name would mend it
            3 | invariant deadlock: true
              |           ^^^^^^^^ error[reserved-name]: `deadlock` is a built-in property and cannot be declared; another name would mend it
            5 | invariant p: errors and (forall count in 0..1: count == 0)
              |                                 ^^^^^ error[reserved-name]: `count` is a built-in function and cannot be declared; another name would mend it
        "#]],
    );
}

#[test]
fn a_name_of_another_kind_is_told_what_it_is_for() {
    check(
        "action go\nprocess p { state s }\nchannel c: queue[1] of bool\ntype T = 0..1\nmacro m { skip }\n\
         invariant a: go == 1\ninvariant b: p == 1\ninvariant d: c == 1\ninvariant e: T == 1\ninvariant f: m == 1\ninvariant g: len(T) == 1\n",
        expect![[r#"
            6 | invariant a: go == 1
              |              ^^ error[wrong-type]: a value is asked for here, but `go` is an action; it stands after `on`, in a `recurrence` and in testers: that it happens again and again says a `recurrence`, what may happen when a tester
            1 | action go
              |        ^^ note: it is declared here
            7 | invariant b: p == 1
              |              ^ error[wrong-type]: a value is asked for here, but `p` is a process; `p@STATE` asks where it is
            2 | process p { state s }
              |         ^ note: it is declared here
            8 | invariant d: c == 1
              |              ^ error[wrong-type]: a value is asked for here, but `c` is a channel; `len(c)`, `empty(c)` and `full(c)` ask about it
            3 | channel c: queue[1] of bool
              |         ^ note: it is declared here
            9 | invariant e: T == 1
              |              ^ error[wrong-type]: a value is asked for here, but `T` is a type; `x in T` goes through its values
            4 | type T = 0..1
              |      ^ note: it is declared here
            10 | invariant f: m == 1
               |              ^ error[wrong-type]: a value is asked for here, but `m` is a macro; it can stand as a statement or an effect
            5 | macro m { skip }
              |       ^ note: it is declared here
            11 | invariant g: len(T) == 1
               |                  ^ error[wrong-type]: a value is asked for here, but `T` is a type; `x in T` goes through its values
            4 | type T = 0..1
              |      ^ note: it is declared here
        "#]],
    );
}

#[test]
fn a_variable_as_a_type_is_told() {
    check(
        "const n = 3\nvar x: n\ninvariant a: x == 1\n",
        expect![[r#"
            2 | var x: n
              |        ^ error[wrong-type]: `n` is a constant, not a type; a range `0..n`, `bool`, an enumeration or the name of a type can stand here
        "#]],
    );
}

#[test]
fn what_is_never_read_or_used_is_warned_of() {
    check(
        "param N: 1..3 = 2\nvar x: 0..1\nvar y, z: bool\ninvariant a: y\n",
        expect![[r#"
            1 | param N: 1..3 = 2
              |       ^ warning[unused-parameter]: the parameter `N` is never used; setting it changes nothing
            2 | var x: 0..1
              |     ^ warning[never-read]: the variable `x` is never read; it could be left out
            3 | var y, z: bool
              |        ^ warning[never-read]: the variable `z` is never read; it could be left out
        "#]],
    );
}

#[test]
fn what_a_mistaken_name_probably_meant_is_not_warned_of() {
    check(
        "param Nodes: 1..3 = 2\ninvariant a: Node == 2\n",
        expect![[r#"
            2 | invariant a: Node == 2
              |              ^^^^ error[unknown-name]: `Node` is not known here; did you mean `Nodes`?
        "#]],
    );
}

#[test]
fn a_name_is_bound_once_in_a_list() {
    check(
        "def f(x in 0..1, x in 0..1): x == 0\ninvariant a: forall k in 0..1, k in 0..2: k < 3 and f(1, 1)\n",
        expect![[r#"
            1 | def f(x in 0..1, x in 0..1): x == 0
              |                  ^ error[duplicate-name]: there are two parameters `x`; another name would mend it
            1 | def f(x in 0..1, x in 0..1): x == 0
              |       ^ note: it is declared here first
            2 | invariant a: forall k in 0..1, k in 0..2: k < 3 and f(1, 1)
              |                                ^ error[duplicate-name]: `k` is bound twice here; another name would mend it
            2 | invariant a: forall k in 0..1, k in 0..2: k < 3 and f(1, 1)
              |                     ^ note: it is bound here first
        "#]],
    );
}

#[test]
fn what_has_a_name_that_it_may_not_have_is_not_warned_of_too() {
    check(
        "var x: 0..1\nvar x: bool\nvar count: bool\naction tau\ninvariant a: x == 0\n",
        expect![[r#"
            2 | var x: bool
              |     ^ error[duplicate-name]: `x` is declared twice: it is already a variable; another name would mend it
            1 | var x: 0..1
              |     ^ note: it is declared here first
            3 | var count: bool
              |     ^^^^^ error[reserved-name]: `count` is a built-in function and cannot be declared; another name would mend it
            4 | action tau
              |        ^^^ error[reserved-name]: no action may be called `tau`, which stands for a tester's own moves; another name would mend it
        "#]],
    );
}
