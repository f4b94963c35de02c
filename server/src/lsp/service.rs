//! The protocol's methods. Each first puts one event before the owner and does not wait for it to
//! be taken, so that events stand there in the order in which the client sent them; only then does
//! it wait for an answer, if there is one.

use std::sync::{Arc, Mutex, PoisonError};

use salsa::{CancellationToken, Database as _};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use stubborn_syntax::Encoding;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::lsp_types as lsp;
use tower_lsp::{LanguageServer, async_trait};

use super::convert::path;
use super::events::{Event, Events, Reader, Session};
use super::features::{definition, hover, symbols};
use super::input::Unreadable;
use super::settings::Settings;
use super::view::View;
use super::{lifetime, positions};
use crate::jobs::Statistics;

/// The command that checks a file for as long as it takes.
pub const CHECK_WITHOUT_LIMIT: &str = "stubborn.checkWithoutLimit";

/// The server as the protocol sees it.
pub struct Service {
    events: Events,
    /// Called once the client's process has ended.
    gone: Arc<dyn Fn() + Send + Sync>,
}

/// The answer to `stubborn/text`.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenText {
    pub version: i32,
    pub text: String,
}

/// The answer to `stubborn/statistics`.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatisticsAnswer {
    /// States explored by all searches of the session.
    pub states: u64,
    /// Searches that were started.
    pub searches: u64,
    /// Verdicts that were wanted and known already.
    pub reused: u64,
    /// Searches that an edit made stale.
    pub cancelled: u64,
}

impl From<Statistics> for StatisticsAnswer {
    fn from(found: Statistics) -> StatisticsAnswer {
        StatisticsAnswer {
            states: found.states,
            searches: found.searches,
            reused: found.reused,
            cancelled: found.cancelled,
        }
    }
}

impl Service {
    pub fn new(events: Events, gone: impl Fn() + Send + Sync + 'static) -> Service {
        Service {
            events,
            gone: Arc::new(gone),
        }
    }

    /// Has a reader work out an answer from the texts as they are now.
    async fn read<T, F>(&self, read: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&View) -> Result<T> + Send + 'static,
    {
        let (answer, receiver) = oneshot::channel();
        let token = Arc::default();
        let _guard = CancelOnDrop(Arc::clone(&token));
        self.events.send(Event::Read(Box::new(Reading {
            read,
            answer: Some(answer),
            token,
        })));
        receiver
            .await
            .unwrap_or_else(|_| Err(Error::internal_error()))
    }

    /// Asks the owner itself.
    async fn ask<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&mut super::owner::Owner) -> T + Send + 'static,
    ) -> Result<T> {
        let (answer, receiver) = oneshot::channel();
        self.events.send(Event::Ask(Box::new(move |owner| {
            drop(answer.send(ask(owner)));
        })));
        receiver.await.map_err(|_| Error::internal_error())
    }

    /// `stubborn/text`: the text of an open file as the server has it.
    pub async fn text(&self, file: lsp::TextDocumentIdentifier) -> Result<Option<OpenText>> {
        self.ask(move |owner| owner.open_text(&file.uri)).await
    }

    /// `stubborn/statistics`: what the searches have cost, and what was spared.
    pub async fn statistics(&self) -> Result<StatisticsAnswer> {
        self.ask(|owner| owner.statistics().into()).await
    }

    /// `stubborn/panic`: a reader that breaks, for the tests.
    pub async fn panic(&self) -> Result<()> {
        if !self.ask(|owner| owner.settings().allow_panic).await? {
            return Err(Error::method_not_found());
        }
        self.read(|_| panic!("as was asked for")).await
    }

    /// What stands for a message of the client that cannot be read.
    pub async fn unreadable(&self, why: Unreadable) -> Result<()> {
        Err(if why.is_json {
            Error::invalid_request()
        } else {
            Error::parse_error()
        })
    }

    /// `window/workDoneProgress/cancel`.
    pub async fn cancel_progress(&self, params: lsp::WorkDoneProgressCancelParams) {
        self.events.send(Event::ProgressCancelled(params.token));
    }
}

/// A reader whose client waits for the answer.
struct Reading<T, F> {
    read: F,
    answer: Option<oneshot::Sender<Result<T>>>,
    token: Arc<Mutex<Option<CancellationToken>>>,
}

impl<T: Send, F: Fn(&View) -> Result<T> + Send> Reader for Reading<T, F> {
    fn read(&mut self, view: &View) {
        if self.answer.as_ref().is_none_or(oneshot::Sender::is_closed) {
            return;
        }
        let token = view.database.cancellation_token();
        *self.token.lock().unwrap_or_else(PoisonError::into_inner) = Some(token);
        let answer = (self.read)(view);
        if let Some(to) = self.answer.take() {
            drop(to.send(answer));
        }
    }

    fn refuse(&mut self, error: Error) {
        if let Some(to) = self.answer.take() {
            drop(to.send(Err(error)));
        }
    }
}

/// A request that the client takes back is a future that is dropped: then its reader stops too.
struct CancelOnDrop(Arc<Mutex<Option<CancellationToken>>>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if let Some(token) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            token.cancel();
        }
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

#[async_trait]
impl LanguageServer for Service {
    async fn initialize(&self, params: lsp::InitializeParams) -> Result<lsp::InitializeResult> {
        let session = session(&params);
        let encoding = session.encoding;
        self.events.send(Event::Start(Box::new(session)));
        if let Some(parent) = params.process_id {
            let gone = Arc::clone(&self.gone);
            lifetime::watch(parent, move || gone());
        }
        Ok(lsp::InitializeResult {
            capabilities: capabilities(encoding),
            server_info: Some(lsp::ServerInfo {
                name: "stubborn".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        })
    }

    async fn initialized(&self, _: lsp::InitializedParams) {
        self.events.send(Event::Initialized);
    }

    async fn shutdown(&self) -> Result<()> {
        self.events.send(Event::Shutdown);
        Ok(())
    }

    async fn did_open(&self, params: lsp::DidOpenTextDocumentParams) {
        let document = params.text_document;
        self.events.send(Event::Opened {
            url: document.uri,
            version: document.version,
            text: document.text,
        });
    }

    async fn did_change(&self, params: lsp::DidChangeTextDocumentParams) {
        self.events.send(Event::Changed {
            url: params.text_document.uri,
            version: params.text_document.version,
            changes: params.content_changes,
        });
    }

    async fn did_save(&self, params: lsp::DidSaveTextDocumentParams) {
        self.events.send(Event::Saved(params.text_document.uri));
    }

    async fn did_close(&self, params: lsp::DidCloseTextDocumentParams) {
        self.events.send(Event::Closed(params.text_document.uri));
    }

    async fn did_change_watched_files(&self, params: lsp::DidChangeWatchedFilesParams) {
        let files = params.changes.into_iter().map(|change| change.uri);
        self.events.send(Event::FilesChanged(files.collect()));
    }

    async fn did_change_workspace_folders(&self, params: lsp::DidChangeWorkspaceFoldersParams) {
        let urls = |folders: Vec<lsp::WorkspaceFolder>| {
            folders.into_iter().map(|folder| folder.uri).collect()
        };
        self.events.send(Event::FoldersChanged {
            added: urls(params.event.added),
            removed: urls(params.event.removed),
        });
    }

    async fn did_change_configuration(&self, params: lsp::DidChangeConfigurationParams) {
        self.events.send(Event::Configured(params.settings));
    }

    async fn hover(&self, params: lsp::HoverParams) -> Result<Option<lsp::Hover>> {
        let at = params.text_document_position_params;
        let read = move |view: &View| {
            let mut places = view.places();
            let url = &at.text_document.uri;
            let offset = places.offset(url, at.position);
            let hover = hover::hover(&view.database, places.file(url), offset, &view.pending);
            Ok(hover.map(|hover| places.hover(&path(url), hover)))
        };
        self.read(read).await
    }

    async fn goto_definition(
        &self,
        params: lsp::GotoDefinitionParams,
    ) -> Result<Option<lsp::GotoDefinitionResponse>> {
        let at = params.text_document_position_params;
        let read = move |view: &View| {
            let mut places = view.places();
            let url = &at.text_document.uri;
            let offset = places.offset(url, at.position);
            let found = definition::definition(&view.database, places.file(url), offset);
            let location = found.and_then(|location| places.location(&location));
            Ok(location.map(lsp::GotoDefinitionResponse::Scalar))
        };
        self.read(read).await
    }

    async fn references(&self, params: lsp::ReferenceParams) -> Result<Option<Vec<lsp::Location>>> {
        let at = params.text_document_position;
        let declaration = params.context.include_declaration;
        let read = move |view: &View| {
            let mut places = view.places();
            let url = &at.text_document.uri;
            let offset = places.offset(url, at.position);
            let file = places.file(url);
            let found = definition::references(&view.database, file, offset, declaration);
            Ok(found.map(|found| {
                found
                    .iter()
                    .filter_map(|one| places.location(one))
                    .collect()
            }))
        };
        self.read(read).await
    }

    async fn document_symbol(
        &self,
        params: lsp::DocumentSymbolParams,
    ) -> Result<Option<lsp::DocumentSymbolResponse>> {
        let url = params.text_document.uri;
        let read = move |view: &View| {
            let mut places = view.places();
            let declared = symbols::symbols(&view.database, places.file(&url));
            let path = path(&url);
            let symbols = declared
                .iter()
                .map(|one| places.symbol(&path, one))
                .collect();
            Ok(Some(lsp::DocumentSymbolResponse::Nested(symbols)))
        };
        self.read(read).await
    }

    async fn formatting(
        &self,
        params: lsp::DocumentFormattingParams,
    ) -> Result<Option<Vec<lsp::TextEdit>>> {
        let url = params.text_document.uri;
        self.read(move |view| Ok(view.places().formatting(&url)))
            .await
    }

    async fn execute_command(&self, params: lsp::ExecuteCommandParams) -> Result<Option<Value>> {
        if params.command != CHECK_WITHOUT_LIMIT {
            return Err(Error::invalid_params(format!(
                "there is no command `{}`",
                params.command
            )));
        }
        let url = params.arguments.into_iter().next();
        match url.map(serde_json::from_value::<lsp::Url>) {
            Some(Ok(url)) => self.events.send(Event::CheckWithoutLimit(url)),
            _ => {
                return Err(Error::invalid_params(
                    "the first argument is the URI of a file",
                ));
            }
        }
        Ok(None)
    }
}

#[allow(
    deprecated,
    reason = "older clients tell the root of the workspace in `rootUri` alone"
)]
fn session(params: &lsp::InitializeParams) -> Session {
    let general = params.capabilities.general.as_ref();
    let offered = general.and_then(|general| general.position_encodings.as_deref());
    let mut settings = Settings::default();
    if let Some(options) = &params.initialization_options {
        settings.update(options);
    }
    let folders = match &params.workspace_folders {
        Some(folders) => folders.iter().map(|folder| folder.uri.clone()).collect(),
        None => params.root_uri.iter().cloned().collect(),
    };
    let window = params.capabilities.window.as_ref();
    let workspace = params.capabilities.workspace.as_ref();
    let watching = workspace.and_then(|workspace| workspace.did_change_watched_files);
    Session {
        encoding: positions::negotiate(offered),
        settings,
        folders,
        shows_progress: window.and_then(|window| window.work_done_progress) == Some(true),
        watches_files: watching.and_then(|watching| watching.dynamic_registration) == Some(true),
    }
}

fn capabilities(encoding: Encoding) -> lsp::ServerCapabilities {
    let sync = lsp::TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(lsp::TextDocumentSyncKind::INCREMENTAL),
        save: Some(lsp::TextDocumentSyncSaveOptions::Supported(true)),
        ..lsp::TextDocumentSyncOptions::default()
    };
    lsp::ServerCapabilities {
        position_encoding: Some(positions::kind(encoding)),
        text_document_sync: Some(lsp::TextDocumentSyncCapability::Options(sync)),
        hover_provider: Some(lsp::HoverProviderCapability::Simple(true)),
        definition_provider: Some(lsp::OneOf::Left(true)),
        references_provider: Some(lsp::OneOf::Left(true)),
        document_symbol_provider: Some(lsp::OneOf::Left(true)),
        document_formatting_provider: Some(lsp::OneOf::Left(true)),
        execute_command_provider: Some(lsp::ExecuteCommandOptions {
            commands: vec![CHECK_WITHOUT_LIMIT.to_owned()],
            ..lsp::ExecuteCommandOptions::default()
        }),
        workspace: Some(lsp::WorkspaceServerCapabilities {
            workspace_folders: Some(lsp::WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(lsp::OneOf::Left(true)),
            }),
            file_operations: None,
        }),
        ..lsp::ServerCapabilities::default()
    }
}
