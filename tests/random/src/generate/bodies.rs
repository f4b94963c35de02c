//! Bodies by lot: states with their steps, and statements.

use super::Generator;
use super::expressions::View;
use crate::model::*;
use crate::value::{Shape, Type};

/// Where a statement stands.
#[derive(Clone)]
struct Standing {
    view: View,
    in_loop: bool,
    /// How deep it may still nest.
    depth: usize,
    /// Whether it is in a macro, which has no labels and synchronises with nobody.
    in_macro: bool,
}

impl Generator {
    fn process_view(&self, p: usize) -> View {
        let bound = self.m.processes[p].parameters.clone();
        View {
            bound,
            ..View::everything(Some(p))
        }
    }

    pub fn body(&mut self, p: usize) {
        let view = self.process_view(p);
        match self.m.processes[p].body.clone() {
            Body::States(mut states) => {
                let n = states.len();
                for (k, s) in states.iter_mut().enumerate() {
                    s.is_final = self.r.one_in(3);
                    let steps = if n > 1 && self.r.one_in(8) {
                        0
                    } else {
                        1 + self.r.below(3)
                    };
                    for _ in 0..steps {
                        // Mostly onwards, so that states are reached.
                        let target = if self.r.one_in(2) {
                            (k + 1) % n
                        } else {
                            self.r.below(n)
                        };
                        let step = self.step(&view, false);
                        s.steps.push((step, target));
                    }
                }
                self.m.processes[p].body = Body::States(states);
            }
            Body::Statements(_) => {
                let place = Standing {
                    view,
                    in_loop: false,
                    depth: 2,
                    in_macro: false,
                };
                let n = 1 + self.r.below(3);
                let mut list = self.block(&place, n);
                if self.r.one_in(2) {
                    let inside = Standing {
                        in_loop: true,
                        ..place
                    };
                    let kind = self.endless(&inside);
                    list.push(Statement {
                        id: self.id(),
                        labels: vec![],
                        kind,
                    });
                }
                let mut labels = self.places[p].clone();
                labels.retain(|l| l != "end");
                self.put_labels(&mut list, &labels);
                self.m.processes[p].body = Body::Statements(list);
            }
        }
    }

    fn put_labels(&mut self, list: &mut [Statement], labels: &[String]) {
        let mut count = 0;
        for_each_labelled(list, false, &mut |_| count += 1);
        for label in labels {
            let (at, is_final) = (self.r.below(count), self.r.one_in(4));
            let mut k = 0;
            for_each_labelled(list, false, &mut |s| {
                if k == at {
                    s.labels.push((label.clone(), is_final));
                }
                k += 1;
            });
        }
    }

    fn step(&mut self, view: &View, in_macro: bool) -> Step {
        let mut view = view.clone();
        let mut each = Vec::new();
        if self.r.one_in(8) && !in_macro {
            let ty = self.small_scalar();
            let name = self.inner_name("f");
            view = view.with(&name, &ty);
            each.push((name, ty));
            if self.r.one_in(4) {
                let (name, ty) = (self.name("f"), Type::bool());
                view = view.with(&name, &ty);
                each.push((name, ty));
            }
        }
        let (actions, channels) = (self.m.actions.len(), self.m.channels.len());
        let lot = if self.sociable && self.r.one_in(2) {
            0
        } else {
            self.r.below(12)
        };
        let sync = match lot {
            0..=4 if actions > 0 && !in_macro => {
                let a = self.r.below(actions);
                let types = self.m.actions[a].arguments.clone();
                let mut taken = Vec::new();
                let list = types
                    .iter()
                    .map(|t| self.on_argument(&view, t, &mut taken))
                    .collect();
                Sync::On(a, list)
            }
            5 | 6 if channels > 0 => {
                let (c, index, list) = self.sent(&view);
                Sync::Send(c, index, list)
            }
            7 | 8 if channels > 0 => {
                let (c, index, types) = self.some_channel(&view);
                let mut taken = Vec::new();
                let one = |g: &mut Self, t: &Type, taken: &mut Vec<String>| match g.r.below(4) {
                    0 => Argument::Any,
                    1 => Argument::Value(match t.shape {
                        // It often fails, and then a guard may keep that from counting.
                        Shape::Range(..) if g.risky && g.r.one_in(2) => g.integer(&view, 1),
                        _ => g.inside(&view, t, 1),
                    }),
                    _ => g.store(&view, t, taken),
                };
                let list = types.iter().map(|t| one(self, t, &mut taken)).collect();
                let onward = self.onward(&view);
                Sync::Receive(c, index, list, onward)
            }
            _ => Sync::Free,
        };
        let likely = match sync {
            Sync::Free => 60,
            _ if self.risky => 50,
            _ => 25,
        };
        let guard = self.r.percent(likely).then(|| self.boolean(&view, 2));
        let n = [0, 1, 1, 1, 2][self.r.below(5)];
        let is_joint = matches!(sync, Sync::On(..));
        let mut effects = self.effects(&view, n, is_joint, in_macro, true);
        if self.collects && self.r.one_in(2) {
            effects.extend(self.collection_effect(&view, is_joint));
        }
        Step {
            id: self.id(),
            each,
            sync,
            guard,
            effects,
        }
    }

    /// A channel, and what is sent to it.
    fn sent(&mut self, view: &View) -> (usize, Option<Expr>, Vec<Expr>) {
        let (c, index, types) = self.some_channel(view);
        let value = |t: &Type| {
            let wild = self.risky && self.r.one_in(4);
            match t.shape {
                Shape::Range(..) if wild => self.integer(view, 1),
                _ => self.inside(view, t, 1),
            }
        };
        (c, index, types.iter().map(value).collect())
    }

    /// What is sent behind a `receive`, by a lot of its own: the rest is drawn as without it.
    fn onward(&mut self, view: &View) -> Option<Box<Onward>> {
        std::mem::swap(&mut self.r, &mut self.of_onward);
        let onward = self.r.one_in(3).then(|| {
            let (channel, index, values) = self.sent(view);
            Box::new(Onward {
                channel,
                index,
                values,
            })
        });
        std::mem::swap(&mut self.r, &mut self.of_onward);
        onward
    }

    fn some_channel(&mut self, view: &View) -> (usize, Option<Expr>, Vec<Type>) {
        let c = self.r.below(self.m.channels.len());
        let channel = self.m.channels[c].clone();
        let index = channel.index.map(|ty| match ty.shape {
            Shape::Range(..) if self.risky && self.r.one_in(4) => self.integer(view, 1),
            _ => self.inside(view, &ty, 1),
        });
        (c, index, channel.fields)
    }

    /// An argument of `on`: one that is constant stays inside its type, or the text is wrong.
    fn on_argument(&mut self, view: &View, ty: &Type, taken: &mut Vec<String>) -> Argument {
        let fixed = View {
            state: false,
            ..view.clone()
        };
        match self.r.below(9) {
            0 => Argument::Any,
            1..=3 => self.store(view, ty, taken),
            // It often fails, and then a guard may keep that from counting.
            4 if self.risky && matches!(ty.shape, Shape::Range(..)) && self.r.one_in(2) => {
                match self.target(view, |t| matches!(t.shape, Shape::Range(..))) {
                    Some((place, _)) => {
                        let more = self.integer(view, 1);
                        Argument::Value(Expr::binary(Operator::Plus, place.read(), more))
                    }
                    None => Argument::Any,
                }
            }
            4 => {
                let risky = self.risky;
                let fits = |t: &Type| match (&t.shape, &ty.shape) {
                    (Shape::Range(a, b), Shape::Range(lo, hi)) => risky || lo <= a && b <= hi,
                    (a, b) => a == b,
                };
                match self.target(view, fits) {
                    Some((place, _)) => Argument::Value(place.read()),
                    None => Argument::Any,
                }
            }
            _ => Argument::Value(self.inside(&fixed, ty, 0)),
        }
    }

    /// `?x`, or `*` where there is no such variable.
    fn store(&mut self, view: &View, ty: &Type, taken: &mut Vec<String>) -> Argument {
        let risky = self.risky;
        let fits = |t: &Type| match (&t.shape, &ty.shape) {
            (Shape::Range(lo, hi), Shape::Range(a, b)) => risky || lo <= a && b <= hi,
            (a, b) => a == b,
        };
        for _ in 0..3 {
            let Some((place, _)) = self.target(view, fits) else {
                break;
            };
            let is_local = matches!(place.base, Base::Local(_));
            if !is_local && self.r.percent(60) {
                continue;
            }
            // No place takes two of one step: keep them to different variables.
            let base = format!("{:?}", place.base);
            if !taken.contains(&base) {
                taken.push(base);
                return Argument::Into(place);
            }
        }
        Argument::Any
    }

    fn effects(
        &mut self,
        view: &View,
        n: usize,
        is_joint: bool,
        in_macro: bool,
        may_choose: bool,
    ) -> Vec<Effect> {
        (0..n)
            .filter_map(|_| self.effect(view, is_joint, in_macro, may_choose))
            .collect()
    }

    fn effect(
        &mut self,
        view: &View,
        is_joint: bool,
        in_macro: bool,
        may_choose: bool,
    ) -> Option<Effect> {
        if self.collects && self.r.one_in(2) {
            return self.collection_effect(view, is_joint);
        }
        match self.r.below(14) {
            0 | 1 if may_choose => {
                let (place, ty) = self.target(view, |t| t.is_scalar() && t.values().len() <= 3)?;
                if is_joint && !matches!(place.base, Base::Local(_)) {
                    return None;
                }
                let mut from = Type {
                    text: ty.text.clone(),
                    ..ty
                };
                if self.risky && matches!(from.shape, Shape::Range(..)) && self.r.one_in(3) {
                    from = Type::range(0, 2);
                }
                Some(Effect::Choose(place, from))
            }
            2 => {
                let c = self.boolean(view, 1);
                let then = self.effects(view, 1, is_joint, true, false);
                let otherwise = self.effects(view, 1, is_joint, true, false);
                (!then.is_empty()).then_some(Effect::If(c, then, otherwise))
            }
            3 => {
                let ty = self.small_scalar();
                let name = self.inner_name("e");
                let body = self.effects(&view.with(&name, &ty), 1, is_joint, true, false);
                (!body.is_empty()).then_some(Effect::For(name, ty, body))
            }
            4 if self.risky => Some(Effect::Assert(self.boolean(view, 1))),
            5 | 6 if !in_macro => {
                let (m, arguments) = self.macro_call(view, true)?;
                Some(Effect::Call(m, arguments))
            }
            _ => {
                let whole = self.r.one_in(5);
                let (place, ty) = self.target(view, |t| whole != t.is_scalar())?;
                if is_joint && !matches!(place.base, Base::Local(_)) && self.r.percent(50) {
                    return None;
                }
                let wild = self.risky && self.r.one_in(4);
                let e = match ty.shape {
                    Shape::Range(..) if wild => self.integer(view, 1),
                    _ => self.whole(view, &ty, 1),
                };
                Some(Effect::Assign(place, e))
            }
        }
    }

    /// A macro that can be used here, with arguments.
    fn macro_call(&mut self, view: &View, as_effect: bool) -> Option<(usize, Vec<Expr>)> {
        let usable = |m: &Macro| {
            (!as_effect || m.effects_alone) && (m.inside.is_none() || m.inside == view.inside)
        };
        let list: Vec<_> = (0..self.m.macros.len())
            .filter(|k| usable(&self.m.macros[*k]))
            .collect();
        if list.is_empty() || view.inside.is_none() {
            return None;
        }
        let m = *self.r.pick(&list);
        let parameters = self.m.macros[m].parameters.clone();
        let mut arguments = Vec::new();
        for (k, (_, ty)) in parameters.iter().enumerate() {
            // The first parameter is the one that is assigned to.
            if k == 0 {
                arguments.push(self.target(view, |t| t.shape == ty.shape)?.0.read());
            } else {
                arguments.push(self.inside(view, ty, 1));
            }
        }
        Some((m, arguments))
    }

    pub fn macros(&mut self) {
        for _ in 0..[0, 1, 1, 2][self.r.below(4)] {
            let inside = self
                .r
                .one_in(2)
                .then(|| self.r.below(self.m.processes.len()));
            let name = self.name("m");
            let mut parameters = Vec::new();
            let mut view = match inside {
                // It does not see the parameters as constants of its own.
                Some(p) => View {
                    bound: vec![],
                    ..self.process_view(p)
                },
                None => View::everything(None),
            };
            if self.r.one_in(2) {
                let ty = self.small_scalar();
                let parameter = self.name("a");
                view.places.push((parameter.clone(), ty.clone()));
                parameters.push((parameter, ty));
                if self.r.one_in(2) {
                    let ty = self.small_scalar();
                    let parameter = self.name("b");
                    view.bound.push((parameter.clone(), ty.clone()));
                    parameters.push((parameter, ty));
                }
            }
            let effects_alone = self.r.one_in(2);
            let n = 1 + self.r.below(2);
            let body = if effects_alone {
                let effects = self.effects(&view, n, false, true, false);
                let split = self.r.one_in(2);
                self.effect_statements(effects, split)
            } else {
                let place = Standing {
                    view,
                    in_loop: false,
                    depth: 1,
                    in_macro: true,
                };
                self.block(&place, n)
            };
            if !body.is_empty() {
                self.m.macros.push(Macro {
                    name,
                    parameters,
                    body,
                    effects_alone,
                    inside,
                });
            }
        }
    }

    /// Effects as statements: assignments together in one or each by itself.
    fn effect_statements(&mut self, effects: Vec<Effect>, split: bool) -> Vec<Statement> {
        let mut list: Vec<Statement> = Vec::new();
        for e in effects {
            let id = self.id();
            if let (Effect::Assign(..), false) = (&e, split)
                && let Some(Statement {
                    kind: Kind::Step(step),
                    ..
                }) = list.last_mut()
                && step.effects.iter().all(|e| matches!(e, Effect::Assign(..)))
            {
                step.effects.push(e);
                continue;
            }
            let kind = match e {
                Effect::If(c, a, b) => {
                    let (a, b) = (
                        self.effect_statements(a, split),
                        self.effect_statements(b, split),
                    );
                    Kind::If(c, a, b)
                }
                e => Kind::Step(Step {
                    id,
                    each: vec![],
                    sync: Sync::Free,
                    guard: None,
                    effects: vec![e],
                }),
            };
            list.push(Statement {
                id,
                labels: vec![],
                kind,
            });
        }
        list
    }

    fn block(&mut self, place: &Standing, n: usize) -> Vec<Statement> {
        (0..n)
            .map(|_| {
                let kind = self.kind(place);
                Statement {
                    id: self.id(),
                    labels: vec![],
                    kind,
                }
            })
            .collect()
    }

    fn kind(&mut self, place: &Standing) -> Kind {
        let deep = place.depth > 0;
        let inner = Standing {
            depth: place.depth.saturating_sub(1),
            ..place.clone()
        };
        match self.r.below(13) {
            0 | 1 if deep => {
                let c = self.boolean(&place.view, 2);
                let n = self.r.below(3);
                let then = self.ending(&inner, n);
                let n = self.r.below(2);
                let otherwise = self.ending(&inner, n);
                Kind::If(c, then, otherwise)
            }
            2 if deep => {
                let inside = Standing {
                    in_loop: true,
                    ..inner
                };
                let n = self.r.below(3);
                let always = self.r.one_in(6);
                let c = match always {
                    true => Expr::Literal(crate::value::Value::Bool(true)),
                    false => self.boolean(&place.view, 2),
                };
                Kind::While(c, self.ending(&inside, n))
            }
            3 if deep => {
                let inside = Standing {
                    in_loop: true,
                    ..inner
                };
                self.endless(&inside)
            }
            4..=6 if deep => {
                let branches = (0..2 + self.r.below(2))
                    .map(|_| {
                        let mut here = inner.clone();
                        let mut each = None;
                        if self.r.one_in(8) {
                            let ty = self.small_scalar();
                            let name = self.inner_name("b");
                            here.view = here.view.with(&name, &ty);
                            each = Some((name, ty));
                        }
                        let n = [0, 1, 1, 1, 2, 2][self.r.below(6)];
                        let body = if here.in_loop && self.r.one_in(5) {
                            self.leaving()
                        } else {
                            self.ending(&here, n)
                        };
                        Branch { each, body }
                    })
                    .collect();
                Kind::Either(branches)
            }
            7 if !place.in_macro => match self.macro_call(&place.view, false) {
                Some((m, arguments)) => Kind::Call(m, arguments),
                None => Kind::Skip,
            },
            8 => Kind::Skip,
            _ => Kind::Step(self.step(&place.view, place.in_macro)),
        }
    }

    /// A block that now and then ends in `break` or `stop`.
    fn ending(&mut self, place: &Standing, n: usize) -> Vec<Statement> {
        let mut list = self.block(place, n);
        let kind = match self.r.below(6) {
            0 if place.in_loop => Kind::Break,
            1 if self.r.one_in(2) => Kind::Stop,
            _ => return list,
        };
        list.push(Statement {
            id: self.id(),
            labels: vec![],
            kind,
        });
        list
    }

    /// A branch that leaves a loop at once: the loop around it, or one of its own.
    fn leaving(&mut self) -> Vec<Statement> {
        let statement = |g: &mut Self, kind| Statement {
            id: g.id(),
            labels: vec![],
            kind,
        };
        let leave = statement(self, Kind::Break);
        match self.r.one_in(3) {
            true => vec![statement(self, Kind::Loop(vec![leave]))],
            false => vec![leave],
        }
    }

    /// A loop that takes a step on every way round.
    fn endless(&mut self, place: &Standing) -> Kind {
        let n = 1 + self.r.below(2);
        let mut body = self.block(place, n);
        let takes_a_step = |s: &Statement| {
            matches!(
                s.kind,
                Kind::Step(_) | Kind::Skip | Kind::If(..) | Kind::While(..) | Kind::Either(_)
            )
        };
        if !body.iter().any(takes_a_step) {
            let step = Kind::Step(self.step(&place.view, place.in_macro));
            let at = self.r.below(body.len() + 1);
            body.insert(
                at,
                Statement {
                    id: self.id(),
                    labels: vec![],
                    kind: step,
                },
            );
        }
        Kind::Loop(body)
    }
}

/// The statements that may have a label. Of several labels of `break`s that lead to one place the
/// first in the text names it, which nobody wants to work out: those are left out, but where a
/// branch of an `either` begins with a `break`, since that takes a step of its own.
fn for_each_labelled(list: &mut [Statement], is_branch: bool, f: &mut impl FnMut(&mut Statement)) {
    for (k, s) in list.iter_mut().enumerate() {
        if !matches!(s.kind, Kind::Break) || is_branch && k == 0 {
            f(s);
        }
        match &mut s.kind {
            Kind::If(_, a, b) => {
                for_each_labelled(a, false, f);
                for_each_labelled(b, false, f);
            }
            Kind::While(_, a) | Kind::Loop(a) => for_each_labelled(a, false, f),
            Kind::Either(branches) => {
                for b in branches {
                    for_each_labelled(&mut b.body, true, f);
                }
            }
            _ => {}
        }
    }
}
