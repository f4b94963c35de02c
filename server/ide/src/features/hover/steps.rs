//! A line: which steps of the traces pass it, and who is stuck there.

use std::ops::Range;

use stubborn_report::{NumberedStep, Part, Place, PropertyReport, StepReport};

use super::super::references::{Seen, seeing};
use super::markdown::escaped;
use crate::database::{Contents, Db, SourceFile, reports};

/// So many steps of one trace are listed.
const MOST_STEPS: usize = 8;
/// Of so many properties.
const MOST_PROPERTIES: usize = 5;

/// Where the line at `offset` has its text, and which steps pass it in the traces of the file's own
/// properties and of those that use it.
pub fn told(
    db: &dyn Db,
    roots: &[SourceFile],
    file: SourceFile,
    offset: usize,
) -> Option<(Range<usize>, String)> {
    let Contents::Text(text) = file.contents(db) else {
        return None;
    };
    let line = line_at(text, offset)?;
    let passes = |place: &Place| {
        *place.file == **file.path(db)
            && (place.bytes.start as usize) < line.end
            && line.start < place.bytes.end as usize
    };
    let mut told = Vec::new();
    let mut left_out = 0;
    for Seen { root, .. } in seeing(db, roots, file, file.path(db)) {
        for report in reports(db, root).iter().flatten() {
            // What a used file declares is told of that file itself.
            let is_own = root == file || *report.place.file == **root.path(db);
            let Some(of_report) = of_report(report, &passes).filter(|_| is_own) else {
                continue;
            };
            match told.len() < MOST_PROPERTIES {
                true => told.push(of_report),
                false => left_out += 1,
            }
        }
    }
    if left_out > 0 {
        told.push(format!("… and the traces of {left_out} more."));
    }
    (!told.is_empty()).then(|| (line, told.join("\n\n")))
}

fn of_report(report: &PropertyReport, passes: &dyn Fn(&Place) -> bool) -> Option<String> {
    let mut steps = Vec::new();
    let mut is_whole = true;
    let parts = report.trace.iter().flat_map(|trace| trace.parts());
    for part in parts {
        match part {
            Part::Step(NumberedStep {
                number,
                step,
                on_cycle,
            }) if step.places.iter().chain([&step.place]).any(passes) => {
                steps.push(of_step(number, step, on_cycle, passes));
            }
            Part::LeftOut(_) => is_whole = false,
            _ => {}
        }
    }
    let waits = report.waits.iter().filter(|wait| passes(&wait.place));
    let waits: Vec<String> = waits
        .map(|wait| format!("- {}", escaped(&wait.sentence())))
        .collect();
    if steps.is_empty() && waits.is_empty() {
        return None;
    }
    let count = report.trace.as_ref().map_or(0, |trace| trace.len());
    let more = steps.len().saturating_sub(MOST_STEPS);
    steps.truncate(MOST_STEPS);
    if more > 0 {
        steps.push(format!("- … and {more} more"));
    }
    if !is_whole {
        steps.push("- the steps in the middle of the trace are not looked at".to_owned());
    }
    let name = escaped(&report.name);
    let of = match count {
        1 => "the trace, of one step, that shows".to_owned(),
        count => format!("the trace, of {count} steps, that shows"),
    };
    let lines: Vec<String> = steps.into_iter().chain(waits).collect();
    Some(format!(
        "Here passes {of} how **{name}** is violated:\n\n{}",
        lines.join("\n")
    ))
}

/// "- step 3: customer(0) on ask(0): `x = 1`, again and again".
fn of_step(
    number: usize,
    step: &StepReport,
    on_cycle: bool,
    passes: &dyn Fn(&Place) -> bool,
) -> String {
    // Of a joint step those whose part of it stands here come first.
    let of = step.by.iter().zip(&step.places);
    let here: Vec<&str> = of
        .filter(|(_, place)| passes(place))
        .map(|(who, _)| who.as_str())
        .collect();
    let who = match here.is_empty() {
        true => step.by.join(", "),
        false => here.join(", "),
    };
    let mut text = format!("- step {number}: {}", escaped(&who));
    if let Some(action) = &step.action {
        text.push_str(&format!(" on {}", escaped(action)));
    }
    // What has come of a test, of those whose part of the step stands here.
    let tests = (0..step.by.len()).filter(|at| {
        step.outcomes.get(*at).is_some_and(Option::is_some)
            && step.places.get(*at).is_some_and(passes)
    });
    let tests = tests.map(|at| {
        let (statement, came) = step.statement(at);
        format!("`{statement}`{came}")
    });
    let changes = step.changes.iter();
    let changes = changes.map(|(name, value)| format!("`{name} = {value}`"));
    let same = step.unchanged.iter();
    let same = same.map(|(name, value)| format!("`{name} = {value}`, as before"));
    let told: Vec<String> = tests.chain(changes).chain(same).collect();
    if !told.is_empty() {
        text.push_str(&format!(": {}", told.join(", ")));
    }
    if let Some(why) = &step.fails {
        text.push_str(&format!(", which fails: {}", escaped(why)));
    }
    if on_cycle {
        text.push_str(", again and again");
    }
    text
}

/// The text of a line without the blanks around it; `None` of an empty one.
fn line_at(text: &str, offset: usize) -> Option<Range<usize>> {
    let (before, after) = text.split_at_checked(offset.min(text.len()))?;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let end = after.find('\n').map_or(text.len(), |at| before.len() + at);
    let line = &text[start..end];
    let start = start + (line.len() - line.trim_start().len());
    let end = start + line.trim().len();
    (start < end).then_some(start..end)
}
