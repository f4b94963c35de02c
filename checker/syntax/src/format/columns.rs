//! Lines with columns: what stands below each other in lines that follow each other is aligned,
//! as if tab stops moved with the text.

use std::collections::{HashMap, HashSet};

use rowan::TextSize;

use crate::interrupt::Interrupt;

/// Why a column begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    /// The beginning of the line.
    First,
    /// The `->` of a step.
    Arrow,
    /// The `{` of something that is on one line.
    Brace,
    /// A step after another one.
    Step,
}

#[derive(Debug, Clone)]
struct Cell {
    column: Column,
    /// The least number of spaces before it.
    gap: usize,
    text: String,
}

/// A line before its columns are aligned; an empty one is blank.
#[derive(Debug, Clone, Default)]
pub(super) struct Line {
    pub(super) indent: usize,
    cells: Vec<Cell>,
    /// The comment at its end.
    pub(super) comment: Option<String>,
    /// Whether its columns are aligned with those of other lines.
    is_narrow: bool,
    /// Where its last `->` belongs.
    home: Option<Home>,
    /// The `->` and what follows it, where it stands in the one column of its body.
    tail: Option<String>,
}

/// The body and the state that a `->` belongs to, by where they begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Home {
    pub(super) body: TextSize,
    pub(super) state: TextSize,
}

/// Text that goes further to the right is not aligned with the lines around it: it would push
/// them out of sight.
const WIDEST: usize = 100;

/// The furthest to the right that the column of the arrows of a whole body may be.
const WIDEST_FOR_BODY: usize = 72;

impl Line {
    pub(super) fn new(indent: usize) -> Line {
        let first = Cell {
            column: Column::First,
            gap: 0,
            text: String::new(),
        };
        Line {
            indent,
            cells: vec![first],
            comment: None,
            is_narrow: false,
            home: None,
            tail: None,
        }
    }

    pub(super) fn begin_column(&mut self, column: Column, gap: usize) {
        self.cells.push(Cell {
            column,
            gap,
            text: String::new(),
        });
    }

    /// Begins the column of a `->`.
    pub(super) fn begin_arrow(&mut self, home: Option<Home>) {
        self.begin_column(Column::Arrow, 1);
        self.home = home;
    }

    fn arrows(&self) -> usize {
        self.cells
            .iter()
            .filter(|cell| cell.column == Column::Arrow)
            .count()
    }

    /// Where its `->` stands if nothing else is to be aligned with it.
    fn arrow_start(&self) -> usize {
        let width = self.width();
        if width == self.indent {
            width
        } else {
            width + 1
        }
    }

    pub(super) fn write(&mut self, text: &str) {
        if let Some(cell) = self.cells.last_mut() {
            cell.text.push_str(text);
        }
    }

    fn has_column(&self, number: usize, column: Column) -> bool {
        self.cells
            .get(number)
            .is_some_and(|cell| cell.column == column)
            && self.cells[..number]
                .iter()
                .all(|cell| !cell.text.contains('\n'))
    }

    /// Where the column begins if nothing else is to be aligned with it, after the indentation.
    fn least_start(&self, number: usize) -> usize {
        let before = width(&self.cells[number - 1].text);
        if number == 1 && before == 0 {
            0
        } else {
            before + self.cells[number].gap
        }
    }

    /// Makes the column begin at `begin`.
    fn fill(&mut self, number: usize, begin: usize) {
        let cell = &mut self.cells[number - 1].text;
        let missing = begin.saturating_sub(width(cell));
        cell.push_str(&" ".repeat(missing));
    }

    /// Makes the columns from `number` on begin where they can.
    fn fill_from(&mut self, number: usize) {
        for number in number..self.cells.len() {
            let begin = self.least_start(number);
            self.fill(number, begin);
        }
    }

    fn width(&self) -> usize {
        self.indent
            + self
                .cells
                .iter()
                .map(|cell| width(&cell.text))
                .sum::<usize>()
    }
}

/// How many columns a text takes; of several lines, the last.
fn width(text: &str) -> usize {
    text.rsplit('\n').next().unwrap_or_default().chars().count()
}

/// The text of the lines, each with `line_end`; not of all where it is to end.
pub(super) fn lay_out(mut lines: Vec<Line>, line_end: &str, interrupt: &Interrupt<'_>) -> String {
    for line in &mut lines {
        if interrupt.is_due() {
            break;
        }
        let has_line_end = line.cells.iter().any(|cell| cell.text.contains('\n'));
        line.is_narrow = line.width() <= WIDEST && !has_line_end;
    }
    for work in [take_arrows, align_cells, place_arrows, align_comments] {
        if interrupt.has_ended().is_err() {
            break;
        }
        work(&mut lines);
    }
    let mut text = String::new();
    for line in &lines {
        if interrupt.is_due() {
            break;
        }
        let mut shown = " ".repeat(line.indent);
        for cell in &line.cells {
            shown.push_str(&cell.text);
        }
        if let Some(comment) = &line.comment {
            shown.push_str(comment);
        }
        text.push_str(shown.trim_end());
        text.push_str(line_end);
    }
    text
}

fn align_cells(lines: &mut [Line]) {
    align(lines, 1);
}

/// Aligns the columns from `number` on in lines that follow each other: cells are filled with
/// spaces at their ends.
fn align(lines: &mut [Line], number: usize) {
    let mut rest = lines;
    while let Some(first) = rest.first() {
        let Some(cell) = first.cells.get(number).filter(|_| first.is_narrow) else {
            if let Some(line) = rest.first_mut() {
                line.fill_from(number);
            }
            rest = &mut rest[1..];
            continue;
        };
        let (column, indent) = (cell.column, first.indent);
        let together = rest.iter().take_while(|line| {
            line.is_narrow && line.indent == indent && line.has_column(number, column)
        });
        let (run, after) = rest.split_at_mut(together.count().max(1));
        let begin = run
            .iter()
            .map(|line| line.least_start(number))
            .max()
            .unwrap_or_default();
        for line in run.iter_mut() {
            line.fill(number, begin);
        }
        align(run, number + 1);
        rest = after;
    }
}

/// Takes the `->` of each line of a body in which no line has two of them: these have one column
/// for all of the body.
fn take_arrows(lines: &mut [Line]) {
    let crowded: HashSet<TextSize> = lines
        .iter()
        .filter(|line| line.arrows() > 1)
        .filter_map(|line| line.home.map(|home| home.body))
        .collect();
    for line in lines {
        let is_alone = line.home.is_some_and(|home| !crowded.contains(&home.body));
        if is_alone
            && line
                .cells
                .last()
                .is_some_and(|cell| cell.column == Column::Arrow)
        {
            line.tail = line.cells.pop().map(|cell| cell.text);
        }
    }
}

/// Puts the arrows back: in one column for the body, or, where that would be too far to the
/// right, in one for each state.
fn place_arrows(lines: &mut [Line]) {
    let mut of_body: HashMap<TextSize, usize> = HashMap::new();
    let mut of_state: HashMap<TextSize, usize> = HashMap::new();
    for line in lines.iter().filter(|line| line.tail.is_some()) {
        let Some(home) = line.home else { continue };
        let start = line.arrow_start();
        let body = of_body.entry(home.body).or_default();
        *body = start.max(*body);
        if start <= WIDEST {
            let state = of_state.entry(home.state).or_default();
            *state = start.max(*state);
        }
    }
    for line in lines {
        let (Some(tail), Some(home)) = (line.tail.take(), line.home) else {
            continue;
        };
        let body = of_body.get(&home.body).copied().unwrap_or_default();
        let state = of_state.get(&home.state).copied().unwrap_or_default();
        let column = if body <= WIDEST_FOR_BODY { body } else { state };
        let missing = column.max(line.arrow_start()).saturating_sub(line.width());
        line.write(&" ".repeat(missing));
        line.write(&tail);
    }
}

/// Aligns the comments at the ends of lines that follow each other.
fn align_comments(lines: &mut [Line]) {
    let mut start = 0;
    while start < lines.len() {
        let is_aligned = |line: &Line| line.comment.is_some() && line.width() <= WIDEST;
        let mut end = start + 1;
        if is_aligned(&lines[start]) {
            let indent = lines[start].indent;
            while end < lines.len() && lines[end].indent == indent && is_aligned(&lines[end]) {
                end += 1;
            }
        }
        let widest = lines[start..end]
            .iter()
            .map(Line::width)
            .max()
            .unwrap_or_default();
        for line in &mut lines[start..end] {
            if line.comment.is_some() {
                let missing = widest.saturating_sub(line.width()) + 2;
                line.write(&" ".repeat(missing));
            }
        }
        start = end;
    }
}
