//! The expressions that stubborn sets must respect.

use stubborn_system::property::Property;

use crate::packed::{Expression, Packed};
use crate::properties::kind_of;
use crate::related::StateCheck;

/// The state checks of some properties, as stubborn sets must respect them.
pub(super) fn state_checks<'p>(
    packed: &Packed<'_>,
    properties: impl Iterator<Item = &'p Property>,
) -> Vec<(Expression, StateCheck)> {
    let checks = properties.filter_map(|property| {
        let kind = kind_of(property);
        Some((
            packed.expression(kind.looks_at().expression()?),
            kind.state_check()?,
        ))
    });
    checks.collect()
}
