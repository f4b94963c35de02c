//! The branches of the `if`s among the effects of steps into which no run goes.
//!
//! An `if` that is never come to is told by what is around it: neither of its branches is gone into then. So of nested
//! ones the outermost branch alone is told.

use std::ops::Range;

use stubborn_model::program::Program;
use stubborn_syntax::SyntaxNode;
use stubborn_syntax::ast::{AstNode, ElseBranch, IfStmt};
use stubborn_system::source::{FileId, Span};

use super::Kind;
use super::facts::{Facts, Life};
use super::pieces::Piece;

impl Facts<'_> {
    /// Those of a file.
    pub(super) fn of_effects(&self, file: FileId, program: &Program) -> Vec<Piece> {
        let mut pieces = Vec::new();
        if !self
            .tests
            .iter()
            .any(|(span, of)| span.file == file && of.is_open)
        {
            return pieces;
        }
        let tree = program.file(file).parse.syntax();
        for test in tree.descendants().filter_map(IfStmt::cast) {
            pieces.extend(self.of_test(file, &test));
        }
        pieces
    }

    fn of_test(&self, file: FileId, test: &IfStmt) -> Option<Piece> {
        let condition = test.condition()?;
        let text = Range {
            start: usize::from(test.syntax().text_range().start()),
            end: usize::from(condition.syntax().text_range().end()),
        };
        let span = Span {
            file,
            start: text.start as u32,
            end: text.end as u32,
        };
        let of = self.tests.get(&span).filter(|of| of.is_open)?;
        // A macro that is called as a statement has it as a step.
        let (then, otherwise) = match self.steps.get(&span) {
            Some(step) => (of.then.or(step.holds), of.otherwise.or(step.fails)),
            None => (of.then, of.otherwise),
        };
        let (branch, kind, states) = match (then, otherwise) {
            (Life::Never(states), Life::May) => {
                let block = test.then_block();
                let block = block.and_then(|block| written(block.syntax()));
                (block, Kind::True, states)
            }
            (Life::May, Life::Never(states)) => {
                let branch = match test.else_branch() {
                    Some(ElseBranch::Block(block)) => written(block.syntax()),
                    Some(ElseBranch::If(nested)) => Some(nested.syntax().text_range().into()),
                    None => None,
                };
                (branch, Kind::False, states)
            }
            (Life::May, Life::May) | (Life::Never(_), Life::Never(_)) => return None,
        };
        Some(match branch {
            Some(bytes) => Piece {
                bytes,
                kind: Kind::Branch,
                states,
            },
            // There is no text of it to be told.
            None => Piece {
                bytes: text,
                kind,
                states,
            },
        })
    }
}

/// What stands in a block, if anything does.
fn written(block: &SyntaxNode) -> Option<Range<usize>> {
    let mut inside = block.children().map(|child| child.text_range());
    let first = inside.next()?;
    let last = inside.last().unwrap_or(first);
    Some(first.start().into()..last.end().into())
}
