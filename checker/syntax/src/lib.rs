//! The language of models and testers: text to a lossless tree, typed views of the tree, and
//! the formatter.
//!
//! ```
//! let parse = stubborn_syntax::parse("var x: 0..3 = 1\n");
//! assert!(parse.errors.is_empty());
//! assert_eq!(parse.syntax().to_string(), "var x: 0..3 = 1\n");
//! ```
//!
//! Parsing never fails: it gives a tree that has every character of the text, and a list of
//! errors. Model files and tester files are one grammar; which forms may stand in which file is
//! not decided here.
//!
//! **What must be absent:** names are not resolved here, types are not known, no file is read.
//!
//! The way of a text: [`lexer`] cuts it into tokens; the grammar (`grammar`), by way of the
//! machinery in `parser` and `brackets`, turns these into a list of events; `tree` makes the tree of them;
//! `validation` tells what the grammar accepts and the language does not, and `warnings` what
//! is allowed but may surprise.

mod again;
pub mod ast;
mod brackets;
mod error;
mod foreign;
mod format;
mod grammar;
mod interrupt;
mod items;
mod kind;
pub mod lexer;
mod limits;
mod line_index;
mod parse;
mod parser;
mod token_class;
mod tree;
mod validation;
mod warnings;

pub use again::parse_again;
pub use error::SyntaxError;
pub use format::{Unformatted, format, format_within, indentation};
pub use grammar::starts::begins_item;
pub use interrupt::Interrupted;
pub use kind::{Stubborn, SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken};
pub use limits::{MAX_NESTING, MAX_TREE_DEPTH};
pub use line_index::{Encoding, LineColumn, LineIndex, Position};
pub use parse::{Parse, parse, parse_within};
pub use rowan::{GreenNode, TextRange, TextSize};
pub use token_class::{TokenClass, classify};
