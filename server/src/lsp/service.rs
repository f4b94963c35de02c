//! The protocol's methods. Each first puts one event before the owner and does not wait for it to
//! be taken, so that events stand there in the order in which the client sent them; only then does
//! it wait for an answer, if there is one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use parking_lot::Mutex;
use salsa::{CancellationToken, Database as _};
use serde_json::Value;
use stubborn_ide::features::picture::Shown;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::lsp_types as lsp;
use tower_lsp::lsp_types::request::{
    GotoImplementationParams, GotoImplementationResponse, GotoTypeDefinitionParams,
    GotoTypeDefinitionResponse,
};
use tower_lsp::{LanguageServer, async_trait};

use super::convert::path;
use super::input::Unreadable;
use super::lifetime;
use super::owner::{Event, Events, Reader, Values, content_modified};
use super::requests::check::{Check, CheckAnswer, CheckParams};
use super::requests::execute_command::{Command, Run};
use super::requests::explanation::{Explanation, ExplanationParams};
use super::requests::statistics::StatisticsAnswer;
use super::requests::text::OpenText;
use super::requests::{
    call_hierarchy, code_action, code_lens, completion, evaluate, execute_command, explanation,
    formatting, hover, initialize, inlay_hint, navigation, picture, pull, rename, semantic_tokens,
    signature_help, statistics, structure, text, trace, trace_text,
};
use super::runs::Runs;
use super::view::View;
use super::workers::STACK;

/// The server as the protocol sees it.
pub struct Service {
    events: Events,
    runs: Runs,
    /// Called once the client's process has ended.
    gone: Arc<dyn Fn() + Send + Sync>,
    tokens: Arc<semantic_tokens::Answered>,
    pulled: Arc<pull::Answered>,
}

impl Service {
    /// `pulled` is shared with the owner.
    pub fn new(
        events: Events,
        pulled: Arc<pull::Answered>,
        gone: impl Fn() + Send + Sync + 'static,
    ) -> Service {
        Service {
            events,
            runs: Runs::default(),
            gone: Arc::new(gone),
            tokens: Arc::default(),
            pulled,
        }
    }

    /// Has a reader work out an answer from the texts as they are now.
    async fn read<T, F>(&self, read: F) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&View) -> T + Send + 'static,
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

    /// [`text`].
    pub async fn text(&self, asked: lsp::TextDocumentIdentifier) -> Result<Option<OpenText>> {
        self.ask(move |owner| text::answer(owner, &asked)).await
    }

    /// [`statistics`].
    pub async fn statistics(&self) -> Result<StatisticsAnswer> {
        self.ask(|owner| statistics::answer(owner)).await
    }

    /// [`trace`].
    pub async fn trace(&self, asked: trace::Which) -> Result<trace::Answer<trace::Told>> {
        self.read(move |view| trace::answer(view, &asked)).await
    }

    /// Finds out what is to be drawn, and draws it. A picture may take a search, which holds neither the database
    /// nor a reader.
    async fn drawn(
        &self,
        asked: picture::Params,
    ) -> Result<std::result::Result<(picture::Asked, Shown), String>> {
        let asked = match self.read(move |view| picture::ask(view, &asked)).await? {
            Ok(asked) => asked,
            Err(why) => return Ok(Err(why)),
        };
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let _guard = StopOnDrop(Arc::clone(&is_cancelled));
        let (answer, drawn) = oneshot::channel();
        let draw = move || {
            let shown = asked.wanted.draw(&is_cancelled);
            drop(answer.send(shown.map(|shown| (asked, shown))));
        };
        let thread = thread::Builder::new().name("picture".to_owned());
        let started = thread.stack_size(STACK).spawn(draw);
        started.map_err(|_| Error::internal_error())?;
        drawn.await.map_err(|_| Error::internal_error())
    }

    /// [`picture`].
    pub async fn picture(&self, asked: picture::Params) -> Result<trace::Answer<picture::Told>> {
        let drawn = self.drawn(asked).await?;
        let answer = self.read(move |view| picture::answer(view, &drawn)).await?;
        answer.ok_or_else(content_modified)
    }

    /// [`picture::text`].
    pub async fn picture_text(
        &self,
        asked: picture::Params,
    ) -> Result<trace::Answer<picture::Text>> {
        Ok(picture::text(self.drawn(asked).await?))
    }

    /// [`trace_text`].
    pub async fn trace_text(
        &self,
        asked: trace_text::Params,
    ) -> Result<trace::Answer<trace_text::Told>> {
        self.read(move |view| trace_text::answer(view, &asked))
            .await
    }

    /// [`evaluate`].
    pub async fn evaluate(&self, asked: evaluate::Params) -> Result<trace::Answer<evaluate::Told>> {
        self.read(move |view| evaluate::answer(view, &asked)).await
    }

    /// [`check`].
    pub async fn check(&self, asked: CheckParams) -> Result<CheckAnswer> {
        Check::begin(&self.events, asked).answer().await
    }

    /// [`explanation`].
    pub async fn explanation(&self, asked: ExplanationParams) -> Result<Option<Explanation>> {
        self.read(move |view| explanation::answer(view, &asked))
            .await
    }

    /// What stands for a message of the client that cannot be read.
    pub async fn unreadable(&self, why: Unreadable) -> Result<()> {
        tracing::warn!("a message of the client cannot be read ({why:?})");
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

impl<T: Send, F: Fn(&View) -> T + Send> Reader for Reading<T, F> {
    fn read(&mut self, view: &View) {
        if self.answer.as_ref().is_none_or(oneshot::Sender::is_closed) {
            return;
        }
        let token = view.database.cancellation_token();
        *self.token.lock() = Some(token);
        let answer = (self.read)(view);
        if let Some(to) = self.answer.take() {
            drop(to.send(Ok(answer)));
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
        if let Some(token) = &*self.0.lock() {
            token.cancel();
        }
    }
}

/// Likewise, what a picture is made of.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Implements [`LanguageServer`]: with methods, and with requests that a reader answers.
macro_rules! language_server {
    ({ $($methods:tt)* } $($name:ident($asked:ty) -> $answer:ty = $read:path;)*) => {
        #[async_trait]
        impl LanguageServer for Service {
            $($methods)*

            $(async fn $name(&self, asked: $asked) -> Result<Option<$answer>> {
                self.read(move |view| $read(view, &asked).into()).await
            })*
        }
    };
}

language_server! {
    {
        async fn initialize(&self, params: lsp::InitializeParams) -> Result<lsp::InitializeResult> {
            let session = initialize::session(&params);
            let (encoding, client) = (session.encoding, session.client);
            self.events.send(Event::Start(Box::new(session)));
            if let Some(parent) = params.process_id {
                let gone = Arc::clone(&self.gone);
                lifetime::watch(parent, move || gone());
            }
            Ok(initialize::answer(encoding, client))
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

        async fn prepare_rename(
            &self,
            asked: lsp::TextDocumentPositionParams,
        ) -> Result<Option<lsp::PrepareRenameResponse>> {
            self.read(move |view| rename::prepare(view, &asked)).await?
        }

        async fn rename(&self, asked: lsp::RenameParams) -> Result<Option<lsp::WorkspaceEdit>> {
            self.read(move |view| rename::answer(view, &asked)).await?
        }

        async fn semantic_tokens_full(
            &self,
            asked: lsp::SemanticTokensParams,
        ) -> Result<Option<lsp::SemanticTokensResult>> {
            let tokens = Arc::clone(&self.tokens);
            self.read(move |view| Some(semantic_tokens::full(view, &asked, &tokens).into()))
                .await
        }

        async fn semantic_tokens_full_delta(
            &self,
            asked: lsp::SemanticTokensDeltaParams,
        ) -> Result<Option<lsp::SemanticTokensFullDeltaResult>> {
            let tokens = Arc::clone(&self.tokens);
            self.read(move |view| Some(semantic_tokens::delta(view, &asked, &tokens)))
                .await
        }

        async fn completion(
            &self,
            asked: lsp::CompletionParams,
        ) -> Result<Option<lsp::CompletionResponse>> {
            let found = self
                .read(move |view| completion::answer(view, &asked))
                .await?;
            let files = match found {
                completion::Answer::These(found) => return Ok(found),
                completion::Answer::Files(files) => files,
            };
            // The disk may be slow, so neither the owner nor a reader waits for it.
            let disk = self.ask(|owner| owner.disk().clone()).await?;
            let found = tokio::task::spawn_blocking(move || files.found_on(&disk)).await;
            found.map_err(|_| Error::internal_error())
        }

        async fn diagnostic(
            &self,
            asked: lsp::DocumentDiagnosticParams,
        ) -> Result<lsp::DocumentDiagnosticReportResult> {
            // What is asked for is of the text as it is, wherever anything in it stands now: a refusal would
            // leave the client with what it had, or with nothing.
            loop {
                let (asked, pulled) = (asked.clone(), Arc::clone(&self.pulled));
                let read = self.read(move |view| pull::answer(view, &asked, &pulled));
                match read.await {
                    Err(refused) if refused.code == content_modified().code => {}
                    answer => return answer,
                }
            }
        }

        async fn execute_command(&self, asked: lsp::ExecuteCommandParams) -> Result<Option<Value>> {
            match execute_command::command(asked)? {
                Command::CheckWithoutLimit(url) => {
                    self.events.send(Event::CheckWithoutLimit(url));
                    Ok(None)
                }
                Command::Values {
                    file,
                    parameter,
                    asked,
                } => {
                    let values =
                        self.read(move |view| execute_command::values(view, &file, &parameter, &asked));
                    self.events.send(Event::Values(values.await??));
                    Ok(None)
                }
                Command::StopChecking(url) => {
                    self.events.send(Event::StopChecking(url));
                    Ok(None)
                }
                Command::Stop { file, parameter } => {
                    let (root, parameter) = (path(&file), parameter.as_str().into());
                    self.events
                        .send(Event::Values(Values::Stop { root, parameter }));
                    Ok(None)
                }
                Command::ShowRun {
                    file,
                    property,
                    with,
                } => {
                    let named = property.clone();
                    let run =
                        self.read(move |view| execute_command::run(view, &file, &named, with.as_ref()));
                    let text = run.await??;
                    let uri = self.runs.write(&property, &text);
                    if let Some(uri) = &uri {
                        self.events.send(Event::Show(uri.clone()));
                    }
                    Ok(serde_json::to_value(Run { text, uri }).ok())
                }
            }
        }
    }

    hover(lsp::HoverParams) -> lsp::Hover = hover::answer;
    goto_definition(lsp::GotoDefinitionParams) -> lsp::GotoDefinitionResponse =
        navigation::definition;
    goto_type_definition(GotoTypeDefinitionParams) -> GotoTypeDefinitionResponse =
        navigation::type_definition;
    goto_implementation(GotoImplementationParams) -> GotoImplementationResponse =
        navigation::implementation;
    references(lsp::ReferenceParams) -> Vec<lsp::Location> = navigation::references;
    document_highlight(lsp::DocumentHighlightParams) -> Vec<lsp::DocumentHighlight> =
        navigation::highlights;
    document_link(lsp::DocumentLinkParams) -> Vec<lsp::DocumentLink> = navigation::links;
    document_symbol(lsp::DocumentSymbolParams) -> lsp::DocumentSymbolResponse = structure::symbols;
    symbol(lsp::WorkspaceSymbolParams) -> Vec<lsp::SymbolInformation> =
        structure::workspace_symbols;
    folding_range(lsp::FoldingRangeParams) -> Vec<lsp::FoldingRange> = structure::folding;
    selection_range(lsp::SelectionRangeParams) -> Vec<lsp::SelectionRange> = structure::selection;
    semantic_tokens_range(lsp::SemanticTokensRangeParams) -> lsp::SemanticTokensRangeResult =
        semantic_tokens::range;
    prepare_call_hierarchy(lsp::CallHierarchyPrepareParams) -> Vec<lsp::CallHierarchyItem> =
        call_hierarchy::prepare;
    incoming_calls(lsp::CallHierarchyIncomingCallsParams) -> Vec<lsp::CallHierarchyIncomingCall> =
        call_hierarchy::incoming;
    outgoing_calls(lsp::CallHierarchyOutgoingCallsParams) -> Vec<lsp::CallHierarchyOutgoingCall> =
        call_hierarchy::outgoing;
    signature_help(lsp::SignatureHelpParams) -> lsp::SignatureHelp = signature_help::answer;
    inlay_hint(lsp::InlayHintParams) -> Vec<lsp::InlayHint> = inlay_hint::answer;
    code_lens(lsp::CodeLensParams) -> Vec<lsp::CodeLens> = code_lens::answer;
    code_action(lsp::CodeActionParams) -> lsp::CodeActionResponse = code_action::answer;
    formatting(lsp::DocumentFormattingParams) -> Vec<lsp::TextEdit> = formatting::whole;
    range_formatting(lsp::DocumentRangeFormattingParams) -> Vec<lsp::TextEdit> = formatting::range;
    on_type_formatting(lsp::DocumentOnTypeFormattingParams) -> Vec<lsp::TextEdit> =
        formatting::on_type;
}

#[cfg(test)]
mod tests {
    use stubborn_ide::jobs::JobTable;
    use tokio::sync::mpsc::UnboundedReceiver;

    use tower_lsp::jsonrpc::ErrorCode;

    use super::*;
    use crate::lsp::outbound::{Message, Outbound};
    use crate::lsp::owner::Owner;
    use crate::lsp::workers::Workers;

    /// A server without a client, and what it says of its own accord.
    fn server() -> (Service, UnboundedReceiver<Message>) {
        let (events, receiver) = Events::new();
        let (outbound, messages) = Outbound::new();
        let workers = Workers::start(1).expect("a thread");
        let jobs = JobTable::new(|_, _| {});
        let pulled = Arc::default();
        let owner = Owner::new(events.clone(), outbound, workers, jobs, pulled, None);
        std::thread::spawn(move || owner.run(&receiver));
        (Service::new(events, Arc::default(), || {}), messages)
    }

    #[tokio::test]
    async fn a_panic_in_a_reader_is_an_internal_error_and_does_not_end_the_server() {
        let (service, mut messages) = server();
        for _ in 0..10 {
            let broken = |_: &View| -> u8 { std::panic::resume_unwind(Box::new("broken")) };
            let answer = service.read(broken).await;
            assert_eq!(
                answer.expect_err("no answer").code,
                ErrorCode::InternalError
            );
        }
        assert_eq!(service.read(|_| 7).await, Ok(7));
        let url = lsp::Url::parse("untitled:after").expect("a name");
        service.events.send(Event::Opened {
            url: url.clone(),
            version: 1,
            text: "var = 1\n".to_owned(),
        });
        let told = messages.recv().await.expect("a message");
        let Message::Diagnostics {
            url: of,
            diagnostics,
            ..
        } = told
        else {
            panic!("{told:?}");
        };
        assert_eq!(of, url);
        assert!(!diagnostics.is_empty());
    }

    #[tokio::test]
    async fn a_panic_of_the_owner_is_an_internal_error_and_does_not_end_it() {
        let (service, _messages) = server();
        let broken = |_: &mut Owner| -> u8 { std::panic::resume_unwind(Box::new("broken")) };
        let answer = service.ask(broken).await;
        assert_eq!(
            answer.expect_err("no answer").code,
            ErrorCode::InternalError
        );
        assert_eq!(service.ask(|_| 7).await, Ok(7));
    }
}
