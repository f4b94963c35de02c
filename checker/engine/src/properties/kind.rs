//! What a search has to know of a property, and what a kind may answer.

use stubborn_system::system::{Expr, Failure, System};

use crate::recurring::Recurring;
use crate::related::StateCheck;
use crate::trace::Trace;
use crate::verdict::Finding;

/// What a search has to know of a property. Threads may share it.
pub trait Kind: Send + Sync {
    /// What it looks at in a state.
    fn looks_at(&self) -> LooksAt<'_>;

    /// What a terminal state shows.
    fn at_end(&self, end: &mut dyn End) -> AtEnd;

    /// What a step that fails shows.
    fn at_failing_step(&self, failure: &Failure) -> Option<Finding>;

    /// The state check (Valmari 2015, section VI) that a stubborn set must respect.
    fn state_check(&self) -> Option<StateCheck>;

    /// What decides the property once every step was taken, if it was not refuted in passing.
    fn conclusion(&self) -> Conclusion;

    /// Under which condition a search with stubborn sets decides it.
    fn preserved(&self) -> Preserved;

    /// Whether single states and steps show a violation, so that a store that may miss states can be
    /// used to look for one.
    fn suits_bitstate(&self) -> bool;

    /// The steps that it speaks of, for a recurrence.
    fn recurring(&self, _: &System) -> Option<Recurring> {
        None
    }

    /// Whether a run of the system, which the reference interpreter has taken, shows the finding, as
    /// far as a run can.
    fn is_shown(&self, system: &System, finding: &Finding, trace: &Trace) -> bool;
}

/// What a property looks at in a state.
#[derive(Clone, Copy)]
pub enum LooksAt<'p> {
    Nothing,
    /// The expression's value, in terminal states alone ([`Kind::at_end`]).
    Ends(&'p Expr),
    /// The expression's value in every state that is found; with what a state shows that has it.
    States(&'p Expr, fn(Result<bool, Failure>) -> InState),
}

impl<'p> LooksAt<'p> {
    pub fn expression(self) -> Option<&'p Expr> {
        match self {
            LooksAt::Nothing => None,
            LooksAt::Ends(expression) | LooksAt::States(expression, _) => Some(expression),
        }
    }
}

/// What a state shows of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InState {
    Nothing,
    /// It is one of those that the property wants to be reached.
    Goal,
    Violation(Finding),
}

impl InState {
    /// What a state shows in which a goal has this value.
    pub fn of_goal(value: Result<bool, Failure>) -> InState {
        match value {
            Ok(true) => InState::Goal,
            Ok(false) => InState::Nothing,
            Err(failure) => InState::Violation(Finding::ExpressionFails(failure)),
        }
    }
}

/// A terminal state.
pub trait End {
    /// Every instance is at a final location.
    fn is_final(&self) -> bool;

    /// It is one of those that the property wants to be reached.
    fn is_goal(&self) -> bool;

    /// The value of the property's expression there, if it has one.
    fn value(&mut self) -> Option<Result<bool, Failure>>;
}

/// What a terminal state shows of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AtEnd {
    Nothing,
    Violation(Finding),
    /// A violation, but the property may have been lost long before.
    DeadEnd(Finding),
}

/// What decides a property in the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// What was met in passing was all that there is to see: it holds.
    Holds,
    /// Whether from every state one of these can be reached (AG EF), by a search backwards; with what
    /// is found where none can.
    Reaching(Goals, Finding),
    /// Whether every maximal path meets a goal (AG AF), by a search for cycles that avoid them; with
    /// what is found on one.
    Avoiding(Finding),
    /// Whether there is a cycle with steps of the one set and none of the other; with what is found
    /// on one.
    Recurring(Finding),
    /// It is decided by a search of its own.
    Apart,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goals {
    /// The terminal states.
    Terminal,
    /// Those in which the expression is true.
    Expression,
}

/// When a search with stubborn sets that fulfil D0 to D2 decides a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Preserved {
    /// In every model (Valmari 2015, Theorems 1 and 3).
    Always,
    /// In a model that is AG EF terminating (Theorem 4), and in any other where no step is ignored
    /// for ever.
    WithoutIgnoring,
    /// In a model that is AG EF terminating (Theorem 5).
    WhereTerminating,
    /// In a model that is AG EF terminating (Theorem 6), and in any other with a cycle proviso.
    WithCycleProviso,
    /// Never by the theorems here.
    Never,
}
