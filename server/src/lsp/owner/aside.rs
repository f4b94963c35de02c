//! What is searched when nobody waits for anything: whether properties hold only because something never happens, and
//! what the searches for them have left open of what never happens.
//!
//! The first has the time of a quick check and no more, the second so many states ([`stubborn_report::once_more`]); what that
//! leaves open is not told, and not asked again.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use stubborn_ide::jobs::{Purpose, Sliced, Verdicts, Wanted};

use super::state::Owner;
use super::wanted::OfRoot;
use crate::lsp::settings::Settings;

impl Owner {
    /// Asks what is not known yet about the premises of what holds, and about what never happens, once nobody
    /// waits for a verdict.
    pub(super) fn start_aside(&mut self) {
        if !self.jobs.has_leisure() {
            return;
        }
        let mut wanted = Vec::new();
        for root in &self.roots {
            let (Some(questions), Some((system, _))) = (&root.questions, &root.system) else {
                continue;
            };
            let verdicts = self.jobs.verdicts();
            let premises = not_known(verdicts, questions.iter().map(|one| &one.asked));
            let mut all = vec![(Purpose::Aside, premises)];
            if let Some((every_step, asked)) = &root.every_step {
                let purpose = Purpose::Seeing(*every_step);
                all.push((purpose, not_known(verdicts, asked.iter())));
            }
            let keys = all.iter().flat_map(|(_, asked)| asked);
            let of_root = OfRoot {
                system: *system,
                keys: keys.map(|one| one.key).collect(),
            };
            self.asides.0.insert(Arc::clone(&root.path), of_root);
            for (purpose, asked) in all.into_iter().filter(|(_, asked)| !asked.is_empty()) {
                wanted.extend(self.wanted(root, asked).map(|wanted| (purpose, wanted)));
            }
        }
        let open = |path: &Arc<str>| self.roots.iter().any(|root| root.path == *path);
        self.asides.0.retain(|path, _| open(path));
        for (purpose, wanted) in wanted {
            let aside = Wanted {
                likely: HashSet::new(),
                slow: HashMap::new(),
                purpose,
                ..wanted
            };
            self.jobs.require(&aside, Some(self.budget_of(purpose)));
        }
    }

    fn budget_of(&self, purpose: Purpose) -> Duration {
        let quick = Settings::default().budget;
        let budgets = self.settings.budget.into_iter().chain(quick);
        match purpose {
            // How many states it may have is what bounds it.
            Purpose::Seeing(_) => Duration::MAX,
            Purpose::Verdicts | Purpose::Aside => budgets.min().unwrap_or_default(),
        }
    }
}

/// Those of these questions that have no answer yet.
fn not_known<'q>(verdicts: &Verdicts, questions: impl Iterator<Item = &'q Sliced>) -> Vec<Sliced> {
    let open = questions.filter(|one| verdicts.get(one.key).is_none());
    open.cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::super::desk::{Desk, ROOT};

    /// What is assigned depends on several. With all steps there are 8,000 states and some.
    const MODEL: &str = "enum colour { red, green, blue }\nvar lamp: colour\nvar x, y, z: 0..9\n\
                         process q { while x < 9 { x = x + 1 } }\nprocess r { while y < 9 { y = y + 1 } }\n\
                         process s { while z < 9 { z = z + 1 } }\n\
                         process p(i in 1..2) { await x == 9 and y == 9 and z == 9; lamp = green }\n\
                         invariant dark: x < 9 or lamp != blue\n";

    fn is_told(desk: &mut Desk) -> bool {
        let mut told = desk.told_of(ROOT).into_iter().flatten();
        told.any(|one| one.message.starts_with("`lamp` is never `blue`"))
    }

    #[test]
    fn what_several_assign_is_told_after_the_verdicts_and_costs_them_nothing() {
        let mut desk = Desk::with(MODEL);
        desk.until(Desk::is_idle);
        assert!(is_told(&mut desk));
        let cost = desk.owner.statistics();
        assert_eq!((cost.searches, cost.asides), (1, 1));
        assert!(cost.states < 1_000, "{cost:?}");
    }

    /// The text becomes another one, and somebody finds out which properties it has; all searches stand meanwhile.
    fn change(desk: &mut Desk, text: String) {
        desk.change(text);
        desk.owner.settle();
        assert!(desk.owner.jobs.is_paused());
        while !desk.take_next() {}
    }

    #[test]
    fn an_edit_of_the_model_ends_the_search_and_one_of_a_comment_does_not() {
        let large = MODEL.replace('9', "79");
        let mut desk = Desk::with(&large);
        let is_searched_aside = |desk: &Desk| {
            desk.owner.jobs.under_way().next().is_none() && !desk.searches().is_empty()
        };
        while !is_searched_aside(&desk) {
            desk.owner.settle();
            desk.take_next();
        }
        // However late this comes to its turn.
        desk.owner.jobs.pause(true);
        let searches = desk.searches();
        change(&mut desk, format!("{large}// a comment\n"));
        assert_eq!(desk.searches(), searches);
        while desk.owner.refreshing.is_some() {
            desk.take_next();
        }
        desk.owner.jobs.pause(true);
        assert_eq!(desk.searches(), searches);
        change(&mut desk, large.replace("lamp = green", "lamp = blue"));
        assert_eq!(desk.searches(), []);
        desk.until(Desk::is_idle);
        assert!(!is_told(&mut desk));
        assert_eq!(desk.owner.statistics().cancelled, 0);
    }

    #[test]
    fn where_all_steps_lead_to_too_many_states_nothing_is_told_and_it_is_not_tried_again() {
        let large = MODEL.replace('9', "79");
        let mut desk = Desk::with(&large);
        desk.until(Desk::is_idle);
        assert_eq!(desk.owner.statistics().asides, 1);
        desk.change(format!("{large}// a comment\ninvariant low: x < 80\n"));
        desk.save();
        desk.until(Desk::is_idle);
        let cost = desk.owner.statistics();
        assert_eq!((cost.searches, cost.asides), (2, 1));
        assert!(!is_told(&mut desk));
    }
}
