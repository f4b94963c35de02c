//! The program as its users meet it, from outside.

mod benchmarks;
mod command_line;
mod edits;
mod papers;
mod peers;
mod protocol;
mod random_systems;
mod snippets;
mod workspace;
