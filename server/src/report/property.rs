//! One property: its verdict, the sentence that explains it, its figures and its trace.

use stubborn_engine::{Outcome, Reason, Reduction, Search, Verdict as Found};
use stubborn_model::claim::{Claim, Form};
use stubborn_model::source::Span;
use stubborn_model::source_map::SourceMap;
use stubborn_model::system::System;

use super::place::{Place, Texts};
use super::trace::{TraceReport, trace};
use super::wait::{Wait, waits};
use super::why::why;

#[derive(Clone, Debug, PartialEq)]
pub struct PropertyReport {
    /// `access(2)`.
    pub name: String,
    pub form: Form,
    /// Where the property's name stands.
    pub place: Place,
    pub verdict: Verdict,
    /// What was found, or which limit was reached, in one sentence without a full stop.
    pub why: Option<String>,
    /// What the search that decided it generated, which several properties may have shared.
    pub states: u64,
    pub edges: u64,
    /// Every step was taken in every generated state.
    pub full: bool,
    /// The reduction under which it was decided: `none`.
    pub reduction: &'static str,
    /// `bfs` or `dfs`.
    pub search: &'static str,
    pub seconds: f64,
    pub trace: Option<TraceReport>,
    /// In a run that ends where it should not: who is stuck, where, and what they wait for.
    pub waits: Vec<Wait>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Holds,
    Violated,
    Undecided,
}

/// What a property is called and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    pub name: &'a str,
    pub claim: &'a Claim,
    pub form: Form,
    /// Of its name.
    pub span: Span,
}

/// Tells the outcome of one property of `system`.
pub fn property(
    named: Named<'_>,
    outcome: &Outcome,
    search: Search,
    system: &System,
    map: &SourceMap,
    texts: &Texts,
) -> PropertyReport {
    let told = match &outcome.verdict {
        Found::Violated {
            finding,
            trace: found,
        } => {
            let ends = matches!(
                finding,
                stubborn_engine::Finding::Deadlock | stubborn_engine::Finding::GoalAvoidedByEnd
            );
            let waits = if ends {
                waits(system, map, texts, found.last())
            } else {
                Vec::new()
            };
            let sentence = why(named, finding, found, &waits, system, map, texts);
            let trace = trace(system, map, texts, found);
            (Verdict::Violated, Some(sentence), Some(trace), waits)
        }
        Found::Holds => (Verdict::Holds, None, None, Vec::new()),
        Found::Undecided(why) => (Verdict::Undecided, Some(reason(why)), None, Vec::new()),
    };
    let (verdict, why, trace, waits) = told;
    PropertyReport {
        name: named.name.to_owned(),
        form: named.form,
        place: texts.place(named.span),
        verdict,
        why,
        states: outcome.states,
        edges: outcome.edges,
        full: outcome.full,
        reduction: match outcome.reduction {
            Reduction::Stubborn => "stubborn",
            Reduction::None => "none",
        },
        search: match search {
            Search::Breadth => "bfs",
            Search::Depth => "dfs",
        },
        seconds: outcome.seconds,
        trace,
        waits,
    }
}

/// Tells that a property cannot be checked at all, and why.
pub fn refused(named: Named<'_>, why: &str, texts: &Texts) -> PropertyReport {
    PropertyReport {
        name: named.name.to_owned(),
        form: named.form,
        place: texts.place(named.span),
        verdict: Verdict::Undecided,
        why: Some(why.to_owned()),
        states: 0,
        edges: 0,
        full: false,
        reduction: "none",
        search: "bfs",
        seconds: 0.0,
        trace: None,
        waits: Vec::new(),
    }
}

/// The form of a property as it is named in the output.
pub fn kind(form: Form) -> &'static str {
    match form {
        Form::Errors => "errors",
        Form::Deadlock => "deadlock",
        Form::Termination => "termination",
        Form::Invariant => "invariant",
        Form::Progress => "progress",
        Form::Ltl => "ltl",
        Form::Recurrence => "recurrence",
        Form::Tester => "tester",
        Form::Buchi => "buchi",
        Form::Testing => "testing",
        Form::Refinement => "refinement",
    }
}

/// Why a search gave no answer, in one sentence without a full stop.
pub fn reason(reason: &Reason) -> String {
    match reason {
        Reason::States(1) => "the limit of 1 state was reached".to_owned(),
        Reason::States(states) => format!("the limit of {states} states was reached"),
        Reason::Memory(bytes) => format!("the memory limit of {} was reached", size(*bytes)),
        Reason::Time => "the time limit was reached".to_owned(),
        Reason::Cancelled => "the check was cancelled".to_owned(),
        Reason::Liveness(_) => {
            "the search that was asked for cannot decide what is watched for here".to_owned()
        }
        Reason::Bitstate => {
            "nothing was found, but bitstate storage may have missed states".to_owned()
        }
        Reason::NeedsExactStorage => "bitstate storage cannot decide this".to_owned(),
        Reason::MonitorTooLarge(states) => {
            format!("the automaton would have more than {states} states")
        }
        Reason::NotBuilt(form) => {
            let what = match form {
                Form::Ltl => "an ltl formula",
                Form::Tester => "a tester",
                Form::Buchi => "a Büchi automaton",
                Form::Testing => "a testing automaton",
                Form::Refinement => "a refinement",
                other => kind(*other),
            };
            format!("{what} can be read, but this version cannot check it yet")
        }
        Reason::Internal(defect) => {
            format!("a defect of stubborn itself, which we would like to hear of: {defect}")
        }
    }
}

/// `512 bytes`, `2.0 GB`: a size as people say it, in powers of 1024.
pub fn size(bytes: u64) -> String {
    let mut value = bytes as f64;
    let mut unit = "bytes";
    for larger in ["KB", "MB", "GB", "TB"] {
        if value < 1024.0 {
            break;
        }
        value /= 1024.0;
        unit = larger;
    }
    if unit == "bytes" {
        format!("{bytes} bytes")
    } else {
        format!("{value:.1} {unit}")
    }
}

impl Verdict {
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Undecided => "undecided",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_told_in_the_largest_unit_that_fits() {
        assert_eq!(size(512), "512 bytes");
        assert_eq!(size(2 << 30), "2.0 GB");
        assert_eq!(size(1536), "1.5 KB");
    }

    #[test]
    fn what_cannot_be_checked_yet_says_so() {
        assert_eq!(
            reason(&Reason::NotBuilt(Form::Ltl)),
            "an ltl formula can be read, but this version cannot check it yet"
        );
    }
}
