//! Which searches are started, which are given up, and what is told of those that run.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use stubborn_ide::jobs::{Fingerprint, JobId, Key, News, Purpose, Sliced, Wanted, slow_states};
use stubborn_report::Verdict;

use super::state::Owner;
use crate::lsp::outbound::Message;
use crate::lsp::progress::{Shown, file_name};
use crate::lsp::root::Root;

impl Owner {
    /// Ends the searches for what no text asks any more.
    pub(super) fn give_up_stale(&mut self) {
        if self.jobs.is_idle() {
            return;
        }
        let (mut current, mut present) = self.values.current();
        let properties = self.roots.iter().flat_map(|root| root.properties.iter());
        current.extend(properties.map(|property| property.key));
        current.extend(self.asides.current(&self.roots));
        let systems = self.roots.iter().filter_map(|root| root.system.as_ref());
        present.extend(systems.map(|(system, _)| *system));
        let lost = self.jobs.retain(
            |property| current.contains(&property),
            |system| present.contains(&system),
        );
        if !lost.is_empty() {
            self.search_again(&lost.into_iter().collect());
        }
    }

    /// Ends the searches that decide none of these properties, and nothing that was asked beside those of these
    /// Systems: they are all that the texts have. What else an edit makes stale is known when all is known that
    /// follows from it.
    pub(super) fn give_up_worthless(
        &mut self,
        properties: &HashSet<Key>,
        systems: &HashSet<Fingerprint>,
    ) {
        let (mut current, _) = self.values.current();
        current.extend(self.asides.of_systems(systems));
        let is_current = |property| properties.contains(&property) || current.contains(&property);
        let lost = self.jobs.retain(is_current, |_| true);
        debug_assert!(lost.is_empty(), "what has anything left goes on");
    }

    /// Has searched anew what a search would have decided that was given up for others of its
    /// properties.
    fn search_again(&mut self, lost: &HashMap<Key, Option<Duration>>) {
        let mut wanted = Vec::new();
        for root in &self.roots {
            let lost_here = root.properties.iter();
            let lost_here = lost_here.filter(|one| lost.contains_key(&one.key));
            let properties: Vec<Sliced> = lost_here.cloned().collect();
            let budgets: Vec<_> = properties.iter().map(|one| lost[&one.key]).collect();
            if let Some(budget) = longest(&budgets)
                && let Some(one) = self.wanted(root, properties)
            {
                wanted.push((one, budget, Arc::clone(&root.path)));
            }
        }
        self.search(wanted);
    }

    /// Has what is due checked: one search for each System.
    pub(super) fn start_due(&mut self) {
        let due = std::mem::take(&mut self.due);
        if due.is_empty() {
            return;
        }
        let mut wanted: Vec<(Wanted, Option<Duration>, Arc<str>)> = Vec::new();
        // What was saved itself comes before what uses it.
        let (first, then): (Vec<&Root>, Vec<&Root>) = self
            .roots
            .iter()
            .partition(|root| due.contains_key(&root.path));
        for root in first.into_iter().chain(then) {
            let files = root.files.iter();
            let budgets: Vec<_> = files.filter_map(|file| due.get(file).copied()).collect();
            let Some(budget) = longest(&budgets) else {
                continue;
            };
            let Some(one) = self.wanted(root, root.properties.to_vec()) else {
                continue;
            };
            let known = wanted
                .iter_mut()
                .find(|(known, _, _)| known.fingerprint == one.fingerprint);
            if let Some((known, longer, _)) = known {
                known.properties.extend(one.properties);
                known.likely.extend(one.likely);
                known.slow.extend(one.slow);
                *longer = longest(&[*longer, budget]).unwrap_or(budget);
            } else {
                wanted.push((one, budget, Arc::clone(&root.path)));
            }
        }
        self.search(wanted);
    }

    /// What is wanted of a root, if its text has a meaning.
    pub(super) fn wanted(&self, root: &Root, properties: Vec<Sliced>) -> Option<Wanted> {
        let (fingerprint, system) = root.system.as_ref()?;
        let before = self.before.of(&root.path);
        let was_violated = |name: &String| {
            let found = before.and_then(|before| before.get(name));
            found.is_some_and(|found| found.is_violated())
        };
        let slow = |name: &String| {
            if !self.settings.quick_rounds {
                return None;
            }
            let found = before.and_then(|before| before.get(name))?;
            let is_undecided = found.verdict == Verdict::Undecided;
            slow_states(
                found.states,
                found.seconds,
                is_undecided,
                found.round.is_some(),
            )
        };
        let named = root.names.iter().zip(root.properties.iter());
        let slow = named
            .clone()
            .filter_map(|((name, _), property)| Some((property.key, slow(name)?)));
        let likely = named.filter(|((name, _), _)| was_violated(name));
        Some(Wanted {
            name: file_name(&root.path).into(),
            fingerprint: *fingerprint,
            system: Arc::clone(system),
            properties,
            likely: likely.map(|(_, property)| property.key).collect(),
            slow: slow.collect(),
            purpose: Purpose::Verdicts,
        })
    }

    /// Has each of these searched, within its budget, and its progress shown for the file of this path.
    /// The searches that are new.
    pub(super) fn search(
        &mut self,
        wanted: Vec<(Wanted, Option<Duration>, Arc<str>)>,
    ) -> Vec<JobId> {
        let mut begun = Vec::new();
        for (wanted, budget, path) in wanted {
            if let Some(job) = self.jobs.require(&wanted, budget) {
                tracing::debug!("search {} begins, for {path}", job.0);
                // What was said to be undecided is now said to be searched on.
                self.changes.any |= budget.is_none();
                self.shown.insert(job, Shown::new(&path));
                begun.push(job);
            }
        }
        begun
    }

    pub(super) fn take_news(&mut self, job: JobId, news: News) {
        if self.client.shows_progress
            && let Some(shown) = self.shown.get_mut(&job)
        {
            shown.follow(job, &news, &self.outbound);
        }
        if let News::Finished { states, .. } = &news {
            tracing::debug!("search {} has ended after {states} states", job.0);
            self.shown.remove(&job);
        }
        let is_progress = matches!(news, News::Progress(_));
        let is_sight = matches!(news, News::Saw(_));
        let change = self.jobs.receive(job, news);
        self.has_new_sights |= is_sight && change.verdicts;
        if is_progress {
            let has_changed = self.tell_states(false);
            self.refresh_lenses(has_changed, true);
        }
        if is_progress || change.finished {
            self.tell_checking();
        }
        self.has_new_verdicts |= change.verdicts;
        if change.verdicts || change.finished {
            self.changes.any = true;
            // What other values of a parameter give is told over the parameter alone.
            match self.values.jobs.contains(&job) {
                true => self.changes.news_of_values = true,
                false => self.changes.news = true,
            }
        }
        if change.finished {
            self.values.jobs.remove(&job);
        }
    }

    /// Tells how the properties of the open files stand, to clients that want to know; even if nothing
    /// has changed where somebody may wait for it. Whether something has. Nothing is told of texts of which it
    /// is not known yet what they mean: what is known is about those before.
    pub(super) fn tell_states(&mut self, must_tell: bool) -> bool {
        let is_asked_for = self.settings.tell_verdicts || self.client.refreshes_lenses;
        if !is_asked_for || self.phase.is_changed() {
            return false;
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
        has_changed
    }
}

/// The longest of several budgets, of which `None` is one without an end.
fn longest(budgets: &[Option<Duration>]) -> Option<Option<Duration>> {
    let longer = |one: Option<Duration>, other: Option<Duration>| Some(one?.max(other?));
    budgets.iter().copied().reduce(longer)
}

#[cfg(test)]
mod tests {
    use stubborn_ide::database::{Contents, Db as _};
    use tower_lsp::lsp_types::Url;

    use super::super::desk::Desk;
    use crate::lsp::owner::Event;

    /// It has too many states to be searched in a day.
    const MODEL: &str = "var a, b, c, d: 0..999999\nprocess p { loop { either { a = a + 1 } or { b = b + 1 }\n\
                         or { c = c + 1 } or { d = d + 1 } } }\ntermination not required\n\
                         invariant low: a < 1000000\n";

    /// The model is open, and is being searched.
    fn searching() -> Desk {
        let mut desk = Desk::with(MODEL);
        desk.until(|desk| !desk.searches().is_empty() && desk.owner.refreshing.is_none());
        desk
    }

    /// The text becomes another one, and somebody begins to understand it.
    fn change(desk: &mut Desk, text: String) {
        desk.change(text);
        desk.owner.settle();
        assert!(desk.owner.refreshing.is_some() && desk.owner.jobs.is_paused());
    }

    #[test]
    fn a_search_stands_until_a_text_is_understood_or_that_takes_long_or_fails() {
        let mut desk = searching();
        let searches = desk.searches();
        change(&mut desk, format!("{MODEL}// one\n"));
        while desk.owner.refreshing.is_some() {
            desk.take_next();
        }
        assert!(!desk.owner.jobs.is_paused());
        change(&mut desk, format!("{MODEL}// two\n"));
        desk.owner.take_late();
        assert!(!desk.owner.jobs.is_paused() && desk.owner.until_late().is_none());
        while desk.owner.refreshing.is_some() {
            desk.take_next();
        }
        change(&mut desk, format!("{MODEL}// three\n"));
        desk.owner.guarded(|_| panic!("a defect"));
        assert!(!desk.owner.jobs.is_paused());
        // It is the same one all the time.
        assert_eq!(desk.searches(), searches);
        desk.owner.jobs.stop_all();
    }

    #[test]
    fn what_was_read_of_a_folder_before_a_file_changed_is_not_taken_for_its_text() {
        let mut desk = searching();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("other.stb");
        let text = |text: &str| Contents::Text(text.into());
        desk.owner.disk.add_folder(&folder.path().to_string_lossy());
        let path = path.to_string_lossy().into_owned();
        let found = |desk: &mut Desk, contents| {
            desk.owner
                .take(Event::Found(vec![(path.clone(), contents)]));
            let file = desk.owner.database.file(&path);
            file.contents(&desk.owner.database).clone()
        };
        std::fs::write(&path, "var x: 0..1\n").unwrap();
        assert_eq!(
            found(&mut desk, text("var x: 0..1\n")),
            text("var x: 0..1\n")
        );
        // The folder is gone through, a file of it changes, and only then is it heard what was read of the folder.
        std::fs::write(&path, "var x: 0..2\n").unwrap();
        desk.owner.take(Event::FilesChanged(vec![
            Url::from_file_path(&path).unwrap(),
        ]));
        assert_eq!(
            found(&mut desk, text("var x: 0..1\n")),
            text("var x: 0..2\n")
        );
        desk.owner.jobs.stop_all();
    }

    #[test]
    fn a_search_ends_as_soon_as_its_properties_are_gone_and_not_while_one_is_there() {
        let mut desk = searching();
        let searches = desk.searches();
        change(&mut desk, format!("{MODEL}invariant more: b < 5\n"));
        while !desk.take_next() {}
        assert_eq!(desk.searches(), searches);
        while desk.owner.refreshing.is_some() {
            desk.take_next();
        }
        assert!(searches.iter().all(|id| desk.searches().contains(id)));
        desk.owner.jobs.stop_all();

        let mut desk = searching();
        // All that is searched for is about another System.
        change(
            &mut desk,
            MODEL.replace("+ 1", "+ 2") + "process q { skip }\n",
        );
        while !desk.take_next() {}
        assert!(desk.searches().is_empty() && desk.owner.refreshing.is_some());
        desk.owner.jobs.stop_all();
    }
}
