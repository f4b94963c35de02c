//! What the searches have seen of a name: who was at a state or a label, and which values a variable had.
//!
//! It is known by the slices that were searched, so that it is told of the text as it is or not at all.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use stubborn_engine::seen::Values;
use stubborn_model::{Analysis, Model};
use stubborn_system::source::Span;
use stubborn_system::source_map::Shape;
use stubborn_system::system::Type;

use super::sighted::{Sight, Sighted};

/// An instance, and in how many states it was at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit<'a> {
    pub instance: &'a str,
    pub count: u64,
    /// How many states were looked at.
    pub states: u64,
    /// It never is there if it was not seen there.
    pub is_whole: bool,
    /// It has been counted with those who are alike.
    pub is_turned: bool,
}

/// The instances that have the state or the label with its name at `named`, as far as something is known
/// of all of them.
pub fn visits<'a>(
    analysis: &'a Analysis,
    sighted: &Sighted,
    named: Span,
) -> Option<Vec<Visit<'a>>> {
    let model = analysis.model.as_ref()?;
    let mut visits = Vec::new();
    for (number, source) in model.source_map.instances.iter().enumerate() {
        let Some((_, holds)) = source.named.iter().find(|(span, _)| *span == named) else {
            continue;
        };
        let seen = sighted.instances.get(number)?.as_ref()?;
        let counts = holds.iter().map(|at| seen.locations.get(*at as usize));
        let counts: Vec<Option<u64>> = counts.flatten().copied().collect();
        let count = counts.iter().flatten().sum();
        // It may be passed over.
        if count == 0 && counts.contains(&None) {
            return None;
        }
        visits.push(Visit {
            instance: &source.name,
            count,
            states: seen.states,
            is_whole: seen.is_whole,
            is_turned: seen.is_turned,
        });
    }
    (!visits.is_empty()).then_some(visits)
}

/// The values that a variable had in all instances that have it, or a part of its: all cells of an array
/// are one part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// `.f[…].g`; empty for the variable itself.
    pub path: String,
    shape: Shape,
    had: Had,
    /// Its type, of all instances together.
    lo: i64,
    hi: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Had {
    Each(BTreeSet<i64>),
    Between(i64, i64),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    pub parts: Vec<Part>,
    /// Other values it never has.
    pub is_whole: bool,
    /// How many states were looked at.
    pub states: u64,
}

/// More values than this are not listed one by one.
const MOST_VALUES: usize = 12;

impl Part {
    /// The values as they are written: `0, 2, 5..9`, `red, green`; from the least to the greatest where no
    /// more is known.
    pub fn text(&self) -> String {
        let values = match &self.had {
            Had::Each(values) => values,
            Had::Between(least, greatest) => {
                let (least, greatest) = (self.shape.scalar(*least), self.shape.scalar(*greatest));
                return format!("{least}..{greatest}");
            }
        };
        let names = |values: &BTreeSet<i64>| -> Vec<String> {
            values
                .iter()
                .map(|value| self.shape.scalar(*value))
                .collect()
        };
        let mut pieces = match self.shape {
            Shape::Int => rows(values),
            _ => names(values),
        };
        let more = pieces.len().saturating_sub(MOST_VALUES);
        if more > 1 {
            pieces.truncate(MOST_VALUES);
            pieces.push(format!("{more} more"));
        }
        pieces.join(", ")
    }

    /// The values of an enumeration that it never had, by their names; none of another type, or where more
    /// values than are told apart may have been had.
    pub fn missing_names(&self) -> Vec<&str> {
        let (Shape::Enumeration(names), Had::Each(had)) = (&self.shape, &self.had) else {
            return Vec::new();
        };
        let missing = (self.lo..=self.hi).filter(|value| !had.contains(value));
        let names = missing.filter_map(|value| names.get(usize::try_from(value).ok()?));
        names.map(String::as_str).collect()
    }

    /// Whether only the least and the greatest are known.
    pub fn is_between(&self) -> bool {
        matches!(self.had, Had::Between(..))
    }

    /// Whether it had every value of its type, or the ends of that where more is not known.
    pub fn is_full(&self) -> bool {
        match &self.had {
            Had::Each(values) => {
                let of_type = self.hi.wrapping_sub(self.lo) as u64;
                values.len() as u64 == of_type.saturating_add(1)
            }
            Had::Between(least, greatest) => (*least, *greatest) == (self.lo, self.hi),
        }
    }

    fn add(&mut self, values: &Values, (lo, hi): (i64, i64)) {
        (self.lo, self.hi) = (self.lo.min(lo), self.hi.max(hi));
        match (&mut self.had, values.each()) {
            (Had::Each(all), Some(each)) => all.extend(each),
            (had, _) => {
                let (least, greatest) = values.ends();
                let known = match had {
                    Had::Each(all) => all.first().copied().zip(all.last().copied()),
                    Had::Between(least, greatest) => Some((*least, *greatest)),
                };
                let (low, high) = known.unwrap_or((least, greatest));
                *had = Had::Between(low.min(least), high.max(greatest));
            }
        }
    }
}

/// Numbers, three and more in a row as `lo..hi`.
fn rows(values: &BTreeSet<i64>) -> Vec<String> {
    let mut rows: Vec<(i64, i64)> = Vec::new();
    for &value in values {
        match rows.last_mut() {
            Some((_, hi)) if hi.checked_add(1) == Some(value) => *hi = value,
            _ => rows.push((value, value)),
        }
    }
    let written = rows
        .into_iter()
        .flat_map(|(lo, hi)| match hi.wrapping_sub(lo) {
            0 => vec![lo.to_string()],
            1 => vec![lo.to_string(), hi.to_string()],
            _ => vec![format!("{lo}..{hi}")],
        });
    written.collect()
}

/// What all variables of a text had, by the places of their names.
pub struct Ranges<'a> {
    model: &'a Model,
    sighted: &'a Sighted,
    variables: HashMap<Span, Vec<Variable>>,
}

/// By its numbers in the System.
#[derive(Clone, Copy)]
enum Variable {
    Shared(usize),
    /// An instance's own.
    Local(usize, usize),
}

impl<'a> Ranges<'a> {
    /// Nothing where the text has no meaning.
    pub fn new(analysis: &'a Analysis, sighted: &'a Sighted) -> Option<Ranges<'a>> {
        let model = analysis.model.as_ref()?;
        let mut variables: HashMap<Span, Vec<Variable>> = HashMap::new();
        let mut add = |span: Span, one| variables.entry(span).or_default().push(one);
        for (number, source) in model.source_map.variables.iter().enumerate() {
            add(source.span, Variable::Shared(number));
        }
        for (number, source) in model.source_map.instances.iter().enumerate() {
            for (local, source) in source.locals.iter().enumerate() {
                add(source.span, Variable::Local(number, local));
            }
        }
        Some(Ranges {
            model,
            sighted,
            variables,
        })
    }

    /// The places of the names of all variables, in the order of the text.
    pub fn names(&self) -> Vec<Span> {
        let mut names: Vec<Span> = self.variables.keys().copied().collect();
        names.sort_unstable_by_key(|span| (span.file.0, span.start));
        names
    }

    /// What the variable with its name at `named` had, as far as something is known of all of its instances'.
    pub fn range(&self, named: Span) -> Option<Range> {
        let (system, map) = (&self.model.system, &self.model.source_map);
        let mut found = Range {
            parts: Vec::new(),
            is_whole: true,
            states: 0,
        };
        for variable in self.variables.get(&named)? {
            let (sight, ty, shape) = match *variable {
                Variable::Shared(number) => (
                    self.sighted.variables.get(number)?,
                    &system.variables[number].ty,
                    &map.variables[number].shape,
                ),
                Variable::Local(number, local) => (
                    self.sighted
                        .instances
                        .get(number)?
                        .as_ref()?
                        .locals
                        .get(local)?,
                    &system.instances[number].locals[local].ty,
                    &map.instances[number].locals[local].shape,
                ),
            };
            found.add(sight.as_ref()?, ty, shape);
        }
        (!found.parts.is_empty()).then_some(found)
    }
}

impl Range {
    fn add(&mut self, sight: &Sight, ty: &Type, shape: &Shape) {
        self.is_whole &= sight.seen.is_whole;
        self.states = self.states.max(sight.states);
        self.add_part(&mut sight.seen.values.iter(), ty, shape, String::new());
    }

    /// What elements a set has had at some time.
    fn add_elements(
        &mut self,
        had: BTreeSet<i64>,
        (lo, hi): (i64, i64),
        shape: &Shape,
        path: String,
    ) {
        let part = self.parts.iter_mut().find(|part| part.path == path);
        match part {
            Some(part) => {
                if let Had::Each(all) = &mut part.had {
                    all.extend(had);
                }
            }
            None => self.parts.push(Part {
                path,
                shape: shape.clone(),
                had: Had::Each(had),
                lo,
                hi,
            }),
        }
    }

    fn add_part(
        &mut self,
        values: &mut std::slice::Iter<'_, Values>,
        ty: &Type,
        shape: &Shape,
        path: String,
    ) {
        match (ty, shape) {
            (Type::Array { len, cell, .. }, Shape::Array(_, of_cell)) => {
                for _ in 0..*len {
                    self.add_part(values, cell, of_cell, format!("{path}[…]"));
                }
            }
            // What was in it at some time is what it had.
            (Type::Array { len, .. }, Shape::Set { lo, element }) => {
                let ever = values.by_ref().take(*len as usize).zip(*lo..);
                let ever = ever.filter(|(values, _)| values.ends().1 == 1);
                let had: BTreeSet<i64> = ever.map(|(_, element)| element).collect();
                let hi = lo.saturating_add(i64::from(*len) - 1);
                self.add_elements(had, (*lo, hi), element, format!("{path}{{…}}"));
            }
            (Type::Record(fields), Shape::List(element)) => {
                if let [length, cells] = &**fields {
                    let length_of = format!("{path}[len]");
                    self.add_part(values, length, &Shape::Int, length_of);
                    let cells_of = Shape::Array(Arc::new(Shape::Int), element.clone());
                    self.add_part(values, cells, &cells_of, path);
                }
            }
            (Type::Record(fields), Shape::Record(names)) => {
                for (field, (name, shape)) in fields.iter().zip(names.iter()) {
                    self.add_part(values, field, shape, format!("{path}.{name}"));
                }
            }
            (Type::Scalar { lo, hi }, shape) => {
                let Some(value) = values.next() else { return };
                let known = self.parts.iter().position(|part| part.path == path);
                let at = known.unwrap_or_else(|| {
                    self.parts.push(Part {
                        path,
                        shape: shape.clone(),
                        had: Had::Each(BTreeSet::new()),
                        lo: *lo,
                        hi: *hi,
                    });
                    self.parts.len() - 1
                });
                self.parts[at].add(value, (*lo, *hi));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(had: Had, shape: Shape) -> Part {
        Part {
            path: String::new(),
            shape,
            had,
            lo: 0,
            hi: 9,
        }
    }

    #[test]
    fn three_numbers_in_a_row_are_written_as_a_range() {
        let had = |values: &[i64]| part(Had::Each(values.iter().copied().collect()), Shape::Int);
        assert_eq!(had(&[0, 1, 3]).text(), "0, 1, 3");
        assert_eq!(had(&[0, 1, 2, 5, 7, 8, 9]).text(), "0..2, 5, 7..9");
        let apart: Vec<i64> = (0..40).map(|n| 2 * n).collect();
        assert!(had(&apart).text().ends_with("20, 22, 28 more"));
    }

    #[test]
    fn where_one_of_several_values_is_not_known_one_by_one_the_ends_are_told() {
        let mut part = part(Had::Each(BTreeSet::from([3, 5])), Shape::Int);
        let wide = Values::Between {
            least: -1,
            greatest: 200,
        };
        part.add(&wide, (-1, 1_000));
        assert_eq!((part.text().as_str(), part.is_full()), ("-1..200", false));
    }
}
