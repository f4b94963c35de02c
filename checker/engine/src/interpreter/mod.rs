//! The reference interpreter: steps straight from the definition in
//! [`stubborn_model::system`], over plain structured values. It shares no code with the packed
//! successor function, and every trace passes through it before anybody sees it.
//!
//! What the definition leaves open is decided here, and in the packed successor function alike:
//! - All arguments of a `receive` are evaluated before any is compared with a message, and one
//!   that fails makes the step fail once, whatever the messages are.
//! - A message or an action's value that is outside the type of the place of a `?` makes the step
//!   fail before its guard is evaluated: in a `receive` once for each such message.
//! - Of several failures in a joint step the first participant's is told, and the combination of
//!   the participants' steps fails once, at the least value for which it does, if an argument, a
//!   `?` or a guard fails; an effect that fails does so for each value and each choice.

mod evaluate;
mod joint;
mod local;
mod replay;
pub mod state;
mod steps;

pub use replay::{Mismatch, replay};
pub use steps::{Occurrence, evaluate, holds, is_terminal, steps};
