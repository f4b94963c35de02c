//! Which values of parameters there are: all, or those that a `where` keeps (`language.md` §6).

use std::sync::Arc;

use stubborn_syntax::ast;

use crate::elaborate::{Constness, Elaborator};
use crate::evaluate::position;
use crate::expressions::failed;
use crate::names::env::{Binding, Decided, Env};
use crate::problem::Code;
use crate::types::Domain;
use stubborn_system::system::Value;

use super::Parameter;

/// For no more combinations of values a `where` is evaluated.
const MOST_COMBINATIONS: u64 = 100_000;

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
    fn new(kept: Vec<u32>, combinations: usize) -> Places {
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
            self.next = after(&values, self.parameters);
            match self.kept {
                Kept::These(places) if places.number(place).is_none() => {}
                _ => return Some(values),
            }
        }
    }
}

/// The next combination of values, the first parameter varying slowest.
fn after(values: &[i64], parameters: &[Parameter]) -> Option<Vec<i64>> {
    let mut values = values.to_vec();
    for (value, parameter) in values.iter_mut().zip(parameters).rev() {
        if *value < parameter.domain.range.hi {
            *value += 1;
            return Some(values);
        }
        *value = parameter.domain.range.lo;
    }
    None
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

impl Elaborator<'_> {
    /// Which values of the parameters a `where` keeps. It is evaluated for each combination of them, a constant
    /// expression over nothing else.
    pub(crate) fn kept(
        &mut self,
        parameters: &[Parameter],
        clause: Option<&ast::WhereClause>,
    ) -> Kept {
        let Some(condition) = clause.and_then(ast::WhereClause::condition) else {
            // Without an expression the grammar has told it.
            return clause.map_or(Kept::All, |_| Kept::Unknown);
        };
        self.apart(|this| {
            // What quantifiers in it go through they go through for each of these.
            let count = Kept::All.count(parameters.iter().map(|one| &one.domain));
            this.combinations = count.unwrap_or(1).max(1);
            this.kept_by(parameters, &condition)
        })
    }

    fn kept_by(&mut self, parameters: &[Parameter], condition: &ast::Expr) -> Kept {
        // Once for all: what is wrong whatever the values are is told here.
        let open = without_values(&self.env, parameters);
        let read = |this: &mut Self| this.boolean(condition, "what stands behind `where`");
        let typed = self.in_scope(&open, read);
        if typed.constness == Constness::State {
            let quoted = self.quoted(condition);
            let message = format!(
                "what stands behind `where` must be constant, but {quoted} depends on the state; the \
                     parameters before it, literals and constants can stand here"
            );
            self.error(Code::NotConstant, self.span(condition), message);
            return Kept::Unknown;
        }
        if self.reports.has_error_within(self.span(condition)) {
            self.blame();
            return Kept::Unknown;
        }
        let Some(count) = Kept::All.count(parameters.iter().map(|one| &one.domain)) else {
            return Kept::Unknown;
        };
        if count > MOST_COMBINATIONS {
            let message = format!(
                "this would be evaluated for {count} combinations of values, and {MOST_COMBINATIONS} are the \
                     most; smaller types of the parameters would mend it"
            );
            self.error(Code::TooLarge, self.span(condition), message);
            return Kept::Unknown;
        }
        let mut kept = Vec::new();
        for (place, values) in (0..).zip(Combinations::of(parameters, &Kept::All)) {
            if self.interrupt.is_due() {
                return Kept::Unknown;
            }
            let with = with_values(&self.env, parameters, &values);
            let typed = self.in_scope(&with, read);
            match typed.value() {
                Some(Value::Int(0)) => {}
                Some(_) => kept.push(place),
                None => {
                    if let (Some(failure), Some(Decided::Instance)) = (typed.failure(), typed.known)
                    {
                        let pairs = parameters.iter().zip(&values);
                        let named: Vec<String> = pairs
                            .map(|(one, value)| {
                                format!("`{}` is {}", one.name, one.domain.shape.scalar(*value))
                            })
                            .collect();
                        let failed = failed(&self.quoted(condition), failure);
                        let message = format!("where {} {failed}", named.join(" and "));
                        self.error(Code::ConstantFails, self.span(condition), message);
                    }
                    return Kept::Unknown;
                }
            }
        }
        if kept.is_empty() {
            let quoted = self.quoted(condition);
            let message = format!("{quoted} is true of no value, so that nothing is left");
            self.error(Code::EmptyType, self.span(condition), message);
            return Kept::Unknown;
        }
        match kept.len() as u64 == count {
            true => Kept::All,
            false => Kept::These(Arc::new(Places::new(kept, count as usize))),
        }
    }
}
