//! The values of what is said of sets and lists, read off `language.md`, "Sets and lists".

use std::cell::Cell;
use std::collections::BTreeSet;

use super::evaluate::{Failure, Outcome, Scope};
use stubborn_random::model::{Collection, Expr, Measure, Operator};
use stubborn_random::value::{Type, Value};

thread_local! {
    static FAILURES: Cell<usize> = const { Cell::new(0) };
}

/// How often something has failed in this thread because of a set or a list: for statistics alone.
pub fn failures() -> usize {
    FAILURES.get()
}

fn fails<T>() -> Outcome<T> {
    FAILURES.set(FAILURES.get() + 1);
    Err(Failure)
}

impl Scope<'_> {
    pub fn collection(&self, c: &Collection) -> Outcome<Value> {
        Ok(match c {
            Collection::Set(ty, list) => {
                let elements = list.iter().map(|e| self.fitting(e, ty));
                Value::Set(elements.collect::<Outcome<_>>()?)
            }
            Collection::Among(ty, name, over, condition) => {
                let mut elements = BTreeSet::new();
                for v in over.values() {
                    if self.with(name, v.clone()).truth(condition)? {
                        elements.insert(fits(v, ty)?);
                    }
                }
                Value::Set(elements)
            }
            Collection::List(most, ty, list) => {
                let elements = list.iter().map(|e| self.fitting(e, ty));
                short_enough(elements.collect::<Outcome<_>>()?, *most)?
            }
            Collection::In(e, all) => {
                let sought = self.value(e)?;
                Value::Bool(match self.value(all)? {
                    Value::Set(elements) => elements.contains(&sought),
                    Value::List(elements) => elements.contains(&sought),
                    other => panic!("nothing is in {other:?}"),
                })
            }
            Collection::Join(most, a, b) => {
                let mut joined = self.list(a)?;
                joined.extend(self.list(b)?);
                short_enough(joined, *most)?
            }
            Collection::Slice(_, l, from, to) => {
                let elements = self.list(l)?;
                let (from, to) = (self.value(from)?.int(), self.value(to)?.int());
                if to < from {
                    return Ok(Value::List(vec![]));
                }
                if from < 0 || to >= elements.len() as i64 {
                    return fails();
                }
                Value::List(elements[from as usize..=to as usize].to_vec())
            }
            Collection::Element(_, l, e) => {
                let whole = Value::List(self.list(l)?);
                let at = self.element(&whole, e)?;
                let Value::List(mut elements) = whole else {
                    unreachable!()
                };
                elements.swap_remove(at)
            }
            Collection::Size(measure, most, e) => {
                let count = match self.value(e)? {
                    Value::Set(elements) => elements.len(),
                    Value::List(elements) => elements.len(),
                    other => panic!("{other:?} has no elements"),
                };
                match measure {
                    Measure::Length => Value::Int(count as i64),
                    Measure::Empty => Value::Bool(count == 0),
                    Measure::Full => Value::Bool(count == *most),
                }
            }
        })
    }

    /// The number of an element of a list, if it is there.
    pub fn element(&self, list: &Value, e: &Expr) -> Outcome<usize> {
        let Value::List(elements) = list else {
            panic!("{list:?} is no list");
        };
        let at = self.value(e)?.int();
        match (0..elements.len() as i64).contains(&at) {
            true => Ok(at as usize),
            false => fails(),
        }
    }

    fn list(&self, e: &Expr) -> Outcome<Vec<Value>> {
        match self.value(e)? {
            Value::List(elements) => Ok(elements),
            other => panic!("{other:?} is no list"),
        }
    }

    fn fitting(&self, e: &Expr, ty: &Type) -> Outcome<Value> {
        fits(self.value(e)?, ty)
    }
}

fn fits(v: Value, ty: &Type) -> Outcome<Value> {
    if ty.contains(&v) { Ok(v) } else { fails() }
}

fn short_enough(elements: Vec<Value>, most: usize) -> Outcome<Value> {
    match elements.len() <= most {
        true => Ok(Value::List(elements)),
        false => fails(),
    }
}

/// `+ - *` and the comparisons of two sets of one type.
pub fn of_sets(op: Operator, a: &BTreeSet<Value>, b: &BTreeSet<Value>) -> Value {
    match op {
        Operator::Plus => Value::Set(a | b),
        Operator::Minus => Value::Set(a - b),
        Operator::Times => Value::Set(a & b),
        Operator::AtMost => Value::Bool(a.is_subset(b)),
        Operator::Less => Value::Bool(a.is_subset(b) && a != b),
        Operator::AtLeast => Value::Bool(b.is_subset(a)),
        Operator::Greater => Value::Bool(b.is_subset(a) && a != b),
        other => panic!("{other:?} is none of sets"),
    }
}
