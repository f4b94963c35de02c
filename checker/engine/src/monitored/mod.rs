//! Properties that a monitor watches for: testers, automata, formulas, refinement.
//!
//! A monitor runs beside the system. What is looked for is uniform: a state in which it rejects, a
//! run that ends, a cycle of steps that it does not see, a cycle of steps that it sees (Valmari 1993,
//! Thm 3.3, C1 to C4).

mod decide;
mod extension;
mod lasso;
mod making;
mod monitors;
mod path;
mod plan;
pub mod product;
pub mod refinement;
pub mod search;
pub mod watched;
mod witness;

pub use decide::{confirmed_again, decide};
pub use watched::{Marks, Watched};
