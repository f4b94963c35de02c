//! Testing automata, which observe changes (Hansen, Penczek and Valmari 2002, section 3).

use stubborn_system::property;

use crate::buchi::{propositions_within_limit, states_within_limit};
use crate::label::{Label, Valuation};
use crate::work::{NotMade, Work};

/// Accepts sequences of valuations, where what repeats makes no difference. It stays where it is while
/// the valuation does, and takes one of its transitions for the set of propositions that change.
///
/// An infinite sequence is accepted where the automaton comes to a `reject` state; stays in a
/// `livelock` state from some point on, since nothing changes any more; or is in `infinite` states
/// infinitely often while there are infinitely many changes. A finite one where it comes to a
/// `reject` state or is in a `deadlock` state at the end.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Testing {
    /// How many propositions there are, at most [`MOST_PROPOSITIONS`](crate::label::MOST_PROPOSITIONS).
    pub propositions: u32,
    pub states: Vec<TestingState>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct TestingState {
    /// Of an initial state, with which valuations it begins.
    pub initial: Option<Label>,
    /// F_fin.
    pub reject: bool,
    /// F_dl.
    pub deadlock: bool,
    /// F_ll.
    pub livelock: bool,
    /// F_inf.
    pub infinite: bool,
    /// The set of propositions that change, never empty, and where it leads.
    pub next: Vec<(Valuation, u32)>,
}

impl Testing {
    /// The automaton of a property; its states and propositions keep their numbers.
    ///
    /// # Errors
    /// Where it would be too large, or the work has been stopped.
    pub fn of_property(property: &property::Testing, work: &Work<'_>) -> Result<Testing, NotMade> {
        propositions_within_limit(property.propositions.len())?;
        states_within_limit(property.states.len())?;
        let mut states = Vec::with_capacity(property.states.len());
        for state in &property.states {
            let initial = state.initial.as_ref();
            let initial = initial
                .map(|when| Label::of_formula(when, work))
                .transpose()?;
            states.push(TestingState {
                initial,
                reject: state.reject,
                deadlock: state.deadlock,
                livelock: state.livelock,
                infinite: state.infinite,
                next: state.next.clone(),
            });
        }
        Ok(Testing {
            propositions: property.propositions.len() as u32,
            states,
        })
    }

    /// The initial states that begin with a valuation.
    pub fn begins(&self, valuation: Valuation) -> impl Iterator<Item = u32> + '_ {
        let begins = move |state: &TestingState| {
            let initial = state.initial.as_ref();
            initial.is_some_and(|label| label.reads(valuation))
        };
        let numbered = self.states.iter().enumerate();
        numbered
            .filter(move |(_, state)| begins(state))
            .map(|(number, _)| number as u32)
    }

    /// The states after `state` where the propositions of `change` change: itself where there are
    /// none, whatever it may be.
    pub fn follows(&self, state: u32, change: Valuation) -> impl Iterator<Item = u32> + '_ {
        let stays = (change == 0).then_some(state);
        let next = self.states[state as usize].next.iter();
        let moves = next.filter(move |&&(on, _)| on == change && change != 0);
        stays.into_iter().chain(moves.map(|&(_, target)| target))
    }

    /// Whether no state has two successors for the same change (Hansen, Penczek and Valmari 2002,
    /// 3.1). As there, initial states may begin with the same valuation.
    pub fn is_deterministic(&self) -> bool {
        self.states.iter().all(|state| {
            let mut next = state.next.clone();
            next.sort_unstable();
            next.dedup();
            next.windows(2).all(|pair| pair[0].0 != pair[1].0)
        })
    }
}

/// So many propositions.
pub(crate) fn all_of(propositions: u32) -> Valuation {
    match propositions {
        0 => 0,
        count => Valuation::MAX >> (Valuation::BITS - count.min(Valuation::BITS)),
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::figures;

    #[test]
    fn two_successors_for_one_change_are_a_choice() {
        let mut testing = figures::theorem_4_3();
        assert!(testing.is_deterministic());
        let repeated = testing.states[0].next[0];
        testing.states[0].next.push(repeated);
        assert!(testing.is_deterministic());
        testing.states[0].next.push((repeated.0, 0));
        assert!(!testing.is_deterministic());
    }

    #[test]
    fn without_a_change_it_stays() {
        let testing = figures::theorem_4_3();
        assert_eq!(testing.follows(0, 0).collect::<Vec<_>>(), [0]);
        assert_eq!(testing.follows(0, 1).collect::<Vec<_>>(), [1]);
    }
}
