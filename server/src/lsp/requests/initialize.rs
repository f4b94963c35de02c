//! `initialize`: what client and server agree on before anything else.

use serde_json::json;
use stubborn_syntax::Encoding;
use tower_lsp::lsp_types::{
    ClientInfo, InitializeParams, InitializeResult, OneOf, ServerCapabilities, ServerInfo,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities,
};

use super::capabilities;
use crate::lsp::client::Client;
use crate::lsp::events::Session;
use crate::lsp::positions;
use crate::lsp::settings::Settings;

/// The version of what this server says beyond the protocol, with its notifications, requests and commands
/// whose names begin with `stubborn`: it goes up where a client that knows the version before would go wrong. A
/// client finds it in `capabilities.experimental.stubborn.protocol`.
pub const PROTOCOL: u32 = 1;

/// How places are counted, and which notifications are wanted of texts and folders.
pub fn capability(all: &mut ServerCapabilities, encoding: Encoding) {
    all.position_encoding = Some(positions::kind(encoding));
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::Supported(true)),
        ..TextDocumentSyncOptions::default()
    };
    all.text_document_sync = Some(TextDocumentSyncCapability::Options(sync));
    all.workspace = Some(WorkspaceServerCapabilities {
        workspace_folders: Some(WorkspaceFoldersServerCapabilities {
            supported: Some(true),
            change_notifications: Some(OneOf::Left(true)),
        }),
        file_operations: None,
    });
    all.experimental = Some(json!({"stubborn": {"protocol": PROTOCOL}}));
}

pub fn answer(encoding: Encoding, client: Client) -> InitializeResult {
    InitializeResult {
        capabilities: capabilities(encoding, client),
        server_info: Some(ServerInfo {
            name: "stubborn".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    }
}

#[allow(
    deprecated,
    reason = "older clients tell the root of the workspace in `rootUri` alone"
)]
pub fn session(asked: &InitializeParams) -> Session {
    let general = asked.capabilities.general.as_ref();
    let offered = general.and_then(|general| general.position_encodings.as_deref());
    let mut settings = Settings::default();
    let options = asked.initialization_options.as_ref();
    let problems = options.map(|options| settings.update(options));
    let folders = match &asked.workspace_folders {
        Some(folders) => folders.iter().map(|folder| folder.uri.clone()).collect(),
        None => asked.root_uri.iter().cloned().collect(),
    };
    let name = |client: &ClientInfo| match &client.version {
        Some(version) => format!("{} {version}", client.name),
        None => client.name.clone(),
    };
    Session {
        name: asked.client_info.as_ref().map(name),
        client: Client::of(&asked.capabilities),
        encoding: positions::negotiate(offered),
        settings,
        problems: problems.unwrap_or_default(),
        folders,
    }
}
