//! The language server from outside: the real program, driven over standard input and output.

mod changes;
mod checks;
mod client;
mod configuration;
mod features;
mod files;
mod monitors;
mod navigation;
mod pull;
mod roots;
mod standing;
mod states;
mod sturdiness;
mod synchronisation;
mod values;
mod writing;
