//! Rounds of stubborn sets, with ever more visible steps sensitive ([`Rounds`]).
//!
//! A property sees the steps that may end the conditions of its state checks (Valmari 2015, Theorem
//! 4): invariants have such checks, and goals that may fail. Errors, deadlocks and AG EF
//! termination see none, and are decided by the first round as by any other. Recurrences see steps
//! in a search of their own, the one with a cycle proviso: as long as none of these steps is
//! sensitive that is a search with stubborn sets alone, and so the rounds before it.
//!
//! Algorithm B concerns that search alone: no other property needs a condition on cycles while the
//! search goes on. Errors and invariants need less than C3~ even if the model is not AG EF
//! terminating, and only in the visited space ([`ignoring`](crate::reduction::ignoring)): from each
//! state a state in which every step is taken, or a component in which no step is ignored.

use std::ops::ControlFlow;

use super::{Checking, ended, search};
use crate::check::conclude_reduced::{conclude_cycles, conclude_if_closed, conclude_reduced};
use crate::check::observations::Mode;
use crate::options::{Limits, Reduction, Search};
use crate::pipeline::{stubborn_sets, with_symmetry};
use crate::plan::attempt::Ended;
use crate::reduction::{Rounds, Stubborn};
use crate::related::{Recurrences, Related};
use crate::search::{Space, Stop};
use crate::successors::Successors as _;
use crate::verdict::Reason;

/// The outcome of a round.
struct Round<'a> {
    related: Related<'a>,
    states: u64,
    /// No other round decides more.
    is_over: bool,
}

impl<'a> Checking<'a> {
    /// Searches round by round, until the next one is the last. Limits count for all rounds
    /// together.
    pub(super) fn in_rounds(&mut self) -> Ended {
        match self.rounds() {
            ControlFlow::Continue(how) => how,
            ControlFlow::Break(stop) => ended(ControlFlow::Break(stop)),
        }
    }

    fn rounds(&mut self) -> ControlFlow<Stop, Ended> {
        let open = self.open();
        let mut related = self.related(&open, &mut |this, bytes| this.meter.prepare(bytes))?;
        let visible = related.visible_to_checks();
        let mut rounds = Rounds::new(visible.clone());
        loop {
            let round = rounds.round();
            related.make_sensitive(&visible, rounds.sensitive());
            if rounds.is_last() && self.options.quick.is_none() {
                let called = Some((round, Reduction::Stubborn));
                self.stubborn = Some((stubborn_sets(related, self.options.foresight), called));
                return ControlFlow::Continue(Ended::LastRoundIsNext);
            }
            self.round = Some((round, Reduction::Sensitive));
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
        }
    }

    /// Leaves undecided what a limited number of rounds has not decided.
    pub(super) fn leave_what_rounds_leave(&mut self) {
        let rounds = self.options.quick.map_or(0, |quick| quick.rounds);
        let nothing = Space::new(self.packed.words(), &[]);
        let stop = Stop::Limit(Reason::Rounds(rounds));
        self.end(ControlFlow::Break(stop), &nothing);
    }

    /// Searches with the sets of one round. Breaks if a limit is reached.
    fn round(&mut self, related: Related<'a>) -> ControlFlow<Stop, Round<'a>> {
        let stubborn = stubborn_sets(related, self.options.foresight);
        let (options, mode) = (self.options, self.mode(true));
        let meter = match options.quick {
            Some(quick) => self.meter.with(Limits {
                max_states: Some(quick.states.min(self.meter.most_states())),
                ..options.limits
            }),
            None => self.meter.clone(),
        };
        let (mut is_exact, mut is_capped) = (false, false);
        let (ended, states) = with_symmetry(&stubborn, self.orbits, |model| {
            self.within(meter, |this| {
                this.numbered(model, mode, |run, _| {
                    let mut flow = search(run, options.search);
                    if flow.is_continue() {
                        is_exact = run.space.is_plain() || stubborn.model().is_exact();
                        // Questions after the search choose the same sets once more
                        // ([`ignoring`](crate::reduction::ignoring)).
                        if is_exact {
                            stubborn.model().make_all_sensitive();
                        }
                        // A dead end is one of the model, whatever was left out.
                        run.listener.settle_for_dead_ends(&run.space);
                        if !is_exact {
                            run.listener.leave_state_checks();
                        }
                        if run.listener.undecided().next().is_some() {
                            let concluded = conclude_reduced(run, &stubborn);
                            flow = concluded.map_continue(drop);
                        }
                    }
                    is_capped = options.quick.is_some()
                        && matches!(flow, ControlFlow::Break(Stop::Limit(Reason::States(_))));
                    match flow {
                        // The rest is left to the next round.
                        ControlFlow::Break(stop) if is_capped || stop == Stop::Decided => {
                            run.listener.settle_for_dead_ends(&run.space);
                        }
                        stopped => stopped?,
                    }
                    ControlFlow::Continue(Ended::Complete)
                })
            })
        });
        if let Ended::Limit(reason) = ended {
            return ControlFlow::Break(Stop::Limit(reason));
        }
        let (related, _) = stubborn.into_parts();
        let mut open = self.found.undecided();
        let is_over =
            is_exact && !is_capped || !open.any(|property| self.found.has_state_check(property));
        ControlFlow::Continue(Round {
            related,
            states,
            is_over,
        })
    }

    /// Decides recurrences in a model that is not AG EF terminating, by algorithm B: steps that a
    /// recurrence sees are sensitive from the beginning; steps on insensitive cycles of processes
    /// become so, until there are none or the cycle proviso holds anyway.
    pub(super) fn cyclic_in_rounds(&mut self) -> Ended {
        let related = self.related(&[], &mut |this, bytes| this.meter.prepare(bytes));
        let mut related = match related {
            ControlFlow::Continue(related) => related,
            stopped => return ended(stopped.map_continue(drop)),
        };
        let mut rounds = Rounds::new(Vec::new());
        loop {
            let questions = self.open_recurrences();
            let on_cycles = related.insensitive_cycles(rounds.sensitive(), &questions);
            rounds.go_on_with(on_cycles);
            let is_last = rounds.is_last();
            self.round = Some((rounds.round(), Reduction::SensitiveCycles));
            let mode = Mode {
                search: Search::Depth,
                ..self.mode(true)
            };
            let besides = rounds.sensitive().iter().copied().collect();
            let stubborn = Stubborn::beside(related, Recurrences { questions, besides });
            let mut is_closed = false;
            let (ended, states) = with_symmetry(&stubborn, self.orbits, |model| {
                self.numbered(model, mode, |run, _| {
                    run.close_cycles();
                    search(run, mode.search)?;
                    is_closed = match is_last {
                        true => conclude_cycles(run).map_continue(|()| true)?,
                        false => conclude_if_closed(run)?,
                    };
                    ControlFlow::Continue(Ended::Complete)
                })
            });
            if is_closed || ended != Ended::Complete || self.open().is_empty() {
                return ended;
            }
            self.meter.spend(states);
            rounds.widen(states);
            (related, _) = stubborn.into_parts();
        }
    }
}
