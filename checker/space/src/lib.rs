//! States of a [`System`](stubborn_system::system::System) and the steps between them, with the
//! plain data that searches take and give.
//!
//! [`successors`] has the trait that all searches go by, [`packed`] its fast implementation,
//! [`interpreter`] the reference that replays what they find.

pub mod budget;
pub mod caller;
pub mod coverage;
pub mod disk;
pub mod error;
pub mod interpreter;
pub mod members;
pub mod monitor;
pub mod numbering;
pub mod observer;
pub mod omissions;
pub mod options;
pub mod packed;
pub mod pays;
pub mod plan;
pub mod profit;
pub mod recurring;
pub mod relations;
pub mod several;
pub mod state;
pub mod successors;
pub mod threads;
pub mod trace;
pub mod verdict;
