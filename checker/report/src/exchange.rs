//! A run as messages between its participants, for sequence diagrams.

use std::collections::HashMap;

use super::lanes::participants;
use super::phrases::counted;
use super::state::{NamedValues, Shown};
use super::step::StepReport;
use super::trace::{NumberedStep, Part};

/// So many of the participants of a joint step have an arrow each.
const MOST_ARROWS: usize = 8;
/// So many of the values that a step changes are told.
const MOST_CHANGES: usize = 6;

/// A run as a chart: whoever takes part, and what happens between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Instances in the order of the text, a monitor behind them, and then channels.
    pub names: Vec<String>,
    /// How many of them are channels.
    pub channels: usize,
    pub events: Vec<Part<Event>>,
}

/// Lanes are numbered as their names are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// From one to another: an action that both take part in, a message into a channel or out of it.
    Arrow {
        from: usize,
        to: usize,
        /// Out of a channel.
        is_received: bool,
        label: String,
    },
    /// What somebody does alone, or what comes of an arrow; over all lanes between two.
    Note {
        from: usize,
        to: usize,
        lines: Vec<String>,
    },
}

/// Makes what is shown of a run a chart. `start` has the names of all instances and channels in their order.
///
/// Costs time in proportion to the names, to the steps, and to what these do; a step comes to at most
/// some ten events.
pub fn exchange(parts: &[Part<NumberedStep<'_>>], start: &NamedValues) -> Exchange {
    let (names, channels) = participants(parts, start, &|step, into| {
        into.extend(step.messages.iter().map(|passed| passed.channel.as_str()));
    });
    let mut writer = Writer {
        lanes: names.iter().map(String::as_str).zip(0..).collect(),
        events: Vec::new(),
    };
    for part in parts {
        match part.step() {
            Ok(shown) => writer.step(shown.number, shown.step),
            Err(remark) => writer.events.push(remark),
        }
    }
    Exchange {
        channels,
        events: writer.events,
        names,
    }
}

struct Writer<'a> {
    lanes: HashMap<&'a str, usize>,
    events: Vec<Part<Event>>,
}

impl Writer<'_> {
    fn push(&mut self, event: Event) {
        self.events.push(Part::Step(event));
    }

    fn step(&mut self, number: usize, step: &StepReport) {
        let by: Vec<usize> = step
            .by
            .iter()
            .filter_map(|who| self.lanes.get(who.as_str()).copied())
            .collect();
        let Some(&first) = by.first() else { return };
        let statement = |at: usize| {
            let (text, came) = step.statement(at);
            format!("{text}{came}")
        };
        let label = match &step.action {
            Some(action) => action.clone(),
            None => statement(0),
        };
        let numbered = |label: &str| format!("{number}. {label}").trim_end().to_owned();
        let target = |at: usize| step.named_target(at).map(|to| format!("→ {to}"));
        let mut arrows = 0;
        match &by[1..] {
            [] => {
                for passed in &step.messages {
                    let Some(&channel) = self.lanes.get(passed.channel.as_str()) else {
                        continue;
                    };
                    let (from, to) = if passed.is_sent {
                        (first, channel)
                    } else {
                        (channel, first)
                    };
                    self.push(Event::Arrow {
                        from,
                        to,
                        is_received: !passed.is_sent,
                        label: numbered(&passed.message),
                    });
                    arrows += 1;
                }
            }
            others if others.len() <= MOST_ARROWS => {
                for other in others {
                    self.push(Event::Arrow {
                        from: first,
                        to: *other,
                        is_received: false,
                        label: numbered(&label),
                    });
                    arrows += 1;
                }
            }
            others => {
                let all = counted(others.len() + 1, "participant");
                let from = by.iter().min().copied().unwrap_or(first);
                let to = by.iter().max().copied().unwrap_or(first);
                let lines = vec![format!("{}, by {all}", numbered(&label))];
                self.push(Event::Note { from, to, lines });
                arrows += 1;
            }
        }
        let mut lines = Vec::new();
        if arrows == 0 {
            lines.push(numbered(&label));
        }
        // An arrow into a channel, or out of it, says what the channel then holds.
        let is_told = |value: &Shown| arrows > 0 && matches!(value, Shown::Messages(_));
        let changes = step.changes.iter().filter(|(_, value)| !is_told(value));
        let changes = changes.map(|(name, value)| format!("{name} = {value}"));
        let mut results: Vec<String> = changes.chain(step.besides()).collect();
        // The statement may say as much.
        results.retain(|told| arrows > 0 || *told != label);
        let more = results.len().saturating_sub(MOST_CHANGES);
        results.truncate(MOST_CHANGES);
        if more > 0 {
            results.push(format!("and {more} more"));
        }
        match by.len() {
            1 => lines.extend(target(0)),
            // Where each goes, and not what all of very many do.
            many if many <= MOST_ARROWS + 1 => {
                let moves = (0..step.by.len())
                    .filter_map(|at| Some(format!("{} {}", step.by[at], target(at)?)));
                lines.extend(moves);
            }
            _ => {}
        }
        lines.extend(results);
        if !lines.is_empty() {
            self.push(Event::Note {
                from: first,
                to: first,
                lines,
            });
        }
    }
}
