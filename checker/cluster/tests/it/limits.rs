//! What is told where a limit ends a search.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use stubborn_engine::{Budget, Caller, Clock, Limits, Options, Reason, Reduction, Verdict, check};
use stubborn_model::NamedProperty;
use stubborn_model::elaborate::Settings;
use stubborn_random::read::{self, Drawn};
use stubborn_system::property::Property;

use crate::together::Together;

/// Its first step leads to thousands of states, of which one is none of those that are wanted.
const WIDE: &str = "
var x: 0..5000
process chooses {
    initial state here {
        for n in 0..5000 do x = n -> there
    }
    final state there
}
invariant wanted: x != 7
invariant unseen: x != 7 or chooses@here
";

/// With this, which nobody uses, a state has several words.
const PAD: &str = "\nvar pad: array[0..1] of 0..1099511627775\n";

/// As it is, and with states of several words; all variables are to be kept.
fn narrow_and_wide(text: &str) -> [Drawn; 2] {
    ["", PAD].map(|pad| {
        let text = format!("{text}{pad}");
        read::text(text, &Settings::default()).expect("it is right")
    })
}

/// Nothing is left out.
fn plain(limits: Limits) -> Options {
    Options {
        reduction: Reduction::None,
        threads: NonZeroUsize::new(1),
        keep_dead_variables: true,
        keep_constants: true,
        limits,
        ..Options::default()
    }
}

/// No more states than that.
fn up_to(most: u64) -> Options {
    plain(Limits {
        max_states: Some(most),
        ..Limits::default()
    })
}

/// A worker takes no more states in before it looks whether to go on.
const BEGUN: u64 = 4_000;

/// What the text itself asks.
fn asked(properties: &[NamedProperty]) -> Vec<Property> {
    let properties = properties.iter().map(|named| named.property.clone());
    let is_asked = |property: &Property| matches!(property, Property::Invariant(_));
    properties.filter(is_asked).collect()
}

#[test]
fn a_violation_of_the_layer_in_which_there_are_too_many_states_is_told() {
    let options = up_to(500);
    let [narrow, wide] = narrow_and_wide(WIDE);
    for (drawn, processes, workers) in [(&narrow, 2, 1), (&narrow, 2, 2), (&wide, 2, 1)] {
        let properties = asked(&drawn.properties);
        let together = Together::new(processes, workers, None);
        let found = check(&drawn.system, &properties, &options, together.caller());
        for outcome in found.expect("its states are small") {
            assert!(outcome.sharing.is_some());
            let Verdict::Violated { trace, .. } = outcome.verdict else {
                panic!("{:?}", outcome.verdict)
            };
            assert_eq!(trace.steps().len(), 1);
        }
    }
}

#[test]
fn where_nothing_was_met_before_the_limit_that_is_told() {
    let text = WIDE.replace("5000 do", "5000 when n != 7 do");
    let drawn = read::text(text, &Settings::default()).expect("it is right");
    let asked = asked(&drawn.properties);
    let options = up_to(500);
    let together = Together::new(2, 1, None);
    let found =
        check(&drawn.system, &asked, &options, together.caller()).expect("its states are small");
    for outcome in found {
        assert_eq!(outcome.verdict, Verdict::Undecided(Reason::States(500)));
    }
}

#[test]
fn no_worker_goes_on_beyond_the_limit_for_long() {
    let text = "
var x: array[0..3] of 0..99
process p(i in 0..3) { loop { when x[i] < 99 do x[i] = x[i] + 1 } }
invariant small: x[0] <= 99
";
    let [narrow, wide] = narrow_and_wide(text);
    let cases = [100, 1_000, 10_000].map(|most| [(&narrow, most), (&wide, most)]);
    for (drawn, most) in cases.into_iter().flatten() {
        let asked = asked(&drawn.properties);
        let options = up_to(most);
        let together = Together::new(2, 1, None);
        let found = check(&drawn.system, &asked, &options, together.caller());
        for outcome in found.expect("its states are small") {
            let reached = Verdict::Undecided(Reason::States(most));
            assert_eq!(outcome.verdict, reached);
            // Both may have as many before one knows of the other, and end what they have begun.
            assert!(outcome.states < 2 * most + 2 * BEGUN, "{}", outcome.states);
        }
    }
}

/// A first process that hears of nothing for some time: it was not given a processor, say.
struct HearsLate(AtomicU64);

impl Clock for HearsLate {
    fn is_cancelled(&self) -> bool {
        if self.0.fetch_add(1, Relaxed) < 5 {
            thread::park_timeout(Duration::from_millis(200));
        }
        false
    }
}

#[test]
fn no_worker_goes_on_beyond_the_limit_where_the_first_process_hears_of_it_late() {
    let text = "
var x: array[0..2] of 0..99
process p(i in 0..2) { loop { when x[i] < 99 do x[i] = x[i] + 1 } }
invariant small: x[0] <= 99
invariant far: x[0] + x[1] + x[2] < 290
";
    for drawn in narrow_and_wide(text) {
        let asked = asked(&drawn.properties);
        let most = 100;
        let options = up_to(most);
        let together = Together::new(2, 1, None);
        let late = HearsLate(AtomicU64::new(0));
        let caller = Caller {
            budget: Budget::new(&late),
            ..together.caller()
        };
        let found = check(&drawn.system, &asked, &options, caller);
        for outcome in found.expect("its states are small") {
            let reached = Verdict::Undecided(Reason::States(most));
            assert_eq!(outcome.verdict, reached);
            // One looks before it takes the steps of a layer, of which there are few here.
            let states = outcome.states;
            assert!(most < states && states < 4 * most, "{states} states");
        }
    }
}

#[test]
fn a_worker_whose_steps_lead_to_nobody_else_looks_at_the_limit_too() {
    let text = "
var who: 0..255
var a: 0..99
var c: 0..999
process chooses {
    initial state s { do who = any 0..255 -> t }
    state t { do a = any 0..99 -> u }
    state u { do c = any 0..999 -> v }
    final state v
}
process ticks { var k: 0..1 loop { when chooses@t or chooses@u do k = 1 - k } }
invariant small: c <= 999
";
    let drawn = read::text(text.to_owned(), &Settings::default()).expect("it is right");
    let most = 30_000;
    let options = up_to(most);
    let together = Together::new(2, 1, None);
    let found = check(
        &drawn.system,
        &asked(&drawn.properties),
        &options,
        together.caller(),
    );
    for outcome in found.expect("its states are small") {
        let reached = Verdict::Undecided(Reason::States(most));
        assert_eq!(outcome.verdict, reached);
        // Where steps lead to so many states, of which the last have a thousand each, a worker looks up.
        let begun = (1 << 14) + 1_000;
        assert!(
            outcome.states < 2 * (most + begun),
            "{} states",
            outcome.states
        );
    }
}

#[test]
fn a_run_for_which_a_worker_has_no_memory_ends_the_search_that_has_shown_it() {
    // Invariants that fall one after the other, of which each asks for a run.
    let mut text = "
var a: 0..30
var b: 0..30
var c: 0..30
process p { loop { either { when a < 30 do a = a + 1 } or { when a > 0 do a = a - 1 } } }
process q { loop { either { when b < 30 do b = b + 1 } or { do b = any 0..3 } } }
process r { loop { either { when c < 30 do c = c + 1 } or { when c == 30 do c = 0 } } }
"
    .to_owned();
    for at in [1, 5, 9, 13, 17, 21, 25, 29] {
        text += &format!("invariant i{at}: not (a == {at} and b == {at} and c == {at})\n");
    }
    for drawn in narrow_and_wide(&text) {
        runs_that_fit_are_shown(&drawn);
    }
}

fn runs_that_fit_are_shown(drawn: &Drawn) {
    let asked = asked(&drawn.properties);
    let (mut violated, mut undecided) = (0, 0);
    for tenths in 3..14 {
        let most = tenths * 100_000;
        let options = plain(Limits {
            max_memory: Some(most),
            deadline: Some(Instant::now() + Duration::from_secs(100)),
            ..Limits::default()
        });
        let together = Together::new(2, 1, Some(most));
        let found = check(&drawn.system, &asked, &options, together.caller());
        for outcome in found.expect("its states are small") {
            match outcome.verdict {
                Verdict::Violated { .. } => violated += 1,
                Verdict::Undecided(Reason::Memory(_)) => undecided += 1,
                other => panic!("{other:?} with {most} bytes"),
            }
        }
    }
    assert!(violated > 0 && undecided > 0, "{violated} {undecided}");
}
