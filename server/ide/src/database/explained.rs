//! The verdicts on the properties of a root with the names and the places of its text as it is now.

use std::sync::Arc;

use stubborn_model::Model;
use stubborn_report::{About, PropertyReport, Texts};
use stubborn_system::property::Form;

use super::files::SourceFile;
use super::found::{found, found_of_all, verdict};
use super::inputs::Db;
use super::queries::{analyzed, texts};
use crate::jobs::{Answer, Known};

/// The verdict on the root's property with this number, with the names and the places of the text as it is
/// now: the verdict on another one leaves it as it is.
#[salsa::tracked(returns(clone))]
fn report_of(db: &dyn Db, root: SourceFile, at: usize) -> Option<Arc<PropertyReport>> {
    let known = verdict(db, root, at)?;
    let (texts, analysis) = (texts(db, root)?, analyzed(db, root)?);
    let model = analysis.model.as_ref()?;
    Some(told(db, model, at, &known, &texts)?.into())
}

/// The verdicts with the names and the places of the text as it is now. Only those with a run are queries
/// of their own: to tell another one takes less time than to ask whether it can have changed.
#[salsa::tracked(returns(clone))]
pub fn reports(db: &dyn Db, root: SourceFile) -> Arc<Vec<Option<PropertyReport>>> {
    let analysis = analyzed(db, root);
    let model = analysis.as_ref().and_then(|one| one.model.as_ref());
    let (Some(model), Some(texts)) = (model, texts(db, root)) else {
        return Arc::default();
    };
    let found = found_of_all(db, root);
    let each = found.iter().enumerate().map(|(at, known)| {
        let known = known.as_ref()?;
        if known.answer.is_violated() {
            return report_of(db, root, at);
        }
        db.unwind_if_revision_cancelled();
        Some(told(db, model, at, known, &texts)?.into())
    });
    Arc::new(together(each))
}

/// The verdict on the property with this number, as [`reports`] has it: who asks about one does not wait for the runs of
/// all others to be told.
pub fn report(db: &dyn Db, root: SourceFile, at: usize) -> Option<PropertyReport> {
    let known = found(db, root, at)?;
    let (texts, analysis) = (texts(db, root)?, analyzed(db, root)?);
    let model = analysis.model.as_ref()?;
    let mut report = match known.answer.is_violated() {
        true => Arc::unwrap_or_clone(report_of(db, root, at)?),
        false => told(db, model, at, &known, &texts)?,
    };
    let mut properties = model.properties.iter();
    let errors = properties.position(|one| one.form == Form::Errors);
    let errors = errors.and_then(|errors| verdict(db, root, errors));
    if errors.is_some_and(|errors| errors.answer.is_violated()) {
        stubborn_report::qualify_where_steps_fail(&mut report);
    }
    Some(report)
}

/// The reports on the properties of one model, in their order, each with what the others say of it.
pub(super) fn together(
    each: impl Iterator<Item = Option<Arc<PropertyReport>>>,
) -> Vec<Option<PropertyReport>> {
    let mut reports: Vec<Option<PropertyReport>> = each
        .map(|report| report.map(Arc::unwrap_or_clone))
        .collect();
    stubborn_report::qualify(reports.iter_mut().flatten());
    reports
}

/// What is known of the property of a model with this number.
pub(super) fn told(
    db: &dyn Db,
    model: &Model,
    at: usize,
    known: &Known,
    texts: &Texts,
) -> Option<PropertyReport> {
    let named = model.properties.get(at)?;
    // What a long run breaks takes its time; whoever waits to change an input need not wait for it.
    let on_the_way = || db.unwind_if_revision_cancelled();
    Some(match &known.answer {
        Answer::Outcome(outcome) => {
            let search = stubborn_engine::Search::default();
            PropertyReport {
                found_before: known.found_before,
                ..stubborn_report::property(
                    named,
                    outcome,
                    search,
                    About::new(model, texts),
                    &on_the_way,
                )
            }
        }
        Answer::Refused(why) => stubborn_report::refused(named, why, texts),
    })
}
