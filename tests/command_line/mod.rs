//! The program as its users meet it: what it prints, and how it exits.

mod automaton;
mod check;
mod coverage;
mod depth;
mod designs;
mod effects;
mod exit_status;
mod expected;
mod explore;
mod fairness;
mod falling;
mod fmt;
pub mod folder;
mod human;
mod json;
mod junit;
mod limits;
mod messages;
mod mistakes;
mod monitors;
mod nobody;
mod only;
mod parameters;
#[cfg(unix)]
mod processes;
mod random_runs;
mod reading_limits;
mod sarif;
mod sentences;
mod sets_and_lists;
mod several_files;
mod shortest;
mod simulate;
mod specifications;
mod spill;
mod storage;
mod symmetry;
mod trace_forms;
mod traces;
#[cfg(unix)]
mod used_files;
mod vacuity;
