//! `stubborn check`: every property of the given files.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stubborn_engine::{Caller, Options, Outcome};
use stubborn_model::problem::{Code, Problem, Severity};
use stubborn_model::{Analysis, Interrupted, Memory, Model, NamedProperty, Premise};
use stubborn_model::{analyze_remembering, analyze_within};
use stubborn_report::vacuous as idle_premise;
use stubborn_report::{
    AttemptReport, CoverageReport, Named, ProblemReport, PropertyReport, Report, Texts, parameters,
    property, qualify,
};
use stubborn_system::property::{Form, Property};
use stubborn_system::system::System;

use super::coverage::{self, Sights};
use super::falling::{Falling, OfSystem};
use super::limits::{is_past, table_too_large};
use super::models::{Group, Loaded, Unloaded, load};
use super::plan::Plan;
use super::scouts::beside_scouts;
use super::search_arguments::SearchArguments;
use super::selection::{Selection, settings, unknown_parameters};
use super::stops::Stops;
use super::vacuity::vacuous;

/// A report, with the texts that it has places in.
#[derive(Debug, Default)]
pub struct Checked {
    pub report: Report,
    pub texts: Texts,
}

/// How far a check goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    EverythingIsDecided,
    /// One property is not as expected.
    SomethingIsWrong,
}

impl Until {
    pub fn of(stop_at_first: bool) -> Until {
        match stop_at_first {
            true => Until::SomethingIsWrong,
            false => Until::EverythingIsDecided,
        }
    }
}

/// What is to be checked, and how far.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    pub files: &'a [PathBuf],
    pub search: &'a SearchArguments,
    pub until: Until,
    /// Whether the plan is to be shown.
    pub explains: bool,
}

/// Checks the properties of files, as the arguments say; `falling` is told verdicts while others are searched for.
pub fn check(
    asked: Asked<'_>,
    options: &Options,
    caller: Caller<'_>,
    falling: Option<&Falling<'_>>,
) -> Checked {
    let Asked {
        files,
        search: arguments,
        until,
        explains,
    } = asked;
    let mut checked = Checked::default();
    let report = &mut checked.report;
    report.files = named(files);
    let is_to_end = || is_past(options) || caller.budget.is_cancelled();
    let groups = match load(files, &is_to_end) {
        Ok(groups) => groups,
        Err(Unloaded::Interrupted) => {
            report.problems.push(not_read_in_time());
            Vec::new()
        }
        Err(Unloaded::Wrong(wrong)) => {
            report
                .problems
                .extend(wrong.into_iter().map(command_line_problem));
            Vec::new()
        }
    };
    report
        .problems
        .extend(arguments.refused().into_iter().map(command_line_problem));
    report
        .problems
        .extend(table_too_large(options).map(command_line_problem));
    let programs = || groups.iter().flat_map(|group| &group.programs);
    if !groups.is_empty() {
        let programs: Vec<_> = programs().map(|loaded| &loaded.program).collect();
        let unknown = unknown_parameters(&arguments.definitions, &programs);
        report
            .problems
            .extend(unknown.into_iter().map(command_line_problem));
    }
    if report.has_errors() || groups.is_empty() {
        return checked;
    }

    let analyses: Result<Vec<Vec<Analysis>>, Interrupted> = groups
        .iter()
        .map(|group| {
            let programs = group.programs.iter().map(|loaded| &loaded.program);
            // The testers of a model read its processes once.
            let mut memory: Option<Memory> = None;
            let analyzed = programs.map(|program| {
                let settings = settings(&arguments.definitions, program);
                if group.programs.len() == 1 {
                    return analyze_within(program, &settings, &is_to_end);
                }
                let before = memory.as_ref();
                let found = analyze_remembering(program, &settings, before, &is_to_end);
                let (analysis, remembered) = found?;
                memory = Some(remembered);
                Ok(analysis)
            });
            analyzed.collect()
        })
        .collect();
    let Ok(analyses) = analyses else {
        report.problems.push(not_read_in_time());
        return checked;
    };
    for (group, analyses) in groups.iter().zip(&analyses) {
        text_problems(group, analyses, &mut report.problems);
    }
    for analysis in analyses.iter().flatten() {
        for (name, value) in parameters(analysis) {
            if !report.parameters.iter().any(|(known, _)| *known == name) {
                report.parameters.push((name, value));
            }
        }
    }
    let selection = Selection::new(&arguments.property);
    let parts: Vec<_> = groups
        .iter()
        .zip(&analyses)
        .flat_map(|(group, analyses)| group.programs.iter().zip(analyses))
        .map(|(loaded, analysis)| (&loaded.program, analysis))
        .collect();
    report.problems.extend(
        selection
            .unknown(&parts)
            .into_iter()
            .map(command_line_problem),
    );
    for loaded in programs() {
        checked.texts.add(&loaded.texts);
    }
    let is_at_fault =
        |problem: &ProblemReport| problem.place.is_none() && problem.severity == Severity::Error;
    if report.problems.iter().any(is_at_fault) {
        return checked;
    }

    if let Some(falling) = falling {
        falling.begin(&checked.texts, &report.problems);
    }
    let stops = Stops::new(caller, until);
    for (group, analyses) in groups.iter().zip(&analyses) {
        let how = (options, explains);
        match search(group, analyses, &selection, how, (&stops, falling)) {
            Ok((properties, coverage)) => {
                report.properties.extend(properties);
                if let Some(found) = coverage {
                    let all = report.coverage.get_or_insert_default();
                    all.never.extend(found.never);
                    all.untold.extend(found.untold);
                    all.given_up |= found.given_up;
                }
            }
            Err(too_large) => report.problems.push(ProblemReport {
                code: Code::TooLarge.as_str(),
                ..command_line_problem(too_large)
            }),
        }
    }
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

/// What is wrong with the command line rather than with a text.
pub fn command_line_problem(message: String) -> ProblemReport {
    ProblemReport {
        code: Code::CommandLine.as_str(),
        severity: Severity::Error,
        message,
        place: None,
        related: Vec::new(),
    }
}

/// What else is to be known of what the command line asked for.
pub fn command_line_note(message: String) -> ProblemReport {
    ProblemReport {
        severity: Severity::Hint,
        ..command_line_problem(message)
    }
}

/// What is said where the limit on time was reached while the texts were read.
pub fn not_read_in_time() -> ProblemReport {
    ProblemReport {
        code: Code::Timeout.as_str(),
        severity: Severity::Warning,
        message: String::from(
            "the time that `--timeout` gives was over before the model was read, so that nothing was \
             checked; smaller ranges, fewer instances or more time would mend it",
        ),
        place: None,
        related: Vec::new(),
    }
}

/// The messages about the texts of one model, each once. A warning or a hint counts where all
/// programs that have the file agree on it: what only a tester reads is read.
fn text_problems(group: &Group, analyses: &[Analysis], into: &mut Vec<ProblemReport>) {
    let by_program = || group.programs.iter().zip(analyses);
    let known: Vec<HashSet<Said<'_>>> = by_program()
        .map(|(loaded, analysis)| {
            let problems = analysis.problems.iter();
            problems.map(|problem| said(loaded, problem)).collect()
        })
        .collect();
    let mut told: HashSet<ProblemReport> = into.iter().cloned().collect();
    for (loaded, analysis) in by_program() {
        for problem in &analysis.problems {
            let agreed = || {
                let mut others = group.programs.iter().zip(&known);
                others.all(|(other, known)| {
                    let has_file = problem
                        .span
                        .is_none_or(|span| other.has(loaded.identity(span.file)));
                    !has_file || known.contains(&said(loaded, problem))
                })
            };
            if problem.severity == Severity::Error || agreed() {
                let problem = ProblemReport::new(problem, &loaded.texts);
                if told.insert(problem.clone()) {
                    into.push(problem);
                }
            }
        }
    }
}

/// A message as all programs know it: its code, its words and its place.
type Said<'a> = (Code, &'a str, Option<(&'a Path, u32, u32)>);

fn said<'a>(loaded: &'a Loaded, problem: &'a Problem) -> Said<'a> {
    let place = problem
        .span
        .map(|span| (loaded.identity(span.file), span.start, span.end));
    (problem.code, &problem.message, place)
}

/// A property that is to be checked, in the program that brings it first.
struct Wanted<'a> {
    loaded: &'a Loaded,
    model: &'a Model,
    named: &'a NamedProperty,
}

/// The properties that one of the programs that have them expects to be violated: a tester file may say that of the
/// model that it uses.
fn expected_violated<'a>(
    group: &'a Group,
    analyses: &'a [Analysis],
) -> HashSet<(&'a Path, &'a str)> {
    let mut expected = HashSet::new();
    for (loaded, analysis) in group.programs.iter().zip(analyses) {
        let properties = analysis.model.iter().flat_map(|model| &model.properties);
        let to_fail = properties.filter(|named| named.expected_violated);
        expected.extend(to_fail.map(|named| (loaded.identity(named.span.file), &*named.name)));
    }
    expected
}

/// Checks the wanted properties of one model, those of equal systems in one search; where that is asked for, tells
/// what never happens as well.
fn search(
    group: &Group,
    analyses: &[Analysis],
    selection: &Selection,
    (options, explains): (&Options, bool),
    (stops, falling): (&Stops<'_>, Option<&Falling<'_>>),
) -> Result<(Vec<PropertyReport>, Option<CoverageReport>), String> {
    let mut seen = HashSet::new();
    let mut wanted: Vec<Wanted<'_>> = Vec::new();
    for (loaded, analysis) in group.programs.iter().zip(analyses) {
        let Some(model) = &analysis.model else {
            continue;
        };
        for named in &model.properties {
            let is_new = seen.insert((loaded.identity(named.span.file), &*named.name));
            if is_new && selection.has(named) {
                wanted.push(Wanted {
                    loaded,
                    model,
                    named,
                });
            }
        }
    }
    let expected = expected_violated(group, analyses);
    let mut systems: Vec<&Arc<System>> = Vec::new();
    for one in &wanted {
        if !systems.contains(&&one.model.system) {
            systems.push(&one.model.system);
        }
    }
    let report_of = |at: usize, outcome: &Outcome| {
        let Wanted {
            loaded,
            model,
            named: one,
        } = &wanted[at];
        let key = (loaded.identity(one.span.file), &*one.name);
        let named = Named {
            expected_violated: expected.contains(&key),
            ..Named::new(one)
        };
        let (system, map) = (&model.system, &model.source_map);
        property(
            named,
            outcome,
            options.search,
            system,
            map,
            &loaded.texts,
            &|| {},
        )
    };
    let mut outcomes: Vec<Option<Outcome>> = vec![None; wanted.len()];
    let mut attempts: Vec<Vec<AttemptReport>> = vec![Vec::new(); wanted.len()];
    let mut premises: Vec<Vec<&Premise>> = vec![Vec::new(); wanted.len()];
    let mut coverage = options.tells_seen.then(CoverageReport::default);
    let mut known = Vec::new();
    let is_over = || stops.is_over();
    let caller = stops.caller.until(&is_over);
    for system in systems {
        let here: Vec<usize> = (0..wanted.len())
            .filter(|at| wanted[*at].model.system == *system)
            .collect();
        let properties: Vec<Property> = here
            .iter()
            .map(|at| wanted[*at].named.property.clone())
            .collect();
        let run_is_expected = here.iter().map(|at| {
            let one = &wanted[*at];
            let key = (one.loaded.identity(one.named.span.file), &*one.named.name);
            (one.named.form == Form::Reachable) != expected.contains(&key)
        });
        let stopping = stops.at_wrong(run_is_expected.collect());
        let plan = Plan::new(&stopping);
        let sights = Sights::of(system, &plan);
        let report_of_here =
            |property: usize, outcome: &Outcome| report_of(here[property], outcome);
        let telling = OfSystem::new(&sights, falling, &report_of_here);
        let found = beside_scouts(system, &properties, options, (caller, &telling))
            .map_err(|error| error.to_string())?;
        if let Some(coverage) = &mut coverage {
            coverage.given_up |= coverage::take_every_step(system, options, &sights, caller);
            let sighted = sights.all();
            let of_all = group.programs.iter().zip(analyses);
            let has_it = |analysis: &Analysis| {
                let model = analysis.model.as_ref();
                model.is_some_and(|model| model.system == *system)
            };
            for (loaded, analysis) in of_all.filter(|(_, analysis)| has_it(analysis)) {
                coverage::add(loaded, analysis, &sighted, &mut known, coverage);
            }
        }
        let of_here = here.iter().map(|at| wanted[*at].named).zip(&found);
        let idle = vacuous(system, &of_here.collect::<Vec<_>>(), options, caller);
        let each = here.into_iter().zip(found).zip(idle).enumerate();
        for (property, ((at, outcome), idle)) in each {
            outcomes[at] = Some(outcome);
            premises[at] = idle;
            if explains {
                attempts[at] = plan.of(property);
            }
        }
    }
    let told = outcomes.iter().zip(&premises).enumerate();
    let told = told.filter_map(|(at, (outcome, premises))| {
        let mut told = report_of(at, outcome.as_ref()?);
        let Loaded { program, texts, .. } = wanted[at].loaded;
        let idle = premises.iter().map(|premise| {
            let text = &program.file(premise.span.file).text;
            idle_premise(premise, text, texts)
        });
        told.add_vacuous(idle.collect());
        told.attempts.clone_from(&attempts[at]);
        Some(told)
    });
    let mut told: Vec<PropertyReport> = told.collect();
    stops.tell(&mut told);
    qualify(&mut told);
    Ok((told, coverage))
}
