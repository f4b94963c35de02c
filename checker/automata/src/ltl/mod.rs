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
pub use effort::{Effort, MOST_STATES, TooLarge};
pub use evaluate::{holds, may_hold};
use formulas::Formulas;
pub use generalised::{Edge, Generalised};
pub use letters::Letters;

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
    let automaton = expand::expand(&mut formulas, root, &mut effort)?;
    automaton.into_buchi(propositions, true, &mut effort)
}

impl Generalised {
    /// Returns a Büchi automaton with labels and acceptance on its states that accepts the same words
    /// of valuations of the propositions below `propositions`. `insensitive` says that it is
    /// insensitive to stuttering.
    ///
    /// # Errors
    /// If it would be too large, or the work has been stopped.
    pub fn into_buchi(
        mut self,
        propositions: u32,
        insensitive: bool,
        effort: &mut Effort<'_>,
    ) -> Result<Buchi, NotMade<TooLarge>> {
        self.trim();
        self.quotient(effort)?;
        let mut labelled = degeneralise::state_labelled(&self, effort)?;
        labelled.reduce(effort)?;
        let buchi = labelled.buchi(propositions);
        Ok(buchi.reduced(insensitive, effort.work())?)
    }
}
