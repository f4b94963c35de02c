//! States with names: `gate[1]`, `bridge.cars[south]`, `customer(1).j`, `c[1]`, `customer(1)`.

use stubborn_engine::{Change, State};
use stubborn_system::source_map::{Shape, SourceMap};
use stubborn_system::system::{System, Type, Value, VariableRef};

/// A value as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    Number(i64),
    Truth(bool),
    /// An enumeration's value, or the name of a location.
    Name(String),
    /// What a channel holds, each message part by part.
    Messages(Vec<Vec<Shown>>),
}

/// Names with their values, in the order of the text.
pub type NamedValues = Vec<(String, Shown)>;

/// Every cell and field of the shared variables, every channel, every local variable, and where
/// every instance is.
pub fn named_values(system: &System, map: &SourceMap, state: &State) -> NamedValues {
    let names = Names { system, map };
    let mut cells = Vec::new();
    for (variable, value) in state.shared.iter().enumerate() {
        names.shared(variable, value, &mut cells);
    }
    for (channel, messages) in state.channels.iter().enumerate() {
        cells.push(names.channel(channel, messages));
    }
    for (instance, now) in state.instances.iter().enumerate() {
        for (local, value) in now.locals.iter().enumerate() {
            names.local(instance, local, value, &mut cells);
        }
    }
    for (instance, now) in state.instances.iter().enumerate() {
        let location = map.location(instance as u32, now.location);
        let instance = map.instance(instance as u32);
        cells.push((instance.to_owned(), Shown::Name(location.to_owned())));
    }
    cells
}

/// What a step has changed, with the values afterwards; locations are left out.
pub fn changed_values(system: &System, map: &SourceMap, changes: &[Change]) -> NamedValues {
    let names = Names { system, map };
    let named = changes.iter().filter_map(|change| match change {
        Change::Scalar {
            variable,
            path,
            value,
        } => Some(names.scalar(*variable, path, *value)),
        Change::Channel { channel, messages } => Some(names.channel(*channel as usize, messages)),
        Change::Location { .. } => None,
    });
    named.collect()
}

struct Names<'a> {
    system: &'a System,
    map: &'a SourceMap,
}

impl Names<'_> {
    fn shared(&self, variable: usize, value: &Value, into: &mut NamedValues) {
        let source = &self.map.variables[variable];
        let ty = &self.system.variables[variable].ty;
        cells(source.name.clone(), &source.shape, ty, value, into);
    }

    fn local(&self, instance: usize, local: usize, value: &Value, into: &mut NamedValues) {
        let owner = &self.map.instances[instance];
        let source = &owner.locals[local];
        let ty = &self.system.instances[instance].locals[local].ty;
        let name = format!("{}.{}", owner.name, source.name);
        cells(name, &source.shape, ty, value, into);
    }

    /// A cell or field of a variable.
    fn scalar(&self, variable: VariableRef, path: &[u32], value: i64) -> (String, Shown) {
        let (mut name, source, declared) = match variable {
            VariableRef::Shared(variable) => {
                let source = &self.map.variables[variable as usize];
                let declared = &self.system.variables[variable as usize];
                (source.name.clone(), source, declared)
            }
            VariableRef::Local(instance, local) => {
                let owner = &self.map.instances[instance as usize];
                let source = &owner.locals[local as usize];
                let declared = &self.system.instances[instance as usize].locals[local as usize];
                (format!("{}.{}", owner.name, source.name), source, declared)
            }
        };
        let (mut shape, mut ty) = (&source.shape, &declared.ty);
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
                // A value that is not of its type does not occur.
                _ => break,
            }
        }
        (name, scalar(shape, value))
    }

    fn channel(&self, channel: usize, messages: &[Vec<i64>]) -> (String, Shown) {
        let source = &self.map.channels[channel];
        let shown = |message: &Vec<i64>| {
            let parts = message.iter().zip(&source.message);
            parts.map(|(part, shape)| scalar(shape, *part)).collect()
        };
        (
            source.name.clone(),
            Shown::Messages(messages.iter().map(shown).collect()),
        )
    }
}

/// The cells and fields of a value, from the outside in.
fn cells(name: String, shape: &Shape, ty: &Type, value: &Value, into: &mut NamedValues) {
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
        (shape, _, Value::Int(value)) => into.push((name, scalar(shape, *value))),
        // A value that is not of its type does not occur.
        (_, _, Value::Cells(_)) => {}
    }
}

pub(super) fn scalar(shape: &Shape, value: i64) -> Shown {
    match shape {
        Shape::Bool => Shown::Truth(value != 0),
        Shape::Enumeration(_) => Shown::Name(shape.scalar(value)),
        _ => Shown::Number(value),
    }
}

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Shown::Number(number) => write!(f, "{number}"),
            Shown::Truth(truth) => write!(f, "{truth}"),
            Shown::Name(name) => write!(f, "{name}"),
            Shown::Messages(messages) => {
                write!(f, "[")?;
                for (at, message) in messages.iter().enumerate() {
                    write!(f, "{}", if at == 0 { "" } else { ", " })?;
                    match &message[..] {
                        [part] => write!(f, "{part}")?,
                        parts => {
                            let parts: Vec<String> = parts.iter().map(Shown::to_string).collect();
                            write!(f, "[{}]", parts.join(", "))?;
                        }
                    }
                }
                write!(f, "]")
            }
        }
    }
}
