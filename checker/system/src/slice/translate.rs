//! The smaller System, and properties about it.

use super::bounds::Ranges;
use super::dead::{Dead, without_dead};
use super::merged::{Merged, merge};
use super::stays::Cone;
use super::unreached::without_unreached;
use super::values::with_values;
use crate::property::{Property, Refinement, StepPattern, StepSet, Tester};
use crate::system::{
    Access, Action, ActionId, ActionPattern, Argument, ChannelId, ChannelIndex, ChannelRef,
    Communication, Effect, Expr, Instance, InstanceId, Onward, Place, Step, System, Target,
    Variable, VariableIndex, VariableRef,
};
use crate::walk::{for_children_mut, for_expressions, for_subexpressions};

/// So often it is looked for what never happens.
const MOST_ROUNDS: usize = 3;
/// Of instances with more locations and steps, times variables, nothing is looked for: that bounds the costs.
const MOST_PLACES: usize = 1 << 18;

/// A System with only what some properties depend on, and what became of what.
///
/// Each list of numbers gives, for the numbers of the slice, those of the whole System; they
/// ascend. Locations of the instances that stay have the same numbers in both, and so have their steps
/// unless some are merged.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Slice {
    pub system: System,
    pub instances: Vec<InstanceId>,
    pub variables: Vec<VariableIndex>,
    /// Of each instance of the slice.
    pub locals: Vec<Vec<VariableIndex>>,
    pub channels: Vec<ChannelId>,
    pub actions: Vec<ActionId>,
    /// Whether something of it was worked out, or is not there since it never happens.
    pub is_simpler: bool,
    /// Which steps are several of the whole System's.
    pub merged: Merged,
    /// What has the value that it had at first where nobody reads it again.
    pub dead: Dead,
}

impl Slice {
    /// What stays of the System. The cone must be one of its own.
    pub fn new(system: &System, cone: &Cone) -> Slice {
        Slice::within(system, cone, &|| {})
    }

    /// The same; `on_the_way` is called for each instance, and may unwind.
    pub fn within(system: &System, cone: &Cone, on_the_way: &dyn Fn()) -> Slice {
        let locals = |instance| cone.locals(instance).collect();
        let mut slice = Slice {
            system: System::default(),
            instances: cone.instances().collect(),
            variables: cone.shared().collect(),
            locals: cone.instances().map(locals).collect(),
            channels: cone.channels().collect(),
            actions: cone.actions().collect(),
            is_simpler: false,
            merged: Merged::default(),
            dead: Dead::default(),
        };
        let variable = |v: &VariableIndex| system.variables[*v as usize].clone();
        let sliced = System {
            variables: slice.variables.iter().map(variable).collect(),
            channels: slice
                .channels
                .iter()
                .map(|c| system.channels[*c as usize].clone())
                .collect(),
            actions: slice
                .actions
                .iter()
                .map(|a| -> Action { system.actions[*a as usize].clone() })
                .collect(),
            instances: slice.sliced_instances(system, cone, on_the_way),
            bounds: slice.renaming(&[]).exprs(&system.bounds),
        };
        slice.system = sliced;
        slice
    }

    /// The same, in which variables that always have one value have it as their type, and steps that are
    /// never taken are not there, where that is asked for. The state space is the same one, and so it is
    /// whatever the properties are. Once `goes_on`, which is asked now and then, does not, no more is done.
    #[must_use]
    pub fn simplified(
        mut self,
        constants: bool,
        unreached: bool,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Slice {
        debug_assert!(self.dead.is_empty() && self.merged.is_empty());
        let mut again = constants || unreached;
        // What never happens may be what kept a variable from being constant, and the other way round.
        for _ in 0..MOST_ROUNDS {
            if !again {
                break;
            }
            let system = &mut self.system;
            let known = constants && with_values(system, goes_on) > 0;
            let gone = unreached && without_unreached(system, MOST_PLACES, goes_on) > 0;
            self.is_simpler |= known || gone;
            again = constants && gone;
        }
        self
    }

    /// The same, in which runs of steps that nobody else can observe or disturb are one step, where all of
    /// these properties about the slice, none of which a monitor watches for, allow it. Values that are
    /// forgotten are so afterwards. Once `goes_on`, which is asked now and then, does not, no more is done.
    /// Nothing is merged where a bound may cut a run of steps off in its midst.
    #[must_use]
    pub fn merged(mut self, properties: &[Property], goes_on: &mut dyn FnMut() -> bool) -> Slice {
        debug_assert!(self.dead.is_empty() && self.merged.is_empty());
        if self.system.bounds.is_empty() {
            self.merged = merge(&mut self.system, properties, goes_on);
        }
        self
    }

    /// The same, in which values that nobody reads again are forgotten, neither a step nor one of these
    /// properties about the slice.
    #[must_use]
    pub fn without_dead(mut self, properties: &[Property]) -> Slice {
        self.dead = without_dead(&mut self.system, properties);
        self
    }

    /// Returns the property about the slice. It must belong to its cone.
    pub fn property(&self, property: &Property) -> Property {
        let renaming = self.renaming(&[]);
        match property {
            Property::Tester(tester) => return Property::Tester(renaming.tester(tester)),
            Property::Refinement(refinement) => {
                return Property::Refinement(Refinement {
                    semantics: refinement.semantics,
                    specification: renaming.specification(&refinement.specification),
                });
            }
            _ => {}
        }
        debug_assert!(
            property.watched_actions().is_empty(),
            "no tester and no specification is asked of fair runs alone"
        );
        let mut property = property.clone();
        let (expressions, step_sets) = property.parts_mut();
        for expr in expressions {
            *expr = renaming.expr(expr);
        }
        for steps in step_sets {
            *steps = renaming.step_set(steps);
        }
        property
    }

    fn sliced_instances(
        &self,
        system: &System,
        cone: &Cone,
        on_the_way: &dyn Fn(),
    ) -> Vec<Instance> {
        let renaming = self.renaming(&[]);
        let mut processes: Vec<u32> = Vec::new();
        let mut all = Vec::with_capacity(self.instances.len());
        for (number, locals) in self.instances.iter().zip(&self.locals) {
            on_the_way();
            let instance = &system.instances[*number as usize];
            if processes.last() != Some(&instance.process) {
                processes.push(instance.process);
            }
            let local = |v: &VariableIndex| -> Variable { instance.locals[*v as usize].clone() };
            let steps = instance.steps.iter();
            let patterns = instance.alphabet.iter();
            all.push(Instance {
                process: processes.len() as u32 - 1,
                locals: locals.iter().map(local).collect(),
                steps: steps.map(|step| self.step(system, cone, step)).collect(),
                locations: instance.locations.clone(),
                initial: instance.initial,
                alphabet: patterns.map(|p| renaming.pattern(p)).collect(),
            });
        }
        all
    }

    fn step(&self, system: &System, cone: &Cone, step: &Step) -> Step {
        let stay = Staying {
            cone,
            ranges: Ranges::of_types(system, &step.choices),
        };
        // A choice that no effect makes any more would be as many steps that do the same.
        let all: Vec<u32> = (0..step.choices.len() as u32).collect();
        let effects = stay.effects(&self.renaming(&all), &step.effects);
        let mut used = vec![false; all.len()];
        for effect in &effects {
            mark_choices(effect, &mut used);
        }
        let choices: Vec<u32> = all.iter().copied().filter(|k| used[*k as usize]).collect();
        let renaming = self.renaming(&choices);
        let effects = if choices.len() == all.len() {
            effects
        } else {
            stay.effects(&renaming, &step.effects)
        };
        let communication = step.communication.as_ref().map(|how| match how {
            Communication::On { action, arguments } => Communication::On {
                action: renaming.action(*action),
                arguments: stay.arguments(&renaming, arguments),
            },
            Communication::Send { channel, values } => Communication::Send {
                channel: renaming.channel(channel),
                values: values.iter().map(|value| renaming.expr(value)).collect(),
            },
            Communication::Receive(channel, arguments, onward) => Communication::Receive(
                renaming.channel(channel),
                stay.arguments(&renaming, arguments),
                onward.as_ref().map(|onward| Onward {
                    channel: renaming.channel(&onward.channel),
                    values: renaming.exprs(&onward.values),
                }),
            ),
        });
        Step {
            communication,
            guard: step.guard.as_ref().map(|guard| renaming.expr(guard)),
            choices: choices.iter().map(|k| step.choices[*k as usize]).collect(),
            effects,
            target: match &step.target {
                Target::To(location) => Target::To(*location),
                Target::Test(condition, then, otherwise) => {
                    Target::Test(renaming.expr(condition), *then, *otherwise)
                }
            },
        }
    }

    fn renaming<'a>(&'a self, choices: &'a [u32]) -> Renaming<'a> {
        Renaming {
            slice: self,
            choices,
        }
    }
}

/// What of a step stays.
struct Staying<'a> {
    cone: &'a Cone,
    ranges: Ranges<'a>,
}

impl Staying<'_> {
    fn arguments(&self, renaming: &Renaming<'_>, arguments: &[Argument]) -> Vec<Argument> {
        let argument = |argument: &Argument| match argument {
            Argument::Match(expr) => Argument::Match(renaming.expr(expr)),
            Argument::Bind(place) if self.cone.has(place.variable) => {
                Argument::Bind(renaming.place(place))
            }
            Argument::Bind(_) | Argument::Skip => Argument::Skip,
        };
        arguments.iter().map(argument).collect()
    }

    fn effects(&self, renaming: &Renaming<'_>, effects: &[Effect]) -> Vec<Effect> {
        let effect = |effect: &Effect| match effect {
            Effect::Assign { place, ty, value } => {
                self.cone.has(place.variable).then(|| Effect::Assign {
                    place: renaming.place(place),
                    ty: ty.clone(),
                    value: renaming.expr(value),
                })
            }
            Effect::If(condition, then, otherwise) => {
                let then = self.effects(renaming, then);
                let otherwise = self.effects(renaming, otherwise);
                let does_nothing = then.is_empty() && otherwise.is_empty();
                (!does_nothing || !self.ranges.cannot_fail(condition))
                    .then(|| Effect::If(renaming.expr(condition), then, otherwise))
            }
            Effect::Assert(condition) => Some(Effect::Assert(renaming.expr(condition))),
        };
        effects.iter().filter_map(effect).collect()
    }
}

/// Marks the choices that the effect makes.
fn mark_choices(effect: &Effect, used: &mut [bool]) {
    for_expressions(effect, &mut |expr| {
        for_subexpressions(expr, &mut |part| {
            if let Expr::Choice(k) = part
                && let Some(used) = used.get_mut(*k as usize)
            {
                *used = true;
            }
        });
    });
}

/// From the numbers of the whole System to those of a slice.
struct Renaming<'a> {
    slice: &'a Slice,
    /// The choices of the step that stay.
    choices: &'a [u32],
}

impl Renaming<'_> {
    fn pattern(&self, pattern: &ActionPattern) -> ActionPattern {
        ActionPattern {
            action: self.action(pattern.action),
            arguments: pattern.arguments.clone(),
        }
    }

    fn step_set(&self, set: &StepSet) -> StepSet {
        let patterns = set.patterns.iter().map(|pattern| match pattern {
            StepPattern::Action(pattern) => StepPattern::Action(self.pattern(pattern)),
            StepPattern::At(instance, locations) => StepPattern::At(
                number_of(&self.slice.instances, *instance),
                locations.clone(),
            ),
            StepPattern::Taken(instance, steps) => {
                StepPattern::Taken(number_of(&self.slice.instances, *instance), steps.clone())
            }
        });
        StepSet {
            patterns: patterns.collect(),
        }
    }

    fn tester(&self, tester: &Tester) -> Tester {
        let mut tester = tester.clone();
        let steps = tester.states.iter_mut().flat_map(|state| &mut state.steps);
        let patterns = steps.filter_map(|step| step.on.as_mut());
        for pattern in patterns.chain(&mut tester.visible) {
            pattern.action = self.action(pattern.action);
        }
        tester
    }

    /// A specification shares nothing with the System but its actions.
    fn specification(&self, specification: &Instance) -> Instance {
        let mut specification = specification.clone();
        for pattern in &mut specification.alphabet {
            pattern.action = self.action(pattern.action);
        }
        for step in &mut specification.steps {
            if let Some(Communication::On { action, .. }) = &mut step.communication {
                *action = self.action(*action);
            }
        }
        specification
    }

    fn exprs(&self, exprs: &[Expr]) -> Vec<Expr> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn action(&self, action: u32) -> u32 {
        number_of(&self.slice.actions, action)
    }

    fn place(&self, place: &Place) -> Place {
        let access = |access: &Access| match access {
            Access::Field(field) => Access::Field(*field),
            Access::Cell { lo, len, index } => Access::Cell {
                lo: *lo,
                len: *len,
                index: self.expr(index),
            },
        };
        Place {
            variable: self.variable(place.variable),
            path: place.path.iter().map(access).collect(),
            ty: place.ty.clone(),
        }
    }

    fn variable(&self, variable: VariableRef) -> VariableRef {
        match variable {
            VariableRef::Shared(v) => VariableRef::Shared(number_of(&self.slice.variables, v)),
            VariableRef::Local(i, v) => {
                let instance = number_of(&self.slice.instances, i);
                let locals = &self.slice.locals[instance as usize];
                VariableRef::Local(instance, number_of(locals, v))
            }
        }
    }

    fn channel(&self, channel: &ChannelRef) -> ChannelRef {
        match channel {
            ChannelRef::One(channel) => ChannelRef::One(number_of(&self.slice.channels, *channel)),
            // All of an array that is used stay, side by side.
            ChannelRef::Indexed { first, indices } => ChannelRef::Indexed {
                first: number_of(&self.slice.channels, *first),
                indices: (indices.iter())
                    .map(|index| ChannelIndex {
                        lo: index.lo,
                        len: index.len,
                        index: self.expr(&index.index),
                    })
                    .collect(),
            },
        }
    }

    /// The expression with the numbers of the slice.
    fn expr(&self, expr: &Expr) -> Expr {
        let mut renamed = expr.clone();
        self.rename(&mut renamed);
        renamed
    }

    fn rename(&self, expr: &mut Expr) {
        match expr {
            Expr::Choice(k) => *k = number_of(self.choices, *k),
            Expr::Variable(variable) => *variable = self.variable(*variable),
            Expr::At(instance, _) => *instance = number_of(&self.slice.instances, *instance),
            Expr::Length(channel) | Expr::IsEmpty(channel) | Expr::IsFull(channel) => {
                let (ChannelRef::One(first) | ChannelRef::Indexed { first, .. }) = channel;
                *first = number_of(&self.slice.channels, *first);
            }
            // The rest has no numbers of its own.
            _ => {}
        }
        for_children_mut(expr, &mut |child| self.rename(child));
    }
}

/// Which number of the slice one of the whole System has become.
fn number_of(kept: &[u32], whole: u32) -> u32 {
    match kept.binary_search(&whole) {
        Ok(number) => number as u32,
        Err(_) => {
            unreachable!("a cone has all that the steps and properties of its slice speak of")
        }
    }
}
