//! Conditions over what is observed, as formulas over numbered propositions.
//!
//! While a `when` of an automaton is read, an observed name stands for a variable of an instance
//! that there is not; what comes out is turned into a formula of these variables' numbers.

use crate::evaluate::{Stop, evaluate_with};
use crate::expressions::typed::{Constness, Typed};
use crate::types::Ty;
use stubborn_system::property::Formula;
use stubborn_system::system::{Expr, Failure, Unary, Value, VariableRef};
use stubborn_system::walk::for_subexpressions;

/// The instance that observed names belong to: none of the model.
const NOBODY: u32 = u32::MAX;

/// A part that is no conjunction, disjunction or negation is tried with all values of what it
/// mentions, of which there may not be more.
const MOST_TRIED: usize = 10;

/// Why there is no formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// Some part mentions this many observed names.
    TooMany(usize),
    Fails(Failure),
}

/// What stands for the observed name with this number.
pub(super) fn placeholder(number: u32) -> Typed {
    Typed::new(
        Ty::Bool,
        Expr::Variable(VariableRef::Local(NOBODY, number)),
        None,
        Constness::State,
    )
}

/// The formula that an expression over placeholders and constants is.
pub(super) fn formula_of(expr: &Expr) -> Result<Formula, Unread> {
    let all = |parts: &[Expr]| parts.iter().map(formula_of).collect::<Result<Vec<_>, _>>();
    match expr {
        Expr::Const(Value::Int(n)) => Ok(Formula::Constant(*n != 0)),
        Expr::Variable(VariableRef::Local(NOBODY, number)) => Ok(Formula::Proposition(*number)),
        Expr::Unary(Unary::Not, operand) => Ok(Formula::Not(Box::new(formula_of(operand)?))),
        Expr::All(parts) => Ok(Formula::All(all(parts)?)),
        Expr::Any(parts) => Ok(Formula::Any(all(parts)?)),
        _ => tried(expr),
    }
}

/// The disjunction of all that makes the expression true.
fn tried(expr: &Expr) -> Result<Formula, Unread> {
    let mut mentioned = Vec::new();
    for_subexpressions(expr, &mut |part| {
        if let Expr::Variable(VariableRef::Local(NOBODY, number)) = part {
            mentioned.push(*number);
        }
    });
    mentioned.sort_unstable();
    mentioned.dedup();
    if mentioned.len() > MOST_TRIED {
        return Err(Unread::TooMany(mentioned.len()));
    }
    let mut cases = Vec::new();
    for values in 0_u32..1 << mentioned.len() {
        let holds = |at: usize| values >> at & 1 == 1;
        let value = |variable| match variable {
            VariableRef::Local(NOBODY, number) => {
                let at = mentioned.binary_search(&number).ok()?;
                Some(Value::Int(i64::from(holds(at))))
            }
            _ => None,
        };
        match evaluate_with(expr, &value) {
            Ok(Value::Int(0)) => {}
            Ok(_) => {
                let literals = mentioned.iter().enumerate().map(|(at, number)| {
                    let proposition = Formula::Proposition(*number);
                    match holds(at) {
                        true => proposition,
                        false => Formula::Not(Box::new(proposition)),
                    }
                });
                cases.push(Formula::All(literals.collect()));
            }
            Err(Stop::Failure(failure)) => return Err(Unread::Fails(failure)),
            // Something of the model, about which there is an error already.
            Err(Stop::State) => return Ok(Formula::Constant(false)),
        }
    }
    Ok(Formula::Any(cases))
}
