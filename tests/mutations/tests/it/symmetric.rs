//! Conditions of symmetry that are left out on purpose, one at a time: some text of like processes must show that
//! each is needed.

#[allow(dead_code, reason = "few texts are gone through here")]
#[path = "../../../../checker/engine/tests/it/symmetry/compared.rs"]
mod compared;

use std::panic::{AssertUnwindSafe, catch_unwind};

use compared::{Tally, Ways, compared};
use stubborn_engine::mutation::{Mutation, OF_SYMMETRY, mutate};
use stubborn_random::sweep::quietly;

/// A condition that no text of so many needs is not tested.
const MOST_TEXTS: u64 = 3000;

/// Where the search for a difference begins: near a text that is known to show one.
fn beginning(mutation: Mutation) -> u64 {
    match mutation {
        Mutation::PermutedGuards => 54,
        Mutation::PermutedCommunication => 15,
        Mutation::PermutedNames => 53,
        Mutation::ChangedPlaces => 23,
        Mutation::TurnedCycles => 264,
        Mutation::TurnedBeside => 410,
        _ => 0,
    }
}

/// How many texts it took, and what was wrong then.
fn first_difference(mutation: Mutation) -> Option<(u64, String)> {
    let begin = beginning(mutation);
    (begin..begin + MOST_TEXTS).find_map(|seed| {
        mutate(Some(mutation));
        let looked = catch_unwind(AssertUnwindSafe(|| {
            compared(seed, Ways::Many, &mut Tally::default())
        }));
        mutate(None);
        match looked {
            Ok(Ok(())) => None,
            Ok(Err(difference)) => Some((seed - begin, difference)),
            Err(_) => Some((seed - begin, "it panics".to_owned())),
        }
    })
}

#[test]
fn every_condition_of_symmetry_that_is_left_out_shows() {
    let mut survivors = Vec::new();
    quietly(|| {
        for mutation in OF_SYMMETRY {
            match first_difference(mutation) {
                Some((after, difference)) => {
                    let first = difference.lines().next().unwrap_or("");
                    println!("{mutation:?} after {after}: {first}");
                }
                None => survivors.push(mutation),
            }
        }
    });
    assert!(survivors.is_empty(), "no text needs {survivors:?}");
}
