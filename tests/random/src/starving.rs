//! Draws models of a few processes that go round for ever, each with steps for which it has to wait now and then: for
//! one of two flags that anybody may set and clear, or for others at an action. Who is never let go is a matter of
//! fairness, and of which.

use crate::model::*;
use crate::random::Random;
use crate::value::{Shape, Type, Value};

/// A model from a seed: with `must` properties of places and flags, and recurrences.
pub fn model(seed: u64) -> Model {
    let mut r = Random::new(seed ^ 0x57a2_7e5d);
    let mut model = Model {
        layout: r.next(),
        deadlock: DeadlockSetting::Ignored,
        termination_not_required: true,
        ..Model::default()
    };
    let truth = || Type {
        shape: Shape::Bool,
        text: "bool".into(),
    };
    for v in 0..2 {
        model.variables.push(Variable {
            name: format!("v{v}"),
            ty: truth(),
            first: None,
        });
    }
    let actions = r.below(3);
    for a in 0..actions {
        model.actions.push(Action {
            name: format!("a{a}"),
            arguments: vec![],
        });
    }
    let mut id = 0;
    let count = 2 + r.below(2);
    for p in 0..count {
        let length = 2 + r.below(2);
        let states: Vec<State> = (0..length)
            .map(|s| State {
                name: format!("s{s}"),
                is_final: r.one_in(4),
                steps: (0..1 + r.below(3))
                    .map(|_| (step(&mut id, actions, &mut r), r.below(length)))
                    .collect(),
            })
            .collect();
        model.processes.push(Process {
            left_out: vec![],
            name: format!("p{p}"),
            parameters: vec![],
            locals: vec![],
            alphabet: vec![],
            body: Body::States(states),
            gone: false,
        });
    }
    let place = |model: &Model, r: &mut Random| {
        let p = r.below(count);
        let Body::States(states) = &model.processes[p].body else {
            unreachable!("it has states");
        };
        (p, vec![r.pick(states).name.clone()])
    };
    for k in 0..2 {
        let body = match r.one_in(3) {
            true => flag(&mut r),
            false => {
                let (p, names) = place(&model, &mut r);
                Expr::At(p, vec![], names)
            }
        };
        model.properties.push(Property {
            left_out: vec![],
            name: format!("must{k}"),
            kind: PropertyKind::Must,
            parameters: vec![],
            body,
        });
        let mut event = |model: &Model| match actions > 0 && r.one_in(2) {
            true => Event::Action(r.below(actions), vec![]),
            false => {
                let (p, names) = place(model, &mut r);
                Event::At(p, vec![], names)
            }
        };
        let (infinitely, implies) = (vec![event(&model)], vec![event(&model)]);
        model.recurrences.push(Recurrence {
            name: format!("rec{k}"),
            parameters: vec![],
            infinitely,
            implies,
        });
    }
    model
}

fn shared(v: usize) -> Place {
    Place {
        base: Base::Shared(v),
        path: vec![],
    }
}

/// A flag, or that it is clear.
fn flag(r: &mut Random) -> Expr {
    let read = shared(r.below(2)).read();
    match r.one_in(2) {
        true => read,
        false => Expr::Not(Box::new(read)),
    }
}

fn step(id: &mut usize, actions: usize, r: &mut Random) -> Step {
    *id += 1;
    let meets = actions > 0 && r.one_in(4);
    let mut effects = Vec::new();
    if !meets && r.one_in(2) {
        let value = Expr::Literal(Value::Bool(r.one_in(2)));
        effects.push(Effect::Assign(shared(r.below(2)), value));
    }
    if r.one_in(12) {
        effects.push(Effect::Assert(flag(r)));
    }
    Step {
        id: *id,
        each: vec![],
        sync: match meets {
            true => Sync::On(r.below(actions), vec![]),
            false => Sync::Free,
        },
        guard: r.one_in(2).then(|| flag(r)),
        effects,
    }
}
