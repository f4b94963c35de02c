//! A run as lanes: a column for each instance that moves, and for each channel that is used, the steps below
//! each other. Where there are more of them than fit beside each other those that move most have columns of their
//! own, and the others share the last one.

use std::collections::{HashMap, HashSet};

use super::lines::{broken, length, lines_of, wrap};
use super::state::{NamedValues, Shown};
use super::step::{StepReport, as_before, equation};
use super::trace::{NumberedStep, Part};

/// A lane is not made narrower than this while others can be put together.
const LEAST_WIDTH: usize = 13;
/// Nor wider.
const MOST_WIDTH: usize = 40;
/// Between two lanes.
const BORDER: &str = " │ ";
/// So many lines the participants of one step may take in the column that lanes share.
const MOST_SHARED: usize = 6;
const SHARED: &str = "others";

/// A run with its participants beside each other, before it is laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// Instances in the order of the text, a monitor behind them, and then channels.
    pub names: Vec<String>,
    /// How many of them are channels.
    pub channels: usize,
    pub rows: Vec<Part<LaneStep>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneStep {
    /// From 1, and counted on through the cycle.
    pub number: usize,
    /// Ascending by the number of the lane.
    pub cells: Vec<(usize, Cell)>,
}

/// What one of them does in a step, or what a channel then holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The action of a joint step; else the statement, and behind it how a test has come out.
    pub does: (String, String),
    /// "→ critical".
    pub leads: Option<String>,
    /// What has changed.
    pub results: Vec<String>,
}

/// Puts what is shown of a run into lanes. `start` has the names of all instances and channels in their order.
///
/// Costs time in proportion to the names, to the steps, and to what these do.
pub fn lanes(parts: &[Part<NumberedStep<'_>>], start: &NamedValues) -> Lanes {
    let (names, channels) = participants(parts, start, &|step, into| {
        let changes = step.changes.iter();
        let held = changes.filter(|(_, value)| matches!(value, Shown::Messages(_)));
        into.extend(held.map(|(name, _)| name.as_str()));
    });
    let numbers: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
    let row = |part: &Part<NumberedStep<'_>>| {
        part.map(|NumberedStep { number, step, .. }| LaneStep {
            number,
            cells: cells(step, &numbers),
        })
    };
    Lanes {
        rows: parts.iter().map(row).collect(),
        channels,
        names,
    }
}

/// Who moves in what is shown, in the order of the text, and behind them the channels that `add_channels` names of a step;
/// and how many these are.
pub(super) fn participants<'a>(
    parts: &[Part<NumberedStep<'a>>],
    start: &'a NamedValues,
    add_channels: &dyn Fn(&'a StepReport, &mut Vec<&'a str>),
) -> (Vec<String>, usize) {
    let (mut by, mut used) = (Vec::new(), Vec::new());
    for part in parts {
        if let Part::Step(NumberedStep { step, .. }) = part {
            by.extend(step.by.iter().map(String::as_str));
            add_channels(step, &mut used);
        }
    }
    let movers = in_order(start, by.into_iter());
    let channels = in_order(start, used.into_iter());
    let names = movers.iter().chain(&channels);
    (
        names.map(|name| (*name).to_owned()).collect(),
        channels.len(),
    )
}

/// Those of some names that occur, each once, in the order in which they begin.
fn in_order<'a>(start: &'a NamedValues, occur: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut left: HashSet<&str> = occur.collect();
    let mut found: Vec<&str> = Vec::with_capacity(left.len());
    for (name, _) in start {
        if let Some(name) = left.take(name.as_str()) {
            found.push(name);
        }
    }
    // Whoever is not there at the start stands behind.
    let mut rest: Vec<&str> = left.into_iter().collect();
    rest.sort_unstable();
    found.extend(rest);
    found
}

fn cells(step: &StepReport, numbers: &HashMap<&str, usize>) -> Vec<(usize, Cell)> {
    let lane = |name: &str| numbers.get(name).copied();
    let mut cells: Vec<(usize, Cell)> = Vec::with_capacity(step.by.len());
    // Of whom a local variable is, that lane has it; what is shared, the first.
    let mut at_lane: HashMap<usize, usize> = HashMap::default();
    for (at, who) in step.by.iter().enumerate() {
        let Some(lane) = lane(who) else { continue };
        let does = match &step.action {
            Some(action) => (action.clone(), String::new()),
            None => step.statement(at),
        };
        let mut leads = step.named_target(at).map(|to| format!("→ {to}"));
        if does.0.is_empty() && leads.is_none() {
            leads = step.to.get(at).map(|to| format!("at {to}"));
        }
        at_lane.insert(lane, cells.len());
        cells.push((
            lane,
            Cell {
                does,
                leads,
                results: Vec::new(),
            },
        ));
    }
    let mut channels = Vec::new();
    let place = |name: &str| -> (usize, String) {
        let owner = owner(name);
        let own = owner.and_then(|(who, local)| Some((*at_lane.get(&lane(who)?)?, local)));
        let (cell, name) = own.unwrap_or((0, name));
        (cell, name.to_owned())
    };
    let mut add = |cell: usize, told: String| {
        if let Some((_, cell)) = cells.get_mut(cell) {
            // The statement may say as much.
            if cell.does.0 != told {
                cell.results.push(told);
            }
        }
    };
    for (name, value) in &step.changes {
        if let (Shown::Messages(_), Some(lane)) = (value, lane(name)) {
            let held = Cell {
                does: (value.to_string(), String::new()),
                leads: None,
                results: Vec::new(),
            };
            channels.push((lane, held));
            continue;
        }
        let (cell, name) = place(name);
        add(cell, equation(&name, value));
    }
    for (name, value) in &step.unchanged {
        let (cell, name) = place(name);
        add(cell, as_before(&name, value));
    }
    for told in step.outcome_of_all() {
        add(0, told);
    }
    cells.extend(channels);
    cells.sort_by_key(|(lane, _)| *lane);
    cells
}

/// "customer(1)" and "j" of the local variable `customer(1).j`; nothing of what is shared, but for the fields of a
/// record.
fn owner(name: &str) -> Option<(&str, &str)> {
    name.split_once('.')
}

impl Lanes {
    /// Laid out for a terminal that is `width` characters wide.
    pub fn plain(&self, width: usize) -> String {
        let numbers = self.steps().map(|step| step.number.to_string().len());
        let first = numbers.max().unwrap_or(0).max(length("step"));
        let columns = self.columns(width.saturating_sub(first));
        let mut text = String::new();
        let mut heads: Vec<&str> = columns
            .own
            .iter()
            .map(|lane| self.names[*lane].as_str())
            .collect();
        if columns.has_shared {
            heads.push(SHARED);
        }
        let heads = heads
            .iter()
            .zip(&columns.widths)
            .map(|(head, width)| broken(head, *width));
        columns.write("step", first, &heads.collect::<Vec<_>>(), &mut text);
        for row in &self.rows {
            if let Part::Step(LaneStep { number, cells }) = row {
                let cells = columns.cells(self, cells);
                columns.write(&number.to_string(), first, &cells, &mut text);
            } else if let Some((mark, told)) = row.remark() {
                text.push_str(&format!("{}{mark}  {told}\n", " ".repeat(first - 1)));
            }
        }
        text
    }

    fn steps(&self) -> impl Iterator<Item = &LaneStep> {
        self.rows.iter().filter_map(|row| match row {
            Part::Step(step) => Some(step),
            _ => None,
        })
    }

    /// Which lanes have columns of their own, and how wide all are.
    fn columns(&self, width: usize) -> Columns {
        let border = length(BORDER);
        let most = (width / (LEAST_WIDTH + border)).max(2);
        let own: Vec<usize> = if self.names.len() <= most {
            (0..self.names.len()).collect()
        } else {
            let mut moves = vec![0_usize; self.names.len()];
            for (lane, _) in self.steps().flat_map(|step| &step.cells) {
                moves[*lane] += 1;
            }
            let mut busiest: Vec<usize> = (0..self.names.len()).collect();
            busiest.sort_by_key(|lane| (std::cmp::Reverse(moves[*lane]), *lane));
            busiest.truncate(most - 1);
            busiest.sort_unstable();
            busiest
        };
        let has_shared = own.len() < self.names.len();
        let count = own.len() + usize::from(has_shared);
        let mut columns = Columns {
            numbers: own.iter().copied().zip(0..).collect(),
            own,
            has_shared,
            widths: Vec::new(),
        };
        // As wide as what stands there, where there is room.
        let mut longest: Vec<usize> = columns
            .own
            .iter()
            .map(|lane| length(&self.names[*lane]))
            .collect();
        if has_shared {
            longest.push(MOST_WIDTH);
        }
        for (lane, cell) in self.steps().flat_map(|step| &step.cells) {
            if let Some(column) = columns.numbers.get(lane) {
                let does = length(&cell.does.0) + cell.does.1.len();
                let other = cell.leads.iter().chain(&cell.results);
                let other = other.map(|one| length(one)).max().unwrap_or(0);
                longest[*column] = longest[*column].max(does).max(other);
            }
        }
        let room = width.saturating_sub(count * border);
        columns.widths = shared_out(room, &longest);
        columns
    }
}

/// How wide columns are that have so much room together: as much as each needs, and where that is too much, the
/// widest of them alike.
fn shared_out(room: usize, needed: &[usize]) -> Vec<usize> {
    let mut narrow: Vec<usize> = (0..needed.len()).collect();
    narrow.sort_by_key(|column| needed[*column]);
    let mut widths = vec![0; needed.len()];
    let mut left = room;
    for (at, column) in narrow.into_iter().enumerate() {
        let each = (left / (needed.len() - at)).clamp(LEAST_WIDTH, MOST_WIDTH);
        widths[column] = needed[column].min(each);
        left = left.saturating_sub(widths[column]);
    }
    widths
}

struct Columns {
    /// The lanes with columns of their own, ascending.
    own: Vec<usize>,
    /// The columns of these.
    numbers: HashMap<usize, usize>,
    /// The others share the last one.
    has_shared: bool,
    widths: Vec<usize>,
}

impl Columns {
    /// Writes cells beside each other, each with its lines, and a number before the first of them.
    fn write(&self, number: &str, width: usize, cells: &[Vec<String>], to: &mut String) {
        let pad = |to: &mut String, text: &str, width: usize| {
            to.extend(std::iter::repeat_n(' ', width.saturating_sub(length(text))));
        };
        let lines = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
        for at in 0..lines {
            let number = if at == 0 { number } else { "" };
            pad(to, number, width);
            to.push_str(number);
            for (cell, width) in cells.iter().zip(&self.widths) {
                let line = cell.get(at).map_or("", String::as_str);
                to.push_str(BORDER);
                to.push_str(line);
                pad(to, line, *width);
            }
            to.truncate(to.trim_end_matches(' ').len());
            to.push('\n');
        }
    }

    /// The lines of a step in each column.
    fn cells(&self, lanes: &Lanes, cells: &[(usize, Cell)]) -> Vec<Vec<String>> {
        let mut lines: Vec<Vec<String>> = vec![Vec::new(); self.widths.len()];
        let mut left_out = 0;
        for (lane, cell) in cells {
            match self.numbers.get(lane) {
                Some(column) => {
                    let width = self.widths[*column];
                    lines[*column].extend(cell.lines(None, width));
                }
                None => {
                    let Some((width, shared)) = self.widths.last().zip(lines.last_mut()) else {
                        continue;
                    };
                    if shared.len() >= MOST_SHARED {
                        left_out += 1;
                        continue;
                    }
                    shared.extend(cell.lines(Some(&lanes.names[*lane]), *width));
                }
            }
        }
        if let (1.., Some(shared)) = (left_out, lines.last_mut()) {
            shared.push(format!("and {left_out} more"));
        }
        lines
    }
}

impl Cell {
    /// In lines of so many characters; in a column of several with the name of whose it is.
    fn lines(&self, of: Option<&str>, width: usize) -> Vec<String> {
        let (does, came) = &self.does;
        let does = match of {
            None => does.clone(),
            Some(name) if does.is_empty() => name.to_owned(),
            Some(name) => format!("{name}: {does}"),
        };
        let mut lines = Vec::new();
        if !does.is_empty() {
            lines.extend(lines_of(&(does, came.clone()), width));
        }
        let results = wrap(&self.results, width);
        let other = self.leads.iter().chain(&results);
        lines.extend(other.flat_map(|line| broken(line, width)));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_share_the_room_and_none_has_more_than_it_needs() {
        assert_eq!(shared_out(100, &[10, 20, 30]), [10, 20, 30]);
        assert_eq!(shared_out(60, &[50, 10, 50]), [25, 10, 25]);
        assert_eq!(shared_out(200, &[90]), [MOST_WIDTH]);
        assert_eq!(shared_out(5, &[20, 20]), [LEAST_WIDTH, LEAST_WIDTH]);
        assert_eq!(shared_out(5, &[]), Vec::<usize>::new());
    }
}
