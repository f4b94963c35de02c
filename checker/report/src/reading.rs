//! What an expression reads in a state.

use std::collections::BTreeSet;

use stubborn_engine::State;
use stubborn_system::source_map::{Shape, SourceMap};
use stubborn_system::system::{Expr, InstanceId, System, Value};

use super::expression::Written;
use super::state::scalar;
use stubborn_system::value::written as written_value;
use stubborn_system::walk::for_children;

/// Where the instances are that an expression asks for, and the values of the variables, cells and
/// fields that it reads, at most `most` of them, each once: "p at line 2", "x = 2". Of a conjunction or a disjunction among its
/// parts what decides it, and what stands before that; of a choice the branch that is taken.
///
/// The expression has no lets around it.
pub(super) fn readings(
    system: &System,
    map: &SourceMap,
    state: &State,
    expr: &Expr,
    most: usize,
) -> Vec<String> {
    let mut reader = Reader {
        system,
        map,
        state,
        bound: Vec::new(),
        asked: BTreeSet::new(),
        told: Vec::new(),
        most,
    };
    match expr {
        // Each is of interest, whatever the others are.
        Expr::All(parts) | Expr::Any(parts) => parts.iter().for_each(|part| reader.read(part)),
        expr => reader.read(expr),
    }
    reader.told
}

struct Reader<'a> {
    system: &'a System,
    map: &'a SourceMap,
    state: &'a State,
    /// The values of the lets around what is being read, the innermost last.
    bound: Vec<Value>,
    /// The instances whose locations have been told.
    asked: BTreeSet<InstanceId>,
    told: Vec<String>,
    most: usize,
}

impl Reader<'_> {
    fn read(&mut self, expr: &Expr) {
        if self.told.len() >= self.most {
            return;
        }
        match expr {
            Expr::At(instance, _) => self.location(*instance),
            Expr::Variable(_) | Expr::Cell { .. } | Expr::Field { .. } => {
                self.place(expr);
                for_children(expr, &mut |part| self.read(part));
            }
            Expr::Let { value, body, .. } => {
                self.read(value);
                // Where the argument of a definition fails, the definition has no value, and what
                // it would have read nobody has.
                if let Some(value) = self.written().value(value) {
                    self.bound.push(value);
                    self.read(body);
                    self.bound.pop();
                }
            }
            Expr::All(parts) => self.until(parts, 0),
            Expr::Any(parts) => self.until(parts, 1),
            Expr::If(test, then, otherwise) => {
                self.read(test);
                match self.written().value(test) {
                    Some(Value::Int(0)) => self.read(otherwise),
                    Some(_) => self.read(then),
                    None => {}
                }
            }
            expr => for_children(expr, &mut |part| self.read(part)),
        }
    }

    /// The parts to the first that has this value: those behind it change nothing.
    fn until(&mut self, parts: &[Expr], value: i64) {
        for part in parts {
            self.read(part);
            if self.told.len() >= self.most {
                break;
            }
            if self.written().value(part) == Some(Value::Int(value)) {
                break;
            }
        }
    }

    fn location(&mut self, instance: InstanceId) {
        if self.asked.insert(instance) {
            let at = self.state.instances[instance as usize].location;
            let location = self.map.location(instance, at);
            self.add(format!("{} at {location}", self.map.instance(instance)));
        }
    }

    /// A scalar variable, or a scalar part of one; the whole set or list of which it is an element.
    fn place(&mut self, expr: &Expr) {
        let written = self.written();
        if let Some(told) = self.collection(expr) {
            self.add(told);
        } else if let Some((name, shape)) = written.place(expr)
            && let Some(Value::Int(value)) = written.value(expr)
        {
            let told = format!("{name} = {}", scalar(shape, value));
            self.add(told);
        }
    }

    /// A set or a list with its elements, where the expression is a part of one.
    fn collection(&self, expr: &Expr) -> Option<String> {
        let within = match expr {
            Expr::Cell { array, .. } => match &**array {
                // The cells of a list stand in it.
                Expr::Field { record, .. } => record.as_ref(),
                array => array,
            },
            Expr::Field { record, .. } => record,
            expr => expr,
        };
        let written = self.written();
        [within, expr].into_iter().find_map(|expr| {
            let (name, shape) = written.place(expr)?;
            let is_one = matches!(shape, Shape::Set { .. } | Shape::List(_));
            let value = is_one.then(|| written.value(expr))??;
            Some(format!("{name} = {}", written_value(&value, shape)))
        })
    }

    fn add(&mut self, told: String) {
        if !self.told.contains(&told) {
            self.told.push(told);
        }
    }

    fn written(&self) -> Written<'_> {
        Written {
            system: self.system,
            map: self.map,
            state: self.state,
            bound: &self.bound,
        }
    }
}
