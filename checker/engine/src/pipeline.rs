//! Model that a search explores: slice, packed states, partial-order reduction, symmetry, monitor.
//!
//! Every search of this crate gets its model here, so that the wrappers of the packed system have
//! one order. Symmetry is outside the reduction: stubborn sets are those of canonical states.

use std::ops::ControlFlow;

use stubborn_system::property::Property;
use stubborn_system::slice::{Cone, Slice};
use stubborn_system::system::System;

use crate::monitored::product::AnyProduct;
use crate::options::{Options, Use};
use crate::packed::{Expression, Packed};
use crate::properties::kind_of;
use crate::reduction::Stubborn;
use crate::related::{Related, StateCheck};
use crate::search::{AnyMonitored, Meter, Stop};
use crate::successors::{Erased, Footprints, Model};
use crate::symmetry::{Orbits, Symmetric};

/// Returns the part of the system in the cone of these properties, as simple as the options allow.
/// `merges` says whether runs of steps that no other process can observe may become one.
pub fn slice<'p>(
    (system, cone): (&System, &Cone),
    properties: impl IntoIterator<Item = &'p Property>,
    (options, merges): (&Options, bool),
    meter: &mut Meter<'_>,
) -> Slice {
    let goes_on = &mut || meter.prepare(0).is_continue();
    let (constants, unreached) = options.simplifies();
    let mut slice = Slice::new(system, cone).simplified(constants, unreached, goes_on);
    let asked = properties.into_iter().map(|one| slice.property(one));
    let asked: Vec<Property> = asked.collect();
    if merges {
        slice = slice.merged(&asked, goes_on);
    }
    match options.keep_dead_variables {
        true => slice,
        false => slice.without_dead(&asked),
    }
}

/// Returns the packed system with the relations between its steps that preserve the properties.
/// Breaks where `prepare` does, which is called with the memory held.
pub fn related<'a, 'p>(
    packed: &'a Packed<'a>,
    properties: impl IntoIterator<Item = &'p Property>,
    orbits: Option<&Orbits>,
    prepare: &mut dyn FnMut(u64) -> ControlFlow<Stop>,
) -> ControlFlow<Stop, Related<'a>> {
    let checks = properties.into_iter().filter_map(|property| {
        let kind = kind_of(property);
        let expression = packed.expression(kind.looks_at().expression()?);
        Some((expression, kind.state_check()?))
    });
    let checks: Vec<(Expression, StateCheck)> = checks.collect();
    let checks: Vec<(&Expression, StateCheck)> = checks.iter().map(|(e, how)| (e, *how)).collect();
    let related = Related::new(packed, &checks, &mut |bytes| prepare(bytes))?;
    ControlFlow::Continue(for_orbits(related, orbits))
}

/// Relations that hold in canonical states too, to which no run may lead.
pub fn for_orbits<'a>(related: Related<'a>, orbits: Option<&Orbits>) -> Related<'a> {
    match orbits {
        None => related,
        Some(_) => related.turned(),
    }
}

/// Stubborn sets by these relations.
pub fn stubborn_sets(related: Related<'_>, foresight: Use) -> Stubborn<Related<'_>> {
    Stubborn::new(related).foreseeing(foresight)
}

/// Calls `search` with the model that has these steps, and canonical states if there are `orbits`.
pub fn with_symmetry<S, R>(
    steps: &S,
    orbits: Option<&Orbits>,
    search: impl FnOnce(Model<'_>) -> R,
) -> R
where
    S: Footprints + Sync,
{
    match orbits {
        None => search(Model::with_footprints(&Erased(steps))),
        Some(orbits) => search(Model::of(&Erased(&Symmetric::new(steps, orbits)))),
    }
}

/// The same for the product of a system with a monitor.
pub fn with_symmetry_beside<R>(
    product: &AnyProduct<'_>,
    orbits: Option<&Orbits>,
    search: impl FnOnce(&AnyMonitored<'_>) -> R,
) -> R {
    let Some(orbits) = orbits else {
        return search(product);
    };
    let initials = product.initials().iter().map(|state| &**state);
    search(&Erased(&Symmetric::beginning(product, orbits, initials)))
}
