//! Names for Systems and properties that say what they hold: equal values have equal fingerprints, and
//! different ones different fingerprints but for a chance of one in 2^128 or so.

use std::hash::{DefaultHasher, Hash, Hasher};

/// 128 bits that stand for a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(u128);

impl Fingerprint {
    pub fn of<T: Hash + ?Sized>(value: &T) -> Fingerprint {
        Fingerprint(u128::from(half(value, 0)) << 64 | u128::from(half(value, 1)))
    }
}

/// Two runs of SipHash that begin differently give two halves that know nothing of each other.
fn half<T: Hash + ?Sized>(value: &T, begin: u64) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write_u64(begin);
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use stubborn_system::system::System;

    use super::*;

    #[test]
    fn equal_systems_have_equal_fingerprints_and_others_have_others() {
        let empty = System::default();
        let mut other = System::default();
        assert_eq!(Fingerprint::of(&empty), Fingerprint::of(&other.clone()));
        other.actions.push(stubborn_system::system::Action {
            arguments: Vec::new(),
        });
        assert_ne!(Fingerprint::of(&empty), Fingerprint::of(&other));
    }
}
