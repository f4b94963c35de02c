//! Expressions once values have been swapped.

use crate::slice::bounds::Ranges;
use crate::system::{ActionPattern, Binary, Expr, Type, Unary, Value, VariableRef};

use super::super::shapes::Shape;
use super::super::sorts::walk::of_bound;
use super::super::sorts::{NONE, Node};
use super::{Renaming, Row, Site, Unlike, Written, ensure};

impl Renaming<'_> {
    /// A truth value or a number.
    pub(super) fn plain(&self, expr: &Expr, site: &mut Site<'_>) -> Written {
        self.expr(expr, &Shape::Scalar(NONE), site)
    }

    fn infer(&self, expr: &Expr, site: &Site<'_>) -> Option<Shape<Node>> {
        self.sorts.infer(expr, site.nodes, &site.bound)
    }

    fn own(&self, expr: &Expr, site: &Site<'_>) -> Shape<Node> {
        self.infer(expr, site).unwrap_or(Shape::Scalar(NONE))
    }

    /// Operands of which none comes before another.
    fn unordered(
        &self,
        parts: &mut dyn Iterator<Item = (&Expr, &Shape<Node>)>,
        site: &mut Site<'_>,
    ) -> Written {
        let mut rows = Vec::new();
        for (part, shape) in parts {
            rows.push(site.apart(|site| self.expr(part, shape, site))?);
        }
        rows.sort_unstable();
        site.row.push(rows.len() as u64);
        site.add(rows);
        Ok(())
    }

    pub(super) fn expr(&self, expr: &Expr, shape: &Shape<Node>, site: &mut Site<'_>) -> Written {
        let scalar = |node: Node| match shape {
            Shape::Scalar(expected) => self.agree(node, *expected),
            _ => Err(Unlike),
        };
        let none = Shape::Scalar(NONE);
        match expr {
            Expr::Const(value) => {
                site.row.push(1);
                self.constant(value, shape, &mut site.row)
            }
            Expr::Variable(variable) => {
                self.agree_all(self.sorts.variable(*variable), shape)?;
                if let VariableRef::Local(i, v) = variable {
                    let is_blank = match &site.blank {
                        Some((own, blank)) if i == own => blank[*v as usize],
                        _ => self.blank[*i as usize].is_anywhere(*v),
                    };
                    ensure(!is_blank)?;
                }
                site.row.push(2);
                self.variable(*variable, &mut site.row);
                Ok(())
            }
            Expr::Cell { array, lo, index } => {
                site.row.extend([3, *lo as u64]);
                match self.infer(array, site) {
                    Some(whole @ Shape::Array { .. }) => {
                        let Shape::Array {
                            index: node,
                            lo: l,
                            cell,
                            ..
                        } = &whole
                        else {
                            return Err(Unlike);
                        };
                        self.agree_all(cell, shape)?;
                        ensure(l == lo)?;
                        self.expr(array, &whole, site)?;
                        self.expr(index, &Shape::Scalar(*node), site)
                    }
                    Some(_) => Err(Unlike),
                    None => {
                        let len = match &**array {
                            Expr::Const(Value::Cells(cells)) => cells.len(),
                            Expr::Cells(cells) => cells.len(),
                            _ => return Err(Unlike),
                        };
                        let Shape::Scalar(node) = self.own(index, site) else {
                            return Err(Unlike);
                        };
                        let whole = Shape::Array {
                            index: node,
                            lo: *lo,
                            len: len as u32,
                            cell: Box::new(shape.clone()),
                        };
                        self.expr(array, &whole, site)?;
                        self.expr(index, &Shape::Scalar(node), site)
                    }
                }
            }
            Expr::Field { record, field } => {
                let Some(Shape::Record(fields)) = self.infer(record, site) else {
                    return Err(Unlike);
                };
                self.agree_all(fields.get(*field as usize).ok_or(Unlike)?, shape)?;
                site.row.extend([4, u64::from(*field)]);
                self.expr(record, &Shape::Record(fields), site)
            }
            Expr::Cells(cells) => {
                site.row.extend([5, cells.len() as u64]);
                match shape {
                    Shape::Array {
                        index, lo, cell, ..
                    } => {
                        let order = self.order(*index, *lo, cells.len())?;
                        order
                            .into_iter()
                            .try_for_each(|at| self.expr(&cells[at], cell, site))
                    }
                    Shape::Record(shapes) if shapes.len() == cells.len() => {
                        let mut parts = cells.iter().zip(shapes);
                        parts.try_for_each(|(cell, shape)| self.expr(cell, shape, site))
                    }
                    _ => Err(Unlike),
                }
            }
            Expr::Choice(k) => {
                scalar(*site.nodes.get(*k as usize).ok_or(Unlike)?)?;
                site.row.extend([6, u64::from(*k)]);
                Ok(())
            }
            Expr::Unary(operator, operand) => {
                scalar(NONE)?;
                let operator = match operator {
                    Unary::Not => 1,
                    Unary::Negate => 2,
                    Unary::BitNot => 3,
                };
                site.row.extend([7, operator]);
                self.plain(operand, site)
            }
            Expr::Binary(operator, left, right)
                if let Some((value, bound)) = of_bound(*operator, left, right) =>
            {
                scalar(NONE)?;
                let own = self.own(value, site);
                let Shape::Scalar(node) = own else {
                    return Err(Unlike);
                };
                let is_left = std::ptr::eq(value, &**left);
                self.is_bounded(node, (*operator, is_left), bound)?;
                site.row.extend([25, *operator as u64, u64::from(is_left)]);
                self.expr(value, &own, site)?;
                self.plain(bound, site)
            }
            Expr::Binary(operator, left, right) => {
                scalar(NONE)?;
                site.row.extend([8, *operator as u64]);
                let shape = match operator {
                    Binary::Equal | Binary::NotEqual => {
                        let shape = self.infer(left, site).or_else(|| self.infer(right, site));
                        shape.unwrap_or(none)
                    }
                    _ => none,
                };
                if is_commutative(*operator) {
                    let mut both = [(&**left, &shape), (&**right, &shape)].into_iter();
                    return self.unordered(&mut both, site);
                }
                self.expr(left, &shape, site)?;
                self.expr(right, &shape, site)
            }
            Expr::All(parts) | Expr::Any(parts) => {
                scalar(NONE)?;
                site.row
                    .push(if matches!(expr, Expr::All(_)) { 9 } else { 10 });
                // Those that may fail stay where they are among the others.
                let is_sure: Vec<bool> = parts
                    .iter()
                    .map(|part| self.cannot_fail(part, site))
                    .collect();
                let mut at = 0;
                for run in is_sure.chunk_by(|one, other| *one && *other) {
                    let of_run = &parts[at..at + run.len()];
                    at += run.len();
                    self.unordered(&mut of_run.iter().map(|part| (part, &none)), site)?;
                }
                site.row.push(u64::MAX);
                Ok(())
            }
            Expr::Count(parts) | Expr::Min(parts) | Expr::Max(parts) => {
                scalar(NONE)?;
                site.row.push(match expr {
                    Expr::Count(_) => 11,
                    Expr::Min(_) => 12,
                    _ => 13,
                });
                self.unordered(&mut parts.iter().map(|part| (part, &none)), site)
            }
            Expr::Sum(parts) => {
                scalar(NONE)?;
                site.row.push(14);
                let mut all = parts.iter().map(|part| (part, &none));
                // In some orders a sum may be too large on the way.
                if self.cannot_fail(expr, site) && is_small(parts, &self.ranges(site)) {
                    site.row.push(1);
                    return self.unordered(&mut all, site);
                }
                site.row.extend([2, parts.len() as u64]);
                all.try_for_each(|(part, shape)| self.expr(part, shape, site))
            }
            Expr::OneOf(first, others) => {
                scalar(NONE)?;
                site.row.push(15);
                let all = [&**first].into_iter().chain(others);
                let shape = all
                    .clone()
                    .find_map(|part| self.infer(part, site))
                    .unwrap_or(none);
                self.expr(first, &shape, site)?;
                self.unordered(&mut others.iter().map(|part| (part, &shape)), site)
            }
            Expr::If(condition, yes, no) => {
                site.row.push(16);
                self.plain(condition, site)?;
                self.expr(yes, shape, site)?;
                self.expr(no, shape, site)
            }
            Expr::At(instance, locations) => {
                scalar(NONE)?;
                site.row.extend([
                    17,
                    self.swap.instances.word(*instance),
                    locations.len() as u64,
                ]);
                site.row
                    .extend(locations.iter().map(|location| u64::from(*location)));
                Ok(())
            }
            Expr::Select { lo, index, cases } => {
                let Shape::Scalar(node) = self.own(index, site) else {
                    return Err(Unlike);
                };
                site.row.extend([18, *lo as u64, cases.len() as u64]);
                self.expr(index, &Shape::Scalar(node), site)?;
                let order = self.order(node, *lo, cases.len())?;
                order
                    .into_iter()
                    .try_for_each(|at| self.expr(&cases[at], shape, site))
            }
            Expr::Let { value, ty, body } => {
                let own = self.own(value, site);
                site.row.push(19);
                self.expr(value, &own, site)?;
                self.ty(ty, &own, &mut site.row)?;
                site.bound.insert(0, own);
                let done = self.expr(body, shape, site);
                site.bound.remove(0);
                done
            }
            Expr::Bound(n) => {
                let own = site.bound.get(*n as usize).ok_or(Unlike)?;
                self.agree_all(own, shape)?;
                site.row.extend([20, u64::from(*n)]);
                Ok(())
            }
            Expr::Length(channel) | Expr::IsEmpty(channel) | Expr::IsFull(channel) => {
                scalar(NONE)?;
                site.row.push(match expr {
                    Expr::Length(_) => 21,
                    Expr::IsEmpty(_) => 22,
                    _ => 23,
                });
                self.channel(channel, site)
            }
            Expr::Fail(_) => {
                site.row.push(24);
                Ok(())
            }
        }
    }

    /// The comparison with a constant is true of both of the swapped values or of neither.
    fn is_bounded(&self, node: Node, (operator, is_left): (Binary, bool), bound: &Expr) -> Written {
        let (Some((_, a, b)), Expr::Const(Value::Int(bound))) = (self.swap.values, bound) else {
            return Ok(());
        };
        let is_true = |value: i64| {
            let (one, other) = if is_left {
                (value, *bound)
            } else {
                (*bound, value)
            };
            match operator {
                Binary::Less => one < other,
                Binary::LessOrEqual => one <= other,
                Binary::Greater => one > other,
                _ => one >= other,
            }
        };
        ensure(!self.is_swapped(node) || is_true(a) == is_true(b))
    }

    pub(super) fn ranges<'b>(&'b self, site: &'b Site<'_>) -> Ranges<'b> {
        Ranges::of_types(self.system, site.choices)
    }

    fn cannot_fail(&self, expr: &Expr, site: &Site<'_>) -> bool {
        self.ranges(site).cannot_fail(expr)
    }

    /// A property's expression.
    pub fn expression(&self, expr: &Expr) -> Result<Row, Unlike> {
        Site::outside().apart(|site| self.plain(expr, site))
    }

    pub fn pattern(&self, pattern: &ActionPattern) -> Row {
        let mut row = vec![u64::from(pattern.action)];
        for (value, node) in super::super::sorts::arguments(self.sorts, pattern) {
            match value {
                Some(value) => row.extend([1, self.value(node, value) as u64]),
                None => row.push(2),
            }
        }
        row
    }
}

fn is_commutative(operator: Binary) -> bool {
    operator.mirrored() == Some(operator)
}

/// The sum of any of these is far from being too large.
fn is_small(parts: &[Expr], ranges: &Ranges<'_>) -> bool {
    let most = i64::MAX / (parts.len() as i64 + 1);
    parts.iter().all(|part| {
        let within = Type::scalar(-most, most);
        ranges.of(part).is_some_and(|bounds| bounds.are_in(&within))
    })
}
