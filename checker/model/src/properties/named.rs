//! Properties of a model as an analysis gives them, each with its name.

use std::sync::Arc;

use crate::names::ItemId;
use stubborn_system::property::{Assumption, Form, Ltl, Property};
use stubborn_system::source::Span;
use stubborn_system::source_map::MonitorSource;
use stubborn_system::system::Expr;

/// One property of the model, for one value of its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedProperty {
    /// As it is shown: `access(2)`, `refines spec(2) in traces`.
    pub name: String,
    /// Without the values: `access`.
    pub base: String,
    pub property: Property,
    pub form: Form,
    /// Where its name stands.
    pub span: Span,
    /// Source of a tester, an automaton or a refinement; `None` for other forms.
    pub monitor: Option<MonitorSource>,
    /// Parts of a formula, an invariant or the goal of a `must` that are joined by `and`; empty for
    /// other forms.
    pub parts: Vec<FormulaPart>,
    /// The text says that it is there to fail (`expect violated`).
    pub expected_violated: bool,
    /// The assumptions of [`Property::Fair`], as they are shown, in their order: `fair
    /// customer(0)`, `strongly fair lucky`. None where it is asked of every run.
    pub fairness: Arc<[String]>,
    /// Text of the condition of `progress` or `reachable`, and of both sides of a `recurrence`; empty
    /// for other forms.
    pub words: Vec<String>,
    /// Premises without which the property says nothing, as far as the text shows them.
    pub premises: Vec<Premise>,
}

impl NamedProperty {
    /// One of which the text says no more.
    pub(crate) fn new(
        name: String,
        base: impl Into<String>,
        property: Property,
        span: Span,
    ) -> NamedProperty {
        NamedProperty {
            name,
            base: base.into(),
            form: property.form(),
            property,
            span,
            monitor: None,
            parts: Vec::new(),
            expected_violated: false,
            fairness: Arc::default(),
            words: Vec::new(),
            premises: Vec::new(),
        }
    }

    /// Whether a search that finds a run for it finds what the text expects: the witness of what is
    /// to be reached, or a violation of what is there to fail.
    pub fn run_is_expected(&self) -> bool {
        (self.form == Form::Reachable) != self.expected_violated
    }

    /// Its fairness assumptions, shared.
    pub(crate) fn fair(&self) -> Option<Arc<Vec<Assumption>>> {
        match &self.property {
            Property::Fair(fair) => Some(Arc::clone(&fair.assumptions)),
            _ => None,
        }
    }
}

/// A property, and the item whose mistakes take it away.
pub(crate) struct WithItem {
    pub named: NamedProperty,
    pub item: Option<ItemId>,
}

/// One of the parts of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaPart {
    /// In the words of the text, with the values of what `forall` binds: `` `always (x != k)` for k
    /// = 3 ``.
    pub text: String,
    /// The formula with this conjunct alone in the place of all.
    pub ltl: Ltl,
}

/// A condition without which a property may hold only because something never happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Premise {
    /// Where it stands; of what is observed its name.
    pub span: Span,
    pub kind: PremiseKind,
    /// For all values of what quantifiers bind around it: one of them being true is enough. Of
    /// steps it is not asked.
    pub condition: Expr,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PremiseKind {
    /// The left side of an `implies`, which has to be true in some reachable state.
    Given,
    /// The left side of an `implies` that a formula asks of the initial state alone, where it has
    /// to be true.
    GivenAtStart,
    /// The left side of an `implies` to the right of others, which has to be true where theirs are.
    GivenWithin,
    /// The steps of the left side of a recurrence, some of which some run has to take infinitely
    /// often.
    Recurs,
    /// Proposition of an automaton, which must not be the same in all reachable states.
    Observed(String),
}
