//! Distributed search of a product: as the leader asks for it, and as a worker observes it.
//!
//! States marked `reject`, and ends of runs in states marked `deadlock`, are found on the way.
//! Cycles are asked for when all states are found, and now and then before, so that a search with a
//! violation ends early ([`Asked::Livelock`], [`Asked::Infinite`]).
//!
//! With stubborn sets this is right because [`visibility`](crate::related::visibility) has no
//! condition on cycles: a set is a function of its state, whichever worker has it.

use std::ops::ControlFlow;
use std::sync::Arc;

use stubborn_system::system::Failure;

use super::cycle_walk::round;
use super::decide::Deciding;
use super::plan::Plan;
use super::product::AnyProduct;
use super::role::Role;
use crate::plan::theorems::cycles_of;
use crate::runs::no_trace::NoTrace;
use crate::search::AnyMonitored;
use crate::search::found::{Found, Searched};
use crate::search::layers::Look;
use crate::search::whole::cycles::Step;
use crate::search::{Figures, Flags, Meter, Monitored, Stop};
use crate::several::{Asked, Chosen, Count, Event, Monitoring, Question, Several, Shared, Shown};
use crate::successors::{Label, Memory, Model};
use crate::verdict::{Reason, Violation};
use crate::worker_model::{Gathers, Local};

/// Indices of violations that are found on the way.
const REJECT: usize = 0;
const DEADLOCK: usize = 1;

impl Deciding<'_> {
    /// Searches a product with other processes, if there are any.
    pub(super) fn search_with_others(
        &mut self,
        product: &AnyProduct<'_>,
        plan: &Plan,
        max_states: Option<u64>,
    ) -> Option<Searched> {
        match &mut self.role {
            Role::Alone => None,
            Role::Worker(work) => {
                let mut observer = OfProduct {
                    model: product,
                    scratch: product.scratch(),
                    state: Vec::new(),
                    layer: None,
                    shown: Vec::new(),
                };
                work(Local {
                    model: Model::with_footprints(product),
                    initials: product.initials().concat(),
                    parts: product.parts(),
                    remembered: self.options.remembered,
                    observer: &mut observer,
                    meter: self.meter.with(self.options.limits),
                });
                // The verdict is the leader's.
                let stop = Reason::Internal("a worker has no verdict".to_owned());
                Some(Searched::stopped(Stop::Limit(stop)))
            }
            Role::First(several, number, slices) => {
                if product.initials().is_empty() {
                    return None;
                }
                let question = Question {
                    system: self.system.clone(),
                    properties: vec![self.property.clone()],
                    reduced: false,
                    chosen: Chosen::of(self.options),
                    watched: Some(Monitoring {
                        plan: *number,
                        slices: *slices,
                    }),
                    max_states,
                };
                let several = *several;
                Some(self.ask_others(product, plan, several, &question))
            }
        }
    }

    fn ask_others(
        &mut self,
        model: &AnyMonitored<'_>,
        plan: &Plan,
        several: &dyn Several,
        question: &Question,
    ) -> Searched {
        let mut searched = Searched::stopped(Stop::Decided);
        searched.stop = None;
        match several.search(question) {
            Ok(mut search) => {
                let found = self.followed(model, plan, &mut *search);
                let count = search.count();
                searched.states = count.states;
                searched.edges = count.edges;
                searched.visits = count.states;
                searched.leaves_out = count.leaves_out;
                self.sharing = Some(Arc::new(search.sharing()));
                match found {
                    Ok(found) => {
                        searched.full = found.is_none() && !count.leaves_out;
                        searched.found = found;
                    }
                    Err(reason) => searched.stop = Some(reason),
                }
            }
            Err(reason) => {
                self.sharing = Some(Arc::default());
                searched.stop = Some(reason);
            }
        }
        searched
    }

    fn followed(
        &mut self,
        model: &AnyMonitored<'_>,
        plan: &Plan,
        search: &mut dyn Shared,
    ) -> Result<Option<Found>, Reason> {
        loop {
            let meter = &mut self.meter;
            match search.next(&mut |count| polled(meter, count)) {
                Event::Shown(shown) if !shown.is_empty() => {
                    let nearest = shown.into_iter().min_by_key(|shown| shown.layer);
                    return match nearest {
                        Some(shown) => self.met(search, &shown).map(Some),
                        None => Ok(None),
                    };
                }
                Event::Shown(_) => {
                    if let Some(found) = self.on_cycles(model, plan, search)? {
                        return Ok(Some(found));
                    }
                    search.go_on(&[REJECT, DEADLOCK]);
                }
                Event::Over => return self.on_cycles(model, plan, search),
                Event::Stopped(reason) => return Err(reason),
            }
        }
    }

    /// The way to a state that shows something.
    fn met(&self, search: &mut dyn Shared, shown: &Shown) -> Result<Found, Reason> {
        let limited = self.limited_by_others();
        let poll = &mut |_: &Count| or_reason(limited.poll(0));
        Ok(Found {
            violation: match shown.property {
                REJECT => Violation::Reject,
                _ => Violation::Deadlock,
            },
            path: search.way(shown, poll)?,
            cycle: Vec::new(),
        })
    }

    /// Whether a run can go round among the states that were found, in a way that the search looks
    /// for.
    fn on_cycles(
        &mut self,
        model: &AnyMonitored<'_>,
        plan: &Plan,
        search: &mut dyn Shared,
    ) -> Result<Option<Found>, Reason> {
        for (asked, violation) in cycles_of(plan.search.algorithm) {
            let meter = &mut self.meter;
            let nearest = search.ask(*asked, &mut |count| polled(meter, count))?;
            let Some(nearest) = nearest else {
                continue;
            };
            let limited = self.limited_by_others();
            let poll = &mut |_: &Count| or_reason(limited.poll(0));
            if nearest.state.len() != model.words() {
                return Err(Reason::Internal("a worker has sent no state".to_owned()));
            }
            let mut path = search.way(&nearest, poll)?;
            let mut kinds =
                |from: &[u64], label: Label<'_>, to: &[u64]| step(&model, *asked, from, label, to);
            let which = &mut |states: &[Vec<u64>]| search.which(states, poll);
            let (to_cycle, cycle) = round(&model, &nearest.state, &mut kinds, which)?;
            path.extend(to_cycle);
            return Ok(Some(Found {
                violation: *violation,
                path,
                cycle,
            }));
        }
        Ok(None)
    }
}

fn polled(meter: &mut Meter<'_>, count: &Count) -> ControlFlow<Reason> {
    meter.depth = count.layer;
    or_reason(meter.poll(Figures::from(count)))
}

fn or_reason(flow: ControlFlow<Stop>) -> ControlFlow<Reason> {
    flow.map_break(|stop| NoTrace::from(stop).reason())
}

/// Whether a state of which no step was given is a deadlock that is watched for.
pub(super) fn is_deadlock<M: Monitored + ?Sized>(
    model: &M,
    state: &[u64],
    scratch: &mut M::Scratch,
) -> bool {
    model.marks(state).deadlock && model.ends(state, scratch)
}

/// Whether a run that a question about cycles asks for may stay in a state.
pub(super) fn stays<M: Monitored + ?Sized>(model: &M, asked: Asked, state: &[u64]) -> bool {
    match asked {
        Asked::Livelock => model.marks(state).livelock,
        Asked::Infinite => true,
        _ => false,
    }
}

/// What a step is to a question about cycles.
pub(super) fn step<M: Monitored + ?Sized>(
    model: &M,
    asked: Asked,
    from: &[u64],
    label: Label<'_>,
    to: &[u64],
) -> Step {
    let is_visible = model.is_visible(label, from, to);
    let flags = Flags::of(is_visible, model.marks(from), model.marks(to));
    match asked {
        Asked::Livelock if flags.is_silent() => Step::Wanted,
        Asked::Infinite if flags.is_accepting() => Step::Wanted,
        Asked::Infinite => Step::Allowed,
        _ => Step::Forbidden,
    }
}

/// What one worker meets of what a monitor watches for.
struct OfProduct<'m> {
    model: &'m AnyMonitored<'m>,
    scratch: Memory,
    /// The state whose steps are taken, and its layer.
    state: Vec<u64>,
    layer: Option<u64>,
    shown: Vec<Shown>,
}

impl Look for OfProduct<'_> {
    fn begins(&mut self, layer: u64, state: &[u64]) {
        self.layer = Some(layer);
        self.state.clear();
        self.state.extend_from_slice(state);
    }

    fn looks(&self) -> usize {
        1
    }

    fn found(&mut self, _: usize, state: &[u64]) -> ControlFlow<Stop> {
        // One of each worker is enough.
        if self.shown.is_empty() && self.model.marks(state).reject {
            self.shown.push(Shown {
                property: REJECT,
                layer: self.layer.map_or(0, |layer| layer + 1),
                state: state.to_vec(),
            });
        }
        ControlFlow::Continue(())
    }

    fn failing(&mut self, _: Label<'_>, _: &Failure) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    fn terminal(&mut self, state: &[u64]) -> ControlFlow<Stop> {
        if is_deadlock(self.model, state, &mut self.scratch) {
            self.shown.push(Shown {
                property: DEADLOCK,
                layer: self.layer.unwrap_or_default(),
                state: state.to_vec(),
            });
        }
        ControlFlow::Continue(())
    }
}

impl Gathers for OfProduct<'_> {
    fn shown(&mut self) -> Vec<Shown> {
        let mut shown = std::mem::take(&mut self.shown);
        shown.sort_by(|one, other| (one.layer, &one.state).cmp(&(other.layer, &other.state)));
        shown.truncate(1);
        shown
    }

    fn go_on(&mut self, _: &[usize]) {}

    fn is_asked(&mut self, asked: Asked, state: &[u64], _: bool) -> bool {
        stays(self.model, asked, state)
    }

    fn step(&mut self, asked: Asked, from: &[u64], label: Label<'_>, to: &[u64]) -> Step {
        step(self.model, asked, from, label, to)
    }
}
