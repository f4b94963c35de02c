//! What a search finds out about properties while it runs.

use std::ops::ControlFlow;

use stubborn_system::property::Property;
use stubborn_system::system::{Expr, Failure};

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

/// The properties that share a search, and what it has shown of each.
pub struct Properties<'a> {
    packed: &'a Packed<'a>,
    properties: &'a [Property],
    watch: &'a dyn Watch,
    begun: std::time::Instant,
    scratch: Scratch,
    pub verdicts: Vec<Option<Verdict>>,
    /// The search may be reduced, so that more depends on its edges.
    reduced: bool,
    expressions: Vec<Option<Expression>>,
    /// Of each progress property, the states with its goal.
    pub goals: Vec<StateSet>,
    /// Whether a violation is to be shown by a trace that is as short as can be.
    shows_shortest: bool,
    /// Of each may-progress property, the first terminal state without its goal.
    dead_ends: Vec<Option<u32>>,
    /// The undecided properties that every state is asked about.
    of_states: Vec<usize>,
    pub terminal: StateSet,
    /// Kept while a property needs them and a breadth-first search gives them in order.
    pub edges: Option<Edges>,
    /// Edges would have been needed and there was no memory for them.
    pub edges_were_dropped: bool,
    /// Kept in a depth-first search that is to find out about termination.
    termination: Option<TerminationCheck>,
}

impl<'a> Properties<'a> {
    pub fn new(
        packed: &'a Packed<'a>,
        properties: &'a [Property],
        watch: &'a dyn Watch,
        breadth_first: bool,
    ) -> Properties<'a> {
        let expressions = properties.iter().map(expression_of);
        let mut all = Properties {
            packed,
            properties,
            watch,
            begun: std::time::Instant::now(),
            scratch: packed.scratch(),
            verdicts: vec![None; properties.len()],
            reduced: false,
            expressions: expressions
                .map(|e| e.map(|e| packed.expression(e)))
                .collect(),
            goals: vec![StateSet::default(); properties.len()],
            shows_shortest: breadth_first,
            dead_ends: vec![None; properties.len()],
            of_states: Vec::new(),
            terminal: StateSet::default(),
            edges: breadth_first.then(Edges::default),
            edges_were_dropped: false,
            termination: None,
        };
        if !breadth_first && properties.contains(&Property::Termination) {
            all.watch_termination();
        }
        all.after_decision();
        all
    }

    /// To be called before a depth-first search that is to find out whether the model is AG EF
    /// terminating, also where no property says so.
    pub fn watch_termination(&mut self) {
        self.termination.get_or_insert_default();
    }

    /// Whether a terminal state can be reached from every state; `None` while that is not known, and
    /// where the search does not find it out ([`Properties::watch_termination`]).
    pub fn is_terminating(&self) -> Option<bool> {
        self.termination.as_ref()?.is_terminating()
    }

    /// Gets ready for another search, for the properties that are still open.
    pub fn begin(&mut self, breadth_first: bool, reduced: bool) {
        self.reduced = reduced;
        self.goals.fill(StateSet::default());
        self.dead_ends.fill(None);
        self.terminal = StateSet::default();
        self.edges = breadth_first.then(Edges::default);
        self.edges_were_dropped = false;
        self.termination = None;
        let is_asked = |property: usize| self.properties[property] == Property::Termination;
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

    pub fn property(&self, property: usize) -> &'a Property {
        &self.properties[property]
    }

    pub fn undecided(&self) -> impl Iterator<Item = usize> + use<> {
        let open: Vec<usize> = (0..self.properties.len())
            .filter(|property| self.verdicts[*property].is_none())
            .collect();
        open.into_iter()
    }

    /// Whether the property is about the state space as a graph.
    pub fn needs_graph(&self, property: usize) -> bool {
        match self.properties[property] {
            Property::Termination => self.termination.is_none(),
            Property::MayProgress(_) | Property::MustProgress(_) => true,
            _ => false,
        }
    }

    /// Whether the property is about the steps of infinite executions.
    pub fn needs_labels(&self, property: usize) -> bool {
        matches!(self.properties[property], Property::Recurrence { .. })
    }

    /// A property that was decided costs nothing any more.
    fn after_decision(&mut self) {
        self.of_states = self
            .undecided()
            .filter(|property| {
                matches!(
                    self.properties[*property],
                    Property::Invariant(_) | Property::MayProgress(_) | Property::MustProgress(_)
                )
            })
            .collect();
        if !self
            .undecided()
            .any(|property| self.reduced || self.needs_graph(property))
        {
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

    pub fn decide(&mut self, property: usize, verdict: Verdict, space: &Space) {
        debug_assert!(
            self.verdicts[property].is_none(),
            "a property is decided once"
        );
        let outcome = Outcome {
            verdict,
            states: space.states(),
            edges: space.edges,
            full: space.full,
            reduction: space.reduction(),
            seconds: self.begun.elapsed().as_secs_f64(),
        };
        self.watch.decided(property, &outcome);
        self.verdicts[property] = Some(outcome.verdict);
        self.after_decision();
    }

    /// The property is violated, if the reference interpreter agrees.
    pub fn violate(
        &mut self,
        property: usize,
        finding: Finding,
        evidence: Evidence,
        space: &Space,
    ) {
        let trace = confirmed(
            self.packed,
            space,
            &self.properties[property],
            &finding,
            evidence,
        );
        let verdict = match trace {
            Ok(trace) => Verdict::Violated { finding, trace },
            Err(mismatch) => Verdict::Undecided(Reason::Internal(mismatch)),
        };
        self.decide(property, verdict, space);
    }

    /// Decides the may-progress properties of which a dead end is known.
    pub fn settle_for_dead_ends(&mut self, space: &Space) {
        for property in self.undecided() {
            if let Some(state) = self.dead_ends[property] {
                let evidence = Evidence::path(space.path(state));
                self.violate(property, Finding::GoalOutOfReach, evidence, space);
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

    /// The value of a property's expression, if it has one.
    fn value(
        &mut self,
        property: usize,
        space: &Space,
        state: u32,
    ) -> Option<Result<bool, Failure>> {
        let expression = self.expressions[property].as_ref()?;
        let state = space.store.get(state);
        let value = self.packed.holds(expression, state, &mut self.scratch);
        Some(value.map_err(|failure| *failure))
    }

    fn ask(&mut self, property: usize, space: &Space, state: u32) -> Option<Finding> {
        match (
            self.value(property, space, state)?,
            &self.properties[property],
        ) {
            (Err(failure), _) => Some(Finding::ExpressionFails(failure)),
            (Ok(false), Property::Invariant(_)) => Some(Finding::InvariantFalse),
            (Ok(true), Property::MayProgress(_) | Property::MustProgress(_)) => {
                self.goals[property].insert(state);
                None
            }
            _ => None,
        }
    }
}

fn expression_of(property: &Property) -> Option<&Expr> {
    match property {
        Property::Invariant(e) | Property::MayProgress(e) | Property::MustProgress(e) => Some(e),
        Property::Deadlock { allowed } => allowed.as_ref(),
        _ => None,
    }
}

impl Observer for Properties<'_> {
    fn wants_labels(&self) -> bool {
        false
    }

    fn found(&mut self, space: &Space, state: u32) -> ControlFlow<Stop> {
        if let Some(check) = &mut self.termination {
            check.found(state);
        }
        if state == PLAIN_SO_FAR && self.reduced && space.is_plain() {
            // Where nothing is left out the edges are not needed; else they are made once more.
            let needs_graph = self.undecided().any(|property| self.needs_graph(property));
            self.edges = self.edges.take().filter(|_| needs_graph);
        }
        let mut decided = false;
        let mut at = 0;
        while let Some(&property) = self.of_states.get(at) {
            match self.ask(property, space, state) {
                None => at += 1,
                Some(finding) => {
                    let evidence = Evidence::path(space.path(state));
                    // Takes the property out of the list.
                    self.violate(property, finding, evidence, space);
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
        for property in self.undecided() {
            if self.properties[property] == Property::Errors {
                let evidence = Evidence {
                    failing: Some((OwnedLabel::of(label), failure.clone())),
                    ..Evidence::path(space.path(at))
                };
                self.violate(
                    property,
                    Finding::StepFails(failure.clone()),
                    evidence,
                    space,
                );
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
        for property in self.undecided() {
            let finding = match &self.properties[property] {
                Property::Deadlock { .. } if self.packed.is_final(space.store.get(state)) => None,
                Property::Deadlock { .. } => match self.value(property, space, state) {
                    None | Some(Ok(false)) => Some(Finding::Deadlock),
                    Some(Ok(true)) => None,
                    Some(Err(failure)) => Some(Finding::ExpressionFails(failure)),
                },
                Property::MustProgress(_) if !self.goals[property].contains(state) => {
                    Some(Finding::GoalAvoidedByEnd)
                }
                Property::MayProgress(_) if !self.goals[property].contains(state) => {
                    self.dead_ends[property].get_or_insert(state);
                    None
                }
                _ => None,
            };
            if let Some(finding) = finding {
                let evidence = Evidence::path(space.path(state));
                self.violate(property, finding, evidence, space);
            }
        }
        self.go_on()
    }

    fn left(&mut self, space: &Space, state: u32) -> ControlFlow<Stop> {
        let is_stuck = |check: &mut TerminationCheck| check.left(state);
        if !self.termination.as_mut().is_some_and(is_stuck) {
            return ControlFlow::Continue(());
        }
        for property in self.undecided() {
            if self.properties[property] == Property::Termination {
                let evidence = Evidence::path(space.path(state));
                self.violate(property, Finding::NoTerminalReachable, evidence, space);
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
    use stubborn_system::system::{Instance, Location, Step, System, Target};

    use super::*;
    use crate::options::{Options, Search, Silent};
    use crate::search::{Meter, search};

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
    fn termination_is_found_out_where_no_property_asks_for_it() {
        let options = Options {
            search: Search::Depth,
            ..Options::default()
        };
        let is_terminating = |lists: &[&[u32]]| {
            let system = system(lists);
            let packed = Packed::new(&system).expect("its states are small");
            let mut meter = Meter::new(options.limits, &Silent);
            let mut space = Space::new(&packed);
            let mut properties = Properties::new(&packed, &[Property::Errors], &Silent, false);
            assert_eq!(properties.is_terminating(), None);
            properties.watch_termination();
            let flow = search(&packed, &options, &mut meter, &mut space, &mut properties);
            assert_eq!(flow, ControlFlow::Continue(()));
            properties.is_terminating()
        };
        assert_eq!(is_terminating(&[&[1, 0], &[2, 1], &[]]), Some(true));
        assert_eq!(is_terminating(&[&[1, 2], &[1], &[]]), Some(false));
    }
}
