//! The models of A. Valmari's "Stop it, and be stubborn!" (ACSD 2015), Table I, plain.

use std::ops::ControlFlow;

use crate::by_hand::explored as explored_by_hand;
use crate::models::peterson::{Version, access, mutex, peterson};
use stubborn_engine::packed::Packed;
use stubborn_engine::reduction::Stubborn;
use stubborn_engine::related::{Bounds, Related};
use stubborn_engine::{
    Caller, Exploration, Finding, Options, Order, Outcome, Reduction, Search, Sink, Use, Verdict,
    check, explore,
};
use stubborn_system::property::Property;

struct Counts;

impl Sink for Counts {
    fn wants_edges(&self) -> bool {
        false
    }
}

fn options(search: Search, order: Order) -> Options {
    Options {
        search,
        order,
        reduction: Reduction::None,
        ..Options::default()
    }
}

fn all_options() -> impl Iterator<Item = Options> {
    let searches = [Search::Breadth, Search::Depth].into_iter();
    searches.flat_map(|search| {
        let orders = [Order::Forward, Order::Reverse].into_iter();
        orders.map(move |order| options(search, order))
    })
}

fn explored(customers: u32, version: Version, options: &Options) -> Exploration {
    let system = peterson(customers, version);
    explore(&system, options, Caller::default(), &mut Counts).expect("its states are small")
}

fn counts(customers: u32, version: Version) -> (u64, u64, u64) {
    let found = explored(
        customers,
        version,
        &options(Search::Breadth, Order::Forward),
    );
    assert!(found.complete && found.full);
    assert_eq!(found.failing, 0);
    (found.states, found.edges, found.terminal)
}

#[test]
fn the_counts_of_two_and_three_customers_are_those_of_the_paper() {
    assert_eq!(counts(2, Version::NotRevealing), (133, 266, 0));
    assert_eq!(counts(3, Version::NotRevealing), (38_038, 114_114, 0));
    assert_eq!(counts(2, Version::Revealing), (163, 326, 1));
    assert_eq!(counts(3, Version::Revealing), (43_675, 131_025, 1));
    assert_eq!(counts(2, Version::Correct), (574, 1_148, 8));
    assert_eq!(counts(3, Version::Correct), (96_854, 290_562, 27));
}

#[test]
fn depth_first_and_reverse_find_as_many_states_and_edges() {
    for options in all_options() {
        let found = explored(3, Version::Correct, &options);
        assert_eq!(
            (found.states, found.edges),
            (96_854, 290_562),
            "{options:?}"
        );
        assert_eq!(found.terminal, 27);
    }
}

/// What looking from the present state leaves (`papers.md`, "What rules found by the tool can reach"): the walk that
/// judges it finds that it pays here, and not where there are few states.
#[test]
fn what_others_can_still_do_makes_the_sets_of_three_customers_smaller() {
    let reduced = |customers, foresight| {
        let options = Options {
            reduction: Reduction::Stubborn,
            keep_dead_variables: true,
            foresight,
            ..Options::default()
        };
        let found = explored(customers, Version::Correct, &options);
        assert!(found.complete);
        (found.states, found.edges, found.terminal)
    };
    assert_eq!(reduced(3, Use::Never), (36_685, 61_959, 27));
    assert_eq!(reduced(3, Use::Always), (28_510, 45_096, 27));
    assert_eq!(reduced(3, Use::WhereItPays), (28_510, 45_096, 27));
    assert_eq!(reduced(2, Use::Always), (332, 446, 8));
    assert_eq!(reduced(2, Use::WhereItPays), (342, 463, 8));
}

/// The sets are a function of the state, whatever is remembered of what others can do.
#[test]
fn what_was_forgotten_of_what_others_can_still_do_is_found_out_again() {
    let system = peterson(3, Version::Correct);
    let packed = Packed::new(&system).expect("its states are small");
    let all = Bounds::default();
    for (reaches, futures) in [
        (all.reaches, all.futures),
        (0, 0),
        (50, 1 << 12),
        (1 << 18, 5),
    ] {
        let bounds = Bounds {
            reaches,
            futures,
            ..all
        };
        let related = Related::within(bounds, &packed, &[], &mut |_| ControlFlow::Continue(()));
        let related = related.continue_value().expect("nothing breaks it off");
        let stubborn = Stubborn::new(related).foreseeing(Use::Always);
        let (states, ends) = explored_by_hand(&stubborn);
        assert_eq!((states, ends.len()), (28_510, 27), "{reaches}, {futures}");
    }
}

fn verdicts(customers: u32, version: Version, options: &Options) -> Vec<Outcome> {
    let mut properties = vec![
        Property::Errors,
        Property::Deadlock { allowed: None },
        Property::Termination,
        Property::Invariant(mutex(customers)),
    ];
    properties.extend((0..customers).map(|i| Property::MayProgress(access(i, version))));
    let system = peterson(customers, version);
    check(&system, &properties, options, Caller::default()).expect("its states are small")
}

fn holds(outcomes: &[Outcome]) -> Vec<bool> {
    outcomes
        .iter()
        .map(|outcome| match &outcome.verdict {
            Verdict::Holds => true,
            Verdict::Violated { .. } => false,
            Verdict::Undecided(reason) => panic!("undecided: {reason:?}"),
        })
        .collect()
}

#[test]
fn only_the_mutex_violating_model_violates_mutual_exclusion_and_only_the_revealing_one_progress() {
    for options in all_options() {
        let verdicts = |version| holds(&verdicts(2, version, &options));
        let expected = [true, true, false, true, true, true];
        assert_eq!(verdicts(Version::NotRevealing), expected);
        let expected = [true, true, false, true, false, false];
        assert_eq!(verdicts(Version::Revealing), expected);
        let expected = [true, true, true, true, true, true];
        assert_eq!(verdicts(Version::Correct), expected);
        let expected = [true, true, true, false, true, true];
        assert_eq!(verdicts(Version::MutexViolating), expected);
    }
}

#[test]
fn three_customers_have_the_verdicts_of_two() {
    let verdicts = |version| holds(&verdicts(3, version, &Options::default()));
    let expected = [true, true, true, true, true, true, true];
    assert_eq!(verdicts(Version::Correct), expected);
    let expected = [true, true, true, false, true, true, true];
    assert_eq!(verdicts(Version::MutexViolating), expected);
    assert!(verdicts(Version::Revealing)[4..].contains(&false));
}

#[test]
fn the_search_for_a_mutual_exclusion_error_ends_at_the_error() {
    let system = peterson(2, Version::MutexViolating);
    let properties = [Property::Invariant(mutex(2))];
    let options = Options {
        keep_dead_variables: true,
        ..options(Search::Breadth, Order::Reverse)
    };
    let outcomes =
        check(&system, &properties, &options, Caller::default()).expect("its states are small");
    let outcome = &outcomes[0];
    let Verdict::Violated { finding, trace } = &outcome.verdict else {
        panic!("{outcome:?}");
    };
    assert_eq!(*finding, Finding::InvariantFalse);
    assert!(!outcome.full);
    let full = explored(2, Version::MutexViolating, &options);
    assert!(outcome.states < full.states);
    assert_eq!(
        trace.last().instances[0].location,
        crate::models::peterson::CRITICAL
    );
    assert_eq!(
        trace.last().instances[1].location,
        crate::models::peterson::CRITICAL
    );
    // The paper's figures: its tool takes a state's transitions from the last to the first. (Not
    // quite in this order: it has all that let a customer stop last, which shows with three.)
    assert_eq!((outcome.states, outcome.edges), (336, 602));
}
