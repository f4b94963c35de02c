//! Whatever is shown of a system: every report goes through all formats of the command line and
//! through what editors show, and the values in the sentences are held against the trace.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use stubborn::command_line::Format;
use stubborn::command_line::output::{self, Human, Style};
use stubborn_engine::{Caller, Options};
use stubborn_ide::database::{
    Contents, Database, Db, SourceFile, analyzed, properties, reports, system,
};
use stubborn_ide::features::message::{Message, Roots};
use stubborn_ide::features::state::Pending;
use stubborn_ide::features::{definition, diagnostics, hover, run, symbols};
use stubborn_ide::jobs::{Answer, Known, Verdicts};
use stubborn_report::defect::caught;
use stubborn_report::{
    Event, Excerpt, NumberedStep, Only, OnlyName, Part, ProblemReport, PropertyReport, Report,
    Texts, Verdict, exchange, lanes, mermaid,
};

use stubborn_random::model::Model;
use stubborn_random::render;
use stubborn_system::property::Form;

const PATH: &str = "/model.stb";

/// Whether everything can be shown, all of it explained, and agrees with the traces.
pub fn is_in_order(model: &Model) -> Result<(), String> {
    let mut model = model.clone();
    // Editors have nowhere to set a `param` from.
    for constant in model.constants.iter_mut().filter(|one| one.from_outside) {
        constant.text = format!("param {}: 1..3 = {}", constant.name, constant.value.int());
    }
    let (text, _) = render::text(&model);
    caught(|| shown(&text)).map_err(|panic| format!("a panic while showing: {panic}"))?
}

fn shown(text: &str) -> Result<(), String> {
    let (db, file) = checked(text)?;
    let reports: Vec<PropertyReport> = reports(&db, file).iter().flatten().cloned().collect();
    for report in reports
        .iter()
        // What is to be reached has a run where it holds.
        .filter(|one| (one.verdict == Verdict::Violated) != (one.form == Form::Reachable))
    {
        explained(report).map_err(|e| format!("{}: {e}\n{:?}", report.name, report.why))?;
    }
    in_editors(&db, file, &reports)?;
    in_formats(&db, file, text, reports)
}

/// The file in a database, with the verdicts on its properties.
fn checked(text: &str) -> Result<(Database, SourceFile), String> {
    let mut db = Database::default();
    db.set_contents(PATH, Contents::Text(text.into()));
    let file = db.file(PATH);
    let system = system(&db, file).ok_or("no system in the editor")?;
    let properties = properties(&db, file);
    let all: Vec<_> = properties.iter().map(|one| one.property.clone()).collect();
    let outcomes = stubborn_engine::check(&system, &all, &Options::default(), Caller::default());
    let outcomes = outcomes.map_err(|e| e.to_string())?;
    let mut verdicts = Verdicts::default();
    for (property, outcome) in properties.iter().zip(outcomes) {
        let answer = Answer::Outcome(Box::new(property.kept(&system, &outcome)));
        let known = Known {
            answer,
            budget: None,
            found_before: false,
        };
        verdicts.insert(property.key, known);
    }
    db.set_verdicts(Arc::new(verdicts));
    Ok((db, file))
}

/// Whether a violation is explained, by what its trace shows.
fn explained(report: &PropertyReport) -> Result<(), String> {
    let why = report.why.as_deref().ok_or("no sentence")?;
    let trace = report.trace.as_ref().ok_or("no trace")?;
    if why.contains("a defect of stubborn") {
        return Err("the explanation has failed".into());
    }
    let mut disagree = false;
    let last =
        trace
            .every_step(0)
            .take(trace.steps)
            .fold(values(&trace.start), |mut state, step| {
                let same = values(&step.unchanged);
                disagree |= same
                    .iter()
                    .any(|(name, value)| state.get(name) != Some(value));
                disagree |= step.assigns_in_vain && !step.changes.is_empty();
                state.extend(values(&step.changes));
                if step.fails.is_none() {
                    let places = step.by.iter().cloned().zip(step.to.iter().cloned());
                    state.extend(places);
                }
                state
            });
    if disagree {
        return Err("what is said to be as before is not".into());
    }
    let steps = match trace.steps {
        0 => "at the start".to_owned(),
        1 => "after 1 step".to_owned(),
        steps => format!("after {steps} steps"),
    };
    let told = if let Some((ends, goal)) = why.split_once(", and its last state is not ") {
        if !ends.ends_with(&steps) {
            return Err(format!("it ends {steps}"));
        }
        let part = goal.find(", since `");
        part.map_or("", |at| &goal[at..])
    } else if let Some((_, told)) = why.split_once("` is false ") {
        let told = told.strip_prefix(&steps);
        told.ok_or_else(|| format!("it is false {steps}"))?
    } else {
        return Ok(());
    };
    // Which part of it is, in words that may have anything in them, and for which values.
    let told = match told.strip_prefix(", since `") {
        Some(part) => part.split_once("` is false").ok_or("no part is false")?.1,
        None => told,
    };
    let told = told.split_once(": ").map_or("", |(_, values)| values);
    for told in (parts_of(told).into_iter()).filter(|one| !one.is_empty() && *one != "…") {
        let read = told.split_once(" = ").or_else(|| told.split_once(" at "));
        let (name, value) = read.ok_or("neither a value nor a place")?;
        if let Some(part) = part_of_collection(&last, name) {
            if part != value {
                return Err(format!("`{name}` is {part} there"));
            }
            continue;
        }
        if last.get(name).map(String::as_str) != Some(value) {
            return Err(format!("`{name}` is {:?} there", last.get(name)));
        }
    }
    Ok(())
}

/// What is told of a part of a set or a list, which is shown as one value: `1 in s`, `len(l)`, `l[0]`.
fn part_of_collection(shown: &HashMap<String, String>, part: &str) -> Option<String> {
    let elements = |name: &str| {
        let whole = shown.get(name)?;
        let inner = whole.strip_prefix(['{', '['])?.strip_suffix(['}', ']'])?;
        let elements = inner.split(", ").filter(|one| !one.is_empty());
        Some(elements.collect::<Vec<_>>())
    };
    if let Some((element, name)) = part.split_once(" in ") {
        return Some(elements(name)?.contains(&element).to_string());
    }
    if let Some(name) = part.strip_prefix("len(") {
        return Some(elements(name.strip_suffix(')')?)?.len().to_string());
    }
    let (name, at) = part.strip_suffix(']')?.rsplit_once('[')?;
    let at: usize = at.parse().ok()?;
    let elements = elements(name)?;
    Some(elements.get(at).copied().unwrap_or("not there").to_owned())
}

/// What stands between commas that are in no brackets: `a = 1, s = {0, 2}` has two parts.
fn parts_of(list: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (at, c) in list.char_indices() {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth -= 1,
            ',' if depth == 0 && list[at..].starts_with(", ") => {
                parts.push(&list[start..at]);
                start = at + 2;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts
}

fn values(values: &[(String, stubborn_report::Shown)]) -> HashMap<String, String> {
    let values = values.iter();
    values
        .map(|(name, value)| (name.clone(), value.to_string()))
        .collect()
}

/// Diagnostics, and what is asked for at the names of properties and along the traces.
fn in_editors(db: &Database, file: SourceFile, reports: &[PropertyReport]) -> Result<(), String> {
    let shown = stubborn_ide::database::reports(db, file);
    let beside = diagnostics::beside(db, file, &Pending::new(), None, &Roots::default());
    let found = [
        diagnostics::of_text(db, file),
        diagnostics::of_verdicts(db, file),
    ];
    let all = found.iter().map(|part| &**part).chain([&beside]);
    let messages = diagnostics::together(all);
    let messages: Vec<_> = messages.values().flatten().collect();
    symbols::symbols(db, file);
    for report in reports {
        let at = report.place.bytes.start as usize;
        let hover = hover::hover(db, &[file], file, at, &Pending::new(), None).ok_or("no hover")?;
        if !hover.text.contains(report.verdict.as_str()) {
            return Err(format!("the hover of {} has no verdict", report.name));
        }
        if report.verdict == Verdict::Holds {
            continue;
        }
        let why = report.why.as_deref().unwrap_or_default();
        let told = format!("{} is {}", report.name, report.verdict.as_str());
        let here = report.place.bytes.start as usize..report.place.bytes.end as usize;
        let is_about = |one: &&&Message| match report.verdict {
            // The values of a property are told together, with the sentence of the first.
            Verdict::Violated => {
                let alone = one.text.starts_with(&told) && one.text.contains(why);
                let together =
                    one.text.contains(" are violated; ") && one.text.starts_with(&report.base);
                one.bytes == here && (alone || together)
            }
            Verdict::Undecided => one.code == "undecided",
            Verdict::Holds => false,
        };
        if messages.iter().find(is_about).is_none() {
            return Err(format!("no message says that {told}: {why}"));
        }
        // Whatever is told together, the run of each is a command away.
        if report.trace.is_some() {
            let run = run::run(&shown, &report.name).ok_or("no run")?;
            let why = report.why_without_waits().unwrap_or_default();
            if !run.starts_with(&format!("{told}: {why}")) {
                return Err(format!("the run of {} is another one", report.name));
            }
        }
        let steps = report.trace.iter().flat_map(|one| one.every_step(0));
        for place in steps.flat_map(|step| step.places) {
            hover::hover(
                db,
                &[file],
                file,
                place.bytes.start as usize,
                &Pending::new(),
                None,
            );
            definition::definition(db, file, place.bytes.start as usize);
        }
    }
    Ok(())
}

/// All formats of the command line, on terminals of several kinds.
fn in_formats(
    db: &Database,
    file: SourceFile,
    text: &str,
    properties: Vec<PropertyReport>,
) -> Result<(), String> {
    let texts = Texts::new([(PATH.into(), text.into())]);
    let analysis = analyzed(db, file).ok_or("no analysis")?;
    let problems = analysis.problems.iter();
    let report = Report {
        files: vec![PATH.to_owned()],
        problems: problems
            .map(|one| ProblemReport::new(one, &texts))
            .collect(),
        properties,
        ..Report::default()
    };
    for (coloured, width) in [(false, 100), (true, 40)] {
        let human = Human::new(Style {
            coloured,
            width,
            is_terminal: coloured,
        });
        for format in [Format::Human, Format::Json, Format::Sarif, Format::Junit] {
            let mut written = Vec::new();
            output::write(&report, &texts, format, &human, &mut written)
                .map_err(|e| format!("{format:?}: {e}"))?;
            let written = String::from_utf8(written).map_err(|e| format!("{format:?}: {e}"))?;
            if let Format::Json | Format::Sarif = format {
                serde_json::from_str::<serde_json::Value>(&written)
                    .map_err(|e| format!("{format:?}: {e}"))?;
            }
            let is_named = |one: &&PropertyReport| !written.contains(&one.name);
            let violated = report.properties.iter();
            let mut violated = violated.filter(|one| one.verdict == Verdict::Violated);
            if let Some(unnamed) = violated.find(is_named) {
                return Err(format!("{format:?} has nothing of {}", unnamed.name));
            }
        }
    }
    in_forms(&report)
}

/// Whether each run can be told in each form, whole and of one instance.
fn in_forms(report: &Report) -> Result<(), String> {
    for trace in report
        .properties
        .iter()
        .filter_map(|one| one.trace.as_ref())
    {
        let movers: BTreeSet<String> = trace.every_step(0).flat_map(|step| step.by).collect();
        for who in [None].into_iter().chain(movers.iter().map(Some)) {
            let only = Only {
                names: who
                    .map(|who| OnlyName::Who(who.clone()))
                    .into_iter()
                    .collect(),
            };
            let excerpt = who.map(|_| only.of(trace));
            let parts = excerpt
                .as_ref()
                .map_or_else(|| trace.parts(), Excerpt::parts);
            let mut told = excerpt.as_ref().map_or(0, |excerpt| excerpt.others);
            for part in &parts {
                told += match part {
                    Part::Step(NumberedStep { step, .. })
                        if who.is_none_or(|who| step.by == [who.clone()]) =>
                    {
                        1
                    }
                    Part::Step(NumberedStep { step, .. }) => {
                        return Err(format!("{who:?} is not {:?}", step.by));
                    }
                    Part::LeftOut(steps) => *steps,
                    Part::CycleBegins | Part::CycleCloses(_) => 0,
                };
            }
            if told != trace.len() {
                return Err(format!("{told} steps are told of, with {who:?} alone"));
            }
            let laid = lanes(&parts, &trace.start).plain(98);
            if let Some(long) = laid.lines().find(|line| line.chars().count() > 98) {
                return Err(format!("a long line: {long}"));
            }
            let exchange = exchange(&parts, &trace.start);
            for event in &exchange.events {
                if let Part::Step(Event::Arrow { from, to, .. } | Event::Note { from, to, .. }) =
                    event
                    && *from.max(to) >= exchange.names.len()
                {
                    return Err(format!("nobody is there for {event:?}"));
                }
            }
            // Nothing but these two forms of lines, and the words that begin and end a cycle.
            let diagram = mermaid(&exchange);
            let is_line = |line: &&str| {
                let line = line.trim_start();
                let is_arrow = line.starts_with('p') && line.contains(">>p") && line.contains(": ");
                ["participant p", "Note over p", "loop again", "end"]
                    .iter()
                    .any(|one| line.starts_with(one))
                    || is_arrow
            };
            if let Some(other) = diagram.lines().skip(1).find(|line| !is_line(line)) {
                return Err(format!("what is this in a diagram? {other}"));
            }
        }
    }
    Ok(())
}
