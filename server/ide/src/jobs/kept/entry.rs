//! What is written of a verdict, and what is believed of what is read.
//!
//! ```text
//! stubborn verdict 1
//! 6f1c…                     the BLAKE3 hash of the verdict's name and of all that follows
//! {"verdict":"holds",…}
//! ```
//!
//! A verdict's name is that of its file: the hash of what the program was built from, of the slice and
//! of the property. So an entry is believed only where it is whole, in this format, of this very
//! program, and about what was asked, wherever its file has been meanwhile. Of a violation the run is
//! there by its steps alone, which have to be taken again ([`Path`]).

use serde::{Deserialize, Serialize};
use stubborn_engine::runs::path::{Path, Taken};
use stubborn_engine::{Finding, Reduction};

use crate::jobs::Key;

/// No entry is longer, in bytes: to take a very long run again may cost more than to find it.
pub const LONGEST: u64 = 1 << 20;
/// The first line; the number is the format's.
const FIRST: &str = "stubborn verdict 1\n";

/// What a verdict is kept under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name(blake3::Hash);

impl Name {
    /// `build` is the hash of the program's sources, in which the options of a search are fixed too.
    pub fn new(build: &str, key: Key) -> Name {
        let mut hasher = blake3::Hasher::new();
        hasher.update(FIRST.as_bytes());
        // Each part has a length of its own.
        hasher.update(build.as_bytes());
        hasher.update(key.slice.bytes());
        hasher.update(key.property.bytes());
        Name(hasher.finalize())
    }

    /// 64 digits.
    pub fn digits(&self) -> String {
        self.0.to_hex().to_string()
    }

    fn checksum(&self, body: &[u8]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(self.0.as_bytes());
        hasher.update(body);
        hasher.finalize()
    }
}

/// A decided verdict, with what the search that decided it has cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    #[serde(flatten)]
    pub verdict: Decided,
    pub states: u64,
    pub edges: u64,
    pub full: bool,
    pub reduction: Reduction,
    pub seconds: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum Decided {
    Holds,
    Violated {
        finding: Finding,
        #[serde(with = "KeptPath")]
        path: Path,
    },
}

impl Decided {
    /// Whether it is such a violation, by a run of so many steps.
    pub fn is_violated(&self, how: &Finding, steps: usize) -> bool {
        matches!(self, Decided::Violated { finding, path } if finding == how && path.steps.len() == steps)
    }
}

impl Entry {
    /// Its bytes, unless they are too many.
    pub fn encode(&self, name: Name) -> Option<Vec<u8>> {
        let body = serde_json::to_vec(self).ok()?;
        let checksum = name.checksum(&body).to_hex();
        let mut bytes = format!("{FIRST}{checksum}\n").into_bytes();
        bytes.extend(body);
        (bytes.len() as u64 <= LONGEST).then_some(bytes)
    }

    /// What stands in these bytes, if they are what was written under this name.
    pub fn decode(name: Name, bytes: &[u8]) -> Option<Entry> {
        let rest = bytes.strip_prefix(FIRST.as_bytes())?;
        let (checksum, body) = rest.split_at_checked(CHECKSUM)?;
        let body = body.strip_prefix(b"\n")?;
        if *checksum != *name.checksum(body).to_hex().as_bytes() {
            return None;
        }
        let entry: Entry = serde_json::from_slice(body).ok()?;
        (entry.seconds.is_finite() && entry.seconds >= 0.0).then_some(entry)
    }
}

/// Digits of a checksum.
const CHECKSUM: usize = 2 * blake3::OUT_LEN;

#[derive(Serialize, Deserialize)]
#[serde(remote = "Path")]
struct KeptPath {
    #[serde(with = "steps")]
    steps: Vec<Taken>,
    cycle: Option<usize>,
}

mod steps {
    use serde::{Deserialize, Deserializer, Serializer};
    use stubborn_engine::runs::path::Taken;
    use stubborn_system::system::{ActionId, InstanceId, StepId};

    /// Who takes it, the action with its values, and the way.
    type Kept = (Vec<(InstanceId, StepId)>, Option<(ActionId, Vec<i64>)>, u32);

    pub fn serialize<S: Serializer>(steps: &[Taken], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(
            steps
                .iter()
                .map(|step| (&step.participants, &step.action, step.way)),
        )
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Taken>, D::Error> {
        let steps = Vec::<Kept>::deserialize(from)?.into_iter();
        let steps = steps.map(|(participants, action, way)| Taken {
            participants,
            action,
            way,
        });
        Ok(steps.collect())
    }
}

#[cfg(test)]
mod tests {
    use stubborn_system::system::Failure;

    use super::*;
    use crate::jobs::Fingerprint;

    fn name(about: u64) -> Name {
        name_in("build", about)
    }

    fn name_in(build: &str, about: u64) -> Name {
        let key = Key {
            slice: Fingerprint::of(&about),
            property: Fingerprint::of(&"p"),
        };
        Name::new(build, key)
    }

    fn violated() -> Entry {
        let step = |way| Taken {
            participants: vec![(0, 1), (2, 0)],
            action: Some((1, vec![-3, i64::MAX])),
            way,
        };
        Entry {
            verdict: Decided::Violated {
                finding: Finding::ExpressionFails(Failure::OutsideArray {
                    index: -1,
                    lo: 0,
                    hi: 7,
                }),
                path: Path {
                    steps: vec![step(0), step(4)],
                    cycle: Some(1),
                },
            },
            states: 12,
            edges: 34,
            full: true,
            reduction: Reduction::Stubborn,
            seconds: 0.1,
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let holds = Entry {
            verdict: Decided::Holds,
            ..violated()
        };
        for entry in [holds, violated()] {
            let bytes = entry.encode(name(1)).expect("it is short");
            assert_eq!(Entry::decode(name(1), &bytes), Some(entry));
        }
    }

    #[test]
    fn nothing_that_was_changed_or_cut_is_believed() {
        let bytes = violated().encode(name(1)).expect("it is short");
        for at in 0..bytes.len() {
            assert_eq!(Entry::decode(name(1), &bytes[..at]), None);
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert_eq!(Entry::decode(name(1), &changed), None);
        }
        let longer = [&bytes[..], b" "].concat();
        assert_eq!(Entry::decode(name(1), &longer), None);
    }

    #[test]
    fn what_was_found_of_something_else_is_not_believed() {
        let bytes = violated().encode(name(1)).expect("it is short");
        assert_eq!(Entry::decode(name(2), &bytes), None);
    }

    #[test]
    fn what_another_program_has_written_is_not_believed() {
        let bytes = violated().encode(name(1)).expect("it is short");
        assert_eq!(Entry::decode(name_in("other build", 1), &bytes), None);
        let text = String::from_utf8(bytes).expect("a text");
        let other = text.replace("verdict 1\n", "verdict 2\n");
        assert_eq!(Entry::decode(name(1), other.as_bytes()), None);
    }

    #[test]
    fn a_very_long_run_is_not_kept() {
        let mut entry = violated();
        let Decided::Violated { path, .. } = &mut entry.verdict else {
            panic!("it is violated");
        };
        path.steps = vec![path.steps[0].clone(); 100_000];
        assert_eq!(entry.encode(name(1)), None);
    }

    #[test]
    fn an_entry_has_as_many_bytes_as_are_read() {
        // Each step has a value of so many digits.
        let of = |digits: &[u32]| {
            let step = |digits: &u32| Taken {
                participants: vec![(0, 1)],
                action: Some((1, vec![10_i64.pow(*digits)])),
                way: 0,
            };
            let mut entry = violated();
            if let Decided::Violated { path, .. } = &mut entry.verdict {
                path.steps = digits.iter().map(step).collect();
            }
            entry.encode(name(1)).map(|bytes| bytes.len() as u64)
        };
        let [one, two] = [1, 2].map(|steps| of(&vec![0; steps]).expect("a short entry"));
        let steps = ((LONGEST - one) / (two - one)) as usize;
        // The last ones have what is missing.
        let missing = LONGEST - of(&vec![0; steps]).expect("it fits");
        let found = [missing - 1, missing, missing + 1].map(|missing| {
            let mut digits = vec![0; steps];
            for digit in 0..missing as usize {
                digits[steps - 1 - digit % 8] += 1;
            }
            of(&digits)
        });
        assert_eq!(found, [Some(LONGEST - 1), Some(LONGEST), None]);
    }
}
