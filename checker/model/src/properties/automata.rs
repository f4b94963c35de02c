//! Büchi automata and testing automata, which observe states.

use rustc_hash::FxHashMap;
use stubborn_syntax::ast::{self, AstNode, HasName, HasParams};

use crate::elaborate::Elaborator;
use crate::hints::says_nothing_of_ends;
use crate::names::{Binding, DeclarationKind, Env, Symbol, SymbolKind};
use crate::problem::{Code, Words};
use crate::spans::span_of;
use stubborn_system::property::{Buchi, Form, Formula, Property, Testing};
use stubborn_system::source::Span;
use stubborn_system::source_map::MonitorSource;
use stubborn_system::system::Expr;

use super::named::{NamedProperty, Premise, PremiseKind};
use super::observed::{Unread, formula_of, placeholder};
use super::states::{Initial, States};
use super::values::{each_named, name_of};

/// No automaton observes more.
const MOST_OBSERVED: usize = 64;

/// The observed names.
type Observed = FxHashMap<String, ObservedName>;

#[derive(Clone, Copy, PartialEq, Eq)]
struct ObservedName {
    /// Where it is declared.
    span: Span,
    /// Which proposition it is.
    number: u32,
}

pub(super) fn read(
    elaborator: &mut Elaborator,
    ast: &(impl HasName + HasParams),
    body: Option<ast::Body>,
    form: Form,
) -> Vec<NamedProperty> {
    let (Some((base, span)), Some(body)) = (name_of(elaborator, ast), body) else {
        return Vec::new();
    };
    let observed = observed(elaborator, &body);
    let states = States::of(elaborator, &body, span, Initial::OneOrMore);
    for (_, step) in states.steps() {
        for name in step
            .change_clause()
            .iter()
            .flat_map(|change| change.names())
        {
            check_observed(elaborator, &name, &observed);
        }
    }
    states.warn_of_unreachable(elaborator);
    if form == Form::Buchi {
        says_nothing_of_ends(elaborator, states.states(), &base, span);
    }
    each_named(elaborator, ast, &mut |this, naming| {
        let (propositions, premises) = observe(this, &body, &observed);
        let inner = with_placeholders(&this.env, &observed);
        let conditions: Vec<Option<Formula>> = states
            .states()
            .iter()
            .map(|state| {
                let condition = state.condition()?;
                this.in_scope(&inner, |this| {
                    only_observed(this, &condition, &observed);
                    Some(read_condition(this, &condition))
                })
            })
            .collect();
        let property = match form {
            Form::Buchi => Property::Buchi(Buchi {
                propositions,
                states: states.buchi(conditions),
            }),
            _ => Property::Testing(Testing {
                propositions,
                states: states.testing(conditions, &|name| {
                    observed.get(name).map(|name| name.number)
                }),
            }),
        };
        let monitor = MonitorSource {
            states: states.sources(),
            ..MonitorSource::default()
        };
        NamedProperty {
            premises,
            monitor: Some(monitor),
            ..naming.property(property)
        }
    })
}

/// The `when` of a state.
fn read_condition(elaborator: &mut Elaborator, condition: &ast::Expr) -> Formula {
    let typed = elaborator.boolean(condition, "the `when` of a state");
    formula_of(&typed.expr).unwrap_or_else(|unread| {
        let span = elaborator.span(condition);
        match unread {
            Unread::TooMany(count) => elaborator.error(
                Code::TooLarge,
                span,
                format!(
                    "a part of this compares {count} observed names in other ways than by `and`, \
                     `or` and `not`, too many to try; observe a combination of them under one name"
                ),
            ),
            Unread::Fails(_) => elaborator.error(
                Code::ConstantFails,
                span,
                "for some values of what is observed this condition has no value; a guard like \
                 `p and …` before what fails would mend it",
            ),
        }
        Formula::Constant(false)
    })
}

fn observed(elaborator: &mut Elaborator, body: &ast::Body) -> Observed {
    let mut observed = Observed::default();
    for line in body.observations() {
        let Some(name) = line.name() else { continue };
        let span = elaborator.span(&name);
        let text = name.text();
        elaborator.check_declarable(&text, span);
        if let Some(first) = observed.get(&text) {
            let message = format!("`{text}` is already observed; another name would mend it");
            elaborator.duplicate(span, first.span, message);
            continue;
        }
        let symbol = Symbol::new(text.as_str(), SymbolKind::Observed, span);
        (elaborator.symbols).declare(symbol.with_type("bool").documented(line.docs()));
        let number = observed.len() as u32;
        observed.insert(text, ObservedName { span, number });
        if observed.len() == MOST_OBSERVED + 1 {
            let message = format!(
                "no more than {MOST_OBSERVED} names can be observed; one for a combination of \
                     others would mend it"
            );
            elaborator.error(Code::TooLarge, span, message);
        }
    }
    observed
}

/// What is observed, in the order of the propositions.
fn observe(
    elaborator: &mut Elaborator,
    body: &ast::Body,
    observed: &Observed,
) -> (Vec<Expr>, Vec<Premise>) {
    let (mut propositions, mut premises) = (Vec::new(), Vec::new());
    for line in body.observations() {
        let (Some(name), Some(value)) = (line.name(), line.value()) else {
            continue;
        };
        let text = name.text();
        let typed = elaborator.boolean(&value, &format!("`{text}`"));
        let span = elaborator.span(&name);
        if observed.get(&text).is_some_and(|name| name.span == span) {
            if !matches!(typed.expr, Expr::Const(_)) {
                premises.push(Premise {
                    span,
                    kind: PremiseKind::Observed(text),
                    condition: typed.expr.clone(),
                });
            }
            propositions.push(typed.expr);
        }
    }
    (propositions, premises)
}

/// The observed names on top of the parameters.
fn with_placeholders(env: &Env, observed: &Observed) -> Env {
    observed.iter().fold(env.clone(), |env, (name, declared)| {
        let binding = Binding::Expression {
            typed: placeholder(declared.number),
            depth: 0,
        };
        env.with(name.clone(), declared.span, binding)
    })
}

fn check_observed(elaborator: &mut Elaborator, name: &ast::NameRef, observed: &Observed) {
    let span = elaborator.span(name);
    let text = name.text();
    match observed.get(&text) {
        Some(declared) => elaborator.symbols.refer(span, declared.span),
        None if text.is_empty() => {}
        None => {
            let mut known: Vec<&str> = observed.keys().map(String::as_str).collect();
            known.sort_unstable();
            let near = elaborator.nearest(&text, known);
            let mend = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("`observe {text} = …` would observe it"),
            };
            let message = format!("`{text}` is not observed here; {mend}");
            elaborator.error(Code::UnknownName, span, Words::instead(message, near));
        }
    }
}

/// The `when` of a state is over the observed names, and what is constant.
fn only_observed(elaborator: &mut Elaborator, expr: &ast::Expr, observed: &Observed) {
    let file = elaborator.env.file;
    for node in expr.syntax().descendants() {
        let (span, what) = match ast::Expr::cast(node) {
            Some(ast::Expr::At(at)) => (span_of(file, &at), String::from("the place of a process")),
            Some(ast::Expr::Name(expr)) => {
                let Some(name) = expr.name_ref() else {
                    continue;
                };
                let text = name.text();
                let declared = elaborator.declared_name(file, &text);
                let is_state = declared.is_some_and(|id| {
                    matches!(
                        elaborator.declaration(id).kind,
                        DeclarationKind::Variable(..) | DeclarationKind::Channel(_)
                    )
                });
                if observed.contains_key(&text)
                    || elaborator.env.lookup(&text).is_some()
                    || !is_state
                {
                    continue;
                }
                (span_of(file, &name), format!("`{text}`"))
            }
            _ => continue,
        };
        let message = format!(
            "a state's `when` is over what is observed, and {what} is not; observe it under \
                 a name with `observe NAME = …`"
        );
        elaborator.error(Code::Misplaced, span, message);
    }
}
