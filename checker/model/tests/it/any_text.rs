//! No text makes the analysis panic, and an analysis is always the same.

use crate::support::*;
use proptest::prelude::*;
use stubborn_model::analyze;
use stubborn_model::elaborate::Settings;
use stubborn_model::problem::Severity;

/// Texts that have everything in them.
const MODELS: [&str; 6] = [
    include_str!("../language/peterson.stb"),
    include_str!("../language/peterson_states.stb"),
    include_str!("../../../../examples/alternating_bit.stb"),
    include_str!("../../../../examples/leader_election.stb"),
    include_str!("../../../../examples/readers_writers.stb"),
    "enum Color { red, green }
type Row = array[Color] of record { n: 0..3, on_it: bool }
const MAX = if 1 < 2 then 3 else 4
param P: 1..4 = 2
def f(i in 0..3): i * P
var r: Row = [{n: 1, on_it: true}, {n: 0, on_it: false}]
var a: array[0..3] of 0..3
channel c[Color]: bag[2] of 0..3, bool = [[1, true]]
action go(Color, 0..3)
macro up(v in 0..3, by in 0..3) { v = (v + by) % 4; if v == 2 { break } else if v == 3 { inner: skip } }
macro clear { for k in 0..3 { a[k] = 0 } if r[red].on_it { r[green].n = 0 } }
process p(i in Color, n in 0..P) {
    var j, k: 0..3 = 1
    alphabet go(*, 2)
    macro own(v in 0..3) { j = v, k = any 0..2 }
    start: loop {
        either for v in 0..1, w in bool { on go(i, v) when w do { j = any 0..3; assert j < 4 } }
        or { do { clear() } }
        or { receive c[i](?a[n], *) when len(c[red]) < 2 or full(c[green]) }
        or { }
        up(j, f(n))
        own(count(x in Color: r[x].on_it))
        while j < sum(x in 0..1: x) { for z in 0..1 send c[red](z, false) }
        final rest: await p(i, 0)@rest or p(red, n).j == min(1, 2, j) do a = [x in 0..3: x % P]
        stop
    }
}
fair process q {
    var here: Color
    initial final state s { for v in 0..3 on go(*, v) -> s on go(?here, 0) -> t do r[green] = {on_it: true, n: 0} -> s }
    state t { -> s }
}
deadlock allowed when empty(c[red])
termination not required
invariant i(k in Color): forall x in 0..3: a[x] <= MAX and r[k].n in {0, 1, 2, 3} implies not q@t
progress m(k in 0..1): must q@{s, t}
ltl l: always (q@s implies eventually q@t) and [] <> p(red, 0)@end
fair f(k in 0..1): {go(*, k), p(red, k), q}
strongly fair h: p
recurrence w: infinitely go(*, 1) implies infinitely {go(red, *), q@s}
tester t(k in 0..1) { visible go(*, 0) initial state s { on go(red, k) -> u on tau -> u } livelock state u { on go(*, *) -> v } reject state v }
specification sp { var z: 0..1 loop { on go(red, ?z); either { stop } or { on go(*, *) } } }
refines sp in infinite traces
buchi b { observe e = a[0] == 0 initial state s when e { -> s -> t } infinite state t when not e { -> t } }
testing g { observe e = a[0] == 0 initial state s when e { change e -> t } livelock state t }
",
];

/// A piece of a text: a word, a number, a sign or white space.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut last = None;
    for (at, c) in text.char_indices() {
        if let Some(last) = last
            && (kind(c) != last || last == 2)
        {
            pieces.push(&text[start..at]);
            start = at;
        }
        last = Some(kind(c));
    }
    pieces.push(&text[start..]);
    pieces
}

/// A text with some of its pieces left out, doubled, or put in the place of another.
fn broken() -> impl Strategy<Value = String> {
    let change = (
        0..3_u8,
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
    );
    (0..MODELS.len(), prop::collection::vec(change, 1..6)).prop_map(|(model, changes)| {
        let mut pieces = pieces(MODELS[model]);
        for (what, at, other) in changes {
            let (at, other) = (at.index(pieces.len()), other.index(pieces.len()));
            match what {
                0 => {
                    pieces.remove(at);
                }
                1 => pieces.insert(at, pieces[other]),
                _ => pieces[at] = pieces[other],
            }
        }
        pieces.concat()
    })
}

#[test]
fn the_texts_themselves_have_a_meaning() {
    for text in &MODELS {
        let problems = problems(text);
        assert!(!problems.contains("error"), "{problems}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_broken_text_has_messages_and_no_panic(text in broken()) {
        for path in ["model.stb", "model.tester"] {
            let program = program_of(path, &text, &[]);
            let analysis = analyze(&program, &Settings::default());
            prop_assert_eq!(&analysis, &analyze(&program, &Settings::default()));
            let errors = analysis.problems.iter().any(|p| p.severity == Severity::Error);
            prop_assert!(errors || analysis.model.is_some());
            for problem in &analysis.problems {
                if let Some(span) = problem.span {
                    prop_assert!(span.start <= span.end && span.end as usize <= text.len());
                    prop_assert!(!problem.message.is_empty());
                }
            }
        }
    }
}

#[test]
fn an_action_with_mistaken_types_does_not_move_the_others() {
    let text = "action bad(nothing)
action good(0..2)
process p {
    alphabet good(*)
    on good(1)
}
";
    let problems = problems(text);
    assert!(problems.contains("unknown-name"), "{problems}");
    assert!(problems.contains("good(0)"), "{problems}");
}
