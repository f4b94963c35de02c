//! What is allowed and probably not meant: states and statements that are never reached, actions
//! that no step mentions, and a model without a place to stop (`language.md` §8).

use rustc_hash::{FxHashMap, FxHashSet};
use stubborn_syntax::ast::{self, AstNode};

use crate::body::Layout;
use crate::elaborate::Elaborator;
use crate::problem::Code;
use crate::processes::Process;
use crate::spans::Spans;
use stubborn_system::source::{FileId, Span};

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
            if let std::collections::hash_map::Entry::Vacant(entry) = self.about.entry(met.span) {
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

pub(crate) fn unreachable(elaborator: &mut Elaborator, processes: &[Process]) {
    let mut reached = Reached::default();
    for process in processes {
        reached.add(&process.reach);
    }
    reached.warn(elaborator);
}

/// Actions that no step mentions, of a process or in a macro.
pub(crate) fn unmentioned(elaborator: &mut Elaborator) {
    let mut mentioned: FxHashSet<(FileId, String)> = FxHashSet::default();
    for item in elaborator.items().iter() {
        if let ast::Item::Process(_) | ast::Item::Macro(_) = &item.ast {
            // Of what stands in an `alphabet` alone that line tells.
            let names = ast::action_names(item.ast.syntax()).into_iter();
            mentioned.extend(names.map(|name| (item.file, name)));
        }
    }
    let mentioned: FxHashSet<Span> = mentioned
        .into_iter()
        .filter_map(|(file, name)| elaborator.declared_name(file, &name))
        .map(|id| elaborator.declaration(id).span)
        .collect();
    for action in elaborator.action_infos() {
        let is_misplaced = elaborator.program.file(action.span.file).is_tester();
        // Of one that stands where it cannot there is an error.
        if !mentioned.contains(&action.span)
            && !elaborator.is_read(action.span)
            && !is_misplaced
            && elaborator.is_wholly_read(action.span)
        {
            let message = format!(
                "no step of a process mentions the action `{}`, so that it never occurs; it \
                     could be left out",
                action.name
            );
            elaborator.warning(Code::ActionNeverTaken, action.span, message);
        }
    }
}

/// A model that is taken to go on for ever, unless its file says so.
pub(crate) fn no_place_to_stop(elaborator: &mut Elaborator, processes: &[Process]) {
    let Some(first) = processes.first() else {
        return;
    };
    let message = "no process has a place where it may stop, so that the model is taken to go on for ever \
         and `termination` is not checked; mark a state `final`, or give a process a `stop`, or \
         write `termination not required`";
    elaborator.hint(Code::NoPlaceToStop, first.name, message);
}
