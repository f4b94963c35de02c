//! All that is looked at in one case.

use std::num::NonZeroUsize;

use stubborn_engine::{Caller, Finding, Options, Outcome, Reduction, Storage, Use, Verdict, check};

use super::ask::{Expected, asks, condition};
use super::leads;
use super::process::Process;
use super::product::Product;
use super::replay::{Replay, Watcher};
use super::space::Space;
use super::tableau;
use super::tally::Tally;
use stubborn_random::random::Random;
use stubborn_random::read::{self, Read};
use stubborn_random::watch::formula::Formula;
use stubborn_random::watch::{Case, Monitor};

/// Larger systems are put back: small ones show a mistake as well, and sooner.
const MOST_STATES: usize = 120;
const MOST_PAIRS: usize = 2_000;
const MOST_ATOMS: usize = 6_000;

/// Holds what the checker says of a case against the oracles. `false` where the case is of no use.
///
/// # Errors
/// What is wrong, in words.
pub fn look(case: &Case, seed: u64, tally: &mut Tally) -> Result<bool, String> {
    let Some(read) = read::case(case)? else {
        return Ok(false);
    };
    let Some(space) = Space::of(&read.system, MOST_STATES) else {
        return Ok(false);
    };
    if space.states.len() < 2 {
        return Ok(false);
    }
    let Some(valuations) = space.valuations(&read.system, &read.looks) else {
        return Ok(false);
    };
    let on_runs = space.are_on_runs();
    let replay = |watcher| Replay {
        system: &read.system,
        space: &space,
        valuations: &valuations,
        looks: &read.looks,
        watcher,
    };
    match &case.monitor {
        Monitor::Tester(tester) => {
            let process = Process::of(tester, &case.model, &read.actions);
            let marks = |state: u32| process.marks[state as usize];
            let leads = |pair| process.leads(&space, pair);
            let initial = [(0, process.initial)];
            let Some(product) = Product::of(initial, marks, leads, MOST_PAIRS) else {
                return Ok(false);
            };
            let found = product.found(|_| true);
            let expected = Expected {
                found,
                perhaps: found,
                has_livelock: process.marks.iter().any(|marks| marks.livelock),
                has_infinite: process.marks.iter().any(|marks| marks.infinite),
                is_cut_off: on_runs.contains(&false),
            };
            ask(
                case,
                &read,
                seed,
                &expected,
                &replay(Watcher::Tester(&process)),
                tally,
            )?;
        }
        Monitor::Buchi(buchi) => {
            let initial = buchi.begins(valuations[0]).map(|own| (0, own));
            let leads = |pair| leads::of_buchi(buchi, &space, &valuations, pair);
            let marks = |state| buchi.marks(state);
            let Some(product) = Product::of(initial, marks, leads, MOST_PAIRS) else {
                return Ok(false);
            };
            let mut found = product.found(|state| on_runs[state as usize]);
            let mut perhaps = product.found(|_| true);
            // It has no livelock states; a search may see its cycles so.
            (found[2], perhaps[2]) = (found[3], perhaps[3]);
            let expected = Expected {
                found,
                perhaps,
                has_livelock: false,
                has_infinite: buchi.states.iter().any(|state| state.marks.infinite),
                is_cut_off: on_runs.contains(&false),
            };
            ask(
                case,
                &read,
                seed,
                &expected,
                &replay(Watcher::Buchi(buchi)),
                tally,
            )?;
        }
        Monitor::Testing(testing) => {
            let initial = testing.begins(valuations[0]).map(|own| (0, own));
            let leads = |pair| leads::of_testing(testing, &space, &valuations, pair);
            let marks = |state| testing.marks(state);
            let Some(product) = Product::of(initial, marks, leads, MOST_PAIRS) else {
                return Ok(false);
            };
            let expected = Expected {
                found: product.found(|state| on_runs[state as usize]),
                perhaps: product.found(|_| true),
                has_livelock: testing.states.iter().any(|state| state.marks.livelock),
                has_infinite: testing.states.iter().any(|state| state.marks.infinite),
                is_cut_off: on_runs.contains(&false),
            };
            ask(
                case,
                &read,
                seed,
                &expected,
                &replay(Watcher::Testing(testing)),
                tally,
            )?;
        }
        Monitor::Formula(formula) => {
            let satisfied = |f: &Formula| tableau::is_satisfied(&space, &valuations, f, MOST_ATOMS);
            let (Some(broken), Some(kept)) = (satisfied(&formula.negated()), satisfied(formula))
            else {
                return Ok(false);
            };
            if broken == kept && on_runs[0] != broken {
                return Err("the oracle says that a run satisfies neither".into());
            }
            let found = [broken; 4];
            let expected = Expected {
                found,
                perhaps: found,
                has_livelock: true,
                has_infinite: true,
                is_cut_off: on_runs.contains(&false),
            };
            let replay = replay(Watcher::Formula(formula));
            let holds = ask(case, &read, seed, &expected, &replay, tally)?;
            if holds && on_runs[0] {
                negation_is_violated(case)?;
            }
            let has_one_run = (0..).zip(&space.steps).all(|(state, steps)| {
                steps.len() < 2 && (steps.is_empty() || space.next(state).count() == 1)
            });
            tally.with("single runs", has_one_run);
        }
    }
    tally.with(
        "ends",
        (0..space.states.len() as u32).any(|s| space.ends(s)),
    );
    tally.with("runs cut off", on_runs.contains(&false));
    let fails = space
        .steps
        .iter()
        .flatten()
        .any(|step| step.target.is_none());
    tally.with("failing steps", fails);
    Ok(true)
}

fn outcome(read: &Read, asked: &Options) -> Result<Outcome, String> {
    let properties = std::slice::from_ref(&read.property);
    let outcomes = check(&read.system, properties, asked, Caller::default());
    let mut outcomes = outcomes.map_err(|error| error.to_string())?;
    outcomes.pop().ok_or("no outcome".into())
}

/// Asks in every way. Gives whether the property holds.
fn ask(
    case: &Case,
    read: &Read,
    seed: u64,
    expected: &Expected,
    replay: &Replay<'_>,
    tally: &mut Tally,
) -> Result<bool, String> {
    let is_formula = matches!(case.monitor, Monitor::Formula(_));
    let mut plain = None;
    for asked in asks(&mut Random::new(seed ^ 0xa5_c3d5)) {
        let outcome = outcome(read, &asked)?;
        let shown = match &outcome.verdict {
            Verdict::Violated {
                finding: Finding::Watched(violation),
                trace,
            } => {
                let is_possible = is_formula || expected.perhaps[condition(*violation)];
                let shown = if is_possible {
                    replay.shows(*violation, trace)
                } else {
                    Err(format!("{violation:?}, but {:?} is so", expected.perhaps))
                };
                tally.violation(&case.monitor, *violation);
                shown
            }
            Verdict::Violated { finding, .. } => Err(format!("{finding:?} of what never fails")),
            _ => Ok(()),
        };
        let judged = expected.judge(&case.monitor, &asked, &outcome).and(shown);
        judged.map_err(|complaint| format!("{complaint}\n{asked:?}\n{:?}", outcome.verdict))?;
        tally.verdict(&case.monitor, &asked, &outcome);
        if asked.storage == Storage::Exact && !asked.reduction.is_in_rounds() {
            is_told_by_threads_too(read, &asked, &outcome)?;
        }
        if asked.storage == Storage::Exact {
            match asked.reduction {
                Reduction::None => plain = Some(outcome.states),
                Reduction::Sensitive | Reduction::SensitiveCycles => {
                    tally.in_rounds(&outcome);
                }
                Reduction::Stubborn => {
                    let fewer = plain.is_some_and(|plain| outcome.states < plain);
                    let by_it = outcome.reduction == Reduction::Stubborn;
                    tally.reduced(&case.monitor, by_it && fewer);
                }
            }
        }
    }
    Ok(!expected.is_violated())
}

/// Several threads that go through all states say what one says.
fn is_told_by_threads_too(read: &Read, asked: &Options, alone: &Outcome) -> Result<(), String> {
    let by_threads = Options {
        threads: NonZeroUsize::new(2),
        unnumbered: Use::Always,
        ..*asked
    };
    let found = outcome(read, &by_threads)?;
    let counts = |of: &Outcome| match of.verdict {
        Verdict::Holds => Some((of.states, of.edges, of.full, of.reduction)),
        _ => None,
    };
    match found.verdict == alone.verdict && counts(&found) == counts(alone) {
        true => Ok(()),
        false => Err(format!("{alone:?}, and by threads {found:?}\n{asked:?}")),
    }
}

/// A run satisfies a formula or its negation: where there is a run, one of them is violated.
fn negation_is_violated(case: &Case) -> Result<(), String> {
    let Monitor::Formula(formula) = &case.monitor else {
        return Ok(());
    };
    let negation = Case {
        model: case.model.clone(),
        monitor: Monitor::Formula(formula.negated()),
    };
    let read = read::case(&negation)?.ok_or("the negation has no meaning")?;
    let outcome = outcome(&read, &Options::default())?;
    match outcome.verdict.is_violated() {
        true => Ok(()),
        false => Err("the formula and its negation hold".into()),
    }
}
