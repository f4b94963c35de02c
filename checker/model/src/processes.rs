//! Processes: first every instance with its variables and its control flow, then what their steps
//! do. The two are apart since any expression may ask where any instance is.

use rustc_hash::FxHashMap;
use stubborn_syntax::ast::{self, HasName, HasParams};

use crate::body::graph::Way;
use crate::body::{self, Builder, Layout, MacroScope};
use crate::declarations::{LocalVariable, Parameter};
use crate::elaborate::{Elaborator, InstanceInfo, LocalInfo, ProcessInfo, span_of};
use crate::names::{Binding, Decided, Env, ItemId, SymbolKind};
use crate::problem::{Code, Problem, Severity};
use crate::source::{FileId, Span};
use crate::source_map::{InstanceSource, LocationSource, VariableSource};
use crate::steps::alphabet::Alphabet;
use crate::steps::joint::{self, Participant};
use crate::steps::{self, Drawn};
use crate::system::{
    Communication, Expr, Instance, InstanceId, Location, Step, StepId, Target, Value, Variable,
    VariableRef,
};

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
/// How many steps all instances together may have.
const MOST_STEPS: usize = 200_000;

/// What the processes come to.
#[derive(Default)]
pub(crate) struct Instances {
    pub instances: Vec<Instance>,
    pub sources: Vec<InstanceSource>,
    /// Whether some process can come to a place where it is right to stay.
    pub can_stop: bool,
    /// Participants of joint steps that touch the same variable.
    pub conflicts: Vec<Problem>,
}

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
        infos.push(info);
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
                if !next(&mut values, &parameters) {
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
        let mut locals: Vec<LocalVariable> = Vec::new();
        if let Some(body) = &self.body {
            for line in body.vars() {
                locals.extend(elaborator.local_variables(&env, &line, &mut before));
            }
        }
        let env = with_locals(env, instance, &locals);
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

fn with_locals(mut env: Env, instance: InstanceId, locals: &[LocalVariable]) -> Env {
    for (index, local) in locals.iter().enumerate() {
        let binding = Binding::Variable {
            variable: VariableRef::Local(instance, index as u32),
            declared: local.declared.clone(),
        };
        env = env.with(&*local.name, local.span, binding);
    }
    env
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

/// Reads what all steps do. Macros by themselves come first: what is wrong in them is told there.
pub(crate) fn draw(elaborator: &mut Elaborator, processes: &[Process]) -> Instances {
    body::check_cycles(elaborator);
    check_macros(elaborator, processes);
    let mut all = Instances::default();
    let mut participants: Vec<Participant> = Vec::new();
    let mut count = 0;
    for (number, process) in processes.iter().enumerate() {
        elaborator.owned_by(process.item, |this| {
            for laid_out in &process.instances {
                let id = all.instances.len() as InstanceId;
                let mut drawing = Drawing::of(laid_out, number as u32);
                let taking_part = drawing.steps(this, laid_out, id, MOST_STEPS - count);
                drawing
                    .alphabet
                    .lines(this, process.file, process.body.as_ref(), laid_out);
                participants.extend(taking_part);
                count += drawing.instance.steps.len();
                all.can_stop |= drawing.instance.locations.iter().any(|at| at.is_final);
                let (instance, source) = drawing.finish(process, laid_out);
                all.instances.push(instance);
                all.sources.push(source);
                if count > MOST_STEPS {
                    break;
                }
            }
            if count > MOST_STEPS {
                this.error(
                    Code::TooLarge,
                    process.name,
                    format!(
                        "the processes have more than {MOST_STEPS} steps with every value of \
                         `for`, too many to check; smaller ranges would mend it"
                    ),
                );
            }
        });
        if count > MOST_STEPS {
            break;
        }
    }
    all.conflicts = conflicts(elaborator, &participants, &all);
    all
}

fn check_macros(elaborator: &mut Elaborator, processes: &[Process]) {
    let mut used = 0;
    for item in elaborator.items() {
        let ast::Item::Macro(ast) = &item.ast else {
            continue;
        };
        let Some(name) = ast.name() else { continue };
        let span = span_of(item.file, &name);
        elaborator.owned_by(item.id, |this| {
            let env = Env::of_file(item.file);
            used += steps::check_macro(this, ast, &env, span, &MacroScope::default(), used);
        });
    }
    for process in processes {
        let Some(body) = &process.body else { continue };
        elaborator.owned_by(process.item, |this| {
            let scope = MacroScope::of_process(body::own_macros(body, &process.macros_env));
            for own in body::own_macros(body, &process.macros_env) {
                used +=
                    steps::check_macro(this, &own.declaration, &own.env, own.span, &scope, used);
            }
        });
    }
}

/// One instance on its way.
struct Drawing {
    instance: Instance,
    spans: Vec<Span>,
    alphabet: Alphabet,
}

impl Drawing {
    fn of(laid_out: &LaidOut, process: u32) -> Drawing {
        let locals = laid_out.locals.iter().map(|local| Variable {
            ty: local.declared.system.clone(),
            initial: local.initial.clone(),
        });
        let graph = &laid_out.layout.graph;
        let initial = graph.location(&laid_out.layout.locations, graph.initial);
        Drawing {
            instance: Instance {
                process,
                locals: locals.collect(),
                steps: Vec::new(),
                locations: Vec::new(),
                initial: initial.unwrap_or(0),
                alphabet: Vec::new(),
            },
            spans: Vec::new(),
            alphabet: Alphabet::default(),
        }
    }

    /// The steps of all arcs; those that are never taken have their messages, and belong to the
    /// alphabet, but are not in the system.
    fn steps(
        &mut self,
        elaborator: &mut Elaborator,
        laid_out: &LaidOut,
        id: InstanceId,
        room: usize,
    ) -> Vec<Participant> {
        let Layout {
            graph, locations, ..
        } = &laid_out.layout;
        let mut participants = Vec::new();
        let mut ids: Vec<std::ops::Range<StepId>> = Vec::with_capacity(graph.arcs.len());
        if laid_out.layout.too_large {
            return participants;
        }
        for (number, arc) in graph.arcs.iter().enumerate() {
            let from = self.instance.steps.len() as StepId;
            if self.instance.steps.len() > room {
                ids.push(from..from);
                continue;
            }
            for drawn in steps::draw(elaborator, &arc.step) {
                let to = |node| graph.location(locations, node).unwrap_or(0);
                let step = finish(drawn, &arc.way, &to);
                if let Some(Communication::On { action, arguments }) = &step.communication {
                    self.alphabet
                        .step(*action, joint::constant_arguments(arguments));
                }
                participants.extend(joint::participant(id, &step, arc.step.span));
                if locations.taken[number] {
                    self.instance.steps.push(step);
                    self.spans.push(arc.step.span);
                }
            }
            ids.push(from..self.instance.steps.len() as StepId);
        }
        for (arcs, is_final) in locations.arcs.iter().zip(&locations.is_final) {
            self.instance.locations.push(Location {
                steps: arcs.iter().flat_map(|arc| ids[*arc].clone()).collect(),
                is_final: *is_final,
            });
        }
        participants
    }

    fn finish(mut self, process: &Process, laid_out: &LaidOut) -> (Instance, InstanceSource) {
        self.instance.alphabet = self.alphabet.into_patterns();
        let locations = &laid_out.layout.locations;
        let locals = laid_out.locals.iter().map(|local| VariableSource {
            name: local.name.clone(),
            span: local.span,
            shape: local.declared.shape.clone(),
        });
        let source = InstanceSource {
            name: laid_out.name.clone(),
            span: process.name,
            locals: locals.collect(),
            locations: locations
                .names
                .iter()
                .zip(&locations.stands)
                .map(|(name, stand)| LocationSource {
                    name: name.clone(),
                    span: stand.span,
                })
                .collect(),
            steps: self.spans,
        };
        (self.instance, source)
    }
}

/// The step with where it leads. What literals and constants alone keep from being taken leads to
/// places that may not exist; where it is said to lead does not matter.
fn finish(drawn: Drawn, way: &Way, to: &dyn Fn(usize) -> u32) -> Step {
    let target = match *way {
        Way::To(node) => Target::To(to(node)),
        Way::Nowhere => Target::To(0),
        Way::Test {
            then, otherwise, ..
        } => Target::Test {
            condition: drawn.condition.unwrap_or(Expr::Const(Value::Int(1))),
            then: to(then),
            otherwise: to(otherwise),
        },
    };
    Step {
        communication: drawn.communication,
        guard: drawn.guard,
        choices: drawn.choices,
        effects: drawn.effects,
        target,
    }
}

/// Messages for participants that touch the same variable.
fn conflicts(
    elaborator: &mut Elaborator,
    participants: &[Participant],
    all: &Instances,
) -> Vec<Problem> {
    let actions = elaborator.actions().1;
    let found = match joint::conflicts(participants) {
        Ok(found) => found,
        Err(action) => {
            let source = &actions[action as usize];
            elaborator.error(
                Code::TooLarge,
                source.span,
                format!(
                    "too many steps take part in `{}` for their effects to be compared; fewer \
                     instances or fewer values of `for` would mend it",
                    source.name
                ),
            );
            return Vec::new();
        }
    };
    let order = |span: Span| {
        let files = &elaborator.program.order;
        (
            files.iter().position(|file| *file == span.file),
            span.start,
            span.end,
        )
    };
    let mut messages = Vec::new();
    let variables = elaborator.shared_variables().1;
    for conflict in found {
        let (writer, other) = (conflict.writer, conflict.other);
        let (mut earlier, mut later) = (writer.1, other.1);
        if order(later) < order(earlier) {
            std::mem::swap(&mut earlier, &mut later);
        }
        let (mut variable, shape) = match conflict.written.variable {
            VariableRef::Shared(index) => {
                let source = &variables[index as usize];
                (source.name.clone(), &source.shape)
            }
            VariableRef::Local(instance, index) => {
                let source = &all.sources[instance as usize];
                let local = &source.locals[index as usize];
                (format!("{}.{}", source.name, local.name), &local.shape)
            }
        };
        variable += &joint::path_text(&conflict.written.path, shape);
        let name = |participant: (InstanceId, Span)| &all.sources[participant.0 as usize].name;
        let action = &actions[conflict.action as usize].name;
        let (one, two) = (name(writer), name(other));
        let both = if conflict.both_write {
            format!("both change `{variable}`")
        } else {
            format!("`{one}` changes `{variable}`, which `{two}` reads")
        };
        let message = format!(
            "`{one}` and `{two}` take part in `{action}` together, and {both}, in no order that \
             is given; let one of them do it alone, or hand the value over as an argument of \
             `{action}`"
        );
        messages.push((order(later), earlier, later, message));
    }
    messages.sort_by_key(|message| (message.0, message.1));
    let mut problems = Vec::new();
    for (_, earlier, later, message) in messages {
        let related = if earlier == later {
            Vec::new()
        } else {
            vec![(earlier, String::from("the other step is here"))]
        };
        problems.push(Problem {
            code: Code::JointConflict,
            severity: Severity::Error,
            message,
            span: Some(later),
            related,
        });
    }
    problems
}
