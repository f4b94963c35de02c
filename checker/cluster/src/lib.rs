//! Distributed search, over several processes on one machine or on several.
//!
//! A hash assigns states to workers, which are threads of the processes. Each worker keeps its
//! [share](share) of the states and sends the targets of steps to their owners, in batches, by an
//! exchange of timely dataflow ([`exchange`]). A layer of the breadth-first search is an epoch,
//! whose end timely's progress tracking shows. Then the workers exchange the numbers of new states;
//! if there are none the search is over.
//!
//! The leader has a connection of its own to each other process for everything else ([`messages`]):
//! the search, its findings, paths, the end. These connections are made before timely's are used,
//! and peers are identified ([`handshake`]). If one of them breaks, or is silent for too long, the
//! search ends undecided.

mod arriving;
mod board;
mod connections;
mod desk;
mod exchange;
mod faults;
mod follower;
mod frames;
mod handshake;
mod identity;
mod leader;
mod link;
mod messages;
mod patience;
mod peers;
mod place;
mod search;
mod searching;
mod share;
mod site;
mod voice;
mod worker;

pub use connections::{GoesOn, Mesh};
pub use desk::Means;
pub use faults::Fault;
pub use follower::serve;
pub use identity::{Identity, Secret};
pub use leader::Leader;
pub use peers::HowEnded;
pub use place::Place;
pub use site::SILENCE;
pub use stubborn_engine::several::{Effort, Question, Several, Shared};
pub use stubborn_engine::{Limits, Reason};
