//! The first place that distinguishes two instances of one process.

use stubborn_model::NamedProperty;
use stubborn_system::dump::symbol;
use stubborn_system::symmetry::{Difference, Reason, Site};
use stubborn_system::system::VariableRef;

use crate::About;

/// A sentence about two instances that no permutation swaps, without a full stop.
pub fn difference(of: &Difference, property: &NamedProperty, about: About<'_>) -> String {
    let [one, other] = of.instances.map(|at| about.map.instance(at));
    let place = match of.site {
        Site::Step(instance, step) => {
            let line = about.texts.line(about.map.step(instance, step));
            format!("line {line}")
        }
        Site::Property(_) => format!("`{}`", property.name),
        Site::Variable(variable) => format!("the type of `{}`", variable_name(variable, about)),
        Site::Declarations => "what is declared".to_owned(),
    };
    let why = match (of.reason, of.site) {
        (Reason::Compares(operator), _) => {
            format!("{place} compares identities with `{}`", symbol(operator))
        }
        (Reason::Calculates, _) => format!("{place} calculates with identities"),
        (Reason::Other, Site::Declarations) => "their declarations are not alike".to_owned(),
        (Reason::Other, _) => format!("{place} tells them apart"),
    };
    format!("`{one}` and `{other}` differ: {why}")
}

fn variable_name<'a>(variable: VariableRef, about: About<'a>) -> &'a str {
    let sources = match variable {
        VariableRef::Shared(v) => about.map.variables.get(v as usize),
        VariableRef::Local(instance, v) => {
            let instance = about.map.instances.get(instance as usize);
            instance.and_then(|instance| instance.locals.get(v as usize))
        }
    };
    sources.map_or("", |source| &*source.name)
}
