//! How states are shared out.

use stubborn_engine::{Caller, Exploration, Options, Reduction, Verdict, check, explore};
use stubborn_model::elaborate::Settings;
use stubborn_random::read;

use crate::together::{Nothing, Together};

/// Peterson's algorithm for three customers, whose states are one word each, in full.
fn explored(processes: u32, workers: u32) -> Exploration {
    let text = include_str!("../../../../examples/peterson_correct.stb").to_owned();
    let drawn = read::text(text, &Settings::default()).expect("it is right");
    let options = Options {
        reduction: Reduction::None,
        keep_dead_variables: true,
        ..Options::default()
    };
    let together = Together::new(processes, workers, None);
    explore(&drawn.system, &options, together.caller(), &mut Nothing).expect("its states are small")
}

#[test]
fn each_worker_has_about_as_many_states_and_few_steps_lead_to_another() {
    for (processes, workers) in [(2, 1), (3, 1), (2, 2)] {
        let found = explored(processes, workers);
        assert_eq!((found.states, found.edges), (96_854, 290_562));
        let sharing = found.sharing.expect("several have searched");
        let many = u64::from(processes * workers);
        let most = sharing.workers.iter().map(|worker| worker.states).max();
        assert!(most.is_some_and(|most| most < found.states * 13 / 10 / many));
        // Of three customers' steps those of one or two lead to others; with a hash of all bits it is more than a third.
        let sent: u64 = sharing.workers.iter().map(|worker| worker.sent / 8).sum();
        assert!(
            sent * 100 < found.edges * 27,
            "{sent} of {} steps lead away",
            found.edges
        );
    }
}

/// Some hundred thousand states of eight words each.
const WIDE: &str = "
var pad: array[0..7] of 0..1099511627775
process p(i in 0..4) { var x: 0..12 loop { when x < 12 do x = x + 1 } }
";

#[test]
fn memory_adds_up_where_states_have_several_words_too() {
    let drawn = read::text(WIDE.to_owned(), &Settings::default()).expect("it is right");
    let options = Options {
        reduction: Reduction::None,
        keep_dead_variables: true,
        ..Options::default()
    };
    let alone =
        explore(&drawn.system, &options, Caller::default(), &mut Nothing).expect("they are small");
    let together = Together::new(2, 1, None);
    let shared =
        explore(&drawn.system, &options, together.caller(), &mut Nothing).expect("they are small");
    assert_eq!((alone.states, alone.edges), (371_293, 1_713_660));
    assert_eq!((shared.states, shared.edges), (371_293, 1_713_660));
    let sharing = shared.sharing.expect("several have searched");
    let most = sharing.workers.iter().map(|worker| worker.bytes).max();
    let most = most.expect("there are workers");
    let of_one = alone.bytes_per_state * alone.states as f64;
    assert!((most as f64) < of_one * 0.8, "{most} bytes of {of_one}");
    // Two of five counters decide, or one.
    let sent: u64 = sharing.workers.iter().map(|worker| worker.sent).sum();
    let bytes = 8 * 8;
    assert!(sent < shared.edges * bytes / 4, "{sent} bytes");
}

/// Variables of which one at most is not 0. Each has hundreds of values, so that the numbers of all
/// values take more bits than a word has.
const MANY_VALUES: &str = "
var x: array[0..8] of 0..1099511627775
var busy: 0..1
process p(i in 0..8) {
    loop {
        when busy == 0 do { x[i] = any 0..299; busy = 1 }
        do { x[i] = 0; busy = 0 }
    }
}
invariant small: x[7] < 250
";

#[test]
fn states_are_kept_whole_where_a_word_has_no_bits_for_their_values() {
    let drawn = read::text(MANY_VALUES.to_owned(), &Settings::default()).expect("it is right");
    let options = Options {
        reduction: Reduction::None,
        keep_dead_variables: true,
        ..Options::default()
    };
    let alone =
        explore(&drawn.system, &options, Caller::default(), &mut Nothing).expect("they are small");
    for (processes, workers) in [(2, 1), (2, 2)] {
        let together = Together::new(processes, workers, None);
        let shared = explore(&drawn.system, &options, together.caller(), &mut Nothing);
        let shared = shared.expect("they are small");
        let counts = |of: &Exploration| [of.states, of.edges, of.terminal, of.failing];
        assert_eq!(counts(&shared), counts(&alone));
        let asked: Vec<_> = drawn
            .properties
            .iter()
            .map(|named| named.property.clone())
            .collect();
        let found =
            check(&drawn.system, &asked, &options, together.caller()).expect("they are small");
        let violated = found.iter().filter_map(|outcome| match &outcome.verdict {
            Verdict::Violated { trace, .. } => Some(trace.len()),
            Verdict::Holds | Verdict::Undecided(_) => None,
        });
        assert!(violated.clone().any(|steps| steps == 1), "{found:?}");
    }
}
