//! Queries to the planner, without a search.

use std::num::{NonZeroU32, NonZeroUsize};

use super::*;
use crate::options::Limits;
use crate::options::{Quick, RandomRuns, Use};
use crate::properties::Goals;
use crate::properties::Preserved;
use crate::verdict::{Finding, Reason};

fn facts(preserved: Preserved, conclusion: Conclusion) -> Facts {
    Facts {
        preserved,
        conclusion,
    }
}

fn deadlock() -> Facts {
    facts(Preserved::Always, Conclusion::Holds)
}

fn invariant() -> Facts {
    facts(Preserved::WithoutIgnoring, Conclusion::Holds)
}

fn must() -> Facts {
    let avoiding = Conclusion::Avoiding(Finding::NoTerminalReachable);
    facts(Preserved::Never, avoiding)
}

fn recurrence() -> Facts {
    let recurring = Conclusion::Recurring(Finding::NoTerminalReachable);
    facts(Preserved::WithCycleProviso, recurring)
}

fn termination() -> Facts {
    let reaching = Conclusion::Reaching(Goals::Terminal, Finding::NoTerminalReachable);
    facts(Preserved::Always, reaching)
}

fn request<'a>(options: &'a Options, properties: &'a [Facts]) -> Request<'a> {
    Request {
        options,
        stage: Stage::Plain,
        properties,
        has_disk: false,
        has_others: false,
        permutes: false,
        words: 1,
        explores: false,
        is_first: true,
    }
}

fn plain() -> Options {
    Options {
        reduction: Reduction::None,
        ..Options::default()
    }
}

/// How an attempt ends, with how many of the first properties decided and so many states.
type End = (Ended, usize, u64);

fn complete(decided: usize) -> End {
    (Ended::Complete, decided, 10)
}

fn limit(reason: Reason) -> End {
    (Ended::Limit(reason), 0, 10)
}

/// The attempts of a plan in which they end so.
fn attempts(request: &Request<'_>, ends: &[End]) -> Vec<Attempt> {
    let mut history: Vec<Finished> = Vec::new();
    let mut plan = Vec::new();
    while let Some(attempt) = next_attempt(request, &history) {
        assert!(!attempt.why.is_empty());
        plan.push(attempt.clone());
        let Some((ended, decided, states)) = ends.get(history.len()).cloned() else {
            break;
        };
        history.push(Finished {
            attempt,
            ended,
            states,
            edges: states,
            seconds: 0.0,
            open: (decided..request.properties.len()).collect(),
        });
    }
    plan
}

fn planned(request: &Request<'_>, ends: &[End]) -> Vec<(Strategy, StatesIn, Numbers)> {
    let plan = attempts(request, ends).into_iter();
    plan.map(|one| (one.strategy, one.states_in, one.numbers))
        .collect()
}

fn first(request: &Request<'_>) -> (Strategy, StatesIn, Numbers) {
    planned(request, &[])[0]
}

const REDUCED: (Strategy, StatesIn, Numbers) =
    (Strategy::StubbornSets, StatesIn::Memory, Numbers::UntilWide);
const REDUCED_UNNUMBERED: (Strategy, StatesIn, Numbers) =
    (Strategy::StubbornSets, StatesIn::Memory, Numbers::None);
const REDUCED_NUMBERED: (Strategy, StatesIn, Numbers) =
    (Strategy::StubbornSets, StatesIn::Memory, Numbers::All);
const NUMBERED: (Strategy, StatesIn, Numbers) = (Strategy::Plain, StatesIn::Memory, Numbers::All);
const UNNUMBERED: (Strategy, StatesIn, Numbers) =
    (Strategy::Plain, StatesIn::Memory, Numbers::None);
const ON_DISK: (Strategy, StatesIn, Numbers) = (Strategy::Plain, StatesIn::Disk, Numbers::None);
const TOGETHER_REDUCED: (Strategy, StatesIn, Numbers) = (
    Strategy::StubbornSets,
    StatesIn::OtherProcesses,
    Numbers::None,
);
const TOGETHER: (Strategy, StatesIn, Numbers) =
    (Strategy::Plain, StatesIn::OtherProcesses, Numbers::None);

#[test]
fn nothing_is_searched_for_no_property() {
    assert_eq!(next_attempt(&request(&Options::default(), &[]), &[]), None);
}

#[test]
fn hashed_states_are_those_of_a_reduced_search_and_then_of_a_plain_one() {
    let options = Options {
        storage: Storage::Bitstate { bits: 20 },
        ..Options::default()
    };
    let asked = [invariant()];
    let hashed = |strategy| (strategy, StatesIn::Hashes, Numbers::None);
    let ends = [complete(0), complete(0)];
    let plan = planned(&request(&options, &asked), &ends);
    assert_eq!(plan, [Strategy::StubbornSets, Strategy::Plain].map(hashed));
    let plan = planned(&request(&options, &asked), &[limit(Reason::Time)]);
    assert_eq!(plan, [hashed(Strategy::StubbornSets)]);
    let all = Options {
        reduction: Reduction::None,
        ..options
    };
    let plan = planned(&request(&all, &asked), &ends);
    assert_eq!(plan, [hashed(Strategy::Plain)]);
}

#[test]
fn a_small_plain_search_comes_before_a_reduction_where_it_is_asked_for() {
    let options = Options {
        plain_first: NonZeroU32::new(1000),
        ..Options::default()
    };
    let asked = [deadlock()];
    let small = next_attempt(&request(&options, &asked), &[]).expect("a first attempt");
    assert_eq!(small.strategy, Strategy::SmallPlain);
    assert_eq!(small.max_states, Some(1000));
    let plan = planned(&request(&options, &asked), &[(Ended::NotSmall, 0, 1000)]);
    assert_eq!(plan[1], REDUCED);
    let turned = Request {
        stage: Stage::Turned,
        is_first: false,
        ..request(&options, &asked)
    };
    assert_eq!(first(&turned), REDUCED);
}

#[test]
fn a_reduced_search_decides_what_stubborn_sets_preserve_and_the_plain_one_the_rest() {
    let options = Options::default();
    let asked = [deadlock(), must()];
    let request = request(&options, &asked);
    assert_eq!(planned(&request, &[complete(2)]), [REDUCED]);
    assert_eq!(planned(&request, &[complete(1)]), [REDUCED, NUMBERED]);
}

#[test]
fn what_stubborn_sets_never_preserve_is_searched_plainly_at_once() {
    assert_eq!(first(&request(&Options::default(), &[must()])), NUMBERED);
    assert_eq!(first(&request(&plain(), &[invariant()])), UNNUMBERED);
}

#[test]
fn a_reduced_search_with_wide_layers_goes_on_without_numbers_and_back_if_it_must() {
    let options = Options::default();
    let asked = [deadlock()];
    let wide = (Ended::SeemsToNeedNoNumbers, 0, 8192);
    let ends = [wide, (Ended::NeedsNumbers, 0, 9000), complete(1)];
    let plan = planned(&request(&options, &asked), &ends);
    assert_eq!(plan, [REDUCED, REDUCED_UNNUMBERED, REDUCED_NUMBERED]);
}

#[test]
fn the_plain_search_follows_stubborn_sets_that_do_not_pay() {
    let options = Options::default();
    for asked in [[deadlock(), invariant()], [recurrence(), recurrence()]] {
        let request = request(&options, &asked);
        let plan = planned(&request, &[(Ended::Unprofitable, 0, 5000)]);
        assert_eq!((plan[0], plan[1].0), (REDUCED, Strategy::Plain));
    }
}

fn weighing() -> Options {
    Options {
        weighs_plain: true,
        ..Options::default()
    }
}

/// The strategies of a plan and the most edges of its attempts.
fn strategies(request: &Request<'_>, ends: &[End]) -> Vec<(Strategy, Option<u64>)> {
    let plan = attempts(request, ends).into_iter();
    plan.map(|one| (one.strategy, one.max_edges)).collect()
}

#[test]
fn the_plain_search_is_tried_where_less_than_half_is_left_out() {
    use Strategy::{SmallPlain, StubbornSets};
    let options = weighing();
    let small = (Ended::NotSmall, 0, 1000);
    for (last, states, edges) in [
        (invariant(), 150, EDGES_OF_LONG_TRY),
        (must(), 500, EDGES_OF_TRY_FOR_ALL),
    ] {
        let asked = [deadlock(), last];
        let compared = (Ended::Compared(states), 0, 5000);
        let ends = [small.clone(), compared, small.clone(), complete(2)];
        let plan = strategies(&request(&options, &asked), &ends);
        let expected = [
            (StubbornSets, None),
            (SmallPlain, Some(EDGES_COMPARED)),
            (SmallPlain, Some(edges)),
            (StubbornSets, None),
        ];
        assert_eq!(plan, expected);
    }
    let asked = [deadlock(), invariant()];
    let ends = [small, (Ended::Compared(500), 0, 5000)];
    let plan = strategies(&request(&options, &asked), &ends);
    assert_eq!(plan[2], (StubbornSets, None));
}

#[test]
fn the_plain_search_follows_at_once_where_hardly_anything_is_left_out() {
    let options = weighing();
    let asked = [invariant()];
    let ends = [(Ended::NotSmall, 0, 1000), (Ended::Compared(110), 0, 5000)];
    let plan = planned(&request(&options, &asked), &ends);
    assert_eq!((plan.len(), plan[2]), (3, UNNUMBERED));
}

#[test]
fn the_plain_search_is_tried_before_symmetry_and_not_again() {
    use Strategy::{SmallPlain, StubbornSets};
    let options = weighing();
    let asked = [deadlock()];
    let of_stage = |stage, is_first| Request {
        stage,
        is_first,
        ..request(&options, &asked)
    };
    let (compared, small) = ((Ended::Compared(110), 0, 5000), (Ended::NotSmall, 0, 9000));
    let ends = [limit(Reason::States(1000)), compared, small];
    let plan = strategies(&of_stage(Stage::First, true), &ends);
    let plan: Vec<Strategy> = plan.iter().map(|one| one.0).collect();
    assert_eq!(plan, [StubbornSets, SmallPlain, SmallPlain]);
    let later = of_stage(Stage::Plain, false);
    let attempt = next_attempt(&later, &[]).expect("a first attempt");
    assert_eq!((attempt.strategy, attempt.max_states), (StubbornSets, None));
}

#[test]
fn no_plain_search_is_tried_where_the_counts_of_a_reduction_are_asked_for() {
    let shows = [
        Options {
            keep_dead_variables: true,
            ..weighing()
        },
        Options {
            limits: Limits {
                max_states: Some(5000),
                ..Limits::default()
            },
            ..weighing()
        },
        Options::default(),
    ];
    let asked = [deadlock()];
    for options in shows {
        let attempt = next_attempt(&request(&options, &asked), &[]).expect("a first attempt");
        assert_eq!(attempt.max_states, options.limits.max_states);
    }
}

#[test]
fn random_runs_are_all_that_is_made_where_they_are_asked_for() {
    let options = Options {
        search: Search::Random(RandomRuns::ENDLESS),
        reduction: Reduction::None,
        ..Options::default()
    };
    let asked = [deadlock(), must()];
    let request = request(&options, &asked);
    let plan = planned(&request, &[complete(2)]);
    let strategies: Vec<Strategy> = plan.iter().map(|one| one.0).collect();
    assert_eq!(strategies, [Strategy::RandomRuns]);
}

#[test]
fn recurrences_that_are_left_alone_are_decided_with_a_cycle_proviso() {
    let options = Options::default();
    let asked = [deadlock(), recurrence()];
    let plan = planned(&request(&options, &asked), &[complete(1)]);
    assert_eq!(plan[1].0, Strategy::CycleProviso);
    let asked = [deadlock(), recurrence(), must()];
    let plan = planned(&request(&options, &asked), &[complete(1)]);
    assert_eq!(plan[1].0, Strategy::Plain);
}

#[test]
fn sensitive_rounds_end_with_a_round_in_which_all_visible_steps_are_sensitive() {
    let options = Options {
        reduction: Reduction::SensitiveCycles,
        ..Options::default()
    };
    let asked = [invariant(), recurrence()];
    let ends = [(Ended::LastRoundIsNext, 0, 10), complete(1)];
    let plan = planned(&request(&options, &asked), &ends);
    let strategies: Vec<Strategy> = plan.iter().map(|one| one.0).collect();
    use Strategy::{CycleRounds, SensitiveRounds, StubbornSets};
    assert_eq!(strategies, [SensitiveRounds, StubbornSets, CycleRounds]);
}

#[test]
fn nothing_follows_a_few_quick_rounds() {
    let options = Options {
        reduction: Reduction::Sensitive,
        quick: Some(Quick {
            rounds: 3,
            states: 100,
        }),
        ..Options::default()
    };
    let asked = [invariant()];
    let plan = planned(&request(&options, &asked), &[complete(0)]);
    assert_eq!(plan.len(), 1);
    assert_eq!(plan[0].0, Strategy::SensitiveRounds);
}

#[test]
fn numbers_are_done_without_where_the_questions_cost_no_more() {
    let one = plain();
    let several = Options {
        threads: NonZeroUsize::new(8),
        ..one
    };
    let asked = [must(), must()];
    assert_eq!(first(&request(&one, &asked)), NUMBERED);
    assert_eq!(first(&request(&several, &asked)), UNNUMBERED);
    let wide = Request {
        words: 2,
        ..request(&several, &asked)
    };
    assert_eq!(first(&wide), NUMBERED);
    let permuted = Request {
        permutes: true,
        ..request(&several, &asked)
    };
    assert_eq!(first(&permuted), NUMBERED);
    let never = Options {
        unnumbered: Use::Never,
        ..several
    };
    assert_eq!(first(&request(&never, &[deadlock()])), NUMBERED);
    let seen = Options {
        tells_seen: true,
        ..one
    };
    assert_eq!(first(&request(&seen, &[deadlock()])), NUMBERED);
}

#[test]
fn a_search_without_numbers_that_was_not_enough_is_made_again_with_numbers() {
    let options = plain();
    let asked = [deadlock()];
    let ends = [(Ended::NeedsNumbers, 0, 10), complete(1)];
    let plan = planned(&request(&options, &asked), &ends);
    assert_eq!(plan, [UNNUMBERED, NUMBERED]);
}

#[test]
fn a_limit_ends_the_plan_and_memory_leads_to_the_disk() {
    let options = plain();
    let asked = [deadlock()];
    let alone = request(&options, &asked);
    let with_disk = Request {
        has_disk: true,
        ..alone
    };
    let full = limit(Reason::Memory(1));
    assert_eq!(planned(&alone, &[limit(Reason::Time)]), [UNNUMBERED]);
    assert_eq!(planned(&alone, std::slice::from_ref(&full)), [UNNUMBERED]);
    let plan = planned(&with_disk, &[full, complete(0)]);
    assert_eq!(plan, [UNNUMBERED, ON_DISK]);
}

#[test]
fn an_exploration_keeps_its_reduction_on_the_disk() {
    let options = Options::default();
    let asked = [Facts::of_all_states()];
    let exploring = Request {
        has_disk: true,
        explores: true,
        ..request(&options, &asked)
    };
    let plan = planned(&exploring, &[limit(Reason::Memory(1)), complete(1)]);
    assert_eq!(
        plan[1],
        (Strategy::StubbornSets, StatesIn::Disk, Numbers::None)
    );
    let plan = planned(&exploring, &[(Ended::NeedsNumbers, 0, 10), complete(1)]);
    assert_eq!(plan[1], REDUCED_NUMBERED);
}

#[test]
fn a_limit_of_the_stage_leaves_everything_to_the_next_stage() {
    let options = plain();
    let asked = [deadlock()];
    let stage = Request {
        stage: Stage::First,
        has_disk: true,
        ..request(&options, &asked)
    };
    let plan = planned(&stage, &[limit(Reason::States(1000))]);
    assert_eq!(plan, [UNNUMBERED]);
    let attempt = next_attempt(&stage, &[]).expect("a first attempt");
    assert_eq!(attempt.max_states, Some(1000));
}

#[test]
fn processes_share_the_reduced_search_and_then_the_plain_one() {
    let options = Options::default();
    let asked = [termination(), invariant()];
    let shared = Request {
        has_others: true,
        ..request(&options, &asked)
    };
    let plan = planned(&shared, &[complete(0), complete(2)]);
    assert_eq!(plan, [TOGETHER_REDUCED, TOGETHER]);
    let plan = planned(&shared, &[complete(0), limit(Reason::Memory(1))]);
    assert_eq!(plan, [TOGETHER_REDUCED, TOGETHER]);
    // What stubborn sets do not preserve follows however the reduced search ended.
    let asked = [deadlock(), must()];
    let shared = Request {
        properties: &asked,
        ..shared
    };
    let plan = planned(&shared, &[(Ended::Limit(Reason::Time), 1, 10)]);
    assert_eq!(plan, [TOGETHER_REDUCED, TOGETHER]);
}

#[test]
fn plain_searches_are_tried_whenever_preparation_has_grown_four_times() {
    let mut tries = Tries::default();
    let tried: Vec<u64> = (0..1_000).filter_map(|_| tries.spend(100)).collect();
    assert_eq!(tried, [2_100, 8_200, 32_800]);
}

#[test]
fn a_plan_is_the_same_whatever_the_deadline() {
    let asked = [deadlock(), must()];
    let limited = Options {
        limits: Limits {
            deadline: Some(std::time::Instant::now()),
            ..Limits::default()
        },
        ..Options::default()
    };
    let plan = |options: &Options| planned(&request(options, &asked), &[complete(1)]);
    assert_eq!(plan(&limited), plan(&Options::default()));
}
