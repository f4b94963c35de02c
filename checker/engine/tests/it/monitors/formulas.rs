use stubborn_engine::Options;

use super::{LIGHTS, model, word};

fn of(formula: &str) -> String {
    model(&format!("{LIGHTS}\nltl t: {formula}")).verdict("t")
}

#[test]
fn formulas_are_about_all_maximal_runs() {
    assert_eq!(of("always (p@red or p@green or p@dark)"), "holds");
    assert_eq!(of("always not p@dark"), "reject after 2, cycle 0");
    assert_eq!(of("eventually p@green"), "livelock after 0, cycle 1");
    assert_eq!(of("p@red until p@green"), "livelock after 0, cycle 1");
    assert_eq!(of("p@red weak_until p@green"), "holds");
    assert_eq!(
        of("not always eventually p@green"),
        "livelock after 1, cycle 1"
    );
}

#[test]
fn a_run_that_ends_repeats_its_last_state() {
    let ending = "process p { initial state a { -> b } state b { -> c } final state c }";
    let of = |formula: &str| model(&format!("{ending}\nltl t: {formula}")).verdict("t");
    assert_eq!(of("eventually always p@c"), "holds");
    assert_eq!(of("always eventually p@b"), "deadlock after 2, cycle 0");
    assert_eq!(
        of("eventually (p@b and eventually p@a)"),
        "deadlock after 2, cycle 0"
    );
}

#[test]
fn what_can_only_fail_is_no_run() {
    let failing = "var x: 0..1
        process p { initial state a { do x = 1 -> b } state b { do x = x + 1 -> a } }";
    let of = |formula: &str| model(&format!("{failing}\nltl t: {formula}")).verdict("t");
    assert_eq!(of("always x == 0"), "holds");
    assert_eq!(of("false"), "holds");
}

#[test]
fn an_expression_without_a_value_violates_the_formula() {
    let text = "var x: 0..3
        process p { initial state a { do x = 1 -> b } state b { do x = 0 -> a } }
        ltl t: eventually always 1 / (1 - x) == 1";
    assert_eq!(model(text).verdict("t"), "ExpressionFails(DivisionByZero)");
}

#[test]
fn a_conjunction_is_violated_as_its_first_violated_formula_is() {
    let first = of("always not p@dark");
    let second = of("not always eventually p@green");
    let holds = "always (p@red or p@green or p@dark)";
    let conjunction = |formulas: [&str; 2]| of(&format!("{holds} and {}", formulas.join(" and ")));
    let (one, other) = ("always not p@dark", "not always eventually p@green");
    assert_eq!(conjunction([one, other]), first);
    assert_eq!(conjunction([other, one]), second);
    assert_eq!(conjunction([holds, holds]), "holds");
    assert_eq!(of(&format!("not (not {holds} or not ({one}))")), first);
}

#[test]
fn a_conjunction_may_have_any_number_of_propositions() {
    let text = |last: &str| {
        format!(
            "type T = 0..99
            var x: T
            process p {{ loop {{ x = (x + 1) % 100 }} }}
            ltl t: (forall k in T: always eventually x == k) and {last}"
        )
    };
    assert_eq!(
        model(&text("always eventually x == 7")).verdict("t"),
        "holds"
    );
    let violated = model(&text("eventually always x != 7")).verdict("t");
    assert_eq!(violated, "infinite after 0, cycle 100");
    let single = text("true").replace("(forall k", "(exists k");
    let undecided = word(&model(&single).outcome("t", &Options::default()));
    assert_eq!(undecided, "undecided: FormulaTooLarge(Propositions)");
}
