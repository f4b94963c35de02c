//! Messages for participants of a joint step that touch the same variable.

use std::sync::Arc;

use crate::elaborate::Elaborator;
use crate::problem::{Code, Problem, Severity, Words};
use crate::steps::joint::{self, Participant};
use stubborn_system::footprint::Thing;
use stubborn_system::source::Span;
use stubborn_system::source_map::InstanceSource;
use stubborn_system::system::{InstanceId, VariableRef};

/// One message for each pair of steps of the text, at the later one.
pub(super) fn conflicts(
    elaborator: &mut Elaborator,
    participants: &[Participant],
    sources: &[Arc<InstanceSource>],
) -> Vec<Problem> {
    let actions = elaborator.actions().1;
    let found = match joint::conflicts(participants, &elaborator.interrupt) {
        Ok(found) => found,
        Err(action) => {
            let source = &actions[action as usize];
            let message = format!(
                "too many steps take part in `{}` for their effects to be compared; fewer \
                     instances or fewer values of `for` would mend it",
                source.name
            );
            elaborator.error(Code::TooLarge, source.span, message);
            return Vec::new();
        }
    };
    let order = |span: Span| {
        let files = &elaborator.program.order;
        (
            files.iter().position(|file| *file == span.file),
            span.start,
            span.end,
        )
    };
    let mut messages = Vec::new();
    let variables = elaborator.shared_variables().1;
    for conflict in found {
        let (writer, other) = (conflict.writer, conflict.other);
        let (mut earlier, mut later) = (writer.1, other.1);
        if order(later) < order(earlier) {
            std::mem::swap(&mut earlier, &mut later);
        }
        let (mut variable, shape) = match conflict.written.thing {
            Thing::Variable(VariableRef::Shared(index)) => {
                let source = &variables[index as usize];
                (source.name.clone(), &source.shape)
            }
            Thing::Variable(VariableRef::Local(instance, index)) => {
                let source = &sources[instance as usize];
                let local = &source.locals[index as usize];
                (format!("{}.{}", source.name, local.name), &local.shape)
            }
            Thing::Channel(_) | Thing::Instance(_) => continue,
        };
        variable += &joint::path_text(&conflict.written.path, shape);
        let name = |participant: (InstanceId, Span)| &sources[participant.0 as usize].name;
        let action = &actions[conflict.action as usize].name;
        let (one, two) = (name(writer), name(other));
        let both = if conflict.both_write {
            format!("both change `{variable}`")
        } else {
            format!("`{one}` changes `{variable}`, which `{two}` reads")
        };
        let message = format!(
            "`{one}` and `{two}` take part in `{action}` together, and {both}, in no order that \
             is given; let one of them do it alone, or hand the value over as an argument of \
             `{action}`"
        );
        messages.push((order(later), earlier, later, message));
    }
    messages.sort_by_key(|message| (message.0, message.1));
    let mut problems = Vec::new();
    for (_, earlier, later, message) in messages {
        let mut words = Words::from(message);
        if earlier != later {
            words = words.see(earlier, "the other step is here");
        }
        problems.push(words.problem(Code::JointConflict, Severity::Error, Some(later)));
    }
    problems
}
