//! What the steps of every instance do.

use std::ops::Range;
use std::sync::Arc;

use stubborn_syntax::ast::{self, HasName};

use crate::body::graph::{Locations, Way};
use crate::body::{self, Layout, MacroScope};
use crate::declarations::LocalVariable;
use crate::elaborate::Elaborator;
use crate::memory::Recalled;
use crate::memory::readings::Meaning;
use crate::names::journal::Journal;
use crate::problem::{Code, Problem};
use crate::spans::span_of;
use crate::steps;
use crate::steps::alphabet::Alphabet;
use crate::steps::joint::{self, Participant};
use stubborn_system::source::Span;
use stubborn_system::source_map::{Branches, InstanceSource, LocationSource};
use stubborn_system::system::{
    Communication, Instance, InstanceId, Location, StepId, Target, Variable,
};

use super::conflicts::conflicts;
use super::instance_steps::{Read, read};
use super::laid_out::LaidOut;
use super::outline::Outlined;
use super::process::{Process, Reading};
use super::templates::Template;

/// How many steps all instances together may have.
pub(crate) const MOST_STEPS: usize = 200_000;

/// How many steps all locations of an instance may have, each once for each of them.
const MOST_LISTED: usize = 5_000_000;

/// What the processes come to.
#[derive(Default)]
pub(crate) struct Instances {
    pub instances: Vec<Instance>,
    pub sources: Vec<Arc<InstanceSource>>,
    /// Whether some process can come to a place where it is right to stay.
    pub can_stop: bool,
    /// Participants of joint steps that touch the same variable.
    pub conflicts: Vec<Problem>,
    /// What to remember of each process.
    pub drawn: Vec<DrawnProcess>,
    pub participants: Vec<Participant>,
    /// There are more steps than can be checked.
    pub are_too_many: bool,
    /// The size of the control flow of all macros.
    pub flow_of_macros: usize,
}

/// What has been read of a process's steps, apart from the steps.
#[derive(Default)]
pub(crate) struct DrawnProcess {
    pub flow_of_macros: usize,
    pub macros: Journal,
    pub drawn: Journal,
    pub instances: Range<usize>,
    pub participants: Range<usize>,
}

/// Reads what all steps do. Macros by themselves come first: what is wrong in them is told there.
pub(crate) fn draw(
    elaborator: &mut Elaborator,
    processes: &[Process],
    recalled: &Recalled,
) -> Instances {
    body::check_cycles(elaborator);
    let (drawn, flow_of_macros) = check_macros(elaborator, processes);
    let mut all = Instances {
        drawn,
        flow_of_macros,
        ..Instances::default()
    };
    let mut count = 0;
    for (number, process) in processes.iter().enumerate() {
        let (instances, participants) = (all.instances.len(), all.participants.len());
        let journal = match &process.reading {
            Reading::Memory(remembered) => {
                elaborator.replay(&remembered.drawn);
                all.instances
                    .extend_from_slice(recalled.instances(remembered));
                all.sources.extend(remembered.sources.iter().cloned());
                let taking_part = remembered.participants.iter();
                all.participants.extend(taking_part.cloned());
                Journal::default()
            }
            Reading::Text(outlined) => {
                let read = |this: &mut Elaborator| {
                    let room = MOST_STEPS - count;
                    draw_process(this, process, outlined, (number as u32, room), &mut all);
                };
                elaborator
                    .journaled(|this| this.owned_by(process.item, read))
                    .1
            }
        };
        let drawn = &all.instances[instances..];
        count += drawn.iter().map(|one| one.steps.len()).sum::<usize>();
        let mut locations = drawn.iter().flat_map(|one| &one.locations);
        all.can_stop |= locations.any(|at| at.is_final);
        let noted = &mut all.drawn[number];
        noted.drawn = journal;
        noted.instances = instances..all.instances.len();
        noted.participants = participants..all.participants.len();
        all.are_too_many = count > MOST_STEPS;
        if all.are_too_many {
            break;
        }
    }
    if elaborator.interrupt.has_ended().is_err() {
        return all;
    }
    all.conflicts = conflicts(elaborator, &all.participants, &all.sources);
    all
}

/// Reads the steps of all instances of a process, the `number`th, in which there is `room` for so
/// many steps.
fn draw_process(
    elaborator: &mut Elaborator,
    process: &Process,
    outlined: &Outlined,
    (number, room): (u32, usize),
    all: &mut Instances,
) {
    let mut template = None;
    let mut count = 0;
    for (position, laid_out) in outlined.instances.iter().enumerate() {
        let id = all.instances.len() as InstanceId;
        let mut drawing = Drawing::of(laid_out, number);
        let left = room - count;
        let read = match &template {
            Some(template) => Template::read(template, elaborator, laid_out, id, left),
            None if position == 0 => {
                let first = read(elaborator, laid_out, left);
                template = Template::of(elaborator, outlined, (id, &first));
                first
            }
            None => outlined.read_alone(elaborator, laid_out, id, left),
        };
        let taking_part = drawing.steps(laid_out, id, read);
        drawing
            .alphabet
            .lines(elaborator, process.file, process.body.as_ref(), laid_out);
        all.participants.extend(taking_part);
        count += drawing.instance.steps.len();
        if drawing.listed > MOST_LISTED {
            count = room + 1;
        }
        let (instance, source) = drawing.finish(process, laid_out);
        all.instances.push(instance);
        all.sources.push(Arc::new(source));
        if count > room || elaborator.interrupt.is_due() {
            break;
        }
    }
    if count > room {
        let message = format!(
            "the processes have more than {MOST_STEPS} steps with every value of `for`, too \
                 many to check; smaller ranges would mend it"
        );
        elaborator.error(Code::TooLarge, process.name, message);
    }
}

/// A process that is none of the model's, from its control flow: with the place of each of its
/// steps in the text, within a macro that of the call; and its locations. Nobody is warned of its
/// alphabet. `None` where it has more than `room` steps, or where its control flow is not whole.
pub(crate) fn draw_alone(
    elaborator: &mut Elaborator,
    laid_out: &LaidOut,
    body: &ast::Body,
    room: usize,
) -> Option<(Instance, Vec<Span>, Vec<LocationSource>)> {
    let mut drawing = Drawing::of(laid_out, 0);
    let read = read(elaborator, laid_out, room);
    drawing.steps(laid_out, InstanceId::MAX, read);
    let alphabet = &mut drawing.alphabet;
    elaborator.in_scope(&laid_out.env, |this| {
        alphabet.mentioned(this, &body.alphabet())
    });
    drawing.instance.alphabet = drawing.alphabet.into_patterns();
    let is_whole = !laid_out.layout.too_large
        && drawing.instance.steps.len() <= room
        && drawing.listed <= MOST_LISTED;
    is_whole.then(|| {
        let locations = location_sources(&laid_out.layout.locations);
        let spans = drawing.calls.iter().zip(&drawing.spans);
        let spans = spans.map(|(call, span)| call.unwrap_or(*span)).collect();
        (drawing.instance, spans, locations)
    })
}

/// The place of each name in scope outside, with the locations at which it holds.
fn named(layout: &Layout) -> Vec<(Span, Vec<u32>)> {
    let places = layout.places();
    let named = layout.locations.named.iter();
    named
        .filter_map(|(name, holds)| Some((*places.get(name.as_str())?, holds.clone())))
        .collect()
}

fn location_sources(locations: &Locations) -> Vec<LocationSource> {
    locations
        .names
        .iter()
        .zip(&locations.stands)
        .map(|(name, stand)| LocationSource {
            name: name.clone(),
            span: stand.span,
        })
        .collect()
}

/// For each process what was noted of its own macros, and the size of the control flow of all macros.
fn check_macros(elaborator: &mut Elaborator, processes: &[Process]) -> (Vec<DrawnProcess>, usize) {
    let mut used = 0;
    for item in elaborator.items().iter() {
        let ast::Item::Macro(ast) = &item.ast else {
            continue;
        };
        let Some(name) = ast.name() else { continue };
        if let Some(Meaning::Macro(flow)) = elaborator.recalled(item.id) {
            used += flow;
            continue;
        }
        let span = span_of(item.file, &name);
        let read = |this: &mut Elaborator| {
            this.owned_by(item.id, |this| {
                steps::check_macro(this, ast, span, &MacroScope::default(), used)
            })
        };
        used += elaborator.remembered(item.id, read, |flow| Some(Meaning::Macro(*flow)));
    }
    let mut noted = Vec::with_capacity(processes.len());
    for process in processes {
        let mut drawn = DrawnProcess::default();
        match &process.reading {
            Reading::Memory(remembered) => {
                elaborator.replay(&remembered.macros);
                drawn.flow_of_macros = remembered.flow_of_macros;
            }
            Reading::Text(outlined) => {
                let own = process.body.iter();
                let own = own.flat_map(|body| body::own_macros(body, &outlined.macros_env));
                let own: Vec<_> = own.collect();
                let check = |this: &mut Elaborator| {
                    let scope = MacroScope::of_process(own.clone());
                    for own in &own {
                        let used = used + drawn.flow_of_macros;
                        drawn.flow_of_macros += this.in_scope(&own.env, |this| {
                            steps::check_macro(this, &own.declaration, own.span, &scope, used)
                        });
                    }
                };
                let ((), journal) = elaborator.journaled(|this| this.owned_by(process.item, check));
                drawn.macros = journal;
            }
        }
        used += drawn.flow_of_macros;
        noted.push(drawn);
    }
    (noted, used)
}

/// The steps of an arc. Of `-> same` there are some for each location that has the arc.
type Ids = Vec<(Option<u32>, Range<StepId>)>;

/// One instance on its way.
struct Drawing {
    instance: Instance,
    spans: Vec<Span>,
    /// Of the steps that a macro makes, the outermost call.
    calls: Vec<Option<Span>>,
    branches: Vec<(StepId, Branches)>,
    step_names: Vec<(StepId, Arc<str>)>,
    /// How many steps the locations have, each once for each of them.
    listed: usize,
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
            calls: Vec::new(),
            branches: Vec::new(),
            step_names: Vec::new(),
            listed: 0,
            alphabet: Alphabet::default(),
        }
    }

    /// Takes in the steps of all arcs; those that are never taken have their messages, and belong to
    /// the alphabet, but are not in the system.
    fn steps(&mut self, laid_out: &LaidOut, id: InstanceId, read: Read) -> Vec<Participant> {
        let Layout {
            graph, locations, ..
        } = &*laid_out.layout;
        let mut participants = Vec::new();
        let mut ids: Vec<Ids> = vec![Ids::default(); graph.arcs.len()];
        if laid_out.layout.too_large {
            return participants;
        }
        for ((number, steps), branches) in read.steps.into_iter().zip(read.branches) {
            let planned = &graph.arcs[number].step;
            for step in &steps {
                if let Some(Communication::On { action, arguments }) = &step.communication {
                    self.alphabet
                        .step(*action, joint::constant_arguments(arguments));
                }
                participants.extend(joint::participant(id, step, planned.span));
            }
            let homes: Vec<Option<u32>> = match (locations.taken[number], graph.arcs[number].way) {
                (false, _) => Vec::new(),
                (true, Way::Same) => locations.with_arc(number).map(Some).collect(),
                (true, _) => vec![None],
            };
            let name = planned.name().map(|name| Arc::<str>::from(name.text()));
            for home in homes {
                // That there are too many is told of the whole process.
                if self.instance.steps.len() > MOST_STEPS {
                    break;
                }
                let from = self.instance.steps.len() as StepId;
                for (step, branches) in steps.iter().zip(&branches) {
                    if !branches.is_empty() {
                        let id = self.instance.steps.len() as StepId;
                        self.branches.push((id, branches.clone()));
                    }
                    let mut step = step.clone();
                    if let Some(home) = home {
                        step.target = Target::To(home);
                    }
                    self.instance.steps.push(step);
                    self.spans.push(planned.span);
                    self.calls.push(planned.call);
                }
                let steps = from..self.instance.steps.len() as StepId;
                let named = steps.clone().zip(name.iter().cycle());
                (self.step_names).extend(named.map(|(step, name)| (step, name.clone())));
                ids[number].push((home, steps));
            }
        }
        for (here, (arcs, is_final)) in (0..).zip(locations.arcs.iter().zip(&locations.is_final)) {
            let of_here = |home: Option<u32>| home.is_none_or(|home| home == here);
            let of_arcs = arcs.iter().flat_map(|arc| &ids[*arc]);
            let of_arcs = of_arcs.filter(|(home, _)| of_here(*home));
            let mut steps: Vec<StepId> = of_arcs.flat_map(|(_, steps)| steps.clone()).collect();
            steps.sort_unstable();
            self.listed += steps.len();
            if self.listed > MOST_LISTED {
                steps.clear();
            }
            self.instance.locations.push(Location {
                steps,
                is_final: *is_final,
            });
        }
        participants
    }

    fn finish(mut self, process: &Process, laid_out: &LaidOut) -> (Instance, InstanceSource) {
        self.instance.alphabet = self.alphabet.into_patterns();
        let locals = laid_out.locals.iter().map(LocalVariable::source);
        let source = InstanceSource {
            name: laid_out.name.clone(),
            span: process.name,
            locals: locals.collect(),
            locations: location_sources(&laid_out.layout.locations),
            named: named(&laid_out.layout),
            steps: self.spans,
            branches: self.branches,
            step_names: self.step_names,
        };
        (self.instance, source)
    }
}
