//! What is noted while a breadth-first search goes on, as bytes.

use std::io::{self, Read, Write};

use super::{AtEnd, Terminal, Verdicts};
use crate::graph::{Edges, StateSet};
use crate::lists::{put, take, take_array, wrong};
use crate::search::Space;
use crate::successors::Successors;

impl Verdicts<'_> {
    /// Writes what is noted for the properties, none of which was decided by the search.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        debug_assert!(self.termination.is_none(), "it is of another order");
        for (goals, dead_end) in self.goals.iter().zip(&self.dead_ends) {
            put(to, goals.as_words())?;
            let dead_end: Vec<u32> = dead_end.iter().map(|(state, _)| *state).collect();
            put(to, &dead_end)?;
        }
        put(to, self.terminal.as_words())?;
        put(to, &[u8::from(self.edges.is_some())])?;
        match &self.edges {
            Some(edges) => edges.write(to),
            None => Ok(()),
        }
    }

    /// Notes what was noted of a search with these states.
    ///
    /// # Errors
    /// Where these are not the bytes of it. What is noted has no meaning then.
    pub fn read(&mut self, from: &mut dyn Read, space: &Space) -> io::Result<()> {
        let states = space.len();
        let mut dead_ends = Vec::new();
        for property in 0..self.properties.len() {
            self.goals[property] = set(from, states)?;
            let dead_end: Vec<u32> = take(from, 1)?;
            dead_ends.push(dead_end.first().copied());
        }
        self.terminal = set(from, states)?;
        let [has_edges]: [u8; 1] = take_array(from)?;
        self.edges = match has_edges {
            0 => None,
            _ => Some(Edges::read(from, states)?),
        };
        // There may be more memory now: what is needed is made again.
        self.edges_were_dropped = false;
        for (property, state) in dead_ends.into_iter().enumerate() {
            if let Some(state) = state {
                self.note_dead_end(property, state, space)?;
            }
        }
        Ok(())
    }

    /// Asks again what was a dead end.
    fn note_dead_end(&mut self, property: usize, number: u32, space: &Space) -> io::Result<()> {
        if !self.terminal.contains(number) {
            return Err(wrong("a dead end is where no run ends"));
        }
        let mut state = vec![0; self.packed.words()];
        space.copy(number, &mut state);
        let mut end = Terminal {
            packed: self.packed,
            expression: self.expressions[property].as_ref(),
            scratch: &mut self.scratch,
            state: &state,
            is_goal: self.goals[property].contains(number),
        };
        match self.kinds[property].at_end(&mut end) {
            AtEnd::DeadEnd(finding) => {
                self.dead_ends[property] = Some((number, finding));
                Ok(())
            }
            AtEnd::Nothing | AtEnd::Violation(_) => Err(wrong("a dead end is none")),
        }
    }
}

/// Some of so many states.
fn set(from: &mut dyn Read, states: u32) -> io::Result<StateSet> {
    let words: Vec<u64> = take(from, u64::from(states).div_ceil(64))?;
    Ok(StateSet::of_words(words))
}
