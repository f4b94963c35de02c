//! What is told where a limit ends a search.

use std::num::NonZeroUsize;

use stubborn_engine::{Limits, Options, Reason, Reduction, Verdict, check};
use stubborn_model::NamedProperty;
use stubborn_model::elaborate::Settings;
use stubborn_random::read;
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
    let drawn = read::text(WIDE.to_owned(), &Settings::default()).expect("it is right");
    let properties = asked(&drawn.properties);
    let options = Options {
        reduction: Reduction::None,
        threads: NonZeroUsize::new(1),
        limits: Limits {
            max_states: Some(500),
            ..Limits::default()
        },
        ..Options::default()
    };
    for (processes, workers) in [(2, 1), (2, 2)] {
        let together = Together::new(processes, workers, None);
        let found = check(&drawn.system, &properties, &options, &together);
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
    let options = Options {
        reduction: Reduction::None,
        limits: Limits {
            max_states: Some(500),
            ..Limits::default()
        },
        ..Options::default()
    };
    let together = Together::new(2, 1, None);
    let found = check(&drawn.system, &asked, &options, &together).expect("its states are small");
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
    let drawn = read::text(text.to_owned(), &Settings::default()).expect("it is right");
    let asked = asked(&drawn.properties);
    for most in [100, 1_000, 10_000] {
        let options = Options {
            reduction: Reduction::None,
            limits: Limits {
                max_states: Some(most),
                ..Limits::default()
            },
            ..Options::default()
        };
        let together = Together::new(2, 1, None);
        let found = check(&drawn.system, &asked, &options, &together);
        for outcome in found.expect("its states are small") {
            let reached = Verdict::Undecided(Reason::States(most));
            assert_eq!(outcome.verdict, reached);
            // Both may have as many before one knows of the other, and end what they have begun.
            assert!(outcome.states < 2 * most + 2 * BEGUN, "{}", outcome.states);
        }
    }
}
