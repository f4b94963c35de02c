//! One object for scripts; its fields are a contract.

use std::io::{self, Write};
use std::ops;

use serde::Serialize;
use serde::ser::{SerializeMap, SerializeSeq, Serializer};
use serde_json::{Map, Value, json};

use stubborn_checker::{Obstacle, Permuted, Sharing};
use stubborn_model::problem::Severity;
use stubborn_report::{
    AttemptReport, CoverageReport, NamedValues, ProblemReport, PropertyReport, Report, StepReport,
    TextRange, TraceReport, Vacuous, kind,
};
use stubborn_system::property::Form;

/// Writes a report as one JSON object. A trace may have millions of steps: each is told when its turn
/// comes, and is not kept.
///
/// No limit on time is heard here: it is one on finding out, by now all is known, and an object that
/// ends in the middle would be none. Who has read enough closes what it reads from.
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
        let has_parameters = !report.parameters.is_empty();
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("files", &report.files)?;
        if has_parameters {
            object.serialize_entry("parameters", &parameters(&report.parameters))?;
        }
        object.serialize_entry("problems", &problems(&report.problems))?;
        object.serialize_entry("properties", &properties)?;
        if let Some(found) = &report.coverage {
            object.serialize_entry("coverage", &coverage(found))?;
        }
        if !report.seconds.is_empty() {
            object.serialize_entry("seconds", &phases(&report.seconds))?;
        }
        if !report.next.is_empty() {
            object.serialize_entry("next", &report.next)?;
        }
        object.end()
    }
}

/// The seconds of each phase, and of all together.
fn phases(all: &[(&'static str, f64)]) -> Map<String, Value> {
    let total = ("total", all.iter().map(|(_, time)| time).sum());
    let all = all.iter().copied().chain([total]);
    all.map(|(name, time)| (name.to_owned(), seconds(time)))
        .collect()
}

/// Numbers, which all of them are, as numbers.
fn parameters(all: &[(String, String)]) -> Map<String, Value> {
    let told = all.iter().map(|(name, value)| {
        let number = value.parse::<i64>().map(Value::from);
        (
            name.clone(),
            number.unwrap_or_else(|_| value.clone().into()),
        )
    });
    told.collect()
}

fn vacuous(all: &[Vacuous]) -> Vec<Value> {
    let told = all.iter().map(
        |one| json!({"message": one.sentence, "file": &*one.place.file, "range": one.place.range}),
    );
    told.collect()
}

fn coverage(found: &CoverageReport) -> Value {
    let never = found.never.iter().map(|one| {
        json!({
            "kind": one.never.kind.word(),
            "name": one.never.kind.name(),
            "message": one.never.kind.sentence(),
            "states": one.never.states,
            "file": &*one.place.file,
            "range": one.place.range,
        })
    });
    let never: Vec<Value> = never.collect();
    json!({"never": never, "untold": found.untold, "given_up": found.given_up})
}

pub fn problems(problems: &[ProblemReport]) -> Vec<Value> {
    let told = problems.iter().map(|problem| {
        let related: Vec<Value> = problem
            .related
            .iter()
            .map(|(place, message)| {
                json!({"message": message, "file": &*place.file, "range": place.range})
            })
            .collect();
        let mut told = json!({
            "code": problem.code,
            "severity": severity(problem.severity),
            "message": problem.message,
            "file": problem.place.as_ref().map(|place| &*place.file),
            "range": problem.place.as_ref().map(|place| place.range),
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

struct Told<'a>(&'a PropertyReport);

impl Serialize for Told<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let told = &*self.0.in_full();
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
        "range": property.place.range,
        "verdict": property.verdict.as_str(),
        "why": property.why,
    });
    if !property.parameters.is_empty() {
        told["parameters"] = parameters(&property.parameters).into();
    }
    // An automaton that a formula became has no states that anybody has marked.
    if let Form::Tester | Form::Buchi | Form::Testing | Form::Refinement | Form::Ltl = property.form
    {
        told["violation"] = property.violation.into();
    }
    told["states"] = property.states.into();
    told["edges"] = property.edges.into();
    told["full"] = property.full.into();
    told["reduction"] = property.reduction.into();
    if let Some(round) = property.round {
        told["round"] = json!({
            "number": round.number,
            "sensitive": round.sensitive,
            "visible": round.visible,
            "statesBefore": round.before,
        });
    }
    told["symmetry"] = property.symmetry.permutations().into();
    if let Permuted::Not(obstacle) = property.symmetry {
        told["symmetryOff"] = off(obstacle).into();
    }
    if let Some(sharing) = &property.sharing {
        told["sharing"] = shared(sharing);
    }
    if let Some(depth) = property.depth {
        told["depth"] = depth.into();
    }
    if let Some(made) = property.runs {
        told["random"] = json!({"runs": made.runs, "steps": made.steps});
    }
    if !property.attempts.is_empty() {
        told["attempts"] = property.attempts.iter().map(attempt).collect();
    }
    if !property.differences.is_empty() {
        told["differences"] = property.differences.to_vec().into();
    }
    told["search"] = property.search.into();
    told["seconds"] = seconds(property.seconds);
    told["expected"] = match property.expected_violated {
        true => "violated".into(),
        false => "holds".into(),
    };
    told["fairness"] = property.fairness.to_vec().into();
    told["within"] = property.within.clone().into();
    told["vacuous"] = vacuous(&property.vacuous).into();
    match told {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// One search of the plan.
fn attempt(attempt: &AttemptReport) -> Value {
    json!({
        "search": attempt.search,
        "why": attempt.why,
        "end": attempt.end,
        "states": attempt.states,
        "edges": attempt.edges,
        "seconds": seconds(attempt.seconds),
    })
}

/// Why like processes are not taken for one.
fn off(obstacle: Obstacle) -> &'static str {
    match obstacle {
        Obstacle::FairRuns => "fairness",
        Obstacle::Rounds => "rounds",
        Obstacle::EveryState => "every state",
    }
}

/// Who has searched; one process, of which nothing more is told, where it was alone.
pub fn shared(sharing: &Sharing) -> Value {
    let workers = sharing.workers.iter().map(|worker| {
        json!({
            "process": worker.process + 1,
            "states": worker.states,
            "bytes": worker.bytes,
            "sent": worker.sent,
            "waited": seconds(worker.waited),
        })
    });
    json!({
        "processes": sharing.processes.max(1),
        "workers": workers.collect::<Value>(),
    })
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
struct Steps<'a>(&'a TraceReport, ops::Range<usize>);

impl Serialize for Steps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Steps(trace, range) = self;
        let steps = trace.every_step(range.start).take(range.len());
        let mut all = serializer.serialize_seq(Some(range.len()))?;
        for one in steps {
            all.serialize_element(&step(&one))?;
        }
        all.end()
    }
}

/// There may be millions of them, so that they are written without a [`Value`] in between.
#[derive(Serialize)]
struct Step<'a> {
    by: &'a [String],
    action: Option<&'a str>,
    /// The name of the step, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<&'a str>,
    file: &'a str,
    range: TextRange,
    changes: Value,
    at: Map<String, Value>,
    /// What stands in the range, on one line.
    text: &'a str,
    /// Of the test of an `if` or a `while`, whether it is true.
    outcome: Option<bool>,
}

fn step(step: &StepReport) -> Step<'_> {
    let at = step
        .by
        .iter()
        .zip(&step.to)
        .map(|(who, at)| (who.clone(), at.clone().into()));
    Step {
        by: &step.by,
        action: step.action.as_deref(),
        step: step.name.as_deref(),
        file: &step.place.file,
        range: step.place.range,
        changes: values(&step.changes),
        at: at.collect(),
        text: step.statements.first().map_or("", String::as_str),
        outcome: step.outcomes.first().copied().flatten(),
    }
}

/// Names with their values, in the order in which they are given.
pub fn values(values: &NamedValues) -> Value {
    let entries = values
        .iter()
        .map(|(name, shown)| (name.clone(), json!(shown)));
    Value::Object(entries.collect::<Map<String, Value>>())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use stubborn_engine::{Caller, Options, Search, check};
    use stubborn_model::analyze;
    use stubborn_model::elaborate::Settings;
    use stubborn_model::program::{ParsedFile, Program};
    use stubborn_report::{About, Texts};

    use super::*;

    #[test]
    fn a_run_that_cannot_be_told_in_the_midst_is_said_to_be_missing() {
        let text = "var x: 0..300
            process p { initial state here {
                when x < 140 do x = x + 1 -> here
                when x > 149 and x < 300 do x = x + 1 -> here } }
            process q { initial state here { when x > 139 and x < 150 do x = x + 1 -> here } }
            invariant low: x < 300";
        let file = Arc::new(ParsedFile::new("m.stb", text));
        let program = Program::assemble(file, &mut |_| None);
        let model = analyze(&program, &Settings::default()).model;
        let model = model.expect("the text has a meaning");
        let low = model.properties.iter().find(|one| one.name == "low");
        let named = low.expect("the invariant");
        let asked = [named.property.clone()];
        let outcomes = check(
            &model.system,
            &asked,
            &Options::default(),
            Caller::default(),
        );
        let outcome = &outcomes.expect("its states are small")[0];
        let written = |map: &Arc<_>| {
            let texts = Texts::default();
            let about = About {
                map,
                ..About::new(&model, &texts)
            };
            let property =
                stubborn_report::property(named, outcome, Search::Breadth, about, &|| {});
            let report = Report {
                properties: vec![property],
                ..Report::default()
            };
            let mut written = Vec::new();
            write(&report, &mut written).expect("memory takes all of it");
            let all: Value = serde_json::from_slice(&written).expect("it is JSON to the end");
            all["properties"][0].clone()
        };
        let told = written(&model.source_map);
        assert_eq!(
            told["trace"]["steps"].as_array().map(Vec::len),
            Some(300),
            "{told:#}"
        );

        // The steps of the one who acts in the midst alone have no place in this map.
        let mut map = (*model.source_map).clone();
        Arc::make_mut(&mut map.instances[1]).steps.clear();
        let told = written(&Arc::new(map));
        assert_eq!(told["verdict"], "violated");
        assert_eq!(told["trace"], Value::Null);
        let why = told["why"].as_str().expect("a sentence");
        assert!(
            why.starts_with("`low` is false after 300 steps: x = 300; the run cannot be shown"),
            "{why}"
        );
    }
}
