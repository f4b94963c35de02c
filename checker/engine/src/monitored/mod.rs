//! Properties that a monitor watches for: testers, automata, formulas, refinement.
//!
//! A monitor runs beside the system. What is looked for is uniform: a state in which it rejects, a
//! run that ends, a cycle of invisible steps, a cycle with visible ones (Valmari 1993,
//! Thm 3.3, C1 to C4).

mod confirm;
mod conjunction;
mod cycle_walk;
mod decide;
mod extension;
pub mod fair;
mod making;
mod monitors;
mod path;
mod plan;
pub mod product;
mod random;
pub mod refinement;
mod role;
mod shared;
mod sliced;
mod whole;
mod witness;
mod worker;

pub use confirm::{confirmed_again, is_broken, is_open};
pub use decide::decide;
pub use worker::take_part;
