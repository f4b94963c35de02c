//! Whether some constant part of a model fails, which is an error in its text (`language.md` §3):
//! such models are not used, even where an operand before it would keep it from being evaluated.
//! Arguments that are constant decide what is in a definition or macro with the rest.

use super::evaluate::Scope;
use super::expand;
use super::state::{GlobalState, System};
use stubborn_random::model::*;
use stubborn_random::value::{Shape, Type, Value};

pub fn are_sound(system: &System) -> bool {
    let nowhere = GlobalState {
        shared: vec![],
        channels: vec![],
        instances: vec![],
    };
    let scope = Scope {
        system,
        state: &nowhere,
        me: None,
        bound: vec![],
    };
    let c = Check {
        scope,
        m: &system.model,
    };
    c.model()
}

#[derive(Clone)]
struct Check<'a> {
    /// Binds the parameters of a definition that are given constants.
    scope: Scope<'a>,
    m: &'a Model,
}

impl Check<'_> {
    fn model(&self) -> bool {
        let m = self.m;
        m.variables
            .iter()
            .all(|v| v.first.iter().all(|e| self.whole(e, &v.ty)))
            && m.definitions.iter().all(|d| self.expr(&d.body))
            && m.macros
                .iter()
                .all(|x| self.statements(&x.body, x.inside.unwrap_or(0)))
            && m.properties.iter().all(|p| self.expr(&p.body))
            && (match &m.deadlock {
                DeadlockSetting::Allowed(e) => self.expr(e),
                _ => true,
            })
            && (0..m.processes.len()).all(|p| self.process(p))
    }

    fn process(&self, p: usize) -> bool {
        let process = &self.m.processes[p];
        process
            .locals
            .iter()
            .all(|v| v.first.iter().all(|e| self.whole(e, &v.ty)))
            && match &process.body {
                Body::States(states) => states
                    .iter()
                    .all(|s| s.steps.iter().all(|(step, _)| self.step(step, p))),
                Body::Statements(list) => self.statements(list, p),
            }
    }

    fn statements(&self, list: &[Statement], p: usize) -> bool {
        list.iter().all(|s| match &s.kind {
            Kind::Step(step) => self.step(step, p),
            Kind::Skip | Kind::Stop | Kind::Break => true,
            Kind::If(e, a, b) => self.expr(e) && self.statements(a, p) && self.statements(b, p),
            Kind::While(e, a) => self.expr(e) && self.statements(a, p),
            Kind::Loop(a) => self.statements(a, p),
            Kind::Either(branches) => branches.iter().all(|b| self.statements(&b.body, p)),
            Kind::Call(m, list) => {
                let body = expand::call(&self.m.macros[*m], list);
                list.iter().all(|e| self.expr(e)) && self.statements(&body, p)
            }
        })
    }

    fn step(&self, step: &Step, p: usize) -> bool {
        let arguments = |list: &[Argument], types: &[Type]| {
            list.iter().zip(types).all(|(a, ty)| match a {
                Argument::Value(e) => self.whole(e, ty),
                Argument::Into(place) => self.path(&place.path),
                Argument::Any => true,
            })
        };
        let index = |c: usize, i: &Option<Expr>| {
            i.iter()
                .all(|e| self.index(e, self.m.channels[c].index.as_ref().unwrap()))
        };
        let sent = |c: usize, i: &Option<Expr>, list: &[Expr]| {
            let types = &self.m.channels[c].fields;
            index(c, i) && list.iter().zip(types).all(|(e, ty)| self.whole(e, ty))
        };
        (match &step.sync {
            Sync::Free => true,
            Sync::On(a, list) => arguments(list, &self.m.actions[*a].arguments),
            Sync::Send(c, i, list) => sent(*c, i, list),
            Sync::Receive(c, i, list, onward) => {
                index(*c, i)
                    && arguments(list, &self.m.channels[*c].fields)
                    && onward
                        .iter()
                        .all(|onward| sent(onward.channel, &onward.index, &onward.values))
            }
        }) && step.guard.iter().all(|e| self.expr(e))
            && self.effects(&step.effects, p)
    }

    fn effects(&self, list: &[Effect], p: usize) -> bool {
        list.iter().all(|e| match e {
            Effect::Assign(place, e) => {
                self.path(&place.path)
                    && match self.type_of(place, p) {
                        Some(ty) => self.whole(e, &ty),
                        None => self.expr(e),
                    }
            }
            Effect::Choose(place, _) => self.path(&place.path),
            Effect::If(e, a, b) => self.expr(e) && self.effects(a, p) && self.effects(b, p),
            Effect::For(_, _, a) => self.effects(a, p),
            Effect::Assert(e) => self.expr(e),
            Effect::Call(m, list) => {
                let effects = expand::as_effects(&self.m.macros[*m], list);
                list.iter().all(|e| self.expr(e)) && self.effects(&effects, p)
            }
        })
    }

    fn type_of(&self, place: &Place, p: usize) -> Option<Type> {
        let ty = match &place.base {
            Base::Shared(k) => self.m.variables[*k].ty.clone(),
            Base::Local(k) => self.m.processes[p].locals[*k].ty.clone(),
            _ => return None,
        };
        Some(place.path.iter().fold(ty, |ty, key| match (ty.shape, key) {
            (Shape::Array(_, cell), _) => *cell,
            (Shape::List(_, element), _) => *element,
            (Shape::Record(fields), Key::Field(k, _)) => fields[*k].1.clone(),
            _ => unreachable!(),
        }))
    }

    /// The value of an expression of literals, constants and what it binds itself; `Err` where
    /// it fails.
    fn constant(&self, e: &Expr) -> Option<Result<Value, ()>> {
        let mut known = self.scope.bound.iter().map(|(n, _)| n.clone()).collect();
        is_closed(self.m, e, &mut known).then(|| self.scope.value(e).map_err(|_| ()))
    }

    /// An expression that goes where a value of `ty` is wanted.
    fn whole(&self, e: &Expr, ty: &Type) -> bool {
        let parts = match (e, &ty.shape) {
            (Expr::Cells(list), Shape::Array(_, cell)) => list.iter().all(|e| self.whole(e, cell)),
            (Expr::Fields(fields), Shape::Record(types)) => {
                fields.iter().all(|(k, _, e)| self.whole(e, &types[*k].1))
            }
            (Expr::With(base, fields), Shape::Record(types)) => {
                let mut fields = fields.iter();
                self.whole(base, ty) && fields.all(|(k, _, e)| self.whole(e, &types[*k].1))
            }
            (Expr::CellsOver(_, _, e), Shape::Array(_, cell)) => self.whole(e, cell),
            (Expr::If(c, a, b), _) => self.expr(c) && self.whole(a, ty) && self.whole(b, ty),
            _ => true,
        };
        parts
            && self.expr(e)
            && match self.constant(e) {
                Some(Ok(v)) => ty.contains(&v),
                Some(Err(())) => false,
                None => true,
            }
    }

    fn index(&self, e: &Expr, ty: &Type) -> bool {
        self.whole(e, ty)
    }

    fn path(&self, path: &[Key]) -> bool {
        path.iter().all(|key| match key {
            Key::Cell(e, ty) => self.index(e, ty),
            Key::Element(e, most) => self.may_be_element(e, *most),
            Key::Field(..) => true,
        })
    }

    fn instance(&self, p: usize, list: &[Expr]) -> bool {
        let types = &self.m.processes[p].parameters;
        let known = list.iter().map(|e| match self.constant(e) {
            Some(Ok(v)) => Some(v),
            _ => None,
        });
        let known: Option<Vec<Value>> = known.collect();
        let is_left_out = |values| self.m.processes[p].left_out.contains(values);
        list.iter().zip(types).all(|(e, (_, ty))| self.index(e, ty))
            && !known.as_ref().is_some_and(is_left_out)
    }

    fn channel(&self, c: usize, i: &Option<Box<Expr>>) -> bool {
        i.iter()
            .all(|e| self.index(e, self.m.channels[c].index.as_ref().unwrap()))
    }

    /// Whether constants leave it open that there is such an element of a list.
    fn may_be_element(&self, e: &Expr, most: usize) -> bool {
        self.expr(e) && self.known(e).is_none_or(|k| (0..most as i64).contains(&k))
    }

    fn collection(&self, c: &Collection) -> bool {
        let all = || c.operands().into_iter().all(|e| self.expr(e));
        match c {
            Collection::Set(ty, list) => list.iter().all(|e| self.whole(e, ty)),
            Collection::List(most, ty, list) => {
                list.len() <= *most && list.iter().all(|e| self.whole(e, ty))
            }
            Collection::Among(_, name, _, e) => {
                let mut inner = self.clone();
                inner.scope.bound.retain(|(n, _)| n != name);
                inner.expr(e)
            }
            Collection::Join(most, a, b) => {
                self.least_length(a) + self.least_length(b) <= *most && all()
            }
            Collection::Element(most, _, e) => self.may_be_element(e, *most) && all(),
            Collection::Slice(most, _, from, to) => {
                let is_there = match (self.known(from), self.known(to)) {
                    (Some(from), Some(to)) => to < from || from >= 0 && to < *most as i64,
                    _ => true,
                };
                is_there && all()
            }
            Collection::In(..) | Collection::Size(..) => all(),
        }
    }

    /// How long a list is at least, whatever is in it: so far the text decides that it is too long.
    fn least_length(&self, e: &Expr) -> usize {
        if let Some(Ok(Value::List(elements))) = self.constant(e) {
            return elements.len();
        }
        match e {
            Expr::If(_, a, b) => self.least_length(a).min(self.least_length(b)),
            Expr::Of(c) => match &**c {
                Collection::List(_, _, list) => list.len(),
                Collection::Join(_, a, b) => self.least_length(a) + self.least_length(b),
                _ => 0,
            },
            _ => 0,
        }
    }

    fn known(&self, e: &Expr) -> Option<i64> {
        match self.constant(e) {
            Some(Ok(v)) => Some(v.int()),
            _ => None,
        }
    }

    fn expr(&self, e: &Expr) -> bool {
        if matches!(self.constant(e), Some(Err(()))) {
            return false;
        }
        let all = |list: &[Expr]| list.iter().all(|e| self.expr(e));
        let known = |e: &Expr| self.known(e);
        match e {
            Expr::Literal(_) | Expr::Bound(_) => true,
            Expr::Read(place) => self.path(&place.path),
            Expr::Not(a) | Expr::Minus(a) | Expr::BitNot(a) => self.expr(a),
            Expr::Binary(op, a, b) => {
                let by_zero =
                    matches!(op, Operator::Over | Operator::Modulo) && known(b) == Some(0);
                !by_zero && self.expr(a) && self.expr(b)
            }
            Expr::Bits(op, a, b) => {
                let shifts = matches!(op, BitOperator::ShiftLeft | BitOperator::ShiftRight);
                let outside = shifts && known(b).is_some_and(|n| !(0..64).contains(&n));
                !outside && self.expr(a) && self.expr(b)
            }
            Expr::OneOf(a, list) => self.expr(a) && all(list),
            Expr::If(a, b, c) => self.expr(a) && self.expr(b) && self.expr(c),
            Expr::Over(_, name, _, a) | Expr::CellsOver(name, _, a) => {
                let mut inner = self.clone();
                inner.scope.bound.retain(|(n, _)| n != name);
                inner.expr(a)
            }
            Expr::Least(list) | Expr::Greatest(list) | Expr::Cells(list) => all(list),
            Expr::At(p, list, _) => self.instance(*p, list),
            Expr::LocalOf(p, list, _, path) => self.instance(*p, list) && self.path(path),
            Expr::Length(c, i) | Expr::Empty(c, i) | Expr::Full(c, i) => self.channel(*c, i),
            Expr::Fields(fields) => fields.iter().all(|(_, _, e)| self.expr(e)),
            Expr::With(base, fields) => {
                self.expr(base) && fields.iter().all(|(_, _, e)| self.expr(e))
            }
            Expr::Of(c) => self.collection(c),
            Expr::Use(d, list) => {
                let definition = &self.m.definitions[*d];
                let parameters = &definition.parameters;
                let mut inside = self.clone();
                inside.scope.bound.clear();
                for (e, (name, _)) in list.iter().zip(parameters) {
                    if let Some(Ok(v)) = self.constant(e) {
                        inside.scope.bound.push((name.clone(), v));
                    }
                }
                list.iter()
                    .zip(parameters)
                    .all(|(e, (_, ty))| self.whole(e, ty))
                    && inside.expr(&definition.body)
            }
        }
    }
}

/// Whether it has literals, constants, and names that it binds itself, and nothing else.
fn is_closed(m: &Model, e: &Expr, own: &mut Vec<String>) -> bool {
    let all = |list: &[Expr], own: &mut Vec<String>| list.iter().all(|e| is_closed(m, e, own));
    match e {
        Expr::Literal(_) => true,
        Expr::Bound(name) => own.contains(name),
        Expr::Read(place) => {
            matches!(place.base, Base::Constant(_))
                && place.path.iter().all(|key| match key {
                    Key::Cell(e, _) | Key::Element(e, _) => is_closed(m, e, own),
                    Key::Field(..) => true,
                })
        }
        Expr::Not(a) | Expr::Minus(a) | Expr::BitNot(a) => is_closed(m, a, own),
        Expr::Binary(_, a, b) | Expr::Bits(_, a, b) => is_closed(m, a, own) && is_closed(m, b, own),
        Expr::OneOf(a, list) => is_closed(m, a, own) && all(list, own),
        Expr::If(a, b, c) => is_closed(m, a, own) && is_closed(m, b, own) && is_closed(m, c, own),
        Expr::Over(_, name, _, a) | Expr::CellsOver(name, _, a) => {
            own.push(name.clone());
            let closed = is_closed(m, a, own);
            own.pop();
            closed
        }
        Expr::Least(list) | Expr::Greatest(list) | Expr::Cells(list) => all(list, own),
        Expr::Fields(fields) => fields.iter().all(|(_, _, e)| is_closed(m, e, own)),
        Expr::With(base, fields) => {
            let closed = is_closed(m, base, own);
            closed && fields.iter().all(|(_, _, e)| is_closed(m, e, own))
        }
        Expr::Of(c) => {
            own.extend(c.binds().map(|(name, _)| name.to_owned()));
            let closed = c.operands().into_iter().all(|e| is_closed(m, e, own));
            if c.binds().is_some() {
                own.pop();
            }
            closed
        }
        Expr::Use(d, list) => {
            let definition = &m.definitions[*d];
            let mut inner: Vec<_> = definition
                .parameters
                .iter()
                .map(|(n, _)| n.clone())
                .collect();
            all(list, own) && is_closed(m, &definition.body, &mut inner)
        }
        _ => false,
    }
}
