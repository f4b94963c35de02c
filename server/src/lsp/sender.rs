//! The task that sends messages to the client, in their order.

use std::collections::HashMap;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tower_lsp::Client;
use tower_lsp::lsp_types::notification::Progress as ProgressNotification;
use tower_lsp::lsp_types::request::WorkDoneProgressCreate;
use tower_lsp::lsp_types::{
    ConfigurationItem, MessageType, ProgressParams, ProgressParamsValue, ProgressToken,
    ShowDocumentParams, WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressCreateParams,
    WorkDoneProgressEnd, WorkDoneProgressReport,
};

use super::outbound::{Message, VerdictsNotification};
use super::owner::{Event, Events};
use super::standing::{CheckingNotification, StandingNotification};

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
