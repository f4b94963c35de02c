//! How much of the systems with sets and lists is about them, so that a test in which they no longer
//! matter is noticed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::collections::failures;
use super::space::{self, Space};
use super::state::{GlobalState, System};
use super::statistics::Statistics;
use stubborn_random::model::{Base, Expr, Key, Model, Place};
use stubborn_random::sweep;
use stubborn_random::value::{Shape, Type, Value};

#[derive(Default)]
pub struct Collected {
    all: Statistics,
    /// Systems in which some set takes on several values, and those in which some list does.
    with_sets: usize,
    with_lists: usize,
    /// Systems with states that differ in sets and lists alone.
    apart: usize,
    /// Systems, and states of them, with a step that fails because of a set or a list.
    systems_with_failures: usize,
    failing: usize,
    /// For each kind of properties about sets and lists: how often it held, and how often not.
    verdicts: BTreeMap<&'static str, (usize, usize)>,
    /// Properties about them whose expression fails because of them.
    failing_properties: usize,
}

impl Collected {
    pub fn count(&mut self, system: &System, space: &Space) {
        self.all.count(system, space);
        let mut sets = Seen::default();
        let mut lists = Seen::default();
        let mut without: BTreeMap<GlobalState, usize> = BTreeMap::new();
        for state in &space.states {
            let mut bare = state.clone();
            let shared = bare.shared.iter_mut();
            let locals = bare.instances.iter_mut().flat_map(|i| &mut i.locals);
            for (k, value) in shared.chain(locals).enumerate() {
                take(value, k, &mut sets, &mut lists);
            }
            *without.entry(bare).or_default() += 1;
        }
        self.with_sets += sets.changes() as usize;
        self.with_lists += lists.changes() as usize;
        self.apart += without.values().any(|count| *count > 1) as usize;
        let is_failing = |k: &usize| {
            let before = failures();
            space.fails[*k] && {
                space::moves(system, &space.states[*k]);
                failures() > before
            }
        };
        let failing = (0..space.states.len()).filter(is_failing).count();
        self.failing += failing;
        self.systems_with_failures += (failing > 0) as usize;
        let about = About(&system.model);
        for property in &system.model.properties {
            if !about.collections(&property.body) {
                continue;
            }
            let before = failures();
            let expected = space::expected_of(system, space, property);
            self.failing_properties += (failures() > before) as usize;
            for e in &expected {
                let count = self.verdicts.entry(e.kind).or_default();
                match e.is_violated() {
                    false => count.0 += 1,
                    true => count.1 += 1,
                }
            }
        }
    }

    pub fn assert_diverse(&self) {
        self.all.assert_diverse();
        let systems = self.all.systems;
        let often = [
            ("sets that change", self.with_sets),
            ("lists that change", self.with_lists),
            ("states that differ in these alone", self.apart),
            (
                "steps that fail because of them",
                self.systems_with_failures,
            ),
            (
                "properties that fail because of them",
                self.failing_properties,
            ),
        ];
        for (what, count) in often {
            assert!(count >= systems / 8, "too few {what}:\n{self}");
        }
        assert_eq!(self.verdicts.len(), 3, "{self}");
        for (kind, (holds, violated)) in &self.verdicts {
            let least = systems / 10;
            assert!(
                *holds >= least && *violated >= least,
                "{kind} about them is too one-sided:\n{self}"
            );
        }
    }
}

/// The values that sets, or lists, have been seen to have, by the variable that they are in.
#[derive(Default)]
struct Seen(BTreeMap<usize, BTreeSet<Value>>);

impl Seen {
    fn add(&mut self, variable: usize, value: &Value) {
        self.0.entry(variable).or_default().insert(value.clone());
    }

    fn changes(&self) -> bool {
        self.0.values().any(|values| values.len() > 1)
    }
}

/// Takes all sets and lists out of a value.
fn take(value: &mut Value, variable: usize, sets: &mut Seen, lists: &mut Seen) {
    match value {
        Value::Set(elements) => {
            sets.add(variable, &Value::Set(std::mem::take(elements)));
        }
        Value::List(elements) => {
            lists.add(variable, &Value::List(std::mem::take(elements)));
        }
        Value::Array(parts) | Value::Record(parts) => {
            parts
                .iter_mut()
                .for_each(|v| take(v, variable, sets, lists));
        }
        Value::Int(_) | Value::Bool(_) | Value::Enum(..) => {}
    }
}

/// Tells what an expression is about.
struct About<'a>(&'a Model);

impl About<'_> {
    fn collections(&self, e: &Expr) -> bool {
        let any = |list: &[Expr]| list.iter().any(|e| self.collections(e));
        match e {
            Expr::Of(_) => true,
            Expr::Literal(_) | Expr::Bound(_) => false,
            Expr::Read(place) => self.place(place),
            Expr::Not(a) | Expr::Minus(a) | Expr::BitNot(a) => self.collections(a),
            Expr::Over(_, _, _, a) | Expr::CellsOver(_, _, a) => self.collections(a),
            Expr::Binary(_, a, b) | Expr::Bits(_, a, b) => {
                self.collections(a) || self.collections(b)
            }
            Expr::OneOf(a, list) => self.collections(a) || any(list),
            Expr::If(a, b, c) => [a, b, c].into_iter().any(|e| self.collections(e)),
            Expr::Least(list) | Expr::Greatest(list) | Expr::Cells(list) => any(list),
            Expr::At(_, list, _) => any(list),
            Expr::LocalOf(_, list, _, path) => any(list) || self.path(path),
            Expr::Length(_, i) | Expr::Empty(_, i) | Expr::Full(_, i) => {
                i.as_ref().is_some_and(|e| self.collections(e))
            }
            Expr::Fields(fields) => fields.iter().any(|(_, _, e)| self.collections(e)),
            Expr::With(a, fields) => {
                self.collections(a) || fields.iter().any(|(_, _, e)| self.collections(e))
            }
            Expr::Use(d, list) => any(list) || self.collections(&self.0.definitions[*d].body),
        }
    }

    fn place(&self, place: &Place) -> bool {
        let ty = match place.base {
            Base::Shared(k) => Some(&self.0.variables[k].ty),
            Base::Constant(k) => Some(&self.0.constants[k].ty),
            _ => None,
        };
        let whole = place.path.is_empty() && ty.is_some_and(has_collections);
        whole || self.path(&place.path)
    }

    fn path(&self, path: &[Key]) -> bool {
        path.iter().any(|key| match key {
            Key::Cell(e, _) => self.collections(e),
            Key::Field(..) => false,
            Key::Element(..) => true,
        })
    }
}

fn has_collections(ty: &Type) -> bool {
    match &ty.shape {
        Shape::Set(_) | Shape::List(..) => true,
        Shape::Array(_, cell) => has_collections(cell),
        Shape::Record(fields) => fields.iter().any(|(_, ty)| has_collections(ty)),
        Shape::Bool | Shape::Range(..) | Shape::Enum(..) => false,
    }
}

impl sweep::Tally for Collected {
    fn add(&mut self, other: &Collected) {
        self.all.add(&other.all);
        self.with_sets += other.with_sets;
        self.with_lists += other.with_lists;
        self.apart += other.apart;
        self.systems_with_failures += other.systems_with_failures;
        self.failing += other.failing;
        self.failing_properties += other.failing_properties;
        for (kind, (holds, violated)) in &other.verdicts {
            let own = self.verdicts.entry(kind).or_default();
            own.0 += holds;
            own.1 += violated;
        }
    }
}

impl fmt::Display for Collected {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(
            f,
            "{} of sets and lists: {} systems with sets that change, {} with lists, {} with states that \
             differ in them alone, {} with steps that fail because of them in {} states, {} properties that fail \
             because of them; held and violated about them:",
            self.all,
            self.with_sets,
            self.with_lists,
            self.apart,
            self.systems_with_failures,
            self.failing,
            self.failing_properties,
        )?;
        for (kind, (holds, violated)) in &self.verdicts {
            write!(f, " {kind} {holds} and {violated};")?;
        }
        Ok(())
    }
}
