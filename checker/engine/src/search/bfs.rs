//! Breadth-first: the steps of the states in the order in which these were found.

use std::ops::ControlFlow;

use super::expansion::{Rest, Steps, expand};
use super::{Meter, Observer, Space, Stop};
use crate::options::Order;
use crate::successors::{Label, Successors, Visit, Wanted};
use stubborn_system::system::Failure;

/// Steps are looked up so many at a time, so that the waits for memory overlap.
const BATCH: usize = 128;

/// Finds every reachable state, the nearest first, unless something stops it. The space must be
/// new.
pub fn breadth_first<S: Successors, O: Observer>(
    successors: &S,
    order: Order,
    meter: &mut Meter<'_>,
    space: &mut Space,
    observer: &mut O,
) -> ControlFlow<Stop> {
    debug_assert_eq!(space.states(), 1, "a search begins with the initial state");
    observer.found(space, 0)?;
    go_on(successors, order, &[], 0, meter, space, observer)
}

/// Takes every step of some states of which steps were left out before, and then goes on with the
/// states that this leads to.
pub fn make_up_for<S: Successors, O: Observer>(
    successors: &S,
    order: Order,
    states: &[u32],
    meter: &mut Meter<'_>,
    space: &mut Space,
    observer: &mut O,
) -> ControlFlow<Stop> {
    let next = space.store.len();
    go_on(successors, order, states, next, meter, space, observer)
}

/// Takes every step of `again`, and of the states from `next` on those that the successors give.
fn go_on<S: Successors, O: Observer>(
    successors: &S,
    order: Order,
    again: &[u32],
    mut next: u32,
    meter: &mut Meter<'_>,
    space: &mut Space,
    observer: &mut O,
) -> ControlFlow<Stop> {
    let words = successors.words();
    let mut batch = Batch {
        steps: Steps::new(words, observer.wants_labels()),
        sources: Vec::new(),
        guesses: Vec::new(),
    };
    let mut scratch = successors.scratch();
    let mut state = vec![0; words];
    for &at in again {
        state.copy_from_slice(space.store.get(at));
        // What was taken before is not counted twice.
        let mut before = Counter(0);
        let _ = successors.visit(&state, &mut scratch, &mut before);
        space.edges -= before.0;
        space.set_reduced(at, false);
        let source = (at, &state[..]);
        let all = (order, Wanted::All);
        batch.collect(
            successors,
            &mut scratch,
            source,
            all,
            meter,
            space,
            observer,
        )?;
        batch.take(meter, space, observer, false)?;
    }
    // The first state of the next layer. All states from `next` on are of the first.
    let mut layer = space.store.len();
    while next < space.store.len() {
        if next == layer {
            // Nothing waits to be taken here: the layer has come to its end.
            meter.depth += 1;
            layer = space.store.len();
            successors.end_layer(&mut scratch);
        }
        while next < layer && batch.steps.len() < BATCH {
            state.copy_from_slice(space.store.get(next));
            let source = (next, &state[..]);
            let how = (order, Wanted::AsItPays);
            batch.collect(
                successors,
                &mut scratch,
                source,
                how,
                meter,
                space,
                observer,
            )?;
            next += 1;
        }
        batch.take(meter, space, observer, true)?;
    }
    space.full = space.is_plain();
    ControlFlow::Continue(())
}

/// Counts the steps that a reduction leaves of a state.
struct Counter(u64);

impl Visit for Counter {
    fn wanted(&self) -> Wanted {
        Wanted::Reduced
    }

    fn step(&mut self, _: Label<'_>, _: Result<&[u64], &Failure>) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }
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
    /// Adds the steps of a state. Where they are more than fit at once, all but the last are taken.
    #[allow(clippy::too_many_arguments)]
    fn collect<S: Successors, O: Observer>(
        &mut self,
        successors: &S,
        scratch: &mut S::Scratch,
        (number, state): (u32, &[u64]),
        (order, mut wanted): (Order, Wanted),
        meter: &mut Meter<'_>,
        space: &mut Space,
        observer: &mut O,
    ) -> ControlFlow<Stop> {
        let mut rest = Rest::Nothing;
        loop {
            let before = self.steps.len();
            let held = observer.bytes() + self.steps.bytes();
            let mut look = || meter.look(space, held);
            let steps = &mut self.steps;
            let how = (order, wanted);
            expand(successors, state, scratch, how, &mut rest, steps, &mut look)?;
            if steps.leaves_out {
                space.set_reduced(number, true);
            }
            wanted = Wanted::again(steps.leaves_out);
            self.sources.push(Source {
                state: number,
                steps: self.steps.len() - before,
            });
            if rest == Rest::Nothing {
                return ControlFlow::Continue(());
            }
            self.take(meter, space, observer, false)?;
        }
    }

    /// Takes the steps in their order. `complete` where they are all of the last source.
    fn take<O: Observer>(
        &mut self,
        meter: &mut Meter<'_>,
        space: &mut Space,
        observer: &mut O,
        complete: bool,
    ) -> ControlFlow<Stop> {
        self.guess(space);
        let held = self.steps.bytes();
        let mut at = 0;
        for source in &self.sources {
            for _ in 0..source.steps {
                let flow = self.take_one(source.state, at, meter, space, observer, held);
                at += 1;
                if flow == ControlFlow::Break(Stop::Decided) {
                    let is_last = complete && at == self.steps.len();
                    space.full = is_last
                        && space.is_plain()
                        && u64::from(source.state) + 1 == space.states();
                }
                flow?;
            }
            if source.steps == 0 {
                let flow = observer.terminal(space, source.state);
                if flow.is_break() {
                    let is_last = complete && at == self.steps.len();
                    space.full = is_last
                        && space.is_plain()
                        && u64::from(source.state) + 1 == space.states();
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
        meter: &mut Meter<'_>,
        space: &mut Space,
        observer: &mut O,
        held: u64,
    ) -> ControlFlow<Stop> {
        meter.step(space, observer, held)?;
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
            Err(vacancy) => space.step_to_new(from, (vacancy, state), meter, held, observer)?,
        };
        observer.edge(from, self.steps.label(at), to);
        ControlFlow::Continue(())
    }
}
