//! The model of a distributed search, as each worker builds it.

use std::ops::ControlFlow;

use crate::budget::Budget;
use crate::check::Noting;
use crate::explore::Counter;
use crate::monitored;
use crate::packed::Packed;
use crate::pipeline::{related, stubborn_sets, with_symmetry};
use crate::search::{Meter, Stop};
use crate::several::Question;
use crate::successors::{Model, Successors as _};
use crate::verdict::Reason;
use crate::worker_model::{Gathers, Local, Work};

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
            parts: packed.parts_with_whole_arrays(),
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
