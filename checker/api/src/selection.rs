//! Choice of properties by their names.

use std::collections::BTreeSet;

use stubborn_model::NamedProperty;
use stubborn_model::names::nearest;
use stubborn_model::program::Program;
use stubborn_syntax::ast::{self, AstNode};
use stubborn_system::property::Form;

use crate::Model;

/// Properties that no text needs to mention.
const BUILT_IN: [&str; 3] = ["errors", "deadlock", "termination"];

/// Properties that are chosen by name; all if no name is given.
///
/// A name is that of one property, `access(2)`, of all with other values of its parameters, `access`,
/// or of a specification, for all that refines it.
///
/// ```
/// use stubborn_checker::{Model, Selection};
///
/// let model = Model::parse("var x: 0..3\nprocess p { stop }\ninvariant low(n in 1..3): x < n")?;
/// let chosen = Selection::new(&["low".to_owned(), "low(4)".to_owned()]);
/// let properties = model.named_properties().iter();
/// assert_eq!(properties.filter(|named| chosen.has(named)).count(), 3);
/// assert!(chosen.unknown(&[&model])[0].starts_with("there is no property `low(4)`"));
/// # Ok::<(), stubborn_checker::Errors>(())
/// ```
#[derive(Debug)]
pub struct Selection {
    /// Names as they were written, and without blanks.
    wanted: Vec<(String, String)>,
}

impl Selection {
    /// The properties with these names.
    pub fn new(wanted: &[String]) -> Selection {
        let wanted = wanted
            .iter()
            .map(|name| (name.clone(), without_blanks(name)));
        Selection {
            wanted: wanted.collect(),
        }
    }

    /// Whether a property is chosen.
    pub fn has(&self, named: &NamedProperty) -> bool {
        self.wanted.is_empty()
            || self
                .wanted
                .iter()
                .any(|(_, wanted)| is_named(named, wanted))
    }

    /// A sentence for each name that no property of these models has. A property that an error in the
    /// text takes away has its name all the same.
    pub fn unknown(&self, models: &[&Model]) -> Vec<String> {
        let properties = || models.iter().flat_map(|model| model.named_properties());
        let is_unknown = |wanted: &str| {
            let base = wanted.split('(').next().unwrap_or(wanted);
            let is_listed = |one: &NamedProperty| without_blanks(&one.base) == base;
            let taken_away = models.iter().any(|model| {
                let is_built_in = model.meaning().is_none() && BUILT_IN.contains(&base);
                let is_declared = declares(model.program(), base);
                let is_there = model.named_properties().iter().any(is_listed);
                is_built_in || is_declared && !is_there
            });
            !taken_away && !properties().any(|named| is_named(named, wanted))
        };
        let names: BTreeSet<&str> = properties().map(|named| &*named.base).collect();
        let known: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        // The values of its parameters that a property has.
        let of_family = |wanted: &str| -> Vec<String> {
            let base = wanted.split('(').next().unwrap_or(wanted);
            let members = properties().filter(|named| without_blanks(&named.base) == base);
            let members = members.filter(|named| named.name != named.base);
            members.map(|named| format!("`{}`", named.name)).collect()
        };
        let unknown = self.wanted.iter().filter(|(_, wanted)| is_unknown(wanted));
        unknown
            .map(|(written, wanted)| match (written.as_str(), &known[..]) {
                ("deadlock", _) => "the property `deadlock` is not checked here: the model says \
                                    `deadlock ignored`"
                    .to_owned(),
                ("termination", _) => "the property `termination` is not checked here: the model \
                                       says `termination not required`, or no process has a place \
                                       to stop"
                    .to_owned(),
                (_, []) => format!("there is no property `{written}`"),
                _ if !of_family(wanted).is_empty() => format!(
                    "there is no property `{written}`{}; there are {}{}",
                    outside(wanted, &of_family(wanted)).unwrap_or_default(),
                    few(&of_family(wanted)),
                    match models
                        .iter()
                        .any(|model| has_where(model.program(), wanted))
                    {
                        true => ", which `where` keeps",
                        false => "",
                    }
                ),
                (_, known) => {
                    let base = wanted.split('(').next().unwrap_or(wanted);
                    let why = match nearest(base, names.iter().copied()) {
                        _ if names.contains(base) => format!("`{base}` has no parameters; there"),
                        Some(near) => format!("did you mean `{near}`? There"),
                        None => "there".to_owned(),
                    };
                    let known = known.join(", ");
                    format!("there is no property `{written}`; {why} are {known}")
                }
            })
            .collect()
    }
}

/// ": 7 is outside 0..3", where the members have all values of a range at the place of one that they do not have.
fn outside(wanted: &str, members: &[String]) -> Option<String> {
    let asked = arguments(wanted);
    let members: Vec<Vec<&str>> = members
        .iter()
        .map(|name| arguments(name.trim_matches('`')))
        .collect();
    if members.iter().any(|member| member.len() != asked.len()) {
        return None;
    }
    asked.iter().enumerate().find_map(|(at, value)| {
        let value: i64 = value.parse().ok()?;
        let at_it = members.iter().map(|member| member[at].parse().ok());
        let values: BTreeSet<i64> = at_it.collect::<Option<_>>()?;
        let (first, last) = (*values.first()?, *values.last()?);
        let is_range = last.abs_diff(first) + 1 == values.len() as u64;
        (is_range && !values.contains(&value))
            .then(|| format!(": {value} is outside {first}..{last}"))
    })
}

/// Those of `m(1,red)`.
fn arguments(name: &str) -> Vec<&str> {
    let inner = name.split_once('(').map(|(_, rest)| rest);
    let inner = inner.and_then(|rest| rest.strip_suffix(')'));
    inner.map_or(Vec::new(), |inner| {
        inner.split(',').map(str::trim).collect()
    })
}

/// "`m(0)`, `m(1)`, … `m(7)`".
fn few(names: &[String]) -> String {
    match names {
        [first, second, .., last] if names.len() > MOST_NAMED => {
            format!("{first}, {second}, … {last}")
        }
        names => names.join(", "),
    }
}

/// So many members of a family are named, else its first ones and its last.
const MOST_NAMED: usize = 6;

fn is_named(named: &NamedProperty, wanted: &str) -> bool {
    without_blanks(&named.name) == wanted
        || without_blanks(&named.base) == wanted
        || specification(named).is_some_and(|(name, base)| name == wanted || base == wanted)
}

/// Name of the specification that a property refines, with and without the values of its parameters:
/// `queue(2)` and `queue` of `refines queue(2) in traces`.
pub fn specification(named: &NamedProperty) -> Option<(String, String)> {
    let refined = |name: &str| {
        let name = name.strip_prefix("refines ")?;
        name.split(" in ").next().map(without_blanks)
    };
    if named.form != Form::Refinement {
        return None;
    }
    Some((refined(&named.name)?, refined(&named.base)?))
}

fn without_blanks(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Whether a property with this name stands in the text.
fn declares(program: &Program, name: &str) -> bool {
    declared(program, name).next().is_some()
}

/// Whether a `where` stands behind the parameters of the property of which `wanted` would be one.
fn has_where(program: &Program, wanted: &str) -> bool {
    let base = wanted.split('(').next().unwrap_or(wanted);
    declared(program, base).any(|item| {
        let list = item.syntax().children().find_map(ast::ParamList::cast);
        list.is_some_and(|list| list.where_clause().is_some())
    })
}

fn declared<'p>(program: &'p Program, name: &'p str) -> impl Iterator<Item = ast::Item> + 'p {
    let items = program
        .files
        .iter()
        .flat_map(|file| file.parse.tree().items());
    items.filter(move |item| {
        property_name(item).is_some_and(|declared| without_blanks(&declared) == name)
    })
}

/// `mutex`, `refinesqueueintraces`.
fn property_name(item: &ast::Item) -> Option<String> {
    match item {
        ast::Item::Invariant(_)
        | ast::Item::Progress(_)
        | ast::Item::Reachable(_)
        | ast::Item::Ltl(_)
        | ast::Item::Recurrence(_)
        | ast::Item::Tester(_)
        | ast::Item::Buchi(_)
        | ast::Item::Testing(_) => Some(item.name()?.text()),
        ast::Item::Refines(item) => {
            let specification = item.specification()?.text();
            Some(format!(
                "refines {specification} in {}",
                item.refinement()?.text()
            ))
        }
        _ => None,
    }
}
