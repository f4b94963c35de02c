//! Whether it pays to take states for one, judged by counts and never by the clock.
//!
//! Of the states that are nearest to the initial one canonical forms are made. How many these are
//! tells what a search would save; and how many permutations were tried, what each step would cost
//! beside what it costs anyhow.
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

/// A cell of a state is looked at no more often than this, for all that is asked of a sample: about
/// a tenth of a second.
const MOST_WORK: u64 = 1 << 24;
/// Colours look at all cells about so often.
const OF_COLOURS: u64 = 4;
/// Where more than such a part of the states have forms of their own, they are not alike though
/// steps are.
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

    /// Of as many states as there is work left for; `None` where there are none, or `goes_on`,
    /// which is asked for each state, does not.
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

/// What a canonical form takes for which so many permutations were tried: how often a cell was
/// looked at.
fn work(orbits: &Orbits, tried: u64) -> u64 {
    (tried + OF_COLOURS) * (orbits.cells() as u64 + 1)
}

/// The states nearest to the initial one, which is among them, to which no more than so many steps
/// lead.
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
    /// Of what a search without permutations takes, what one with them would: less than one where
    /// it pays.
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
