//! On random systems the packed successor function gives what the reference interpreter gives,
//! and every search the verdicts that are worked out from the definitions.

use std::collections::HashMap;
use std::ops::ControlFlow;

use proptest::prelude::*;
use stubborn_engine::interpreter::{Occurrence, evaluate, holds, replay, steps};
use stubborn_engine::packed::Packed;
use stubborn_engine::successors::{Successors, Visit};
use stubborn_engine::{
    Caller, Finding, Label, Options, Order, Reduction, Search, Sink, State, Trace, Verdict, check,
    explore,
};
use stubborn_random::systems::Source;
use stubborn_random::{generate, read};
use stubborn_system::property::{Property, StepPattern, StepSet};
use stubborn_system::slice::{Dependencies, Slice};
use stubborn_system::system::{ActionId, Failure, InstanceId, Step, StepId, System, Target};

struct Collected<'a> {
    packed: &'a Packed<'a>,
    steps: Vec<Occurrence>,
}

impl Visit for Collected<'_> {
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        let outcome = match outcome {
            Ok(words) => {
                let state = self.packed.unpack(words);
                assert_eq!(
                    self.packed.pack(&state),
                    words,
                    "a state has one packed form"
                );
                Ok(state)
            }
            Err(failure) => Err(failure.clone()),
        };
        self.steps.push(Occurrence {
            participants: label.participants.to_vec(),
            action: label
                .action
                .map(|(action, values)| (action, values.to_vec())),
            outcome,
        });
        ControlFlow::Continue(())
    }
}

/// The state space, from the reference interpreter.
struct Graph {
    states: Vec<State>,
    steps: Vec<Vec<Occurrence>>,
    targets: Vec<Vec<usize>>,
    /// From the initial state.
    distances: Vec<usize>,
    /// Nothing was left out.
    complete: bool,
}

impl Graph {
    fn new(system: &System, most: usize) -> Graph {
        let initial = State::initial(system);
        let mut numbers = HashMap::from([(initial.clone(), 0)]);
        let mut graph = Graph {
            states: vec![initial],
            steps: vec![],
            targets: vec![],
            distances: vec![0],
            complete: true,
        };
        while graph.steps.len() < graph.states.len() {
            let at = graph.steps.len();
            let steps = steps(system, &graph.states[at]);
            let mut targets = vec![];
            for state in steps.iter().filter_map(|step| step.outcome.as_ref().ok()) {
                let next = graph.states.len();
                if next >= most && !numbers.contains_key(state) {
                    graph.complete = false;
                    continue;
                }
                let number = *numbers.entry(state.clone()).or_insert(next);
                if number == next {
                    graph.states.push(state.clone());
                    graph.distances.push(graph.distances[at] + 1);
                }
                targets.push(number);
            }
            graph.steps.push(steps);
            graph.targets.push(targets);
        }
        graph
    }

    fn edges(&self) -> usize {
        self.steps.iter().map(Vec::len).sum()
    }

    fn is_terminal(&self, state: usize) -> bool {
        self.steps[state].is_empty()
    }

    /// The states for which `step` says so, given those for which it has said so already.
    fn least(&self, step: impl Fn(usize, &[bool]) -> bool) -> Vec<bool> {
        let mut set = vec![false; self.states.len()];
        loop {
            let next: Vec<bool> = (0..set.len()).map(|s| set[s] || step(s, &set)).collect();
            if next == set {
                return set;
            }
            set = next;
        }
    }

    fn can_reach(&self, goal: impl Fn(usize) -> bool) -> Vec<bool> {
        self.least(|state, set| goal(state) || self.targets[state].iter().any(|t| set[*t]))
    }

    /// The states in which the property is seen to be violated; of a cycle, those on it.
    fn violations(&self, system: &System, property: &Property) -> Vec<usize> {
        let value = |state: usize, e| holds(system, &self.states[state], e);
        let all = 0..self.states.len();
        let is_deadlock = |state: usize| {
            let mut instances = system.instances.iter().zip(&self.states[state].instances);
            let all_final = instances.all(|(i, now)| i.locations[now.location as usize].is_final);
            self.is_terminal(state) && !all_final
        };
        match property {
            Property::Errors => all
                .filter(|s| self.steps[*s].iter().any(|step| step.outcome.is_err()))
                .collect(),
            Property::Deadlock { allowed } => all
                .filter(|s| is_deadlock(*s))
                .filter(|s| allowed.as_ref().is_none_or(|e| value(*s, e) != Ok(true)))
                .collect(),
            Property::Termination => {
                let reaching = self.can_reach(|state| self.is_terminal(state));
                all.filter(|state| !reaching[*state]).collect()
            }
            Property::Invariant(e) => all.filter(|s| value(*s, e) != Ok(true)).collect(),
            Property::Reachable(e) => all.filter(|s| value(*s, e) == Ok(true)).collect(),
            Property::MayProgress(e) => {
                let reaching = self.can_reach(|state| value(state, e) == Ok(true));
                all.filter(|s| !reaching[*s] || value(*s, e).is_err())
                    .collect()
            }
            Property::MustProgress(e) => {
                let is_without = |state: usize| value(state, e) == Ok(false);
                let on_cycle = |state: usize| {
                    let from = self.least(|s, set| {
                        let mut targets = self.targets[s].iter();
                        is_without(s) && targets.any(|t| *t == state || set[*t])
                    });
                    is_without(state) && from[state]
                };
                let ends = |s: usize| self.is_terminal(s) && is_without(s);
                all.filter(|s| ends(*s) || on_cycle(*s) || value(*s, e).is_err())
                    .collect()
            }
            Property::Recurrence(infinitely, implies) => self.recurring(infinitely, implies),
            _ => unreachable!("none of these is drawn: {property:?}"),
        }
    }

    /// The states on a cycle that has a step of the one set and none of the other.
    fn recurring(&self, infinitely: &StepSet, implies: &StepSet) -> Vec<usize> {
        let all = 0..self.states.len();
        let edges = |state: usize| {
            let steps = self.steps[state].iter().filter(|step| step.outcome.is_ok());
            steps.zip(self.targets[state].iter().copied())
        };
        let is_in = |state: usize, step: &Occurrence, set: &StepSet| {
            is_of(
                &self.states[state],
                &step.participants,
                step.action.as_ref(),
                set,
            )
        };
        let left: Vec<Vec<usize>> = all
            .clone()
            .map(|state| {
                let left = edges(state).filter(|(step, _)| !is_in(state, step, implies));
                left.map(|(_, target)| target).collect()
            })
            .collect();
        let from: Vec<Vec<bool>> = all
            .clone()
            .map(|goal| {
                self.least(|state, set| state == goal || left[state].iter().any(|t| set[*t]))
            })
            .collect();
        let reaches = |state: usize, goal: usize| from[goal][state];
        let wanted: Vec<(usize, usize)> = all
            .clone()
            .flat_map(|state| {
                let wanted = edges(state).filter(move |(step, _)| {
                    is_in(state, step, infinitely) && !is_in(state, step, implies)
                });
                wanted.map(move |(_, target)| (state, target))
            })
            .collect();
        let is_on = |state: &usize| {
            let mut wanted = wanted.iter();
            wanted.any(|(a, b)| reaches(*state, *a) && reaches(*b, *state))
        };
        all.filter(is_on).collect()
    }
}

/// Whether a step that these take in this state is one of the set.
fn is_of(
    state: &State,
    participants: &[(InstanceId, StepId)],
    action: Option<&(ActionId, Vec<i64>)>,
    set: &StepSet,
) -> bool {
    set.patterns.iter().any(|pattern| match pattern {
        StepPattern::At(instance, locations) => {
            let location = state.instances[*instance as usize].location;
            participants.iter().any(|(who, _)| who == instance) && locations.contains(&location)
        }
        StepPattern::Taken(instance, steps) => {
            let mut taken = participants.iter().filter(|(who, _)| who == instance);
            taken.any(|(_, step)| steps.contains(step))
        }
        StepPattern::Action(wanted) => match action {
            Some((action, values)) if *action == wanted.action => {
                let mut pairs = wanted.arguments.iter().zip(values);
                pairs.all(|(wanted, value)| *wanted == Some(*value) || wanted.is_none())
            }
            _ => false,
        },
    })
}

/// Whether the trace's cycle has a step of the one set and none of the other.
fn recurs(trace: &Trace, infinitely: &StepSet, implies: &StepSet) -> bool {
    let states = trace.states();
    let on_cycle = &states[trace.steps().len()..];
    let (mut some, mut none) = (false, true);
    for (step, before) in trace.cycle().iter().zip(on_cycle) {
        some |= is_of(before, &step.participants, step.action.as_ref(), infinitely);
        none &= !is_of(before, &step.participants, step.action.as_ref(), implies);
    }
    some && none
}

struct Counts;

impl Sink for Counts {
    fn wants_edges(&self) -> bool {
        false
    }
}

fn all_options() -> impl Iterator<Item = Options> {
    let searches = [Search::Breadth, Search::Depth].into_iter();
    searches.flat_map(|search| {
        let orders = [Order::Forward, Order::Reverse].into_iter();
        let both = orders.flat_map(|order| {
            let reductions = [Reduction::None, Reduction::Stubborn].into_iter();
            reductions.map(move |reduction| (order, reduction))
        });
        both.map(move |(order, reduction)| Options {
            search,
            order,
            reduction,
            ..Options::default()
        })
    })
}

fn steps_agree(system: &System) {
    let packed = Packed::new(system).expect("its states are small");
    let mut scratch = packed.scratch();
    let graph = Graph::new(system, 200);
    // Three times: what is worked out for states that are alike is used from the second on.
    let states = || graph.states.iter().zip(&graph.steps);
    for (state, expected) in states().chain(states()).chain(states()) {
        let words = packed.pack(state);
        let mut collected = Collected {
            packed: &packed,
            steps: vec![],
        };
        let _ = packed.visit(&words, &mut scratch, &mut collected);
        assert_eq!(&collected.steps, expected, "in {state:?}");
    }
}

fn verdicts_agree(system: &System, properties: &[Property]) {
    let graph = Graph::new(system, 300);
    if !graph.complete {
        return;
    }
    let packed = Packed::new(system).expect("its states are small");
    for property in properties {
        if let Property::Invariant(e) | Property::MayProgress(e) | Property::MustProgress(e) =
            property
        {
            let expression = packed.expression(e);
            for state in &graph.states {
                let words = packed.pack(state);
                let value = packed.holds(&expression, &words, &mut packed.scratch());
                assert_eq!(
                    value.map_err(|f| *f),
                    holds(system, state, e),
                    "in {state:?}"
                );
            }
        }
    }
    let violations: Vec<Vec<usize>> = properties
        .iter()
        .map(|property| graph.violations(system, property))
        .collect();
    for options in all_options() {
        let found = explore(system, &options, Caller::default(), &mut Counts).expect("it is small");
        if options.reduction == Reduction::None {
            assert_eq!(found.states as usize, graph.states.len());
            assert_eq!(found.edges as usize, graph.edges());
        } else {
            assert!(found.states as usize <= graph.states.len());
        }
        let terminal = (0..graph.states.len()).filter(|s| graph.is_terminal(*s));
        assert_eq!(found.terminal as usize, terminal.count());
        let outcomes = check(system, properties, &options, Caller::default()).expect("it is small");
        for ((property, outcome), violations) in properties.iter().zip(&outcomes).zip(&violations) {
            agrees(
                system,
                property,
                &outcome.verdict,
                violations,
                &graph,
                &options,
            );
            let alone = check(
                system,
                std::slice::from_ref(property),
                &options,
                Caller::default(),
            );
            let alone = alone.expect("it is small").swap_remove(0);
            assert_eq!(
                outcome.verdict.is_violated(),
                alone.verdict.is_violated(),
                "{property:?} alone with {options:?}"
            );
            // Properties that are looked for together and alone are reduced differently.
            assert!(options.reduction == Reduction::Stubborn || alone.states <= outcome.states);
        }
    }
}

fn agrees(
    system: &System,
    property: &Property,
    verdict: &Verdict,
    violations: &[usize],
    graph: &Graph,
    options: &Options,
) {
    match verdict {
        Verdict::Holds => {
            assert!(
                violations.is_empty(),
                "{property:?} is violated, {options:?}"
            );
        }
        Verdict::Violated { finding, trace } => {
            assert!(!violations.is_empty(), "{property:?} holds, {options:?}");
            assert_eq!(replay(system, trace), Ok(()));
            let last = graph.states.iter().position(|state| state == trace.last());
            let last = last.expect("it is reachable");
            assert!(violations.contains(&last), "{property:?} {finding:?}");
            if let Finding::ExpressionFails(failure) = finding {
                let (Property::Invariant(e)
                | Property::MayProgress(e)
                | Property::MustProgress(e)
                | Property::Deadlock { allowed: Some(e) }) = property
                else {
                    panic!("{property:?} has no expression");
                };
                assert_eq!(evaluate(system, trace.last(), e).as_ref(), Err(failure));
            }
            if let Property::Recurrence(infinitely, implies) = property {
                assert!(recurs(trace, infinitely, implies), "{property:?} {trace:?}");
            }
            let is_cycle = matches!(
                finding,
                Finding::GoalAvoidedByCycle | Finding::RecurrenceViolated
            );
            assert_eq!(is_cycle, !trace.cycle().is_empty());
            let is_about_states = !matches!(
                property,
                Property::MayProgress(_) | Property::MustProgress(_) | Property::Recurrence(..)
            );
            if options.search == Search::Breadth && is_about_states {
                let nearest = violations.iter().map(|s| graph.distances[*s]).min();
                let failing = usize::from(*property == Property::Errors);
                assert_eq!(Some(trace.steps().len() - failing), nearest, "{property:?}");
            }
        }
        Verdict::Undecided(reason) => panic!("{property:?} is undecided: {reason:?}"),
    }
}

fn cases(default: u32) -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok();
    ProptestConfig {
        cases: cases.and_then(|n| n.parse().ok()).unwrap_or(default),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn numbers() -> impl Strategy<Value = Vec<u16>> {
    proptest::collection::vec(any::<u16>(), 0..1200)
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn packed_steps_are_those_of_the_reference_interpreter(numbers in numbers()) {
        steps_agree(&Source::new(&numbers).system());
    }

    #[test]
    fn every_search_gives_the_verdicts_of_the_definitions(
        numbers in numbers(),
        properties in numbers(),
    ) {
        let system = Source::new(&numbers).system();
        let properties = Source::new(&properties).properties(&system);
        verdicts_agree(&system, &properties);
    }
}

/// Tests that forget values have effects, which no text gives them.
#[test]
fn packed_steps_that_forget_values_are_those_of_the_reference_interpreter() {
    let mut tests_with_effects = 0;
    for seed in 0..500 {
        let Some(drawn) = read::model(&generate::model(seed)) else {
            continue;
        };
        let system = &drawn.system;
        let cone = Dependencies::new(system).cone([&Property::Errors]);
        let slice = Slice::new(system, &cone).without_dead(&[Property::Errors]);
        let steps = slice.system.instances.iter().flat_map(|one| &one.steps);
        let is_test = |step: &&Step| matches!(step.target, Target::Test(..));
        tests_with_effects += steps
            .filter(is_test)
            .filter(|step| !step.effects.is_empty())
            .count();
        steps_agree(&slice.system);
    }
    assert!(tests_with_effects > 100, "{tests_with_effects}");
}
