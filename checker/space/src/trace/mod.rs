//! Runs that show a violation.
//!
//! A [`Trace`] is kept as the steps that were taken and what each of them changed, so that a run of
//! a million steps takes no more memory than its changes do. Who wants the states goes along it
//! with [`Trace::walk`].
//!
//! A search says what it has found by its own states; from that a run of the system that was
//! searched is recorded ([`Recorder`]); and where it is to be shown it is taken by the reference
//! interpreter in the system as it stands, once.

mod changes;
mod record;
mod rolled;
mod run;

pub use changes::{Change, changes};
pub use record::Recorder;
pub use run::{MonitorMove, MonitorRun, MonitorState, Trace, TraceStep, Walk};
