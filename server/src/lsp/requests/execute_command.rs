//! `workspace/executeCommand`: the commands that a client can put into its menus.

use std::sync::Arc;
use std::vec;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use stubborn_ide::database::{reports, reports_with};
use stubborn_ide::features::{run, values};
use stubborn_ide::tried::{MOST_VALUES, Setting};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::lsp_types::{ExecuteCommandOptions, ExecuteCommandParams, ServerCapabilities, Url};

use crate::lsp::commands::{
    CHECK_VALUES, CHECK_WITHOUT_LIMIT, SHOW_RUN, SMALLEST, STOP, STOP_CHECKING,
};
use crate::lsp::convert::path;
use crate::lsp::owner::Values;
use crate::lsp::view::View;

pub fn capability(all: &mut ServerCapabilities) {
    all.execute_command_provider = Some(ExecuteCommandOptions {
        commands: [
            CHECK_WITHOUT_LIMIT,
            SHOW_RUN,
            CHECK_VALUES,
            SMALLEST,
            STOP,
            STOP_CHECKING,
        ]
        .map(str::to_owned)
        .to_vec(),
        ..ExecuteCommandOptions::default()
    });
}

/// What a command has happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    CheckWithoutLimit(Url),
    ShowRun {
        file: Url,
        property: String,
        with: Option<(String, i64)>,
    },
    Values {
        file: Url,
        parameter: String,
        asked: Asked,
    },
    /// To search no further for a file, or for any.
    StopChecking(Option<Url>),
    /// To look no further for the smallest value.
    Stop {
        file: Url,
        parameter: String,
    },
}

/// Which values of a parameter somebody asks about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    These { values: Vec<i64>, is_limited: bool },
    Smallest,
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
    let mut arguments = Arguments(asked.arguments.into_iter());
    match asked.command.as_str() {
        CHECK_WITHOUT_LIMIT => Ok(Command::CheckWithoutLimit(arguments.file()?)),
        SHOW_RUN => Ok(Command::ShowRun {
            file: arguments.file()?,
            property: arguments.next("the second argument is the name of a property")?,
            with: match arguments.0.len() {
                0 => None,
                _ => Some((
                    arguments.next("the third argument is the name of a parameter")?,
                    arguments.next("the fourth argument is a parameter's value")?,
                )),
            },
        }),
        CHECK_VALUES => Ok(Command::Values {
            file: arguments.file()?,
            parameter: arguments.next(PARAMETER)?,
            asked: Asked::These {
                values: arguments.next("the third argument is a list of values")?,
                is_limited: match arguments.0.len() {
                    0 => true,
                    _ => {
                        let says = "the fourth argument says whether to check without limits";
                        !arguments.next::<bool>(says)?
                    }
                },
            },
        }),
        SMALLEST => Ok(Command::Values {
            file: arguments.file()?,
            parameter: arguments.next(PARAMETER)?,
            asked: Asked::Smallest,
        }),
        STOP => Ok(Command::Stop {
            file: arguments.file()?,
            parameter: arguments.next(PARAMETER)?,
        }),
        STOP_CHECKING => Ok(Command::StopChecking(match arguments.0.len() {
            0 => None,
            _ => Some(arguments.file()?),
        })),
        other => Err(Error::invalid_params(format!(
            "there is no command `{other}`"
        ))),
    }
}

const PARAMETER: &str = "the second argument is the name of a parameter";

/// What a command was given.
struct Arguments(vec::IntoIter<Value>);

impl Arguments {
    fn file(&mut self) -> Result<Url> {
        self.next("the first argument is the URI of a file")
    }

    /// The next one, of which it is said what it has to be.
    fn next<T: DeserializeOwned>(&mut self, says: &'static str) -> Result<T> {
        match self.0.next().map(serde_json::from_value::<T>) {
            Some(Ok(argument)) => Ok(argument),
            _ => Err(Error::invalid_params(says)),
        }
    }
}

/// What is wanted of other values of a parameter of a file, which are all its values where none are
/// given.
///
/// # Errors
/// Where the file declares no such parameter, or it cannot have a value.
pub fn values(view: &View, file: &Url, name: &str, asked: &Asked) -> Result<Values> {
    let root = view.places().file(file);
    let all = values::parameters(&view.database, root);
    let Some(parameter) = all.into_iter().find(|one| *one.name == *name) else {
        return Err(Error::invalid_params(format!(
            "there is no parameter `{name}` in the text as it is"
        )));
    };
    let (root, of) = (path(file), parameter.from..=parameter.to);
    match asked {
        Asked::Smallest => Ok(Values::Smallest {
            root,
            parameter: parameter.name,
            of,
        }),
        Asked::These { values, is_limited } => {
            if let Some(outside) = values.iter().find(|value| !of.contains(value)) {
                return Err(Error::invalid_params(format!(
                    "{outside} is outside {}..{}, the range of the parameter `{name}`",
                    of.start(),
                    of.end()
                )));
            }
            if values.len() > MOST_VALUES {
                return Err(Error::invalid_params(format!(
                    "at most {MOST_VALUES} values are checked at once"
                )));
            }
            let setting = |value: &i64| Setting {
                root: Arc::clone(&root),
                parameter: Arc::clone(&parameter.name),
                value: *value,
            };
            Ok(Values::Check {
                settings: values.iter().map(setting).collect(),
                is_limited: *is_limited,
            })
        }
    }
}

/// The text of a run.
///
/// # Errors
/// Where none is known.
pub fn run(
    view: &View,
    file: &Url,
    property: &str,
    with: Option<&(String, i64)>,
) -> Result<String> {
    let (root, db) = (view.places().file(file), &view.database);
    let reports = match with {
        None => reports(db, root),
        Some((parameter, value)) => reports_with(db, root, parameter.as_str().into(), *value),
    };
    run::run(&reports, property).ok_or_else(|| {
        Error::invalid_params(format!(
            "no run is known that violates `{property}` in the text as it is"
        ))
    })
}
