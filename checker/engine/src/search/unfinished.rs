//! A breadth-first search that a limit has ended, as bytes, and the same search gone on with.
//!
//! The states stand in the order in which they were found, so that those that wait are the last ones, and a
//! search that goes on gives the next state the number that it would have had. Where it was in the middle of
//! a batch of steps, that batch is collected once more, and as many of its steps are passed over as were
//! taken: a model gives a state's steps always in the same order, and what a reduction judges by is put back
//! to what it was when the batch was begun ([`Successors::judgement`]).
//!
//! What the listener has heard is for the listener to keep.
//!
//! [`Successors::judgement`]: crate::successors::Successors::judgement

use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use super::meter::Stop;
use super::monitor::Monitored;
use super::{Listener, Run, Space};
use crate::lists::{put, take, take_array, wrong};
use crate::store::Store;
use crate::store::exact::{Exact, MOST_STATES};
use crate::successors::Judgement;

/// How far a breadth-first search has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The first state of the present batch.
    pub first: u32,
    /// The first state of the next layer.
    pub layer: u32,
    /// So many steps, and ends of runs, of the batch were taken.
    pub taken: u64,
    /// What a reduction went by when the batch was begun.
    pub judgement: Judgement,
}

/// Writes a search that has ended before it was over.
///
/// # Errors
/// Where it cannot be written.
pub fn write<M: Monitored, L: Listener>(
    run: &Run<'_, '_, M, Exact, L>,
    to: &mut dyn Write,
) -> io::Result<()> {
    let at = run.position;
    let depth = run.meter.depth;
    let figures = [
        at.first.into(),
        at.layer.into(),
        at.taken,
        depth,
        run.visits,
    ];
    put(to, &figures)?;
    put(to, &at.judgement)?;
    put(to, &[u8::from(run.leaves_out)])?;
    run.space.write(to)
}

/// Puts a run that has not begun where one was that was [written](write).
///
/// # Errors
/// Where these are not the bytes of such a search of this model. The run cannot be used then.
///
/// Breaks where a limit is reached.
pub fn read<M: Monitored, L: Listener>(
    run: &mut Run<'_, '_, M, Exact, L>,
    from: &mut dyn Read,
) -> ControlFlow<Stop, io::Result<()>> {
    let head = head(from);
    let (position, depth, visits, leaves_out) = match head {
        Ok(head) => head,
        Err(error) => return ControlFlow::Continue(Err(error)),
    };
    let words = run.model.words();
    let initials = run.model.initials().to_vec();
    let meter = &mut *run.meter;
    let poll = &mut |space: &Space| {
        let mut figures = space.figures(0);
        figures.bytes += space.store.bytes_to_grow();
        meter.poll_memory(figures)
    };
    let space = match Space::read(words, from, poll)? {
        Ok(space) => space,
        Err(error) => return ControlFlow::Continue(Err(error)),
    };
    let states = space.len();
    let begins = |number: u32| {
        number < states && *space.words(number..number + 1) == *initials[number as usize]
    };
    let is_of_it = (0..initials.len() as u32).all(begins)
        && position.first <= position.layer
        && position.layer <= states;
    if !is_of_it {
        return ControlFlow::Continue(Err(wrong("it is another model's")));
    }
    run.space = space;
    run.position = position;
    run.meter.depth = depth;
    run.visits = visits;
    run.leaves_out = leaves_out;
    ControlFlow::Continue(Ok(()))
}

fn head(from: &mut dyn Read) -> io::Result<(Position, u64, u64, bool)> {
    let [first, layer, taken, depth, visits] = take_array(from)?;
    let judgement = take_array(from)?;
    let [leaves_out]: [u8; 1] = take_array(from)?;
    let number = |number: u64| match number <= MOST_STATES {
        true => Ok(number as u32),
        false => Err(wrong("there is no such state")),
    };
    let position = Position {
        first: number(first)?,
        layer: number(layer)?,
        taken,
        judgement,
    };
    Ok((position, depth, visits, leaves_out != 0))
}

/// So many states are read at a time; some tenths of a millisecond of work.
const PIECE: u32 = 1 << 13;

impl Space {
    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let states = self.len();
        put(to, &[u64::from(states), self.edges])?;
        put(to, self.parents())?;
        put(to, self.reduced().as_words())?;
        for first in (0..states).step_by(PIECE as usize) {
            let next = first.saturating_add(PIECE).min(states);
            put(to, self.words(first..next))?;
        }
        Ok(())
    }

    /// States of so many words. While they become more `poll` is asked whether they may.
    fn read(
        words: usize,
        from: &mut dyn Read,
        poll: &mut dyn FnMut(&Space) -> ControlFlow<Stop>,
    ) -> ControlFlow<Stop, io::Result<Space>> {
        let (mut space, states) = match Space::without_rows(words, from) {
            Ok(begun) => begun,
            Err(error) => return ControlFlow::Continue(Err(error)),
        };
        while space.len() < states {
            poll(&space)?;
            let piece = (states - space.len()).min(PIECE);
            if let Err(error) = space.read_rows(words, piece, from) {
                return ControlFlow::Continue(Err(error));
            }
        }
        ControlFlow::Continue(Ok(space))
    }

    /// What stands beside the states, and how many these are.
    fn without_rows(words: usize, from: &mut dyn Read) -> io::Result<(Space, u32)> {
        let [states, edges]: [u64; 2] = take_array(from)?;
        if states > MOST_STATES {
            return Err(wrong("there are too many states"));
        }
        let parents: Vec<u32> = take(from, states)?;
        let reduced: Vec<u64> = take(from, states.div_ceil(64))?;
        let is_no_later = |(number, parent): (u32, &u32)| *parent <= number;
        if parents.len() as u64 != states || !(0..).zip(&parents).all(is_no_later) {
            return Err(wrong("a state was found from a later one"));
        }
        Ok((Space::beside(words, edges, parents, reduced), states as u32))
    }

    fn read_rows(&mut self, words: usize, piece: u32, from: &mut dyn Read) -> io::Result<()> {
        let len = piece as usize * words;
        let rows: Vec<u64> = take(from, len as u64)?;
        let mut are_new = || rows.chunks_exact(words).all(|row| self.append(row));
        match rows.len() == len && are_new() {
            true => Ok(()),
            false => Err(wrong("a state is missing, or there twice")),
        }
    }
}
