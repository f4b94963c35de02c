//! Looking for a violation in a few small rounds, for whoever will not wait for a proof.

use stubborn_system::property::Property;
use stubborn_system::system::System;

use super::sliced::check;
use crate::caller::Caller;
use crate::error::CheckError;
use crate::options::{Options, Quick, Reduction, Storage};
use crate::verdict::Outcome;

/// What a few rounds of [`Reduction::Sensitive`] come to for each property: a violation, confirmed like any other, of
/// which [`round`](Outcome::round) says which one has found it; and mostly nothing, which proves nothing.
///
/// Properties share rounds as they share searches otherwise. Each round of a search generates so many states at most,
/// however far it has come, and no search follows that is none. What they cost together is [`Quick::rounds`] times that
/// at most for each search, one for each monitor that a property is searched beside among them, and as often again for
/// a run that is too long in the whole System; making runs shorter is in the usual limits. The limits of the options
/// hold over all rounds together; the observer receives nothing.
///
/// # Errors
/// Where a state of the system is too large to be searched.
pub fn violated_soon(
    system: &System,
    properties: &[Property],
    quick: Quick,
    options: &Options,
    caller: Caller<'_>,
) -> Result<Vec<Outcome>, CheckError> {
    let options = Options {
        reduction: Reduction::Sensitive,
        storage: Storage::Exact,
        quick: Some(quick),
        tells_seen: false,
        ..*options
    };
    check(system, properties, &options, caller.quiet())
}
