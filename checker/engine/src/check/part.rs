//! What a worker needs to know of properties that several search for together.

use std::ops::ControlFlow;

use stubborn_system::property::Property;

use super::state_checks::state_checks;
use super::verdicts::{Next, Noting, Verdicts};
use crate::budget::Budget;
use crate::options::{Options, Search};
use crate::packed::{Expression, Packed};
use crate::related::{Related, StateCheck};
use crate::search::Stop;

/// Notes what single states and steps show of each property.
pub fn noting<'a>(
    packed: &'a Packed<'a>,
    properties: &'a [Property],
    budget: Budget<'a>,
) -> Noting<'a> {
    let next = Next {
        search: Search::Breadth,
        reduced: false,
        numbered: false,
    };
    let options = Options {
        limits: budget.limits,
        ..Options::default()
    };
    let found = Verdicts::new(packed, properties, &options, budget.into(), next);
    found.noting()
}

/// The packed model with the relations between its processes, for these properties. Breaks where `prepare` does,
/// which is asked with the memory held.
pub fn related_to<'a>(
    packed: &'a Packed<'a>,
    properties: &[Property],
    prepare: &mut dyn FnMut(u64) -> ControlFlow<Stop>,
) -> ControlFlow<Stop, Related<'a>> {
    let checks = state_checks(packed, properties.iter());
    let checks: Vec<(&Expression, StateCheck)> = checks.iter().map(|(e, how)| (e, *how)).collect();
    Related::new(packed, &checks, &mut |bytes| prepare(bytes))
}
