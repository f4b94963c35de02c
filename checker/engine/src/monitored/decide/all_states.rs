//! Search of all states of a product by further threads, beside the search for a violation.
//!
//! A search for a violation depends on its order and has one thread. A proof that there is none
//! does not: other threads visit all states of the product in layers
//! ([`layers`](crate::search::layers)), and then use OWCTY
//! ([`cycles`](crate::search::whole::cycles)) to show that there is no accepting cycle. Then the
//! search for a violation is cancelled. If there is a violation, it continues until it finds one,
//! so that the counterexample is the one that a single thread finds. The planner says when there
//! is a proof ([`next_in_product`](crate::plan::monitors::next_in_product)).

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use stubborn_system::system::Failure;

use super::super::product::InOneWord;
use super::super::shared::{is_deadlock, stays, step};
use crate::budget::Budget;
use crate::caller::Caller;
use crate::options::Options;
use crate::plan::monitors::beside_each_other as limits_beside_each_other;
use crate::plan::theorems::cycles_of;
use crate::recurring::Step;
use crate::search::found::Searched;
use crate::search::layers::{self, Look, Team};
use crate::search::violations::Algorithm;
use crate::search::whole::cycles::{Answer, cycles};
use crate::search::{Meter, Question, Stop};
use crate::several::Asked;
use crate::successors::{AnyModel, Erased, Label, Memory, Model};
use crate::verdict::Reason;

/// Runs `search`, and after `head_start` a proof on other threads beside it. Returns the result of
/// the search, or of the proof if that is complete first. What is found does not depend on the
/// number of threads, nor do the figures of what holds.
pub fn beside_each_other(
    asked: &All<'_>,
    options: &Options,
    (meter, budget): (&mut Meter<'_>, Budget<'_>),
    head_start: Duration,
    search: &dyn Fn(&mut Meter<'_>) -> Searched,
) -> Searched {
    let (of_search, of_proof) = limits_beside_each_other(meter.limits());
    let [is_over, is_proved] = [const { AtomicBool::new(false) }; 2];
    let (searching, end) = channel();
    let others = Team {
        threads: options.threads() - 1,
        ..Team::of(options)
    };
    let mut ending = Some(EndsProof {
        is_over: &is_over,
        searching: Some(searching),
    });
    let (mut searched, mut proved) = (None, None);
    let threads = meter.threads();
    let finding_out = || {
        let end = end;
        if end.recv_timeout(head_start).is_ok() {
            return;
        }
        let is_cancelled = || is_over.load(Relaxed) || budget.is_cancelled();
        let budget = budget.with(of_proof).until(&is_cancelled);
        let caller = Caller::from(budget).on(threads);
        proved = asked.without_violation(others, &mut Meter::new(caller));
        is_proved.store(proved.is_some(), Relaxed);
    };
    threads.run(vec![Box::new(finding_out)], &mut || {
        let mut ending = ending.take();
        let is_cancelled = || is_proved.load(Relaxed) || budget.is_cancelled();
        let budget = budget.with(of_search).until(&is_cancelled);
        let found = search(&mut meter.within(budget));
        // The proof may have enough memory.
        if matches!(found.stop, Some(Reason::Memory(_)))
            && let Some(ending) = &mut ending
        {
            ending.searching = None;
        }
        searched = Some(found);
    });
    debug_assert!(
        proved.is_none() || searched.as_ref().is_none_or(|one| one.found.is_none()),
        "what was found is there"
    );
    match (searched, proved) {
        (Some(searched), _) if searched.found.is_some() => searched,
        (_, Some(proved)) => proved,
        (Some(searched), None) => searched,
        (None, None) => unreachable!("a search returns or panics"),
    }
}

/// Ends the proof when the search is over, however that ends.
struct EndsProof<'o> {
    is_over: &'o AtomicBool,
    /// `None` if the proof goes on alone.
    searching: Option<Sender<()>>,
}

impl Drop for EndsProof<'_> {
    fn drop(&mut self) {
        if let Some(searching) = self.searching.take() {
            self.is_over.store(true, Relaxed);
            let _ = searching.send(());
        }
    }
}

/// A question to all states of a product.
pub struct All<'m> {
    pub states: InOneWord<'m>,
    pub algorithm: Algorithm,
}

impl All<'_> {
    /// Visits all states. Returns the figures if this proves that there is no violation.
    pub fn without_violation(&self, team: Team, meter: &mut Meter<'_>) -> Option<Searched> {
        let look = || Marked {
            states: &self.states,
            scratch: self.states.product().scratch(),
            state: Vec::new(),
        };
        let parts = self.states.parts();
        let states = Erased(&self.states);
        let states = Model::with_footprints(&states);
        let all_steps: &AnyModel<'_> = &Erased(&self.states);
        let (flow, mut layers, _) = layers::search(&states, parts, meter, team, look);
        let whole = layers.whole.take().filter(|_| flow.is_continue())?;
        let team = team.at_most(team.of_states(whole.states()));
        for (asked, _) in cycles_of(self.algorithm) {
            let question = || GoesRound {
                states: &self.states,
                asked: *asked,
                from: Vec::new(),
                to: Vec::new(),
            };
            let all = (&whole, layers.edges);
            match cycles(&all_steps, all, meter, team, question) {
                ControlFlow::Continue(Answer::No) => {}
                _ => return None,
            }
        }
        Some(Searched {
            found: None,
            states: layers.states,
            edges: layers.edges,
            visits: layers.states,
            full: true,
            leaves_out: false,
            omissions: None,
            runs: None,
            depth: None,
            stop: None,
        })
    }
}

/// Ends the search where a state shows a violation.
struct Marked<'s, 'm> {
    states: &'s InOneWord<'m>,
    scratch: Memory,
    state: Vec<u64>,
}

impl Look for Marked<'_, '_> {
    fn found(&mut self, _: usize, state: &[u64]) -> ControlFlow<Stop> {
        self.states.unfold(state, &mut self.state);
        match self.states.product().marks(&self.state).reject {
            true => ControlFlow::Break(Stop::Decided),
            false => ControlFlow::Continue(()),
        }
    }

    fn failing(&mut self, _: Label<'_>, _: &Failure) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    fn terminal(&mut self, state: &[u64]) -> ControlFlow<Stop> {
        self.states.unfold(state, &mut self.state);
        match is_deadlock(self.states.product(), &self.state, &mut self.scratch) {
            true => ControlFlow::Break(Stop::Decided),
            false => ControlFlow::Continue(()),
        }
    }
}

/// Whether a run goes round as a question about cycles asks.
struct GoesRound<'s, 'm> {
    states: &'s InOneWord<'m>,
    asked: Asked,
    from: Vec<u64>,
    to: Vec<u64>,
}

impl Question for GoesRound<'_, '_> {
    fn stays(&mut self, state: &[u64]) -> bool {
        self.states.unfold(state, &mut self.from);
        stays(self.states.product(), self.asked, &self.from)
    }

    fn step(&mut self, from: &[u64], label: Label<'_>, to: &[u64]) -> Step {
        self.states.unfold(from, &mut self.from);
        self.states.unfold(to, &mut self.to);
        let product = self.states.product();
        step(product, self.asked, &self.from, label, &self.to)
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use stubborn_model::elaborate::Settings;
    use stubborn_random::read;
    use stubborn_system::property::Property;
    use stubborn_system::system::{Expr, System};

    use super::super::super::confirm::propositions;
    use super::super::super::plan::{Plan, PlannedMonitor, plans};
    use super::super::super::product::{AnyProduct, AutomatonProduct, TesterProduct, WithTester};
    use super::*;
    use crate::options::Liveness;
    use crate::packed::Packed;
    use crate::search::violations::search;
    use crate::successors::{Successors, Visit};

    const MACHINE: &str = "
action coin action coffee action tea
var paid: 0..3
process machine {
    initial state idle { on coin when paid < 3 do paid = paid + 1 -> paying }
    state paying { on coffee -> idle  on tea -> idle  -> stuck }
    state stuck { -> stuck  -> silent }
    final state silent
}
process user {
    initial state here { on coin -> wants }
    state wants { on coffee -> here  on tea -> here }
}
tester rejects {
    initial state zero { on coin -> one  on coffee -> zero  on tea -> zero }
    state one { on coin -> one  on coffee -> zero  on tea -> two }
    reject state two
}
tester blocks {
    initial state zero { on coin -> one }
    state one { on coffee -> zero }
    reject state two
    visible tea
}
tester fails {
    visible coin, coffee, tea
    initial state zero { on coin -> one }
    deadlock state one { on coffee -> zero  on tea -> zero }
}
tester offers {
    visible coin, coffee, tea
    initial state zero { on coin -> one }
    state one { on coffee -> zero  on tea -> zero }
    deadlock state never
}
tester diverges {
    initial state zero { on coin -> one }
    livelock state one { on coffee -> zero  on tea -> zero }
}
tester sees {
    livelock initial state zero { on coin -> one }
    state one { on coffee -> zero  on tea -> zero }
}
tester repeats {
    infinite initial state zero { on coin -> zero  on coffee -> zero  on tea -> zero }
}
ltl often: always eventually machine@idle
ltl once: always (machine@silent implies always machine@silent)
ltl small: always paid <= 3
ltl stuck: eventually always (machine@silent or machine@stuck or machine@idle)
ltl both: always eventually user@here and always eventually user@wants implies paid < 0
";

    fn all<'m>(product: &'m AnyProduct<'m>, plan: &'m Plan) -> All<'m> {
        let states = InOneWord::of(product).expect("the states are small");
        All {
            states,
            algorithm: plan.search.algorithm,
        }
    }

    /// Whether all states show no violation; what one thread finds has to be the same.
    fn is_proved(product: &AnyProduct<'_>, plan: &Plan, options: &Options) -> bool {
        let asked = all(product, plan);
        let mut meter = Meter::quiet(options.limits.into());
        let alone = |meter: &mut Meter<'_>| search(product, asked.algorithm, options, meter);
        let found = alone(&mut meter);
        let figures = |of: &Searched| (of.states, of.edges, of.full, of.leaves_out);
        for threads in [1, 2] {
            let team = Team::for_any_model(threads);
            let proved = asked.without_violation(team, &mut meter);
            assert_eq!(proved.is_none(), found.found.is_some());
            if let Some(proved) = proved {
                assert_eq!(figures(&proved), figures(&found));
            }
        }
        let two = Options {
            threads: NonZeroUsize::new(2),
            ..*options
        };
        let mut beside = |search: &dyn Fn(&mut Meter<'_>) -> Searched| {
            beside_each_other(
                &asked,
                &two,
                (&mut meter, options.limits.into()),
                Duration::ZERO,
                search,
            )
        };
        let is_proved = found.found.is_none();
        match is_proved {
            true => {
                for search in [never_over, without_memory] {
                    let shown = beside(&search);
                    assert_eq!(shown.stop, None);
                    assert_eq!(figures(&shown), figures(&found));
                }
            }
            false => assert_eq!(beside(&alone), found),
        }
        is_proved
    }

    /// Goes on until it is told to end, or nobody does.
    fn never_over(meter: &mut Meter<'_>) -> Searched {
        for _ in 0..1 << 24 {
            if let ControlFlow::Break(stop) = meter.goes_on() {
                return Searched::stopped(stop);
            }
            std::thread::yield_now();
        }
        Searched::stopped(Stop::Limit(Reason::Time))
    }

    fn without_memory(_: &mut Meter<'_>) -> Searched {
        Searched::stopped(Stop::Limit(Reason::Memory(1)))
    }

    fn each_plan(system: &System, property: &Property, options: &Options) -> Vec<bool> {
        let mut meter = Meter::quiet(options.limits.into());
        let plans = plans(system, property, options, &mut meter).expect("there are no limits");
        let proved = plans.iter().map(|plan| match &plan.monitor {
            PlannedMonitor::Tester(tester, _) => {
                let with = WithTester::new(system, tester);
                let packed = Packed::new(&with.system).expect("the states are small");
                is_proved(
                    &Erased(&TesterProduct::new(&with, &packed, &packed)),
                    plan,
                    options,
                )
            }
            PlannedMonitor::Watcher(watcher, observed) => {
                let all = propositions(property);
                let observed = observed.iter().map(|number| all[*number as usize].clone());
                let observed: Vec<Expr> = observed.collect();
                let packed = Packed::new(system).expect("the states are small");
                let product = AutomatonProduct::new(&packed, &packed, watcher, &observed);
                is_proved(&Erased(&product), plan, options)
            }
        });
        proved.collect()
    }

    #[test]
    fn all_states_show_no_violation_exactly_where_one_thread_finds_none() {
        let drawn = read::text(MACHINE.to_owned(), &Settings::default()).expect("it is right");
        let mut told = [0, 0];
        for liveness in [Liveness::Auto, Liveness::Nested, Liveness::FourPass] {
            let options = Options {
                liveness,
                ..Options::default()
            };
            for named in &drawn.properties {
                if named.property.is_monitored() {
                    for is_proved in each_plan(&drawn.system, &named.property, &options) {
                        told[usize::from(is_proved)] += 1;
                    }
                }
            }
        }
        assert!(told.iter().all(|many| *many > 15), "{told:?}");
    }

    #[test]
    fn a_word_tells_the_state_of_a_product() {
        let drawn = read::text(MACHINE.to_owned(), &Settings::default()).expect("it is right");
        let packed = Packed::new(&drawn.system).expect("the states are small");
        let often = drawn.properties.iter().find(|named| named.name == "often");
        let often = &often.expect("it is there").property;
        let mut meter = Meter::quiet(Budget::default());
        let plans = plans(&drawn.system, often, &Options::default(), &mut meter);
        let plans = plans.expect("there are no limits");
        let PlannedMonitor::Watcher(watcher, _) = &plans[0].monitor else {
            unreachable!("a formula has an automaton");
        };
        let product = AutomatonProduct::new(&packed, &packed, watcher, propositions(often));
        let product = Erased(&product);
        let states = InOneWord::of(&product).expect("the states are small");
        let (mut known, mut unfolded, mut next) = (vec![states.initial()[0]], vec![], 0);
        while let Some(word) = known.get(next).copied() {
            next += 1;
            let (mut words, mut whole) = (Targets::default(), Targets::default());
            let _ = states.visit(&[word], &mut states.scratch(), &mut words);
            states.unfold(&[word], &mut unfolded);
            let _ = product.visit(&unfolded, &mut product.scratch(), &mut whole);
            assert_eq!(words.0.len(), whole.0.len());
            for (word, state) in words.0.iter().zip(&whole.0) {
                states.unfold(word, &mut unfolded);
                assert_eq!(&unfolded, state);
                if !known.contains(&word[0]) {
                    known.push(word[0]);
                }
            }
        }
        assert!(known.len() > 10, "{}", known.len());
    }

    /// Where the steps of a state lead.
    #[derive(Default)]
    struct Targets(Vec<Vec<u64>>);

    impl Visit for Targets {
        fn step(&mut self, _: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
            self.0.extend(outcome.ok().map(<[u64]>::to_vec));
            ControlFlow::Continue(())
        }
    }
}
