//! Whether repeating what is observed makes a difference to a Büchi automaton.
//!
//! A language is insensitive to stuttering where P0 P1 P2… is in it just as often as each
//! P0^i0 P1^i1 P2^i2… with positive exponents (Hansen, Penczek and Valmari 2002, 2.1; of words that
//! end likewise). That is: it has all words that come of one of its words by repeating valuations,
//! and all words that come of one of its words by leaving repetitions out. Both sets are accepted by
//! automata that are little larger than the given one (Michaud and Duret-Lutz 2015, *sl* and *cl*);
//! whether the given one accepts them too is decided by [`inclusion`].

use crate::buchi::{Buchi, BuchiState};
use crate::classes::by_classes;
use crate::inclusion::{Inclusion, inclusion};
use crate::limits::TooLarge;
use crate::work::{NotMade, Stopped, Work};

/// What is known of whether an automaton is insensitive to stuttering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Insensitivity {
    /// It is.
    Shown,
    /// It is not, or it would take too long to find out. Why, as the end of a sentence that begins
    /// "it is not shown to be insensitive to stuttering: ".
    NotShown(String),
}

impl Buchi {
    /// Whether the automaton is insensitive to stuttering, also with words that end. The time that
    /// it takes is bounded; small automata are always decided.
    ///
    /// # Errors
    /// Where the work has been stopped.
    pub fn insensitivity(&self, work: &Work<'_>) -> Result<Insensitivity, Stopped> {
        self.insensitivity_within(MOST_CLOSED, work)
    }

    fn insensitivity_within(
        &self,
        most_closed: usize,
        work: &Work<'_>,
    ) -> Result<Insensitivity, Stopped> {
        let not_shown = |why: &str| Ok(Insensitivity::NotShown(why.to_string()));
        // Repeating a valuation repeats its class, and a class that is repeated stands for a valuation
        // that is too.
        let reduced = self.clone().reduced(false, work)?;
        let Some(reduced) = unless_too_large(by_classes(&reduced, work))? else {
            return not_shown(UNKNOWN);
        };
        let Some(split) = unless_too_large(reduced.split(work))? else {
            return not_shown(UNKNOWN);
        };
        if split.states.len() > most_closed {
            return not_shown(UNKNOWN);
        }
        match inclusion(&with_repetitions(&split), &reduced, work)? {
            Inclusion::Shown => {}
            Inclusion::Refuted => return not_shown(WITH_REPETITIONS),
            Inclusion::Unknown => return not_shown(UNKNOWN),
        }
        let Some(without) = unless_too_large(without_repetitions(&split, MOST_ENTERED, work))?
        else {
            return not_shown(UNKNOWN);
        };
        match inclusion(&without, &reduced, work)? {
            Inclusion::Shown => Ok(Insensitivity::Shown),
            Inclusion::Refuted => not_shown(WITHOUT_REPETITIONS),
            Inclusion::Unknown => not_shown(UNKNOWN),
        }
    }
}

/// What was made, `None` where it would be too large.
fn unless_too_large(made: Result<Buchi, NotMade>) -> Result<Option<Buchi>, Stopped> {
    match made {
        Ok(buchi) => Ok(Some(buchi)),
        Err(NotMade::TooLarge(_)) => Ok(None),
        Err(NotMade::Stopped) => Err(Stopped),
    }
}

const WITH_REPETITIONS: &str =
    "there is a run that it accepts and would not accept if what it shows in a state were repeated";
const WITHOUT_REPETITIONS: &str =
    "there is a run that it accepts and would not accept if a repetition in it were left out";
const UNKNOWN: &str = "it is too large to find out whether repetitions make a difference to it";

/// The largest automaton, split, of which the closures are made.
const MOST_CLOSED: usize = 4_096;

/// Accepts what comes of an accepted word by repeating its valuations, each finitely often: beside
/// each state there is one that reads the same again, and is not `infinite`, so that to stay there
/// for ever is not to accept.
fn with_repetitions(split: &Buchi) -> Buchi {
    let mut buchi = split.clone();
    for number in 0..split.states.len() {
        let again = buchi.states.len() as u32;
        let state = &mut buchi.states[number];
        state.next.push(again);
        let again = BuchiState {
            initial: false,
            infinite: false,
            ..state.clone()
        };
        buchi.states.push(again);
    }
    buchi
}

/// Accepts what comes of an accepted word by leaving out repetitions: a state is entered together
/// with any that transitions lead to from it over states that read the same, and where one of these
/// is `infinite`, then that counts. So there may be two states for one.
fn without_repetitions(
    split: &Buchi,
    most_entered: usize,
    work: &Work<'_>,
) -> Result<Buchi, NotMade> {
    let count = split.states.len();
    // What is entered with each state: the last one of those that read the same, and whether one on
    // the way was `infinite`; where some way has one, the ways that have none are needless.
    let mut entered: Vec<Vec<u32>> = Vec::with_capacity(count);
    let number_of = |state: u32, infinite: bool| 2 * state + u32::from(infinite);
    let mut transitions = 0;
    for (number, state) in split.states.iter().enumerate() {
        work.spend(2 * count)?;
        let mut found = vec![false; 2 * count];
        let first = number_of(number as u32, state.infinite);
        found[first as usize] = true;
        let mut open = vec![first];
        while let Some(at) = open.pop() {
            work.spend(1 + split.states[at as usize / 2].next.len())?;
            for &next in &split.states[at as usize / 2].next {
                let target = &split.states[next as usize];
                if target.label == state.label {
                    let next = number_of(next, at % 2 == 1 || target.infinite);
                    if !std::mem::replace(&mut found[next as usize], true) {
                        open.push(next);
                    }
                }
            }
        }
        let needed = |&at: &u32| found[at as usize] && (at % 2 == 1 || !found[at as usize + 1]);
        let with = (0..2 * count as u32).filter(needed).collect::<Vec<_>>();
        transitions += with.len();
        if transitions > most_entered {
            return Err(TooLarge::more_transitions_than(most_entered).into());
        }
        entered.push(with);
    }
    let mut states: Vec<BuchiState> = Vec::with_capacity(2 * count);
    for at in 0..2 * count {
        let state = &split.states[at / 2];
        let next = state.next.iter();
        let mut next: Vec<u32> = next
            .flat_map(|&next| entered[next as usize].iter().copied())
            .collect();
        next.sort_unstable();
        next.dedup();
        transitions += next.len();
        work.spend(1 + next.len())?;
        if transitions > most_entered {
            return Err(TooLarge::more_transitions_than(most_entered).into());
        }
        states.push(BuchiState {
            label: state.label.clone(),
            initial: false,
            infinite: at % 2 == 1,
            next,
            ..*state
        });
    }
    for (number, state) in split.states.iter().enumerate() {
        if state.initial {
            for &at in &entered[number] {
                states[at as usize].initial = true;
            }
        }
    }
    Ok(Buchi {
        states,
        propositions: split.propositions,
        ends_repeat: split.ends_repeat,
    })
}

/// How many transitions the closures may have.
const MOST_ENTERED: usize = 1 << 18;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::{Cube, Label};
    use crate::tests::figures::{self, buchi, not_p, p};
    use crate::tests::random::Random;
    use crate::to_buchi::buchi_of;
    use crate::to_testing::testing_of;

    fn cube(holds: u64, fails: u64) -> Label {
        Label::of_cube(Cube { holds, fails })
    }

    fn assert_shown(buchi: &Buchi) {
        for ends_repeat in [false, true] {
            let mut buchi = buchi.clone();
            buchi.ends_repeat = ends_repeat;
            assert_eq!(
                buchi.insensitivity(&Work::unlimited()).unwrap(),
                Insensitivity::Shown,
                "{buchi:?}"
            );
        }
    }

    fn assert_refuted(buchi: &Buchi, why: &str) {
        let expected = Insensitivity::NotShown(why.to_string());
        assert_eq!(
            buchi.insensitivity(&Work::unlimited()).unwrap(),
            expected,
            "{buchi:?}"
        );
    }

    #[test]
    fn the_paper_s_automata_are_insensitive() {
        assert_shown(&figures::not_eventually_always_p());
        assert_shown(&figures::not_eventually_always_p_by_transitions());
        assert_shown(&figures::infinitely_often_p());
        assert_shown(&buchi_of(&figures::theorem_4_3(), &Work::unlimited()).unwrap());
    }

    #[test]
    fn a_request_without_response_is_insensitive() {
        let any = Label::any();
        // The request p may be answered by q at once, or not.
        let waits = [
            ("", any.clone(), &[0, 1][..]),
            (">", cube(1, 2), &[2]),
            ("!", cube(0, 2), &[2]),
        ];
        assert_shown(&buchi(&waits));
        let one_state = [("", any, &[0, 1][..]), (">!", cube(0, 2), &[1])];
        assert_shown(&buchi(&one_state));
    }

    #[test]
    fn a_request_that_may_not_be_the_first_state_is_sensitive() {
        let waits = [
            ("", Label::any(), &[0, 1][..]),
            ("", cube(1, 2), &[2]),
            ("!", cube(0, 2), &[2]),
        ];
        assert_refuted(&buchi(&waits), WITHOUT_REPETITIONS);
    }

    #[test]
    fn deterministic_safety_and_order_are_insensitive() {
        // p, then not p, then p again.
        let order = [
            ("", p(), &[0, 1][..]),
            (">", not_p(), &[1, 2]),
            ("x", p(), &[]),
        ];
        assert_shown(&buchi(&order));
        // q before p.
        let precedence = [("", cube(0, 3), &[0, 1][..]), (">x", cube(2, 1), &[][..])];
        assert_shown(&buchi(&precedence));
        let ends_without_p = [(".", not_p(), &[0][..])];
        assert_shown(&buchi(&ends_without_p));
    }

    #[test]
    fn many_propositions_in_few_conditions_are_no_obstacle() {
        let condition = cube((1 << 30) - 1, 1 << 40);
        assert_shown(&buchi(&[
            ("", Label::any(), &[0, 1]),
            ("!", condition.clone(), &[1]),
        ]));
        let second = [("", Label::any(), &[1][..]), ("x", condition, &[])];
        assert_refuted(&buchi(&second), WITH_REPETITIONS);
    }

    #[test]
    fn counting_states_is_sensitive() {
        let second = [("", Label::any(), &[1][..]), ("x", p(), &[])];
        assert_refuted(&buchi(&second), WITH_REPETITIONS);
        let twice = [("", p(), &[1][..]), ("x", p(), &[])];
        assert_refuted(&buchi(&twice), WITHOUT_REPETITIONS);
        let even = [("!", p(), &[1][..]), ("", Label::any(), &[0])];
        assert_refuted(&buchi(&even), WITH_REPETITIONS);
    }

    #[test]
    fn the_closures_are_made_of_as_many_states_as_are_allowed() {
        let insensitive = figures::not_eventually_always_p();
        let work = &Work::unlimited();
        let reduced = by_classes(&insensitive.clone().reduced(false, work).unwrap(), work);
        let states = reduced.unwrap().split(work).unwrap().states.len();
        let found = |most| insensitive.insensitivity_within(most, work).unwrap();
        let unknown = Insensitivity::NotShown(UNKNOWN.to_string());
        let shown = Insensitivity::Shown;
        let around = [states - 1, states, states + 1];
        assert_eq!(around.map(found), [unknown, shown.clone(), shown]);
    }

    #[test]
    fn a_closure_has_as_many_transitions_as_are_allowed() {
        // It enters itself alone, and so does the state that has met nothing infinite.
        let ring = buchi(&[("!", p(), &[0][..])]);
        let made = |most| {
            let made = without_repetitions(&ring, most, &Work::unlimited());
            made.map(|closure| closure.states.len())
        };
        let what = crate::limits::Counted::Transitions;
        let too_large = Err(TooLarge { what, most: 2 }.into());
        assert_eq!([2, 3, 4].map(made), [too_large, Ok(2), Ok(2)]);
    }

    #[test]
    fn the_length_of_a_run_that_ends_may_not_count() {
        let length = [("", p(), &[1][..]), (".", p(), &[])];
        assert_refuted(&buchi(&length), WITH_REPETITIONS);
        let mut repeats = buchi(&length);
        repeats.ends_repeat = true;
        assert_eq!(
            repeats.insensitivity(&Work::unlimited()).unwrap(),
            Insensitivity::Shown
        );
    }

    #[test]
    fn what_is_shown_makes_no_difference_between_repeated_words() {
        let mut random = Random::new(81);
        let (mut shown, mut refuted, mut seen) = (0, 0, 0);
        for _ in 0..1_500 {
            let propositions = 1 + random.below(2) as u32;
            let buchi = random.buchi(propositions);
            let mut differs = |words: usize| {
                (0..words).any(|_| {
                    let word = random.word(propositions);
                    let stuttered = random.stuttered(&word);
                    buchi.accepts(&word) != buchi.accepts(&stuttered)
                })
            };
            match buchi.insensitivity(&Work::unlimited()).unwrap() {
                Insensitivity::Shown => {
                    assert!(!differs(20), "{buchi:?}");
                    shown += 1;
                    let testing = testing_of(&buchi, &Work::unlimited()).unwrap();
                    for _ in 0..5 {
                        let word = random.word(propositions);
                        assert_eq!(testing.accepts(&word), buchi.accepts(&word), "{buchi:?}");
                    }
                }
                Insensitivity::NotShown(why) => {
                    assert_ne!(why, UNKNOWN, "{buchi:?}");
                    refuted += 1;
                    seen += usize::from(differs(300));
                }
            }
        }
        assert!(shown > 500 && refuted > 200, "{shown} {refuted}");
        // Nearly all that is refuted shows in short words.
        assert!(seen * 100 > refuted * 90, "{seen} of {refuted}");
    }

    #[test]
    fn what_testing_automata_become_is_shown_to_be_insensitive() {
        let mut random = Random::new(82);
        for _ in 0..300 {
            let propositions = 1 + random.below(2) as u32;
            let buchi = buchi_of(&random.testing(propositions), &Work::unlimited()).unwrap();
            assert_eq!(
                buchi.insensitivity(&Work::unlimited()).unwrap(),
                Insensitivity::Shown,
                "{buchi:?}"
            );
        }
    }
}
