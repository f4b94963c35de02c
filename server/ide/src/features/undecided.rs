//! What nobody could decide: one message a file, with how far it came and what to do about it.

use std::sync::Arc;

use stubborn_report::{PropertyReport, Verdict, counted, list};
use stubborn_system::property::Form;

use super::Location;
use super::message::{Message, Roots, Severity, uses};
use super::state::Pending;
use crate::database::{Db, SourceFile, properties, reports};

/// The message about a root's properties that are undecided, with the path of the file of the first:
/// those that stand in the root's own file come first, and those that are told in another are left out.
pub fn of_undecided(
    db: &dyn Db,
    root: SourceFile,
    pending: &Pending,
    roots: &Roots,
) -> Option<(Arc<str>, Message)> {
    let (reports, properties, own) = (reports(db, root), properties(db, root), root.path(db));
    let undecided = reports.iter().zip(properties.iter());
    let undecided = undecided.filter_map(|(report, property)| {
        let report = report.as_ref()?;
        let is_told = report.place.file != *own && roots.tells(property.key);
        (report.verdict == Verdict::Undecided && !is_told).then_some((report, property))
    });
    let mut undecided: Vec<_> = undecided.collect();
    // What a person has written here comes before what every model is asked.
    undecided.sort_by_key(|(report, _)| {
        let is_built_in = matches!(
            report.form,
            Form::Errors | Form::Deadlock | Form::Termination
        );
        (report.place.file != *own, is_built_in)
    });
    let (goes_on, open): (Vec<_>, Vec<_>) = undecided
        .into_iter()
        .partition(|(_, property)| pending.contains_key(&property.key));
    let first = open
        .first()
        .or(goes_on.first())
        .map(|(report, _)| *report)?;
    let mut sentences = Vec::new();
    if let Some((report, _)) = open.first() {
        let names = names(&open);
        let after = match report.states {
            0 => String::new(),
            states => format!(" after {}", counted(states as usize, "state")),
        };
        let why = report
            .why
            .as_deref()
            .unwrap_or("no search has come to an end");
        sentences.push(match open.len() {
            1 => format!(
                "{names} is undecided{after}: {why}; \"check without limits\" decides it if that can be"
            ),
            _ => format!(
                "{names} are undecided, {}{after}: {why}; \"check without limits\" decides them if \
                 that can be",
                report.name
            ),
        });
    }
    if !goes_on.is_empty() {
        let are = if goes_on.len() == 1 { "is" } else { "are" };
        sentences.push(format!(
            "{} {are} undecided yet, and {are} being checked without limits",
            names(&goes_on)
        ));
    }
    // What stands in a file that is told of for itself is told where that is used.
    let is_away = first.place.file != *own && roots.has(&first.place.file);
    let (path, bytes) = match is_away {
        true => (Arc::clone(own), uses(db, root)),
        false => (
            Arc::clone(&first.place.file),
            Location::from(&first.place).bytes,
        ),
    };
    let message = Message {
        bytes,
        severity: Severity::Information,
        code: "undecided",
        text: sentences.join("; "),
        unnecessary: false,
        related: Vec::new(),
    };
    Some((path, message))
}

/// "a, b and c", "a, b and 5 more".
fn names<P>(these: &[(&PropertyReport, P)]) -> String {
    let names: Vec<&str> = these.iter().map(|(report, _)| &*report.name).collect();
    list(&names)
}
