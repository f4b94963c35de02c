//! Mistakes in the parameters of what is declared.

use expect_test::expect;

use super::check;

#[test]
fn where_has_its_place_and_a_condition() {
    check(
        "invariant a(i in T where): true
invariant b(i in T where i > 0, j in T): true
invariant c(where i > 0): true
invariant d(i in T, where i > 0): true
invariant e(i in T) where i > 0: true
invariant f where i > 0: true
process g(i in T) where i > 0 { skip }
invariant h(i in T where i > 0 j in T): true
invariant k(i where i > 0): true
var fine: T
",
        expect![[r#"
            1   | invariant a(i in T where): true
                |                         ^ expected the condition of `where`
            2   | invariant b(i in T where i > 0, j in T): true
                |                               ~ `where` stands behind the last parameter
                |                                 it is written `(x in T, y in U where e)`
            3   | invariant c(where i > 0): true
                |             ~~~~~ there is no parameter before `where` of which it could be true
                |                   it is written `(x in T, y in U where e)`
            4   | invariant d(i in T, where i > 0): true
                |                     ~~~~~ no `,` stands before `where`
                |                           it is written `(x in T, y in U where e)`
            5   | invariant e(i in T) where i > 0: true
                |                     ~~~~~ `where` stands in the parentheses, behind the last parameter
                |                           it is written `(x in T, y in U where e)`
            6   | invariant f where i > 0: true
                |             ~~~~~ `where` stands in the parentheses, behind the last parameter
                |                   it is written `(x in T, y in U where e)`
            7   | process g(i in T) where i > 0 { skip }
                |                   ~~~~~ `where` stands in the parentheses, behind the last parameter
                |                         it is written `(x in T, y in U where e)`
            8   | invariant h(i in T where i > 0 j in T): true
                |                               ^ expected `,`
            9   | invariant k(i where i > 0): true
                |              ^ expected `in` and a type
                |                it is written `x in T`
        "#]],
    );
}

#[test]
fn what_stands_for_whatever_it_is_given_has_no_where() {
    check(
        "def a(i in T where i > 0): i
macro b(i in T where i > 0) { skip }
action c(T where i > 0)
var fine: T
",
        expect![[r#"
            1   | def a(i in T where i > 0): i
                |              ~~~~~ a `def` has no `where`
                |                    it keeps values of the parameters of a process, an automaton or a property
            2   | macro b(i in T where i > 0) { skip }
                |                ~~~~~ a macro has no `where`
                |                      it keeps values of the parameters of a process, an automaton or a property
            3   | action c(T where i > 0)
                |            ~~~~~ an action has no `where`
                |                  it keeps values of the parameters of a process, an automaton or a property
        "#]],
    );
}
