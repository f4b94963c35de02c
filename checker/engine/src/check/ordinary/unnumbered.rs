//! Searches without numbers for states.

mod reduced;

use std::ops::ControlFlow;

use super::Checking;
use super::way::Way;
use crate::plan::attempt::Ended;
use crate::plan::numbers::are_few;
use crate::properties::{Conclusion, Goals};
use crate::search::layers::{self, Layers, Team};
use crate::search::path::{Goal, shortest};
use crate::search::whole::Whole;
use crate::search::whole::cycles::{Answer, cycles};
use crate::search::whole::reaching::{self, Reaching};
use crate::search::{Alone, Recurrence, Stop, Ways as _};
use crate::successors::Model;
use crate::verdict::{Finding, Reason, Verdict};

impl Checking<'_> {
    /// Decides the open properties as far as a search without numbers can. Canonical states answer
    /// no question about all states together.
    pub(super) fn without_numbers(&mut self, model: Model<'_>, reduced: bool) -> Ended {
        let asks_about_all = !self.is_decided_in_passing();
        let depth = match reduced {
            true => 0,
            false => self.meter.depth,
        };
        self.meter.depth = depth;
        let (flow, mut layers) = self.all_states(model);
        let whole = layers.whole.take();
        if !reduced {
            // The layer of the last depth is not complete.
            let complete = (self.meter.depth - depth).checked_sub(1);
            self.complete_depth = self.complete_depth.max(complete);
        }
        let is_broken_off = flow.is_break();
        let flow = match flow {
            ControlFlow::Continue(()) if reduced => self.conclude_without_numbers(whole, &layers),
            ControlFlow::Continue(()) => self.conclude_plainly(whole, &layers),
            ControlFlow::Break(stop) => ControlFlow::Break(stop),
        };
        let needs_numbers = |reason: &Reason| {
            // A search with numbers reports a dead end that it finds before the limit.
            let has_no_memory = asks_about_all && matches!(reason, Reason::Memory(_));
            let may_need = is_broken_off && !reduced;
            may_need && (has_no_memory || self.numbers_may_show_more(reason))
        };
        let ended = match flow {
            ControlFlow::Continue(true) => Ended::Complete,
            ControlFlow::Continue(false) | ControlFlow::Break(Stop::Decided) => Ended::NeedsNumbers,
            ControlFlow::Break(Stop::Limit(reason)) if needs_numbers(&reason) => {
                Ended::NeedsNumbers
            }
            ControlFlow::Break(Stop::Limit(reason)) => {
                self.leave_undecided(&reason, &layers);
                Ended::Limit(reason)
            }
        };
        self.note(&layers);
        if reduced || ended == Ended::NeedsNumbers {
            self.meter.depth = depth;
        }
        ended
    }

    /// Whether single states and steps decide all that is open.
    fn is_decided_in_passing(&self) -> bool {
        let mut open = self.found.undecided();
        open.all(|property| self.found.is_decided_in_passing(property))
    }

    /// Concludes after a search that has left nothing out and visited no violation. Returns whether
    /// every property is decided; the others need numbers.
    fn conclude_plainly(
        &mut self,
        whole: Option<Whole>,
        layers: &Layers,
    ) -> ControlFlow<Stop, bool> {
        for property in self.found.undecided() {
            if self.found.is_decided_in_passing(property) {
                self.decide(property, Verdict::Holds, layers);
            }
        }
        if let Some(whole) = &whole {
            self.ask(whole, layers)?;
        }
        ControlFlow::Continue(self.open().is_empty())
    }

    /// Whether the states are few enough to number them, in the hope of a cycle among them
    /// ([`by_graph_so_far`](crate::check::conclude::by_graph_so_far)).
    fn numbers_may_show_more(&self, reason: &Reason) -> bool {
        let avoids = |property| {
            let conclusion = self.found.conclusion(property);
            matches!(conclusion, Conclusion::Avoiding(_))
        };
        matches!(reason, Reason::States(states) if are_few(*states))
            && !self.stage.is_over(reason, self.options)
            && self.found.undecided().any(avoids)
    }

    /// Visits all states, until one of them or a step shows a violation.
    fn all_states(&mut self, model: Model<'_>) -> (ControlFlow<Stop>, Layers) {
        let depth = self.meter.depth;
        let mut team = Team::of(self.options);
        loop {
            let look = || self.found.noting().stopping();
            let parts = self.packed.parts();
            let found = layers::search(&model, parts, &mut self.meter, team, look);
            match found {
                // The states that several threads visit before a limit vary from run to run.
                (ControlFlow::Break(Stop::Limit(Reason::States(_))), layers, _)
                    if layers.several =>
                {
                    team = team.at_most(1);
                    self.meter.depth = depth;
                }
                (flow, layers, _) => return (flow, layers),
            }
        }
    }

    /// Asks the open questions about all states together. Properties that stay open need numbers.
    fn ask(&mut self, whole: &Whole, layers: &Layers) -> ControlFlow<Stop> {
        self.ask_what_is_reached(whole, layers)?;
        let (team, all) = (self.team_for(whole), (whole, layers.edges));
        for property in self.found.undecided() {
            let answer = match self.found.conclusion(property) {
                Conclusion::Avoiding(_) => {
                    let asked = || self.found.goal(property, Goals::Expression);
                    cycles(self.packed, all, &mut self.meter, team, asked)?
                }
                Conclusion::Recurring(_) => {
                    if self.never_recurs(property, whole, layers)? {
                        self.decide(property, Verdict::Holds, layers);
                    }
                    continue;
                }
                _ => continue,
            };
            // A violating run exists otherwise, but none is known.
            if answer == Answer::No {
                self.decide(property, Verdict::Holds, layers);
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether it was proved that no run violates a recurrence.
    fn never_recurs(
        &mut self,
        property: usize,
        whole: &Whole,
        layers: &Layers,
    ) -> ControlFlow<Stop, bool> {
        let Some(recurring) = self.found.kind(property).recurring(self.packed.system()) else {
            return ControlFlow::Continue(false);
        };
        let asked = || Recurrence {
            packed: self.packed,
            recurring: recurring.clone(),
        };
        let (team, all) = (self.team_for(whole), (whole, layers.edges));
        let answer = cycles(self.packed, all, &mut self.meter, team, asked)?;
        ControlFlow::Continue(answer == Answer::No)
    }

    fn team_for(&self, whole: &Whole) -> Team {
        let team = Team::of(self.options);
        team.at_most(team.of_states(whole.states()))
    }

    /// Decides the properties that require goals to be reachable from every state.
    fn ask_what_is_reached(&mut self, whole: &Whole, layers: &Layers) -> ControlFlow<Stop> {
        let open = self.found.undecided();
        let mut asked: Vec<(usize, Goals, Finding)> = open
            .filter_map(|property| match self.found.conclusion(property) {
                Conclusion::Reaching(goals, finding) => Some((property, goals, finding)),
                _ => None,
            })
            .collect();
        // If a terminal state can be reached from every state, so can every goal: all terminal
        // states are goals, else the first search had ended there.
        asked.sort_by_key(|(_, goals, _)| *goals != Goals::Terminal);
        let mut is_terminating = false;
        for (property, goals, finding) in asked {
            if is_terminating {
                self.decide(property, Verdict::Holds, layers);
                continue;
            }
            let threads = self.team_for(whole).threads;
            let goal = || self.found.goal(property, goals);
            let all = (whole, layers.edges);
            match reaching::reaching(self.packed, all, &mut self.meter, threads, goal)? {
                Reaching::FromAll => {
                    self.decide(property, Verdict::Holds, layers);
                    is_terminating = goals == Goals::Terminal;
                }
                Reaching::From(known) => {
                    let is_outside = |state: &[u64]| {
                        let number = whole.number(whole.seek(state[0]));
                        number.is_some_and(|number| !known.has(number))
                    };
                    let held = whole.bytes() + known.bytes();
                    let (model, order) = (Alone::new(self.packed), self.options.order);
                    let goal = Goal::State(&is_outside);
                    let found = shortest(&model, goal, (order, held), &mut self.meter)?;
                    if let Some((space, state)) = found {
                        let states = space.boxed(&space.path(state));
                        let way = Way {
                            states,
                            figures: layers.figures(),
                            leaves_out: layers.leaves_out,
                            is_over: layers.full,
                            ..Way::default()
                        };
                        self.violate(property, finding, &way.evidence(), &way);
                    }
                }
                Reaching::GivenUp => {}
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests;
