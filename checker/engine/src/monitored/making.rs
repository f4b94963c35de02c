//! Making a monitor within limits.

use std::cell::RefCell;
use std::ops::ControlFlow;

use stubborn_automata::{NotMade, Work};

use crate::runs::no_trace::Poll;
use crate::search::Stop;
use crate::verdict::Reason;

/// Makes what a search or a run needs before it can begin. Whoever limits that is asked, with the
/// bytes that what is being made holds.
///
/// # Errors
/// Why it was not made: it would be too large, or a limit was reached.
pub fn within_limits<T>(
    poll: Poll<'_>,
    make: impl FnOnce(&Work<'_>) -> Result<T, NotMade<Reason>>,
) -> Result<T, Reason> {
    let poll = RefCell::new(poll);
    let reached: RefCell<Option<Reason>> = RefCell::new(None);
    let goes_on = |bytes: u64| match (poll.borrow_mut())(bytes) {
        ControlFlow::Break(Stop::Limit(reason)) => {
            *reached.borrow_mut() = Some(reason);
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    };
    let made = make(&Work::asking(&goes_on));
    made.map_err(|why| match why {
        NotMade::TooLarge(reason) => reason,
        NotMade::Stopped => reached.take().unwrap_or(Reason::Cancelled),
    })
}
