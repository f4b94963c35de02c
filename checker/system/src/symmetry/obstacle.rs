//! Obstacles to symmetry.

use crate::system::{Binary, InstanceId, StepId, VariableRef};

/// Where two instances differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Site {
    /// Types, channels or alphabets.
    Declarations,
    Variable(VariableRef),
    Step(InstanceId, StepId),
    /// By its number among those that the permutations have to preserve.
    Property(usize),
}

/// How two instances differ there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// Identities are compared by order.
    Compares(Binary),
    /// Identities are calculated with.
    Calculates,
    /// A value that one of them has is treated as no other: it has no counterpart.
    Other,
}
