//! The smallest closed set among the strongly connected components of what needs what.

use stubborn_space::members::Members;
use stubborn_space::relations::ProcessRelations;
use stubborn_system::components::Tarjan;

use super::Chooser;

use crate::reduction::visibility::Visibility;

/// Search through the members that the enabled steps need.
pub struct SmallestSet<'c, 'a, M: ProcessRelations, V> {
    pub chooser: &'c mut Chooser<'a, M, V>,
    /// The members of complete components from which an enabled step, or a key, can be reached.
    pub leads_to_steps: Members,
    /// Processes of which the set must have one; else it must have an enabled step.
    pub keys: Option<Members>,
    /// The fewest enabled steps so far, and the set that has them.
    pub best: Option<(u32, Members)>,
}

impl<M: ProcessRelations, V: Visibility<M>> SmallestSet<'_, '_, M, V> {
    /// Whether nothing better can be found, or the search has been stopped.
    pub fn is_settled(&self) -> bool {
        self.chooser.is_stopped || self.best.is_some_and(|(fired, _)| fired <= 1)
    }

    /// Searches from a new member.
    pub fn search_from(&mut self, member: u32, tarjan: &mut Tarjan) {
        tarjan.enter(member);
        while let Some((member, next)) = tarjan.last() {
            let row = self.chooser.row(member as usize);
            if let Some(needed) = row.at_least(*next as usize) {
                *next = needed as u32 + 1;
                tarjan.follow(needed as u32);
            } else if let Some(component) = tarjan.leave() {
                self.judge(component.as_slice());
            }
            if self.is_settled() {
                return;
            }
        }
    }

    /// Judges a component that is complete.
    fn judge(&mut self, members: &[u32]) {
        let count = self.chooser.working.enabled.len();
        let mut component = Members::default();
        let mut needed = Members::default();
        let mut enabled = 0;
        for member in members.iter().map(|member| *member as usize) {
            component.insert(member);
            needed.add(&self.chooser.row(member));
            if member < count {
                enabled += self.chooser.working.enabled[member];
            }
        }
        let leads_on = needed
            .iter()
            .any(|member| self.leads_to_steps.contains(member));
        let (is_candidate, must_have) = match &self.keys {
            None => (enabled > 0, enabled > 0),
            Some(keys) => {
                let has_key = component.meets(keys);
                (has_key, has_key)
            }
        };
        if must_have || leads_on {
            self.leads_to_steps.add(&component);
        }
        if !is_candidate || leads_on {
            return;
        }
        if self.keys.is_some() {
            // There may be other enabled steps among what a key needs.
            component = self.chooser.closure(component);
            enabled = self.chooser.enabled_in(&component);
        }
        if self.best.is_none_or(|(fewest, _)| enabled < fewest) {
            self.best = Some((enabled, component));
        }
    }
}
