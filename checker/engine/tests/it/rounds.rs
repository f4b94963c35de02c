//! Searches in rounds: which one decides, what it says, and that limits are of all together.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use stubborn_engine::interpreter::replay;
use stubborn_engine::{
    Caller, Limits, Options, Order, Outcome, Quick, Reason, Reduction, Search, Symmetry, Verdict,
    check, violated_soon,
};
use stubborn_system::property::Property;

use crate::monitors::{Watched, model};

/// Walkers who share nothing, and a pair of lamps that one of them can light in the wrong order: `dark` is false
/// after a few steps, `apart` never, `shown` sees all walkers, and `rests` is a question about cycles.
const WALKERS: &str = "
type Id = 0..2
var at: array[Id] of 0..4
var lamp: array[0..1] of bool

process walker(i in Id) {
    initial state going {
        when at[i] < 4 do at[i] = at[i] + 1 -> going
        when at[i] == 4                     -> there
    }
    final state there
}
process lighter {
    initial state idle     { do lamp[1] = true -> half }
    state half             { do lamp[0] = true -> lit }
    final state lit
}
process clock {
    initial state tick { -> tock }
    state tock         { -> tick }
}

invariant dark: not (lamp[1] and not lamp[0])
invariant apart: forall i in Id: at[i] != 4 or not walker(i)@going or at[i] == 4
invariant order: at[0] >= 2 implies at[1] >= 1
ltl lights: always (not lamp[1] or lamp[0])
ltl shown: always forall i in Id: at[i] <= 4
ltl steady: always (lamp[0] implies always lamp[0])
recurrence rests: infinitely clock@tick implies infinitely clock@tock
recurrence walks: infinitely clock@tick implies infinitely lighter@idle
termination not required
";

fn walkers() -> Watched {
    model(WALKERS)
}

fn property(of: &Watched, name: &str) -> Property {
    let mut all = of.model.properties.iter();
    let found = all.find(|one| one.name == name);
    found.expect("it is there").property.clone()
}

fn asked(reduction: Reduction) -> Options {
    Options {
        reduction,
        symmetry: Symmetry::Off,
        ..Options::default()
    }
}

const NAMES: [&str; 8] = [
    "dark", "apart", "order", "lights", "shown", "steady", "rests", "walks",
];

#[test]
fn the_verdict_is_that_of_a_search_that_leaves_nothing_out() {
    let walkers = walkers();
    for name in NAMES {
        let plain = walkers.outcome(name, &asked(Reduction::None));
        for reduction in [Reduction::Sensitive, Reduction::SensitiveCycles] {
            for search in [Search::Breadth, Search::Depth] {
                let options = Options {
                    search,
                    ..asked(reduction)
                };
                let found = walkers.outcome(name, &options);
                let same = found.verdict.is_violated() == plain.verdict.is_violated();
                let is_decided = !matches!(found.verdict, Verdict::Undecided(_));
                assert!(same && is_decided, "{name}, {options:?}: {found:?}");
                // Which violation is found first is another matter.
                let is_smaller = found.verdict.is_violated() || found.states <= plain.states;
                assert!(is_smaller, "{name}: {found:?}");
            }
        }
    }
}

#[test]
fn an_outcome_says_which_round_it_is_of_and_what_decided() {
    let walkers = walkers();
    let early = walkers.outcome("order", &asked(Reduction::Sensitive));
    assert!(early.verdict.is_violated(), "{early:?}");
    let round = early.round.expect("it sees steps");
    assert!(round.number >= 1 && round.sensitive <= round.visible);
    assert_eq!(round.is_exact, early.reduction != Reduction::Sensitive);
    // What holds was decided by the sets of the last round.
    let holds = walkers.outcome("shown", &asked(Reduction::Sensitive));
    assert_eq!(holds.verdict, Verdict::Holds);
    assert!(holds.round.is_none_or(|round| round.is_exact));
    assert_ne!(holds.reduction, Reduction::Sensitive);
    // A search that has no rounds says nothing of any.
    assert_eq!(
        walkers.outcome("shown", &asked(Reduction::Stubborn)).round,
        None
    );
}

#[test]
fn a_limit_on_states_is_one_on_all_rounds_together() {
    let walkers = walkers();
    for name in ["shown", "steady", "apart"] {
        for reduction in [Reduction::Sensitive, Reduction::SensitiveCycles] {
            let whole = walkers.outcome(name, &asked(reduction));
            assert_eq!(whole.verdict, Verdict::Holds, "{name}");
            let before = whole.round.map_or(0, |round| round.before);
            let limited = |most| {
                let limits = Limits {
                    max_states: Some(most),
                    ..Limits::default()
                };
                let options = Options {
                    limits,
                    ..asked(reduction)
                };
                walkers.outcome(name, &options).verdict
            };
            let enough = before + whole.states;
            assert_eq!(limited(enough), Verdict::Holds, "{name}");
            let less = limited(enough - 1);
            assert_eq!(
                less,
                Verdict::Undecided(Reason::States(enough - 1)),
                "{name}"
            );
        }
    }
}

#[test]
fn rounds_that_are_cancelled_prove_nothing() {
    let walkers = walkers();
    for name in ["steady", "apart"] {
        for reduction in [Reduction::Sensitive, Reduction::SensitiveCycles] {
            for after in 0..40 {
                let times = AtomicU32::new(0);
                let is_cancelled = || times.fetch_add(1, Relaxed) >= after;
                let caller = Caller::default().until(&is_cancelled);
                let property = [property(&walkers, name)];
                let options = asked(reduction);
                let found = check(&walkers.model.system, &property, &options, caller);
                let found = found.expect("its states are small").remove(0);
                let was_cancelled = times.load(Relaxed) > after;
                match found.verdict {
                    Verdict::Holds => assert!(!was_cancelled, "{name} after {after}"),
                    verdict => assert_eq!(verdict, Verdict::Undecided(Reason::Cancelled)),
                }
            }
        }
    }
}

fn soon(of: &Watched, name: &str, quick: Quick) -> Option<Outcome> {
    let (asked, options) = ([property(of, name)], Options::default());
    let found = violated_soon(&of.model.system, &asked, quick, &options, Caller::default());
    let found = found.expect("its states are small").remove(0);
    found.verdict.is_violated().then_some(found)
}

#[test]
fn a_few_small_rounds_find_what_is_there_and_prove_nothing() {
    let walkers = walkers();
    let quick = |rounds, states| Quick { rounds, states };
    for name in ["dark", "order", "lights"] {
        let found = soon(&walkers, name, quick(2, 1_000));
        let found = found.unwrap_or_else(|| panic!("{name} is violated"));
        let Verdict::Violated { trace, .. } = &found.verdict else {
            panic!("{name}: {found:?}");
        };
        replay(&walkers.model.system, trace).expect("the run is real");
        assert!(found.states <= 1_000, "{name}");
        assert!(found.round.is_some_and(|round| round.number <= 2), "{name}");
        // The cap is one on each round.
        assert_eq!(soon(&walkers, name, quick(2, 1)), None, "{name}");
    }
    for name in ["shown", "steady", "apart", "rests"] {
        assert_eq!(soon(&walkers, name, quick(8, 100_000)), None, "{name}");
    }
    // Nothing is searched in full for its sake.
    assert_eq!(soon(&walkers, "order", quick(1, 2)), None);
}

#[test]
fn algorithm_b_ends_where_no_cycle_of_a_process_is_left_without_a_sensitive_step() {
    let walkers = walkers();
    let found = walkers.outcome("rests", &asked(Reduction::SensitiveCycles));
    assert_eq!(found.verdict, Verdict::Holds, "{found:?}");
    let found = walkers.outcome("walks", &asked(Reduction::SensitiveCycles));
    assert!(found.verdict.is_violated(), "{found:?}");
}

/// An invariant that sees steps, beside a failing step that is put off for ever until somebody makes up for it: with
/// that the search is over for all but the invariant.
#[test]
fn what_a_round_leaves_open_is_left_to_the_next_one() {
    let text = "
type T7 = 0..1
enum Colour3 { c4, c5, c6 }
var v8: record { f: 0..2, g: Colour3 }
var v10: -1..1
def d21(a22 in T7): a22 <= bit_and(v10, v8.f)
process p11 {
    await p11@end; l14: loop {
        skip
    }
}
process p16 {
    var x18: T7
    initial state s0 {
        -> s1
    }
    final state s1 {
        -> s2;
    }
    final state s2 {
        when d21(1) implies x18 <= x18 do v10 = 0 -> s2
    }
    final state s3 {
    }
}
process p19 {
    v8 = v8;
    assert d21(if p11@l14 then 1 else 1)
}
invariant prop57: v10 != 2
invariant prop58: p16@{s1, s3}
";
    as_without_leaving_anything_out(text);
}

/// One process goes round alone, which two rounds show for the invariant and for errors: the step that fails is in
/// none of the sets of the round in which the invariant falls, though it is in those of the last one.
#[test]
fn whether_a_step_is_put_off_for_ever_is_asked_of_the_sets_of_the_round() {
    let text = "
var v: 0..1
process runner {
    initial state s0 { -> s1 }
    state s1         { -> s0 }
}
process counter {
    initial state s0 { -> s1 }
    state s1         { do v = v + 1 -> s0 }
}
invariant apart: not (counter@s1 and runner@s1)
";
    as_without_leaving_anything_out(text);
}

fn as_without_leaving_anything_out(text: &str) {
    let watched = model(text);
    let all = watched.model.properties.iter();
    let mut all: Vec<Property> = all.map(|one| one.property.clone()).collect();
    all.push(Property::Errors);
    for search in [Search::Breadth, Search::Depth] {
        for order in [Order::Forward, Order::Reverse] {
            for keep_dead_variables in [false, true] {
                let found = |reduction| {
                    let options = Options {
                        search,
                        order,
                        keep_dead_variables,
                        ..asked(reduction)
                    };
                    let found = check(&watched.model.system, &all, &options, Caller::default());
                    let found = found.expect("its states are small").into_iter();
                    let said = found.map(|one| match one.verdict {
                        Verdict::Violated { .. } => "violated".to_owned(),
                        other => format!("{other:?}"),
                    });
                    said.collect::<Vec<_>>()
                };
                assert_eq!(found(Reduction::Sensitive), found(Reduction::None));
            }
        }
    }
}
