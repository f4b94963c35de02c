//! What is put before the owner.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use serde_json::Value;
use stubborn_syntax::Encoding;
use tower_lsp::jsonrpc::Error;
use tower_lsp::lsp_types::{ProgressToken, TextDocumentContentChangeEvent, Url};

use super::owner::Owner;
use super::settings::Settings;
use super::view::{Refreshed, View};
use super::workers::Ended;
use crate::database::Contents;
use crate::jobs::{JobId, News};

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
    /// What follows from the inputs.
    Refreshed(Ended<Refreshed>),
    /// The models and testers of the workspace.
    Found(Vec<(String, Contents)>),
    News(JobId, News),
}

/// What client and server have agreed on.
pub struct Session {
    /// The name of the client, with its version.
    pub client: Option<String>,
    pub encoding: Encoding,
    pub settings: Settings,
    /// What is wrong with the settings that the client began with.
    pub problems: Vec<String>,
    /// It answers where it is asked for its settings.
    pub has_settings: bool,
    /// It tells when they change, if it is asked to.
    pub tells_settings: bool,
    pub folders: Vec<Url>,
    pub shows_progress: bool,
    pub watches_files: bool,
    pub refreshes_lenses: bool,
    pub shows_documents: bool,
    pub can: Abilities,
    pub shows: Shows,
    pub writing: Writing,
}

/// What a client can do with the answers to its requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Abilities {
    /// It takes edits that are of a version of a text.
    pub takes_versioned_edits: bool,
    /// It asks what would be renamed before it asks for the new name.
    pub prepares_renames: bool,
    /// It takes actions that are no commands.
    pub takes_actions: bool,
    /// It shows Markdown in hovers.
    pub shows_markdown: bool,
}

/// What the client can show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shows {
    /// Symbols within symbols.
    pub nested_symbols: bool,
    /// The kinds of symbols that the protocol did not have at first.
    pub newer_symbol_kinds: bool,
    pub newer_workspace_symbol_kinds: bool,
    /// Beside a definition's name what is around it, and what led there.
    pub definition_links: bool,
    pub type_definition_links: bool,
    pub implementation_links: bool,
    /// Folds of whole lines alone.
    pub folds_whole_lines: bool,
    /// No more folds of a file than this.
    pub most_folds: usize,
}

/// What a client can show and take of what is offered to somebody who writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Writing {
    /// Snippets.
    pub snippets: bool,
    /// Markdown beside what is offered.
    pub offers_in_markdown: bool,
    /// Markdown beside a signature.
    pub signatures_in_markdown: bool,
    /// Of a parameter, where it stands in its signature, instead of its text.
    pub label_offsets: bool,
    /// Asks again for the hints between the words when it is told to.
    pub refreshes_hints: bool,
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
