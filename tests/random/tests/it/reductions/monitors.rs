//! Reduced products with random monitors, held against the full ones.

use std::fmt::Debug;
use std::ops::ControlFlow;

use stubborn_engine::packed::{Expression, Packed};
use stubborn_engine::reduction::{Awaits, Stubborn};
use stubborn_engine::related::{Bounds, Observed, Related, Tester};
use stubborn_engine::successors::Successors;

use super::automata::{self, Collector};
use super::definition::{Fired, Set, Tested, obeyed_and};
use super::graph::Graph;
use super::little;
use super::tally::Tally;
use super::testers;
use super::watched::Product;
use stubborn_random::beside;
use stubborn_random::model::Model;
use stubborn_random::read;

const ALL_AWAITS: [Awaits; 3] = [Awaits::Livelock, Awaits::Lasting, Awaits::Ending];
const MOST_STATES: usize = 600;
const MOST_STATES_FOR_DEFINITIONS: usize = 100;
const LEAST_STATES: usize = 4;

/// Whether both have a violation, or neither, and the reduced one has nothing that the full one has
/// not.
fn agree(full: &Product, reduced: &Product, tally: &mut Tally) -> Result<(), String> {
    let (all, some) = (full.violations(), reduced.violations());
    if all.contains(&true) != some.contains(&true) {
        return Err(format!("C1 to C4 are {all:?}, with the reduction {some:?}"));
    }
    if all.iter().zip(some).any(|(all, some)| some && !all) {
        return Err(format!("the reduction shows {some:?} of {all:?}"));
    }
    if reduced.states() > full.states() || reduced.edges() > full.edges() {
        return Err("the reduced product is larger".into());
    }
    tally.product(full.states(), reduced.states());
    tally.with("violations", all.contains(&true));
    tally.with("none", !all.contains(&true));
    for (what, holds) in ["C1", "C2", "C3", "C4"].into_iter().zip(all) {
        tally.with(what, holds);
    }
    Ok(())
}

/// What a tester's system and its tester are, for a complaint.
fn told(complaint: String, what: &impl Debug) -> String {
    format!("{complaint}\nof {what:?}")
}

fn beside_tester<'a>(
    bounds: Bounds,
    packed: &'a Packed<'a>,
    tested: &beside::testers::Tested,
) -> Stubborn<Related<'a>, Tester> {
    let related = Related::within(bounds, packed, &[], &mut |_| ControlFlow::Continue(()));
    let related = related.continue_value().expect("nothing breaks it off");
    let tester = Tester::new(&related, tested.monitor, testers::awaits(tested));
    Stubborn::beside(related, tester)
}

/// The steps of the system, beside an automaton of whose state this lies ahead.
fn observing<'a>(
    bounds: Bounds,
    packed: &'a Packed<'a>,
    expressions: &[Expression],
    awaits: Awaits,
) -> Stubborn<Related<'a>, Observed> {
    let look = &mut |_| ControlFlow::Continue(());
    let known = Related::observing_within(bounds, packed, expressions, look);
    let (related, mut observed) = known.continue_value().expect("nothing breaks it off");
    observed.awaits = awaits;
    Stubborn::beside(related, observed)
}

/// A system with a tester, and whether the product's violations are kept.
pub fn testers_agree(model: &Model, seed: u64, tally: &mut Tally) -> Result<bool, String> {
    let Some(drawn) = read::model(model) else {
        return Ok(false);
    };
    let tested = beside::testers::tested(&drawn.system, seed);
    let packed = Packed::new(&tested.system).map_err(|error| error.to_string())?;
    let Some(full) = testers::product(&tested, &packed, &packed, MOST_STATES) else {
        return Ok(false);
    };
    if full.states() < LEAST_STATES {
        return Ok(false);
    }
    let stubborn = beside_tester(Bounds::default(), &packed, &tested);
    let reduced = testers::product(&tested, &packed, &stubborn, MOST_STATES);
    let reduced = reduced.ok_or("the reduced product is too large")?;
    agree(&full, &reduced, tally).map_err(|complaint| told(complaint, &tested))?;
    tally.with_parts(model);
    Ok(true)
}

/// A system with a tester, and whether its sets are as the theorem wants them.
pub fn tester_sets_obey(model: &Model, seed: u64, tally: &mut Tally) -> Result<bool, String> {
    tester_sets_obey_within(Bounds::default(), model, seed, tally)
}

/// The same where little may be found out of the steps.
pub fn tester_sets_obey_with_little(
    model: &Model,
    seed: u64,
    tally: &mut Tally,
) -> Result<bool, String> {
    let bounds = little(seed);
    let found = tester_sets_obey_within(bounds, model, seed, tally);
    found.map_err(|complaint| format!("{complaint} ({bounds:?})"))
}

fn tester_sets_obey_within(
    bounds: Bounds,
    model: &Model,
    seed: u64,
    tally: &mut Tally,
) -> Result<bool, String> {
    let Some(drawn) = read::model(model) else {
        return Ok(false);
    };
    let tested = beside::testers::tested(&drawn.system, seed);
    let packed = Packed::new(&tested.system).map_err(|error| error.to_string())?;
    let stubborn = beside_tester(bounds, &packed, &tested);
    let Some(mut graph) = Graph::new(&packed, MOST_STATES_FOR_DEFINITIONS, true) else {
        return Ok(false);
    };
    let mut scratch = stubborn.scratch();
    let mut fire = |state: &[u64], fired: &mut Fired| {
        let _ = stubborn.visit(state, &mut scratch, fired);
    };
    let more = |set: &Set<'_, '_>, others: &[u32]| testers::fulfils(&tested, set, others);
    let counts = obeyed_and(&mut graph, &mut fire, &[], &more)
        .map_err(|complaint| told(complaint, &tested))?;
    tally.tested(&counts);
    tally.with_parts(model);
    Ok(true)
}

/// A system beside an automaton that observes its states, and whether the product's violations are
/// kept.
pub fn automata_agree(model: &Model, seed: u64, tally: &mut Tally) -> Result<bool, String> {
    let Some(drawn) = read::model(model) else {
        return Ok(false);
    };
    let automaton = beside::automata::automaton(&drawn.system, &drawn.properties, seed);
    let packed = Packed::new(&drawn.system).map_err(|error| error.to_string())?;
    let mut scratch = packed.scratch();
    let mut all_steps = |state: &[u64], _: Awaits, collector: &mut Collector| {
        let _ = packed.visit(state, &mut scratch, collector);
    };
    let Some(full) = automata::product(&automaton, &packed, &mut all_steps, MOST_STATES) else {
        return Ok(false);
    };
    if full.states() < LEAST_STATES {
        return Ok(false);
    }
    let mut reduced = ALL_AWAITS.map(|awaits| {
        let expressions = automata::expressions(&automaton, &packed);
        let stubborn = observing(Bounds::default(), &packed, &expressions, awaits);
        (awaits, stubborn.scratch(), stubborn)
    });
    let mut some_steps = |state: &[u64], awaits: Awaits, collector: &mut Collector| {
        let found = reduced.iter_mut().find(|(known, ..)| *known == awaits);
        let (_, scratch, stubborn) = found.expect("it is one of all");
        let _ = stubborn.visit(state, scratch, collector);
    };
    let reduced = automata::product(&automaton, &packed, &mut some_steps, MOST_STATES);
    let reduced = reduced.ok_or("the reduced product is too large")?;
    agree(&full, &reduced, tally).map_err(|complaint| told(complaint, &automaton))?;
    tally.with_parts(model);
    Ok(true)
}

/// A system of which some expressions are observed, and whether its sets are as they should be.
pub fn observing_sets_obey(model: &Model, seed: u64, tally: &mut Tally) -> Result<bool, String> {
    observing_sets_obey_within(Bounds::default(), model, seed, tally)
}

/// The same where little may be found out of the steps.
pub fn observing_sets_obey_with_little(
    model: &Model,
    seed: u64,
    tally: &mut Tally,
) -> Result<bool, String> {
    let bounds = little(seed);
    let found = observing_sets_obey_within(bounds, model, seed, tally);
    found.map_err(|complaint| format!("{complaint} ({bounds:?})"))
}

fn observing_sets_obey_within(
    bounds: Bounds,
    model: &Model,
    seed: u64,
    tally: &mut Tally,
) -> Result<bool, String> {
    let Some(drawn) = read::model(model) else {
        return Ok(false);
    };
    let automaton = beside::automata::automaton(&drawn.system, &drawn.properties, seed);
    let packed = Packed::new(&drawn.system).map_err(|error| error.to_string())?;
    let expressions = automata::expressions(&automaton, &packed);
    let Some(mut graph) = Graph::new(&packed, MOST_STATES_FOR_DEFINITIONS, true) else {
        return Ok(false);
    };
    let mut of_states = packed.scratch();
    let values: Vec<Option<u32>> = (0..graph.states())
        .map(|s| automata::valuation(&packed, &expressions, graph.words(s), &mut of_states))
        .collect();
    let mut counts = Tested::default();
    let told = |complaint| told(complaint, &automaton);
    for awaits in ALL_AWAITS {
        let stubborn = observing(bounds, &packed, &expressions, awaits);
        let mut scratch = stubborn.scratch();
        let mut fire = |state: &[u64], fired: &mut Fired| {
            let _ = stubborn.visit(state, &mut scratch, fired);
        };
        let more =
            |set: &Set<'_, '_>, others: &[u32]| automata::fulfils(set, others, &values, awaits);
        let found = obeyed_and(&mut graph, &mut fire, &[], &more).map_err(told)?;
        counts.states += found.states;
        counts.reduced += found.reduced;
        counts.squares += found.squares;
    }
    tally.tested(&counts);
    tally.with_parts(model);
    Ok(true)
}
