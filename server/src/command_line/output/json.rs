//! One object for scripts; its fields are a contract.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use stubborn_model::problem::Severity;
use stubborn_system::property::Form;

use crate::report::{
    NamedValues, Place, ProblemReport, PropertyReport, Report, Shown, StepReport, TraceReport, kind,
};

/// Writes a report as one JSON object.
pub fn write(report: &Report, to: &mut dyn Write) -> io::Result<()> {
    let properties: Vec<Value> = report.properties.iter().map(property).collect();
    let object = json!({
        "files": report.files,
        "problems": problems(&report.problems),
        "properties": properties,
    });
    write_object(&object, to)
}

pub fn write_object(object: &Value, to: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *to, object)?;
    writeln!(to)
}

pub fn problems(problems: &[ProblemReport]) -> Vec<Value> {
    let told = problems.iter().map(|problem| {
        let related: Vec<Value> = problem
            .related
            .iter()
            .map(|(place, message)| {
                json!({"message": message, "file": &*place.file, "range": range(place)})
            })
            .collect();
        let mut told = json!({
            "code": problem.code,
            "severity": severity(problem.severity),
            "message": problem.message,
            "file": problem.place.as_ref().map(|place| &*place.file),
            "range": problem.place.as_ref().map(range),
        });
        if !related.is_empty() {
            told["related"] = related.into();
        }
        told
    });
    told.collect()
}

pub fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    }
}

fn range(place: &Place) -> Value {
    let position = |at: crate::report::Position| json!({"line": at.line, "column": at.column});
    json!({"start": position(place.range.start), "end": position(place.range.end)})
}

fn property(property: &PropertyReport) -> Value {
    let mut told = json!({
        "name": property.name,
        "kind": kind(property.form),
        "file": &*property.place.file,
        "range": range(&property.place),
        "verdict": property.verdict.as_str(),
        "why": property.why,
    });
    // An automaton that a formula became has no states that anybody has marked.
    if let Form::Tester | Form::Buchi | Form::Testing | Form::Refinement | Form::Ltl = property.form
    {
        told["violation"] = property.violation.into();
    }
    told["states"] = property.states.into();
    told["edges"] = property.edges.into();
    told["full"] = property.full.into();
    told["reduction"] = property.reduction.into();
    told["search"] = property.search.into();
    told["seconds"] = seconds(property.seconds);
    told["trace"] = property.trace.as_ref().map_or(Value::Null, trace);
    told
}

/// To the microsecond.
pub fn seconds(seconds: f64) -> Value {
    ((seconds * 1e6).round() / 1e6).into()
}

fn trace(trace: &TraceReport) -> Value {
    let steps = |steps: &[StepReport]| steps.iter().map(step).collect::<Vec<Value>>();
    json!({
        "start": values(&trace.start),
        "steps": steps(&trace.steps),
        "cycle": steps(&trace.cycle),
    })
}

fn step(step: &StepReport) -> Value {
    let at = step
        .by
        .iter()
        .zip(&step.to)
        .map(|(who, at)| (who.clone(), at.clone().into()));
    json!({
        "by": step.by,
        "action": step.action,
        "file": &*step.place.file,
        "range": range(&step.place),
        "changes": values(&step.changes),
        "at": Value::Object(at.collect()),
    })
}

/// Names with their values, in the order in which they are given.
pub fn values(values: &NamedValues) -> Value {
    let entries = values
        .iter()
        .map(|(name, shown)| (name.clone(), value(shown)));
    Value::Object(entries.collect::<Map<String, Value>>())
}

fn value(shown: &Shown) -> Value {
    match shown {
        Shown::Number(number) => (*number).into(),
        Shown::Truth(truth) => (*truth).into(),
        Shown::Name(name) => name.clone().into(),
        Shown::Messages(messages) => {
            let message = |parts: &Vec<Shown>| parts.iter().map(value).collect::<Value>();
            messages.iter().map(message).collect()
        }
    }
}
