//! Which values the `for` of a step has taken.
//!
//! The System has a step for each value, in their order, and no names. The text has the names, and where it says by
//! itself what the values are, they are known by the step's number among its like; else nothing is told.

use stubborn_syntax::ast::{AstNode, Expr, ForClause, HasName, TypeExpr};
use stubborn_syntax::parse;
use stubborn_system::system::{InstanceId, LocationId, StepId};

use super::about::About;

/// So far aliases are followed.
const MOST_ALIASES: usize = 8;

/// "k = 1", "i = 0, j = red", of a step that is taken at this place.
pub(super) fn chosen(
    about: About<'_>,
    instance: InstanceId,
    at: LocationId,
    step: StepId,
) -> Option<String> {
    let About { system, map, texts } = about;
    let span = map.step(instance, step);
    let text = texts.text(span);
    // Behind the name that the step may have.
    let text = match text.split_once(':') {
        Some((name, rest)) if name.chars().all(|c| c.is_alphanumeric() || c == '_') => {
            rest.trim_start()
        }
        _ => text,
    };
    if !text.starts_with("for") {
        return None;
    }
    let here = &system.instances[instance as usize].locations[at as usize].steps;
    let alike: Vec<StepId> = here
        .iter()
        .copied()
        .filter(|other| map.step(instance, *other) == span)
        .collect();
    let mut number = alike.iter().position(|other| *other == step)?;
    let whole = texts.text_of(texts.path(span.file))?;
    let tree = parse(&format!("process p {{ {text} }}")).syntax();
    let clause = tree.descendants().find_map(ForClause::cast)?;
    if clause.where_clause().is_some() {
        // Which values are left out is not known here.
        return None;
    }
    let bindings: Vec<(String, Values)> = clause
        .bindings()
        .map(|one| Some((one.name()?.text(), values(&one.ty()?, whole, MOST_ALIASES)?)))
        .collect::<Option<_>>()?;
    // The first varies slowest; how many it has need not be known.
    let mut told = Vec::new();
    for (at, (name, values)) in bindings.iter().enumerate().rev() {
        let this = match (at, values.count) {
            (0, Some(count)) if number >= count => return None,
            (0, _) => number,
            (_, count) => {
                let count = count.filter(|count| *count > 0)?;
                let this = number % count;
                number /= count;
                this
            }
        };
        told.push(format!("{name} = {}", values.shown(this)?));
    }
    told.reverse();
    // Steps that are not all of them would shift the numbers.
    let counts: Option<Vec<usize>> = bindings.iter().map(|(_, values)| values.count).collect();
    let all = counts.map(|counts| counts.iter().product::<usize>());
    all.is_none_or(|all| all == alike.len())
        .then(|| told.join(", "))
}

/// The values of a type, as far as the text says them.
struct Values {
    first: First,
    /// How many there are.
    count: Option<usize>,
}

enum First {
    Number(i64),
    Names(Vec<String>),
}

impl Values {
    fn named(names: Vec<String>) -> Values {
        Values {
            count: Some(names.len()),
            first: First::Names(names),
        }
    }

    /// The one with this number, from 0.
    fn shown(&self, number: usize) -> Option<String> {
        match &self.first {
            First::Number(first) => {
                let value = first.checked_add(i64::try_from(number).ok()?)?;
                Some(value.to_string())
            }
            First::Names(names) => names.get(number).cloned(),
        }
    }
}

fn values(ty: &TypeExpr, text: &str, aliases: usize) -> Option<Values> {
    match ty {
        TypeExpr::Bool(_) => Some(Values::named(vec!["false".to_owned(), "true".to_owned()])),
        TypeExpr::Range(range) => {
            let number = |end: &Expr| end.syntax().text().to_string().parse::<i64>().ok();
            let first = number(&range.low()?)?;
            let last = range.high().and_then(|high| number(&high));
            let count = last.and_then(|last| usize::try_from(last.checked_sub(first)? + 1).ok());
            Some(Values {
                first: First::Number(first),
                count,
            })
        }
        TypeExpr::Named(named) => {
            let name = named.name_ref()?.text();
            let aliases = aliases.checked_sub(1)?;
            let said = declaration(text, "type", &name);
            if let Some(said) = said {
                let said = said.split("//").next()?.trim_start().strip_prefix('=')?;
                let tree = parse(&format!("type aliased = {said}")).syntax();
                let ty = tree.descendants().find_map(TypeExpr::cast)?;
                return values(&ty, text, aliases);
            }
            let said = declaration(text, "enum", &name)?.split("//").next()?;
            let inner = said.trim().strip_prefix('{')?.split_once('}')?.0;
            let names = inner.split(',').map(|name| name.trim().to_owned());
            Some(Values::named(
                names.filter(|name| !name.is_empty()).collect(),
            ))
        }
        TypeExpr::Array(_) | TypeExpr::Record(_) | TypeExpr::Set(_) | TypeExpr::List(_) => None,
    }
}

/// What stands behind the name in the only line that declares it so.
fn declaration<'t>(text: &'t str, keyword: &str, name: &str) -> Option<&'t str> {
    let mut found = text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix(keyword)?;
        let rest = rest.strip_prefix(' ')?.trim_start().strip_prefix(name)?;
        let ends = !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        ends.then_some(rest)
    });
    let only = found.next()?;
    found.next().is_none().then_some(only)
}
