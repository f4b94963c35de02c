//! An instance with its variables, its macros and its control flow.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use stubborn_syntax::ast::{self, AstNode};

use crate::body::{Layout, MacroScope, own_macros};
use crate::declarations::{LocalVariable, Parameter};
use crate::elaborate::Elaborator;
use crate::names::{Binding, Env, Symbol, SymbolKind};
use crate::types::Domain;
use stubborn_system::source::Span;
use stubborn_system::system::{InstanceId, VariableRef};

/// An instance whose control flow is known.
#[derive(Clone)]
pub(crate) struct LaidOut {
    /// As it is shown: `customer(1)`.
    pub name: String,
    /// Values of its parameters.
    pub values: Vec<i64>,
    pub env: Env,
    pub locals: Rc<[LocalVariable]>,
    /// The names around its steps are those of a template where it has it in common with others.
    pub layout: Rc<Layout>,
}

/// The variables of a body's own, and the names around it with theirs. Those of `before`, its
/// parameters, are around it already; the variables join them.
pub(crate) fn read_locals(
    elaborator: &mut Elaborator,
    env: Env,
    instance: InstanceId,
    body: Option<&ast::Body>,
    before: &mut FxHashMap<String, Span>,
) -> (Env, Vec<LocalVariable>) {
    let mut locals: Vec<LocalVariable> = Vec::new();
    let mut twice: Vec<(String, Span)> = Vec::new();
    for line in body.into_iter().flat_map(ast::Body::vars) {
        let read = |this: &mut Elaborator| this.local_variables(&line, before);
        let (declared, again) = elaborator.in_scope(&env, read);
        locals.extend(declared);
        twice.extend(again);
    }
    let env = with_locals(env, instance, &locals);
    let env = twice.into_iter().fold(env, |env, (name, span)| {
        // No place, which would be one of the model's.
        let binding = Binding::opaque(Domain::unknown());
        env.with(name, span, binding)
    });
    (env, locals)
}

/// The names around a body with those of its variables.
pub(super) fn with_locals(env: Env, instance: InstanceId, locals: &[LocalVariable]) -> Env {
    if locals.is_empty() {
        return env;
    }
    env.with_many(locals.iter().enumerate().map(|(index, local)| {
        let binding = Binding::Variable {
            variable: VariableRef::Local(instance, index as u32),
            declared: local.declared.clone(),
        };
        (local.name.clone(), local.span, binding)
    }))
}

/// The macros of a process, which share its names.
pub(super) fn declare_macros(
    elaborator: &mut Elaborator,
    body: &ast::Body,
    env: &Env,
    before: &mut FxHashMap<String, Span>,
) -> MacroScope {
    let own = own_macros(body, env);
    for declared in &own {
        elaborator.check_declarable(&declared.name, declared.span);
        if let Some(first) = before.get(&declared.name) {
            let message = format!(
                "`{}` is declared twice in this process; another name would mend it",
                declared.name
            );
            elaborator.duplicate(declared.span, *first, message);
            continue;
        }
        before.insert(declared.name.clone(), declared.span);
        let symbol = Symbol::new(declared.name.as_str(), SymbolKind::Macro, declared.span);
        let documentation = declared.declaration.docs();
        (elaborator.symbols).declare(symbol.documented(documentation));
    }
    MacroScope::of_process(own)
}

/// `customer(1)`, `p(1,red)`.
pub(crate) fn instance_name(name: &str, parameters: &[Parameter], values: &[i64]) -> String {
    if parameters.is_empty() {
        return name.to_string();
    }
    let values: Vec<String> = parameters
        .iter()
        .zip(values)
        .map(|(parameter, value)| parameter.domain.shape.scalar(*value))
        .collect();
    format!("{name}({})", values.join(","))
}
