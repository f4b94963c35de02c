//! Whether what holds does so only because something never happens: one more search for a property, and only
//! where the text has an `implies` or an automaton.

use std::time::Instant;

use stubborn_engine::{Options, Outcome, Progress, Verdict, Watch};
use stubborn_model::{NamedProperty, Premise, PremiseKind};
use stubborn_system::property::Property;
use stubborn_system::system::System;

use crate::report::{never_happens, questions};

/// A search for something that happens ends early, so that one that takes this many times as many states as the property
/// itself is not worth its time;
const MORE_STATES: u64 = 4;
/// and these are always searched.
const LEAST_STATES: u64 = 100_000;

/// Of each property that holds the premises that never happen; none where a limit was reached first.
pub fn vacuous<'p>(
    system: &System,
    properties: &[(&'p NamedProperty, &Outcome)],
    options: &Options,
    watch: &dyn Watch,
) -> Vec<Vec<&'p Premise>> {
    let mut asked: Vec<(usize, &Premise)> = Vec::new();
    let mut all: Vec<Property> = Vec::new();
    let mut most = LEAST_STATES;
    for (at, (named, outcome)) in properties.iter().enumerate() {
        // What is there to fail is told of by itself.
        if outcome.verdict != Verdict::Holds || named.premises.is_empty() {
            continue;
        }
        most = most.max(outcome.states.saturating_mul(MORE_STATES));
        for (premise, question) in named.premises.iter().zip(questions(named, system)) {
            // To find out what recurs takes as long as the property itself.
            let is_dear = premise.kind == PremiseKind::Recurs && outcome.states > LEAST_STATES;
            if let Some(question) = question.filter(|_| !is_dear) {
                asked.push((at, premise));
                all.push(question);
            }
        }
    }
    let mut found = vec![Vec::new(); properties.len()];
    if all.is_empty() || watch.is_cancelled() {
        return found;
    }
    let mut options = *options;
    options.tells_seen = false;
    let limit = options.limits.max_states;
    options.limits.max_states = Some(limit.map_or(most, |limit| limit.min(most)));
    // Who cannot be asked again has been told already that the System is too large.
    let answers = stubborn_engine::check(system, &all, &options, &Asking(watch));
    for ((at, premise), answer) in asked.into_iter().zip(answers.into_iter().flatten()) {
        if never_happens(&answer.verdict) {
            found[at].push(premise);
        }
    }
    found
}

/// Follows searches that nobody is told the verdicts of, and that are not saved.
struct Asking<'w>(&'w dyn Watch);

impl Watch for Asking<'_> {
    fn progress(&self, progress: &Progress) {
        self.0.progress(progress);
    }

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    fn now(&self) -> Instant {
        self.0.now()
    }
}
