//! Conditions of the reduction that are left out on purpose, one at a time: some system must show
//! that each is needed.

use stubborn_engine::mutation::{MUTATIONS, Mutation, OF_FAIRNESS, OF_MONITORS, OF_ROUNDS, mutate};
use stubborn_random::model::Model;
use stubborn_random::sweep::{Difference, Models, Subject, quietly, sweep};
use stubborn_random::watch::{self, Case, Kind};
use stubborn_random::{messages, mixture, refusals};

use crate::fair;
use crate::monitors::look::look;
use crate::monitors::tally::Tally as WatchedTally;
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
            Mutation::Waiting => refusals::named,
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

#[test]
fn every_condition_that_rounds_beside_a_monitor_need_shows_if_it_is_left_out() {
    show(&OF_ROUNDS, &|mutation| {
        let kinds = [Kind::Tester, Kind::Formula, Kind::Automaton];
        let mut first = kinds
            .into_iter()
            .filter_map(|kind| first_watched(kind, mutation));
        first.next()
    });
}

#[test]
fn every_condition_of_fair_runs_that_is_left_out_shows() {
    show(&OF_FAIRNESS, &|mutation| {
        let begin = beginning(mutation);
        let since = |seed: u64, complaint: String| (seed - begin, complaint);
        if mutation == Mutation::PossibleBeside {
            let swept = sweep(&FairBeside(mutation), MOST_SYSTEMS, begin, 1);
            let first = swept.differences.into_iter().min_by_key(|d| d.seed)?;
            return Some(since(first.seed, first.complaint));
        }
        let look = |model: &Model, seed: u64, tally: &mut fair::tally::Tally| {
            let _left_out = LeftOut::new(mutation);
            fair::of_states_and_steps(model, seed, tally)
        };
        let models = Models {
            draw: fair::asked_of,
            look: &look,
        };
        let swept = sweep(&models, MOST_SYSTEMS, begin, 1);
        let first = swept.differences.into_iter().min_by_key(|d| d.seed)?;
        Some(since(first.seed, first.complaint))
    });
}

/// What an automaton accepts of fair runs, looked at with a condition left out.
struct FairBeside(Mutation);

impl Subject for FairBeside {
    type Case = Case;
    type Tally = fair::tally::Tally;

    fn draw(&self, seed: u64) -> Option<Case> {
        fair::Cases(Kind::Automaton).draw(seed)
    }

    fn look(&self, case: &Case, seed: u64, tally: &mut Self::Tally) -> Result<bool, String> {
        let _left_out = LeftOut::new(self.0);
        fair::Cases(Kind::Automaton).look(case, seed, tally)
    }

    fn text(&self, case: &Case) -> String {
        fair::Cases(Kind::Automaton).text(case)
    }

    fn smallest(&self, case: Case, differs: &dyn Fn(&Case) -> bool) -> Case {
        case.smallest(differs)
    }
}

/// Cases of a kind, looked at with a condition left out.
struct Watched {
    kind: Kind,
    mutation: Mutation,
}

impl Subject for Watched {
    type Case = Case;
    type Tally = WatchedTally;

    fn draw(&self, seed: u64) -> Option<Case> {
        watch::draw(self.kind, seed)
    }

    fn look(&self, case: &Case, seed: u64, tally: &mut WatchedTally) -> Result<bool, String> {
        let _left_out = LeftOut::new(self.mutation);
        look(case, seed, tally)
    }

    fn text(&self, case: &Case) -> String {
        let (model, watch) = case.texts();
        format!("{model}\n--- watch.tester\n{watch}")
    }

    fn smallest(&self, case: Case, differs: &dyn Fn(&Case) -> bool) -> Case {
        case.smallest(differs)
    }
}

/// How many systems it took, and what was wrong then.
fn first_watched(kind: Kind, mutation: Mutation) -> Option<(u64, String)> {
    let begin = beginning(mutation);
    let swept = sweep(&Watched { kind, mutation }, MOST_SYSTEMS, begin, 1);
    let first = swept.differences.into_iter().min_by_key(|d| d.seed)?;
    Some((first.seed - begin, first.complaint))
}

fn all_show(mutations: &[Mutation]) {
    show(mutations, &|mutation| {
        let begin = beginning(mutation);
        let first = first_difference(mutation, begin)?;
        Some((first.seed - begin, first.complaint))
    });
}

fn show(mutations: &[Mutation], first: &dyn Fn(Mutation) -> Option<(u64, String)>) {
    let found = mutations
        .iter()
        .map(|mutation| (mutation, first(*mutation)));
    let found: Vec<_> = quietly(|| found.collect());
    for (mutation, difference) in &found {
        match difference {
            Some((after, complaint)) => {
                let first = complaint.lines().next().unwrap_or("");
                println!("{mutation:?} after {after}: {first}");
            }
            None => println!("{mutation:?} survives"),
        }
    }
    let survivors = found.iter().filter(|(_, difference)| difference.is_none());
    let survivors: Vec<_> = survivors.map(|(mutation, _)| mutation).collect();
    assert!(survivors.is_empty(), "no system needs {survivors:?}");
}
