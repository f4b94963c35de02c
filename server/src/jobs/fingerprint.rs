//! Names for Systems and properties that say what they hold: equal values have equal fingerprints, and
//! nobody can make two different values that have the same.
//!
//! A fingerprint is the BLAKE3 hash of what the value's `Hash` writes, which begins every list with its
//! length and every choice with its number, so that no two values write the same. It is fixed, where the
//! standard library's hashes may change with its version: verdicts are kept by it between sessions. And
//! it is one for which no collisions can be made up: a model may come from anybody, and must not be able
//! to show another one's verdict as its own.

use std::fmt;
use std::hash::{Hash, Hasher};

/// 256 bits that stand for a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    pub fn of<T: Hash + ?Sized>(value: &T) -> Fingerprint {
        Fingerprint::within(value, &|| {})
    }

    /// The same; `on_the_way` is called now and then, and may unwind.
    pub fn within<T: Hash + ?Sized>(value: &T, on_the_way: &dyn Fn()) -> Fingerprint {
        let mut bytes = Bytes {
            hasher: blake3::Hasher::new(),
            waiting: Vec::with_capacity(512),
            on_the_way,
        };
        value.hash(&mut bytes);
        bytes.flush();
        Fingerprint(*bytes.hasher.finalize().as_bytes())
    }

    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in &self.0[..8] {
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

/// So many bytes are hashed at once: values write a few at a time, and the hash is fast with many, since
/// it takes several pieces of 1,024 side by side.
const AT_ONCE: usize = 1 << 15;

struct Bytes<'w> {
    hasher: blake3::Hasher,
    waiting: Vec<u8>,
    on_the_way: &'w dyn Fn(),
}

impl Bytes<'_> {
    fn flush(&mut self) {
        (self.on_the_way)();
        self.hasher.update(&self.waiting);
        self.waiting.clear();
    }
}

impl Hasher for Bytes<'_> {
    fn write(&mut self, bytes: &[u8]) {
        if self.waiting.len() + bytes.len() > AT_ONCE {
            self.flush();
        }
        if bytes.len() > AT_ONCE {
            self.hasher.update(bytes);
            return;
        }
        self.waiting.extend_from_slice(bytes);
    }

    /// Nobody asks for less than the whole.
    fn finish(&self) -> u64 {
        let mut hasher = self.hasher.clone();
        hasher.update(&self.waiting);
        let mut first = [0; 8];
        first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
        u64::from_le_bytes(first)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

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

    #[test]
    fn a_fingerprint_is_the_blake3_hash_of_what_is_written_however_much_that_is() {
        let long: Vec<u8> = (0..3 * AT_ONCE + 5).map(|n| (n % 251) as u8).collect();
        for part in [1, 7, AT_ONCE, AT_ONCE + 1, long.len()] {
            let written = Parts(long.chunks(part).map(<[u8]>::to_vec).collect());
            assert_eq!(
                Fingerprint::of(&written).bytes(),
                blake3::hash(&long).as_bytes()
            );
        }
    }

    #[test]
    fn whoever_waits_for_a_fingerprint_is_asked_as_it_goes_on() {
        let long = Parts(vec![vec![7; 100]; AT_ONCE / 10]);
        let asked = Cell::new(0);
        let found = Fingerprint::within(&long, &|| asked.set(asked.get() + 1));
        assert_eq!(found, Fingerprint::of(&long));
        assert!(asked.get() >= 10, "{}", asked.get());
    }

    /// Writes its parts without their lengths.
    struct Parts(Vec<Vec<u8>>);

    impl Hash for Parts {
        fn hash<H: Hasher>(&self, to: &mut H) {
            self.0.iter().for_each(|part| to.write(part));
        }
    }
}
