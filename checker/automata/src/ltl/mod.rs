//! Formulas of linear temporal logic, as automata that accept the runs of which they hold.
//!
//! The way from the one to the other has a file for each step: negation normal form with equal parts
//! shared (`formulas`), laws that make it simpler (`simplify`), a tableau that gives a generalised
//! automaton with labels on its edges (`expand`, `generalised`), levels instead of several
//! conditions and labels on states (`degeneralise`), and reductions (`labelled`, and those of all
//! Büchi automata). Of formulas without `next` the automata are all insensitive to stuttering.
//!
//! [`evaluate`] says of a given run whether a formula holds, and has nothing in common with any of that.

pub(crate) mod degeneralise;
pub(crate) mod effort;
pub mod evaluate;
mod expand;
mod formulas;
pub(crate) mod generalised;
pub(crate) mod labelled;
pub(crate) mod letters;
mod simplify;
#[cfg(test)]
mod tests;

use stubborn_system::property::Formula;

use crate::buchi::Buchi;
use crate::label::MOST_PROPOSITIONS;
use crate::work::{NotMade, Work};
pub use effort::{MOST_STATES, TooLarge};
pub use evaluate::{holds, may_hold};
use formulas::Formulas;

/// An automaton that accepts exactly the runs of which the formula holds, whose propositions are those
/// below `propositions`. To find runs that violate a property, give the property's negation.
///
/// It has `infinite` states, and `reject` states where all that can still come is accepted; `reject`
/// states lead nowhere. It may have no states at all, if no run satisfies the formula.
///
/// # Errors
/// Where the formula is too large, or the work has been stopped. What it costs is bounded, at about
/// a second.
pub fn buchi_of(
    formula: &Formula,
    propositions: u32,
    work: &Work<'_>,
) -> Result<Buchi, NotMade<TooLarge>> {
    let mut formulas = Formulas::new();
    let root = formulas.read(formula, true)?;
    if propositions as usize > MOST_PROPOSITIONS {
        return Err(TooLarge::Propositions.into());
    }
    let mut effort = effort::Effort::new(work);
    let mut automaton = expand::expand(&mut formulas, root, &mut effort)?;
    automaton.trim();
    automaton.quotient(&mut effort)?;
    let mut labelled = degeneralise::state_labelled(&automaton, &mut effort)?;
    labelled.reduce(&mut effort)?;
    Ok(labelled.buchi(propositions).reduced(true, work)?)
}
