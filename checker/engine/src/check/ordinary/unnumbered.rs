//! Deciding properties without numbers for the states.

mod reduced;

pub(super) use reduced::{seems_to_need_no_numbers, wide_layer};

use std::ops::ControlFlow;

use super::Checking;
use crate::check::conclude::OfPacked;
use crate::check::verdicts::{Avoiding, Verdicts};
use crate::options::{Options, Reduction, Search, Use};
use crate::packed::Packed;
use crate::properties::{Conclusion, Goals};
use crate::runs::evidence::Evidence;
use crate::search::layers::{self, Layers, Team};
use crate::search::whole::Whole;
use crate::search::whole::cycles::{Answer, cycles};
use crate::search::whole::nearest::nearest;
use crate::search::whole::reaching::{self, Reaching};
use crate::search::{Figures, Space, Stop, Ways};
use crate::successors::{Erased, Model, Successors as _};
use crate::verdict::{Finding, Reason, Verdict};

/// What is done takes about so many times as long as to go through all states once without numbers, in halves:
/// going through them,
const ALL_STATES: usize = 2;
/// a question about what can be reached,
const REACHING: usize = 3;
/// about what is met by all runs,
const AVOIDING: usize = 5;
/// about what recurs;
const RECURRING: usize = 5;
/// a search with numbers, on one thread, that keeps edges,
const WITH_NUMBERS: usize = 5;
/// and a question to it about what recurs.
const RECURRING_WITH_NUMBERS: usize = 10;

/// So many are gone through once more in no time.
const FEW_STATES: u64 = 100_000;

impl Checking<'_> {
    /// Where nobody asks what was seen, states need no numbers for single states and steps to decide what is
    /// open, unless one of them shows a violation; nor for what can be reached from each, if they are one
    /// word. Whether all is decided by that, or a limit reached. `model` gives the states, canonical forms where
    /// there are such: about all of these together nothing can be asked.
    pub(super) fn decided_without_numbers(&mut self, model: Model<'_>) -> bool {
        if !self.nobody_asks_for_numbers() || !self.needs_no_numbers() {
            return false;
        }
        let asks_about_all = !self.is_decided_in_passing();
        if asks_about_all && self.orbits.is_some() {
            return false;
        }
        let mut next = self.next(false);
        next.numbered = false;
        self.found.begin(next);
        let depth = self.meter.depth;
        let (flow, mut layers) = self.all_states(model);
        let flow = flow.map_continue(|()| layers.whole.take());
        let is_over = match flow {
            ControlFlow::Break(Stop::Decided) => false,
            // With numbers a dead end is told that was found before.
            ControlFlow::Break(Stop::Limit(Reason::Memory(_))) if asks_about_all => false,
            ControlFlow::Break(Stop::Limit(reason)) if self.numbers_may_show_more(&reason) => false,
            ControlFlow::Break(Stop::Limit(reason)) => {
                self.leave_undecided(&reason, &layers);
                true
            }
            ControlFlow::Continue(whole) => {
                self.conclude_in_passing(&layers);
                match whole.map(|whole| self.ask(&whole, &layers)) {
                    Some(ControlFlow::Break(Stop::Limit(reason))) => {
                        self.leave_undecided(&reason, &layers);
                    }
                    Some(ControlFlow::Break(Stop::Decided) | ControlFlow::Continue(())) | None => {}
                }
                self.found.undecided().next().is_none()
            }
        };
        let seconds = self.meter.seconds();
        self.found.note(&mut self.outcomes, &layers, seconds);
        if !is_over {
            self.meter.depth = depth;
        }
        is_over
    }

    /// Whether single states and steps decide all that is open.
    fn is_decided_in_passing(&self) -> bool {
        let mut open = self.found.undecided();
        open.all(|property| self.found.is_decided_in_passing(property))
    }

    fn nobody_asks_for_numbers(&self) -> bool {
        self.options.search == Search::Breadth && !self.options.tells_seen
    }

    /// Whether all that is open can be decided without numbers, at no higher price. What is asked about all
    /// states has their steps taken again for each property, where with numbers edges are kept for all.
    fn needs_no_numbers(&self) -> bool {
        let price = Price::of(&self.found, self.found.undecided());
        price.is_paid(self.packed, self.options)
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
        matches!(reason, Reason::States(states) if *states <= FEW_STATES)
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
                    let goal = || self.found.goal(property, Goals::Expression);
                    let asked = || Avoiding(goal());
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
        let asked = || OfPacked {
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

/// What it takes to decide some properties, and what it would take with numbers; `None` where numbers are needed.
struct Price(Option<(usize, usize)>);

impl Price {
    fn of(found: &Verdicts<'_>, properties: impl Iterator<Item = usize>) -> Price {
        let conclusions: Vec<Conclusion> = properties
            .map(|property| found.kind(property).conclusion())
            .collect();
        let is_termination =
            |asked: &Conclusion| matches!(asked, Conclusion::Reaching(Goals::Terminal, _));
        let settles_all = conclusions.iter().any(is_termination);
        let (mut price, mut with_numbers) = (ALL_STATES, WITH_NUMBERS);
        for asked in &conclusions {
            match asked {
                Conclusion::Holds => {}
                Conclusion::Reaching(Goals::Expression, _) if settles_all => {}
                Conclusion::Reaching(..) => price += REACHING,
                Conclusion::Avoiding(_) => price += AVOIDING,
                Conclusion::Recurring(_) => {
                    price += RECURRING;
                    with_numbers += RECURRING_WITH_NUMBERS;
                }
                Conclusion::Apart => return Price(None),
            }
        }
        Price(Some((price, with_numbers)))
    }

    fn is_paid(&self, packed: &Packed<'_>, options: &Options) -> bool {
        self.0.is_some_and(|(price, with_numbers)| {
            let is_cheap = match options.unnumbered {
                Use::WhereItPays => price <= with_numbers * options.threads(),
                Use::Always => true,
                Use::Never => return false,
            };
            price == ALL_STATES || is_cheap && packed.words() == 1
        })
    }
}

#[cfg(test)]
mod tests;
