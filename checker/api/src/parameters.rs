//! Values of `param`s, by their names.

use std::collections::BTreeSet;

use stubborn_model::elaborate::Settings;
use stubborn_model::program::Program;
use stubborn_syntax::ast::{self, HasName};

/// A sentence for each name with a value that is no `param` of any program.
pub fn unknown_parameters(values: &[(String, String)], programs: &[&Program]) -> Vec<String> {
    let known: BTreeSet<String> = programs
        .iter()
        .flat_map(|one| parameter_names(one))
        .collect();
    let listed: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    let unknown = values.iter().filter(|(name, _)| !known.contains(name));
    unknown
        .map(|(name, _)| match &listed[..] {
            [] => format!("there is no `param {name}` to set; the model has none at all"),
            [one] => format!("there is no `param {name}` to set; there is {one}"),
            several => {
                format!(
                    "there is no `param {name}` to set; there are {}",
                    several.join(", ")
                )
            }
        })
        .collect()
}

/// Settings of a program: the values of the `param`s that it has.
pub(crate) fn settings(values: &[(String, String)], program: &Program) -> Settings {
    let known = parameter_names(program);
    let own = values.iter().filter(|(name, _)| known.contains(name));
    Settings {
        parameters: own.cloned().collect(),
    }
}

fn parameter_names(program: &Program) -> BTreeSet<String> {
    let items = program
        .files
        .iter()
        .flat_map(|file| file.parse.tree().items());
    let names = items.filter_map(|item| match item {
        ast::Item::Param(param) => Some(param.name()?.text()),
        _ => None,
    });
    names.collect()
}
