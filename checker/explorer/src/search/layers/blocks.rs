//! States that wait to be gone through, in blocks that threads take from each other.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::bounds::Bounds;
use crate::search::meter::Stop;

/// So many states are handed on at a time.
const BLOCK: usize = 256;
/// With its place in a list, which may be just growing.
const BYTES_OF_BLOCK: u64 = (BLOCK * size_of::<u64>() + 3 * size_of::<Block>()) as u64;

pub type Block = Vec<u64>;

#[derive(Default)]
pub struct Blocks(VecDeque<Block>);

impl Blocks {
    /// Of all these. Who calls it holds the memory ([`Blocks::bytes_for`]).
    pub fn of(states: &[u64]) -> Blocks {
        Blocks(states.chunks(BLOCK).map(Block::from).collect())
    }

    /// In bytes.
    pub fn bytes_for(states: usize) -> u64 {
        states.div_ceil(BLOCK) as u64 * BYTES_OF_BLOCK
    }

    /// How many states there are.
    #[inline]
    pub fn states(&self) -> usize {
        self.0.iter().map(Block::len).sum()
    }

    /// One more state, if there is memory for it.
    #[inline]
    pub fn push(&mut self, state: u64, bounds: &Bounds) -> ControlFlow<Stop> {
        match self.0.back_mut() {
            Some(block) if block.len() < BLOCK => block.push(state),
            _ => {
                bounds.hold(BYTES_OF_BLOCK)?;
                let mut block = Vec::with_capacity(BLOCK);
                block.push(state);
                self.0.push_back(block);
            }
        }
        ControlFlow::Continue(())
    }

    /// Takes in the blocks that another thread has found.
    pub fn append(&mut self, others: Blocks) {
        self.0.extend(others.0);
    }

    /// Changes all states.
    pub fn change(&mut self, change: impl Fn(u64) -> u64) {
        let states = self.0.iter_mut().flatten();
        states.for_each(|state| *state = change(*state));
    }

    #[inline]
    pub fn take_first(&mut self) -> Option<Block> {
        self.0.pop_front()
    }

    #[inline]
    pub fn take_last(&mut self) -> Option<Block> {
        self.0.pop_back()
    }
}

/// Gives back the memory of a block that was taken.
pub fn let_go(block: Block, bounds: &Bounds) {
    drop(block);
    bounds.let_go(BYTES_OF_BLOCK);
}
