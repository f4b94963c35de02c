//! The state space of a [`System`](stubborn_system::system::System): its steps, the searches
//! through it, and what they prove.
//!
//! [`check`] decides properties and gives a [`Verdict`] for each, with a [`Trace`] where one is
//! violated; [`explore`] hands the whole state space to a [`Sink`].
//!
//! This crate sees a System and never text. It knows no names, no positions, no editor and no
//! terminal.

mod bitstate;
mod check;
mod conclude;
mod conclude_reduced;
mod explore;
mod graph;
pub mod interpreter;
pub mod members;
pub mod monitored;
mod options;
pub mod packed;
mod properties;
pub mod reduction;
pub mod related;
pub mod relations;
mod search;
pub mod shorten;
pub mod sliced;
mod store;
pub mod successors;
mod trace;
mod verdict;

pub use check::CheckError;
pub use explore::{Exploration, Sink, explore};
pub use interpreter::state::{InstanceState, State};
pub use options::{
    Limits, Liveness, Options, Order, Progress, Reduction, Search, Silent, Storage, Watch,
};
pub use sliced::check;
pub use successors::Label;
pub use verdict::{
    Finding, MonitorMove, MonitorRun, MonitorState, Outcome, Reason, Trace, TraceStep, Verdict,
    Violation,
};
