//! Büchi automata whose states are labelled (Hansen, Penczek and Valmari 2002, section 2).

use stubborn_system::property;

use crate::label::{Label, MOST_PROPOSITIONS, Valuation};
use crate::limits::{Counted, MOST_STATES, TooLarge};
use crate::work::{NotMade, Stopped, Work};

/// Accepts sequences of valuations. An infinite one where a run reads it and is in `infinite` states
/// infinitely often, or comes to a `reject` state; a finite one where a run reads all of it and ends
/// in a `deadlock` state, or comes to a `reject` state on the way.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Buchi {
    /// How many propositions there are, at most [`MOST_PROPOSITIONS`](crate::label::MOST_PROPOSITIONS).
    pub propositions: u32,
    pub states: Vec<BuchiState>,
    /// A sequence that ends is read as repeating its last valuation for ever, and no state is a
    /// `deadlock` state: so it is with formulas.
    pub ends_repeat: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct BuchiState {
    pub label: Label,
    pub initial: bool,
    /// F_fin.
    pub reject: bool,
    /// F_dl.
    pub deadlock: bool,
    /// F_inf.
    pub infinite: bool,
    pub next: Vec<u32>,
}

impl Buchi {
    /// The automaton of a property; its states and propositions keep their numbers.
    ///
    /// # Errors
    /// Where it would be too large, or the work has been stopped.
    pub fn of_property(property: &property::Buchi, work: &Work<'_>) -> Result<Buchi, NotMade> {
        propositions_within_limit(property.propositions.len())?;
        states_within_limit(property.states.len())?;
        let mut states = Vec::with_capacity(property.states.len());
        for state in &property.states {
            states.push(BuchiState {
                label: Label::of_formula(&state.label, work)?,
                initial: state.initial,
                reject: state.reject,
                deadlock: state.deadlock,
                infinite: state.infinite,
                next: state.next.clone(),
            });
        }
        Ok(Buchi {
            propositions: property.propositions.len() as u32,
            states,
            ends_repeat: false,
        })
    }

    /// The initial states that read a valuation.
    pub fn begins(&self, valuation: Valuation) -> impl Iterator<Item = u32> + '_ {
        let numbered = self.states.iter().enumerate();
        numbered
            .filter(move |(_, state)| state.initial && state.label.reads(valuation))
            .map(|(number, _)| number as u32)
    }

    /// The states after `state` that read a valuation.
    pub fn follows(&self, state: u32, valuation: Valuation) -> impl Iterator<Item = u32> + '_ {
        let next = self.states[state as usize].next.iter().copied();
        next.filter(move |&next| self.states[next as usize].label.reads(valuation))
    }

    /// The same words are accepted, without `reject`: what comes after such a state goes to a state
    /// that accepts everything (Hansen, Penczek and Valmari 2002, Thm 2.1, with one state in place of
    /// a clique).
    pub fn without_reject(&self) -> Buchi {
        let mut buchi = self.clone();
        let accepting = buchi.states.len() as u32;
        let mut is_needed = false;
        for state in buchi.states.iter_mut().filter(|state| state.reject) {
            is_needed = true;
            state.reject = false;
            state.deadlock = true;
            state.infinite = true;
            state.next = vec![accepting];
        }
        if is_needed {
            buchi.states.push(BuchiState {
                label: Label::any(),
                deadlock: true,
                infinite: true,
                next: vec![accepting],
                ..BuchiState::default()
            });
        }
        buchi
    }

    /// Whether no state has two successors that read the same (Hansen, Penczek and Valmari 2002,
    /// 2.1). As there, initial states may read the same.
    pub fn is_deterministic(&self) -> bool {
        self.states
            .iter()
            .all(|state| self.read_different(&state.next))
    }

    /// Whether it has at most one run for each sequence of valuations: deterministic, and no two
    /// initial states read the same.
    ///
    /// # Errors
    /// Where the work has been stopped.
    pub fn has_single_runs(&self, work: &Work<'_>) -> Result<bool, Stopped> {
        let numbers = 0..self.states.len() as u32;
        let initial = numbers.filter(|&number| self.states[number as usize].initial);
        let initial: Vec<u32> = initial.collect();
        let all = self.states.iter().map(|state| &state.next);
        for next in std::iter::once(&initial).chain(all) {
            work.spend(next.len() * next.len())?;
            if !self.read_different(next) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn read_different(&self, numbers: &[u32]) -> bool {
        numbers.iter().enumerate().all(|(index, &one)| {
            numbers[index + 1..].iter().all(|&two| {
                let label = |number: u32| &self.states[number as usize].label;
                one == two || !label(one).meets(label(two))
            })
        })
    }

    /// The propositions that its labels mention. All others make no difference to it.
    pub fn mentions(&self) -> Valuation {
        let mentions = self.states.iter().map(|state| state.label.mentions());
        mentions.fold(0, |all, some| all | some)
    }

    /// The same automaton without the propositions that no label mentions once it is simplified; and
    /// the old number of each that is left, ascending.
    ///
    /// # Errors
    /// Where the work has been stopped.
    pub fn without_unmentioned(&self, work: &Work<'_>) -> Result<(Buchi, Vec<u32>), Stopped> {
        let mut buchi = self.clone();
        for state in &mut buchi.states {
            work.spend(state.label.comparisons())?;
            state.label = state.label.simplified();
        }
        let mentions = buchi.mentions();
        let kept: Vec<u32> = (0..u64::BITS)
            .filter(|&at| mentions >> at & 1 == 1)
            .collect();
        for state in &mut buchi.states {
            for cube in &mut state.label.cubes {
                cube.holds = moved(cube.holds, &kept);
                cube.fails = moved(cube.fails, &kept);
            }
        }
        buchi.propositions = kept.len() as u32;
        Ok((buchi, kept))
    }
}

/// The propositions with the numbers `kept`, renumbered.
fn moved(set: Valuation, kept: &[u32]) -> Valuation {
    let moved = kept.iter().enumerate();
    moved.fold(0, |all, (new, &old)| all | (set >> old & 1) << new)
}

pub(crate) fn propositions_within_limit(count: usize) -> Result<(), TooLarge> {
    if count > MOST_PROPOSITIONS {
        return Err(TooLarge {
            what: Counted::Propositions,
            most: MOST_PROPOSITIONS as u64,
        });
    }
    Ok(())
}

pub(crate) fn states_within_limit(count: usize) -> Result<(), TooLarge> {
    if count > MOST_STATES {
        return Err(TooLarge::states());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::tests::figures;
    use crate::work::Work;

    #[test]
    fn propositions_that_make_no_difference_are_dropped() {
        let mut buchi = figures::not_eventually_always_p();
        buchi.propositions = 3;
        for state in &mut buchi.states {
            for cube in &mut state.label.cubes {
                cube.holds <<= 2;
                cube.fails <<= 2;
            }
        }
        let (dropped, kept) = buchi.without_unmentioned(&Work::unlimited()).unwrap();
        assert_eq!(kept, [2]);
        assert_eq!(dropped, figures::not_eventually_always_p());
    }

    #[test]
    fn successors_that_read_the_same_are_a_choice() {
        let buchi = figures::not_eventually_always_p();
        assert!(!buchi.is_deterministic());
        assert!(figures::infinitely_often_p().is_deterministic());
        assert!(
            figures::infinitely_often_p()
                .has_single_runs(&Work::unlimited())
                .unwrap()
        );
        assert_eq!(buchi.begins(1).collect::<Vec<_>>(), [0]);
        assert_eq!(buchi.follows(0, 0).collect::<Vec<_>>(), [0]);
        assert_eq!(buchi.follows(0, 1).collect::<Vec<_>>(), [0, 1]);
    }
}
