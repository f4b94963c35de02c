//! Search for violations with bitstate hashing or hash compaction.
//!
//! Far more states fit into memory, and some may be missed. A violation is a proof; without one the
//! verdict is undecided, with an estimate of the missed states.

use std::ops::ControlFlow;

use super::Checking;
use super::way::Way;
use crate::check::observations::{Mode, Observations};
use crate::omissions::Omissions;
use crate::plan::attempt::Ended;
use crate::plan::theorems::Condition;
use crate::search::violations::supertrace;
use crate::search::{Alone, Figures, Run, Space, Stop, plain};
use crate::successors::{Model, Successors as _};
use crate::verdict::{Reason, Verdict};

impl Checking<'_> {
    /// Decides the properties that it finds violated; leaves the others undecided, or open if the
    /// plain state space may show more.
    pub(super) fn hashed(&mut self, model: Model<'_>, reduced: bool) -> Ended {
        let mut way = Way::default();
        for property in self.open() {
            if !self.found.kind(property).suits_bitstate() {
                let verdict = Verdict::Undecided(Reason::NeedsExactStorage);
                self.decide(property, verdict, &way);
            }
        }
        self.note(&way);
        if self.open().is_empty() {
            return Ended::Complete;
        }
        let (reason, is_missed) = match self.search_hashed(model, reduced, &mut way) {
            ControlFlow::Continue(omissions) => (Reason::Missed(Box::new(omissions)), true),
            ControlFlow::Break(reason) => (reason, false),
        };
        let is_kept = |one: usize| self.found.shown(Condition::Always, one).is_some();
        let is_left = is_missed && reduced && way.leaves_out;
        if !is_left || self.open().into_iter().all(is_kept) {
            self.leave_undecided(&reason, &way);
        }
        self.note(&way);
        match is_missed {
            true => Ended::Complete,
            false => Ended::Limit(reason),
        }
    }

    /// Searches while anything is open. Returns an estimate of the part that was searched, the
    /// worse one where there was another search.
    fn search_hashed(
        &mut self,
        model: Model<'_>,
        reduced: bool,
        way: &mut Way,
    ) -> ControlFlow<Reason, Omissions> {
        let storage = self.options.storage;
        let store = match supertrace(model.words(), storage, &self.meter) {
            Ok(store) => store,
            Err(reason) => return ControlFlow::Break(reason),
        };
        self.meter.deepest = 0;
        let model = Alone::new(&model);
        let (order, space) = (self.options.order, Space::empty(store));
        let mode = Mode {
            numbered: false,
            ..self.mode(reduced)
        };
        let observations = Observations::new(&mut self.found, mode);
        let mut run = Run::new(&model, order, &mut self.meter, space, observations);
        let flow = plain(&mut run, self.options.search);
        way.figures = Figures {
            states: run.space.states(),
            edges: run.space.edges,
            bytes: 0,
        };
        way.leaves_out = run.leaves_out;
        let omissions = run.space.omissions(storage, run.meter.deepest);
        if let ControlFlow::Break(Stop::Limit(reason)) = flow {
            return ControlFlow::Break(reason);
        }
        let omissions = match self.omissions.take() {
            None => omissions,
            Some(before) => before.worse(omissions),
        };
        self.omissions = Some(omissions);
        ControlFlow::Continue(omissions)
    }
}
