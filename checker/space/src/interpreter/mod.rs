//! The reference interpreter: steps straight from the definition in
//! [`stubborn_system::system`], over plain structured values. It shares no code with the packed
//! successor function, and every trace passes through it before anybody sees it.
//!
//! What the definition leaves open is decided here, and in the packed successor function alike:
//! - An argument of a `receive` is treated as one of an `on`: a value outside the type of its part
//!   of the message fails, an argument that fails matches everything, and where the others match
//!   the step fails once, whatever the messages are.
//! - A message or an action's value that is outside the type of the place of a `?` makes the step
//!   fail for it, before the guard is evaluated.
//! - In a joint step an argument that fails makes the combination of the participants' steps fail
//!   once, at the least values that it matches; a `?`, a guard or an effect that fails does so for
//!   each of the values. Of several failures the first participant's is told.

mod arguments;
mod evaluate;
mod joint;
mod local;
mod occurrence;
mod replay;
mod steps;

pub use joint::fixed_values;
pub use occurrence::Occurrence;
pub use replay::{Mismatch, replay};
pub use replay::{replay_while, visit_one, way};
pub use steps::{
    evaluate, evaluate_within, first_steps, holds, is_inside, is_terminal, steps, visit_steps,
};
