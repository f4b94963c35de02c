//! Conditions of the reduction that are left out on purpose, one at a time: some system must show
//! that each is needed.

use stubborn_engine::mutation::{MUTATIONS, Mutation, OF_MONITORS, mutate};
use stubborn_random::model::Model;
use stubborn_random::sweep::{Difference, Models, quietly, sweep};
use stubborn_random::{messages, mixture};

use crate::reductions::monitors::{automata_agree, observing_sets_obey, testers_agree};
use crate::reductions::tally::Tally;
use crate::reductions::{compared, defined};

/// A condition that no system of so many needs is not tested.
const MOST_SYSTEMS: u64 = 6000;

/// Puts the condition back, also after a panic.
struct LeftOut;

impl LeftOut {
    fn new(mutation: Mutation) -> LeftOut {
        mutate(Some(mutation));
        LeftOut
    }
}

impl Drop for LeftOut {
    fn drop(&mut self) {
        mutate(None);
    }
}

/// The first difference that leaving a condition out makes, from a seed on.
fn first_difference(mutation: Mutation, from: u64) -> Option<Difference<Model>> {
    let look = |model: &Model, seed: u64, tally: &mut Tally| {
        let _left_out = LeftOut::new(mutation);
        if OF_MONITORS.contains(&mutation) {
            let has_tester = testers_agree(model, seed, tally)?;
            let is_observed = automata_agree(model, seed, tally)?;
            return Ok(observing_sets_obey(model, seed, tally)? || has_tester || is_observed);
        }
        let is_defined = defined(model, seed, tally)?;
        Ok(compared(model, seed, tally)? || is_defined)
    };
    let models = Models {
        draw: match mutation {
            Mutation::MessagesAskedFor | Mutation::MessagesThatFail => messages::model,
            _ => mixture::model,
        },
        look: &look,
    };
    let swept = sweep(&models, MOST_SYSTEMS, from, 1);
    swept.differences.into_iter().min_by_key(|d| d.seed)
}

/// Where the search for a difference begins: near a system that is known to show one.
fn beginning(mutation: Mutation) -> u64 {
    let near = match mutation {
        // Two senders that are enabled at the same lengths and stay so, which is rare.
        Mutation::Channels => return (7 << 32) + 10020,
        Mutation::Visibility | Mutation::VisibleEnabling => 133,
        Mutation::Bags => 326,
        Mutation::Ignoring => 348,
        _ => 0,
    };
    (3 << 32) + near
}

#[test]
fn every_condition_that_is_left_out_shows() {
    all_show(&MUTATIONS);
}

#[test]
fn every_condition_that_only_monitors_need_shows_if_it_is_left_out() {
    all_show(&OF_MONITORS);
}

fn all_show(mutations: &[Mutation]) {
    let found = mutations.iter().map(|mutation| {
        let begin = beginning(*mutation);
        let difference = first_difference(*mutation, begin);
        (mutation, begin, difference)
    });
    let found: Vec<_> = quietly(|| found.collect());
    for (mutation, begin, difference) in &found {
        match difference {
            Some(d) => {
                let first = d.complaint.lines().next().unwrap_or("");
                println!("{mutation:?} after {}: {first}", d.seed - begin);
            }
            None => println!("{mutation:?} survives"),
        }
    }
    let survivors = found.iter().filter(|(_, _, d)| d.is_none());
    let survivors: Vec<_> = survivors.map(|(mutation, ..)| mutation).collect();
    assert!(survivors.is_empty(), "no system needs {survivors:?}");
}
