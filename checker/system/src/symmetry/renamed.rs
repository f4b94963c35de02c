//! What steps and expressions are once values of a sort have been swapped, in a form in which those are equal that
//! mean the same.
//!
//! The form is a row of words. What a conjunction, a disjunction or another operator has for operands
//! whose order does not matter stands in the order of their own rows: that is so where all are evaluated
//! whatever the others are; in conjunctions and disjunctions, which stop at the first that decides, so do those that follow
//! each other and cannot fail. So do assignments to different places that follow each other, none of which may fail or reads
//! what another assigns. Why something fails is not in it.
//!
//! Renaming is right only if the sorts are: each expression is looked at with the sort that its value is
//! expected to have, and where what is found there is of another one, of which the swapped values
//! are, there is no form. So nothing depends on how sorts were found out.

use crate::footprint::{of_expression, of_place};
use crate::slice::bounds::Ranges;
use crate::system::{
    Access, ActionPattern, Argument, Binary, ChannelRef, Communication, Effect, Expr, InstanceId,
    LocationId, Onward, Place, Range, Step, System, Target, Type, Unary, Value, VariableRef,
};

use super::blank::{Blank, are_plain};
use super::shapes::Shape;
use super::sorts::{NONE, Node, Sorts};

/// Two values of a sort that take each other's places, and what moves with them.
pub struct Swap<'a> {
    /// `None` where nothing names the instances that are swapped.
    pub values: Option<(Node, i64, i64)>,
    pub instances: Moved<'a>,
    pub channels: Moved<'a>,
}

/// Where instances or channels go.
#[derive(Clone, Copy)]
pub enum Moved<'a> {
    To(&'a [u32]),
    /// Not known yet: each is told by what it is of.
    Of(&'a [u32]),
}

impl Moved<'_> {
    fn word(self, number: u32) -> u64 {
        match self {
            Moved::To(to) => u64::from(to[number as usize]),
            Moved::Of(kinds) => u64::from(kinds[number as usize]),
        }
    }
}

/// There is no form: something is not understood, or the swapped values are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unlike;

pub type Row = Vec<u64>;

/// What renames.
pub struct Renaming<'a> {
    pub system: &'a System,
    pub sorts: &'a Sorts,
    pub blank: &'a [Blank],
    pub swap: &'a Swap<'a>,
}

/// Where an expression stands.
struct Site<'a> {
    choices: &'a [Range],
    nodes: &'a [Node],
    /// What the enclosing lets have bound, the innermost first.
    bound: Vec<Shape<Node>>,
    /// Whose step it is, and which of its variables name nobody.
    blank: Option<(InstanceId, Vec<bool>)>,
}

impl Site<'_> {
    fn outside<'a>() -> Site<'a> {
        Site {
            choices: &[],
            nodes: &[],
            bound: Vec::new(),
            blank: None,
        }
    }
}

impl Renaming<'_> {
    /// The number of the instance that this one becomes.
    pub fn image(&self, instance: InstanceId) -> u64 {
        self.swap.instances.word(instance)
    }

    fn is_swapped(&self, node: Node) -> bool {
        (self.swap.values).is_some_and(|(sort, ..)| self.sorts.root(node) == sort)
    }

    /// What becomes of a value of a sort.
    fn value(&self, node: Node, value: i64) -> i64 {
        match self.swap.values {
            Some((sort, a, b)) if self.sorts.root(node) == sort => match value {
                v if v == a => b,
                v if v == b => a,
                v => v,
            },
            _ => value,
        }
    }

    /// The range has both of the swapped values or neither.
    pub fn is_closed(&self, node: Node, lo: i64, hi: i64) -> Result<(), Unlike> {
        match self.swap.values {
            Some((sort, a, b)) if self.sorts.root(node) == sort => {
                let has = |value| lo <= value && value <= hi;
                if has(a) == has(b) {
                    Ok(())
                } else {
                    Err(Unlike)
                }
            }
            _ => Ok(()),
        }
    }

    /// What is of one sort is not used as what is of another.
    fn agree(&self, one: Node, other: Node) -> Result<(), Unlike> {
        if self.is_swapped(one) == self.is_swapped(other) {
            Ok(())
        } else {
            Err(Unlike)
        }
    }

    fn agree_all(&self, one: &Shape<Node>, other: &Shape<Node>) -> Result<(), Unlike> {
        match (one, other) {
            (Shape::Scalar(a), Shape::Scalar(b)) => self.agree(*a, *b),
            (
                Shape::Array {
                    index: a,
                    lo,
                    len,
                    cell: one,
                },
                Shape::Array {
                    index: b,
                    lo: l,
                    len: m,
                    cell: other,
                },
            ) => {
                self.agree(*a, *b)?;
                if self.is_swapped(*a) && (lo, len) != (l, m) {
                    return Err(Unlike);
                }
                self.agree_all(one, other)
            }
            (Shape::Record(one), Shape::Record(other)) if one.len() == other.len() => one
                .iter()
                .zip(other)
                .try_for_each(|(one, other)| self.agree_all(one, other)),
            _ => Err(Unlike),
        }
    }

    /// The sorts of a type, whose ranges must have both values or neither.
    pub fn ty(&self, ty: &Type, shape: &Shape<Node>, row: &mut Row) -> Result<(), Unlike> {
        match (ty, shape) {
            (Type::Scalar { lo, hi }, Shape::Scalar(node)) => {
                self.is_closed(*node, *lo, *hi)?;
                row.extend([1, *lo as u64, *hi as u64]);
                Ok(())
            }
            (
                Type::Array { lo, len, cell },
                Shape::Array {
                    index, cell: shape, ..
                },
            ) => {
                self.is_closed(*index, *lo, lo + i64::from(*len) - 1)?;
                row.extend([2, *lo as u64, u64::from(*len)]);
                self.ty(cell, shape, row)
            }
            (Type::Record(fields), Shape::Record(shapes)) => {
                row.extend([3, fields.len() as u64]);
                fields
                    .iter()
                    .zip(shapes)
                    .try_for_each(|(ty, shape)| self.ty(ty, shape, row))
            }
            _ => Err(Unlike),
        }
    }

    /// In the order of the cells of an array that is moved, which of them comes.
    fn order(&self, index: Node, lo: i64, len: usize) -> Result<Vec<usize>, Unlike> {
        self.is_closed(index, lo, lo + len as i64 - 1)?;
        Ok((0..len)
            .map(|at| (self.value(index, lo + at as i64) - lo) as usize)
            .collect())
    }

    fn constant(&self, value: &Value, shape: &Shape<Node>, row: &mut Row) -> Result<(), Unlike> {
        match (value, shape) {
            (Value::Int(value), Shape::Scalar(node)) => {
                row.extend([1, self.value(*node, *value) as u64]);
                Ok(())
            }
            (
                Value::Cells(cells),
                Shape::Array {
                    index, lo, cell, ..
                },
            ) => {
                row.extend([2, cells.len() as u64]);
                let order = self.order(*index, *lo, cells.len())?;
                order
                    .into_iter()
                    .try_for_each(|at| self.constant(&cells[at], cell, row))
            }
            (Value::Cells(cells), Shape::Record(shapes)) if cells.len() == shapes.len() => {
                row.extend([2, cells.len() as u64]);
                cells
                    .iter()
                    .zip(shapes)
                    .try_for_each(|(cell, shape)| self.constant(cell, shape, row))
            }
            _ => Err(Unlike),
        }
    }

    fn variable(&self, variable: VariableRef, row: &mut Row) {
        match variable {
            VariableRef::Shared(v) => row.extend([1, u64::from(v)]),
            VariableRef::Local(i, v) => row.extend([2, self.swap.instances.word(i), u64::from(v)]),
        }
    }

    fn channel(
        &self,
        channel: &ChannelRef,
        place: &mut Site<'_>,
        row: &mut Row,
    ) -> Result<(), Unlike> {
        match channel {
            ChannelRef::One(id) => {
                row.extend([1, self.swap.channels.word(*id)]);
                Ok(())
            }
            ChannelRef::Indexed {
                first,
                lo,
                len,
                index,
            } => {
                let node = self.sorts.channel_index(*first);
                self.is_closed(node, *lo, lo + i64::from(*len) - 1)?;
                if let Moved::To(to) = self.swap.channels {
                    for at in 0..*len {
                        let image = (self.value(node, lo + i64::from(at)) - lo) as u32;
                        if to[(first + at) as usize] != first + image {
                            return Err(Unlike);
                        }
                    }
                }
                row.extend([2, u64::from(*first), *lo as u64, u64::from(*len)]);
                self.expr(index, &Shape::Scalar(node), place, row)
            }
        }
    }

    /// The nodes of the parts of a channel's messages.
    fn parts(&self, channel: &ChannelRef) -> Result<&[Node], Unlike> {
        let (first, len) = match channel {
            ChannelRef::One(id) => (*id, 1),
            ChannelRef::Indexed { first, len, .. } => (*first, *len),
        };
        let parts = &self.sorts.messages[first as usize];
        for other in first..first + len {
            let others = &self.sorts.messages[other as usize];
            if others.len() != parts.len() {
                return Err(Unlike);
            }
            parts
                .iter()
                .zip(others)
                .try_for_each(|(a, b)| self.agree(*a, *b))?;
        }
        Ok(parts)
    }

    /// A truth value or a number.
    fn plain(&self, expr: &Expr, place: &mut Site<'_>, row: &mut Row) -> Result<(), Unlike> {
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

    fn expr(
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

    fn ranges<'b>(&'b self, place: &'b Site<'_>) -> Ranges<'b> {
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
        for (value, node) in super::sorts::arguments(self.sorts, pattern) {
            match value {
                Some(value) => row.extend([1, self.value(node, value) as u64]),
                None => row.push(2),
            }
        }
        row
    }

    /// An instance's step, taken from a location.
    pub fn step(
        &self,
        instance: InstanceId,
        from: LocationId,
        at: usize,
        step: &Step,
    ) -> Result<Row, Unlike> {
        let locals = self.system.instances[instance as usize].locals.len() as u32;
        let is_blank = |at: LocationId, v: u32| self.blank[instance as usize].is(at, v);
        let mut place = Site {
            choices: &step.choices,
            nodes: &self.sorts.choices[instance as usize][at],
            bound: Vec::new(),
            blank: Some((instance, (0..locals).map(|v| is_blank(from, v)).collect())),
        };
        let place = &mut place;
        let mut row = Row::new();
        row.push(step.choices.len() as u64);
        for (range, node) in step.choices.iter().zip(place.nodes) {
            self.is_closed(*node, range.lo, range.hi)?;
            row.extend([range.lo as u64, range.hi as u64]);
        }
        match &step.communication {
            None => row.push(1),
            Some(Communication::On { action, arguments }) => {
                row.extend([2, u64::from(*action)]);
                self.arguments(
                    arguments,
                    &self.sorts.actions[*action as usize],
                    place,
                    &mut row,
                )?;
            }
            Some(Communication::Send { channel, values }) => {
                row.push(3);
                // The guard of a `send` comes before all that it sends.
                self.sent(channel, values, place, &mut row)?;
            }
            Some(Communication::Receive {
                channel, arguments, ..
            }) => {
                row.push(4);
                self.channel(channel, place, &mut row)?;
                self.arguments(arguments, self.parts(channel)?, place, &mut row)?;
            }
        }
        row.push(u64::from(step.guard.is_some()));
        if let Some(guard) = &step.guard {
            self.plain(guard, place, &mut row)?;
        }
        row.push(u64::from(step.onward().is_some()));
        if let Some(Onward { channel, values }) = step.onward() {
            self.sent(channel, values, place, &mut row)?;
        }
        match &step.target {
            Target::To(to) => row.extend([1, u64::from(*to)]),
            Target::Test {
                condition,
                then,
                otherwise,
            } => {
                row.extend([2, u64::from(*then), u64::from(*otherwise)]);
                self.plain(condition, place, &mut row)?;
            }
        }
        self.effects_of(instance, step, place, &mut row)?;
        Ok(row)
    }

    fn sent(
        &self,
        channel: &ChannelRef,
        values: &[Expr],
        place: &mut Site<'_>,
        row: &mut Row,
    ) -> Result<(), Unlike> {
        self.channel(channel, place, row)?;
        for (value, node) in values.iter().zip(self.parts(channel)?) {
            self.expr(value, &Shape::Scalar(*node), place, row)?;
        }
        Ok(())
    }

    fn arguments(
        &self,
        arguments: &[Argument],
        nodes: &[Node],
        place: &mut Site<'_>,
        row: &mut Row,
    ) -> Result<(), Unlike> {
        row.push(arguments.len() as u64);
        let mut bound = Vec::new();
        for (argument, node) in arguments.iter().zip(nodes) {
            match argument {
                Argument::Match(expr) => {
                    row.push(1);
                    self.expr(expr, &Shape::Scalar(*node), place, row)?;
                }
                Argument::Bind(to) => {
                    row.push(2);
                    let part = self.place(to, place, row)?;
                    self.agree_all(&part, &Shape::Scalar(*node))?;
                    self.ty(&to.ty, &part, row)?;
                    bound.push(to);
                }
                Argument::Skip => row.push(3),
            }
        }
        // What is received is assigned once all indices are evaluated.
        bound.into_iter().try_for_each(|to| assigned(to, place))
    }

    /// A place, and the shape of what it is.
    fn place(
        &self,
        to: &Place,
        place: &mut Site<'_>,
        row: &mut Row,
    ) -> Result<Shape<Node>, Unlike> {
        self.variable(to.variable, row);
        row.push(to.path.len() as u64);
        let mut shape = self.sorts.variable(to.variable).clone();
        for access in &to.path {
            shape = match (access, shape) {
                (Access::Field(field), Shape::Record(mut fields)) => {
                    row.extend([1, u64::from(*field)]);
                    let field = *field as usize;
                    if field >= fields.len() {
                        return Err(Unlike);
                    }
                    fields.swap_remove(field)
                }
                (
                    Access::Cell {
                        lo,
                        len,
                        index: expr,
                    },
                    Shape::Array {
                        index,
                        lo: l,
                        len: m,
                        cell,
                    },
                ) => {
                    if (*lo, *len) != (l, m) {
                        return Err(Unlike);
                    }
                    row.extend([2, *lo as u64, u64::from(*len)]);
                    self.expr(expr, &Shape::Scalar(index), place, row)?;
                    *cell
                }
                _ => return Err(Unlike),
            };
        }
        Ok(shape)
    }

    fn assign(&self, effect: &Effect, place: &mut Site<'_>) -> Result<Row, Unlike> {
        let Effect::Assign {
            place: to,
            ty,
            value,
        } = effect
        else {
            return Err(Unlike);
        };
        let own = place.blank.as_ref().map(|(own, _)| *own);
        if matches!(to.variable, VariableRef::Local(i, _) if Some(i) != own) {
            return Err(Unlike);
        }
        let mut row = vec![1];
        let shape = self.place(to, place, &mut row)?;
        self.ty(ty, &shape, &mut row)?;
        self.ty(&to.ty, &shape, &mut row)?;
        self.expr(value, &shape, place, &mut row)?;
        Ok(row)
    }

    /// The effects of a step, and whether what is blank where it leads is what has its first value.
    fn effects_of(
        &self,
        instance: InstanceId,
        step: &Step,
        place: &mut Site<'_>,
        row: &mut Row,
    ) -> Result<(), Unlike> {
        let targets: Vec<LocationId> = step.target.locations().collect();
        let is_blank = |at: LocationId, v: u32| self.blank[instance as usize].is(at, v);
        let everywhere = |v: u32| targets.iter().all(|to| is_blank(*to, v));
        let ends_right = |place: &Site<'_>, target: LocationId| {
            let Some((_, blank)) = &place.blank else {
                return Ok(());
            };
            let mut all = (0..).zip(blank);
            if all.all(|(v, now)| is_blank(target, v) == *now) {
                Ok(())
            } else {
                Err(Unlike)
            }
        };
        if let (
            Some((last, before)),
            Target::Test {
                condition,
                then,
                otherwise,
            },
        ) = (step.effects.split_last(), &step.target)
            && let Effect::If {
                condition: asked,
                then: first,
                otherwise: second,
            } = last
            && condition == asked
            && are_plain(first)
            && are_plain(second)
        {
            self.effects(instance, before, &everywhere, place, row)?;
            row.push(9);
            // It says once more what the test asks, in the state before; nothing that the effects before it
            // change may be asked.
            self.plain(asked, place, row)?;
            for (effects, target) in [(first, *then), (second, *otherwise)] {
                let kept = place.blank.clone();
                self.effects(instance, effects, &|v| is_blank(target, v), place, row)?;
                ends_right(place, target)?;
                place.blank = kept;
            }
            return Ok(());
        }
        self.effects(instance, &step.effects, &everywhere, place, row)?;
        targets.iter().try_for_each(|to| ends_right(place, *to))
    }

    fn effects(
        &self,
        instance: InstanceId,
        effects: &[Effect],
        is_blank: &dyn Fn(u32) -> bool,
        place: &mut Site<'_>,
        row: &mut Row,
    ) -> Result<(), Unlike> {
        row.push(effects.len() as u64);
        let mut at = 0;
        while at < effects.len() {
            let run = self.independent(&effects[at..], place);
            let mut rows = Vec::new();
            for effect in &effects[at..at + run.max(1)] {
                rows.push(self.effect(instance, effect, is_blank, place)?);
            }
            if run > 1 {
                rows.sort_unstable();
            }
            for of_effect in rows {
                row.push(of_effect.len() as u64);
                row.extend(of_effect);
            }
            at += run.max(1);
        }
        Ok(())
    }

    fn effect(
        &self,
        instance: InstanceId,
        effect: &Effect,
        is_blank: &dyn Fn(u32) -> bool,
        place: &mut Site<'_>,
    ) -> Result<Row, Unlike> {
        match effect {
            Effect::Assign {
                place: to,
                value,
                ty,
            } => {
                if let (VariableRef::Local(i, v), Expr::Const(first)) = (to.variable, value)
                    && i == instance
                    && to.path.is_empty()
                    && *first == self.system.instances[i as usize].locals[v as usize].initial
                    && is_blank(v)
                    && let Some((_, blank)) = &mut place.blank
                {
                    // It names nobody: it is what it is.
                    blank[v as usize] = true;
                    let mut row = vec![2];
                    self.variable(to.variable, &mut row);
                    let shape = self.sorts.variable(to.variable);
                    self.ty(ty, shape, &mut row)?;
                    self.kept(first, shape, &mut row)?;
                    return Ok(row);
                }
                let row = self.assign(effect, place)?;
                assigned(to, place)?;
                Ok(row)
            }
            Effect::If {
                condition,
                then,
                otherwise,
            } => {
                let mut row = vec![3];
                self.plain(condition, place, &mut row)?;
                let before = place.blank.clone();
                self.effects(instance, then, &|_| false, place, &mut row)?;
                let after = std::mem::replace(&mut place.blank, before);
                self.effects(instance, otherwise, &|_| false, place, &mut row)?;
                if place.blank != after {
                    return Err(Unlike);
                }
                Ok(row)
            }
            Effect::Assert(condition) => {
                let mut row = vec![4];
                self.plain(condition, place, &mut row)?;
                Ok(row)
            }
        }
    }

    /// A value of which cells are moved, but no scalar is renamed.
    fn kept(&self, value: &Value, shape: &Shape<Node>, row: &mut Row) -> Result<(), Unlike> {
        match (value, shape) {
            (Value::Int(value), Shape::Scalar(_)) => {
                row.extend([1, *value as u64]);
                Ok(())
            }
            (
                Value::Cells(cells),
                Shape::Array {
                    index, lo, cell, ..
                },
            ) => {
                row.extend([2, cells.len() as u64]);
                let order = self.order(*index, *lo, cells.len())?;
                order
                    .into_iter()
                    .try_for_each(|at| self.kept(&cells[at], cell, row))
            }
            (Value::Cells(cells), Shape::Record(shapes)) if cells.len() == shapes.len() => {
                row.extend([2, cells.len() as u64]);
                cells
                    .iter()
                    .zip(shapes)
                    .try_for_each(|(cell, shape)| self.kept(cell, shape, row))
            }
            _ => Err(Unlike),
        }
    }

    /// How many of the effects, from the first on, are assignments that may come in any order.
    fn independent(&self, effects: &[Effect], place: &Site<'_>) -> usize {
        let ranges = self.ranges(place);
        let mut writes = Vec::new();
        let mut reads = Vec::new();
        for (nth, effect) in effects.iter().enumerate() {
            let Effect::Assign {
                place: to,
                ty,
                value,
            } = effect
            else {
                return nth;
            };
            let is_sure = ranges.is_sure(to)
                && ranges
                    .of(value)
                    .is_some_and(|bounds| bounds.are_in(ty) && bounds.are_in(&to.ty));
            let write = of_place(to);
            let mut read = Vec::new();
            of_expression(value, &mut |touch| read.push(touch));
            crate::walk::for_indices(to, &mut |index| {
                of_expression(index, &mut |touch| read.push(touch))
            });
            let is_apart = !writes.iter().any(|other| write.meets(other))
                && !reads.iter().any(|other| write.meets(other))
                && !read
                    .iter()
                    .any(|one| writes.iter().any(|other| one.meets(other)));
            if !is_sure || !is_apart {
                return nth;
            }
            writes.push(write);
            reads.extend(read);
        }
        effects.len()
    }
}

/// What is assigned to as a whole names somebody again.
fn assigned(to: &Place, place: &mut Site<'_>) -> Result<(), Unlike> {
    if let (VariableRef::Local(i, v), Some((own, blank))) = (to.variable, &mut place.blank)
        && i == *own
    {
        let blank = &mut blank[v as usize];
        if *blank && !to.path.is_empty() {
            return Err(Unlike);
        }
        *blank = false;
    }
    Ok(())
}

fn is_commutative(operator: Binary) -> bool {
    operator.mirrored() == Some(operator)
}

/// The sum of any of these is far from being too large.
fn is_small(parts: &[Expr], ranges: &Ranges<'_>) -> bool {
    let most = i64::MAX / (parts.len() as i64 + 1);
    parts.iter().all(|part| {
        let within = Type::Scalar {
            lo: -most,
            hi: most,
        };
        ranges.of(part).is_some_and(|bounds| bounds.are_in(&within))
    })
}
