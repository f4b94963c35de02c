//! The rule of joint steps (`language.md` §4): the effects of two participants may not touch the
//! same shared variable if one of them writes it.
//!
//! What is asked here is only whether a model is surely free of such pairs: an index that is not
//! constant counts as any, and what a `?a[i]` reads as touched. Models that this cannot clear are
//! not used.

use super::evaluate::Scope;
use super::expand;
use super::points::What;
use super::state::{GlobalState, System, is_constant, product};
use stubborn_random::model::*;
use stubborn_random::value::Value;

/// A variable, or a part of one, that a step touches.
#[derive(Clone, Debug, PartialEq)]
struct Touch {
    of: Owner,
    /// Positions; `None` stands for any.
    path: Vec<Option<usize>>,
    writes: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Owner {
    Shared(usize),
    Local(usize, usize),
}

struct JointStep {
    instance: usize,
    action: usize,
    /// The arguments that are constant.
    fixed: Vec<Option<Value>>,
    touches: Vec<Touch>,
}

pub fn is_obeyed(system: &System) -> bool {
    let nowhere = GlobalState {
        shared: vec![],
        channels: vec![],
        instances: vec![],
    };
    let mut steps = Vec::new();
    for (instance, i) in system.instances.iter().enumerate() {
        for point in &system.points[i.process] {
            for m in &point.moves {
                let What::Step(step, _) = &m.what else {
                    continue;
                };
                let Sync::On(action, arguments) = &step.sync else {
                    continue;
                };
                let mut scope = system.scope(&nowhere, instance);
                scope.bound.extend(m.bound.iter().cloned());
                steps.push(joint_step(&scope, instance, *action, arguments, step));
            }
        }
    }
    steps.iter().enumerate().all(|(k, a)| {
        steps[..k]
            .iter()
            .all(|b| a.instance == b.instance || !meet(a, b) || !conflict(a, b))
    })
}

fn meet(a: &JointStep, b: &JointStep) -> bool {
    let mut pairs = a.fixed.iter().zip(&b.fixed);
    a.action == b.action
        && pairs.all(|(x, y)| match (x, y) {
            (Some(x), Some(y)) => x == y,
            _ => true,
        })
}

fn conflict(a: &JointStep, b: &JointStep) -> bool {
    let overlap = |x: &Touch, y: &Touch| {
        let mut pairs = x.path.iter().zip(&y.path);
        x.of == y.of
            && (x.writes || y.writes)
            && pairs.all(|(p, q)| p.is_none() || q.is_none() || p == q)
    };
    a.touches
        .iter()
        .any(|x| b.touches.iter().any(|y| overlap(x, y)))
}

fn joint_step(
    scope: &Scope,
    instance: usize,
    action: usize,
    arguments: &[Argument],
    step: &Step,
) -> JointStep {
    let mut touches = Vec::new();
    let mut fixed = Vec::new();
    for argument in arguments {
        fixed.push(match argument {
            Argument::Value(e) if is_constant(e) => scope.value(e).ok(),
            Argument::Into(place) => {
                touch(scope, place, true, &mut touches);
                None
            }
            _ => None,
        });
    }
    step.effects
        .iter()
        .for_each(|e| effect(scope, e, &mut touches));
    JointStep {
        instance,
        action,
        fixed,
        touches,
    }
}

fn effect(scope: &Scope, e: &Effect, into: &mut Vec<Touch>) {
    match e {
        Effect::Assign(place, e) => {
            touch(scope, place, true, into);
            read(scope, e, into);
        }
        Effect::Choose(place, _) => touch(scope, place, true, into),
        Effect::If(c, a, b) => {
            read(scope, c, into);
            a.iter().chain(b).for_each(|e| effect(scope, e, into));
        }
        Effect::For(name, ty, body) => {
            for v in ty.values() {
                let inner = scope.with(name, v);
                body.iter().for_each(|e| effect(&inner, e, into));
            }
        }
        Effect::Assert(e) => read(scope, e, into),
        Effect::Call(m, arguments) => {
            let m = &scope.system.model.macros[*m];
            expand::as_effects(m, arguments)
                .iter()
                .for_each(|e| effect(scope, e, into));
        }
    }
}

fn touch(scope: &Scope, place: &Place, writes: bool, into: &mut Vec<Touch>) {
    let path = positions(scope, &place.path, into);
    let of = match place.base {
        Base::Shared(k) => Owner::Shared(k),
        Base::Local(k) => Owner::Local(scope.me.unwrap(), k),
        _ => return,
    };
    into.push(Touch { of, path, writes });
}

fn positions(scope: &Scope, path: &[Key], into: &mut Vec<Touch>) -> Vec<Option<usize>> {
    path.iter()
        .map(|key| match key {
            Key::Field(k, _) => Some(*k),
            Key::Cell(e, ty) => {
                read(scope, e, into);
                is_constant(e)
                    .then(|| scope.value(e).ok())
                    .flatten()
                    .and_then(|v| ty.position(&v))
            }
            // Whichever it is: the list has to be long enough, too.
            Key::Element(e, _) => {
                read(scope, e, into);
                None
            }
        })
        .collect()
}

fn read(scope: &Scope, e: &Expr, into: &mut Vec<Touch>) {
    let mut all = |list: &[Expr]| list.iter().for_each(|e| read(scope, e, into));
    match e {
        Expr::Literal(_) | Expr::Bound(_) => {}
        Expr::Read(place) => touch(scope, place, false, into),
        Expr::Not(a) | Expr::Minus(a) | Expr::BitNot(a) => read(scope, a, into),
        Expr::Binary(_, a, b) | Expr::Bits(_, a, b) => {
            read(scope, a, into);
            read(scope, b, into);
        }
        Expr::OneOf(a, list) => {
            all(list);
            read(scope, a, into);
        }
        Expr::If(a, b, c) => [a, b, c].into_iter().for_each(|e| read(scope, e, into)),
        Expr::Over(_, name, ty, body) | Expr::CellsOver(name, ty, body) => {
            for v in ty.values() {
                read(&scope.with(name, v), body, into);
            }
        }
        Expr::Least(list) | Expr::Greatest(list) | Expr::Cells(list) | Expr::At(_, list, _) => {
            all(list);
        }
        Expr::LocalOf(process, list, local, path) => {
            all(list);
            let path = positions(scope, path, into);
            for (k, i) in scope.system.instances.iter().enumerate() {
                if i.process == *process {
                    into.push(Touch {
                        of: Owner::Local(k, *local),
                        path: path.clone(),
                        writes: false,
                    });
                }
            }
        }
        Expr::Length(_, i) | Expr::Empty(_, i) | Expr::Full(_, i) => {
            i.iter().for_each(|e| read(scope, e, into));
        }
        Expr::Fields(fields) => fields.iter().for_each(|(_, _, e)| read(scope, e, into)),
        Expr::With(base, fields) => {
            read(scope, base, into);
            fields.iter().for_each(|(_, _, e)| read(scope, e, into));
        }
        Expr::Of(c) => match c.binds() {
            Some((name, over)) => {
                for v in over.values() {
                    all_of(&scope.with(name, v), &c.operands(), into);
                }
            }
            None => all_of(scope, &c.operands(), into),
        },
        Expr::Use(d, list) => {
            let definition = &scope.system.model.definitions[*d];
            all(list);
            // Its parameters are at some value each: every one is tried.
            let names = definition.parameters.iter().map(|(n, _)| n.clone());
            let types: Vec<_> = definition
                .parameters
                .iter()
                .map(|(_, t)| t.values())
                .collect();
            for values in product(&types) {
                let mut inner = scope.clone();
                inner.bound.extend(names.clone().zip(values));
                read(&inner, &definition.body, into);
            }
        }
    }
}

fn all_of(scope: &Scope, list: &[&Expr], into: &mut Vec<Touch>) {
    list.iter().for_each(|e| read(scope, e, into));
}

/// The model with an assignment to one variable added to the steps of two instances that meet;
/// nothing where it has no such steps.
pub fn broken(mut model: Model) -> Option<Model> {
    let system = System::new(model.clone());
    let ground = system.ground.iter().find(|g| g.participants.len() > 1)?;
    let [p, q] = [0, 1].map(|k| system.instances[ground.participants[k]].process);
    let (action, name) = (ground.action, "clash".to_string());
    let is_taken = model.variables.iter().any(|v| v.name == name);
    assert!(!is_taken);
    let ty = stubborn_random::value::Type::range(0, 1);
    model.variables.push(Variable {
        name,
        ty,
        first: None,
    });
    let place = Place {
        base: Base::Shared(model.variables.len() - 1),
        path: vec![],
    };
    // The steps have to meet whatever their other arguments are: all is left open.
    for k in [p, q] {
        let n = model.actions[action].arguments.len();
        let step = Step {
            id: 1_000_000 + k,
            each: vec![],
            sync: Sync::On(action, vec![Argument::Any; n]),
            guard: None,
            effects: vec![Effect::Assign(place.clone(), Expr::int(1))],
        };
        match &mut model.processes[k].body {
            Body::States(states) => states[0].steps.insert(0, (step, 0)),
            Body::Statements(list) => {
                let kind = Kind::Step(step);
                list.insert(
                    0,
                    Statement {
                        id: 2_000_000 + k,
                        labels: vec![],
                        kind,
                    },
                );
            }
        }
    }
    Some(model)
}
