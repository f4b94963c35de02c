//! `stubborn fmt`: files in their usual layout.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use stubborn_checker::Errors;
use tempfile::NamedTempFile;

use super::arguments::Fmt;
use super::models::read_text;
use super::output::{Style, human_problems};
use super::problems::{refusal, syntax_errors};
use super::status::Status;

/// Formats files, or tells which of them would change. A file with mistakes in its syntax is left
/// as it is.
pub fn format_files(arguments: &Fmt, style: Style, to: &mut dyn Write) -> io::Result<Status> {
    let mut status = Status::Holds;
    for path in &arguments.files {
        status = status.max(match format_file(path, arguments.check) {
            Ok(false) => Status::Holds,
            Ok(true) if arguments.check => {
                writeln!(to, "{} would change", path.display())?;
                Status::Violated
            }
            Ok(true) => Status::Holds,
            Err(errors) => {
                human_problems(&errors.problems, &errors.texts, style, &mut io::stderr())?;
                Status::Wrong
            }
        });
    }
    Ok(status)
}

/// Whether the file changed, or would.
fn format_file(path: &Path, only_look: bool) -> Result<bool, Errors> {
    let text = read_text(path).map_err(refusal)?;
    let formatted = stubborn_syntax::format(&text)
        .map_err(|errors| syntax_errors(&path.to_string_lossy(), &text, &errors))?;
    if formatted == text {
        return Ok(false);
    }
    if !only_look {
        replace(path, &formatted).map_err(|error| {
            // The name of the new file beside it says nothing to a reader.
            let error = error.kind();
            refusal(format!("`{}` cannot be written: {error}", path.display()))
        })?;
    }
    Ok(true)
}

/// Puts a new text in the place of a file's, or leaves it as it was where that cannot be done.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    let mut beside = NamedTempFile::new_in(path.parent().unwrap_or(&path))?;
    beside.write_all(text.as_bytes())?;
    fs::set_permissions(&beside, fs::metadata(&path)?.permissions())?;
    beside.persist(&path)?;
    Ok(())
}
