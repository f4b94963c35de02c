//! Search for deep violations beside a large search.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use stubborn_system::property::Property;

use super::early_violation::EarlyViolations;
use crate::check::verdicts::{Noted, Noting};
use crate::observer::Observer;
use crate::options::{Options, Search, Storage};
use crate::packed::Packed;
use crate::plan::attempt::{Attempt, Ended, Finished, Numbers, Proof, StatesIn, Strategy};
use crate::plan::beside::DeepShare;
use crate::plan::stages::Stage;
use crate::search::cells::{Cells, MOST_KINDS};
use crate::search::random::{Found, STEPS_OF_SHRINKING};
use crate::search::{Alone, Beside, Figures, Meter, Stop};
use crate::successors::Successors as _;
use crate::verdict::Verdict;

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
    early: EarlyViolations<'a>,
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
    /// Time that it has taken.
    seconds: f64,
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
            early: EarlyViolations {
                packed,
                model,
                properties,
                observer,
            },
            share: DeepShare::of(packed.words()),
            seed: options.seed,
            state: Mutex::new(State {
                searching: None,
                is_open: vec![true; properties.len()],
                explored: 0,
                seconds: 0.0,
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

    /// The search as an attempt, if it has explored a state. `open` are the properties that are left.
    pub(super) fn finished(&self, open: Vec<usize>) -> Option<Finished> {
        let state = self.state();
        let attempt = Attempt {
            strategy: Strategy::Cells,
            stage: Stage::Plain,
            numbers: Numbers::All,
            order: Search::Breadth,
            states_in: StatesIn::Memory,
            proof: Proof::None,
            max_states: None,
            max_edges: None,
            why: "beside a large search a small part of the time is for deep violations",
        };
        (state.explored > 0).then(|| Finished {
            attempt,
            ended: Ended::NotProved,
            states: state.explored,
            edges: 0,
            seconds: state.seconds,
            open,
        })
    }

    fn explore_some(&self, states: u64, meter: &Meter<'_>, figures: Figures) -> ControlFlow<Stop> {
        let (noted, flow) = {
            let mut state = self.state();
            let state = &mut *state;
            let searching = state.searching.get_or_insert_with(|| {
                let open = self.early.properties.iter().enumerate();
                let open = open.filter(|(property, _)| state.is_open[*property]);
                let noting = Noting::new(self.early.packed, open);
                let mut bits = noting.footprints();
                if bits.is_empty() {
                    bits = self.parts();
                }
                bits.truncate(MOST_KINDS);
                Cells::new((self.early.model, bits), self.seed, noting)
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
            let began = meter.seconds();
            let flow = searching.explore(states, &mut noted, &mut |_| {
                meter.goes_on().map_continue(drop)
            });
            state.explored += states;
            state.seconds += meter.seconds() - began;
            (noted, flow)
        };
        for Found { noted, path } in noted {
            for one in noted {
                self.report(&one, &path, meter, figures);
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
        let packed = self.early.packed;
        let kinds = packed.parts().into_iter().map(|(word, bits)| {
            let mut kind = vec![0; packed.words()];
            kind[word as usize] = bits;
            kind
        });
        kinds.collect()
    }

    /// Reports a violation.
    fn report(&self, one: &Noted, path: &[Box<[u64]>], meter: &Meter<'_>, figures: Figures) {
        let mut budget = STEPS_OF_SHRINKING;
        let verdict = self.early.report(one, path, &mut budget, (meter, figures));
        if let Ok(verdict) = verdict {
            let mut state = self.state();
            state.is_open[one.property] = false;
            state.found.push((one.property, verdict));
        }
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

#[cfg(test)]
mod tests {
    use stubborn_model::elaborate::Settings;
    use stubborn_random::read;

    use super::*;
    use crate::caller::Caller;
    use crate::options::{Limits, Reduction, Symmetry};
    use crate::verdict::Reason;

    /// A counter that is set back as often as it counts on, beside far more states of others.
    const DEEP: &str = "
var stage: 0..20
var noise: array[0..5] of 0..9
process worker { loop { either { stage = min(stage + 1, 20) } or { stage = 0 } } }
process noisy(i in 0..5) { loop { noise[i] = (noise[i] + 1) % 10 } }
invariant short: stage < 20
";

    #[test]
    fn a_deep_violation_is_found_in_cells_where_a_breadth_first_search_does_not_come() {
        const STATES: u64 = 20_000;
        let drawn = read::text(DEEP.to_owned(), &Settings::default()).expect("it is right");
        let named = drawn.properties.into_iter().find(|one| one.name == "short");
        let properties = [named.expect("it is there").property];
        let options = Options {
            reduction: Reduction::None,
            symmetry: Symmetry::Off,
            // Without slices, which would leave the others out.
            keep_dead_variables: true,
            limits: Limits {
                max_states: Some(STATES),
                ..Limits::default()
            },
            ..Options::default()
        };
        let caller = Caller::default();
        let found = crate::check(&drawn.system, &properties, &options, caller);
        let found = found.expect("small states").remove(0);
        assert_eq!(found.verdict, Verdict::Undecided(Reason::States(STATES)));
        assert!(found.depth.expect("whole layers") < 20);

        let packed = Packed::new(&drawn.system).expect("small states");
        let model = Alone::new(&packed);
        let noting = Noting::new(&packed, properties.iter().enumerate());
        let bits = noting.footprints();
        assert_eq!(bits.len(), 1, "the property reads the stage alone");
        let mut cells = Cells::new((&model, bits), 1, noting);
        let mut noted = Vec::new();
        let mut expanded = 0;
        let mut go_on = |_| {
            expanded += 1;
            ControlFlow::Continue(())
        };
        let _ = cells.explore(STATES / 10, &mut noted, &mut go_on);
        let path = noted.first().map(|found| found.path.len());
        assert!(path.is_some_and(|states| states > 20), "{path:?}");
        assert!(expanded <= STATES / 10);
    }
}
