//! Search for violations by random runs, without a proof.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use super::Checking;
use super::early_violation::EarlyViolations;
use super::way::Way;
use crate::check::shorten::{Budget, shorten};
use crate::check::verdicts::{Noted, Noting};
use crate::options::Search;
use crate::plan::attempt::Ended;
use crate::properties::{Conclusion, Goals};
use crate::search::random::{Found, STEPS_OF_SHRINKING, Seek, search};
use crate::search::{Alone, Figures, Stop};
use crate::verdict::{Reason, Verdict};

impl Checking<'_> {
    /// Decides the properties that random runs show to be violated; leaves the others undecided.
    pub(super) fn by_random_runs(&mut self) -> Ended {
        let Search::Random(how) = self.options.search else {
            unreachable!("random runs are asked for");
        };
        self.leave_what_no_finite_run_violates();
        if self.open().is_empty() {
            return Ended::Complete;
        }
        let model = Alone::new(self.packed);
        let early = EarlyViolations {
            packed: self.packed,
            model: &model,
            properties: self.properties,
            observer: self.caller.observer,
        };
        // Steps that may still be tried to shorten runs, and the violations reported so far.
        let reported = Mutex::new((STEPS_OF_SHRINKING, Vec::<(usize, Verdict)>::new()));
        let quiet = self.meter.clone();
        let report = |found: &Found<Noted>, figures: Figures| {
            let mut reported = reported.lock().unwrap_or_else(PoisonError::into_inner);
            let (budget, reported) = &mut *reported;
            for one in &found.noted {
                // Two threads may find the same.
                if reported.iter().all(|(known, _)| *known != one.property) {
                    let verdict = early.report(one, &found.path, budget, (&quiet, figures));
                    let verdict = verdict.unwrap_or_else(Verdict::Undecided);
                    reported.push((one.property, verdict));
                }
            }
        };
        let (how, verdicts) = ((how, self.options.threads()), &self.found);
        let observer = || verdicts.noting();
        let (flow, made) = search(&model, how, &mut self.meter, observer, &report);
        let way = Way {
            figures: made.figures,
            runs: Some(made.runs),
            ..Way::default()
        };
        let (_, reported) = (reported.into_inner()).unwrap_or_else(PoisonError::into_inner);
        let mut without_run = Vec::new();
        for (property, verdict) in reported {
            if !verdict.is_violated() {
                without_run.push(property);
            }
            self.decide(property, verdict, &way);
        }
        let reason = match flow {
            ControlFlow::Break(Stop::Limit(reason)) => reason,
            _ => Reason::Runs(made.runs.runs),
        };
        for property in self.open() {
            self.decide(property, Verdict::Undecided(reason.clone()), &way);
        }
        self.note(&way);
        for property in without_run {
            // Its violation was found, and a limit has kept it from being shown.
            if let Some(outcome) = &mut self.found.outcomes[property] {
                outcome.runs = None;
            }
        }
        let budget = Budget {
            generated: made.figures.states,
            held: 0,
            options: self.options,
            caller: self.caller,
        };
        let outcomes = &mut self.found.outcomes;
        shorten(self.packed, self.properties, outcomes, |_| true, &budget);
        match reason {
            Reason::Runs(_) => Ended::Complete,
            limit => Ended::Limit(limit),
        }
    }

    /// Leaves properties undecided that only infinite runs, or all runs together, violate.
    fn leave_what_no_finite_run_violates(&mut self) {
        for property in self.open() {
            if let Conclusion::Reaching(Goals::Terminal, _) | Conclusion::Recurring(_) =
                self.found.conclusion(property)
            {
                let verdict = Verdict::Undecided(Reason::NoFiniteRun);
                self.decide(property, verdict, &Way::default());
            }
        }
        self.note(&Way::default());
    }
}

impl Seek for Noting<'_> {
    type Noted = Noted;

    fn take(&mut self) -> Vec<Noted> {
        Noting::take(self)
    }

    fn forget(&mut self, noted: &Noted) {
        self.close(noted.property);
    }

    fn is_done(&self) -> bool {
        Noting::is_done(self)
    }
}
