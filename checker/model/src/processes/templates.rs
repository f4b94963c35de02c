//! What the steps of a process do, read once for all its instances.

use std::rc::Rc;

use crate::body::graph::ArcId;
use crate::elaborate::Elaborator;
use crate::instantiate::{Differs, Instantiation};
use crate::template::Condition;
use stubborn_system::source::Span;
use stubborn_system::source_map::Branches;
use stubborn_system::system::{InstanceId, Step};

use super::instance_steps::{Read, read};
use super::laid_out::LaidOut;
use super::outline::{Open, Outlined};

/// In builds for debugging so many instances of each process are read by themselves too, and must be
/// what the template gives.
const COMPARED: usize = 8;

impl Outlined {
    /// Whether the instance has its control flow in common with others.
    fn has_in_common(&self, laid_out: &LaidOut) -> bool {
        let open = self.open.as_ref();
        open.is_some_and(|open| Rc::ptr_eq(&open.laid_out.layout, &laid_out.layout))
    }

    /// The steps that an instance has by itself.
    pub(super) fn read_alone(
        &self,
        elaborator: &mut Elaborator,
        laid_out: &LaidOut,
        instance: InstanceId,
        room: usize,
    ) -> Read {
        if !self.has_in_common(laid_out) {
            return read(elaborator, laid_out, room);
        }
        let (alone, _) = self.outline.alone(elaborator, &laid_out.values, instance);
        read(elaborator, &alone, room)
    }
}

/// The steps of an instance by their arcs, and beside them where each `if` among their effects stands.
type Made = (Vec<(ArcId, Vec<Step>)>, Vec<Vec<Branches>>);

/// The steps of a process with its parameters open.
pub(super) struct Template<'p> {
    process: &'p Outlined,
    open: &'p Open,
    steps: Vec<(ArcId, Vec<Step>)>,
    branches: Vec<Vec<Branches>>,
    conditions: Vec<Condition>,
}

impl<'p> Template<'p> {
    /// The template of a process whose first instance is `first`, where there is one: it gives the
    /// first instance as it has been read.
    pub fn of(
        elaborator: &mut Elaborator,
        process: &'p Outlined,
        first: (InstanceId, &Read),
    ) -> Option<Template<'p>> {
        let open = process.open.as_ref()?;
        if first.1.is_cut_short {
            return None;
        }
        let parameters = process.outline.parameters.iter();
        let domains: Vec<_> = parameters.map(|p| p.domain.clone()).collect();
        let room = first.1.room;
        let (read, conditions) =
            elaborator.as_template(&domains, |this| read(this, &open.laid_out, room))?;
        if elaborator.interrupt.has_ended().is_err() {
            return None;
        }
        let template = Template {
            open,
            process,
            steps: read.steps,
            branches: read.branches,
            conditions: [&open.conditions[..], &conditions].concat(),
        };
        // What a mistake in it means nobody asks.
        let is_faulty = elaborator.reports.is_faulty(process.outline.item);
        let laid_out = &process.instances[0];
        match template.instantiate(elaborator, laid_out, first.0) {
            Ok((steps, _)) if steps != first.1.steps && !is_faulty => {
                debug_assert!(
                    !elaborator.reports.is_without_errors(),
                    "{}, read by itself, is {:#?}, and by its template {steps:#?}",
                    laid_out.name,
                    first.1.steps,
                );
                None
            }
            // Another instance may be as the template is though the first one differs.
            _ => Some(template),
        }
    }

    /// The steps of another instance: those of the template, or those that it has by itself.
    pub fn read(
        &self,
        elaborator: &mut Elaborator,
        laid_out: &LaidOut,
        instance: InstanceId,
        room: usize,
    ) -> Read {
        let alone = |elaborator: &mut Elaborator| {
            self.process
                .read_alone(elaborator, laid_out, instance, room)
        };
        // One whose variables are of other types has a control flow of its own, with their names
        // around its steps.
        if !self.process.has_in_common(laid_out) {
            return read(elaborator, laid_out, room);
        }
        let Ok((steps, branches)) = self.instantiate(elaborator, laid_out, instance) else {
            return alone(elaborator);
        };
        if cfg!(debug_assertions) && self.process.instances.len() <= COMPARED {
            let told = elaborator.reports.len();
            let alone = alone(elaborator);
            let is_meant = elaborator.reports.is_without_errors()
                && elaborator.interrupt.has_ended().is_ok()
                && !alone.is_cut_short;
            debug_assert!(
                !is_meant || (alone.steps == steps && elaborator.reports.len() == told),
                "{}, read by itself, is {:#?}, and by its template {steps:#?}",
                laid_out.name,
                alone.steps,
            );
            let tests = |of: &[Vec<Branches>]| -> Vec<Vec<Span>> {
                let all = of.iter().flatten();
                all.map(|branches| branches.tests.clone()).collect()
            };
            debug_assert!(
                !is_meant || tests(&alone.branches) == tests(&branches),
                "where the branches of {} stand",
                laid_out.name,
            );
        }
        Read {
            steps,
            branches,
            room,
            is_cut_short: false,
        }
    }

    fn instantiate(
        &self,
        elaborator: &mut Elaborator,
        laid_out: &LaidOut,
        instance: InstanceId,
    ) -> Result<Made, Differs> {
        let mut instantiation = Instantiation {
            instance,
            values: &laid_out.values,
            parts: 0,
        };
        for condition in &self.conditions {
            if !instantiation.meets(condition) {
                return Err(Differs);
            }
        }
        let arcs = &self.open.laid_out.layout.graph.arcs;
        let mut made = Vec::with_capacity(self.steps.len());
        let mut all_branches = Vec::with_capacity(self.steps.len());
        for ((arc, steps), branches) in self.steps.iter().zip(&self.branches) {
            elaborator.written = 0;
            let mut of_arc = Vec::with_capacity(steps.len());
            let mut of_steps = Vec::with_capacity(steps.len());
            for (step, branches) in steps.iter().zip(branches) {
                instantiation.parts = 0;
                let (step, branches) = instantiation.step(step, branches)?;
                of_arc.push(step);
                of_steps.push(branches);
                // What is too large is told where it is read.
                let span = arcs[*arc].step.span;
                if !elaborator.spend(instantiation.parts, span) {
                    return Err(Differs);
                }
            }
            made.push((*arc, of_arc));
            all_branches.push(of_steps);
        }
        Ok((made, all_branches))
    }
}
