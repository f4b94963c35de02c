//! Small systems drawn by lot, and what watches them: the same seed draws the same everywhere.
//!
//! Most of them are a [`Model`](model::Model), data of this crate's own, and go as
//! [text](render::text) through the whole checker: with anything that the language has
//! ([`generate`]), with processes in each other's way ([`contention`]), with meetings
//! ([`meetings`]), with loops ([`loops`]), with processes that may starve ([`starving`]), and mostly working on their own variables ([`local_runs`]). A [`Case`](watch::Case) has a tester, a formula or an
//! automaton besides. [`systems`] and [`beside`] draw a System and its monitors without a text.
//!
//! A [`sweep`] goes through the seeds in a row and makes small what shows a difference.
//!
//! Oracles are written on top of this, so what draws, spells and shrinks a text shares no code with
//! the checker: [`read`] alone asks it what a text means.

pub mod beside;
pub mod collections;
pub mod contention;
pub mod fixed;
pub mod generate;
pub mod local_runs;
pub mod loops;
pub mod meetings;
pub mod messages;
pub mod mixture;
pub mod model;
pub mod random;
pub mod read;
pub mod refusals;
pub mod render;
pub mod shrink;
mod spell;
pub mod starving;
pub mod sweep;
pub mod symmetric;
pub mod systems;
pub mod value;
pub mod watch;
