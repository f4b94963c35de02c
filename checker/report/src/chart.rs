//! A run as data for those who draw it and step through it: who takes part, which values there are, and of each step
//! what it changes and nothing else. So a run of thousands of steps over hundreds of variables stays small.

use std::collections::HashMap;
use std::ops::Range;

use serde::Serialize;
use stubborn_system::source_map::SourceMap;

use super::place::Place;
use super::step::StepReport;
use super::trace::TraceReport;

/// So many steps are told at once.
pub const MOST_CHARTED: usize = 20_000;

/// A run, or a piece of one, with numbers in the place of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// Instances in the order of the text, channels behind them, and a monitor last.
    pub participants: Vec<Participant>,
    /// Shared variables, channels, local variables, where instances are, and where a monitor is; each as it is
    /// before the first of the steps.
    pub variables: Vec<Variable>,
    /// What stands in the text where steps are taken, each piece once.
    pub statements: Vec<Statement>,
    /// How many steps are passed over before the first.
    pub first: usize,
    pub steps: Vec<ChartStep>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Participant {
    pub name: String,
    pub kind: ParticipantKind,
    /// It takes one of the steps, or a message goes through it.
    pub moves: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ParticipantKind {
    Process,
    Channel,
    Monitor,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Variable {
    /// `gate[1]`, `customer(1).j`; of where an instance is its name.
    pub name: String,
    pub kind: VariableKind,
    /// The participant that it belongs to; none of what is shared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<usize>,
    pub value: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum VariableKind {
    Shared,
    Channel,
    Local,
    /// Where an instance is, or a monitor.
    Location,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Statement {
    pub place: Place,
    /// On one line.
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChartStep {
    /// The participants that take it, with the statement of each and how its test has come out, if it is one.
    pub by: Vec<Part>,
    /// `enter(1)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// In a few words: the action, or the statement and how it has come out.
    pub label: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Changed>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Message>,
    /// What there is beside the changes: "x = 0, as before", "fails: a division by zero".
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub besides: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fails: Option<String>,
}

/// What one participant has to do with a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    pub participant: usize,
    pub statement: usize,
    /// "idle → test".
    pub does: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Changed {
    pub variable: usize,
    pub before: String,
    pub after: String,
}

/// What goes into a channel or comes out of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    pub channel: usize,
    pub text: String,
    #[serde(rename = "sent")]
    pub is_sent: bool,
}

/// Which steps of a run are told where all from the one with this number on are asked for.
pub fn charted(trace: &TraceReport, from: usize) -> Range<usize> {
    // Whoever asks for the end is given as many as there is room for.
    let first = from.min(trace.len().saturating_sub(MOST_CHARTED));
    first..trace.len().min(first + MOST_CHARTED)
}

/// Charts a run of the model with this map, from the step with this number on, from 0. Costs time in proportion to the
/// number of values, to the steps told, and to the steps before.
pub fn chart(trace: &TraceReport, map: &SourceMap, from: usize) -> Chart {
    let range = charted(trace, from);
    let start = trace.values_after(range.start);
    let mut participants: Vec<Participant> = Vec::new();
    let mut add = |name: &str, kind| {
        participants.push(Participant {
            name: name.to_owned(),
            kind,
            moves: false,
        });
    };
    for instance in &map.instances {
        add(&instance.name, ParticipantKind::Process);
    }
    for channel in &map.channels {
        add(&channel.name, ParticipantKind::Channel);
    }
    // A monitor stands behind all that the model has.
    let monitor = start.last().map(|(name, _)| name.as_str());
    let is_known = |name: &&str| map.instances.iter().any(|one| one.name == **name);
    if let Some(monitor) = monitor.filter(|name| trace.has_monitor() && !is_known(name)) {
        add(monitor, ParticipantKind::Monitor);
    }
    let numbers: HashMap<String, usize> = participants
        .iter()
        .enumerate()
        .map(|(at, one)| (one.name.clone(), at))
        .collect();
    let variable = |(name, value): &(String, super::Shown)| {
        let itself = numbers.get(name.as_str()).copied();
        let owner = name.split_once('.').and_then(|(owner, _)| {
            let owner = *numbers.get(owner)?;
            (participants[owner].kind == ParticipantKind::Process).then_some(owner)
        });
        let kind = match (itself, owner) {
            (Some(at), _) if participants[at].kind == ParticipantKind::Channel => {
                VariableKind::Channel
            }
            (Some(_), _) => VariableKind::Location,
            (None, Some(_)) => VariableKind::Local,
            (None, None) => VariableKind::Shared,
        };
        Variable {
            name: name.clone(),
            kind,
            owner: itself.or(owner),
            value: value.to_string(),
        }
    };
    let variables: Vec<Variable> = start.iter().map(variable).collect();
    let mut charting = Charting {
        now: variables.iter().map(|one| one.value.clone()).collect(),
        by_name: start
            .iter()
            .map(|(name, _)| name.as_str())
            .zip(0..)
            .collect(),
        participants,
        numbers: &numbers,
        statements: Vec::new(),
        known: HashMap::new(),
    };
    let steps = trace.every_step(range.start).take(range.len());
    let steps: Vec<ChartStep> = steps.map(|step| charting.step(step)).collect();
    Chart {
        participants: charting.participants,
        statements: charting.statements,
        variables,
        first: range.start,
        steps,
    }
}

struct Charting<'a> {
    participants: Vec<Participant>,
    numbers: &'a HashMap<String, usize>,
    by_name: HashMap<&'a str, usize>,
    /// What each variable is.
    now: Vec<String>,
    statements: Vec<Statement>,
    known: HashMap<Statement, usize>,
}

impl Charting<'_> {
    fn step(&mut self, step: StepReport) -> ChartStep {
        let statement = step.statement(0);
        let label = match &step.action {
            Some(action) => action.clone(),
            None => format!("{}{}", statement.0, statement.1),
        };
        let mut changes = Vec::new();
        for (name, value) in &step.changes {
            self.change(name, value.to_string(), &mut changes);
        }
        for (name, to) in step.by.iter().zip(&step.to) {
            self.change(name, to.clone(), &mut changes);
        }
        let messages = step.messages.iter().filter_map(|passed| {
            Some(Message {
                channel: *self.numbers.get(&passed.channel)?,
                text: passed.message.clone(),
                is_sent: passed.is_sent,
            })
        });
        let messages: Vec<Message> = messages.collect();
        for message in &messages {
            self.participants[message.channel].moves = true;
        }
        let does: Vec<String> = step.does().collect();
        let besides = step.besides();
        let mut by = Vec::with_capacity(step.by.len());
        for (at, (who, does)) in step.by.iter().zip(does).enumerate() {
            let Some(&participant) = self.numbers.get(who) else {
                continue;
            };
            self.participants[participant].moves = true;
            by.push(Part {
                participant,
                statement: self.statement(Statement {
                    place: step.places.get(at).unwrap_or(&step.place).clone(),
                    text: step.statements.get(at).cloned().unwrap_or_default(),
                }),
                outcome: step.outcomes.get(at).copied().flatten(),
                does,
            });
        }
        ChartStep {
            by,
            action: step.action,
            label,
            changes,
            messages,
            besides,
            fails: step.fails,
        }
    }

    fn change(&mut self, name: &str, after: String, changes: &mut Vec<Changed>) {
        let Some(&variable) = self.by_name.get(name) else {
            return;
        };
        let now = &mut self.now[variable];
        if *now == after {
            return;
        }
        let before = std::mem::replace(now, after.clone());
        changes.push(Changed {
            variable,
            before,
            after,
        });
    }

    fn statement(&mut self, statement: Statement) -> usize {
        if let Some(known) = self.known.get(&statement) {
            return *known;
        }
        let number = self.statements.len();
        self.known.insert(statement.clone(), number);
        self.statements.push(statement);
        number
    }
}
