//! The commands of `stubborn`, their options, what they print and how they exit.

mod advice;
mod arguments;
mod automaton;
mod check;
mod cluster;
mod coverage;
mod crash;
mod definitions;
mod explore;
pub mod falling;
mod following;
mod format_files;
mod limits;
mod models;
mod only;
pub mod output;
mod problems;
mod progress;
mod saved;
mod search_arguments;
mod simulate;
mod space;
mod spill;
mod status;
mod time_spent;
mod what_next;

use std::env;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use stubborn_checker::{Errors, Options, Reduction};
use stubborn_report::{ProblemReport, Texts};

use arguments::{Arguments, Check, Cluster, Command, Explore, Shared};
use cluster::Part;
use falling::Falling;
use following::Following;
use output::{Human, Style, human_problems};
use problems::command_line_note;
use search_arguments::{Color, SearchArguments, Storage};
use spill::Spill;
use status::Status;

pub(crate) use definitions::one as definition;
pub(crate) use limits::{memory, whole_machine};
pub(crate) use models::{read_model, read_text};
pub use search_arguments::Format;

/// The program.
pub fn main() -> ExitCode {
    let began = Instant::now();
    if cluster::is_left_behind() {
        return Status::Violated.into();
    }
    crash::guarded(move || {
        let arguments = match Arguments::try_parse() {
            Ok(arguments) => arguments,
            Err(mut told) => {
                advice::add_to(&mut told);
                let is_wrong = told.use_stderr();
                // Where nobody listens any more there is nothing to be done.
                let _ = told.print();
                return if is_wrong {
                    Status::Wrong.into()
                } else {
                    Status::Holds.into()
                };
            }
        };
        match run(&arguments.command, began) {
            Ok(code) => code,
            Err(error) => {
                complain(&format!(
                    "error: standard output cannot be written: {error}"
                ));
                Status::Wrong.into()
            }
        }
    })
}

fn run(command: &Command, began: Instant) -> io::Result<ExitCode> {
    match command {
        Command::Check(arguments) => check(arguments, None, began),
        Command::Explore(arguments) => explore(arguments, None, began),
        Command::Cluster(cluster) => match &cluster.command {
            Shared::Check(arguments) => check(arguments, Some(cluster), began),
            Shared::Explore(arguments) => explore(arguments, Some(cluster), began),
        },
        Command::Automaton(arguments) => match automaton::automaton(arguments) {
            Ok(text) => printed(Status::Holds, |to| to.write_all(text.as_bytes())),
            Err(errors) => Ok(refused(&errors, arguments.color).into()),
        },
        Command::Fmt(arguments) => {
            let style = Style::of_errors(arguments.color);
            let mut status = Status::Holds;
            printed(Status::Holds, |to| {
                status = format_files::format_files(arguments, style, to)?;
                Ok(())
            })?;
            Ok(status.into())
        }
        Command::Simulate(arguments) => {
            let mut done = Ok(Status::Holds);
            printed(Status::Holds, |to| {
                done = simulate::simulate(arguments, to)?;
                Ok(())
            })?;
            Ok(match done {
                Ok(status) => status,
                Err(errors) => refused(&errors, arguments.color),
            }
            .into())
        }
        Command::Dap(_) => Ok(crate::dap::run()),
        Command::Lsp(lsp) => Ok(crate::lsp::run(lsp.log.as_deref())),
    }
}

fn check(arguments: &Check, cluster: Option<&Cluster>, began: Instant) -> io::Result<ExitCode> {
    let search = &arguments.search;
    let mut human = Human::new(Style::of_output(search.color));
    let options = limits::options(search, began);
    let (mut fault, mut is_interrupted) = (None, false);
    let checked = match following(search, cluster, (&options, began)) {
        Ok(Followed::Done(status)) => return Ok(status.into()),
        Ok(Followed::Here(following)) => {
            let is_told_as_it_falls = search.format == Format::Human;
            let falling =
                is_told_as_it_falls.then(|| Falling::new(began, following.line(), human.clone()));
            let mut checked =
                check::check(arguments, &options, following.caller(), falling.as_ref());
            human.told = falling.map(Falling::finish).unwrap_or_default();
            fault = following.fault();
            let report = &mut checked.report;
            let is_limited = report.properties.iter().any(|one| one.limit.is_some());
            is_interrupted = following.is_interrupted();
            if is_limited || is_interrupted || arguments.explain.is_some() {
                report.seconds = following.time_spent().seconds();
            }
            report.problems.extend(following.finish());
            checked
        }
        Err(refused) => check::refused(&arguments.files, refused),
    };
    let mut report = checked.report;
    let status = Status::of(&report).or_broken(fault.is_some());
    let status = status.or_interrupted(is_interrupted);
    let whys = report.properties.iter().map(|one| one.why.as_deref());
    let untold = untold(fault, status, whys);
    report.problems.extend(untold);
    tell_on_errors(search, &mut report.problems);
    printed(status, |to| {
        output::write(&report, &checked.texts, search.format, &human, to)
    })
}

fn explore(arguments: &Explore, cluster: Option<&Cluster>, began: Instant) -> io::Result<ExitCode> {
    let search = &arguments.search;
    let mut options = limits::options(search, began);
    // The file has the whole state space, unless a reduction is named.
    if arguments.output.is_some() && search.reduction.is_none() {
        options.reduction = Reduction::None;
    }
    let (mut fault, mut is_interrupted) = (None, false);
    let mut explored = match following(search, cluster, (&options, began)) {
        Ok(Followed::Done(status)) => return Ok(status.into()),
        Ok(Followed::Here(following)) => {
            let mut explored = explore::explore(arguments, &options, following.caller());
            fault = following.fault();
            is_interrupted = following.is_interrupted();
            explored.problems_mut().extend(following.finish());
            explored
        }
        Err(refused) => explore::refused(arguments, refused),
    };
    let status = explored.status().or_broken(fault.is_some());
    let status = status.or_interrupted(is_interrupted);
    let why = explored.why();
    let untold = untold(fault, status, std::iter::once(why.as_deref()));
    explored.problems_mut().extend(untold);
    tell_on_errors(search, explored.problems_mut());
    let style = Style::of_output(search.color);
    printed(status, |to| explored.write(search.format, style, to))
}

/// Observer of the searches of a command that several processes may carry out.
enum Followed {
    Here(Box<Following>),
    /// This process has done what the first one asked for.
    Done(Status),
}

fn following(
    search: &SearchArguments,
    cluster: Option<&Cluster>,
    (options, began): (&Options, Instant),
) -> Result<Followed, String> {
    let shown = search.format == Format::Human;
    let spill = match search.storage {
        Storage::Disk => Some(Spill::into(env::temp_dir())?),
        _ => None,
    };
    let mut following = Following::new(began, shown, spill);
    let part = cluster.map(|cluster| cluster::part(cluster, options, following.interrupted()));
    match part.transpose()? {
        None | Some(Part::Alone) => {}
        Some(Part::First(first)) => following.beside(first),
        Some(Part::Done(status)) => return Ok(Followed::Done(status)),
    }
    Ok(Followed::Here(Box::new(following)))
}

/// Shows on standard error why a command is not carried out.
fn refused(errors: &Errors, color: Color) -> Status {
    let style = Style::of_errors(color);
    // Nobody is left to tell where this fails.
    let _ = human_problems(&errors.problems, &errors.texts, style, &mut io::stderr());
    Status::Wrong
}

/// Says something on standard error. Where that is closed nobody is left to tell.
fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// A person is told of mistakes on the command line where the other messages of commands go;
/// what is read by programs has everything in one place.
fn tell_on_errors(search: &SearchArguments, problems: &mut Vec<ProblemReport>) {
    if search.format != Format::Human {
        return;
    }
    let (placed, unplaced) = problems
        .drain(..)
        .partition(|problem| problem.place.is_some());
    *problems = placed;
    let style = Style::of_errors(search.color);
    // Nobody is left to tell where this fails.
    let _ = human_problems(&unplaced, &Texts::default(), style, &mut io::stderr());
}

/// Why the other processes were of no use, where that decides the status and none of the reasons says it.
fn untold<'w>(
    fault: Option<String>,
    status: Status,
    mut whys: impl Iterator<Item = Option<&'w str>>,
) -> Option<ProblemReport> {
    let fault = fault.filter(|_| status == Status::Broken)?;
    let is_told = whys.any(|why| why.is_some_and(|why| why.contains(&fault)));
    (!is_told).then(|| command_line_note(fault))
}

/// Prints to standard output. A reader who has seen enough and closes it is no error.
fn printed(
    status: Status,
    print: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<ExitCode> {
    let mut to = BufWriter::new(io::stdout().lock());
    match print(&mut to).and_then(|()| to.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(status.into()),
    }
}
