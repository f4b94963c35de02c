//! A system over packed states.

use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;

use stubborn_system::system::{
    ActionId, Communication, Expr, Instance, InstanceId, LocationId, StepId, System,
};

use super::code::Code;
use super::compile::Compiler;
use super::footprint::Footprint;
use super::joint_step::{OnStep, Partners, find_deciding_guards};
use super::layout::{Layout, Slot};
use super::local::LocalStep;
use super::participants::Participants;
use super::portions::Portions;
use super::walk::Walk as _;
use crate::error::CheckError;
use crate::state::State;

/// The steps of a system over packed states.
pub struct Packed<'a> {
    pub(super) system: &'a System,
    pub layout: Layout,
    pub(super) initial: Vec<u64>,
    pub(super) instances: Vec<PackedInstance>,
    pub local: Vec<LocalStep>,
    pub on: Vec<OnStep>,
    /// For each action.
    pub participants: Vec<Participants>,
    /// The number of the next `if` among effects, where it is noted which branches they go into.
    pub(super) noting: Option<u32>,
    pub(super) bounds: Vec<Code>,
    /// The bounds that have cut off a state that was asked for, a bit for each.
    pub(super) cut: AtomicU64,
}

pub(super) struct PackedInstance {
    pub(super) location: Slot,
    /// The location and the local variables.
    pub(super) own: Vec<Slot>,
    pub(super) locations: Vec<PackedLocation>,
    /// By the step's number; none for one that can neither be taken nor fail.
    pub(super) steps: Vec<Option<StepRef>>,
    /// Computed when they are needed.
    pub(super) portions: OnceLock<Portions>,
}

#[derive(Default)]
pub(super) struct PackedLocation {
    /// In their order; of the `on` steps those that may be a first participant's.
    pub(super) steps: Box<[StepRef]>,
    /// The `on` steps for each action, by action.
    pub(super) on: Box<[(ActionId, Box<[u32]>)]>,
    pub(super) is_final: bool,
}

impl PackedLocation {
    /// The `on` steps for an action.
    #[inline]
    fn on_steps(&self, action: ActionId) -> &[u32] {
        match self.on.binary_search_by_key(&action, |(a, _)| *a) {
            Ok(at) => &self.on[at].1,
            Err(_) => &[],
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum StepRef {
    Local(u32),
    On(u32),
}

/// An expression over packed states.
#[derive(Clone)]
pub struct Expression(pub Code);

impl<'a> Packed<'a> {
    pub fn new(system: &'a System) -> Result<Packed<'a>, CheckError> {
        Packed::numbering(system, None)
    }

    /// The same, of which every step notes into which branches of the `if`s among its effects it
    /// goes ([`Scratch::branches`]). These are numbered instance by instance, step by step, as
    /// [`for_tests`](stubborn_system::walk::for_tests) goes through them.
    pub fn noting(system: &'a System) -> Result<Packed<'a>, CheckError> {
        Packed::numbering(system, Some(0))
    }

    fn numbering(system: &'a System, noting: Option<u32>) -> Result<Packed<'a>, CheckError> {
        let layout = Layout::new(system)?;
        let initial = layout.pack(system, &State::initial(system));
        let mut packed = Packed {
            system,
            participants: Participants::of_system(system),
            instances: Vec::new(),
            local: Vec::new(),
            on: Vec::new(),
            initial,
            layout,
            noting,
            bounds: Vec::new(),
            cut: AtomicU64::new(0),
        };
        packed.bounds = Compiler::new(system, &packed.layout).scalars(&system.bounds);
        for (i, instance) in system.instances.iter().enumerate() {
            let instance = packed.instance(i as InstanceId, instance);
            packed.instances.push(instance);
        }
        find_deciding_guards(&mut packed.on, system.actions.len());
        packed.find_partners();
        Ok(packed)
    }

    fn find_partners(&mut self) {
        for at in 0..self.on.len() {
            let step = &self.on[at];
            if step.is_never_first(&self.participants) {
                continue;
            }
            let participants = &self.participants[step.action as usize];
            let places_of = |who: InstanceId, values: &[Option<i64>]| {
                let PackedInstance {
                    location,
                    locations,
                    ..
                } = &self.instances[who as usize];
                let mut places = 0;
                for (at, place) in locations.iter().enumerate() {
                    let steps = place.on_steps(step.action).iter();
                    let mut steps = steps.map(|step| &self.on[*step as usize]);
                    if steps.any(|other| other.may_match(&participants.ranges, values)) {
                        places |= 1_u64.checked_shl(at as u32)?;
                    }
                }
                Some((*location, places))
            };
            self.on[at].partners = Partners::of(step, participants, places_of);
        }
    }

    fn instance(&mut self, i: InstanceId, instance: &Instance) -> PackedInstance {
        let location = self.layout.locations[i as usize];
        let mut compiled = Vec::new();
        for (s, step) in instance.steps.iter().enumerate() {
            let who = (i, s as StepId);
            let compiler = Compiler::new(self.system, &self.layout);
            let mut compiler = compiler.noting(self.noting);
            let step_ref = match &step.communication {
                Some(Communication::On { action, arguments }) => {
                    let on = (*action, arguments.as_slice());
                    let step = OnStep::new(&mut compiler, who, location, on, step);
                    self.on.push(step);
                    Some(StepRef::On(self.on.len() as u32 - 1))
                }
                _ => {
                    let step = LocalStep::new(self.system, &mut compiler, who, location, step);
                    if step.is_impossible() {
                        None
                    } else {
                        self.local.push(step);
                        Some(StepRef::Local(self.local.len() as u32 - 1))
                    }
                }
            };
            self.noting = compiler.next_noted();
            compiled.push(step_ref);
        }
        let locations = instance.locations.iter().map(|location| {
            let steps = || location.steps.iter().filter_map(|s| compiled[*s as usize]);
            let mut on: Vec<(ActionId, Vec<u32>)> = Vec::new();
            for step in steps() {
                if let StepRef::On(step) = step {
                    let action = self.on[step as usize].action;
                    match on.iter_mut().find(|(a, _)| *a == action) {
                        Some((_, steps)) => steps.push(step),
                        None => on.push((action, vec![step])),
                    }
                }
            }
            on.sort_by_key(|(action, _)| *action);
            let first = |step: &StepRef| match step {
                StepRef::Local(_) => true,
                StepRef::On(step) => !self.on[*step as usize].is_never_first(&self.participants),
            };
            PackedLocation {
                steps: steps().filter(first).collect(),
                on: on.into_iter().map(|(a, steps)| (a, steps.into())).collect(),
                is_final: location.is_final,
            }
        });
        let locations = locations.collect();
        PackedInstance {
            location,
            own: self.layout.own(self.system, i),
            locations,
            steps: compiled,
            portions: OnceLock::new(),
        }
    }

    /// A step of an instance, unless it can neither be taken nor fail.
    #[inline]
    pub fn step_ref(&self, who: InstanceId, step: StepId) -> Option<StepRef> {
        self.instances[who as usize].steps[step as usize]
    }

    /// The `on` steps for an action at the present location of an instance.
    pub(super) fn on_steps(&self, who: InstanceId, action: ActionId, state: &[u64]) -> &[u32] {
        let instance = &self.instances[who as usize];
        instance.locations[instance.location.raw(state) as usize].on_steps(action)
    }

    #[inline]
    pub fn system(&self) -> &'a System {
        self.system
    }

    /// All bits of a state that may ever be set, in parts of few values: see [`Layout::parts`].
    pub fn parts(&self) -> Vec<(u32, u64)> {
        self.layout.parts(self.system)
    }

    /// The same in fewer parts, for searches that cannot join parts whose numbers need more than
    /// one word.
    pub fn parts_with_whole_arrays(&self) -> Vec<(u32, u64)> {
        self.layout.parts_with_whole_arrays(self.system)
    }

    pub fn pack(&self, state: &State) -> Vec<u64> {
        self.layout.pack(self.system, state)
    }

    pub fn unpack(&self, state: &[u64]) -> State {
        self.layout.unpack(self.system, state)
    }

    /// An expression that no choice occurs in.
    pub fn expression(&self, expr: &Expr) -> Expression {
        Expression(Compiler::new(self.system, &self.layout).scalar(expr))
    }

    /// Sets all bits of a state that an expression is a function of.
    pub fn footprint_of(&self, expression: &Expression, into: &mut [u64]) {
        Footprint::new(&self.layout, into).code(&expression.0);
    }

    /// Truth values that are all true where this one is; where it fails or is false one of them
    /// does or is.
    pub fn conjuncts(&self, expression: &Expression) -> Vec<Expression> {
        match &expression.0 {
            Code::All(parts) => parts.iter().cloned().map(Expression).collect(),
            code => vec![Expression(code.clone())],
        }
    }

    /// Location of an instance.
    #[inline]
    pub fn location(&self, state: &[u64], instance: InstanceId) -> LocationId {
        self.instances[instance as usize].location.raw(state) as LocationId
    }

    /// Whether every instance is at a final location.
    pub fn is_final(&self, state: &[u64]) -> bool {
        self.instances.iter().all(|instance| {
            let location = instance.location.raw(state) as usize;
            instance.locations[location].is_final
        })
    }
}
