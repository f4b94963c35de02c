//! Search for violations by random runs, without a proof.

use std::ops::ControlFlow;

use super::Checking;
use super::way::Way;
use crate::check::shorten::{Budget, shorten};
use crate::check::verdicts::{Noted, Noting};
use crate::options::Search;
use crate::plan::attempt::Ended;
use crate::runs::evidence::Evidence;
use crate::search::random::{Found, STEPS_OF_SHRINKING, Seek, search};
use crate::search::shrink::shrunk;
use crate::search::{Alone, Stop};
use crate::verdict::{Reason, Verdict};

impl Checking<'_> {
    /// Decides the properties that random runs show to be violated; leaves the others undecided.
    pub(super) fn by_random_runs(&mut self) -> Ended {
        let Search::Random(how) = self.options.search else {
            unreachable!("random runs are asked for");
        };
        let how = (how, self.options.threads());
        let (model, verdicts) = (Alone::new(self.packed), &self.found);
        let (flow, found, figures) = search(&model, how, &mut self.meter, || verdicts.noting());
        let mut way = Way {
            figures,
            ..Way::default()
        };
        let mut budget = STEPS_OF_SHRINKING;
        for Found { noted, path } in found {
            for one in noted {
                // Two threads may find the same.
                if !self.found.is_undecided(one.property) {
                    continue;
                }
                let asked = (one.property, &self.properties[one.property]);
                let observer = || Noting::new(self.packed, [asked]);
                let shrunk = shrunk(&model, &path, (&mut budget, &self.meter), observer);
                let (one, states) = match shrunk {
                    Some(Found { mut noted, path }) => (noted.swap_remove(0), path),
                    None => (one, path.clone()),
                };
                let evidence = Evidence {
                    failing: one.failing,
                    ..Evidence::path((0..states.len() as u32).collect())
                };
                way.states = states;
                self.violate(one.property, one.finding, &evidence, &way);
            }
        }
        let reason = match flow {
            ControlFlow::Break(Stop::Limit(reason)) => reason,
            _ => Reason::from(how.0),
        };
        for property in self.open() {
            self.decide(property, Verdict::Undecided(reason.clone()), &way);
        }
        self.note(&way);
        let budget = Budget {
            generated: figures.states,
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
