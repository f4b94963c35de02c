//! Views that are visible to the state checks of properties, and which are sensitive in a round.

use super::Related;
use super::sensitive::Insensitive;
use super::vocabulary::ViewId;
use crate::reduction::Transition;

impl Related<'_> {
    /// The transitions to which the conditions of the checks are visible, each with its distance.
    pub fn visible_to_checks(&self) -> Vec<(u32, Transition)> {
        let Some(facts) = &self.facts else {
            return Vec::new();
        };
        debug_assert!(!facts.insensitive.matters(), "all are asked for");
        let views = 0..facts.profiles.len() as ViewId;
        let ends = views.map(|view| !facts.ended_by(view, None).is_empty());
        let is_visible: Vec<bool> = ends.collect();
        facts.nearest(|part| is_visible[part.view as usize].then_some(part.view))
    }

    /// From now on of all that are visible to the checks' conditions these alone count.
    pub fn make_sensitive(&mut self, visible: &[(u32, Transition)], sensitive: &[Transition]) {
        let Some(facts) = &mut self.facts else {
            return;
        };
        let mut views = vec![false; facts.profiles.len()];
        for (_, view) in visible {
            views[*view as usize] = true;
        }
        for view in sensitive {
            views[*view as usize] = false;
        }
        facts.insensitive = Insensitive::new(views);
    }

    /// Answers new questions from now on as if everything visible were sensitive. Answers
    /// given before are cached where sets are chosen, and so they are right where [that is
    /// exact](Related::is_exact).
    pub fn make_all_sensitive(&self) {
        if let Some(facts) = &self.facts {
            facts.insensitive.end();
        }
    }

    /// Whether the sets that were chosen since are those that are chosen where everything visible
    /// is sensitive.
    pub fn is_exact(&self) -> bool {
        let facts = self.facts.as_ref();
        facts.is_none_or(|facts| !facts.insensitive.matters())
    }
}
