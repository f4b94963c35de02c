//! Draws models of a few small processes that meet in actions, with and without values, and do
//! other things in between: systems that a tester has something to see of.

use crate::model::*;
use crate::random::Random;
use crate::value::{Shape, Type};

/// A model from a seed.
pub fn model(seed: u64) -> Model {
    let mut r = Random::new(seed ^ 0x3ee7_1295);
    let mut model = Model {
        layout: r.next(),
        deadlock: DeadlockSetting::Ignored,
        termination_not_required: true,
        ..Model::default()
    };
    for k in 0..1 + r.below(3) {
        let arguments = (0..[0, 0, 1, 1, 2][r.below(5)])
            .map(|_| match r.below(4) {
                0 => Type::bool(),
                1 => Type::range(0, 2),
                _ => Type::range(0, 1),
            })
            .collect();
        model.actions.push(Action {
            name: format!("act{k}"),
            arguments,
        });
    }
    let has_shared = r.one_in(2);
    if has_shared {
        model.variables.push(Variable {
            name: "v0".into(),
            ty: Type::range(0, 1),
            first: None,
        });
    }
    let mut id = 0;
    // Now and then one process that has no choice.
    let is_alone = r.one_in(8);
    let processes = if is_alone { 1 } else { 1 + r.below(3) };
    for p in 0..processes {
        let parameter = (!is_alone && r.one_in(3)).then(|| (format!("i{p}"), Type::range(0, 1)));
        let count = 1 + r.below(4);
        let local = Variable {
            name: "x".into(),
            ty: Type::range(0, 1),
            first: None,
        };
        let states = (0..count).map(|s| {
            let most = if is_alone { 1 } else { 3 };
            let steps = (0..[0, 1, 2, 2, 3][r.below(5)].min(most)).map(|_| {
                id += 1;
                let step = step(&model.actions, parameter.as_ref(), has_shared, id, &mut r);
                let target = if r.one_in(2) {
                    (s + 1) % count
                } else {
                    r.below(count)
                };
                (step, target)
            });
            State {
                name: format!("s{s}"),
                is_final: true,
                steps: steps.collect(),
            }
        });
        let states = states.collect();
        let alphabet = if r.one_in(8) {
            vec![r.below(model.actions.len())]
        } else {
            vec![]
        };
        model.processes.push(Process {
            left_out: vec![],
            name: format!("p{p}"),
            parameters: parameter.into_iter().collect(),
            locals: vec![local],
            alphabet,
            body: Body::States(states),
            gone: false,
        });
    }
    model
}

fn number(n: i64) -> Expr {
    Expr::int(n)
}

fn place(base: Base) -> Place {
    Place { base, path: vec![] }
}

fn step(
    actions: &[Action],
    parameter: Option<&(String, Type)>,
    has_shared: bool,
    id: usize,
    r: &mut Random,
) -> Step {
    let own = |r: &mut Random| match parameter {
        Some((name, _)) if r.one_in(2) => Expr::Bound(name.clone()),
        _ if r.one_in(4) => place(Base::Local(0)).read(),
        _ => number(r.between(0, 1)),
    };
    let mut step = Step {
        id,
        each: vec![],
        sync: Sync::Free,
        guard: None,
        effects: vec![],
    };
    if r.percent(55) {
        let a = r.below(actions.len());
        let mut stored = false;
        let list = actions[a].arguments.iter().map(|ty| {
            if ty.shape == Shape::Bool {
                return match r.below(3) {
                    0 => Argument::Any,
                    _ => Argument::Value(Expr::binary(Operator::Equal, own(r), number(1))),
                };
            }
            match r.below(5) {
                0 => Argument::Any,
                // Of a type with a third value the `?` fails for that one.
                1 if !stored && (ty.shape == Shape::Range(0, 1) || r.one_in(4)) => {
                    stored = true;
                    Argument::Into(place(Base::Local(0)))
                }
                // Beyond the type, now and then.
                2 if r.one_in(12) => Argument::Value(Expr::binary(
                    Operator::Over,
                    number(1),
                    place(Base::Local(0)).read(),
                )),
                _ => Argument::Value(own(r)),
            }
        });
        step.sync = Sync::On(a, list.collect());
        if !stored && r.one_in(4) {
            step.effects
                .push(Effect::Assign(place(Base::Local(0)), own(r)));
        }
    } else if has_shared && r.one_in(2) {
        let value = match r.below(3) {
            0 => Expr::binary(Operator::Minus, number(1), place(Base::Shared(0)).read()),
            _ => own(r),
        };
        step.effects
            .push(Effect::Assign(place(Base::Shared(0)), value));
    } else if r.one_in(3) {
        step.effects
            .push(Effect::Assign(place(Base::Local(0)), own(r)));
    }
    if r.percent(20) {
        let read = if has_shared && r.one_in(2) {
            Base::Shared(0)
        } else {
            Base::Local(0)
        };
        step.guard = Some(Expr::binary(
            Operator::Equal,
            place(read).read(),
            number(r.between(0, 1)),
        ));
    }
    if r.one_in(40) {
        step.effects.push(Effect::Assert(Expr::binary(
            Operator::Equal,
            place(Base::Local(0)).read(),
            number(r.between(0, 1)),
        )));
    }
    step
}
