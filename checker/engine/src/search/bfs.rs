//! Breadth-first: the steps of the states in the order in which these were found.

use std::ops::ControlFlow;

use super::expansion::{Rest, Steps, expand};
use super::{Observer, Pace, Space, Stop};
use crate::options::Order;
use crate::successors::Successors;

/// Steps are looked up so many at a time, so that the waits for memory overlap.
const BATCH: usize = 128;

/// Finds every reachable state, the nearest first, unless something stops it. The space must be
/// new.
pub fn breadth_first<S: Successors, O: Observer>(
    successors: &S,
    order: Order,
    pace: &mut Pace<'_>,
    space: &mut Space,
    observer: &mut O,
) -> ControlFlow<Stop> {
    debug_assert_eq!(space.states(), 1, "a search begins with the initial state");
    observer.found(space, 0)?;
    let words = successors.words();
    let mut batch = Batch {
        steps: Steps::new(words, observer.wants_labels()),
        sources: Vec::new(),
        guesses: Vec::new(),
    };
    let mut scratch = successors.scratch();
    let mut state = vec![0; words];
    let mut next = 0;
    // The first state of the next layer.
    let mut layer = 1;
    while next < space.store.len() {
        while next < space.store.len() && batch.steps.len() < BATCH {
            if next == layer {
                pace.depth += 1;
                layer = space.store.len();
            }
            state.copy_from_slice(space.store.get(next));
            let mut rest = Rest::Nothing;
            loop {
                let before = batch.steps.len();
                let held = observer.bytes() + batch.steps.bytes();
                let mut look = || pace.look(space, held);
                let steps = &mut batch.steps;
                expand(
                    successors,
                    &state,
                    &mut scratch,
                    order,
                    &mut rest,
                    steps,
                    &mut look,
                )?;
                batch.sources.push(Source {
                    state: next,
                    steps: batch.steps.len() - before,
                });
                if rest == Rest::Nothing {
                    break;
                }
                batch.take(pace, space, observer, false)?;
            }
            next += 1;
        }
        batch.take(pace, space, observer, true)?;
    }
    space.full = true;
    ControlFlow::Continue(())
}

/// Steps that wait to be taken.
struct Batch {
    steps: Steps,
    /// The states that they are of, in order.
    sources: Vec<Source>,
    /// Of each step, the hash of its state, and that state's number if it was easily found.
    guesses: Vec<(u64, Option<u32>)>,
}

struct Source {
    state: u32,
    /// How many of the steps are its.
    steps: usize,
}

impl Batch {
    /// Takes the steps in their order. `complete` where they are all of the last source.
    fn take<O: Observer>(
        &mut self,
        pace: &mut Pace<'_>,
        space: &mut Space,
        observer: &mut O,
        complete: bool,
    ) -> ControlFlow<Stop> {
        self.guess(space);
        let held = self.steps.bytes();
        let mut at = 0;
        for source in &self.sources {
            for _ in 0..source.steps {
                let flow = self.take_one(source.state, at, pace, space, observer, held);
                at += 1;
                if flow == ControlFlow::Break(Stop::Decided) {
                    let is_last = complete && at == self.steps.len();
                    space.full = is_last && u64::from(source.state) + 1 == space.states();
                }
                flow?;
            }
            if source.steps == 0 {
                let flow = observer.terminal(space, source.state);
                if flow.is_break() {
                    let is_last = complete && at == self.steps.len();
                    space.full = is_last && u64::from(source.state) + 1 == space.states();
                }
                flow?;
            }
        }
        self.steps.truncate(0);
        self.sources.clear();
        ControlFlow::Continue(())
    }

    /// Looks every step's state up where it is most likely to be, in two passes of which neither
    /// needs one answer before it can ask for the next.
    fn guess(&mut self, space: &Space) {
        self.guesses.clear();
        for state in self.steps.states() {
            let hash = space.store.hash(state);
            self.guesses.push((hash, space.store.first_guess(hash)));
        }
        for (state, (_, guess)) in self.steps.states().zip(&mut self.guesses) {
            *guess = guess.filter(|guess| space.store.is(*guess, state));
        }
    }

    #[inline]
    fn take_one<O: Observer>(
        &self,
        from: u32,
        at: usize,
        pace: &mut Pace<'_>,
        space: &mut Space,
        observer: &mut O,
        held: u64,
    ) -> ControlFlow<Stop> {
        pace.step(space, observer, held)?;
        if let Some(failing) = self.steps.failing(at) {
            space.edges += 1;
            return observer.failing(space, from, failing.label.label(), &failing.failure);
        }
        let state = self.steps.state(at);
        let (hash, guess) = self.guesses[at];
        let found = match guess {
            Some(number) => Ok(number),
            None => space.store.find(hash, state),
        };
        let to = match found {
            Ok(number) => {
                space.edges += 1;
                number
            }
            Err(vacancy) => space.step_to_new(from, (vacancy, state), pace, held, observer)?,
        };
        observer.edge(from, self.steps.label(at), to);
        ControlFlow::Continue(())
    }
}
