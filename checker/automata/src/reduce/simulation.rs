//! Direct simulation (Etessami and Holzmann 2000; Somenzi and Bloem 2000), of both kinds of automata.
//!
//! A state simulates another where it reads all that the other reads, has the marks that the other
//! has, and for each state after the other one after itself, on the same change, that simulates it:
//! so it accepts what the other accepts. A `reject` state simulates every state of whose valuations
//! it reads all. Three things follow, which change nothing in what is accepted: states that simulate
//! each other become one; of two transitions from one state (on the same change) the one to a
//! simulated state goes; and so do beginnings.

use crate::work::{Stopped, Work};

/// Automata with more states or transitions are left as they are, and those for which more pairs of
/// transitions would have to be compared. One round compares no more than the square of the
/// transitions, and a few rounds are usual.
const MOST_STATES: usize = 512;
const MOST_TRANSITIONS: usize = 4_096;
const MOST_WORK: usize = 50_000_000;

/// Which states simulate which.
pub struct Simulation {
    /// For each state the set of those that simulate it.
    by: Vec<Box<[u64]>>,
    /// The first state of each class of such as simulate each other.
    first: Vec<usize>,
    /// The class of each state; numbered in the order of their first members.
    pub classes: Vec<u32>,
}

impl Simulation {
    /// The greatest one: takes what cannot hold out of what could, until nothing more can be taken.
    /// `allows(s, t)` says whether s may simulate t as far as both alone are concerned. `None` where
    /// that would take too long.
    ///
    /// # Errors
    /// Where the work has been stopped.
    pub fn of<Edge: Ord + Copy>(
        edges: &[Vec<(Edge, u32)>],
        rejects: &[bool],
        allows: impl Fn(usize, usize) -> bool,
        work: &Work<'_>,
    ) -> Result<Option<Simulation>, Stopped> {
        let count = edges.len();
        let transitions: usize = edges.iter().map(Vec::len).sum();
        if count > MOST_STATES || transitions > MOST_TRANSITIONS {
            return Ok(None);
        }
        let mut by = vec![vec![0u64; count.div_ceil(64)].into_boxed_slice(); count];
        for state in 0..count {
            // Labels are compared.
            work.spend(10 * count)?;
            for other in 0..count {
                if rejects[other] >= rejects[state] && allows(other, state) {
                    by[state][other / 64] |= 1 << (other % 64);
                }
            }
        }
        let mut compared = 0;
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for state in 0..count {
                let before = compared;
                for other in 0..count {
                    if !contains(&by[state], other) || rejects[other] {
                        continue;
                    }
                    let mut matched = |&(on, target): &(Edge, u32)| {
                        compared += edges[other].len();
                        let mut answers = edges[other].iter().filter(|answer| answer.0 == on);
                        answers.any(|answer| contains(&by[target as usize], answer.1 as usize))
                    };
                    if !edges[state].iter().all(&mut matched) {
                        by[state][other / 64] &= !(1 << (other % 64));
                        changed = true;
                    }
                }
                work.spend(count + compared - before)?;
                if compared > MOST_WORK {
                    return Ok(None);
                }
            }
        }
        let mut first: Vec<usize> = Vec::new();
        let mut classes = Vec::with_capacity(count);
        for state in 0..count {
            let same = |&other: &usize| contains(&by[state], other) && contains(&by[other], state);
            let known = first.iter().position(same);
            classes.push(known.unwrap_or(first.len()) as u32);
            if known.is_none() {
                first.push(state);
            }
        }
        Ok(Some(Simulation { by, first, classes }))
    }

    /// Whether class `two` simulates class `one`, another one. A strict partial order, so that of
    /// each chain the greatest stays when what is less than another goes.
    pub fn is_less(&self, one: u32, two: u32) -> bool {
        let first = |class: u32| self.first[class as usize];
        one != two && contains(&self.by[first(one)], first(two))
    }
}

fn contains(set: &[u64], member: usize) -> bool {
    set[member / 64] >> (member % 64) & 1 == 1
}
