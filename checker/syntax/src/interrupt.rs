//! How reading or laying out a text is ended on its way: whoever wants it is asked from time to time
//! whether to go on.

use std::cell::Cell;

/// So many tokens, or nodes, between two questions.
const BETWEEN: u32 = 1 << 10;

/// Work on a text was ended on its way, and has nothing to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// Whom to ask.
pub(crate) struct Interrupt<'a> {
    is_to_end: &'a dyn Fn() -> bool,
    /// How many pieces there still are before the next question.
    left: Cell<u32>,
    has_ended: Cell<bool>,
}

impl<'a> Interrupt<'a> {
    pub fn new(is_to_end: &'a dyn Fn() -> bool) -> Interrupt<'a> {
        Interrupt {
            is_to_end,
            left: Cell::new(BETWEEN),
            has_ended: Cell::new(false),
        }
    }

    /// Whether to go no further. Asked for each piece of work, of which there are as many as the text
    /// is long.
    pub fn is_due(&self) -> bool {
        let left = self.left.get() - 1;
        if left > 0 {
            self.left.set(left);
            return self.has_ended.get();
        }
        self.left.set(BETWEEN);
        if !self.has_ended.get() && (self.is_to_end)() {
            self.has_ended.set(true);
        }
        self.has_ended.get()
    }

    /// Whether it was due when it was last asked.
    pub fn has_ended(&self) -> Result<(), Interrupted> {
        match self.has_ended.get() {
            true => Err(Interrupted),
            false => Ok(()),
        }
    }
}
