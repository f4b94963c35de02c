//! Expressions once values have been swapped.

use crate::slice::bounds::Ranges;
use crate::system::{ActionPattern, Binary, Expr, Type, Unary, Value, VariableRef};

use super::super::shapes::Shape;
use super::super::sorts::{NONE, Node};
use super::{Renaming, Row, Site, Unlike};

impl Renaming<'_> {
    /// A truth value or a number.
    pub(super) fn plain(
        &self,
        expr: &Expr,
        place: &mut Site<'_>,
        row: &mut Row,
    ) -> Result<(), Unlike> {
        self.expr(expr, &Shape::Scalar(NONE), place, row)
    }

    fn infer(&self, expr: &Expr, place: &Site<'_>) -> Option<Shape<Node>> {
        self.sorts.infer(expr, place.nodes, &place.bound)
    }

    fn own(&self, expr: &Expr, place: &Site<'_>) -> Shape<Node> {
        self.infer(expr, place).unwrap_or(Shape::Scalar(NONE))
    }

    /// Operands of which none comes before another.
    fn unordered(
        &self,
        parts: &mut dyn Iterator<Item = (&Expr, &Shape<Node>)>,
        place: &mut Site<'_>,
        row: &mut Row,
    ) -> Result<(), Unlike> {
        let mut rows = Vec::new();
        for (part, shape) in parts {
            let mut of_part = Row::new();
            self.expr(part, shape, place, &mut of_part)?;
            rows.push(of_part);
        }
        rows.sort_unstable();
        row.push(rows.len() as u64);
        for of_part in rows {
            row.push(of_part.len() as u64);
            row.extend(of_part);
        }
        Ok(())
    }

    pub(super) fn expr(
        &self,
        expr: &Expr,
        shape: &Shape<Node>,
        place: &mut Site<'_>,
        row: &mut Row,
    ) -> Result<(), Unlike> {
        let scalar = |node: Node| match shape {
            Shape::Scalar(expected) => self.agree(node, *expected),
            _ => Err(Unlike),
        };
        let none = Shape::Scalar(NONE);
        match expr {
            Expr::Const(value) => {
                row.push(1);
                self.constant(value, shape, row)
            }
            Expr::Variable(variable) => {
                self.agree_all(self.sorts.variable(*variable), shape)?;
                if let VariableRef::Local(i, v) = variable {
                    let is_blank = match &place.blank {
                        Some((own, blank)) if i == own => blank[*v as usize],
                        _ => self.blank[*i as usize].is_anywhere(*v),
                    };
                    if is_blank {
                        return Err(Unlike);
                    }
                }
                row.push(2);
                self.variable(*variable, row);
                Ok(())
            }
            Expr::Cell { array, lo, index } => {
                row.extend([3, *lo as u64]);
                match self.infer(array, place) {
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
                        if l != lo {
                            return Err(Unlike);
                        }
                        self.expr(array, &whole, place, row)?;
                        self.expr(index, &Shape::Scalar(*node), place, row)
                    }
                    Some(_) => Err(Unlike),
                    None => {
                        let len = match &**array {
                            Expr::Const(Value::Cells(cells)) => cells.len(),
                            Expr::Cells(cells) => cells.len(),
                            _ => return Err(Unlike),
                        };
                        let Shape::Scalar(node) = self.own(index, place) else {
                            return Err(Unlike);
                        };
                        let whole = Shape::Array {
                            index: node,
                            lo: *lo,
                            len: len as u32,
                            cell: Box::new(shape.clone()),
                        };
                        self.expr(array, &whole, place, row)?;
                        self.expr(index, &Shape::Scalar(node), place, row)
                    }
                }
            }
            Expr::Field { record, field } => {
                let Some(Shape::Record(fields)) = self.infer(record, place) else {
                    return Err(Unlike);
                };
                self.agree_all(fields.get(*field as usize).ok_or(Unlike)?, shape)?;
                row.extend([4, u64::from(*field)]);
                self.expr(record, &Shape::Record(fields), place, row)
            }
            Expr::Cells(cells) => {
                row.extend([5, cells.len() as u64]);
                match shape {
                    Shape::Array {
                        index, lo, cell, ..
                    } => {
                        let order = self.order(*index, *lo, cells.len())?;
                        order
                            .into_iter()
                            .try_for_each(|at| self.expr(&cells[at], cell, place, row))
                    }
                    Shape::Record(shapes) if shapes.len() == cells.len() => {
                        let mut parts = cells.iter().zip(shapes);
                        parts.try_for_each(|(cell, shape)| self.expr(cell, shape, place, row))
                    }
                    _ => Err(Unlike),
                }
            }
            Expr::Choice(k) => {
                scalar(*place.nodes.get(*k as usize).ok_or(Unlike)?)?;
                row.extend([6, u64::from(*k)]);
                Ok(())
            }
            Expr::Unary(operator, operand) => {
                scalar(NONE)?;
                let operator = match operator {
                    Unary::Not => 1,
                    Unary::Negate => 2,
                    Unary::BitNot => 3,
                };
                row.extend([7, operator]);
                self.plain(operand, place, row)
            }
            Expr::Binary(operator, left, right) => {
                scalar(NONE)?;
                row.extend([8, *operator as u64]);
                let shape = match operator {
                    Binary::Equal | Binary::NotEqual => {
                        let shape = self.infer(left, place).or_else(|| self.infer(right, place));
                        shape.unwrap_or(none)
                    }
                    _ => none,
                };
                if is_commutative(*operator) {
                    let mut both = [(&**left, &shape), (&**right, &shape)].into_iter();
                    return self.unordered(&mut both, place, row);
                }
                self.expr(left, &shape, place, row)?;
                self.expr(right, &shape, place, row)
            }
            Expr::All(parts) | Expr::Any(parts) => {
                scalar(NONE)?;
                row.push(if matches!(expr, Expr::All(_)) { 9 } else { 10 });
                // Those that may fail stay where they are among the others.
                let is_sure: Vec<bool> = parts
                    .iter()
                    .map(|part| self.cannot_fail(part, place))
                    .collect();
                let mut at = 0;
                for run in is_sure.chunk_by(|one, other| *one && *other) {
                    let of_run = &parts[at..at + run.len()];
                    at += run.len();
                    self.unordered(&mut of_run.iter().map(|part| (part, &none)), place, row)?;
                }
                row.push(u64::MAX);
                Ok(())
            }
            Expr::Count(parts) | Expr::Min(parts) | Expr::Max(parts) => {
                scalar(NONE)?;
                row.push(match expr {
                    Expr::Count(_) => 11,
                    Expr::Min(_) => 12,
                    _ => 13,
                });
                self.unordered(&mut parts.iter().map(|part| (part, &none)), place, row)
            }
            Expr::Sum(parts) => {
                scalar(NONE)?;
                row.push(14);
                let mut all = parts.iter().map(|part| (part, &none));
                // In some orders a sum may be too large on the way.
                if self.cannot_fail(expr, place) && is_small(parts, &self.ranges(place)) {
                    row.push(1);
                    return self.unordered(&mut all, place, row);
                }
                row.extend([2, parts.len() as u64]);
                all.try_for_each(|(part, shape)| self.expr(part, shape, place, row))
            }
            Expr::OneOf(first, others) => {
                scalar(NONE)?;
                row.push(15);
                let all = [&**first].into_iter().chain(others);
                let shape = all
                    .clone()
                    .find_map(|part| self.infer(part, place))
                    .unwrap_or(none);
                self.expr(first, &shape, place, row)?;
                self.unordered(&mut others.iter().map(|part| (part, &shape)), place, row)
            }
            Expr::If(condition, yes, no) => {
                row.push(16);
                self.plain(condition, place, row)?;
                self.expr(yes, shape, place, row)?;
                self.expr(no, shape, place, row)
            }
            Expr::At(instance, locations) => {
                scalar(NONE)?;
                row.extend([
                    17,
                    self.swap.instances.word(*instance),
                    locations.len() as u64,
                ]);
                row.extend(locations.iter().map(|location| u64::from(*location)));
                Ok(())
            }
            Expr::Select { lo, index, cases } => {
                let Shape::Scalar(node) = self.own(index, place) else {
                    return Err(Unlike);
                };
                row.extend([18, *lo as u64, cases.len() as u64]);
                self.expr(index, &Shape::Scalar(node), place, row)?;
                let order = self.order(node, *lo, cases.len())?;
                order
                    .into_iter()
                    .try_for_each(|at| self.expr(&cases[at], shape, place, row))
            }
            Expr::Let { value, ty, body } => {
                let own = self.own(value, place);
                row.push(19);
                self.expr(value, &own, place, row)?;
                self.ty(ty, &own, row)?;
                place.bound.insert(0, own);
                let done = self.expr(body, shape, place, row);
                place.bound.remove(0);
                done
            }
            Expr::Bound(n) => {
                let own = place.bound.get(*n as usize).ok_or(Unlike)?;
                self.agree_all(own, shape)?;
                row.extend([20, u64::from(*n)]);
                Ok(())
            }
            Expr::Length(channel) | Expr::IsEmpty(channel) | Expr::IsFull(channel) => {
                scalar(NONE)?;
                row.push(match expr {
                    Expr::Length(_) => 21,
                    Expr::IsEmpty(_) => 22,
                    _ => 23,
                });
                self.channel(channel, place, row)
            }
            Expr::Fail(_) => {
                row.push(24);
                Ok(())
            }
        }
    }

    pub(super) fn ranges<'b>(&'b self, place: &'b Site<'_>) -> Ranges<'b> {
        Ranges {
            system: self.system,
            choices: place.choices,
            known: None,
            constants: None,
        }
    }

    fn cannot_fail(&self, expr: &Expr, place: &Site<'_>) -> bool {
        self.ranges(place).cannot_fail(expr)
    }

    /// A property's expression.
    pub fn expression(&self, expr: &Expr) -> Result<Row, Unlike> {
        let mut row = Row::new();
        self.plain(expr, &mut Site::outside(), &mut row)?;
        Ok(row)
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
