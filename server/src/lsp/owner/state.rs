//! The state of the owner, and the events that change it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use salsa::CancellationToken;
use serde_json::Value;
use stubborn_ide::before::Before;
use stubborn_ide::database::{Contents, Database};
use stubborn_ide::disk::Disk;
use stubborn_ide::features::message::Messages;
use stubborn_ide::jobs::{Fingerprint, JobId, JobTable, Kept, Key, News};
use stubborn_model::Analysis;
use stubborn_syntax::Encoding;
use tower_lsp::jsonrpc::{Error, ErrorCode};
use tower_lsp::lsp_types::{Diagnostic, ProgressToken, TextDocumentContentChangeEvent, Url};

use super::wanted::{AllAsked, Asides, Other, OtherValues, Values};
use crate::lsp::client::Client;
use crate::lsp::documents::Document;
use crate::lsp::outbound::Outbound;
use crate::lsp::progress::Shown;
use crate::lsp::publishing::{Part, Published};
use crate::lsp::requests::pull;
use crate::lsp::root::Root;
use crate::lsp::settings::Settings;
use crate::lsp::standing::Told;
use crate::lsp::view::{Refreshed, View};
use crate::lsp::workers::{Ended, Workers};

/// What the server knows.
pub struct Owner {
    pub(super) events: Events,
    pub(super) outbound: Outbound,
    pub(super) workers: Workers,
    pub(super) database: Database,
    pub(super) jobs: JobTable,
    /// The verdicts of earlier sessions, for as long as a user wants that.
    pub(super) kept: Option<Arc<Kept>>,
    pub(super) client: Client,
    pub(super) encoding: Encoding,
    pub(super) settings: Settings,
    /// What a person has been told is wrong with their settings.
    pub(super) complaints: Vec<String>,

    pub(super) disk: Disk,
    pub(super) documents: BTreeMap<Arc<str>, Document>,
    /// The names of the open files, for readers.
    pub(super) open: Arc<HashMap<Arc<str>, Url>>,
    /// The tester files of the workspace.
    pub(super) testers: Arc<BTreeSet<Arc<str>>>,
    /// The models of the workspace, which are checked only where they are open or used.
    pub(super) models: Arc<BTreeSet<Arc<str>>>,

    /// Counts what the client has done to the texts: a place that it asks about is one of these.
    pub(super) edits: u64,
    /// Counts these and all other changes of the texts, and of which are open.
    pub(super) texts: u64,
    /// Changes since the last refresh began.
    pub(super) changes: Changes,
    pub(super) phase: Phase,
    /// A reader works out what follows from the inputs.
    pub(super) refreshing: Option<Refreshing>,
    /// The database has not been given the last verdicts yet.
    pub(super) has_new_verdicts: bool,
    /// A search has told what it has seen, and the client has not been told since to ask for hints.
    pub(super) has_new_sights: bool,

    pub(super) roots: Vec<Root>,
    pub(super) analyses: Vec<Arc<Analysis>>,
    /// The same of the text before. The database drops what it had then when it is given the next text, and
    /// nobody who types shall wait for the end of that: whoever drops it last does the work.
    pub(super) past: Option<Past>,
    /// What was last found of their properties.
    pub(super) before: Arc<Before>,
    /// What was last told to be wrong with their texts, where all was told of them.
    pub(super) wrong: Option<Arc<Messages>>,
    /// Files to be checked as soon as it is known what they mean, each with its budget.
    pub(super) due: BTreeMap<Arc<str>, Option<Duration>>,
    pub(super) values: OtherValues,
    pub(super) asked: AllAsked,
    pub(super) asides: Asides,
    pub(super) published: Published,
    pub(super) told_standing: Told,
    pub(super) pulled: Arc<pull::Answered>,
    pub(super) shown: BTreeMap<JobId, Shown>,
}

/// What followed from a text.
pub(super) type Past = (Vec<Root>, Vec<Arc<Analysis>>);

/// Work of a reader from which the owner will hear.
pub(super) struct Refreshing {
    pub(super) texts: u64,
    pub(super) changes: Changes,
    pub(super) token: CancellationToken,
    /// When it has taken as long as [`SOON`]; `None` after that.
    pub(super) late_at: Option<Instant>,
}

/// Changes from which something may follow that is to be shown.
#[derive(Clone, Copy, Default)]
pub(super) struct Changes {
    /// Something changed, or a check is due.
    pub(super) any: bool,
    /// A search has news.
    pub(super) news: bool,
    /// A search with another value of a parameter has news.
    pub(super) news_of_values: bool,
}

impl Changes {
    pub(super) fn add(&mut self, others: Changes) {
        self.any |= others.any;
        self.news |= others.news;
        self.news_of_values |= others.news_of_values;
    }
}

/// Progress of publishing what follows from the texts. Where it `must_report`, how the properties
/// stand is reported even if nothing of it has changed.
#[derive(Clone, Copy)]
pub(super) enum Phase {
    /// The texts have changed since their diagnostics were published.
    Changed { must_report: bool },
    /// The diagnostics are published; how the properties stand is reported next.
    Diagnosed { must_report: bool },
    /// Everything is published.
    Reported,
}

impl Phase {
    pub(super) fn is_changed(self) -> bool {
        matches!(self, Phase::Changed { .. })
    }

    pub(super) fn must_report(self) -> bool {
        match self {
            Phase::Changed { must_report } | Phase::Diagnosed { must_report } => must_report,
            Phase::Reported => false,
        }
    }
}

/// Something that has happened, or that somebody wants.
pub enum Event {
    // From the client, in the order in which it was sent.
    Start(Box<Session>),
    Initialized,
    Opened {
        url: Url,
        version: i32,
        text: String,
    },
    Changed {
        url: Url,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    },
    Saved(Url),
    Closed(Url),
    FilesChanged(Vec<Url>),
    FoldersChanged {
        added: Vec<Url>,
        removed: Vec<Url>,
    },
    Configured(Value),
    CheckWithoutLimit(Url),
    /// Searches for this file are to stop, or all.
    StopChecking(Option<Url>),
    Values(Values),
    /// A document of the server's own that a person wants to see.
    Show(Url),
    ProgressCancelled(ProgressToken),
    Read(Box<dyn Reader>),
    Ask(Box<dyn FnOnce(&mut Owner) + Send>),
    Shutdown,

    // From within.
    /// A reader was made to unwind, or there are files to look for first.
    ReadAgain {
        reader: Box<dyn Reader>,
        /// How often the client had changed a text when it began.
        edits: u64,
        unread: BTreeSet<Arc<str>>,
    },
    /// What is wrong with these texts, or with their grammar, while what else follows from them is still
    /// worked out.
    Glimpsed(u64, Part, BTreeMap<Arc<str>, Vec<Diagnostic>>),
    /// All properties that there are in these texts, and what they are about, while what else follows from them is
    /// still worked out.
    Sliced(u64, HashSet<Key>, HashSet<Fingerprint>),
    /// What follows from the inputs.
    Refreshed(Ended<Refreshed>),
    /// What other values of parameters mean.
    WorkedOut(Ended<Vec<Other>>),
    /// The models and testers of the workspace.
    Found(Vec<(String, Contents)>),
    News(JobId, News),
}

/// What client and server have agreed on.
pub struct Session {
    /// The name of the client, with its version.
    pub name: Option<String>,
    pub client: Client,
    pub encoding: Encoding,
    pub settings: Settings,
    /// What is wrong with the settings that the client began with.
    pub problems: Vec<String>,
    pub folders: Vec<Url>,
}

/// Something that is read from the database, and whom to tell.
pub trait Reader: Send {
    /// Reads and tells. May panic, and may be made to unwind; then it can be called again.
    fn read(&mut self, view: &View);

    /// Tells that there is no answer.
    fn refuse(&mut self, error: Error);
}

/// Puts events before the owner, without waiting for it.
#[derive(Clone)]
pub struct Events {
    sender: Sender<Event>,
}

impl Events {
    pub fn new() -> (Events, Receiver<Event>) {
        let (sender, receiver) = channel();
        (Events { sender }, receiver)
    }

    pub fn send(&self, event: Event) {
        // The owner has gone only where the server is about to.
        drop(self.sender.send(event));
    }
}

/// What a reader answers whose texts have changed meanwhile.
pub fn content_modified() -> Error {
    Error {
        code: ErrorCode::ContentModified,
        message: "the text has changed meanwhile".into(),
        data: None,
    }
}
