//! The owner of the database and of everything else that changes: one thread, to which all events
//! come in one order.
//!
//! It does nothing that takes long. An edit goes into the open text; only when no more events wait
//! do the texts go into the database, and a reader works out what follows from them. Its result is
//! taken if nothing has changed meanwhile. So a burst of edits costs one analysis, and what is
//! published is always about the text that the client has.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::thread;
use std::time::Duration;

use stubborn_syntax::Encoding;
use tower_lsp::jsonrpc::Error;
use tower_lsp::lsp_types::{
    DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, ProgressToken,
    Registration, Url,
};

use super::convert::path;
use super::documents::Document;
use super::events::{Event, Events, Reader, Session};
use super::outbound::{Message, Outbound};
use super::progress::Shown;
use super::publishing::Published;
use super::service::{OpenText, content_modified};
use super::settings::Settings;
use super::view::{Refreshed, Root, View};
use super::workers::{Ended, Workers, caught};
use super::{disk, progress};
use crate::database::{Contents, Database, Db};
use crate::jobs::{Fingerprint, JobId, JobTable, News, Statistics, Wanted};

/// What the server knows.
pub struct Owner {
    events: Events,
    outbound: Outbound,
    workers: Workers,
    database: Database,
    jobs: JobTable,
    encoding: Encoding,
    settings: Settings,
    shows_progress: bool,
    watches_files: bool,

    documents: BTreeMap<Arc<str>, Document>,
    /// The names of the open files, for readers.
    open: Arc<HashMap<Arc<str>, Url>>,
    /// The tester files of the workspace.
    testers: Arc<BTreeSet<Arc<str>>>,

    /// Counts the changes of the texts.
    texts: u64,
    /// Counts the changes of all inputs.
    revision: u64,
    /// The revision from which `roots` follow.
    refreshed: u64,
    /// A reader works out what follows from the inputs.
    is_refreshing: bool,

    roots: Vec<Root>,
    /// Files to be checked as soon as it is known what they mean, each with its budget.
    due: BTreeMap<Arc<str>, Option<Duration>>,
    /// New verdicts have come that have not been published.
    has_news: bool,
    published: Published,
    shown: BTreeMap<JobId, Shown>,
}

impl Owner {
    pub fn new(events: Events, outbound: Outbound, workers: Workers, jobs: JobTable) -> Owner {
        Owner {
            events,
            outbound,
            workers,
            database: Database::default(),
            jobs,
            encoding: Encoding::Utf16,
            settings: Settings::default(),
            shows_progress: false,
            watches_files: false,
            documents: BTreeMap::new(),
            open: Arc::default(),
            testers: Arc::default(),
            texts: 0,
            revision: 0,
            refreshed: 0,
            is_refreshing: false,
            roots: Vec::new(),
            due: BTreeMap::new(),
            has_news: false,
            published: Published::default(),
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
                    match events.recv() {
                        Ok(event) => event,
                        Err(_) => return,
                    }
                }
                Err(TryRecvError::Disconnected) => return,
            };
            self.guarded(|owner| owner.take(event));
        }
    }

    /// A defect must not take the open texts with it.
    fn guarded(&mut self, work: impl FnOnce(&mut Owner)) {
        drop(catch_unwind(AssertUnwindSafe(|| work(self))));
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Start(session) => self.start(*session),
            Event::Initialized => self.register(),
            Event::Opened { url, version, text } => self.open(url, version, &text),
            Event::Changed {
                url,
                version,
                changes,
            } => {
                if let Some(document) = self.documents.get_mut(&path(&url)) {
                    document.change(version, &changes, self.encoding);
                    self.texts += 1;
                    self.revision += 1;
                }
            }
            Event::Saved(url) => self.check(&path(&url), self.settings.budget),
            Event::CheckWithoutLimit(url) => self.check(&path(&url), None),
            Event::Closed(url) => self.close(&url),
            Event::FilesChanged(urls) => {
                for url in urls {
                    self.file_changed(&path(&url));
                }
            }
            Event::FoldersAdded(folders) => self.look_for_testers(folders),
            Event::Configured(settings) => self.settings.update(&settings),
            Event::ProgressCancelled(token) => {
                if let ProgressToken::String(token) = token
                    && let Some(job) = progress::job(&token)
                {
                    self.jobs.stop(job);
                }
            }
            Event::Read(reader) => self.read(reader),
            Event::ReadAgain(mut reader, texts) => {
                // A verdict that came in between changes nothing that the client knows of.
                if texts == self.texts {
                    self.read(reader);
                } else {
                    reader.refuse(content_modified());
                }
            }
            Event::Ask(ask) => ask(self),
            Event::Refreshed(revision, ended) => self.take_refreshed(revision, ended),
            Event::Testers(testers) => self.take_testers(testers),
            Event::News(job, news) => self.take_news(job, news),
            Event::Shutdown => self.jobs.stop_all(),
        }
    }

    fn start(&mut self, session: Session) {
        self.encoding = session.encoding;
        self.settings = session.settings;
        self.shows_progress = session.shows_progress;
        self.watches_files = session.watches_files;
        self.look_for_testers(session.folders);
    }

    /// Asks the client to tell of files that change on the disk.
    fn register(&mut self) {
        if !self.watches_files {
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

    fn look_for_testers(&self, folders: Vec<Url>) {
        let events = self.events.clone();
        let folders: Vec<Arc<str>> = folders.iter().map(path).collect();
        let search = move || {
            for folder in folders {
                events.send(Event::Testers(disk::testers(Path::new(&*folder))));
            }
        };
        // Without a thread for it the testers are found once they are opened.
        drop(
            thread::Builder::new()
                .name("testers".to_owned())
                .spawn(search),
        );
    }

    fn take_testers(&mut self, found: Vec<(String, Contents)>) {
        for (path, contents) in found {
            let path = self.add_tester(&path);
            if !self.documents.contains_key(&path) {
                self.database.set_contents(&path, contents);
            }
            // What uses a file that was opened meanwhile is to be checked as if it had been known.
            self.due.entry(path).or_insert(self.settings.budget);
        }
        self.revision += 1;
    }

    fn add_tester(&mut self, path: &str) -> Arc<str> {
        let path = Arc::clone(self.database.file(path).path(&self.database));
        if !self.testers.contains(&path) {
            Arc::make_mut(&mut self.testers).insert(Arc::clone(&path));
        }
        path
    }

    fn open(&mut self, url: Url, version: i32, text: &str) {
        let path = path(&url);
        Arc::make_mut(&mut self.open).insert(Arc::clone(&path), url.clone());
        let document = Document::open(url, version, text);
        self.documents.insert(Arc::clone(&path), document);
        self.published.forget_version(&path);
        self.texts += 1;
        self.revision += 1;
        self.check(&path, self.settings.budget);
    }

    fn close(&mut self, url: &Url) {
        let path = path(url);
        if self.documents.remove(&path).is_some() {
            Arc::make_mut(&mut self.open).remove(&path);
            self.due.remove(&path);
            self.database.set_contents(&path, disk::read(&path));
            self.texts += 1;
            self.revision += 1;
        }
    }

    /// Has the properties of a file, and of those that use it, checked.
    fn check(&mut self, path: &Arc<str>, budget: Option<Duration>) {
        let longer = match (self.due.get(path), budget) {
            (Some(None), _) | (_, None) => None,
            (Some(Some(one)), Some(other)) => Some(other.max(*one)),
            (None, Some(budget)) => Some(budget),
        };
        self.due.insert(Arc::clone(path), longer);
        self.look_at_files();
        // Even if nothing has changed the roots must be gone through for what is due.
        self.revision += 1;
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

    fn file_changed(&mut self, path: &Arc<str>) {
        if self.documents.contains_key(path) {
            return;
        }
        if path.ends_with(".tester") {
            self.add_tester(path);
        }
        let file = self.database.file(path);
        let contents = disk::read(path);
        if *file.contents(&self.database) != contents {
            self.database.set_contents(path, contents);
            self.texts += 1;
            self.revision += 1;
        }
    }

    /// Puts the edited texts into the database.
    fn flush(&mut self) {
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
            encoding: self.encoding,
            open: Arc::clone(&self.open),
            testers: Arc::clone(&self.testers),
            pending: Arc::new(self.jobs.pending()),
        }
    }

    fn read(&mut self, mut reader: Box<dyn Reader>) {
        self.flush();
        let view = self.view();
        let (events, texts) = (self.events.clone(), self.texts);
        self.workers.give(Box::new(move || {
            let ended = caught(|| reader.read(&view));
            drop(view);
            match ended {
                Ended::Done(()) => {}
                Ended::Cancelled => events.send(Event::ReadAgain(reader, texts)),
                Ended::Failed => reader.refuse(Error::internal_error()),
            }
        }));
    }

    /// Done whenever no more events wait.
    fn settle(&mut self) {
        if self.is_refreshing || self.refreshed == self.revision {
            return;
        }
        self.flush();
        let view = self.view();
        let (events, revision) = (self.events.clone(), self.revision);
        self.is_refreshing = true;
        self.workers.give(Box::new(move || {
            let ended = caught(|| view.refresh());
            drop(view);
            events.send(Event::Refreshed(revision, ended));
        }));
    }

    fn take_refreshed(&mut self, revision: u64, ended: Ended<Refreshed>) {
        self.is_refreshing = false;
        match ended {
            Ended::Done(refreshed) if revision == self.revision => self.accept(refreshed),
            // The next edit gives it another chance; until then the last results stand.
            Ended::Failed => self.refreshed = revision,
            // It is about what was; it is worked out again.
            Ended::Done(_) | Ended::Cancelled => {}
        }
    }

    fn accept(&mut self, refreshed: Refreshed) {
        if !refreshed.unread.is_empty() {
            for path in &refreshed.unread {
                self.database.set_contents(path, disk::read(path));
            }
            self.revision += 1;
            return;
        }
        self.refreshed = self.revision;
        self.roots = refreshed.roots;
        self.give_up_stale();
        let must_tell = self.start_due() || std::mem::take(&mut self.has_news);
        let version = |path: &str| self.documents.get(path).map(|document| document.version);
        self.published.publish(
            refreshed.diagnostics,
            must_tell,
            version,
            &self.open,
            &self.outbound,
        );
        if self.settings.tell_verdicts {
            self.tell_verdicts(must_tell);
        }
    }

    /// Ends the searches for what no text claims any more.
    fn give_up_stale(&mut self) {
        let current: BTreeSet<(Fingerprint, Fingerprint)> = self
            .roots
            .iter()
            .filter_map(|root| Some((root.system.as_ref()?.0, &root.claims)))
            .flat_map(|(system, claims)| claims.iter().map(move |(claim, _)| (system, *claim)))
            .collect();
        self.jobs
            .retain(|system, claim| current.contains(&(system, claim)));
    }

    /// Has what is due checked: one search for each System. Whether anything was due.
    fn start_due(&mut self) -> bool {
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
                one.claims.extend(root.claims.iter().cloned());
                *longer = longest(&[*longer, budget]).unwrap_or(budget);
            } else {
                let one = Wanted {
                    fingerprint: *fingerprint,
                    system: Arc::clone(system),
                    claims: root.claims.to_vec(),
                };
                wanted.push((one, budget, Arc::clone(&root.path)));
            }
        }
        for (wanted, budget, path) in wanted {
            if let Some(job) = self.jobs.require(&wanted, budget) {
                self.shown.insert(job, Shown::new(&path));
            }
        }
        true
    }

    fn take_news(&mut self, job: JobId, news: News) {
        if self.shows_progress
            && let Some(shown) = self.shown.get_mut(&job)
        {
            shown.follow(job, &news, &self.outbound);
        }
        if matches!(news, News::Finished { .. }) {
            self.shown.remove(&job);
        }
        let change = self.jobs.receive(job, news);
        if change.verdicts {
            self.database.set_verdicts(Arc::clone(self.jobs.verdicts()));
        }
        if change.verdicts || change.finished {
            self.revision += 1;
            self.has_news = true;
        }
    }

    fn tell_verdicts(&mut self, must_tell: bool) {
        for root in &self.roots {
            let Some(document) = self.documents.get(&root.path) else {
                continue;
            };
            let system = root.system.as_ref().map(|(system, _)| *system);
            let is_pending = |claim| system.is_some_and(|s| self.jobs.is_pending(s, claim));
            let checking = root.claims.iter().any(|(claim, _)| is_pending(*claim));
            self.published
                .tell(root, document, checking, must_tell, &self.outbound);
        }
    }

    pub fn statistics(&self) -> Statistics {
        self.jobs.statistics()
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn open_text(&self, url: &Url) -> Option<OpenText> {
        self.documents.get(&path(url)).map(|document| OpenText {
            version: document.version,
            text: document.text(),
        })
    }
}

/// The longest of several budgets, of which `None` is one without an end.
fn longest(budgets: &[Option<Duration>]) -> Option<Option<Duration>> {
    let longer = |one: Option<Duration>, other: Option<Duration>| Some(one?.max(other?));
    budgets.iter().copied().reduce(longer)
}
