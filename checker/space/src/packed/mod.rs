//! The fast path: states as a few words of bits, and steps compiled for them.
//!
//! It implements the definition in [`stubborn_system::system`] on its own; the reference
//! interpreter is the other account of it, and the tests hold the two together.

pub mod body;
pub mod channel;
pub mod code;
pub mod compile;
pub mod evaluate;
mod footprint;
pub mod joint;
pub mod layout;
pub mod local;
mod memo;
pub mod noted;
pub mod participants;
mod plain;
mod portions;
mod shape;
mod simplify;
mod specialise;
pub mod walk;

use std::ops::{ControlFlow, Range};
use std::sync::OnceLock;

use stubborn_system::system::{
    ActionId, Communication, Expr, Failure, Instance, InstanceId, LocationId, StepId, System,
};

use crate::error::CheckError;
use crate::state::State;
use crate::successors::{Bits, Footprints, Place, Successors, Visit, WorkingMemory};
use code::Code;
use compile::Compiler;
use evaluate::Stacks;
use footprint::Footprint;
use joint::{JointScratch, OnStep};
use layout::{Layout, Slot};
use local::{LocalScratch, LocalStep};
use memo::{Memo, Residual};
use participants::Participants;
use portions::Portions;
use specialise::Known;
use walk::Walk as _;

/// What joint steps with more participants are about is taken to be too much to be the same again.
const MOST_PARTICIPANTS: usize = 64;

/// The steps of a system over packed states.
pub struct Packed<'a> {
    system: &'a System,
    pub layout: Layout,
    initial: Vec<u64>,
    instances: Vec<PackedInstance>,
    pub local: Vec<LocalStep>,
    pub on: Vec<OnStep>,
    /// For each action.
    pub participants: Vec<Participants>,
    /// The number of the next `if` among effects, where it is noted which branches they go into.
    noting: Option<u32>,
}

struct PackedInstance {
    location: Slot,
    /// The location and the local variables.
    own: Vec<Slot>,
    locations: Vec<PackedLocation>,
    /// By the step's number; none for one that can neither be taken nor fail.
    steps: Vec<Option<StepRef>>,
    /// Worked out when somebody asks for them.
    portions: OnceLock<Portions>,
}

#[derive(Default)]
struct PackedLocation {
    /// In their order; of the `on` steps those that may be a first participant's.
    steps: Box<[StepRef]>,
    /// The `on` steps for each action, by action.
    on: Box<[(ActionId, Box<[u32]>)]>,
    is_final: bool,
}

#[derive(Clone, Copy)]
pub enum StepRef {
    Local(u32),
    On(u32),
}

/// Working memory for the steps of one state.
pub struct Scratch {
    pub stacks: Stacks,
    local: LocalScratch,
    joint: JointScratch,
    memo: Memo,
}

impl Scratch {
    /// The branches that steps have gone into since this was last asked, and never before: the number of the `if`, and
    /// whether it was the second.
    pub fn branches(&mut self) -> impl Iterator<Item = (u32, bool)> + '_ {
        let noted = self.stacks.noted.take();
        noted.map(|number| (number / 2, number % 2 == 1))
    }
}

/// An expression over packed states.
#[derive(Clone)]
pub struct Expression(pub Code);

impl<'a> Packed<'a> {
    pub fn new(system: &'a System) -> Result<Packed<'a>, CheckError> {
        Packed::numbering(system, None)
    }

    /// The same, of which every step notes into which branches of the `if`s among its effects it goes
    /// ([`Scratch::branches`]). These are numbered instance by instance, step by step, as
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
        };
        for (i, instance) in system.instances.iter().enumerate() {
            let instance = packed.instance(i as InstanceId, instance);
            packed.instances.push(instance);
        }
        Ok(packed)
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
                    let action = self.on[step as usize].action();
                    match on.iter_mut().find(|(a, _)| *a == action) {
                        Some((_, steps)) => steps.push(step),
                        None => on.push((action, vec![step])),
                    }
                }
            }
            on.sort_by_key(|(action, _)| *action);
            let first = |step: &StepRef| match step {
                StepRef::Local(_) => true,
                StepRef::On(step) => !self.on[*step as usize].is_never_first(self),
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
    fn on_steps(&self, who: InstanceId, action: ActionId, state: &[u64]) -> &[u32] {
        let instance = &self.instances[who as usize];
        let location = &instance.locations[instance.location.raw(state) as usize];
        match location.on.binary_search_by_key(&action, |(a, _)| *a) {
            Ok(at) => &location.on[at].1,
            Err(_) => &[],
        }
    }

    fn visit_step(
        &self,
        step: StepRef,
        state: &[u64],
        local: &mut LocalScratch,
        joint: &mut JointScratch,
        stacks: &mut Stacks,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        match step {
            StepRef::Local(step) => {
                let step = &self.local[step as usize];
                step.visit(&self.layout, state, local, stacks, visitor)
            }
            StepRef::On(step) => joint::visit(self, step, state, joint, stacks, visitor),
        }
    }

    /// Gives the steps of one instance: of the joint ones those of which it is the first
    /// participant.
    #[inline]
    pub fn visit_instance(
        &self,
        instance: usize,
        state: &[u64],
        scratch: &mut Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        self.visit_steps((instance, None), state, scratch, visitor)
    }

    /// All of them, or those of one portion.
    #[inline(always)]
    fn visit_steps(
        &self,
        (instance, portion): (usize, Option<usize>),
        state: &[u64],
        scratch: &mut Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        let Scratch {
            stacks,
            local,
            joint,
            memo,
        } = scratch;
        let location = || self.instances[instance].location.raw(state) as usize;
        let these = |portion| self.portions(instance).steps(location(), portion);
        match memo.steps(self, instance, state) {
            None => {
                let all = &self.instances[instance].locations[location()].steps;
                let steps = portion.map_or(&all[..], |portion| &all[these(portion)]);
                for step in steps {
                    self.visit_step(*step, state, local, joint, stacks, visitor)?;
                }
            }
            Some(left) => {
                let steps = portion.map_or(left.all(), |portion| left.of(these(portion)));
                for step in steps {
                    match step {
                        Residual::Plain(step) => {
                            step.visit(&self.layout, state, &mut local.next, stacks, visitor)?;
                        }
                        Residual::Whole(step) => {
                            self.visit_step(*step, state, local, joint, stacks, visitor)?;
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn portions(&self, instance: usize) -> &Portions {
        let portions = &self.instances[instance].portions;
        portions.get_or_init(|| {
            let locations = self.instances[instance].locations.iter();
            let bits = |location: &PackedLocation| {
                let steps = location.steps.iter();
                steps.map(|step| self.bits_of(*step)).collect()
            };
            Portions::of(locations.map(bits))
        })
    }

    /// What a step may look at or change, wherever it is taken; `None` where that is not known.
    fn bits_of(&self, step: StepRef) -> Option<Vec<u64>> {
        let mut bits = vec![0; self.layout.words];
        let mut footprint = Footprint::new(&self.layout, &mut bits);
        let is_known = match step {
            StepRef::Local(step) => {
                let nothing = Known::nothing(&self.layout);
                footprint.local(&self.local[step as usize], &nothing);
                true
            }
            StepRef::On(step) => self.joint_footprint(step, &mut footprint),
        };
        is_known.then_some(bits)
    }

    /// The instance whose steps a group is, and the portion if it is one. After the groups of all instances come so many
    /// for the portions of each.
    fn instance_of(&self, group: usize) -> (usize, Option<usize>) {
        match group.checked_sub(self.instances.len()) {
            None => (group, None),
            Some(finer) => (finer / portions::MOST, Some(finer % portions::MOST)),
        }
    }

    /// Adds what a joint step is about of which this is the first participant's part, and all that others may
    /// do with it. False where these may be too many.
    fn joint_footprint(&self, first: u32, footprint: &mut Footprint<'_>) -> bool {
        let first = &self.on[first as usize];
        let participants = &self.participants[first.action() as usize];
        let mut possible = Vec::new();
        participants.possible(&first.constants(&participants.ranges), &mut possible);
        if possible.len() > MOST_PARTICIPANTS {
            return false;
        }
        footprint.on(&first.patterns, &first.body);
        for who in possible {
            let instance = &self.instances[who as usize];
            footprint.slot(instance.location);
            let on = instance.locations.iter().flat_map(|location| &location.on);
            let steps = on.filter(|(action, _)| *action == first.action());
            for step in steps.flat_map(|(_, steps)| steps) {
                let OnStep { patterns, body, .. } = &self.on[*step as usize];
                footprint.on(patterns, body);
            }
        }
        true
    }

    /// The initial state.
    #[inline]
    pub fn initial_words(&self) -> &[u64] {
        &self.initial
    }

    #[inline]
    pub fn system(&self) -> &'a System {
        self.system
    }

    /// All bits of a state that may ever be set, in parts of few values: see [`Layout::parts`].
    pub fn parts(&self) -> Vec<(u32, u64)> {
        self.layout.parts(self.system)
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

    /// Truth values that are all true where this one is; where it fails or is false one of them does or is.
    pub fn conjuncts(&self, expression: &Expression) -> Vec<Expression> {
        match &expression.0 {
            Code::All(parts) => parts.iter().cloned().map(Expression).collect(),
            code => vec![Expression(code.clone())],
        }
    }

    /// Whether a truth value is true.
    pub fn holds(
        &self,
        expression: &Expression,
        state: &[u64],
        scratch: &mut Scratch,
    ) -> Result<bool, Box<Failure>> {
        scratch.stacks.truth(&self.layout, state, &expression.0)
    }

    /// Where an instance is.
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

impl Successors for Packed<'_> {
    type Scratch = Scratch;

    fn words(&self) -> usize {
        self.layout.words
    }

    fn initial(&self) -> &[u64] {
        &self.initial
    }

    fn scratch(&self) -> Scratch {
        Scratch {
            stacks: Stacks::default(),
            local: LocalScratch::new(self.layout.words),
            joint: JointScratch::new(self.layout.words),
            memo: Memo::new(self),
        }
    }

    fn visit(
        &self,
        state: &[u64],
        scratch: &mut Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        for instance in 0..self.instances.len() {
            self.visit_instance(instance, state, scratch, visitor)?;
        }
        ControlFlow::Continue(())
    }
}

impl Footprints for Packed<'_> {
    fn groups(&self) -> usize {
        self.instances.len()
    }

    fn finer(&self, group: usize) -> Range<usize> {
        if group >= self.instances.len() {
            return 0..0;
        }
        let first = self.instances.len() + group * portions::MOST;
        match self.portions(group).many() {
            0 | 1 => 0..0,
            many => first..first + many,
        }
    }

    fn place(&self, group: usize) -> Place {
        let instance = &self.instances[self.instance_of(group).0];
        let word = instance.location.word;
        let least = instance.location.mask << instance.location.shift;
        let own = instance.own.iter().filter(|slot| slot.word == word);
        let most = own.fold(least, |all, slot| all | slot.mask << slot.shift);
        Place {
            least: Bits { word, mask: least },
            most: Bits { word, mask: most },
        }
    }

    fn footprint(&self, group: usize, state: &[u64], common: Bits, into: &mut [u64]) -> bool {
        let (number, portion) = self.instance_of(group);
        let instance = &self.instances[number];
        let is_common = |slot: &Slot| {
            let bits = slot.mask << slot.shift;
            bits == 0 || slot.word == common.word && bits & !common.mask == 0
        };
        let mut known = Known::nothing(&self.layout);
        for slot in instance.own.iter().filter(|slot| is_common(slot)) {
            known.learn(*slot, slot.raw(state));
        }
        let location = instance.location.raw(state) as usize;
        let locations = match is_common(&instance.location) {
            true => location..location + 1,
            false => 0..instance.locations.len(),
        };
        let mut footprint = Footprint::new(&self.layout, into);
        footprint.slot(instance.location);
        let mut steps = locations.flat_map(|at| {
            let all = &instance.locations[at].steps;
            match portion {
                None => all.iter(),
                Some(portion) => all[self.portions(number).steps(at, portion)].iter(),
            }
        });
        steps.all(|step| match step {
            StepRef::Local(step) => {
                footprint.local(&self.local[*step as usize], &known);
                true
            }
            StepRef::On(step) => self.joint_footprint(*step, &mut footprint),
        })
    }

    fn visit_group(
        &self,
        group: usize,
        state: &[u64],
        scratch: &mut Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        self.visit_steps(self.instance_of(group), state, scratch, visitor)
    }
}

impl WorkingMemory for Scratch {
    fn bytes(&self) -> u64 {
        self.memo.bytes()
    }
}
