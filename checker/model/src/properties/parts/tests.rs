use super::*;
use crate::analyze;
use crate::elaborate::Settings;
use crate::program::{ParsedFile, Program};

/// The parts of the formulas of a text.
fn parts(text: &str) -> Vec<String> {
    let file = ParsedFile::new("m.stb", text);
    let program = Program::assemble(file.into(), &mut |_| None);
    let model = analyze(&program, &Settings::default()).model;
    let properties = model.expect("a meaning").properties;
    let parts = properties.iter().flat_map(|property| &property.parts);
    parts.map(|part| part.text.clone()).collect()
}

const MODEL: &str = "var x: 0..3\nprocess p { loop { x = (x + 1) % 4 } }\n";

#[test]
fn a_mistake_that_the_formula_has_no_part_in_leaves_it_its_parts() {
    let formula = "ltl f: always x < 2 and eventually x == 3\n";
    let alone = parts(&format!("{MODEL}{formula}"));
    assert_eq!(alone, ["`always x < 2`", "`eventually x == 3`"]);
    for wrong in [
        "invariant i: x and true\n",
        "def g(k in 0..3): always x != k\n",
    ] {
        assert_eq!(parts(&format!("{MODEL}{wrong}{formula}")), alone, "{wrong}");
        assert_eq!(parts(&format!("{MODEL}{formula}{wrong}")), alone, "{wrong}");
    }
}

#[test]
fn what_is_asked_of_each_value_beside_an_or_is_a_part_for_each() {
    let formula = |formula: &str| {
        parts(&format!(
            "{MODEL}def all: forall k in 0..1: x != k\nltl f: {formula}\n"
        ))
    };
    for (text, expected) in [
        (
            "x == 3 or forall k in 0..1: x != k",
            [
                "`x == 3 or x != k` for k = 0",
                "`x == 3 or x != k` for k = 1",
            ],
        ),
        (
            "always (x == 3 or (forall k in 0..1: x == 1 implies x > k) or x == 2)",
            [
                "`always (x == 3 or (x == 1 implies x > k) or x == 2)` for k = 0",
                "`always (x == 3 or (x == 1 implies x > k) or x == 2)` for k = 1",
            ],
        ),
        (
            "x == 3 or not (exists k in 0..1: x == k)",
            [
                "`x == 3 or not (x == k)` for k = 0",
                "`x == 3 or not (x == k)` for k = 1",
            ],
        ),
        (
            "all or x == 3",
            [
                "`x != k or x == 3` for k = 0",
                "`x != k or x == 3` for k = 1",
            ],
        ),
    ] {
        assert_eq!(formula(text), expected, "{text}");
    }
    assert_eq!(
        formula("(forall k in 0..1: x != k) == (x == 3)"),
        [
            "`(forall k in 0..1: x != k) implies x == 3`",
            "`(x == 3) implies x != k` for k = 0",
            "`(x == 3) implies x != k` for k = 1",
        ]
    );
    assert_eq!(
        formula("x == 3 or x == 2 or exists k in 0..1: x == k").len(),
        0
    );
}

#[test]
fn each_value_of_one_forall_beside_an_or_goes_with_each_of_another() {
    let of = |text: &str| {
        parts(&format!(
            "{MODEL}def all: forall k in 0..1: x != k\ndef within(a in 0..1): forall k in a..1: x > k\nltl f: {text}\n"
        ))
    };
    assert_eq!(
        of("(forall k in 0..1: x != k) or x == 3 or forall j in 2..3: x == 1 implies x < j"),
        [
            "`x != k or x == 3 or (x == 1 implies x < j)` for k = 0, j = 2",
            "`x != k or x == 3 or (x == 1 implies x < j)` for k = 0, j = 3",
            "`x != k or x == 3 or (x == 1 implies x < j)` for k = 1, j = 2",
            "`x != k or x == 3 or (x == 1 implies x < j)` for k = 1, j = 3",
        ]
    );
    assert_eq!(
        of("always (all or forall j in 2..3: not always x == j)")[1],
        "`always (x != k or not always x == j)` for k = 0, j = 3"
    );
    // One name for two things.
    assert_eq!(
        of("(forall k in 0..1: x != k) or not exists k in 2..3: x == k")[1],
        "`x != k or not (x == k)` for k = 0 in `x != k` and k = 3 in `not (x == k)`"
    );
    assert_eq!(
        of("forall i in 0..1: (within(1) or forall k in 0..1, l in 0..1: x == i + k)")[2],
        "`x > k or x == i + k` for i = 0, a = 1, k = 1 in `x > k` and k = 1, l = 0 in `x == i + k`"
    );
    assert_eq!(
        of(
            "(forall a in 0..1: x != a) or (forall b in 0..1: x != b) or (forall c in 0..1: x == c)"
        )
        .len(),
        8
    );
    // What is too much together is taken apart by the last one.
    assert_eq!(
        of("(forall k in 0..8: x != k) or (forall j in 0..8: x + 1 != j)")[8],
        "`(forall k in 0..8: x != k) or x + 1 != j` for j = 8"
    );
}

#[test]
fn a_name_that_means_two_things_leaves_the_or_whole() {
    let of = |text: &str| parts(&format!("{MODEL}{text}\n"));
    let none = "def none(a in 0..3): forall k in 0..a: x != k\n";
    assert_eq!(
        of(&format!("{none}ltl f(a in 0..0): none(2) or x == a")).len(),
        0
    );
    assert_eq!(
        of("const k = 2\nltl f: x == k or (forall k in 0..1: x != k)").len(),
        0
    );
    assert_eq!(
        of("const k = 2\nltl f: x == k implies forall k in 0..1: x != k").len(),
        0
    );
    assert_eq!(
        of("ltl f: x < 3 and (forall i in 0..0: x != i or forall i in 1..2: x == i)"),
        ["`x < 3`", "`x != i or forall i in 1..2: x == i` for i = 0"]
    );
}

#[test]
fn the_words_of_a_part_say_what_it_is() {
    let of = |text: &str| parts(&format!("{MODEL}ltl f: {text}\n"))[0].clone();
    for (text, expected) in [
        (
            "always (x == 0 or forall k in 1..2: (x == k -> x == 3))",
            "`always (x == 0 or (x == k -> x == 3))` for k = 1",
        ),
        (
            "(forall k in 1..2: (x == k)implies(x == 3)) or x == 2",
            "`((x == k)implies(x == 3)) or x == 2` for k = 1",
        ),
        (
            "(forall k in 1..2: always exists j in 0..0: x == k + j) or x == 2",
            "`(always exists j in 0..0: x == k + j) or x == 2` for k = 1",
        ),
        (
            "(forall k in 0..1: x == if x == k then 1 else 2) or x == 3",
            "`(x == if x == k then 1 else 2) or x == 3` for k = 0",
        ),
        ("not((x==0&&x==1)||x==3)", "`not (x==0&&x==1)`"),
    ] {
        assert_eq!(of(text), expected, "{text}");
    }
}

#[test]
fn what_stands_before_a_part_keeps_it_from_being_evaluated() {
    let text = format!(
        "{MODEL}var a: array[0..2] of 0..3\n\
         invariant i: forall k in 0..2: k == 0 or forall j in 0..1: a[k - 1] == j\n"
    );
    let file = ParsedFile::new("m.stb", text);
    let program = Program::assemble(file.into(), &mut |_| None);
    let model = analyze(&program, &Settings::default()).model;
    let properties = model.expect("a meaning").properties;
    let parts: Vec<&FormulaPart> = properties.iter().flat_map(|one| &one.parts).collect();
    assert!(parts.iter().all(|part| part.ltl.propositions.len() <= 1));
    assert_eq!(parts.len(), 6);
}

#[test]
fn parts_that_would_be_much_more_than_the_formula_are_not_made() {
    let formula = |parts: usize| {
        let parts: Vec<String> = (0..parts).map(|at| format!("x != {at}")).collect();
        format!(
            "{MODEL}ltl f: (exists a in 0..19, b in 0..29: x == a + b) implies ({})\n",
            parts.join(" and ")
        )
    };
    assert_eq!(parts(&formula(3)).len(), 3);
    assert_eq!(parts(&formula(40)).len(), 0);
}

#[test]
fn a_formula_of_sixty_four_parts_is_taken_apart() {
    let formula = |count: usize| format!("{MODEL}ltl f: forall k in 1..{count}: always x < 3\n");
    let found = [63, 64, 65].map(|count| parts(&formula(count)).len());
    assert_eq!(found, [63, 64, 0]);
}

#[test]
fn what_stands_a_hundred_deep_is_taken_apart() {
    let formula = |depth: usize| {
        let (open, close) = ("(".repeat(depth), ")".repeat(depth));
        format!("{MODEL}ltl f: {open}always x < 2 and eventually x == 3{close}\n")
    };
    let found = [99, 100, 101].map(|depth| parts(&formula(depth)).len());
    assert_eq!(found, [2, 2, 0]);
}

#[test]
fn a_formula_that_is_large_when_it_is_written_out_is_not_taken_apart() {
    let file = ParsedFile::new("m.stb", &*format!("{MODEL}ltl f: always x < 2 and x < 3\n"));
    let program = Program::assemble(file.into(), &mut |_| None);
    let settings = Settings::default();
    let mut elaborator = Elaborator::new(&program, &settings);
    let items = elaborator.items();
    let mut items = items.iter();
    let (file, formula) = items
        .find_map(|item| match &item.ast {
            ast::Item::Ltl(formula) => Some((item.file, formula.clone())),
            _ => None,
        })
        .expect("a formula");
    let env = crate::names::Env::of_file(file);
    let body = formula.formula().expect("what it says");
    let around = [LARGEST_WRITTEN - 1, LARGEST_WRITTEN, LARGEST_WRITTEN + 1];
    let found = around
        .map(|written| elaborator.in_scope(&env, |this| super::parts(this, &body, written).len()));
    assert_eq!(found, [2, 2, 0]);
}
