//! Values with places in the text, which move when the text before them is edited.

use std::sync::Arc;

use stubborn_system::source::Span;
use stubborn_system::source_map::{Branches, InstanceSource, LocationSource, VariableSource};

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
