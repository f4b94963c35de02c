//! Which searches are started, which are given up, and what is told of those that run.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::time::Duration;

use super::Owner;
use crate::jobs::{Fingerprint, JobId, Key, News, Wanted};
use crate::lsp::outbound::Message;
use crate::lsp::progress::{Shown, file_name};
use crate::lsp::view::Root;
use crate::report::Verdict;

impl Owner {
    /// Ends the searches for what no text asks any more.
    pub(super) fn give_up_stale(&mut self) {
        let current: BTreeSet<Key> = self
            .roots
            .iter()
            .flat_map(|root| root.properties.iter().map(|property| property.key))
            .collect();
        let systems = self.roots.iter().filter_map(|root| root.system.as_ref());
        let present: BTreeSet<Fingerprint> = systems.map(|(system, _)| *system).collect();
        let lost = self.jobs.retain(
            |property| current.contains(&property),
            |system| present.contains(&system),
        );
        if !lost.is_empty() {
            self.search_again(&lost);
        }
    }

    /// Has searched anew what a search would have decided that was given up for others of its
    /// properties.
    fn search_again(&mut self, lost: &[(Key, Option<Duration>)]) {
        let mut again = Vec::new();
        for root in &self.roots {
            let Some((fingerprint, system)) = &root.system else {
                continue;
            };
            let its = |key: Key| lost.iter().find(|(other, _)| *other == key);
            let budgets = root.properties.iter().filter_map(|one| its(one.key));
            let budgets: Vec<Option<Duration>> = budgets.map(|(_, budget)| *budget).collect();
            let Some(budget) = longest(&budgets) else {
                continue;
            };
            let properties = root.properties.iter().filter(|one| its(one.key).is_some());
            let wanted = Wanted {
                name: file_name(&root.path).into(),
                likely: HashSet::new(),
                fingerprint: *fingerprint,
                system: Arc::clone(system),
                properties: properties.cloned().collect(),
            };
            again.push((wanted, budget, Arc::clone(&root.path)));
        }
        for (wanted, budget, path) in again {
            if let Some(job) = self.jobs.require(&wanted, budget) {
                self.shown.insert(job, Shown::new(&path));
            }
        }
    }

    /// Has what is due checked: one search for each System. Whether anything was due.
    pub(super) fn start_due(&mut self) -> bool {
        let due = std::mem::take(&mut self.due);
        if due.is_empty() {
            return false;
        }
        let mut wanted: Vec<(Wanted, Option<Duration>, Arc<str>)> = Vec::new();
        // What was saved itself comes before what uses it.
        let (first, then): (Vec<&Root>, Vec<&Root>) = self
            .roots
            .iter()
            .partition(|root| due.contains_key(&root.path));
        for root in first.into_iter().chain(then) {
            let budgets: Vec<Option<Duration>> = root
                .files
                .iter()
                .filter_map(|file| due.get(file).copied())
                .collect();
            let Some((fingerprint, system)) = &root.system else {
                continue;
            };
            let Some(budget) = longest(&budgets) else {
                continue;
            };
            let known = wanted
                .iter_mut()
                .find(|(one, _, _)| one.fingerprint == *fingerprint);
            if let Some((one, longer, _)) = known {
                one.properties.extend(root.properties.iter().cloned());
                *longer = longest(&[*longer, budget]).unwrap_or(budget);
            } else {
                let before = self.before.of(&root.path);
                let was_violated = |name: &String| {
                    let found = before.and_then(|before| before.get(name));
                    found.is_some_and(|found| found.verdict == Verdict::Violated)
                };
                let named = root.names.iter().zip(root.properties.iter());
                let likely = named.filter(|((name, _), _)| was_violated(name));
                let one = Wanted {
                    name: file_name(&root.path).into(),
                    likely: likely.map(|(_, property)| property.key).collect(),
                    fingerprint: *fingerprint,
                    system: Arc::clone(system),
                    properties: root.properties.to_vec(),
                };
                wanted.push((one, budget, Arc::clone(&root.path)));
            }
        }
        for (wanted, budget, path) in wanted {
            if let Some(job) = self.jobs.require(&wanted, budget) {
                tracing::debug!("search {} begins, for {path}", job.0);
                // What was said to be undecided is now said to be searched on.
                self.revision += u64::from(budget.is_none());
                self.shown.insert(job, Shown::new(&path));
            }
        }
        true
    }

    pub(super) fn take_news(&mut self, job: JobId, news: News) {
        if self.shows_progress
            && let Some(shown) = self.shown.get_mut(&job)
        {
            shown.follow(job, &news, &self.outbound);
        }
        if let News::Finished { states, .. } = &news {
            tracing::debug!("search {} has ended after {states} states", job.0);
            self.shown.remove(&job);
        }
        let is_progress = matches!(news, News::Progress(_));
        let change = self.jobs.receive(job, news);
        if is_progress {
            self.tell_states(false);
        }
        self.has_new_verdicts |= change.verdicts;
        if change.verdicts || change.finished {
            self.revision += 1;
            self.news = self.revision;
        }
    }

    /// Tells how the properties of the open files stand, to clients that want to know; even if nothing
    /// has changed where somebody may wait for it.
    pub(super) fn tell_states(&mut self, must_tell: bool) {
        if !self.settings.tell_verdicts && !self.refreshes_lenses {
            return;
        }
        let pending = self.jobs.standing();
        let mut has_changed = false;
        for root in &self.roots {
            let Some(document) = self.documents.get(&root.path) else {
                continue;
            };
            // Until the search has ended: what it has cost is not known before.
            let mut properties = root.properties.iter();
            let checking = properties.any(|property| self.jobs.is_pending(property.key));
            let before = self.before.of(&root.path);
            let (now, is_new) = self
                .published
                .stand(root, document, checking, &pending, before);
            has_changed |= is_new;
            if self.settings.tell_verdicts && (is_new || must_tell) {
                self.outbound.say(Message::Verdicts(now));
            }
        }
        if self.refreshes_lenses && has_changed {
            self.outbound.say(Message::RefreshLenses);
        }
    }
}

/// The longest of several budgets, of which `None` is one without an end.
fn longest(budgets: &[Option<Duration>]) -> Option<Option<Duration>> {
    let longer = |one: Option<Duration>, other: Option<Duration>| Some(one?.max(other?));
    budgets.iter().copied().reduce(longer)
}
