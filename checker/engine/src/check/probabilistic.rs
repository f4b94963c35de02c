//! Looking for violations where states may be taken for others, in bitstate storage or by fingerprints: by
//! far more states fit into memory, and some may be missed. A violation that is found is one; where none is
//! found nothing is proved, and the part that was searched is estimated.
//!
//! Properties of single states and steps can be searched for in this way. With a reduction the reduced state
//! space is searched first, and then, if steps were left out of it, the plain one for the properties of which
//! the reduction preserves only terminal states.

use std::ops::ControlFlow;

use stubborn_system::property::Property;

use super::state_checks::state_checks;
use super::verdicts::{Next, Verdicts};
use crate::caller::Caller;
use crate::coverage::Coverage;
use crate::options::{Options, Reduction};
use crate::packed::{Expression, Packed};
use crate::plan::stages::Stage;
use crate::plan::theorems::{Condition, shown};
use crate::reduction::Stubborn;
use crate::related::{Related, StateCheck};
use crate::search::violations::supertrace;
use crate::search::{Alone, Figures, Meter, Run, Space, Stop, Ways, plain};
use crate::successors::{AnyModel, Erased};
use crate::symmetry::{Orbits, Symmetric};
use crate::verdict::{Outcome, Reason, Verdict};

/// Decides the properties that it finds violated, and gives an outcome for each, in their order: the
/// others are undecided, or have none where a stage has come to its end and leaves them to the next. The storage
/// that is asked for must not be exact. Costs memory besides for the states that wait to be searched, and for the
/// ways to them.
pub fn check(
    packed: &Packed<'_>,
    properties: &[Property],
    options: &Options,
    (stage, orbits): (Stage, Option<&Orbits>),
    caller: Caller<'_>,
) -> Hashed {
    let next = Next {
        search: options.search,
        reduced: options.reduction.leaves_out(),
        numbered: false,
    };
    let mut looking = Looking {
        packed,
        options,
        meter: Meter::new(caller.with(stage.limits(options))),
        found: Verdicts::new(packed, properties, options, caller, next),
        counts: Counts::default(),
        orbits,
        outcomes: vec![None; properties.len()],
    };
    looking.found.turn(orbits);
    looking.refuse_what_needs_exact_storage();
    let flow = looking.search_all();
    let limit = match &flow {
        ControlFlow::Break(Stop::Limit(reason)) => Some(reason.clone()),
        _ => None,
    };
    let reason = match flow {
        ControlFlow::Break(Stop::Limit(reason)) if stage.is_over(&reason, options) => {
            return looking.hashed(limit);
        }
        ControlFlow::Break(Stop::Limit(reason)) => reason,
        ControlFlow::Break(Stop::Decided) => {
            Reason::Missed(Box::new(Coverage::of(options.storage, 0, 0.0)))
        }
        ControlFlow::Continue(covered) => Reason::Missed(Box::new(covered)),
    };
    for property in looking.found.undecided() {
        let verdict = Verdict::Undecided(reason.clone());
        looking.found.decide(property, verdict, &looking.counts);
    }
    looking.note();
    looking.hashed(limit)
}

/// The result of the searches.
pub struct Hashed {
    pub outcomes: Vec<Option<Outcome>>,
    /// The limit that has ended them, if one has.
    pub limit: Option<Reason>,
    /// States and edges of the search that came furthest.
    pub generated: (u64, u64),
}

/// What the present search has come to.
#[derive(Clone, Copy, Default)]
struct Counts {
    states: u64,
    edges: u64,
    leaves_out: bool,
}

impl Ways for Counts {
    fn path(&self, _: u32) -> Vec<u32> {
        Vec::new()
    }

    fn copy(&self, _: u32, _: &mut [u64]) {}

    fn figures(&self) -> Figures {
        Figures {
            states: self.states,
            edges: self.edges,
            bytes: 0,
        }
    }

    fn reduction(&self) -> Reduction {
        Reduction::needed(self.leaves_out)
    }

    fn is_full(&self) -> bool {
        false
    }
}

/// The properties, and what is known of them.
struct Looking<'a> {
    packed: &'a Packed<'a>,
    options: &'a Options,
    meter: Meter<'a>,
    found: Verdicts<'a>,
    counts: Counts,
    /// The permutations of which states are taken for one.
    orbits: Option<&'a Orbits>,
    outcomes: Vec<Option<Outcome>>,
}

impl Looking<'_> {
    fn hashed(self, limit: Option<Reason>) -> Hashed {
        Hashed {
            outcomes: self.outcomes,
            limit,
            generated: (self.counts.states, self.counts.edges),
        }
    }

    fn refuse_what_needs_exact_storage(&mut self) {
        for property in self.found.undecided() {
            if !self.found.kind(property).suits_bitstate() {
                let verdict = Verdict::Undecided(Reason::NeedsExactStorage);
                self.found.decide(property, verdict, &self.counts);
            }
        }
        self.note();
    }

    /// Searches while anything is open, and estimates which part of the state space was searched.
    fn search_all(&mut self) -> ControlFlow<Stop, Coverage> {
        let open: Vec<usize> = self.found.undecided().collect();
        if open.is_empty() {
            return ControlFlow::Break(Stop::Decided);
        }
        if self.options.reduction.leaves_out() {
            let of_open = open.iter().map(|property| self.found.property(*property));
            let checks = state_checks(self.packed, of_open);
            let checks: Vec<(&Expression, StateCheck)> =
                checks.iter().map(|(e, how)| (e, *how)).collect();
            let meter = &mut self.meter;
            let related = Related::new(self.packed, &checks, &mut |bytes| meter.prepare(bytes))?;
            let related = match self.orbits {
                None => related,
                Some(_) => related.turned(),
            };
            let stubborn = Stubborn::new(related).foreseeing(self.options.foresight);
            let reduced = self.search(&Erased(&stubborn))?;
            let mut open = self.found.undecided();
            let is_kept =
                |property| shown(Condition::Always, self.found.preserved(property)).is_some();
            if !self.counts.leaves_out || open.all(is_kept) {
                return ControlFlow::Continue(reduced);
            }
            return ControlFlow::Continue(reduced.worse(self.search(&Erased(self.packed))?));
        }
        self.search(&Erased(self.packed))
    }

    fn search(&mut self, successors: &AnyModel<'_>) -> ControlFlow<Stop, Coverage> {
        match self.orbits {
            None => self.search_on(successors),
            Some(orbits) => self.search_on(&Erased(&Symmetric::new(successors, orbits))),
        }
    }

    /// Ends early where nothing is open any more.
    fn search_on(&mut self, successors: &AnyModel<'_>) -> ControlFlow<Stop, Coverage> {
        let storage = self.options.storage;
        let store = match supertrace(successors.words(), storage, &self.meter) {
            Ok(store) => store,
            Err(reason) => return ControlFlow::Break(Stop::Limit(reason)),
        };
        self.meter.deepest = 0;
        let model = Alone::new(successors);
        let order = self.options.order;
        let space = Space::empty(store);
        let mut run = Run::new(&model, order, &mut self.meter, space, &mut self.found);
        let flow = plain(&mut run, self.options.search);
        self.counts = Counts {
            states: run.space.states(),
            edges: run.space.edges,
            leaves_out: run.leaves_out,
        };
        let coverage = run.space.coverage(storage, run.meter.deepest);
        self.note();
        match flow {
            ControlFlow::Break(Stop::Limit(reason)) => ControlFlow::Break(Stop::Limit(reason)),
            ControlFlow::Break(Stop::Decided) | ControlFlow::Continue(()) => {
                ControlFlow::Continue(coverage)
            }
        }
    }

    /// What was decided since the last time was decided by the present search.
    fn note(&mut self) {
        let seconds = self.meter.seconds();
        self.found.note(&mut self.outcomes, &self.counts, seconds);
    }
}
