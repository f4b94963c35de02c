//! What a person reads in a terminal.

use std::io::{self, Write};

use annotate_snippets::{Group, Level};
use stubborn_checker::{Obstacle, Permuted, StateSpace};
use stubborn_model::problem::Severity;
use stubborn_report::{
    Place, ProblemReport, PropertyReport, Report, Texts, TraceReport, Verdict, counted, grouped,
    kind, reason,
};
use stubborn_system::property::Form;

use super::never::coverage;
use super::problems::{problems, renderer, snippets};
use super::run::run;
use super::style::Style;
use super::told::Told;
use crate::command_line::arguments::TraceForm;

/// How many stuck instances are shown in the text.
const WAITS_SHOWN: usize = 6;

/// How a report is laid out for a person.
#[derive(Clone, Debug)]
pub struct Human {
    pub style: Style,
    /// What was told before the check was over.
    pub told: Told,
}

impl Human {
    pub fn new(style: Style) -> Human {
        Human {
            style,
            told: Told::default(),
        }
    }

    /// Whether there is something to be shown.
    pub fn has_run(property: &PropertyReport) -> bool {
        property.verdict == Verdict::Violated || property.trace.is_some()
    }

    /// The problems, each violation with its trace, then a line for each property, and a summary: what matters most
    /// stands last. What was told before is not told again.
    pub fn write(&self, report: &Report, texts: &Texts, to: &mut dyn Write) -> io::Result<()> {
        let new = report.problems.iter();
        let new = new.filter(|problem| !self.told.has_problem(problem));
        problems(&new.cloned().collect::<Vec<_>>(), texts, self.style, to)?;
        if report.properties.is_empty() {
            return self.nothing_checked(report, to);
        }
        for property in report.properties.iter().filter(|one| Human::has_run(one)) {
            if self.told.has_run(property) {
                continue;
            }
            match &property.trace {
                // The source stands above; the sentence there is of the longer run.
                Some(trace) if self.told.has_other_run(property) && !trace.is_empty() => {
                    let steps = counted(trace.len(), "step");
                    let name = property.label();
                    let why = match property.why_without_waits() {
                        Some(why) => format!(" {why}"),
                        None => String::new(),
                    };
                    writeln!(
                        to,
                        "A shorter run of {steps} was found for `{name}`:{why}\n"
                    )?;
                    run(trace, TraceForm::Table, None, self.style, to)?;
                    writeln!(to)?;
                }
                _ => self.shown(property, texts, to)?,
            }
        }
        self.plan(report, to)?;
        self.verdicts(report, to)?;
        if let Some(found) = &report.coverage {
            coverage(found, self.style, to)?;
        }
        self.summary(report, to)
    }

    /// A verdict as it falls: its run, or a line where it has none.
    pub fn fallen(
        &self,
        property: &PropertyReport,
        texts: &Texts,
        to: &mut dyn Write,
    ) -> io::Result<()> {
        match Human::has_run(property) {
            true => self.shown(property, texts, to),
            false => writeln!(to, "{}  {}\n", property.label(), self.verdict(property)),
        }
    }

    fn nothing_checked(&self, report: &Report, to: &mut dyn Write) -> io::Result<()> {
        let is_placed = |problem: &&ProblemReport| problem.place.is_some();
        let errors = report
            .problems
            .iter()
            .filter(is_placed)
            .filter(|problem| problem.severity == Severity::Error)
            .count();
        match errors {
            0 => Ok(()),
            errors => {
                let told = format!("{}: nothing was checked", counted(errors, "error"));
                writeln!(to, "{}", self.style.bad(&told))
            }
        }
    }

    /// The searches that were made, for each group of properties that shared them.
    fn plan(&self, report: &Report, to: &mut dyn Write) -> io::Result<()> {
        let explained = report.properties.iter();
        let mut explained: Vec<&PropertyReport> =
            explained.filter(|one| !one.attempts.is_empty()).collect();
        while let Some(first) = explained.first().copied() {
            let (group, others): (Vec<_>, Vec<_>) = explained
                .into_iter()
                .partition(|one| one.attempts == first.attempts);
            let names: Vec<_> = group.iter().map(|one| one.label()).collect();
            let title = format!("plan of {}", names.join(", "));
            writeln!(to, "{}", self.style.bold(&title))?;
            for (number, attempt) in first.attempts.iter().enumerate() {
                writeln!(
                    to,
                    "  {}. {}: {}, {}, {:.1} s; {}",
                    number + 1,
                    attempt.search,
                    counted(attempt.states as usize, "state"),
                    counted(attempt.edges as usize, "edge"),
                    attempt.seconds,
                    attempt.end,
                )?;
                writeln!(to, "     {}", self.style.dim(attempt.why))?;
            }
            let mut differences: Vec<&str> = Vec::new();
            for difference in group.iter().flat_map(|one| &one.differences) {
                if !differences.contains(&&**difference) {
                    differences.push(difference);
                }
            }
            for difference in differences {
                writeln!(to, "  symmetry: {difference}")?;
            }
            writeln!(to)?;
            explained = others;
        }
        Ok(())
    }

    fn verdicts(&self, report: &Report, to: &mut dyn Write) -> io::Result<()> {
        let properties = &report.properties;
        let widest = properties
            .iter()
            .map(|one| one.label().chars().count())
            .max()
            .unwrap_or(0);
        let share_figures = share_figures(properties);
        let mut file: Option<&str> = None;
        for property in properties {
            if file != Some(&property.place.file) {
                if file.is_some() {
                    writeln!(to)?;
                }
                writeln!(to, "{}", self.style.bold(&property.place.file))?;
                file = Some(&property.place.file);
            }
            let label = property.label();
            let pad = " ".repeat(widest - label.chars().count());
            let verdict = self.verdict(property);
            let mut line = format!("  {label}{pad}  {verdict}");
            match (&property.why, property.verdict) {
                // It stands below, with the trace.
                (_, Verdict::Violated) => {}
                (Some(why), Verdict::Undecided) => {
                    line.push_str(&format!("  {why}{}", until_limit(property)));
                }
                (why, Verdict::Holds | Verdict::Undecided) => {
                    let figures = figures_of(property);
                    let figures = (!share_figures).then(|| self.style.dim(&figures));
                    let assumed = property.assumed().map(|all| format!("assuming {all}"));
                    let told = why.iter().cloned().chain(assumed).chain(figures);
                    let told: Vec<String> = told.collect();
                    line.push_str(&format!("      {}", told.join("; ")));
                }
            }
            writeln!(to, "{}", line.trim_end())?;
        }
        let mut limits: Vec<&str> = properties.iter().filter_map(|one| one.limit).collect();
        limits.sort_unstable();
        limits.dedup();
        if !limits.is_empty() {
            let limits: Vec<String> = limits.iter().map(|one| format!("`{one}`")).collect();
            writeln!(
                to,
                "\nMore is decided with a larger {}, or with smaller `param`s and types, which make fewer states.",
                limits.join(" or ")
            )?;
        }
        for (at, next) in report.next.iter().enumerate() {
            let title = if at == 0 { "Try next" } else { "        " };
            writeln!(to, "{title}  {next}")?;
        }
        if !report.seconds.is_empty() {
            let total: f64 = report.seconds.iter().map(|(_, seconds)| seconds).sum();
            let phases = report
                .seconds
                .iter()
                .filter(|(_, seconds)| *seconds >= 0.005);
            let phases: Vec<String> = phases
                .map(|(name, seconds)| format!("{name} {seconds:.2} s"))
                .collect();
            let line = format!("time {total:.2} s: {}", phases.join(", "));
            if report.next.is_empty() {
                writeln!(to)?;
            }
            writeln!(to, "{}", self.style.dim(line.trim_end_matches(": ")))?;
        }
        writeln!(to)
    }

    fn verdict(&self, property: &PropertyReport) -> String {
        match property.is_as_expected() {
            Some(true) => self.style.good(&property.standing()),
            // As wide as the other two words.
            Some(false) => self.style.bad(&format!("{:9}", property.standing())),
            None => self.style.open(&property.standing()),
        }
    }

    /// A violation, or the witness of what holds.
    fn shown(
        &self,
        property: &PropertyReport,
        texts: &Texts,
        to: &mut dyn Write,
    ) -> io::Result<()> {
        // Who waits for what stands below, in the text.
        let why = property.why_without_waits().unwrap_or_default();
        let title = match kind(property.form) {
            kind if kind == property.label() => why.to_owned(),
            _ => format!("{}: {why}", property.label()),
        };
        let level = match (property.verdict, property.expected_violated) {
            (Verdict::Violated, false) => Level::ERROR.with_name("violated"),
            (Verdict::Violated, true) => Level::NOTE.with_name("violated, as expected"),
            _ => Level::NOTE.with_name("reached"),
        };
        let title = level.primary_title(title).id(property.kind_and_violation());
        let mut places = vec![(&property.place, None)];
        let waits: Vec<(&Place, String)> = property
            .waits
            .iter()
            .take(WAITS_SHOWN)
            .map(|wait| (&wait.place, wait.sentence()))
            .collect();
        places.extend(
            waits
                .iter()
                .map(|(place, told)| (*place, Some(told.as_str()))),
        );
        let notes = property.notes.iter();
        places.extend(notes.map(|(place, told)| (place, Some(told.as_str()))));
        let failing = property.trace.as_ref().and_then(TraceReport::last_step);
        let failing =
            failing.and_then(|step| Some((step.fails_at.as_ref()?, step.fails.as_deref()?)));
        // The effect that fails is what is underlined.
        places.extend(failing.map(|(place, why)| {
            let why = why.split_once("`: ").map_or(why, |(_, why)| why);
            (place, Some(why))
        }));
        let group = snippets(places, texts)
            .into_iter()
            .fold(Group::with_title(title), Group::element);
        writeln!(to, "{}", renderer(self.style).render(&[group]))?;
        let Some(trace) = &property.trace else {
            return writeln!(to);
        };
        if !trace.is_empty() {
            writeln!(to)?;
            run(trace, TraceForm::Table, None, self.style, to)?;
        }
        writeln!(to)
    }

    /// "5 properties: 3 hold, 1 is violated, 1 is undecided; 574 states, 1,148 edges, 0.01 s".
    fn summary(&self, report: &Report, to: &mut dyn Write) -> io::Result<()> {
        let properties = &report.properties;
        let number = |verdict, expected: Option<bool>| {
            let all = properties.iter();
            let those = all.filter(|one| {
                one.verdict == verdict
                    && expected.is_none_or(|expected| one.expected_violated == expected)
            });
            those.count()
        };
        let mut parts = Vec::new();
        for (verdict, expected, one, many) in [
            (Verdict::Holds, Some(false), "holds", "hold"),
            (
                Verdict::Violated,
                Some(true),
                "is violated, as expected",
                "are violated, as expected",
            ),
            (
                Verdict::Holds,
                Some(true),
                "holds against expectation",
                "hold against expectation",
            ),
            (
                Verdict::Violated,
                Some(false),
                "is violated",
                "are violated",
            ),
            (Verdict::Undecided, None, "is undecided", "are undecided"),
        ] {
            match number(verdict, expected) {
                0 => {}
                1 => parts.push(format!("1 {one}")),
                several => parts.push(format!("{several} {many}")),
            }
        }
        let told = format!(
            "{}: {}",
            counted(properties.len(), "property"),
            parts.join(", ")
        );
        let told = if properties.iter().any(PropertyReport::is_wrong) {
            self.style.bad(&told)
        } else if number(Verdict::Undecided, None) > 0 {
            self.style.open(&told)
        } else {
            self.style.good(&told)
        };
        let errors = report
            .problems
            .iter()
            .filter(|problem| problem.severity == Severity::Error)
            .count();
        if errors > 0 {
            let told = format!(
                "{}: what depends on {} was not checked",
                counted(errors, "error"),
                if errors == 1 { "it" } else { "them" }
            );
            writeln!(to, "{}", self.style.bad(&told))?;
        }
        let searched = properties.iter().find(|one| one.states > 0);
        match searched.filter(|_| share_figures(properties)) {
            Some(one) => {
                let figures = figures_of(one);
                writeln!(to, "{told}; {}", self.style.dim(&figures))
            }
            None => writeln!(to, "{told}"),
        }
    }
}

/// How far the search for a property has come that a limit has ended, and what that says of it.
fn until_limit(property: &PropertyReport) -> String {
    // What random runs have come to stands in the sentence.
    if property.limit.is_none() || property.runs.is_some() {
        return String::new();
    }
    if property.depth.is_some() {
        return match property.limit {
            Some("--max-states") => String::new(),
            _ => format!(" ({})", counted(property.states as usize, "state")),
        };
    }
    let states = match property.states {
        // The limit says it.
        _ if property.limit == Some("--max-states") => String::new(),
        0 => return " before any of its states was searched".to_owned(),
        states => format!(" after {}", counted(states as usize, "state")),
    };
    // Of the other forms nothing is known before all states are.
    let so_far = match property.form {
        Form::Errors | Form::Deadlock | Form::Invariant => ", with nothing against it so far",
        Form::Reachable => ", and has not been met so far",
        _ => "",
    };
    format!("{states}{so_far}")
}

/// Whether one search decided all that were searched for.
fn share_figures(properties: &[PropertyReport]) -> bool {
    let mut searched = properties
        .iter()
        .filter(|one| one.states > 0)
        .map(|one| (one.states, one.edges, one.symmetry, one.seconds.to_bits()));
    match searched.next() {
        Some(first) => searched.all(|other| other == first),
        None => true,
    }
}

/// A number of permutations, which may be more than can be counted.
fn number_of(permutations: u64) -> String {
    match permutations {
        u64::MAX => "more than 10^19".to_owned(),
        counted => grouped(counted),
    }
}

/// What an exploration counted, for a person.
pub fn explored(found: &StateSpace, style: Style, to: &mut dyn Write) -> io::Result<()> {
    let line = |name: &str, value: String| format!("  {name:<14}{value:>14}");
    writeln!(to, "{}", line("states", grouped(found.states)))?;
    writeln!(to, "{}", line("edges", grouped(found.edges)))?;
    writeln!(to, "{}", line("terminal", grouped(found.terminal)))?;
    if found.failing > 0 {
        writeln!(
            to,
            "{}",
            style.bad(&line("failing steps", grouped(found.failing)))
        )?;
    }
    writeln!(
        to,
        "{}",
        line("bytes a state", format!("{:.1}", found.bytes_per_state))
    )?;
    if let Some(permutations) = found.symmetry {
        writeln!(to, "{}", line("permutations", number_of(permutations)))?;
    }
    writeln!(to, "{}", line("seconds", format!("{:.2}", found.seconds)))?;
    if !found.complete {
        let why = found.stopped.as_ref().map_or_else(String::new, reason);
        writeln!(to, "\n{}: {why}", style.open("incomplete"))?;
    }
    Ok(())
}

/// `574 states, 1,148 edges, 0.01 s, up to 6 permutations`.
fn figures_of(property: &PropertyReport) -> String {
    let figures = figures(property.states, property.edges, property.seconds);
    match property.symmetry {
        Permuted::By(permutations) => {
            let up_to = if permutations == u64::MAX {
                ""
            } else {
                "up to "
            };
            format!("{figures}, {up_to}{} permutations", number_of(permutations))
        }
        Permuted::Not(Obstacle::FairRuns) => format!("{figures}, no permutations of fair runs"),
        Permuted::Not(Obstacle::Rounds) => format!("{figures}, no permutations in rounds"),
        // That is what was asked for.
        Permuted::Not(Obstacle::EveryState) => figures,
        Permuted::No => figures,
    }
}

fn figures(states: u64, edges: u64, seconds: f64) -> String {
    let states = counted(states as usize, "state");
    let edges = counted(edges as usize, "edge");
    format!("{states}, {edges}, {seconds:.2} s")
}
