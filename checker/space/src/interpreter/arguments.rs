//! What the arguments of a `receive` or an `on` ask of values.

use stubborn_system::system::{Argument, Failure, Range, System, Type, Value};

use super::evaluate::{Scope, Spot, must_be_in};
use crate::state::State;

/// What an argument asks of one value.
pub(super) enum Wanted {
    Equals(i64),
    Into(Spot, Type),
    Whatever,
    /// Matches every value, and the step fails.
    Fails(Failure),
}

/// Evaluates arguments, each with the range of its value.
pub(super) fn wanted(
    system: &System,
    state: &State,
    arguments: &[Argument],
    ranges: &[Range],
) -> Vec<Wanted> {
    let mut scope = Scope::new(system, state, &[]);
    let arguments = arguments.iter().zip(ranges);
    let wanted = arguments.map(|(argument, range)| {
        let wanted = match argument {
            Argument::Match(expr) => scope
                .scalar(expr)
                .and_then(|value| in_range(value, *range).map(|()| Wanted::Equals(value))),
            Argument::Bind(place) => scope
                .place(place)
                .map(|spot| Wanted::Into(spot, place.ty.clone())),
            Argument::Skip => Ok(Wanted::Whatever),
        };
        wanted.unwrap_or_else(Wanted::Fails)
    });
    wanted.collect()
}

/// Whether values match.
pub(super) fn matches(wanted: &[Wanted], values: &[i64]) -> bool {
    let mut pairs = wanted.iter().zip(values);
    pairs.all(|(wanted, value)| !matches!(wanted, Wanted::Equals(wanted) if wanted != value))
}

/// Assigns values that match to the places of `?`.
pub(super) fn bind(wanted: &[Wanted], state: &mut State, values: &[i64]) -> Result<(), Failure> {
    for (wanted, value) in wanted.iter().zip(values) {
        match wanted {
            Wanted::Fails(failure) => return Err(failure.clone()),
            Wanted::Into(spot, ty) => {
                must_be_in(&Value::Int(*value), ty)?;
                spot.assign(state, Value::Int(*value));
            }
            Wanted::Equals(_) | Wanted::Whatever => {}
        }
    }
    Ok(())
}

pub(super) fn in_range(value: i64, range: Range) -> Result<(), Failure> {
    if range.contains(value) {
        Ok(())
    } else {
        let Range { lo, hi } = range;
        Err(Failure::OutsideType { value, lo, hi })
    }
}
