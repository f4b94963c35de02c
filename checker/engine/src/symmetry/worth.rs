//! Whether it pays to take states for one, judged by counts and never by the clock.
//!
//! Of the states that are nearest to the initial one canonical forms are made. How many these are tells what a search
//! would save; and how many permutations were tried, what each step would cost beside what it costs anyhow.
//!
//! Near the initial state few have moved yet, and most are in the same place: there an orbit has few states. So where
//! some of the states nearby are one, a search through as many canonical states is begun, which comes farther; and how many
//! states are in their orbits tells what it would save there, if all of them can be reached.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use rustc_hash::FxHashSet;
use stubborn_system::system::Failure;

use super::{Orbits, Symmetric};
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

/// Where more than such a part of the states have forms of their own, they are not alike though steps are.
const MOST_FORMS: f64 = 0.9;

/// It pays where it takes less than such a share.
const PAYS: f64 = 0.6;

/// States that a search comes to first.
pub struct Sample {
    states: Vec<Vec<u64>>,
}

/// What permutations make of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    states: f64,
    /// How many canonical forms they have.
    forms: usize,
    /// How many permutations are tried for one.
    tried: f64,
}

impl Sample {
    pub fn of(packed: &Packed<'_>) -> Sample {
        Sample {
            states: first_states(packed),
        }
    }

    pub fn worth(&self, packed: &Packed<'_>, orbits: &Orbits) -> Worth {
        let mut scratch = orbits.scratch();
        let forms: FxHashSet<Vec<u64>> = (self.states.iter())
            .map(|state| orbits.canonical(state, &mut scratch).to_vec())
            .collect();
        let near = Worth {
            states: self.states.len() as f64,
            forms: forms.len(),
            tried: scratch.tried as f64 / self.states.len() as f64,
        };
        if near.forms as f64 > MOST_FORMS * near.states {
            return near;
        }
        let forms = first_states(&Symmetric::new(packed, orbits));
        let before = scratch.tried;
        let orbit = |state: &Vec<u64>| {
            orbits.canonical(state, &mut scratch);
            orbits.size(&scratch)
        };
        let far = Worth {
            states: forms.iter().map(orbit).sum(),
            forms: forms.len(),
            tried: (scratch.tried - before) as f64 / forms.len() as f64,
        };
        if far.share() < near.share() {
            far
        } else {
            near
        }
    }
}

/// The states nearest to the initial one, which is among them.
fn first_states<M: Successors>(model: &M) -> Vec<Vec<u64>> {
    let first = model.initial().to_vec();
    let mut scratch = model.scratch();
    let mut found = Found {
        known: FxHashSet::from_iter([first.clone()]),
        states: vec![first.clone()],
        next: VecDeque::from([first]),
        steps: 0,
    };
    while let Some(state) = found.next.pop_front() {
        if model.visit(&state, &mut scratch, &mut found).is_break() {
            break;
        }
    }
    found.states
}

impl Worth {
    /// Of what a search without permutations takes, what one with them would: less than one where it pays.
    pub fn share(self) -> f64 {
        let step = 1.0 + COLOURED + TRIED * self.tried;
        self.forms as f64 / self.states * step
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
