//! Draws models of a few small processes that take messages from each other, mostly out of bags: what they ask for is
//! what somebody else writes, and more often than not a step fails with one message and not with another.

use crate::model::*;
use crate::random::Random;
use crate::value::{Type, Value};

/// Two of them, of `0..1` and `0..2`.
const SHARED: [i64; 2] = [1, 2];

struct Drawing {
    r: Random,
    of_onward: Random,
    model: Model,
    id: usize,
}

/// A model from a seed.
pub fn model(seed: u64) -> Model {
    let mut r = Random::new(seed ^ 0x0bad_ba65);
    let deadlock = match r.below(3) {
        0 => DeadlockSetting::Ignored,
        _ => DeadlockSetting::Checked,
    };
    let model = Model {
        layout: r.next(),
        deadlock,
        ..Model::default()
    };
    let mut drawing = Drawing {
        r,
        of_onward: Random::new(!seed),
        model,
        id: 0,
    };
    drawing.declarations();
    for p in 0..2 + drawing.r.below(3) {
        drawing.process(p);
    }
    drawing.properties();
    drawing.model
}

fn place(base: Base) -> Place {
    Place { base, path: vec![] }
}

impl Drawing {
    fn declarations(&mut self) {
        for (k, most) in SHARED.into_iter().enumerate() {
            self.model.variables.push(Variable {
                name: format!("v{k}"),
                ty: Type::range(0, most),
                first: None,
            });
        }
        for k in 0..1 + self.r.below(2) {
            let capacity = 1 + self.r.below(3);
            let fields: Vec<Type> = (0..1 + self.r.below(2))
                .map(|_| Type::range(0, 1 + self.r.between(0, 1)))
                .collect();
            let first = (0..self.r.below(capacity + 1)).map(|_| {
                let values = fields.iter().map(|_| Expr::int(self.r.between(0, 1)));
                values.collect()
            });
            let first = first.collect();
            self.model.channels.push(Channel {
                name: format!("c{k}"),
                index: None,
                is_bag: !self.r.one_in(4),
                capacity,
                fields,
                first,
            });
        }
    }

    fn process(&mut self, p: usize) {
        let parameters = match self.r.one_in(3) {
            true => vec![(format!("i{p}"), Type::range(0, 1))],
            false => vec![],
        };
        let count = 2 + self.r.below(2);
        let ends = self.r.one_in(2);
        let states = (0..count).map(|s| {
            let is_last = s + 1 == count;
            let steps = match is_last && ends {
                true => 0,
                false => 1 + self.r.below(2),
            };
            let steps = (0..steps).map(|_| {
                let to = match self.r.one_in(4) {
                    true => self.r.below(count),
                    false => (s + 1) % count,
                };
                (self.step(p, &parameters), to)
            });
            let steps = steps.collect();
            State {
                name: format!("s{s}"),
                is_final: self.r.one_in(2) || is_last,
                steps,
            }
        });
        let states = states.collect();
        self.model.processes.push(Process {
            left_out: vec![],
            name: format!("p{p}"),
            parameters: parameters.clone(),
            locals: vec![Variable {
                name: "x".into(),
                ty: Type::range(0, 1),
                first: None,
            }],
            alphabet: vec![],
            body: Body::States(states),
            gone: false,
        });
    }

    /// What others may change, more often than not.
    fn value(&mut self, parameters: &[(String, Type)]) -> Expr {
        match self.r.below(6) {
            0 => Expr::int(self.r.between(0, 1)),
            1 => place(Base::Local(0)).read(),
            2 => match parameters.first() {
                Some((name, _)) => Expr::Bound(name.clone()),
                None => Expr::int(0),
            },
            _ => place(Base::Shared(self.r.below(2))).read(),
        }
    }

    fn condition(&mut self, parameters: &[(String, Type)]) -> Expr {
        let channel = self.r.below(self.model.channels.len());
        match self.r.below(4) {
            0 => Expr::binary(
                *self
                    .r
                    .pick(&[Operator::Less, Operator::AtMost, Operator::Equal]),
                Expr::Length(channel, None),
                Expr::int(self.r.between(0, 2)),
            ),
            _ => Expr::binary(
                *self
                    .r
                    .pick(&[Operator::Equal, Operator::Differ, Operator::Less]),
                self.value(parameters),
                self.value(parameters),
            ),
        }
    }

    fn effect(&mut self, parameters: &[(String, Type)]) -> Effect {
        match self.r.below(5) {
            0 => Effect::Assert(self.condition(parameters)),
            1 => {
                let (k, by) = (self.r.below(2), self.r.between(0, 2));
                let sum = Expr::binary(
                    *self.r.pick(&[Operator::Plus, Operator::Minus]),
                    place(Base::Shared(k)).read(),
                    Expr::int(by),
                );
                Effect::Assign(place(Base::Shared(k)), sum)
            }
            2 => Effect::Assign(place(Base::Local(0)), Expr::int(self.r.between(0, 1))),
            _ => {
                let k = self.r.below(2);
                let most = Expr::int(SHARED[k]);
                let flipped = Expr::binary(Operator::Minus, most, place(Base::Shared(k)).read());
                Effect::Assign(place(Base::Shared(k)), flipped)
            }
        }
    }

    /// What is sent behind a `receive`, by a lot of its own: the rest is drawn as without it.
    fn onward(&mut self, parameters: &[(String, Type)]) -> Option<Box<Onward>> {
        std::mem::swap(&mut self.r, &mut self.of_onward);
        let onward = self.r.one_in(4).then(|| {
            let channel = self.r.below(self.model.channels.len());
            let fields = self.model.channels[channel].fields.len();
            Box::new(Onward {
                channel,
                index: None,
                values: (0..fields).map(|_| self.value(parameters)).collect(),
            })
        });
        std::mem::swap(&mut self.r, &mut self.of_onward);
        onward
    }

    fn step(&mut self, p: usize, parameters: &[(String, Type)]) -> Step {
        self.id += 1;
        let channel = self.r.below(self.model.channels.len());
        let fields = self.model.channels[channel].fields.len();
        let sync = match (self.r.below(8), p) {
            (0..3, _) | (_, 0) if p < 2 => {
                let values = (0..fields).map(|_| self.value(parameters));
                Sync::Send(channel, None, values.collect())
            }
            (0..6, _) => {
                let mut is_bound = false;
                let arguments = (0..fields).map(|_| match self.r.below(6) {
                    0 => Argument::Any,
                    1 if !is_bound => {
                        is_bound = true;
                        let base = match self.r.one_in(2) {
                            true => Base::Local(0),
                            false => Base::Shared(self.r.below(2)),
                        };
                        Argument::Into(place(base))
                    }
                    _ => Argument::Value(self.value(parameters)),
                });
                let arguments = arguments.collect();
                let onward = self.onward(parameters);
                Sync::Receive(channel, None, arguments, onward)
            }
            _ => Sync::Free,
        };
        let guard = self.r.one_in(5).then(|| self.condition(parameters));
        let effects = (0..self.r.below(3)).map(|_| self.effect(parameters));
        let effects = effects.collect();
        Step {
            id: self.id,
            each: vec![],
            sync,
            guard,
            effects,
        }
    }

    fn properties(&mut self) {
        for k in 0..self.r.below(3) {
            let kind = *self.r.pick(&[
                PropertyKind::Invariant,
                PropertyKind::May,
                PropertyKind::Must,
                PropertyKind::Reachable,
            ]);
            let process = self.r.below(self.model.processes.len());
            let instance = match self.model.processes[process].parameters.is_empty() {
                true => vec![],
                false => vec![Expr::Literal(Value::Int(0))],
            };
            let at = Expr::At(process, instance, vec!["s1".into()]);
            let variable = place(Base::Shared(self.r.below(2))).read();
            let is = Expr::binary(Operator::Equal, variable, Expr::int(1));
            let operator = *self
                .r
                .pick(&[Operator::Implies, Operator::Or, Operator::And]);
            self.model.properties.push(Property {
                left_out: vec![],
                name: format!("asked{k}"),
                kind,
                parameters: vec![],
                body: Expr::binary(operator, at, is),
            });
        }
    }
}
