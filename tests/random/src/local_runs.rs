//! Draws models of one or two processes that mostly work on their own variables: assignments, tests and assertions
//! one behind the other, cells that are found by what was tested before, now and then a message, something that both
//! see, or a look at the other one's variables. What is known at one place is known because of what was asserted or
//! tested somewhere before it.

use crate::model::*;
use crate::random::Random;
use crate::value::Type;

/// The variables of each process.
const COUNTER: usize = 0;
const CELLS: usize = 1;
const RESULT: usize = 2;
/// The last of the cells and of the results.
const LAST: i64 = 2;

struct Drawing {
    r: Random,
    id: usize,
    /// The greatest value of the counter.
    most: i64,
    /// The other process, if there is one.
    other: Option<usize>,
}

/// A model from a seed.
pub fn model(seed: u64) -> Model {
    let mut drawing = Drawing {
        r: Random::new(seed ^ 0x10ca_15e9),
        id: 0,
        most: 0,
        other: None,
    };
    drawing.most = drawing.r.between(2, 5);
    let mut model = Model {
        layout: drawing.r.next(),
        deadlock: match drawing.r.below(3) {
            0 => DeadlockSetting::Ignored,
            _ => DeadlockSetting::Checked,
        },
        ..Model::default()
    };
    model.variables.push(Variable {
        name: "seen".into(),
        ty: Type::range(0, LAST),
        first: None,
    });
    model.channels.push(Channel {
        name: "c".into(),
        index: None,
        is_bag: false,
        capacity: 1,
        fields: vec![Type::range(0, LAST)],
        first: vec![],
    });
    let processes = 1 + drawing.r.below(2);
    for p in 0..processes {
        drawing.other = (processes == 2).then_some(1 - p);
        let body = drawing.process();
        model.processes.push(Process {
            left_out: vec![],
            name: format!("p{p}"),
            parameters: vec![],
            locals: drawing.locals(),
            alphabet: vec![],
            body,
            gone: false,
        });
    }
    for (name, kind) in [
        ("always", PropertyKind::Invariant),
        ("sometimes", PropertyKind::May),
        ("ever", PropertyKind::Must),
    ] {
        let value = drawing.r.between(0, LAST);
        let operator = *drawing.r.pick(&[Operator::Equal, Operator::Differ]);
        model.properties.push(Property {
            left_out: vec![],
            name: name.into(),
            kind,
            parameters: vec![],
            body: Expr::binary(operator, shared().read(), Expr::int(value)),
        });
    }
    model
}

fn shared() -> Place {
    Place {
        base: Base::Shared(0),
        path: vec![],
    }
}

fn own(variable: usize) -> Place {
    Place {
        base: Base::Local(variable),
        path: vec![],
    }
}

fn cell(index: Expr) -> Place {
    Place {
        base: Base::Local(CELLS),
        path: vec![Key::Cell(index, Type::range(0, LAST))],
    }
}

impl Drawing {
    fn locals(&self) -> Vec<Variable> {
        let cells = Type::range(0, LAST);
        let variable = |name: &str, ty| Variable {
            name: name.into(),
            ty,
            first: None,
        };
        vec![
            variable("i", Type::range(0, self.most)),
            variable("a", Type::array(cells.clone(), Type::range(0, 1))),
            variable("r", cells),
        ]
    }

    fn process(&mut self) -> Body {
        if self.r.one_in(3) {
            return Body::States(self.states());
        }
        let choose = self.step(Sync::Free, None, vec![self.choice()]);
        let mut all = vec![choose];
        let more = 3 + self.r.below(3);
        all.extend(self.statements(more, 2));
        Body::Statements(all)
    }

    /// An assertion, and behind it one step for each value that it lets through.
    fn states(&mut self) -> Vec<State> {
        let least = self.r.between(1, self.most);
        let choose = self.plain_step(None, vec![self.choice()]);
        let check = self.asserting(least);
        let ways = (0..least).map(|value| {
            let here = Expr::binary(Operator::Equal, own(COUNTER).read(), Expr::int(value));
            let effects = vec![self.assignment()];
            (self.plain_step(Some(here), effects), 3)
        });
        let ways = ways.collect();
        let tell = vec![Effect::Assign(shared(), own(RESULT).read())];
        let all = [
            vec![(choose, 1)],
            vec![(check, 2)],
            ways,
            vec![(self.plain_step(None, tell), 4)],
            vec![],
        ];
        let states = (0..).zip(all).map(|(number, steps): (usize, _)| State {
            name: format!("s{number}"),
            is_final: number == 4,
            steps,
        });
        states.collect()
    }

    fn choice(&self) -> Effect {
        Effect::Choose(own(COUNTER), Type::range(0, self.most))
    }

    /// A step that fails unless the counter is less; with a message at times.
    fn asserting(&mut self, least: i64) -> Step {
        let less = Expr::binary(Operator::Less, own(COUNTER).read(), Expr::int(least));
        let mut effects = vec![match self.r.below(3) {
            0 => Effect::If(Expr::Not(Box::new(less.clone())), vec![never()], vec![]),
            _ => Effect::Assert(less),
        }];
        if self.r.one_in(3) {
            effects.push(self.assignment());
        }
        let sync = self.sync();
        self.numbered(sync, None, effects)
    }

    fn sync(&mut self) -> Sync {
        match self.r.below(4) {
            0 => Sync::Send(0, None, vec![self.value()]),
            1 => Sync::Receive(0, None, vec![self.argument()], None),
            _ => Sync::Free,
        }
    }

    fn argument(&mut self) -> Argument {
        match self.r.below(3) {
            0 => Argument::Any,
            1 => Argument::Into(own(COUNTER)),
            _ => Argument::Value(Expr::int(self.r.between(0, LAST))),
        }
    }

    /// What may be too much for where it is put.
    fn value(&mut self) -> Expr {
        match self.r.below(6) {
            0 => own(RESULT).read(),
            1 => cell(own(COUNTER).read()).read(),
            2 => Expr::binary(Operator::Plus, own(RESULT).read(), Expr::int(1)),
            3 => Expr::binary(Operator::Over, Expr::int(2), own(COUNTER).read()),
            _ => Expr::int(self.r.between(0, LAST)),
        }
    }

    fn condition(&mut self) -> Expr {
        let (left, most) = match (self.r.below(6), self.other) {
            (4, Some(other)) => (Expr::LocalOf(other, vec![], RESULT, vec![]), LAST),
            (5, Some(other)) => (Expr::LocalOf(other, vec![], COUNTER, vec![]), self.most),
            (0, _) => (cell(own(COUNTER).read()).read(), 1),
            (1, _) => (own(RESULT).read(), LAST),
            (2, _) => (cell(own(RESULT).read()).read(), 1),
            _ => (own(COUNTER).read(), self.most),
        };
        let all = [Operator::Equal, Operator::Less, Operator::Differ];
        let operator = *self.r.pick(&all);
        Expr::binary(operator, left, Expr::int(self.r.between(0, most)))
    }

    fn assignment(&mut self) -> Effect {
        match self.r.below(5) {
            0 => Effect::Assign(cell(own(COUNTER).read()), Expr::int(1)),
            1 => Effect::Assign(own(COUNTER), self.value()),
            2 => Effect::Assign(
                own(COUNTER),
                Expr::binary(Operator::Plus, own(COUNTER).read(), Expr::int(1)),
            ),
            _ => Effect::Assign(own(RESULT), self.value()),
        }
    }

    fn numbered(&mut self, sync: Sync, guard: Option<Expr>, effects: Vec<Effect>) -> Step {
        self.id += 1;
        Step {
            id: self.id,
            each: vec![],
            sync,
            guard,
            effects,
        }
    }

    fn plain_step(&mut self, guard: Option<Expr>, effects: Vec<Effect>) -> Step {
        self.numbered(Sync::Free, guard, effects)
    }

    fn step(&mut self, sync: Sync, guard: Option<Expr>, effects: Vec<Effect>) -> Statement {
        let step = self.numbered(sync, guard, effects);
        self.statement(Kind::Step(step))
    }

    fn statement(&mut self, kind: Kind) -> Statement {
        self.id += 1;
        Statement {
            id: self.id,
            labels: vec![],
            kind,
        }
    }

    fn statements(&mut self, count: usize, depth: usize) -> Vec<Statement> {
        (0..count).map(|_| self.any(depth)).collect()
    }

    fn any(&mut self, depth: usize) -> Statement {
        let most = if depth == 0 { 8 } else { 12 };
        match self.r.below(most) {
            0 | 1 => {
                let least = self.r.between(1, self.most);
                let step = self.asserting(least);
                self.statement(Kind::Step(step))
            }
            2 => {
                let told = match (self.r.below(2), self.other) {
                    (0, Some(other)) => Expr::LocalOf(other, vec![], RESULT, vec![]),
                    _ => own(RESULT).read(),
                };
                self.step(Sync::Free, None, vec![Effect::Assign(shared(), told)])
            }
            3 => {
                let sync = self.sync();
                self.step(sync, None, vec![])
            }
            4 => {
                let guard = self.condition();
                let effects = vec![self.assignment()];
                self.step(Sync::Free, Some(guard), effects)
            }
            5..8 => {
                let effects = vec![self.assignment()];
                self.step(Sync::Free, None, effects)
            }
            8 | 9 => {
                let condition = self.condition();
                let then = self.statements(1, depth - 1);
                let other = self.r.below(2);
                let otherwise = self.statements(other, depth - 1);
                self.statement(Kind::If(condition, then, otherwise))
            }
            10 => {
                let condition = self.condition();
                let body = self.statements(1, depth - 1);
                self.statement(Kind::While(condition, body))
            }
            _ => {
                let branches = (0..2).map(|_| Branch {
                    each: None,
                    body: self.statements(1, depth - 1),
                });
                let branches = branches.collect();
                self.statement(Kind::Either(branches))
            }
        }
    }
}

fn never() -> Effect {
    Effect::Assert(Expr::binary(Operator::Equal, Expr::int(0), Expr::int(1)))
}
