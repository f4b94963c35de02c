//! Observations of one search about the undecided properties. They are made for each search, and
//! dropped after it.

mod sooner;

use std::ops::ControlFlow;

use stubborn_system::system::Failure;

use super::verdicts::{InRound, Verdicts};
use crate::graph::{Edges, StateSet, termination::TerminationCheck};
use crate::options::{Reduction, Search};
use crate::packed::Scratch;
use crate::properties::{AtEnd, Conclusion, Goals, InState, LooksAt};
use crate::runs::evidence::Evidence;
use crate::search::{Flags, Listener, OwnedLabel, Space, Stop, Ways};
use crate::successors::{Label, Successors as _};
use crate::verdict::{Finding, Verdict};

/// Number of states after which a reduction that has left nothing out is not expected to.
const PLAIN_SO_FAR: u32 = 1 << 12;

/// How a search is made, as far as its observations depend on it.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    pub search: Search,
    /// Whether steps may be left out, so that more depends on the edges.
    pub reduced: bool,
    /// Whether states are numbered from 0 on; else nothing is kept about them.
    pub numbered: bool,
    pub round: Option<InRound>,
}

/// Listener that decides properties.
pub struct Observations<'v, 'a> {
    pub verdicts: &'v mut Verdicts<'a>,
    mode: Mode,
    scratch: Scratch,
    /// The undecided properties about which the search concludes, in ascending order.
    open: Vec<usize>,
    /// The undecided properties that are evaluated in every state, in ascending order.
    of_states: Vec<usize>,
    /// For each property, the states that satisfy its goal.
    goals: Vec<StateSet>,
    pub terminal: StateSet,
    /// For each property that may have been lost before, the first state that shows it.
    dead_ends: Vec<Option<(u32, Finding)>>,
    /// Kept in a breadth-first search while a property needs them.
    edges: Option<Edges>,
    /// Whether a property needed the edges and there was no memory for them.
    pub edges_were_dropped: bool,
    /// Kept in a depth-first search in which a property depends on AG EF termination.
    termination: Option<TerminationCheck>,
}

impl<'v, 'a> Observations<'v, 'a> {
    pub fn new(verdicts: &'v mut Verdicts<'a>, mode: Mode) -> Observations<'v, 'a> {
        let open: Vec<usize> = verdicts.undecided().collect();
        let sees_states = |property: &usize| {
            let looks_at = verdicts.kind(*property).looks_at();
            matches!(looks_at, LooksAt::States(..))
        };
        let asks_for_end = |property: &usize| {
            let conclusion = verdicts.conclusion(*property);
            matches!(conclusion, Conclusion::Reaching(Goals::Terminal, _))
        };
        let needs_termination = mode.reduced || open.iter().any(asks_for_end);
        let keeps = |search| mode.numbered && mode.search == search;
        let mut observations = Observations {
            of_states: open.iter().copied().filter(sees_states).collect(),
            goals: vec![StateSet::default(); verdicts.outcomes.len()],
            terminal: StateSet::default(),
            dead_ends: vec![None; verdicts.outcomes.len()],
            edges: keeps(Search::Breadth).then(Edges::default),
            edges_were_dropped: false,
            termination: (keeps(Search::Depth) && needs_termination)
                .then(TerminationCheck::default),
            scratch: verdicts.packed().scratch(),
            open,
            mode,
            verdicts,
        };
        observations.drop_needless_edges();
        observations
    }

    /// Whether a terminal state can be reached from every state; `None` if the search does not
    /// decide it, or not yet.
    pub fn is_terminating(&self) -> Option<bool> {
        self.termination.as_ref()?.is_terminating()
    }

    pub fn undecided(&self) -> impl Iterator<Item = usize> + use<> {
        self.open.clone().into_iter()
    }

    /// Leaves properties with a state check to another search, unless a state shows a violation:
    /// not all of the steps that they see were sensitive, so that their absence proves nothing.
    pub fn leave_state_checks(&mut self) {
        let verdicts = &*self.verdicts;
        (self.open).retain(|property| !verdicts.has_state_check(*property));
    }

    /// Whether the property is about the state space as a graph.
    pub fn needs_graph(&self, property: usize) -> bool {
        match self.verdicts.conclusion(property) {
            Conclusion::Reaching(Goals::Terminal, _) => self.termination.is_none(),
            Conclusion::Reaching(Goals::Expression, _) | Conclusion::Avoiding(_) => true,
            Conclusion::Holds | Conclusion::Recurring(_) | Conclusion::Apart => false,
        }
    }

    /// The states that a property requires to be reachable.
    pub fn goals(&self, property: usize, goals: Goals) -> &StateSet {
        match goals {
            Goals::Terminal => &self.terminal,
            Goals::Expression => &self.goals[property],
        }
    }

    fn drop_needless_edges(&mut self) {
        let needs_them = |property: &usize| self.mode.reduced || self.needs_graph(*property);
        if self.edges.is_some() && !self.open.iter().any(needs_them) {
            self.edges = None;
        }
    }

    /// Stops once every property is decided or has evidence of its violation. If the trace is to be
    /// the shortest a dead end does not suffice: the goal may have been out of reach long before.
    fn go_on(&self) -> ControlFlow<Stop> {
        let has_evidence =
            |property: &usize| !self.shows_shortest() && self.dead_ends[*property].is_some();
        match self.open.iter().all(has_evidence) {
            true => ControlFlow::Break(Stop::Decided),
            false => ControlFlow::Continue(()),
        }
    }

    /// Whether a violation is to have a shortest trace.
    fn shows_shortest(&self) -> bool {
        self.mode.search == Search::Breadth && self.mode.numbered
    }

    pub fn decide(&mut self, property: usize, verdict: Verdict, ways: &dyn Ways) {
        let counted = (ways, self.mode.round);
        self.verdicts.decide(property, verdict, counted);
        // A decided property costs nothing any more.
        for list in [&mut self.open, &mut self.of_states] {
            if let Ok(at) = list.binary_search(&property) {
                list.remove(at);
            }
        }
        self.drop_needless_edges();
    }

    /// Decides that the property is violated, if a run for the evidence can be made within the
    /// limits.
    pub fn violate(
        &mut self,
        property: usize,
        finding: Finding,
        evidence: &Evidence,
        ways: &dyn Ways,
    ) {
        let held = self.held();
        let verdicts = &mut *self.verdicts;
        let verdict = verdicts.violation(property, finding, evidence, ways, held);
        self.decide(property, verdict, ways);
    }

    /// Notes the first dead end of a property and announces the violation, since the search may
    /// take long to find where the goal was first out of reach.
    fn lose(&mut self, property: usize, number: u32, finding: Finding, ways: &dyn Ways) {
        if self.dead_ends[property].is_some() {
            return;
        }
        self.dead_ends[property] = Some((number, finding.clone()));
        if self.shows_shortest() {
            let evidence = Evidence::path(ways.path(number));
            let held = self.held();
            let verdicts = &mut *self.verdicts;
            let verdict = verdicts.violation(property, finding, &evidence, ways, held);
            if verdict.is_violated() {
                verdicts.announce(property, verdict, (ways, self.mode.round));
            }
        }
    }

    /// Whether an undecided property has a dead end.
    pub fn has_dead_ends(&self) -> bool {
        let mut open = self.open.iter();
        open.any(|property| self.dead_ends[*property].is_some())
    }

    /// Decides the properties that have a dead end.
    pub fn settle_for_dead_ends(&mut self, ways: &dyn Ways) {
        for property in self.undecided() {
            if let Some((state, finding)) = self.dead_ends[property].take() {
                let evidence = Evidence::path(ways.path(state));
                self.violate(property, finding, &evidence, ways);
            }
        }
    }

    /// Decides that properties are violated which require a terminal state to be reachable.
    pub fn violate_termination(&mut self, evidence: &Evidence, ways: &dyn Ways) {
        for property in self.undecided() {
            let conclusion = self.verdicts.conclusion(property);
            if let Conclusion::Reaching(Goals::Terminal, finding) = conclusion {
                self.violate(property, finding, evidence, ways);
            }
        }
    }

    /// Takes the edges of a search that has taken every step, if they were kept.
    pub fn take_edges(&mut self, space: &Space) -> Option<Edges> {
        let mut edges = self.edges.take()?;
        edges.end_states(space.len());
        Some(edges)
    }

    /// Returns the violation that a state shows.
    fn seen_in(&mut self, property: usize, number: u32, state: &[u64]) -> Option<Finding> {
        let evaluator = self.verdicts.evaluator(property);
        match evaluator.in_state(state, &mut self.scratch)? {
            InState::Nothing => None,
            InState::Goal => {
                if self.mode.numbered {
                    self.goals[property].insert(number);
                }
                None
            }
            InState::Violation(finding) => Some(finding),
        }
    }

    /// Memory of the observations, in bytes.
    fn held(&self) -> u64 {
        let sets: u64 = self.goals.iter().map(StateSet::bytes).sum();
        let edges = self.edges.as_ref().map_or(0, Edges::bytes);
        let termination = self.termination.as_ref().map_or(0, TerminationCheck::bytes);
        sets + self.terminal.bytes() + edges + termination
    }
}

impl Listener for Observations<'_, '_> {
    fn found(&mut self, ways: &dyn Ways, number: u32, state: &[u64]) -> ControlFlow<Stop> {
        if let Some(check) = &mut self.termination {
            check.found(number);
        }
        if number == PLAIN_SO_FAR && self.mode.reduced && ways.reduction() == Reduction::None {
            // If nothing is left out the edges are not needed; else they are collected again.
            let needs_graph = self.open.iter().any(|property| self.needs_graph(*property));
            self.edges = self.edges.take().filter(|_| needs_graph);
        }
        let mut decided = false;
        let mut at = 0;
        while let Some(&property) = self.of_states.get(at) {
            match self.seen_in(property, number, state) {
                None => at += 1,
                Some(finding) => {
                    let evidence = Evidence::path(ways.path(number));
                    // Removes the property from the list.
                    self.violate(property, finding, &evidence, ways);
                    decided = true;
                }
            }
        }
        match decided {
            true => self.go_on(),
            false => ControlFlow::Continue(()),
        }
    }

    #[inline]
    fn edge(&mut self, from: u32, _: Option<Label<'_>>, _: Flags, to: u32) {
        if let Some(check) = &mut self.termination {
            check.edge(from, to);
        }
        if let Some(edges) = &mut self.edges {
            edges.end_states(from);
            edges.push(to);
        }
    }

    fn failing(
        &mut self,
        ways: &dyn Ways,
        at: u32,
        label: Label<'_>,
        failure: &Failure,
    ) -> ControlFlow<Stop> {
        let mut flow = ControlFlow::Continue(());
        for property in self.undecided() {
            if let Some(finding) = self.verdicts.kind(property).at_failing_step(failure) {
                let evidence = Evidence {
                    failing: Some((OwnedLabel::of(label), failure.clone())),
                    ..Evidence::path(ways.path(at))
                };
                self.violate(property, finding, &evidence, ways);
                flow = self.go_on();
            }
        }
        flow
    }

    fn terminal(&mut self, ways: &dyn Ways, number: u32, state: &[u64]) -> ControlFlow<Stop> {
        if self.mode.numbered {
            self.terminal.insert(number);
        }
        if let Some(check) = &mut self.termination {
            check.terminal(number);
        }
        for property in self.undecided() {
            let is_goal = self.goals[property].contains(number);
            let evaluator = self.verdicts.evaluator(property);
            match evaluator.at_end(state, is_goal, &mut self.scratch) {
                AtEnd::Nothing => {}
                AtEnd::DeadEnd(finding) => self.lose(property, number, finding, ways),
                AtEnd::Violation(finding) => {
                    let sooner = self.shorter_lasso(property, number, ways);
                    let (finding, evidence) =
                        sooner.unwrap_or_else(|| (finding, Evidence::path(ways.path(number))));
                    self.violate(property, finding, &evidence, ways);
                }
            }
        }
        self.go_on()
    }

    fn left(&mut self, ways: &dyn Ways, number: u32) -> ControlFlow<Stop> {
        let is_stuck = |check: &mut TerminationCheck| check.left(number);
        if !self.termination.as_mut().is_some_and(is_stuck) {
            return ControlFlow::Continue(());
        }
        self.violate_termination(&Evidence::path(ways.path(number)), ways);
        self.go_on()
    }

    fn bytes(&self) -> u64 {
        self.held() + self.verdicts.bytes()
    }

    fn spare_memory(&mut self) -> bool {
        self.edges_were_dropped |= self.edges.is_some();
        self.edges.take().is_some()
    }
}

#[cfg(test)]
mod tests;
