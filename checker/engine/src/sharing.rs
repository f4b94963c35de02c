//! The model of a distributed search, as each worker builds it.

use std::ops::ControlFlow;

use crate::budget::Budget;
use crate::check::Noting;
use crate::explore::Counter;
use crate::monitored;
use crate::options::Use;
use crate::packed::Packed;
use crate::pipeline::{related, stubborn_sets, with_symmetry};
use crate::search::layers::Look;
use crate::search::whole::cycles::Step;
use crate::search::{Meter, Stop};
use crate::several::{Asked, FailingStep, Question, Shown};
use crate::successors::{Label, Model, Successors as _};
use crate::verdict::Reason;

/// Observer of the states and steps of one worker.
pub trait Gathers: Look {
    /// Returns what was found since the last call.
    fn shown(&mut self) -> Vec<Shown>;

    /// Restricts the observer to the properties that are still open.
    fn go_on(&mut self, open: &[usize]);

    /// Whether a question is about a state: a goal, or a state that a cycle may contain. `ends`
    /// says that it has no step.
    fn is_asked(&mut self, _: Asked, _state: &[u64], _ends: bool) -> bool {
        false
    }

    /// Classifies a step for a question about cycles.
    fn step(&mut self, _: Asked, _from: &[u64], _: Label<'_>, _to: &[u64]) -> Step {
        Step::Forbidden
    }

    /// Failing steps to be reported.
    fn told(&self) -> Vec<FailingStep> {
        Vec::new()
    }
}

/// The model that a worker explores its share of, and its observer.
pub struct Local<'a> {
    pub model: Model<'a>,
    /// The initial states, one after the other.
    pub initials: Vec<u64>,
    /// Words of a state and bits of them; every bit that may ever be set is in one.
    pub parts: Vec<(u32, u64)>,
    /// Whether steps are cached.
    pub remembered: Use,
    pub observer: &'a mut dyn Gathers,
    pub meter: Meter<'a>,
}

/// Exploration of a worker's share.
pub type Work<'w> = &'w mut dyn FnMut(Local<'_>);

/// Builds the model of a search and gives it to `work`, once.
///
/// # Errors
/// If a limit is reached before, or a state is too large.
pub fn take_part(question: &Question, budget: Budget<'_>, work: Work<'_>) -> Result<(), Reason> {
    if let Some(watched) = &question.watched {
        return monitored::take_part(question, watched, budget, work);
    }
    let packed = Packed::new(&question.system).map_err(Reason::from)?;
    let mut counting = Counter::default();
    let mut noting = Noting::new(&packed, question.properties.iter().enumerate());
    let mut meter = Meter::quiet(budget);
    let observer: &mut dyn Gathers = match question.properties.is_empty() {
        true => &mut counting,
        false => &mut noting,
    };
    let options = question.chosen.options();
    let mut work = |model: Model<'_>, meter| {
        work(Local {
            initials: model.initial().to_vec(),
            model,
            parts: packed.parts(),
            remembered: options.remembered,
            observer: &mut *observer,
            meter,
        });
    };
    if !question.reduced {
        with_symmetry(&packed, None, |model| work(model, meter));
        return Ok(());
    }
    let prepare = &mut |bytes| meter.prepare(bytes);
    match related(&packed, &question.properties, None, prepare) {
        ControlFlow::Continue(related) => {
            let stubborn = stubborn_sets(related, options.foresight);
            with_symmetry(&stubborn, None, |model| work(model, meter));
            Ok(())
        }
        ControlFlow::Break(Stop::Limit(reason)) => Err(reason),
        ControlFlow::Break(Stop::Decided) => {
            Err(Reason::Internal("relations are no search".to_owned()))
        }
    }
}
