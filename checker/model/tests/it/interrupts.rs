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
    let program = program_of("model.stb", EVERYTHING, &[]);
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
