//! Names of `--only`: the instances, processes, variables and channels of which a run is shown.

use std::collections::BTreeMap;

use stubborn_checker::specification;
use stubborn_checker::stepping::{State, Stepped};
use stubborn_model::names::nearest;
use stubborn_report::{NamedValues, Only, OnlyName, named_values};

/// Returns what the names mean in a model; nothing if there are no names.
///
/// # Errors
/// A sentence for each name that nothing in the model has.
pub fn named_only(arguments: &[String], model: &Stepped) -> Result<Option<Only>, Vec<String>> {
    let wanted: Vec<&str> = arguments.iter().flat_map(|list| split(list)).collect();
    if wanted.is_empty() {
        return Ok(None);
    }
    let known = Known::of(model);
    let mut only = Only::default();
    let mut unknown = Vec::new();
    for name in wanted {
        let written = name.trim();
        let meanings = known.meanings(written);
        if meanings.is_empty() {
            unknown.push(sentence(written, &known));
        }
        for meaning in meanings {
            if !only.names.contains(&meaning) {
                only.names.push(meaning);
            }
        }
    }
    match unknown.is_empty() {
        true => Ok(Some(only)),
        false => Err(unknown),
    }
}

fn sentence(name: &str, known: &Known) -> String {
    let mut told = match name {
        "" => "`--only` has an empty name in its list".to_owned(),
        name => format!(
            "`--only` names `{name}`, and there is no instance, process, variable, channel, action or tester of that name"
        ),
    };
    if let Some(near) = nearest(name, known.names()) {
        told.push_str(&format!("; did you mean `{near}`?"));
    }
    told
}

/// A list at its commas, but for those between values, `p(1,red)`.
fn split(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_u32;
    list.split(move |c| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    })
}

/// The names of a model.
struct Known {
    /// Instances, processes, testers and automata, by their names without blanks.
    who: BTreeMap<String, String>,
    /// The refinements of each specification.
    specifications: BTreeMap<String, Vec<String>>,
    actions: Vec<String>,
    /// All scalars and channels, and where instances are.
    cells: NamedValues,
    /// Variables and channels without their cells.
    values: Vec<String>,
}

impl Known {
    fn of(model: &Stepped) -> Known {
        let (system, map) = (&model.system, &model.map);
        let mut who = BTreeMap::new();
        let mut add = |name: &str| {
            who.insert(without_blanks(name), name.to_owned());
        };
        for instance in &map.instances {
            add(&instance.name);
            add(base(&instance.name));
        }
        for property in model.properties.iter().filter(|one| one.monitor.is_some()) {
            add(&property.name);
            add(&property.base);
        }
        // A specification stands for all that is asked of it.
        let refined = model.properties.iter().filter_map(|one| {
            let (name, base) = specification(one)?;
            Some([(name, one.name.clone()), (base, one.base.clone())])
        });
        let mut specifications: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, property) in refined.flatten() {
            let all = specifications.entry(name).or_default();
            if !all.contains(&property) {
                all.push(property);
            }
        }
        let actions = map.actions.iter().map(|one| one.name.clone()).collect();
        let mut values: Vec<String> = map.variables.iter().map(|one| one.name.clone()).collect();
        values.extend(map.channels.iter().map(|one| base(&one.name).to_owned()));
        let locals = map.instances.iter().flat_map(|instance| &instance.locals);
        values.extend(locals.map(|local| local.name.clone()));
        values.sort_unstable();
        values.dedup();
        let mut cells = named_values(system, map, &State::initial(system));
        cells.truncate(cells.len() - system.instances.len());
        Known {
            who,
            specifications,
            actions,
            cells,
            values,
        }
    }

    fn meanings(&self, written: &str) -> Vec<OnlyName> {
        let name = without_blanks(written);
        if let Some(who) = self.who.get(&name) {
            return vec![OnlyName::Who(who.clone())];
        }
        if let Some(all) = self.specifications.get(&name) {
            return all.iter().cloned().map(OnlyName::Who).collect();
        }
        if self.actions.iter().any(|action| *action == base(&name)) {
            return vec![OnlyName::Action(name)];
        }
        let local = |of: Option<&str>, name: &str| OnlyName::Local {
            of: of.map(str::to_owned),
            name: name.to_owned(),
        };
        let mut meanings = vec![OnlyName::Shared(name.clone()), local(None, &name)];
        if let Some((of, own)) = name.split_once('.') {
            meanings.push(local(Some(of), own));
        }
        meanings.retain(|meaning| {
            let mut cells = self.cells.iter();
            cells.any(|(name, shown)| meaning.is_value(name, shown))
        });
        meanings
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        let specifications = self.specifications.keys();
        let all = self.who.values().chain(&self.values);
        all.chain(specifications)
            .chain(&self.actions)
            .map(String::as_str)
    }
}

/// `customer` of `customer(1)`, `c` of `c[1]`.
fn base(name: &str) -> &str {
    name.split(['(', '[']).next().unwrap_or(name)
}

fn without_blanks(name: &str) -> String {
    name.split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_split_between_names_and_not_between_values() {
        let parts = |list| split(list).map(str::trim).collect::<Vec<_>>();
        assert_eq!(parts("p, q"), ["p", "q"]);
        assert_eq!(
            parts("p(1,red),a[f(2,3)],q"),
            ["p(1,red)", "a[f(2,3)]", "q"]
        );
        assert_eq!(parts("p(,q"), ["p(,q"]);
        assert_eq!(parts(")p,,"), [")p", "", ""]);
    }
}
