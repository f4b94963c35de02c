//! A run as a table: step, who, from where to where, what changed, with the cycle marked.

use std::fmt;

use super::lines::{blanks, length, lines_of, wrap};
use super::phrases::counted;
use super::step::StepReport;
use super::trace::{NumberedStep, Part, TraceReport};

/// The lines of a table, before it is laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub rows: Vec<Part<Row>>,
}

/// Row of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub number: usize,
    /// "customer(0)", "customer(0): ask(0)"; one line for each participant.
    pub who: Vec<String>,
    /// "idle → test", one line for each participant.
    pub moves: Vec<String>,
    /// "await free", the statement in the text, one line for each participant; and behind it ": no", the
    /// outcome of a test.
    pub statements: Vec<(String, String)>,
    /// The same, with statements in the place of lines.
    pub does: Vec<String>,
    /// "gate[1] = 1".
    pub changes: Vec<String>,
}

/// Makes a run a table.
pub fn table(trace: &TraceReport) -> Table {
    table_of(trace.parts())
}

/// Makes what is shown of a run a table.
pub fn table_of(parts: Vec<Part<NumberedStep<'_>>>) -> Table {
    let row = |part: Part<NumberedStep<'_>>| part.map(|shown| row(shown.number, shown.step));
    Table {
        rows: parts.into_iter().map(row).collect(),
    }
}

/// Makes the whole of a run a table, up to so many steps.
pub fn whole_table(trace: &TraceReport, most: usize) -> Table {
    let mut rows = Vec::new();
    for (at, step) in trace.every_step(0).take(most).enumerate() {
        if trace.cycle > 0 && at == trace.steps {
            rows.push(Part::CycleBegins);
        }
        rows.push(Part::Step(row(at + 1, &step)));
    }
    match trace.len().saturating_sub(most) {
        0 if trace.cycle > 0 => rows.push(Part::CycleCloses(trace.steps)),
        0 => {}
        more => rows.push(Part::LeftOut(more)),
    }
    Table { rows }
}

fn row(number: usize, step: &StepReport) -> Row {
    let mut who = step.by.clone();
    if let (Some(first), Some(action)) = (who.first_mut(), &step.action) {
        *first = format!("{first}: {action}");
    }
    let moves = step.from.iter().zip(&step.to).map(|(from, to)| {
        let (from, to) = (place(from), place(to));
        match &step.fails {
            Some(_) => from.to_owned(),
            None if from == to => from.to_owned(),
            None => format!("{from} → {to}"),
        }
    });
    Row {
        number,
        who,
        moves: moves.collect(),
        statements: (0..step.by.len()).map(|at| step.statement(at)).collect(),
        does: step.does().collect(),
        changes: step.results(),
    }
}

/// A specification that has no state left for what has happened is at none.
fn place(name: &str) -> &str {
    if name == "{}" { "none" } else { name }
}

const HEADS: [&str; 5] = ["step", "who", "from → to", "statement", "what changed"];
/// In a hover, which shows statements.
const SHORT_HEADS: [&str; 4] = ["step", "who", "does", "what changed"];
/// So many rows of a long run a hover has of its beginning, and so many of its end.
const FIRST_ROWS: usize = 6;
const LAST_ROWS: usize = 14;
/// Cells are not made wider than this for one of their column.
const MOST_PADDED: usize = 60;
/// Between two columns.
const GAP: usize = 2;
/// The last column is never narrower than this, nor made wider for one value than that where statements are cut
/// for it.
const LEAST_CHANGES: usize = 24;
const MOST_KEPT: usize = 36;
/// The column of statements is not made narrower than this, nor than its longest word up to that.
const LEAST_STATEMENT: usize = 16;
const MOST_WORD: usize = 40;

impl Table {
    /// Laid out in columns for a terminal that is `width` characters wide; what does not fit into
    /// the last two columns goes on in the next line. Where no step has one there is no
    /// column of statements.
    pub fn plain(&self, width: usize) -> String {
        let widths = self.widths(width);
        let mut text = String::new();
        let gap = " ".repeat(GAP);
        let mut line = |cells: [&str; 5]| {
            let mut laid = format!("{}{}", blanks(cells[0], widths[0]), cells[0]);
            for column in 1..4 {
                if widths[column] > 0 {
                    let cell = cells[column];
                    laid.push_str(&format!("{gap}{cell}{}", blanks(cell, widths[column])));
                }
            }
            laid.push_str(&gap);
            laid.push_str(cells[4]);
            text.push_str(laid.trim_end());
            text.push('\n');
        };
        let mut heads = HEADS;
        if widths[3] == 0 {
            heads[3] = "";
        }
        line(heads);
        for row in &self.rows {
            if let Some((mark, told)) = row.remark() {
                line([mark, &told, "", "", ""]);
            }
            let Part::Step(row) = row else { continue };
            let changes = wrap(&row.changes, widths[4]);
            // Each participant has a line, and as many more as its statement takes.
            let mut cells: Vec<[&str; 2]> = Vec::with_capacity(row.who.len());
            let mut said: Vec<String> = Vec::with_capacity(row.who.len());
            for (at, who) in row.who.iter().enumerate() {
                let moves = row.moves.get(at).map_or("", String::as_str);
                let statement = row.statements.get(at).filter(|_| widths[3] > 0);
                match statement {
                    Some(statement) => said.extend(lines_of(statement, widths[3])),
                    None => said.push(String::new()),
                }
                cells.push([who, moves]);
                cells.resize(said.len(), ["", ""]);
            }
            let mut number = row.number.to_string();
            for at in 0..cells.len().max(changes.len()).max(1) {
                let [who, moves] = cells.get(at).copied().unwrap_or_default();
                let text = |cells: &[String]| cells.get(at).cloned().unwrap_or_default();
                line([&number, who, moves, &text(&said), &text(&changes)]);
                number.clear();
            }
        }
        text
    }

    /// How wide the columns are, of which the first three are as wide as they need to be.
    fn widths(&self, width: usize) -> [usize; 5] {
        let mut widths = HEADS.map(length);
        widths[3] = 0;
        let mut longest_change = LEAST_CHANGES;
        let mut least_statement = LEAST_STATEMENT;
        let longest = |cells: &[String]| cells.iter().map(|one| length(one)).max().unwrap_or(0);
        for row in &self.rows {
            let Part::Step(row) = row else { continue };
            let statements = row.statements.iter();
            let said = statements
                .clone()
                .map(|(text, came)| length(text) + came.len());
            widths[0] = widths[0].max(row.number.to_string().len());
            widths[1] = widths[1].max(longest(&row.who));
            widths[2] = widths[2].max(longest(&row.moves));
            widths[3] = widths[3].max(said.max().unwrap_or(0));
            let words = statements.flat_map(|(text, _)| text.split(' '));
            let longest_word = words.map(length).max().unwrap_or(0);
            least_statement = least_statement.max(longest_word.min(MOST_WORD));
            longest_change = longest_change.max(longest(&row.changes).min(MOST_KEPT));
        }
        let gaps = GAP * if widths[3] == 0 { 3 } else { 4 };
        let left = width.saturating_sub(widths[0] + widths[1] + widths[2] + gaps);
        if widths[3] > 0 {
            let most = left.saturating_sub(longest_change).max(least_statement);
            widths[3] = widths[3].min(most).max(length(HEADS[3]));
        }
        widths[4] = left.saturating_sub(widths[3]).max(LEAST_CHANGES);
        widths
    }

    /// As a Markdown table, for hovers: of a long run the beginning and the end. It can be read as plain
    /// text too, for there are clients that show it so.
    pub fn markdown(&self) -> String {
        let cell = |text: &str| text.replace('|', "\\|");
        let mut lines: Vec<[String; 4]> = vec![SHORT_HEADS.map(str::to_owned)];
        for row in self.short() {
            let remark = match row {
                Part::LeftOut(steps) => Some(("…", counted(steps, "step"))),
                _ => row.remark(),
            };
            if let Some((mark, told)) = remark {
                let (mark, told) = (mark.to_owned(), format!("*{told}*"));
                lines.push([mark, told, String::new(), String::new()]);
            }
            let Part::Step(row) = row else { continue };
            let [who, does] = [&row.who, &row.does].map(|cells| cell(&cells.join(", ")));
            let changes = row.changes.iter();
            let changes = changes.map(|change| format!("`{}`", cell(change)));
            let changes: Vec<String> = changes.collect();
            lines.push([row.number.to_string(), who, does, changes.join(", ")]);
        }
        let widths = [0, 1, 2, 3].map(|column| {
            let cells = lines.iter().map(|line| length(&line[column]));
            // A cell that is much longer than the others moves itself alone.
            cells
                .filter(|length| *length <= MOST_PADDED)
                .max()
                .unwrap_or(0)
        });
        let rule = [0, 1, 2, 3].map(|column| match column {
            0 => format!("{}:", "-".repeat(widths[0].max(2) - 1)),
            column => "-".repeat(widths[column].max(3)),
        });
        lines.insert(1, rule);
        let mut text = String::new();
        for line in &lines {
            let pad =
                |column: usize| " ".repeat(widths[column].saturating_sub(length(&line[column])));
            let [number, who, does, changes] = line;
            let (before, after) = match text.is_empty() || number.starts_with('-') {
                true => (String::new(), pad(0)),
                false => (pad(0), String::new()),
            };
            text.push_str(&format!(
                "| {before}{number}{after} | {who}{} | {does}{} | {changes}{} |\n",
                pad(1),
                pad(2),
                pad(3)
            ));
        }
        text
    }

    /// The rows, but in the middle of a long run.
    fn short(&self) -> Vec<Part<Row>> {
        let steps = |rows: &[Part<Row>]| -> usize {
            let counts = rows.iter().map(|row| match row {
                Part::Step(_) => 1,
                Part::LeftOut(steps) => *steps,
                Part::CycleBegins | Part::CycleCloses(_) => 0,
            });
            counts.sum()
        };
        if self.rows.len() <= FIRST_ROWS + LAST_ROWS + 1 {
            return self.rows.clone();
        }
        let (first, rest) = self.rows.split_at(FIRST_ROWS);
        let (between, last) = rest.split_at(rest.len() - LAST_ROWS);
        let is_on_cycle = |row: &Part<Row>| matches!(row, Part::CycleBegins);
        let mut rows = first.to_vec();
        rows.push(Part::LeftOut(steps(between)));
        // Where the cycle begins is said, if not at which of its steps.
        rows.extend(between.iter().filter(|row| is_on_cycle(row)).cloned());
        rows.extend_from_slice(last);
        rows
    }
}

/// Width of a printed run, in characters.
const WIDTH: usize = 100;

/// The table that the command line shows.
impl fmt::Display for TraceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&table(self).plain(WIDTH))
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::place::Place;
    use super::super::state::Shown;
    use super::*;

    fn step(by: &[&str], from: &[&str], to: &[&str], changes: &[(&str, i64)]) -> StepReport {
        let strings = |texts: &[&str]| texts.iter().map(|one| (*one).to_owned()).collect();
        StepReport {
            by: strings(by),
            action: (by.len() > 1).then(|| "enter(0)".to_owned()),
            name: None,
            place: Place::nowhere(),
            places: Vec::new(),
            statements: Vec::new(),
            outcomes: Vec::new(),
            chosen: Vec::new(),
            unchanged: Vec::new(),
            assigns_in_vain: false,
            takes_no_branch: false,
            messages: Vec::new(),
            changes: changes
                .iter()
                .map(|(name, value)| ((*name).to_owned(), Shown::Number(*value)))
                .collect(),
            from: strings(from),
            to: strings(to),
            fails: None,
            fails_at: None,
        }
    }

    fn run() -> TraceReport {
        TraceReport {
            monitored: false,
            start: Vec::new(),
            steps: 2,
            cycle: 1,
            first: vec![
                step(
                    &["customer(0)"],
                    &["idle"],
                    &["test"],
                    &[("gate[0]", 1), ("last[0]", 0)],
                ),
                step(
                    &["customer(0)", "lamp"],
                    &["test", "off"],
                    &["critical", "on"],
                    &[],
                ),
                step(&["customer(1)"], &["look"], &["look"], &[]),
            ]
            .into(),
            last: Vec::new().into(),
            whole: None,
        }
    }

    #[test]
    fn the_columns_of_a_table_stand_below_each_other() {
        expect![[r#"
            step  who                    from → to        what changed
               1  customer(0)            idle → test      gate[0] = 1, last[0] = 0
               2  customer(0): enter(0)  test → critical
                  lamp                   off → on
               ↻  again and again:
               3  customer(1)            look
               ↺  back to the state after step 2
        "#]]
        .assert_eq(&table(&run()).plain(60));
    }

    #[test]
    fn no_word_of_a_statement_is_broken_where_the_other_columns_are_wide() {
        let mut told = step(
            &["p"],
            &["a_long_name_of_a_place"],
            &["another_long_name"],
            &[("x", 1)],
        );
        told.statements = vec!["await slots[i].ticket_number == serving".to_owned()];
        let trace = TraceReport {
            steps: 1,
            cycle: 0,
            first: vec![told].into(),
            ..run()
        };
        let text = table(&trace).plain(60);
        assert!(text.contains("  slots[i].ticket_number"), "{text}");
        assert!(text.contains("  == serving"), "{text}");
    }

    #[test]
    fn a_hover_gets_a_markdown_table() {
        expect![[r#"
            | step | who                              | does                      | what changed                 |
            | ---: | -------------------------------- | ------------------------- | ---------------------------- |
            |    1 | customer(0)                      | idle → test               | `gate[0] = 1`, `last[0] = 0` |
            |    2 | customer(0): enter(0), lamp      | test → critical, off → on |                              |
            |    ↻ | *again and again:*               |                           |                              |
            |    3 | customer(1)                      | look                      |                              |
            |    ↺ | *back to the state after step 2* |                           |                              |
        "#]]
        .assert_eq(&table(&run()).markdown());
    }

    #[test]
    fn a_hover_gets_the_ends_of_more_than_twenty_one_rows() {
        let rows = |count: usize| {
            let one = step(&["p"], &["here"], &["here"], &[]);
            let run = TraceReport {
                steps: count,
                cycle: 0,
                first: vec![one; count].into(),
                ..run()
            };
            let told = table(&run).markdown();
            let cut = told.lines().find(|line| line.contains('…'));
            (
                told.lines().count() - 2,
                cut.map(|line| line.contains("2 steps")),
            )
        };
        assert_eq!(
            [20, 21, 22].map(rows),
            [(20, None), (21, None), (21, Some(true))]
        );
    }
}
