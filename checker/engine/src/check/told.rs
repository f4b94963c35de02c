//! What checks of random systems tell, for tests that hold one to another.

use std::num::NonZeroUsize;

use proptest::prelude::*;
use stubborn_random::fixed;
use stubborn_random::systems::Source;
use stubborn_system::property::Property;
use stubborn_system::system::System;

use crate::caller::Caller;
use crate::check;
use crate::options::{Limits, Options, Reduction, Symmetry, Use};
use crate::verdict::Verdict;

/// The verdicts, traces and all, with the counts of what holds.
pub type Told = Vec<(Verdict, Option<(u64, u64, bool)>)>;

/// By a plain search for no more than so many states, on so many threads.
pub fn told(system: &System, asked: &[Property], threads: usize, most: u64) -> Told {
    told_by(system, asked, &within(Reduction::None, threads, most))
}

/// The same with a reduction.
pub fn told_reduced(system: &System, asked: &[Property], threads: usize, most: u64) -> Told {
    told_by(system, asked, &within(Reduction::Stubborn, threads, most))
}

/// The same on one thread, with numbers for states: who asks for what was seen is given them.
pub fn told_with_numbers(
    system: &System,
    asked: &[Property],
    reduction: Reduction,
    most: u64,
) -> Told {
    let options = Options {
        tells_seen: true,
        ..within(reduction, 1, most)
    };
    told_by(system, asked, &options)
}

fn within(reduction: Reduction, threads: usize, most: u64) -> Options {
    Options {
        reduction,
        // Of a state each that steps lead to there is more to be told.
        keep_steps: true,
        // Who is told what was seen is told it of the model's own states.
        symmetry: Symmetry::Off,
        threads: NonZeroUsize::new(threads),
        unnumbered: Use::Always,
        limits: Limits {
            max_states: Some(most),
            ..Limits::default()
        },
        ..Options::default()
    }
}

fn told_by(system: &System, asked: &[Property], options: &Options) -> Told {
    let found = check(system, asked, options, Caller::default()).expect("its states are small");
    let told = found.into_iter().map(|outcome| {
        let holds = outcome.verdict == Verdict::Holds;
        let counts = (outcome.states, outcome.edges, outcome.full);
        (outcome.verdict, holds.then_some(counts))
    });
    told.collect()
}

/// Tests so many random systems, each with random properties.
pub fn drawn(cases: u32, test: impl Fn(&System, Vec<Property>) -> Result<(), TestCaseError>) {
    fixed::test(cases, &fixed::numbers(50..400), |numbers| {
        let mut source = Source::new(&numbers);
        let system = source.system();
        let properties = source.properties(&system);
        test(&system, properties)
    });
}
