//! Traces of depth-first searches are made as short as those of breadth-first ones.

use proptest::prelude::*;
use stubborn_engine::interpreter::replay;
use stubborn_engine::packed::Packed;
use stubborn_engine::shorten::{Budget, shorten};
use stubborn_engine::{
    Caller, Finding, Limits, Options, Order, Outcome, Reduction, Search, Trace, Verdict, check,
};
use stubborn_random::systems::Source;
use stubborn_system::property::Property;
use stubborn_system::system::{Expr, Step, System};

use crate::models::{go, instance, not};

/// Larger systems show nothing that these do not.
const MOST_STATES: u64 = 400;

fn checked(system: &System, properties: &[Property], search: Search, order: Order) -> Vec<Outcome> {
    let options = Options {
        search,
        order,
        reduction: Reduction::None,
        keep_dead_variables: true,
        limits: Limits {
            max_states: Some(MOST_STATES),
            ..Limits::default()
        },
        ..Options::default()
    };
    check(system, properties, &options, Caller::default()).expect("its states are small")
}

fn shortened(
    packed: &Packed<'_>,
    properties: &[Property],
    outcomes: &[Outcome],
    max_states: u64,
) -> Vec<Verdict> {
    let mut outcomes: Vec<Option<Outcome>> = outcomes.iter().cloned().map(Some).collect();
    let generated = outcomes
        .iter()
        .flatten()
        .next()
        .map_or(0, |outcome| outcome.states);
    let options = Options {
        limits: Limits {
            max_states: Some(max_states),
            ..Limits::default()
        },
        ..Options::default()
    };
    let budget = Budget {
        generated,
        held: 0,
        options: &options,
        caller: Caller::default(),
    };
    shorten(packed, properties, &mut outcomes, |_| true, &budget);
    let verdicts = outcomes.into_iter().flatten();
    verdicts.map(|outcome| outcome.verdict).collect()
}

fn length(trace: &Trace) -> usize {
    trace.steps().len() + trace.cycle().len()
}

/// The trace, which must be a run of the system.
fn trace_of<'a>(system: &System, verdict: &'a Verdict) -> Option<(&'a Finding, &'a Trace)> {
    match verdict {
        Verdict::Violated { finding, trace } => {
            assert_eq!(replay(system, trace), Ok(()));
            Some((finding, trace))
        }
        Verdict::Holds => None,
        Verdict::Undecided(reason) => panic!("undecided: {reason:?}"),
    }
}

fn is_small(outcomes: &[Outcome]) -> bool {
    let undecided = |o: &Outcome| matches!(o.verdict, Verdict::Undecided(_));
    !outcomes.iter().any(undecided)
}

fn traces_are_shortest(system: &System, properties: &[Property]) {
    let shortest = checked(system, properties, Search::Breadth, Order::Forward);
    if !is_small(&shortest) {
        return;
    }
    let packed = Packed::new(system).expect("its states are small");
    for order in [Order::Forward, Order::Reverse] {
        let long = checked(system, properties, Search::Depth, order);
        let shorter = shortened(&packed, properties, &long, MOST_STATES);
        for (at, property) in properties.iter().enumerate() {
            let by_breadth = trace_of(system, &shortest[at].verdict);
            let before = trace_of(system, &long[at].verdict);
            let after = trace_of(system, &shorter[at]);
            match (by_breadth, before, after) {
                (None, None, None) => {}
                (Some((_, by_breadth)), Some((_, before)), Some((_, after))) => {
                    assert!(length(after) <= length(before), "{property:?}");
                    if after.cycle().is_empty() && by_breadth.cycle().is_empty() {
                        assert_eq!(
                            after.steps().len(),
                            by_breadth.steps().len(),
                            "{property:?}"
                        );
                    } else {
                        assert!(length(after) <= length(by_breadth), "{property:?}");
                    }
                }
                _ => panic!("shortening has changed the verdict of {property:?}"),
            }
        }
    }
}

fn traces_stay_within_a_small_budget(system: &System, properties: &[Property], budget: u64) {
    let long = checked(system, properties, Search::Depth, Order::Reverse);
    if !is_small(&long) {
        return;
    }
    let packed = Packed::new(system).expect("its states are small");
    for (property, before) in properties.iter().zip(&long) {
        let one = std::slice::from_ref(before);
        let after = shortened(&packed, std::slice::from_ref(property), one, budget);
        let before = trace_of(system, &before.verdict).map(|(_, trace)| length(trace));
        let after = trace_of(system, &after[0]).map(|(_, trace)| length(trace));
        assert!(after <= before, "{property:?}");
        assert_eq!(after.is_some(), before.is_some(), "{property:?}");
    }
}

#[test]
fn a_trace_is_made_as_short_as_so_many_states_allow() {
    // Nine steps one after the other, and at the beginning a step to where they lead.
    let mut locations: Vec<Vec<Step>> = (1..=9).map(|next| vec![go(next)]).collect();
    locations[0].push(go(9));
    locations.push(vec![]);
    let system = System {
        instances: vec![instance(locations)],
        ..System::default()
    };
    let packed = Packed::new(&system).expect("its states are small");
    let properties = [Property::Invariant(not(Expr::At(0, vec![9])))];
    let long = checked(&system, &properties, Search::Depth, Order::Forward);
    let length_within = |states| {
        let verdicts = shortened(&packed, &properties, &long, states);
        trace_of(&system, &verdicts[0]).map(|(_, trace)| length(trace))
    };
    // The start, the first of the nine, and the end.
    assert_eq!([2, 3, 4].map(length_within), [Some(9), Some(1), Some(1)]);
}

fn cases() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok();
    ProptestConfig {
        cases: cases.and_then(|n| n.parse().ok()).unwrap_or(400),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn numbers() -> impl Strategy<Value = Vec<u16>> {
    proptest::collection::vec(any::<u16>(), 0..1200)
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn a_shortened_trace_is_as_short_as_one_of_a_breadth_first_search(
        numbers in numbers(),
        properties in numbers(),
    ) {
        let system = Source::new(&numbers).system();
        let properties = Source::new(&properties).properties(&system);
        traces_are_shortest(&system, &properties);
    }

    #[test]
    fn a_trace_within_a_small_budget_is_no_longer_than_it_was(
        numbers in numbers(),
        properties in numbers(),
        budget in 1u64..60,
    ) {
        let system = Source::new(&numbers).system();
        let properties = Source::new(&properties).properties(&system);
        traces_stay_within_a_small_budget(&system, &properties, budget);
    }
}
