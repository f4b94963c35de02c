//! The searches of a product: as they are asked for, in rounds, and for a shorter run.

use super::super::plan::Plan;
use super::super::product::{AnyProduct, Beside, OfSystem, Product};
use super::super::random::random_runs;
use super::Deciding;
use super::all_states::search_on_threads;
use crate::options::{Limits, Search};
use crate::pipeline::with_symmetry_beside;
use crate::reduction::{Rounds, Sensitive, Stubborn, Transition, Visibility};
use crate::related::Related;
use crate::related::local_cycles::InOrder;
use crate::runs::limits::for_shortening_since;
use crate::search::found::{Found, Searched};
use crate::search::lasso::shorter;
use crate::search::violations::search;
use crate::search::{Meter, Monitored};
use crate::successors::Erased;
use crate::verdict::Reason;

impl<'a> Deciding<'a> {
    pub(super) fn search<M>(&mut self, product: &M, plan: &Plan) -> Searched
    where
        M: Product + Sync,
    {
        self.search_any(&Erased(product), plan)
    }

    fn search_any(&mut self, product: &AnyProduct<'_>, plan: &Plan) -> Searched {
        let limits = match self.options.quick {
            Some(quick) => Limits {
                max_states: Some(quick.states.min(self.meter.most_states())),
                ..self.options.limits
            },
            None => self.stage.limits(self.options),
        };
        if let Search::Random(how) = self.options.search {
            let searched = random_runs(product, how, self.options, &mut self.meter);
            (self.states, self.edges) = (searched.states, searched.edges);
            return searched;
        }
        let others = self.search_with_others(product, plan, limits.max_states);
        let searched = others.unwrap_or_else(|| {
            let is_capped = self.options.quick.is_some() || self.stage.cap(self.options).is_some();
            let mut capped = is_capped.then(|| self.meter.with(limits));
            let meter = capped.as_mut().unwrap_or(&mut self.meter);
            let (options, budget) = (self.options, self.caller.budget);
            match &self.orbits {
                None if self.round.is_none() => {
                    search_on_threads(product, plan, options, meter, budget)
                }
                orbits => with_symmetry_beside(product, orbits.as_ref(), |beside| {
                    search(beside, plan.algorithm, options, meter)
                }),
            }
        });
        (self.states, self.edges) = (searched.states, searched.edges);
        searched
    }

    /// Searches with stubborn sets, round by round where the options say so: `visible` says what
    /// is, and `among` makes less of it.
    pub(super) fn search_in_rounds<P, V>(
        &mut self,
        mut product: P,
        mut all: V,
        (visible, among): (
            impl Fn(&V, &P::System) -> Vec<(u32, Transition)>,
            impl Fn(&V, &P::System, &[Transition]) -> V,
        ),
        plan: &Plan,
    ) -> Searched
    where
        P: Beside + Product + Sync,
        V: Visibility<P::System> + Sync,
    {
        let mut rounds = match self.options.goes_in_rounds() {
            true => Rounds::new(visible(&all, product.system())),
            false => return self.search(&Stubborn::beside(product, OfSystem(all)), plan),
        };
        loop {
            self.round = Some(rounds.round());
            if rounds.is_last() {
                let stubborn = Stubborn::beside(product, OfSystem(all));
                let searched = self.search(&stubborn, plan);
                return self.ended(searched, true, &mut rounds).0;
            }
            let some = among(&all, product.system(), rounds.sensitive());
            let stubborn = Stubborn::beside(product, OfSystem(Sensitive::new(some, all)));
            let searched = self.search(&stubborn, plan);
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
    pub(super) fn search_in_order<'p, P>(
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
            let searched = self.search(&stubborn, plan);
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
