//! Specifications: processes whose behaviour is all that is allowed; and `refines`.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use stubborn_syntax::ast::{self, AstNode, HasName, HasParams};

use crate::body::reach::{Reach, Reached};
use crate::body::{Builder, MacroScope, own_macros};
use crate::declarations::LocalVariable;
use crate::elaborate::Elaborator;
use crate::names::{DeclarationKind, Env, Item, ItemId};
use crate::problem::{Code, Words};
use crate::processes::{LaidOut, MOST_STEPS, draw_alone, read_locals};
use crate::spans::span_of;
use stubborn_system::property::{Property, Refinement, Semantics};
use stubborn_system::source::Span;
use stubborn_system::source_map::{LocationSource, MonitorSource, VariableSource};
use stubborn_system::system::Instance;

use super::alone::{UNPLACED, place_alone};
use super::named::NamedProperty;
use super::values::{Shown, for_each_value, name_of};

/// A specification for one value of its parameters.
pub(super) struct Specification {
    instance: Instance,
    /// Its locations, as a process's are named.
    locations: Vec<LocationSource>,
    locals: Vec<VariableSource>,
}

/// For each declaration what it is for each value of its parameters, in their order; one that has a
/// mistake may have none.
pub(super) type Specifications = FxHashMap<ItemId, Vec<Option<Specification>>>;

pub(super) fn read_all(elaborator: &mut Elaborator) -> Specifications {
    let mut specifications = Specifications::default();
    let mut room = MOST_STEPS;
    for item in elaborator.items().iter() {
        if let ast::Item::Specification(ast) = &item.ast {
            let values = elaborator.owned_by(item.id, |this| read(this, item, ast, &mut room));
            specifications.insert(item.id, values);
        }
    }
    specifications
}

fn read(
    elaborator: &mut Elaborator,
    item: &Item,
    ast: &ast::SpecificationDecl,
    room: &mut usize,
) -> Vec<Option<Specification>> {
    let (Some((_, span)), Some(body)) = (name_of(elaborator, ast), ast.body()) else {
        return Vec::new();
    };
    let told = touches_nothing(elaborator, item, &body);
    let parameters: Vec<(String, Span)> = ast
        .params()
        .iter()
        .filter_map(|binding| binding.name())
        .map(|name| (name.text(), span_of(item.file, &name)))
        .collect();
    let mut reach = Reach::default();
    let mut own: Vec<(String, Span)> = Vec::new();
    let mut values = Vec::new();
    for_each_value(elaborator, ast, span, &mut |this, _| {
        let laid_out = lay_out(this, &body, (item, span), &parameters);
        own.extend(laid_out.locals.iter().map(|l| (l.name.clone(), l.span)));
        values.push(draw(this, &laid_out, &body, span, room, told));
        reach.add(&laid_out.layout);
    });
    let mut reached = Reached::default();
    reached.add(&reach);
    reached.warn(elaborator);
    for (name, span) in own {
        elaborator.warn_if_never_read(&name, span);
    }
    values
}

fn lay_out(
    elaborator: &mut Elaborator,
    body: &ast::Body,
    (item, name): (&Item, Span),
    parameters: &[(String, Span)],
) -> LaidOut {
    let mut before: FxHashMap<String, Span> = parameters.iter().cloned().collect();
    let env = elaborator.env.clone();
    let (inner, locals) = read_locals(elaborator, env, UNPLACED, Some(body), &mut before);
    let macros = MacroScope::of_process(own_macros(body, &inner));
    let layout = Builder::new(elaborator, item.file, 0).body(Some(body), name, &inner, macros);
    LaidOut {
        name: String::new(),
        values: Vec::new(),
        env: inner,
        locals: locals.into(),
        layout: Rc::new(layout),
    }
}

/// What the steps do; `None` after a mistake. `told`: that something of the model is named in the
/// specification itself has been told.
fn draw(
    elaborator: &mut Elaborator,
    laid_out: &LaidOut,
    body: &ast::Body,
    name: Span,
    room: &mut usize,
    told: bool,
) -> Option<Specification> {
    let Some((mut instance, spans, locations)) = draw_alone(elaborator, laid_out, body, *room)
    else {
        if !laid_out.layout.too_large {
            let message = format!(
                "the specifications have more than {MOST_STEPS} steps with every value of \
                     `for` and of their parameters, too many to check; smaller ranges would mend it"
            );
            elaborator.error(Code::TooLarge, name, message);
        }
        return None;
    };
    *room -= instance.steps.len();
    let mut is_alone = true;
    for (step, span) in instance.steps.iter_mut().zip(spans) {
        if let Some(what) = place_alone(step) {
            is_alone = false;
            if !told {
                let message = format!(
                    "a specification touches nothing but its own variables, and this step \
                         touches {what} by way of a definition or a macro; it meets the model in \
                         actions alone"
                );
                elaborator.error(Code::Misplaced, span, message);
            }
        }
    }
    let locals = laid_out.locals.iter().map(LocalVariable::source);
    is_alone.then_some(Specification {
        instance,
        locations,
        locals: locals.collect(),
    })
}

/// A specification has variables of its own and touches no others, and no channels. Gives whether
/// there was a message.
fn touches_nothing(elaborator: &mut Elaborator, item: &Item, body: &ast::Body) -> bool {
    let file = item.file;
    let mut told = false;
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
        told = true;
        let message = format!(
            "a specification touches nothing but its own variables, and this is {what}; it \
                 meets the model in actions alone"
        );
        elaborator.error(Code::Misplaced, span, message);
    }
    told
}

pub(super) fn refines(
    elaborator: &mut Elaborator,
    item: &Item,
    ast: &ast::RefinesDecl,
    read: &Specifications,
) -> Vec<NamedProperty> {
    let mut found = Vec::new();
    let (Some(name), Some(refinement)) = (ast.specification(), ast.refinement()) else {
        return found;
    };
    let text = name.text();
    if text.is_empty() {
        return found;
    }
    let span = elaborator.span(&name);
    let specifications: Vec<(Item, ast::SpecificationDecl, String)> = elaborator
        .items()
        .iter()
        .filter(|other| {
            elaborator
                .program
                .visible_from(item.file)
                .contains(&other.file)
        })
        .filter_map(|other| match other.ast.clone() {
            ast::Item::Specification(ast) => {
                let name = ast.name()?.text();
                Some((other.clone(), ast, name))
            }
            _ => None,
        })
        .collect();
    let Some((specification, declaration, _)) =
        specifications.iter().find(|(_, _, name)| *name == text)
    else {
        let known = specifications.iter().map(|(_, _, name)| name.as_str());
        let near = elaborator.nearest(&text, known);
        let mend = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("`specification {text} {{ … }}` declares one"),
        };
        let message = format!("there is no specification `{text}`; {mend}");
        elaborator.error(Code::UnknownName, span, Words::instead(message, near));
        return found;
    };
    if let Some(name) = declaration.name() {
        let declared = span_of(specification.file, &name);
        elaborator.symbols.refer(span, declared);
    }
    elaborator.reports.record_use(item.id, specification.id);
    let values = read.get(&specification.id).map_or(&[][..], Vec::as_slice);
    let mut values = values.iter();
    let mut read = |_: &mut Elaborator, shown: Shown<'_>| {
        let way = refinement.text();
        // One with a mistake takes this property away.
        let Some(specification) = values.next().and_then(Option::as_ref) else {
            return;
        };
        let property = Property::Refinement(Refinement {
            semantics: semantics(refinement),
            specification: specification.instance.clone(),
        });
        let monitor = MonitorSource {
            states: specification.locations.clone(),
            steps: Vec::new(),
            locals: specification.locals.clone(),
        };
        let name = format!("refines {} in {way}", shown(&text));
        found.push(NamedProperty {
            monitor: Some(monitor),
            ..NamedProperty::new(name, format!("refines {text} in {way}"), property, span)
        });
    };
    // Parameter types are resolved in the file of the specification.
    elaborator.in_scope(&Env::of_file(specification.file), |this| {
        for_each_value(this, declaration, span, &mut read);
    });
    found
}

fn semantics(refinement: ast::Refinement) -> Semantics {
    match refinement {
        ast::Refinement::Traces => Semantics::Traces,
        ast::Refinement::Failures => Semantics::Failures,
        ast::Refinement::Divergences => Semantics::Divergences,
        ast::Refinement::InfiniteTraces => Semantics::InfiniteTraces,
        ast::Refinement::Cffd => Semantics::Cffd,
    }
}
