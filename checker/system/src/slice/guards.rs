//! Bounds as guards of all steps, by which the relations between steps see that every step depends on
//! every bound.
//!
//! In a state within the bounds a step does what it did, since its guard has a true conjunct more. In
//! any other state no step may be left, not even one that fails: a false guard sees to that if it
//! cannot fail itself, reads nothing that a `?` of its step assigns, and comes before whatever may
//! fail. Then the theorems on stubborn sets speak of a System whose states outside the bounds are
//! terminal, which preserves these states as it does all terminal ones.

use std::collections::HashSet;

use super::bounds::{Bounds, Ranges};
use crate::footprint::{Thing, things_read};
use crate::system::{Argument, Communication, Expr, Range, Step, System, Type};

/// The System in which the bounds are in each guard, too; `None` if that may leave a step in a state
/// outside of them.
pub fn with_bounds_as_guards(system: &System) -> Option<System> {
    let ranges = Ranges::of_types(system, &[]);
    let mut read = HashSet::new();
    for bound in &system.bounds {
        if !ranges.cannot_fail(bound) {
            return None;
        }
        things_read(bound, &mut |thing| {
            read.insert(thing);
        });
    }
    let mut steps = system.instances.iter().flat_map(|one| &one.steps);
    if !steps.all(|step| is_disabled_by_guard(system, step, &read)) {
        return None;
    }
    let mut guarded = system.clone();
    for step in guarded.instances.iter_mut().flat_map(|one| &mut one.steps) {
        let guard = step.guard.take();
        let all = system.bounds.iter().cloned().chain(guard);
        step.guard = Some(Expr::All(all.collect()));
    }
    Some(guarded)
}

/// Whether the step neither can be taken nor fails where a guard over these things is false.
fn is_disabled_by_guard(system: &System, step: &Step, read: &HashSet<Thing>) -> bool {
    // Without a `?` nothing counts that fails before a false guard.
    if step.bound().next().is_none() {
        return true;
    }
    let ranges = Ranges::of_types(system, &step.choices);
    let fits = |given: Range, ty: &Type| {
        let Range { lo, hi } = given;
        Bounds::Scalar { lo, hi }.are_in(ty)
    };
    let is_sure = |(argument, given): (&Argument, Range)| match argument {
        Argument::Skip => true,
        Argument::Match(expr) => {
            let Range { lo, hi } = given;
            let bounds = ranges.of(expr);
            bounds.is_some_and(|bounds| bounds.are_in(&Type::Scalar { lo, hi }))
        }
        Argument::Bind(place) => {
            !read.contains(&Thing::Variable(place.variable))
                && ranges.is_sure(place)
                && fits(given, &place.ty)
        }
    };
    match &step.communication {
        None | Some(Communication::Send { .. }) => true,
        Some(Communication::On { action, arguments }) => {
            let given = &system.actions[*action as usize].arguments;
            arguments.iter().zip(given.iter().copied()).all(is_sure)
        }
        Some(Communication::Receive(channel, arguments, _)) => {
            ranges.is_sure_channel(channel)
                && channel.array().all(|channel| {
                    let given = &system.channels[channel as usize].message;
                    arguments.iter().zip(given.iter().copied()).all(is_sure)
                })
        }
    }
}
