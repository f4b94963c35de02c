//! A text becomes a tree with its mistakes and warnings.

use rowan::{GreenNode, TextRange, TextSize};

use crate::ast::{AstNode, SourceFile};
use crate::error::SyntaxError;
use crate::interrupt::{Interrupt, Interrupted};
use crate::items::Items;
use crate::kind::SyntaxNode;
use crate::lexer::{ends_in_comment, lex_unless};
use crate::parser::{Input, Output, Parser};
use crate::{tree, validation, warnings};

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
    pub(crate) items: Items,
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

pub(crate) fn parse_unless(text: &str, interrupt: &Interrupt<'_>) -> Result<Parse, Interrupted> {
    if u32::try_from(text.len()).is_err() {
        let error = SyntaxError::new("a text may have 4 GB at the most", TextRange::default());
        return Ok(Parse {
            errors: vec![error],
            ..parse("")
        });
    }
    let (tokens, lexical) = lex_unless(text, interrupt);
    let input = Input {
        text,
        tokens: &tokens,
        before: "",
        end: TextSize::new(u32::MAX),
        is_cut_short: ends_in_comment(&tokens, text),
    };
    let mut parser = Parser::new(input, interrupt);
    parser.source_file();
    parse_of(input, lexical, parser.finish(), interrupt)
}

/// What becomes of a text of which these are all tokens, after the lexer's mistakes and by the
/// grammar.
pub(crate) fn parse_of(
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
