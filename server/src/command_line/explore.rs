//! `stubborn explore`: the state space itself.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;
use stubborn_checker::{Caller, Model, Options, Search, Selection, StateSpace, Symmetry};
use stubborn_model::problem::Severity;
use stubborn_report::{About, ProblemReport, Report, Texts};

use super::arguments::Explore;
use super::definitions::combinations;
use super::limits::is_past;
use super::models::read_model;
use super::output::{
    Human, Style, explored, human_problems, json_problems, json_seconds, json_sharing, write,
    write_json,
};
use super::problems::command_line_problem;
use super::search_arguments::{Format, Storage, ValueName};
use super::space::{FORMATS, FailingStep, Named, Recorder, extension};
use super::status::Status;

/// What came of an exploration, before it is written.
pub struct Explored {
    file: String,
    problems: Vec<ProblemReport>,
    texts: Texts,
    found: Option<(StateSpace, Vec<FailingStep>)>,
}

/// Builds the state space of a file's model, and writes it where the arguments say.
pub fn explore(arguments: &Explore, options: &Options, caller: Caller<'_>) -> Explored {
    let mut explored = Explored::nothing(arguments);
    let search = &arguments.search;
    let mut wrong = search.refused();
    if search.storage.may_miss_states() {
        wrong.push(format!(
            "`explore` does not work with `--storage {}`, which may miss states; write `--storage exact`",
            search.storage.value_name()
        ));
    }
    if let Search::Random(_) = search.search {
        wrong.push(
            "`explore` does not work with `--search random`, which misses states; write `--search bfs`"
                .to_owned(),
        );
    }
    if arguments.output.is_some() && search.storage == Storage::Disk {
        wrong.push(
            "`--output` does not work with `--storage disk`, which only counts states; write \
             `--storage exact`"
                .to_owned(),
        );
    }
    if arguments.output.is_some() && search.symmetry == Symmetry::Always {
        wrong.push(
            "`--output` writes each state with its steps, and with `--symmetry always` one would stand for several; \
             `--symmetry off` writes all of them"
                .to_owned(),
        );
    }
    if let Some(output) = &arguments.output
        && !extension(output).is_some_and(|extension| FORMATS.contains(&extension))
    {
        wrong.push(format!(
            "`--output {}` has to end with .aut, .dot or .json, which says in which format it is \
             written",
            output.display()
        ));
    }
    let definitions = match combinations(&search.definitions) {
        Ok(all) if all.len() > 1 => {
            let why = "`explore` takes one value of each parameter; write `-D NAME=VALUE`";
            wrong.push(why.to_owned());
            all.into_iter().next().unwrap_or_default()
        }
        Ok(all) => all.into_iter().next().unwrap_or_default(),
        Err(why) => {
            wrong.push(why);
            Vec::new()
        }
    };
    let is_to_end = || is_past(options) || caller.budget.is_cancelled();
    let model = match read_model(&arguments.file, &definitions, &is_to_end) {
        Ok(model) => model,
        Err(unread) => {
            let wrong = wrong.into_iter().map(command_line_problem);
            explored.problems.extend(wrong.chain(unread));
            return explored;
        }
    };
    if wrong.is_empty() {
        wrong.extend(Selection::new(&search.property).unknown(&[&model]));
    }
    explored.problems = model.problems();
    explored.texts = model.texts().clone();
    let is_refused = !wrong.is_empty();
    explored
        .problems
        .extend(wrong.into_iter().map(command_line_problem));
    let Some(about) = model.about().filter(|_| !is_refused) else {
        return explored;
    };
    match build_space(&model, about, arguments, options, caller) {
        Ok(found) => explored.found = Some(found),
        Err(why) => explored.problems.push(command_line_problem(why)),
    }
    explored
}

fn build_space(
    model: &Model,
    about: About<'_>,
    arguments: &Explore,
    options: &Options,
    caller: Caller<'_>,
) -> Result<(StateSpace, Vec<FailingStep>), String> {
    let named = Named {
        about,
        labels: arguments.labels,
    };
    let output = arguments.output.as_deref();
    let unwritten = |error: io::Error| {
        let output = output.unwrap_or(std::path::Path::new(""));
        format!("`{}` cannot be written: {error}", output.display())
    };
    let gave_up = AtomicBool::new(false);
    let mut recorder = Recorder::new(named, output, &gave_up).map_err(unwritten)?;
    let is_cancelled = || gave_up.load(Ordering::Relaxed) || caller.budget.is_cancelled();
    let found = model.explore_into(options, caller.until(&is_cancelled), &mut recorder);
    let found = found.map_err(|error| error.to_string())?;
    let failures = recorder.finish(found.states).map_err(unwritten)?;
    Ok((found, failures))
}

/// What is told where the command cannot be carried out.
pub fn refused(arguments: &Explore, why: String) -> Explored {
    let mut explored = Explored::nothing(arguments);
    explored.problems.push(command_line_problem(why));
    explored
}

impl Explored {
    fn nothing(arguments: &Explore) -> Explored {
        Explored {
            file: arguments.file.to_string_lossy().into_owned(),
            problems: Vec::new(),
            texts: Texts::default(),
            found: None,
        }
    }

    /// Errors in the text of properties do not make it wrong: the space was built all the same.
    pub fn status(&self) -> Status {
        match &self.found {
            None if self.is_cut() => Status::Undecided,
            None => Status::Wrong,
            Some((found, _)) if !found.complete => Status::Undecided,
            Some(_) => Status::Holds,
        }
    }

    /// Whether nothing is wrong but that time was over before the model was read.
    fn is_cut(&self) -> bool {
        let is_error = |problem: &ProblemReport| problem.severity == Severity::Error;
        self.problems.iter().any(ProblemReport::is_cut) && !self.problems.iter().any(is_error)
    }

    /// Why it ended early, if it did.
    pub fn why(&self) -> Option<String> {
        let (found, _) = self.found.as_ref()?;
        found.stopped.as_ref().map(stubborn_report::reason)
    }

    pub fn problems_mut(&mut self) -> &mut Vec<ProblemReport> {
        &mut self.problems
    }

    pub fn write(&self, format: Format, style: Style, to: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::Human => self.write_human(style, to),
            Format::Json => self.write_json(to),
            Format::Sarif | Format::Junit => {
                let report = Report {
                    files: vec![self.file.clone()],
                    problems: self.problems.clone(),
                    ..Report::default()
                };
                write(&report, &self.texts, format, &Human::new(style), to)
            }
        }
    }

    fn write_human(&self, style: Style, to: &mut dyn Write) -> io::Result<()> {
        human_problems(&self.problems, &self.texts, style, to)?;
        let Some((found, failures)) = &self.found else {
            return Ok(());
        };
        writeln!(to, "{}", style.bold(&self.file))?;
        explored(found, style, to)?;
        for failing in failures {
            let FailingStep {
                by,
                action,
                place,
                why,
            } = failing;
            let who = by.join(", ");
            let action = action
                .as_ref()
                .map_or(String::new(), |action| format!(" in {action}"));
            let line = place.range.start.line;
            writeln!(to, "\n{}: {who}{action}: {why}", style.bad("a step fails"))?;
            writeln!(
                to,
                "  --> {}:{line}:{}",
                place.file, place.range.start.column
            )?;
        }
        Ok(())
    }

    fn write_json(&self, to: &mut dyn Write) -> io::Result<()> {
        let (files, problems) = ([&self.file], json_problems(&self.problems));
        let Some((found, failures)) = &self.found else {
            // A script that reads what `check` says can read this too.
            let nothing = json!({
                "files": files, "problems": problems, "states": null, "edges": null, "terminal": null,
                "full": null, "complete": null, "seconds": null, "properties": [],
            });
            return write_json(&nothing, to);
        };
        let mut object = json!({
            "files": files,
            "problems": problems,
            "states": found.states,
            "edges": found.edges,
            "terminal": found.terminal,
            "failing": found.failing,
            "full": found.full,
            "complete": found.complete,
            "why": self.why(),
            "seconds": json_seconds(found.seconds),
            "bytes_per_state": (found.bytes_per_state * 100.0).round() / 100.0,
            "symmetry": found.symmetry,
        });
        if let Some(sharing) = &found.sharing {
            object["sharing"] = json_sharing(sharing);
        }
        let failures = failures.iter().map(|failing| {
            json!({
                "by": failing.by,
                "action": failing.action,
                "file": &*failing.place.file,
                "line": failing.place.range.start.line,
                "why": failing.why,
            })
        });
        object["failures"] = failures.collect();
        write_json(&object, to)
    }
}
