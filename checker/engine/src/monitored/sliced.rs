//! What a property with a search of its own is searched on.

use std::ops::ControlFlow;

use stubborn_system::property::Property;
use stubborn_system::slice::{Dependencies, Slice};
use stubborn_system::system::System;

use crate::options::Options;
use crate::pipeline::slice;
use crate::search::{Meter, Stop};

/// Returns the slice for the property, simplified as the options allow; `None` unless `slices`.
/// Breaks if a limit is reached.
pub fn sliced(
    slices: bool,
    system: &System,
    property: &Property,
    options: &Options,
    meter: &mut Meter<'_>,
) -> ControlFlow<Stop, Option<Slice>> {
    if !slices {
        return ControlFlow::Continue(None);
    }
    let goes_on = &mut || meter.prepare(0);
    let dependencies = Dependencies::within(system, goes_on)?;
    let cone = dependencies.cone_within([property], goes_on)?;
    let slice = slice((system, &cone), [property], (options, false), meter);
    ControlFlow::Continue(Some(slice))
}
