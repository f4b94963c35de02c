//! Steps once values have been swapped: what they ask for, what they do, and where they lead.

use crate::footprint::{Touch, of_effects};
use crate::system::{
    Access, Argument, ChannelRef, Communication, Effect, Expr, InstanceId, LocationId, Onward,
    Place, Step, Target, VariableRef,
};

use super::super::blank::are_plain;
use super::super::shapes::Shape;
use super::super::sorts::Node;
use super::{Renaming, Row, Site, Unlike, Written, ensure};

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
        let mut site = Site {
            choices: &step.choices,
            nodes: &self.sorts.choices[instance as usize][at],
            bound: Vec::new(),
            blank: Some((instance, (0..locals).map(|v| is_blank(from, v)).collect())),
            row: Row::new(),
        };
        self.write_step(instance, step, &mut site)?;
        Ok(site.row)
    }

    fn write_step(&self, instance: InstanceId, step: &Step, site: &mut Site<'_>) -> Written {
        site.row.push(step.choices.len() as u64);
        for (range, node) in step.choices.iter().zip(site.nodes) {
            self.is_closed(*node, range.lo, range.hi)?;
            site.row.extend([range.lo as u64, range.hi as u64]);
        }
        match &step.communication {
            None => site.row.push(1),
            Some(Communication::On { action, arguments }) => {
                site.row.extend([2, u64::from(*action)]);
                self.arguments(arguments, &self.sorts.actions[*action as usize], site)?;
            }
            Some(Communication::Send { channel, values }) => {
                site.row.push(3);
                // The guard of a `send` comes before all that it sends.
                self.sent(channel, values, site)?;
            }
            Some(Communication::Receive(channel, arguments, _)) => {
                site.row.push(4);
                self.channel(channel, site)?;
                self.arguments(arguments, self.parts(channel)?, site)?;
            }
        }
        site.row.push(u64::from(step.guard.is_some()));
        if let Some(guard) = &step.guard {
            self.plain(guard, site)?;
        }
        site.row.push(u64::from(step.onward().is_some()));
        if let Some(Onward { channel, values }) = step.onward() {
            self.sent(channel, values, site)?;
        }
        match &step.target {
            Target::To(to) => site.row.extend([1, u64::from(*to)]),
            Target::Test(condition, then, otherwise) => {
                site.row
                    .extend([2, u64::from(*then), u64::from(*otherwise)]);
                self.plain(condition, site)?;
            }
        }
        self.effects_of(instance, step, site)
    }

    fn sent(&self, channel: &ChannelRef, values: &[Expr], site: &mut Site<'_>) -> Written {
        self.channel(channel, site)?;
        for (value, node) in values.iter().zip(self.parts(channel)?) {
            self.expr(value, &Shape::Scalar(*node), site)?;
        }
        Ok(())
    }

    fn arguments(&self, arguments: &[Argument], nodes: &[Node], site: &mut Site<'_>) -> Written {
        site.row.push(arguments.len() as u64);
        let mut bound = Vec::new();
        for (argument, node) in arguments.iter().zip(nodes) {
            match argument {
                Argument::Match(expr) => {
                    site.row.push(1);
                    self.expr(expr, &Shape::Scalar(*node), site)?;
                }
                Argument::Bind(to) => {
                    site.row.push(2);
                    let part = self.place(to, site)?;
                    self.agree_all(&part, &Shape::Scalar(*node))?;
                    self.ty(&to.ty, &part, &mut site.row)?;
                    bound.push(to);
                }
                Argument::Skip => site.row.push(3),
            }
        }
        // What is received is assigned once all indices are evaluated.
        bound.into_iter().try_for_each(|to| assigned(to, site))
    }

    /// A place, and the shape of what it is.
    fn place(&self, to: &Place, site: &mut Site<'_>) -> Result<Shape<Node>, Unlike> {
        self.variable(to.variable, &mut site.row);
        site.row.push(to.path.len() as u64);
        let mut shape = self.sorts.variable(to.variable).clone();
        for access in &to.path {
            shape = match (access, shape) {
                (Access::Field(field), Shape::Record(mut fields)) => {
                    site.row.extend([1, u64::from(*field)]);
                    let field = *field as usize;
                    ensure(field < fields.len())?;
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
                    ensure((*lo, *len) == (l, m))?;
                    site.row.extend([2, *lo as u64, u64::from(*len)]);
                    self.expr(expr, &Shape::Scalar(index), site)?;
                    *cell
                }
                _ => return Err(Unlike),
            };
        }
        Ok(shape)
    }

    /// The effects of a step, and whether what is blank where it leads is what has its first value.
    fn effects_of(&self, instance: InstanceId, step: &Step, site: &mut Site<'_>) -> Written {
        let targets: Vec<LocationId> = step.target.locations().collect();
        let is_blank = |at: LocationId, v: u32| self.blank[instance as usize].is(at, v);
        let everywhere = |v: u32| targets.iter().all(|to| is_blank(*to, v));
        let ends_right = |site: &Site<'_>, target: LocationId| {
            let Some((_, blank)) = &site.blank else {
                return Ok(());
            };
            let mut all = (0..).zip(blank);
            ensure(all.all(|(v, now)| is_blank(target, v) == *now))
        };
        if let (Some((last, before)), Target::Test(condition, then, otherwise)) =
            (step.effects.split_last(), &step.target)
            && let Effect::If(asked, first, second) = last
            && condition == asked
            && are_plain(first)
            && are_plain(second)
        {
            self.effects(instance, before, &everywhere, site)?;
            site.row.push(9);
            // It says once more what the test asks, in the state before; nothing that the effects before it
            // change may be asked.
            self.plain(asked, site)?;
            for (effects, target) in [(first, *then), (second, *otherwise)] {
                let kept = site.blank.clone();
                self.effects(instance, effects, &|v| is_blank(target, v), site)?;
                ends_right(site, target)?;
                site.blank = kept;
            }
            return Ok(());
        }
        self.effects(instance, &step.effects, &everywhere, site)?;
        targets.iter().try_for_each(|to| ends_right(site, *to))
    }

    fn effects(
        &self,
        instance: InstanceId,
        effects: &[Effect],
        is_blank: &dyn Fn(u32) -> bool,
        site: &mut Site<'_>,
    ) -> Written {
        site.row.push(effects.len() as u64);
        let mut at = 0;
        while at < effects.len() {
            let run = Self::independent(&effects[at..]);
            let mut rows = Vec::new();
            for effect in &effects[at..at + run.max(1)] {
                let row = site.apart(|site| self.effect(instance, effect, is_blank, site));
                rows.push(row?);
            }
            if run > 1 {
                rows.sort_unstable();
            }
            site.add(rows);
            at += run.max(1);
        }
        Ok(())
    }

    fn effect(
        &self,
        instance: InstanceId,
        effect: &Effect,
        is_blank: &dyn Fn(u32) -> bool,
        site: &mut Site<'_>,
    ) -> Written {
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
                    && let Some((_, blank)) = &mut site.blank
                {
                    // It names nobody: it is what it is.
                    blank[v as usize] = true;
                    site.row.push(2);
                    self.variable(to.variable, &mut site.row);
                    let shape = self.sorts.variable(to.variable);
                    self.ty(ty, shape, &mut site.row)?;
                    // Its cells are moved, and no scalar is renamed: it names nobody.
                    return self.cells(first, shape, &|_, value| value, &mut site.row);
                }
                let own = site.blank.as_ref().map(|(own, _)| *own);
                ensure(!matches!(to.variable, VariableRef::Local(i, _) if Some(i) != own))?;
                site.row.push(1);
                let shape = self.place(to, site)?;
                self.ty(ty, &shape, &mut site.row)?;
                self.ty(&to.ty, &shape, &mut site.row)?;
                self.expr(value, &shape, site)?;
                assigned(to, site)
            }
            Effect::If(condition, then, otherwise) => {
                site.row.push(3);
                self.plain(condition, site)?;
                let before = site.blank.clone();
                self.effects(instance, then, &|_| false, site)?;
                let after = std::mem::replace(&mut site.blank, before);
                self.effects(instance, otherwise, &|_| false, site)?;
                ensure(site.blank == after)
            }
            Effect::Assert(condition) => {
                site.row.push(4);
                self.plain(condition, site)
            }
        }
    }

    /// How many of the effects, from the first on, may come in any order: none reads or writes what
    /// another writes. Those that fail do so in every order, and one that fails is enough.
    fn independent(effects: &[Effect]) -> usize {
        let mut before: Vec<Touch> = Vec::new();
        for (nth, effect) in effects.iter().enumerate() {
            let mut touched = Vec::new();
            of_effects(std::slice::from_ref(effect), &mut |touch| {
                touched.push(touch)
            });
            let conflicts = |one: &Touch| {
                let mut others = before.iter();
                others.any(|other| (one.writes || other.writes) && one.meets(other))
            };
            if touched.iter().any(conflicts) {
                return nth;
            }
            before.extend(touched);
        }
        effects.len()
    }
}

/// What is assigned to as a whole names somebody again.
fn assigned(to: &Place, site: &mut Site<'_>) -> Written {
    if let (VariableRef::Local(i, v), Some((own, blank))) = (to.variable, &mut site.blank)
        && i == *own
    {
        let blank = &mut blank[v as usize];
        ensure(!*blank || to.path.is_empty())?;
        *blank = false;
    }
    Ok(())
}
