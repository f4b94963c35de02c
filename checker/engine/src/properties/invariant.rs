//! `invariant`: an expression is true in every reachable state; and `reachable`: it is true in some (EF).
//!
//! For both one state is looked for, in which the expression is false or true. What is found violates an invariant; of what
//! is to be reached it is a witness, and where nothing is found no reachable state is one: the contrary is told of it. All that
//! is said of stubborn sets, slices and merged steps for invariants holds for the other, truth being in the place of falsehood.

use stubborn_system::system::{Expr, Failure, System};

use super::kind::{AtEnd, Conclusion, End, InState, Kind, LooksAt, Preserved};
use crate::interpreter::{evaluate, holds};
use crate::related::StateCheck;
use crate::trace::Trace;
use crate::verdict::Finding;

/// A state is looked for in which the expression is so.
pub struct OneState<'p> {
    expression: &'p Expr,
    is_looked_for: bool,
}

impl OneState<'_> {
    /// One that violates an invariant.
    pub fn against(expression: &Expr) -> OneState<'_> {
        OneState {
            expression,
            is_looked_for: false,
        }
    }

    /// One that is to be reached.
    pub fn to_reach(expression: &Expr) -> OneState<'_> {
        OneState {
            expression,
            is_looked_for: true,
        }
    }
}

impl Kind for OneState<'_> {
    fn looks_at(&self) -> LooksAt<'_> {
        let shown = match self.is_looked_for {
            true => shown_of_reachable,
            false => shown_of_invariant,
        };
        LooksAt::States(self.expression, shown)
    }

    fn at_end(&self, _: &mut dyn End) -> AtEnd {
        AtEnd::Nothing
    }

    fn at_failing_step(&self, _: &Failure) -> Option<Finding> {
        None
    }

    fn state_check(&self) -> Option<StateCheck> {
        Some(match self.is_looked_for {
            true => StateCheck::Truth,
            false => StateCheck::Falsehood,
        })
    }

    fn conclusion(&self) -> Conclusion {
        Conclusion::Holds
    }

    fn preserved(&self) -> Preserved {
        Preserved::WithoutIgnoring
    }

    fn suits_bitstate(&self) -> bool {
        true
    }

    fn is_shown(&self, system: &System, finding: &Finding, trace: &Trace) -> bool {
        let is = |wanted| holds(system, trace.last(), self.expression) == Ok(wanted);
        match finding {
            Finding::Reached => self.is_looked_for && is(true),
            Finding::InvariantFalse => !self.is_looked_for && is(false),
            Finding::ExpressionFails(failure) => {
                let value = evaluate(system, trace.last(), self.expression);
                !self.is_looked_for && value.as_ref() == Err(failure)
            }
            _ => false,
        }
    }
}

/// What a state shows in which an invariant has this value.
fn shown_of_invariant(value: Result<bool, Failure>) -> InState {
    match value {
        Ok(true) => InState::Nothing,
        Ok(false) => InState::Violation(Finding::InvariantFalse),
        Err(failure) => InState::Violation(Finding::ExpressionFails(failure)),
    }
}

/// What a state shows in which what is to be reached has this value; where it fails it is not true.
fn shown_of_reachable(value: Result<bool, Failure>) -> InState {
    match value {
        Ok(true) => InState::Violation(Finding::Reached),
        Ok(false) | Err(_) => InState::Nothing,
    }
}
