//! Deciding properties round by round, with ever more of the steps that they see sensitive ([`Rounds`]).
//!
//! What properties see are the steps that may end the conditions of their state checks (Valmari 2015, Theorem 4):
//! those of invariants, and of goals that may fail. Errors, deadlocks and AG EF termination see none, and are
//! decided by the first round as by any other. Recurrences see steps in a search of their own, the one with a
//! cycle proviso: as long as none of these steps is sensitive that is a search with stubborn sets alone, and so
//! the rounds before it.
//!
//! That search is the place of algorithm B: nothing else here has a condition on cycles that a search would have to
//! see to on its way. Errors and invariants need less than C3~ even where the model is not AG EF terminating, and
//! only of the space that was found ([`ignoring`](crate::reduction::ignoring)): a state in which all is taken has to be
//! reachable from each, or a component in which no step is put off. So until then both algorithms do the same.

use std::ops::ControlFlow;

use super::{Checking, ended, search};
use crate::check::conclude_reduced::{conclude_cycles, conclude_if_closed, conclude_reduced};
use crate::check::verdicts::Next;
use crate::options::{Limits, Reduction, Search};
use crate::plan::attempt::Ended;
use crate::reduction::{Rounds, Stubborn};
use crate::related::{Recurrences, Related};
use crate::search::{Alone, Monitored as _, Run, Space, Stop};
use crate::seen::Extent;
use crate::successors::{AnyModel, Erased, Successors as _};
use crate::verdict::Reason;

/// The outcome of a round.
struct Round<'a> {
    related: Related<'a>,
    states: u64,
    /// No other round decides more.
    is_over: bool,
}

impl<'a> Checking<'a> {
    /// Searches round by round, until the next one is the last. Limits count for all rounds together.
    pub(super) fn in_rounds(&mut self) -> Ended {
        match self.rounds() {
            ControlFlow::Continue(how) => how,
            ControlFlow::Break(stop) => ended(ControlFlow::Break(stop)),
        }
    }

    fn rounds(&mut self) -> ControlFlow<Stop, Ended> {
        let next = self.next(true);
        self.found.begin(next);
        let mut related = self.related_to_open()?;
        let visible = related.visible_to_checks();
        let mut rounds = Rounds::new(visible.clone());
        loop {
            let round = rounds.round();
            related.make_sensitive(&visible, rounds.sensitive());
            if rounds.is_last() && self.options.quick.is_none() {
                self.found.set_round(Some((round, Reduction::Stubborn)));
                self.stubborn = Some(self.stubborn_sets(related));
                return ControlFlow::Continue(Ended::LastRoundIsNext);
            }
            self.found.set_round(Some((round, Reduction::Sensitive)));
            let searched = self.round(related)?;
            if searched.is_over {
                return ControlFlow::Continue(Ended::Complete);
            }
            if let Some(quick) = self.options.quick
                && (round.number >= quick.rounds || rounds.is_last())
            {
                return ControlFlow::Continue(Ended::Complete);
            }
            self.meter.spend(searched.states);
            related = searched.related;
            rounds.widen(searched.states);
            self.found.begin(next);
        }
    }

    /// A few rounds were all that was wanted.
    pub(super) fn leave_what_rounds_leave(&mut self) {
        let rounds = self.options.quick.map_or(0, |quick| quick.rounds);
        let nothing = Space::new(self.packed.words(), &[]);
        let stop = Stop::Limit(Reason::Rounds(rounds));
        self.end(ControlFlow::Break(stop), &nothing);
    }

    /// Searches with the sets of one round. Breaks where a limit was reached.
    fn round(&mut self, related: Related<'a>) -> ControlFlow<Stop, Round<'a>> {
        let open: Vec<usize> = self.found.undecided().collect();
        let stubborn = Stubborn::new(related).foreseeing(self.options.foresight);
        let erased = Erased(&stubborn);
        let model = Alone::<AnyModel<'_>>::new(&erased);
        let space = Space::new(model.words(), model.initials());
        let mut capped = self.options.quick.map(|quick| {
            let most = quick.states.min(self.meter.most_states());
            self.meter.with(Limits {
                max_states: Some(most),
                ..self.options.limits
            })
        });
        let meter = capped.as_mut().unwrap_or(&mut self.meter);
        let mut run = Run::new(&model, self.options.order, meter, space, &mut self.found);
        let (mut flow, mut is_exact) = (search(&mut run, self.options.search), false);
        if flow.is_continue() {
            is_exact = run.space.is_plain() || stubborn.model().is_exact();
            // What is looked for after the search asks for the sets of its states once more
            // ([`ignoring`](crate::reduction::ignoring)): they have to be the same.
            if is_exact {
                stubborn.model().make_all_sensitive();
            }
            // Such a run ends, whatever was left out on its way.
            run.listener.settle_for_dead_ends(&run.space);
            run.listener.set_aside(!is_exact);
            if run.listener.undecided().next().is_some() {
                flow = conclude_reduced(&mut run, &stubborn).map_continue(drop);
            }
            run.listener.set_aside(false);
        }
        let space = run.space;
        let is_capped = self.options.quick.is_some()
            && matches!(flow, ControlFlow::Break(Stop::Limit(Reason::States(_))));
        let flow = match flow {
            // All is decided that the search was still asked for; the rest is for the next round.
            ControlFlow::Break(Stop::Decided) => {
                self.found.settle_for_dead_ends(&space);
                ControlFlow::Continue(())
            }
            ControlFlow::Break(Stop::Limit(_)) if is_capped => ControlFlow::Continue(()),
            flow => flow,
        };
        self.end(flow.clone(), &space);
        self.look_back(&space, Extent::Part);
        self.shorten(&open, &space);
        let states = space.states();
        drop(space);
        let (related, _) = stubborn.into_parts();
        let mut open = self.found.undecided();
        let is_over =
            is_exact && !is_capped || !open.any(|property| self.found.has_state_check(property));
        flow.map_continue(|()| Round {
            related,
            states,
            is_over,
        })
    }

    /// Decides recurrences in a model that is not AG EF terminating, by algorithm B: what questions see is
    /// sensitive from the beginning; then what is on insensitive cycles of processes becomes so, until there are none
    /// or the cycle proviso holds anyway. Breaks where a limit was reached.
    pub(super) fn cyclic_in_rounds(&mut self) -> ControlFlow<Stop> {
        let next = Next {
            search: Search::Depth,
            ..self.next(true)
        };
        self.found.begin(next);
        let mut related = self.related(&[])?;
        let mut rounds = Rounds::new(Vec::new());
        loop {
            let open: Vec<usize> = self.found.undecided().collect();
            let questions = self.open_recurrences();
            let on_cycles = related.insensitive_cycles(rounds.sensitive(), &questions);
            rounds.go_on_with(on_cycles);
            let is_last = rounds.is_last();
            let called = Reduction::SensitiveCycles;
            self.found.set_round(Some((rounds.round(), called)));
            let besides = rounds.sensitive().iter().copied().collect();
            let stubborn = Stubborn::beside(related, Recurrences { questions, besides });
            let erased = Erased(&stubborn);
            let model = Alone::<AnyModel<'_>>::new(&erased);
            let space = Space::new(model.words(), model.initials());
            let order = self.options.order;
            let mut run = Run::new(&model, order, &mut self.meter, space, &mut self.found);
            run.close_cycles();
            let flow = match search(&mut run, next.search) {
                ControlFlow::Continue(()) if is_last => {
                    conclude_cycles(&mut run).map_continue(|()| true)
                }
                ControlFlow::Continue(()) => conclude_if_closed(&mut run),
                ControlFlow::Break(stop) => ControlFlow::Break(stop),
            };
            let flow = match flow {
                ControlFlow::Break(Stop::Decided) if run.listener.undecided().next().is_none() => {
                    ControlFlow::Continue(true)
                }
                flow => flow,
            };
            let space = run.space;
            self.end(flow.clone().map_continue(drop), &space);
            self.look_back(&space, Extent::Part);
            self.shorten(&open, &space);
            if flow? || self.found.undecided().next().is_none() {
                return ControlFlow::Continue(());
            }
            self.meter.spend(space.states());
            rounds.widen(space.states());
            (related, _) = stubborn.into_parts();
            self.found.begin(next);
        }
    }
}
