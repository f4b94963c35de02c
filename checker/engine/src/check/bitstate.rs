//! Looking for violations with bitstate storage: by far more states fit into memory, and some may be
//! missed. A violation that is found is one; where none is found nothing is proved.
//!
//! What single states and steps show can be looked for so. With a reduction the reduced state space
//! is searched first, and then, where steps were left out of it, the plain one for what only terminal
//! states are sure to be kept of.

use std::ops::ControlFlow;

use stubborn_system::property::Property;

use super::ordinary::state_checks;
use super::verdicts::{Next, Verdicts};
use crate::options::{Options, Reduction};
use crate::packed::{Expression, Packed};
use crate::properties::Preserved;
use crate::reduction::Stubborn;
use crate::related::{Related, StateCheck};
use crate::search::violations::supertrace;
use crate::search::{Alone, Figures, Meter, Run, Space, Stop, Ways, plain};
use crate::successors::Successors;
use crate::verdict::{Outcome, Reason, Verdict};
use crate::watch::Watch;

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
    let next = Next {
        search: options.search,
        reduced: options.reduction == Reduction::Stubborn,
        numbered: false,
    };
    let mut looking = Looking {
        packed,
        options,
        bits,
        meter: Meter::new(options.limits, watch),
        found: Verdicts::new(packed, properties, options.limits, watch, next),
        counts: Counts::default(),
        outcomes: vec![None; properties.len()],
    };
    looking.refuse_what_needs_exact_storage();
    let reason = match looking.search_all() {
        ControlFlow::Break(Stop::Limit(reason)) => reason,
        ControlFlow::Break(Stop::Decided) | ControlFlow::Continue(()) => Reason::Bitstate,
    };
    for property in looking.found.undecided() {
        let verdict = Verdict::Undecided(reason.clone());
        looking.found.decide(property, verdict, &looking.counts);
    }
    looking.note();
    looking.outcomes.into_iter().flatten().collect()
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
    bits: u32,
    meter: Meter<'a>,
    found: Verdicts<'a>,
    counts: Counts,
    outcomes: Vec<Option<Outcome>>,
}

impl Looking<'_> {
    fn refuse_what_needs_exact_storage(&mut self) {
        for property in self.found.undecided() {
            if !self.found.kind(property).suits_bitstate() {
                let verdict = Verdict::Undecided(Reason::NeedsExactStorage);
                self.found.decide(property, verdict, &self.counts);
            }
        }
        self.note();
    }

    fn search_all(&mut self) -> ControlFlow<Stop> {
        let open: Vec<usize> = self.found.undecided().collect();
        if open.is_empty() {
            return ControlFlow::Continue(());
        }
        if self.options.reduction == Reduction::Stubborn {
            let of_open = open.iter().map(|property| self.found.property(*property));
            let checks = state_checks(self.packed, of_open);
            let checks: Vec<(&Expression, StateCheck)> =
                checks.iter().map(|(e, how)| (e, *how)).collect();
            let meter = &mut self.meter;
            let related = Related::new(self.packed, &checks, &mut |bytes| meter.prepare(bytes))?;
            let stubborn = Stubborn::new(related).foreseeing(self.options.foresight);
            self.search(&stubborn)?;
            let mut open = self.found.undecided();
            let is_kept = |property| self.found.preserved(property) == Preserved::Always;
            if !self.counts.leaves_out || open.all(is_kept) {
                return ControlFlow::Continue(());
            }
        }
        self.search(self.packed)
    }

    /// Ends early where nothing is open any more.
    fn search<S: Successors>(&mut self, successors: &S) -> ControlFlow<Stop> {
        let store = match supertrace(successors.words(), self.bits, &self.meter) {
            Ok(store) => store,
            Err(reason) => return ControlFlow::Break(Stop::Limit(reason)),
        };
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
        self.note();
        match flow {
            ControlFlow::Break(Stop::Decided) => ControlFlow::Continue(()),
            flow => flow,
        }
    }

    /// What was decided since the last time was decided by the present search.
    fn note(&mut self) {
        let seconds = self.meter.seconds();
        self.found.note(&mut self.outcomes, &self.counts, seconds);
    }
}
