//! The steps of a packed System with their relations.

use std::ops::ControlFlow;

use stubborn_explorer::search::Stop;
use stubborn_space::members::Members;
use stubborn_space::packed::{Expression, Packed, Scratch as PackedScratch};
use stubborn_space::relations::{Others, ProcessRelations, Pulse};
use stubborn_space::successors::{Footprints, Successors, Visit, WorkingMemory};

use super::ahead::Now;
use super::bounds::Bounds;
use super::conditions::StateCheck;
use super::facts::Facts;
use super::interference::Effort;
use super::needs::Needs;
use super::present::{Present, Working};
use super::work::{Look, Work};

/// The steps of a system over packed states, and how they depend on each other. The processes are
/// the system's instances.
pub struct Related<'a> {
    pub(super) packed: &'a Packed<'a>,
    pub(super) facts: Option<Facts>,
}

/// Working memory for one state at a time, and what was learned from those before.
pub struct Scratch {
    pub(super) packed: PackedScratch,
    pub(super) working: Option<Working>,
}

impl<'a> Related<'a> {
    /// `checks` are the properties' expressions, with what is looked for. What is found out is
    /// bounded for each instance; `look` is called in between, and may break it off.
    pub fn new(
        packed: &'a Packed<'a>,
        checks: &[(&Expression, StateCheck)],
        look: &mut Look<'_>,
    ) -> ControlFlow<Stop, Related<'a>> {
        Related::within(Bounds::default(), packed, checks, look)
    }

    /// As [`Related::new`], where so much may be found out.
    pub fn within(
        bounds: Bounds,
        packed: &'a Packed<'a>,
        checks: &[(&Expression, StateCheck)],
        look: &mut Look<'_>,
    ) -> ControlFlow<Stop, Related<'a>> {
        let checks: Vec<_> = checks.iter().map(|(e, how)| (&e.0, *how)).collect();
        let facts = Facts::new(bounds, packed, &checks, &[], &mut Work::new(look))?;
        ControlFlow::Continue(Related {
            packed,
            facts: facts.map(|(facts, _)| facts),
        })
    }

    /// The same for states that permutations make, to which no run need lead.
    pub fn turned(mut self) -> Related<'a> {
        if let Some(facts) = &mut self.facts {
            facts.is_turned = true;
        }
        self
    }

    pub fn packed(&self) -> &'a Packed<'a> {
        self.packed
    }

    #[inline]
    pub(super) fn present<'s>(
        &'s self,
        state: &'s [u64],
        scratch: &'s mut Scratch,
    ) -> Option<Present<'s, 'a>> {
        Some(Present {
            packed: self.packed,
            facts: self.facts.as_ref()?,
            working: scratch.working.as_mut()?,
            scratch: &mut scratch.packed,
            state,
        })
    }
}

impl Scratch {
    pub(super) fn instances(&self) -> &[Now] {
        self.working
            .as_ref()
            .map_or(&[], |working| &working.instances)
    }
}

impl Successors for Related<'_> {
    type Scratch = Scratch;

    fn words(&self) -> usize {
        self.packed.words()
    }

    fn initial(&self) -> &[u64] {
        self.packed.initial()
    }

    fn scratch(&self) -> Scratch {
        Scratch {
            packed: self.packed.scratch(),
            working: self.facts.as_ref().map(Working::new),
        }
    }

    fn visit(
        &self,
        state: &[u64],
        scratch: &mut Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        self.packed.visit(state, &mut scratch.packed, visitor)
    }
}

impl Footprints for Related<'_> {}

impl WorkingMemory for Scratch {
    fn bytes(&self) -> u64 {
        let known = self.working.as_ref().map_or(0, Working::bytes);
        self.packed.bytes() + known
    }
}

impl ProcessRelations for Related<'_> {
    fn processes(&self) -> usize {
        self.packed.system().instances.len()
    }

    fn checks(&self) -> usize {
        self.facts
            .as_ref()
            .map_or(0, |facts| facts.conditions.len())
    }

    fn visit_process(
        &self,
        process: usize,
        state: &[u64],
        scratch: &mut Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        let scratch = &mut scratch.packed;
        self.packed.visit_instance(process, state, scratch, visitor)
    }

    fn begin(&self, state: &[u64], scratch: &mut Scratch) -> bool {
        let present = self.present(state, scratch);
        present.is_some_and(|mut present| present.begin())
    }

    fn enabled(&self, process: usize, state: &[u64], scratch: &mut Scratch) -> u32 {
        let present = self.present(state, scratch);
        present.map_or(0, |mut present| present.enabled(process))
    }

    fn outlook(&self, state: &[u64], scratch: &mut Scratch, numbers: &mut Vec<u32>) -> bool {
        let present = self.present(state, scratch);
        present.is_some_and(|present| present.outlook(numbers))
    }

    fn outlook_alone(
        &self,
        state: &[u64],
        scratch: &mut Scratch,
        numbers: &mut Vec<u32>,
        pulse: &mut Pulse<'_>,
    ) {
        if let Some(mut present) = self.present(state, scratch) {
            present.outlook_alone(numbers, &mut Effort::new(pulse));
        }
    }

    fn needs(
        &self,
        member: usize,
        others: &Others,
        state: &[u64],
        scratch: &mut Scratch,
        pulse: &mut Pulse<'_>,
    ) -> Members {
        match self.present(state, scratch) {
            Some(present) => Needs::new(present, others, pulse).of(member),
            None => Members::below(self.processes()),
        }
    }

    fn foresees(&self) -> bool {
        self.facts.as_ref().is_some_and(Facts::foresees)
    }

    fn most_states(&self) -> u64 {
        let facts = self.facts.as_ref();
        facts.map_or(u64::MAX, |facts| facts.most_states(&self.packed.layout))
    }

    fn work(&self, scratch: &Scratch) -> u64 {
        scratch.working.as_ref().map_or(0, |working| working.work)
    }

    fn learning(&self, scratch: &Scratch) -> u64 {
        let working = scratch.working.as_ref();
        working.map_or(0, |working| working.learning)
    }
}
