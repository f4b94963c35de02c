//! A worker's part of the search of a product that several make together.
//!
//! What the first process makes of a property is not sent: the worker makes the same of it, by the same code, up to where the
//! search would begin.

use std::sync::atomic::AtomicU64;

use super::super::plan::plans;
use super::super::shared::{Role, Work};
use super::Deciding;
use crate::budget::Budget;
use crate::options::{Options, Symmetry};
use crate::plan::attempt::Strategy;
use crate::plan::planner::beside_monitor;
use crate::plan::stages::Stage;
use crate::search::Meter;
use crate::several::{Monitoring, Part, Question, Seat};
use crate::verdict::{Reason, Verdict};

/// Makes ready what a worker needs, and hands it over.
///
/// # Errors
/// Where a limit is reached before there is anything, or this process makes something else of the question than the first.
pub fn take_part<R>(
    question: &Question,
    watched: &Monitoring,
    budget: Budget<'_>,
    (account, seat): (&AtomicU64, Seat),
    work: impl FnOnce(&mut dyn Part) -> R,
) -> Result<R, Reason> {
    let options = &Options {
        symmetry: match question.permuted {
            Some(_) => Symmetry::Always,
            None => Symmetry::Off,
        },
        limits: budget.limits,
        ..watched.chosen.options()
    };
    let differs = || Reason::Internal("a worker makes something else of a question".to_owned());
    let [property] = &question.properties[..] else {
        return Err(differs());
    };
    let mut meter = Meter::quiet(budget);
    let plans = plans(&question.system, property, options, &mut meter)?;
    let plan = plans.get(watched.plan as usize).ok_or_else(differs)?;
    let mut work = Some(work);
    let mut worked = None;
    let mut take = |part: &mut dyn Part| worked = work.take().map(|work| work(part));
    let outcome = {
        let mut deciding = Deciding {
            system: &question.system,
            property,
            options,
            meter,
            caller: budget.into(),
            states: 0,
            edges: 0,
            round: None,
            stage: Stage::Plain,
            orbits: None,
            role: Role::Worker(Work {
                work: &mut take,
                account,
                seat,
                permuted: question.permuted.as_ref().map(|permuted| permuted.by),
                remembered: question.remembered,
            }),
            sharing: None,
            furthest: None,
        };
        let strategy = Strategy::BesideMonitor {
            monitor: watched.plan as usize,
            sliced: watched.slices,
        };
        deciding.carry_out(plan, &beside_monitor(options, strategy))
    };
    match (worked, outcome) {
        (Some(worked), _) => Ok(worked),
        (None, Ok(Ok(outcome))) => match outcome.verdict {
            Verdict::Undecided(reason) => Err(reason),
            _ => Err(differs()),
        },
        (None, Ok(Err(_))) => Err(differs()),
        (None, Err(error)) => Err(error.into()),
    }
}
