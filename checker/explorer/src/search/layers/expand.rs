//! Loop over the states of a layer, the same for each breadth-first search without numbers.
//!
//! The states may be in memory, on the disk or in several processes: [`States`] hides where. A
//! state is given as its word, or whole if it has several words and no coding.

use std::ops::ControlFlow;

use stubborn_space::options::Use;
use stubborn_space::successors::{Footprints, WorkingMemory};

use super::sink::Sink;
use super::step_cache::{StepCache, visit_whole};
use crate::store::coding::Coding;

/// States of a breadth-first search as one worker reaches them.
pub trait States: Sink {
    /// Replaces the block by the next states of the layer, one after the other; returns whether
    /// there are any.
    fn next_block(&mut self, block: &mut Vec<u64>) -> ControlFlow<Self::Stop, bool>;

    /// Number of words of each state in a block if states are whole there; otherwise each is given
    /// by its word.
    #[inline(always)]
    fn whole(&self) -> Option<usize> {
        None
    }

    /// The next steps are those of this state of the block.
    #[inline(always)]
    fn begins(&mut self, _row: &[u64]) {}

    /// Number of steps so far, including failing ones.
    fn steps(&self) -> u64;

    /// The state has no step.
    fn terminal(&mut self, state: &[u64]) -> ControlFlow<Self::Stop>;

    /// All steps of the block were taken, and the model holds `scratch` bytes.
    fn end_block(&mut self, _block: &mut Vec<u64>, _scratch: u64) -> ControlFlow<Self::Stop> {
        ControlFlow::Continue(())
    }
}

/// Means of a worker to take steps: the working memory of the model and a cache of steps.
pub struct Expander<S> {
    pub scratch: S,
    steps: StepCache,
    /// Buffer for a decoded state.
    state: Vec<u64>,
}

impl<S: WorkingMemory> Expander<S> {
    pub fn new<N: Footprints<Scratch = S>>(model: &N, cached: Use) -> Expander<S> {
        Expander {
            scratch: model.scratch(),
            steps: StepCache::when(cached),
            state: vec![0; model.words()],
        }
    }

    /// Takes the steps of all states of the layer, or until the states break off.
    pub fn expand<N, T>(&mut self, model: &N, states: &mut T) -> ControlFlow<T::Stop>
    where
        N: Footprints<Scratch = S>,
        T: States,
    {
        let mut block = Vec::new();
        while states.next_block(&mut block)? {
            match states.whole() {
                None => {
                    for (at, word) in block.iter().enumerate() {
                        self.steps.fetch(*block.get(at + 1).unwrap_or(word));
                        self.take_steps(model, (Some(*word), &[*word]), states)?;
                    }
                }
                Some(words) => {
                    for row in block.chunks_exact(words) {
                        self.take_steps(model, (None, row), states)?;
                    }
                }
            }
            states.end_block(&mut block, self.scratch.bytes())?;
        }
        ControlFlow::Continue(())
    }

    /// Takes the steps of a state that is given by its word, if it has one, or whole.
    #[inline(always)]
    fn take_steps<N, T>(
        &mut self,
        model: &N,
        (word, row): (Option<u64>, &[u64]),
        states: &mut T,
    ) -> ControlFlow<T::Stop>
    where
        N: Footprints<Scratch = S>,
        T: States,
    {
        let (state, scratch) = (&mut self.state, &mut self.scratch);
        states.begins(row);
        let before = states.steps();
        match word {
            Some(word) => self.steps.visit(model, word, state, scratch, states)?,
            None => visit_whole(model, row, scratch, states)?,
        }
        if states.steps() > before {
            return ControlFlow::Continue(());
        }
        match word {
            Some(word) => {
                states.coding().state(word, state);
                states.terminal(state)
            }
            None => states.terminal(row),
        }
    }
}
