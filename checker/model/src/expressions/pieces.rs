//! Sets and lists part by part.

use stubborn_system::system::{Expr, Range, Type, Value};
use stubborn_system::walk::{for_children_mut, for_subexpressions};

use crate::template::{is_known_in_instances, opened as opened_parameter};

/// The parts of a value, below values that are worked out once ([`Expr::Let`]), from the outside in.
#[derive(Default)]
pub(super) struct Pieces {
    lets: Vec<(Expr, Type)>,
    pub parts: Vec<Expr>,
}

impl Pieces {
    pub fn of(parts: Vec<Expr>) -> Pieces {
        Pieces {
            lets: Vec::new(),
            parts,
        }
    }

    /// The truth value of each element, in their order.
    pub fn of_set(set: Expr, range: Range) -> Pieces {
        let (lets, set) = opened(set);
        let len = usize::try_from(range.size()).unwrap_or(usize::MAX);
        let parts = (0..len).map(|at| part_of(&set, range.lo, at)).collect();
        Pieces { lets, parts }
    }

    /// The length of a list, and each of as many elements as it can have.
    pub fn of_list(list: Expr, capacity: u32) -> Pieces {
        let (lets, list) = opened(list);
        let (length, cells) = match list {
            Expr::Cells(mut parts) if parts.len() == 2 => {
                let cells = parts.remove(1);
                (parts.remove(0), cells)
            }
            Expr::Const(Value::Cells(mut parts)) if parts.len() == 2 => {
                let cells = Expr::Const(parts.remove(1));
                (Expr::Const(parts.remove(0)), cells)
            }
            list => (Expr::field(list.clone(), 0), Expr::field(list.clone(), 1)),
        };
        let cells = (0..capacity as usize).map(|at| part_of(&cells, 0, at));
        let parts = std::iter::once(length).chain(cells).collect();
        Pieces { lets, parts }
    }

    /// What is made of the parts, below the same values.
    pub fn then(self, make: impl FnOnce(Vec<Expr>) -> Expr) -> Expr {
        let made = make(self.parts);
        let lets = self.lets.into_iter().rev();
        lets.fold(made, |body, (value, ty)| Expr::bind(value, ty, body))
    }

    /// What is made of the parts of the one and of the other.
    pub fn joined(
        mut self,
        mut other: Pieces,
        make: impl FnOnce(Vec<Expr>, Vec<Expr>) -> Expr,
    ) -> Expr {
        let (ours, others) = (self.lets.len() as u32, other.lets.len() as u32);
        for part in &mut self.parts {
            raise(part, 0, others);
        }
        for (at, (value, _)) in other.lets.iter_mut().enumerate() {
            raise(value, at as u32, ours);
        }
        for part in &mut other.parts {
            raise(part, others, ours);
        }
        self.lets.append(&mut other.lets);
        let parts = std::mem::take(&mut self.parts);
        self.then(|_| make(parts, other.parts))
    }

    /// The expression, which stands outside, as it is below the values.
    pub fn behind(&self, mut expr: Expr) -> Expr {
        raise(&mut expr, 0, self.lets.len() as u32);
        expr
    }

    /// Has a value worked out once, which is one of the type or fails. It stands below all that the pieces bind, as do
    /// those `beside` it, which stand below it too afterwards.
    pub fn bind(&mut self, value: Expr, ty: Type, beside: &mut [Expr]) -> Expr {
        for expr in beside.iter_mut().chain(&mut self.parts) {
            raise(expr, 0, 1);
        }
        self.lets.push((value, ty));
        Expr::Bound(0)
    }
}

/// The values that an expression binds, from the outside in, and what stands below them.
fn opened(mut expr: Expr) -> (Vec<(Expr, Type)>, Expr) {
    let mut lets = Vec::new();
    while let Expr::Let { value, ty, body } = expr {
        lets.push((*value, ty));
        expr = *body;
    }
    (lets, expr)
}

/// The part of an array whose first cell has the index `lo`, counted from 0.
pub(super) fn part_of(array: &Expr, lo: i64, at: usize) -> Expr {
    match array {
        Expr::Cells(parts) if parts.iter().all(cannot_fail) => parts[at].clone(),
        Expr::Const(Value::Cells(parts)) => Expr::Const(parts[at].clone()),
        array => Expr::cell(array.clone(), lo, Expr::int(lo + at as i64)),
    }
}

/// What is joined by `or`, if a true part `decides`, or by `and`: in the form that the elaborator gives what is known of
/// the operands, so that an instance and the template of its process have one form.
pub(super) fn junction(parts: Vec<Expr>, decides: bool) -> Expr {
    let mut made = Vec::with_capacity(parts.len());
    for part in parts {
        match &part {
            Expr::Const(value) if (*value != Value::Int(0)) != decides => {}
            Expr::Const(_) => {
                made.push(part);
                break;
            }
            _ => made.push(part),
        }
    }
    match (made.len(), decides) {
        (0, _) => Expr::int(!decides),
        (1, _) => made.remove(0),
        (_, true) => Expr::Any(made),
        (_, false) => Expr::All(made),
    }
}

/// Has the values that are bound outside the expression, but for the `inner` innermost, stand `by` further out.
pub(super) fn raise(expr: &mut Expr, inner: u32, by: u32) {
    if by == 0 {
        return;
    }
    if opened_parameter(expr).is_some() {
        return;
    }
    match expr {
        Expr::Bound(level) if *level >= inner => *level += by,
        Expr::Let { value, body, .. } => {
            raise(value, inner, by);
            raise(body, inner + 1, by);
        }
        expr => for_children_mut(expr, &mut |child| raise(child, inner, by)),
    }
}

/// How large an expression is that is written out.
pub(crate) fn size(expr: &Expr) -> usize {
    let mut count = 0;
    for_subexpressions(expr, &mut |_| count += 1);
    count
}

/// Whether it has a value in every state, as far as its form tells.
pub(crate) fn cannot_fail(expr: &Expr) -> bool {
    match expr {
        expr if is_known_in_instances(expr) => true,
        Expr::Const(_) | Expr::Variable(_) | Expr::Bound(_) | Expr::Choice(_) | Expr::At(..) => {
            true
        }
        Expr::Field { record, .. } => cannot_fail(record),
        // Written by this crate alone, with an index that there is.
        Expr::Cell { array, index, .. } => {
            let is_known = matches!(**index, Expr::Const(_)) || is_known_in_instances(index);
            is_known && matches!(**array, Expr::Variable(_))
        }
        Expr::Unary(stubborn_system::system::Unary::Not, operand) => cannot_fail(operand),
        Expr::Binary(operator, a, b) => {
            use stubborn_system::system::Binary::*;
            matches!(
                operator,
                Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual | BitAnd | BitOr
            ) && cannot_fail(a)
                && cannot_fail(b)
        }
        Expr::All(parts) | Expr::Any(parts) | Expr::Cells(parts) => parts.iter().all(cannot_fail),
        Expr::If(condition, a, b) => [condition, a, b].iter().all(|part| cannot_fail(part)),
        _ => false,
    }
}
