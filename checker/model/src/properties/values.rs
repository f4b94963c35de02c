//! Reads a property once for each value of its parameters.

use stubborn_syntax::SyntaxKind;
use stubborn_syntax::ast::{HasName, HasParams};

use super::named::NamedProperty;
use crate::declarations::{Combinations, with_values, without_values};
use crate::elaborate::Elaborator;
use crate::problem::Code;
use crate::processes::instance_name;
use stubborn_system::property::Property;
use stubborn_system::source::Span;

/// No property has more values of its parameters.
const MOST_PROPERTIES: u64 = 10_000;

/// Gives a name with the values of the parameters, as it is shown: `access(2)` for `access`.
pub(super) type Shown<'s> = &'s dyn Fn(&str) -> String;

/// Name of a property for one value of its parameters.
pub(super) struct Naming<'n> {
    name: String,
    base: &'n str,
    pub(super) span: Span,
}

impl Naming<'_> {
    /// Creates a property without monitor, parts or premises.
    pub(super) fn property(&self, property: Property) -> NamedProperty {
        NamedProperty::new(self.name.clone(), self.base, property, self.span)
    }
}

/// Reads a property once for each value of its parameters.
pub(super) fn each_named(
    elaborator: &mut Elaborator,
    ast: &(impl HasName + HasParams),
    read: &mut dyn FnMut(&mut Elaborator, Naming<'_>) -> NamedProperty,
) -> Vec<NamedProperty> {
    let mut found = Vec::new();
    if let Some((base, span)) = name_of(elaborator, ast) {
        for_each_value(elaborator, ast, span, &mut |this, shown| {
            let (name, base) = (shown(&base), base.as_str());
            found.push(read(this, Naming { name, base, span }));
        });
    }
    found
}

/// Reads something once for each value of the parameters that there is, or once without values
/// where these are not known. `read` is given the values as they are shown.
pub(super) fn for_each_value(
    elaborator: &mut Elaborator,
    ast: &impl HasParams,
    name: Span,
    read: &mut dyn FnMut(&mut Elaborator, Shown<'_>),
) -> bool {
    let parameters = elaborator.parameters(&ast.params());
    let kept = elaborator.kept(&parameters, ast.where_clause().as_ref());
    let count = kept.count(parameters.iter().map(|one| &one.domain));
    if count.is_none_or(|count| count > MOST_PROPERTIES) {
        if let Some(count) = count {
            let what = match ast.syntax().kind() {
                SyntaxKind::FAIR_DECL => "assumptions",
                _ => "properties",
            };
            let message = format!(
                "these are {count} {what}, and no more than {MOST_PROPERTIES} can be \
                 checked; smaller types of the parameters would mend it"
            );
            elaborator.error(Code::TooLarge, name, message);
        }
        let env = without_values(&elaborator.env, &parameters);
        elaborator.in_scope(&env, |this| read(this, &|name| name.to_string()));
        return false;
    }
    for values in Combinations::of(&parameters, &kept) {
        let env = with_values(&elaborator.env, &parameters, &values);
        let shown = |name: &str| instance_name(name, &parameters, &values);
        elaborator.in_scope(&env, |this| read(this, &shown));
        if elaborator.interrupt.is_due() {
            break;
        }
    }
    true
}

/// Name and place of an item's name.
pub(super) fn name_of(elaborator: &Elaborator, ast: &impl HasName) -> Option<(String, Span)> {
    let name = ast.name()?;
    let text = name.text();
    (!text.is_empty()).then(|| (text, elaborator.span(&name)))
}
