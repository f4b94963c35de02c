//! Sets for monitors: what must be in them besides what D0 to D2 ask for (see
//! [`related::visibility`](crate::related)).

use stubborn_space::members::Members;
use stubborn_space::relations::ProcessRelations;

use super::{Choice, Chooser};

use crate::reduction::visibility::Visibility;

impl<M: ProcessRelations, V: Visibility<M>> Chooser<'_, M, V> {
    /// A set with all steps that the monitor may ever see; or, where `may_pass`, one with a key
    /// that passes if that has fewer enabled steps. `None` where everything is to be fired.
    pub fn choose_visible(&mut self, may_pass: bool) -> Option<Choice> {
        let enabled = self.prepare_beside_monitor()?;
        let ahead = self.working.visible_ahead.clone();
        let mut members = self.closure(&ahead);
        let mut fired = self.enabled_in(&members);
        if fired == 0 {
            // Nothing will ever be visible from here on (D1).
            let (count, more) = self.smallest(None)?;
            members.add(&more);
            fired = count;
        } else if fired > 1 && may_pass {
            let processes = 0..self.working.enabled.len();
            let has_passed = |process: &usize| self.visibility.has_passed(*process, &mut self.at);
            let passing = processes.filter(has_passed).collect();
            let keys = self.keys(passing);
            if let Some((fewer, with_key)) = self.smallest(Some(keys))
                && fewer < fired
            {
                (fired, members) = (fewer, with_key);
            }
        }
        Some(Choice::new(members, fired, enabled))
    }

    /// A set with a key, the smallest that is found. `None` where everything is to be fired, as
    /// where there is no key: those of the enabled steps that do not fail then belong together.
    pub fn choose_invisible(&mut self) -> Option<Choice> {
        let enabled = self.prepare_beside_monitor()?;
        let keys = self.keys(Members::below(self.working.enabled.len()));
        let (fired, members) = self.smallest(Some(keys))?;
        Some(Choice::new(members, fired, enabled))
    }

    /// A set that has of what is visible all that lies ahead, or nothing that is enabled. `None`
    /// where everything is to be fired.
    pub fn choose_in_order(&mut self) -> Option<Choice> {
        let enabled = self.prepare_beside_monitor()?;
        let (fired, members) = self.smallest(None)?;
        Some(Choice::new(members, fired, enabled))
    }

    fn prepare_beside_monitor(&mut self) -> Option<u32> {
        let enabled = self.prepare()?;
        self.working.visible_ahead = self.visibility.ahead(&mut self.at);
        Some(enabled)
    }

    /// The processes that are the first participants of keys in which one of `wanted` takes part.
    fn keys(&mut self, wanted: Members) -> Members {
        let has_key = |process: &usize| self.visibility.has_key(*process, &wanted, &mut self.at);
        self.working.busy().iter().filter(has_key).collect()
    }

    /// All that some members need, and what these need.
    pub(super) fn closure(&mut self, seeds: &Members) -> Members {
        let mut closed = seeds.clone();
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
        let processes = self.working.enabled.iter().enumerate();
        processes
            .filter(|(process, _)| set.contains(*process))
            .map(|(_, enabled)| *enabled)
            .sum()
    }
}
