//! What is claimed of a system: its properties, without positions and names.

use crate::system::{ActionPattern, Expr, InstanceId, LocationId};

/// One property of a [`System`](crate::system::System), for one value of its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Claim {
    /// No step fails.
    Errors,
    /// In every terminal state every instance is at a final location, or `allowed` holds.
    Deadlock { allowed: Option<Expr> },
    /// From every reachable state a terminal state can be reached (AG EF termination).
    Termination,
    /// True in every reachable state.
    Invariant(Expr),
    /// From every reachable state a state with this can be reached (AG EF).
    MayProgress(Expr),
    /// From every reachable state every maximal path meets a state with this (AG AF).
    MustProgress(Expr),
    /// In every execution in which steps of `infinitely` are taken infinitely often, steps of
    /// `implies` are too.
    Recurrence {
        infinitely: StepSet,
        implies: StepSet,
    },
    /// Read and checked for errors, but no search decides it yet.
    NotBuilt(Form),
}

/// The steps that one of some patterns stands for; none where there are no patterns.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct StepSet {
    pub patterns: Vec<StepPattern>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StepPattern {
    /// The joint steps of the action with these values.
    Action(ActionPattern),
    /// Every step that the instance takes while it is at one of the locations (ascending), joint
    /// ones too.
    At(InstanceId, Vec<LocationId>),
}

/// The forms of property that are named in the output (`cli.md`, `kind`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Form {
    Errors,
    Deadlock,
    Termination,
    Invariant,
    Progress,
    Ltl,
    Recurrence,
    Tester,
    Buchi,
    Testing,
    Refinement,
}

impl Claim {
    pub fn form(&self) -> Form {
        match self {
            Claim::Errors => Form::Errors,
            Claim::Deadlock { .. } => Form::Deadlock,
            Claim::Termination => Form::Termination,
            Claim::Invariant(_) => Form::Invariant,
            Claim::MayProgress(_) | Claim::MustProgress(_) => Form::Progress,
            Claim::Recurrence { .. } => Form::Recurrence,
            Claim::NotBuilt(form) => *form,
        }
    }
}
