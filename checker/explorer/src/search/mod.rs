//! Going through the reachable states.
//!
//! A [`Run`] is a model, perhaps with a monitor beside it, a store, an order, limits and a
//! listener; every search is a function of it. A search knows neither what is to be proved nor
//! which reduction, if any, the steps come from.
//!
//! - [`breadth_first`] and [`depth_first`] number every state and show the [`Listener`] states and
//!   edges.
//! - [`stack`] is the depth-first search of every search that needs a stack: these are its
//!   visitors.
//! - [`layers`] is the breadth-first search without numbers, in a few bytes for each state.
//! - [`disk`] does the same with the states on the disk.
//! - [`whole`] answers questions about all states that [`layers`] has found: reachability, and
//!   cycles on which a run may stay.
//! - [`path`] finds a shortest path to a state.
//! - [`fair`] looks for runs that meet assumptions of fairness.
//! - [`random`] makes random runs, and [`cells`] looks for what lies deep for a property.
//! - [`violations`] has the searches that look for what a monitor watches for, one pass, nested,
//!   two visits, four passes, and [`lasso`] makes what they find shorter. The one-pass search with
//!   the trivial monitor is the plain search of a store that does not number its states.

pub mod breadth_first;
pub mod cells;
pub mod closing;
pub mod depth_first;
pub mod disk;
pub mod fair;
pub mod found;
mod four_pass;
mod frame;
pub mod lasso;
pub mod layer_ends;
pub mod layers;
mod ledger;
mod listener;
mod meter;
mod nested;
mod one_pass;
pub mod path;
mod question;
pub mod random;
pub mod recurrence;
mod run;
pub mod shrink;
mod space;
mod stack;
mod steps;
mod tree;
mod two_visit;
pub mod violations;
pub mod whole;

#[cfg(test)]
mod asked;
#[cfg(test)]
pub(crate) mod tests;
#[cfg(test)]
mod thinned;

pub use ledger::Ledger;
pub use listener::{Listener, Ways};
pub use meter::{Beside, Figures, Meter, Stop};
pub use one_pass::search as plain;
pub use question::{Question, Recurrence};
pub use run::Run;
pub use space::Space;
pub use steps::OwnedLabel;
pub use stubborn_space::monitor::{Alone, AnyMonitored, Flags, Marks, Monitored};
