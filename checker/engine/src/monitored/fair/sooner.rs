//! A run of fewer steps that an automaton with `reject` states rejects.
//!
//! Fair runs are searched for with an automaton that does not reject, and of what is found the beginning is told up to
//! where the automaton, as it was declared, rejects: that need not be the nearest such state. The automaton accepts
//! whatever follows on a `reject` state, and whether a run is fair does not depend on its beginning: it ends, or it is
//! fair from any place on if it is from one. So a run to the nearest such state is the beginning of a violation
//! exactly if a fair maximal run of the system begins in its last state.

use stubborn_automata::Testing;
use stubborn_system::property::{Assumption, Property};

use super::met::is_fair;
use super::{Deciding, automaton, of_system};
use crate::monitored::confirm::{InSearched, Watched, observed as observed_in};
use crate::monitored::making::within_limits;
use crate::monitored::path::Plain;
use crate::monitored::product::{AutomatonProduct, Watcher};
use crate::options::Limits;
use crate::packed::Packed;
use crate::runs::confirm::replayed;
use crate::runs::limits::for_shortening_since;
use crate::search::fair::{Assumed, FairRun, Shown, search};
use crate::search::found::Found;
use crate::search::path::{Goal, shortest};
use crate::search::whole::cycles::Step;
use crate::search::{Alone, Monitored, Question, Ways as _};
use crate::state::State;
use crate::successors::Label;
use crate::trace::Trace;
use crate::verdict::{Finding, Reason, Verdict, Violation};

impl Deciding<'_> {
    /// The verdict, with a run of fewer steps where the automaton rejects one, within what a shorter run may cost.
    pub(super) fn rejected_sooner(&mut self, verdict: Verdict) -> Verdict {
        let Verdict::Violated {
            finding: Finding::Watched(_),
            trace,
        } = &verdict
        else {
            return verdict;
        };
        let known = trace.len();
        // A formula has no such states.
        let may_reject = matches!(
            *self.fair.property,
            Property::Buchi(_) | Property::Testing(_)
        );
        match known > 0 && may_reject {
            true => self.rejected_within(known).unwrap_or(verdict),
            false => verdict,
        }
    }

    /// A verdict with a run of fewer than so many steps; none where a limit is reached, or nothing is found.
    fn rejected_within(&mut self, known: usize) -> Option<Verdict> {
        let (system, property) = (self.system, &*self.fair.property);
        let meter = &mut self.meter;
        let made = within_limits(&mut |bytes| meter.prepare(bytes), |work| match property {
            // Its Büchi form may come to a `reject` state a step later.
            Property::Testing(testing) => {
                let testing = Testing::of_property(testing, work)
                    .map_err(|why| why.map(Reason::AutomatonTooLarge))?;
                let all = (0..testing.propositions).collect();
                Ok((Watcher::Testing(testing), all))
            }
            property => {
                let (buchi, observed) = automaton(property, work)?;
                Ok((Watcher::Buchi(buchi), observed))
            }
        });
        let (watcher, observed): (_, Vec<u32>) = made.ok()?;
        let observed = observed_in(property, &observed);
        let packed = Packed::new(system).ok()?;
        let product = AutomatonProduct::new(&packed, &packed, &watcher, &observed);
        let meter = &mut self.meter.with(self.for_shorter());
        let is_rejected = |state: &[u64]| product.marks(state).reject;
        let nearest = shortest(
            &product,
            Goal::State(&is_rejected),
            (self.options.order, 0),
            meter,
        );
        let (space, state) = nearest.continue_value()??;
        let found = Found {
            violation: Violation::Reject,
            path: space.boxed(&space.path(state)),
            cycle: Vec::new(),
        };
        if found.len() >= known {
            return None;
        }
        let limited = self.limited(found.bytes());
        let poll = &mut |bytes| limited.poll(bytes);
        let trace = product.run(&found, poll).ok()?;
        let extension = self.goes_on_fairly(&packed, &trace)?;
        let watched = Watched {
            system,
            property,
            tester: None,
        };
        let found = InSearched {
            violation: Violation::Reject,
            trace,
            fails: None,
            extension: Some(extension),
        };
        let is_shorter = |verdict: &Verdict| {
            matches!(
                verdict,
                Verdict::Violated { finding: Finding::Watched(Violation::Reject), trace } if trace.len() < known
            )
        };
        let verdict = watched.confirmed(None, found, poll).ok();
        verdict.filter(is_shorter)
    }

    /// The states after the last of this run on a fair maximal one that begins with it, up to where that ends, or to a
    /// last one that equals the one with this number of all. The interpreter has taken it.
    fn goes_on_fairly(
        &mut self,
        packed: &Packed<'_>,
        before: &Trace,
    ) -> Option<(Vec<State>, Option<usize>)> {
        let assumptions: &[Assumption] = &self.fair.assumptions;
        let assumed = Assumed::new(self.system, assumptions);
        let model = Alone::beginning(packed, packed.pack(before.last()));
        let limits = self.for_shorter();
        let meter = &mut self.meter.with(limits);
        let order = self.options.order;
        let run: FairRun = search(&model, &assumed, &mut Any, order, (meter, limits)).found?;
        let limited = self.limited(before.bytes());
        let poll = &mut |bytes| limited.poll(bytes);
        let after = of_system(packed, &run, poll).ok()?;
        let steps = [before.steps(), after.steps()].concat();
        let whole = Trace::new(before.start().clone(), steps, after.cycle().to_vec());
        replayed(self.system, &whole, poll).ok()?;
        if !is_fair(self.system, assumptions, &whole, poll).ok()? {
            return None;
        }
        let states = run.steps.iter().map(|(_, state)| packed.unpack(state));
        let back = (run.shown == Shown::Cycle).then_some(run.before_cycle);
        Some((states.collect(), back))
    }

    fn for_shorter(&self) -> Limits {
        let searched = self.searched.as_ref().map_or(0, |searched| searched.states);
        let budget = self.caller.budget;
        for_shortening_since(self.options, budget, searched, self.meter.begun())
    }
}

/// Any maximal run.
struct Any;

impl Question for Any {
    fn ends(&mut self, _: &[u64]) -> bool {
        true
    }

    fn step(&mut self, _: &[u64], _: Label<'_>, _: &[u64]) -> Step {
        Step::Wanted
    }
}
