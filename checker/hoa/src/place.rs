//! Places in a file, and why one was not read.

use std::fmt;

/// Reason why a file was not read, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    pub message: String,
}

impl fmt::Display for Refused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for Refused {}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) line: u32,
    pub(super) column: u32,
}

impl Place {
    pub(super) const FIRST: Place = Place { line: 1, column: 1 };

    /// The place after a text that begins here.
    pub(super) fn after(self, text: &str) -> Place {
        text.chars()
            .fold(self, |Place { line, column }, c| match c {
                '\n' => Place {
                    line: line + 1,
                    column: 1,
                },
                _ => Place {
                    line,
                    column: column + 1,
                },
            })
    }

    pub(super) fn refuse(self, message: impl Into<String>) -> Refused {
        Refused {
            line: self.line,
            column: self.column,
            message: message.into(),
        }
    }
}

pub(super) type Result<T> = std::result::Result<T, Refused>;
