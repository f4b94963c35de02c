//! What is known of the name at a place: of a property its verdict and the trace that shows it, of
//! any name its type, its value and its documentation.

use std::ops::Range;

use stubborn_model::names::symbols::{Symbol, SymbolKind};
use stubborn_system::source::{FileId, Span};

use super::diagnostics::grouped;
use super::state::{Pending, PropertyState, State, states};
use crate::database::{Db, SourceFile, analyzed};
use crate::jobs::Standing;
use crate::lsp::before::BeforeOfRoot;
use crate::report::{PropertyReport, Verdict, kind, table};

/// So many values of a property's parameters are listed.
const VALUES: usize = 50;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// Markdown.
    pub text: String,
    /// The name that it is about.
    pub bytes: Range<usize>,
}

/// What is known of the name at `offset`.
pub fn hover(
    db: &dyn Db,
    file: SourceFile,
    offset: usize,
    pending: &Pending,
    before: Option<&BeforeOfRoot>,
) -> Option<Hover> {
    let analysis = analyzed(db, file)?;
    let offset = u32::try_from(offset).ok()?;
    let symbol = analysis.symbols.at_offset(FileId(0), offset);
    let properties = of_properties(db, file, offset, pending, before);
    let span = properties
        .as_ref()
        .map(|(at, _)| *at)
        .or(symbol.map(|(at, _)| at))?;
    let mut parts = Vec::new();
    if let Some((_, symbol)) = symbol {
        parts.push(of_symbol(symbol));
    }
    if let Some((_, verdicts)) = properties {
        parts.push(verdicts);
    }
    // Of a property the verdict comes first; at the name of a process there may be the built-in
    // ones, of which nobody asks first.
    if symbol.is_some_and(|(_, symbol)| symbol.kind == SymbolKind::Property) {
        parts.reverse();
    }
    Some(Hover {
        text: parts.join("\n\n---\n\n"),
        bytes: span.start as usize..span.end as usize,
    })
}

/// A declaration as it could stand in a text, and what is said of it there.
fn of_symbol(symbol: &Symbol) -> String {
    let Symbol { name, ty, .. } = symbol;
    let typed = |what: &str| match ty.as_str() {
        "" => format!("{what} {name}"),
        ty => format!("{what} {name}: {ty}"),
    };
    let mut code = match symbol.kind {
        SymbolKind::Constant => typed("const"),
        SymbolKind::Param => typed("param"),
        SymbolKind::Type => match ty.as_str() {
            "" => format!("type {name}"),
            ty => format!("type {name} = {ty}"),
        },
        SymbolKind::Enumeration => format!("enum {name}"),
        SymbolKind::EnumerationValue => typed("(value)"),
        SymbolKind::Field => typed("(field)"),
        SymbolKind::Variable => typed("var"),
        SymbolKind::LocalVariable => typed("(local) var"),
        SymbolKind::Channel => typed("channel"),
        SymbolKind::Action => match ty.as_str() {
            "" => format!("action {name}"),
            ty if ty.starts_with('(') => format!("action {name}{ty}"),
            ty => format!("action {name}({ty})"),
        },
        SymbolKind::Definition => typed("def"),
        SymbolKind::Macro => typed("macro"),
        SymbolKind::Process => typed("process"),
        SymbolKind::Parameter => typed("(parameter)"),
        SymbolKind::Bound => typed("(bound)"),
        SymbolKind::State => typed("state"),
        SymbolKind::Label => format!("{name}:"),
        SymbolKind::Property => typed("(property)"),
        SymbolKind::Tester => typed("tester"),
        SymbolKind::Observed => typed("observe"),
    };
    if let Some(value) = &symbol.value {
        code.push_str(&format!(" = {value}"));
    }
    let mut text = format!("```stubborn\n{code}\n```");
    if let Some(documentation) = &symbol.documentation {
        text.push_str("\n\n");
        text.push_str(documentation.trim());
    }
    text
}

/// The verdicts on the properties whose name is at `offset`.
fn of_properties(
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
        let now = match &state {
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
        texts.push(match state.before() {
            Some(report) => {
                format!(
                    "{now}\n\nIn the text before: {}",
                    of_report(report, with_trace)
                )
            }
            None => now,
        });
    }
    let left_out = texts.len().saturating_sub(VALUES);
    texts.truncate(VALUES);
    if left_out > 0 {
        texts.push(format!("… and {left_out} more."));
    }
    Some((span?, texts.join("\n\n")))
}

fn of_report(report: &PropertyReport, with_trace: bool) -> String {
    let (mark, verdict) = match report.verdict {
        Verdict::Holds => ("✓", "holds"),
        Verdict::Violated => ("✗", "is violated"),
        Verdict::Undecided => ("?", "is undecided"),
    };
    let mut text = format!("{mark} **{}** {verdict}", report.name);
    match &report.why {
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
        for wait in &report.waits {
            text.push_str(&format!("\n\n{}.", escaped(&wait.sentence())));
        }
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
    format!(
        "{} · {} states, {} edges in {:.2} s{full}; {}, reduction {}",
        kind(report.form),
        grouped(report.states),
        grouped(report.edges),
        report.seconds,
        report.search,
        report.reduction,
    )
}

/// Text in which nothing is taken for Markdown but the code in back quotes.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    let mut in_code = false;
    for c in text.chars() {
        in_code ^= c == '`';
        if !in_code && matches!(c, '*' | '_' | '<' | '[' | ']' | '\\' | '#' | '|') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::super::fixture::{checked, cursor, file};
    use super::*;

    fn shown(marked: &str, expected: Expect) {
        let (text, at) = cursor(marked);
        let (db, file) = checked(&text);
        let hover = hover(&db, file, at, &Pending::new(), None).expect("a hover");
        let name = &text[hover.bytes];
        expected.assert_eq(&format!("{name}\n\n{}\n", hover.text));
    }

    #[test]
    fn a_violated_property_shows_its_verdict_the_trace_and_what_is_said_of_it() {
        shown(
            "var x: 0..5\nprocess p { loop { x = (x + 1) % 6 } }\n\
             /// Never far.\ninvariant sma$0ll: x < 2\n",
            expect![[r#"
                small

                ✗ **small** is violated: `small` is false after 2 steps: x = 2.

                | step | who | does              | what changed |
                | ---: | --- | ----------------- | ------------ |
                |    1 | p   | `x = (x + 1) % 6` | `x = 1`      |
                |    2 | p   | `x = (x + 1) % 6` | `x = 2`      |


                *invariant · 6 states, 6 edges in 0.00 s; bfs, reduction none*

                ---

                ```stubborn
                (property) small
                ```

                Never far.
            "#]],
        );
    }

    #[test]
    fn the_cycle_of_a_trace_is_marked() {
        shown(
            "var x: 0..2\nprocess p { loop { either { x = 1 } or { x = 2 } } }\n\
             progress $0two: must x == 2\n",
            expect![[r#"
                two

                ✗ **two** is violated: after 1 step a cycle of 1 step can be gone round for ever, and a state with `x == 2` is never met in it.

                | step | who                              | does    | what changed |
                | ---: | -------------------------------- | ------- | ------------ |
                |    1 | p                                | `x = 1` | `x = 1`      |
                |    ↻ | *again and again:*               |         |              |
                |    2 | p                                | `x = 1` |              |
                |    ↺ | *back to the state after step 1* |         |              |


                *progress · 3 states, 6 edges in 0.00 s; bfs, reduction none*

                ---

                ```stubborn
                (property) two
                ```
            "#]],
        );
    }

    #[test]
    fn a_parameter_shows_its_value_and_its_documentation() {
        shown(
            "/// How many.\nparam N: 1..4 = 2\nvar x: 0..$0N\nprocess p { x = 1 }\n",
            expect![[r#"
                N

                ```stubborn
                param N: 1..4 = 2
                ```

                How many.
            "#]],
        );
    }

    #[test]
    fn a_property_that_is_not_checked_yet_says_when_it_is() {
        let (text, at) =
            cursor("var x: bool\nprocess p { x = true }\ninvariant $0one: x or not x\n");
        let (db, file) = file(&text);
        let hover = hover(&db, file, at, &Pending::new(), None).expect("a hover");
        assert!(
            hover.text.contains("is checked when you save"),
            "{}",
            hover.text
        );
    }

    #[test]
    fn where_no_name_stands_there_is_nothing_to_say() {
        let (db, file) = file("var x: bool   \n");
        assert_eq!(hover(&db, file, 13, &Pending::new(), None), None);
    }

    #[test]
    fn nothing_in_a_sentence_is_taken_for_markdown_but_code() {
        assert_eq!(escaped("a_b at `c_d` [x]"), "a\\_b at `c_d` \\[x\\]");
    }
}
