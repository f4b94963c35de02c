//! Processes: first every instance with its variables and its control flow, then what their steps
//! do. The two are apart since any expression may ask where any instance is.

mod conflicts;
mod instances;

use std::rc::Rc;

use rustc_hash::FxHashMap;
use stubborn_syntax::ast::{self, HasName, HasParams};

use crate::body::{self, Builder, Layout, MacroScope};
use crate::declarations::{LocalVariable, Parameter};
use crate::elaborate::{Elaborator, InstanceInfo, LocalInfo, ProcessInfo, span_of};
use crate::names::{Binding, Decided, Env, ItemId, SymbolKind};
use crate::problem::Code;
use crate::types::Domain;
use stubborn_system::source::{FileId, Span};
use stubborn_system::system::{InstanceId, VariableRef};

pub(crate) use instances::{MOST_STEPS, draw, draw_alone};

/// A process of the model with its instances.
pub(crate) struct Process {
    pub item: ItemId,
    pub file: FileId,
    /// Where its name stands.
    pub name: Span,
    pub body: Option<ast::Body>,
    pub instances: Vec<LaidOut>,
    /// For the macros that it declares.
    macros_env: Env,
}

/// An instance whose control flow is known.
pub(crate) struct LaidOut {
    /// As it is shown: `customer(1)`.
    pub name: String,
    pub env: Env,
    pub locals: Vec<LocalVariable>,
    pub layout: Layout,
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
        let (process, info) = elaborator.owned_by(item.id, |this| {
            let mut reading = Reading {
                item: item.id,
                file: item.file,
                name: name.text(),
                name_span,
                body: ast.body(),
                first,
                flow,
            };
            reading.process(this, ast)
        });
        first += process.instances.len() as InstanceId;
        flow += process
            .instances
            .iter()
            .map(|instance| instance.layout.graph.size())
            .sum::<usize>();
        processes.push(process);
        infos.push(Rc::new(info));
    }
    elaborator.processes = infos;
    elaborator.finish_layout();
    processes
}

struct Reading {
    item: ItemId,
    file: FileId,
    name: String,
    name_span: Span,
    body: Option<ast::Body>,
    /// The first instance.
    first: InstanceId,
    /// The size of the control flow of what comes before.
    flow: usize,
}

impl Reading {
    fn process(
        &mut self,
        elaborator: &mut Elaborator,
        ast: &ast::ProcessDecl,
    ) -> (Process, ProcessInfo) {
        let file_env = Env::of_file(self.file);
        let parameters = elaborator.parameters(&file_env, &ast.params());
        let known = parameters.iter().all(|parameter| parameter.domain.known);
        let count = parameters.iter().fold(1_u64, |product, parameter| {
            product.saturating_mul(parameter.domain.range.size())
        });
        let fits = count.saturating_add(u64::from(self.first)) <= MOST_INSTANCES;
        if known && !fits {
            let others = match self.first {
                0 => String::new(),
                n => format!(", after {n} of other processes"),
            };
            elaborator.error(
                Code::TooLarge,
                self.name_span,
                format!(
                    "`{}` has {count} instances{others}, and no more than {MOST_INSTANCES} can be \
                     checked; smaller types of its parameters would mend it",
                    self.name
                ),
            );
        }
        let mut instances: Vec<LaidOut> = Vec::new();
        if known && fits {
            let mut values: Vec<i64> = parameters.iter().map(|p| p.domain.range.lo).collect();
            loop {
                let mut env = file_env.clone();
                for (parameter, value) in parameters.iter().zip(&values) {
                    let binding = Binding::Constant {
                        value: *value,
                        domain: parameter.domain.clone(),
                        decided: Decided::Instance,
                    };
                    env = env.with(&*parameter.name, parameter.span, binding);
                }
                let name = instance_name(&self.name, &parameters, &values);
                let instance = self.first + instances.len() as InstanceId;
                let laid_out = self.instance(elaborator, env, name, instance, &parameters);
                self.flow += laid_out.layout.graph.size();
                instances.push(laid_out);
                if !next(&mut values, &parameters) || elaborator.interrupt.is_due() {
                    break;
                }
            }
        } else {
            // One without values, so that its text is checked.
            let env = opaque(&file_env, &parameters);
            let name = self.name.clone();
            instances.push(self.instance(elaborator, env, name, self.first, &parameters));
        }
        // The macros of a process are checked with parameters that have no values.
        let mut macros_env = opaque(&file_env, &parameters);
        if let Some(first) = instances.first() {
            macros_env = with_locals(macros_env, self.first, &first.locals);
        }
        let info = ProcessInfo {
            name: self.name.clone(),
            span: self.name_span,
            item: self.item,
            parameters: parameters
                .into_iter()
                .map(|parameter| (parameter.name, parameter.domain))
                .collect(),
            first: self.first,
            instances: instances.iter().map(instance_info).collect(),
        };
        let process = Process {
            item: self.item,
            file: self.file,
            name: self.name_span,
            body: self.body.clone(),
            instances,
            macros_env,
        };
        (process, info)
    }

    fn instance(
        &self,
        elaborator: &mut Elaborator,
        env: Env,
        name: String,
        instance: InstanceId,
        parameters: &[Parameter],
    ) -> LaidOut {
        let mut before: FxHashMap<String, Span> = parameters
            .iter()
            .map(|parameter| (parameter.name.clone(), parameter.span))
            .collect();
        let body = self.body.as_ref();
        let (env, locals) = read_locals(elaborator, env, instance, body, &mut before);
        for local in &locals {
            elaborator.hint_if_hidden(self.file, local);
        }
        let macros = match &self.body {
            Some(body) => declare_macros(elaborator, body, &env, &mut before),
            None => MacroScope::default(),
        };
        let layout = Builder::new(elaborator, self.file, self.flow).body(
            self.body.as_ref(),
            self.name_span,
            &env,
            macros,
        );
        LaidOut {
            name,
            env,
            locals,
            layout,
        }
    }
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

fn opaque(env: &Env, parameters: &[Parameter]) -> Env {
    parameters.iter().fold(env.clone(), |env, parameter| {
        let binding = Binding::Opaque {
            domain: parameter.domain.clone(),
            assignable: false,
        };
        env.with(&*parameter.name, parameter.span, binding)
    })
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

fn instance_info(instance: &LaidOut) -> InstanceInfo {
    let locals = instance
        .locals
        .iter()
        .enumerate()
        .map(|(index, local)| LocalInfo {
            name: local.name.clone(),
            span: local.span,
            index: index as u32,
            declared: local.declared.clone(),
        });
    let mut location_spans = FxHashMap::default();
    for label in &instance.layout.graph.labels {
        if let Some(span) = label.span.filter(|_| label.visible) {
            location_spans.entry(label.name.clone()).or_insert(span);
        }
    }
    InstanceInfo {
        locals: locals.collect(),
        locations: instance.layout.locations.named.iter().cloned().collect(),
        location_spans,
    }
}
