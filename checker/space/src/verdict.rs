//! What a search proved.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use stubborn_automata::{TooLarge, ltl};
use stubborn_system::system::Failure;

use crate::error::CheckError;
use crate::omissions::Omissions;
use crate::options::{Liveness, Obstacle, Reduction};
use crate::several::Sharing;
use crate::trace::Trace;

/// What is known of one property, and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub verdict: Verdict,
    /// What the search that decided it generated, which several properties may have shared.
    pub states: u64,
    pub edges: u64,
    /// Every step was taken in every generated state.
    pub full: bool,
    /// The reduction under which it was decided.
    pub reduction: Reduction,
    /// Which of several rounds decided it, where there were any.
    pub round: Option<Round>,
    pub symmetry: Permuted,
    /// Who has searched, where several have together.
    pub sharing: Option<Arc<Sharing>>,
    /// The bounds that have cut off states of its searches, a bit for each: what holds does within them.
    pub within: u64,
    /// Random runs that were made, if they were asked for.
    pub runs: Option<RunsMade>,
    /// Where a limit has left the property undecided, the depth up to which all steps of all states
    /// were taken: no run of up to this many steps ends in a state or with a step that violates it.
    pub depth: Option<u64>,
    pub seconds: f64,
}

/// Random runs that were made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunsMade {
    pub runs: u64,
    /// Steps of all of them.
    pub steps: u64,
}

impl Outcome {
    /// A verdict for which nothing was searched.
    pub fn without_search(verdict: Verdict) -> Outcome {
        Outcome {
            verdict,
            states: 0,
            edges: 0,
            full: false,
            reduction: Reduction::None,
            round: None,
            symmetry: Permuted::No,
            sharing: None,
            within: 0,
            runs: None,
            depth: None,
            seconds: 0.0,
        }
    }

    /// Takes the figures of another search that came further, if a limit has left the property
    /// undecided.
    pub fn keep_furthest(&mut self, other: Option<&Outcome>) {
        let is_left = self.is_left_by_a_limit();
        if let Some(other) = other
            && is_left
        {
            self.depth = self.depth.max(other.depth);
        }
        if let Some(other) = other
            && is_left
            && self.round.is_none()
            && other.round.is_none()
            && self.states < other.states
        {
            *self = Outcome {
                verdict: self.verdict.clone(),
                sharing: self.sharing.clone(),
                within: self.within | other.within,
                depth: self.depth,
                seconds: self.seconds,
                ..other.clone()
            };
        }
    }

    /// Whether a limit has left the property undecided.
    pub fn is_left_by_a_limit(&self) -> bool {
        matches!(
            self.verdict,
            Verdict::Undecided(
                Reason::States(_)
                    | Reason::Depth(_)
                    | Reason::Memory(_)
                    | Reason::NotOnDisk(_)
                    | Reason::Time
                    | Reason::Cancelled
            )
        )
    }
}

/// What permutations of like processes did for a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Permuted {
    /// No states were merged: there is no symmetry, or it does not pay, or it is off.
    #[default]
    No,
    /// States were merged by a group of this many permutations; the counts are of merged states.
    By(u64),
    /// Each state stood for itself, though a process has several instances, which may be alike.
    Not(Obstacle),
}

impl Permuted {
    /// By these, if by any.
    pub fn by(permutations: Option<u64>) -> Permuted {
        permutations.map_or(Permuted::No, Permuted::By)
    }

    /// How many permutations.
    pub fn permutations(self) -> Option<u64> {
        match self {
            Permuted::By(permutations) => Some(permutations),
            Permuted::No | Permuted::Not(_) => None,
        }
    }
}

/// One of the rounds of [`Reduction::Sensitive`] and [`Reduction::SensitiveCycles`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// The first is 1.
    pub number: u32,
    /// So many of the transitions that the property sees are sensitive in it.
    pub sensitive: u32,
    /// Of so many.
    pub visible: u32,
    /// It is as exact as a search in which all are sensitive: what it does not find is not there.
    pub is_exact: bool,
    /// What the rounds before it have generated, in states.
    pub before: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Proved. Of a [`Reachable`](stubborn_system::property::Property::Reachable) it is proved that
    /// there is no such state.
    Holds,
    /// Refuted, by a trace that the reference interpreter has replayed; of a `Reachable` that is
    /// its witness ([`Finding::Reached`]).
    Violated {
        finding: Finding,
        trace: Arc<Trace>,
    },
    Undecided(Reason),
}

/// What the last state of the trace, or its cycle, shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Finding {
    /// The last step fails.
    StepFails(Failure),
    /// No step is enabled, not every instance is at a final location, and nothing allows it.
    Deadlock,
    /// No terminal state can be reached from the last state.
    NoTerminalReachable,
    /// The invariant is false in the last state.
    InvariantFalse,
    /// The last state is one that was asked for.
    Reached,
    /// No state with the goal can be reached from the last state.
    GoalOutOfReach,
    /// The run ends in the last state, which is without the goal.
    GoalAvoidedByEnd,
    /// The cycle can be gone round for ever, and none of its states has the goal.
    GoalAvoidedByCycle,
    /// The cycle can be gone round for ever: it has a step of those that are taken infinitely
    /// often, and none of those that should then be taken infinitely often too.
    RecurrenceViolated,
    /// The property's expression has no value in the last state.
    ExpressionFails(Failure),
    /// What a monitor watches for.
    Watched(Violation),
}

/// What a tester finds, C1 to C4 of Valmari 1993, Thm 3.3; and likewise an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Violation {
    /// The monitor is in a reject state at the end of the trace: an illegal trace.
    Reject,
    /// The run ends while the monitor is in a deadlock monitor state: an illegal stable failure.
    Deadlock,
    /// The cycle is of steps that the monitor does not see, and it stays in a livelock monitor
    /// state: an illegal divergence.
    Livelock,
    /// The cycle has a step that the monitor sees in an infinite trace monitor state: an illegal
    /// infinite trace.
    Infinite,
}

/// Why a property was not decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// This many states had been found, as many as were allowed.
    States(u64),
    /// States may lie deeper than this many steps, the depth limit.
    Depth(u64),
    /// This many bytes were allowed.
    Memory(u64),
    /// This many bytes were allowed, and for a property of this form no disk makes up for them.
    NotOnDisk(u64),
    /// What was to keep states on the disk has said this.
    Disk(String),
    /// Another process of a distributed search has failed, for this reason.
    Others(String),
    /// Only a search by one process decides a property of this form.
    OneProcessOnly,
    /// So few rounds were wanted, and none of them was exact.
    Rounds(u32),
    /// This many random runs were made, as many as were wanted, and none has shown a violation.
    Runs(u64),
    /// Random runs do not decide a property of fair runs.
    NotByRandomRuns,
    /// It is true in no state that was found, and bounds have cut off others.
    CutOff,
    /// A search to a depth does not decide a property of fair runs.
    NotToDepth,
    /// Only infinite runs, or all runs together, violate a property of this form.
    NoFiniteRun,
    /// The deadline has passed.
    Time,
    Cancelled,
    /// The search that was asked for cannot decide what the property's monitor watches for.
    Liveness(Liveness),
    /// States may have been confused with others and missed, so nothing is proved.
    Missed(Box<Omissions>),
    /// A property of this form is not decided where states may be taken for others.
    NeedsExactStorage,
    /// One state of what the property depends on takes so many bits, more than can be searched.
    StateTooLarge(u64),
    /// What a refinement is checked with, or what that is made from, has more than so many states.
    MonitorTooLarge(u64),
    /// What an automaton or a formula is turned into would be too large.
    AutomatonTooLarge(TooLarge),
    /// What a formula is turned into would be too large.
    FormulaTooLarge(ltl::TooLarge),
    /// The alphabet of a specification has more than this many actions with their values.
    AlphabetTooLarge(u64),
    /// A defect of this program: its two accounts of a model disagree.
    Internal(String),
}

impl From<CheckError> for Reason {
    fn from(error: CheckError) -> Reason {
        let CheckError::StateTooLarge { bits } = error;
        Reason::StateTooLarge(bits)
    }
}

impl Verdict {
    pub fn is_violated(&self) -> bool {
        matches!(self, Verdict::Violated { .. })
    }

    /// Undecided because of a defect of this program.
    pub fn defect(defect: &str) -> Verdict {
        Verdict::Undecided(Reason::Internal(defect.to_owned()))
    }

    /// Number of steps of the trace, if there is one.
    pub fn steps(&self) -> usize {
        match self {
            Verdict::Violated { trace, .. } => trace.len(),
            Verdict::Holds | Verdict::Undecided(_) => 0,
        }
    }
}
