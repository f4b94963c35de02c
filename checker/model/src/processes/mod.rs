//! Processes: first every instance with its variables and its control flow, then what their steps
//! do. The two are apart since any expression may ask where any instance is.

mod conflicts;
pub(crate) mod infos;
mod instances;
mod outline;
mod templates;

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use stubborn_syntax::ast::{self, HasName, HasParams};

use crate::body::{self, Layout, MacroScope};
use crate::declarations::{LocalVariable, Parameter};
use crate::elaborate::Elaborator;
use crate::memory::{Recalled, Remembered, header};
use crate::names::journal::Journal;
use crate::names::{Binding, Env, Item, ItemId, SymbolKind};
use crate::problem::{Code, Words};
use crate::spans::span_of;
use crate::types::Domain;
use crate::warnings::Reach;
use stubborn_system::source::{FileId, Span};
use stubborn_system::system::{InstanceId, VariableRef};

use outline::{Open, Outline};

pub(crate) use instances::{Instances, MOST_STEPS, draw, draw_alone};

/// A process of the model.
pub(crate) struct Process {
    pub item: ItemId,
    pub file: FileId,
    /// Where its name stands.
    pub name: Span,
    pub body: Option<ast::Body>,
    /// The variables of its first instance.
    pub locals: Vec<(String, Span)>,
    pub reach: Reach,
    /// The size of its control flow.
    pub flow: usize,
    reading: Reading,
}

/// Where what is said of a process comes from.
enum Reading {
    /// Its text.
    Text(Box<Outlined>),
    /// An analysis before this one.
    Memory(Arc<Remembered>),
}

/// The instances of a process.
pub(crate) struct Outlined {
    pub instances: Vec<LaidOut>,
    /// What they have in common, where they have.
    open: Option<Open>,
    outline: Outline,
    /// For the macros that it declares.
    macros_env: Env,
    laid_out: Journal,
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

/// Lays out all instances, and tells the elaborator of them. What is `recalled` is not read.
pub(crate) fn lay_out(elaborator: &mut Elaborator, recalled: &Recalled) -> Vec<Process> {
    let mut processes = Vec::new();
    let mut infos = Vec::new();
    let mut first: InstanceId = 0;
    let mut flow = 0;
    for item in elaborator.items().iter() {
        let ast::Item::Process(ast) = &item.ast else {
            continue;
        };
        let Some(name) = ast.name() else { continue };
        let name_span = span_of(item.file, &name);
        let (process, info) = match recalled.processes.get(&item.id) {
            Some(remembered) => {
                debug_assert_eq!(
                    remembered.info.first, first,
                    "another has as many instances"
                );
                elaborator.replay(&remembered.laid_out);
                let process = Process {
                    item: item.id,
                    file: item.file,
                    name: name_span,
                    body: ast.body(),
                    locals: remembered.locals.clone(),
                    reach: remembered.reach.clone(),
                    flow: remembered.flow,
                    reading: Reading::Memory(remembered.clone()),
                };
                (process, Arc::clone(&remembered.info))
            }
            None => {
                let read = |this: &mut Elaborator| {
                    let parameters = this.parameters(&ast.params());
                    let kept = this.kept(&parameters, ast.where_clause().as_ref());
                    let outline = Outline {
                        item: item.id,
                        file: item.file,
                        name: name.text(),
                        name_span,
                        body: ast.body(),
                        parameters,
                        kept,
                        first,
                        flow,
                    };
                    outline.process(this)
                };
                let ((outlined, info), journal) =
                    elaborator.journaled(|this| this.owned_by(item.id, read));
                let process = Process::of(item, name_span, outlined, journal, flow);
                (process, Arc::new(info))
            }
        };
        first += info.instances.len() as InstanceId;
        flow += process.flow;
        processes.push(process);
        infos.push(info);
    }
    elaborator.processes = infos;
    elaborator.finish_layout();
    processes
}

impl Process {
    /// Its instances, where its text was read.
    pub(crate) fn laid_out(&self) -> &[LaidOut] {
        match &self.reading {
            Reading::Text(outlined) => &outlined.instances,
            Reading::Memory(_) => &[],
        }
    }

    fn of(
        item: &Item,
        name: Span,
        mut outlined: Outlined,
        laid_out: Journal,
        flow: usize,
    ) -> Process {
        let first = outlined.instances.first();
        let locals = first.iter().flat_map(|first| first.locals.iter());
        let locals = locals
            .map(|local| (local.name.clone(), local.span))
            .collect();
        let mut reach = Reach::default();
        let mut before: Option<&Rc<Layout>> = None;
        for instance in &outlined.instances {
            if !before.is_some_and(|before| Rc::ptr_eq(before, &instance.layout)) {
                reach.add(&instance.layout);
            }
            before = Some(&instance.layout);
        }
        outlined.laid_out = laid_out;
        // What is laid out again is counted once.
        let flow = std::mem::take(&mut outlined.outline.flow) - flow;
        Process {
            item: item.id,
            file: item.file,
            name,
            body: outlined.outline.body.clone(),
            locals,
            reach,
            flow,
            reading: Reading::Text(Box::new(outlined)),
        }
    }
}

/// What is remembered of each process.
pub(crate) fn remember(
    elaborator: &Elaborator,
    processes: Vec<Process>,
    all: &Instances,
) -> Vec<Arc<Remembered>> {
    let drawn = processes.into_iter().zip(&all.drawn).enumerate();
    let remembered = drawn.map(|(number, (process, drawn))| {
        let outlined = match process.reading {
            Reading::Memory(remembered) => return remembered,
            Reading::Text(outlined) => outlined,
        };
        let file = elaborator.program.file(process.file);
        let header = header(elaborator.item(process.item), file);
        Arc::new(Remembered {
            item: process.item,
            before: None,
            header: header.unwrap_or_default().to_string(),
            is_faulty: elaborator.reports.is_faulty(process.item),
            info: Arc::clone(&elaborator.processes[number]),
            locals: process.locals,
            reach: process.reach,
            flow: process.flow,
            flow_of_macros: drawn.flow_of_macros,
            laid_out: outlined.laid_out,
            macros: drawn.macros.clone(),
            drawn: drawn.drawn.clone(),
            sources: all.sources[drawn.instances.clone()].to_vec(),
            participants: all.participants[drawn.participants.clone()].to_vec(),
        })
    });
    remembered.collect()
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
            let words = Words::from(format!(
                "`{}` is declared twice in this process; another name would mend it",
                declared.name
            ));
            let words = words.see(*first, "it is declared here first");
            elaborator.error(Code::DuplicateName, declared.span, words);
            continue;
        }
        before.insert(declared.name.clone(), declared.span);
        elaborator.symbols.declare(crate::names::Symbol {
            name: declared.name.as_str().into(),
            kind: SymbolKind::Macro,
            span: declared.span,
            ty: Arc::default(),
            value: None,
            documentation: ast::AstNode::docs(&declared.declaration).map(Arc::from),
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
