//! Sets and lists: what they mean, held against sets and lists of Rust.

use std::collections::BTreeSet;

use expect_test::expect;
use proptest::prelude::*;

use super::{check, means, program, read, rendered};
use crate::problem::Severity;
use stubborn_system::system::{Expr, Value};

/// The truth of an expression that is decided by the text.
fn is_true(declarations: &str, expression: &str) -> bool {
    let text = format!("{declarations}\ninvariant it: {expression}\n");
    let program = program(&text);
    let reading = read(&program, &[]);
    let mut problems = reading.problems;
    problems.retain(|problem| problem.severity == Severity::Error);
    assert!(problems.is_empty(), "{}", rendered(&program, &problems));
    match &reading.invariants.last().unwrap().1 {
        Expr::Const(Value::Int(value)) => *value == 1,
        expr => panic!("{expression} is not decided by the text: {expr:?}"),
    }
}

fn set_text(set: &BTreeSet<i64>) -> String {
    let elements: Vec<String> = set.iter().map(i64::to_string).collect();
    format!("{{{}}}", elements.join(", "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn sets_are_sets(
        a in prop::collection::btree_set(-1..4_i64, 0..5),
        b in prop::collection::btree_set(-1..4_i64, 0..5),
        x in -3..6_i64,
    ) {
        let declared = format!(
            "const a: set of -1..3 = {}\nconst b: set of -1..3 = {}",
            set_text(&a),
            set_text(&b)
        );
        let it = |text: &str| is_true(&declared, text);
        let is = |text: &str, set: BTreeSet<i64>| it(&format!("{text} == {}", set_text(&set)));
        prop_assert!(is("a + b", a.union(&b).copied().collect()));
        prop_assert!(is("a - b", a.difference(&b).copied().collect()));
        prop_assert!(is("a * b", a.intersection(&b).copied().collect()));
        prop_assert!(is("a - (b - a) + b * b", a.union(&b).copied().collect()));
        prop_assert_eq!(it("a <= b"), a.is_subset(&b));
        prop_assert_eq!(it("a >= b"), a.is_superset(&b));
        prop_assert_eq!(it("a < b"), a.is_subset(&b) && a != b);
        prop_assert_eq!(it("a > b"), a.is_superset(&b) && a != b);
        prop_assert_eq!(it("a == b"), a == b);
        prop_assert_eq!(it(&format!("{x} in a")), a.contains(&x));
        prop_assert_eq!(it(&format!("{x} in a + b")), a.contains(&x) || b.contains(&x));
        prop_assert_eq!(it("empty(a - b)"), a.is_subset(&b));
        prop_assert_eq!(it("full(a + b)"), a.union(&b).count() == 5);
        prop_assert!(it(&format!("len(a) == {}", a.len())), "the length");
        let positive = a.iter().copied().filter(|y| *y > 0).collect();
        prop_assert!(is("{y in -1..3: y in a and y > 0}", positive), "a comprehension");
    }

    #[test]
    fn lists_are_lists(
        a in prop::collection::vec(0..4_i64, 0..4),
        b in prop::collection::vec(0..4_i64, 0..3),
        (from, to) in (0..4_i64, -1..4_i64),
        x in -1..5_i64,
    ) {
        let declared = format!("const a: list[6] of 0..3 = {a:?}\nconst b: list[6] of 0..3 = {b:?}");
        let it = |text: &str| is_true(&declared, text);
        let both = [a.clone(), b.clone()].concat();
        prop_assert!(it(&format!("a + b == {both:?}")), "the elements of both");
        prop_assert_eq!(it("a == b"), a == b);
        prop_assert!(it(&format!("len(a + b) == {}", both.len())), "the length");
        prop_assert_eq!(it(&format!("{x} in a")), a.contains(&x));
        prop_assert_eq!(it("empty(a)"), a.is_empty());
        prop_assert_eq!(it("full(a)"), a.len() == 6);
        for (at, element) in a.iter().enumerate() {
            prop_assert!(it(&format!("a[{at}] == {element}")), "an element");
        }
        if to < from {
            prop_assert!(it(&format!("a[{from}..{to}] == []")), "an empty part");
        } else if let Some(part) = a.get(from as usize..=to as usize) {
            prop_assert!(it(&format!("a[{from}..{to}] == {part:?}")), "a part");
        }
    }
}

#[test]
fn what_the_text_decides_of_a_list_is_told_there() {
    check(
        "const a: list[3] of 0..3 = [1, 2]\n\
         invariant i1: a[2] == 0\ninvariant i2: a[-1] == 0\ninvariant i3: a[1..2] == []\ninvariant i4: a + a == a\ninvariant i5: a == [9]\ninvariant i6: a[5..2] == []\nvar l: list[2] of bool\ninvariant i7: l[2] or l[1]\n",
        expect![[r#"
            2 | invariant i1: a[2] == 0
              |               ^^^^ error[constant-fails]: `a[2]` fails: there is no element 2 in a list of 2
            3 | invariant i2: a[-1] == 0
              |               ^^^^^ error[constant-fails]: `a[-1]` fails: there is no element -1 in a list of 2
            3 | invariant i2: a[-1] == 0
              |                 ^^ error[constant-fails]: -1 is outside 0..2, the indices of `a`
            4 | invariant i3: a[1..2] == []
              |               ^^^^^^^ error[constant-fails]: `a[1..2]` fails: there is no element 2 in a list of 2
            5 | invariant i4: a + a == a
              |               ^^^^^ error[constant-fails]: `a + a` has more elements than the 3 that the list has room for
            6 | invariant i5: a == [9]
              |                     ^ error[outside-type]: 9 is outside 0..3, the type of an element of this list; a value up to 3, or a type that goes up to 9, would mend it
            9 | invariant i7: l[2] or l[1]
              |                 ^ error[constant-fails]: 2 is outside 0..1, the indices of `l`
        "#]],
    );
}

#[test]
fn an_element_alone_is_looked_at_where_one_is_asked_for() {
    means(
        "var s: set of 0..2\nvar x: 0..2\nvar y: 0..5",
        "x in s and y in s and 1 in s",
        expect![
            "All([Cell { array: Variable(Shared(0)), lo: 0, index: Variable(Shared(1)) }, All([Binary(GreaterOrEqual, Variable(Shared(2)), Const(Int(0))), Binary(LessOrEqual, Variable(Shared(2)), Const(Int(2))), Cell { array: Variable(Shared(0)), lo: 0, index: Variable(Shared(2)) }]), Cell { array: Variable(Shared(0)), lo: 0, index: Const(Int(1)) }])"
        ],
    );
}

#[test]
fn what_may_fail_is_worked_out_once() {
    means(
        "var s: set of 0..2\nvar y: 0..5",
        "s + {y} == s",
        expect![
            "Binary(Equal, Let { value: Variable(Shared(1)), ty: Scalar { lo: 0, hi: 2 }, body: Cells([Any([Cell { array: Variable(Shared(0)), lo: 0, index: Const(Int(0)) }, Binary(Equal, Bound(0), Const(Int(0)))]), Any([Cell { array: Variable(Shared(0)), lo: 0, index: Const(Int(1)) }, Binary(Equal, Bound(0), Const(Int(1)))]), Any([Cell { array: Variable(Shared(0)), lo: 0, index: Const(Int(2)) }, Binary(Equal, Bound(0), Const(Int(2)))])]) }, Variable(Shared(0)))"
        ],
    );
}
