//! What is searched when nobody waits for anything: whether properties hold only because something never happens.
//!
//! It has the time of a quick check and no more; what that leaves open is not told, and not asked again.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use super::Owner;
use crate::jobs::{Fingerprint, Key, Sliced, Wanted};
use crate::lsp::settings::Settings;
use crate::lsp::view::Root;

/// What was asked last, of each root.
#[derive(Default)]
pub(super) struct Asides(HashMap<Arc<str>, OfRoot>);

struct OfRoot {
    system: Fingerprint,
    keys: HashSet<Key>,
}

impl Asides {
    /// What was asked of Systems that are still what they were.
    pub fn current(&self, roots: &[Root]) -> HashSet<Key> {
        let of_roots = roots.iter().filter_map(|root| {
            let asked = self.0.get(&root.path)?;
            let (now, _) = root.system.as_ref()?;
            (*now == asked.system).then_some(&asked.keys)
        });
        of_roots.flatten().copied().collect()
    }

    pub fn has(&self, key: Key) -> bool {
        self.0.values().any(|asked| asked.keys.contains(&key))
    }
}

impl Owner {
    /// Asks what is not known yet about the premises of what holds, once nobody waits for a verdict.
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
            let open = questions.iter().map(|one| &one.asked);
            let open: Vec<Sliced> = open
                .filter(|one| verdicts.get(one.key).is_none())
                .cloned()
                .collect();
            let of_root = OfRoot {
                system: *system,
                keys: open.iter().map(|one| one.key).collect(),
            };
            self.asides.0.insert(Arc::clone(&root.path), of_root);
            if !open.is_empty() {
                wanted.extend(self.wanted(root, open));
            }
        }
        let open = |path: &Arc<str>| self.roots.iter().any(|root| root.path == *path);
        self.asides.0.retain(|path, _| open(path));
        for wanted in wanted {
            let aside = Wanted {
                likely: HashSet::new(),
                slow: HashMap::new(),
                is_aside: true,
                ..wanted
            };
            self.jobs.require(&aside, Some(self.aside_budget()));
        }
    }

    fn aside_budget(&self) -> Duration {
        let quick = Settings::default().budget;
        let budgets = self.settings.budget.into_iter().chain(quick);
        budgets.min().unwrap_or_default()
    }
}
