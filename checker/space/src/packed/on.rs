//! An `on` step of one instance.

use stubborn_system::system::{ActionId, Argument, InstanceId, Range, Step, StepId};

use super::body::{Body, Pattern};
use super::code::Code;
use super::compile::Compiler;
use super::layout::Slot;
use super::participants::Participants;

/// An `on` step, with the instance and the action that it belongs to.
pub struct OnStep {
    pub(super) who: (InstanceId, StepId),
    pub(super) action: ActionId,
    pub patterns: Box<[Pattern]>,
    pub(super) binds: bool,
    pub body: Body,
}

impl OnStep {
    pub fn new(
        compiler: &mut Compiler<'_>,
        who: (InstanceId, StepId),
        location: Slot,
        (action, arguments): (ActionId, &[Argument]),
        step: &Step,
    ) -> OnStep {
        let patterns = arguments.iter().map(|a| Pattern::new(compiler, a));
        OnStep {
            who,
            action,
            patterns: patterns.collect(),
            binds: arguments.iter().any(|a| matches!(a, Argument::Bind(_))),
            body: Body::new(compiler, location, step),
        }
    }

    /// Whether it has a `?`, without which a false guard keeps arguments that fail from counting.
    pub fn binds(&self) -> bool {
        self.binds
    }

    pub fn action(&self) -> ActionId {
        self.action
    }

    /// Whether it is never the first participant: another one before it has the action, whatever
    /// the values are, or with the constant values that the step has.
    pub fn is_never_first(&self, participants: &[Participants]) -> bool {
        let participants = &participants[self.action as usize];
        let mut found = Vec::new();
        participants.of_values(&self.constants(&participants.ranges), &mut found);
        found.first().is_some_and(|first| *first < self.who.0)
    }

    /// The values that the action has whenever the step is taken, as far as they are known.
    pub fn constants(&self, ranges: &[Range]) -> Vec<Option<i64>> {
        let constant = |(pattern, range): (&Pattern, &Range)| match pattern {
            Pattern::Match(Code::Const(value)) if range.contains(*value) => Some(*value),
            _ => None,
        };
        self.patterns.iter().zip(ranges).map(constant).collect()
    }
}
