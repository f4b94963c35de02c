//! `workspace/executeCommand`: the commands that a client can put into its menus.

use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::lsp_types::{ExecuteCommandOptions, ExecuteCommandParams, ServerCapabilities, Url};

use crate::lsp::events::Event;

/// Checks a file for as long as it takes. Its argument is the file's URI.
pub const CHECK_WITHOUT_LIMIT: &str = "stubborn.checkWithoutLimit";

pub fn capability(all: &mut ServerCapabilities) {
    all.execute_command_provider = Some(ExecuteCommandOptions {
        commands: vec![CHECK_WITHOUT_LIMIT.to_owned()],
        ..ExecuteCommandOptions::default()
    });
}

/// What a command has happen.
///
/// # Errors
/// Where there is no such command, or its arguments are others.
pub fn event(asked: ExecuteCommandParams) -> Result<Event> {
    if asked.command != CHECK_WITHOUT_LIMIT {
        return Err(Error::invalid_params(format!(
            "there is no command `{}`",
            asked.command
        )));
    }
    let url = asked.arguments.into_iter().next();
    match url.map(serde_json::from_value::<Url>) {
        Some(Ok(url)) => Ok(Event::CheckWithoutLimit(url)),
        _ => Err(Error::invalid_params(
            "the first argument is the URI of a file",
        )),
    }
}
