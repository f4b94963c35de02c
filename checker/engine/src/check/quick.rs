//! Looking for a violation in a few small rounds, for whoever will not wait for a proof.

use stubborn_system::property::Property;
use stubborn_system::system::System;

use super::sliced::check;
use crate::error::CheckError;
use crate::options::{Options, Quick, Reduction, Storage};
use crate::verdict::{Outcome, Verdict};
use crate::watch::Watch;

/// A violation of the property that a few rounds of [`Reduction::Sensitive`] find, confirmed like any other; its
/// [`round`](Outcome::round) says which one has. `None` where they find none, which proves nothing.
///
/// Each round generates so many states at most, however far it has come, and no search follows that is none. What
/// they cost together is [`Quick::rounds`] times that at most for each monitor that the property is searched beside,
/// as often again for a run that is too long in the whole System; making the run shorter is in the usual limits. The
/// limits of the options hold over all rounds together; `is_cancelled` of the watch is asked as ever, and nothing else
/// is told it.
///
/// # Errors
/// Where a state of the system is too large to be searched.
pub fn violated_soon(
    system: &System,
    property: &Property,
    quick: Quick,
    options: &Options,
    watch: &dyn Watch,
) -> Result<Option<Outcome>, CheckError> {
    let options = Options {
        reduction: Reduction::Sensitive,
        storage: Storage::Exact,
        quick: Some(quick),
        tells_seen: false,
        ..*options
    };
    let asked = std::slice::from_ref(property);
    let outcomes = check(system, asked, &options, &Unheard(watch))?;
    let mut outcomes = outcomes.into_iter();
    Ok(outcomes.find(|outcome| matches!(outcome.verdict, Verdict::Violated { .. })))
}

/// Hears nothing, and may end it.
struct Unheard<'w>(&'w dyn Watch);

impl Watch for Unheard<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    fn now(&self) -> std::time::Instant {
        self.0.now()
    }
}
