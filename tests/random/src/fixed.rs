//! Tests of what a fixed seed draws: the same cases each time, so that as many of them are of some kind each time.

use std::fmt::Debug;
use std::ops::Range;

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

/// As many numbers, which make a [`Source`](crate::systems::Source).
pub fn numbers(count: Range<usize>) -> impl Strategy<Value = Vec<u16>> {
    proptest::collection::vec(any::<u16>(), count)
}

/// Tests so many cases.
///
/// # Panics
/// Where one fails, with the smallest that does.
pub fn test<S: Strategy>(
    cases: u32,
    drawn: &S,
    test: impl Fn(S::Value) -> Result<(), TestCaseError>,
) where
    S::Value: Debug,
{
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let seed = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    if let Err(error) = TestRunner::new_with_rng(config, seed).run(drawn, test) {
        panic!("{error}");
    }
}
