//! Runs of a model, step by step, with names and places.
//!
//! A run may have millions of steps. Each becomes words only where somebody asks for it: of a long run
//! a report tells the first and the last steps and says how many lie between, and keeps the run itself
//! for who wants every step.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use stubborn_engine::{Trace, Walk};
use stubborn_model::NamedProperty;
use stubborn_system::source_map::SourceMap;
use stubborn_system::system::System;

use super::about::About;
use super::monitor::Beside;
use super::phrases::counted;
use super::place::Texts;
use super::state::{NamedValues, Shown, named_values};
use super::step::{Before, StepReport};

/// A run with more steps than this is told by its first and its last ones.
pub(super) const MOST_STEPS: usize = 200;
/// Of such a run.
pub(super) const FIRST_STEPS: usize = 100;
pub(super) const LAST_STEPS: usize = 100;

/// A run that shows a violation.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceReport {
    /// Every value at the start; that of a monitor beside the run stands last.
    pub start: NamedValues,
    /// Something watches beside the run that has states of its own.
    pub(super) monitored: bool,
    /// How many steps there are before the cycle, or in all where there is none.
    pub steps: usize,
    /// How many steps go from there back to there; none where the violation is not a cycle.
    pub cycle: usize,
    /// The first steps: all of them, unless it is a long run. They are not copied with the report.
    pub(super) first: Arc<[StepReport]>,
    /// The last steps of a long run.
    pub(super) last: Arc<[StepReport]>,
    /// A long run itself.
    pub(super) whole: Option<Arc<Whole>>,
}

/// Piece of a run as it is shown: a step, or a remark between steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<S> {
    Step(S),
    /// Number of steps that are left out.
    LeftOut(usize),
    /// The steps of the cycle follow.
    CycleBegins,
    /// The cycle leads back to the state after this step.
    CycleCloses(usize),
}

/// Step of a run that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberedStep<'a> {
    /// From 1, and counted on through the cycle.
    pub number: usize,
    pub step: &'a StepReport,
    pub on_cycle: bool,
}

impl<S> Part<S> {
    /// Returns the step, or else the remark.
    pub fn step<T>(self) -> Result<S, Part<T>> {
        match self {
            Part::Step(step) => Ok(step),
            Part::LeftOut(steps) => Err(Part::LeftOut(steps)),
            Part::CycleBegins => Err(Part::CycleBegins),
            Part::CycleCloses(step) => Err(Part::CycleCloses(step)),
        }
    }

    /// Returns the piece with another step.
    pub fn map<T>(self, to: impl FnOnce(S) -> T) -> Part<T> {
        match self.step() {
            Ok(step) => Part::Step(to(step)),
            Err(remark) => remark,
        }
    }

    /// Returns the mark and the words of a remark; `None` for a step.
    pub fn remark(&self) -> Option<(&'static str, String)> {
        Some(match self {
            Part::Step(_) => return None,
            Part::LeftOut(steps) => ("…", left_out(*steps)),
            Part::CycleBegins => ("↻", "again and again:".to_owned()),
            Part::CycleCloses(0) => ("↺", "back to the start".to_owned()),
            Part::CycleCloses(step) => ("↺", format!("back to the state after step {step}")),
        })
    }
}

/// Returns a run of a system with names and places, and the moves of the property's monitor beside it.
pub fn trace_report(
    property: Option<&NamedProperty>,
    about: About<'_>,
    trace: &Arc<Trace>,
) -> TraceReport {
    let monitor = property.and_then(|property| Beside::new(property, trace));
    let mut start = named_values(about.system, about.map, trace.start());
    start.extend(monitor.as_ref().map(Beside::start));
    let has_monitor = monitor.is_some();
    let mut steps = Telling {
        about,
        monitor,
        walk: trace.walk(),
    };
    let is_long = trace.len() > MOST_STEPS;
    let (first, last) = if is_long {
        let first = steps.by_ref().take(FIRST_STEPS).collect();
        let left_out = trace.len() - FIRST_STEPS - LAST_STEPS;
        (first, steps.skip(left_out).collect())
    } else {
        (steps.collect(), Arc::default())
    };
    let whole = is_long.then(|| {
        Arc::new(Whole {
            system: Arc::clone(about.system),
            map: Arc::clone(about.map),
            texts: about.texts.clone(),
            trace: Arc::clone(trace),
            property: property.cloned(),
        })
    });
    TraceReport {
        monitored: has_monitor,
        start,
        steps: trace.steps().len(),
        cycle: trace.cycle().len(),
        first,
        last,
        whole,
    }
}

impl TraceReport {
    /// How many steps it has, those of the cycle among them.
    pub fn len(&self) -> usize {
        self.steps + self.cycle
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a tester or an automaton that a person has written runs beside it.
    pub fn has_monitor(&self) -> bool {
        self.monitored
    }

    /// What is told of it, in its order: this alone decides what is left out where people read.
    pub fn parts(&self) -> Vec<Part<NumberedStep<'_>>> {
        let mut parts = Vec::new();
        let left_out = self.first.len()..self.len() - self.last.len();
        let step = |at: usize| NumberedStep {
            number: at + 1,
            step: match at.checked_sub(left_out.end) {
                Some(at) if at < self.last.len() => &self.last[at],
                _ => &self.first[at],
            },
            on_cycle: at >= self.steps,
        };
        parts_of(0..self.steps, &left_out, &step, &mut parts);
        if self.cycle > 0 {
            parts.push(Part::CycleBegins);
            parts_of(self.steps..self.len(), &left_out, &step, &mut parts);
            parts.push(Part::CycleCloses(self.steps));
        }
        parts
    }

    /// The first and the last steps, those that are told, with their numbers from 0.
    pub fn told(&self) -> impl Iterator<Item = (usize, &StepReport)> {
        let behind = self.len() - self.last.len();
        let last = self.last.iter().enumerate();
        let last = last.map(move |(at, step)| (behind + at, step));
        self.first.iter().enumerate().chain(last)
    }

    /// How many steps there are before what shows the violation: a step that fails, or a cycle.
    pub fn until_violated(&self) -> usize {
        let fails = self.last_step().is_some_and(|step| step.fails.is_some());
        self.steps
            .saturating_sub(usize::from(fails && self.cycle == 0))
    }

    /// The last of all steps, those of the cycle among them.
    pub fn last_step(&self) -> Option<&StepReport> {
        self.last.last().or(self.first.last())
    }

    /// Every value after so many steps, in the order of [`start`](Self::start). Of a long run the steps are taken
    /// until there.
    pub fn values_after(&self, steps: usize) -> NamedValues {
        match &self.whole {
            _ if steps == 0 => self.start.clone(),
            Some(whole) => whole.values_after(steps),
            None => {
                let mut values = self.start.clone();
                let numbers: HashMap<String, usize> = values
                    .iter()
                    .enumerate()
                    .map(|(at, (name, _))| (name.clone(), at))
                    .collect();
                for step in self.first.iter().take(steps) {
                    let places = step.by.iter().zip(&step.to);
                    let places = places.map(|(who, at)| (who, Shown::Name(at.clone())));
                    let changes = step.changes.iter().map(|(name, to)| (name, to.clone()));
                    for (name, to) in changes.chain(places) {
                        if let Some(at) = numbers.get(name) {
                            values[*at].1 = to;
                        }
                    }
                }
                values
            }
        }
    }

    /// Every step, from the one with this number on, from 0 and counted on through the cycle. Of a long
    /// run each is told when it is asked for, so that they are never there all at once.
    pub fn every_step(&self, from: usize) -> Box<dyn Iterator<Item = StepReport> + '_> {
        match &self.whole {
            Some(whole) => Box::new(whole.steps().skip(from)),
            None => Box::new(self.first.iter().skip(from).cloned()),
        }
    }
}

/// The steps of a range, from 0, without those that are left out.
pub(super) fn parts_of<'a>(
    range: Range<usize>,
    left_out: &Range<usize>,
    step: &dyn Fn(usize) -> NumberedStep<'a>,
    parts: &mut Vec<Part<NumberedStep<'a>>>,
) {
    let within = |from: usize, to: usize| {
        from.clamp(range.start, range.end)..to.clamp(range.start, range.end)
    };
    let step = |at| Part::Step(step(at));
    parts.extend(within(0, left_out.start).map(step));
    match within(left_out.start, left_out.end).len() {
        0 => {}
        steps => parts.push(Part::LeftOut(steps)),
    }
    parts.extend(within(left_out.end, usize::MAX).map(step));
}

/// A long run, with all that it takes to tell any of its steps.
#[derive(Clone, Debug)]
pub(super) struct Whole {
    system: Arc<System>,
    map: Arc<SourceMap>,
    texts: Texts,
    trace: Arc<Trace>,
    property: Option<NamedProperty>,
}

impl Whole {
    fn values_after(&self, steps: usize) -> NamedValues {
        let mut telling = self.steps();
        for _ in 0..steps {
            if telling.walk.advance().is_none() {
                break;
            }
        }
        let mut values = named_values(&self.system, &self.map, telling.walk.state());
        let monitor = telling.monitor.as_ref();
        values.extend(monitor.map(|monitor| {
            let (name, _) = monitor.start();
            (name, Shown::Name(monitor.after(steps)))
        }));
        values
    }

    fn steps(&self) -> Telling<'_> {
        let property = self.property.as_ref();
        Telling {
            about: About {
                system: &self.system,
                map: &self.map,
                texts: &self.texts,
            },
            monitor: property.and_then(|property| Beside::new(property, &self.trace)),
            walk: self.trace.walk(),
        }
    }
}

/// Runs of a million steps are not compared step by step: it is the same one, or another.
impl PartialEq for Whole {
    fn eq(&self, other: &Whole) -> bool {
        Arc::ptr_eq(&self.trace, &other.trace)
            && Arc::ptr_eq(&self.system, &other.system)
            && Arc::ptr_eq(&self.map, &other.map)
    }
}

/// The steps of a run, one after the other.
struct Telling<'a> {
    about: About<'a>,
    monitor: Option<Beside<'a>>,
    walk: Walk<'a>,
}

impl Iterator for Telling<'_> {
    type Item = StepReport;

    fn next(&mut self) -> Option<StepReport> {
        let at = self.walk.taken();
        let taken = self.walk.next_step()?;
        let before = Before::new(self.about, self.walk.state(), taken);
        self.walk.advance();
        let mut step = before.then(self.walk.state());
        if let Some(monitor) = &self.monitor {
            monitor.join(at, self.about.texts, &mut step);
        }
        Some(step)
    }

    /// What is passed over is not told.
    fn nth(&mut self, passed: usize) -> Option<StepReport> {
        for _ in 0..passed {
            self.walk.advance()?;
        }
        self.next()
    }
}

/// Where steps are left out.
pub fn left_out(steps: usize) -> String {
    format!(
        "{} left out; `--format json` has every step",
        counted(steps, "step")
    )
}
