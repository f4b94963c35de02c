//! Slices: the part of a System that a property depends on, with the same verdict.
//!
//! No fairness is assumed, so a process that shares nothing with a property can still starve what the
//! property is about, run for ever, fail, or be where it should not stop. What may go depends on the
//! form of the property.
//!
//! # What always may go: data
//!
//! A variable, local or shared, goes with all assignments to it where nothing that stays reads it:
//! no guard, test, argument, index, message, condition or `assert`, no value that is assigned to a
//! variable that stays, and no expression of the property. An assignment may also decide by failing
//! whether the step can be taken, so one that goes must be sure to succeed, which is shown from the
//! types alone ([`bounds`]); else its variable stays. A `?` that goes becomes a `*`; it stays where a
//! false guard would otherwise keep from counting what may fail beside it. A choice that no effect
//! makes any more goes too. Channels that somebody uses stay, with all of their messages.
//!
//! Let π(s) be what stays of the state s. Every step of s, failing ones too, is one of π(s) with the
//! same participants, and leads to π(s') where it leads to s' from s; and every step of π(s) is the
//! image of one of s, the assignments that are gone being sure to succeed. So π is a bisimulation
//! that is a function: s is terminal, has a failing step, is at a final location, or satisfies the
//! property's expression exactly where π(s) does, and a run of either is a run of the other. This
//! keeps every verdict that there is. (Steps that differ only in a choice that is gone fall into
//! one, which counts edges and decides nothing.)
//!
//! # What may be forgotten: values that nobody reads again
//!
//! [`Slice::without_dead`] lets states be one that differ only in such values ([`Dead`]).
//!
//! # What may be taken as one: runs of steps that nobody else can observe or disturb
//!
//! [`Slice::merged`] takes them in one step each ([`Merged`], with the proof). Not for what a monitor
//! watches for.
//!
//! # What may go for an invariant, `may`, `recurrence` and some testers: whole instances
//!
//! The testers are those without `deadlock` and `livelock` states, and `refines` in traces and infinite
//! traces. The cone of influence has the instances whose locations and variables the property reads, and
//! those that can take part in the steps that it names or that a tester sees, and is closed: with an instance that stays, everybody who shares an action with it, values included,
//! since each of them can block it; with a variable that stays, everybody who assigns to it; with a
//! channel that stays, everybody who sends to it or receives from it; and whatever the steps of an
//! instance that stays read, an instance being there for its location and its variables. Assignments
//! to data that are gone are treated as above.
//!
//! Then no step has participants both inside and outside. One of outside, failing or not, changes
//! nothing of π(s), and whether one of inside is enabled, and what it does to π(s), is decided by
//! π(s) alone, which no instance outside writes. So a path from s gives one from π(s) by leaving out
//! the steps of outside; and a path from π(s) is taken from s with everybody outside standing still.
//!
//! - *Invariant*: hence the π(s) of the reachable states s are the reachable states of the slice,
//!   and the expression has the same value, or fails, in both.
//! - *May* (AG EF e): a state with `e` is reachable from s if and only if one is from π(s), and again
//!   the reachable states correspond.
//! - *Recurrence*: what it names are steps of inside, with the same participants, values and places
//!   in both. So leaving out the steps of outside makes of an execution with infinitely many of the
//!   one set and finitely many of the other such an execution of the slice, and one of the slice is
//!   one of the whole in which everybody outside stands still.
//! - *Tester that rejects*, C1: a tester is one more instance of inside, as everybody is who has an
//!   action of its alphabet, also one that it never takes and so blocks. So its `reject` states are
//!   reached in both or in neither, as for an invariant.
//! - *Infinite traces*, C4: the steps that a tester sees are those of inside. So a run on which it is
//!   again and again in an `infinite` state and sees steps again and again is one of the slice without
//!   the steps of outside, and one of the slice is one of the whole, as for a recurrence.
//!
//! Not so an illegal stable failure or divergence (C2, C3): who stands outside can go on where inside
//! has come to rest, and go on for ever unseen. Not so `must`, deadlock, termination and errors: a path
//! of outside alone is a maximal path that never meets a goal of inside, and outside can be deadlocked
//! or fail by itself.
//!
//! # What stays as it is
//!
//! The order of instances, steps, choices and values, so that a search takes what is left in the
//! order of the text; and the locations of the instances that stay keep their numbers, as do the steps of those
//! instances of which none are merged.

mod arrays;
mod bits;
pub mod bounds;
mod cone;
mod dead;
mod dependencies;
mod foreign;
mod guards;
mod layout;
mod merged;
mod own_values;
mod stays;
mod tests_kept;
mod translate;
mod unreached;
mod values;

pub use dead::Dead;
pub use dependencies::Dependencies;
pub use guards::with_bounds_as_guards;
pub use merged::{Merged, Parts};
pub use stays::Cone;
pub use translate::Slice;
