//! Strong components of what needs what.

use stubborn_space::members::Members;
use stubborn_space::relations::ProcessRelations;

use super::Chooser;

use crate::reduction::visibility::Visibility;

/// What the search for components keeps of each member.
#[derive(Default)]
pub struct Visited {
    index: u32,
    /// 0 for a member that was not met.
    pub indices: Vec<u32>,
    low: Vec<u32>,
    stack: Vec<usize>,
}

impl Visited {
    pub fn begin(&mut self, members: usize) {
        self.index = 0;
        self.indices.clear();
        self.indices.resize(members, 0);
        self.low.resize(members, 0);
        self.stack.clear();
    }
}

/// Tarjan's algorithm over the members that the enabled steps need.
pub struct Components<'c, 'a, M: ProcessRelations, V> {
    pub chooser: &'c mut Chooser<'a, M, V>,
    pub visited: Visited,
    pub is_open: Members,
    /// The members of complete components from which an enabled step, or a key, can be reached.
    pub leads_to_steps: Members,
    /// Where given, the set is to have one of these processes, and not just any enabled step.
    pub keys: Option<Members>,
    /// The fewest enabled steps so far, and the set that has them.
    pub best: Option<(u32, Members)>,
}

impl<M: ProcessRelations, V: Visibility<M>> Components<'_, '_, M, V> {
    /// There is nothing better to be found, or nothing is looked for any more.
    pub fn is_settled(&self) -> bool {
        self.chooser.is_stopped || self.best.is_some_and(|(fired, _)| fired <= 1)
    }

    /// No deeper than there are members.
    pub fn visit(&mut self, member: usize) {
        self.visited.index += 1;
        self.visited.indices[member] = self.visited.index;
        self.visited.low[member] = self.visited.index;
        self.visited.stack.push(member);
        self.is_open.insert(member);
        let row = self.chooser.row(member);
        for needed in row.iter() {
            if self.visited.indices[needed] == 0 {
                self.visit(needed);
                if self.is_settled() {
                    return;
                }
                self.visited.low[member] = self.visited.low[member].min(self.visited.low[needed]);
            } else if self.is_open.contains(needed) {
                self.visited.low[member] =
                    self.visited.low[member].min(self.visited.indices[needed]);
            }
        }
        if self.visited.low[member] == self.visited.indices[member] {
            self.close(member);
        }
    }

    fn close(&mut self, root: usize) {
        let count = self.chooser.working.enabled.len();
        let mut component = Members::default();
        let mut needed = Members::default();
        let mut enabled = 0;
        while let Some(member) = self.visited.stack.pop() {
            self.is_open.remove(member);
            component.insert(member);
            needed.add(&self.chooser.row(member));
            if member < count {
                enabled += self.chooser.working.enabled[member];
            }
            if member == root {
                break;
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
