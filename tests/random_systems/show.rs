//! States as the output of the program must show them (`cli.md`, "Names in them").

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::space::{applied, text_of};
use super::state::{GlobalState, System};
use stubborn_random::model::Variable;
use stubborn_random::render::Positions;
use stubborn_random::value::{Shape, Type, Value};

/// Everything that has a name, and its value.
pub type Shown = BTreeMap<String, Json>;

pub struct Names {
    /// For each instance.
    pub instances: Vec<String>,
    /// For each process and point; where several points are one place of the text (a branch for
    /// each value) they may be told apart by any number.
    points: Vec<Vec<(String, bool)>>,
}

impl Names {
    pub fn of(system: &System, positions: &Positions) -> Names {
        let instances = (system.instances.iter())
            .map(|i| {
                applied(
                    system,
                    &system.model.processes[i.process].name,
                    &i.arguments,
                )
            })
            .collect();
        let points = (system.points.iter())
            .map(|points| {
                let place = |k: usize| -> Vec<(usize, usize)> {
                    points[k].trail.iter().map(|id| positions[id]).collect()
                };
                let unnamed = |k: &usize| points[*k].label.is_none() && points[*k].is_reached;
                let mut order: Vec<_> = (0..points.len()).filter(unnamed).collect();
                order.sort_by_key(|k| place(*k));
                let mut on_line: BTreeMap<usize, usize> = BTreeMap::new();
                let mut names = vec![(String::new(), false); points.len()];
                for k in order {
                    let line = place(k)[0].0;
                    let count = on_line.entry(line).or_insert(0);
                    *count += 1;
                    let shares_place = |m: usize| m != k && points[m].trail == points[k].trail;
                    // Once one name on a line is free, so are those after it.
                    let is_free = (0..points.len()).any(|m| {
                        !points[m].trail.is_empty()
                            && place(m)[0].0 == line
                            && (0..points.len())
                                .any(|n| n != m && points[n].trail == points[m].trail)
                    }) || (0..points.len()).any(shares_place);
                    let name = match *count {
                        1 => format!("line {line}"),
                        n => format!("line {line} ({n})"),
                    };
                    names[k] = (name, is_free);
                }
                for (k, p) in points.iter().enumerate() {
                    if let Some(label) = &p.label {
                        names[k] = (label.clone(), false);
                    }
                }
                names
            })
            .collect();
        Names { instances, points }
    }

    pub fn is_location(
        &self,
        system: &System,
        state: &GlobalState,
        i: usize,
        shown: &Json,
    ) -> bool {
        let (name, is_free) = &self.points[system.instances[i].process][state.instances[i].point];
        match shown.as_str() {
            Some(s) if *is_free => s.split(" (").next() == name.split(" (").next(),
            Some(s) => s == name,
            None => false,
        }
    }

    pub fn location(&self, system: &System, state: &GlobalState, i: usize) -> &str {
        &self.points[system.instances[i].process][state.instances[i].point].0
    }

    /// The variables and channels of a state, without the locations.
    pub fn values(&self, system: &System, state: &GlobalState) -> Shown {
        let mut shown = Shown::new();
        for (v, value) in system.model.variables.iter().zip(&state.shared) {
            leaves(system, &v.name, &v.ty, value, &mut shown);
        }
        for (c, list) in system.model.channels.iter().zip(&state.channels) {
            let indices = c.index.as_ref().map(|t| t.values());
            for (k, messages) in list.iter().enumerate() {
                let index = indices.as_ref();
                let index = index.map_or("".into(), |l| format!("[{}]", text_of(system, &l[k])));
                let message = |m: &Vec<Value>| m.iter().map(|v| scalar(system, v)).collect();
                let messages: Vec<Json> = messages.iter().map(message).collect();
                shown.insert(format!("{}{index}", c.name), json!(messages));
            }
        }
        for (k, here) in state.instances.iter().enumerate() {
            let locals: &[Variable] = &system.model.processes[system.instances[k].process].locals;
            for (v, value) in locals.iter().zip(&here.locals) {
                let name = format!("{}.{}", self.instances[k], v.name);
                leaves(system, &name, &v.ty, value, &mut shown);
            }
        }
        shown
    }

    /// The names of channels that are bags, whose messages may be listed in any order.
    pub fn bags(system: &System) -> Vec<String> {
        let bags = system.model.channels.iter().filter(|c| c.is_bag);
        bags.map(|c| c.name.clone()).collect()
    }
}

fn scalar(system: &System, v: &Value) -> Json {
    match v {
        Value::Int(n) => json!(n),
        Value::Bool(b) => json!(b),
        other => json!(text_of(system, other)),
    }
}

fn leaves(system: &System, name: &str, ty: &Type, value: &Value, into: &mut Shown) {
    match (&ty.shape, value) {
        (Shape::Array(index, cell), Value::Array(cells)) => {
            for (v, part) in index.values().iter().zip(cells) {
                let name = format!("{name}[{}]", text_of(system, v));
                leaves(system, &name, cell, part, into);
            }
        }
        (Shape::Record(fields), Value::Record(values)) => {
            for ((field, ty), part) in fields.iter().zip(values) {
                leaves(system, &format!("{name}.{field}"), ty, part, into);
            }
        }
        // A set and a list are shown as one value.
        (_, Value::Set(elements)) => {
            let elements: Vec<Json> = elements.iter().map(|v| scalar(system, v)).collect();
            into.insert(name.to_string(), json!(elements));
        }
        (_, Value::List(elements)) => {
            let elements: Vec<Json> = elements.iter().map(|v| scalar(system, v)).collect();
            into.insert(name.to_string(), json!(elements));
        }
        _ => {
            into.insert(name.to_string(), scalar(system, value));
        }
    }
}
