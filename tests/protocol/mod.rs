//! The language server from outside: the real program, driven over standard input and output.

mod changes;
mod checks;
mod client;
mod configuration;
mod features;
mod files;
mod kept;
mod monitors;
mod navigation;
mod roots;
mod states;
mod sturdiness;
mod synchronisation;
mod writing;
