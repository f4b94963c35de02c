//! Shorter runs in the whole System.
//!
//! What a slice leaves out may be another after one round of a cycle than it was before, so that the whole System goes
//! round once more before its cycle closes. Another cycle may close there at once.

use stubborn_system::system::Expr;

use super::confirm::{InSearched, Watched, propositions};
use super::decide::Deciding;
use super::path::{of_automaton, of_tester};
use super::plan::{Plan, PlannedMonitor};
use super::product::{AutomatonProduct, TesterProduct, WithTester};
use crate::packed::Packed;
use crate::search::Monitored;
use crate::search::found::Found;
use crate::search::lasso::shorter;
use crate::verdict::{Finding, Verdict};

impl Deciding<'_> {
    /// The verdict, with a run of fewer steps where its cycle has become longer than it was in the slice (`in_slice`
    /// steps in all) and a plain search of the whole System finds one within what a shorter run may cost.
    pub(super) fn nearer_in_whole(
        &mut self,
        plan: &Plan,
        in_slice: usize,
        verdict: Verdict,
    ) -> Verdict {
        let Verdict::Violated {
            finding: Finding::Watched(_),
            trace,
        } = &verdict
        else {
            return verdict;
        };
        if trace.cycle().is_empty() || trace.len() <= in_slice {
            return verdict;
        }
        self.in_whole(plan, trace.len()).unwrap_or(verdict)
    }

    /// A verdict with a shorter run; none where a limit is reached, or nothing is found.
    fn in_whole(&mut self, plan: &Plan, known: usize) -> Option<Verdict> {
        let system = self.system;
        let (violation, trace) = match &plan.monitor {
            PlannedMonitor::Tester(tester, _) => {
                let with = WithTester::new(system, tester);
                let packed = Packed::new(&with.system).ok()?;
                let plain = TesterProduct::new(&with, &packed, &packed);
                let found = self.nearer(&plain, known)?;
                let limited = self.limited(found.bytes());
                let poll = &mut |bytes| limited.poll(bytes);
                let trace = of_tester(system, &packed, &with, &found, poll);
                (found.violation, trace)
            }
            PlannedMonitor::Watcher(watcher, observed) => {
                let all = propositions(self.property);
                let observed = observed.iter().map(|number| all[*number as usize].clone());
                let observed: Vec<Expr> = observed.collect();
                let packed = Packed::new(system).ok()?;
                let plain = AutomatonProduct::new(&packed, &packed, watcher, &observed);
                let found = self.nearer(&plain, known)?;
                let limited = self.limited(found.bytes());
                let poll = &mut |bytes| limited.poll(bytes);
                (found.violation, of_automaton(&packed, &plain, &found, poll))
            }
        };
        let found = InSearched {
            violation,
            trace: trace.ok()?,
            fails: None,
            extension: None,
        };
        let watched = Watched {
            system,
            property: self.property,
            tester: plan.tester(),
        };
        let limited = self.limited(0);
        let confirmed = watched.confirmed(None, found, &mut |bytes| limited.poll(bytes));
        let is_shorter = |verdict: &Verdict| matches!(verdict, Verdict::Violated { trace, .. } if trace.len() < known);
        confirmed.ok().filter(is_shorter)
    }

    fn nearer<M: Monitored>(&mut self, plain: &M, known: usize) -> Option<Found> {
        let order = self.options.order;
        let (budget, limits) = self.for_shorter(self.states);
        shorter(plain, known, order, budget, &mut self.meter.with(limits))
    }
}
