//! What nobody could decide: one message a file, with how far it came and what to do about it.

use std::sync::Arc;

use stubborn_system::property::Form;

use super::diagnostics::{Message, Severity, grouped, location};
use super::state::Pending;
use crate::database::{Db, SourceFile, properties, reports};
use crate::report::{PropertyReport, Verdict};

/// So many properties are told by their names.
const MOST_NAMED: usize = 3;

/// The message about a root's properties that are undecided, with the path of the file of the first.
pub fn of_undecided(
    db: &dyn Db,
    root: SourceFile,
    pending: &Pending,
) -> Option<(Arc<str>, Message)> {
    let (reports, properties) = (reports(db, root), properties(db, root));
    let undecided = reports.iter().zip(properties.iter());
    let undecided = undecided.filter_map(|(report, property)| {
        let report = report.as_ref()?;
        (report.verdict == Verdict::Undecided).then_some((report, property))
    });
    let mut undecided: Vec<_> = undecided.collect();
    // What a person has written comes before what every model is asked.
    undecided.sort_by_key(|(report, _)| {
        matches!(
            report.form,
            Form::Errors | Form::Deadlock | Form::Termination
        )
    });
    let (goes_on, open): (Vec<_>, Vec<_>) = undecided
        .into_iter()
        .partition(|(_, property)| pending.contains_key(&property.key));
    let first =
        |these: &[(&PropertyReport, _)]| these.first().map(|(report, _)| report.place.clone());
    let place = first(&open).or(first(&goes_on))?;
    let mut sentences = Vec::new();
    if let Some((report, _)) = open.first() {
        let names = names(&open);
        let are = if open.len() == 1 { "is" } else { "are" };
        let states = open
            .iter()
            .map(|(report, _)| report.states)
            .max()
            .unwrap_or(0);
        let after = match states {
            0 => String::new(),
            states => format!(" after {} states", grouped(states)),
        };
        let why = report
            .why
            .as_deref()
            .unwrap_or("no search has come to an end");
        let it = if open.len() == 1 { "it" } else { "them" };
        sentences.push(format!(
            "{names} {are} undecided{after}: {why}; \"check without limits\" decides {it} if that can be"
        ));
    }
    if !goes_on.is_empty() {
        let are = if goes_on.len() == 1 { "is" } else { "are" };
        sentences.push(format!(
            "{} {are} undecided yet, and {are} being checked without limits",
            names(&goes_on)
        ));
    }
    let message = Message {
        bytes: location(&place).bytes,
        severity: Severity::Information,
        code: "undecided",
        text: sentences.join("; "),
        unnecessary: false,
        related: Vec::new(),
    };
    Some((place.file, message))
}

/// "a, b, c and 5 more".
fn names<P>(these: &[(&PropertyReport, P)]) -> String {
    let names: Vec<&str> = these.iter().map(|(report, _)| &*report.name).collect();
    match &names[..] {
        [] => String::new(),
        [one] => (*one).to_owned(),
        all if all.len() <= MOST_NAMED => {
            let (last, before) = (all[all.len() - 1], &all[..all.len() - 1]);
            format!("{} and {last}", before.join(", "))
        }
        all => format!(
            "{} and {} more",
            all[..MOST_NAMED].join(", "),
            all.len() - MOST_NAMED
        ),
    }
}
