//! `workspace/executeCommand`: the commands that a client can put into its menus.

use serde::Serialize;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::lsp_types::{ExecuteCommandOptions, ExecuteCommandParams, ServerCapabilities, Url};

use crate::lsp::features::run;
use crate::lsp::view::View;

/// Checks a file for as long as it takes. Its argument is the file's URI.
pub const CHECK_WITHOUT_LIMIT: &str = "stubborn.checkWithoutLimit";
/// Shows the run that violates a property, as a document where the client can open one. Its arguments are
/// the file's URI and the property's name; the answer is a [`Run`].
pub const SHOW_RUN: &str = "stubborn.showRun";

pub fn capability(all: &mut ServerCapabilities) {
    all.execute_command_provider = Some(ExecuteCommandOptions {
        commands: vec![CHECK_WITHOUT_LIMIT.to_owned(), SHOW_RUN.to_owned()],
        ..ExecuteCommandOptions::default()
    });
}

/// What a command has happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    CheckWithoutLimit(Url),
    ShowRun { file: Url, property: String },
}

/// A run, and the document that it was written to, if that could be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Run {
    pub text: String,
    pub uri: Option<Url>,
}

/// What is asked for.
///
/// # Errors
/// Where there is no such command, or its arguments are others.
pub fn command(asked: ExecuteCommandParams) -> Result<Command> {
    let mut arguments = asked.arguments.into_iter();
    let mut url = || match arguments.next().map(serde_json::from_value::<Url>) {
        Some(Ok(url)) => Ok(url),
        _ => Err(Error::invalid_params(
            "the first argument is the URI of a file",
        )),
    };
    match asked.command.as_str() {
        CHECK_WITHOUT_LIMIT => Ok(Command::CheckWithoutLimit(url()?)),
        SHOW_RUN => {
            let file = url()?;
            match arguments.next().map(serde_json::from_value::<String>) {
                Some(Ok(property)) => Ok(Command::ShowRun { file, property }),
                _ => Err(Error::invalid_params(
                    "the second argument is the name of a property",
                )),
            }
        }
        other => Err(Error::invalid_params(format!(
            "there is no command `{other}`"
        ))),
    }
}

/// The text of a run.
///
/// # Errors
/// Where none is known.
pub fn run(view: &View, file: &Url, property: &str) -> Result<String> {
    let root = view.places().file(file);
    run::run(&view.database, root, property).ok_or_else(|| {
        Error::invalid_params(format!(
            "no run is known that violates `{property}` in the text as it is"
        ))
    })
}
