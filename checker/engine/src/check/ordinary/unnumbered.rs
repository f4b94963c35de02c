//! Deciding properties without numbers for the states.

mod reduced;

use std::ops::ControlFlow;

use super::Checking;
use super::spilled::Way;
use crate::check::verdicts::Next;
use crate::plan::attempt::Ended;
use crate::plan::numbers::are_few;
use crate::properties::{Conclusion, Goals};
use crate::runs::evidence::Evidence;
use crate::search::layers::{self, Layers, Team};
use crate::search::path::{Goal, shortest};
use crate::search::whole::Whole;
use crate::search::whole::cycles::{Answer, cycles};
use crate::search::whole::reaching::{self, Reaching};
use crate::search::{Alone, Recurrence, Stop, Ways as _};
use crate::successors::Model;
use crate::verdict::{Finding, Reason, Verdict};

impl Checking<'_> {
    /// Decides what a search without numbers can. Where steps are left out that is what a reduced
    /// search decides; about canonical states all together nothing can be asked.
    pub(super) fn without_numbers(&mut self, model: Model<'_>, reduced: bool) -> Ended {
        let asks_about_all = !self.is_decided_in_passing();
        self.found.begin(Next {
            numbered: false,
            ..self.next(reduced)
        });
        let depth = match reduced {
            true => 0,
            false => self.meter.depth,
        };
        self.meter.depth = depth;
        let (flow, mut layers) = self.all_states(model);
        let whole = layers.whole.take();
        let is_broken_off = flow.is_break();
        let flow = match flow {
            ControlFlow::Continue(()) if reduced => self.conclude_without_numbers(whole, &layers),
            ControlFlow::Continue(()) => {
                self.conclude_in_passing(&layers);
                let asked = whole.map_or(ControlFlow::Continue(()), |all| self.ask(&all, &layers));
                asked.map_continue(|()| self.found.undecided().next().is_none())
            }
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

    /// Decides the properties of single states and steps after all states were visited.
    fn conclude_in_passing(&mut self, layers: &Layers) {
        for property in self.found.undecided() {
            if self.found.is_decided_in_passing(property) {
                self.found.decide(property, Verdict::Holds, layers);
            }
        }
    }

    /// Whether the same states with numbers are soon made, and perhaps show a run among them that
    /// goes round ([`by_graph_so_far`](crate::check::conclude::by_graph_so_far)).
    fn numbers_may_show_more(&self, reason: &Reason) -> bool {
        let avoids = |property| {
            let conclusion = self.found.kind(property).conclusion();
            matches!(conclusion, Conclusion::Avoiding(_))
        };
        matches!(reason, Reason::States(states) if are_few(*states))
            && !self.stage.is_over(reason, self.options)
            && self.found.undecided().any(avoids)
    }

    fn leave_undecided(&mut self, reason: &Reason, layers: &Layers) {
        if self.leaves_to_the_next_stage(&Stop::Limit(reason.clone())) {
            return;
        }
        for property in self.found.undecided() {
            if let Some(reason) = self.left_for(property, reason) {
                let verdict = Verdict::Undecided(reason);
                self.found.decide(property, verdict, layers);
            }
        }
    }

    /// Goes through all states that a model of the packed states gives, unless one or a step of it
    /// shows a violation.
    fn all_states(&mut self, model: Model<'_>) -> (ControlFlow<Stop>, Layers) {
        let depth = self.meter.depth;
        let mut team = Team::of(self.options);
        loop {
            let look = || self.found.noting().stopping();
            let parts = self.packed.parts();
            let found = layers::search(&model, parts, &mut self.meter, team, look);
            match found {
                // Which states several threads find first is not the same each time; verdicts are.
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

    /// Asks what is open about all states together. What is still open then, numbers are needed
    /// for.
    fn ask(&mut self, whole: &Whole, layers: &Layers) -> ControlFlow<Stop> {
        self.ask_what_is_reached(whole, layers)?;
        let (team, all) = (self.team_for(whole), (whole, layers.edges));
        for property in self.found.undecided() {
            let answer = match self.found.kind(property).conclusion() {
                Conclusion::Avoiding(_) => {
                    let asked = || self.found.goal(property, Goals::Expression);
                    cycles(self.packed, all, &mut self.meter, team, asked)?
                }
                Conclusion::Recurring(_) => {
                    if self.never_recurs(property, whole, layers)? {
                        self.found.decide(property, Verdict::Holds, layers);
                    }
                    continue;
                }
                _ => continue,
            };
            // If there is a violating run, it is not known which.
            if answer == Answer::No {
                self.found.decide(property, Verdict::Holds, layers);
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether it was shown that there is no run such as a recurrence asks for.
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

    /// Asks from where goals can be reached.
    fn ask_what_is_reached(&mut self, whole: &Whole, layers: &Layers) -> ControlFlow<Stop> {
        let open = self.found.undecided();
        let mut asked: Vec<(usize, Goals, Finding)> = open
            .filter_map(|property| match self.found.kind(property).conclusion() {
                Conclusion::Reaching(goals, finding) => Some((property, goals, finding)),
                _ => None,
            })
            .collect();
        // From every state one can be reached that ends, and these all are goals: else the search
        // of all states had ended there.
        asked.sort_by_key(|(_, goals, _)| *goals != Goals::Terminal);
        let mut is_terminating = false;
        for (property, goals, finding) in asked {
            if is_terminating {
                self.found.decide(property, Verdict::Holds, layers);
                continue;
            }
            let threads = self.team_for(whole).threads;
            let goal = || self.found.goal(property, goals);
            let all = (whole, layers.edges);
            match reaching::reaching(self.packed, all, &mut self.meter, threads, goal)? {
                Reaching::FromAll => {
                    self.found.decide(property, Verdict::Holds, layers);
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
                        let evidence = Evidence::path((0..states.len() as u32).collect());
                        let way = Way {
                            states,
                            figures: layers.figures(),
                            leaves_out: layers.leaves_out,
                            is_over: layers.full,
                        };
                        self.found.violate(property, finding, &evidence, &way);
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
