//! Whatever a text is, it is read without a panic, within a limit, and always to the same end.

use std::sync::Arc;

use proptest::prelude::*;
use stubborn_model::analyze;
use stubborn_model::elaborate::Settings;
use stubborn_model::program::{ParsedFile, Program};

/// Models and testers that use most of the language.
const TEXTS: &[&str] = &[
    "param N: 2..6 = 3\ntype Id = 0..N-1\nenum Color { red, green }\nconst t: array[0..1] of Id = [1, 2]\nvar gate: array[Id] of 0..N-1 = [k in Id: 0]\nvar lamp: Color\nvar road: record { cars: 0..3, open: bool } = {open: true, cars: 1}\naction ask(Id)\nchannel c[Id]: queue[2] of Id, bool = [[1, true]]\nchannel b: bag[3] of Color\ndef busy(i in Id): gate[i] > 0 and (exists k in 0..i: k == t[0])\nmacro bump(x in Id, by in 0..3) { x = (x + by) % N }\n",
    "process customer(i in Id) {\n    var j: 0..N-1\n    alphabet ask(*)\n    macro local { j = 0 }\n    loop {\n        either { stop } or for k in Id { on ask(k) do j = 0 } or { local() }\n        while j < N-1 {\n            gate[i] = j\n            wait: await (forall k in Id: k == i or gate[k] <= j) do { for v in Id { if v == 0 { j = v } else { assert true } } }\n            j = j + 1\n        }\n        if lamp == red { send c[i](j, true) } else { receive c[0](?j, *) }\n        bump(gate[i], 1)\n        final critical: lamp = any Color\n    }\n}\n",
    "process machine {\n    var r: record { a: bool, b: 0..2 }\n    initial state s { for k in Id on ask(k) when busy(k) do r.b = 1, r.a = true -> s  send b(red) -> t }\n    final state t { receive b(?lamp) -> s }\n}\n",
    "invariant mutex: count(i in Id: customer(i)@critical) <= 1\nprogress access(i in Id): may customer(i)@{critical, end}\nprogress less(i in 0..1): must customer(i).j == 0\nltl f: always (eventually machine@t) implies (lamp == red U lamp == green)\nrecurrence z: infinitely {ask(*), customer(0)@wait} implies infinitely {}\ndeadlock allowed when empty(b) or len(c[1]) > 1\ntermination not required\n",
];

fn settings() -> Settings {
    Settings {
        parameters: vec![(String::from("N"), String::from("3"))],
    }
}

fn read(text: &str) {
    let root = Arc::new(ParsedFile::new("model.stb", text));
    let program = Program::assemble(root, &mut |_| None);
    let analysis = analyze(&program, &settings());
    for problem in &analysis.problems {
        if let Some(span) = problem.span {
            assert!(span.start <= span.end && span.end as usize <= text.len());
        }
        assert!(!problem.message.is_empty());
    }
    let errors = analysis
        .problems
        .iter()
        .any(|problem| problem.severity == stubborn_model::problem::Severity::Error);
    assert!(
        errors || analysis.model.is_some(),
        "a text without errors has a meaning"
    );
    assert!(analyze(&program, &settings()) == analysis);
}

/// Cuts a text into words, numbers and single other characters.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut in_word = false;
    for c in text.chars() {
        let word = c.is_alphanumeric() || c == '_';
        match tokens.last_mut() {
            Some(last) if word && in_word => last.push(c),
            _ => tokens.push(c.to_string()),
        }
        in_word = word;
    }
    tokens
}

#[test]
fn the_texts_are_right_before_they_are_broken() {
    let text = TEXTS.concat();
    let root = Arc::new(ParsedFile::new("model.stb", text));
    let program = Program::assemble(root, &mut |_| None);
    let analysis = analyze(&program, &settings());
    let errors: Vec<_> = analysis
        .problems
        .iter()
        .filter(|p| p.severity == stubborn_model::problem::Severity::Error)
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_broken_model_is_read_to_the_end(
        edits in prop::collection::vec((0usize..100_000, 0usize..100_000, 0u8..4), 1..6),
    ) {
        let mut tokens = tokens(&TEXTS.concat());
        for (at, from, kind) in edits {
            let at = at % tokens.len();
            let from = from % tokens.len();
            match kind {
                0 => { tokens.remove(at); }
                1 => { let token = tokens[from].clone(); tokens.insert(at, token); }
                2 => tokens[at] = tokens[from].clone(),
                _ => tokens.swap(at, from),
            }
        }
        read(&tokens.concat());
    }
}
