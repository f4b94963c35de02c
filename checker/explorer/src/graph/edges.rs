//! The edges of a state space: for each state, in order, the states that its steps lead to.

/// Four bytes an edge, and some four a state.
#[derive(Clone, Debug, Default)]
pub struct Edges {
    targets: Vec<u32>,
    /// Of each state, where its edges end, counted from the beginning of its block.
    ends: Vec<u32>,
    /// Where the edges of each block of states begin.
    blocks: Vec<u64>,
}

const BLOCK: usize = 1 << 10;

impl Edges {
    /// Adds an edge of the state that comes next.
    #[inline]
    pub fn push(&mut self, target: u32) {
        self.targets.push(target);
    }

    /// All edges of the state that comes next have been added.
    #[inline]
    pub fn end_state(&mut self) {
        if self.ends.len().is_multiple_of(BLOCK) {
            let begin = match self.blocks.last() {
                Some(block) => block + u64::from(self.ends[self.ends.len() - 1]),
                None => 0,
            };
            self.blocks.push(begin);
        }
        let block = self.blocks[self.ends.len() / BLOCK];
        self.ends.push((self.targets.len() as u64 - block) as u32);
    }

    /// Ends all states before this one.
    #[inline]
    pub fn end_states(&mut self, before: u32) {
        while self.states() < before {
            self.end_state();
        }
    }

    /// How many states have all their edges.
    #[inline]
    pub fn states(&self) -> u32 {
        self.ends.len() as u32
    }

    /// How many edges there are.
    #[inline]
    pub fn edges(&self) -> u64 {
        self.targets.len() as u64
    }

    #[inline]
    pub fn of(&self, state: u32) -> &[u32] {
        let block = self.blocks[state as usize / BLOCK] as usize;
        &self.targets[self.first(state)..block + self.ends[state as usize] as usize]
    }

    /// How many edges the states before this one have.
    #[inline]
    pub fn first(&self, state: u32) -> usize {
        let state = state as usize;
        let block = self.blocks[state / BLOCK] as usize;
        if state.is_multiple_of(BLOCK) {
            block
        } else {
            block + self.ends[state - 1] as usize
        }
    }

    pub fn bytes(&self) -> u64 {
        (self.targets.len() * 4 + self.ends.len() * 4 + self.blocks.len() * 8) as u64
    }
}

#[cfg(test)]
impl Edges {
    pub fn of_lists(lists: &[&[u32]]) -> Edges {
        let mut edges = Edges::default();
        for list in lists {
            list.iter().for_each(|target| edges.push(*target));
            edges.end_state();
        }
        edges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_state_has_its_edges_across_blocks() {
        let mut edges = Edges::default();
        for state in 0..3000u32 {
            (0..state % 4).for_each(|target| edges.push(state + target));
            edges.end_state();
        }
        for state in 0..3000 {
            let expected: Vec<u32> = (0..state % 4).map(|target| state + target).collect();
            assert_eq!(edges.of(state), expected);
        }
        assert_eq!(edges.states(), 3000);
    }
}
