//! Checks that somebody has asked for and waits for, of a file, or of some of its properties; and what is told
//! of all checks to who shows it beside the text.

use std::collections::HashSet;
use std::sync::Arc;

use stubborn_ide::features::state::Pending;
use stubborn_ide::jobs::{JobId, Key, Sliced, Standing};

use super::state::Owner;
use super::wanted::Asked;
use crate::lsp::convert;
use crate::lsp::outbound::Message;
use crate::lsp::root::Root;
use crate::lsp::standing::{self, CheckingParams, StandingParams};

impl Owner {
    /// Has properties checked that somebody waits for.
    pub fn ask_for(&mut self, asked: Asked) {
        self.asked.due.push(asked);
        // Even if nothing has changed the roots must be gone through.
        self.changes.any = true;
    }

    /// Whoever asked waits no longer, and wants nothing more searched.
    pub fn take_back(&mut self, id: u64) {
        self.asked.due.retain(|asked| asked.id != id);
        let Some(at) = self.asked.begun.iter().position(|asked| asked.id == id) else {
            return;
        };
        let asked = self.asked.begun.swap_remove(at);
        let keys = self.sliced(&asked).into_iter().map(|one| one.key);
        let jobs = self.jobs.deciding(&keys.collect());
        self.stop(&jobs);
    }

    /// Stops the searches for a file, or all.
    pub(super) fn stop_checking(&mut self, path: Option<&str>) {
        let of_it = |job: &JobId| {
            let shown = self.shown.get(job);
            path.is_none_or(|path| shown.is_some_and(|shown| shown.is_of(path)))
        };
        let jobs = self.jobs.under_way().map(|search| search.id);
        let jobs: Vec<JobId> = jobs.filter(of_it).collect();
        self.due
            .retain(|due, _| path.is_some_and(|path| **due != *path));
        self.stop(&jobs);
    }

    pub(super) fn stop(&mut self, jobs: &[JobId]) {
        for job in jobs {
            // One that had not begun says nothing more.
            if self.jobs.stop(*job) {
                self.shown.remove(job);
            }
        }
        self.changes.any = true;
        self.changes.news = true;
        self.tell_checking();
    }

    /// The properties that are meant, of the text as it is.
    fn sliced(&self, asked: &Asked) -> Vec<Sliced> {
        let root = self.roots.iter().find(|root| root.path == asked.root);
        let all = root.iter().flat_map(|root| {
            let named = root.names.iter().zip(root.properties.iter());
            named.filter(|((name, _), _)| asked.has(name))
        });
        all.map(|(_, sliced)| sliced.clone()).collect()
    }

    /// Has what was asked for searched, now that it is known what the texts mean.
    pub(super) fn start_asked(&mut self) {
        for asked in std::mem::take(&mut self.asked.due) {
            let budget = self.settings.budget.filter(|_| asked.is_limited);
            let is_it = |root: &&Root| root.path == asked.root;
            let wanted = self.roots.iter().find(is_it).into_iter();
            let wanted = wanted.map(|root| (root, self.sliced(&asked)));
            // Whoever asks for all of a file wants to know of the testers beside it, too, as after a save; the answer
            // does not wait for them.
            let uses_it = |root: &&Root| {
                asked.properties.is_empty() && !is_it(root) && root.files.contains(&asked.root)
            };
            let beside = self.roots.iter().filter(uses_it);
            let beside = beside.map(|root| (root, root.properties.to_vec()));
            let all = wanted.chain(beside).filter_map(|(root, properties)| {
                let wanted = self.wanted(root, properties)?;
                Some((wanted, budget, Arc::clone(&root.path)))
            });
            let all: Vec<_> = all.collect();
            self.search(all);
            self.asked.begun.push(asked);
        }
    }

    /// Answers those of whose properties none is searched any more. Called when all is told that is known.
    pub(super) fn answer_asked(&mut self) {
        if self.asked.begun.is_empty() || self.changes.any || self.refreshing.is_some() {
            return;
        }
        let pending = self.jobs.standing();
        for asked in std::mem::take(&mut self.asked.begun) {
            let keys: HashSet<Key> = self.sliced(&asked).iter().map(|one| one.key).collect();
            if keys.iter().any(|key| self.jobs.is_pending(*key)) {
                self.asked.begun.push(asked);
                continue;
            }
            let root = self.roots.iter().find(|root| root.path == asked.root);
            let stand = root.and_then(|root| {
                let mut all = self.standing(root, &pending)?.properties;
                all.retain(|one| asked.has(&one.name));
                Some(all)
            });
            // Nobody waits any more where it cannot be told.
            drop(asked.answer.send(stand));
        }
    }

    /// How the properties of a root stand.
    fn standing(&self, root: &Root, pending: &Pending) -> Option<StandingParams> {
        let uri = convert::url(&root.path, &self.open)?;
        let document = self.documents.get(&root.path);
        let version = document.map(|document| document.version);
        let before = self.before.of(&root.path);
        Some(standing::standing(root, uri, version, pending, before))
    }

    /// Tells how the properties stand of the open files, and of the testers that use any of them, to clients
    /// that want to know; even if nothing has changed where somebody may wait for it. How far a search is changes more often than this is worth, and
    /// is told by itself. Called when it is known what the texts mean.
    pub(super) fn tell_standing(&mut self, must_tell: bool) {
        if !self.settings.tell_standing {
            return;
        }
        let pending = self.jobs.standing();
        self.told_standing.keep(&self.roots);
        for root in &self.roots {
            let pending = self.with_decided(root, &pending);
            let Some(now) = self.standing(root, &pending) else {
                continue;
            };
            if self.told_standing.is_news(&root.path, &now) || must_tell {
                self.outbound.say(Message::Standing(now));
            }
        }
    }

    /// How the properties of a root stand that are being decided, with those of which the verdict has fallen
    /// and is not explained yet: nobody shall see them as not checked meanwhile.
    fn with_decided(&self, root: &Root, pending: &Pending) -> Pending {
        let mut all = Pending::new();
        for (at, property) in root.properties.iter().enumerate() {
            let is_told = matches!(root.reports.get(at), Some(Some(_)));
            let has_fallen = || !is_told && self.jobs.verdicts().get(property.key).is_some();
            let standing = pending.get(&property.key).cloned();
            if let Some(standing) = standing.or(has_fallen().then_some(Standing::Running(0))) {
                all.insert(property.key, standing);
            }
        }
        all
    }

    /// Tells how far the searches are, to clients that want to know.
    pub(super) fn tell_checking(&mut self) {
        if !self.settings.tell_standing {
            return;
        }
        let mut now = CheckingParams::default();
        for search in self.jobs.under_way() {
            let Some(shown) = self.shown.get(&search.id) else {
                continue;
            };
            // What is over at once is not worth a word.
            let is_seen = search.waits || search.progress.seconds > 0.0;
            if is_seen && let Some(uri) = convert::url(shown.path(), &self.open) {
                now.searches.push(standing::checking(uri, &search));
            }
        }
        if self.told_standing.is_news_of_searches(&now) {
            self.outbound.say(Message::Checking(now));
        }
    }
}
