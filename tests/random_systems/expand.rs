//! Macros are expanded in place: the argument for the parameter. Names that are bound differ
//! everywhere in a generated model, so nothing can be captured.

use stubborn_random::model::{
    Argument, Base, Branch, Effect, Expr, Key, Kind, Macro, Place, Statement,
};
use stubborn_random::model::{Onward, Step, Sync};

/// The statements of a macro with its arguments in them.
pub fn call(m: &Macro, arguments: &[Expr]) -> Vec<Statement> {
    let names = m.parameters.iter().map(|(n, _)| n.as_str());
    let given = Given(names.zip(arguments).collect());
    given.statements(&m.body)
}

/// The effects of a macro that has nothing else, all in one step.
pub fn as_effects(m: &Macro, arguments: &[Expr]) -> Vec<Effect> {
    effects_of(&call(m, arguments))
}

fn effects_of(statements: &[Statement]) -> Vec<Effect> {
    let mut effects = Vec::new();
    for s in statements {
        match &s.kind {
            Kind::Step(step) => effects.extend(step.effects.iter().cloned()),
            Kind::If(e, a, b) => {
                effects.push(Effect::If(e.clone(), effects_of(a), effects_of(b)));
            }
            _ => panic!("not an effect"),
        }
    }
    effects
}

struct Given<'a>(Vec<(&'a str, &'a Expr)>);

impl Given<'_> {
    fn statements(&self, list: &[Statement]) -> Vec<Statement> {
        list.iter()
            .map(|s| Statement {
                kind: self.kind(&s.kind),
                ..s.clone()
            })
            .collect()
    }

    fn kind(&self, kind: &Kind) -> Kind {
        match kind {
            Kind::Step(step) => Kind::Step(self.step(step)),
            Kind::Skip => Kind::Skip,
            Kind::Stop => Kind::Stop,
            Kind::Break => Kind::Break,
            Kind::If(e, a, b) => Kind::If(self.expr(e), self.statements(a), self.statements(b)),
            Kind::While(e, a) => Kind::While(self.expr(e), self.statements(a)),
            Kind::Loop(a) => Kind::Loop(self.statements(a)),
            Kind::Either(branches) => {
                let branch = |b: &Branch| Branch {
                    each: b.each.clone(),
                    body: self.statements(&b.body),
                };
                Kind::Either(branches.iter().map(branch).collect())
            }
            Kind::Call(m, arguments) => Kind::Call(*m, self.exprs(arguments)),
        }
    }

    fn step(&self, step: &Step) -> Step {
        let index = |i: &Option<Expr>| i.as_ref().map(|e| self.expr(e));
        let arguments = |list: &[Argument]| {
            let argument = |a: &Argument| match a {
                Argument::Value(e) => Argument::Value(self.expr(e)),
                Argument::Into(p) => Argument::Into(self.place(p)),
                Argument::Any => Argument::Any,
            };
            list.iter().map(argument).collect()
        };
        Step {
            sync: match &step.sync {
                Sync::Free => Sync::Free,
                Sync::On(a, list) => Sync::On(*a, arguments(list)),
                Sync::Send(c, i, list) => Sync::Send(*c, index(i), self.exprs(list)),
                Sync::Receive(c, i, list, onward) => {
                    let onward = onward.as_ref().map(|onward| {
                        Box::new(Onward {
                            channel: onward.channel,
                            index: index(&onward.index),
                            values: self.exprs(&onward.values),
                        })
                    });
                    Sync::Receive(*c, index(i), arguments(list), onward)
                }
            },
            guard: step.guard.as_ref().map(|e| self.expr(e)),
            effects: self.effects(&step.effects),
            ..step.clone()
        }
    }

    fn effects(&self, list: &[Effect]) -> Vec<Effect> {
        let effect = |e: &Effect| match e {
            Effect::Assign(p, e) => Effect::Assign(self.place(p), self.expr(e)),
            Effect::Choose(p, t) => Effect::Choose(self.place(p), t.clone()),
            Effect::If(e, a, b) => Effect::If(self.expr(e), self.effects(a), self.effects(b)),
            Effect::For(n, t, a) => Effect::For(n.clone(), t.clone(), self.effects(a)),
            Effect::Assert(e) => Effect::Assert(self.expr(e)),
            Effect::Call(m, list) => Effect::Call(*m, self.exprs(list)),
        };
        list.iter().map(effect).collect()
    }

    fn place(&self, place: &Place) -> Place {
        let path = self.path(&place.path);
        match &place.base {
            Base::Parameter(name) => match self.argument(name) {
                Some(Expr::Read(outer)) => Place {
                    base: outer.base.clone(),
                    path: outer.path.iter().cloned().chain(path).collect(),
                },
                other => panic!("{other:?} cannot be assigned to"),
            },
            base => Place {
                base: base.clone(),
                path,
            },
        }
    }

    fn argument(&self, name: &str) -> Option<&Expr> {
        self.0.iter().find(|(n, _)| *n == name).map(|(_, e)| *e)
    }

    fn path(&self, path: &[Key]) -> Vec<Key> {
        let key = |k: &Key| match k {
            Key::Cell(e, t) => Key::Cell(self.expr(e), t.clone()),
            Key::Field(k, n) => Key::Field(*k, n.clone()),
            Key::Element(e, n) => Key::Element(self.expr(e), *n),
        };
        path.iter().map(key).collect()
    }

    fn exprs(&self, list: &[Expr]) -> Vec<Expr> {
        list.iter().map(|e| self.expr(e)).collect()
    }

    fn boxed(&self, e: &Expr) -> Box<Expr> {
        Box::new(self.expr(e))
    }

    fn expr(&self, e: &Expr) -> Expr {
        let index = |i: &Option<Box<Expr>>| i.as_ref().map(|e| self.boxed(e));
        match e {
            Expr::Literal(v) => Expr::Literal(v.clone()),
            Expr::Bound(name) => self.argument(name).unwrap_or(e).clone(),
            Expr::Read(place) => Expr::Read(self.place(place)),
            Expr::Not(a) => Expr::Not(self.boxed(a)),
            Expr::Minus(a) => Expr::Minus(self.boxed(a)),
            Expr::Binary(op, a, b) => Expr::Binary(*op, self.boxed(a), self.boxed(b)),
            Expr::OneOf(a, set) => Expr::OneOf(self.boxed(a), self.exprs(set)),
            Expr::If(c, a, b) => Expr::If(self.boxed(c), self.boxed(a), self.boxed(b)),
            Expr::Over(q, n, t, a) => Expr::Over(*q, n.clone(), t.clone(), self.boxed(a)),
            Expr::Least(list) => Expr::Least(self.exprs(list)),
            Expr::Greatest(list) => Expr::Greatest(self.exprs(list)),
            Expr::At(p, list, places) => Expr::At(*p, self.exprs(list), places.clone()),
            Expr::LocalOf(p, list, x, path) => {
                Expr::LocalOf(*p, self.exprs(list), *x, self.path(path))
            }
            Expr::Length(c, i) => Expr::Length(*c, index(i)),
            Expr::Empty(c, i) => Expr::Empty(*c, index(i)),
            Expr::Full(c, i) => Expr::Full(*c, index(i)),
            Expr::BitNot(a) => Expr::BitNot(self.boxed(a)),
            Expr::Bits(op, a, b) => Expr::Bits(*op, self.boxed(a), self.boxed(b)),
            Expr::Cells(list) => Expr::Cells(self.exprs(list)),
            Expr::CellsOver(n, t, a) => Expr::CellsOver(n.clone(), t.clone(), self.boxed(a)),
            Expr::Fields(fields) => {
                let field = |(k, n, e): &(usize, String, Expr)| (*k, n.clone(), self.expr(e));
                Expr::Fields(fields.iter().map(field).collect())
            }
            Expr::With(base, fields) => {
                let field = |(k, n, e): &(usize, String, Expr)| (*k, n.clone(), self.expr(e));
                Expr::With(self.boxed(base), fields.iter().map(field).collect())
            }
            Expr::Use(d, list) => Expr::Use(*d, self.exprs(list)),
            Expr::Of(c) => c.map(|e| self.expr(e)).expr(),
        }
    }
}
