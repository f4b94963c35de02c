//! Steps that take part in joint ones.

use stubborn_system::system::{ActionId, Argument, InstanceId, Range, Step, StepId};

use super::body::{Body, Pattern};
use super::code::{Code, Fault};
use super::compile::Compiler;
use super::layout::Slot;
use super::participants::Participants;

/// An `on` step of one instance.
pub struct OnStep {
    pub(super) who: (InstanceId, StepId),
    pub action: ActionId,
    pub patterns: Box<[Pattern]>,
    /// Whether it has a `?`. Without one a false guard hides arguments that fail.
    pub binds: bool,
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

/// Working memory for joint steps.
pub struct JointScratch {
    pub(super) next: Vec<u64>,
    /// The state with what one step's `?` assign, for its guard.
    pub(super) seen: Vec<u64>,
    pub(super) open: Vec<Option<i64>>,
    pub(super) values: Vec<i64>,
    pub(super) participants: Vec<InstanceId>,
    /// The matching steps of all participants, and where those of each begin.
    pub(super) alternatives: Vec<Alternative>,
    pub(super) begins: Vec<usize>,
    /// Which alternative of each participant is taken.
    pub(super) combination: Vec<usize>,
    pub(super) label: Vec<(InstanceId, StepId)>,
    pub(super) chosen: Vec<i64>,
}

pub(super) struct Alternative {
    /// Index in [`Packed::on`](super::Packed::on).
    pub(super) step: u32,
    pub(super) readiness: Readiness,
}

pub(super) enum Readiness {
    Ready,
    Waits,
    Fails {
        failure: Fault,
        /// An argument fails, which matches every value and counts once.
        once: bool,
    },
}

impl JointScratch {
    pub fn new(words: usize) -> JointScratch {
        JointScratch {
            next: vec![0; words],
            seen: vec![0; words],
            open: Vec::new(),
            values: Vec::new(),
            participants: Vec::new(),
            alternatives: Vec::new(),
            begins: Vec::new(),
            combination: Vec::new(),
            label: Vec::new(),
            chosen: Vec::new(),
        }
    }
}
