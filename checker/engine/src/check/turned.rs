//! Which permutations a search may use.

use stubborn_system::property::Property;
use stubborn_system::symmetry::Symmetry;

use crate::options::Options;
use crate::packed::Packed;
use crate::search::Meter;
use crate::symmetry::Orbits;

/// The permutations that leave the steps and what is asked as they are, where there are any.
pub fn orbits(
    packed: &Packed<'_>,
    properties: &[Property],
    options: &Options,
    meter: &mut Meter<'_>,
) -> Option<Orbits> {
    if !options.permutes() {
        return None;
    }
    let goes_on = &mut || meter.prepare(0).is_continue();
    let symmetry = Symmetry::find(packed.system(), properties, goes_on)?;
    Orbits::of(&symmetry, packed)
}
