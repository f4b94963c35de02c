//! A testing automaton as a Büchi automaton (Hansen, Penczek and Valmari 2002, Thm 4.2).

use rustc_hash::FxHashMap;

use crate::buchi::{Buchi, BuchiState};
use crate::label::{Cube, Label, Valuation};
use crate::limits::{BYTES_OF_STATE, MOST_STATES, MOST_TRANSITIONS, TooLarge};
use crate::testing::{Testing, all_of};
use crate::work::{NotMade, Work};
use stubborn_system::components::Components;

/// The Büchi automaton that accepts the same words: it is insensitive to stuttering. Of the paper's
/// intermediate automaton, whose states are those of the testing automaton with the valuation read
/// last, the reachable part is made, and each state is turned into one or two as its Figure 1 has it:
///
/// - neither `livelock` nor `infinite`: one state, which may repeat;
/// - `livelock` alone: such a state, and a secondary one to which it leads, which is `infinite` and
///   leads to itself alone: whoever goes there says that nothing will change any more;
/// - `infinite` alone: an `infinite` state that may not repeat, so that it counts once for each time
///   that a change leads to it, and a secondary one that may, to which it leads. Both lead on;
/// - both: one `infinite` state which may repeat.
///
/// Departures from the paper: an `infinite` state on no cycle of changes is not taken as one; a
/// `livelock` state that no cycle of changes goes through without `infinite` states is taken as
/// `infinite` too, which makes no difference to what is accepted, and one state less; and a `reject`
/// state leads nowhere.
///
/// # Errors
/// Where it would be too large, or the work has been stopped.
pub fn buchi_of(testing: &Testing, work: &Work<'_>) -> Result<Buchi, NotMade> {
    buchi_within(testing, MOST_STATES, work)
}

/// With no more states than `most`.
pub(crate) fn buchi_within(
    testing: &Testing,
    most: usize,
    work: &Work<'_>,
) -> Result<Buchi, NotMade> {
    let observed = all_of(testing.propositions);
    let infinite = infinite_as_it_suits(testing);
    let mut numbers: FxHashMap<(u32, Valuation), u32> = FxHashMap::default();
    // The primary states, and then the number of each one's secondary state.
    let mut found: Vec<(u32, Valuation)> = Vec::new();
    let mut number_of = |pair: (u32, Valuation), found: &mut Vec<(u32, Valuation)>| {
        *numbers.entry(pair).or_insert_with(|| {
            found.push(pair);
            found.len() as u32 - 1
        })
    };
    let mut begins = 0;
    for (number, state) in testing.states.iter().enumerate() {
        let Some(label) = &state.initial else {
            continue;
        };
        let valuations = label.valuations(observed, most);
        let valuations = valuations.ok_or(TooLarge::more_states_than(most))?;
        work.spend(1 + valuations.len())?;
        for valuation in valuations {
            number_of((number as u32, valuation), &mut found);
        }
        begins = found.len();
        if begins > most {
            return Err(TooLarge::more_states_than(most).into());
        }
    }

    let mut states: Vec<BuchiState> = Vec::new();
    let mut transitions = 0;
    while let Some(&(number, valuation)) = found.get(states.len()) {
        let state = &testing.states[number as usize];
        let mut next = Vec::new();
        if !state.reject {
            for &(change, target) in &state.next {
                next.push(number_of((target, valuation ^ change), &mut found));
            }
        }
        transitions += 2 * (next.len() + 1);
        work.spend(2 + next.len())?;
        work.hold(BYTES_OF_STATE * found.len() + 4 * transitions)?;
        if found.len() > most {
            return Err(TooLarge::more_states_than(most).into());
        }
        if transitions > MOST_TRANSITIONS {
            return Err(TooLarge::transitions().into());
        }
        states.push(BuchiState {
            label: Label::of_cube(Cube::exactly(valuation, observed)),
            initial: states.len() < begins,
            reject: state.reject,
            deadlock: state.deadlock,
            infinite: false,
            next,
        });
    }

    for primary in 0..states.len() {
        let number = found[primary].0 as usize;
        let secondary = states.len() as u32;
        let state = &mut states[primary];
        let mut other = BuchiState {
            initial: false,
            ..state.clone()
        };
        match (testing.states[number].livelock, infinite[number]) {
            _ if state.reject => continue,
            (false, false) => state.next.push(primary as u32),
            (true, true) => {
                state.infinite = true;
                state.next.push(primary as u32);
            }
            (true, false) => {
                state.next.extend([primary as u32, secondary]);
                other.infinite = true;
                other.next = vec![secondary];
                states.push(other);
            }
            (false, true) => {
                state.infinite = true;
                state.next.push(secondary);
                other.next.push(secondary);
                states.push(other);
            }
        }
    }
    if states.len() > most {
        return Err(TooLarge::more_states_than(most).into());
    }
    for state in &mut states {
        state.next.sort_unstable();
        state.next.dedup();
    }
    Ok(Buchi {
        propositions: testing.propositions,
        states,
        ends_repeat: false,
    })
}

/// For each state, whether to take it as `infinite`, chosen so that it costs the least.
fn infinite_as_it_suits(testing: &Testing) -> Vec<bool> {
    let edges = |without: &[bool]| -> Vec<Vec<u32>> {
        let numbered = testing.states.iter().enumerate();
        let next = numbered.map(|(number, state)| {
            let next = state.next.iter().map(|&(_, target)| target);
            let there = |&target: &u32| !without[number] && !without[target as usize];
            next.filter(there).collect()
        });
        next.collect()
    };
    let count = testing.states.len();
    let all = edges(&vec![false; count]);
    let components = Components::of(&all);
    let infinite =
        |number: usize| testing.states[number].infinite && components.is_on_cycle(number as u32);
    let infinite: Vec<bool> = (0..count).map(infinite).collect();
    let others = edges(&infinite);
    let components = Components::of(&others);
    let suits = |number: usize| {
        infinite[number]
            || testing.states[number].livelock && !components.is_on_cycle(number as u32)
    };
    (0..count).map(suits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::figures;
    use crate::tests::random::Random;

    #[test]
    fn it_accepts_the_words_of_the_testing_automaton() {
        let mut random = Random::new(41);
        let mut accepted = 0;
        for _ in 0..1_500 {
            let propositions = 1 + random.below(3) as u32;
            let testing = random.testing(propositions);
            let buchi = buchi_of(&testing, &Work::unlimited()).unwrap();
            for _ in 0..20 {
                let word = random.word(propositions);
                accepted += usize::from(testing.accepts(&word));
                assert_eq!(
                    testing.accepts(&word),
                    buchi.accepts(&word),
                    "{testing:?} {buchi:?} {word:?}"
                );
            }
        }
        assert!((3_000..27_000).contains(&accepted), "{accepted}");
    }

    #[test]
    fn a_livelock_state_is_left_for_a_state_of_its_own() {
        let buchi = buchi_of(&figures::theorem_4_3(), &Work::unlimited()).unwrap();
        assert_eq!(buchi.states.len(), 3);
        assert_eq!(buchi.states[1].next, [0, 1, 2]);
        assert_eq!(buchi.states[2].next, [2]);
        assert!(buchi.states[2].infinite && !buchi.states[1].infinite);
    }

    #[test]
    fn a_livelock_state_that_changes_leave_for_good_needs_none() {
        let mut testing = figures::theorem_4_3();
        testing.states[0].next.clear();
        let buchi = buchi_of(&testing, &Work::unlimited()).unwrap();
        assert_eq!(buchi.states.len(), 2);
    }
}
