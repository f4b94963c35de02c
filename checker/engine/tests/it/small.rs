//! Models of which it takes longer to find out how steps depend on each other than to go through all states.

use std::num::NonZeroU32;

use stubborn_engine::{Caller, Options, Outcome, Reduction, SMALL, Search, Verdict, check};
use stubborn_system::property::Property;

use crate::monitors::model;

/// Two who by themselves could be in a thousand local states each, if somebody let them while they are there: `x` is 3
/// only when both are gone. `counters` count besides, and nobody looks.
fn waiting(counters: usize) -> String {
    format!(
        "
var x: 0..3
process wide(i in 0..1) {{
    var a, b: 0..40
    initial state here {{
        when x == 3 and a < 40 do a = a + 1 -> here
        when x == 3 and b < 40 do b = b + 1 -> here
        when x == 1 and a + b == 0          -> gone
    }}
    final state gone
}}
process guide {{
    x = 1
    await wide(0)@gone and wide(1)@gone
    x = 3
}}
process counter(i in 1..{counters}) {{
    var c: 0..40
    while c < 40 {{ await x != 2 do c = c + 1 }}
}}
invariant in_order: x == 3 implies wide(0)@gone and wide(1)@gone
invariant in_vain: x != 3
invariant counted: forall i in 1..{counters}: counter(i).c <= 40
"
    )
}

fn checked(counters: usize, search: Search) -> Vec<Outcome> {
    checked_with(
        &waiting(counters),
        &Options {
            search,
            ..Options::default()
        },
    )
}

fn checked_with(text: &str, options: &Options) -> Vec<Outcome> {
    let of = model(text);
    let properties: Vec<Property> = (of.model.properties.iter())
        .map(|one| one.property.clone())
        .collect();
    check(&of.model.system, &properties, options, Caller::default()).expect("a small state")
}

#[test]
fn where_preparing_would_take_longer_than_all_states_these_decide_and_nothing_is_left_out() {
    for search in [Search::Breadth, Search::Depth] {
        let outcomes = checked(1, search);
        for outcome in &outcomes {
            assert_eq!(outcome.reduction, Reduction::None);
            assert!(outcome.states < 1_000, "{}", outcome.states);
        }
        let violated = outcomes
            .iter()
            .filter(|outcome| outcome.verdict.is_violated());
        assert_eq!(violated.count(), 1, "in_vain");
    }
}

#[test]
fn where_there_are_more_states_than_that_they_are_left_out_as_ever() {
    let outcomes = checked(4, Search::Breadth);
    let decided: Vec<&Outcome> = (outcomes.iter())
        .filter(|outcome| outcome.reduction != Reduction::None)
        .collect();
    assert!(!decided.is_empty());
    for outcome in decided {
        assert_eq!(outcome.verdict, Verdict::Holds);
        assert!(!outcome.full);
    }
    // What was met on the way is told, wherever that was.
    let violated = outcomes
        .iter()
        .filter(|outcome| outcome.verdict.is_violated());
    assert_eq!(violated.count(), 1, "in_vain");
}

/// So many who count by themselves, to three each.
fn counting(counters: usize) -> String {
    format!(
        "
process counter(i in 1..{counters}) {{
    var c: 0..3
    while c < 3 {{ c = c + 1 }}
    c = 0
}}
invariant counted: forall i in 1..{counters}: counter(i).c <= 3
invariant below: counter(1).c + counter(2).c < 3
recurrence ends: infinitely counter(1)@end implies infinitely counter(2)@end
"
    )
}

#[test]
fn whoever_asks_for_it_has_a_small_model_decided_with_nothing_left_out() {
    let text = counting(3);
    let options = Options::default();
    let leaves_out = checked_with(&text, &options);
    assert!(leaves_out.iter().any(|outcome| !outcome.full));
    let plainly = Options {
        plain_first: SMALL,
        ..options
    };
    let all = Options {
        reduction: Reduction::None,
        ..options
    };
    let found = checked_with(&text, &plainly);
    for (outcome, all) in found.iter().zip(checked_with(&text, &all)) {
        assert_eq!(outcome.verdict, all.verdict);
        assert_eq!((outcome.states, outcome.edges), (all.states, all.edges));
        assert_eq!((outcome.reduction, outcome.full), (all.reduction, all.full));
    }
}

#[test]
fn what_a_few_states_show_of_a_larger_model_is_told_and_for_the_rest_steps_are_left_out() {
    let text = counting(6);
    let options = Options {
        plain_first: NonZeroU32::new(100),
        ..Options::default()
    };
    let found = checked_with(&text, &options);
    let all = Options {
        reduction: Reduction::None,
        ..Options::default()
    };
    for (outcome, all) in found.iter().zip(checked_with(&text, &all)) {
        match (&outcome.verdict, &all.verdict) {
            (
                Verdict::Violated { trace, .. },
                Verdict::Violated {
                    trace: shortest, ..
                },
            ) => {
                assert!(outcome.states <= 101, "{}", outcome.states);
                assert_eq!(trace.len(), shortest.len());
            }
            (verdict, all_say) => {
                assert_eq!(verdict, all_say);
                // What depends on two of them alone has few states.
                assert!(!outcome.full || outcome.states <= 100, "{outcome:?}");
            }
        }
    }
    assert!(found.iter().any(|outcome| outcome.verdict.is_violated()));
    assert!(found.iter().any(|outcome| !outcome.full));
}

#[test]
fn a_model_of_few_states_is_not_small_where_very_many_steps_lead_to_them() {
    let text = "
process chooser(i in 1..6) {
    var k: 0..9999
    initial state choosing { do { k = any 0..9999; k = k / 10000 } -> chosen }
    state chosen           { when k == 0 -> done }
    final state done
}
";
    let options = Options::default();
    let plainly = Options {
        plain_first: SMALL,
        ..options
    };
    let found = checked_with(text, &plainly);
    for (outcome, as_ever) in found.iter().zip(checked_with(text, &options)) {
        assert_eq!(outcome.verdict, Verdict::Holds);
        let figures = (outcome.states, outcome.edges, outcome.reduction);
        let as_ever = (as_ever.states, as_ever.edges, as_ever.reduction);
        assert_eq!(figures, as_ever);
    }
}
