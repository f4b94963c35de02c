//! Which values of parameters there are: all, or those that a `where` keeps (`language.md` §6).

use std::sync::Arc;

use crate::evaluate::position;
use crate::expressions::typed::Decided;
use crate::names::env::{Binding, Env};
use crate::types::Domain;
use stubborn_system::system::Range;

use super::Parameter;

/// Which combinations of values of a list of parameters there are. Each has a place among all, the first parameter
/// varying slowest.
#[derive(Clone, Debug)]
pub(crate) enum Kept {
    /// All of them.
    All,
    /// Those that a `where` keeps, at least one.
    These(Arc<Places>),
    /// That is not known: the `where` has a mistake.
    Unknown,
}

/// The places of combinations of values.
#[derive(Debug)]
pub(crate) struct Places {
    /// Ascending.
    kept: Vec<u32>,
    /// By place among all combinations: which of those that are kept it is.
    numbers: Vec<Option<u32>>,
}

impl Kept {
    /// Which of the combinations that there are the one at the place is; `None` where it is left out, or that is not
    /// known.
    pub fn number(&self, place: usize) -> Option<usize> {
        match self {
            Kept::All => Some(place),
            Kept::These(places) => places.number(place),
            Kept::Unknown => None,
        }
    }

    /// How many combinations of the parameters' values there are; `None` where that is not known. Saturates.
    pub fn count<'d>(&self, domains: impl IntoIterator<Item = &'d Domain>) -> Option<u64> {
        match self {
            Kept::Unknown => None,
            Kept::These(places) => Some(places.kept.len() as u64),
            Kept::All => {
                let sizes = domains
                    .into_iter()
                    .map(|domain| domain.known.then(|| domain.range.size()));
                let mut sizes = sizes.collect::<Option<Vec<u64>>>()?.into_iter();
                sizes.try_fold(1_u64, |product, size| Some(product.saturating_mul(size)))
            }
        }
    }
}

impl Places {
    pub(super) fn new(kept: Vec<u32>, combinations: usize) -> Places {
        debug_assert!(kept.is_sorted_by(|one, next| one < next));
        let mut numbers = vec![None; combinations];
        for (number, place) in (0..).zip(&kept) {
            numbers[*place as usize] = Some(number);
        }
        Places { kept, numbers }
    }

    /// How many combinations there are with those that are left out.
    pub fn all(&self) -> usize {
        self.numbers.len()
    }

    /// Which of those that are kept the combination at the place is; `None` where it is left out. Takes constant time.
    pub fn number(&self, place: usize) -> Option<usize> {
        Some((*self.numbers.get(place)?)? as usize)
    }
}

/// The place of a combination of values among all; `None` where one is in no domain.
pub(crate) fn place<'d>(
    domains: impl IntoIterator<Item = &'d Domain>,
    values: &[i64],
) -> Option<usize> {
    let mut pairs = domains.into_iter().zip(values);
    pairs.try_fold(0_usize, |place, (domain, value)| {
        let size = usize::try_from(domain.range.size()).ok()?;
        let at = position(*value, domain.range.lo, size)?;
        place.checked_mul(size)?.checked_add(at)
    })
}

/// The combinations of values that there are, one after the other, the first parameter varying slowest.
pub(crate) struct Combinations<'p> {
    parameters: &'p [Parameter],
    kept: &'p Kept,
    next: Option<Vec<i64>>,
    place: usize,
}

impl<'p> Combinations<'p> {
    pub fn of(parameters: &'p [Parameter], kept: &'p Kept) -> Combinations<'p> {
        let first = parameters.iter().map(|one| one.domain.range.lo).collect();
        Combinations {
            parameters,
            kept,
            next: Some(first),
            place: 0,
        }
    }
}

impl Iterator for Combinations<'_> {
    type Item = Vec<i64>;

    fn next(&mut self) -> Option<Vec<i64>> {
        loop {
            let values = self.next.take()?;
            let place = self.place;
            self.place += 1;
            let ranges = self.parameters.iter().map(|one| one.domain.range);
            let mut next = values.clone();
            self.next = advance(&mut next, ranges).then_some(next);
            match self.kept {
                Kept::These(places) if places.number(place).is_none() => {}
                _ => return Some(values),
            }
        }
    }
}

/// Goes on to the next combination of values, the first one varying slowest; whether there is one.
pub(crate) fn advance(
    values: &mut [i64],
    ranges: impl DoubleEndedIterator<Item = Range> + ExactSizeIterator,
) -> bool {
    for (value, range) in values.iter_mut().zip(ranges).rev() {
        if *value < range.hi {
            *value += 1;
            return true;
        }
        *value = range.lo;
    }
    false
}

/// The names of the parameters with these values.
pub(crate) fn with_values(env: &Env, parameters: &[Parameter], values: &[i64]) -> Env {
    let pairs = parameters.iter().zip(values);
    pairs.fold(env.clone(), |env, (parameter, value)| {
        let binding = Binding::Constant {
            value: *value,
            domain: parameter.domain.clone(),
            decided: Decided::Instance,
        };
        env.with(&*parameter.name, parameter.span, binding)
    })
}

/// The names of the parameters without values.
pub(crate) fn without_values(env: &Env, parameters: &[Parameter]) -> Env {
    parameters.iter().fold(env.clone(), |env, parameter| {
        let binding = Binding::opaque(parameter.domain.clone());
        env.with(&*parameter.name, parameter.span, binding)
    })
}
