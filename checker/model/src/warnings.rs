//! What is allowed and probably not meant: states and statements that are never reached, actions
//! that no step mentions, and a model without a place to stop (`language.md` §8).

use rustc_hash::FxHashSet;
use stubborn_syntax::ast::{self, AstNode};

use crate::body::reach::Reached;
use crate::elaborate::Elaborator;
use crate::problem::Code;
use crate::processes::Process;
use stubborn_system::source::{FileId, Span};

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
