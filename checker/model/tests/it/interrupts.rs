//! An analysis ends soon after it is asked to, wherever it is.

use std::cell::Cell;

use crate::support::*;
use stubborn_model::elaborate::Settings;
use stubborn_model::{Interrupted, analyze, analyze_within};

const EVERYTHING: &str = "type Id = 0..3
const c = [0, 1, 2]
var a: array[Id] of 0..3
var x: 0..3
action go(Id)
channel d[Id]: queue[2] of Id
def small(v in 0..3): forall k in Id: a[k] <= v
macro reset(j in Id) { a[j] = 0; x = 0 }
macro other { reset(1) }
process p(i in Id) {
    var y: 0..3
    loop {
        either for k in Id { await small(k) do y = k } or { reset(i) }
        for k in Id send d[k](i)
        on go(i) do a[i] = 1
        here: await count(k in Id: p(k)@here and p(k).y == 0) <= 1
        do { for k in Id { a[k] = x } }
    }
}
process q { loop { for k in Id on go(k) do x = a[k] } }
invariant one(i in Id): forall k in Id: a[k] <= 3 or p(i)@here
ltl often(i in Id): always eventually p(i)@here
";

/// How often an analysis asks whether it is to end, if it is told so at the given time.
fn asked_until(end: u64) -> (u64, bool) {
    asked_of(EVERYTHING, end)
}

fn asked_of(text: &str, end: u64) -> (u64, bool) {
    let program = program_of("model.stb", text, &[]);
    let asked = Cell::new(0);
    let is_to_end = || {
        asked.set(asked.get() + 1);
        asked.get() > end
    };
    let found = analyze_within(&program, &Settings::default(), &is_to_end);
    if let Ok(found) = &found {
        assert_eq!(*found, analyze(&program, &Settings::default()));
    }
    (asked.get(), found == Err(Interrupted))
}

#[test]
fn an_analysis_that_is_asked_to_end_asks_no_more_and_has_nothing_to_tell() {
    let (all, is_cut) = asked_until(u64::MAX);
    assert!(!is_cut);
    assert!(all > 500, "{all}");
    let early = 0..20;
    let late = all - 5..all;
    for end in early.chain((20..all).step_by(41)).chain(late) {
        assert_eq!(asked_until(end), (end + 1, true));
    }
    assert_eq!(asked_until(all), (all, false));
}

/// How often it asks for each thing more that there is of a sort.
fn asked_for_each(text: fn(u64) -> String) -> u64 {
    let asked = |count| asked_of(&text(count), u64::MAX).0;
    (asked(60) - asked(30)) / 30
}

/// `piece(0)`, `piece(1)` and so on.
fn pieces(count: u64, piece: fn(u64) -> String) -> String {
    (0..count).map(piece).collect()
}

/// The numbers are how often it asks today: one of them falls where some loop no longer asks.
#[test]
fn the_more_there_is_to_read_the_more_often_an_analysis_asks() {
    type Text = fn(u64) -> String;
    let loops: [(&str, u64, Text); 18] = [
        ("value of a quantifier", 2, |n| {
            format!("invariant i: forall k in 1..{n}: true\n")
        }),
        ("value of a constructor", 1, |n| {
            format!("const c: array[1..{n}] of bool = [k in 1..{n}: true]\ninvariant i: c[1]\n")
        }),
        ("use of a table", 4, |n| {
            let used = pieces(n, |_| "c[1] and ".into());
            format!("const c: array[1..2] of bool = [true, true]\ninvariant i: {used} true\n")
        }),
        ("mention of an instance", 3, |n| {
            let places = pieces(n, |_| "p(1)@a or ".into());
            format!("process p(i in 1..2) {{ a: stop }}\ninvariant i: {places} true\n")
        }),
        ("value of a property's parameter", 2, |n| {
            format!("invariant i(k in 1..{n}): true\n")
        }),
        ("value of a tester's parameter", 1, |n| {
            let states = "initial state a { on go -> b } reject state b";
            format!("action go\nprocess p {{ on go }}\ntester t(k in 1..{n}) {{ {states} }}\n")
        }),
        ("value of a step's `for`", 2, |n| {
            format!("process p {{ for k in 1..{n} when true }}\n")
        }),
        ("value of an effect's `for`", 1, |n| {
            format!("process p {{ do {{ for k in 1..{n} {{ }} }} }}\n")
        }),
        ("value of an `either for`", 3, |n| {
            format!("process p {{ either for k in 1..{n} {{ skip }} }}\n")
        }),
        ("branch", 2, |n| {
            let branches = pieces(n, |_| "or { skip } ".into());
            format!("process p {{ either {{ skip }} {branches} }}\n")
        }),
        ("statement", 3, |n| {
            format!("process p {{ {} }}\n", pieces(n, |_| "skip; ".into()))
        }),
        ("state", 5, |n| {
            let state = |k| format!("state s{k} {{ when true -> s{} }}\n", k + 1);
            let states = (0..n).map(state).collect::<String>();
            format!("process p {{ initial {states} final state s{n} }}\n")
        }),
        ("macro", 2, |n| pieces(n, |k| format!("macro m{k} {{ }}\n"))),
        ("use of a macro", 1, |n| {
            let uses = pieces(n, |_| "m() ".into());
            format!("macro m {{ }}\nprocess p {{ do {{ {uses} }} }}\n")
        }),
        ("process", 5, |n| {
            pieces(n, |k| format!("process p{k} {{ stop }}\n"))
        }),
        ("instance", 3, |n| {
            format!("process p(k in 1..{n}) {{ stop }}\n")
        }),
        ("instance that is read by itself", 5, |n| {
            format!("process p(k in 1..{n}) {{ for j in 1..k when true }}\n")
        }),
        ("participant of a joint step", 4, |n| {
            let p = format!("process p(k in 1..{n}) {{ on a do x = 1 }}");
            format!("var x: 0..1\naction a\n{p}\ninvariant i: x == 0\n")
        }),
    ];
    for (what, least, text) in loops {
        let asked = asked_for_each(text);
        assert!(asked >= least, "{what}: {asked} times, not {least}");
    }
}

#[test]
fn instances_that_ask_about_all_instances_are_read_once_for_all() {
    let asked = asked_for_each(|n| {
        format!(
            "type Id = 1..{n}
var a: array[Id] of bool
process p(i in Id) {{
    await forall k in Id: k == i or not a[k]
    await count(k in Id: p(k)@here) == 0
    here: a[i] = true
}}
"
        )
    });
    // One by one they would ask for every pair of instances.
    assert!(asked <= 40, "{asked} times for each instance");
}
