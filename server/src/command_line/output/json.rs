//! One object for scripts; its fields are a contract.

use std::io::{self, Write};
use std::ops::Range;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};

use stubborn_model::problem::Severity;
use stubborn_system::property::Form;

use crate::report::{
    NamedValues, Place, ProblemReport, PropertyReport, Report, Shown, StepReport, TraceReport, kind,
};

/// Writes a report as one JSON object. A trace may have millions of steps: each is told when its turn
/// comes, and is not kept.
pub fn write(report: &Report, to: &mut dyn Write) -> io::Result<()> {
    write_object(&Object(report), to)
}

pub fn write_object(object: &impl Serialize, to: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *to, object)?;
    writeln!(to)
}

struct Object<'a>(&'a Report);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Object(report) = self;
        let properties: Vec<Told<'_>> = report.properties.iter().map(Told).collect();
        let mut object = serializer.serialize_map(Some(3))?;
        object.serialize_entry("files", &report.files)?;
        object.serialize_entry("problems", &problems(&report.problems))?;
        object.serialize_entry("properties", &properties)?;
        object.end()
    }
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

struct Told<'a>(&'a PropertyReport);

impl Serialize for Told<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Told(told) = self;
        let fields = property(told);
        let mut object = serializer.serialize_map(Some(fields.len() + 1))?;
        for (name, value) in &fields {
            object.serialize_entry(name, value)?;
        }
        object.serialize_entry("trace", &told.trace.as_ref().map(Run))?;
        object.end()
    }
}

/// All fields but the trace, which is the last.
fn property(property: &PropertyReport) -> Map<String, Value> {
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
    match told {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// To the microsecond.
pub fn seconds(seconds: f64) -> Value {
    ((seconds * 1e6).round() / 1e6).into()
}

struct Run<'a>(&'a TraceReport);

impl Serialize for Run<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Run(trace) = self;
        let mut object = serializer.serialize_map(Some(3))?;
        object.serialize_entry("start", &values(&trace.start))?;
        object.serialize_entry("steps", &Steps(trace, 0..trace.steps))?;
        object.serialize_entry("cycle", &Steps(trace, trace.steps..trace.len()))?;
        object.end()
    }
}

/// Those of a run with these numbers.
struct Steps<'a>(&'a TraceReport, Range<usize>);

impl Serialize for Steps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Steps(trace, range) = self;
        let steps = trace.every_step(range.start).take(range.len());
        serializer.collect_seq(steps.map(|one| step(&one)))
    }
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
