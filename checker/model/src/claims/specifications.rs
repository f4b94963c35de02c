//! Specifications: processes whose behaviour is all that is allowed; and `refines`.

use rustc_hash::{FxHashMap, FxHashSet};
use stubborn_syntax::ast::{self, AstNode, HasName, HasParams};

use crate::body::{Builder, MacroScope, own_macros};
use crate::claim::{Claim, Form};
use crate::elaborate::{Elaborator, span_of};
use crate::names::{Binding, DeclarationKind, Env, Item, nearest};
use crate::problem::Code;
use crate::source::Span;
use crate::steps;
use crate::system::VariableRef;
use crate::warnings::Reached;

use super::{Property, for_each_value, name_of};

/// The instance that a specification's own variables belong to: none of the model.
const NO_INSTANCE: u32 = u32::MAX;

pub(super) fn read(elaborator: &mut Elaborator, item: &Item, ast: &ast::SpecificationDecl) {
    let Some((_, span)) = name_of(item, ast) else {
        return;
    };
    let Some(body) = ast.body() else { return };
    touches_nothing(elaborator, item, &body);
    let parameters: Vec<(String, Span)> = ast
        .params()
        .iter()
        .filter_map(|binding| binding.name())
        .map(|name| (name.text(), span_of(item.file, &name)))
        .collect();
    let mut reached = Reached::default();
    let mut own: Vec<(String, Span)> = Vec::new();
    for_each_value(
        elaborator,
        item,
        &ast.params(),
        span,
        &mut |this, env, _| {
            let mut before: FxHashMap<String, Span> = parameters.iter().cloned().collect();
            let mut inner = env.clone();
            let mut index = 0;
            for line in body.vars() {
                for local in this.local_variables(env, &line, &mut before) {
                    let binding = Binding::Variable {
                        variable: VariableRef::Local(NO_INSTANCE, index),
                        declared: local.declared,
                    };
                    index += 1;
                    own.push((local.name.clone(), local.span));
                    inner = inner.with(local.name, local.span, binding);
                }
            }
            let macros = MacroScope::of_process(own_macros(&body, &inner));
            let layout = Builder::new(this, item.file, 0).body(Some(&body), span, &inner, macros);
            for arc in &layout.graph.arcs {
                steps::draw(this, &arc.step);
            }
            for event in body.alphabet() {
                steps::alphabet::mention(this, &inner, &event);
            }
            reached.add(&layout);
        },
    );
    reached.warn(elaborator);
    for (name, span) in own {
        elaborator.warn_if_never_read(&name, span);
    }
}

/// A specification has variables of its own and touches no others, and no channels.
fn touches_nothing(elaborator: &mut Elaborator, item: &Item, body: &ast::Body) {
    let file = item.file;
    let own: FxHashSet<String> = body
        .syntax()
        .descendants()
        .filter_map(ast::Name::cast)
        .map(|name| name.text())
        .collect();
    for node in body.syntax().descendants() {
        let (span, what) = match ast::Expr::cast(node) {
            Some(ast::Expr::At(at)) => (span_of(file, &at), "a process of the model"),
            Some(ast::Expr::Name(expr)) => {
                let Some(name) = expr.name_ref() else {
                    continue;
                };
                if own.contains(&name.text()) {
                    continue;
                }
                let Some(id) = elaborator.declared_name(file, &name.text()) else {
                    continue;
                };
                let what = match elaborator.declaration(id).kind {
                    DeclarationKind::Variable(..) => "a shared variable",
                    DeclarationKind::Channel(_) => "a channel",
                    _ => continue,
                };
                (span_of(file, &name), what)
            }
            _ => continue,
        };
        elaborator.error(
            Code::Misplaced,
            span,
            format!(
                "a specification touches nothing but its own variables, and this is {what}; it \
                 meets the model in actions alone"
            ),
        );
    }
}

pub(super) fn refines(
    elaborator: &mut Elaborator,
    item: &Item,
    ast: &ast::RefinesDecl,
    found: &mut Vec<Property>,
) {
    let (Some(name), Some(refinement)) = (ast.specification(), ast.refinement()) else {
        return;
    };
    let text = name.text();
    if text.is_empty() {
        return;
    }
    let span = span_of(item.file, &name);
    let specifications: Vec<(Item, ast::SpecificationDecl, String)> = elaborator
        .items()
        .into_iter()
        .filter(|other| {
            elaborator
                .program
                .visible_from(item.file)
                .contains(&other.file)
        })
        .filter_map(|other| match other.ast.clone() {
            ast::Item::Specification(ast) => {
                let name = ast.name()?.text();
                Some((other, ast, name))
            }
            _ => None,
        })
        .collect();
    let Some((specification, declaration, _)) =
        specifications.iter().find(|(_, _, name)| *name == text)
    else {
        let known = specifications.iter().map(|(_, _, name)| name.as_str());
        let mend = match nearest(&text, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("`specification {text} {{ … }}` declares one"),
        };
        elaborator.error(
            Code::UnknownName,
            span,
            format!("there is no specification `{text}`; {mend}"),
        );
        return;
    };
    if let Some(name) = declaration.name() {
        let declared = span_of(specification.file, &name);
        elaborator.symbols.refer(span, declared);
    }
    elaborator.reports.record_use(item.id, specification.id);
    for_each_value(
        elaborator,
        specification,
        &declaration.params(),
        span,
        &mut |_, _: &Env, shown| {
            let way = refinement.text();
            found.push(Property {
                name: format!("refines {} in {way}", shown(&text)),
                base: format!("refines {text} in {way}"),
                claim: Claim::NotBuilt(Form::Refinement),
                form: Form::Refinement,
                span,
                monitor: None,
            });
        },
    );
}
