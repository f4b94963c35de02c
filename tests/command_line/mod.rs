//! The program as its users meet it: what it prints, and how it exits.

mod automaton;
mod check;
mod exit_status;
mod expected;
mod explore;
mod fairness;
mod fmt;
mod folder;
mod human;
mod json;
mod junit;
mod limits;
mod mistakes;
mod monitors;
mod sarif;
mod save;
mod sentences;
mod several_files;
mod spill;
mod storage;
mod traces;
#[cfg(unix)]
mod used_files;
