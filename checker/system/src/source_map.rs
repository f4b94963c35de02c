//! The names and the places of what a [`System`](crate::system::System) holds.

use std::sync::Arc;

use crate::source::Span;
use crate::system::{
    ActionId, ActionPattern, ChannelId, InstanceId, LocationId, StepId, Type, Value,
};
use crate::value::{composed, written};

/// Beside a System, index for index: `variables[i]` names `system.variables[i]`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SourceMap {
    pub variables: Vec<VariableSource>,
    /// One for each channel, those of an array too.
    pub channels: Vec<ChannelSource>,
    pub actions: Vec<ActionSource>,
    pub instances: Vec<Arc<InstanceSource>>,
    pub bounds: Vec<BoundSource>,
}

/// The name of a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundSource {
    pub name: String,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableSource {
    pub name: String,
    pub span: Span,
    pub shape: Shape,
}

/// How a value is written: the names that belong to a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    Bool,
    Int,
    Enumeration(Arc<[String]>),
    /// The shape of the index, and of a cell.
    Array(Arc<Shape>, Arc<Shape>),
    Record(Arc<[(String, Shape)]>),
    /// A truth value for each value from `lo` on, which has the shape of an element.
    Set {
        lo: i64,
        element: Arc<Shape>,
    },
    /// A record of a length and an array, of whose cells so many have this shape and the rest are not shown.
    List(Arc<Shape>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelSource {
    /// `c`, or `c[1]`, `c[north]`, `c[1, north]` for one of an array.
    pub name: String,
    pub span: Span,
    /// The parts of a message, each of which is one scalar or several of
    /// [`Channel::message`](crate::system::Channel::message).
    pub message: Vec<MessagePart>,
}

/// A part of a message, as it is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessagePart {
    pub ty: Type,
    pub shape: Shape,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionSource {
    pub name: String,
    pub span: Span,
    pub arguments: Vec<Shape>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceSource {
    /// `loss`, `customer(1)`, `p(1,red)`.
    pub name: String,
    /// The process's name in the text.
    pub span: Span,
    pub locals: Vec<VariableSource>,
    pub locations: Vec<LocationSource>,
    /// Where the name of a state or a label stands, and the locations at which it holds.
    pub named: Vec<(Span, Vec<LocationId>)>,
    /// The text of each step.
    pub steps: Vec<Span>,
    /// Of the steps that have any, ascending, where each `if` among their effects stands.
    pub branches: Vec<(StepId, Branches)>,
    /// Of the steps that have one, ascending, their names.
    pub step_names: Vec<(StepId, Arc<str>)>,
}

/// Where each `if` among the effects of a step stands.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Branches {
    /// Of each [`Effect::If`](crate::system::Effect::If), with those in it behind it, the first branch before the
    /// second: as [`for_tests`](crate::walk::for_tests) goes through them.
    pub tests: Vec<Span>,
    /// Of those that constants and parameters decide, with what they come to: the step has the effects of that branch
    /// alone.
    pub decided: Vec<(Span, bool)>,
}

/// The names and the places of a tester, an automaton or a specification.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct MonitorSource {
    /// Of a specification, its locations.
    pub states: Vec<LocationSource>,
    /// Of each state of a tester, the text of its steps; empty for the others.
    pub steps: Vec<Vec<Span>>,
    /// Of a specification, its variables; empty for the others.
    pub locals: Vec<VariableSource>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocationSource {
    /// The name of a state, a label, `end`, `line 12`, `line 12 (2)`.
    pub name: String,
    /// The state's name, or the statement that is next.
    pub span: Span,
}

impl Branches {
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty() && self.decided.is_empty()
    }
}

impl SourceMap {
    /// `enter(1)`, `tick`: an action with its values, as it is shown.
    pub fn action(&self, action: ActionId, values: &[i64]) -> String {
        let source = &self.actions[action as usize];
        if values.is_empty() {
            return source.name.clone();
        }
        let values: Vec<String> = values
            .iter()
            .zip(&source.arguments)
            .map(|(v, shape)| shape.scalar(*v))
            .collect();
        format!("{}({})", source.name, values.join(","))
    }

    /// `enter(1,*)`, where `*` stands for every value.
    pub fn action_pattern(&self, pattern: &ActionPattern) -> String {
        let source = &self.actions[pattern.action as usize];
        if pattern.arguments.is_empty() {
            return source.name.clone();
        }
        let values: Vec<String> = pattern
            .arguments
            .iter()
            .zip(&source.arguments)
            .map(|(value, shape)| value.map_or_else(|| "*".to_owned(), |v| shape.scalar(v)))
            .collect();
        format!("{}({})", source.name, values.join(","))
    }

    pub fn instance(&self, instance: InstanceId) -> &str {
        &self.instances[instance as usize].name
    }

    pub fn location(&self, instance: InstanceId, location: LocationId) -> &str {
        &self.instances[instance as usize].locations[location as usize].name
    }

    pub fn step(&self, instance: InstanceId, step: StepId) -> Span {
        self.instances[instance as usize].steps[step as usize]
    }

    /// The name of a step, where it has one.
    pub fn step_name(&self, instance: InstanceId, step: StepId) -> Option<&str> {
        let names = &self.instances[instance as usize].step_names;
        let found = names.binary_search_by_key(&step, |(step, _)| *step);
        found.ok().map(|at| &*names[at].1)
    }

    pub fn channel(&self, channel: ChannelId) -> &str {
        &self.channels[channel as usize].name
    }
}

impl ChannelSource {
    /// The parts of a message that consists of these scalars.
    pub fn parts(&self, message: &[i64]) -> impl Iterator<Item = (Value, &Shape)> {
        let mut scalars = message.iter().copied();
        let parts = self.message.iter();
        parts.map(move |part| (composed(&part.ty, &mut scalars), &part.shape))
    }

    /// A message that consists of these scalars, as it is written where it is received: `2, red`.
    pub fn written(&self, message: &[i64]) -> String {
        let parts = self.parts(message);
        let parts: Vec<String> = parts.map(|(value, shape)| written(&value, shape)).collect();
        parts.join(", ")
    }

    /// How each scalar of a message is written, and which part of which part of the message it is: nothing,
    /// `.term`, `.log[2]`.
    pub fn scalars(&self) -> Vec<(String, Shape)> {
        let mut found = Vec::new();
        for part in &self.message {
            leaves(String::new(), &part.ty, &part.shape, &mut found);
        }
        found
    }
}

fn leaves(name: String, ty: &Type, shape: &Shape, found: &mut Vec<(String, Shape)>) {
    match (ty, shape) {
        (Type::Array { lo, len, cell }, Shape::Array(index, shape)) => {
            for at in (*lo..).take(*len as usize) {
                leaves(format!("{name}[{}]", index.scalar(at)), cell, shape, found);
            }
        }
        (Type::Record(types), Shape::Record(fields)) => {
            for (ty, (field, shape)) in types.iter().zip(&**fields) {
                leaves(format!("{name}.{field}"), ty, shape, found);
            }
        }
        (Type::Array { len, .. }, _) => {
            found.extend(std::iter::repeat_n((name, Shape::Bool), *len as usize));
        }
        (Type::Record(_), Shape::List(element)) => {
            let elements = ty.scalars().saturating_sub(1) as usize;
            found.push((name.clone(), Shape::Int));
            found.extend(std::iter::repeat_n((name, (**element).clone()), elements));
        }
        (_, shape) => found.push((name, shape.clone())),
    }
}

impl Shape {
    /// A scalar value as it is written in the language. Of an array or a record there is none, and
    /// the number is given.
    pub fn scalar(&self, value: i64) -> String {
        match self {
            Shape::Bool => (value != 0).to_string(),
            Shape::Enumeration(names) => usize::try_from(value)
                .ok()
                .and_then(|v| names.get(v).cloned())
                .unwrap_or_else(|| value.to_string()),
            _ => value.to_string(),
        }
    }
}
