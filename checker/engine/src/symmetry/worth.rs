//! Whether it pays to take states for one, judged by counts and never by the clock.
//!
//! Of the states that are nearest to the initial one canonical forms are made. How many these are tells what a search
//! would save; and how many permutations were tried, what each step would cost beside what it costs anyhow.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use rustc_hash::FxHashSet;
use stubborn_system::system::Failure;

use super::Orbits;
use crate::packed::Packed;
use crate::successors::{Label, Successors, Visit};

/// So many states are looked at,
const MOST_STATES: usize = 1000;
/// if no more than so many steps lead to them.
const MOST_STEPS: usize = 64 * MOST_STATES;
/// To try a permutation takes so many times as long as to take a step,
const TRIED: f64 = 0.5;
/// and to give elements their colours.
const COLOURED: f64 = 1.0;

/// It pays where it takes less than such a share.
const PAYS: f64 = 0.6;

/// States that a search comes to first.
pub struct Sample {
    states: Vec<Vec<u64>>,
}

/// What permutations make of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    states: usize,
    /// How many canonical forms they have.
    forms: usize,
    /// How many permutations were tried for these.
    tried: u64,
}

impl Sample {
    pub fn of(packed: &Packed<'_>) -> Sample {
        let first = packed.initial().to_vec();
        let mut scratch = packed.scratch();
        let mut found = Found {
            known: FxHashSet::from_iter([first.clone()]),
            states: vec![first.clone()],
            next: VecDeque::from([first]),
            steps: 0,
        };
        while let Some(state) = found.next.pop_front() {
            if packed.visit(&state, &mut scratch, &mut found).is_break() {
                break;
            }
        }
        Sample {
            states: found.states,
        }
    }

    pub fn worth(&self, orbits: &Orbits) -> Worth {
        let mut scratch = orbits.scratch();
        let forms: FxHashSet<Vec<u64>> = (self.states.iter())
            .map(|state| orbits.canonical(state, &mut scratch).to_vec())
            .collect();
        Worth {
            states: self.states.len(),
            forms: forms.len(),
            tried: scratch.tried,
        }
    }
}

impl Worth {
    /// Of what a search without permutations takes, what one with them would: less than one where it pays.
    pub fn share(self) -> f64 {
        let states = self.states as f64;
        let step = 1.0 + COLOURED + TRIED * self.tried as f64 / states;
        self.forms as f64 / states * step
    }

    /// Not where it is a near thing: what lies beyond the sample may have fewer like states, and a search that uses
    /// permutations does not use all that one without them does (its threads, steps that are remembered).
    pub fn pays(self) -> bool {
        self.share() < PAYS
    }
}

/// What was found so far.
struct Found {
    known: FxHashSet<Vec<u64>>,
    states: Vec<Vec<u64>>,
    next: VecDeque<Vec<u64>>,
    steps: usize,
}

impl Visit for Found {
    fn step(&mut self, _: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        self.steps += 1;
        if let Ok(state) = outcome
            && !self.known.contains(state)
        {
            self.known.insert(state.to_vec());
            self.states.push(state.to_vec());
            self.next.push_back(state.to_vec());
        }
        match self.states.len() < MOST_STATES && self.steps < MOST_STEPS {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }

    /// Many values are tried in vain: what was found has to do.
    fn pulse(&mut self) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}
