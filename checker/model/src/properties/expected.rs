//! `expect violated: NAME, NAME(2), deadlock`: which properties are there to fail.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use stubborn_syntax::ast::{self, HasParams};

use crate::declarations::place;
use crate::elaborate::Elaborator;
use crate::names::declarations::BUILT_IN_PROPERTIES;
use crate::names::{Env, Item};
use crate::problem::{Code, Words};
use crate::processes::instance_name;
use crate::spans::span_of;
use crate::steps::alphabet::constant_argument;
use stubborn_system::source::{FileId, Span};
use stubborn_system::system::Value;

use super::named::{NamedProperty, WithItem};
use super::settings::Settled;

/// Names of properties: with the values of parameters (`access(2)`), or without, for all values.
#[derive(Default)]
pub(crate) struct Expected {
    names: BTreeSet<String>,
}

impl Expected {
    /// Whether the property is there to fail.
    pub fn has(&self, named: &NamedProperty) -> bool {
        self.names.contains(&named.name) || self.names.contains(&named.base)
    }
}

/// Reads what is expected; a name that no property has is told.
pub(crate) fn expected(
    elaborator: &mut Elaborator,
    declared: &[WithItem],
    settled: &Settled,
    can_stop: bool,
) -> Expected {
    let mut expected = Expected::default();
    for item in elaborator.items().iter() {
        let ast::Item::Expect(ast) = &item.ast else {
            continue;
        };
        elaborator.owned_by(item.id, |this| {
            // What stands before a condition that is false is told of all the same where it is wrong.
            let counts = ast
                .condition()
                .is_none_or(|condition| holds(this, &condition));
            for name in ast.properties() {
                let found = one(this, item, &name, declared, (settled, can_stop));
                if counts {
                    expected.names.extend(found);
                }
            }
        });
    }
    expected
}

/// Whether what is expected under a condition is expected with the parameters that there are.
fn holds(elaborator: &mut Elaborator, condition: &ast::Expr) -> bool {
    let what = "the condition of `expect violated`";
    let typed = elaborator.boolean(condition, what);
    let constant = elaborator.require_constant(condition, &typed, what);
    constant.is_some_and(|constant| constant.value == Value::Int(1))
}

/// What a name stands for, as properties are named.
fn one(
    elaborator: &mut Elaborator,
    item: &Item,
    event: &ast::Event,
    declared: &[WithItem],
    (settled, can_stop): (&Settled, bool),
) -> Vec<String> {
    let Some(name) = event.name_ref() else {
        return Vec::new();
    };
    let text = name.text();
    let span = span_of(item.file, &name);
    if text.is_empty() {
        return Vec::new();
    }
    if BUILT_IN_PROPERTIES.contains(&text.as_str()) {
        let is_off = match text.as_str() {
            "deadlock" => settled.deadlock.as_ref().is_some_and(|one| one.ignored),
            "termination" => settled.termination.is_some() || !can_stop,
            _ => false,
        };
        if is_off {
            let message = match text.as_str() {
                "termination" if settled.termination.is_none() => String::from(
                    "`termination` is not checked here: no process has a place where it may stop",
                ),
                _ => format!("`{text}` is not checked here: a setting of the model says so"),
            };
            elaborator.error(Code::UnknownName, span, message);
            return Vec::new();
        }
        takes_no_values(elaborator, item, event, &text);
        return vec![text];
    }
    // A used file sees nothing of its users.
    let visible = elaborator.program.visible_from(item.file);
    let items = elaborator.items();
    let mut all = items.iter().filter(|of| visible.contains(&of.file));
    if let Some(of) = all.find(|of| is_called(&of.ast, &text)) {
        if let Some(declared) = of.ast.name() {
            elaborator.symbols.refer(span, span_of(of.file, &declared));
        }
        let shown = match event.arg_list() {
            None => Some(text),
            Some(list) => valued(elaborator, item, of, &text, &list),
        };
        if let (ast::Item::Specification(_), Some(shown)) = (&of.ast, &shown) {
            // Its properties are named after it: `refines NAME(2) in traces`.
            let of = format!("refines {shown} ");
            let named = declared.iter().map(|one| &one.named);
            let names = named.flat_map(|one| [&one.base, &one.name]);
            return names
                .filter(|name| name.starts_with(&of))
                .cloned()
                .collect();
        }
        return shown.into_iter().collect();
    }
    unknown(elaborator, &text, span, &visible);
    Vec::new()
}

fn is_called(item: &ast::Item, text: &str) -> bool {
    let is_property = matches!(
        item,
        ast::Item::Invariant(_)
            | ast::Item::Progress(_)
            | ast::Item::Reachable(_)
            | ast::Item::Ltl(_)
            | ast::Item::Recurrence(_)
            | ast::Item::Tester(_)
            | ast::Item::Specification(_)
            | ast::Item::Buchi(_)
            | ast::Item::Testing(_)
    );
    is_property && item.name().is_some_and(|name| name.text() == text)
}

fn unknown(elaborator: &mut Elaborator, text: &str, span: Span, visible: &FxHashSet<FileId>) {
    let items = elaborator.items();
    let names: Vec<String> = items
        .iter()
        .filter(|item| visible.contains(&item.file))
        .filter_map(|item| Some(item.ast.name()?.text()).filter(|name| is_called(&item.ast, name)))
        .collect();
    let names = names.iter().map(String::as_str);
    let near = elaborator.nearest(text, names.chain(BUILT_IN_PROPERTIES));
    let mend = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => String::from("a property of this file, or of one that it uses, can stand here"),
    };
    let message = format!("there is no property `{text}`; {mend}");
    elaborator.error(Code::UnknownName, span, Words::instead(message, near));
}

fn takes_no_values(elaborator: &mut Elaborator, item: &Item, event: &ast::Event, text: &str) {
    if let Some(list) = event.arg_list() {
        let message = format!("`{text}` stands for itself here; leave its values out");
        elaborator.error(Code::WrongArguments, span_of(item.file, &list), message);
    }
}

/// `access(2)`
fn valued(
    elaborator: &mut Elaborator,
    item: &Item,
    of: &Item,
    text: &str,
    list: &ast::ArgList,
) -> Option<String> {
    let list_of = param_list(&of.ast);
    let bindings: Vec<ast::Binding> = list_of.iter().flat_map(|list| list.bindings()).collect();
    let of_env = Env::of_file(of.file);
    let parameters = elaborator.in_scope(&of_env, |this| this.parameters(&bindings));
    let given: Vec<ast::Expr> = list
        .arguments()
        .filter_map(|argument| match argument {
            ast::Argument::Expr(expr) => Some(expr),
            _ => None,
        })
        .collect();
    if given.len() != parameters.len() {
        let wanted = match parameters.len() {
            1 => String::from("1 value"),
            many => format!("{many} values"),
        };
        let words = match parameters.len() {
            0 => format!("`{text}` has no parameters; write its name alone"),
            _ => format!("`{text}` has {wanted}, and {} stand here", given.len()),
        };
        elaborator.error(Code::WrongArguments, span_of(item.file, list), words);
        return None;
    }
    let mut values = Vec::with_capacity(given.len());
    for (expr, parameter) in given.iter().zip(&parameters) {
        let what = format!("`{}` of `{text}`", parameter.name);
        values.push(constant_argument(
            elaborator,
            expr,
            &parameter.domain,
            (&what, &format!("`{text}` alone")),
        )??);
    }
    let clause = list_of.and_then(|list| list.where_clause());
    // What is wrong with it has been told where the property was read.
    let kept = elaborator
        .quietly(|this| this.in_scope(&of_env, |this| this.kept(&parameters, clause.as_ref())))?;
    let domains = || parameters.iter().map(|parameter| &parameter.domain);
    let place = place(domains(), &values)?;
    kept.count(domains())?;
    let name = instance_name(text, &parameters, &values);
    if kept.number(place).is_none() {
        let message =
            format!("there is no property `{name}`: the `where` of `{text}` leaves it out");
        elaborator.error(Code::UnknownName, span_of(item.file, list), message);
        return None;
    }
    Some(name)
}

fn param_list(item: &ast::Item) -> Option<ast::ParamList> {
    match item {
        ast::Item::Invariant(item) => item.param_list(),
        ast::Item::Progress(item) => item.param_list(),
        ast::Item::Reachable(item) => item.param_list(),
        ast::Item::Ltl(item) => item.param_list(),
        ast::Item::Recurrence(item) => item.param_list(),
        ast::Item::Tester(item) => item.param_list(),
        ast::Item::Specification(item) => item.param_list(),
        ast::Item::Buchi(item) => item.param_list(),
        ast::Item::Testing(item) => item.param_list(),
        _ => None,
    }
}
