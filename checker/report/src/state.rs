//! States with names: `gate[1]`, `bridge.cars[south]`, `customer(1).j`, `c[1]`, `customer(1)`.

use serde::{Serialize, Serializer};
use stubborn_engine::{Change, State};
use stubborn_system::source_map::{ChannelSource, Shape, SourceMap};
use stubborn_system::system::{ChannelId, System, Type, Value, VariableRef};
use stubborn_system::value::{elements_of_list, elements_of_set};

use super::expression::{variable, variable_type};

/// A value as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Shown {
    Number(i64),
    Truth(bool),
    /// An enumeration's value, or the name of a location.
    Name(String),
    /// What a channel holds, each message part by part.
    Messages(Vec<Vec<Shown>>),
    /// The elements of a set, ascending.
    Set(Vec<Shown>),
    /// The elements of a list, from the first to the last, or the cells of an array.
    List(Vec<Shown>),
    /// The fields of a record.
    Record(#[serde(serialize_with = "as_object")] NamedValues),
}

/// Names with their values, in the order of the text.
pub type NamedValues = Vec<(String, Shown)>;

fn as_object<S: Serializer>(fields: &NamedValues, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(fields.iter().map(|(name, value)| (name, value)))
}

/// Every cell and field of the shared variables, every channel, every local variable, and where
/// every instance is.
pub fn named_values(system: &System, map: &SourceMap, state: &State) -> NamedValues {
    let names = Names { system, map };
    let mut cells = Vec::new();
    for (value, at) in state.shared.iter().zip(0..) {
        names.variable(VariableRef::Shared(at), value, &mut cells);
    }
    for (channel, messages) in state.channels.iter().enumerate() {
        cells.push(named_channel(map, channel, messages));
    }
    for (now, instance) in state.instances.iter().zip(0..) {
        for (value, at) in now.locals.iter().zip(0..) {
            names.variable(VariableRef::Local(instance, at), value, &mut cells);
        }
    }
    for (now, instance) in state.instances.iter().zip(0..) {
        let location = map.location(instance, now.location);
        let instance = map.instance(instance);
        cells.push((instance.to_owned(), Shown::Name(location.to_owned())));
    }
    cells
}

/// What a step has changed, with the values in the state after it; locations are left out.
pub fn changed_values(
    system: &System,
    map: &SourceMap,
    changes: &[Change],
    after: &State,
) -> NamedValues {
    let names = Names { system, map };
    let named = changes.iter().filter_map(|change| match change {
        Change::Scalar { variable, path, .. } => names.part(after, *variable, path),
        Change::Channel { channel, messages } => {
            Some(named_channel(map, *channel as usize, messages))
        }
        Change::Location { .. } => None,
    });
    let mut named: NamedValues = named.collect();
    // Of a set and of a list several parts may have changed.
    named.dedup_by(|later, before| later.0 == before.0);
    named
}

/// What a channel holds.
pub fn named_channel(map: &SourceMap, channel: usize, messages: &[Vec<i64>]) -> (String, Shown) {
    let source = &map.channels[channel];
    let shown = messages.iter().map(|one| message(source, one));
    (source.name.clone(), Shown::Messages(shown.collect()))
}

/// Parts of a message of a channel.
fn message(source: &ChannelSource, scalars: &[i64]) -> Vec<Shown> {
    let parts = source.parts(scalars);
    parts
        .filter_map(|(value, shape)| whole(shape, &value))
        .collect()
}

/// A value of any type. `None` of one that is not of its type, which does not occur.
fn whole(shape: &Shape, value: &Value) -> Option<Shown> {
    match (shape, value) {
        (Shape::Array(_, cell), Value::Cells(cells)) => {
            let cells = cells.iter().map(|value| whole(cell, value));
            Some(Shown::List(cells.collect::<Option<_>>()?))
        }
        (Shape::Record(fields), Value::Cells(values)) => {
            let fields = fields.iter().zip(values);
            let fields =
                fields.map(|((name, shape), value)| Some((name.clone(), whole(shape, value)?)));
            Some(Shown::Record(fields.collect::<Option<_>>()?))
        }
        _ => leaf(shape, value),
    }
}

/// What is shown of the scalar to which these cells and fields lead from the outside in: itself, or the set or the list
/// that it is a part of.
pub(super) fn named_cell(
    system: &System,
    map: &SourceMap,
    state: &State,
    variable: VariableRef,
    path: &[u32],
) -> Option<(String, Shown)> {
    Names { system, map }.part(state, variable, path)
}

/// What says which values it may have: "the type of `x`", "the range of the elements of `l`".
pub(super) fn range_of_cell(
    system: &System,
    map: &SourceMap,
    variable: VariableRef,
    path: &[u32],
) -> String {
    let names = Names { system, map };
    let (name, shape, _) = names.found(variable, path);
    match shape {
        Shape::Set { .. } | Shape::List(_) => format!("the range of the elements of `{name}`"),
        _ => format!("the type of `{name}`"),
    }
}

/// A message that goes into a channel, or comes out of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    /// `c`, `c[1]`.
    pub channel: String,
    /// `7`, `[7, red]`.
    pub message: String,
    pub is_sent: bool,
}

/// What has come out of a channel and gone into it in a step: a message that is there once less, one that is there
/// once more, or the one and then the other.
pub(super) fn passed(
    map: &SourceMap,
    channel: ChannelId,
    before: &[Vec<i64>],
    after: &[Vec<i64>],
) -> Vec<Passed> {
    let (received, sent) = if after.len() == before.len() + 1 {
        (None, Some(surplus(after, before)))
    } else if before.len() == after.len() + 1 {
        (Some(surplus(before, after)), None)
    } else if let (true, [first, rest @ ..], [others @ .., last]) =
        (before.len() == after.len(), before, after)
    {
        match rest == others {
            true => (Some(first), Some(last)),
            // Those of a bag ascend: the places of the two are not the ends.
            false => (Some(surplus(before, after)), Some(surplus(after, before))),
        }
    } else {
        (None, None)
    };
    let source = &map.channels[channel as usize];
    let told = |parts: &Vec<i64>, is_sent| {
        let shown = Shown::Messages(vec![message(source, parts)]).to_string();
        Passed {
            channel: source.name.clone(),
            message: shown[1..shown.len() - 1].to_owned(),
            is_sent,
        }
    };
    let received = received.into_iter().map(|message| told(message, false));
    let sent = sent.into_iter().map(|message| told(message, true));
    received.chain(sent).collect()
}

/// The message that is in the one list once more often than in the other, which has all the others in the same
/// order: where the first difference is, equal messages stand in a row with the one that it is. Of two that ascend
/// and have as many, it is the one that the other lacks.
fn surplus<'m>(more: &'m [Vec<i64>], less: &[Vec<i64>]) -> &'m Vec<i64> {
    if more.len() == less.len() {
        let often =
            |of: &[Vec<i64>], message: &Vec<i64>| of.iter().filter(|one| *one == message).count();
        let lacking = more
            .iter()
            .find(|message| often(more, message) > often(less, message));
        return lacking.unwrap_or(&more[0]);
    }
    let at = more.iter().zip(less).position(|(one, other)| one != other);
    &more[at.unwrap_or(less.len())]
}

struct Names<'a> {
    system: &'a System,
    map: &'a SourceMap,
}

impl Names<'_> {
    fn variable(&self, of: VariableRef, value: &Value, into: &mut NamedValues) {
        let (name, shape) = variable(self.map, of);
        cells(name, shape, variable_type(self.system, of), value, into);
    }

    /// The scalar at the end of a path, or the set or list on the way there, with its value.
    fn part(&self, state: &State, variable: VariableRef, path: &[u32]) -> Option<(String, Shown)> {
        let (name, shape, length) = self.found(variable, path);
        let value = state.part(variable, &path[..length])?;
        Some((name, leaf(shape, value)?))
    }

    /// The name and the shape of what is shown of it, and how much of the path leads there.
    fn found(&self, of: VariableRef, path: &[u32]) -> (String, &Shape, usize) {
        let (mut name, mut shape) = variable(self.map, of);
        let mut ty = variable_type(self.system, of);
        let mut length = 0;
        for at in path {
            match (shape, ty) {
                (Shape::Array(index, cell_shape), Type::Array { lo, cell, .. }) => {
                    let index = index.scalar(lo + i64::from(*at));
                    name = format!("{name}[{index}]");
                    (shape, ty) = (cell_shape, cell);
                }
                (Shape::Record(fields), Type::Record(types)) => {
                    let (field, field_shape) = &fields[*at as usize];
                    name = format!("{name}.{field}");
                    (shape, ty) = (field_shape, &types[*at as usize]);
                }
                // A set and a list are shown as a whole.
                _ => break,
            }
            length += 1;
        }
        (name, shape, length)
    }
}

/// The cells and fields of a variable, from the outside in, each with its value.
pub(super) fn cells(name: String, shape: &Shape, ty: &Type, value: &Value, into: &mut NamedValues) {
    match (shape, ty, value) {
        (
            Shape::Array(index, cell_shape),
            Type::Array {
                lo,
                cell: cell_type,
                ..
            },
            Value::Cells(values),
        ) => {
            for (value, at) in values.iter().zip(*lo..) {
                let name = format!("{name}[{}]", index.scalar(at));
                cells(name, cell_shape, cell_type, value, into);
            }
        }
        (Shape::Record(fields), Type::Record(types), Value::Cells(values)) => {
            for (((field, shape), ty), value) in fields.iter().zip(&**types).zip(values) {
                cells(format!("{name}.{field}"), shape, ty, value, into);
            }
        }
        (shape, _, value) => into.extend(leaf(shape, value).map(|shown| (name, shown))),
    }
}

/// A scalar, a set or a list. `None` of a value that is not of its type, which does not occur.
fn leaf(shape: &Shape, value: &Value) -> Option<Shown> {
    Some(match (shape, value) {
        (Shape::Set { lo, element }, Value::Cells(cells)) => {
            let elements = elements_of_set(cells, *lo);
            Shown::Set(elements.map(|value| scalar(element, value)).collect())
        }
        (Shape::List(element), list @ Value::Cells(_)) => {
            let elements = elements_of_list(list).iter();
            let elements = elements.map(|value| leaf(element, value));
            Shown::List(elements.collect::<Option<_>>()?)
        }
        (shape, Value::Int(value)) => scalar(shape, *value),
        _ => return None,
    })
}

pub(super) fn scalar(shape: &Shape, value: i64) -> Shown {
    match shape {
        Shape::Bool => Shown::Truth(value != 0),
        Shape::Enumeration(_) => Shown::Name(shape.scalar(value)),
        _ => Shown::Number(value),
    }
}

fn listed(values: &[Shown]) -> String {
    let values: Vec<String> = values.iter().map(Shown::to_string).collect();
    values.join(", ")
}

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Shown::Number(number) => write!(f, "{number}"),
            Shown::Truth(truth) => write!(f, "{truth}"),
            Shown::Name(name) => write!(f, "{name}"),
            Shown::Set(elements) => write!(f, "{{{}}}", listed(elements)),
            Shown::List(elements) => write!(f, "[{}]", listed(elements)),
            Shown::Record(fields) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(name, value)| format!("{name}: {value}"))
                    .collect();
                write!(f, "{{{}}}", fields.join(", "))
            }
            Shown::Messages(messages) => {
                write!(f, "[")?;
                for (at, message) in messages.iter().enumerate() {
                    write!(f, "{}", if at == 0 { "" } else { ", " })?;
                    match &message[..] {
                        [part] => write!(f, "{part}")?,
                        parts => write!(f, "[{}]", listed(parts))?,
                    }
                }
                write!(f, "]")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use stubborn_system::source::{FileId, Span};
    use stubborn_system::source_map::MessagePart;

    use super::*;

    #[test]
    fn the_message_that_goes_into_a_channel_or_comes_out_is_found() {
        let span = Span {
            file: FileId(0),
            start: 0,
            end: 0,
        };
        let colours = Shape::Enumeration(Arc::new(["red".to_owned(), "blue".to_owned()]));
        let map = SourceMap {
            channels: vec![ChannelSource {
                name: "c".to_owned(),
                span,
                message: vec![
                    MessagePart {
                        ty: Type::scalar(0, 9),
                        shape: Shape::Int,
                    },
                    MessagePart {
                        ty: Type::scalar(0, 1),
                        shape: colours,
                    },
                ],
            }],
            ..SourceMap::default()
        };
        let held = |messages: &[i64]| -> Vec<Vec<i64>> {
            messages
                .iter()
                .map(|number| vec![*number, number % 2])
                .collect()
        };
        let told = |before: &[i64], after: &[i64]| {
            let passed = passed(&map, 0, &held(before), &held(after)).into_iter();
            passed
                .map(|passed| (passed.message, passed.is_sent))
                .collect::<Vec<_>>()
        };
        let two = |is_sent| vec![("[2, red]".to_owned(), is_sent)];
        // Into a queue, behind equal ones; out of it; in the midst of a bag, which is in order.
        assert_eq!(told(&[], &[2]), two(true));
        assert_eq!(told(&[2, 2], &[2, 2, 2]), two(true));
        assert_eq!(told(&[2, 2, 3], &[2, 3]), two(false));
        assert_eq!(told(&[2, 3, 2], &[3, 2]), two(false));
        assert_eq!(told(&[1, 3], &[1, 2, 3]), two(true));
        assert_eq!(told(&[1, 2, 3], &[1, 3]), two(false));
        // One out, and then one in: at the ends of a queue, in the midst of a bag.
        let out_and_in =
            |out: &str, into: &str| vec![(out.to_owned(), false), (into.to_owned(), true)];
        assert_eq!(told(&[2, 3], &[3, 2]), out_and_in("[2, red]", "[2, red]"));
        assert_eq!(
            told(&[1, 2, 4], &[1, 3, 4]),
            out_and_in("[2, red]", "[3, blue]")
        );
        assert_eq!(
            told(&[1, 2, 2], &[1, 2, 4]),
            out_and_in("[2, red]", "[4, red]")
        );
    }
}
