//! A tester beside the system: one more process, the last, which takes part in every visible action
//! (Valmari 1993, Def. 2.3 and 3.1).

use std::ops::{ControlFlow, Range};

use stubborn_system::property::{Tester, TesterState};
use stubborn_system::system::{
    ActionPattern, Argument, Communication, Expr, Failure, Instance, InstanceId, Location, Step,
    StepId, System, Target, Value,
};

use super::bits::Product;
use super::visibility::Beside;
use crate::members::Members;
use crate::packed::Packed;
use crate::reduction::Awaits;
use crate::relations::{Others, ProcessRelations, Pulse};
use crate::search::{Marks, Monitored};
use crate::successors::{Bits, Footprints, Label, Place, Successors, Visit};

/// The system with the tester as its last instance.
#[derive(Clone, Debug)]
pub struct WithTester {
    pub system: System,
    pub monitor: InstanceId,
    /// Of each of the tester's states.
    pub marks: Vec<Marks>,
}

impl WithTester {
    /// The tester's alphabet is cut down to what occurs: an action that is in the alphabet of no
    /// instance of the model does not, and the tester could else take it all alone.
    pub fn new(system: &System, tester: &Tester) -> WithTester {
        let mut extended = system.clone();
        let occurring = |pattern: &ActionPattern| occurring(system, pattern);
        let mut alphabet: Vec<ActionPattern> = Vec::new();
        for pattern in tester.patterns().flat_map(occurring) {
            if !alphabet.contains(&pattern) {
                alphabet.push(pattern);
            }
        }
        let mut steps = Vec::new();
        let mut locations = Vec::new();
        for state in &tester.states {
            let first = steps.len() as u32;
            for step in &state.steps {
                let target = Target::To(step.target);
                match &step.on {
                    None => steps.push(plain(None, target)),
                    Some(pattern) => steps.extend(
                        occurring(pattern)
                            .into_iter()
                            .map(|pattern| plain(Some(communication(pattern)), target.clone())),
                    ),
                }
            }
            locations.push(Location {
                steps: (first..steps.len() as u32).collect(),
                is_final: true,
            });
        }
        let process = system.instances.last().map_or(0, |last| last.process + 1);
        let monitor = extended.instances.len() as InstanceId;
        extended.instances.push(Instance {
            process,
            locals: Vec::new(),
            steps,
            locations,
            initial: tester.initial,
            alphabet,
        });
        WithTester {
            system: extended,
            monitor,
            marks: tester.states.iter().map(marks_of).collect(),
        }
    }

    /// What lies ahead of each of the tester's states.
    pub fn awaits(&self) -> Vec<Awaits> {
        let tester = &self.system.instances[self.monitor as usize];
        let target = |step: &StepId| match tester.steps[*step as usize].target {
            Target::To(target) | Target::Test(_, target, _) => target,
        };
        let locations = tester.locations.iter();
        let next = locations.map(|location| location.steps.iter().map(target).collect());
        Awaits::of(&self.marks, &next.collect::<Vec<_>>())
    }
}

/// The marks of a tester's state.
pub fn marks_of(state: &TesterState) -> Marks {
    Marks {
        reject: state.reject,
        deadlock: state.deadlock,
        livelock: state.livelock,
        infinite: state.infinite,
    }
}

fn plain(communication: Option<Communication>, target: Target) -> Step {
    Step {
        communication,
        guard: None,
        choices: Vec::new(),
        effects: Vec::new(),
        target,
    }
}

fn communication(pattern: ActionPattern) -> Communication {
    let argument = |value: &Option<i64>| match value {
        Some(value) => Argument::Match(Expr::Const(Value::Int(*value))),
        None => Argument::Skip,
    };
    Communication::On {
        action: pattern.action,
        arguments: pattern.arguments.iter().map(argument).collect(),
    }
}

/// The part of a pattern that some instance's alphabet has, as patterns of which none covers
/// another.
fn occurring(system: &System, pattern: &ActionPattern) -> Vec<ActionPattern> {
    let mut found: Vec<ActionPattern> = Vec::new();
    let all = system.instances.iter().flat_map(|i| &i.alphabet);
    for other in all.filter(|other| other.action == pattern.action) {
        let Some(both) = intersection(pattern, other) else {
            continue;
        };
        if both == *pattern {
            return vec![both];
        }
        if !found.iter().any(|known| covers(known, &both)) {
            found.retain(|known| !covers(&both, known));
            found.push(both);
        }
    }
    found
}

fn intersection(a: &ActionPattern, b: &ActionPattern) -> Option<ActionPattern> {
    let arguments = a.arguments.iter().zip(&b.arguments).map(|pair| match pair {
        (Some(a), Some(b)) if a != b => None,
        (a, b) => Some(a.or(*b)),
    });
    Some(ActionPattern {
        action: a.action,
        arguments: arguments.collect::<Option<_>>()?,
    })
}

fn covers(wide: &ActionPattern, narrow: &ActionPattern) -> bool {
    let mut pairs = wide.arguments.iter().zip(&narrow.arguments);
    pairs.all(|(wide, narrow)| wide.is_none() || wide == narrow)
}

/// The state space of a [`WithTester`], whose steps `S` gives.
pub struct TesterProduct<'a, S> {
    pub packed: &'a Packed<'a>,
    steps: S,
    pub monitor: InstanceId,
    marks: &'a [Marks],
    initials: Vec<Box<[u64]>>,
}

impl<'a, S: Successors> TesterProduct<'a, S> {
    /// `packed` is of the system of `with`, and so are the steps.
    pub fn new(with: &'a WithTester, packed: &'a Packed<'a>, steps: S) -> TesterProduct<'a, S> {
        TesterProduct {
            packed,
            steps,
            monitor: with.monitor,
            marks: &with.marks,
            initials: vec![packed.initial().into()],
        }
    }
}

impl<S: Successors> Successors for TesterProduct<'_, S> {
    type Scratch = S::Scratch;

    fn words(&self) -> usize {
        self.steps.words()
    }

    fn initial(&self) -> &[u64] {
        self.steps.initial()
    }

    fn scratch(&self) -> S::Scratch {
        self.steps.scratch()
    }

    fn visit(
        &self,
        state: &[u64],
        scratch: &mut S::Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        self.steps.visit(state, scratch, visitor)
    }
}

impl<S: Footprints> Footprints for TesterProduct<'_, S> {
    fn groups(&self) -> usize {
        self.steps.groups()
    }

    fn finer(&self, group: usize) -> Range<usize> {
        self.steps.finer(group)
    }

    fn place(&self, group: usize) -> Place {
        self.steps.place(group)
    }

    fn footprint(&self, group: usize, state: &[u64], common: Bits, into: &mut [u64]) -> bool {
        self.steps.footprint(group, state, common, into)
    }

    fn visit_group(
        &self,
        group: usize,
        state: &[u64],
        scratch: &mut S::Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        self.steps.visit_group(group, state, scratch, visitor)
    }
}

/// The tester is one of the processes.
impl<S: ProcessRelations> ProcessRelations for TesterProduct<'_, S> {
    fn processes(&self) -> usize {
        self.steps.processes()
    }

    fn checks(&self) -> usize {
        self.steps.checks()
    }

    fn visit_process(
        &self,
        process: usize,
        state: &[u64],
        scratch: &mut S::Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        self.steps.visit_process(process, state, scratch, visitor)
    }

    fn begin(&self, state: &[u64], scratch: &mut S::Scratch) -> bool {
        self.steps.begin(state, scratch)
    }

    fn enabled(&self, process: usize, state: &[u64], scratch: &mut S::Scratch) -> u32 {
        self.steps.enabled(process, state, scratch)
    }

    fn needs(
        &self,
        member: usize,
        others: &Others,
        state: &[u64],
        scratch: &mut S::Scratch,
        pulse: &mut Pulse<'_>,
    ) -> Members {
        self.steps.needs(member, others, state, scratch, pulse)
    }

    fn work(&self, scratch: &S::Scratch) -> u64 {
        self.steps.work(scratch)
    }

    fn learning(&self, scratch: &S::Scratch) -> u64 {
        self.steps.learning(scratch)
    }
}

impl<S: ProcessRelations> Beside for TesterProduct<'_, S> {
    type System = S;

    fn system(&self) -> &S {
        &self.steps
    }

    fn system_words<'s>(&self, state: &'s [u64]) -> &'s [u64] {
        state
    }

    fn system_scratch<'s>(&self, scratch: &'s mut S::Scratch) -> &'s mut S::Scratch {
        scratch
    }

    fn awaits(&self, _: &[u64]) -> Option<Awaits> {
        None
    }
}

impl<S: Footprints> Product for TesterProduct<'_, S> {
    fn parts(&self) -> Vec<(u32, u64)> {
        self.packed.parts_with_whole_arrays()
    }
}

impl<S: Successors> Monitored for TesterProduct<'_, S> {
    fn initials(&self) -> &[Box<[u64]>] {
        &self.initials
    }

    fn marks(&self, state: &[u64]) -> Marks {
        self.marks[self.packed.location(state, self.monitor) as usize]
    }

    fn is_visible(&self, label: Label<'_>, _: &[u64], _: &[u64]) -> bool {
        let last = label.participants.last();
        last.is_some_and(|(instance, _)| *instance == self.monitor)
    }

    /// Where the system and the tester agree on nothing, the run ends (C2), unless a bound cuts it off.
    fn ends(&self, state: &[u64], _: &mut S::Scratch) -> bool {
        self.packed.has_no_bounds() || self.packed.is_inside(state, &mut self.packed.scratch())
    }

    fn failure(&self, _: &[u64], _: &mut S::Scratch) -> Option<Failure> {
        None
    }
}
