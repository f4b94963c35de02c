//! The state space of a [`System`](stubborn_system::system::System): its steps, the searches
//! through it, and what they prove.
//!
//! [`check`] decides properties and gives a [`Verdict`] for each, with a [`Trace`] where one is
//! violated; [`explore`] hands the whole state space to a [`Sink`].
//!
//! This crate sees a System and never text. It knows no names, no positions, no editor and no
//! terminal.

mod check;
pub mod coverage;
mod differences;
mod explore;
pub mod monitored;
mod pipeline;
pub mod plan;
mod properties;
pub mod runs;
mod sharing;

// A test of this crate needs the disk of the explorer's own tests.
#[cfg(test)]
#[path = "../../explorer/src/search/disk/failing_disk.rs"]
pub mod failing_disk;
mod worker_model;

use stubborn_explorer::{graph, search, store};
pub use stubborn_por::{reduction, related};
use stubborn_space::{
    budget, caller, disk, error, observer, omissions, options, profit, recurring, state, trace,
    verdict,
};
pub use stubborn_space::{interpreter, members, monitor, packed, relations, several, successors};
pub use stubborn_symmetry as symmetry;

/// How runs meet assumptions of fairness.
pub mod fairness {
    pub use crate::monitored::fair::met::{Met, how_met};
}

pub use budget::{Budget, Clock};
pub use caller::{Caller, Resources};
pub use check::again::violated_again;
pub use check::quick::violated_soon;
pub use check::shorten;
pub use check::sliced::{self, check};
pub use differences::differences;
pub use disk::Disk;
pub use error::CheckError;
pub use explore::{Exploration, Goal, Path, Sink, explore, explore_model};
pub use observer::{Event, Observer, Phase, Silent};
pub use omissions::Omissions;
pub use options::{
    Limits, Liveness, Obstacle, Options, Order, Progress, Quick, RandomRuns, Reduction, SMALL,
    Search, Storage, Symmetry, Use,
};
pub use sharing::take_part;
pub use state::{InstanceState, State};
pub use successors::Label;
pub use trace::{Change, MonitorMove, MonitorRun, MonitorState, Trace, TraceStep, Walk, changes};
pub use verdict::{Finding, Outcome, Permuted, Reason, Round, RunsMade, Verdict, Violation};
pub use worker_model::{Gathers, Local, Work};
