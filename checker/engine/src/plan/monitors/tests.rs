//! Queries to the planner of properties of runs, without a search.

use std::num::NonZeroUsize;

use super::*;
use crate::options::{Quick, Reduction};

fn plain() -> Options {
    Options {
        reduction: Reduction::None,
        ..Options::default()
    }
}

#[test]
fn each_monitor_is_tried_beside_a_slice_and_then_beside_the_whole_system() {
    let options = Options::default();
    let beside = |monitor, sliced| Some(Strategy::BesideMonitor { monitor, sliced });
    let next = |last| {
        let attempt = next_beside_monitor(&options, 2, last);
        attempt.map(|attempt| attempt.strategy)
    };
    let (long, not) = (&Ended::CycleTooLong, &Ended::NotConfirmed);
    assert_eq!(next(None), beside(0, true));
    assert_eq!(next(Some((0, true, long))), beside(0, false));
    assert_eq!(next(Some((0, false, long))), beside(1, true));
    assert_eq!(next(Some((0, true, not))), beside(1, true));
    assert_eq!(next(Some((1, true, not))), None);
    assert_eq!(next(Some((0, true, &Ended::Complete))), None);
    let whole = Options {
        keep_dead_variables: true,
        ..plain()
    };
    let attempt = next_beside_monitor(&whole, 1, None).expect("a first attempt");
    assert_eq!(Some(attempt.strategy), beside(0, false));
}

#[test]
fn fair_runs_are_searched_for_in_a_slice_and_then_in_the_whole_system() {
    let options = Options::default();
    let fair = |sliced| Some(Strategy::FairRuns { sliced });
    let next = |last| next_for_fair_runs(&options, last).map(|attempt| attempt.strategy);
    let long = &Ended::CycleTooLong;
    assert_eq!(next(None), fair(true));
    assert_eq!(next(Some((true, long))), fair(false));
    assert_eq!(next(Some((false, long))), None);
    assert_eq!(next(Some((true, &Ended::NotConfirmed))), None);
}

#[test]
fn few_states_are_searched_for_all_runs_before_fair_ones() {
    use Runs::{All, Fair};
    let searches = |max_states, is_monitored| {
        let mut options = Options::default();
        options.limits.max_states = max_states;
        searches_for_fair_runs(&options, is_monitored)
    };
    let few = [(All, Some(ALL_RUNS_FIRST)), (Fair, Some(FAIR_RUNS_FIRST))];
    let all = |most| [(All, most), (Fair, most)];
    assert_eq!(searches(None, true), [few, all(None)].concat());
    let (low, high) = (Some(100), Some(10_000));
    assert_eq!(searches(low, true), all(low));
    assert_eq!(searches(high, true), [&few[..1], &all(high)].concat());
    assert_eq!(searches(None, false), [(Fair, None)]);
}

/// The marks of two states; `rest` are those of the second.
fn marks(infinite: bool, livelock: bool, rest: Marks) -> [Marks; 2] {
    let first = Marks {
        infinite,
        livelock,
        ..Marks::default()
    };
    [first, rest]
}

#[test]
fn the_cheapest_search_that_decides_is_chosen() {
    let other = Marks::default();
    let rejecting = Marks {
        reject: true,
        ..other
    };
    let nested = Algorithm::Nested { error_last: false };
    for (marks, algorithm) in [
        (marks(false, true, rejecting), Algorithm::OnePass),
        (marks(true, false, other), nested),
        (marks(true, true, rejecting), Algorithm::TwoVisit),
        (marks(true, true, other), Algorithm::FourPass),
    ] {
        let beside = MonitorSearch::new(&marks, true, &Options::default());
        assert_eq!((beside.algorithm, beside.decides), (algorithm, true));
        assert_eq!(beside.strategy, Strategy::StubbornSets);
    }
    let one_pass = Options {
        liveness: Liveness::OnePass,
        ..plain()
    };
    let beside = MonitorSearch::new(&marks(true, true, other), true, &one_pass);
    assert_eq!(beside.algorithm, Algorithm::OnePass);
    assert!(!beside.decides);
    assert_eq!(beside.strategy, Strategy::Plain);
}

#[test]
fn four_visits_to_a_state_are_worth_their_cost_with_stubborn_sets_alone() {
    for (options, is_worth) in [(Options::default(), true), (plain(), false)] {
        let beside = MonitorSearch::new(&marks(true, true, Marks::default()), true, &options);
        assert_eq!(beside.is_worth_testing(&options), is_worth);
    }
}

#[test]
fn rounds_are_those_that_the_options_ask_for() {
    for (reduction, strategy) in [
        (Reduction::Sensitive, Strategy::SensitiveRounds),
        (Reduction::SensitiveCycles, Strategy::CycleRounds),
    ] {
        let options = Options {
            reduction,
            ..Options::default()
        };
        let beside = |is_insensitive| {
            MonitorSearch::new(
                &marks(false, true, Marks::default()),
                is_insensitive,
                &options,
            )
            .strategy
        };
        assert_eq!(beside(true), strategy);
        assert_eq!(beside(false), Strategy::Plain);
    }
}

/// The proof that follows an attempt with this proof, or none.
fn next_proof(options: &Options, has_proof: bool, last: Option<(Proof, &Ended)>) -> Option<Proof> {
    let mut attempt = beside_monitor(options, 0, true);
    attempt.proof = last.map_or(Proof::None, |(proof, _)| proof);
    let ended = last.map(|(_, ended)| ended);
    let next = next_in_product(options, has_proof, &attempt, ended)?;
    Some(next.proof)
}

#[test]
fn a_proof_runs_beside_a_plain_search_on_several_threads_until_memory_runs_out() {
    let mut options = Options {
        threads: NonZeroUsize::new(2),
        ..Options::default()
    };
    options.limits.max_memory = Some(1 << 20);
    let memory = &Ended::Limit(Reason::Memory(1));
    let next = |last| next_proof(&options, true, last);
    assert_eq!(next(None), Some(Proof::Beside));
    assert_eq!(next(Some((Proof::Beside, memory))), Some(Proof::None));
    assert_eq!(next(Some((Proof::None, memory))), None);
    assert_eq!(next(Some((Proof::Beside, &Ended::Complete))), None);
    let unlimited = Options {
        limits: Limits::default(),
        ..options
    };
    let last = Some((Proof::Beside, memory));
    assert_eq!(next_proof(&unlimited, true, last), None);
}

#[test]
fn one_thread_searches_alone_where_a_proof_does_not_suit() {
    let several = Options {
        threads: NonZeroUsize::new(2),
        ..Options::default()
    };
    let quick = Quick {
        rounds: 1,
        states: 10,
    };
    let cases = [
        (several, false),
        (
            Options {
                quick: Some(quick),
                ..several
            },
            true,
        ),
        (
            Options {
                unnumbered: Use::Never,
                ..several
            },
            true,
        ),
        (
            Options {
                threads: NonZeroUsize::new(1),
                ..several
            },
            true,
        ),
    ];
    for (options, has_proof) in cases {
        assert_eq!(next_proof(&options, has_proof, None), Some(Proof::None));
    }
}

#[test]
fn a_proof_alone_is_followed_by_a_search_if_it_proves_nothing() {
    let options = Options {
        unnumbered: Use::Always,
        ..Options::default()
    };
    let next = |last| next_proof(&options, true, last);
    assert_eq!(next(None), Some(Proof::Alone));
    let not_proved = Some((Proof::Alone, &Ended::NotProved));
    assert_eq!(next(not_proved), Some(Proof::None));
    assert_eq!(next(Some((Proof::Alone, &Ended::Complete))), None);
}

#[test]
fn a_proof_has_a_quarter_of_the_memory() {
    let limits = Limits {
        max_memory: Some(1_000),
        own_memory: 100,
        ..Limits::default()
    };
    let (search, proof) = beside_each_other(limits);
    assert_eq!((search.own_memory, proof.own_memory), (350, 850));
}
