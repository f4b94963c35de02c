//! What a property with a search of its own is searched on.

use std::ops::ControlFlow;

use stubborn_system::property::Property;
use stubborn_system::slice::{Dependencies, Slice};
use stubborn_system::system::System;

use crate::options::Options;
use crate::search::{Meter, Stop};

/// What the property depends on, made as simple as the options allow. Breaks where a limit is reached.
pub fn sliced(
    system: &System,
    property: &Property,
    options: &Options,
    meter: &mut Meter<'_>,
) -> ControlFlow<Stop, Slice> {
    let goes_on = &mut || meter.prepare(0);
    let dependencies = Dependencies::within(system, goes_on)?;
    let cone = dependencies.cone_within([property], goes_on)?;
    let (constants, unreached) = options.simplifies();
    let slice = Slice::new(system, &cone);
    let goes_on = &mut || meter.prepare(0).is_continue();
    let slice = slice.simplified(constants, unreached, goes_on);
    if options.keep_dead_variables {
        return ControlFlow::Continue(slice);
    }
    let asked = slice.property(property);
    ControlFlow::Continue(slice.without_dead(&[asked]))
}
