//! Model of a worker in a distributed search beside a monitor.
//!
//! The monitor is not sent: the worker builds it from the property by the same code as the leader,
//! up to the point where the search begins.

use super::decide::Deciding;
use super::plan::plans;
use super::role::Role;
use crate::budget::Budget;
use crate::options::Options;
use crate::plan::monitors::beside_monitor;
use crate::search::Meter;
use crate::several::{Monitoring, Question};
use crate::verdict::{Reason, Verdict};
use crate::worker_model::{Local, Work};

/// Builds the model and gives it to `work`, once.
///
/// # Errors
/// If a limit is reached before, or the worker builds another search than the leader.
pub fn take_part(
    question: &Question,
    watched: &Monitoring,
    budget: Budget<'_>,
    work: Work<'_>,
) -> Result<(), Reason> {
    let options = &Options {
        limits: budget.limits,
        ..question.chosen.options()
    };
    let differs = || Reason::Internal("a worker builds another search".to_owned());
    let [property] = &question.properties[..] else {
        return Err(differs());
    };
    let mut meter = Meter::quiet(budget);
    let plans = plans(&question.system, property, options, &mut meter)?;
    let plan = plans.get(watched.plan as usize).ok_or_else(differs)?;
    let mut is_done = false;
    let outcome = {
        let mut take = |local: Local<'_>| {
            is_done = true;
            work(local);
        };
        let asked = (&question.system, property);
        let role = Role::Worker(&mut take);
        let mut deciding = Deciding::new(asked, options, (meter, budget.into()), role);
        let attempt = beside_monitor(options, watched.plan as usize, watched.slices);
        deciding.carry_out(plan, attempt)
    };
    match outcome {
        _ if is_done => Ok(()),
        Err(error) => Err(error.into()),
        Ok(Ok(outcome)) => match outcome.verdict {
            Verdict::Undecided(reason) => Err(reason),
            _ => Err(differs()),
        },
        Ok(Err(_)) => Err(differs()),
    }
}
