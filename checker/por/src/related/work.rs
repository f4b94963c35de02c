//! The work of preparing a reduction, in units about as large as one step of the search, and when
//! to look up from it.

use std::ops::ControlFlow;

use stubborn_explorer::search::Stop;

/// Checks the limits, given the number of bytes held.
pub type Look<'l> = dyn FnMut(u64) -> ControlFlow<Stop> + 'l;

/// Counts work, and looks up from it now and then.
pub struct Work<'l> {
    look: &'l mut Look<'l>,
    since_look: u64,
    /// Memory held, in bytes.
    held: u64,
}

/// Between two looks at the limits; a millisecond of work or less.
pub const BETWEEN_LOOKS: u64 = 512;

impl<'l> Work<'l> {
    pub fn new(look: &'l mut Look<'l>) -> Work<'l> {
        Work {
            look,
            since_look: 0,
            held: 0,
        }
    }

    /// To be called before, or after, so much work.
    #[inline]
    pub fn step(&mut self, units: u64) -> ControlFlow<Stop> {
        self.since_look += units;
        if self.since_look < BETWEEN_LOOKS {
            return ControlFlow::Continue(());
        }
        self.since_look = 0;
        (self.look)(self.held)
    }

    /// The same for work on this many scalars.
    #[inline]
    pub fn scalars(&mut self, count: usize) -> ControlFlow<Stop> {
        self.step(1 + count as u64 / SCALARS_OF_A_STEP)
    }

    pub fn holds(&mut self, bytes: usize) {
        self.held += bytes as u64;
    }

    pub fn gives_back(&mut self, bytes: usize) {
        self.held -= bytes as u64;
    }
}

/// Number of scalars that cost about as much as a step.
const SCALARS_OF_A_STEP: u64 = 64;
