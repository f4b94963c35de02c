//! What a file says of its model: properties, settings, testers, automata, specifications
//! (`language.md` §6 and §7).

mod alone;
mod automata;
mod expected;
mod expressions;
mod fairness;
mod formulas;
mod observed;
mod parts;
mod premises;
mod recurrence;
mod settings;
mod specifications;
mod states;
mod step_sets;
mod testers;
mod words;

use std::sync::Arc;

use stubborn_syntax::SyntaxKind;
use stubborn_syntax::ast::{self, AstNode, HasName, HasParams};

use crate::declarations::{Combinations, with_values, without_values};
use crate::elaborate::Elaborator;
use crate::memory::readings::Meaning;
use crate::names::{Item, ItemId};
use crate::problem::{Code, Words};
use crate::processes::instance_name;
use stubborn_system::property::{Assumption, Form, Property};
use stubborn_system::source::Span;
use stubborn_system::source_map::MonitorSource;

pub(crate) use expected::{Expected, expected};
pub(crate) use fairness::{Fairness, fairness};
pub(crate) use settings::{Settled, settings};

pub use parts::FormulaPart;
pub use premises::{Premise, PremiseKind};

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
    /// Of a tester, an automaton or a refinement; of no other form.
    pub monitor: Option<MonitorSource>,
    /// Of a formula, an invariant or the goal of a `must` that joins several by `and`; of all else there are none.
    pub parts: Vec<FormulaPart>,
    /// The text says that it is there to fail (`expect violated`).
    pub expected_violated: bool,
    /// The assumptions of [`Property::Fair`], as they are shown, in their order: `fair customer(0)`, `strongly fair lucky`.
    /// None where it is asked of every run.
    pub fairness: Arc<[String]>,
    /// What it asks for, in the words of the text: the condition of `progress` or `reachable`, both sides of a
    /// `recurrence`. Of the other forms nothing.
    pub words: Vec<String>,
    /// What has to happen for it to say anything, as far as the text shows it.
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

    /// Whether a search that finds a run for it finds what the text expects: the witness of what is to be reached, or a
    /// violation of what is there to fail.
    pub fn run_is_expected(&self) -> bool {
        (self.form == Form::Reachable) != self.expected_violated
    }

    /// What it assumes, as it is shared.
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

/// No property has more values of its parameters.
const MOST_PROPERTIES: u64 = 10_000;

/// The properties that the text declares, in its order; the built-in ones are no part of them.
pub(crate) fn properties(elaborator: &mut Elaborator) -> Vec<WithItem> {
    let specifications = specifications::read_all(elaborator);
    let mut properties = Vec::new();
    for item in elaborator.items().iter() {
        check_place(elaborator, item);
        let found = match &item.ast {
            ast::Item::Invariant(_)
            | ast::Item::Progress(_)
            | ast::Item::Reachable(_)
            | ast::Item::Ltl(_) => without_monitor(elaborator, item),
            _ => elaborator.owned_by(item.id, |this| match &item.ast {
                ast::Item::Recurrence(ast) => recurrence::read(this, ast),
                ast::Item::Tester(ast) => testers::read(this, ast),
                ast::Item::Refines(ast) => {
                    let found = specifications::refines(this, item, ast, &specifications);
                    unless_there_already(this, &properties, found)
                }
                ast::Item::Buchi(one) => automata::read(this, one, one.body(), Form::Buchi),
                ast::Item::Testing(one) => automata::read(this, one, one.body(), Form::Testing),
                _ => Vec::new(),
            }),
        };
        properties.extend(found.into_iter().map(|named| WithItem {
            named,
            item: Some(item.id),
        }));
    }
    properties
}

/// Properties that are said by expressions alone, read or recalled.
fn without_monitor(elaborator: &mut Elaborator, item: &Item) -> Vec<NamedProperty> {
    use expressions::condition;
    if let Some(Meaning::Properties(found)) = elaborator.recalled(item.id) {
        return found;
    }
    let read = |this: &mut Elaborator| match &item.ast {
        ast::Item::Invariant(one) => condition(this, one, one.condition(), Property::Invariant),
        ast::Item::Progress(one) => {
            let property = match one.mode() {
                Some(ast::ProgressMode::Must) => Property::MustProgress,
                Some(ast::ProgressMode::May) | None => Property::MayProgress,
            };
            condition(this, one, one.condition(), property)
        }
        ast::Item::Reachable(one) => condition(this, one, one.condition(), Property::Reachable),
        ast::Item::Ltl(ast) => formulas::ltl(this, ast),
        _ => Vec::new(),
    };
    elaborator.remembered(
        item.id,
        |this| this.owned_by(item.id, read),
        |found| Some(Meaning::Properties(found.clone())),
    )
}

/// A refinement has no name but what it says, and is there once like any other property.
fn unless_there_already(
    elaborator: &mut Elaborator,
    earlier: &[WithItem],
    found: Vec<NamedProperty>,
) -> Vec<NamedProperty> {
    let Some(new) = found.first() else {
        return found;
    };
    let same = |declared: &&WithItem| declared.named.base == new.base;
    let Some(first) = earlier.iter().find(same) else {
        return found;
    };
    let message = format!("there is already `{}`; leave one of them out", new.base);
    let words = Words::from(message).see(first.named.span, "it is declared here first");
    elaborator.error(Code::DuplicateName, new.span, words);
    Vec::new()
}

/// What may not stand in a tester file.
fn check_place(elaborator: &mut Elaborator, item: &Item) {
    if !elaborator.program.file(item.file).is_tester() {
        return;
    }
    let what = match &item.ast {
        ast::Item::Param(_) => "a `param`",
        ast::Item::Var(_) => "a variable",
        ast::Item::Channel(_) => "a channel",
        ast::Item::Action(_) => "an action",
        ast::Item::Macro(_) => "a macro",
        ast::Item::Process(_) => "a process",
        _ => return,
    };
    let span = first_token(item.file, &item.ast);
    elaborator.owned_by(item.id, |this| {
        let message =
            format!("{what} belongs to a model, not to a tester file; move it to the model's file");
        this.error(Code::Misplaced, span, message);
    });
}

/// Gives a name with the values of the parameters, as it is shown: `access(2)` for `access`.
type Shown<'s> = &'s dyn Fn(&str) -> String;

/// Name of a property for one value of its parameters.
struct Naming<'n> {
    name: String,
    base: &'n str,
    span: Span,
}

impl Naming<'_> {
    /// Creates a property without monitor, parts or premises.
    fn property(&self, property: Property) -> NamedProperty {
        NamedProperty::new(self.name.clone(), self.base, property, self.span)
    }
}

/// Reads a property once for each value of its parameters.
fn each_named(
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

/// Reads something once for each value of the parameters that there is, or once without values where these are
/// not known. `read` is given the values as they are shown.
fn for_each_value(
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
fn name_of(elaborator: &Elaborator, ast: &impl HasName) -> Option<(String, Span)> {
    let name = ast.name()?;
    let text = name.text();
    (!text.is_empty()).then(|| (text, elaborator.span(&name)))
}

fn first_token(file: stubborn_system::source::FileId, node: &impl AstNode) -> Span {
    crate::body::first_token(file, node)
}
