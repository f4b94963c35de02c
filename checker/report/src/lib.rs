//! Verdicts explained as plain data, with names, places and sentences in place of numbers; steps
//! along a run; and drawings of state graphs.
//!
//! A report is made once, from an analysis and the outcomes of a search. The command line shows it
//! in its formats, the language server in diagnostics and hovers.
//!
//! Invariant: nothing here knows the database, the protocols or the terminal.

mod about;
mod actions;
mod chart;
mod chosen;
mod deadlock;
pub mod defect;
mod dependence;
mod difference;
mod effects;
mod exchange;
pub mod expression;
mod failing;
mod fairness;
mod lanes;
mod lines;
mod mermaid;
mod monitor;
mod never;
mod omissions;
pub mod once_more;
mod only;
mod parameters;
mod parts;
mod phrases;
pub mod picture;
mod place;
mod plan;
mod property;
mod reading;
mod reason;
mod restless;
mod runs;
mod sighting;
mod specification;
mod state;
mod step;
pub mod stepping;
mod svg;
mod table;
mod trace;
mod vacuity;
mod wait;
mod watched;
mod why;

pub use about::About;
pub use actions::{action_label, step_label};
pub use chart::{
    Chart, ChartStep, Participant, ParticipantKind, Variable, VariableKind, chart, charted,
};
pub use difference::difference;
pub use exchange::{Event, Exchange, exchange};
pub use failing::failure;
pub use lanes::{Cell, LaneStep, Lanes, lanes};
pub use mermaid::mermaid;
pub use never::{CoverageReport, NeverReport, never, never_by_text, untold};
pub use only::{Excerpt, Only, OnlyName, is_meant};
pub use parameters::parameters;
pub use phrases::{MOST_LISTED, after, counted, grouped, list, list_of};
pub use place::{Place, Position, TextRange, Texts, cut};
pub use plan::AttemptReport;
pub use property::{PropertyReport, Verdict, kind, property, refused};
pub use reason::{reason, size};
pub use runs::{qualify, qualify_where_steps_fail};
pub use sighting::{Range, Ranges, Visit, visits};
pub use state::{NamedValues, Passed, Shown, named_channel, named_values};
pub use step::{StepReport, told_step};
pub use svg::svg;
pub use table::{Row, Table, table, table_of, whole_table};
pub use trace::{NumberedStep, Part, TraceReport, left_out, trace_report};
pub use vacuity::{Vacuous, never_happens, questions, vacuous};
pub use wait::{Wait, waits};

use std::fmt;

use stubborn_model::problem::{Code, Problem, Severity};

/// All that a check found.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Report {
    /// The paths that were given.
    pub files: Vec<String>,
    /// The values that the `param`s have had, as they are written.
    pub parameters: Vec<(String, String)>,
    pub problems: Vec<ProblemReport>,
    pub properties: Vec<PropertyReport>,
    /// What never happens, where somebody has asked for it.
    pub coverage: Option<CoverageReport>,
    /// Time of each phase of the check, where it is to be shown.
    pub seconds: Vec<(&'static str, f64)>,
    /// What to try next, where a limit was reached.
    pub next: Vec<String>,
}

/// A message about the text, or about the command line where there is no place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProblemReport {
    /// `unknown-name`.
    pub code: &'static str,
    pub severity: Severity,
    pub message: String,
    pub place: Option<Place>,
    /// Other places that belong to it, each with what it has to do with it.
    pub related: Vec<(Place, String)>,
}

impl ProblemReport {
    pub fn new(problem: &Problem, texts: &Texts) -> ProblemReport {
        ProblemReport {
            code: problem.code.as_str(),
            severity: problem.severity,
            message: problem.message.clone(),
            place: problem.span.map(|span| texts.place(span)),
            related: problem
                .related
                .iter()
                .map(|(span, what)| (texts.place(*span), what.clone()))
                .collect(),
        }
    }

    /// The message with its file and line, if it has a place.
    pub fn in_line(&self) -> String {
        match &self.place {
            Some(place) => {
                let line = place.range.start.line;
                format!("{}:{line}: {}", place.file, self.message)
            }
            None => self.message.clone(),
        }
    }

    /// Whether it says that the limit on time was reached before the properties were known.
    pub fn is_cut(&self) -> bool {
        self.code == Code::Timeout.as_str()
    }
}

impl Report {
    /// The property with a name.
    pub fn property(&self, name: &str) -> Option<&PropertyReport> {
        self.properties.iter().find(|one| one.name == name)
    }

    /// Whether every property holds, or is violated where the text expects that.
    pub fn is_as_expected(&self) -> bool {
        let mut properties = self.properties.iter();
        properties.all(|one| one.is_as_expected() == Some(true))
    }

    /// Whether the limit on time was reached before the properties were known.
    pub fn is_cut(&self) -> bool {
        self.problems.iter().any(ProblemReport::is_cut)
    }

    pub fn has_errors(&self) -> bool {
        self.problems
            .iter()
            .any(|problem| problem.severity == Severity::Error)
    }
}

/// One line for each property: `mutex  violated: 2 clients are in critical at once, after 4 steps`.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lengths = self.properties.iter().map(|one| one.name.chars().count());
        let width = lengths.max().unwrap_or(0);
        for one in &self.properties {
            let why = one
                .why
                .as_ref()
                .map_or(String::new(), |why| format!(": {why}"));
            writeln!(f, "{:width$}  {}{why}", one.name, one.verdict.as_str())?;
        }
        Ok(())
    }
}
