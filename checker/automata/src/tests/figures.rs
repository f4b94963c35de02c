//! Automata of the paper (Hansen, Penczek and Valmari 2002) and of the text-books, over one
//! proposition p.

use crate::buchi::{Buchi, BuchiState};
use crate::label::{Cube, Label};
use crate::testing::{Testing, TestingState};

pub fn p() -> Label {
    Label::of_cube(Cube { holds: 1, fails: 0 })
}

pub fn not_p() -> Label {
    Label::of_cube(Cube { holds: 0, fails: 1 })
}

/// Over as many propositions as the labels mention; the states with an exclamation mark are
/// `infinite`, and the first is initial.
pub fn buchi(states: &[(&str, Label, &[u32])]) -> Buchi {
    let state = |(number, (marks, label, next)): (usize, &(&str, Label, &[u32]))| BuchiState {
        label: label.clone(),
        initial: number == 0 || marks.contains('>'),
        reject: marks.contains('x'),
        deadlock: marks.contains('.'),
        infinite: marks.contains('!'),
        next: next.to_vec(),
    };
    let mut buchi = Buchi {
        propositions: 0,
        states: states.iter().enumerate().map(state).collect(),
        ends_repeat: false,
    };
    buchi.propositions = u64::BITS - buchi.mentions().leading_zeros();
    buchi
}

/// Figure 2's state-labelled Büchi automaton, which accepts what violates "not eventually always p".
/// Its `true` is a state that reads everything.
pub fn not_eventually_always_p() -> Buchi {
    buchi(&[("", Label::any(), &[0, 1]), ("!", p(), &[1])])
}

/// Figure 2's transition-labelled one: a state for each transition, of which the first are those
/// that leave the initial state.
pub fn not_eventually_always_p_by_transitions() -> Buchi {
    buchi(&[
        ("", Label::any(), &[0, 1]),
        (">", p(), &[2]),
        ("!", p(), &[2]),
    ])
}

/// Figure 2's testing automaton, and that of Theorem 4.3 for ({P}|∅)*{P}^ω: it is in state 1 where p
/// holds.
pub fn theorem_4_3() -> Testing {
    Testing {
        propositions: 1,
        states: vec![
            TestingState {
                initial: Some(not_p()),
                next: vec![(1, 1)],
                ..TestingState::default()
            },
            TestingState {
                initial: Some(p()),
                livelock: true,
                next: vec![(1, 0)],
                ..TestingState::default()
            },
        ],
    }
}

pub fn infinitely_often_p() -> Buchi {
    buchi(&[(">!", p(), &[0, 1]), (">", not_p(), &[0, 1])])
}
