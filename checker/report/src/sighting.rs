//! Coverage of a name: the instances that were at a state or a label, and the values of a variable.
//!
//! It is known by the slices that were searched, so that it is that of the present text or unknown.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use stubborn_engine::coverage::{Coverage, Search, Values};
use stubborn_model::{Analysis, Model};
use stubborn_system::source::Span;
use stubborn_system::source_map::{Shape, VariableSource};
use stubborn_system::system::{Type, VariableRef};

/// An instance, and the number of states in which it was at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit<'a> {
    pub instance: &'a str,
    pub count: u64,
    pub search: Search,
}

/// The instances that have the state or the label with its name at `named`, if something is known
/// of all of them.
pub fn visits<'a>(
    analysis: &'a Analysis,
    coverage: &Coverage,
    named: Span,
) -> Option<Vec<Visit<'a>>> {
    let model = analysis.model.as_ref()?;
    let mut visits = Vec::new();
    for (who, source) in (0..).zip(&model.source_map.instances) {
        let Some((_, holds)) = source.named.iter().find(|(span, _)| *span == named) else {
            continue;
        };
        let search = coverage.of_instance(who)?;
        let counts = holds.iter().map(|at| coverage.visits(who, *at));
        let counts: Vec<Option<u64>> = counts.collect();
        let count = counts.iter().flatten().sum();
        // It may be passed over.
        if count == 0 && counts.contains(&None) {
            return None;
        }
        visits.push(Visit {
            instance: &source.name,
            count,
            search,
        });
    }
    (!visits.is_empty()).then_some(visits)
}

/// The values that a variable, or a part of it, had in all instances that have it: all cells of an
/// array are one part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// `.f[…].g`; empty for the variable itself.
    pub path: String,
    shape: Shape,
    /// Each value, if all are known one by one.
    had: Option<BTreeSet<i64>>,
    /// The least and the greatest.
    ends: (i64, i64),
    /// Its type, of all instances together.
    lo: i64,
    hi: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    pub parts: Vec<Part>,
    /// Other values it never has.
    pub is_whole: bool,
    /// Number of states that were searched.
    pub states: u64,
}

/// More values than this are not listed one by one.
const MOST_VALUES: usize = 12;

impl Part {
    /// The values as they are written: `0, 2, 5..9`, `red, green`; from the least to the greatest
    /// if no more is known.
    pub fn text(&self) -> String {
        let scalar = |value: &i64| self.shape.scalar(*value);
        let Some(values) = &self.had else {
            return format!("{}..{}", scalar(&self.ends.0), scalar(&self.ends.1));
        };
        let mut pieces = match self.shape {
            Shape::Int => rows(values),
            _ => values.iter().map(scalar).collect(),
        };
        let more = pieces.len().saturating_sub(MOST_VALUES);
        if more > 1 {
            pieces.truncate(MOST_VALUES);
            pieces.push(format!("{more} more"));
        }
        pieces.join(", ")
    }

    /// The values of an enumeration that it never had, by their names; none of another type, or if
    /// the values are not known one by one.
    pub fn missing_names(&self) -> Vec<&str> {
        let (Shape::Enumeration(names), Some(had)) = (&self.shape, &self.had) else {
            return Vec::new();
        };
        let missing = (self.lo..=self.hi).filter(|value| !had.contains(value));
        let names = missing.filter_map(|value| names.get(usize::try_from(value).ok()?));
        names.map(String::as_str).collect()
    }

    /// Whether only the least and the greatest are known.
    pub fn is_between(&self) -> bool {
        self.had.is_none()
    }

    /// Whether it had every value of its type, or the ends of that if more is not known.
    pub fn is_full(&self) -> bool {
        match &self.had {
            Some(values) => {
                let of_type = self.hi.wrapping_sub(self.lo) as u64;
                values.len() as u64 == of_type.saturating_add(1)
            }
            None => self.ends == (self.lo, self.hi),
        }
    }

    fn add(&mut self, values: &Values) {
        let (least, greatest) = values.ends();
        self.ends = (self.ends.0.min(least), self.ends.1.max(greatest));
        match (&mut self.had, values.each()) {
            (Some(had), Some(each)) => had.extend(each),
            (had, _) => *had = None,
        }
    }
}

/// Numbers as they are written, three and more in a row as `lo..hi`.
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

/// Values of all variables of a text, by the places of their names.
pub struct Ranges<'a> {
    model: &'a Model,
    coverage: &'a Coverage,
    /// With their names.
    variables: HashMap<Span, (&'a str, Vec<VariableRef>)>,
}

impl<'a> Ranges<'a> {
    /// Nothing if the text has no meaning.
    pub fn new(analysis: &'a Analysis, coverage: &'a Coverage) -> Option<Ranges<'a>> {
        let model = analysis.model.as_ref()?;
        let mut variables: HashMap<Span, (&str, Vec<VariableRef>)> = HashMap::new();
        let mut add = |source: &'a VariableSource, one| {
            let of_name = variables.entry(source.span);
            of_name.or_insert((&source.name, Vec::new())).1.push(one);
        };
        for (number, source) in (0..).zip(&model.source_map.variables) {
            add(source, VariableRef::Shared(number));
        }
        for (who, source) in (0..).zip(&model.source_map.instances) {
            for (local, source) in (0..).zip(&source.locals) {
                add(source, VariableRef::Local(who, local));
            }
        }
        Some(Ranges {
            model,
            coverage,
            variables,
        })
    }

    /// The names of all variables, with their places.
    pub fn names(&self) -> impl Iterator<Item = (Span, &'a str)> {
        self.variables
            .iter()
            .map(|(span, (name, _))| (*span, *name))
    }

    /// Values of the variable with its name at `named`, if something is known of it in all
    /// instances.
    pub fn range(&self, named: Span) -> Option<Range> {
        let (system, map) = (&self.model.system, &self.model.source_map);
        let mut found = Range {
            parts: Vec::new(),
            is_whole: true,
            states: 0,
        };
        for variable in &self.variables.get(&named)?.1 {
            let (variables, sources, number) = match *variable {
                VariableRef::Shared(number) => (&system.variables, &map.variables, number),
                VariableRef::Local(who, number) => (
                    &system.instances[who as usize].locals,
                    &map.instances[who as usize].locals,
                    number,
                ),
            };
            let (search, values) = self.coverage.values(*variable)?;
            found.is_whole &= search.is_whole;
            found.states = found.states.max(search.states);
            let (variable, source) = (&variables[number as usize], &sources[number as usize]);
            found.add(
                &mut values.iter(),
                &variable.ty,
                &source.shape,
                String::new(),
            );
        }
        (!found.parts.is_empty()).then_some(found)
    }
}

impl Range {
    fn part(&mut self, path: String, shape: &Shape, (lo, hi): (i64, i64)) -> &mut Part {
        let known = self.parts.iter().position(|part| part.path == path);
        let at = known.unwrap_or_else(|| {
            self.parts.push(Part {
                path,
                shape: shape.clone(),
                had: Some(BTreeSet::new()),
                ends: (i64::MAX, i64::MIN),
                lo,
                hi,
            });
            self.parts.len() - 1
        });
        let part = &mut self.parts[at];
        (part.lo, part.hi) = (part.lo.min(lo), part.hi.max(hi));
        part
    }

    fn add(
        &mut self,
        values: &mut std::slice::Iter<'_, Values>,
        ty: &Type,
        shape: &Shape,
        path: String,
    ) {
        match (ty, shape) {
            (Type::Array { len, cell, .. }, Shape::Array(_, of_cell)) => {
                for _ in 0..*len {
                    self.add(values, cell, of_cell, format!("{path}[…]"));
                }
            }
            // It had the elements that were in it at some time.
            (Type::Array { len, .. }, Shape::Set { lo, element }) => {
                let hi = lo.saturating_add(i64::from(*len) - 1);
                let part = self.part(format!("{path}{{…}}"), element, (*lo, hi));
                let ever = values.by_ref().take(*len as usize).zip(*lo..);
                let ever = ever.filter(|(values, _)| values.ends().1 == 1);
                let had = part.had.get_or_insert_default();
                had.extend(ever.map(|(_, element)| element));
            }
            (Type::Record(fields), Shape::List(element)) => {
                if let [length, cells] = &**fields {
                    self.add(values, length, &Shape::Int, format!("{path}[len]"));
                    let cells_of = Shape::Array(Arc::new(Shape::Int), element.clone());
                    self.add(values, cells, &cells_of, path);
                }
            }
            (Type::Record(fields), Shape::Record(names)) => {
                for (field, (name, shape)) in fields.iter().zip(names.iter()) {
                    self.add(values, field, shape, format!("{path}.{name}"));
                }
            }
            (Type::Scalar { lo, hi }, shape) => {
                if let Some(value) = values.next() {
                    self.part(path, shape, (*lo, *hi)).add(value);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(had: &[i64], shape: Shape) -> Part {
        Part {
            path: String::new(),
            shape,
            had: Some(had.iter().copied().collect()),
            ends: (had[0], had[had.len() - 1]),
            lo: 0,
            hi: 9,
        }
    }

    #[test]
    fn three_numbers_in_a_row_are_written_as_a_range() {
        let had = |values: &[i64]| part(values, Shape::Int);
        assert_eq!(had(&[0, 1, 3]).text(), "0, 1, 3");
        assert_eq!(had(&[0, 1, 2, 5, 7, 8, 9]).text(), "0..2, 5, 7..9");
        let apart: Vec<i64> = (0..40).map(|n| 2 * n).collect();
        assert!(had(&apart).text().ends_with("20, 22, 28 more"));
    }

    #[test]
    fn where_one_of_several_values_is_not_known_one_by_one_the_ends_are_told() {
        let mut part = part(&[3, 5], Shape::Int);
        let wide = Values::Between {
            least: -1,
            greatest: 200,
        };
        part.add(&wide);
        assert_eq!((part.text().as_str(), part.is_full()), ("-1..200", false));
    }
}
