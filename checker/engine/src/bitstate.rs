//! Looking for violations with bitstate storage: by far more states fit into memory, and some may be
//! missed. A violation that is found is one; where none is found nothing is proved.
//!
//! What single states and steps show can be looked for so: errors, deadlocks, invariants. With a
//! reduction the reduced state space is searched first, and then, where steps were left out of it, the
//! plain one for what only deadlocks are sure to be kept of.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use stubborn_system::property::Property;
use stubborn_system::system::Failure;

use crate::monitored::search::storage::{Bitstate, Set, Storage};
use crate::monitored::search::tree::{Node, Tree};
use crate::options::{Options, Order, Reduction, Search as Direction, Watch};
use crate::packed::{Expression, Packed, Scratch};
use crate::reduction::Stubborn;
use crate::related::{Related, StateCheck};
use crate::search::expansion::{Failing, OwnedLabel, Rest, Steps, expand};
use crate::search::{Figures, Meter, Space, Stop};
use crate::store::bitstate::BitTable;
use crate::successors::{Successors, Wanted};
use crate::trace::{Evidence, confirmed};
use crate::verdict::{Finding, Outcome, Reason, Verdict};

const FOUND: Set = Set::nth(0);

/// Decides the properties that it finds violated, and gives an outcome for each, in their order: the
/// others are undecided. The table has `2^bits` bits. Costs memory besides for the states that wait
/// to be searched, and for the ways to them.
pub fn check(
    packed: &Packed<'_>,
    properties: &[Property],
    bits: u32,
    options: &Options,
    watch: &dyn Watch,
) -> Vec<Outcome> {
    let mut hunt = Hunt {
        packed,
        properties,
        expressions: properties
            .iter()
            .map(|property| match property {
                Property::Invariant(e) => Some(packed.expression(e)),
                Property::Deadlock { allowed } => allowed.as_ref().map(|e| packed.expression(e)),
                _ => None,
            })
            .collect(),
        scratch: packed.scratch(),
        watch,
        meter: Meter::new(options.limits, watch),
        counts: Counts::default(),
        open: (0..properties.len()).collect(),
        outcomes: vec![None; properties.len()],
    };
    hunt.refuse_what_needs_exact_storage();
    let flow = hunt.run(bits, options);
    let reason = match flow {
        ControlFlow::Break(Stop::Limit(reason)) => reason,
        _ => Reason::Bitstate,
    };
    while let Some(&property) = hunt.open.first() {
        hunt.decide(property, Verdict::Undecided(reason.clone()));
    }
    hunt.outcomes.into_iter().flatten().collect()
}

#[derive(Clone, Copy, Default)]
struct Counts {
    states: u64,
    edges: u64,
    leaves_out: bool,
}

/// The properties, and what is known of them.
struct Hunt<'a> {
    packed: &'a Packed<'a>,
    properties: &'a [Property],
    /// Of each property that has one.
    expressions: Vec<Option<Expression>>,
    scratch: Scratch,
    watch: &'a dyn Watch,
    meter: Meter<'a>,
    /// Of the present search.
    counts: Counts,
    /// The properties that are not decided, ascending.
    open: Vec<usize>,
    outcomes: Vec<Option<Outcome>>,
}

impl Hunt<'_> {
    fn run(&mut self, bits: u32, options: &Options) -> ControlFlow<Stop> {
        if self.open.is_empty() {
            return ControlFlow::Continue(());
        }
        if options.reduction == Reduction::Stubborn {
            let checks = self
                .properties
                .iter()
                .filter_map(|property| match property {
                    Property::Invariant(e) => {
                        Some((self.packed.expression(e), StateCheck::Falsehood))
                    }
                    _ => None,
                });
            let checks: Vec<(Expression, StateCheck)> = checks.collect();
            let checks: Vec<_> = checks.iter().map(|(e, how)| (e, *how)).collect();
            let meter = &mut self.meter;
            let related = Related::new(self.packed, &checks, &mut |bytes| meter.prepare(bytes))?;
            let stubborn = Stubborn::new(related);
            self.search(&stubborn, bits, options)?;
            let is_deadlock =
                |property: &usize| matches!(self.properties[*property], Property::Deadlock { .. });
            if !self.counts.leaves_out || self.open.iter().all(is_deadlock) {
                return ControlFlow::Continue(());
            }
        }
        self.search(self.packed, bits, options)
    }

    /// Ends early where nothing is open any more.
    fn search<S: Successors>(
        &mut self,
        successors: &S,
        bits: u32,
        options: &Options,
    ) -> ControlFlow<Stop> {
        let bytes = BitTable::bytes_of(bits);
        let forbidden = self.meter.forbids(bytes);
        let table = BitTable::new(bits).filter(|_| forbidden.is_none());
        let Some(table) = table else {
            let reason = forbidden.unwrap_or(Reason::Memory(bytes));
            return ControlFlow::Break(Stop::Limit(reason));
        };
        self.counts = Counts::default();
        let words = successors.words();
        let mut search = Search {
            hunt: self,
            storage: Bitstate::new(words, table),
            tree: Tree::default(),
            work: VecDeque::new(),
            steps: Steps::new(words, false),
        };
        match search.run(successors, options) {
            ControlFlow::Break(Stop::Decided) => ControlFlow::Continue(()),
            flow => flow,
        }
    }

    fn refuse_what_needs_exact_storage(&mut self) {
        for (property, form) in self.properties.iter().enumerate() {
            let reason = match form {
                Property::Errors | Property::Deadlock { .. } | Property::Invariant(_) => continue,
                _ => Reason::NeedsExactStorage,
            };
            self.decide(property, Verdict::Undecided(reason));
        }
    }

    fn decide(&mut self, property: usize, verdict: Verdict) {
        let outcome = Outcome {
            verdict,
            states: self.counts.states,
            edges: self.counts.edges,
            full: false,
            reduction: match self.counts.leaves_out {
                true => Reduction::Stubborn,
                false => Reduction::None,
            },
            seconds: self.meter.seconds(),
        };
        self.watch.decided(property, &outcome);
        self.outcomes[property] = Some(outcome);
        self.open.retain(|open| *open != property);
    }

    /// The property is violated, if the reference interpreter agrees.
    fn violate(
        &mut self,
        property: usize,
        finding: Finding,
        path: &[Box<[u64]>],
        failing: Option<(OwnedLabel, Failure)>,
    ) {
        // The states of the path have numbers in a space of their own.
        let mut space = Space::new(self.packed);
        let numbers = path.iter().map(|state| {
            let found = space.store.find(space.store.hash(state), state);
            found.unwrap_or_else(|vacancy| space.store.add(vacancy, state))
        });
        let evidence = Evidence {
            failing,
            ..Evidence::path(numbers.collect())
        };
        let trace = confirmed(
            self.packed,
            &space,
            &self.properties[property],
            &finding,
            evidence,
        );
        let verdict = match trace {
            Ok(trace) => Verdict::Violated { finding, trace },
            Err(mismatch) => Verdict::Undecided(Reason::Internal(mismatch)),
        };
        self.decide(property, verdict);
    }

    /// What a state shows of a property that is open: one in which a run ends, or any.
    fn finding(&mut self, property: usize, state: &[u64], is_end: bool) -> Option<Finding> {
        match self.properties[property] {
            Property::Invariant(_) if !is_end => {}
            Property::Deadlock { .. } if is_end && !self.packed.is_final(state) => {}
            _ => return None,
        }
        let value = self.expressions[property].as_ref();
        let value = value.map(|e| self.packed.holds(e, state, &mut self.scratch));
        match value {
            Some(Ok(true)) => None,
            Some(Err(failure)) => Some(Finding::ExpressionFails(*failure)),
            Some(Ok(false)) | None if is_end => Some(Finding::Deadlock),
            Some(Ok(false)) | None => Some(Finding::InvariantFalse),
        }
    }
}

/// One search through the states.
struct Search<'h, 'a> {
    hunt: &'h mut Hunt<'a>,
    storage: Bitstate,
    /// How the states in `work` were reached.
    tree: Tree,
    /// The states whose steps are to be taken.
    work: VecDeque<Node>,
    /// Of one state.
    steps: Steps,
}

impl Search<'_, '_> {
    fn run<S: Successors>(&mut self, successors: &S, options: &Options) -> ControlFlow<Stop> {
        let mut scratch = successors.scratch();
        let initial = successors.initial().to_vec();
        let spot = self.storage.spot(&initial);
        self.generate(spot, &initial, None)?;
        let mut state = initial;
        loop {
            let node = match options.search {
                Direction::Breadth => self.work.pop_front(),
                Direction::Depth => self.work.pop_back(),
            };
            let Some(node) = node else {
                return ControlFlow::Continue(());
            };
            self.hunt.meter.depth = self.tree.depth(node);
            state.copy_from_slice(self.storage.get(self.tree.key(node)));
            let before = self.work.len();
            self.take_steps(successors, &mut scratch, node, &state, options.order)?;
            if options.search == Direction::Depth {
                // The first that was found is the next that is taken.
                self.work.make_contiguous()[before..].reverse();
            }
            self.tree.release(node, &mut self.storage);
        }
    }

    fn take_steps<S: Successors>(
        &mut self,
        successors: &S,
        scratch: &mut S::Scratch,
        node: Node,
        state: &[u64],
        order: Order,
    ) -> ControlFlow<Stop> {
        let mut rest = Rest::Nothing;
        let mut has_steps = false;
        loop {
            self.steps.truncate(0);
            let figures = self.figures();
            let meter = &mut self.hunt.meter;
            let mut look = || meter.look_at(figures);
            let how = (order, Wanted::Reduced);
            let steps = &mut self.steps;
            expand(successors, state, scratch, how, &mut rest, steps, &mut look)?;
            self.hunt.counts.leaves_out |= self.steps.leaves_out;
            has_steps |= self.steps.len() > 0;
            for at in 0..self.steps.len() {
                self.take(node, at)?;
            }
            if rest == Rest::Nothing {
                break;
            }
        }
        if has_steps {
            return ControlFlow::Continue(());
        }
        self.ask(node, state, true)
    }

    fn take(&mut self, from: Node, at: usize) -> ControlFlow<Stop> {
        let figures = self.figures();
        self.hunt.meter.step_in(|| figures)?;
        if let Some(Failing { label, failure }) = self.steps.failing(at) {
            self.hunt.counts.edges += 1;
            let (label, failure) = (label.clone(), failure.clone());
            let is_asked = |property: &&usize| self.hunt.properties[**property] == Property::Errors;
            while let Some(&property) = self.hunt.open.iter().find(is_asked) {
                let path = self.tree.path(from, &self.storage);
                let finding = Finding::StepFails(failure.clone());
                let failing = Some((label.clone(), failure.clone()));
                self.hunt.violate(property, finding, &path, failing);
            }
            return self.go_on();
        }
        let spot = self.storage.spot(self.steps.state(at));
        if self.storage.has(spot, FOUND) {
            self.hunt.counts.edges += 1;
            return ControlFlow::Continue(());
        }
        let state = self.steps.state(at).to_vec();
        self.generate(spot, &state, Some(from))
    }

    /// A state is found, by a step if not the initial one.
    fn generate(
        &mut self,
        spot: <Bitstate as Storage>::Spot,
        state: &[u64],
        from: Option<Node>,
    ) -> ControlFlow<Stop> {
        let bytes = self.figures().bytes + self.storage.bytes_to_grow();
        self.hunt.meter.may_grow(self.hunt.counts.states, bytes)?;
        self.hunt.counts.edges += u64::from(from.is_some());
        self.hunt.counts.states += 1;
        self.storage.add(spot, state, FOUND);
        let key = self.storage.hold(spot, state);
        let node = self.tree.add(key, from);
        self.work.push_back(node);
        self.ask(node, state, false)
    }

    fn ask(&mut self, node: Node, state: &[u64], is_end: bool) -> ControlFlow<Stop> {
        let mut at = 0;
        while let Some(&property) = self.hunt.open.get(at) {
            match self.hunt.finding(property, state, is_end) {
                None => at += 1,
                Some(finding) => {
                    // Takes the property out of the list.
                    let path = self.tree.path(node, &self.storage);
                    self.hunt.violate(property, finding, &path, None);
                }
            }
        }
        self.go_on()
    }

    fn go_on(&self) -> ControlFlow<Stop> {
        if self.hunt.open.is_empty() {
            return ControlFlow::Break(Stop::Decided);
        }
        ControlFlow::Continue(())
    }

    fn figures(&self) -> Figures {
        let work = (self.work.capacity() * size_of::<Node>()) as u64;
        Figures {
            states: self.hunt.counts.states,
            edges: self.hunt.counts.edges,
            bytes: self.storage.bytes() + self.tree.bytes() + self.steps.bytes() + work,
        }
    }
}
