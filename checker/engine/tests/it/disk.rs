//! Searches on the disk after memory has run out.

use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;

use stubborn_engine::{
    Caller, Disk, Limits, Options, Outcome, Reason, Reduction, Resources, Sink, Symmetry, Use,
    Verdict, check, explore,
};
use stubborn_system::property::Property;
use stubborn_system::system::System;

use crate::models::peterson::{Version, mutex, peterson};

/// Files in memory that does not count as that of searches.
#[derive(Default)]
struct Files(Mutex<(BTreeMap<u64, Vec<u8>>, u64)>);

impl Files {
    fn written(&self) -> u64 {
        self.0.lock().expect("nobody panics").1
    }

    fn are_gone(&self) -> bool {
        self.0.lock().expect("nobody panics").0.is_empty()
    }
}

impl Disk for Files {
    fn append(&self, file: u64, bytes: &[u8]) -> io::Result<()> {
        let (files, written) = &mut *self.0.lock().expect("nobody panics");
        files.entry(file).or_default().extend_from_slice(bytes);
        *written += bytes.len() as u64;
        Ok(())
    }

    fn read(&self, file: u64, from: u64, into: &mut [u8]) -> io::Result<()> {
        let (files, _) = &*self.0.lock().expect("nobody panics");
        let bytes = files.get(&file).and_then(|bytes| {
            let from = usize::try_from(from).ok()?;
            bytes.get(from..from + into.len())
        });
        into.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn remove(&self, file: u64) -> io::Result<()> {
        self.0.lock().expect("nobody panics").0.remove(&file);
        Ok(())
    }
}

fn on_disk(files: &Files) -> Caller<'_> {
    let resources = Resources {
        disk: Some(files),
        ..Resources::default()
    };
    resources.into()
}

fn within(bytes: u64, options: &Options) -> Options {
    Options {
        limits: Limits {
            max_memory: Some(bytes),
            ..Limits::default()
        },
        ..*options
    }
}

fn found(
    system: &System,
    asked: &[Property],
    options: &Options,
    caller: Caller<'_>,
) -> Vec<Outcome> {
    check(system, asked, options, caller).expect("its states are small")
}

fn length(outcome: &Outcome) -> Option<usize> {
    match &outcome.verdict {
        Verdict::Violated { trace, .. } => Some(trace.len()),
        Verdict::Holds | Verdict::Undecided(_) => None,
    }
}

fn plain() -> Options {
    Options {
        reduction: Reduction::None,
        keep_dead_variables: true,
        symmetry: Symmetry::Off,
        ..Options::default()
    }
}

#[test]
fn petersons_algorithm_is_checked_on_the_disk() {
    for version in [Version::Correct, Version::MutexViolating] {
        let system = peterson(3, version);
        let asked = [
            Property::Errors,
            Property::Deadlock { allowed: None },
            Property::Invariant(mutex(3)),
            Property::Termination,
        ];
        let reduced = Options {
            reduction: Reduction::Stubborn,
            ..plain()
        };
        for options in [plain(), reduced] {
            let whole = found(&system, &asked, &plain(), Caller::default());
            let files = Files::default();
            let least = match options.reduction {
                Reduction::None => 400_000,
                _ => 300_000,
            };
            let options = within(least, &options);
            let without = found(&system, &asked, &options, Caller::default());
            let here = found(&system, &asked, &options, on_disk(&files));
            assert!(files.are_gone());
            assert!(files.written() > 100_000, "{}", files.written());
            for at in [0, 1, 2] {
                assert_eq!(length(&here[at]), length(&whole[at]));
                if length(&whole[at]).is_none() {
                    assert_eq!(here[at].verdict, Verdict::Holds, "{at}");
                    assert_eq!(here[at].reduction, Reduction::None);
                }
                if options.is_plain() {
                    let undecided = Verdict::Undecided(Reason::Memory(least));
                    assert!(without[at].verdict == undecided || length(&without[at]).is_some());
                    let figures = |of: &Outcome| (of.states, of.edges, of.full);
                    assert_eq!(figures(&here[at]), figures(&whole[at]), "{at}");
                }
            }
            let undecided = Verdict::Undecided(Reason::NotOnDisk(least));
            assert_eq!(here[3].verdict, undecided);
        }
    }
}

struct Counts;

impl Sink for Counts {
    fn wants_edges(&self) -> bool {
        false
    }
}

#[test]
fn petersons_algorithm_is_counted_on_the_disk() {
    let system = peterson(3, Version::Correct);
    for reduction in [Reduction::None, Reduction::Stubborn] {
        let options = Options {
            reduction,
            foresight: Use::Never,
            ..plain()
        };
        // What is remembered of sets may take so much of memory.
        let sets = |states: u64| match reduction {
            Reduction::None => 0,
            _ => (64 << 10) + 8 * states,
        };
        let count = |options: &Options, caller: Caller<'_>| {
            explore(&system, options, caller, &mut Counts).expect("its states are small")
        };
        let whole = count(&options, Caller::default());
        let little = within(60_000 + 3 * whole.states + sets(whole.states), &options);
        assert!(!count(&little, Caller::default()).complete);
        let files = Files::default();
        let here = count(&little, on_disk(&files));
        let figures = (
            here.states,
            here.edges,
            here.terminal,
            here.full,
            here.complete,
        );
        let expected = (whole.states, whole.edges, whole.terminal, whole.full, true);
        assert_eq!(figures, expected);
        assert!(files.are_gone() && files.written() > 0);
    }
}
