//! Making a monitor within the limits of a search.

use std::cell::RefCell;
use std::ops::ControlFlow;

use stubborn_automata::{NotMade, Work};

use crate::search::{Figures, Meter, Stop};
use crate::verdict::Reason;

/// Makes what a search needs before it can begin. It hears the deadline, the limit on memory and
/// that the search is cancelled, as the search does.
///
/// # Errors
/// Why it was not made: it would be too large, or a limit was reached.
pub fn within_limits<T>(
    meter: &mut Meter<'_>,
    make: impl FnOnce(&Work<'_>) -> Result<T, NotMade<Reason>>,
) -> Result<T, Reason> {
    let meter = RefCell::new(meter);
    let reached: RefCell<Option<Reason>> = RefCell::new(None);
    let goes_on = |bytes: u64| {
        let mut meter = meter.borrow_mut();
        let none = Figures {
            states: 0,
            edges: 0,
            bytes,
        };
        let reason = match (meter.forbids(bytes), meter.poll(none)) {
            (Some(reason), _) | (None, ControlFlow::Break(Stop::Limit(reason))) => reason,
            _ => return ControlFlow::Continue(()),
        };
        *reached.borrow_mut() = Some(reason);
        ControlFlow::Break(())
    };
    let made = make(&Work::asking(&goes_on));
    made.map_err(|why| match why {
        NotMade::TooLarge(reason) => reason,
        NotMade::Stopped => reached.take().unwrap_or(Reason::Cancelled),
    })
}
