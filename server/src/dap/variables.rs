//! What is shown beside a stack frame: variables by scope, cells and fields below them, and what the last step has
//! changed of each.

use serde_json::{Value as Json, json};
use stubborn_checker::stepping::{Run, State, Stepped, Truth};
use stubborn_model::Around;
use stubborn_report::expression::{variable, variable_type};
use stubborn_report::{cut, named_channel};
use stubborn_system::source_map::Shape;
use stubborn_system::system::{InstanceId, Type, Value, VariableRef};
use stubborn_system::value::written;

use super::going::Going;

/// What a reference stands for.
#[derive(Clone, Debug)]
pub enum Node {
    Locals(InstanceId),
    Shared,
    Channels,
    Properties,
    /// What can be taken, each in words.
    Enabled(Vec<String>),
    Parts(Parts),
    /// The messages of a channel.
    Messages(Vec<String>),
}

/// An array or a record, with what it was before the last step.
#[derive(Clone, Debug)]
pub struct Parts {
    /// What it is called in an expression; empty where it has no name.
    pub name: String,
    pub value: Value,
    pub before: Option<Value>,
    pub shape: Shape,
    pub ty: Type,
}

/// References to what has parts, good until the run is somewhere else.
#[derive(Debug)]
pub struct References {
    first: i64,
    nodes: Vec<Node>,
}

impl Default for References {
    fn default() -> References {
        References {
            first: 1,
            nodes: Vec::new(),
        }
    }
}

/// References are numbers of 31 bits.
const LAST: i64 = 1 << 30;
/// What a value was is told up to so many characters.
const LONGEST: usize = 100;

impl References {
    /// None of those that there are is good any more.
    pub fn forget(&mut self) {
        self.first += self.nodes.len() as i64;
        if self.first > LAST {
            self.first = 1;
        }
        self.nodes.clear();
    }

    pub fn to(&mut self, node: Node) -> i64 {
        self.nodes.push(node);
        self.first + self.nodes.len() as i64 - 1
    }

    pub fn node(&self, reference: i64) -> Option<&Node> {
        let at = usize::try_from(reference.checked_sub(self.first)?).ok()?;
        self.nodes.get(at)
    }
}

/// Which of a node's children are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    pub start: usize,
    pub count: usize,
}

impl Window {
    fn of<T>(self, all: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
        all.skip(self.start).take(self.count)
    }
}

/// What there is below a node.
pub fn children(
    going: &mut Going,
    references: &mut References,
    node: &Node,
    window: Window,
) -> Vec<Json> {
    let mut shown = match node {
        Node::Locals(instance) if window.start == 0 => parameters(going, *instance),
        _ => Vec::new(),
    };
    shown.extend(of_state(&going.run, references, node, window));
    shown
}

/// The parameters of an instance, which are constants in it.
fn parameters(going: &mut Going, instance: InstanceId) -> Vec<Json> {
    let state = going.run.state();
    let names = going.run.model().parameters(instance);
    let each = names.into_iter().filter_map(|name| {
        let answer = going.asking.ask(Around::Instance(instance), state, &name);
        Some(leaf(&name, &answer.ok()?.text, None))
    });
    each.collect()
}

fn of_state(run: &Run, references: &mut References, node: &Node, window: Window) -> Vec<Json> {
    let model = run.model().clone();
    let before = run.last().map(|(before, _)| before);
    let (now, before) = (run.state(), before.as_ref());
    let mut whole = |of: VariableRef| {
        let (name, shape) = variable(&model.map, of);
        let value = |state: &State| state.part(of, &[]).cloned();
        let parts = Parts {
            value: value(now)?,
            before: before.and_then(value),
            shape: shape.clone(),
            ty: variable_type(&model.system, of).clone(),
            name: name.clone(),
        };
        let own = name.rsplit('.').next().unwrap_or(&name);
        Some(told(own, parts, references))
    };
    match node {
        Node::Locals(instance) => window
            .of(0..model.map.instances[*instance as usize].locals.len() as u32)
            .filter_map(|at| whole(VariableRef::Local(*instance, at)))
            .collect(),
        Node::Shared => window
            .of(0..model.map.variables.len() as u32)
            .filter_map(|at| whole(VariableRef::Shared(at)))
            .collect(),
        Node::Channels => window
            .of(0..model.map.channels.len())
            .map(|at| channel(&model, at, now, before, references))
            .collect(),
        Node::Properties => {
            let before = before.map(|state| model.truths(state));
            let all = run.conditions().enumerate();
            window
                .of(all)
                .map(|(at, (one, truth))| {
                    let word = |truth: &Truth| match truth {
                        Truth::True => "true".to_owned(),
                        Truth::False => "false".to_owned(),
                        Truth::Fails(why) => format!("no value: {why}"),
                    };
                    let was = before.as_ref().map(|all| word(&all[at]));
                    leaf(one.name, &with_former(word(truth), was), None)
                })
                .collect()
        }
        Node::Enabled(steps) => window
            .of(steps.iter().zip(1..))
            .map(|(step, number)| leaf(&format!("{number}"), step, None))
            .collect(),
        Node::Messages(messages) => window
            .of(messages.iter().enumerate())
            .map(|(at, message)| leaf(&format!("[{at}]"), message, None))
            .collect(),
        Node::Parts(parts) => below(parts, references, window),
    }
}

/// How many scopes' children there are, so that a client may ask for some of them.
pub fn size(run: &Run, node: &Node) -> usize {
    let model = run.model();
    match node {
        Node::Locals(instance) => model.map.instances[*instance as usize].locals.len(),
        Node::Shared => model.map.variables.len(),
        Node::Channels => model.map.channels.len(),
        Node::Properties => model.conditions().count(),
        Node::Enabled(steps) => steps.len(),
        Node::Messages(messages) => messages.len(),
        Node::Parts(parts) => match &parts.value {
            Value::Cells(cells) => cells.len(),
            Value::Int(_) => 0,
        },
    }
}

fn below(parts: &Parts, references: &mut References, window: Window) -> Vec<Json> {
    let Value::Cells(cells) = &parts.value else {
        return Vec::new();
    };
    let former = |at: usize| match &parts.before {
        Some(Value::Cells(cells)) => cells.get(at).cloned(),
        _ => None,
    };
    let each = window
        .of(cells.iter().enumerate())
        .filter_map(|(at, value)| {
            let (name, dot, shape, ty) = match (&parts.shape, &parts.ty) {
                (Shape::Array(index, cell), Type::Array { lo, cell: ty, .. }) => (
                    format!("[{}]", index.scalar(lo + at as i64)),
                    "",
                    &**cell,
                    &**ty,
                ),
                (Shape::Record(fields), Type::Record(types)) => {
                    let (field, shape) = fields.get(at)?;
                    (field.clone(), ".", shape, types.get(at)?)
                }
                // A value that is not of its type does not occur.
                _ => return None,
            };
            let cell = Parts {
                name: match &*parts.name {
                    "" => String::new(),
                    whole => format!("{whole}{dot}{name}"),
                },
                value: value.clone(),
                before: former(at),
                shape: shape.clone(),
                ty: ty.clone(),
            };
            Some((name, cell))
        });
    let each: Vec<(String, Parts)> = each.collect();
    each.into_iter()
        .map(|(name, cell)| told(&name, cell, references))
        .collect()
}

/// A variable, a cell or a field.
fn told(name: &str, parts: Parts, references: &mut References) -> Json {
    let value = written(&parts.value, &parts.shape);
    let was = parts
        .before
        .as_ref()
        .map(|before| written(before, &parts.shape));
    let mut shown = leaf(name, &with_former(value, was), Some(&parts.name));
    add_parts(&mut shown, parts, references);
    shown
}

/// Whether all that there is to show of it is its value.
fn is_whole(shape: &Shape) -> bool {
    matches!(shape, Shape::Set { .. } | Shape::List(_))
}

/// Lets what is shown be opened, where it has parts.
pub fn add_parts(shown: &mut Json, parts: Parts, references: &mut References) {
    if let (Value::Cells(cells), false) = (&parts.value, is_whole(&parts.shape)) {
        let count = match parts.shape {
            Shape::Array(..) => "indexedVariables",
            _ => "namedVariables",
        };
        shown[count] = cells.len().into();
        shown["variablesReference"] = references.to(Node::Parts(parts)).into();
    }
}

fn channel(
    model: &Stepped,
    at: usize,
    now: &State,
    before: Option<&State>,
    references: &mut References,
) -> Json {
    let held = |state: &State| named_channel(&model.map, at, &state.channels[at]);
    let (name, messages) = held(now);
    let was = before.map(|state| held(state).1.to_string());
    let mut shown = leaf(&name, &with_former(messages.to_string(), was), Some(&name));
    let source = &model.map.channels[at];
    let each: Vec<String> = now.channels[at]
        .iter()
        .map(|message| source.written(message))
        .collect();
    if !each.is_empty() {
        shown["indexedVariables"] = each.len().into();
        shown["variablesReference"] = references.to(Node::Messages(each)).into();
    }
    shown
}

fn leaf(name: &str, value: &str, expression: Option<&str>) -> Json {
    let mut shown = json!({"name": name, "value": value, "variablesReference": 0});
    if let Some(expression) = expression.filter(|text| !text.is_empty()) {
        shown["evaluateName"] = expression.into();
    }
    shown
}

/// "1 (was 0)" where the last step has changed it.
fn with_former(now: String, was: Option<String>) -> String {
    match was.filter(|was| *was != now) {
        Some(was) => format!("{now} (was {})", cut(&was, LONGEST)),
        None => now,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_good_for_one_place_on_the_run() {
        let mut references = References::default();
        let first = references.to(Node::Shared);
        assert!(matches!(references.node(first), Some(Node::Shared)));
        references.forget();
        let second = references.to(Node::Channels);
        assert_ne!(first, second);
        assert!(references.node(first).is_none());
        assert!(references.node(second).is_some());
        for wrong in [0, -1, i64::MIN, i64::MAX] {
            assert!(references.node(wrong).is_none());
        }
    }
}
