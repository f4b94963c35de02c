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

use stubborn_syntax::ast::{self, AstNode, HasName, HasParams};

use crate::declarations::{Combinations, with_values, without_values};
use crate::elaborate::{Elaborator, span_of};
use crate::memory::readings::Meaning;
use crate::names::{Env, Item, ItemId};
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
        if let ast::Item::Invariant(_)
        | ast::Item::Progress(_)
        | ast::Item::Reachable(_)
        | ast::Item::Ltl(_) = &item.ast
        {
            let found = without_monitor(elaborator, item);
            properties.extend(found.into_iter().map(|named| WithItem {
                named,
                item: Some(item.id),
            }));
            continue;
        }
        elaborator.owned_by(item.id, |this| {
            let mut found = Vec::new();
            match &item.ast {
                ast::Item::Recurrence(ast) => recurrence::read(this, item, ast, &mut found),
                ast::Item::Tester(ast) => testers::read(this, item, ast, &mut found),
                ast::Item::Refines(ast) => {
                    specifications::refines(this, item, ast, &specifications, &mut found);
                    forbid_the_same_again(this, &properties, &mut found);
                }
                ast::Item::Buchi(ast) => automata::buchi(this, item, ast, &mut found),
                ast::Item::Testing(ast) => automata::testing(this, item, ast, &mut found),
                _ => {}
            }
            properties.extend(found.into_iter().map(|named| WithItem {
                named,
                item: Some(item.id),
            }));
        });
    }
    properties
}

/// Properties that are said by expressions alone, read or recalled.
fn without_monitor(elaborator: &mut Elaborator, item: &Item) -> Vec<NamedProperty> {
    if let Some(Meaning::Properties(found)) = elaborator.recalled(item.id) {
        return found;
    }
    let read = |this: &mut Elaborator| {
        let mut found = Vec::new();
        match &item.ast {
            ast::Item::Invariant(ast) => {
                let asked = ast.condition();
                expressions::condition(this, item, ast, asked, Property::Invariant, &mut found);
            }
            ast::Item::Progress(ast) => {
                let property = match ast.mode() {
                    Some(ast::ProgressMode::Must) => Property::MustProgress,
                    Some(ast::ProgressMode::May) | None => Property::MayProgress,
                };
                let asked = ast.condition();
                expressions::condition(this, item, ast, asked, property, &mut found);
            }
            ast::Item::Reachable(ast) => {
                let asked = ast.condition();
                expressions::condition(this, item, ast, asked, Property::Reachable, &mut found);
            }
            ast::Item::Ltl(ast) => formulas::ltl(this, item, ast, &mut found),
            _ => {}
        }
        found
    };
    elaborator.remembered(
        item.id,
        |this| this.owned_by(item.id, read),
        |found| Some(Meaning::Properties(found.clone())),
    )
}

/// A refinement has no name but what it says, and is there once like any other property.
fn forbid_the_same_again(
    elaborator: &mut Elaborator,
    earlier: &[WithItem],
    found: &mut Vec<NamedProperty>,
) {
    let Some(new) = found.first() else { return };
    let same = |declared: &&WithItem| declared.named.base == new.base;
    if let Some(first) = earlier.iter().find(same) {
        let words = Words::from(format!(
            "there is already `{}`; leave one of them out",
            new.base
        ))
        .see(first.named.span, "it is declared here first");
        elaborator.error(Code::DuplicateName, new.span, words);
        found.clear();
    }
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

/// Reads something once for each value of the parameters that there is, or once without values where these are
/// not known. `read` is given the values as they are shown.
fn for_each_value(
    elaborator: &mut Elaborator,
    item: &Item,
    ast: &impl HasParams,
    name: Span,
    read: &mut dyn FnMut(&mut Elaborator, Shown<'_>),
) -> bool {
    let file_env = Env::of_file(item.file);
    let parameters = elaborator.parameters(&ast.params());
    let kept = elaborator.kept(&parameters, ast.where_clause().as_ref());
    let count = kept.count(parameters.iter().map(|one| &one.domain));
    if count.is_none_or(|count| count > MOST_PROPERTIES) {
        if let Some(count) = count {
            let what = match &item.ast {
                ast::Item::Fair(_) => "assumptions",
                _ => "properties",
            };
            let message = format!(
                "these are {count} {what}, and no more than {MOST_PROPERTIES} can be \
                     checked; smaller types of the parameters would mend it"
            );
            elaborator.error(Code::TooLarge, name, message);
        }
        let env = without_values(&file_env, &parameters);
        elaborator.in_scope(&env, |this| read(this, &|name| name.to_string()));
        return false;
    }
    for values in Combinations::of(&parameters, &kept) {
        let env = with_values(&file_env, &parameters, &values);
        let shown = |name: &str| instance_name(name, &parameters, &values);
        elaborator.in_scope(&env, |this| read(this, &shown));
        if elaborator.interrupt.is_due() {
            break;
        }
    }
    true
}

/// Name and place of an item's name.
fn name_of(item: &Item, ast: &impl HasName) -> Option<(String, Span)> {
    let name = ast.name()?;
    let text = name.text();
    (!text.is_empty()).then(|| (text, span_of(item.file, &name)))
}

fn first_token(file: stubborn_system::source::FileId, node: &impl AstNode) -> Span {
    crate::body::first_token(file, node)
}
