//! The state space of a [`System`](stubborn_system::system::System): its steps, the searches
//! through it, and what they prove.
//!
//! [`check`] decides properties and gives a [`Verdict`] for each, with a [`Trace`] where one is
//! violated; [`explore`] hands the whole state space to a [`Sink`].
//!
//! This crate sees a System and never text. It knows no names, no positions, no editor and no
//! terminal.

mod check;
mod coverage;
mod disk;
mod error;
mod explore;
mod graph;
pub mod interpreter;
pub mod members;
pub mod monitored;
mod numbering;
mod options;
pub mod packed;
mod pays;
mod profit;
mod properties;
mod recurring;
pub mod reduction;
pub mod related;
pub mod relations;
pub mod runs;
mod search;
pub mod seen;
pub mod several;
mod sharing;
mod state;
mod store;
pub mod successors;
pub mod symmetry;
mod trace;
mod verdict;
mod watch;

/// How runs meet assumptions of fairness.
pub mod fairness {
    pub use crate::monitored::fair::met::{Met, how_met};
}

pub use check::again::violated_again;
pub use check::quick::violated_soon;
pub use check::shorten;
pub use check::sliced::{self, check};
pub use coverage::Coverage;
pub use disk::Disk;
pub use error::CheckError;
pub use explore::{Exploration, Sink, explore};
pub use options::{
    Limits, Liveness, Obstacle, Options, Order, Progress, Quick, Reduction, SMALL, Search, Storage,
    Symmetry, Use,
};
pub use sharing::{Allowed, take_part};
pub use state::{InstanceState, State};
pub use successors::Label;
pub use trace::{Change, MonitorMove, MonitorRun, MonitorState, Trace, TraceStep, Walk, changes};
pub use verdict::{Finding, Outcome, Permuted, Reason, Round, Verdict, Violation};
pub use watch::{Silent, Watch};
