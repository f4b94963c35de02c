//! `initialize`: what client and server agree on before anything else.

use stubborn_syntax::Encoding;
use tower_lsp::lsp_types::{ClientInfo, InitializeParams, InitializeResult, ServerInfo};

use super::capabilities::capabilities;
use crate::lsp::client::Client;
use crate::lsp::owner::Session;
use crate::lsp::positions;
use crate::lsp::settings::Settings;

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
