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
mod format;
mod grammar;
mod interrupt;
mod kind;
pub mod lexer;
mod line_index;
mod parser;
mod token_class;
mod tree;
mod validation;
mod warnings;

pub use again::parse_again;
pub use format::{Unformatted, format, format_within, indentation};
pub use grammar::begins_item;
pub use interrupt::Interrupted;
pub use kind::{Stubborn, SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken};
pub use line_index::{Encoding, LineColumn, LineIndex, Position};
pub use rowan::{GreenNode, TextRange, TextSize};
pub use token_class::{TokenClass, classify};

use again::Items;
use ast::{AstNode, SourceFile};
use interrupt::Interrupt;
use parser::{Input, Output};

/// How deep expressions, blocks and comments may be nested. A text that goes deeper is refused
/// with a message, so that nobody who walks the tree needs to fear for the stack.
pub const MAX_NESTING: usize = 256;

/// How deep a tree may be. A chain of operators makes a tree as deep as it is long, so this is
/// also the length of the longest one.
pub const MAX_TREE_DEPTH: usize = 600;

/// A mistake in a text, or something in it that may surprise.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SyntaxError {
    /// What is wrong.
    pub message: String,
    /// Where: the first token that does not belong, or the empty range after the token that
    /// something is missing after.
    pub range: TextRange,
    /// What would mend it.
    pub hint: Option<String>,
}

impl SyntaxError {
    /// A mistake without a hint.
    pub fn new(message: impl Into<String>, range: TextRange) -> SyntaxError {
        SyntaxError {
            message: message.into(),
            range,
            hint: None,
        }
    }

    /// The one token that its hint asks for in the place of what is wrong; none where the hint says
    /// anything else.
    pub fn instead(&self) -> Option<&str> {
        let hint = self.hint.as_deref().filter(|_| !self.range.is_empty())?;
        let quoted = hint
            .strip_prefix("write `")
            .and_then(|rest| rest.strip_suffix('`'))
            .or_else(|| hint.strip_prefix("did you mean `")?.strip_suffix("`?"))?;
        let (tokens, errors) = lexer::lex(quoted);
        let tokens = tokens.iter().filter(|token| token.kind != SyntaxKind::EOF);
        (errors.is_empty() && tokens.count() == 1).then_some(quoted)
    }

    /// The same with what would mend it.
    pub fn with_hint(self, hint: impl Into<String>) -> SyntaxError {
        SyntaxError {
            hint: Some(hint.into()),
            ..self
        }
    }
}

/// What became of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parse {
    /// The tree. Unlike the nodes over it, it may go from thread to thread.
    pub green: GreenNode,
    /// The mistakes, in the order of the text.
    pub errors: Vec<SyntaxError>,
    /// What is allowed but may surprise (the two warnings of §2), in the order of the text.
    pub warnings: Vec<SyntaxError>,
    /// What each item was read from, for when it is parsed again.
    items: Items,
}

impl Parse {
    /// The root of the tree.
    pub fn syntax(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }

    /// The root of the tree, typed.
    pub fn tree(&self) -> SourceFile {
        SourceFile::cast(self.syntax()).expect("the root of a tree is a source file")
    }

    /// The mistakes within a node. One that is told at the end of a node's last token
    /// (something is missing there) belongs to the node.
    pub fn errors_in(&self, node: TextRange) -> impl Iterator<Item = &SyntaxError> {
        let first = self
            .errors
            .partition_point(|error| error.range.start() < node.start());
        let near = self.errors[first..]
            .iter()
            .take_while(move |error| error.range.start() <= node.end());
        near.filter(move |error| {
            if error.range.is_empty() {
                node.start() < error.range.start() && error.range.start() <= node.end()
            } else {
                node.contains(error.range.start())
            }
        })
    }
}

/// Parses a file of models or of testers. Texts of 4 GB and more are refused.
pub fn parse(text: &str) -> Parse {
    parse_within(text, &|| false).expect("nothing ends it")
}

/// As [`parse`], and asks from time to time whether to end.
///
/// # Errors
/// Where it was to end.
pub fn parse_within(text: &str, is_to_end: &dyn Fn() -> bool) -> Result<Parse, Interrupted> {
    parse_unless(text, &Interrupt::new(is_to_end))
}

fn parse_unless(text: &str, interrupt: &Interrupt<'_>) -> Result<Parse, Interrupted> {
    if u32::try_from(text.len()).is_err() {
        let error = SyntaxError::new("a text may have 4 GB at the most", TextRange::default());
        return Ok(Parse {
            errors: vec![error],
            ..parse("")
        });
    }
    let (tokens, lexical) = lexer::lex_unless(text, interrupt);
    let input = Input {
        text,
        tokens: &tokens,
        before: "",
        end: TextSize::new(u32::MAX),
        is_cut_short: lexer::ends_in_comment(&tokens, text),
    };
    let mut parser = parser::Parser::new(input, interrupt);
    grammar::source_file(&mut parser);
    parse_of(input, lexical, parser.finish(), interrupt)
}

/// What becomes of a text of which these are all tokens, after the lexer's mistakes and by the
/// grammar.
fn parse_of(
    input: Input<'_>,
    lexical: Vec<SyntaxError>,
    grammatical: Output,
    interrupt: &Interrupt<'_>,
) -> Result<Parse, Interrupted> {
    let (text, tokens) = (input.text, input.tokens);
    let (green, too_deep) = tree::build(text, tokens, grammatical.events, interrupt)?;
    let items = Items::new(tokens, text, &grammatical.items, too_deep.is_some());
    let root = SyntaxNode::new_root(green.clone());
    let mut errors = lexical;
    errors.extend(too_deep);
    errors.extend(grammatical.errors);
    errors.extend(validation::validate(&root, interrupt));
    // One mistake gives one message: of two at one place the earlier stage knows better.
    errors.sort_by_key(|error| error.range.start());
    errors.dedup_by_key(|error| error.range.start());
    let warnings = warnings::surprises(&root, &errors, interrupt);
    interrupt.has_ended()?;
    Ok(Parse {
        green,
        errors,
        warnings,
        items,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_which_token_would_mend_it() {
        let instead = |text: &str| {
            let errors = parse(text).errors;
            errors[0].instead().map(str::to_owned)
        };
        assert_eq!(instead("proces p { skip }\n").as_deref(), Some("process"));
        assert_eq!(instead("const N := 3\n").as_deref(), Some("="));
        assert_eq!(instead("var x 0..3\n"), None);
        assert_eq!(instead("process p { x++ }\n"), None);
    }
}
