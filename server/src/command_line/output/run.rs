//! A run in the forms that a person reads.

use std::io::{self, Write};

use stubborn_report::{Excerpt, Only, TraceReport, exchange, grouped, lanes, mermaid, table_of};

use super::style::Style;
use crate::command_line::arguments::TraceForm;

/// Most lines of a table or of lanes before the middle is left out: one step can change many
/// thousands of values.
const LINES_SHOWN: usize = 1000;

/// Indentation of each line of a table or of lanes.
const INDENT: &str = "  ";

/// Writes the steps of a run that is not empty: all of them, or those of `only`.
pub fn run(
    trace: &TraceReport,
    form: TraceForm,
    only: Option<&Only>,
    style: Style,
    to: &mut dyn Write,
) -> io::Result<()> {
    let excerpt = only.map(|only| only.of(trace));
    let others = excerpt.as_ref().map_or(0, |excerpt| excerpt.others);
    if others == trace.len() {
        let told = match trace.len() {
            1 => "The only step is not shown: `--only` names nothing in it.".to_owned(),
            all => format!(
                "None of its {} steps is shown: `--only` names nothing in them.",
                grouped(all as u64)
            ),
        };
        return writeln!(to, "{INDENT}{told}");
    }
    let parts = excerpt
        .as_ref()
        .map_or_else(|| trace.parts(), Excerpt::parts);
    let width = style.width.saturating_sub(INDENT.len());
    match form {
        TraceForm::Table => lines(&table_of(parts).plain(width), style, to)?,
        TraceForm::Lanes => lines(&lanes(&parts, &trace.start).plain(width), style, to)?,
        TraceForm::Mermaid => write!(to, "{}", mermaid(&exchange(&parts, &trace.start)))?,
    }
    match others {
        0 => Ok(()),
        others => writeln!(
            to,
            "\n{INDENT}{} of {} steps are not shown: `--only` names nothing in them.",
            grouped(others as u64),
            grouped(trace.len() as u64)
        ),
    }
}

/// Writes the lines of a table, the first of which is its head, without the middle of very many.
fn lines(table: &str, style: Style, to: &mut dyn Write) -> io::Result<()> {
    let lines: Vec<&str> = table.lines().collect();
    let left_out = match lines.len().saturating_sub(LINES_SHOWN) {
        0 => 0..0,
        more => LINES_SHOWN / 2..LINES_SHOWN / 2 + more,
    };
    for (at, line) in lines.into_iter().enumerate() {
        if at == left_out.start && !left_out.is_empty() {
            let lines = grouped(left_out.len() as u64);
            writeln!(
                to,
                "{INDENT}… {lines} lines left out; `--format json` has every step"
            )?;
        }
        match at {
            0 => writeln!(to, "{INDENT}{}", style.dim(line))?,
            at if left_out.contains(&at) => {}
            _ => writeln!(to, "{INDENT}{line}")?,
        }
    }
    Ok(())
}
