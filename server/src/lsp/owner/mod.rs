//! The owner of the database and of everything else that changes: one thread, to which all events
//! come in one order.
//!
//! It does nothing that takes long. An edit goes into the open text; only when no more events wait
//! do the texts go into the database, and a reader works out what follows from them. Its result is
//! taken if nothing has changed meanwhile. So a burst of edits costs one analysis, and what is
//! published is always about the text that the client has.

mod aside;
mod asked;
mod checking;
mod configuring;
#[cfg(test)]
mod desk;
mod state;
mod values;
mod wanted;

pub use state::{Event, Events, Owner, Reader, Session, content_modified};
pub use wanted::{Asked, Other, Values};

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use salsa::Database as _;
use stubborn_ide::database::{Contents, Database, Db};
use stubborn_ide::disk::{Beside, Disk};
use stubborn_ide::features::hints::Hints;
use stubborn_ide::jobs::{Fingerprint, JobTable, Kept, Key, Statistics};
use stubborn_ide::looks::is_ours;
use stubborn_syntax::Encoding;
use tower_lsp::jsonrpc::Error;
use tower_lsp::lsp_types::{
    Diagnostic, DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern,
    ProgressToken, Registration, Url,
};

use self::state::{Changes, Phase, Refreshing};
use self::wanted::{AllAsked, Asides, OtherValues};
use super::client::Client;
use super::convert::path;
use super::documents::Document;
use super::outbound::{Message, Outbound};
use super::progress::{self};
use super::publishing::{Part, Published};
use super::requests::pull;
use super::root::Root;
use super::settings::{Settings, When};
use super::standing::Told;
use super::view::{Refreshed, View};
use super::workers::{Ended, Workers, caught};

/// Where it takes longer than this to find out what a text means, the mistakes in its grammar are told
/// before that. Most texts need less: their messages come once. So long at most all searches stand, too, while
/// a text is being understood.
const SOON: Duration = Duration::from_millis(30);

/// Where that takes longer than this, so may what follows for the properties, and what is wrong with the text
/// is told before it. Else all messages come at once.
const AT_ONCE: Duration = Duration::from_millis(4);

impl Owner {
    /// Without `kept` no verdict outlives the session.
    pub fn new(
        events: Events,
        outbound: Outbound,
        workers: Workers,
        mut jobs: JobTable,
        pulled: Arc<pull::Answered>,
        kept: Option<Arc<Kept>>,
    ) -> Owner {
        jobs.keep(kept.clone());
        Owner {
            events,
            outbound,
            workers,
            database: Database::default(),
            jobs,
            kept,
            client: Client::default(),
            encoding: Encoding::Utf16,
            settings: Settings::default(),
            complaints: Vec::new(),
            disk: Disk::default(),
            documents: BTreeMap::new(),
            open: Arc::default(),
            testers: Arc::default(),
            models: Arc::default(),
            edits: 0,
            texts: 0,
            changes: Changes::default(),
            phase: Phase::Reported,
            refreshing: None,
            has_new_verdicts: false,
            has_new_sights: false,
            roots: Vec::new(),
            analyses: Vec::new(),
            past: None,
            before: Arc::default(),
            wrong: None,
            due: BTreeMap::new(),
            values: OtherValues::default(),
            asked: AllAsked::default(),
            asides: Asides::default(),
            published: Published::default(),
            told_standing: Told::default(),
            pulled,
            shown: BTreeMap::new(),
        }
    }

    /// Takes events until nobody can send any more.
    pub fn run(mut self, events: &Receiver<Event>) {
        loop {
            let event = match events.try_recv() {
                Ok(event) => event,
                Err(TryRecvError::Empty) => {
                    self.guarded(Owner::settle);
                    let next = match self.until_late() {
                        Some(left) => events.recv_timeout(left),
                        None => events.recv().map_err(RecvTimeoutError::from),
                    };
                    match next {
                        Ok(event) => event,
                        Err(RecvTimeoutError::Timeout) => {
                            self.guarded(Owner::take_late);
                            continue;
                        }
                        Err(RecvTimeoutError::Disconnected) => return,
                    }
                }
                Err(TryRecvError::Disconnected) => return,
            };
            self.guarded(|owner| owner.take(event));
        }
    }

    /// A defect must not take the open texts with it.
    fn guarded(&mut self, work: impl FnOnce(&mut Owner)) {
        if catch_unwind(AssertUnwindSafe(|| work(self))).is_err() {
            // Whatever has become of it, it keeps no search standing.
            self.jobs.pause(false);
        }
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Start(session) => self.start(*session),
            Event::Initialized => {
                self.register();
                self.ask_settings();
            }
            Event::Opened { url, version, text } => self.open(url, version, &text),
            Event::Changed {
                url,
                version,
                changes,
            } => {
                let path = path(&url);
                if let Some(document) = self.documents.get_mut(&path) {
                    document.change(version, &changes, self.encoding);
                    self.edited();
                    // What nobody can save, or has saved yet, counts as it is typed.
                    match self.settings.when {
                        When::Saved => self.check_if_saved(&path, &[Beside::Same, Beside::Nothing]),
                        When::Typed => self.make_due(&path, self.settings.budget),
                    }
                }
            }
            Event::Saved(url) => self.check(&path(&url), self.settings.budget),
            Event::Show(url) => {
                if self.client.shows_documents {
                    self.outbound.say(Message::Show(url));
                }
            }
            Event::CheckWithoutLimit(url) => self.check(&path(&url), None),
            Event::StopChecking(url) => self.stop_checking(url.as_ref().map(path).as_deref()),
            Event::Values(values) => self.take_values(values),
            Event::Closed(url) => self.close(&url),
            Event::FilesChanged(urls) => {
                for url in urls {
                    let path = path(&url);
                    self.file_changed(&path);
                    self.check_if_saved(&path, &[Beside::Same]);
                }
            }
            Event::FoldersChanged { added, removed } => {
                for url in &removed {
                    self.remove_folder(&path(url));
                }
                self.add_folders(&added);
                self.look_at_files();
            }
            Event::Configured(settings) => self.configure(&settings),
            Event::ProgressCancelled(token) => {
                if let ProgressToken::String(token) = token
                    && let Some(job) = progress::job(&token)
                {
                    self.stop(&[job]);
                }
            }
            Event::Read(reader) => self.read(reader),
            Event::ReadAgain {
                mut reader,
                edits,
                unread,
            } => {
                self.read_files(&unread);
                // What is found on the disk, or by a search, changes nothing that the client has.
                if edits == self.edits {
                    self.read(reader);
                } else {
                    reader.refuse(content_modified());
                }
            }
            Event::Ask(ask) => ask(self),
            Event::Glimpsed(texts, part, wrong) => self.take_glimpsed(texts, part, wrong),
            Event::Sliced(texts, properties, systems) => {
                self.take_sliced(texts, &properties, &systems);
            }
            Event::Refreshed(ended) => self.take_refreshed(ended),
            Event::WorkedOut(ended) => self.take_worked_out(ended),
            Event::Found(found) => self.take_found(found),
            Event::News(job, news) => self.take_news(job, news),
            Event::Shutdown => self.jobs.stop_all(),
        }
    }

    fn start(&mut self, session: Session) {
        let folders: Vec<&str> = session.folders.iter().map(Url::as_str).collect();
        tracing::info!(
            "stubborn {} serves {}, positions in {:?}, with {:?}, folders {folders:?}",
            env!("CARGO_PKG_VERSION"),
            session.name.as_deref().unwrap_or("a client without a name"),
            session.encoding,
            session.settings,
        );
        self.client = session.client;
        self.encoding = session.encoding;
        self.settings = session.settings;
        self.complain(session.problems);
        self.apply_settings();
        self.add_folders(&session.folders);
    }

    /// Asks the client to tell of files that change on the disk.
    fn register(&mut self) {
        if !self.client.watches_files {
            return;
        }
        let watcher = FileSystemWatcher {
            glob_pattern: GlobPattern::String("**/*.{stb,tester}".to_owned()),
            kind: None,
        };
        let options = DidChangeWatchedFilesRegistrationOptions {
            watchers: vec![watcher],
        };
        self.outbound.say(Message::Register(vec![Registration {
            id: "stubborn/files".to_owned(),
            method: "workspace/didChangeWatchedFiles".to_owned(),
            register_options: serde_json::to_value(options).ok(),
        }]));
    }

    /// Folders that belong to the workspace from now on, with the models and testers in them.
    fn add_folders(&mut self, folders: &[Url]) {
        let folders: Vec<Arc<str>> = folders.iter().map(path).collect();
        for folder in &folders {
            self.disk.add_folder(folder);
        }
        let (events, disk) = (self.events.clone(), self.disk.clone());
        let search = move || {
            for folder in folders {
                events.send(Event::Found(disk.found_in(Path::new(&*folder))));
            }
        };
        // Without a thread for it they are found once they are opened.
        drop(
            thread::Builder::new()
                .name("folders".to_owned())
                .spawn(search),
        );
    }

    /// A folder that no longer belongs to the workspace, with the models and testers in it that no other
    /// folder has.
    fn remove_folder(&mut self, folder: &str) {
        self.disk.remove_folder(folder);
        let disk = &self.disk;
        let stays = |path: &Arc<str>| {
            !Path::new(&**path).starts_with(folder) || disk.is_in_a_folder(Path::new(&**path))
        };
        for known in [&mut self.testers, &mut self.models] {
            Arc::make_mut(known).retain(stays);
        }
        self.texts_changed();
    }

    fn take_found(&mut self, found: Vec<(String, Contents)>) {
        // The folder may have been removed while it was gone through.
        let disk = self.disk.clone();
        let stays = |path: &str| disk.is_in_a_folder(Path::new(path));
        for (path, contents) in found.into_iter().filter(|(path, _)| stays(path)) {
            let path = Arc::clone(self.database.file(&path).path(&self.database));
            self.know(&path, &contents);
            let is_unread = *self.database.file(&path).contents(&self.database) == Contents::Unread;
            if is_unread && !self.documents.contains_key(&path) {
                self.database.set_contents(&path, contents);
            } else {
                // It was read for what uses it, and may have changed since the folder was gone through.
                self.file_changed(&path);
            }
            // What uses a file that was opened meanwhile is to be checked as if it had been known.
            if path.ends_with(".tester") {
                self.due.entry(path).or_insert(self.settings.budget);
            }
        }
        self.texts_changed();
    }

    /// Takes a file for one of the workspace's models or testers, or no longer: what other programs call testers is
    /// left alone. Of one that is gone it is remembered that there was one. Whether it is known now.
    fn know(&mut self, path: &Arc<str>, contents: &Contents) -> bool {
        let known = match path.ends_with(".tester") {
            true => &mut self.testers,
            false => &mut self.models,
        };
        let is_known = known.contains(path);
        let has_text = matches!(contents, Contents::Text(_));
        // What is used from elsewhere is read, and is none of the workspace.
        let is_there = self.disk.is_in_a_folder(Path::new(&**path));
        match is_there && is_ours(path, contents) {
            true if !is_known => {
                Arc::make_mut(known).insert(Arc::clone(path));
                true
            }
            false if is_known && has_text => {
                Arc::make_mut(known).remove(path);
                false
            }
            _ => is_known,
        }
    }

    fn open(&mut self, url: Url, version: i32, text: &str) {
        let path = path(&url);
        Arc::make_mut(&mut self.open).insert(Arc::clone(&path), url.clone());
        let document = Document::open(url, version, text);
        self.documents.insert(Arc::clone(&path), document);
        self.disk.open(&path);
        self.published.forget_version(&path);
        self.edited();
        self.check(&path, self.settings.budget);
    }

    fn close(&mut self, url: &Url) {
        let path = path(url);
        if self.documents.remove(&path).is_some() {
            Arc::make_mut(&mut self.open).remove(&path);
            self.due.remove(&path);
            self.disk.close(&path);
            let file = self.database.file(&path);
            let contents = self.disk.read(&path);
            // It may have come to be one of the workspace's while it was open.
            self.know(&path, &contents);
            // For those that use it the text on the disk is another one, and nobody has checked it.
            if *file.contents(&self.database) != contents {
                self.due.insert(Arc::clone(&path), self.settings.budget);
            }
            self.database.set_contents(&path, contents);
            self.edited();
        }
    }

    /// Has the properties of a file, and of those that use it, checked.
    fn check(&mut self, path: &Arc<str>, budget: Option<Duration>) {
        self.make_due(path, budget);
        self.look_at_files();
    }

    /// The same, for who does it so often that the disk must not be looked at each time.
    fn make_due(&mut self, path: &Arc<str>, budget: Option<Duration>) {
        let longer = match (self.due.get(path), budget) {
            (Some(None), _) | (_, None) => None,
            (Some(Some(one)), Some(other)) => Some(other.max(*one)),
            (None, Some(budget)) => Some(budget),
        };
        self.due.insert(Arc::clone(path), longer);
        // Even if nothing has changed the roots must be gone through for what is due.
        self.changes.any = true;
    }

    /// Looks again at the files that are in use and not open: not every client tells of changes.
    fn look_at_files(&mut self) {
        let in_use: BTreeSet<Arc<str>> = self
            .roots
            .iter()
            .flat_map(|root| root.files.iter().cloned())
            .collect();
        for path in in_use {
            self.file_changed(&path);
        }
    }

    /// Has an open file checked as if it were saved, if beside the disk its text is so: another
    /// program may have written both, or an edit may have been taken back.
    fn check_if_saved(&mut self, path: &Arc<str>, so: &[Beside]) {
        let Some(document) = self.documents.get(path) else {
            return;
        };
        let beside = (self.disk).beside(path, document.length(), || document.text());
        if so.contains(&beside) {
            self.make_due(path, self.settings.budget);
        }
    }

    /// A change on the disk counts as a save.
    fn file_changed(&mut self, path: &Arc<str>) {
        if self.documents.contains_key(path) {
            return;
        }
        let file = self.database.file(path);
        let contents = self.disk.read(path);
        let is_known = self.know(path, &contents);
        if !is_known && *file.contents(&self.database) == Contents::Unread {
            // It is another program's, and nobody uses it.
            return;
        }
        if *file.contents(&self.database) != contents {
            self.database.set_contents(path, contents);
            self.due
                .entry(Arc::clone(path))
                .or_insert(self.settings.budget);
            self.texts_changed();
        }
    }

    /// The client has changed a text, or which are open.
    fn edited(&mut self) {
        self.edits += 1;
        self.texts_changed();
    }

    fn texts_changed(&mut self) {
        self.texts += 1;
        self.changes.any = true;
        self.phase = Phase::Changed {
            must_report: self.phase.must_report(),
        };
        // What is being worked out is about what was.
        if let Some(refreshing) = &self.refreshing {
            refreshing.token.cancel();
        }
        self.values.cancel();
    }

    /// Puts the edited texts and the new verdicts into the database.
    fn flush(&mut self) {
        if std::mem::take(&mut self.has_new_verdicts) {
            self.database.set_verdicts(Arc::clone(self.jobs.verdicts()));
        }
        for (path, document) in &mut self.documents {
            if let Some(text) = document.take_edited() {
                self.database
                    .set_contents(path, Contents::Text(text.into()));
            }
        }
    }

    fn view(&self) -> View {
        View {
            database: self.database.clone(),
            client: self.client,
            encoding: self.encoding,
            open: Arc::clone(&self.open),
            testers: Arc::clone(&self.testers),
            models: Arc::clone(&self.models),
            versions: (self.documents.iter())
                .map(|(path, document)| (Arc::clone(path), document.version))
                .collect(),
            disk: self.disk.clone(),
            settings: self.settings,
            pending: Arc::new(self.jobs.standing()),
            before: Arc::clone(&self.before),
            wrong: self.wrong.clone(),
            tried: Arc::clone(&self.values.tried),
            looked: self.values.looked(),
        }
    }

    fn read(&mut self, mut reader: Box<dyn Reader>) {
        self.flush();
        let view = self.view();
        let (events, edits) = (self.events.clone(), self.edits);
        self.workers.give(Box::new(move || {
            let ended = caught(|| {
                // What is said must not depend on how long ago a file was opened.
                let unread = view.unread();
                if unread.is_empty() {
                    reader.read(&view);
                }
                unread
            });
            drop(view);
            let unread = match ended {
                Ended::Done(unread) if unread.is_empty() => return,
                Ended::Done(unread) => unread,
                Ended::Cancelled => BTreeSet::new(),
                Ended::Failed => return reader.refuse(Error::internal_error()),
            };
            events.send(Event::ReadAgain {
                reader,
                edits,
                unread,
            });
        }));
    }

    /// Done whenever no more events wait.
    fn settle(&mut self) {
        if self.refreshing.is_none() && self.changes.any {
            self.begin_refresh();
        }
        // Whoever types on does not wait for that: it is told of the text that they come to.
        if let Phase::Diagnosed { must_report } = self.phase {
            self.phase = Phase::Reported;
            self.tell_standing(must_report);
            let has_changed = self.tell_states(must_report);
            self.refresh_lenses(has_changed, false);
        }
        self.answer_asked();
        if self.refreshing.is_none() {
            self.work_out_values();
        }
    }

    /// Has a reader work out what follows from the texts and the verdicts.
    fn begin_refresh(&mut self) {
        self.flush();
        // What a person waits for is to have the processor, and may make the searches worthless.
        self.jobs.pause(self.phase.is_changed());
        let view = self.view();
        let begun = Instant::now();
        self.refreshing = Some(Refreshing {
            texts: self.texts,
            changes: std::mem::take(&mut self.changes),
            token: view.database.cancellation_token(),
            late_at: Some(begun + SOON),
        });
        let (texts, events) = (self.texts, self.events.clone());
        self.workers.give(Box::new(move || {
            let first = |wrong| {
                if begun.elapsed() >= AT_ONCE {
                    events.send(Event::Glimpsed(texts, Part::Text, wrong));
                }
            };
            let sliced =
                |properties, systems| events.send(Event::Sliced(texts, properties, systems));
            let ended = caught(|| view.refresh(&first, &sliced));
            let memories = view.database.memories().clone();
            drop(view);
            events.send(Event::Refreshed(ended));
            memories.let_go();
        }));
    }

    /// How long it is until what a reader works out takes longer than most, where that matters.
    fn until_late(&self) -> Option<Duration> {
        let refreshing = self.refreshing.as_ref()?;
        let late_at = refreshing.late_at?;
        let matters = self.jobs.is_paused() || self.wants_glimpse(refreshing);
        matters.then(|| late_at.saturating_duration_since(Instant::now()))
    }

    /// Whether the mistakes in the grammar are told by themselves, where more is not known soon of texts that
    /// nothing was told of.
    fn wants_glimpse(&self, refreshing: &Refreshing) -> bool {
        let is_of_texts = refreshing.texts == self.texts && self.phase.is_changed();
        // A client that asks for what is wrong with a text waits for all of it.
        is_of_texts && !self.client.pulls_diagnostics
    }

    fn take_late(&mut self) {
        let Some(refreshing) = &mut self.refreshing else {
            return;
        };
        refreshing.late_at = None;
        self.jobs.pause(false);
        if (self.refreshing.as_ref()).is_some_and(|refreshing| self.wants_glimpse(refreshing)) {
            self.glimpse();
        }
    }

    fn glimpse(&mut self) {
        let (view, texts, events) = (self.view(), self.texts, self.events.clone());
        self.workers.give(Box::new(move || {
            let ended = caught(|| view.grammar());
            drop(view);
            if let Ended::Done(wrong) = ended {
                events.send(Event::Glimpsed(texts, Part::Grammar, wrong));
            }
        }));
    }

    fn take_glimpsed(
        &mut self,
        texts: u64,
        part: Part,
        wrong: BTreeMap<Arc<str>, Vec<Diagnostic>>,
    ) {
        let of = self.refreshing.as_ref().map(|refreshing| refreshing.texts);
        if of == Some(texts) && texts == self.texts {
            self.wrong = None;
            let version = |path: &str| self.documents.get(path).map(|document| document.version);
            self.published
                .publish_first(part, wrong, version, &self.open, &self.outbound);
        }
    }

    /// Ends the searches of which these properties of the texts leave nothing, as soon as that is known.
    fn take_sliced(
        &mut self,
        texts: u64,
        properties: &HashSet<Key>,
        systems: &HashSet<Fingerprint>,
    ) {
        let of = self.refreshing.as_ref().map(|refreshing| refreshing.texts);
        if of == Some(texts) && texts == self.texts {
            self.give_up_worthless(properties, systems);
        }
    }

    fn take_refreshed(&mut self, ended: Ended<Refreshed>) {
        let Some(of) = self.refreshing.take() else {
            return;
        };
        match ended {
            // Verdicts that have come meanwhile take nothing away from it.
            Ended::Done(refreshed) if of.texts == self.texts => self.accept(refreshed, of.changes),
            // The next edit gives it another chance; until then the last results stand.
            Ended::Failed => {}
            // It is about what was; it is worked out again.
            Ended::Done(_) | Ended::Cancelled => self.changes.add(of.changes),
        }
        self.jobs.pause(false);
    }

    fn accept(&mut self, refreshed: Refreshed, changes: Changes) {
        if !refreshed.unread.is_empty() {
            self.read_files(&refreshed.unread);
            self.changes.add(changes);
            return;
        }
        let past = (
            std::mem::replace(&mut self.roots, refreshed.roots),
            std::mem::replace(&mut self.analyses, refreshed.analyses),
        );
        let long_past = self.past.replace(past);
        self.wrong = Some(Arc::new(refreshed.wrong));
        let must_tell = changes.news || !self.due.is_empty() || self.asked.is_due();
        let version = |path: &str| self.documents.get(path).map(|document| document.version);
        self.published.publish(
            refreshed.diagnostics,
            must_tell,
            version,
            &self.open,
            &self.outbound,
        );
        if self.pulled.catch_up(&refreshed.asked, version) {
            self.outbound.say(Message::RefreshDiagnostics);
        }
        let before = Arc::make_mut(&mut self.before);
        before.retain_roots(|path| self.roots.iter().any(|root| *root.path == *path));
        for root in self.roots.iter().filter(|root| root.system.is_some()) {
            before.keep(&root.path, &root.names, &root.reports);
        }
        self.settle_values();
        self.give_up_stale();
        self.start_due();
        self.start_asked();
        self.start_aside();
        let is_over = self.look_further();
        self.refresh_lenses(is_over, changes.news_of_values);
        self.refresh_hints();
        self.phase = Phase::Diagnosed {
            must_report: must_tell || self.phase.must_report(),
        };
        self.read_files(&refreshed.later);
        self.workers.give(Box::new(move || drop(long_past)));
    }

    /// Whether results of searches wait for a refresh.
    fn has_news_to_come(&self) -> bool {
        let has_news = |changes: &Changes| changes.news || changes.news_of_values;
        let refreshing = self.refreshing.as_ref();
        has_news(&self.changes) || refreshing.is_some_and(|one| has_news(&one.changes))
    }

    /// A client asks for the hints of a text again when that text changes. What they say may come from
    /// another file too, and that may just have been read; and from what a search has seen.
    fn refresh_hints(&mut self) {
        let uses_others =
            |root: &Root| self.documents.contains_key(&root.path) && root.files.len() > 1;
        let is_read = self.phase.is_changed() && self.roots.iter().any(uses_others);
        let is_seen = std::mem::take(&mut self.has_new_sights) && self.settings.hints.seen;
        if self.client.refreshes_hints
            && self.settings.hints != Hints::default()
            && (is_read || is_seen)
        {
            self.outbound.say(Message::RefreshHints);
        }
    }

    /// Looks for files for the first time.
    fn read_files(&mut self, unread: &BTreeSet<Arc<str>>) {
        for path in unread {
            let file = self.database.file(path);
            if *file.contents(&self.database) == Contents::Unread {
                self.database.set_contents(path, self.disk.read(path));
                self.texts_changed();
            }
        }
    }

    pub fn statistics(&self) -> Statistics {
        self.jobs.statistics()
    }

    /// What may be read of the disk.
    pub fn disk(&self) -> &Disk {
        &self.disk
    }

    /// The open file of this name.
    pub fn document(&self, url: &Url) -> Option<&Document> {
        self.documents.get(&path(url))
    }
}
