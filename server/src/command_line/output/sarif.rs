//! SARIF 2.1.0, for code scanning: a result for each problem and each violation, the trace as a
//! code flow.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use serde_sarif::sarif::{
    ArtifactLocation, CodeFlow, Invocation, Location, Message, Notification, PhysicalLocation,
    PropertyBag, Region, ReportingDescriptor, Result as Finding, ResultKind, ResultLevel, Run,
    SCHEMA_URL, Sarif, ThreadFlow, ThreadFlowLocation, Tool, ToolComponent,
};
use stubborn_model::problem::Severity;
use stubborn_report::{
    NumberedStep, Part, Place, ProblemReport, PropertyReport, Report, StepReport, TraceReport,
    Verdict, kind, left_out,
};

/// Writes a report as a SARIF log with one run. What no text is at fault for is a notification of
/// its invocation.
pub fn write(report: &Report, to: &mut dyn Write) -> io::Result<()> {
    let mut results: Vec<Finding> = Vec::new();
    let mut notifications: Vec<Notification> = Vec::new();
    for told in &report.problems {
        match &told.place {
            Some(place) => results.push(problem(told, place)),
            None => notifications.push(
                Notification::builder()
                    .message(message(&told.message))
                    .level(serde_json::Value::from("error"))
                    .build(),
            ),
        }
    }
    results.extend(report.properties.iter().filter_map(property));
    let rules: BTreeSet<String> = results
        .iter()
        .filter_map(|result| result.rule_id.clone())
        .collect();
    let rules: Vec<ReportingDescriptor> = rules
        .into_iter()
        .map(|id| ReportingDescriptor::builder().id(id).build())
        .collect();
    let driver = ToolComponent::builder()
        .name("stubborn")
        .version(env!("CARGO_PKG_VERSION"))
        .rules(rules)
        .build();
    let invocation = Invocation::builder()
        .execution_successful(!report.has_errors())
        .tool_configuration_notifications(notifications)
        .build();
    let run = Run::builder()
        .tool(Tool::builder().driver(driver).build())
        .column_kind(serde_json::Value::from("unicodeCodePoints"))
        .invocations(vec![invocation])
        .results(results)
        .build();
    let log = Sarif::builder()
        .schema(SCHEMA_URL)
        .version(serde_json::Value::from("2.1.0"))
        .runs(vec![run])
        .build();
    serde_json::to_writer_pretty(&mut *to, &log)?;
    writeln!(to)
}

fn problem(problem: &ProblemReport, place: &Place) -> Finding {
    let related: Vec<Location> = problem
        .related
        .iter()
        .map(|(place, what)| location(place, Some(what)))
        .collect();
    let level = match problem.severity {
        Severity::Error => ResultLevel::Error,
        Severity::Warning => ResultLevel::Warning,
        Severity::Hint => ResultLevel::Note,
    };
    let mut result = Finding::builder()
        .rule_id(problem.code)
        .level(level)
        .message(message(&problem.message))
        .locations(vec![location(place, None)])
        .build();
    result.related_locations = (!related.is_empty()).then_some(related);
    result
}

/// A result where a property is undecided, or does not stand as the text expects; and, as one that nothing is wrong with,
/// where a run is the witness of one that holds.
fn property(property: &PropertyReport) -> Option<Finding> {
    let has_witness = property.verdict == Verdict::Holds && property.trace.is_some();
    let (kind_of_result, level) = match property.is_as_expected() {
        Some(true) if has_witness => (ResultKind::Pass, ResultLevel::None),
        Some(true) => return None,
        Some(false) => (ResultKind::Fail, ResultLevel::Error),
        None => (ResultKind::Open, ResultLevel::None),
    };
    let why = property.why.as_deref().unwrap_or_default();
    let standing = property.standing();
    let stands = match property.verdict {
        Verdict::Holds => &standing,
        Verdict::Violated => "is violated",
        Verdict::Undecided => "is undecided",
    };
    let text = match why {
        "" => format!("`{}` {stands}", property.label()),
        why => format!("`{}` {stands}: {why}", property.label()),
    };
    let mut result = Finding::builder()
        .rule_id(kind(property.form))
        .kind(kind_of_result)
        .level(level)
        .message(message(&text))
        .locations(vec![location(&property.place, None)])
        .build();
    let waits: Vec<Location> = property
        .waits
        .iter()
        .map(|wait| location(&wait.place, Some(&wait.sentence())))
        .collect();
    result.related_locations = (!waits.is_empty()).then_some(waits);
    result.properties = property.violation.map(|violation| {
        let violation = ("violation".to_owned(), violation.into());
        PropertyBag::builder()
            .additional_properties(BTreeMap::from([violation]))
            .build()
    });
    let steps = property
        .trace
        .as_ref()
        .map(flow)
        .filter(|steps| !steps.is_empty());
    result.code_flows = steps.map(|steps| {
        let thread = ThreadFlow::builder().locations(steps).build();
        vec![CodeFlow::builder().thread_flows(vec![thread]).build()]
    });
    Some(result)
}

fn flow(trace: &TraceReport) -> Vec<ThreadFlowLocation> {
    let mut told = Vec::new();
    let mut begins_cycle = false;
    let mut since: Option<usize> = None;
    for part in trace.parts() {
        let NumberedStep {
            number,
            step,
            on_cycle,
        } = match part {
            Part::Step(shown) => shown,
            // It is told with the step after it.
            Part::LeftOut(steps) => {
                since = Some(since.unwrap_or(0) + steps);
                continue;
            }
            Part::CycleBegins => {
                begins_cycle = true;
                continue;
            }
            Part::CycleCloses(_) => continue,
        };
        let mut text = sentence(step);
        if let Some(steps) = since.take() {
            text = format!("… {}: {text}", left_out(steps));
        }
        if std::mem::take(&mut begins_cycle) {
            text = format!(
                "again and again from {}: {text}",
                match number == trace.steps + 1 {
                    true => "here".to_owned(),
                    false => format!("step {}", trace.steps + 1),
                }
            );
        }
        told.push(
            ThreadFlowLocation::builder()
                .execution_order(number as i64)
                .nesting_level(i64::from(on_cycle))
                .location(location(&step.place, Some(&text)))
                .build(),
        );
    }
    told
}

/// "customer(0): enter(0), test → critical, gate[0] = 0".
fn sentence(step: &StepReport) -> String {
    let mut parts: Vec<String> = step.action.iter().cloned().collect();
    for (from, to) in step.from.iter().zip(&step.to) {
        parts.push(if from == to {
            format!("at {from}")
        } else {
            format!("{from} → {to}")
        });
    }
    parts.extend(
        step.changes
            .iter()
            .map(|(name, value)| format!("{name} = {value}")),
    );
    parts.extend(step.fails.iter().map(|why| format!("fails: {why}")));
    format!("{}: {}", step.by.join(", "), parts.join(", "))
}

fn message(text: &str) -> Message {
    Message::builder().text(text).build()
}

fn location(place: &Place, what: Option<&str>) -> Location {
    let range = place.range;
    let region = Region::builder()
        .start_line(i64::from(range.start.line))
        .start_column(i64::from(range.start.column))
        .end_line(i64::from(range.end.line))
        .end_column(i64::from(range.end.column))
        .build();
    let physical = PhysicalLocation::builder()
        .artifact_location(ArtifactLocation::builder().uri(uri(&place.file)).build())
        .region(region)
        .build();
    let mut location = Location::builder().physical_location(physical).build();
    location.message = what.map(message);
    location
}

/// A path as a reference of RFC 3986.
fn uri(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(byte.into());
            }
            b'\\' => uri.push('/'),
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_a_uri() {
        assert_eq!(uri("examples/a b.stb"), "examples/a%20b.stb");
        assert_eq!(uri("/tmp/ü.stb"), "file:///tmp/%C3%BC.stb");
    }
}
