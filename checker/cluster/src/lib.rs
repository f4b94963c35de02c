//! The same search over several processes, on one machine or on several.
//!
//! States are shared out by a hash. Each worker, a thread of one of the processes, keeps those that belong to it
//! ([`stubborn_engine::several::Part`]: the engine's stores, its successors and its reductions), and sends what steps lead
//! to to its owners, in batches, by an exchange of timely dataflow ([`exchange`]). A layer of the breadth-first search is
//! an epoch, and that it is over, everywhere, is told by timely's progress tracking. Then the workers tell each other how
//! many states they have found: where nobody has found any the search is over.
//!
//! What timely has no word for goes over connections of its own, from the first process to each other ([`messages`]): what
//! is searched, what was found, the way to it, the end. They are there before timely's are used, and whoever connects is
//! asked who it is ([`handshake`]). Where one of them breaks, or is silent for too long, the search ends undecided.

mod arriving;
mod connections;
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
mod place;
mod search;
mod searching;
mod share;
mod site;
mod voice;
mod worker;

pub use connections::{GoesOn, Mesh};
pub use faults::Fault;
pub use follower::serve;
pub use identity::{Identity, Secret};
pub use leader::{HowEnded, Leader};
pub use place::Place;
pub use site::{Means, SILENCE};
