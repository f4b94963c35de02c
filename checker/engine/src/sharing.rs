//! What a worker makes of a question that several search together.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicU64;

use crate::check::{noting, related_to};
use crate::explore::Counter;
use crate::options::Limits;
use crate::packed::Packed;
use crate::reduction::Stubborn;
use crate::search::share::{Gathers, Means, Share};
use crate::search::{Meter, Stop};
use crate::several::{Part, Question};
use crate::successors::Successors;
use crate::verdict::Reason;
use crate::watch::Watch;

/// What a worker may use, with the others of its process.
#[derive(Clone, Copy)]
pub struct Allowed<'a> {
    pub limits: Limits,
    /// Memory that they have in use together, in bytes.
    pub account: &'a AtomicU64,
    pub watch: &'a dyn Watch,
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
    let packed = Packed::new(system).map_err(Reason::from)?;
    let meter = Meter::new(allowed.limits, allowed.watch);
    if properties.is_empty() {
        with_look(
            &packed,
            question,
            Counter::default(),
            (meter, allowed),
            work,
        )
    } else {
        let noting = noting(&packed, properties, allowed.limits, allowed.watch);
        with_look(&packed, question, noting, (meter, allowed), work)
    }
}

fn with_look<R, L: Gathers>(
    packed: &Packed<'_>,
    question: &Question,
    look: L,
    (mut meter, allowed): (Meter<'_>, Allowed<'_>),
    work: impl FnOnce(&mut dyn Part) -> R,
) -> Result<R, Reason> {
    if !question.reduced {
        return Ok(with_model(
            packed,
            packed,
            question,
            look,
            (meter, allowed),
            work,
        ));
    }
    let prepare = &mut |bytes| meter.prepare(bytes);
    match related_to(packed, &question.properties, prepare) {
        ControlFlow::Continue(related) => {
            let stubborn = Stubborn::new(related).foreseeing(question.foresight);
            let means = (meter, allowed);
            Ok(with_model(&stubborn, packed, question, look, means, work))
        }
        ControlFlow::Break(Stop::Limit(reason)) => Err(reason),
        ControlFlow::Break(Stop::Decided) => {
            Err(Reason::Internal("relations are no search".to_owned()))
        }
    }
}

fn with_model<R, S: Successors, L: Gathers>(
    model: &S,
    packed: &Packed<'_>,
    question: &Question,
    look: L,
    (meter, allowed): (Meter<'_>, Allowed<'_>),
    work: impl FnOnce(&mut dyn Part) -> R,
) -> R {
    let bits = packed.parts().iter().fold(0, |all, (_, bits)| all | bits);
    let means = Means {
        meter,
        account: allowed.account,
    };
    work(&mut Share::new(
        model,
        bits,
        question.remembered,
        look,
        means,
    ))
}
