//! Places in the text: of nodes, and in values that move when the text before them is edited.

use std::sync::Arc;

use stubborn_syntax::ast::AstNode;
use stubborn_syntax::{SyntaxToken, TextRange};
use stubborn_system::source::{FileId, Span};
use stubborn_system::source_map::{Branches, InstanceSource, LocationSource, VariableSource};

/// Place of a node.
pub fn span_of(file: FileId, node: &impl AstNode) -> Span {
    span_in(file, node.range())
}

/// Place of a range of a file's text.
pub fn span_in(file: FileId, range: TextRange) -> Span {
    Span::new(file, range.start().into(), range.end().into())
}

/// Place of the first token of a node.
pub(crate) fn first_token(file: FileId, node: &impl AstNode) -> Span {
    match node.syntax().first_token() {
        Some(token) => token_span(file, &token),
        None => span_of(file, node),
    }
}

/// Place of a token.
pub(crate) fn token_span(file: FileId, token: &SyntaxToken) -> Span {
    span_in(file, token.text_range())
}

/// A value with places in the text.
pub(crate) trait Spans {
    /// Calls `each` with every place.
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span));

    /// The value with other places; `None` where one of its places has none.
    fn with_spans(&self, now: &mut dyn FnMut(Span) -> Option<Span>) -> Option<Self>
    where
        Self: Clone,
    {
        let mut moved = self.clone();
        let mut are_all_there = true;
        moved.each_span(&mut |span| match now(*span) {
            Some(now) => *span = now,
            None => are_all_there = false,
        });
        are_all_there.then_some(moved)
    }
}

impl Spans for Span {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        each(self);
    }
}

impl<T: Spans> Spans for Vec<T> {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        self.iter_mut().for_each(|one| one.each_span(each));
    }
}

impl<T: Spans> Spans for Option<T> {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        self.iter_mut().for_each(|one| one.each_span(each));
    }
}

impl<T: Spans + Clone> Spans for Arc<[T]> {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        let all = Arc::make_mut(self).iter_mut();
        all.for_each(|one| one.each_span(each));
    }
}

impl Spans for VariableSource {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        each(&mut self.span);
    }
}

impl Spans for LocationSource {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        each(&mut self.span);
    }
}

impl Spans for Branches {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        self.tests.each_span(each);
        self.decided.iter_mut().for_each(|(span, _)| each(span));
    }
}

impl Spans for InstanceSource {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        each(&mut self.span);
        self.locals.each_span(each);
        self.locations.each_span(each);
        self.named.iter_mut().for_each(|(span, _)| each(span));
        self.steps.each_span(each);
        let branches = self.branches.iter_mut();
        branches.for_each(|(_, branches)| branches.each_span(each));
    }
}
