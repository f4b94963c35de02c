//! What else is said of a command line that cannot be read: what was probably meant, where clap would only say how
//! what it does not know could be passed as a value.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

/// Puts what was probably meant into the message.
pub fn add_to(error: &mut Error) {
    let written = |kind| match error.get(kind) {
        Some(ContextValue::String(written)) => Some(written.clone()),
        _ => None,
    };
    let tip = match error.kind() {
        ErrorKind::InvalidSubcommand if error.get(ContextKind::SuggestedSubcommand).is_none() => {
            written(ContextKind::InvalidSubcommand).map(|word| of_command(&word))
        }
        ErrorKind::UnknownArgument if error.get(ContextKind::SuggestedArg).is_none() => {
            written(ContextKind::InvalidArg).and_then(|argument| of_option(&argument))
        }
        _ => None,
    };
    if let Some(tip) = tip {
        let tip = vec![StyledStr::from(tip)];
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tip));
    }
}

/// Of a first word that is no command.
fn of_command(word: &str) -> String {
    match word.contains(['.', '/', '\\']) {
        true => format!("the file is checked by `stubborn check {word}`"),
        false => "the properties of a model are checked by `stubborn check FILE`".to_owned(),
    }
}

/// Of an option that there is not.
fn of_option(argument: &str) -> Option<String> {
    let name = argument.strip_prefix('-')?.trim_start_matches('-');
    let sets = matches!(name, "define" | "param" | "set" | "parameter" | "const")
        || name.starts_with(|c: char| c.is_ascii_uppercase());
    Some(match sets {
        true => "a `param` of the model is set by `-D NAME=VALUE`".to_owned(),
        false => "the options of a command are listed by `stubborn help COMMAND`".to_owned(),
    })
}
