//! A Büchi automaton that is insensitive to stuttering, as a testing automaton (Hansen, Penczek and
//! Valmari 2002, Thm 4.1).

use crate::buchi::{Buchi, BuchiState};
use crate::label::Valuation;
use crate::testing::{Testing, TestingState, all_of};
use crate::work::{NotMade, Work};
use stubborn_system::components::Components;

/// The testing automaton that accepts the same words, reduced. The Büchi automaton must be
/// insensitive to stuttering; of another one the result means nothing.
///
/// A testing automaton observes all its propositions, so the Büchi automaton is split over all of
/// them: leave out those that make no difference first
/// ([`Buchi::without_unmentioned`]).
///
/// Departures from the paper: where [`ends_repeat`](Buchi::ends_repeat) holds the `deadlock` states
/// are those from which the valuation may repeat for ever, the `livelock` states. And `reject` and
/// `deadlock` go back over transitions that change nothing (its 2.3), without which a `reject` state
/// that is entered by such a transition alone would be lost with it.
///
/// # Errors
/// Where it would be too large, or the work has been stopped.
pub fn testing_of(buchi: &Buchi, work: &Work<'_>) -> Result<Testing, NotMade> {
    let split = buchi.split_over(all_of(buchi.propositions), work)?;
    let still: Vec<Vec<u32>> = split
        .states
        .iter()
        .map(|state| {
            let next = state.next.iter().copied();
            let same = |&next: &u32| read_by(&split.states[next as usize]) == read_by(state);
            next.filter(same).collect()
        })
        .collect();
    let components = Components::of(&still);
    let leading_to = |is_goal: &dyn Fn(u32, &BuchiState) -> bool| {
        let numbered = split.states.iter().enumerate();
        let goals = numbered.map(|(number, state)| is_goal(number as u32, state));
        components.leading_to(&goals.collect::<Vec<bool>>())
    };
    let reject = leading_to(&|_, state| state.reject);
    let livelock = leading_to(&|number, state| state.infinite && components.is_on_cycle(number));
    let deadlock = if split.ends_repeat {
        livelock.clone()
    } else {
        leading_to(&|_, state| state.deadlock)
    };

    let mut states = Vec::with_capacity(split.states.len());
    for (number, state) in split.states.iter().enumerate() {
        let change = |&next: &u32| {
            let change = read_by(state) ^ read_by(&split.states[next as usize]);
            (change != 0).then_some((change, next))
        };
        states.push(TestingState {
            initial: state.initial.then(|| state.label.clone()),
            reject: reject[number],
            deadlock: deadlock[number],
            livelock: livelock[number],
            infinite: state.infinite,
            next: state.next.iter().filter_map(change).collect(),
        });
    }
    let testing = Testing {
        propositions: split.propositions,
        states,
    };
    Ok(testing.reduced(work)?)
}

/// The one valuation that a split state reads.
fn read_by(state: &BuchiState) -> Valuation {
    state.label.cubes.first().map_or(0, |cube| cube.holds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::Label;
    use crate::tests::figures;
    use crate::tests::random::Random;

    #[test]
    fn figure_2_gets_a_livelock_state_and_no_infinite_one() {
        for buchi in [
            figures::not_eventually_always_p(),
            figures::not_eventually_always_p_by_transitions(),
        ] {
            let testing = testing_of(&buchi, &Work::unlimited()).unwrap();
            assert_eq!(testing, figures::theorem_4_3());
        }
    }

    #[test]
    fn of_a_deterministic_one_it_is_deterministic() {
        let mut random = Random::new(31);
        let mut deterministic = 0;
        for _ in 0..2_000 {
            let buchi = random.buchi(2);
            if buchi.is_deterministic() {
                deterministic += 1;
                assert!(
                    testing_of(&buchi, &Work::unlimited())
                        .unwrap()
                        .is_deterministic(),
                    "{buchi:?}"
                );
            }
        }
        assert!(deterministic > 200);
    }

    #[test]
    fn reject_that_is_entered_without_a_change_is_kept() {
        // A second state that reads anything, begun with p.
        let buchi = figures::buchi(&[("", figures::p(), &[1]), ("x", Label::any(), &[])]);
        let testing = testing_of(&buchi, &Work::unlimited()).unwrap();
        assert!(testing.states.iter().all(|state| state.reject));
    }

    #[test]
    fn an_end_that_repeats_is_accepted_where_a_livelock_is() {
        let mut buchi = figures::not_eventually_always_p();
        buchi.ends_repeat = true;
        let testing = testing_of(&buchi, &Work::unlimited()).unwrap();
        assert!(testing.states.iter().any(|state| state.deadlock));
        let same = |state: &TestingState| state.deadlock == state.livelock;
        assert!(testing.states.iter().all(same));
    }

    #[test]
    fn changes_of_what_is_not_mentioned_lead_on() {
        let mut buchi = figures::not_eventually_always_p();
        buchi.propositions = 2;
        let testing = testing_of(&buchi, &Work::unlimited()).unwrap();
        let mut random = Random::new(33);
        for _ in 0..500 {
            let word = random.word(2);
            assert_eq!(testing.accepts(&word), buchi.accepts(&word), "{word:?}");
        }
    }
}
