//! Deciding properties without numbers for the states.

mod reduced;

pub(super) use reduced::seems_to_need_no_numbers;

use std::ops::ControlFlow;

use super::Checking;
use crate::options::Reduction;
use crate::plan::attempt::Ended;
use crate::plan::numbers::are_few;
use crate::properties::{Conclusion, Goals};
use crate::runs::evidence::Evidence;
use crate::search::layers::{self, Layers, Team};
use crate::search::whole::Whole;
use crate::search::whole::cycles::{Answer, cycles};
use crate::search::whole::nearest::nearest;
use crate::search::whole::reaching::{self, Reaching};
use crate::search::{Figures, Recurrence, Space, Stop, Ways};
use crate::successors::{Erased, Model};
use crate::verdict::{Finding, Reason, Verdict};

impl Checking<'_> {
    /// Decides what is open in the plain state space, where a search without numbers can. `model` gives the
    /// states, canonical states where there are permutations: about all of these together nothing can be asked.
    pub(super) fn without_numbers(&mut self, model: Model<'_>) -> Ended {
        let asks_about_all = !self.is_decided_in_passing();
        let mut next = self.next(false);
        next.numbered = false;
        self.found.begin(next);
        let depth = self.meter.depth;
        let (flow, mut layers) = self.all_states(model);
        let flow = flow.map_continue(|()| layers.whole.take());
        let ended = match flow {
            ControlFlow::Break(Stop::Decided) => Ended::NeedsNumbers,
            // With numbers a dead end is told that was found before.
            ControlFlow::Break(Stop::Limit(Reason::Memory(_))) if asks_about_all => {
                Ended::NeedsNumbers
            }
            ControlFlow::Break(Stop::Limit(reason)) if self.numbers_may_show_more(&reason) => {
                Ended::NeedsNumbers
            }
            ControlFlow::Break(Stop::Limit(reason)) => {
                self.leave_undecided(&reason, &layers);
                Ended::Limit(reason)
            }
            ControlFlow::Continue(whole) => {
                self.conclude_in_passing(&layers);
                let asked = whole.map(|whole| self.ask(&whole, &layers));
                if let Some(ControlFlow::Break(Stop::Limit(reason))) = asked {
                    self.leave_undecided(&reason, &layers);
                }
                match self.found.undecided().next() {
                    None => Ended::Complete,
                    Some(_) => Ended::NeedsNumbers,
                }
            }
        };
        self.note(&layers);
        if ended == Ended::NeedsNumbers {
            self.meter.depth = depth;
        }
        ended
    }

    /// Whether single states and steps decide all that is open.
    fn is_decided_in_passing(&self) -> bool {
        let mut open = self.found.undecided();
        open.all(|property| self.found.is_decided_in_passing(property))
    }

    /// What was met in passing was all that there is to see.
    fn conclude_in_passing(&mut self, layers: &Layers) {
        for property in self.found.undecided() {
            if self.found.is_decided_in_passing(property) {
                self.found.decide(property, Verdict::Holds, layers);
            }
        }
    }

    /// Whether the same states with numbers are soon made, and perhaps show a run among them that goes round
    /// ([`by_graph_so_far`](crate::check::conclude::by_graph_so_far)).
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

    /// Goes through all states that a model of the packed states gives, unless one or a step of it shows a
    /// violation.
    fn all_states(&mut self, model: Model<'_>) -> (ControlFlow<Stop>, Layers) {
        let depth = self.meter.depth;
        let mut team = Team::of(self.options);
        loop {
            let look = || self.found.in_passing();
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

    /// Asks what is open about all states together. What is still open then, numbers are needed for.
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
            // Of a run that shows a violation nothing is known but that there is one.
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
        // From every state one can be reached that ends, and these all are goals: else the search of all
        // states had ended there.
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
                    let order = self.options.order;
                    let held = (whole, known.bytes());
                    let found = nearest(
                        &Erased(self.packed),
                        held,
                        order,
                        &mut self.meter,
                        |state| !known.has(state),
                    )?;
                    if let Some((space, state)) = found {
                        let evidence = Evidence::path(space.path(state));
                        let ways = InAll {
                            space: &space,
                            all: layers,
                        };
                        self.found.violate(property, finding, &evidence, &ways);
                    }
                }
                Reaching::GivenUp => {}
            }
        }
        ControlFlow::Continue(())
    }
}

/// A way to a state that was found once more, among all states.
struct InAll<'s> {
    space: &'s Space,
    all: &'s Layers,
}

impl Ways for InAll<'_> {
    fn path(&self, to: u32) -> Vec<u32> {
        self.space.path(to)
    }

    fn copy(&self, state: u32, buffer: &mut [u64]) {
        Ways::copy(self.space, state, buffer);
    }

    fn figures(&self) -> Figures {
        self.all.figures()
    }

    fn reduction(&self) -> Reduction {
        self.all.reduction()
    }

    fn is_full(&self) -> bool {
        self.all.is_full()
    }
}

#[cfg(test)]
mod tests;
