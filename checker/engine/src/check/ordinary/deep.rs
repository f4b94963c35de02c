//! Search for deep violations beside a large search.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use stubborn_system::property::Property;

use super::way::Way;
use crate::check::verdicts::{Noted, Noting};
use crate::observer::{Event, Observer};
use crate::options::{Options, Search, Storage};
use crate::packed::Packed;
use crate::plan::beside::DeepShare;
use crate::properties::kind_of;
use crate::runs::evidence::{Evidence, recorded};
use crate::runs::limits::{Limited, for_a_run};
use crate::search::cells::{Cells, MOST_KINDS};
use crate::search::random::{Found, STEPS_OF_SHRINKING};
use crate::search::shrink::shrunk;
use crate::search::{Alone, Beside, Figures, Meter, Stop};
use crate::successors::Successors as _;
use crate::verdict::{Outcome, Verdict};

/// Whether a search for deep violations may run beside a search with these options.
pub(super) fn looks_deeper(options: &Options) -> bool {
    options.storage == Storage::Exact
        && options.quick.is_none()
        && !matches!(options.search, Search::Random(_))
}

/// A search for deep violations.
pub(super) trait LooksDeeper {
    /// Takes the violations found since the last call.
    fn take(&self) -> Vec<(usize, Verdict)>;
}

type Searching<'a> = Cells<'a, Alone<'a, Packed<'a>>, Noting<'a>>;

/// The search for deep violations of some properties.
pub(super) struct Deep<'a> {
    packed: &'a Packed<'a>,
    model: &'a Alone<'a, Packed<'a>>,
    properties: &'a [Property],
    observer: &'a dyn Observer,
    share: DeepShare,
    seed: u64,
    state: Mutex<State<'a>>,
}

struct State<'a> {
    /// Made with the first states that it explores.
    searching: Option<Searching<'a>>,
    /// Whether each property is still open.
    is_open: Vec<bool>,
    /// States that it has explored.
    explored: u64,
    /// Violations that the check does not know of yet.
    found: Vec<(usize, Verdict)>,
}

impl<'a> Deep<'a> {
    pub(super) fn new(
        (packed, model): (&'a Packed<'a>, &'a Alone<'a, Packed<'a>>),
        properties: &'a [Property],
        options: &Options,
        observer: &'a dyn Observer,
    ) -> Deep<'a> {
        Deep {
            packed,
            model,
            properties,
            observer,
            share: DeepShare::of(packed.words()),
            seed: options.seed,
            state: Mutex::new(State {
                searching: None,
                is_open: vec![true; properties.len()],
                explored: 0,
                found: Vec::new(),
            }),
        }
    }

    fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The search has decided a property.
    pub(super) fn close(&self, property: usize) {
        let mut state = self.state();
        state.is_open[property] = false;
        if let Some(searching) = &mut state.searching {
            searching.observer().close(property);
        }
    }

    fn explore_some(&self, states: u64, meter: &Meter<'_>, figures: Figures) -> ControlFlow<Stop> {
        let (noted, flow) = {
            let mut state = self.state();
            let state = &mut *state;
            let searching = state.searching.get_or_insert_with(|| {
                let open = self.properties.iter().enumerate();
                let open = open.filter(|(property, _)| state.is_open[*property]);
                let noting = Noting::new(self.packed, open);
                let mut bits = noting.footprints();
                if bits.is_empty() {
                    bits = self.parts();
                }
                bits.truncate(MOST_KINDS);
                Cells::new((self.model, bits), self.seed, noting)
            });
            if searching.observer().is_done() {
                return ControlFlow::Continue(());
            }
            let most = meter.max_memory().unwrap_or(u64::MAX);
            let held = figures.bytes + meter.own_memory();
            if searching.bytes() > self.share.most_bytes.min(most.saturating_sub(held)) {
                searching.clear();
                if held + self.share.most_bytes > most {
                    return ControlFlow::Continue(());
                }
            }
            let mut noted = Vec::new();
            let flow = searching.explore(states, &mut noted, &mut |_| {
                meter.goes_on().map_continue(drop)
            });
            state.explored += states;
            (noted, flow)
        };
        for Found { noted, path } in noted {
            for one in noted {
                self.report(one, path.clone(), meter, figures);
            }
        }
        match flow {
            ControlFlow::Break(Stop::Limit(reason)) => ControlFlow::Break(Stop::Limit(reason)),
            _ if self.state().is_open.contains(&true) => ControlFlow::Continue(()),
            _ => ControlFlow::Break(Stop::Decided),
        }
    }

    /// Each part of a state as the bits of one kind of cell.
    fn parts(&self) -> Vec<Vec<u64>> {
        let kinds = self.packed.parts().into_iter().map(|(word, bits)| {
            let mut kind = vec![0; self.packed.words()];
            kind[word as usize] = bits;
            kind
        });
        kinds.collect()
    }

    /// Reports a violation, with as short a run as leaving steps out gives.
    fn report(&self, one: Noted, path: Vec<Box<[u64]>>, meter: &Meter<'_>, figures: Figures) {
        let property = one.property;
        let asked = (property, &self.properties[property]);
        let observer = || Noting::new(self.packed, [asked]);
        let mut budget = STEPS_OF_SHRINKING;
        let (one, states) = match shrunk(self.model, &path, (&mut budget, meter), observer) {
            Some(Found { mut noted, path }) => (noted.swap_remove(0), path),
            None => (one, path),
        };
        let way = Way {
            states,
            figures,
            ..Way::default()
        };
        let evidence = Evidence {
            failing: one.failing,
            ..way.evidence()
        };
        let kind = kind_of(&self.properties[property]);
        let limited = Limited::new(for_a_run(meter.budget(), meter.begun()), figures.bytes);
        let poll = &mut |bytes| limited.poll(bytes);
        let Ok(trace) = recorded((self.packed, None), &*kind, &evidence, &way, poll) else {
            return;
        };
        let verdict = Verdict::Violated {
            finding: one.finding,
            trace: Arc::new(trace),
        };
        self.state().is_open[property] = false;
        let outcome = Outcome {
            states: figures.states,
            edges: figures.edges,
            seconds: meter.seconds(),
            ..Outcome::without_search(verdict.clone())
        };
        self.observer.event(Event::Decided(property, &outcome));
        self.state().found.push((property, verdict));
    }
}

impl Beside for Deep<'_> {
    fn work(&self, meter: &Meter<'_>, figures: Figures) -> ControlFlow<Stop> {
        let explored = self.state().explored;
        match self.share.due(figures.states, explored) {
            0 => ControlFlow::Continue(()),
            states => self.explore_some(states, meter, figures),
        }
    }
}

impl LooksDeeper for Deep<'_> {
    fn take(&self) -> Vec<(usize, Verdict)> {
        std::mem::take(&mut self.state().found)
    }
}
