//! From a program to its system, its properties, and what is wrong with it.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use stubborn_syntax::ast::{self, AstNode};
use stubborn_syntax::{Interrupted, TextRange};

use crate::body::LARGEST_FLOW;
use crate::consequences::without_consequences;
use crate::elaborate::{Elaborator, MAX_WORK, Settings};
use crate::interrupt::Interrupt;
use crate::memory::{Left, Memory, Recalled};
use crate::names::Symbols;
use crate::names::declarations::Losses;
use crate::problem::{Code, Problem, Severity, Words};
use crate::processes::{self, Instances, Process};
use crate::program::Program;
use crate::properties::{
    Bound, Expected, Fairness, NamedProperty, Settled, WithItem, bounds, expected, fairness,
    is_lost, properties, settings,
};
use crate::spans::span_in;
use crate::{hints, warnings};
use stubborn_system::property::{Form, Property};
use stubborn_system::source::{FileId, Span};
use stubborn_system::source_map::SourceMap;
use stubborn_system::system::System;

/// What a text means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// By file and position, those that no text is at fault for first.
    pub problems: Vec<Problem>,
    /// `None` where an error leaves no meaning.
    pub model: Option<Model>,
    pub symbols: Symbols,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    pub system: Arc<System>,
    pub source_map: Arc<SourceMap>,
    /// What is to be checked, in the order of the text, a model's before its testers'. Those that
    /// an error takes away are not among them.
    pub properties: Vec<NamedProperty>,
}

/// Reads a program whole, however long it takes. Deterministic: equal programs and settings have
/// equal analyses.
pub fn analyze(program: &Program, given: &Settings) -> Analysis {
    match analyze_within(program, given, &|| false) {
        Ok(analysis) => analysis,
        Err(Interrupted) => unreachable!("nobody has asked for an end"),
    }
}

/// As [`analyze`], until `is_to_end` says that it is to end; that is asked every few microseconds.
///
/// # Errors
/// Where it has ended. What was found until then is not known to be all.
pub fn analyze_within(
    program: &Program,
    given: &Settings,
    is_to_end: &dyn Fn() -> bool,
) -> Result<Analysis, Interrupted> {
    let mut elaborator = Elaborator::within(program, given, Interrupt::new(is_to_end));
    let read = elaborated(&mut elaborator, &Recalled::default())?;
    Ok(read.finish(elaborator).0)
}

/// As [`analyze_within`], with what it remembers for the next analysis of this model or of another
/// tester of it, and with what one before it has remembered. The analysis is the same as without.
///
/// # Errors
/// As of [`analyze_within`].
pub fn analyze_remembering(
    program: &Program,
    given: &Settings,
    before: Option<&Memory>,
    is_to_end: &dyn Fn() -> bool,
) -> Result<(Analysis, Memory), Interrupted> {
    let begin = || Elaborator::within(program, given, Interrupt::new(is_to_end));
    let mut elaborator = begin();
    let recalled = before.map(|before| before.recall(program, given, &elaborator.items()));
    let recalled = recalled.unwrap_or_default();
    elaborator.remember(recalled.readings.clone());
    let mut read = elaborated(&mut elaborator, &recalled)?;
    // What is too much with it is to be told where it is read.
    if !recalled.is_empty() && read.is_too_much(&elaborator) {
        elaborator = begin();
        elaborator.remember(Vec::new());
        read = elaborated(&mut elaborator, &Recalled::default())?;
    }
    let items = elaborator.items();
    read.fairness.before = before.map_or_else(Vec::new, |before| before.assumptions.clone());
    let (analysis, left) = read.finish(elaborator);
    Ok((analysis, Memory::new(program, given, &items, left)))
}

/// A program whose items have all been read.
struct Elaborated {
    processes: Vec<Process>,
    instances: Instances,
    settled: Settled,
    declared: Vec<WithItem>,
    expected: Expected,
    fairness: Fairness,
    bounds: Vec<Bound>,
}

fn elaborated(elaborator: &mut Elaborator, recalled: &Recalled) -> Result<Elaborated, Interrupted> {
    elaborator.number_enumerations();
    let processes = processes::lay_out(elaborator, recalled);
    elaborator.interrupt.has_ended()?;
    elaborator.check_declarations();
    let instances = processes::draw(elaborator, &processes, recalled);
    elaborator.interrupt.has_ended()?;
    let sources = instances.sources.iter();
    let named = sources.map(|one| {
        let names = one.step_names.iter();
        names.map(|(step, name)| (name.clone(), *step)).collect()
    });
    elaborator.named_steps = named.collect();
    let settled = settings(elaborator);
    let declared = properties(elaborator);
    // Where a process has no meaning nothing is known of where it may stop.
    let can_stop = instances.can_stop || elaborator.losses().model;
    let expected = expected(elaborator, &declared, &settled, can_stop);
    let fairness = fairness(elaborator, &instances);
    let bounds = bounds(elaborator);
    warnings::unreachable(elaborator, &processes);
    warnings::unmentioned(elaborator);
    for process in &processes {
        for (name, span) in &process.locals {
            elaborator.warn_if_never_read(name, *span);
        }
    }
    elaborator.warn_of_unused();
    elaborator.interrupt.has_ended()?;
    Ok(Elaborated {
        processes,
        instances,
        settled,
        declared,
        expected,
        fairness,
        bounds,
    })
}

impl Elaborated {
    /// Whether some limit on the whole was reached.
    fn is_too_much(&self, elaborator: &Elaborator) -> bool {
        let flow: usize = self.processes.iter().map(|process| process.flow).sum();
        elaborator.reports.anything_too_large()
            || elaborator.work > MAX_WORK
            || flow.max(self.instances.flow_of_macros) > LARGEST_FLOW
            || self.instances.are_too_many
    }

    fn finish(self, mut elaborator: Elaborator) -> (Analysis, Left) {
        let program = elaborator.program;
        let mut losses = elaborator.losses();
        losses.model |= !self.instances.conflicts.is_empty() || is_lost(&self.bounds, &losses);
        if !losses.model {
            let (instances, sources) = (&self.instances.instances, &self.instances.sources);
            hints::undecided_values(&mut elaborator, instances, sources);
            hints::ambiguous_steps(&mut elaborator, &self.processes, instances, sources);
        }
        if !self.instances.can_stop && self.settled.termination.is_none() && !losses.model {
            warnings::no_place_to_stop(&mut elaborator, &self.processes);
        }
        let first_process = self.processes.first().map(|process| process.name);
        let mut properties = listed(
            program,
            self.declared,
            &self.settled,
            self.instances.can_stop,
            first_process,
            &losses,
        );
        for named in &mut properties {
            named.expected_violated = self.expected.has(named);
        }
        let properties = self.fairness.put_to(program, &losses, properties);
        let mut assumptions: Vec<_> = properties.iter().filter_map(NamedProperty::fair).collect();
        assumptions.dedup_by(|one, other| Arc::ptr_eq(one, other));
        let remembered = if elaborator.remembers && !self.instances.are_too_many {
            processes::remember(&elaborator, self.processes, &self.instances)
        } else {
            Vec::new()
        };
        let readings = elaborator.readings.of().to_vec();
        let uses = match elaborator.remembers {
            true => elaborator.reports.uses().collect(),
            false => Vec::new(),
        };
        let bounds = self.bounds.into_iter().map(|one| (one.expr, one.source));
        let (bounds, bound_sources) = bounds.unzip();
        let (variables, variable_sources) = elaborator.shared_variables();
        let (channels, channel_sources) = elaborator.channels();
        let (actions, action_sources) = elaborator.actions();
        let system = Arc::new(System {
            variables,
            channels,
            actions,
            instances: self.instances.instances,
            bounds,
        });
        let model = (!losses.model).then(|| Model {
            system: system.clone(),
            source_map: Arc::new(SourceMap {
                variables: variable_sources,
                channels: channel_sources,
                actions: action_sources,
                instances: self.instances.sources,
                bounds: bound_sources,
            }),
            properties,
        });
        let (mut problems, symbols, _) = elaborator.finish();
        problems.extend(self.instances.conflicts);
        let problems = told(program, problems);
        let analysis = Analysis {
            problems,
            model,
            symbols,
        };
        let left = Left {
            processes: remembered,
            system,
            readings,
            uses,
            assumptions,
        };
        (analysis, left)
    }
}

/// The mistakes in the grammar alone, as an analysis tells them: what is known of the texts before any
/// name is looked up. Costs time in proportion to the mistakes, and to the texts where one is lost by them.
pub fn grammar(program: &Program) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (file, parsed) in program.files.iter().enumerate() {
        for error in &parsed.parse.errors {
            let span = span_in(FileId(file as u32), error.range);
            problems.push(Words::from(error).problem(Code::Syntax, Severity::Error, Some(span)));
        }
    }
    told(program, problems)
}

/// What is told: of a `next` that it is one, and where the parser has refused something nothing
/// else about it.
fn told(program: &Program, mut problems: Vec<Problem>) -> Vec<Problem> {
    let refused: FxHashSet<(FileId, u32)> = problems
        .iter()
        .filter(|problem| problem.code == Code::Syntax)
        .filter_map(|problem| problem.span)
        .filter(|span| span.start < span.end)
        .map(|span| (span.file, span.start))
        .collect();
    problems.retain(|problem| {
        let at = problem.span.map(|span| (span.file, span.start));
        problem.code == Code::Syntax || !at.is_some_and(|at| refused.contains(&at))
    });
    for problem in &mut problems {
        if problem.code == Code::Syntax
            && let Some(span) = problem.span
            && is_next(program, span)
        {
            problem.code = Code::NextInFormula;
        }
    }
    problems.sort_by_key(|problem| (problem.span, problem.code));
    without_consequences(program, problems)
}

/// Whether a `next` stands there, which no formula has.
fn is_next(program: &Program, span: Span) -> bool {
    let file = program.file(span.file);
    // What is no such word is not looked for in the tree.
    let text = file.text.get(span.start as usize..span.end as usize);
    if !matches!(text, Some("next" | "X")) {
        return false;
    }
    let root = file.parse.syntax();
    let range = TextRange::new(span.start.into(), span.end.into());
    let token = root.covering_element(range).into_token();
    token
        .filter(|token| token.text_range() == range)
        .and_then(|token| token.parent())
        .and_then(ast::PrefixExpr::cast)
        .is_some_and(|prefix| prefix.op() == Some(ast::PrefixOp::Next))
}

/// The properties that are checked: those that no error takes away, and the built-in ones.
fn listed(
    program: &Program,
    declared: Vec<WithItem>,
    settled: &Settled,
    can_stop: bool,
    first_process: Option<Span>,
    losses: &Losses,
) -> Vec<NamedProperty> {
    let beginning = Span::new(FileId(0), 0, 0);
    let unmentioned = first_process.unwrap_or(beginning);
    let built_in = |property: Property, span: Span| {
        let name = name_of(property.form());
        NamedProperty::new(name.to_string(), name, property, span)
    };
    let mut properties = vec![built_in(Property::Errors, unmentioned)];
    match &settled.deadlock {
        Some(deadlock) if deadlock.ignored || losses.items.contains(&deadlock.item) => {}
        Some(deadlock) => {
            let allowed = deadlock.allowed.clone();
            properties.push(built_in(Property::Deadlock { allowed }, deadlock.span));
        }
        None => properties.push(built_in(Property::Deadlock { allowed: None }, unmentioned)),
    }
    if can_stop && settled.termination.is_none() {
        properties.push(built_in(Property::Termination, unmentioned));
    }
    properties.extend(
        declared
            .into_iter()
            .filter(|one| one.item.is_none_or(|item| !losses.items.contains(&item)))
            .map(|one| one.named),
    );
    let file = |span: Span| {
        let tester = program.file(span.file).is_tester();
        (
            tester,
            program.order.iter().position(|file| *file == span.file),
        )
    };
    // Properties of one place stay in the order of their parameters' values.
    properties.sort_by_key(|named| (file(named.span), named.span.start));
    properties
}

fn name_of(form: Form) -> &'static str {
    match form {
        Form::Deadlock => "deadlock",
        Form::Termination => "termination",
        _ => "errors",
    }
}
