//! What a worker needs to know of properties that several search for together.

use stubborn_system::property::Property;

use super::verdicts::{Next, Noting, Verdicts};
use crate::options::{Limits, Options, Search};
use crate::packed::Packed;
use crate::watch::Watch;

/// Notes what single states and steps show of each property.
pub fn noting<'a>(
    packed: &'a Packed<'a>,
    properties: &'a [Property],
    limits: Limits,
    watch: &'a dyn Watch,
) -> Noting<'a> {
    let next = Next {
        search: Search::Breadth,
        reduced: false,
        numbered: false,
    };
    let options = Options {
        limits,
        ..Options::default()
    };
    let found = Verdicts::new(packed, properties, &options, watch, next);
    found.noting()
}
