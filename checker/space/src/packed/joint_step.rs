//! Steps that take part in joint ones.

use stubborn_system::slice::bounds::Ranges;
use stubborn_system::system::{ActionId, Argument, InstanceId, Range, Step, StepId, System, Type};

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
    /// Whether neither its arguments nor its guard can fail, by their types.
    pub is_safe: bool,
    /// Whether there is no joint step if its guard is false: no other participant can fail.
    pub guard_decides: bool,
    pub(super) partners: Partners,
    pub body: Body,
}

/// Constant arguments of an action, and all participants of the joint step with these.
type KnownPartners = (Box<[i64]>, Box<[InstanceId]>);

/// Who takes part in joint steps with one as their first participant's.
#[derive(Default)]
pub(super) struct Partners {
    /// The locations of some instances that always take part, and at which ones each has a step
    /// that may match: a bit for each.
    pub(super) places: Box<[(Slot, u64)]>,
    /// If all arguments are constant, these and all participants.
    pub(super) known: Option<KnownPartners>,
}

/// Of so many partners the locations are looked at before anything is evaluated.
const MOST_PLACES: usize = 16;
/// Participants are listed for each step that may be a first one's up to this number.
const MOST_LISTED: usize = 64;

impl Partners {
    /// Those of a step. `places_of` gives, for an instance, its location and where it has a step
    /// of the action that agrees with these values; `None` if that is too much for a word.
    pub(super) fn of(
        step: &OnStep,
        participants: &Participants,
        places_of: impl Fn(InstanceId, &[Option<i64>]) -> Option<(Slot, u64)>,
    ) -> Partners {
        let values = step.constants(&participants.ranges);
        let mut always = Vec::new();
        participants.of_values(&values, &mut always);
        let others = always.iter().filter(|who| **who != step.who.0);
        let places = others.filter_map(|who| places_of(*who, &values));
        let places = places.take(MOST_PLACES).collect();
        let known: Option<Box<[i64]>> = values.into_iter().collect();
        let is_listed = always.first() == Some(&step.who.0) && always.len() <= MOST_LISTED;
        let known = known.filter(|_| is_listed);
        Partners {
            places,
            known: known.map(|values| (values, always.into())),
        }
    }

    /// Whether all of them may have a step that matches.
    #[inline]
    pub(super) fn may_take_part(&self, state: &[u64]) -> bool {
        let mut places = self.places.iter();
        places.all(|(slot, at)| at >> slot.raw(state) & 1 != 0)
    }
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
            is_safe: is_safe(compiler.system(), (action, arguments), step),
            guard_decides: false,
            partners: Partners::default(),
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

    /// Whether it may be taken where the action has these values, as far as they are known.
    pub(super) fn may_match(&self, ranges: &[Range], values: &[Option<i64>]) -> bool {
        let mut both = self.constants(ranges).into_iter().zip(values);
        both.all(|(own, value)| own.is_none() || value.is_none() || own == *value)
    }
}

/// Whether neither the arguments nor the guard of a step can fail, by their types.
fn is_safe(system: &System, (action, arguments): (ActionId, &[Argument]), step: &Step) -> bool {
    let ranges = Ranges::of_types(system, &step.choices);
    let of_action = &system.actions[action as usize].arguments;
    let mut arguments = arguments.iter().zip(of_action);
    let is_safe = |(argument, range): (&Argument, &Range)| {
        let of_type = Type::Scalar {
            lo: range.lo,
            hi: range.hi,
        };
        match argument {
            Argument::Match(expr) => ranges
                .of(expr)
                .is_some_and(|bounds| bounds.are_in(&of_type)),
            Argument::Bind(place) => {
                let fits =
                    matches!(place.ty, Type::Scalar { lo, hi } if lo <= range.lo && range.hi <= hi);
                fits && ranges.is_sure(place)
            }
            Argument::Skip => true,
        }
    };
    arguments.all(is_safe) && (step.guard.iter()).all(|guard| ranges.cannot_fail(guard))
}

/// Sets [`OnStep::guard_decides`] of all steps of a system.
pub fn find_deciding_guards(on: &mut [OnStep], actions: usize) {
    // Of each action, an instance with a step that may fail, and whether there is another one.
    let mut unsafe_in: Vec<Option<(InstanceId, bool)>> = vec![None; actions];
    for step in on.iter().filter(|step| !step.is_safe) {
        let of_action = &mut unsafe_in[step.action as usize];
        let first = of_action.map_or(step.who.0, |(first, _)| first);
        let has_other = of_action.is_some_and(|(_, other)| other) || first != step.who.0;
        *of_action = Some((first, has_other));
    }
    for step in on {
        let others_are_safe = match unsafe_in[step.action as usize] {
            None => true,
            Some((instance, has_other)) => instance == step.who.0 && !has_other,
        };
        step.guard_decides = others_are_safe && !step.binds && step.body.guard.is_some();
    }
}

/// Working memory for joint steps.
pub struct JointScratch {
    pub(super) next: Vec<u64>,
    /// The state with what one step's `?` assign, for its guard.
    pub(super) seen: Vec<u64>,
    pub(super) open: Vec<Option<i64>>,
    pub(super) values: Vec<i64>,
    /// Values to be tried, for each argument that is being tried one after the other.
    pub(super) wanted: Vec<i64>,
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
            wanted: Vec::new(),
            participants: Vec::new(),
            alternatives: Vec::new(),
            begins: Vec::new(),
            combination: Vec::new(),
            label: Vec::new(),
            chosen: Vec::new(),
        }
    }
}
