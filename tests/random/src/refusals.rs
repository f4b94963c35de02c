//! Draws models of a few processes that meet in actions whose parts fail, wait and match by what others write: a joint
//! step fails where one part fails and the others match, whatever their guards say.

use crate::model::*;
use crate::random::Random;
use crate::value::Type;

struct Drawing {
    r: Random,
    model: Model,
    id: usize,
    /// Arguments may fail, not guards alone.
    fails: bool,
}

/// A model from a seed.
pub fn model(seed: u64) -> Model {
    drawn(seed, true)
}

/// One in which no argument fails: a step that fails through an argument counts once for all values, under the name of
/// one of them, so that there is no saying which step is which before and after another.
pub fn named(seed: u64) -> Model {
    drawn(seed, false)
}

fn drawn(seed: u64, fails: bool) -> Model {
    let mut r = Random::new(seed ^ 0x2ef_05a1);
    let layout = r.next();
    let mut drawing = Drawing {
        r,
        model: Model {
            layout,
            ..Model::default()
        },
        id: 0,
        fails,
    };
    for k in 0..3 {
        drawing.model.variables.push(Variable {
            name: format!("v{k}"),
            ty: Type::range(0, 1),
            first: Some(Expr::int(drawing.r.between(0, 1))),
        });
    }
    for k in 0..1 + drawing.r.below(2) {
        drawing.model.actions.push(Action {
            name: format!("act{k}"),
            arguments: vec![Type::range(0, 1)],
        });
    }
    let (meet, write) = (2 + drawing.r.below(2), 1 + drawing.r.below(2));
    for p in 0..meet + write {
        // Who writes stands first as often as last.
        let meets = match layout.is_multiple_of(2) {
            true => p < meet,
            false => p >= write,
        };
        drawing.process(p, meets);
    }
    drawing.model.asking_for_a_state()
}

fn place(base: Base) -> Place {
    Place { base, path: vec![] }
}

impl Drawing {
    fn variable(&mut self) -> Place {
        place(Base::Shared(self.r.below(3)))
    }

    fn value(&mut self) -> Expr {
        match self.r.below(4) {
            0 => Expr::int(self.r.between(0, 1)),
            1 => Expr::binary(Operator::Minus, Expr::int(1), self.variable().read()),
            _ => self.variable().read(),
        }
    }

    /// Fails with one value of a variable and not with the other.
    fn failing(&mut self) -> Expr {
        let variable = self.variable().read();
        match self.r.below(3) {
            0 => Expr::binary(Operator::Over, Expr::int(1), variable),
            1 => Expr::binary(Operator::Plus, variable, Expr::int(1)),
            _ => Expr::binary(Operator::Minus, variable, Expr::int(1)),
        }
    }

    fn guard(&mut self) -> Option<Expr> {
        let equal = |a, b| Expr::binary(Operator::Equal, a, b);
        match self.r.below(8) {
            0..2 => None,
            2..4 => Some(equal(Expr::int(0), Expr::int(1))),
            4..6 => {
                let over = Expr::binary(Operator::Over, Expr::int(1), self.variable().read());
                Some(equal(over, Expr::int(1)))
            }
            _ => Some(equal(self.value(), self.value())),
        }
    }

    fn step(&mut self, meets: bool) -> Step {
        self.id += 1;
        let mut step = Step {
            id: self.id,
            each: vec![],
            sync: Sync::Free,
            guard: None,
            effects: vec![],
        };
        if meets {
            let argument = match self.r.below(8) {
                0 => Argument::Any,
                1 => Argument::Into(place(Base::Local(0))),
                2 | 3 if self.fails => Argument::Value(self.failing()),
                _ => Argument::Value(self.value()),
            };
            let action = self.r.below(self.model.actions.len());
            step.sync = Sync::On(action, vec![argument]);
            step.guard = self.guard();
            if self.r.one_in(4) {
                let one = Expr::binary(
                    Operator::Equal,
                    self.variable().read(),
                    Expr::int(self.r.between(0, 1)),
                );
                step.effects.push(Effect::Assert(one));
            }
        } else {
            let value = match self.r.below(3) {
                0 => Expr::binary(Operator::Minus, Expr::int(1), self.variable().read()),
                _ => Expr::int(self.r.between(0, 1)),
            };
            step.effects.push(Effect::Assign(self.variable(), value));
        }
        step
    }

    fn process(&mut self, p: usize, meets: bool) {
        let count = 1 + self.r.below(2);
        let mut states: Vec<State> = Vec::new();
        for s in 0..count {
            let steps = match meets {
                true => 1 + self.r.below(2),
                false => 1,
            };
            let steps = (0..steps).map(|_| {
                let to = match meets {
                    true => self.r.below(count),
                    false => s + 1,
                };
                (self.step(meets), to)
            });
            let steps = steps.collect();
            states.push(State {
                name: format!("s{s}"),
                is_final: self.r.one_in(4),
                steps,
            });
        }
        if !meets {
            states.push(State {
                name: format!("s{count}"),
                is_final: true,
                steps: vec![],
            });
        }
        self.model.processes.push(Process {
            left_out: vec![],
            name: format!("p{p}"),
            parameters: vec![],
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
}
