//! What is known of some properties while a search goes on.

mod evaluate;
mod goals;
mod noted;
mod sooner;

pub use noted::{Noted, Noting};

use evaluate::{Terminal, in_state};

use std::ops::ControlFlow;
use std::sync::Arc;

use stubborn_system::property::Property;
use stubborn_system::system::Failure;

use crate::caller::Caller;
use crate::graph::{Edges, StateSet, termination::TerminationCheck};
use crate::observer::Event;
use crate::options::{Options, Reduction, Search};
use crate::packed::{Expression, Packed, Scratch};
use crate::properties::{AtEnd, Conclusion, Goals, InState, Kind, LooksAt, Preserved, kind_of};
use crate::runs::evidence::{Evidence, recorded};
use crate::runs::limits::{Limited, for_a_run};
use crate::search::{Flags, Listener, OwnedLabel, Space, Stop, Ways};
use crate::successors::{Label, Successors};
use crate::symmetry::Orbits;
use crate::symmetry::permutations::permuted;
use crate::trace::Trace;
use crate::verdict::{Finding, Outcome, Reason, Round, Verdict};

/// A reduction that has left nothing out of so many states is not likely to.
const PLAIN_SO_FAR: u32 = 1 << 12;

/// Some properties, asked about whatever a search meets. What is found is recorded as a run of the
/// system that was searched; whether that shows the violation in the system as it stands is for
/// whoever shows it to find out.
pub struct Verdicts<'a> {
    packed: &'a Packed<'a>,
    properties: &'a [Property],
    kinds: Vec<Box<dyn Kind + 'a>>,
    caller: Caller<'a>,
    options: Options,
    begun: std::time::Instant,
    scratch: Scratch,
    pub verdicts: Vec<Option<Verdict>>,
    /// The search may be reduced, so that more depends on its edges.
    reduced: bool,
    expressions: Vec<Option<Expression>>,
    /// Of each property, the states with its goal.
    goals: Vec<StateSet>,
    /// Whether a violation is to be shown by a trace that is as short as can be.
    shows_shortest: bool,
    /// Of each property that may be lost long before, the first dead end.
    dead_ends: Vec<Option<(u32, Finding)>>,
    /// The undecided properties that every state is asked about.
    of_states: Vec<usize>,
    terminal: StateSet,
    /// Kept while a property needs them and a breadth-first search gives them in order.
    pub edges: Option<Edges>,
    /// Edges would have been needed and there was no memory for them.
    pub edges_were_dropped: bool,
    /// Kept in a depth-first search that is to find out about termination.
    termination: Option<TerminationCheck>,
    /// The search numbers its states from 0 on; else nothing is kept of them.
    is_numbered: bool,
    /// What makes one state of the present search of several of the system, if anything.
    orbits: Option<&'a Orbits>,
    /// Memory that the runs take which were recorded, in bytes.
    recorded: u64,
    /// Of a search that is one of several rounds which it is, and what that is called if it leaves steps out.
    round: Option<(Round, Reduction)>,
    /// Properties with a state check are not concluded of.
    is_aside: bool,
}

/// What the next search is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    pub search: Search,
    pub reduced: bool,
    pub numbered: bool,
}

impl<'a> Verdicts<'a> {
    pub fn new(
        packed: &'a Packed<'a>,
        properties: &'a [Property],
        options: &Options,
        caller: Caller<'a>,
        next: Next,
    ) -> Verdicts<'a> {
        let kinds: Vec<Box<dyn Kind + 'a>> = properties.iter().map(kind_of).collect();
        let expressions = kinds.iter().map(|kind| kind.looks_at().expression());
        let mut all = Verdicts {
            packed,
            properties,
            caller,
            options: *options,
            begun: caller.budget.now(),
            scratch: packed.scratch(),
            verdicts: vec![None; properties.len()],
            reduced: false,
            expressions: expressions
                .map(|e| e.map(|e| packed.expression(e)))
                .collect(),
            kinds,
            goals: vec![StateSet::default(); properties.len()],
            shows_shortest: false,
            dead_ends: vec![None; properties.len()],
            of_states: Vec::new(),
            terminal: StateSet::default(),
            edges: None,
            edges_were_dropped: false,
            termination: None,
            is_numbered: next.numbered,
            orbits: None,
            recorded: 0,
            round: None,
            is_aside: false,
        };
        all.begin(next);
        all
    }

    /// To be called before a depth-first search that is to find out whether the model is AG EF
    /// terminating, also where no property says so.
    pub fn watch_termination(&mut self) {
        self.termination.get_or_insert_default();
    }

    /// Whether a terminal state can be reached from every state; `None` while that is not known, and
    /// where the search does not find it out ([`Verdicts::watch_termination`]).
    pub fn is_terminating(&self) -> Option<bool> {
        self.termination.as_ref()?.is_terminating()
    }

    /// Gets ready for another search, for the properties that are still open.
    pub fn begin(&mut self, next: Next) {
        self.reduced = next.reduced;
        self.is_numbered = next.numbered;
        self.shows_shortest = next.search == Search::Breadth && next.numbered;
        self.goals.fill(StateSet::default());
        self.dead_ends.fill(None);
        self.terminal = StateSet::default();
        self.edges = None;
        self.edges_were_dropped = false;
        self.termination = None;
        self.is_aside = false;
        let is_asked = |property| self.reaches_terminal(property);
        // What is kept besides the states must fit the order in which a search finds them.
        match next.search {
            _ if !next.numbered => {}
            Search::Breadth => self.edges = Some(Edges::default()),
            Search::Depth => {
                if next.reduced || self.undecided().any(is_asked) {
                    self.watch_termination();
                }
            }
        }
        self.look_for_what_is_open();
    }

    /// Which round the search is, and what it is called if it leaves steps out.
    pub fn set_round(&mut self, round: Option<(Round, Reduction)>) {
        self.round = round;
    }

    /// Whether nothing is concluded any more of properties with a state check: not all of the steps that they see
    /// were sensitive, so that what was not found may be there. What is met of them counts all the same.
    pub fn set_aside(&mut self, is_aside: bool) {
        self.is_aside = is_aside;
    }

    /// To be called before a search whose states are canonical forms, or the system's own again.
    pub fn turn(&mut self, orbits: Option<&'a Orbits>) {
        self.orbits = orbits;
    }

    /// Whether the states of the search are canonical forms.
    pub fn is_turned(&self) -> bool {
        self.orbits.is_some()
    }

    /// States and edges that come from now on are not in their order.
    pub fn drop_order(&mut self) {
        self.edges = None;
        self.termination = None;
    }

    pub fn packed(&self) -> &'a Packed<'a> {
        self.packed
    }

    pub fn kind(&self, property: usize) -> &dyn Kind {
        &*self.kinds[property]
    }

    pub fn preserved(&self, property: usize) -> Preserved {
        self.kinds[property].preserved()
    }

    /// Notes what states and steps show of the properties that are open.
    pub fn noting(&self) -> Noting<'a> {
        let open = self.undecided_in_order();
        Noting::new(self.packed, open.map(|one| (one, &self.properties[one])))
    }

    pub fn undecided(&self) -> impl Iterator<Item = usize> + use<> {
        let open: Vec<usize> = self.undecided_in_order().collect();
        open.into_iter()
    }

    /// The same, found one by one.
    fn undecided_in_order(&self) -> impl Iterator<Item = usize> {
        let is_aside = |property: usize| self.is_aside && self.has_state_check(property);
        self.open().filter(move |property| !is_aside(*property))
    }

    /// Those too that are set aside.
    fn open(&self) -> impl Iterator<Item = usize> {
        let all = 0..self.properties.len();
        all.filter(|property| self.verdicts[*property].is_none())
    }

    /// Whether it sees steps.
    pub fn has_state_check(&self, property: usize) -> bool {
        self.kinds[property].state_check().is_some()
    }

    fn reaches_terminal(&self, property: usize) -> bool {
        let conclusion = self.kinds[property].conclusion();
        matches!(conclusion, Conclusion::Reaching(Goals::Terminal, _))
    }

    /// Whether the property is about the state space as a graph.
    pub fn needs_graph(&self, property: usize) -> bool {
        match self.kinds[property].conclusion() {
            Conclusion::Reaching(Goals::Terminal, _) => self.termination.is_none(),
            Conclusion::Reaching(Goals::Expression, _) | Conclusion::Avoiding(_) => true,
            Conclusion::Holds | Conclusion::Recurring(_) | Conclusion::Apart => false,
        }
    }

    /// The states that a property wants to be reached.
    pub fn goals(&self, property: usize, goals: Goals) -> &StateSet {
        match goals {
            Goals::Terminal => &self.terminal,
            Goals::Expression => &self.goals[property],
        }
    }

    /// Those in which the run ends.
    pub fn terminal_states(&self) -> &StateSet {
        &self.terminal
    }

    /// What is still to be asked of states and steps, from the beginning of a search on.
    fn look_for_what_is_open(&mut self) {
        let open = self.open();
        self.of_states = open
            .filter(|property| matches!(self.kinds[*property].looks_at(), LooksAt::States(..)))
            .collect();
        self.keep_edges_where_needed();
    }

    /// A property that was decided costs nothing any more. Costs little itself: properties may be many.
    fn after_decision(&mut self, property: usize) {
        if let Ok(at) = self.of_states.binary_search(&property) {
            self.of_states.remove(at);
        }
        self.keep_edges_where_needed();
    }

    fn keep_edges_where_needed(&mut self) {
        let needs_them = |property: usize| self.reduced || self.needs_graph(property);
        if self.edges.is_some() && !self.undecided_in_order().any(needs_them) {
            self.edges = None;
        }
    }

    /// Goes on unless every property is decided or has something to show for its violation. A dead
    /// end is not the shortest thing to show: the goal may have been out of reach long before.
    fn go_on(&self) -> ControlFlow<Stop> {
        let has_evidence =
            |property: usize| !self.shows_shortest && self.dead_ends[property].is_some();
        if self.undecided().all(has_evidence) {
            ControlFlow::Break(Stop::Decided)
        } else {
            ControlFlow::Continue(())
        }
    }

    pub fn decide(&mut self, property: usize, verdict: Verdict, ways: &dyn Ways) {
        debug_assert!(
            self.verdicts[property].is_none(),
            "a property is decided once"
        );
        let outcome = self.outcome(property, verdict, ways);
        self.tell(property, &outcome);
        self.verdicts[property] = Some(outcome.verdict);
        self.after_decision(property);
    }

    fn tell(&self, property: usize, outcome: &Outcome) {
        self.caller
            .observer
            .event(Event::Decided(property, outcome));
    }

    /// A search is over: what it has decided, and none before, has its outcome with the figures of the
    /// whole search, and the time that the check has taken.
    pub fn note(&self, outcomes: &mut [Option<Outcome>], ways: &dyn Ways, seconds: f64) {
        for (property, outcome) in outcomes.iter_mut().enumerate() {
            if let (Some(verdict), None) = (&self.verdicts[property], &outcome) {
                *outcome = Some(Outcome {
                    seconds,
                    ..self.outcome(property, verdict.clone(), ways)
                });
            }
        }
    }

    /// Whether the search is one of several rounds.
    pub fn is_in_round(&self) -> bool {
        self.round.is_some()
    }

    /// A verdict with the figures of the search.
    pub fn outcome(&self, property: usize, verdict: Verdict, ways: &dyn Ways) -> Outcome {
        let figures = ways.figures();
        // To a property that sees no steps all rounds are the same, unless they differ in more.
        let differs = |(_, called): &(Round, Reduction)| {
            *called == Reduction::SensitiveCycles || self.has_state_check(property)
        };
        let round = self.round.filter(differs);
        let reduction = match (ways.reduction(), round) {
            (Reduction::None, _) => Reduction::None,
            (_, Some((_, called))) => called,
            (needed, None) => needed,
        };
        Outcome {
            verdict,
            states: figures.states,
            edges: figures.edges,
            full: ways.is_full(),
            reduction,
            round: round.map(|(round, _)| round),
            symmetry: permuted(
                self.packed.system(),
                &self.options,
                self.orbits,
                (None, figures.states),
            ),
            sharing: None,
            seconds: self
                .caller
                .budget
                .now()
                .duration_since(self.begun)
                .as_secs_f64(),
        }
    }

    /// The property is violated, if a run for the evidence can be made within the limits.
    pub fn violate(
        &mut self,
        property: usize,
        finding: Finding,
        evidence: &Evidence,
        ways: &dyn Ways,
    ) {
        let verdict = self.violation(property, finding, evidence, ways);
        self.decide(property, verdict, ways);
    }

    /// That the property is violated, as a run for the evidence shows.
    fn violation(
        &mut self,
        property: usize,
        finding: Finding,
        evidence: &Evidence,
        ways: &dyn Ways,
    ) -> Verdict {
        let held = ways.figures().bytes + self.bytes();
        let limited = Limited::new(for_a_run(self.caller.budget, self.begun), held);
        let kind = &*self.kinds[property];
        let poll = &mut |bytes| limited.poll(bytes);
        match recorded((self.packed, self.orbits), kind, evidence, ways, poll) {
            Ok(trace) => {
                self.recorded += trace.bytes();
                let finding = match self.orbits {
                    None => finding,
                    Some(_) => self.found_at_last(property, finding, &trace),
                };
                Verdict::Violated {
                    finding,
                    trace: Arc::new(trace),
                }
            }
            Err(none) => Verdict::Undecided(none.reason()),
        }
    }

    /// That a property is lost is known with its first dead end, and told, though the search may go on for long until it is
    /// known where it was lost first.
    fn lose(&mut self, property: usize, number: u32, finding: Finding, ways: &dyn Ways) {
        if self.dead_ends[property].is_some() {
            return;
        }
        self.dead_ends[property] = Some((number, finding.clone()));
        if self.shows_shortest {
            let evidence = Evidence::path(ways.path(number));
            let verdict = self.violation(property, finding, &evidence, ways);
            if verdict.is_violated() {
                let outcome = self.outcome(property, verdict, ways);
                self.tell(property, &outcome);
            }
        }
    }

    /// What the run shows: why something fails there may be told by other values than where the search has
    /// found it.
    fn found_at_last(&mut self, property: usize, finding: Finding, trace: &Trace) -> Finding {
        let failure = match finding {
            Finding::StepFails(_) => {
                let last = trace.steps().last();
                let failure = last.and_then(|step| step.failure.as_ref());
                failure.and_then(|failure| self.kinds[property].at_failing_step(failure))
            }
            Finding::ExpressionFails(_) => {
                let state = self.packed.pack(trace.last());
                let expression = self.expressions[property].as_ref();
                let value = expression.map(|e| self.packed.holds(e, &state, &mut self.scratch));
                value
                    .and_then(Result::err)
                    .map(|failure| Finding::ExpressionFails(*failure))
            }
            _ => None,
        };
        failure.unwrap_or(finding)
    }

    /// Whether a dead end is known of a property that is open.
    pub fn has_dead_ends(&self) -> bool {
        let mut open = self.undecided();
        open.any(|property| self.dead_ends[property].is_some())
    }

    /// Decides the properties of which a dead end is known.
    pub fn settle_for_dead_ends(&mut self, ways: &dyn Ways) {
        for property in self.undecided() {
            if let Some((state, finding)) = self.dead_ends[property].take() {
                let evidence = Evidence::path(ways.path(state));
                self.violate(property, finding, &evidence, ways);
            }
        }
    }

    /// The search has taken every step: no more edges will come.
    pub fn close_edges(&mut self, space: &Space) {
        if let Some(edges) = &mut self.edges {
            while edges.states() < space.len() {
                edges.end_state();
            }
        }
    }

    fn ask(&mut self, property: usize, number: u32, state: &[u64]) -> Option<Finding> {
        let (kind, expression) = (&*self.kinds[property], self.expressions[property].as_ref());
        match in_state(self.packed, kind, expression, state, &mut self.scratch)? {
            InState::Nothing => None,
            InState::Goal => {
                if self.is_numbered {
                    self.goals[property].insert(number);
                }
                None
            }
            InState::Violation(finding) => Some(finding),
        }
    }
}

impl Listener for Verdicts<'_> {
    fn found(&mut self, ways: &dyn Ways, number: u32, state: &[u64]) -> ControlFlow<Stop> {
        if let Some(check) = &mut self.termination {
            check.found(number);
        }
        if number == PLAIN_SO_FAR && self.reduced && ways.reduction() == Reduction::None {
            // Where nothing is left out the edges are not needed; else they are made once more.
            let needs_graph = self.undecided().any(|property| self.needs_graph(property));
            self.edges = self.edges.take().filter(|_| needs_graph);
        }
        let mut decided = false;
        let mut at = 0;
        while let Some(&property) = self.of_states.get(at) {
            match self.ask(property, number, state) {
                None => at += 1,
                Some(finding) => {
                    let evidence = Evidence::path(ways.path(number));
                    // Takes the property out of the list.
                    self.violate(property, finding, &evidence, ways);
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
    fn edge(&mut self, from: u32, _: Option<Label<'_>>, _: Flags, to: u32) {
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
        ways: &dyn Ways,
        at: u32,
        label: Label<'_>,
        failure: &Failure,
    ) -> ControlFlow<Stop> {
        let mut flow = ControlFlow::Continue(());
        for property in self.undecided() {
            if let Some(finding) = self.kinds[property].at_failing_step(failure) {
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
        if self.is_numbered {
            self.terminal.insert(number);
        }
        if let Some(check) = &mut self.termination {
            check.terminal(number);
        }
        for property in self.undecided() {
            let mut end = Terminal {
                packed: self.packed,
                expression: self.expressions[property].as_ref(),
                scratch: &mut self.scratch,
                state,
                is_goal: self.goals[property].contains(number),
            };
            match self.kinds[property].at_end(&mut end) {
                AtEnd::Nothing => {}
                AtEnd::DeadEnd(finding) => self.lose(property, number, finding, ways),
                AtEnd::Violation(finding) => {
                    if let Some((finding, lasso)) = self.goes_round_sooner(property, number, ways) {
                        self.violate(property, finding, &lasso.into(), ways);
                        continue;
                    }
                    let evidence = Evidence::path(ways.path(number));
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
        for property in self.undecided() {
            let conclusion = self.kinds[property].conclusion();
            if let Conclusion::Reaching(Goals::Terminal, finding) = conclusion {
                let evidence = Evidence::path(ways.path(number));
                self.violate(property, finding, &evidence, ways);
            }
        }
        self.go_on()
    }

    fn bytes(&self) -> u64 {
        let sets: u64 = self.goals.iter().map(StateSet::bytes).sum();
        let edges = self.edges.as_ref().map_or(0, Edges::bytes);
        let termination = self.termination.as_ref().map_or(0, TerminationCheck::bytes);
        sets + self.terminal.bytes() + edges + termination + self.recorded
    }

    fn spare_memory(&mut self) -> bool {
        self.edges_were_dropped |= self.edges.is_some();
        self.edges.take().is_some()
    }
}

/// Why nothing was decided by a search that has come to its end.
pub(super) fn nothing_decided() -> Reason {
    Reason::Internal("a search has ended and not found out about a property".to_owned())
}

#[cfg(test)]
mod tests;
