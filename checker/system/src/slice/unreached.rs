//! Steps that are never taken, and never fail.
//!
//! Where the own variables of an instance can have no values at a location ([`OwnValues`]) it never is
//! there, so that nothing is lost when its steps are not. Elsewhere a step goes whose guard is false and does
//! not fail whatever values these variables have there, if that alone makes it no step: one that
//! communicates with nobody or sends, whose guard comes first, or whose guard keeps what may fail before it
//! from counting ([`Step::is_protected`](crate::system::Step::is_protected)). The part of an `on` stays: in a
//! joint step a guard of somebody else that fails counts beside one that is false.
//!
//! So each reachable state has the steps that it had, and the state space is the same one.

use super::foreign::Foreign;
use super::own_values::{OwnValues, Taking, is_surely};
use crate::system::{Communication, InstanceId, Step, System};

/// Takes such steps from the locations that list them, and gives how many. Steps keep their numbers, and
/// instances of more than so many locations and steps, times variables, all of them. Costs time in
/// proportion to the System.
/// Once `goes_on`, which is asked for each instance, does not, the others stay as they are.
pub(super) fn without_unreached(
    system: &mut System,
    most: usize,
    goes_on: &mut dyn FnMut() -> bool,
) -> usize {
    let mut gone = 0;
    let written = Foreign::of(system, &[]).written;
    for number in 0..system.instances.len() as InstanceId {
        let instance = &system.instances[number as usize];
        let many = instance.locations.len() + instance.steps.len();
        if many.saturating_mul(instance.locals.len() + 1) > most || !goes_on() {
            continue;
        }
        let values = OwnValues::of(system, number, &written[number as usize]);
        let taking = Taking {
            system,
            instance: number,
            intervals: None,
        };
        let stay = |location: usize| {
            let steps = instance.locations[location].steps.iter().copied();
            let steps = steps.filter(|step| match &values.at[location] {
                None => false,
                Some(here) => {
                    let step = &instance.steps[*step as usize];
                    let is_false = |guard| is_surely(&taking.ranges(here, &[]), guard, false);
                    !(depends_on_guard(step) && step.guard.as_ref().is_some_and(is_false))
                }
            });
            steps.collect::<Vec<_>>()
        };
        let stay: Vec<_> = (0..instance.locations.len()).map(stay).collect();
        for (location, steps) in system.instances[number as usize]
            .locations
            .iter_mut()
            .zip(stay)
        {
            gone += location.steps.len() - steps.len();
            location.steps = steps;
        }
    }
    gone
}

/// Whether it is no step where its guard is false, whatever else is so.
fn depends_on_guard(step: &Step) -> bool {
    match &step.communication {
        None | Some(Communication::Send { .. }) => true,
        Some(Communication::Receive(..)) => step.is_protected(),
        Some(Communication::On { .. }) => false,
    }
}
