//! Search for violations in a few small rounds, without a proof.

use stubborn_system::property::Property;
use stubborn_system::system::System;

use super::sliced::check;
use crate::caller::Caller;
use crate::error::CheckError;
use crate::options::{Options, Quick};
use crate::plan::beside::rounds;
use crate::verdict::Outcome;

/// Searches for violations in a few [rounds](crate::plan::beside::rounds). A violation is confirmed
/// like any other; its [`round`](Outcome::round) is the one that has found it. A property without one
/// stays undecided.
///
/// Properties share rounds as they share searches. A round generates at most [`Quick::states`] states,
/// and no other search follows; so each search costs at most [`Quick::rounds`] times that, one for each
/// monitor of a property, and as often again for a run that is too long in the whole System. The limits
/// of the options hold for all rounds together; the observer receives nothing.
///
/// # Errors
/// A state of the system is too large to be searched.
pub fn violated_soon(
    system: &System,
    properties: &[Property],
    quick: Quick,
    options: &Options,
    caller: Caller<'_>,
) -> Result<Vec<Outcome>, CheckError> {
    let options = rounds(options, quick);
    check(system, properties, &options, caller.quiet())
}
