//! Processes: first every instance with its variables and its control flow, then what their steps
//! do. The two are apart since any expression may ask where any instance is.

mod conflicts;
mod instances;
mod outline;
mod templates;

use std::rc::Rc;

use rustc_hash::FxHashMap;
use stubborn_syntax::ast::{self, HasName, HasParams};

use crate::body::{self, Layout, MacroScope};
use crate::declarations::{LocalVariable, Parameter};
use crate::elaborate::{Elaborator, span_of};
use crate::names::{Binding, Env, ItemId, SymbolKind};
use crate::problem::Code;
use crate::types::Domain;
use stubborn_system::source::{FileId, Span};
use stubborn_system::system::{InstanceId, VariableRef};

use outline::{Open, Outline};

pub(crate) use instances::{MOST_STEPS, draw, draw_alone};

/// A process of the model with its instances.
pub(crate) struct Process {
    pub item: ItemId,
    pub file: FileId,
    /// Where its name stands.
    pub name: Span,
    pub body: Option<ast::Body>,
    pub instances: Vec<LaidOut>,
    /// What its instances have in common, where they have.
    open: Option<Open>,
    outline: Outline,
    /// For the macros that it declares.
    macros_env: Env,
}

/// An instance whose control flow is known.
#[derive(Clone)]
pub(crate) struct LaidOut {
    /// As it is shown: `customer(1)`.
    pub name: String,
    /// Of its parameters.
    pub values: Vec<i64>,
    pub env: Env,
    pub locals: Rc<[LocalVariable]>,
    /// The names around its steps are those of a template where it has it in common with others.
    pub layout: Rc<Layout>,
}

/// How many instances a model may have.
const MOST_INSTANCES: u64 = 10_000;
/// Lays out all instances, and tells the elaborator of them.
pub(crate) fn lay_out(elaborator: &mut Elaborator) -> Vec<Process> {
    let mut processes = Vec::new();
    let mut infos = Vec::new();
    let mut first: InstanceId = 0;
    let mut flow = 0;
    for item in elaborator.items() {
        let ast::Item::Process(ast) = &item.ast else {
            continue;
        };
        let Some(name) = ast.name() else { continue };
        let name_span = span_of(item.file, &name);
        let (mut process, info) = elaborator.owned_by(item.id, |this| {
            let mut outline = Outline {
                item: item.id,
                file: item.file,
                name: name.text(),
                name_span,
                body: ast.body(),
                parameters: Vec::new(),
                first,
                flow,
            };
            outline.parameters = this.parameters(&Env::of_file(item.file), &ast.params());
            outline.process(this)
        });
        first += process.instances.len() as InstanceId;
        // What is laid out again is counted once.
        flow = std::mem::take(&mut process.outline.flow);
        processes.push(process);
        infos.push(Rc::new(info));
    }
    elaborator.processes = infos;
    elaborator.finish_layout();
    processes
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
        let (declared, again) = elaborator.local_variables(&env, &line, before);
        locals.extend(declared);
        twice.extend(again);
    }
    let env = with_locals(env, instance, &locals);
    let env = twice.into_iter().fold(env, |env, (name, span)| {
        // No place, which would be one of the model's.
        let binding = Binding::Opaque {
            domain: Domain::unknown(),
            assignable: false,
        };
        env.with(name, span, binding)
    });
    (env, locals)
}

fn with_locals(env: Env, instance: InstanceId, locals: &[LocalVariable]) -> Env {
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
fn declare_macros(
    elaborator: &mut Elaborator,
    body: &ast::Body,
    env: &Env,
    before: &mut FxHashMap<String, Span>,
) -> MacroScope {
    let own = body::own_macros(body, env);
    for declared in &own {
        elaborator.check_declarable(&declared.name, declared.span);
        if let Some(first) = before.get(&declared.name) {
            let related = vec![(*first, String::from("it is declared here first"))];
            elaborator.error_with(
                Code::DuplicateName,
                declared.span,
                format!(
                    "`{}` is declared twice in this process; another name would mend it",
                    declared.name
                ),
                related,
            );
            continue;
        }
        before.insert(declared.name.clone(), declared.span);
        elaborator.symbols.declare(crate::names::Symbol {
            name: declared.name.clone(),
            kind: SymbolKind::Macro,
            span: declared.span,
            ty: String::new(),
            value: None,
            documentation: ast::HasDocs::docs(&declared.declaration),
        });
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

/// The next combination of values, the first parameter varying slowest.
pub(crate) fn next(values: &mut [i64], parameters: &[Parameter]) -> bool {
    for (value, parameter) in values.iter_mut().zip(parameters).rev() {
        if *value < parameter.domain.range.hi {
            *value += 1;
            return true;
        }
        *value = parameter.domain.range.lo;
    }
    false
}
