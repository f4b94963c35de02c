//! What a worker makes of a question that several search together.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicU64;

use crate::budget::Budget;
use crate::check::{noting, related_to};
use crate::explore::Counter;
use crate::monitored;
use crate::options::{Options, Symmetry};
use crate::packed::Packed;
use crate::reduction::Stubborn;
use crate::search::share::{Decide, Gathers, Means, Share, decide};
use crate::search::{Meter, Stop};
use crate::several::{Part, Permuted, Question, Seat};
use crate::successors::{Erased, Footprints, Model, Successors as _};
use crate::symmetry::permutations::orbits;
use crate::symmetry::{Orbits, Symmetric};
use crate::verdict::Reason;

/// What a worker may use, with the others of its process.
#[derive(Clone, Copy)]
pub struct Allowed<'a> {
    pub budget: Budget<'a>,
    /// Memory that they have in use together, in bytes.
    pub account: &'a AtomicU64,
    /// Which of all workers it is.
    pub seat: Seat,
}

/// Makes ready what a worker needs for its part of a search, and hands it over.
///
/// # Errors
/// Where a limit is reached before there is anything, or a state is too large to be searched.
pub fn take_part<R>(
    question: &Question,
    allowed: Allowed<'_>,
    work: impl FnOnce(&mut dyn Part) -> R,
) -> Result<R, Reason> {
    let Question {
        system, properties, ..
    } = question;
    if let Some(watched) = &question.watched {
        let Allowed {
            budget,
            account,
            seat,
        } = allowed;
        return monitored::take_part(question, watched, budget, (account, seat), work);
    }
    let packed = Packed::new(system).map_err(Reason::from)?;
    let mut meter = Meter::quiet(allowed.budget);
    let orbits = match &question.permuted {
        None => None,
        Some(permuted) => Some(found_again(permuted, &packed, &mut meter)?),
    };
    let making = Making {
        packed: &packed,
        orbits: orbits.as_ref(),
        question,
        allowed,
    };
    if properties.is_empty() {
        making.with_look(Counter::default(), meter, work)
    } else {
        let noting = noting(&packed, properties, allowed.budget);
        making.with_look(noting, meter, work)
    }
}

/// The same permutations that the others have found.
fn found_again(
    permuted: &Permuted,
    packed: &Packed<'_>,
    meter: &mut Meter<'_>,
) -> Result<Orbits, Reason> {
    let options = Options {
        symmetry: Symmetry::Always,
        ..Options::default()
    };
    let mut stop = None;
    let goes_on = &mut || match meter.prepare(0) {
        ControlFlow::Continue(()) => true,
        ControlFlow::Break(why) => {
            stop = Some(why);
            false
        }
    };
    let found = orbits(packed, &permuted.properties, &options, goes_on);
    match (found, stop) {
        (_, Some(Stop::Limit(reason))) => Err(reason),
        (Some(orbits), _) if orbits.permutations() == permuted.by => Ok(orbits),
        _ => Err(Reason::Internal(
            "not all have found the same permutations".to_owned(),
        )),
    }
}

struct Making<'a> {
    packed: &'a Packed<'a>,
    orbits: Option<&'a Orbits>,
    question: &'a Question,
    allowed: Allowed<'a>,
}

impl Making<'_> {
    fn with_look<R, L: Gathers>(
        &self,
        look: L,
        mut meter: Meter<'_>,
        work: impl FnOnce(&mut dyn Part) -> R,
    ) -> Result<R, Reason> {
        if !self.question.reduced {
            return self.turned(self.packed, look, meter, work);
        }
        let prepare = &mut |bytes| meter.prepare(bytes);
        match related_to(self.packed, &self.question.properties, prepare) {
            ControlFlow::Continue(related) => {
                let related = match self.orbits {
                    None => related,
                    Some(_) => related.turned(),
                };
                let stubborn = Stubborn::new(related).foreseeing(self.question.foresight);
                self.turned(&stubborn, look, meter, work)
            }
            ControlFlow::Break(Stop::Limit(reason)) => Err(reason),
            ControlFlow::Break(Stop::Decided) => {
                Err(Reason::Internal("relations are no search".to_owned()))
            }
        }
    }

    /// With canonical forms for states, where several are taken for one.
    fn turned<R, S, L: Gathers>(
        &self,
        model: &S,
        look: L,
        meter: Meter<'_>,
        work: impl FnOnce(&mut dyn Part) -> R,
    ) -> Result<R, Reason>
    where
        S: Footprints + Sync,
    {
        match self.orbits {
            None => {
                let erased = Erased(model);
                self.with_model(Model::with_footprints(&erased), look, meter, work)
            }
            Some(orbits) => {
                let symmetric = Symmetric::new(model, orbits);
                self.with_model(Model::of(&Erased(&symmetric)), look, meter, work)
            }
        }
    }

    fn with_model<R, L: Gathers>(
        &self,
        model: Model<'_>,
        look: L,
        mut meter: Meter<'_>,
        work: impl FnOnce(&mut dyn Part) -> R,
    ) -> Result<R, Reason> {
        let parts = self.packed.parts();
        let seat = self.allowed.seat;
        let decide = match decide(&model, &parts, seat, &mut meter) {
            ControlFlow::Continue(decide) => decide,
            ControlFlow::Break(Stop::Limit(reason)) => return Err(reason),
            ControlFlow::Break(Stop::Decided) => Decide::all(model.words()),
        };
        let means = Means {
            meter,
            account: self.allowed.account,
            seat,
        };
        let remembered = self.question.remembered;
        let initials = model.initial().to_vec();
        Ok(work(&mut Share::new(
            &model, initials, parts, decide, remembered, look, means,
        )))
    }
}
