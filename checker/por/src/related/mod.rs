//! Packed states with the relations between the steps of their instances.
//!
//! They are not written by hand but found from the model, in this order:
//!
//! 1. Every instance's *local states* are gone through ([`local_states`]), and what each step comes
//!    to there, for all values of the scalars of others that it reads ([`trial`], [`forest`]). What
//!    is too much to be tried is known by its *footprint* alone ([`footprint`]).
//! 2. Which steps an instance can still get to, from each local state ([`futures`]).
//! 3. Which steps are not *independent* of which, and which can make which conjunct true
//!    ([`interference`]), worked out when first asked for.
//! 4. In each state, which outcome each step has there ([`present`]), and whom each instance needs
//!    because of that: *necessary enabling sets* are found here ([`needs`]).
//!
//! What a tester sees, or an automaton that observes states, is in [`visibility`], with the proof.

mod ahead;
mod bounds;
mod checks;
mod classes;
mod conditions;
mod enabling;
mod facts;
mod followed;
mod footprint;
mod forest;
mod futures;
mod interference;
pub mod local_cycles;
mod local_states;
mod model;
mod needs;
mod numbers;
mod outlook;
mod partial;
mod present;
mod recurrences;
mod sensitive;
mod touching;
mod trial;
mod visibility;
mod vocabulary;
mod work;

pub use bounds::Bounds;
pub use conditions::StateCheck;
pub use model::{Related, Scratch};
pub use recurrences::Recurrences;
pub use visibility::{Observed, Tester};
pub use work::{BETWEEN_LOOKS, Look};
