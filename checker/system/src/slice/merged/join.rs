//! Steps with the inner steps behind them.

use std::collections::{BTreeMap, BTreeSet};

use super::inner::{Inner, targets};
use super::substitute::Afterwards;
use crate::footprint::{Thing, of_effects};
use crate::slice::bits::Bits;
use crate::slice::foreign::Foreign;
use crate::slice::own_values::{OwnValues, Taking, Values, either, is_surely};
use crate::system::{
    Effect, Expr, Instance, InstanceId, LocationId, Step, StepId, System, Target, Unary,
    VariableIndex, VariableRef,
};
use crate::walk::{for_expressions, for_subexpressions};

/// From one location so many ways on are told apart at the most.
const MOST_WAYS: usize = 8;
/// So many inner steps are put together at the most,
const MOST_STEPS: usize = 32;
/// and effects of so many expressions.
const MOST_EXPRESSIONS: usize = 512;

/// One way on: steps that follow each other, the first of which may be any.
#[derive(Clone)]
struct Way {
    /// When it is taken, where the guard of the first step is evaluated and true.
    conditions: Vec<Expr>,
    effects: Vec<Effect>,
    /// How many expressions the effects have, about.
    size: usize,
    steps: Vec<StepId>,
    passed: Vec<LocationId>,
    target: LocationId,
}

/// Merged steps of an instance.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct OfInstance {
    /// The steps that each step consists of, by their numbers in the slice before.
    pub(super) parts: Vec<Box<[StepId]>>,
    /// The variables that an inner step assigns to, ascending.
    pub(super) assigned: Vec<VariableIndex>,
    /// By location, ascending.
    pub(super) passed: Vec<Passed>,
}

/// A location that some merged step passes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Passed {
    pub(super) location: LocationId,
    /// From where to where such steps lead.
    pub(super) by: BTreeSet<(LocationId, LocationId)>,
}

/// The instance with its steps put together, where there are any such.
pub fn joined(
    system: &System,
    number: InstanceId,
    values: &OwnValues,
    foreign: &Foreign,
    inner: &Inner,
) -> Option<(Instance, OfInstance)> {
    if inner.order.is_empty() {
        return None;
    }
    let instance = &system.instances[number as usize];
    let mut joining = Joining {
        taking: Taking {
            system,
            instance: number,
            intervals: None,
        },
        instance,
        written: &foreign.written[number as usize],
        ways: vec![Vec::new(); instance.locations.len()],
    };
    for &location in &inner.order {
        let here = values.at[location as usize].as_ref()?;
        let steps = &inner.steps[location as usize];
        let mut ways = Vec::new();
        for &step in steps {
            let mut of_step = joining.ways_of(step, here, true);
            if steps.len() > 1 {
                let guard = instance.steps[step as usize].guard.clone();
                for way in &mut of_step {
                    way.conditions.splice(0..0, guard.clone());
                }
            }
            ways.extend(of_step);
        }
        for way in &mut ways {
            way.passed.push(location);
        }
        // Where there are too many the instance stays here.
        if ways.len() <= MOST_WAYS {
            joining.ways[location as usize] = ways;
        }
    }
    // What is known where each step is taken.
    let mut known: Vec<Option<Values>> = vec![None; instance.steps.len()];
    let mut is_listed = vec![false; instance.steps.len()];
    for (location, here) in instance.locations.iter().zip(&values.at) {
        for &step in &location.steps {
            is_listed[step as usize] = true;
            let known = &mut known[step as usize];
            *known = match (known.take(), here) {
                (Some(known), Some(here)) => Some(either(&known, here)),
                (known, here) => known.or_else(|| here.clone()),
            };
        }
    }
    let all = known.iter().zip(0..).map(|(known, step)| match known {
        Some(known) => joining.ways_of(step, known, false),
        None => joining.by_itself(step),
    });
    let all: Vec<Vec<Way>> = all.collect();
    let is_joined = |way: &Way| way.steps.len() > 1;
    if !all.iter().flatten().any(is_joined) {
        return None;
    }
    Some(put_together(number, instance, &all))
}

struct Joining<'a> {
    taking: Taking<'a>,
    instance: &'a Instance,
    written: &'a Bits,
    /// Of each location that is passed, all ways on from there, of which always one can be taken; none
    /// where the instance stays.
    ways: Vec<Vec<Way>>,
}

impl Joining<'_> {
    /// The ways on that begin with the step, where so much is known of where it is taken. That of a step
    /// by itself has no conditions, whatever its test is.
    fn ways_of(&self, number: StepId, here: &Values, is_inner: bool) -> Vec<Way> {
        let step = &self.instance.steps[number as usize];
        let alone = |target, conditions| self.alone(number, target, conditions);
        let is_passed = |target: LocationId| !self.ways[target as usize].is_empty();
        if !is_inner && !targets(step).any(is_passed) {
            return self.by_itself(number);
        }
        let mut here = here.clone();
        self.taking.forget_bound(step, &mut here);
        let guard = step.guard.as_ref();
        let guard_fails = guard.is_some_and(|e| !self.taking.ranges(&here, &[]).cannot_fail(e));
        if guard.is_some_and(|guard| !self.taking.refine(guard, true, &mut here)) {
            return self.by_itself(number);
        }
        let first = match &step.target {
            Target::To(target) => vec![alone(*target, Vec::new())],
            // A test is evaluated where a guard would be.
            Target::Test(condition, then, otherwise) => {
                let not = Expr::Unary(Unary::Not, Box::new(condition.clone()));
                vec![
                    alone(*then, vec![condition.clone()]),
                    alone(*otherwise, vec![not]),
                ]
            }
        };
        // As a part of the guard it fails where the step by itself waits, or is two steps that fail.
        let mut tests = first.iter().flat_map(|way| &way.conditions);
        if tests.any(|test| !self.taking.ranges(&here, &[]).cannot_fail(test)) {
            debug_assert!(!is_inner, "the test of an inner step cannot fail");
            return self.by_itself(number);
        }
        let afterwards = Afterwards::of(&self.taking, step, &here, self.written);
        let performed = self.taking.perform(&step.effects, &step.choices, &here);
        let mut all = Vec::new();
        for way in first {
            // What is known behind the step is known of where it is taken, of what its effects make of it, only if these
            // cannot fail: else none of the conditions may be true where they do, and the failing step would be lost.
            let going_on = self.going_on(&way, &afterwards, &here).filter(|ways| {
                let says_more = |on: &Way| on.conditions.len() > way.conditions.len();
                !performed.may_fail || !ways.iter().any(says_more)
            });
            match going_on {
                Some(ways) => all.extend(ways),
                None => all.push(way),
            }
        }
        let is_joined = |way: &Way| way.steps.len() > 1;
        // A guard that fails is to fail once.
        let is_too_many = all.len() > MOST_WAYS || guard_fails && all.len() > 1;
        if !is_inner && (is_too_many || !all.iter().any(is_joined)) {
            return self.by_itself(number);
        }
        all
    }

    /// The step as it is.
    fn by_itself(&self, number: StepId) -> Vec<Way> {
        let target = targets(&self.instance.steps[number as usize]).next();
        let target = target.into_iter();
        target
            .map(|target| self.alone(number, target, Vec::new()))
            .collect()
    }

    fn alone(&self, number: StepId, target: LocationId, conditions: Vec<Expr>) -> Way {
        let effects = self.instance.steps[number as usize].effects.clone();
        Way {
            conditions,
            size: size(&effects),
            effects,
            steps: vec![number],
            passed: Vec::new(),
            target,
        }
    }

    /// The way and those that go on from where it leads; `None` where it ends there.
    fn going_on(&self, way: &Way, afterwards: &Afterwards, known: &Values) -> Option<Vec<Way>> {
        let mut all = Vec::new();
        for on in &self.ways[way.target as usize] {
            let size = way.size + on.size;
            if way.steps.len() + on.steps.len() > MOST_STEPS || size > MOST_EXPRESSIONS {
                return None;
            }
            let mut conditions = way.conditions.clone();
            let mut is_ever = true;
            for condition in &on.conditions {
                let condition = afterwards.before(condition)?;
                let ranges = self.taking.ranges(known, &[]);
                is_ever &= !is_surely(&ranges, &condition, false);
                if !is_surely(&ranges, &condition, true) {
                    conditions.push(condition);
                }
            }
            if is_ever {
                all.push(Way {
                    conditions,
                    effects: [&way.effects[..], &on.effects].concat(),
                    size,
                    steps: [&way.steps[..], &on.steps].concat(),
                    passed: [&way.passed[..], &on.passed].concat(),
                    target: on.target,
                });
            }
        }
        (!all.is_empty()).then_some(all)
    }
}

/// How many expressions the effects have, and how many they are.
fn size(effects: &[Effect]) -> usize {
    let mut size = effects.len();
    for effect in effects {
        for_expressions(effect, &mut |expr| {
            for_subexpressions(expr, &mut |_| size += 1);
        });
    }
    size
}

/// The instance in which each step has become these ways: none where it is never taken.
fn put_together(
    number: InstanceId,
    instance: &Instance,
    all: &[Vec<Way>],
) -> (Instance, OfInstance) {
    let is_reached = reached(instance, all);
    let mut is_listed = vec![false; instance.steps.len()];
    let at_locations = instance.locations.iter().zip(&is_reached);
    for (location, _) in at_locations.filter(|(_, is_reached)| **is_reached) {
        location
            .steps
            .iter()
            .for_each(|step| is_listed[*step as usize] = true);
    }
    let mut of = OfInstance::default();
    let (mut steps, mut become_of) = (Vec::new(), Vec::new());
    let mut assigned = BTreeSet::new();
    for (old, ways) in all.iter().enumerate() {
        let begin = steps.len() as StepId;
        let ways = if is_listed[old] { &ways[..] } else { &[] };
        for way in ways {
            steps.push(merged_step(&instance.steps[old], way));
            of.parts.push(way.steps.clone().into());
            for inner in &way.steps[1..] {
                of_effects(&instance.steps[*inner as usize].effects, &mut |touch| {
                    if let (true, Thing::Variable(VariableRef::Local(of, variable))) =
                        (touch.writes, touch.thing)
                    {
                        debug_assert_eq!(of, number, "an inner step changes its own alone");
                        assigned.insert(variable);
                    }
                });
            }
        }
        become_of.push(begin..steps.len() as StepId);
    }
    let mut passed: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    let mut locations = instance.locations.clone();
    for ((location, is_reached), at) in locations.iter_mut().zip(is_reached).zip(0..) {
        let before = std::mem::take(&mut location.steps);
        if !is_reached {
            continue;
        }
        for step in before {
            location.steps.extend(become_of[step as usize].clone());
            for way in &all[step as usize] {
                for over in &way.passed {
                    passed.entry(*over).or_default().insert((at, way.target));
                }
            }
        }
    }
    of.assigned = assigned.into_iter().collect();
    let passed = passed.into_iter();
    of.passed = passed
        .map(|(location, by)| Passed { location, by })
        .collect();
    let instance = Instance {
        steps,
        locations,
        ..instance.clone()
    };
    (instance, of)
}

/// The locations to which the ways lead.
fn reached(instance: &Instance, all: &[Vec<Way>]) -> Vec<bool> {
    let mut is_reached = vec![false; instance.locations.len()];
    is_reached[instance.initial as usize] = true;
    let mut open = vec![instance.initial];
    while let Some(location) = open.pop() {
        for &step in &instance.locations[location as usize].steps {
            for way in &all[step as usize] {
                let others = match way.steps.len() {
                    1 if way.conditions.is_empty() => {
                        targets(&instance.steps[step as usize]).collect()
                    }
                    _ => vec![way.target],
                };
                for target in others {
                    if !std::mem::replace(&mut is_reached[target as usize], true) {
                        open.push(target);
                    }
                }
            }
        }
    }
    is_reached
}

fn merged_step(first: &Step, way: &Way) -> Step {
    if way.steps.len() == 1 && way.conditions.is_empty() {
        return first.clone();
    }
    let mut conditions: Vec<Expr> = first.guard.iter().cloned().collect();
    conditions.extend_from_slice(&way.conditions);
    let guard = match conditions.len() {
        0 | 1 => conditions.pop(),
        _ => Some(Expr::All(conditions)),
    };
    Step {
        communication: first.communication.clone(),
        guard,
        choices: first.choices.clone(),
        effects: way.effects.clone(),
        target: Target::To(way.target),
    }
}
