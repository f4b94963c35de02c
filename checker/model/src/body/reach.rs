//! States and statements of a process that are reached, and warnings of those that are not.

use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Layout;
use crate::elaborate::Elaborator;
use crate::problem::Code;
use crate::spans::Spans;
use stubborn_system::source::Span;

/// A state or a statement of an instance.
#[derive(Clone, Copy, Debug)]
struct Met {
    span: Span,
    is_state: bool,
    /// The statement before it in its block.
    before: Option<Span>,
    /// The statement that it is part of.
    around: Option<Span>,
    is_reached: bool,
}

/// Which states and statements of a process are reached, instance by instance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach(Vec<Met>);

impl Reach {
    pub fn add(&mut self, layout: &Layout) {
        for met in &layout.met {
            let span = |index: Option<usize>| index.map(|index| layout.met[index].span);
            self.0.push(Met {
                span: met.span,
                is_state: met.is_state,
                before: span(met.before),
                around: span(met.around),
                // After a mistake in the control flow this may just be what it leads to.
                is_reached: layout.mistaken || layout.locations.reached[met.node],
            });
        }
    }
}

impl Spans for Reach {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        for met in &mut self.0 {
            each(&mut met.span);
            met.before.each_span(each);
            met.around.each_span(each);
        }
    }
}

/// Which states and statements are reached in some instance.
#[derive(Default)]
pub(crate) struct Reached {
    /// In the order in which they were met first.
    met: Vec<Span>,
    /// For each whether it is a state; the statement before it, and the one that it is part of.
    about: FxHashMap<Span, (bool, Option<Span>, Option<Span>)>,
    reached: FxHashSet<Span>,
}

impl Reached {
    pub fn add(&mut self, reach: &Reach) {
        for met in &reach.0 {
            if let Entry::Vacant(entry) = self.about.entry(met.span) {
                entry.insert((met.is_state, met.before, met.around));
                self.met.push(met.span);
            }
            if met.is_reached {
                self.reached.insert(met.span);
            }
        }
    }

    /// One message for each state, and for the first of the statements that follow each other.
    pub fn warn(&self, elaborator: &mut Elaborator) {
        for span in &self.met {
            let (is_state, before, around) = self.about[span];
            let is_reached =
                |span: Option<Span>| span.is_none_or(|span| self.reached.contains(&span));
            if self.reached.contains(span) || !is_reached(before) || !is_reached(around) {
                continue;
            }
            // What is left of a text with a syntax error says nothing of what leads where.
            if elaborator.is_unread(Some(*span)) {
                continue;
            }
            let message = if is_state {
                "no steps of its process lead to this state; it could be left out"
            } else {
                "the process never comes here; what stands before this never lets it through"
            };
            elaborator.warning(Code::Unreachable, *span, message);
        }
    }
}
