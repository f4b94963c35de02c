//! The program as its users meet it: what it prints, and how it exits.

mod check;
mod exit_status;
mod explore;
mod fmt;
mod folder;
mod human;
mod json;
mod junit;
mod limits;
mod sarif;
mod sentences;
mod several_files;
