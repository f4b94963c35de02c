//! What the searches have found about the properties of a root, with the runs that show it.
//!
//! A run is found of a property's slice, and becomes one of the System as it now is. That takes time for each of its
//! steps, and so it depends on the verdict alone: what a search has cost is known when it ends, long after the verdicts
//! that it has told on its way.

use std::sync::Arc;

use stubborn_engine::{Outcome, Trace, Verdict};
use stubborn_model::Analysis;
use stubborn_system::system::System;

use super::files::SourceFile;
use super::inputs::Db;
use super::queries::{analyzed, properties, system};
use crate::jobs::{Answer, Known, Sliced};

/// The verdicts on the root's properties as far as there are any, in the order of its properties. The
/// traces are runs of the System as it now is.
#[salsa::tracked(returns(clone))]
pub fn verdicts(db: &dyn Db, root: SourceFile) -> Arc<Vec<Option<Arc<Known>>>> {
    let count = properties(db, root).len();
    Arc::new((0..count).map(|at| verdict(db, root, at)).collect())
}

/// What the searches have found about the root's properties, of their slices.
#[salsa::tracked(returns(clone))]
pub(super) fn found_of_all(db: &dyn Db, root: SourceFile) -> Arc<Vec<Option<Arc<Known>>>> {
    let properties = properties(db, root);
    let table = db.verdict_input().table(db);
    let found = properties.iter().map(|one| table.get(one.key).cloned());
    Arc::new(found.collect())
}

/// What the searches have found about the root's property with this number, of its slice: another
/// verdict that falls leaves it as it is.
#[salsa::tracked(returns(clone))]
pub(super) fn found(db: &dyn Db, root: SourceFile, at: usize) -> Option<Arc<Known>> {
    let properties = properties(db, root);
    let table = db.verdict_input().table(db);
    table.get(properties.get(at)?.key).cloned()
}

/// The same without what it has cost, where there is a run to be shown.
#[salsa::tracked(returns(clone))]
fn violation(db: &dyn Db, root: SourceFile, at: usize) -> Option<Arc<Verdict>> {
    match &found(db, root, at)?.answer {
        Answer::Outcome(outcome) if outcome.verdict.is_violated() => {
            Some(Arc::new(outcome.verdict.clone()))
        }
        Answer::Outcome(_) | Answer::Refused(_) => None,
    }
}

/// The same of the System as it now is.
#[salsa::tracked(returns(clone))]
fn lifted_violation(db: &dyn Db, root: SourceFile, at: usize) -> Option<Arc<Verdict>> {
    let (violation, system) = (violation(db, root, at)?, system(db, root)?);
    let properties = properties(db, root);
    // A long trace takes its time; whoever waits to change an input need not wait for its end.
    let on_the_way = || db.unwind_if_revision_cancelled();
    let lifted = properties.get(at)?.shown(&system, &violation, &on_the_way);
    Some(Arc::new(lifted))
}

/// What is known of the root's property with this number, of the System as it now is.
#[salsa::tracked(returns(clone))]
pub(super) fn verdict(db: &dyn Db, root: SourceFile, at: usize) -> Option<Arc<Known>> {
    let known = found(db, root, at)?;
    if !known.answer.is_violated() {
        return Some(known);
    }
    let lifted = lifted_violation(db, root, at)?;
    Some(Arc::new(with_verdict(&known, &lifted)))
}

/// The run that was found for the root's property with this number, of the System as it now is, and what that means.
pub fn run(db: &dyn Db, root: SourceFile, at: usize) -> Option<(Arc<Analysis>, Arc<Trace>)> {
    let run = run_of(&*verdict(db, root, at)?)?;
    Some((analyzed(db, root)?, run))
}

pub(super) fn run_of(known: &Known) -> Option<Arc<Trace>> {
    match &known.answer {
        Answer::Outcome(outcome) => match &outcome.verdict {
            Verdict::Violated { trace, .. } => Some(Arc::clone(trace)),
            _ => None,
        },
        Answer::Refused(_) => None,
    }
}

/// What is known of a property's slice, of the whole System.
pub(super) fn lifted(db: &dyn Db, system: &System, property: &Sliced, known: &Known) -> Known {
    let on_the_way = || db.unwind_if_revision_cancelled();
    match &known.answer {
        Answer::Outcome(outcome) if outcome.verdict.is_violated() => {
            let lifted = property.shown(system, &outcome.verdict, &on_the_way);
            with_verdict(known, &lifted)
        }
        Answer::Outcome(_) | Answer::Refused(_) => known.clone(),
    }
}

/// The same with another verdict.
fn with_verdict(known: &Known, verdict: &Verdict) -> Known {
    match &known.answer {
        Answer::Outcome(outcome) => Known {
            answer: Answer::Outcome(Box::new(Outcome {
                verdict: verdict.clone(),
                ..(**outcome).clone()
            })),
            ..known.clone()
        },
        Answer::Refused(_) => known.clone(),
    }
}
