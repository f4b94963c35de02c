//! The Hanoi Omega-Automata format, version 1 (Babiak et al. 2015; <https://adl.github.io/hoaf/>).
//!
//! [`read`] takes every form of the format but universal branching: labels and acceptance on states or
//! on edges, implicit labels, aliases, every acceptance condition. [`write()`] takes a Büchi automaton
//! with labels and acceptance on its states. Properties that the format has no place for stand in
//! header items of our own, which other programs may ignore: a file that was written here is read
//! back as the same automaton.
//!
//! There is a crate for the format, `hoars`. Its version 0.2.0 unwraps the numbers that it reads,
//! gives no places for what is wrong beyond the syntax, and brings a parser generator, a library of
//! decision diagrams and a subscriber for logs along; the format needs less than that.

mod acceptance;
mod automaton;
mod labels;
mod parser;
mod read;
mod tokens;
mod write;

#[cfg(test)]
mod tests;

use std::fmt;

use stubborn_automata::Buchi;

pub use read::read;
pub use write::write;

/// Contents of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// A run that ends is read as repeating its last valuation, since the format knows infinite runs
    /// alone; unless the file was written here and says otherwise.
    pub buchi: Buchi,
    /// The names of the propositions.
    pub propositions: Vec<String>,
    pub name: Option<String>,
}

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
struct Place {
    line: u32,
    column: u32,
}

impl Place {
    const FIRST: Place = Place { line: 1, column: 1 };

    /// The place after a text that begins here.
    fn after(self, text: &str) -> Place {
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

    fn refuse(self, message: impl Into<String>) -> Refused {
        Refused {
            line: self.line,
            column: self.column,
            message: message.into(),
        }
    }
}

type Result<T> = std::result::Result<T, Refused>;

/// Header items of our own. The numbers of the `reject` states, which all lead to a last state that
/// accepts everything and is no state of the automaton.
const REJECT: &str = "stubborn-reject";
/// The numbers of the `deadlock` states. Where the item is missing, a run that ends repeats its last
/// valuation.
const DEADLOCK: &str = "stubborn-deadlock";
