//! A root as it would be with another value of one of its parameters: from its program to what is
//! known of its properties, without an edit. Of the values looked at lately some are kept: whoever goes
//! through all values of a parameter needs none of them twice.

use std::sync::Arc;

use stubborn_engine::{Reason, Trace, Verdict};
use stubborn_model::elaborate::Settings;
use stubborn_model::problem::Severity;
use stubborn_model::{Analysis, NamedProperty, analyze_within};
use stubborn_report::PropertyReport;
use stubborn_system::system::System;

use super::explained::{together, told};
use super::files::SourceFile;
use super::found::{lifted, run_of};
use super::inputs::{Db, is_to_end};
use super::queries::{Whole, texts, whole};
use crate::jobs::{Answer, Fingerprint, Known, Sliced, Verdicts, sliced};

/// What a root means with another value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithValue {
    /// `None` where the text has no meaning with this value.
    pub system: Option<(Fingerprint, Arc<System>)>,
    pub properties: Vec<Sliced>,
    /// Their names.
    pub names: Vec<String>,
    /// Of each, whether a run is found where it stands as the text expects.
    pub run_is_expected: Vec<bool>,
    /// Why it has no meaning, or, where there is a System, something in it has none: then some of the
    /// properties are not among these.
    pub error: Option<String>,
    /// What it was read from.
    pub whole: Arc<Whole>,
}

/// The analysis with this value. Nothing is remembered for others: it is asked for seldom.
#[salsa::tracked(returns(clone), lru = 32)]
fn analyzed_with(
    db: &dyn Db,
    root: SourceFile,
    parameter: Arc<str>,
    value: i64,
) -> Option<Arc<Analysis>> {
    let whole = whole(db, root)?;
    let settings = Settings {
        parameters: vec![(parameter.to_string(), value.to_string())],
    };
    let analysis = analyze_within(&whole.program, &settings, &|| is_to_end(db));
    Some(Arc::new(analysis.ok()?))
}

/// The root with this value; nothing where it has no text.
#[salsa::tracked(returns(clone), lru = 32)]
pub fn with_value(
    db: &dyn Db,
    root: SourceFile,
    parameter: Arc<str>,
    value: i64,
) -> Option<Arc<WithValue>> {
    let analysis = analyzed_with(db, root, parameter, value)?;
    let on_the_way = || db.unwind_if_revision_cancelled();
    let model = analysis.model.as_ref();
    let named = model.map_or(&[][..], |model| &model.properties);
    let system = model.map(|model| Arc::clone(&model.system));
    let stated = named.iter().map(|one| &one.property);
    let mut errors = analysis.problems.iter();
    let error = errors.find(|problem| problem.severity == Severity::Error);
    Some(Arc::new(WithValue {
        properties: system
            .as_ref()
            .map(|system| sliced(system, stated, &on_the_way))
            .unwrap_or_default(),
        system: system.map(|system| (Fingerprint::of(&*system), system)),
        names: named.iter().map(|one| one.name.clone()).collect(),
        run_is_expected: named.iter().map(NamedProperty::run_is_expected).collect(),
        error: error.map(|problem| problem.message.clone()),
        whole: whole(db, root)?,
    }))
}

/// What the searches have found about the property with this number, of its slice: another verdict that
/// falls leaves it as it is.
#[salsa::tracked(returns(clone), lru = 1024)]
fn found_with(
    db: &dyn Db,
    root: SourceFile,
    parameter: Arc<str>,
    value: i64,
    at: usize,
) -> Option<Arc<Known>> {
    let with = with_value(db, root, parameter, value)?;
    let table = db.verdict_input().table(db);
    table.get(with.properties.get(at)?.key).cloned()
}

/// What is known of the property with this number.
#[salsa::tracked(returns(clone), lru = 256)]
fn report_with(
    db: &dyn Db,
    root: SourceFile,
    parameter: Arc<str>,
    value: i64,
    at: usize,
) -> Option<Arc<PropertyReport>> {
    let known = found_with(db, root, Arc::clone(&parameter), value, at)?;
    let analysis = analyzed_with(db, root, Arc::clone(&parameter), value)?;
    let with = with_value(db, root, parameter, value)?;
    let model = analysis.model.as_ref()?;
    let known = lifted(db, &model.system, with.properties.get(at)?, &known);
    Some(told(db, model, at, &known, &*texts(db, root)?)?.into())
}

/// Of the property with this number, with this value: the run that was found for it, of the System with this value,
/// and what that means.
pub fn run_with(
    db: &dyn Db,
    root: SourceFile,
    parameter: &Arc<str>,
    value: i64,
    at: usize,
) -> Option<(Arc<Analysis>, Arc<Trace>)> {
    let known = found_with(db, root, Arc::clone(parameter), value, at)?;
    let analysis = analyzed_with(db, root, Arc::clone(parameter), value)?;
    let with = with_value(db, root, Arc::clone(parameter), value)?;
    let system = &analysis.model.as_ref()?.system;
    let run = run_of(&lifted(db, system, with.properties.get(at)?, &known))?;
    Some((analysis, run))
}

/// What is known of the properties with this value, in their order.
#[salsa::tracked(returns(clone), lru = 32)]
pub fn reports_with(
    db: &dyn Db,
    root: SourceFile,
    parameter: Arc<str>,
    value: i64,
) -> Arc<Vec<Option<PropertyReport>>> {
    let with = with_value(db, root, Arc::clone(&parameter), value);
    let count = with.map_or(0, |with| with.properties.len());
    let report = |at| report_with(db, root, Arc::clone(&parameter), value, at);
    Arc::new(together((0..count).map(report)))
}

/// How the properties stand with a value, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stand<'a> {
    pub violated: Vec<&'a str>,
    /// A limit, or a person, has ended the search.
    pub undecided: Vec<&'a str>,
    /// It was a person, of one of these at least.
    pub is_stopped: bool,
    /// Of these nothing is known.
    pub unknown: usize,
}

impl WithValue {
    /// How the properties stand, from what is known of their slices: no run is made for it.
    pub fn stand(&self, verdicts: &Verdicts) -> Stand<'_> {
        let mut stand = Stand::default();
        let expected = self.run_is_expected.iter();
        for ((property, name), expected) in self.properties.iter().zip(&self.names).zip(expected) {
            match verdicts.get(property.key).map(|known| &known.answer) {
                None => stand.unknown += 1,
                Some(Answer::Refused(_)) => stand.undecided.push(name),
                Some(Answer::Outcome(outcome)) => match &outcome.verdict {
                    Verdict::Holds if !expected => {}
                    Verdict::Violated { .. } if *expected => {}
                    Verdict::Holds | Verdict::Violated { .. } => stand.violated.push(name),
                    Verdict::Undecided(why) => {
                        stand.is_stopped |= *why == Reason::Cancelled;
                        stand.undecided.push(name);
                    }
                },
            }
        }
        stand
    }
}
