//! Properties of fair runs, of small systems drawn by lot, held to an oracle ([`oracle`]).
//!
//! Assumptions are drawn over the steps of a system: what an instance takes, all of it or at some locations, and joint
//! steps, weak ones and strong ones. Each verdict is that of the oracle, and the run of each violation is gone through:
//! it ends, or its cycle meets all assumptions by their definition.

mod assumed;
mod oracle;
pub mod tally;
mod texts;

use stubborn_engine::{
    Caller, Finding, Options, Order, Outcome, Reduction, Trace, Verdict, Violation, check,
};
use stubborn_random::model::Model;
use stubborn_random::random::Random;
use stubborn_random::sweep::Subject;
use stubborn_random::watch::{self, Case, Kind, Monitor};
use stubborn_random::{mixture, read, starving};
use stubborn_system::property::{Assumption, Fair, Property};
use stubborn_system::system::System;

use oracle::{Asked, Oracle};
use tally::Tally;

const MOST_STATES: usize = 60;

/// Systems with something that watches them.
pub struct Cases(pub Kind);

impl Subject for Cases {
    type Case = Case;
    type Tally = Tally;

    fn draw(&self, seed: u64) -> Option<Case> {
        match seed % 4 {
            0 => watch::draw(self.0, seed),
            _ => watch::of(starving::model(seed), self.0, seed),
        }
    }

    fn look(&self, case: &Case, seed: u64, tally: &mut Tally) -> Result<bool, String> {
        // What is drawn of a constant alone may be a mistake in the text.
        let Ok(Some(read)) = read::case(case) else {
            return Ok(false);
        };
        let asked = match &case.monitor {
            Monitor::Formula(formula) => Asked::Formula(formula),
            Monitor::Buchi(buchi) => Asked::Buchi(buchi),
            Monitor::Testing(testing) => Asked::Testing(testing),
            Monitor::Tester(_) => return Ok(false),
        };
        let random = &mut Random::new(seed ^ 0xfa1_5eed);
        let assumptions = assumed::draw(&read.system, random);
        let Some(oracle) = Oracle::of(&read.system, &assumptions, &read.looks, MOST_STATES) else {
            return Ok(false);
        };
        holds_as_said(
            (&read.system, &oracle),
            &read.property,
            &asked,
            random,
            tally,
        )
    }

    fn text(&self, case: &Case) -> String {
        let (model, watch) = case.texts();
        format!("{model}\n--- watch.tester\n{watch}")
    }

    fn smallest(&self, case: Case, differs: &dyn Fn(&Case) -> bool) -> Case {
        case.smallest(differs)
    }
}

/// Systems that have properties themselves.
pub fn asked_of(seed: u64) -> Model {
    match seed % 4 {
        0 => mixture::model(seed),
        _ => starving::model(seed),
    }
}

/// Asks for `must` and `recurrence`.
pub fn of_states_and_steps(model: &Model, seed: u64, tally: &mut Tally) -> Result<bool, String> {
    let Some(drawn) = read::model(model) else {
        return Ok(false);
    };
    let random = &mut Random::new(seed ^ 0xfa1_5eed);
    let assumptions = assumed::draw(&drawn.system, random);
    let mut is_used = false;
    for named in &drawn.properties {
        let looks = named.property.expressions();
        let asked = match &named.property {
            Property::MustProgress(_) => Asked::Must,
            Property::Recurrence(infinitely, implies) => Asked::Recurrence(infinitely, implies),
            _ => continue,
        };
        let Some(oracle) = Oracle::of(&drawn.system, &assumptions, looks, MOST_STATES) else {
            continue;
        };
        let asked = (&named.property, &asked);
        let held = holds_as_said((&drawn.system, &oracle), asked.0, asked.1, random, tally);
        is_used |= held.map_err(|complaint| format!("{}: {complaint}", named.name))?;
    }
    Ok(is_used)
}

fn holds_as_said(
    (system, oracle): (&System, &Oracle<'_>),
    property: &Property,
    asked: &Asked<'_>,
    random: &mut Random,
    tally: &mut Tally,
) -> Result<bool, String> {
    let (Some(expected), Some(of_all)) = (oracle.is_violated(asked), oracle.of_all_runs(asked))
    else {
        return Ok(false);
    };
    let fair = Property::Fair(Fair {
        property: Box::new(property.clone()),
        assumptions: oracle.assumptions.to_vec().into(),
    });
    for _ in 0..2 {
        let options = Options {
            order: *random.pick(&[Order::Forward, Order::Reverse]),
            reduction: *random.pick(&[Reduction::Stubborn, Reduction::None]),
            keep_dead_variables: random.one_in(2),
            ..Options::default()
        };
        let outcome = outcome(system, &fair, &options)?;
        let told = match &outcome.verdict {
            Verdict::Holds if !expected => Ok(()),
            Verdict::Violated { finding, trace } if expected => {
                shows(oracle, asked, finding, trace)
            }
            _ => Err(format!(
                "but the oracle says that it is violated: {expected}"
            )),
        };
        let assumptions = oracle.assumptions;
        told.map_err(|complaint| {
            format!(
                "{complaint}\n{options:?}\n{property:?}\n{assumptions:?}\n{:?}",
                outcome.verdict
            )
        })?;
    }
    tally.verdict(property, oracle.assumptions, expected, of_all);
    Ok(true)
}

fn outcome(system: &System, property: &Property, options: &Options) -> Result<Outcome, String> {
    let outcomes = check(
        system,
        std::slice::from_ref(property),
        options,
        Caller::default(),
    );
    let mut outcomes = outcomes.map_err(|error| error.to_string())?;
    outcomes.pop().ok_or("no outcome".into())
}

/// Whether a run, whose steps the engine's interpreter has taken, violates what is asked and is fair.
fn shows(
    oracle: &Oracle<'_>,
    asked: &Asked<'_>,
    finding: &Finding,
    trace: &Trace,
) -> Result<(), String> {
    match finding {
        Finding::ExpressionFails(_) => {
            return Err("an expression fails, of those that never do".into());
        }
        // How the run goes on is not shown.
        Finding::Watched(Violation::Reject) => return Ok(()),
        _ => {}
    }
    let run = oracle
        .along(trace)
        .ok_or("the run goes where there is no state")?;
    match () {
        () if !oracle.is_fair(&run) => Err("its run is not fair".into()),
        () if !oracle.is_broken(asked, &run) => Err("its run does not violate it".into()),
        () => Ok(()),
    }
}

/// Whether there are weak ones, and strong ones.
pub fn strengths(assumptions: &[Assumption]) -> (bool, bool) {
    let strong = assumptions.iter().any(|one| one.is_strong);
    let weak = assumptions.iter().any(|one| !one.is_strong);
    (weak, strong)
}
