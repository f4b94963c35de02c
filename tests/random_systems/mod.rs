//! Small systems drawn by lot go as text through the whole program, and an oracle that is written
//! straight from the definitions of the language checks what it says of them.
//!
//! Five hundred systems from a fixed seed belong to the tests. For more, or others:
//!
//! ```text
//! STUBBORN_RANDOM_SYSTEMS=100000 STUBBORN_SEED=7 \
//!     cargo test -p stubborn --release --test whole_program -- --nocapture agrees_with_the_oracle
//! ```
//!
//! A difference is printed with the model, made as small as it can be. `STUBBORN_SYSTEM=SEED`
//! looks at one system alone.

mod collected;
mod collections;
mod compare;
mod constants;
mod evaluate;
mod expand;
mod points;
mod program;
mod recurrence;
mod rule;
mod show;
mod shown;
mod space;
mod state;
mod statistics;
mod steps;
mod strangers;

use stubborn_random::generate;
use stubborn_random::model::Model;
use stubborn_random::sweep::{self, Models};

use collected::Collected;
use program::Program;
use space::Space;
use state::System;
use statistics::Statistics;

/// Larger systems are put back: small ones show a mistake as well, and sooner.
const MOST_STATES: usize = 2500;

#[test]
fn the_program_agrees_with_the_oracle_on_random_systems() {
    let program = Program::new("agrees");
    let look = |model: &Model, seed: u64, statistics: &mut Statistics| {
        let system = System::new(model.clone());
        if !constants::are_sound(&system) || !rule::is_obeyed(&system) {
            return Ok(false);
        }
        let Some(space) = Space::of(&system, MOST_STATES) else {
            return Ok(false);
        };
        statistics.count(&system, &space);
        program.agrees(&system, &space, seed)?;
        Ok(true)
    };
    let models = Models {
        draw: generate::model,
        look: &look,
    };
    if let Some(statistics) = sweep::test(&models, 500) {
        statistics.assert_diverse();
    }
}

/// The same of systems with sets and lists.
#[test]
fn the_program_agrees_with_the_oracle_on_random_systems_with_collections() {
    let program = Program::new("collections");
    let look = |model: &Model, seed: u64, collected: &mut Collected| {
        let system = System::new(model.clone());
        if !constants::are_sound(&system) || !rule::is_obeyed(&system) {
            return Ok(false);
        }
        let Some(space) = Space::of(&system, MOST_STATES) else {
            return Ok(false);
        };
        // Sets in conditions of sets can be more than may be written out.
        match program.agrees(&system, &space, seed) {
            Err(complaint) if complaint.starts_with("text \"too-large\"") => return Ok(false),
            agrees => agrees?,
        }
        collected.count(&system, &space);
        Ok(true)
    };
    let models = Models {
        draw: generate::with_collections,
        look: &look,
    };
    if let Some(collected) = sweep::test(&models, 300) {
        collected.assert_diverse();
    }
}

/// Two participants that write the same variable are told of, wherever guards keep them apart.
#[test]
fn a_joint_step_that_writes_a_variable_twice_is_an_error_in_the_text() {
    let program = Program::new("conflicts");
    let mut seen = 0;
    let mut seed = 77 << 32;
    while seen < 40 {
        seed += 1;
        let Some(model) = rule::broken(generate::model(seed)) else {
            continue;
        };
        if !constants::are_sound(&System::new(model.clone())) {
            continue;
        }
        seen += 1;
        program.tells_of_a_conflict(&model);
    }
}
