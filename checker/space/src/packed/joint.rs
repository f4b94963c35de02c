//! Joint steps, found from the participants' steps at their present locations: the product of
//! their alternatives is gone through, never written out.

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;
use stubborn_system::system::{InstanceId, Range, StepId};

use super::Packed;
use super::body::{Pattern, first_choices, next_choices};
use super::code::Fault;
use super::evaluate::{Stacks, must_be_in, outside_type};
use super::joint_step::{Alternative, JointScratch, OnStep, Readiness};
use super::layout::copy;
use crate::successors::{Label, Visit};

impl Packed<'_> {
    /// Gives the joint steps whose first participant takes the step with this index in
    /// [`Packed::on`].
    pub(super) fn visit_joint(
        &self,
        first: u32,
        state: &[u64],
        scratch: &mut JointScratch,
        stacks: &mut Stacks,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        let step = &self.on[first as usize];
        if !step.partners.may_take_part(state) {
            return ControlFlow::Continue(());
        }
        if step.guard_decides && step.body.passes(&self.layout, state, stacks) == Ok(false) {
            return ControlFlow::Continue(());
        }
        let ranges = &self.participants[step.action as usize].ranges;
        scratch.open.clear();
        scratch.wanted.clear();
        let patterns = match &step.partners.known {
            Some((values, participants)) => {
                scratch.values.clear();
                scratch.values.extend_from_slice(values);
                scratch.participants.clear();
                scratch.participants.extend_from_slice(participants);
                &[]
            }
            None => &step.patterns[..],
        };
        for (pattern, range) in patterns.iter().zip(ranges) {
            let value = match pattern {
                Pattern::Match(code) => stacks.scalar(&self.layout, state, code).ok(),
                _ => None,
            };
            scratch
                .open
                .push(value.filter(|value| range.contains(*value)));
        }
        let mut search = Occurrences {
            packed: self,
            first,
            step,
            state,
            scratch,
            stacks,
            visitor,
            failed: FxHashSet::default(),
            tried: 0,
        };
        match &step.partners.known {
            Some(_) => search.with_participants(),
            None => search.fix_values(),
        }
    }
}

struct Occurrences<'a> {
    packed: &'a Packed<'a>,
    first: u32,
    step: &'a OnStep,
    state: &'a [u64],
    scratch: &'a mut JointScratch,
    stacks: &'a mut Stacks,
    visitor: &'a mut dyn Visit,
    /// The combinations of steps that were already given as failing.
    failed: FxHashSet<Vec<(InstanceId, StepId)>>,
    tried: u32,
}

impl Occurrences<'_> {
    /// Tries the values of the arguments that are still open, ascending, the first slowest.
    fn fix_values(&mut self) -> ControlFlow<()> {
        let Some(at) = self.scratch.open.iter().position(Option::is_none) else {
            return self.with_values();
        };
        let participants = &self.packed.participants[self.step.action as usize];
        let scratch = &mut *self.scratch;
        participants.of_values(&scratch.open, &mut scratch.participants);
        if (scratch.participants.first()).is_some_and(|who| *who < self.step.who.0) {
            return ControlFlow::Continue(());
        }
        let begin = self.scratch.wanted.len();
        let mut are_known = false;
        for nth in 0..self.scratch.participants.len() {
            let who = self.scratch.participants[nth];
            if who == self.step.who.0 {
                continue;
            }
            match self.wanted_by(who, at) {
                Wanted::Nothing => return ControlFlow::Continue(()),
                Wanted::These => {
                    are_known = true;
                    break;
                }
                Wanted::Anything => {}
            }
        }
        match are_known {
            true => {
                for nth in begin..self.scratch.wanted.len() {
                    let value = Some(self.scratch.wanted[nth]);
                    // Several steps may match the same value.
                    if nth == begin || self.scratch.open[at] != value {
                        self.scratch.open[at] = value;
                        self.fix_values()?;
                    }
                }
                self.scratch.wanted.truncate(begin);
            }
            false => {
                let Range { lo, hi } = participants.ranges[at];
                for value in lo..=hi {
                    self.tried = self.tried.wrapping_add(1);
                    if self.tried.is_multiple_of(1024) {
                        self.visitor.pulse()?;
                    }
                    self.scratch.open[at] = Some(value);
                    self.fix_values()?;
                }
            }
        }
        self.scratch.open[at] = None;
        ControlFlow::Continue(())
    }

    /// Adds the values of an open argument that an instance can match now, given those that are
    /// fixed, to those wanted.
    fn wanted_by(&mut self, who: InstanceId, at: usize) -> Wanted {
        let layout = &self.packed.layout;
        let ranges = &self.packed.participants[self.step.action as usize].ranges;
        let begin = self.scratch.wanted.len();
        let mut is_anything = false;
        for &alternative in self.packed.on_steps(who, self.step.action, self.state) {
            let step = &self.packed.on[alternative as usize];
            let mut here = None;
            let mut matches = true;
            for (p, (pattern, range)) in step.patterns.iter().zip(ranges).enumerate() {
                let Pattern::Match(code) = pattern else {
                    continue;
                };
                let value = self.stacks.scalar(layout, self.state, code);
                let Some(value) = value.ok().filter(|value| range.contains(*value)) else {
                    continue;
                };
                matches &= self.scratch.open[p].is_none_or(|fixed| fixed == value);
                if p == at {
                    here = Some(value);
                }
            }
            if matches {
                match here {
                    Some(value) => self.scratch.wanted.push(value),
                    None => is_anything = true,
                }
            }
        }
        let wanted = &mut self.scratch.wanted;
        if is_anything {
            wanted.truncate(begin);
            Wanted::Anything
        } else if wanted.len() == begin {
            Wanted::Nothing
        } else {
            wanted[begin..].sort_unstable();
            Wanted::These
        }
    }

    /// All values are fixed: finds the participants.
    fn with_values(&mut self) -> ControlFlow<()> {
        let action = self.step.action;
        let scratch = &mut *self.scratch;
        scratch.values.clear();
        scratch.values.extend(scratch.open.iter().flatten());
        let participants = &self.packed.participants[action as usize];
        participants.of_values(&scratch.open, &mut scratch.participants);
        if scratch.participants.first() != Some(&self.step.who.0) {
            return ControlFlow::Continue(());
        }
        self.with_participants()
    }

    /// All values and participants are known: finds what each can do.
    fn with_participants(&mut self) -> ControlFlow<()> {
        let action = self.step.action;
        self.scratch.alternatives.clear();
        self.scratch.begins.clear();
        let mut fails = false;
        for at in 0..self.scratch.participants.len() {
            let who = self.scratch.participants[at];
            let begin = self.scratch.alternatives.len();
            self.scratch.begins.push(begin);
            let first = [self.first];
            let steps = if at == 0 {
                &first
            } else {
                self.packed.on_steps(who, action, self.state)
            };
            for &step in steps {
                if let Some(readiness) = self.readiness(step) {
                    fails |= matches!(readiness, Readiness::Fails { .. });
                    let alternative = Alternative { step, readiness };
                    self.scratch.alternatives.push(alternative);
                }
            }
            if self.scratch.alternatives.len() == begin {
                return ControlFlow::Continue(());
            }
        }
        if !fails && !self.drop_waiting() {
            return ControlFlow::Continue(());
        }
        self.combine()
    }

    /// Leaves the alternatives that are ready; false where a participant has none.
    fn drop_waiting(&mut self) -> bool {
        let scratch = &mut *self.scratch;
        let count = scratch.alternatives.len();
        let (mut kept, mut at) = (0, 0);
        for participant in 0..scratch.begins.len() {
            let end = scratch
                .begins
                .get(participant + 1)
                .copied()
                .unwrap_or(count);
            scratch.begins[participant] = kept;
            let before = kept;
            while at < end {
                if matches!(scratch.alternatives[at].readiness, Readiness::Ready) {
                    scratch.alternatives.swap(kept, at);
                    kept += 1;
                }
                at += 1;
            }
            if kept == before {
                return false;
            }
        }
        scratch.alternatives.truncate(kept);
        true
    }

    /// Whether a step of an instance matches the values, and is ready.
    fn readiness(&mut self, step: u32) -> Option<Readiness> {
        let step = &self.packed.on[step as usize];
        let layout = &self.packed.layout;
        let ranges = &self.packed.participants[step.action as usize].ranges;
        let scratch = &mut *self.scratch;
        if step.binds {
            copy(&mut scratch.seen, self.state);
        }
        let mut failure = None;
        let mut once = false;
        for ((pattern, value), range) in step.patterns.iter().zip(&scratch.values).zip(ranges) {
            let result = match pattern {
                Pattern::Match(code) => match self.stacks.scalar(layout, self.state, code) {
                    Ok(wanted) if wanted == *value => Ok(()),
                    Ok(wanted) if range.contains(wanted) => return None,
                    Ok(wanted) => Err(outside_type(*range, wanted)),
                    Err(failure) => Err(failure),
                },
                Pattern::Bind { part, range } => match self.stacks.part(layout, self.state, part) {
                    Ok(slot) => match must_be_in(*range, *value) {
                        Ok(()) => {
                            layout.slots[slot as usize].set(&mut scratch.seen, *value);
                            continue;
                        }
                        Err(found) => {
                            failure.get_or_insert(found);
                            continue;
                        }
                    },
                    Err(failure) => Err(failure),
                },
                Pattern::Skip => Ok(()),
            };
            if let Err(found) = result {
                once = true;
                failure.get_or_insert(found);
            }
        }
        if let Some(failure) = failure {
            // Where nothing is bound, what fails is an argument, which a false guard keeps from
            // counting.
            if !step.binds && step.body.passes(layout, self.state, self.stacks) == Ok(false) {
                return Some(Readiness::Waits);
            }
            return Some(Readiness::Fails { failure, once });
        }
        let seen = if step.binds {
            &scratch.seen
        } else {
            self.state
        };
        Some(match step.body.passes(layout, seen, self.stacks) {
            Ok(true) => Readiness::Ready,
            Ok(false) => Readiness::Waits,
            Err(failure) => Readiness::Fails {
                failure,
                once: false,
            },
        })
    }

    /// Goes through the combinations of the participants' alternatives, the last fastest.
    fn combine(&mut self) -> ControlFlow<()> {
        let scratch = &mut *self.scratch;
        scratch.combination.clear();
        scratch.combination.extend_from_slice(&scratch.begins);
        loop {
            let scratch = &mut *self.scratch;
            scratch.label.clear();
            let mut waits = false;
            let mut failure = None;
            let mut once_for_all = false;
            for &at in &scratch.combination {
                let alternative = &scratch.alternatives[at];
                scratch
                    .label
                    .push(self.packed.on[alternative.step as usize].who);
                match &alternative.readiness {
                    Readiness::Ready => {}
                    Readiness::Waits => waits = true,
                    Readiness::Fails {
                        failure: found,
                        once,
                    } => {
                        failure = failure.or(Some(found));
                        once_for_all |= once;
                    }
                }
            }
            if let Some(failure) = failure {
                if !once_for_all || self.failed.insert(scratch.label.clone()) {
                    let label = Label {
                        participants: &scratch.label,
                        action: Some((self.step.action, &scratch.values)),
                    };
                    self.visitor.step(label, Err(failure))?;
                }
            } else if waits {
                self.tried = self.tried.wrapping_add(1);
                if self.tried.is_multiple_of(1024) {
                    self.visitor.pulse()?;
                }
            } else {
                self.take()?;
            }
            if !self.next_combination() {
                return ControlFlow::Continue(());
            }
        }
    }

    fn next_combination(&mut self) -> bool {
        let scratch = &mut *self.scratch;
        let mut end = scratch.alternatives.len();
        for participant in (0..scratch.combination.len()).rev() {
            if scratch.combination[participant] + 1 < end {
                scratch.combination[participant] += 1;
                return true;
            }
            end = scratch.begins[participant];
            scratch.combination[participant] = end;
        }
        false
    }

    /// Takes the steps of a combination that is ready, for each combination of their choices.
    fn take(&mut self) -> ControlFlow<()> {
        let packed = self.packed;
        let scratch = &mut *self.scratch;
        let bodies = || {
            let alternatives = scratch
                .combination
                .iter()
                .map(|at| &scratch.alternatives[*at]);
            alternatives.map(|alternative| &packed.on[alternative.step as usize])
        };
        let ranges: Vec<Range> = bodies()
            .flat_map(|step| step.body.choices.iter().copied())
            .collect();
        first_choices(ranges.iter(), &mut scratch.chosen);
        let label = Label {
            participants: &scratch.label,
            action: Some((self.step.action, &scratch.values)),
        };
        loop {
            let next = &mut scratch.next;
            copy(next, self.state);
            let mut chosen = scratch.chosen.as_slice();
            let effects = bodies().try_for_each(|step| {
                let (own, others) = chosen.split_at(step.body.choices.len());
                chosen = others;
                self.stacks.choices.clear();
                self.stacks.choices.extend_from_slice(own);
                assign(packed, self.state, next, step, &scratch.values, self.stacks)?;
                self.stacks
                    .perform(&packed.layout, next, &step.body.effects)
            });
            let result = effects.and_then(|()| {
                bodies().try_for_each(|step| {
                    let layout = &packed.layout;
                    step.body.arrive(layout, self.state, next, self.stacks)
                })
            });
            match result {
                Ok(()) => self.visitor.step(label, Ok(next))?,
                Err(failure) => self.visitor.step(label, Err(&failure))?,
            }
            if !next_choices(ranges.iter(), &mut scratch.chosen) {
                return ControlFlow::Continue(());
            }
        }
    }
}

/// Values of one argument that an instance can match.
enum Wanted {
    /// It has no step that matches.
    Nothing,
    /// Those that were added, ascending.
    These,
    Anything,
}

/// Assigns the values to the places of the step's `?`.
fn assign(
    packed: &Packed<'_>,
    before: &[u64],
    next: &mut [u64],
    step: &OnStep,
    values: &[i64],
    stacks: &mut Stacks,
) -> Result<(), Fault> {
    if step.binds {
        for (pattern, value) in step.patterns.iter().zip(values) {
            if let Pattern::Bind { part, .. } = pattern {
                let slot = stacks.part(&packed.layout, before, part)?;
                packed.layout.slots[slot as usize].set(next, *value);
            }
        }
    }
    Ok(())
}
