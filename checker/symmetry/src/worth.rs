//! Estimate of whether symmetry pays, by counts and never by the clock.
//!
//! Canonical forms are computed for the states nearest to the initial one. Their number shows what a
//! search would save; the number of permutations tried shows the additional cost of a step.
//!
//! Near the initial state few have moved yet, and most are in the same place: there an orbit has
//! few states. So where some of the states nearby are one, a search through as many canonical
//! states is begun, which comes farther; and how many states are in their orbits tells what it
//! would save there, if all of them can be reached.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use rustc_hash::FxHashSet;
use stubborn_space::packed::Packed;
use stubborn_space::successors::{Polled, Successors, Wanted};

use super::{Orbits, Symmetric};

/// So many states are looked at,
const MOST_STATES: usize = 1000;
/// if no more than so many steps lead to them.
const MOST_STEPS: usize = 64 * MOST_STATES;
/// To try a permutation takes so many times as long as to take a step,
const TRIED: f64 = 0.5;
/// and to give elements their colours.
const COLOURED: f64 = 1.0;

/// Limit on reads of cells for all questions about a sample: some tens of milliseconds.
const MOST_WORK: u64 = 1 << 22;
/// Colours look at all cells about so often.
const OF_COLOURS: u64 = 4;
/// Part of the states with forms of their own above which symmetry of the steps merges too little.
const MOST_FORMS: f64 = 0.9;

/// It pays where it takes less than such a share.
const PAYS: f64 = 0.6;

/// States that a search comes to first.
pub struct Sample {
    states: Vec<Vec<u64>>,
    /// How much more may be done to find out what permutations make of it.
    left: u64,
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
            states: first_states(packed, MOST_STEPS, &mut || true).states,
            left: MOST_WORK,
        }
    }

    /// Estimates with as many states as the remaining work allows. `None` if there are none or
    /// `goes_on`, called for each state, says no.
    pub fn worth(
        &mut self,
        packed: &Packed<'_>,
        orbits: &Orbits,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Option<Worth> {
        let mut forms = FxHashSet::default();
        let mut scratch = orbits.scratch();
        let mut looked_at = 0.0;
        for state in &self.states {
            if self.left == 0 {
                break;
            }
            let before = scratch.tried;
            forms.insert(orbits.canonical(state, &mut scratch).to_vec());
            looked_at += 1.0;
            self.left = (self.left).saturating_sub(work(orbits, scratch.tried - before));
            if !goes_on() {
                return None;
            }
        }
        if forms.is_empty() {
            return None;
        }
        let near = Worth {
            states: looked_at,
            forms: forms.len(),
            tried: scratch.tried as f64 / looked_at,
        };
        if near.forms as f64 > MOST_FORMS * near.states {
            return Some(near);
        }
        // As many steps as there is work left for, half of which is for the orbits.
        let of_step = 2 * work(orbits, near.tried.ceil() as u64);
        let steps =
            usize::try_from(self.left / of_step).map_or(MOST_STEPS, |of| of.min(MOST_STEPS));
        if steps < MOST_STATES {
            // So few lead no farther.
            return Some(near);
        }
        let found = first_states(&Symmetric::new(packed, orbits), steps, goes_on);
        let forms = found.states;
        self.left = (self.left).saturating_sub(found.steps as u64 * of_step / 2);
        let (mut states, before) = (0.0, scratch.tried);
        for state in &forms {
            orbits.canonical(state, &mut scratch);
            states += orbits.size(&scratch);
            if !goes_on() {
                return None;
            }
        }
        let far = Worth {
            states,
            forms: forms.len(),
            tried: (scratch.tried - before) as f64 / forms.len() as f64,
        };
        Some(if far.share() < near.share() {
            far
        } else {
            near
        })
    }
}

/// Work of canonical forms for which `tried` permutations were tried: number of cells read.
fn work(orbits: &Orbits, tried: u64) -> u64 {
    (tried + OF_COLOURS) * (orbits.cells() as u64 + 1)
}

/// Returns the initial state and the states nearest to it, after at most `most_steps` steps.
fn first_states<M: Successors>(
    model: &M,
    most_steps: usize,
    goes_on: &mut dyn FnMut() -> bool,
) -> Found {
    let first = model.initial().to_vec();
    let mut scratch = model.scratch();
    let mut known = FxHashSet::from_iter([first.clone()]);
    let mut found = Found {
        states: vec![first.clone()],
        steps: 0,
    };
    let mut next = VecDeque::from([first]);
    while let Some(state) = next.pop_front() {
        let mut visitor = Polled(Wanted::All, |step| {
            // If many values are tried in vain, these states have to do.
            let Some((_, outcome)) = step else {
                return ControlFlow::Break(());
            };
            found.steps += 1;
            if let Ok(target) = outcome
                && !known.contains(target)
            {
                known.insert(target.to_vec());
                found.states.push(target.to_vec());
                next.push_back(target.to_vec());
            }
            match found.states.len() < MOST_STATES && found.steps < most_steps {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        if !goes_on() || model.visit(&state, &mut scratch, &mut visitor).is_break() {
            break;
        }
    }
    found
}

impl Worth {
    /// Cost of a search with permutations as a fraction of one without; below 1 it pays.
    pub fn share(self) -> f64 {
        let step = 1.0 + COLOURED + TRIED * self.tried;
        self.forms as f64 / self.states * step
    }

    /// Not where it is a near thing: what lies beyond the sample may have fewer like states, and a
    /// search that uses permutations does not use all that one without them does (its threads,
    /// steps that are remembered).
    pub fn pays(self) -> bool {
        self.share() < PAYS
    }
}

/// States near the initial one.
struct Found {
    states: Vec<Vec<u64>>,
    /// Number of steps that were taken.
    steps: usize,
}
