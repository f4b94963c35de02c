//! States that wait to be expanded, in blocks that threads take from each other.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::bounds::Bounds;
use crate::search::meter::Stop;

/// States of a block.
const BLOCK: usize = 256;
/// Memory of a block, with its place in a list that may be growing.
const BYTES_OF_BLOCK: u64 = (BLOCK * size_of::<u64>() + 3 * size_of::<Block>()) as u64;

pub type Block = Vec<u64>;

#[derive(Default)]
pub struct Blocks {
    blocks: VecDeque<Block>,
    /// Empty block for the next states: otherwise each narrow layer would need a new one.
    spare: Option<Block>,
}

impl Blocks {
    /// Number of states.
    #[inline]
    pub fn states(&self) -> usize {
        self.blocks.iter().map(Block::len).sum()
    }

    /// Adds a state, if there is memory for it.
    #[inline]
    pub fn push(&mut self, state: u64, bounds: &Bounds) -> ControlFlow<Stop> {
        match self.blocks.back_mut() {
            Some(block) if block.len() < BLOCK => {
                block.push(state);
                ControlFlow::Continue(())
            }
            _ => self.begin_block(state, bounds),
        }
    }

    #[cold]
    fn begin_block(&mut self, state: u64, bounds: &Bounds) -> ControlFlow<Stop> {
        let mut block = match self.spare.take() {
            Some(block) => block,
            None => {
                bounds.hold(BYTES_OF_BLOCK)?;
                Vec::with_capacity(BLOCK)
            }
        };
        block.push(state);
        self.blocks.push_back(block);
        ControlFlow::Continue(())
    }

    /// Adds the blocks of another thread.
    pub fn append(&mut self, others: Blocks) {
        self.blocks.extend(others.blocks);
    }

    /// Changes all states.
    pub fn change(&mut self, change: impl Fn(u64) -> u64) {
        let states = self.blocks.iter_mut().flatten();
        states.for_each(|state| *state = change(*state));
    }

    #[inline]
    pub fn take_first(&mut self) -> Option<Block> {
        self.blocks.pop_front()
    }

    #[inline]
    pub fn take_last(&mut self) -> Option<Block> {
        self.blocks.pop_back()
    }

    /// Takes out all states.
    pub fn take(&mut self) -> Blocks {
        Blocks {
            blocks: std::mem::take(&mut self.blocks),
            spare: None,
        }
    }

    /// Exchanges the states with those of others.
    pub fn swap(&mut self, others: &mut Blocks) {
        std::mem::swap(&mut self.blocks, &mut others.blocks);
    }

    /// Takes back a block whose states were expanded.
    pub fn recycle(&mut self, mut block: Block, bounds: &Bounds) {
        if self.spare.is_none() {
            block.clear();
            self.spare = Some(block);
        } else {
            bounds.let_go(BYTES_OF_BLOCK);
        }
    }
}
