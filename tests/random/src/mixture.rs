//! Models of several kinds, mostly of those in which a reduction has something to get wrong.

use crate::model::Model;
use crate::{contention, generate, loops, meetings};

/// The model of a seed: mostly one with contention, else one with anything that the language has,
/// or one of loops that have nothing to do with each other.
pub fn model(seed: u64) -> Model {
    match seed % 16 {
        0 | 8 => generate::model(seed),
        1 => loops::model(seed),
        _ => contention::model(seed),
    }
}

/// As many with anything that the language has, with processes in each other's way, and with meetings.
pub fn thirds(seed: u64) -> Model {
    match seed % 3 {
        0 => generate::model(seed),
        1 => contention::model(seed),
        _ => meetings::model(seed),
    }
}
