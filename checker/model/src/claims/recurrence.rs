//! `recurrence NAME: infinitely A implies infinitely B`.

use stubborn_syntax::ast::{self, HasParams};

use crate::claim::{Claim, Form};
use crate::elaborate::{Elaborator, span_of};
use crate::names::{DeclarationKind, Env, Item, nearest};
use crate::problem::Code;
use crate::steps::alphabet::{constant_argument, mention};

use super::{Property, for_each_value, name_of};

pub(super) fn read(
    elaborator: &mut Elaborator,
    item: &Item,
    ast: &ast::RecurrenceDecl,
    found: &mut Vec<Property>,
) {
    let Some((base, span)) = name_of(item, ast) else {
        return;
    };
    let events: Vec<ast::Event> = [ast.assumption(), ast.conclusion()]
        .into_iter()
        .flatten()
        .flat_map(|set| set.events().collect::<Vec<_>>())
        .collect();
    for_each_value(
        elaborator,
        item,
        &ast.params(),
        span,
        &mut |this, env, shown| {
            for event in &events {
                if event.at_token().is_some() {
                    place(this, env, event);
                } else {
                    mention(this, env, event);
                }
            }
            found.push(Property {
                name: shown(&base),
                base: base.clone(),
                claim: Claim::NotBuilt(Form::Recurrence),
                form: Form::Recurrence,
                span,
            });
        },
    );
}

/// `p(i)@label`: every step that `p(i)` takes while it is there.
fn place(elaborator: &mut Elaborator, env: &Env, event: &ast::Event) {
    let Some(name) = event.name_ref() else { return };
    let is_process = |kind: &DeclarationKind| matches!(kind, DeclarationKind::Process(_));
    let mend = "`process NAME` declares one";
    let Some(id) = elaborator.declared_as(env, &name, is_process, "a process", mend) else {
        return;
    };
    let declared = elaborator.declaration(id).span;
    let Some(process) = elaborator
        .processes
        .iter()
        .find(|process| process.span == declared)
        .cloned()
    else {
        return;
    };
    let given: Vec<ast::Argument> = event
        .arg_list()
        .map(|list| list.arguments().collect())
        .unwrap_or_default();
    if !elaborator.right_number(env, &name, process.parameters.len()) {
        return;
    }
    for (argument, (parameter, domain)) in given.iter().zip(&process.parameters) {
        let what = format!("`{parameter}` of `{}`", process.name);
        match argument {
            ast::Argument::Expr(expr) => {
                constant_argument(elaborator, env, expr, domain, &what);
            }
            ast::Argument::Wild(_) => {}
            ast::Argument::Bind(bind) => elaborator.error(
                Code::Misplaced,
                span_of(env.file, bind),
                "nothing is received here; say which instance is meant",
            ),
        }
    }
    for location in event.locations() {
        let text = location.text();
        let span = span_of(env.file, &location);
        let known = process
            .instances
            .iter()
            .any(|instance| instance.locations.contains_key(&text));
        let declared = process
            .instances
            .iter()
            .find_map(|instance| instance.location_spans.get(&text));
        if let Some(declared) = declared {
            elaborator.symbols.refer(span, *declared);
        }
        if !known && !text.is_empty() {
            let mut names: Vec<&str> = process
                .instances
                .iter()
                .flat_map(|instance| instance.locations.keys().map(String::as_str))
                .collect();
            names.sort_unstable();
            let mend = match nearest(&text, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => String::from("a state or a label of it can stand here"),
            };
            let message = format!("`{}` has no state or label `{text}`; {mend}", process.name);
            elaborator.error(Code::UnknownState, span, message);
        }
    }
}
