//! What a reduction is held to, in one small system after the other: the plain state space, and
//! D0, D1 and D2 as they are defined; beside a monitor, the full product and what is asked of sets
//! there.

mod automata;
mod branches;
mod compare;
mod definition;
mod graph;
pub mod monitors;
pub mod seen;
pub mod tally;
mod testers;
mod watched;
pub mod ways;

use std::ops::ControlFlow;

use stubborn_engine::packed::{Expression, Packed};
use stubborn_engine::reduction::Stubborn;
use stubborn_engine::related::{Bounds, Related, StateCheck};
use stubborn_engine::{Use, Verdict};
use stubborn_system::property::Property;

use compare::Asked;
use graph::Graph;
use stubborn_random::model::Model;
use stubborn_random::read;
use tally::Tally;

/// Larger systems are put back: small ones show a mistake as well, and sooner.
const MOST_STATES: usize = 400;
/// Where all sequences of steps are gone through.
const MOST_STATES_FOR_DEFINITIONS: usize = 150;
/// And smaller ones: there is nothing in them to leave out.
const LEAST_STATES: u32 = 4;

/// Compares what is found in a model with the reduction and without.
pub fn compared(model: &Model, seed: u64, tally: &mut Tally) -> Result<bool, String> {
    let Some(drawn) = read::model(model) else {
        return Ok(false);
    };
    let packed = Packed::new(&drawn.system).map_err(|error| error.to_string())?;
    let Some(mut graph) = Graph::new(&packed, MOST_STATES, false) else {
        return Ok(false);
    };
    if graph.states() < LEAST_STATES {
        return Ok(false);
    }
    let asked = Asked::of_seed(seed);
    let size = (u64::from(graph.states()), graph.edges() as u64);
    let explored = compare::terminal_states_agree(&graph, asked)
        .map_err(|complaint| format!("{complaint} ({asked:?})"))?;
    let ending = graph.can_reach(|state| graph.is_terminal(state));
    let terminating = ending.iter().all(|ends| *ends);
    tally.system(size, (explored.states, explored.edges), terminating);
    let has_terminal = (0..graph.states()).any(|state| graph.is_terminal(state));
    tally.with("terminal states", has_terminal);
    tally.with_parts(model);
    let properties: Vec<Property> = drawn
        .properties
        .iter()
        .map(|p| p.property.clone())
        .collect();
    let plain = compare::plain(&drawn.system, &properties)?;
    let reduced = compare::outcomes(&drawn.system, &properties, asked)?;
    for (k, named) in drawn.properties.iter().enumerate() {
        tally.verdict(&properties[k], terminating, size, &reduced[k]);
        compare::agree(&mut graph, &properties[k], &plain[k], &reduced[k])
            .map_err(|complaint| format!("{}: {complaint} ({asked:?})", named.name))?;
    }
    // What a search that a limit ends has come to by then is so, and nothing else.
    let most = 1 + (seed >> 8) % size.0;
    let cut = compare::outcomes_within(&drawn.system, &properties, asked, Some(most))?;
    for (k, named) in drawn.properties.iter().enumerate() {
        if let Verdict::Undecided(_) = &cut[k].verdict {
            continue;
        }
        tally.cut_short(&properties[k], &cut[k].verdict);
        compare::agree(&mut graph, &properties[k], &plain[k], &cut[k])
            .map_err(|complaint| format!("{}: {complaint} ({asked:?}, {most})", named.name))?;
    }
    Ok(true)
}

/// Checks the chosen sets by the definition.
pub fn defined(model: &Model, seed: u64, tally: &mut Tally) -> Result<bool, String> {
    defined_within(Bounds::default(), model, seed, tally)
}

/// The same where little may be found out of the steps.
pub fn defined_with_little(model: &Model, seed: u64, tally: &mut Tally) -> Result<bool, String> {
    let bounds = little(seed);
    let found = defined_within(bounds, model, seed, tally);
    found.map_err(|complaint| format!("{complaint} ({bounds:?})"))
}

/// That little may be found out of the steps: of each kind in some of the turns, so that all that is done
/// instead is done with all else.
fn little(seed: u64) -> Bounds {
    let mut left = seed;
    let mut rarely = |usually: u64| {
        left = (left ^ left >> 29).wrapping_mul(0x5851_f42d_4c95_7f2d) | 1;
        match (left >> 40) % 16 {
            little @ 0..6 => little,
            _ => usually,
        }
    };
    let all = Bounds::default();
    Bounds {
        local_states: rarely(all.local_states as u64) as usize,
        scalars: rarely(all.scalars as u64) as usize,
        trials_of_a_part: rarely(all.trials_of_a_part.into()) as u32,
        trials: rarely(all.trials.into()) as u32,
        trials_in_all: all.trials_in_all,
        least_trials: 0,
        variants: rarely(all.variants),
        own: rarely(all.own as u64) as usize,
        combinations: rarely(all.combinations),
        ways: rarely(all.ways as u64) as usize,
        pairs: rarely(all.pairs as u64) as usize,
        neighbours: rarely(all.neighbours as u64) as usize,
        foreseen: all.foreseen,
        reaches: rarely(all.reaches as u64) as usize,
        futures: rarely(all.futures as u64) as usize,
    }
}

fn defined_within(
    bounds: Bounds,
    model: &Model,
    seed: u64,
    tally: &mut Tally,
) -> Result<bool, String> {
    let Some(drawn) = read::model(model) else {
        return Ok(false);
    };
    let packed = Packed::new(&drawn.system).map_err(|error| error.to_string())?;
    let Some(mut graph) = Graph::new(&packed, MOST_STATES_FOR_DEFINITIONS, true) else {
        return Ok(false);
    };
    if graph.states() < LEAST_STATES {
        return Ok(false);
    }
    let mut checks: Vec<(Expression, StateCheck)> = Vec::new();
    let mut shown = Vec::new();
    // In every other turn the properties are left aside.
    let properties = drawn.properties.iter().map(|named| &named.property);
    for property in properties.filter(|_| seed.is_multiple_of(2)) {
        let (e, how) = match property {
            Property::Invariant(e) => (e, StateCheck::Falsehood),
            Property::MayProgress(e) => (e, StateCheck::Failure),
            Property::Reachable(e) => (e, StateCheck::Truth),
            _ => continue,
        };
        let values = graph.values(e);
        let shows = |value: &Option<bool>| match how {
            StateCheck::Falsehood => *value != Some(true),
            StateCheck::Truth => *value == Some(true),
            StateCheck::Failure => value.is_none(),
        };
        shown.push(values.iter().map(shows).collect());
        checks.push((packed.expression(e), how));
    }
    let checks: Vec<_> = checks.iter().map(|(e, how)| (e, *how)).collect();
    let related = Related::within(bounds, &packed, &checks, &mut |_| ControlFlow::Continue(()));
    let related = related.continue_value().expect("nothing breaks it off");
    for foresight in [Use::Never, Use::Always] {
        let stubborn = Stubborn::new(&related).foreseeing(foresight);
        let tested = definition::obeyed(&mut graph, &stubborn, &shown)?;
        tally.tested(&tested);
    }
    tally.with_parts(model);
    Ok(true)
}
