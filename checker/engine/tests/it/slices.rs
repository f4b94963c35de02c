//! On random systems with data that nobody reads and processes that share nothing with the rest,
//! slices have the verdicts of the whole, and their traces are runs of the whole.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use proptest::prelude::*;
use stubborn_engine::interpreter::replay;
use stubborn_engine::runs::lifting::{lifted, projected};
use stubborn_engine::runs::path::path;
use stubborn_engine::{
    Caller, Event, Limits, Options, Outcome, Reason, Reduction, Verdict, check, violated_again,
};
use stubborn_random::fixed;
use stubborn_random::systems::Source;
use stubborn_system::property::Property;
use stubborn_system::slice::{Dependencies, Slice};
use stubborn_system::system::*;

/// Larger systems show nothing that these do not.
const MOST_STATES: u64 = 800;

fn number(value: i64) -> Expr {
    Expr::Const(Value::Int(value))
}

/// `(variable + 1) % size`
fn round(variable: VariableRef, size: i64) -> Expr {
    let next = Expr::Binary(
        Binary::Add,
        Box::new(Expr::Variable(variable)),
        Box::new(number(1)),
    );
    Expr::Binary(Binary::Remainder, Box::new(next), Box::new(number(size)))
}

fn assign(variable: VariableRef, size: i64, value: Expr) -> Effect {
    let ty = Type::Scalar {
        lo: 0,
        hi: size - 1,
    };
    Effect::Assign {
        place: Place {
            variable,
            path: vec![],
            ty: ty.clone(),
        },
        ty,
        value,
    }
}

fn step(guard: Option<Expr>, effects: Vec<Effect>, target: LocationId) -> Step {
    Step {
        communication: None,
        guard,
        choices: vec![],
        effects,
        target: Target::To(target),
    }
}

/// Adds what hardly anything depends on. Nothing that was there depends on any of it.
fn with_decoys(mut system: System, wanted: [u8; 4]) -> System {
    let [counted, chosen, stranger, looker] = wanted;
    let variable = |size: i64| Variable {
        ty: Type::Scalar {
            lo: 0,
            hi: size - 1,
        },
        initial: Value::Int(0),
    };
    let mut add = |size: i64| {
        system.variables.push(variable(size));
        VariableRef::Shared(system.variables.len() as u32 - 1)
    };
    let (counter, choice, own) = (add(3), add(2), add(2));
    let steps = |system: &System| -> Vec<(usize, usize)> {
        let instances = system.instances.iter().enumerate();
        let all = instances.flat_map(|(i, instance)| {
            let is_plain = |step: &Step| {
                !matches!(step.communication, Some(Communication::On { .. }))
                    && !matches!(step.target, Target::Test(..))
            };
            let steps = instance.steps.iter().enumerate();
            let plain = steps.filter(move |(_, step)| is_plain(step));
            plain.map(move |(s, _)| (i, s)).collect::<Vec<_>>()
        });
        all.collect()
    };
    let pick = |from: &[(usize, usize)], number: u8| {
        (!from.is_empty()).then(|| from[usize::from(number) % from.len()])
    };
    // A counter and a choice, each in some step of somebody.
    let plain = steps(&system);
    if counted > 0
        && let Some((i, s)) = pick(&plain, counted)
    {
        let effect = assign(counter, 3, round(counter, 3));
        system.instances[i].steps[s].effects.insert(0, effect);
    }
    if chosen > 0
        && let Some((i, s)) = pick(&plain, chosen)
    {
        let step = &mut system.instances[i].steps[s];
        step.choices.push(Range { lo: 0, hi: 1 });
        let value = Expr::Choice(step.choices.len() as u32 - 1);
        step.effects.push(assign(choice, 2, value));
    }
    let process = |process: u32, steps: Vec<Step>, locations: Vec<Location>| Instance {
        process,
        locals: vec![],
        steps,
        locations,
        initial: 0,
        alphabet: vec![],
    };
    let location = |steps: Vec<StepId>, is_final: bool| Location { steps, is_final };
    let processes = system.instances.len() as u32;
    // Somebody who goes round for ever, or who stops.
    if stranger > 0 {
        let back = u32::from(stranger % 3);
        let effect = assign(own, 2, round(own, 2));
        system.instances.push(process(
            processes,
            vec![step(None, vec![effect], 1), step(None, vec![], back.min(2))],
            vec![
                location(vec![0], false),
                location(vec![1], true),
                location(vec![], stranger % 2 == 0),
            ],
        ));
    }
    // Somebody who looks at the first process, before which nobody stands any more.
    if looker > 0 {
        let first = Expr::At(0, vec![u32::from(looker) % 2]);
        system.instances.push(process(
            processes + 1,
            vec![step(Some(first), vec![], 1)],
            vec![location(vec![0], true), location(vec![], looker % 2 == 0)],
        ));
    }
    system
}

/// Slices with constants, with steps that are never taken, and with each step by itself.
fn keeping() -> Options {
    Options {
        keep_constants: true,
        keep_unreachable: true,
        keep_steps: true,
        ..Options::default()
    }
}

fn checked(system: &System, properties: &[Property], plain: bool) -> Vec<Outcome> {
    let options = Options {
        keep_dead_variables: plain,
        ..keeping()
    };
    checked_with(system, properties, Reduction::None, &options)
}

fn checked_with(
    system: &System,
    properties: &[Property],
    reduction: Reduction,
    options: &Options,
) -> Vec<Outcome> {
    let options = Options {
        reduction,
        limits: Limits {
            max_states: Some(MOST_STATES),
            ..Limits::default()
        },
        ..*options
    };
    check(system, properties, &options, Caller::default()).expect("its states are small")
}

fn is_decided(outcome: &Outcome) -> bool {
    !matches!(outcome.verdict, Verdict::Undecided(_))
}

/// How many properties were compared, and of how many a search had fewer states.
#[derive(Clone, Copy, Default)]
struct Compared {
    all: usize,
    /// Of slices.
    smaller: usize,
    /// Of slices in which steps are merged, than of those where they are not.
    merged: usize,
    /// Of how many the slice has constants, or steps that are never taken.
    simpler: [usize; 2],
}

fn verdicts_agree(system: &System, properties: &[Property], compared: &mut Compared) {
    let plain = checked(system, properties, true);
    let sliced = checked(system, properties, false);
    let all = Options::default();
    let merged = checked_with(system, properties, Reduction::None, &all);
    let constants = Options {
        keep_constants: false,
        ..keeping()
    };
    let reachable = Options {
        keep_unreachable: false,
        ..keeping()
    };
    let [constants, reachable] = [&constants, &reachable]
        .map(|options| checked_with(system, properties, Reduction::None, options));
    let reduced = [&all, &keeping()]
        .map(|options| checked_with(system, properties, Reduction::Stubborn, options));
    let dependencies = Dependencies::new(system);
    for (number, (property, plain)) in properties.iter().zip(&plain).enumerate() {
        if !is_decided(plain) {
            continue;
        }
        let (sliced, merged) = (&sliced[number], &merged[number]);
        compared.all += 1;
        compared.smaller += usize::from(sliced.states < plain.states);
        compared.merged += usize::from(merged.states < sliced.states);
        let slice = || Slice::new(system, &dependencies.cone([property]));
        let simpler = [(true, false), (false, true)];
        let simpler = simpler
            .map(|(constants, unreached)| slice().simplified(constants, unreached, &mut || true));
        for (compared, slice) in compared.simpler.iter_mut().zip(simpler) {
            *compared += usize::from(slice.is_simpler);
        }
        // The state space is the same one, but that more is dead where less can be read.
        for simpler in [&constants[number], &reachable[number]] {
            assert!(simpler.states <= sliced.states, "{property:?}");
        }
        for reduced in reduced.each_ref().map(|all| &all[number]) {
            let same = plain.verdict.is_violated() == reduced.verdict.is_violated();
            assert!(
                same || !is_decided(reduced),
                "{property:?}: {:?}, {:?}",
                plain.verdict,
                reduced.verdict
            );
        }
        for found in [sliced, merged, &constants[number], &reachable[number]] {
            assert_eq!(
                std::mem::discriminant(&plain.verdict),
                std::mem::discriminant(&found.verdict),
                "{property:?}: {:?}, {:?}",
                plain.verdict,
                found.verdict
            );
            is_kept_and_shown(system, property, &found.verdict);
        }
        if let (Verdict::Violated { trace: one, .. }, Verdict::Violated { trace: other, .. }) =
            (&plain.verdict, &merged.verdict)
        {
            assert!(
                one.len() >= other.len() || !one.cycle().is_empty() || !is_nearest(property),
                "{property:?}: {one:?}, {other:?}"
            );
        }
    }
}

/// Whether a search that goes by distance finds a shortest run.
fn is_nearest(property: &Property) -> bool {
    matches!(
        property,
        Property::Errors | Property::Invariant(_) | Property::Deadlock { .. }
    )
}

/// Holds the run of a violation to the whole System, and to who keeps it by the property's slice.
fn is_kept_and_shown(system: &System, property: &Property, verdict: &Verdict) {
    let Verdict::Violated { finding, trace } = verdict else {
        return;
    };
    assert_eq!(replay(system, trace), Ok(()), "{property:?}");
    // There and back again, as one who keeps a trace by its slice.
    let dependencies = Dependencies::new(system);
    let slice = Slice::new(system, &dependencies.cone([property]));
    let kept = projected(&slice, trace);
    assert_eq!(replay(&slice.system, &kept), Ok(()), "{property:?}");
    let shown = lifted(system, &slice, &kept, &mut |_| ControlFlow::Continue(()));
    let shown = shown.expect("a run of the slice is one of the whole");
    assert_eq!(replay(system, &shown), Ok(()), "{property:?}");
    assert_eq!(
        shown.cycle().is_empty(),
        trace.cycle().is_empty(),
        "{property:?}"
    );
    // And by the steps alone, as one who keeps it where others may write.
    let path = path(&slice.system, &kept, &|| true).expect("it is a run");
    let about = slice.property(property);
    let again = violated_again(&slice.system, &about, finding, &path, &|| true);
    let known = Verdict::Violated {
        finding: finding.clone(),
        trace: Arc::new(kept),
    };
    assert_eq!(again, Some(known), "{property:?}");
}

#[test]
fn slices_keep_every_verdict_and_every_trace_of_theirs_is_a_run_of_the_whole() {
    let cases = std::env::var("PROPTEST_CASES").ok();
    let cases = cases.and_then(|n| n.parse().ok()).unwrap_or(400);
    let counts = std::cell::Cell::new(Compared::default());
    let numbers = || fixed::numbers(0..800);
    let drawn = (numbers(), numbers(), any::<[u8; 4]>());
    fixed::test(cases, &drawn, |(numbers, properties, decoys)| {
        let system = Source::new(&numbers).system();
        let properties = Source::new(&properties).properties(&system);
        let system = with_decoys(system, decoys);
        let mut compared = counts.get();
        verdicts_agree(&system, &properties, &mut compared);
        counts.set(compared);
        Ok(())
    });
    let Compared {
        all,
        smaller,
        merged,
        simpler: [constant, unreached],
    } = counts.get();
    println!(
        "{all} properties, {smaller} with fewer states, {merged} with still fewer by merging, {constant} with \
         constants, {unreached} with steps that are never taken"
    );
    assert!(all >= 5 * cases as usize, "{all}");
    assert!(smaller * 4 >= all, "{smaller} of {all}");
    for fewer in [merged, constant, unreached] {
        assert!(fewer * 8 >= all, "{fewer} of {all}");
    }
}

/// A process that goes round `0, 1`, and counts its rounds in a variable that nobody reads.
fn counting(rounds: i64) -> System {
    let counter = VariableRef::Shared(0);
    let effect = assign(counter, rounds, round(counter, rounds));
    let location = |step| Location {
        steps: vec![step],
        is_final: false,
    };
    System {
        variables: vec![Variable {
            ty: Type::Scalar {
                lo: 0,
                hi: rounds - 1,
            },
            initial: Value::Int(0),
        }],
        instances: vec![Instance {
            process: 0,
            locals: vec![],
            steps: vec![step(None, vec![effect], 1), step(None, vec![], 0)],
            locations: vec![location(0), location(1)],
            initial: 0,
            alphabet: vec![],
        }],
        ..System::default()
    }
}

fn never() -> Property {
    Property::MustProgress(number(0))
}

#[test]
fn a_cycle_is_gone_round_until_what_was_left_out_repeats_too() {
    let system = counting(5);
    let outcome = checked(&system, &[never()], false).swap_remove(0);
    assert_eq!(outcome.states, 2, "the counter was left out");
    let Verdict::Violated { trace, .. } = outcome.verdict else {
        panic!("{:?}", outcome.verdict);
    };
    assert_eq!(trace.cycle().len(), 10);
    assert_eq!(replay(&system, &trace), Ok(()));
}

#[test]
fn a_run_of_the_whole_is_as_long_as_the_limit_allows_and_no_longer() {
    // Two steps a round: 16,384 are the most.
    let found = [8_191, 8_192, 8_193].map(|rounds| {
        let system = counting(rounds);
        let options = Options {
            keep_steps: true,
            ..Options::default()
        };
        let outcomes = check(&system, &[never()], &options, Caller::default());
        let outcome = outcomes.expect("its states are small").swap_remove(0);
        let Verdict::Violated { trace, .. } = outcome.verdict else {
            panic!("{:?}", outcome.verdict);
        };
        (outcome.states, trace.cycle().len())
    });
    // One that is longer is searched for in the whole.
    assert_eq!(found, [(2, 16_382), (2, 16_384), (16_386, 16_386)]);
}

#[test]
fn a_cycle_that_closes_too_late_is_searched_for_in_the_whole() {
    let system = counting(20_000);
    let options = Options::default();
    let outcome =
        check(&system, &[never()], &options, Caller::default()).expect("its states are small");
    let Verdict::Violated { trace, .. } = &outcome[0].verdict else {
        panic!("{:?}", outcome[0].verdict);
    };
    assert_eq!(trace.cycle().len(), 40_000);
    assert_eq!(outcome[0].states, 40_000);
}

#[test]
fn properties_that_depend_on_different_processes_are_searched_apart() {
    let mut system = counting(6);
    let other = counting(6).instances.remove(0);
    let own = VariableRef::Shared(1);
    let effect = assign(own, 6, round(own, 6));
    system.variables.push(system.variables[0].clone());
    system.instances.push(Instance {
        process: 1,
        steps: vec![step(None, vec![effect], 1), step(None, vec![], 0)],
        ..other
    });
    let is_small = |v| {
        let value = Box::new(Expr::Variable(VariableRef::Shared(v)));
        Property::Invariant(Expr::Binary(Binary::Less, value, Box::new(number(6))))
    };
    let properties = [is_small(0), Property::Errors, is_small(1)];
    let outcomes = checked(&system, &properties, false);
    let states: Vec<u64> = outcomes.iter().map(|outcome| outcome.states).collect();
    assert_eq!(states, [12, 4, 12]);
    let plain = checked(&system, &properties, true);
    assert!(plain.iter().all(|outcome| outcome.states == 144));
}

/// So many processes that share nothing, and as many invariants, each about one of them.
fn strangers(count: u32) -> (System, Vec<Property>) {
    let counter = counting(2).instances.remove(0);
    let stranger = Instance {
        steps: vec![step(None, vec![], 1), step(None, vec![], 0)],
        ..counter
    };
    let system = System {
        instances: vec![stranger; count as usize],
        ..System::default()
    };
    let somewhere = |instance| Property::Invariant(Expr::At(instance, vec![0, 1]));
    (system, (0..count).map(somewhere).collect())
}

#[test]
fn slices_are_not_made_to_the_end_once_nobody_wants_them() {
    let (system, properties) = strangers(200);
    // While cones are found, and while slices are made of them and searched.
    for (after, is_searching) in [(50, false), (450, true)] {
        let [asked, decided] = [const { AtomicU32::new(0) }; 2];
        let is_cancelled = || asked.fetch_add(1, Ordering::Relaxed) >= after;
        let observer = |event: Event<'_>| {
            if let Event::Decided(..) = event {
                decided.fetch_add(1, Ordering::Relaxed);
            }
        };
        let caller = Caller::observing(&observer).until(&is_cancelled);
        let outcomes = check(&system, &properties, &Options::default(), caller);
        let outcomes = outcomes.expect("its states are small");
        let are = |verdict: Verdict| {
            let alike = outcomes.iter().filter(|outcome| outcome.verdict == verdict);
            alike.count()
        };
        let held = are(Verdict::Holds);
        assert_eq!(held > 0, is_searching);
        assert_eq!(are(Verdict::Undecided(Reason::Cancelled)), 200 - held);
        // Each is told of, and no search begins for one of these.
        assert_eq!(decided.into_inner(), 200);
        assert!(held < 200 && asked.into_inner() <= after + 2);
    }
}

#[test]
fn cones_take_no_more_memory_than_is_allowed() {
    let (system, properties) = strangers(1_000);
    let limited = |bytes| Options {
        limits: Limits {
            max_memory: Some(bytes),
            ..Limits::default()
        },
        ..Options::default()
    };
    let outcomes = |bytes| {
        let outcomes = check(&system, &properties, &limited(bytes), Caller::default());
        outcomes.expect("its states are small")
    };
    for outcome in outcomes(100_000) {
        let undecided = Verdict::Undecided(Reason::Memory(100_000));
        assert_eq!((outcome.verdict, outcome.states), (undecided, 0));
    }
    // A bit for each process, and for each property.
    let enough = outcomes(400_000);
    assert!(
        enough
            .iter()
            .all(|outcome| outcome.verdict == Verdict::Holds)
    );
}
