//! A property's name, form and words, as reports need them.

use std::sync::Arc;

use stubborn_model::{FormulaPart, NamedProperty};
use stubborn_system::property::{Form, Property};
use stubborn_system::source::Span;
use stubborn_system::source_map::MonitorSource;

/// What a property is called and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    pub name: &'a str,
    /// Without the values of parameters.
    pub base: &'a str,
    pub property: &'a Property,
    pub form: Form,
    /// Of its name.
    pub span: Span,
    /// Of a tester, an automaton or a refinement.
    pub monitor: Option<&'a MonitorSource>,
    /// Of a formula or an invariant that joins several by `and`.
    pub parts: &'a [FormulaPart],
    /// What it asks for, in the words of the text.
    pub words: &'a [String],
    /// The text says that it is there to fail.
    pub expected_violated: bool,
    /// What the runs are assumed to be that it is asked of.
    pub fairness: &'a Arc<[String]>,
}

impl<'a> Named<'a> {
    pub fn new(named: &'a NamedProperty) -> Named<'a> {
        Named {
            name: &named.name,
            base: &named.base,
            property: &named.property,
            form: named.form,
            span: named.span,
            monitor: named.monitor.as_ref(),
            parts: &named.parts,
            words: &named.words,
            expected_violated: named.expected_violated,
            fairness: &named.fairness,
        }
    }
}
