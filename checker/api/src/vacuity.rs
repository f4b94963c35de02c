//! Vacuity: one more search for properties that hold, where the text has an `implies` or an automaton.

use stubborn_engine::plan::beside::{LEAST_STATES, unreported};
use stubborn_engine::{Caller, Event, Options, Outcome, Phase, Verdict};
use stubborn_model::{NamedProperty, Premise, PremiseKind};
use stubborn_report::{never_happens, questions};
use stubborn_system::property::Property;
use stubborn_system::system::System;

/// Premises of each property that holds which never happen; none where a limit was reached first.
pub(crate) fn idle_premises<'p>(
    system: &System,
    properties: &[(&'p NamedProperty, &Outcome)],
    options: &Options,
    caller: Caller<'_>,
) -> Vec<Vec<&'p Premise>> {
    let mut asked: Vec<(usize, &Premise)> = Vec::new();
    let mut all: Vec<Property> = Vec::new();
    let mut most = 0;
    for (at, (named, outcome)) in properties.iter().enumerate() {
        // What is there to fail is told of by itself.
        if outcome.verdict != Verdict::Holds || named.premises.is_empty() {
            continue;
        }
        most = most.max(outcome.states);
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
    if all.is_empty() || caller.budget.is_cancelled() {
        return found;
    }
    let _phase = Phase::Vacuity.begin(caller.observer);
    // A search for something that happens ends early.
    let options = Options {
        tells_seen: false,
        ..unreported(options, most)
    };
    // Who cannot be asked again has been told already that the System is too large.
    let observer = |event: Event<'_>| {
        if let Event::Progress(_) = event {
            caller.observer.event(event);
        }
    };
    let caller = caller.quiet().observed_by(&observer);
    let answers = stubborn_engine::check(system, &all, &options, caller);
    for ((at, premise), answer) in asked.into_iter().zip(answers.into_iter().flatten()) {
        if never_happens(&answer.verdict) {
            found[at].push(premise);
        }
    }
    found
}
