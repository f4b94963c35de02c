//! What is put before the owner.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use serde_json::Value;
use stubborn_ide::database::Contents;
use stubborn_ide::jobs::{Fingerprint, JobId, Key, News};
use stubborn_syntax::Encoding;
use tower_lsp::jsonrpc::Error;
use tower_lsp::lsp_types::{Diagnostic, ProgressToken, TextDocumentContentChangeEvent, Url};

use super::client::Client;
use super::owner::{Other, Owner, Values};
use super::publishing::Part;
use super::settings::Settings;
use super::view::{Refreshed, View};
use super::workers::Ended;

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
