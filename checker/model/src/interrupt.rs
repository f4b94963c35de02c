//! Ending an analysis before its time: a limit is reached, or nobody waits for it any more.

use std::cell::Cell;

use stubborn_syntax::Interrupted;

/// Whoever asked for an analysis, to be asked on its way whether it is to end.
///
/// Once the answer has been yes it stays so, and what is read from then on means nothing: all loops
/// come to their end, and [`analyze_within`](crate::analyze_within) has no analysis to give.
pub(crate) struct Interrupt<'a> {
    is_to_end: &'a dyn Fn() -> bool,
    has_ended: Cell<bool>,
}

impl<'a> Interrupt<'a> {
    pub fn new(is_to_end: &'a dyn Fn() -> bool) -> Interrupt<'a> {
        Interrupt {
            is_to_end,
            has_ended: Cell::new(false),
        }
    }

    /// Whether to go no further. Asked between any two pieces of work that text decides the number of.
    pub fn is_due(&self) -> bool {
        if !self.has_ended.get() && (self.is_to_end)() {
            self.has_ended.set(true);
        }
        self.has_ended.get()
    }

    /// Whether it was due when it was last asked.
    pub fn has_ended(&self) -> Result<(), Interrupted> {
        if self.has_ended.get() {
            Err(Interrupted)
        } else {
            Ok(())
        }
    }
}
