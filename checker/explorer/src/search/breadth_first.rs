//! Breadth-first search that builds a labelled transition system: numbered states, and edges for
//! the [`Listener`]. Every other breadth-first search is one of [`layers`](super::layers).
//!
//! At the depth limit all steps of a state are taken, but no new states are added: whether it is
//! terminal, and which steps fail, is known of every state up to that depth.

use std::ops::ControlFlow;

use stubborn_space::monitor::Monitored;
use stubborn_space::successors::{Label, Wanted, Wanting, WorkingMemory as _, end_layer};
use stubborn_space::verdict::Reason;
use stubborn_system::system::Failure;

use super::meter::Stop;
use super::steps::Rest;
use super::{Listener, Run};
use crate::store::Store;
use crate::store::exact::{Exact, Hint};

/// Steps that are looked up at a time, so that the waits for memory overlap.
const BATCH: usize = 128;

/// Finds every reachable state, the nearest first, unless something stops it. The space must have
/// only the initial states.
pub fn search<M: Monitored, L: Listener>(run: &mut Run<'_, '_, M, Exact, L>) -> ControlFlow<Stop> {
    begin(run, Pauses::NONE).map_continue(drop)
}

/// Conditions under which a search pauses at the end of a layer.
#[derive(Clone, Copy)]
pub struct Pauses {
    /// Least number of states of the next layer.
    pub wide: u32,
    /// Least number of all states, if choosing stubborn sets does not pay.
    pub unprofitable: u32,
    /// Least number of all states, in any case.
    pub many: u32,
}

impl Pauses {
    pub const NONE: Pauses = Pauses {
        wide: u32::MAX,
        unprofitable: u32::MAX,
        many: u32::MAX,
    };
}

/// Why a search has paused.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    Wide,
    Unprofitable,
    Many,
}

/// Layer before which a search has paused, by its first state; `None` if the search is over.
pub type Paused = Option<(u32, Pause)>;

/// Searches until there is a reason to pause. [`go_on`] continues.
pub fn begin<M: Monitored, L: Listener>(
    run: &mut Run<'_, '_, M, Exact, L>,
    pauses: Pauses,
) -> ControlFlow<Stop, Paused> {
    for initial in 0..run.space.len() {
        run.space.copy(initial, &mut run.state);
        run.listener.found(&run.space, initial, &run.state)?;
    }
    run.space.layers.begin(run.space.len());
    expand(run, &[], 0, pauses)
}

/// Continues a search that has paused at the layer with this first state.
pub fn go_on<M: Monitored, L: Listener>(
    run: &mut Run<'_, '_, M, Exact, L>,
    first: u32,
    pauses: Pauses,
) -> ControlFlow<Stop, Paused> {
    expand(run, &[], first, pauses)
}

/// Takes every step of some states of which steps were left out before, and continues with the
/// targets.
pub fn make_up_for<M: Monitored, L: Listener>(
    run: &mut Run<'_, '_, M, Exact, L>,
    states: &[u32],
) -> ControlFlow<Stop> {
    run.space.layers.close(run.space.len());
    let first = run.space.len();
    expand(run, states, first, Pauses::NONE).map_continue(drop)
}

/// Takes every step of `again`, and the steps that the model gives of the states from `next` on,
/// until there is a reason to pause.
fn expand<M: Monitored, L: Listener>(
    run: &mut Run<'_, '_, M, Exact, L>,
    again: &[u32],
    mut next: u32,
    pauses: Pauses,
) -> ControlFlow<Stop, Paused> {
    run.steps.truncate(0);
    let mut batch = Batch {
        run,
        sources: Vec::new(),
        hints: Vec::new(),
    };
    for &at in again {
        // Steps that were taken before are not counted twice.
        let run = &mut *batch.run;
        let mut before = 0;
        let mut counter = Wanting(
            Wanted::Reduced,
            |_: Label<'_>, _: Result<&[u64], &Failure>| {
                before += 1;
                ControlFlow::Continue(())
            },
        );
        run.space.copy(at, &mut run.state);
        let _ = run.model.visit(&run.state, &mut run.scratch, &mut counter);
        run.space.edges -= before;
        run.space.set_reduced(at, false);
        batch.collect(at, Wanted::All)?;
        batch.take(false)?;
    }
    // The first state of the next layer. At first all states from `next` on are of the present one.
    let mut layer = batch.run.space.len();
    while next < batch.run.space.len() {
        if next == layer {
            // No step waits: the layer has come to its end.
            let run = &mut *batch.run;
            run.meter.go_deeper();
            run.depth_left = run.depth_left.map(|left| left.saturating_sub(1));
            layer = run.space.len();
            run.space.layers.end(layer);
            end_layer([&mut run.scratch]);
        }
        if layer == batch.run.space.len() {
            if layer >= pauses.many {
                return ControlFlow::Continue(Some((next, Pause::Many)));
            }
            let profit = batch.run.scratch.profit();
            if layer >= pauses.unprofitable && profit.is_some_and(|profit| profit.is_given_up()) {
                return ControlFlow::Continue(Some((next, Pause::Unprofitable)));
            }
            if layer - next >= pauses.wide {
                return ControlFlow::Continue(Some((next, Pause::Wide)));
            }
        }
        while next < layer && batch.run.steps.len() < BATCH {
            batch.collect(next, Wanted::AsItPays)?;
            next += 1;
        }
        batch.take(true)?;
    }
    if let (true, Some(depth)) = (run.is_cut, run.meter.limits().max_depth) {
        return ControlFlow::Break(Stop::Limit(Reason::Depth(depth)));
    }
    run.space.full = run.space.is_plain();
    ControlFlow::Continue(None)
}

/// The steps of a run that wait to be taken.
struct Batch<'r, 'a, 'm, M: Monitored, L> {
    run: &'r mut Run<'a, 'm, M, Exact, L>,
    /// Their source states, in order.
    sources: Vec<Source>,
    /// Likely place of each target in the store.
    hints: Vec<Hint>,
}

#[derive(Clone, Copy)]
struct Source {
    state: u32,
    /// Number of its steps.
    steps: usize,
    /// Whether it has none and the run ends there.
    ends: bool,
}

impl<M: Monitored, L: Listener> Batch<'_, '_, '_, M, L> {
    /// Adds the steps of a state. If they are more than fit at once, all but the last are taken.
    fn collect(&mut self, number: u32, mut wanted: Wanted) -> ControlFlow<Stop> {
        let mut rest = Rest::Nothing;
        self.run.visits += 1;
        loop {
            let run = &mut *self.run;
            let before = run.steps.len();
            run.collect(number, &mut rest, wanted)?;
            if run.steps.leaves_out {
                run.space.set_reduced(number, true);
            }
            wanted = Wanted::again(run.steps.leaves_out);
            let steps = run.steps.len() - before;
            let ends = steps == 0
                && (run.model.is_alone() || run.model.ends(&run.state, &mut run.scratch));
            self.sources.push(Source {
                state: number,
                steps,
                ends,
            });
            if rest == Rest::Nothing {
                return ControlFlow::Continue(());
            }
            self.take(false)?;
        }
    }

    /// Takes the steps in their order. `complete` if they are all of the last source.
    fn take(&mut self, complete: bool) -> ControlFlow<Stop> {
        self.look_ahead();
        let held = self.run.bytes_of_steps();
        let mut at = 0;
        for nth in 0..self.sources.len() {
            let source = self.sources[nth];
            for _ in 0..source.steps {
                let flow = self.take_one(source.state, at, held);
                at += 1;
                if flow == ControlFlow::Break(Stop::Decided) {
                    self.end(source, complete && at == self.run.steps.len());
                }
                flow?;
            }
            if source.ends {
                let run = &mut *self.run;
                run.space.copy(source.state, &mut run.state);
                let flow = run.listener.terminal(&run.space, source.state, &run.state);
                if flow.is_break() {
                    self.end(source, complete && at == self.run.steps.len());
                }
                flow?;
            }
        }
        self.run.steps.truncate(0);
        self.sources.clear();
        ControlFlow::Continue(())
    }

    /// The search ends with a state; `is_last` if that has no more steps.
    fn end(&mut self, source: Source, is_last: bool) {
        let space = &mut self.run.space;
        space.full = is_last && space.is_plain() && u64::from(source.state) + 1 == space.states();
    }

    /// Looks up where each target is likely to be, in two passes without dependent memory accesses.
    fn look_ahead(&mut self) {
        self.hints.clear();
        let store = &self.run.space.store;
        let states = || self.run.steps.states();
        self.hints.extend(states().map(|state| store.hint(state)));
        for (state, hint) in states().zip(&mut self.hints) {
            *hint = store.settle(*hint, state);
        }
    }

    #[inline]
    fn take_one(&mut self, from: u32, at: usize, held: u64) -> ControlFlow<Stop> {
        let run = &mut *self.run;
        run.tick()?;
        let store = &run.space.store;
        let spot = store.spot_from(self.hints[at], run.steps.state(at));
        if run.depth_left == Some(0) && spot.is_err() && run.steps.failing(at).is_none() {
            // The target is deeper than the limit.
            run.space.edges += 1;
            run.is_cut = true;
            return ControlFlow::Continue(());
        }
        run.take(from, (at, spot), |_| held).map_continue(drop)
    }
}
