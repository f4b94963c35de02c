//! `stubborn check`: every property of the given files.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use stubborn_checker::{Asked, Caller, Check, Model, Options, Selection, unknown_parameters};
use stubborn_model::problem::{Code, Problem, Severity};
use stubborn_model::{Interrupted, NamedProperty};
use stubborn_report::{ProblemReport, Report, Texts};

use super::arguments;
use super::coverage;
use super::definitions::{Values, combinations, varying};
use super::falling::Falling;
use super::limits::{is_past, table_too_large};
use super::models::{Read, load};
use super::problems::{command_line_problem, not_read_in_time};
use super::what_next::what_next;

/// A report, with the texts that it has places in.
#[derive(Debug, Default)]
pub struct Checked {
    pub report: Report,
    pub texts: Texts,
}

/// Checks the properties of files, as the arguments say, for each combination of the parameters'
/// values; `falling` is told verdicts as they become known.
pub fn check(
    arguments: &arguments::Check,
    options: &Options,
    caller: Caller<'_>,
    falling: Option<&Falling<'_>>,
) -> Checked {
    let all = match combinations(&arguments.search.definitions) {
        Ok(all) => all,
        Err(why) => return refused(&arguments.files, why),
    };
    if all.len() > 1 && arguments.coverage {
        let why = "`--coverage` takes one value of each parameter; write `-D NAME=VALUE`";
        return refused(&arguments.files, why.to_owned());
    }
    let mut checked: Option<Checked> = None;
    for values in &all {
        let of = (values, varying(&all, values));
        let one = check_with(arguments, of, options, caller, falling);
        let is_over = one.report.has_errors()
            || arguments.stop_at_first && one.report.properties.iter().any(|one| one.is_wrong());
        match &mut checked {
            None => checked = Some(one),
            Some(checked) => checked.add(one),
        }
        if is_over {
            break;
        }
    }
    checked.unwrap_or_default()
}

impl Checked {
    /// Adds what was checked with other values of the parameters.
    fn add(&mut self, other: Checked) {
        let (report, other) = (&mut self.report, other.report);
        let new = other.problems.into_iter();
        let new: Vec<ProblemReport> = new.filter(|one| !report.problems.contains(one)).collect();
        report.problems.extend(new);
        (report.parameters).retain(|parameter| other.parameters.contains(parameter));
        report.properties.extend(other.properties);
        if report.next.is_empty() {
            report.next = other.next;
        }
    }
}

/// Does so for one combination of values, of which some differ from those of another.
fn check_with(
    arguments: &arguments::Check,
    (definitions, varying): (&Values, Values),
    options: &Options,
    caller: Caller<'_>,
    falling: Option<&Falling<'_>>,
) -> Checked {
    let (files, search) = (&arguments.files, &arguments.search);
    let mut checked = Checked::default();
    let report = &mut checked.report;
    report.files = named(files);
    let is_to_end = || is_past(options) || caller.budget.is_cancelled();
    let groups = load(files, &is_to_end).unwrap_or_else(|unloaded| {
        report.problems.extend(unloaded.problems());
        Vec::new()
    });
    let mut wrong = search.refused();
    wrong.extend(table_too_large(options));
    if !groups.is_empty() {
        let programs = groups.iter().flat_map(|group| &group.programs);
        let programs: Vec<_> = programs.map(|loaded| &loaded.program).collect();
        wrong.extend(unknown_parameters(definitions, &programs));
    }
    report
        .problems
        .extend(wrong.into_iter().map(command_line_problem));
    if report.has_errors() || groups.is_empty() {
        return checked;
    }

    let groups = groups.into_iter();
    let groups = groups.map(|group| group.read(definitions, &is_to_end));
    let groups: Result<Vec<Vec<Read>>, Interrupted> = groups.collect();
    let Ok(groups) = groups else {
        report.problems.push(not_read_in_time());
        return checked;
    };
    for group in &groups {
        text_problems(group, &mut report.problems);
    }
    let models: Vec<&Model> = groups.iter().flatten().map(|read| &read.model).collect();
    for model in &models {
        for (name, value) in model.parameters() {
            if !report.parameters.iter().any(|(known, _)| *known == name) {
                report.parameters.push((name, value));
            }
        }
        checked.texts.add(model.texts());
    }
    let selection = Selection::new(&search.property);
    let unknown = selection.unknown(&models).into_iter();
    report.problems.extend(unknown.map(command_line_problem));
    let is_at_fault =
        |problem: &ProblemReport| problem.place.is_none() && problem.severity == Severity::Error;
    if report.problems.iter().any(is_at_fault) {
        return checked;
    }

    if let Some(falling) = falling {
        falling.begin(&checked.texts, &report.problems);
    }
    let mut check = Check::new(options, caller);
    check.live = falling.map(|falling| falling as _);
    check.parameters = varying.into();
    check.stops_at_first = arguments.stop_at_first;
    check.explains = arguments.explain.is_some();
    check.explains_symmetry = arguments.explain == Some(arguments::Explain::Symmetry);
    check.coverage = arguments.coverage;
    report.coverage = arguments.coverage.then(Default::default);
    for group in &groups {
        match check.check(&asked(group, &selection)) {
            Ok(found) => {
                report.properties.extend(found.properties);
                if let Some(coverage) = &mut report.coverage {
                    coverage::add(group, &found.coverage, coverage);
                }
            }
            Err(too_large) => report.problems.push(ProblemReport {
                code: Code::TooLarge.as_str(),
                ..command_line_problem(too_large.to_string())
            }),
        }
    }
    let next = what_next(report, search, &models);
    report.next = next;
    checked
}

/// What is told where the command cannot be carried out.
pub fn refused(files: &[PathBuf], why: String) -> Checked {
    let mut checked = Checked::default();
    checked.report.files = named(files);
    checked.report.problems.push(command_line_problem(why));
    checked
}

fn named(files: &[PathBuf]) -> Vec<String> {
    let names = files.iter().map(|file| file.to_string_lossy().into_owned());
    names.collect()
}

/// The messages about the texts of one model, each once. A warning or a hint counts where all
/// programs that have the file agree on it: what only a tester reads is read.
fn text_problems(group: &[Read], into: &mut Vec<ProblemReport>) {
    let known: Vec<HashSet<Said<'_>>> = group
        .iter()
        .map(|read| {
            let problems = read.model.analysis().problems.iter();
            problems.map(|problem| said(read, problem)).collect()
        })
        .collect();
    let mut told: HashSet<ProblemReport> = into.iter().cloned().collect();
    for read in group {
        for problem in &read.model.analysis().problems {
            let agreed = || {
                let mut others = group.iter().zip(&known);
                others.all(|(other, known)| {
                    let has_file = problem
                        .span
                        .is_none_or(|span| other.identities.has(read.identities.of(span.file)));
                    !has_file || known.contains(&said(read, problem))
                })
            };
            if problem.severity == Severity::Error || agreed() {
                let problem = ProblemReport::new(problem, read.model.texts());
                if told.insert(problem.clone()) {
                    into.push(problem);
                }
            }
        }
    }
}

/// A message as all programs know it: its code, its words and its place.
type Said<'a> = (Code, &'a str, Option<(&'a Path, u32, u32)>);

fn said<'a>(read: &'a Read, problem: &'a Problem) -> Said<'a> {
    let place = problem
        .span
        .map(|span| (read.identities.of(span.file), span.start, span.end));
    (problem.code, &problem.message, place)
}

/// The wanted properties of one model, each in the program that brings it first. Where one of the programs that
/// have a property expects a violation, it is expected: a tester file may say that of the model that it uses.
fn asked<'a>(group: &'a [Read], selection: &Selection) -> Vec<Asked<'a>> {
    let all = group.iter().flat_map(|read| {
        let properties = read.model.named_properties().iter();
        properties.map(move |named| (read, named))
    });
    let key = |(read, named): (&'a Read, &'a NamedProperty)| {
        (read.identities.of(named.span.file), &*named.name)
    };
    let expected = all.clone().filter(|(_, named)| named.expected_violated);
    let expected: HashSet<_> = expected.map(key).collect();
    let mut seen = HashSet::new();
    let wanted = all.filter(|one| seen.insert(key(*one)) && selection.has(one.1));
    let asked = wanted.map(|one| Asked {
        expected_violated: expected.contains(&key(one)),
        ..Asked::new(&one.0.model, one.1)
    });
    asked.collect()
}
