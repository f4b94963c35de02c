//! What the server says of its own accord: diagnostics, progress, and requests to the client.
//!
//! One task sends it all, in the order in which it was given. Nobody else waits for the client.

use std::collections::HashMap;

use serde::Serialize;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tower_lsp::Client;
use tower_lsp::lsp_types::notification::{Notification, Progress as ProgressNotification};
use tower_lsp::lsp_types::request::WorkDoneProgressCreate;
use tower_lsp::lsp_types::{
    ConfigurationItem, Diagnostic, MessageType, ProgressParams, ProgressParamsValue, ProgressToken,
    Registration, ShowDocumentParams, Url, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressCreateParams, WorkDoneProgressEnd, WorkDoneProgressReport,
};

use super::events::{Event, Events};
use super::standing::{CheckingNotification, CheckingParams, StandingNotification, StandingParams};

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

/// Sends what it is given until nobody can give it anything more.
pub async fn send(client: Client, events: Events, mut messages: UnboundedReceiver<Message>) {
    let mut progress: HashMap<String, UnboundedSender<WorkDoneProgress>> = HashMap::new();
    while let Some(message) = messages.recv().await {
        match message {
            Message::Diagnostics {
                url,
                diagnostics,
                version,
            } => client.publish_diagnostics(url, diagnostics, version).await,
            Message::Begin { token, title } => {
                let (steps, receiver) = unbounded_channel();
                tokio::spawn(show_progress(
                    client.clone(),
                    token.clone(),
                    title,
                    receiver,
                ));
                progress.insert(token, steps);
            }
            Message::Report { token, message } => {
                if let Some(steps) = progress.get(&token) {
                    let report = WorkDoneProgressReport {
                        cancellable: Some(true),
                        message: Some(message),
                        percentage: None,
                    };
                    drop(steps.send(WorkDoneProgress::Report(report)));
                }
            }
            Message::End { token, message } => {
                if let Some(steps) = progress.remove(&token) {
                    let end = WorkDoneProgressEnd {
                        message: Some(message),
                    };
                    drop(steps.send(WorkDoneProgress::End(end)));
                }
            }
            Message::Register(registrations) => {
                let client = client.clone();
                // A client that refuses goes without: files are looked at again on every save.
                tokio::spawn(async move { drop(client.register_capability(registrations).await) });
            }
            Message::AskSettings => {
                let (client, events) = (client.clone(), events.clone());
                tokio::spawn(async move {
                    let section = ConfigurationItem {
                        scope_uri: None,
                        section: Some("stubborn".to_owned()),
                    };
                    // A client that does not say leaves the settings as they are.
                    let given = client
                        .configuration(vec![section])
                        .await
                        .unwrap_or_default();
                    // Null is that there are none; as a notification it would be to ask again.
                    if let Some(settings) = given.into_iter().find(|given| !given.is_null()) {
                        events.send(Event::Configured(settings));
                    }
                });
            }
            Message::Show(uri) => {
                let client = client.clone();
                let show = ShowDocumentParams {
                    uri,
                    external: Some(false),
                    take_focus: Some(true),
                    selection: None,
                };
                // A client that does not open it has been given its text.
                tokio::spawn(async move { drop(client.show_document(show).await) });
            }
            Message::Log { level, text } => client.log_message(level, text).await,
            Message::Tell(text) => client.show_message(MessageType::INFO, text).await,
            Message::Warn(text) => client.show_message(MessageType::WARNING, text).await,
            Message::RefreshLenses => {
                let client = client.clone();
                // A client that refuses asks when it likes.
                tokio::spawn(async move { drop(client.code_lens_refresh().await) });
            }
            Message::RefreshHints => {
                let client = client.clone();
                tokio::spawn(async move { drop(client.inlay_hint_refresh().await) });
            }
            Message::RefreshDiagnostics => {
                let client = client.clone();
                tokio::spawn(async move { drop(client.workspace_diagnostic_refresh().await) });
            }
            Message::Standing(params) => {
                client
                    .send_notification::<StandingNotification>(params)
                    .await;
            }
            Message::Checking(params) => {
                client
                    .send_notification::<CheckingNotification>(params)
                    .await;
            }
            Message::Verdicts(params) => {
                client
                    .send_notification::<VerdictsNotification>(params)
                    .await;
            }
        }
    }
}

/// Shows one progress, for which the client must first have made room.
async fn show_progress(
    client: Client,
    token: String,
    title: String,
    mut steps: UnboundedReceiver<WorkDoneProgress>,
) {
    let token = ProgressToken::String(token);
    let create = WorkDoneProgressCreateParams {
        token: token.clone(),
    };
    if client
        .send_request::<WorkDoneProgressCreate>(create)
        .await
        .is_err()
    {
        return;
    }
    let begin = WorkDoneProgressBegin {
        title,
        cancellable: Some(true),
        message: None,
        percentage: None,
    };
    let mut next = Some(WorkDoneProgress::Begin(begin));
    while let Some(step) = next {
        let params = ProgressParams {
            token: token.clone(),
            value: ProgressParamsValue::WorkDone(step),
        };
        client
            .send_notification::<ProgressNotification>(params)
            .await;
        next = steps.recv().await;
    }
}
