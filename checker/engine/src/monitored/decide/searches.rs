//! The searches of a product: as they are asked for, in rounds, and for a shorter run.

use std::ops::ControlFlow;

use stubborn_system::system::{Expr, System};

use super::super::path::Plain;
use super::super::plan::Plan;
use super::super::product::{
    AnyProduct, AutomatonProduct, Beside, InOneWord, OfSystem, Product, TesterProduct, Watcher,
    WithTester,
};
use super::super::random::random_runs;
use super::all_states::{All, beside_each_other};
use super::{Deciding, FoundInSearched};
use crate::error::CheckError;
use crate::observer::Phase;
use crate::options::{Limits, Search};
use crate::packed::Packed;
use crate::pipeline::{for_orbits, with_symmetry_beside};
use crate::plan::attempt::{Ended, Proof, Strategy};
use crate::plan::monitors::{HEAD_START, next_in_product};
use crate::reduction::{Rounds, Sensitive, Stubborn, Transition, Visibility};
use crate::related::local_cycles::InOrder;
use crate::related::{Observed, Related, Tester};
use crate::runs::limits::for_shortening_since;
use crate::search::found::{Found, Searched};
use crate::search::lasso::{shorter, to_depth};
use crate::search::layers::Team;
use crate::search::violations::search;
use crate::search::{Meter, Monitored, Stop};
use crate::successors::Erased;
use crate::verdict::Reason;

impl<'a> Deciding<'a> {
    pub(super) fn search_beside_tester(
        &mut self,
        plan: &Plan,
        with: &WithTester,
    ) -> Result<(Searched, FoundInSearched), CheckError> {
        let packed = Packed::new(&with.system)?;
        let plain = TesterProduct::new(with, &packed, &packed);
        let found = self.search_product(&plain, plan, |this| {
            let phase = Phase::Reduction.begin(this.caller.observer);
            let related = Related::new(&packed, &[], &mut |bytes| this.meter.prepare(bytes))?;
            drop(phase);
            let related = for_orbits(related, this.orbits.as_ref());
            let tester = Tester::new(&related, with.monitor, with.awaits());
            let product = TesterProduct::new(with, &packed, related);
            let visible = match plan.search.strategy {
                Strategy::CycleRounds => Tester::visible_in_order,
                _ => Tester::visible,
            };
            let visible = (visible, Tester::among);
            ControlFlow::Continue(this.search_reduced(product, tester, visible, plan))
        });
        self.within |= packed.cut();
        Ok(found)
    }

    pub(super) fn search_beside_automaton(
        &mut self,
        system: &System,
        plan: &Plan,
        watcher: &Watcher,
        propositions: &[Expr],
    ) -> Result<(Searched, FoundInSearched), CheckError> {
        let packed = Packed::new(system)?;
        let plain = AutomatonProduct::new(&packed, &packed, watcher, propositions);
        let found = self.search_product(&plain, plan, |this| {
            let codes: Vec<_> = propositions.iter().map(|e| packed.expression(e)).collect();
            let phase = Phase::Reduction.begin(this.caller.observer);
            let poll = &mut |bytes| this.meter.prepare(bytes);
            let (related, observed) = Related::observing(&packed, &codes, poll)?;
            drop(phase);
            let related = for_orbits(related, this.orbits.as_ref());
            let product = AutomatonProduct::new(&packed, related, watcher, propositions);
            let visible = (Observed::visible, Observed::among);
            ControlFlow::Continue(this.search_reduced(product, observed, visible, plan))
        });
        self.within |= packed.cut();
        Ok(found)
    }

    /// Searches the plain product, or with stubborn sets as `reduced` does. Shows the violation as a
    /// run of the system.
    fn search_product<P: Plain + Product + Sync>(
        &mut self,
        plain: &P,
        plan: &Plan,
        reduced: impl FnOnce(&mut Self) -> ControlFlow<Stop, Searched>,
    ) -> (Searched, FoundInSearched) {
        let searched = match plan.search.strategy {
            Strategy::Plain => self.search(&Erased(plain), plan),
            _ => match reduced(self) {
                ControlFlow::Continue(searched) => searched,
                ControlFlow::Break(stop) => Searched::stopped(stop),
            },
        };
        self.shown(plain, searched)
    }

    fn search(&mut self, product: &AnyProduct<'_>, plan: &Plan) -> Searched {
        let limits = match self.options.quick {
            Some(quick) => Limits {
                max_states: Some(quick.states.min(self.meter.most_states())),
                ..self.options.limits
            },
            None => self.attempt.stage.limits(self.options),
        };
        if let Search::Random(how) = self.options.search {
            let searched = random_runs(product, how, self.options, &mut self.meter);
            (self.states, self.edges) = (searched.states, searched.edges);
            return searched;
        }
        if self.options.limits.max_depth.is_some() {
            let mut searched = to_depth(&product, self.options.order, &mut self.meter);
            // Nothing is clear to a depth where there is a violation.
            searched.depth = searched.depth.filter(|_| searched.found.is_none());
            (self.states, self.edges) = (searched.states, searched.edges);
            return searched;
        }
        let is_capped =
            self.options.quick.is_some() || self.attempt.stage.cap(self.options).is_some();
        let others = self.search_with_others(product, plan, limits.max_states);
        let searched = match others {
            Some(searched) => searched,
            None if is_capped => self.search_here(product, plan, &mut self.meter.with(limits)),
            None => {
                let mut meter = self.meter.clone();
                let searched = self.search_here(product, plan, &mut meter);
                self.meter = meter;
                searched
            }
        };
        (self.states, self.edges) = (searched.states, searched.edges);
        searched
    }

    /// Searches in this process, with the proofs that are [planned](next_in_product).
    fn search_here(
        &mut self,
        product: &AnyProduct<'_>,
        plan: &Plan,
        meter: &mut Meter<'_>,
    ) -> Searched {
        let (options, budget) = (self.options, self.caller.budget);
        let algorithm = plan.search.algorithm;
        let is_plain = plan.search.strategy == Strategy::Plain && self.orbits.is_none();
        let states = is_plain.then(|| InOneWord::of(product)).flatten();
        let asked = states.map(|states| All { states, algorithm });
        let has_proof = asked.is_some();
        let first = next_in_product(options, has_proof, &self.attempt, None);
        self.attempt = first.unwrap_or_else(|| self.attempt.clone());
        loop {
            let alone = |meter: &mut Meter<'_>| {
                with_symmetry_beside(product, self.orbits.as_ref(), |beside| {
                    search(beside, algorithm, options, meter)
                })
            };
            let searched = match (self.attempt.proof, &asked) {
                (Proof::Beside, Some(asked)) => {
                    let meter = (&mut *meter, budget);
                    Some(beside_each_other(asked, options, meter, HEAD_START, &alone))
                }
                (Proof::Alone, Some(asked)) => {
                    asked.without_violation(Team::of(options), &mut meter.clone())
                }
                _ => Some(alone(meter)),
            };
            let (ended, searched) = match searched {
                None => (Ended::NotProved, Searched::stopped(Stop::Decided)),
                Some(searched) => {
                    let limit = searched.stop.clone();
                    (limit.map_or(Ended::Complete, Ended::Limit), searched)
                }
            };
            match next_in_product(options, has_proof, &self.attempt, Some(&ended)) {
                Some(next) => {
                    self.report(ended, &searched);
                    self.attempt = next;
                }
                None => return searched,
            }
        }
    }

    /// Searches with stubborn sets, in rounds if the plan says so: `visible` are the steps that the
    /// monitor sees, and `among` leaves some of them.
    fn search_reduced<'p, P, V>(
        &mut self,
        product: P,
        all: V,
        (visible, among): (
            impl Fn(&V, &Related<'p>) -> Vec<(u32, Transition)>,
            impl Fn(&V, &Related<'p>, &[Transition]) -> V,
        ),
        plan: &Plan,
    ) -> Searched
    where
        P: Beside<System = Related<'p>> + Product + Sync,
        V: Visibility<Related<'p>> + Sync,
    {
        match plan.search.strategy {
            Strategy::CycleRounds => {
                let visible = visible(&all, product.system());
                self.search_in_order(product, visible, plan)
            }
            Strategy::SensitiveRounds => {
                let rounds = Rounds::new(visible(&all, product.system()));
                self.search_in_rounds(product, all, rounds, among, plan)
            }
            _ => {
                let stubborn = Stubborn::beside(product, OfSystem(all));
                self.search(&Erased(&stubborn), plan)
            }
        }
    }

    /// Searches with stubborn sets, round by round.
    fn search_in_rounds<'p, P, V>(
        &mut self,
        mut product: P,
        mut all: V,
        mut rounds: Rounds,
        among: impl Fn(&V, &Related<'p>, &[Transition]) -> V,
        plan: &Plan,
    ) -> Searched
    where
        P: Beside<System = Related<'p>> + Product + Sync,
        V: Visibility<Related<'p>> + Sync,
    {
        loop {
            self.round = Some(rounds.round());
            if rounds.is_last() {
                let stubborn = Stubborn::beside(product, OfSystem(all));
                let searched = self.search(&Erased(&stubborn), plan);
                return self.ended(searched, true, &mut rounds).0;
            }
            let some = among(&all, product.system(), rounds.sensitive());
            let stubborn = Stubborn::beside(product, OfSystem(Sensitive::new(some, all)));
            let searched = self.search(&Erased(&stubborn), plan);
            let (of, OfSystem(sensitive)) = stubborn.into_parts();
            let (searched, is_over) = self.ended(searched, sensitive.is_exact(), &mut rounds);
            if is_over {
                return searched;
            }
            (product, all) = (of, sensitive.into_all());
        }
    }

    /// Algorithm B: after all that is visible, what is on insensitive cycles becomes sensitive,
    /// until there are none ([`InOrder`]).
    fn search_in_order<'p, P>(
        &mut self,
        mut product: P,
        visible: Vec<(u32, Transition)>,
        plan: &Plan,
    ) -> Searched
    where
        P: Beside<System = Related<'p>> + Product + Sync,
    {
        let mut rounds = Rounds::new(visible);
        loop {
            if rounds.is_last() {
                let cycles = product.system().insensitive_cycles(rounds.sensitive(), &[]);
                rounds.go_on_with(cycles);
            }
            self.round = Some(rounds.round());
            let visibility = InOrder::new(product.system(), rounds.sensitive());
            let stubborn = Stubborn::beside(product, OfSystem(visibility));
            let searched = self.search(&Erased(&stubborn), plan);
            let (searched, is_over) = self.ended(searched, rounds.is_last(), &mut rounds);
            if is_over {
                return searched;
            }
            (product, _) = stubborn.into_parts();
        }
    }

    /// What came of a round, and whether no other is needed, or may be.
    fn ended(
        &mut self,
        searched: Searched,
        is_exact: bool,
        rounds: &mut Rounds,
    ) -> (Searched, bool) {
        let is_exact = is_exact || !searched.leaves_out;
        let is_capped =
            self.options.quick.is_some() && matches!(searched.stop, Some(Reason::States(_)));
        if let Some(round) = &mut self.round {
            round.is_exact = is_exact;
        }
        if searched.found.is_some() || !is_capped && (searched.stop.is_some() || is_exact) {
            return (searched, true);
        }
        let number = rounds.round().number;
        let quick = self.options.quick;
        if quick.is_some_and(|quick| number >= quick.rounds) || rounds.is_last() {
            let stop = Some(Reason::Rounds(number));
            return (Searched { stop, ..searched }, true);
        }
        self.meter.spend(searched.states);
        rounds.widen(searched.states);
        (searched, false)
    }

    pub(super) fn shortened<M: Monitored>(
        &mut self,
        plain: &M,
        searched: &mut Searched,
    ) -> Option<Found> {
        let found = searched.found.take()?;
        if self.options.limits.max_depth.is_some() {
            // A search to a depth is breadth-first.
            return Some(found);
        }
        let _phase = Phase::Shortening.begin(self.caller.observer);
        let meter = &mut self.meter_for_shorter(searched.states);
        let shorter = shorter(plain, found.len(), self.options.order, meter);
        Some(shorter.unwrap_or(found))
    }

    /// Meter of a search for a shorter run, after one with this many states.
    pub(in crate::monitored) fn meter_for_shorter(&self, searched: u64) -> Meter<'a> {
        let budget = self.caller.budget;
        let limits = for_shortening_since(self.options, budget, searched, self.meter.begun());
        self.meter.with(limits)
    }
}
