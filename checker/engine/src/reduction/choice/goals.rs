//! Sets for monitors: what must be in them besides what D0 to D2 ask for (see
//! [`monitors`](crate::reduction::monitors)).

use std::ops::ControlFlow;

use stubborn_system::system::{Failure, InstanceId};

use super::{Choice, Chooser};
use crate::reduction::forest::{BREAKS, OutcomeId};
use crate::reduction::interference::is_enabled;
use crate::reduction::members::Members;
use crate::reduction::monitors::Visibility;
use crate::reduction::mutation::{Mutation, is_left_out};
use crate::reduction::vocabulary::{EventId, ViewId};
use crate::successors::{Label, Visit};

impl Chooser<'_, '_> {
    /// A set with all steps that the monitor may ever see; or, where `may_pass`, one with a key that
    /// passes if that has fewer enabled steps. `None` where everything is to be fired.
    pub fn choose_visible(&mut self, may_pass: bool) -> Option<Choice> {
        let prepared = self.prepare()?;
        let seeds = match self.visibility {
            Visibility::Nothing => Members::default(),
            Visibility::Tester(_) if is_left_out(Mutation::TesterSeed) => Members::default(),
            Visibility::Tester(tester) => {
                let mut seeds = Members::default();
                seeds.insert(tester.monitor as usize);
                seeds
            }
            Visibility::Observing(_) if is_left_out(Mutation::Observed) => Members::default(),
            Visibility::Observing(_) => self.visible_ahead,
        };
        let mut instances = self.closure(seeds);
        let mut fired = self.enabled_in(&instances);
        if fired == 0 {
            // Nothing will ever be visible from here on (D1).
            let (count, more) = self.smallest(None)?;
            instances.add(&more);
            fired = count;
        } else if fired > 1 && (may_pass || is_left_out(Mutation::Lasting)) {
            let mut passing = Members::default();
            for (instance, now) in self.working.instances.iter().enumerate() {
                let passed = self.visibility.passed()[instance][now.at as usize];
                if passed || is_left_out(Mutation::PassingKey) {
                    passing.insert(instance);
                }
            }
            let keys = self.keys(passing, prepared.is_opaque);
            if let Some((fewer, with_key)) = self.smallest(Some(keys))
                && fewer < fired
            {
                (fired, instances) = (fewer, with_key);
            }
        }
        Some(Choice::new(instances, fired, prepared.enabled))
    }

    /// A set with a key, the smallest that is found. `None` where everything is to be fired, as
    /// where there is no key: those of the enabled steps that do not fail then belong together.
    pub fn choose_invisible(&mut self) -> Option<Choice> {
        if is_left_out(Mutation::InvisibleKey) {
            return self.choose();
        }
        let prepared = self.prepare()?;
        let everybody = Members::below(self.relations.locals.len());
        let keys = self.keys(everybody, prepared.is_opaque);
        let (fired, instances) = self.smallest(Some(keys))?;
        Some(Choice::new(instances, fired, prepared.enabled))
    }

    /// The instances that are the first participants of keys in which one of `wanted` takes part.
    fn keys(&mut self, wanted: Members, is_opaque: bool) -> Members {
        let mut keys = Members::default();
        for instance in 0..self.relations.locals.len() {
            let has_steps = self.working.instances[instance].enabled > 0;
            if has_steps && self.has_key(instance, &wanted, is_opaque) {
                keys.insert(instance);
            }
        }
        keys
    }

    /// The instances that may yet take a step that is visible.
    pub(super) fn find_visible_ahead(&mut self) {
        let Visibility::Observing(observed) = self.visibility else {
            return;
        };
        for (instance, now) in self.working.instances.iter().enumerate() {
            if observed.futures[now.future as usize] {
                self.visible_ahead.insert(instance);
            }
        }
    }

    /// Whether an enabled step of the instance is one that is observed.
    pub(super) fn takes_observed_step(&mut self, who: usize) -> bool {
        let Visibility::Observing(observed) = self.visibility else {
            return false;
        };
        let relations = self.relations;
        let at = self.working.instances[who].at;
        let local = &relations.locals[who].states[at as usize];
        for (number, part) in local.parts.iter().enumerate() {
            if !observed.views[part.view as usize] {
                continue;
            }
            let outcome = self.working.instances[who].outcomes[number];
            // Of what was too much to be tried nothing is known.
            let is_rough = relations.profiles[part.view as usize].cubes.is_none();
            if is_rough
                || is_enabled(outcome) && part.joint.is_none_or(|e| self.standing(e).enabled)
            {
                return true;
            }
        }
        false
    }

    /// All that some members need, and what these need.
    pub(super) fn closure(&mut self, seeds: Members) -> Members {
        let mut closed = seeds;
        let mut open: Vec<usize> = seeds.iter().collect();
        while let Some(member) = open.pop() {
            for needed in self.row(member).iter() {
                if !closed.contains(needed) {
                    closed.insert(needed);
                    open.push(needed);
                }
            }
        }
        closed
    }

    pub(super) fn enabled_in(&self, set: &Members) -> u32 {
        let instances = self.working.instances.iter().enumerate();
        instances
            .filter(|(instance, _)| set.contains(*instance))
            .map(|(_, now)| now.enabled)
            .sum()
    }

    /// Whether the instance is the first participant of an enabled step that does not fail and is
    /// never visible, and in which one of `wanted` takes part. Where somebody has a part that was not
    /// tried, only the steps can tell.
    fn has_key(&mut self, instance: usize, wanted: &Members, is_opaque: bool) -> bool {
        let relations = self.relations;
        let at = self.working.instances[instance].at;
        let local = &relations.locals[instance].states[at as usize];
        if local.is_uncertain || is_opaque {
            let mut finder = KeyFinder {
                visibility: self.visibility,
                wanted,
            };
            let (state, scratch) = (self.state, &mut *self.scratch);
            let found = self
                .packed
                .visit_instance(instance, state, scratch, &mut finder);
            return found.is_break();
        }
        let outcomes = &self.working.instances[instance].outcomes;
        let mut parts = local.parts.iter().zip(outcomes);
        parts.any(|(part, outcome)| {
            part.joint.is_none()
                && wanted.contains(instance)
                && self.is_key(instance, part.view, *outcome)
        }) || local.offers.iter().any(|(event, _)| {
            let participants = &relations.vocabulary.events[*event as usize].participants;
            let is_first = participants
                .first()
                .is_some_and(|first| *first as usize == instance);
            let mut all = participants.iter();
            is_first && all.any(|who| wanted.contains(*who as usize)) && self.is_key_event(*event)
        })
    }

    fn is_key_event(&self, event: EventId) -> bool {
        let participants = &self.relations.vocabulary.events[event as usize].participants;
        let mut participants = participants.iter().map(|who| *who as usize);
        participants.all(|who| {
            let mut parts = self.parts(who, event);
            parts.any(|(part, outcome)| self.is_key(who, part.view, outcome))
        })
    }

    /// Whether a part of an instance is there, does not fail, and is never visible.
    fn is_key(&self, who: usize, view: ViewId, outcome: OutcomeId) -> bool {
        let takes = outcome > BREAKS || is_left_out(Mutation::FailingKey) && is_enabled(outcome);
        takes
            && match self.visibility {
                Visibility::Nothing => true,
                Visibility::Tester(tester) => tester.monitor as usize != who,
                Visibility::Observing(observed) => !observed.views[view as usize],
            }
    }
}

/// Breaks off at a step that does not fail and is never visible, and in which one of `wanted` takes
/// part.
struct KeyFinder<'a> {
    visibility: Visibility<'a>,
    wanted: &'a Members,
}

impl Visit for KeyFinder<'_> {
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        let is_visible = |who: InstanceId, step: u32| match self.visibility {
            Visibility::Nothing => false,
            Visibility::Tester(tester) => tester.monitor == who,
            Visibility::Observing(observed) => observed.steps[who as usize][step as usize],
        };
        let mut participants = label.participants.iter();
        let wanted = self.wanted;
        if !participants.any(|(who, _)| wanted.contains(*who as usize)) {
            return ControlFlow::Continue(());
        }
        let mut participants = label.participants.iter();
        if (outcome.is_err() && !is_left_out(Mutation::FailingKey))
            || participants.any(|(who, step)| is_visible(*who, *step))
        {
            return ControlFlow::Continue(());
        }
        ControlFlow::Break(())
    }
}
