//! Parts of what steps are about that are left out on purpose, one at a time: some system must show that each
//! is needed.

use stubborn_engine::mutation::{Mutation, OF_FOOTPRINTS, mutate};
use stubborn_engine::{Exploration, Limits, Options, Reduction, Silent, Sink, explore};
use stubborn_random::model::Model;
use stubborn_random::sweep::{Models, quietly, sweep};
use stubborn_random::{generate, meetings, read};
use stubborn_system::system::System;

use crate::reductions::tally::Tally;

/// A part that no system of so many needs is not tested.
const MOST_SYSTEMS: u64 = 3000;

/// Whether edges are wanted, so that steps are not remembered.
struct Counting(bool);

impl Sink for Counting {
    fn wants_edges(&self) -> bool {
        self.0
    }
}

fn counted(system: &System, wants_edges: bool) -> Result<Exploration, String> {
    let options = Options {
        reduction: Reduction::None,
        limits: Limits {
            max_states: Some(3_000),
            ..Limits::default()
        },
        ..Options::default()
    };
    let found = explore(system, &options, &Silent, &mut Counting(wants_edges));
    let found = found.map_err(|error| error.to_string())?;
    Ok(Exploration {
        bytes_per_state: 0.0,
        seconds: 0.0,
        ..found
    })
}

/// Takes nothing more away, also after a panic.
struct LeftOut;

impl Drop for LeftOut {
    fn drop(&mut self) {
        mutate(None);
    }
}

fn differs(mutation: Mutation) -> bool {
    let look = |model: &Model, _: u64, _: &mut Tally| {
        let Some(drawn) = read::model(model) else {
            return Ok(false);
        };
        let expected = counted(&drawn.system, true)?;
        if !expected.complete {
            return Ok(false);
        }
        let _left_out = LeftOut;
        mutate(Some(mutation));
        match counted(&drawn.system, false)? == expected {
            true => Ok(true),
            false => Err("other states are found".to_owned()),
        }
    };
    let models = Models {
        draw: |seed| match seed % 2 {
            0 => generate::model(seed),
            _ => meetings::model(seed),
        },
        look: &look,
    };
    let swept = quietly(|| sweep(&models, MOST_SYSTEMS, 0, 1));
    !swept.differences.is_empty()
}

#[test]
fn every_part_of_a_footprint_that_is_left_out_shows() {
    let survivors = OF_FOOTPRINTS.into_iter().filter(|part| !differs(*part));
    let survivors: Vec<Mutation> = survivors.collect();
    assert!(survivors.is_empty(), "no system needs {survivors:?}");
}
