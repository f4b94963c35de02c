//! Makes a model smaller while it still shows the same difference.

use crate::model::*;
use crate::value::Value;

/// One way of making a model smaller; the first that `still_differs` is kept, until none does.
pub fn shrink(mut model: Model, still_differs: impl Fn(&Model) -> bool) -> Model {
    // Each round tries every place once, so this ends.
    for _ in 0..12 {
        let mut smaller = false;
        for cut in 0..CUTS {
            let mut place = 0;
            loop {
                let mut candidate = model.clone();
                let mut shears = Shears {
                    cut,
                    left: place,
                    done: false,
                };
                shears.model(&mut candidate);
                if !shears.done {
                    break;
                }
                if still_differs(&candidate) {
                    model = candidate;
                    smaller = true;
                } else {
                    place += 1;
                }
            }
        }
        if !smaller {
            break;
        }
    }
    model
}

const CUTS: usize = 8;

/// Cuts once, at the place whose number is `left`.
struct Shears {
    cut: usize,
    left: usize,
    done: bool,
}

impl Shears {
    /// Whether this is the place to cut.
    fn here(&mut self, cut: usize) -> bool {
        if self.cut != cut || self.done {
            return false;
        }
        if self.left == 0 {
            self.done = true;
            return true;
        }
        self.left -= 1;
        false
    }

    fn list<T>(&mut self, cut: usize, list: &mut Vec<T>) {
        for k in 0..list.len() {
            if self.here(cut) {
                list.remove(k);
                return;
            }
        }
    }

    fn model(&mut self, m: &mut Model) {
        self.list(0, &mut m.properties);
        self.list(0, &mut m.recurrences);
        for r in &mut m.recurrences {
            self.list(2, &mut r.infinitely);
            self.list(2, &mut r.implies);
        }
        for p in &mut m.processes {
            if !p.gone && self.here(0) {
                p.gone = true;
            }
        }
        for p in m.processes.iter_mut().filter(|p| !p.gone) {
            match &mut p.body {
                Body::States(states) => {
                    for s in states {
                        self.list(1, &mut s.steps);
                        s.steps.iter_mut().for_each(|(step, _)| self.step(step));
                    }
                }
                Body::Statements(list) => self.statements(list),
            }
            if !p.alphabet.is_empty() && self.here(2) {
                p.alphabet.clear();
            }
            for v in &mut p.locals {
                if v.first.is_some() && self.here(6) {
                    v.first = None;
                }
            }
        }
        for p in &mut m.properties {
            self.expr(&mut p.body);
        }
        if !matches!(m.deadlock, DeadlockSetting::Checked) && self.here(2) {
            m.deadlock = DeadlockSetting::Ignored;
        }
        for v in &mut m.variables {
            if v.first.is_some() && self.here(6) {
                v.first = None;
            }
        }
        // What nothing uses any more goes by trial: a use of it would be an error in the text.
        self.list(7, &mut m.aliases);
        if !m.macros.is_empty() && self.here(7) {
            m.macros.pop();
        }
        if !m.definitions.is_empty() && self.here(7) {
            m.definitions.pop();
        }
        if !m.actions.is_empty() && self.here(7) {
            m.actions.pop();
        }
        if !m.channels.is_empty() && self.here(7) {
            m.channels.pop();
        }
        if !m.variables.is_empty() && self.here(7) {
            m.variables.pop();
        }
        if !m.constants.is_empty() && self.here(7) {
            m.constants.pop();
        }
    }

    fn statements(&mut self, list: &mut Vec<Statement>) {
        self.list(1, list);
        for s in list.iter_mut() {
            self.list(2, &mut s.labels);
        }
        for k in 0..list.len() {
            let inner = match &mut list[k].kind {
                Kind::If(_, a, b) => Some(if a.is_empty() { b.clone() } else { a.clone() }),
                Kind::While(_, a) | Kind::Loop(a) => Some(a.clone()),
                Kind::Either(branches) => branches.first().map(|b| b.body.clone()),
                _ => None,
            };
            if let Some(inner) = inner
                && self.here(3)
            {
                list.splice(k..=k, inner);
                return;
            }
        }
        for s in list {
            match &mut s.kind {
                Kind::Step(step) => self.step(step),
                Kind::If(e, a, b) => {
                    self.expr(e);
                    self.statements(a);
                    self.statements(b);
                }
                Kind::While(e, a) => {
                    self.expr(e);
                    self.statements(a);
                }
                Kind::Loop(a) => self.statements(a),
                Kind::Either(branches) => {
                    if branches.len() > 1 {
                        self.list(1, branches);
                    }
                    branches
                        .iter_mut()
                        .for_each(|b| self.statements(&mut b.body));
                }
                _ => {}
            }
        }
    }

    fn step(&mut self, step: &mut Step) {
        if step.guard.is_some() && self.here(2) {
            step.guard = None;
        }
        if !step.each.is_empty() && self.here(2) {
            step.each.clear();
        }
        if !matches!(step.sync, Sync::Free) && self.here(4) {
            step.sync = Sync::Free;
        }
        self.effects(&mut step.effects);
        if let Some(e) = &mut step.guard {
            self.expr(e);
        }
        if let Sync::Receive(_, _, _, onward) = &mut step.sync
            && onward.is_some()
            && self.here(4)
        {
            *onward = None;
        }
        match &mut step.sync {
            Sync::Free => {}
            Sync::On(_, list) | Sync::Receive(_, _, list, _) => {
                for a in list {
                    if !matches!(a, Argument::Any) && self.here(4) {
                        *a = Argument::Any;
                    }
                    if let Argument::Value(e) = a {
                        self.expr(e);
                    }
                }
            }
            Sync::Send(_, _, list) => list.iter_mut().for_each(|e| self.expr(e)),
        }
    }

    fn effects(&mut self, list: &mut Vec<Effect>) {
        self.list(1, list);
        for e in list {
            match e {
                Effect::Assign(_, e) | Effect::Assert(e) => self.expr(e),
                Effect::If(e, a, b) => {
                    self.expr(e);
                    self.effects(a);
                    self.effects(b);
                }
                Effect::For(_, _, a) => self.effects(a),
                _ => {}
            }
        }
    }

    /// An operand in place of the whole, or a literal in place of a number.
    fn expr(&mut self, e: &mut Expr) {
        let operand = match e {
            Expr::Not(a) => Some((**a).clone()),
            Expr::Minus(a) | Expr::BitNot(a) => Some((**a).clone()),
            Expr::Binary(op, a, b) => match op {
                Operator::Or | Operator::And | Operator::Implies => {
                    if self.here(5) {
                        *e = (**b).clone();
                        return;
                    }
                    Some((**a).clone())
                }
                Operator::Plus | Operator::Minus | Operator::Times => Some((**a).clone()),
                Operator::Over | Operator::Modulo => Some((**a).clone()),
                _ => None,
            },
            Expr::If(_, a, b) => {
                if self.here(5) {
                    *e = (**b).clone();
                    return;
                }
                Some((**a).clone())
            }
            Expr::Bits(_, a, _) => Some((**a).clone()),
            Expr::Least(list) | Expr::Greatest(list) => Some(list[0].clone()),
            Expr::Of(c) => smaller(c),
            Expr::Over(Quantifier::Count | Quantifier::Sum, ..) => {
                Some(Expr::Literal(Value::Int(0)))
            }
            _ => None,
        };
        if let Some(operand) = operand
            && self.here(5)
        {
            *e = operand;
            return;
        }
        match e {
            Expr::Not(a) | Expr::Minus(a) | Expr::BitNot(a) => self.expr(a),
            Expr::Binary(_, a, b) | Expr::Bits(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Expr::If(a, b, c) => [a, b, c].into_iter().for_each(|e| self.expr(e)),
            Expr::Over(_, _, _, a) => self.expr(a),
            Expr::Least(list) | Expr::Greatest(list) | Expr::At(_, list, _) => {
                list.iter_mut().for_each(|e| self.expr(e));
            }
            Expr::Of(c) => {
                if let Collection::Set(_, list) | Collection::List(_, _, list) = &mut **c {
                    self.list(5, list);
                }
                c.operands_mut().into_iter().for_each(|e| self.expr(e));
            }
            _ => {}
        }
    }
}

/// What can stand in place of an expression about sets and lists.
fn smaller(c: &Collection) -> Option<Expr> {
    match c {
        Collection::Join(_, a, _) | Collection::Slice(_, a, ..) => Some(a.clone()),
        Collection::Among(ty, ..) => Some(Collection::Set(ty.clone(), vec![]).expr()),
        Collection::Size(Measure::Length, ..) => Some(Expr::int(0)),
        _ => None,
    }
}
