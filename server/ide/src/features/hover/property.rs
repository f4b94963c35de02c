//! A property: its verdict, and the trace that shows it.

use stubborn_report::grouped;
use stubborn_report::{PropertyReport, Verdict, kind, table};
use stubborn_system::source::{FileId, Span};

use super::super::state::{Pending, PropertyState, State, states};
use super::markdown::escaped;
use crate::before::BeforeOfRoot;
use crate::database::{Db, SourceFile};
use crate::jobs::Standing;

/// So many values of a property's parameters are listed.
const VALUES: usize = 50;
/// And so many of those who wait in a deadlock: the sentence above them names the first.
const MOST_WAITS: usize = 20;

/// The verdicts on the properties whose name is at `offset`.
pub fn of_properties(
    db: &dyn Db,
    file: SourceFile,
    offset: u32,
    pending: &Pending,
    before: Option<&BeforeOfRoot>,
) -> Option<(Span, String)> {
    let own = file.path(db);
    let at = offset as usize;
    let mut span = None;
    let mut texts = Vec::new();
    let mut traces = 0;
    for one in states(db, file, pending, before) {
        let PropertyState {
            name, place, state, ..
        } = one;
        if place.path != *own || at < place.bytes.start || place.bytes.end < at {
            continue;
        }
        span = Some(Span {
            file: FileId(0),
            start: place.bytes.start as u32,
            end: place.bytes.end as u32,
        });
        // One trace is enough for the eye; the values of a parameter violate a property alike.
        let with_trace = traces == 0;
        let report = match &state {
            State::Known(report) => Some(report),
            other => other.before(),
        };
        traces += usize::from(report.is_some_and(|report| report.trace.is_some()));
        texts.push(of_property(&name, &state, with_trace));
    }
    let left_out = texts.len().saturating_sub(VALUES);
    texts.truncate(VALUES);
    if left_out > 0 {
        texts.push(format!("… and {left_out} more."));
    }
    Some((span?, texts.join("\n\n")))
}

/// How a property stands, and the trace that shows it, if it is to be shown; in Markdown.
pub fn of_property(name: &str, state: &State, with_trace: bool) -> String {
    let now = match state {
        State::Known(report) => of_report(report, with_trace),
        State::Pending(Standing::Waiting(first), _) => {
            format!("**{name}** waits: {first} is checked first.")
        }
        State::Pending(Standing::Held(states, first), _) => {
            format!(
                "**{name}** is being checked: {} states so far. It goes on after {first}.",
                grouped(*states)
            )
        }
        State::Pending(Standing::Running(0), _) => format!("**{name}** is being checked."),
        State::Pending(Standing::Running(states), _) => {
            format!(
                "**{name}** is being checked: {} states so far.",
                grouped(*states)
            )
        }
        State::Stale(_) => format!("**{name}** is checked when you save the file."),
    };
    match state.before() {
        Some(report) => {
            format!(
                "{now}\n\nIn the text before: {}",
                of_report(report, with_trace)
            )
        }
        None => now,
    }
}

fn of_report(report: &PropertyReport, with_trace: bool) -> String {
    let mark = match report.is_as_expected() {
        Some(true) => "✓",
        Some(false) => "✗",
        None => "?",
    };
    let standing = report.standing();
    let verdict = match report.verdict {
        Verdict::Holds => &standing,
        Verdict::Violated if report.expected_violated => "is violated, as expected",
        Verdict::Violated => "is violated",
        Verdict::Undecided => "is undecided",
    };
    let mut text = format!("{mark} **{}** {verdict}", report.name);
    let has_run = with_trace && report.trace.is_some();
    let why = match has_run {
        // They stand below the run.
        true => report.why_without_waits(),
        false => report.why.as_deref(),
    };
    match why {
        Some(why) => text.push_str(&format!(": {}.", escaped(why))),
        None => text.push('.'),
    }
    if let Some(trace) = &report.trace
        && with_trace
    {
        text.push_str("\n\n");
        if trace.is_empty() {
            text.push_str("It shows in the initial state already.");
        } else {
            text.push_str(&table(trace).markdown());
        }
        if !report.waits.is_empty() {
            text.push('\n');
        }
        for wait in report.waits.iter().take(MOST_WAITS) {
            text.push_str(&format!("\n- {}", escaped(&wait.sentence())));
        }
        match report.waits.len().saturating_sub(MOST_WAITS) {
            0 => {}
            1 => text.push_str("\n- and one more waits"),
            more => text.push_str(&format!("\n- and {} more wait", grouped(more as u64))),
        }
    }
    if let Some(assumed) = report.assumed() {
        text.push_str(&format!("\n\nAsked of fair runs alone: {assumed}."));
    }
    text.push_str(&format!("\n\n*{}*", figures(report)));
    text
}

/// "invariant · 44,868 states, 78,750 edges in 0.04 s, bfs, reduction none".
fn figures(report: &PropertyReport) -> String {
    let full = if report.full {
        ""
    } else {
        ", not the full space"
    };
    let before = if report.found_before {
        "; found before, and kept since"
    } else {
        ""
    };
    format!(
        "{} · {} states, {} edges in {:.2} s{full}; {}, reduction {}{before}",
        kind(report.form),
        grouped(report.states),
        grouped(report.edges),
        report.seconds,
        report.search,
        report.reduction,
    )
}
