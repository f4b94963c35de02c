//! Draws models in which processes get in each other's way: they write the same variables, find
//! their cells by what others write, wait for where others are and for what they hold, and share
//! channels that are nearly always full or empty. Such are the systems in which a reduction that
//! has forgotten something leaves out too much.

use crate::model::*;
use crate::random::Random;
use crate::value::{Shape, Type, Value};

/// A process, before its steps are drawn.
struct Sketch {
    parameter: Option<(String, Type)>,
    locals: Vec<Variable>,
    states: usize,
}

struct Draw {
    r: Random,
    of_onward: Random,
    m: Model,
    sketches: Vec<Sketch>,
    fresh: usize,
    /// Whether steps may fail.
    risky: bool,
    /// Whether every process comes to an end.
    ends: bool,
}

/// A model from a seed. It may break the rule of joint steps.
pub fn model(seed: u64) -> Model {
    let mut r = Random::new(seed ^ 0x5e1f_5a3e);
    let (risky, ends, layout) = (r.percent(30), r.percent(50), r.next());
    let mut draw = Draw {
        r,
        of_onward: Random::new(!seed),
        m: Model {
            layout,
            ..Model::default()
        },
        sketches: vec![],
        fresh: 0,
        risky,
        ends,
    };
    draw.variables();
    draw.channels();
    draw.actions();
    draw.sketches();
    for p in 0..draw.sketches.len() {
        draw.process(p);
    }
    draw.properties();
    draw.recurrences();
    draw.m.asking_for_a_state()
}

fn bit() -> Type {
    Type::range(0, 1)
}

fn number(n: i64) -> Expr {
    Expr::int(n)
}

fn greatest(ty: &Type) -> i64 {
    match ty.shape {
        Shape::Range(_, hi) => hi,
        _ => 1,
    }
}

fn and(a: Expr, b: Expr) -> Expr {
    Expr::binary(Operator::And, a, b)
}

fn or(a: Expr, b: Expr) -> Expr {
    Expr::binary(Operator::Or, a, b)
}

/// Whose expression it is.
#[derive(Clone, Copy, PartialEq)]
enum Who {
    Process(usize),
    Property,
}

impl Draw {
    fn id(&mut self) -> usize {
        self.fresh += 1;
        self.fresh
    }

    fn scalar(&mut self) -> Type {
        match self.r.below(5) {
            0 => Type::bool(),
            1 | 2 => bit(),
            _ => Type::range(0, 2),
        }
    }

    fn variables(&mut self) {
        for k in 0..1 + self.r.below(3) {
            let ty = match self.r.below(10) {
                0..=3 => Type::array(bit(), Type::range(0, 1 + self.r.below(2) as i64)),
                4 if self.r.one_in(2) => {
                    let (f, g) = (bit(), self.scalar());
                    Type::record(vec![("f".into(), f), ("g".into(), g)])
                }
                _ => self.scalar(),
            };
            let first = match (&ty.shape, self.r.below(3)) {
                (Shape::Bool, 0) => Some(Expr::Literal(Value::Bool(true))),
                (Shape::Range(_, hi), 0) => Some(number(*hi)),
                (Shape::Array(..), 0) => Some(Expr::Cells(vec![number(1), number(0)])),
                _ => None,
            };
            self.m.variables.push(Variable {
                name: format!("v{k}"),
                ty,
                first,
            });
        }
    }

    fn channels(&mut self) {
        for k in 0..[0, 0, 0, 1, 1, 2][self.r.below(6)] {
            let capacity = [1, 1, 2, 2, 3][self.r.below(5)];
            let mut fields = vec![bit()];
            if self.r.one_in(5) {
                fields.push(bit());
            }
            let held = if self.r.one_in(3) {
                1 + self.r.below(capacity)
            } else {
                0
            };
            let r = &mut self.r;
            let message = |_| fields.iter().map(|_| number(r.between(0, 1))).collect();
            let first = (0..held).map(message).collect();
            let index = self.r.one_in(4).then(bit);
            self.m.channels.push(Channel {
                name: format!("c{k}"),
                index,
                is_bag: self.r.one_in(2),
                capacity,
                fields,
                first,
            });
        }
    }

    fn actions(&mut self) {
        for k in 0..[0, 0, 0, 1, 1, 2][self.r.below(6)] {
            let arguments = (0..self.r.below(2)).map(|_| bit()).collect();
            self.m.actions.push(Action {
                name: format!("act{k}"),
                arguments,
            });
        }
    }

    fn sketches(&mut self) {
        let count = 1 + self.r.below(3);
        let mut instances = 0;
        for k in 0..count {
            let wants_several = count == 1 || self.r.one_in(2);
            let several = wants_several && instances + (count - k) < 4;
            let size = if several && instances + (count - k) < 3 && self.r.one_in(3) {
                3
            } else {
                2
            };
            instances += if several { size } else { 1 };
            let parameter = several.then(|| (format!("i{k}"), Type::range(0, size as i64 - 1)));
            let locals = (0..[0, 1, 1, 2][self.r.below(4)]).map(|x| Variable {
                name: format!("x{x}"),
                ty: if self.r.one_in(3) {
                    Type::range(0, 2)
                } else {
                    bit()
                },
                first: None,
            });
            let locals = locals.collect();
            let states = 2 + self.r.below(3);
            self.sketches.push(Sketch {
                parameter,
                locals,
                states,
            });
        }
    }

    fn process(&mut self, p: usize) {
        let n = self.sketches[p].states;
        let goes_round = !self.ends && !self.r.one_in(4);
        let mut states = Vec::new();
        for s in 0..n {
            let is_last = s + 1 == n;
            let count = match (is_last, goes_round) {
                (true, false) => 0,
                (true, true) => self.r.below(2),
                _ => [1, 1, 2, 2, 3][self.r.below(5)],
            };
            let mut steps = Vec::new();
            for _ in 0..count {
                let target = if goes_round && (is_last || self.r.one_in(3)) {
                    self.r.below(n)
                } else if self.r.percent(70) {
                    (s + 1).min(n - 1)
                } else {
                    s + 1 + self.r.below(n - s - 1)
                };
                steps.push((self.step(p), target));
            }
            states.push(State {
                name: format!("s{s}"),
                is_final: is_last && !self.r.one_in(4) || self.r.one_in(6),
                steps,
            });
        }
        let sketch = &self.sketches[p];
        let parameters = sketch.parameter.iter().cloned().collect();
        let locals = sketch.locals.clone();
        let alphabet = if !self.m.actions.is_empty() && self.r.one_in(10) {
            vec![self.r.below(self.m.actions.len())]
        } else {
            vec![]
        };
        self.m.processes.push(Process {
            left_out: vec![],
            name: format!("p{p}"),
            parameters,
            locals,
            alphabet,
            body: Body::States(states),
            gone: false,
        });
    }

    /// What is sent behind a `receive`, by a lot of its own: the rest is drawn as without it.
    fn onward(&mut self, who: Who) -> Option<Box<Onward>> {
        std::mem::swap(&mut self.r, &mut self.of_onward);
        let onward = self.r.one_in(5).then(|| {
            let channel = self.r.below(self.m.channels.len());
            let index = self.m.channels[channel].index.is_some();
            let fields = self.m.channels[channel].fields.len();
            Box::new(Onward {
                channel,
                index: index.then(|| self.index(who, 0)),
                values: (0..fields).map(|_| self.value(who, 1, 0)).collect(),
            })
        });
        std::mem::swap(&mut self.r, &mut self.of_onward);
        onward
    }

    fn step(&mut self, p: usize) -> Step {
        let who = Who::Process(p);
        let (channels, actions) = (self.m.channels.len(), self.m.actions.len());
        let sync = match self.r.below(10) {
            0..=2 if actions > 0 => {
                let a = self.r.below(actions);
                let arguments = self.m.actions[a].arguments.clone();
                let list = arguments.iter().map(|_| match self.r.below(6) {
                    0 => Argument::Any,
                    1 | 2 => self.store(p).map_or(Argument::Any, Argument::Into),
                    3 => Argument::Value(self.value(who, 1, 0)),
                    _ => Argument::Value(self.constant(p)),
                });
                Sync::On(a, list.collect())
            }
            3..=7 if channels > 0 => {
                let c = self.r.below(channels);
                let index = self.m.channels[c].index.is_some();
                let index = index.then(|| self.index(who, 0));
                let fields = self.m.channels[c].fields.len();
                if self.r.one_in(2) {
                    let values = (0..fields).map(|_| self.value(who, 1, 0)).collect();
                    Sync::Send(c, index, values)
                } else {
                    let mut stored = false;
                    let list = (0..fields).map(|_| match self.r.below(4) {
                        0 => Argument::Any,
                        1 => Argument::Value(self.value(who, 1, 0)),
                        _ if stored => Argument::Any,
                        _ => {
                            stored = true;
                            self.store(p).map_or(Argument::Any, Argument::Into)
                        }
                    });
                    let list = list.collect();
                    Sync::Receive(c, index, list, self.onward(who))
                }
            }
            _ => Sync::Free,
        };
        let likely = if matches!(sync, Sync::Free) { 65 } else { 25 };
        let guard = self.r.percent(likely).then(|| self.condition(who));
        let is_joint = matches!(sync, Sync::On(..));
        let count = [0, 1, 1, 1, 2][self.r.below(5)];
        let effects = (0..count)
            .filter_map(|_| self.effect(p, is_joint))
            .collect();
        let each = if self.r.one_in(20) {
            vec![("f".into(), bit())]
        } else {
            vec![]
        };
        Step {
            id: self.id(),
            each,
            sync,
            guard,
            effects,
        }
    }

    /// A constant of a process from 0 to 1: a literal or its parameter.
    fn constant(&mut self, p: usize) -> Expr {
        match &self.sketches[p].parameter {
            Some((name, ty)) if greatest(ty) <= 1 && self.r.one_in(2) => Expr::Bound(name.clone()),
            _ => number(self.r.between(0, 1)),
        }
    }

    fn local(&mut self, p: usize, most: i64) -> Option<(usize, i64)> {
        let locals = &self.sketches[p].locals;
        let fitting = locals.iter().enumerate().filter_map(|(k, v)| {
            let hi = greatest(&v.ty);
            (hi <= most).then_some((k, hi))
        });
        let fitting: Vec<_> = fitting.collect();
        (!fitting.is_empty()).then(|| *self.r.pick(&fitting))
    }

    /// Where a received value from 0 to 1 goes.
    fn store(&mut self, p: usize) -> Option<Place> {
        if self.r.percent(70)
            && let Some((k, _)) = self.local(p, 2)
        {
            return Some(Place {
                base: Base::Local(k),
                path: vec![],
            });
        }
        let (place, _) = self.shared(Who::Process(p), 0)?;
        Some(place)
    }

    /// An index from 0 to 1, and now and then beyond.
    fn index(&mut self, who: Who, depth: usize) -> Expr {
        let most = if self.risky && self.r.one_in(5) { 2 } else { 1 };
        self.value(who, most, depth + 1)
    }

    /// A scalar that is shared, of numbers.
    fn shared(&mut self, who: Who, depth: usize) -> Option<(Place, i64)> {
        for _ in 0..4 {
            let k = self.r.below(self.m.variables.len());
            let base = Base::Shared(k);
            match self.m.variables[k].ty.shape.clone() {
                Shape::Bool => {}
                Shape::Range(_, hi) => return Some((Place { base, path: vec![] }, hi)),
                Shape::Array(index, cell) => {
                    let at = self.index(who, depth);
                    let path = vec![Key::Cell(at, *index)];
                    return Some((Place { base, path }, greatest(&cell)));
                }
                Shape::Record(fields) => {
                    let f = self.r.below(fields.len());
                    if fields[f].1.shape != Shape::Bool {
                        let path = vec![Key::Field(f, fields[f].0.clone())];
                        return Some((Place { base, path }, greatest(&fields[f].1)));
                    }
                }
                Shape::Enum(..) | Shape::Set(_) | Shape::List(..) => {}
            }
        }
        None
    }

    fn boolean_variable(&mut self) -> Option<Place> {
        let all = 0..self.m.variables.len();
        let shape = |k: usize| &self.m.variables[k].ty.shape;
        let all: Vec<_> = all.filter(|k| *shape(*k) == Shape::Bool).collect();
        if all.is_empty() {
            return None;
        }
        Some(Place {
            base: Base::Shared(*self.r.pick(&all)),
            path: vec![],
        })
    }

    /// An instance of some process.
    fn instance(&mut self, who: Who, depth: usize) -> (usize, Vec<Expr>) {
        let p = self.r.below(self.sketches.len());
        let Some((_, ty)) = self.sketches[p].parameter.clone() else {
            return (p, vec![]);
        };
        let arguments = if self.r.one_in(4) && depth == 0 {
            self.value(who, 1, 1)
        } else {
            number(self.r.between(0, greatest(&ty)))
        };
        (p, vec![arguments])
    }

    /// A number from 0 to `most`.
    fn value(&mut self, who: Who, most: i64, depth: usize) -> Expr {
        for _ in 0..2 {
            match self.r.below(10) {
                0..=2 => {
                    if let Who::Process(p) = who
                        && let Some((k, _)) = self.local(p, most)
                    {
                        let base = Base::Local(k);
                        return Place { base, path: vec![] }.read();
                    }
                }
                3 | 4 => {
                    if let Who::Process(p) = who
                        && let Some((name, ty)) = &self.sketches[p].parameter
                        && greatest(ty) <= most
                    {
                        return Expr::Bound(name.clone());
                    }
                }
                5 | 6 if depth < 2 => {
                    if let Some((place, hi)) = self.shared(who, depth)
                        && hi <= most
                    {
                        return place.read();
                    }
                }
                7 if depth < 2 => {
                    let (p, arguments) = self.instance(who, depth);
                    if let Some((k, _)) = self.local(p, most) {
                        return Expr::LocalOf(p, arguments, k, vec![]);
                    }
                }
                8 if depth == 0 => {
                    let (a, b) = (self.value(who, most, 1), self.value(who, most, 1));
                    let c = self.atom(who, 1);
                    return Expr::If(Box::new(c), Box::new(a), Box::new(b));
                }
                _ => {}
            }
        }
        number(self.r.between(0, most))
    }

    /// A condition about one thing.
    fn atom(&mut self, who: Who, depth: usize) -> Expr {
        use Operator::*;
        let ops = [Equal, Equal, Differ, Less, AtMost, Greater, AtLeast];
        for _ in 0..4 {
            match self.r.below(12) {
                0..=3 => {
                    if let Some((place, hi)) = self.shared(who, depth) {
                        let op = *self.r.pick(&ops);
                        let other = self.value(who, hi, depth + 1);
                        return Expr::binary(op, place.read(), other);
                    }
                }
                4 => {
                    if let Some(place) = self.boolean_variable() {
                        let e = place.read();
                        return if self.r.one_in(2) {
                            e
                        } else {
                            Expr::Not(Box::new(e))
                        };
                    }
                }
                5 | 6 => {
                    let (p, arguments) = self.instance(who, depth);
                    let states = self.sketches[p].states;
                    let at = self.r.below(states);
                    let mut places = vec![format!("s{at}")];
                    if self.r.one_in(3) && at + 1 < states {
                        places.push(format!("s{}", at + 1));
                    }
                    return Expr::At(p, arguments, places);
                }
                7 => {
                    let (p, arguments) = self.instance(who, depth);
                    if let Some((k, hi)) = self.local(p, 2) {
                        let op = *self.r.pick(&ops);
                        let e = Expr::LocalOf(p, arguments, k, vec![]);
                        return Expr::binary(op, e, number(self.r.between(0, hi)));
                    }
                }
                8 | 9 if !self.m.channels.is_empty() => {
                    let c = self.r.below(self.m.channels.len());
                    let index = self.m.channels[c].index.is_some();
                    let index = index.then(|| Box::new(self.index(who, depth)));
                    let capacity = self.m.channels[c].capacity as i64;
                    return match self.r.below(3) {
                        0 => Expr::Empty(c, index),
                        1 => Expr::Full(c, index),
                        _ => {
                            let op = *self.r.pick(&ops);
                            let other = number(self.r.between(0, capacity));
                            Expr::binary(op, Expr::Length(c, index), other)
                        }
                    };
                }
                10 => {
                    let arrays: Vec<_> = (0..self.m.variables.len())
                        .filter(|k| matches!(self.m.variables[*k].ty.shape, Shape::Array(..)))
                        .collect();
                    if !arrays.is_empty() {
                        let k = *self.r.pick(&arrays);
                        let cell = Place {
                            base: Base::Shared(k),
                            path: vec![Key::Cell(Expr::Bound("q".into()), bit())],
                        };
                        let op = *self.r.pick(&ops);
                        let body = Expr::binary(op, cell.read(), number(self.r.between(0, 1)));
                        let q = [Quantifier::Forall, Quantifier::Exists][self.r.below(2)];
                        return Expr::Over(q, "q".into(), bit(), Box::new(body));
                    }
                }
                _ => {
                    if let Who::Process(p) = who
                        && let Some((k, hi)) = self.local(p, 2)
                    {
                        let base = Base::Local(k);
                        let op = *self.r.pick(&ops);
                        let other = number(self.r.between(0, hi));
                        return Expr::binary(op, Place { base, path: vec![] }.read(), other);
                    }
                }
            }
        }
        let p = self.r.below(self.sketches.len());
        let arguments = match &self.sketches[p].parameter {
            Some(_) => vec![number(0)],
            None => vec![],
        };
        Expr::At(p, arguments, vec!["s0".into()])
    }

    fn condition(&mut self, who: Who) -> Expr {
        let a = self.atom(who, 0);
        match self.r.below(10) {
            0..=3 => a,
            4 | 5 => and(a, self.atom(who, 0)),
            6 | 7 => or(a, self.atom(who, 0)),
            8 => {
                let (b, c) = (self.atom(who, 0), self.atom(who, 0));
                if self.r.one_in(2) {
                    and(a, or(b, c))
                } else {
                    or(and(a, b), c)
                }
            }
            _ => Expr::Not(Box::new(and(a, self.atom(who, 0)))),
        }
    }

    fn effect(&mut self, p: usize, is_joint: bool) -> Option<Effect> {
        let who = Who::Process(p);
        if self.risky && self.r.one_in(12) {
            return Some(Effect::Assert(self.atom(who, 0)));
        }
        let wants_local = if is_joint {
            !self.r.one_in(3)
        } else {
            self.r.one_in(4)
        };
        if !wants_local
            && self.r.one_in(6)
            && let Some(place) = self.boolean_variable()
        {
            let e = match self.r.below(3) {
                0 => Expr::Not(Box::new(place.clone().read())),
                1 => self.atom(who, 1),
                _ => Expr::Literal(Value::Bool(self.r.one_in(2))),
            };
            return Some(Effect::Assign(place, e));
        }
        let (place, hi) = match self.local(p, 2) {
            Some((k, hi)) if wants_local => {
                let base = Base::Local(k);
                (Place { base, path: vec![] }, hi)
            }
            _ => self.shared(who, 0)?,
        };
        let own = || Box::new(place.clone().read());
        let e = match self.r.below(10) {
            0 => return Some(Effect::Choose(place, Type::range(0, hi))),
            1 if self.risky => Expr::Binary(Operator::Plus, own(), Box::new(number(1))),
            1 | 2 => {
                let more = Expr::Binary(Operator::Plus, own(), Box::new(number(1)));
                Expr::binary(Operator::Modulo, more, number(hi + 1))
            }
            3 => Expr::Binary(Operator::Minus, Box::new(number(hi)), own()),
            _ => self.value(who, hi, 0),
        };
        let assign = Effect::Assign(place, e);
        if self.r.one_in(8) {
            let c = self.atom(who, 1);
            return Some(Effect::If(c, vec![assign], vec![]));
        }
        Some(assign)
    }

    fn recurrences(&mut self) {
        for k in 0..[0, 1, 1, 2][self.r.below(4)] {
            let infinitely = vec![self.event()];
            let implies = (0..[0, 1, 1, 2][self.r.below(4)])
                .map(|_| self.event())
                .collect();
            self.m.recurrences.push(Recurrence {
                name: format!("rec{k}"),
                parameters: vec![],
                infinitely,
                implies,
            });
        }
    }

    /// The steps of an action, or those that an instance takes from a state.
    fn event(&mut self) -> Event {
        if !self.m.actions.is_empty() && self.r.one_in(2) {
            let action = self.r.below(self.m.actions.len());
            let arguments = self.m.actions[action].arguments.len();
            let wanted = (0..arguments).map(|_| {
                let value = self.r.between(0, 1);
                self.r.one_in(2).then(|| number(value))
            });
            return Event::Action(action, wanted.collect());
        }
        let (p, arguments) = self.instance(Who::Property, 1);
        let state = self.r.below(self.sketches[p].states);
        let wanted = arguments.into_iter().map(Some).collect();
        Event::At(p, wanted, vec![format!("s{state}")])
    }

    fn properties(&mut self) {
        let who = Who::Property;
        self.m.termination_not_required = self.r.one_in(8);
        match self.r.below(8) {
            0 => self.m.deadlock = DeadlockSetting::Ignored,
            1 | 2 => self.m.deadlock = DeadlockSetting::Allowed(self.condition(who)),
            _ => {}
        }
        for k in 0..1 + self.r.below(4) {
            let kinds = [
                PropertyKind::Invariant,
                PropertyKind::Invariant,
                PropertyKind::Invariant,
                PropertyKind::May,
                PropertyKind::May,
                PropertyKind::Must,
            ];
            let kind = *self.r.pick(&kinds);
            let body = match kind {
                // Such as are true in most states, or their violation is near.
                PropertyKind::Invariant => {
                    let (a, b) = (self.condition(who), self.condition(who));
                    match self.r.below(4) {
                        0 => or(a, b),
                        1 => Expr::Not(Box::new(and(a, b))),
                        2 => or(or(a, b), self.atom(who, 0)),
                        _ => Expr::Not(Box::new(and(and(a, b), self.atom(who, 0)))),
                    }
                }
                _ => or(self.condition(who), self.atom(who, 0)),
            };
            self.m.properties.push(Property {
                left_out: vec![],
                name: format!("prop{k}"),
                kind,
                parameters: vec![],
                body,
            });
        }
    }
}
