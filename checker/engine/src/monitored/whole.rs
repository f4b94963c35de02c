//! Shorter runs in the whole System.
//!
//! Variables outside the slice may differ after one round of a cycle. The cycle of the whole System
//! then has several rounds, and another cycle may be shorter.

use super::confirm::InSearched;
use super::decide::{BesideSystem, Deciding};
use super::path::Plain;
use super::plan::Plan;
use super::product::{AutomatonProduct, TesterProduct};
use crate::packed::Packed;
use crate::search::lasso::shorter;
use crate::verdict::{Finding, Verdict};

impl Deciding<'_> {
    /// Returns the verdict, with a shorter run if the cycle is longer than in the slice (`in_slice`
    /// steps in all) and a plain search of the whole System finds one within its budget.
    pub(super) fn nearer_in_whole(
        &mut self,
        plan: &Plan,
        in_slice: usize,
        verdict: Verdict,
    ) -> Verdict {
        match &verdict {
            Verdict::Violated {
                finding: Finding::Watched(_),
                trace,
            } if !trace.cycle().is_empty() && trace.len() > in_slice => {
                self.in_whole(plan, trace.len()).unwrap_or(verdict)
            }
            _ => verdict,
        }
    }

    /// A verdict with a shorter run; none where a limit is reached, or nothing is found.
    fn in_whole(&mut self, plan: &Plan, known: usize) -> Option<Verdict> {
        let system = self.system;
        let found = match BesideSystem::of(system, plan, &plan.watched_for(self.property)) {
            BesideSystem::Tester(with) => {
                let packed = Packed::new(&with.system).ok()?;
                self.nearer(&TesterProduct::new(&with, &packed, &packed), known)
            }
            BesideSystem::Automaton(watcher, observed) => {
                let packed = Packed::new(system).ok()?;
                let product = AutomatonProduct::new(&packed, &packed, watcher, &observed);
                self.nearer(&product, known)
            }
        }?;
        let limited = self.limited(0);
        let poll = &mut |bytes| limited.poll(bytes);
        let verdict = self.watched(plan).confirmed(None, found, poll).ok()?;
        let is_shorter = matches!(&verdict, Verdict::Violated { trace, .. } if trace.len() < known);
        is_shorter.then_some(verdict)
    }

    fn nearer<P: Plain>(&mut self, plain: &P, known: usize) -> Option<InSearched> {
        let meter = &mut self.meter_for_shorter(self.states);
        let found = shorter(plain, known, self.options.order, meter)?;
        self.in_searched(plain, &found).ok()
    }
}
