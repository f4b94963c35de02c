//! What a search finds out about claims while it runs.

use std::ops::ControlFlow;

use stubborn_model::claim::Claim;
use stubborn_model::system::{Expr, Failure};

use crate::graph::termination::TerminationCheck;
use crate::graph::{Edges, StateSet};
use crate::options::Watch;
use crate::packed::{Expression, Packed, Scratch};
use crate::search::expansion::OwnedLabel;
use crate::search::{Observer, Space, Stop};
use crate::successors::{Label, Successors};
use crate::trace::{Evidence, confirmed};
use crate::verdict::{Finding, Outcome, Reason, Verdict};

/// A reduction that has left nothing out of so many states is not likely to.
const PLAIN_SO_FAR: u32 = 1 << 12;

/// The claims that share a search, and what it has shown of each.
pub struct Claims<'a> {
    packed: &'a Packed<'a>,
    claims: &'a [Claim],
    watch: &'a dyn Watch,
    begun: std::time::Instant,
    scratch: Scratch,
    pub verdicts: Vec<Option<Verdict>>,
    /// The search may be reduced, so that more depends on its edges.
    reduced: bool,
    expressions: Vec<Option<Expression>>,
    /// Of each progress claim, the states with its goal.
    pub goals: Vec<StateSet>,
    /// Whether a violation is to be shown by a trace that is as short as can be.
    shows_shortest: bool,
    /// Of each may-progress claim, the first terminal state without its goal.
    dead_ends: Vec<Option<u32>>,
    /// The undecided claims that every state is asked about.
    of_states: Vec<usize>,
    pub terminal: StateSet,
    /// Kept while a claim needs them and a breadth-first search gives them in order.
    pub edges: Option<Edges>,
    /// Edges would have been needed and there was no memory for them.
    pub edges_were_dropped: bool,
    /// Kept in a depth-first search that is to find out about termination.
    termination: Option<TerminationCheck>,
}

impl<'a> Claims<'a> {
    pub fn new(
        packed: &'a Packed<'a>,
        claims: &'a [Claim],
        watch: &'a dyn Watch,
        breadth_first: bool,
    ) -> Claims<'a> {
        let expressions = claims.iter().map(expression_of);
        let mut all = Claims {
            packed,
            claims,
            watch,
            begun: std::time::Instant::now(),
            scratch: packed.scratch(),
            verdicts: vec![None; claims.len()],
            reduced: false,
            expressions: expressions
                .map(|e| e.map(|e| packed.expression(e)))
                .collect(),
            goals: vec![StateSet::default(); claims.len()],
            shows_shortest: breadth_first,
            dead_ends: vec![None; claims.len()],
            of_states: Vec::new(),
            terminal: StateSet::default(),
            edges: breadth_first.then(Edges::default),
            edges_were_dropped: false,
            termination: None,
        };
        if !breadth_first && claims.contains(&Claim::Termination) {
            all.watch_termination();
        }
        all.after_decision();
        all
    }

    /// To be called before a depth-first search that is to find out whether the model is AG EF
    /// terminating, also where no claim says so.
    pub fn watch_termination(&mut self) {
        self.termination.get_or_insert_default();
    }

    /// Whether a terminal state can be reached from every state; `None` while that is not known, and
    /// where the search does not find it out ([`Claims::watch_termination`]).
    pub fn is_terminating(&self) -> Option<bool> {
        self.termination.as_ref()?.is_terminating()
    }

    /// Gets ready for another search, for the claims that are still open.
    pub fn begin(&mut self, breadth_first: bool, reduced: bool) {
        self.reduced = reduced;
        self.goals.fill(StateSet::default());
        self.dead_ends.fill(None);
        self.terminal = StateSet::default();
        self.edges = breadth_first.then(Edges::default);
        self.edges_were_dropped = false;
        self.termination = None;
        let is_asked = |claim: usize| self.claims[claim] == Claim::Termination;
        if !breadth_first && (reduced || self.undecided().any(is_asked)) {
            self.watch_termination();
        }
        self.after_decision();
    }

    /// States and edges that come from now on are not in their order.
    pub fn drop_order(&mut self) {
        self.edges = None;
        self.termination = None;
    }

    pub fn claim(&self, claim: usize) -> &'a Claim {
        &self.claims[claim]
    }

    pub fn undecided(&self) -> impl Iterator<Item = usize> + use<> {
        let open: Vec<usize> = (0..self.claims.len())
            .filter(|claim| self.verdicts[*claim].is_none())
            .collect();
        open.into_iter()
    }

    /// Whether the claim is about the state space as a graph.
    pub fn needs_graph(&self, claim: usize) -> bool {
        match self.claims[claim] {
            Claim::Termination => self.termination.is_none(),
            Claim::MayProgress(_) | Claim::MustProgress(_) => true,
            _ => false,
        }
    }

    /// Whether the claim is about the steps of infinite executions.
    pub fn needs_labels(&self, claim: usize) -> bool {
        matches!(self.claims[claim], Claim::Recurrence { .. })
    }

    /// A claim that was decided costs nothing any more.
    fn after_decision(&mut self) {
        self.of_states = self
            .undecided()
            .filter(|claim| {
                matches!(
                    self.claims[*claim],
                    Claim::Invariant(_) | Claim::MayProgress(_) | Claim::MustProgress(_)
                )
            })
            .collect();
        if !self
            .undecided()
            .any(|claim| self.reduced || self.needs_graph(claim))
        {
            self.edges = None;
        }
    }

    /// Goes on unless every claim is decided or has something to show for its violation. A dead
    /// end is not the shortest thing to show: the goal may have been out of reach long before.
    fn go_on(&self) -> ControlFlow<Stop> {
        let has_evidence = |claim: usize| !self.shows_shortest && self.dead_ends[claim].is_some();
        if self.undecided().all(has_evidence) {
            ControlFlow::Break(Stop::Decided)
        } else {
            ControlFlow::Continue(())
        }
    }

    pub fn decide(&mut self, claim: usize, verdict: Verdict, space: &Space) {
        debug_assert!(self.verdicts[claim].is_none(), "a claim is decided once");
        let outcome = Outcome {
            verdict,
            states: space.states(),
            edges: space.edges,
            full: space.full,
            reduction: space.reduction(),
            seconds: self.begun.elapsed().as_secs_f64(),
        };
        self.watch.decided(claim, &outcome);
        self.verdicts[claim] = Some(outcome.verdict);
        self.after_decision();
    }

    /// The claim is violated, if the reference interpreter agrees.
    pub fn violate(&mut self, claim: usize, finding: Finding, evidence: Evidence, space: &Space) {
        let trace = confirmed(self.packed, space, &self.claims[claim], &finding, evidence);
        let verdict = match trace {
            Ok(trace) => Verdict::Violated { finding, trace },
            Err(mismatch) => Verdict::Undecided(Reason::Internal(mismatch)),
        };
        self.decide(claim, verdict, space);
    }

    /// Decides the may-progress claims of which a dead end is known.
    pub fn settle_for_dead_ends(&mut self, space: &Space) {
        for claim in self.undecided() {
            if let Some(state) = self.dead_ends[claim] {
                let evidence = Evidence::path(space.path(state));
                self.violate(claim, Finding::GoalOutOfReach, evidence, space);
            }
        }
    }

    /// The search has taken every step: no more edges will come.
    pub fn close_edges(&mut self, space: &Space) {
        if let Some(edges) = &mut self.edges {
            while edges.states() < space.store.len() {
                edges.end_state();
            }
        }
    }

    /// The value of a claim's expression, if it has one.
    fn value(&mut self, claim: usize, space: &Space, state: u32) -> Option<Result<bool, Failure>> {
        let expression = self.expressions[claim].as_ref()?;
        let state = space.store.get(state);
        let value = self.packed.holds(expression, state, &mut self.scratch);
        Some(value.map_err(|failure| *failure))
    }

    fn ask(&mut self, claim: usize, space: &Space, state: u32) -> Option<Finding> {
        match (self.value(claim, space, state)?, &self.claims[claim]) {
            (Err(failure), _) => Some(Finding::ExpressionFails(failure)),
            (Ok(false), Claim::Invariant(_)) => Some(Finding::InvariantFalse),
            (Ok(true), Claim::MayProgress(_) | Claim::MustProgress(_)) => {
                self.goals[claim].insert(state);
                None
            }
            _ => None,
        }
    }
}

fn expression_of(claim: &Claim) -> Option<&Expr> {
    match claim {
        Claim::Invariant(e) | Claim::MayProgress(e) | Claim::MustProgress(e) => Some(e),
        Claim::Deadlock { allowed } => allowed.as_ref(),
        _ => None,
    }
}

impl Observer for Claims<'_> {
    fn wants_labels(&self) -> bool {
        false
    }

    fn found(&mut self, space: &Space, state: u32) -> ControlFlow<Stop> {
        if let Some(check) = &mut self.termination {
            check.found(state);
        }
        if state == PLAIN_SO_FAR && self.reduced && space.is_plain() {
            // Where nothing is left out the edges are not needed; else they are made once more.
            let needs_graph = self.undecided().any(|claim| self.needs_graph(claim));
            self.edges = self.edges.take().filter(|_| needs_graph);
        }
        let mut decided = false;
        let mut at = 0;
        while let Some(&claim) = self.of_states.get(at) {
            match self.ask(claim, space, state) {
                None => at += 1,
                Some(finding) => {
                    let evidence = Evidence::path(space.path(state));
                    // Takes the claim out of the list.
                    self.violate(claim, finding, evidence, space);
                    decided = true;
                }
            }
        }
        if decided {
            self.go_on()
        } else {
            ControlFlow::Continue(())
        }
    }

    #[inline]
    fn edge(&mut self, from: u32, _: Option<Label<'_>>, to: u32) {
        if let Some(check) = &mut self.termination {
            check.edge(from, to);
        }
        if let Some(edges) = &mut self.edges {
            while edges.states() < from {
                edges.end_state();
            }
            edges.push(to);
        }
    }

    fn failing(
        &mut self,
        space: &Space,
        at: u32,
        label: Label<'_>,
        failure: &Failure,
    ) -> ControlFlow<Stop> {
        let mut flow = ControlFlow::Continue(());
        for claim in self.undecided() {
            if self.claims[claim] == Claim::Errors {
                let evidence = Evidence {
                    failing: Some((OwnedLabel::of(label), failure.clone())),
                    ..Evidence::path(space.path(at))
                };
                self.violate(claim, Finding::StepFails(failure.clone()), evidence, space);
                flow = self.go_on();
            }
        }
        flow
    }

    fn terminal(&mut self, space: &Space, state: u32) -> ControlFlow<Stop> {
        self.terminal.insert(state);
        if let Some(check) = &mut self.termination {
            check.terminal(state);
        }
        for claim in self.undecided() {
            let finding = match &self.claims[claim] {
                Claim::Deadlock { .. } if self.packed.is_final(space.store.get(state)) => None,
                Claim::Deadlock { .. } => match self.value(claim, space, state) {
                    None | Some(Ok(false)) => Some(Finding::Deadlock),
                    Some(Ok(true)) => None,
                    Some(Err(failure)) => Some(Finding::ExpressionFails(failure)),
                },
                Claim::MustProgress(_) if !self.goals[claim].contains(state) => {
                    Some(Finding::GoalAvoidedByEnd)
                }
                Claim::MayProgress(_) if !self.goals[claim].contains(state) => {
                    self.dead_ends[claim].get_or_insert(state);
                    None
                }
                _ => None,
            };
            if let Some(finding) = finding {
                let evidence = Evidence::path(space.path(state));
                self.violate(claim, finding, evidence, space);
            }
        }
        self.go_on()
    }

    fn left(&mut self, space: &Space, state: u32) -> ControlFlow<Stop> {
        let is_stuck = |check: &mut TerminationCheck| check.left(state);
        if !self.termination.as_mut().is_some_and(is_stuck) {
            return ControlFlow::Continue(());
        }
        for claim in self.undecided() {
            if self.claims[claim] == Claim::Termination {
                let evidence = Evidence::path(space.path(state));
                self.violate(claim, Finding::NoTerminalReachable, evidence, space);
            }
        }
        self.go_on()
    }

    fn bytes(&self) -> u64 {
        let sets: u64 = self.goals.iter().map(StateSet::bytes).sum();
        let edges = self.edges.as_ref().map_or(0, Edges::bytes);
        let termination = self.termination.as_ref().map_or(0, TerminationCheck::bytes);
        sets + self.terminal.bytes() + edges + termination
    }

    fn spare_memory(&mut self) -> bool {
        self.edges_were_dropped |= self.edges.is_some();
        self.edges.take().is_some()
    }
}

#[cfg(test)]
mod tests {
    use stubborn_model::system::{Instance, Location, Step, System, Target};

    use super::*;
    use crate::options::{Options, Search, Silent};
    use crate::search::{Pace, search};

    /// One instance with steps from some locations to others.
    fn system(lists: &[&[u32]]) -> System {
        let mut instance = Instance {
            process: 0,
            locals: Vec::new(),
            steps: Vec::new(),
            locations: Vec::new(),
            initial: 0,
            alphabet: Vec::new(),
        };
        for targets in lists {
            let first = instance.steps.len() as u32;
            instance.steps.extend(targets.iter().map(|target| Step {
                communication: None,
                guard: None,
                choices: Vec::new(),
                effects: Vec::new(),
                target: Target::To(*target),
            }));
            instance.locations.push(Location {
                steps: (first..instance.steps.len() as u32).collect(),
                is_final: true,
            });
        }
        System {
            instances: vec![instance],
            ..System::default()
        }
    }

    #[test]
    fn termination_is_found_out_where_no_claim_asks_for_it() {
        let options = Options {
            search: Search::Depth,
            ..Options::default()
        };
        let is_terminating = |lists: &[&[u32]]| {
            let system = system(lists);
            let packed = Packed::new(&system).expect("its states are small");
            let mut pace = Pace::new(options.limits, &Silent);
            let mut space = Space::new(&packed);
            let mut claims = Claims::new(&packed, &[Claim::Errors], &Silent, false);
            assert_eq!(claims.is_terminating(), None);
            claims.watch_termination();
            let flow = search(&packed, &options, &mut pace, &mut space, &mut claims);
            assert_eq!(flow, ControlFlow::Continue(()));
            claims.is_terminating()
        };
        assert_eq!(is_terminating(&[&[1, 0], &[2, 1], &[]]), Some(true));
        assert_eq!(is_terminating(&[&[1, 2], &[1], &[]]), Some(false));
    }
}
