//! State spaces of models written in Rust with partial-order reduction: in each state the steps of a
//! stubborn set are taken and the others are left out (A. Valmari, *Stop It, and Be Stubborn!*,
//! ACSD 2015).
//!
//! All terminal states of the model are visited, and an infinite run is left if there is one. Other
//! states may be missing, so that there is no search here for a state in which a predicate is true;
//! [`find`](crate::find) does that with every step.
//!
//! A model says how its processes depend on each other by [`ProcessRelations`]. Its documentation
//! says what a stubborn set needs; an answer with more processes than necessary is always right.
//!
//! ```
//! # use std::ops::ControlFlow;
//! use stubborn_checker::{Members, Options, Others, ProcessRelations, Pulse, explore, reduced};
//! # use stubborn_checker::{Label, Successors, Visit};
//!
//! /// Five processes that count to 3, each by itself.
//! struct Counters;
//! # const LABELS: [[(u32, u32); 1]; 5] = [[(0, 0)], [(1, 0)], [(2, 0)], [(3, 0)], [(4, 0)]];
//! # impl Successors for Counters {
//! #     type Scratch = ();
//! #     fn words(&self) -> usize { 5 }
//! #     fn initial(&self) -> &[u64] { &[0; 5] }
//! #     fn scratch(&self) {}
//! #     fn visit(&self, state: &[u64], _: &mut (), visitor: &mut dyn Visit) -> ControlFlow<()> {
//! #         (0..5).try_for_each(|process| self.visit_process(process, state, &mut (), visitor))
//! #     }
//! # }
//!
//! impl ProcessRelations for Counters {
//!     fn processes(&self) -> usize {
//!         5
//!     }
//!
//!     fn visit_process(
//!         &self,
//!         process: usize,
//!         state: &[u64],
//!         _: &mut (),
//!         visitor: &mut dyn Visit,
//!     ) -> ControlFlow<()> {
//!         let mut next = state.to_vec();
//!         next[process] += 1;
//!         let label = Label { participants: &LABELS[process], action: None };
//!         match next[process] {
//!             ..=3 => visitor.step(label, Ok(&next)),
//!             _ => ControlFlow::Continue(()),
//!         }
//!     }
//!
//!     fn begin(&self, _: &[u64], _: &mut ()) -> bool {
//!         true
//!     }
//!
//!     fn enabled(&self, process: usize, state: &[u64], _: &mut ()) -> u32 {
//!         u32::from(state[process] < 3)
//!     }
//!
//!     /// No process disables a step of another, or changes what it does.
//!     fn needs(&self, _: usize, _: &Others, _: &[u64], _: &mut (), _: &mut Pulse<'_>) -> Members {
//!         Members::default()
//!     }
//! }
//!
//! // 4^5 states; one order of the 15 steps is enough to reach the terminal state.
//! assert_eq!(explore(&Counters, &Options::default()).states, 1024);
//! let space = reduced::explore(&Counters, &Options::default());
//! assert_eq!((space.states, space.terminal), (16, 1));
//! ```

use stubborn_engine::Goal;
use stubborn_engine::reduction::Stubborn;
use stubborn_engine::relations::ProcessRelations;

use crate::state_space::{decide, search};
use crate::{Options, Path, StateSpace, Stopped};

/// Counts the states and edges that partial-order reduction leaves. All terminal states are among
/// them.
///
/// The search uses the limits and the search order of the options.
pub fn explore<M: ProcessRelations + Sync>(model: &M, options: &Options) -> StateSpace {
    search(&Stubborn::new(model), options, Goal::Nothing).0
}

/// Searches for a state without a step in which a predicate is true. `None` proves that there is
/// none. A path may be longer than one that takes the steps which are left out.
///
/// The search uses the limits and the search order of the options.
///
/// # Errors
/// A limit ended the search.
pub fn find_terminal<M: ProcessRelations + Sync>(
    model: &M,
    options: &Options,
    is_goal: impl Fn(&[u64]) -> bool,
) -> Result<Option<Path>, Stopped> {
    decide(
        &Stubborn::new(model),
        model,
        options,
        Goal::Terminal(&is_goal),
    )
}
