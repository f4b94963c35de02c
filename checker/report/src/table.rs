//! A run as a table: step, who, from where to where, what changed, with the cycle marked.

use super::lines::{blanks, length, lines_of, wrap};
use super::step::StepReport;
use super::trace::{Part, TraceReport};
use super::why::counted;

/// The lines of a table, before it is laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub rows: Vec<Row>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    Step {
        number: usize,
        /// "customer(0)", "customer(0): ask(0)"; one line for each participant.
        who: Vec<String>,
        /// "idle → test", one line for each participant.
        moves: Vec<String>,
        /// "await free", what stands in the text, one line for each participant; and behind it ": no", how a test
        /// has come out.
        statements: Vec<(String, String)>,
        /// The same, with statements in the place of lines.
        does: Vec<String>,
        /// "gate[1] = 1".
        changes: Vec<String>,
        fails: bool,
    },
    /// So many steps are not shown.
    LeftOut(usize),
    /// What follows can be gone round for ever.
    CycleBegins,
    /// From here on again as after this step.
    CycleCloses(usize),
}

/// Makes a run a table.
pub fn table(trace: &TraceReport) -> Table {
    table_of(trace.parts())
}

/// Makes what is shown of a run a table.
pub fn table_of(parts: Vec<Part<'_>>) -> Table {
    let row = |part| match part {
        Part::Step { number, step, .. } => row(number, step),
        Part::LeftOut(steps) => Row::LeftOut(steps),
        Part::CycleBegins => Row::CycleBegins,
        Part::CycleCloses(step) => Row::CycleCloses(step),
    };
    Table {
        rows: parts.into_iter().map(row).collect(),
    }
}

/// Makes the whole of a run a table, up to so many steps.
pub fn whole_table(trace: &TraceReport, most: usize) -> Table {
    let mut rows = Vec::new();
    for (at, step) in trace.every_step(0).take(most).enumerate() {
        if trace.cycle > 0 && at == trace.steps {
            rows.push(Row::CycleBegins);
        }
        rows.push(row(at + 1, &step));
    }
    match trace.len().saturating_sub(most) {
        0 if trace.cycle > 0 => rows.push(Row::CycleCloses(trace.steps)),
        0 => {}
        more => rows.push(Row::LeftOut(more)),
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
    Row::Step {
        number,
        who,
        moves: moves.collect(),
        statements: (0..step.by.len()).map(|at| step.statement(at)).collect(),
        does: step.does().collect(),
        changes: step.results(),
        fails: step.fails.is_some(),
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
            match row {
                Row::Step {
                    number,
                    who,
                    moves,
                    statements,
                    changes,
                    ..
                } => {
                    let changes = wrap(changes, widths[4]);
                    // Each participant has a line, and as many more as its statement takes.
                    let mut cells: Vec<[&str; 2]> = Vec::with_capacity(who.len());
                    let mut said: Vec<String> = Vec::with_capacity(who.len());
                    for (at, who) in who.iter().enumerate() {
                        let moves = moves.get(at).map_or("", String::as_str);
                        let statement = statements.get(at).filter(|_| widths[3] > 0);
                        said.extend(
                            statement.map_or_else(
                                || vec![String::new()],
                                |one| lines_of(one, widths[3]),
                            ),
                        );
                        cells.push([who, moves]);
                        cells.resize(said.len(), ["", ""]);
                    }
                    let lines = cells.len().max(changes.len()).max(1);
                    for at in 0..lines {
                        let number = if at == 0 {
                            number.to_string()
                        } else {
                            String::new()
                        };
                        let [who, moves] = cells.get(at).copied().unwrap_or_default();
                        let text = |cells: &[String]| cells.get(at).cloned().unwrap_or_default();
                        line([&number, who, moves, &text(&said), &text(&changes)]);
                    }
                }
                Row::LeftOut(steps) => line(["…", &left_out(*steps), "", "", ""]),
                Row::CycleBegins => line(["↻", "again and again:", "", "", ""]),
                Row::CycleCloses(0) => line(["↺", "back to the start", "", "", ""]),
                Row::CycleCloses(step) => {
                    let back = format!("back to the state after step {step}");
                    line(["↺", &back, "", "", ""]);
                }
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
            if let Row::Step {
                number,
                who,
                moves,
                statements,
                changes,
                ..
            } = row
            {
                let said = statements
                    .iter()
                    .map(|(text, came)| length(text) + came.len());
                widths[0] = widths[0].max(number.to_string().len());
                widths[1] = widths[1].max(longest(who));
                widths[2] = widths[2].max(longest(moves));
                widths[3] = widths[3].max(said.max().unwrap_or(0));
                let words = statements.iter().flat_map(|(text, _)| text.split(' '));
                let longest_word = words.map(length).max().unwrap_or(0);
                least_statement = least_statement.max(longest_word.min(MOST_WORD));
                longest_change = longest_change.max(longest(changes).min(MOST_KEPT));
            }
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
        let note = |mark: &str, text: &str| {
            [
                mark.to_owned(),
                format!("*{text}*"),
                String::new(),
                String::new(),
            ]
        };
        for row in self.short() {
            lines.push(match &row {
                Row::Step {
                    number,
                    who,
                    does,
                    changes,
                    ..
                } => {
                    let [who, does] = [who, does].map(|cells| cell(&cells.join(", ")));
                    let changes = changes.iter().map(|change| format!("`{}`", cell(change)));
                    let changes: Vec<String> = changes.collect();
                    [number.to_string(), who, does, changes.join(", ")]
                }
                Row::LeftOut(steps) => note("…", &counted(*steps, "step")),
                Row::CycleBegins => note("↻", "again and again:"),
                Row::CycleCloses(0) => note("↺", "back to the start"),
                Row::CycleCloses(step) => {
                    note("↺", &format!("back to the state after step {step}"))
                }
            });
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
    fn short(&self) -> Vec<Row> {
        let steps = |rows: &[Row]| -> usize {
            let counts = rows.iter().map(|row| match row {
                Row::Step { .. } => 1,
                Row::LeftOut(steps) => *steps,
                Row::CycleBegins | Row::CycleCloses(_) => 0,
            });
            counts.sum()
        };
        if self.rows.len() <= FIRST_ROWS + LAST_ROWS + 1 {
            return self.rows.clone();
        }
        let (first, rest) = self.rows.split_at(FIRST_ROWS);
        let (between, last) = rest.split_at(rest.len() - LAST_ROWS);
        let is_on_cycle = |row: &Row| matches!(row, Row::CycleBegins);
        let mut rows = first.to_vec();
        rows.push(Row::LeftOut(steps(between)));
        // Where the cycle begins is said, if not at which of its steps.
        rows.extend(between.iter().filter(|row| is_on_cycle(row)).cloned());
        rows.extend_from_slice(last);
        rows
    }
}

/// Where steps are left out.
pub fn left_out(steps: usize) -> String {
    format!(
        "{} left out; `--format json` has every step",
        counted(steps, "step")
    )
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
