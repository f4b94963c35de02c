//! Steps once values have been swapped: what they ask for, what they do, and where they lead.

use crate::footprint::{of_expression, of_place};
use crate::system::{
    Access, Argument, ChannelRef, Communication, Effect, Expr, InstanceId, LocationId, Onward,
    Place, Step, Target, VariableRef,
};

use super::super::blank::are_plain;
use super::super::shapes::Shape;
use super::super::sorts::Node;
use super::{Renaming, Row, Site, Unlike};

impl Renaming<'_> {
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
            Some(Communication::Receive(channel, arguments, _)) => {
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
            Target::Test(condition, then, otherwise) => {
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
        if let (Some((last, before)), Target::Test(condition, then, otherwise)) =
            (step.effects.split_last(), &step.target)
            && let Effect::If(asked, first, second) = last
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
                    // Its cells are moved, and no scalar is renamed: it names nobody.
                    self.cells(first, shape, &|_, value| value, &mut row)?;
                    return Ok(row);
                }
                let row = self.assign(effect, place)?;
                assigned(to, place)?;
                Ok(row)
            }
            Effect::If(condition, then, otherwise) => {
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
