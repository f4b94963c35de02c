//! How large the automata are.

use std::fmt::Write;

use expect_test::{Expect, expect};
use stubborn_system::property::Formula;

use super::text;
use crate::buchi::Buchi;
use crate::ltl::{TooLarge, buchi_of};
use crate::work::Work;

fn check(formula: &str, expected: Expect) {
    let buchi = buchi_of(&text::formula(formula), 8, &Work::unlimited()).unwrap();
    expected.assert_eq(&text::automaton(&buchi));
}

fn size(buchi: &Buchi) -> String {
    let edges: usize = buchi.states.iter().map(|state| state.next.len()).sum();
    format!("{}/{edges}", buchi.states.len())
}

/// States and edges for each formula, and for its negation.
fn check_sizes(formulas: &[&str], expected: Expect) {
    let mut table = String::new();
    for formula in formulas {
        let parsed = text::formula(formula);
        let negation = Formula::Not(Box::new(parsed.clone()));
        let of = |formula| size(&buchi_of(&formula, 8, &Work::unlimited()).unwrap());
        let _ = writeln!(table, "{:<6} {:<6} {formula}", of(parsed), of(negation));
    }
    expected.assert_eq(&table);
}

#[test]
fn what_holds_from_some_time_on_takes_two_states() {
    check(
        "<>[] p",
        expect![[r#"
        *0 [any] -> 0 1
        *1 [p] infinite -> 1
    "#]],
    );
}

#[test]
fn what_holds_again_and_again_takes_two_states() {
    check(
        "[]<> p",
        expect![[r#"
        *0 [p] infinite -> 0 1
        *1 [any] -> 0 1
    "#]],
    );
}

#[test]
fn every_request_is_answered_in_three_states() {
    check(
        "[](p -> <>q)",
        expect![[r#"
        *0 [!p|q] infinite -> 0 1
        *1 [any] -> 1 2
         2 [q] infinite -> 0 1
    "#]],
    );
    check(
        "!([](p -> <>q))",
        expect![[r#"
        *0 [any] -> 0 1
        *1 [p!q] -> 2
         2 [!q] infinite -> 2
    "#]],
    );
}

#[test]
fn what_ends_in_a_finite_time_rejects_there() {
    check(
        "!([] p)",
        expect![[r#"
        *0 [any] -> 0 1
        *1 [!p] reject -> 
    "#]],
    );
    check(
        "p U q",
        expect![[r#"
        *0 [p] -> 0 1
        *1 [q] reject -> 
    "#]],
    );
    check(
        "p W q",
        expect![[r#"
        *0 [p|q] infinite -> 0 1
        *1 [q] reject -> 
    "#]],
    );
}

#[test]
fn constants_take_a_state_or_none() {
    check(
        "true",
        expect![[r#"
        *0 [any] reject -> 
    "#]],
    );
    check("false", expect![[""]]);
    check("p & !p", expect![[""]]);
}

#[test]
fn many_conditions_to_be_met_again_and_again_cost_two_states_each() {
    check(
        "([]<>p & []<>q)",
        expect![[r#"
        *0 [any] -> 0 1
         1 [q] infinite -> 2 3
         2 [p] infinite -> 0 1
         3 [any] -> 2 3
    "#]],
    );
    let many: Vec<Formula> = (0..20)
        .map(|i| {
            Formula::Always(Box::new(Formula::Eventually(Box::new(
                Formula::Proposition(i),
            ))))
        })
        .collect();
    let all = Formula::All(many);
    assert_eq!(
        size(&buchi_of(&all, 20, &Work::unlimited()).unwrap()),
        "40/80"
    );
    let negation = Formula::Not(Box::new(all));
    assert_eq!(
        size(&buchi_of(&negation, 20, &Work::unlimited()).unwrap()),
        "21/41"
    );
}

/// Dwyer, Avrunin and Corbett's patterns with their scopes, in their order; in scopes between two
/// propositions `q` begins and `r` ends, `p` is what is asked for, and `s`, `t` answer.
#[test]
fn specification_patterns_are_small() {
    check_sizes(
        &[
            "[]!p",
            "<>r -> (!p U r)",
            "[](q -> []!p)",
            "[]((q & !r & <>r) -> (!p U r))",
            "[]((q & !r) -> (!p W r))",
            "<>p",
            "!r W (p & !r)",
            "[]!q | <>(q & <>p)",
            "[]((q & !r) -> (!r W (p & !r)))",
            "[]((q & !r) -> (!r U (p & !r)))",
            "!p W (p W (!p W (p W []!p)))",
            "<>r -> ((!p & !r) U (r | ((p & !r) U (r | ((!p & !r) U (r | ((p & !r) U (r | (!p U r)))))))))",
            "[]p",
            "<>r -> (p U r)",
            "[](q -> []p)",
            "[]((q & !r & <>r) -> (p U r))",
            "[]((q & !r) -> (p W r))",
            "!p W s",
            "<>r -> (!p U (s | r))",
            "[]!q | <>(q & (!p W s))",
            "[]((q & !r & <>r) -> (!p U (s | r)))",
            "[]((q & !r) -> (!p W (s | r)))",
            "[](p -> <>s)",
            "<>r -> ((p -> (!r U (s & !r))) U r)",
            "[](q -> [](p -> <>s))",
            "[]((q & !r & <>r) -> ((p -> (!r U (s & !r))) U r))",
            "[]((q & !r) -> ((p -> (!r U (s & !r))) W r))",
            "[](p -> <>(s & <>t))",
            "[](p -> (<>s & <>t))",
        ],
        expect![[r#"
            1/1    2/2    []!p
            3/3    4/6    <>r -> (!p U r)
            2/3    5/7    [](q -> []!p)
            4/9    7/13   []((q & !r & <>r) -> (!p U r))
            3/6    5/7    []((q & !r) -> (!p W r))
            2/2    1/1    <>p
            2/2    2/2    !r W (p & !r)
            6/8    4/7    []!q | <>(q & <>p)
            3/6    4/6    []((q & !r) -> (!r W (p & !r)))
            3/6    4/6    []((q & !r) -> (!r U (p & !r)))
            5/9    10/18  !p W (p W (!p W (p W []!p)))
            7/18   12/22  <>r -> ((!p & !r) U (r | ((p & !r) U (r | ((!p & !r) U (r | ((p & !r) U (r | (!p U r)))))))))
            1/1    2/2    []p
            3/3    4/6    <>r -> (p U r)
            2/3    5/7    [](q -> []p)
            4/9    7/13   []((q & !r & <>r) -> (p U r))
            3/6    5/7    []((q & !r) -> (p W r))
            2/2    2/2    !p W s
            3/3    4/6    <>r -> (!p U (s | r))
            6/8    8/22   []!q | <>(q & (!p W s))
            4/9    7/13   []((q & !r & <>r) -> (!p U (s | r)))
            3/6    5/7    []((q & !r) -> (!p W (s | r)))
            3/6    3/4    [](p -> <>s)
            5/9    4/6    <>r -> ((p -> (!r U (s & !r))) U r)
            4/9    6/10   [](q -> [](p -> <>s))
            6/17   7/13   []((q & !r & <>r) -> ((p -> (!r U (s & !r))) U r))
            5/14   7/13   []((q & !r) -> ((p -> (!r U (s & !r))) W r))
            11/37  5/9    [](p -> <>(s & <>t))
            13/52  5/7    [](p -> (<>s & <>t))
        "#]],
    );
}

/// The formulas that Etessami and Holzmann, and Somenzi and Bloem, measure translations with, those
/// without `next`.
#[test]
fn formulas_that_translations_are_measured_with_are_small() {
    check_sizes(
        &[
            "p U q",
            "p U (q U r)",
            "!(p U (q U r))",
            "[]<>p -> []<>q",
            "<>p U []q",
            "[]p U q",
            "!(<><>p -> <>p)",
            "!([]<>p -> []<>q)",
            "!([]<>p -> []<>q) & ([]<>r)",
            "p R (p | q)",
            "(p U q) U r",
            "(p R q) R r",
            "(p U p) | (q U p)",
            "<>(p & []q)",
            "[](p & <>q)",
            "<>(p & <>(q & <>r))",
            "[]<>p & []<>q & []<>r",
            "[]<>p | []<>q | []<>r",
            "<>[]p | <>[]q",
            "<>[]p & <>[]q",
            "[](p -> (q U r))",
            "[](p -> (q W r))",
            "[](p -> []<>q)",
            "[](p -> <>[]q)",
            "<>[](p | <>q)",
            "[]<>(p & <>q)",
            "[](p | []q) & [](r | []!q)",
            "[](p | <>[]q) & [](r | <>[]!q)",
            "([]<>p & []<>q) -> [](r -> <>s)",
            "[](p -> <>q) & [](r -> <>s)",
            "[](p -> <>q) & [](q -> <>r)",
            "<>(p U (q & <>[]r))",
        ],
        expect![[r#"
            2/2    2/2    p U q
            3/5    5/7    p U (q U r)
            5/7    3/5    !(p U (q U r))
            4/7    3/6    []<>p -> []<>q
            3/6    4/8    <>p U []q
            4/4    4/5    []p U q
            0/0    3/3    !(<><>p -> <>p)
            3/6    4/7    !([]<>p -> []<>q)
            5/10   5/9    !([]<>p -> []<>q) & ([]<>r)
            2/2    2/2    p R (p | q)
            7/11   5/7    (p U q) U r
            5/7    7/11   (p R q) R r
            2/2    2/2    (p U p) | (q U p)
            3/4    3/6    <>(p & []q)
            2/4    3/4    [](p & <>q)
            9/16   3/6    <>(p & <>(q & <>r))
            6/12   4/7    []<>p & []<>q & []<>r
            2/4    2/3    []<>p | []<>q | []<>r
            3/5    4/8    <>[]p | <>[]q
            2/3    2/4    <>[]p & <>[]q
            3/6    5/7    [](p -> (q U r))
            3/6    5/7    [](p -> (q W r))
            3/5    4/7    [](p -> []<>q)
            3/4    4/8    [](p -> <>[]q)
            4/7    3/6    <>[](p | <>q)
            4/8    3/5    []<>(p & <>q)
            3/5    8/12   [](p | []q) & [](r | []!q)
            5/7    7/15   [](p | <>[]q) & [](r | <>[]!q)
            6/11   6/12   ([]<>p & []<>q) -> [](r -> <>s)
            14/56  5/7    [](p -> <>q) & [](r -> <>s)
            13/47  5/7    [](p -> <>q) & [](q -> <>r)
            4/7    3/5    <>(p U (q & <>[]r))
        "#]],
    );
}

#[test]
fn what_explodes_is_given_up_soon() {
    let response = |i: u32| {
        let wanted = Formula::Eventually(Box::new(Formula::Proposition(2 * i + 1)));
        let asked = Formula::Not(Box::new(Formula::Proposition(2 * i)));
        Formula::Always(Box::new(Formula::Any(vec![asked, wanted])))
    };
    let all = Formula::All((0..30).map(response).collect());
    assert_eq!(
        buchi_of(&all, 60, &Work::unlimited()),
        Err(TooLarge::Effort.into())
    );
    let negation = Formula::Not(Box::new(all));
    assert_eq!(
        size(&buchi_of(&negation, 60, &Work::unlimited()).unwrap()),
        "61/91"
    );
    let nested = (0..200).fold(Formula::Proposition(63), |inner, i| {
        let inner = Formula::Release(Box::new(Formula::Proposition(i % 60)), Box::new(inner));
        Formula::Eventually(Box::new(inner))
    });
    assert!(buchi_of(&nested, 64, &Work::unlimited()).is_err());
    let beyond = Formula::Proposition(64);
    assert_eq!(
        buchi_of(&beyond, 64, &Work::unlimited()),
        Err(TooLarge::Propositions.into())
    );
}
