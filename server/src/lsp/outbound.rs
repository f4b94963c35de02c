//! What the server says of its own accord: diagnostics, progress, and requests to the client.
//!
//! One task sends it all, in the order in which it was given. Nobody else waits for the client.

use serde::Serialize;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tower_lsp::lsp_types::notification::Notification;
use tower_lsp::lsp_types::{Diagnostic, MessageType, Registration, Url};

use super::standing::{CheckingParams, StandingParams};

/// Something to be said to the client.
#[derive(Debug)]
pub enum Message {
    Diagnostics {
        url: Url,
        diagnostics: Vec<Diagnostic>,
        version: Option<i32>,
    },
    Begin {
        token: String,
        title: String,
    },
    Report {
        token: String,
        message: String,
    },
    End {
        token: String,
        message: String,
    },
    Register(Vec<Registration>),
    /// Ask for the settings; they come back as an event.
    AskSettings,
    /// For the client's log.
    Log {
        level: MessageType,
        text: String,
    },
    /// For a person to see, who has asked for it.
    Tell(String),
    /// For a person to see, since something is wrong that they can mend.
    Warn(String),
    Verdicts(VerdictsParams),
    Standing(StandingParams),
    Checking(CheckingParams),
    /// Open a document.
    Show(Url),
    /// What stands over the properties has changed.
    RefreshLenses,
    /// What is shown between the words of texts may have changed.
    RefreshHints,
    /// What was answered of a text is not so any more.
    RefreshDiagnostics,
}

/// The notification `stubborn/verdicts`: what is known of the properties of a file, sent when that
/// has changed, to clients that ask for it.
#[derive(Debug)]
pub enum VerdictsNotification {}

impl Notification for VerdictsNotification {
    type Params = VerdictsParams;
    const METHOD: &'static str = "stubborn/verdicts";
}

#[derive(Clone, Debug, PartialEq, Serialize, serde::Deserialize)]
pub struct VerdictsParams {
    pub uri: Url,
    /// Of the text that the verdicts are about.
    pub version: Option<i32>,
    /// A search for some of them is under way.
    pub checking: bool,
    pub properties: Vec<PropertyVerdict>,
}

#[derive(Clone, Debug, PartialEq, Serialize, serde::Deserialize)]
pub struct PropertyVerdict {
    pub name: String,
    pub kind: String,
    /// `holds`, `violated`, `undecided`, or null where nothing is known yet.
    pub verdict: Option<String>,
    pub why: Option<String>,
    pub states: u64,
    /// The verdict, or `stale` (nobody has checked the text as it is), `waiting`, `running`.
    pub state: String,
    /// While it has no verdict: the one that it had of the text before.
    pub before: Option<String>,
}

/// Where messages to the client are put. Never blocks.
#[derive(Clone, Debug)]
pub struct Outbound {
    messages: UnboundedSender<Message>,
}

impl Outbound {
    pub fn new() -> (Outbound, UnboundedReceiver<Message>) {
        let (messages, receiver) = unbounded_channel();
        (Outbound { messages }, receiver)
    }

    pub fn say(&self, message: Message) {
        // It is gone only where the client is.
        drop(self.messages.send(message));
    }
}
