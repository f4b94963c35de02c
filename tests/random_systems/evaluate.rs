//! The value of an expression in a state, read off `language.md` §3. Whatever the language says
//! fails, fails here.

use super::collections;
use super::state::{GlobalState, System};
use stubborn_random::model::Base;
use stubborn_random::model::{BitOperator, Expr, Key, Model, Operator, Place, Quantifier};
use stubborn_random::value::{Shape, Type, Value};

/// The evaluation failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure;

pub type Outcome<T> = Result<T, Failure>;

/// What the names in an expression stand for.
#[derive(Clone)]
pub struct Scope<'a> {
    pub system: &'a System,
    pub state: &'a GlobalState,
    /// The instance whose local variables are meant.
    pub me: Option<usize>,
    pub bound: Vec<(String, Value)>,
}

/// A place with its indices worked out: the base and the positions inside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    pub base: Base,
    pub path: Vec<usize>,
}

impl<'a> Scope<'a> {
    fn model(&self) -> &'a Model {
        &self.system.model
    }

    pub fn with(&self, name: &str, value: Value) -> Scope<'a> {
        let mut inner = self.clone();
        inner.bound.push((name.to_string(), value));
        inner
    }

    pub fn truth(&self, e: &Expr) -> Outcome<bool> {
        Ok(self.value(e)?.bool())
    }

    pub fn value(&self, e: &Expr) -> Outcome<Value> {
        Ok(match e {
            Expr::Literal(v) => v.clone(),
            Expr::Bound(name) => self.lookup(name),
            Expr::Read(place) => {
                let spot = self.spot(place)?;
                self.read(&spot)
            }
            Expr::Not(a) => Value::Bool(!self.truth(a)?),
            Expr::Minus(a) => int(self.value(a)?.int().checked_neg())?,
            Expr::Binary(op, a, b) => self.binary(*op, a, b)?,
            Expr::OneOf(a, set) => {
                let v = self.value(a)?;
                let mut found = false;
                for e in set {
                    found |= self.value(e)? == v;
                }
                Value::Bool(found)
            }
            Expr::If(c, a, b) => self.value(if self.truth(c)? { a } else { b })?,
            Expr::Over(q, name, ty, body) => self.over(*q, name, ty, body)?,
            Expr::Least(list) => Value::Int(self.ints(list)?.into_iter().min().unwrap()),
            Expr::Greatest(list) => Value::Int(self.ints(list)?.into_iter().max().unwrap()),
            Expr::At(process, arguments, places) => {
                let instance = self.instance(*process, arguments)?;
                let point = self.state.instances[instance].point;
                let held = &self.system.points[*process][point].holds;
                Value::Bool(places.iter().any(|p| held.contains(p)))
            }
            Expr::LocalOf(process, arguments, local, path) => {
                let instance = self.instance(*process, arguments)?;
                let whole = &self.state.instances[instance].locals[*local];
                let positions = self.positions(whole, path)?;
                positions.into_iter().fold(whole.clone(), part)
            }
            Expr::Length(c, index) => Value::Int(self.messages(*c, index)?.len() as i64),
            Expr::Empty(c, index) => Value::Bool(self.messages(*c, index)?.is_empty()),
            Expr::Full(c, index) => {
                let capacity = self.model().channels[*c].capacity;
                Value::Bool(self.messages(*c, index)?.len() == capacity)
            }
            Expr::BitNot(a) => Value::Int(!self.value(a)?.int()),
            Expr::Bits(op, a, b) => {
                let (a, b) = (self.value(a)?.int(), self.value(b)?.int());
                let shift = || {
                    if (0..64).contains(&b) {
                        Ok(b as u32)
                    } else {
                        Err(Failure)
                    }
                };
                Value::Int(match op {
                    BitOperator::And => a & b,
                    BitOperator::Or => a | b,
                    BitOperator::Xor => a ^ b,
                    BitOperator::ShiftLeft => ((a as u64) << shift()?) as i64,
                    BitOperator::ShiftRight => a >> shift()?,
                })
            }
            Expr::Cells(list) => {
                Value::Array(list.iter().map(|e| self.value(e)).collect::<Outcome<_>>()?)
            }
            Expr::CellsOver(name, ty, body) => {
                let cells = ty
                    .values()
                    .into_iter()
                    .map(|v| self.with(name, v).value(body));
                Value::Array(cells.collect::<Outcome<_>>()?)
            }
            Expr::Fields(fields) => {
                let mut values = vec![Value::Bool(false); fields.len()];
                for (position, _, e) in fields {
                    values[*position] = self.value(e)?;
                }
                Value::Record(values)
            }
            Expr::With(base, fields) => {
                let Value::Record(mut values) = self.value(base)? else {
                    panic!("it is a record");
                };
                for (position, _, e) in fields {
                    values[*position] = self.value(e)?;
                }
                Value::Record(values)
            }
            Expr::Use(definition, arguments) => {
                let definition = &self.model().definitions[*definition];
                let mut inner = self.clone();
                for ((name, _), e) in definition.parameters.iter().zip(arguments) {
                    inner.bound.push((name.clone(), self.value(e)?));
                }
                inner.value(&definition.body)?
            }
            Expr::Of(c) => self.collection(c)?,
        })
    }

    fn lookup(&self, name: &str) -> Value {
        let found = self.bound.iter().rev().find(|(n, _)| n == name);
        found
            .unwrap_or_else(|| panic!("{name} is not bound"))
            .1
            .clone()
    }

    fn ints(&self, list: &[Expr]) -> Outcome<Vec<i64>> {
        list.iter().map(|e| Ok(self.value(e)?.int())).collect()
    }

    fn binary(&self, op: Operator, a: &Expr, b: &Expr) -> Outcome<Value> {
        use Operator::*;
        if matches!(op, Implies | Or | And) {
            let a = self.truth(a)?;
            return Ok(Value::Bool(match op {
                Implies => !a || self.truth(b)?,
                Or => a || self.truth(b)?,
                _ => a && self.truth(b)?,
            }));
        }
        let (a, b) = (self.value(a)?, self.value(b)?);
        match op {
            Equal => return Ok(Value::Bool(a == b)),
            Differ => return Ok(Value::Bool(a != b)),
            _ => {}
        }
        if let (Value::Set(a), Value::Set(b)) = (&a, &b) {
            return Ok(collections::of_sets(op, a, b));
        }
        let (a, b) = (a.int(), b.int());
        Ok(match op {
            Less => Value::Bool(a < b),
            AtMost => Value::Bool(a <= b),
            Greater => Value::Bool(a > b),
            AtLeast => Value::Bool(a >= b),
            Plus => int(a.checked_add(b))?,
            Minus => int(a.checked_sub(b))?,
            Times => int(a.checked_mul(b))?,
            Over => int(a.checked_div(b))?,
            Modulo if b == -1 => Value::Int(0),
            Modulo => int(a.checked_rem(b))?,
            _ => unreachable!(),
        })
    }

    fn over(&self, q: Quantifier, name: &str, ty: &Type, body: &Expr) -> Outcome<Value> {
        let mut numbers = Vec::new();
        let mut count = 0;
        for v in ty.values() {
            let v = self.with(name, v).value(body)?;
            match q {
                Quantifier::Forall if !v.bool() => return Ok(Value::Bool(false)),
                Quantifier::Exists if v.bool() => return Ok(Value::Bool(true)),
                Quantifier::Forall | Quantifier::Exists => {}
                Quantifier::Count => count += v.bool() as i64,
                _ => numbers.push(v.int()),
            }
        }
        Ok(match q {
            Quantifier::Forall => Value::Bool(true),
            Quantifier::Exists => Value::Bool(false),
            Quantifier::Count => Value::Int(count),
            Quantifier::Sum => int(numbers.iter().try_fold(0i64, |s, n| s.checked_add(*n)))?,
            Quantifier::Min => Value::Int(numbers.into_iter().min().unwrap()),
            Quantifier::Max => Value::Int(numbers.into_iter().max().unwrap()),
        })
    }

    /// The number of the instance of `process` with these arguments.
    fn instance(&self, process: usize, arguments: &[Expr]) -> Outcome<usize> {
        let values: Vec<_> = arguments
            .iter()
            .map(|e| self.value(e))
            .collect::<Outcome<_>>()?;
        let found = (self.system.instances.iter())
            .position(|i| i.process == process && i.arguments == values);
        found.ok_or(Failure)
    }

    /// Which of the channels of that name is meant.
    pub fn channel(&self, channel: usize, index: Option<&Expr>) -> Outcome<(usize, usize)> {
        Ok(match (&self.model().channels[channel].index, index) {
            (Some(ty), Some(e)) => (channel, ty.position(&self.value(e)?).ok_or(Failure)?),
            _ => (channel, 0),
        })
    }

    fn messages(&self, c: usize, index: &Option<Box<Expr>>) -> Outcome<&'a Vec<Vec<Value>>> {
        let (c, k) = self.channel(c, index.as_deref())?;
        Ok(&self.state.channels[c][k])
    }

    /// Where in a value a path leads. How long a list is decides what there is in it.
    fn positions(&self, whole: &Value, path: &[Key]) -> Outcome<Vec<usize>> {
        let mut here = whole.clone();
        let mut positions = Vec::new();
        for key in path {
            let position = match key {
                Key::Cell(e, ty) => ty.position(&self.value(e)?).ok_or(Failure)?,
                Key::Field(k, _) => *k,
                Key::Element(e, _) => self.element(&here, e)?,
            };
            here = part(here, position);
            positions.push(position);
        }
        Ok(positions)
    }

    pub fn spot(&self, place: &Place) -> Outcome<Spot> {
        Ok(Spot {
            base: place.base.clone(),
            path: self.positions(self.whole(&place.base), &place.path)?,
        })
    }

    fn whole(&self, base: &Base) -> &'a Value {
        match base {
            Base::Shared(k) => &self.state.shared[*k],
            Base::Local(k) => &self.state.instances[self.me.unwrap()].locals[*k],
            Base::Constant(k) => &self.system.model.constants[*k].value,
            Base::Parameter(_) => panic!("macros are expanded before anything is evaluated"),
        }
    }

    fn read(&self, spot: &Spot) -> Value {
        let whole = self.whole(&spot.base).clone();
        spot.path.iter().copied().fold(whole, part)
    }

    /// The type of what is at `spot`.
    pub fn type_of(&self, spot: &Spot) -> Type {
        let declared = match spot.base {
            Base::Shared(k) => &self.model().variables[k].ty,
            Base::Local(k) => {
                let process = self.system.instances[self.me.unwrap()].process;
                &self.model().processes[process].locals[k].ty
            }
            _ => panic!("not assignable"),
        };
        spot.path
            .iter()
            .fold(declared.clone(), |ty, position| match ty.shape {
                Shape::Array(_, cell) => *cell,
                Shape::List(_, element) => *element,
                Shape::Record(fields) => fields[*position].1.clone(),
                _ => panic!("{} has no parts", ty.text),
            })
    }
}

/// Puts `value` where `spot` says, in the instance `me` where it is a local variable; fails if
/// it is outside the type `ty` of that place.
pub fn assign(
    state: &mut GlobalState,
    me: usize,
    spot: &Spot,
    ty: &Type,
    value: Value,
) -> Outcome<()> {
    if !ty.contains(&value) {
        return Err(Failure);
    }
    let mut target = match spot.base {
        Base::Shared(k) => &mut state.shared[k],
        Base::Local(k) => &mut state.instances[me].locals[k],
        _ => panic!("not assignable"),
    };
    for position in &spot.path {
        target = match target {
            Value::Array(parts) | Value::Record(parts) | Value::List(parts) => {
                &mut parts[*position]
            }
            other => panic!("{other:?} has no parts"),
        };
    }
    *target = value;
    Ok(())
}

fn part(v: Value, position: usize) -> Value {
    match v {
        Value::Array(mut parts) | Value::Record(mut parts) | Value::List(mut parts) => {
            parts.swap_remove(position)
        }
        other => panic!("{other:?} has no parts"),
    }
}

fn int(n: Option<i64>) -> Outcome<Value> {
    n.map(Value::Int).ok_or(Failure)
}
