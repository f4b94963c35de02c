//! What a search does when it may not go on, and with systems of unusual sizes.

mod plan;
mod shares;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::models::peterson::{Version, mutex, peterson};
use crate::models::*;
use stubborn_engine::{
    Caller, CheckError, Clock, Event, Exploration, Finding, Limits, Observer, Options, Order,
    Outcome, Quick, Reason, Reduction, Search, Sink, Verdict, check, explore, violated_soon,
};
use stubborn_model::elaborate::Settings;
use stubborn_model::program::{ParsedFile, Program};
use stubborn_system::property::{Property, StepPattern, StepSet};
use stubborn_system::system::{
    Binary, Channel, ChannelRef, Communication, Expr, Instance, Range, Step, System, Type,
    VariableRef,
};

struct Counts;

impl Sink for Counts {
    fn wants_edges(&self) -> bool {
        false
    }
}

const BUILT_IN: [Property; 3] = [
    Property::Errors,
    Property::Deadlock { allowed: None },
    Property::Termination,
];

/// The plain state space is the one whose size is known.
fn plain() -> Options {
    Options {
        reduction: Reduction::None,
        ..Options::default()
    }
}

fn limited(limits: Limits) -> Options {
    Options {
        limits,
        reduction: Reduction::None,
        ..Options::default()
    }
}

fn max_states(states: u64) -> Options {
    limited(Limits {
        max_states: Some(states),
        ..Limits::default()
    })
}

/// With as many states as the model is known to have.
fn unmerged(options: Options) -> Options {
    Options {
        keep_dead_variables: true,
        ..options
    }
}

/// The same where states have numbers, and edges are kept: who asks what was seen is given these.
fn numbered(options: Options) -> Options {
    Options {
        tells_seen: true,
        ..unmerged(options)
    }
}

fn max_memory(bytes: u64) -> Options {
    limited(Limits {
        max_memory: Some(bytes),
        ..Limits::default()
    })
}

fn outcomes(system: &System, properties: &[Property], options: &Options) -> Vec<Outcome> {
    check(system, properties, options, Caller::default()).expect("its states are small")
}

fn verdicts(system: &System, properties: &[Property], options: &Options) -> Vec<Verdict> {
    let outcomes = outcomes(system, properties, options);
    outcomes
        .into_iter()
        .map(|outcome| outcome.verdict)
        .collect()
}

fn explored(system: &System, options: &Options) -> Exploration {
    explore(system, options, Caller::default(), &mut Counts).expect("its states are small")
}

/// Steps from location 0 to the last, `len` of them.
fn line(len: u32) -> System {
    let mut locations: Vec<Vec<Step>> = (1..=len).map(|next| vec![go(next)]).collect();
    locations.push(vec![]);
    System {
        instances: vec![instance(locations)],
        ..System::default()
    }
}

#[test]
fn as_many_states_as_allowed_are_no_limit_and_one_more_is() {
    let system = peterson(2, Version::Correct);
    let found = explored(&system, &max_states(574));
    assert!(found.complete && found.full);
    let found = explored(&system, &max_states(573));
    assert_eq!(found.states, 573);
    assert!(!found.complete && !found.full);
    assert_eq!(found.stopped, Some(Reason::States(573)));
    let undecided = Verdict::Undecided(Reason::States(573));
    for search in [Search::Breadth, Search::Depth] {
        let options = Options {
            search,
            ..unmerged(max_states(573))
        };
        for verdict in verdicts(&system, &BUILT_IN, &options) {
            assert_eq!(verdict, undecided);
        }
    }
}

#[test]
fn what_was_found_before_a_limit_stays_found() {
    let system = peterson(2, Version::MutexViolating);
    let mut properties = BUILT_IN.to_vec();
    properties.push(Property::Invariant(mutex(2)));
    let verdicts = verdicts(&system, &properties, &unmerged(max_states(600)));
    assert_eq!(verdicts[0], Verdict::Undecided(Reason::States(600)));
    assert!(verdicts[3].is_violated());
}

/// A line beside a stop at once.
fn line_beside_a_stop() -> System {
    let mut system = line(10);
    system.instances[0].locations[0].steps.push(10);
    system.instances[0].steps.push(go(10));
    system.instances[0].locations[10].is_final = true;
    system
}

#[test]
fn a_dead_end_found_in_a_quick_round_before_its_cap_violates_may_progress() {
    let (system, goal) = (line_beside_a_stop(), Expr::At(0, vec![5]));
    let (asked, quick) = (
        [Property::MayProgress(goal)],
        Quick {
            rounds: 1,
            states: 4,
        },
    );
    let caller = Caller::default();
    let found = violated_soon(
        &system,
        &asked,
        quick,
        &unmerged(Options::default()),
        caller,
    );
    let found = found.expect("its states are small").remove(0);
    assert!(found.verdict.is_violated(), "{:?}", found.verdict);
}

#[test]
fn a_dead_end_found_before_a_limit_violates_may_progress() {
    let system = line_beside_a_stop();
    let goal = Property::MayProgress(Expr::At(0, vec![5]));
    let options = unmerged(max_states(4));
    let verdicts = verdicts(&system, &[goal, Property::Errors], &options);
    assert!(matches!(
        &verdicts[0],
        Verdict::Violated { finding: Finding::GoalOutOfReach, trace } if trace.steps().len() == 1
    ));
    assert_eq!(verdicts[1], Verdict::Undecided(Reason::States(4)));
}

#[test]
fn a_cycle_found_before_a_limit_violates_must_progress() {
    let mut system = line(100);
    // Beside the line, there and back.
    system.instances[0].locations[0].steps.push(100);
    system.instances[0].steps.push(go(100));
    system.instances[0].locations[100].steps = vec![101];
    system.instances[0].steps.push(go(0));
    let goal = Property::MustProgress(Expr::At(0, vec![50]));
    for options in [max_states(10), plain()] {
        let verdicts = verdicts(
            &system,
            &[goal.clone(), Property::Errors],
            &unmerged(options),
        );
        assert!(
            matches!(&verdicts[0], Verdict::Violated { trace, .. } if trace.cycle().len() == 2),
            "{:?}",
            verdicts[0]
        );
    }
}

#[test]
fn a_dead_end_is_told_though_there_is_no_more_memory_for_the_search() {
    let mut system = line(20_000);
    system.instances[0].locations[0].steps.push(20_000);
    system.instances[0].steps.push(go(20_000));
    system.instances[0].locations[20_000].is_final = true;
    let goal = Property::MayProgress(Expr::At(0, vec![5]));
    let verdicts = verdicts(&system, &[goal, Property::Errors], &max_memory(24_000));
    assert_eq!(verdicts[1], Verdict::Undecided(Reason::Memory(24_000)));
    assert!(matches!(
        &verdicts[0],
        Verdict::Violated { finding: Finding::GoalOutOfReach, trace } if trace.steps().len() == 1
    ));
}

#[test]
fn too_little_memory_leaves_everything_undecided() {
    let system = peterson(3, Version::Correct);
    for search in [Search::Breadth, Search::Depth] {
        let options = Options {
            search,
            ..max_memory(100_000)
        };
        for verdict in verdicts(&system, &BUILT_IN, &options) {
            assert_eq!(verdict, Verdict::Undecided(Reason::Memory(100_000)));
        }
    }
}

#[test]
fn where_there_is_no_memory_for_the_edges_what_does_not_need_them_is_decided() {
    let system = peterson(3, Version::Correct);
    let found = verdicts(&system, &BUILT_IN, &numbered(max_memory(2_300_000)));
    assert_eq!(found[0], Verdict::Holds);
    assert_eq!(found[1], Verdict::Holds);
    assert_eq!(found[2], Verdict::Undecided(Reason::Memory(2_300_000)));
    // Where states have no numbers there are no edges.
    let found = verdicts(&system, &BUILT_IN, &unmerged(max_memory(2_300_000)));
    assert_eq!(found, [const { Verdict::Holds }; 3]);
}

#[test]
fn a_recurrence_is_undecided_where_there_is_no_memory_for_its_edges() {
    let system = peterson(3, Version::Correct);
    let all = StepSet {
        patterns: vec![StepPattern::At(0, (0..9).collect())],
    };
    let recurrence = Property::Recurrence(all.clone(), all);
    let properties = [Property::Errors, recurrence];
    let least = numbered(max_memory(2_300_000));
    assert_eq!(
        verdicts(&system, &properties, &least),
        [
            Verdict::Holds,
            Verdict::Undecided(Reason::Memory(2_300_000)),
        ]
    );
    for enough in [
        numbered(max_memory(10_000_000)),
        unmerged(max_memory(2_300_000)),
    ] {
        assert_eq!(
            verdicts(&system, &properties, &enough),
            [Verdict::Holds, Verdict::Holds]
        );
    }
}

#[test]
fn a_deadline_that_has_passed_ends_the_search() {
    let system = peterson(3, Version::Correct);
    let options = limited(Limits {
        deadline: Some(Instant::now()),
        ..Limits::default()
    });
    for verdict in verdicts(&system, &BUILT_IN, &options) {
        assert_eq!(verdict, Verdict::Undecided(Reason::Time));
    }
}

/// A step that chooses any of all integers for a variable of a type with three.
fn any_integer() -> System {
    let mut step = go(0);
    step.choices = vec![Range {
        lo: 0,
        hi: i64::MAX,
    }];
    let variable_ref = VariableRef::Shared(0);
    step.effects = vec![set(variable_ref, range(0, 2), Expr::Choice(0))];
    System {
        variables: vec![variable(range(0, 2))],
        instances: vec![instance(vec![vec![step]])],
        ..System::default()
    }
}

#[test]
fn a_search_that_is_cancelled_ends_in_the_midst_of_a_state() {
    for order in [Order::Forward, Order::Reverse] {
        for search in [Search::Breadth, Search::Depth] {
            let options = Options {
                order,
                search,
                ..Options::default()
            };
            let properties = [Property::Termination];
            let cancelled = Caller::default().until(&|| true);
            let outcomes = check(&any_integer(), &properties, &options, cancelled);
            let verdict = &outcomes.expect("its states are small")[0].verdict;
            assert_eq!(*verdict, Verdict::Undecided(Reason::Cancelled));
        }
    }
}

#[test]
fn the_first_of_very_many_steps_are_taken_before_all_are_known() {
    for search in [Search::Breadth, Search::Depth] {
        let options = Options {
            search,
            ..Options::default()
        };
        let outcomes = outcomes(&any_integer(), &[Property::Errors], &options);
        let Verdict::Violated { trace, .. } = &outcomes[0].verdict else {
            panic!("{outcomes:?}");
        };
        if search == Search::Breadth {
            assert_eq!(trace.steps().len(), 1);
            assert_eq!((outcomes[0].states, outcomes[0].edges), (3, 4));
        }
    }
}

#[test]
fn a_state_with_more_steps_than_fit_at_once_has_them_all_counted() {
    let mut system = any_integer();
    system.variables = vec![variable(range(0, 99_999))];
    let step = &mut system.instances[0].steps[0];
    step.choices = vec![Range { lo: 0, hi: 99_999 }];
    step.guard = Some(equal(shared(0), int(0)));
    step.effects = vec![set(
        VariableRef::Shared(0),
        range(0, 99_999),
        Expr::Choice(0),
    )];
    for order in [Order::Forward, Order::Reverse] {
        for search in [Search::Breadth, Search::Depth] {
            let options = Options {
                order,
                search,
                ..Options::default()
            };
            let found = explored(&system, &options);
            assert_eq!((found.states, found.edges), (100_000, 100_000));
            assert_eq!(found.terminal, 99_999);
        }
    }
}

#[test]
fn a_system_without_processes_has_one_state_which_is_terminal() {
    let system = System::default();
    let found = explored(&system, &plain());
    assert_eq!((found.states, found.edges, found.terminal), (1, 0, 1));
    let mut properties = BUILT_IN.to_vec();
    properties.push(Property::Invariant(int(0)));
    let verdicts = verdicts(&system, &properties, &Options::default());
    assert_eq!(
        verdicts[..3],
        [Verdict::Holds, Verdict::Holds, Verdict::Holds]
    );
    assert!(matches!(
        &verdicts[3],
        Verdict::Violated { finding: Finding::InvariantFalse, trace } if trace.steps().is_empty()
    ));
}

#[test]
fn a_search_is_full_if_nothing_was_left_to_do_when_it_ended() {
    let mut system = line(3);
    system.instances[0].locations[3].is_final = false;
    for search in [Search::Breadth, Search::Depth] {
        let options = Options {
            search,
            ..Options::default()
        };
        let properties = [Property::Deadlock { allowed: None }];
        assert!(outcomes(&system, &properties, &options)[0].full);
        let properties = [Property::Invariant(not(Expr::At(0, vec![2])))];
        let outcome = &outcomes(&system, &properties, &options)[0];
        assert!(outcome.verdict.is_violated() && !outcome.full);
    }
}

#[test]
fn two_hundred_instances_and_ten_thousand_cells_are_no_trouble() {
    let cells = 10_000;
    let mut instances: Vec<Instance> = (0..200).map(|_| instance(vec![vec![], vec![]])).collect();
    // Each of two counts through the cells that are its own.
    for (i, instance) in instances.iter_mut().enumerate().take(2) {
        let index = add(int(i as i64 * 50), local(i as u32, 0));
        let value = set_cell(VariableRef::Shared(0), cells, index, Type::BOOL, int(1));
        let position = VariableRef::Local(i as u32, 0);
        let next = set(position, range(0, 50), add(local(i as u32, 0), int(1)));
        instance.locals = vec![variable(range(0, 50))];
        instance.steps = vec![with(
            when(less(local(i as u32, 0), int(50)), 0),
            vec![value, next],
        )];
        instance.locations[0].steps = vec![0];
    }
    let system = System {
        variables: vec![variable(array(cells, Type::BOOL))],
        instances,
        ..System::default()
    };
    let begun = Instant::now();
    let found = explored(&system, &plain());
    assert_eq!((found.states, found.edges), (51 * 51, 2 * 51 * 50));
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[test]
fn variables_that_may_have_every_integer_keep_their_values() {
    let all = range(i64::MIN, i64::MAX);
    let values = [i64::MIN, -1, 0, i64::MAX];
    let steps = values.iter().enumerate().map(|(at, value)| {
        let effect = set(VariableRef::Shared(0), all.clone(), int(*value));
        vec![with(go(at as u32 + 1), vec![effect])]
    });
    let mut locations: Vec<Vec<Step>> = steps.collect();
    locations.push(vec![]);
    let system = System {
        variables: vec![variable(all)],
        instances: vec![instance(locations)],
        ..System::default()
    };
    let seen = |value: i64, location: u32| {
        Property::MayProgress(Expr::Any(vec![
            Expr::All(vec![
                Expr::At(0, vec![location]),
                equal(shared(0), int(value)),
            ]),
            not(Expr::At(0, vec![location])),
        ]))
    };
    let properties: Vec<Property> = values
        .iter()
        .enumerate()
        .map(|(at, value)| seen(*value, at as u32 + 1))
        .collect();
    for verdict in verdicts(&system, &properties, &Options::default()) {
        assert_eq!(verdict, Verdict::Holds);
    }
}

#[test]
fn a_state_that_is_too_large_is_refused_with_its_size() {
    let system = System {
        variables: vec![variable(array(1, range(0, i64::MAX)))],
        channels: vec![Channel {
            order: stubborn_system::system::Order::Queue,
            capacity: u32::MAX,
            message: vec![Range { lo: 0, hi: 255 }],
            initial: vec![],
        }],
        ..System::default()
    };
    let error =
        check(&system, &BUILT_IN, &Options::default(), Caller::default()).expect_err("too large");
    let CheckError::StateTooLarge { bits } = error;
    assert!(bits > 8 * u64::from(u32::MAX));
}

#[test]
fn where_a_state_is_too_large_for_one_property_the_others_have_their_verdicts() {
    let mut system = line(3);
    system.channels = vec![Channel {
        order: stubborn_system::system::Order::Queue,
        capacity: u32::MAX,
        message: vec![Range { lo: 0, hi: 255 }],
        initial: vec![],
    }];
    let send = Communication::Send {
        channel: ChannelRef::One(0),
        values: vec![int(7)],
    };
    let sends = Step {
        communication: Some(send),
        ..go(0)
    };
    system.instances.push(instance(vec![vec![sends]]));
    let large = Property::Invariant(Expr::IsEmpty(ChannelRef::One(0)));
    let reaches = Property::Invariant(not(Expr::At(0, vec![3])));
    let options = Options::default();
    let found = verdicts(&system, &[large, reaches], &options);
    assert!(matches!(
        found[0],
        Verdict::Undecided(Reason::StateTooLarge(bits)) if bits > 1 << 28
    ));
    assert!(found[1].is_violated());
}

#[test]
fn a_run_is_recorded_though_its_states_would_not_fit_into_memory_once_more() {
    let mut system = line(4_000);
    system.variables = vec![variable(array(150, range(0, i64::MAX)))];
    let options = Options {
        keep_dead_variables: true,
        // The states alone take nearly five million bytes.
        ..max_memory(7_000_000)
    };
    let reaches = Property::Invariant(not(Expr::At(0, vec![4_000])));
    let verdict = &verdicts(&system, &[reaches], &options)[0];
    assert!(matches!(verdict, Verdict::Violated { trace, .. } if trace.len() == 4_000));
}

#[test]
fn long_runs_of_several_properties_together_hold_no_more_memory_than_is_allowed() {
    let invariants: String = (0..8)
        .map(|n| format!("invariant i{n}: t < 20000\n"))
        .collect();
    let text =
        format!("var t: 0..20000\nprocess p {{ while t < 20000 {{ t = t + 1 }} }}\n{invariants}");
    let file = Arc::new(ParsedFile::new("long.stb", text.as_str()));
    let program = Program::assemble(file, &mut |_| None);
    let analysis = stubborn_model::analyze(&program, &Settings::default());
    let model = analysis.model.expect("the text has a meaning");
    let invariants = model.properties.into_iter().map(|named| named.property);
    let invariants: Vec<Property> = invariants
        .filter(|property| matches!(property, Property::Invariant(_)))
        .collect();
    let options = Options {
        reduction: Reduction::None,
        keep_dead_variables: true,
        limits: Limits {
            max_memory: Some(30 << 20),
            ..Limits::default()
        },
        ..Options::default()
    };
    let violated = |properties: &[Property]| {
        let outcomes = check(&model.system, properties, &options, Caller::default());
        let outcomes = outcomes.expect("its states are small");
        for outcome in &outcomes {
            let is_told = match &outcome.verdict {
                Verdict::Violated { trace, .. } => trace.len() == 39_999 || trace.len() == 40_000,
                Verdict::Undecided(reason) => *reason == Reason::Memory(30 << 20),
                Verdict::Holds => false,
            };
            assert!(is_told, "{:?}", outcome.states);
        }
        let is_violated = outcomes
            .iter()
            .filter(|outcome| outcome.verdict.is_violated());
        is_violated.count()
    };
    assert_eq!(violated(&invariants[..1]), 1);
    let of_all = violated(&invariants);
    assert!((1..invariants.len()).contains(&of_all), "{of_all}");
}

#[test]
fn stubborn_sets_are_of_any_number_of_instances() {
    let reduction = |instances: usize| {
        let mut system = System {
            instances: vec![instance(vec![vec![]]); instances],
            ..System::default()
        };
        // Two of them take a step each, in any order.
        for process in &mut system.instances[..2] {
            *process = instance(vec![vec![go(1)], vec![]]);
        }
        let outcome = outcomes(&system, &[Property::Termination], &Options::default());
        assert_eq!(outcome[0].verdict, Verdict::Holds);
        (outcome[0].reduction, outcome[0].states)
    };
    let reduced = (Reduction::Stubborn, 3);
    assert_eq!([2, 256, 257, 1_000].map(reduction), [reduced; 4]);
}
