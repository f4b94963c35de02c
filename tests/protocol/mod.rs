//! The language server from outside: the real program, driven over standard input and output.

mod changes;
mod checks;
mod client;
mod configuration;
mod explorer;
mod features;
mod files;
mod kept;
mod load;
mod monitors;
mod navigation;
mod never;
mod pictures;
mod pull;
mod roots;
mod standing;
mod states;
mod sturdiness;
mod synchronisation;
mod traces;
mod values;
mod writing;

use std::env;
use std::str::FromStr;

/// A number that whoever starts the tests may set.
fn set<T: FromStr>(name: &str, otherwise: T) -> T {
    let value = env::var(name).ok().and_then(|value| value.parse().ok());
    value.unwrap_or(otherwise)
}
