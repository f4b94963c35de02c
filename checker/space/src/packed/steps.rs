//! The steps of a packed state, and the bits that they depend on.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::Ordering;

use stubborn_system::system::Failure;

use super::code::Code;
use super::evaluate::Stacks;
use super::footprint::Footprint;
use super::joint_step::JointScratch;
use super::layout::Slot;
use super::local::LocalScratch;
use super::memo::{Memo, Residual};
use super::model::{Expression, Packed, PackedLocation, StepRef};
use super::portions::{self, Portions};
use super::specialise::Known;
use super::walk::Walk as _;
use crate::successors::{Bits, Footprints, Place, Successors, Visit, WorkingMemory};

/// Most participants of joint steps whose footprint is computed: larger ones seldom recur.
const MOST_PARTICIPANTS: usize = 64;

/// Working memory for the steps of one state.
pub struct Scratch {
    pub stacks: Stacks,
    local: LocalScratch,
    joint: JointScratch,
    memo: Memo,
}

impl Scratch {
    /// The branches that steps have gone into since this was last asked, and never before: the
    /// number of the `if`, and whether it was the second.
    pub fn branches(&mut self) -> impl Iterator<Item = (u32, bool)> + '_ {
        let noted = self.stacks.noted.take();
        noted.map(|number| (number / 2, number % 2 == 1))
    }
}

impl Packed<'_> {
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
            StepRef::On(step) => self.visit_joint(step, state, joint, stacks, visitor),
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
        let instance_of = &self.instances[instance];
        let location = || instance_of.location.raw(state) as usize;
        let of = portion.map(|portion| (self.portions(instance).at(location()), portion as u8));
        let is_in = |step: usize| of.is_none_or(|(of, portion)| of[step] == portion);
        match memo.steps(self, instance, state) {
            None => {
                let steps = instance_of.locations[location()].steps.iter();
                for (_, step) in steps.enumerate().filter(|(at, _)| is_in(*at)) {
                    self.visit_step(*step, state, local, joint, stacks, visitor)?;
                }
            }
            Some(left) => {
                for (step, _) in left.steps().filter(|(_, at)| is_in(*at)) {
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

    pub fn has_no_bounds(&self) -> bool {
        self.bounds.is_empty()
    }

    /// The bounds that are false in a state, or fail, a bit for each.
    fn broken_bounds(&self, state: &[u64], scratch: &mut Scratch) -> u64 {
        let stacks = &mut scratch.stacks;
        let mut is_broken = |code| stacks.truth(&self.layout, state, code) != Ok(true);
        let broken = self.bounds.iter().enumerate();
        let broken = broken.filter(|(_, code)| is_broken(code));
        broken.fold(0, |set, (number, _)| set | 1 << number)
    }

    /// Whether every bound of the system is true in a reachable state, so that its steps are taken.
    #[inline]
    pub fn is_inside(&self, state: &[u64], scratch: &mut Scratch) -> bool {
        if self.bounds.is_empty() {
            return true;
        }
        let broken = self.broken_bounds(state, scratch);
        if broken != 0 {
            self.cut.fetch_or(broken, Ordering::Relaxed);
        }
        broken == 0
    }

    /// The bounds that have cut off a state so far, a bit for each.
    pub fn cut(&self) -> u64 {
        self.cut.load(Ordering::Relaxed)
    }

    fn portions(&self, instance: usize) -> &Portions {
        let portions = &self.instances[instance].portions;
        portions.get_or_init(|| {
            let locations = self.instances[instance].locations.iter();
            let parts = self.parts();
            let bits = |location: &PackedLocation| {
                let steps = location.steps.iter();
                steps.map(|step| self.bits_of(*step, &parts)).collect()
            };
            Portions::of(locations.map(bits))
        })
    }

    /// Bits of a state that a step may read or change; `None` if they are not known. Where states
    /// have several words, with the other bits of these parts: they are told together.
    fn bits_of(&self, step: StepRef, parts: &[(u32, u64)]) -> Option<Vec<u64>> {
        let mut bits = vec![0; self.layout.words];
        let mut footprint = Footprint::new(&self.layout, &mut bits);
        let nothing = Known::nothing(&self.layout);
        let is_known = match step {
            StepRef::Local(step) => {
                footprint.local(&self.local[step as usize], &nothing);
                true
            }
            StepRef::On(step) => self.joint_footprint(step, &nothing, &mut footprint),
        };
        if bits.len() > 1 {
            for (word, part) in parts {
                let bits = &mut bits[*word as usize];
                *bits |= if *bits & part != 0 { *part } else { 0 };
            }
        }
        is_known.then_some(bits)
    }

    /// Instance of a group, and its portion if it is one. The groups of all instances are followed by
    /// [`portions::MOST`] for the portions of each.
    fn instance_of(&self, group: usize) -> (usize, Option<usize>) {
        match group.checked_sub(self.instances.len()) {
            None => (group, None),
            Some(finer) => (finer / portions::MOST, Some(finer % portions::MOST)),
        }
    }

    /// Adds what a joint step is about of which this is the first participant's part, where this is
    /// known of that one, and all that others may do with it. False where these may be too many.
    fn joint_footprint(
        &self,
        first: u32,
        known: &Known<'_>,
        footprint: &mut Footprint<'_>,
    ) -> bool {
        let first = &self.on[first as usize];
        let guard = first.body.guard.as_ref().filter(|_| first.guard_decides);
        if guard.is_some_and(|guard| matches!(known.code(guard), Code::Const(0))) {
            return true;
        }
        let participants = &self.participants[first.action as usize];
        let values = first.constants(&participants.ranges);
        let mut possible = Vec::new();
        participants.possible(&values, &mut possible);
        if possible.len() > MOST_PARTICIPANTS {
            return false;
        }
        footprint.on(&first.patterns, &first.body);
        for who in possible.into_iter().filter(|who| *who != first.who.0) {
            let instance = &self.instances[who as usize];
            footprint.slot(instance.location);
            let on = instance.locations.iter().flat_map(|location| &location.on);
            let steps = on.filter(|(action, _)| *action == first.action);
            for step in steps.flat_map(|(_, steps)| steps) {
                let step = &self.on[*step as usize];
                if step.may_match(&participants.ranges, &values) {
                    footprint.on(&step.patterns, &step.body);
                }
            }
        }
        true
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
        if !self.is_inside(state, scratch) {
            return ControlFlow::Continue(());
        }
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
        self.bounds.iter().for_each(|bound| footprint.code(bound));
        footprint.slot(instance.location);
        let mut steps = locations.flat_map(|at| {
            let steps = instance.locations[at].steps.iter();
            let of = portion.map(|portion| (self.portions(number).at(at), portion as u8));
            let is_in = move |step: usize| of.is_none_or(|(of, portion)| of[step] == portion);
            steps.enumerate().filter(move |(step, _)| is_in(*step))
        });
        steps.all(|(_, step)| match step {
            StepRef::Local(step) => {
                footprint.local(&self.local[*step as usize], &known);
                true
            }
            StepRef::On(step) => self.joint_footprint(*step, &known, &mut footprint),
        })
    }

    fn visit_group(
        &self,
        group: usize,
        state: &[u64],
        scratch: &mut Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        if !self.is_inside(state, scratch) {
            return ControlFlow::Continue(());
        }
        self.visit_steps(self.instance_of(group), state, scratch, visitor)
    }
}

impl WorkingMemory for Scratch {
    fn bytes(&self) -> u64 {
        self.memo.bytes()
    }
}
