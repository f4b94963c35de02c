//! Limits, one below, at and one above: as much as is allowed is made, and no more.

use stubborn_system::property::{self, Formula};
use stubborn_system::system::Expr;

use super::figures::buchi;
use crate::buchi::{Buchi, BuchiState};
use crate::classes::by_classes;
use crate::inclusion::{Inclusion, delayed, profiles};
use crate::label::{Cube, Label, MOST_PROPOSITIONS};
use crate::limits::{Counted, MOST_CUBES, MOST_STATES, MOST_TRANSITIONS, TooLarge};
use crate::ltl;
use crate::reduce::simulation::Simulation;
use crate::testing::{Testing, TestingState};
use crate::to_buchi::buchi_within;
use crate::work::Work;

/// Reads the valuations of some propositions with these numbers.
fn exactly(valuations: std::ops::Range<u64>, propositions: u32) -> Label {
    let all = (1 << propositions) - 1;
    Label {
        cubes: valuations
            .map(|valuation| Cube::exactly(valuation, all))
            .collect(),
    }
}

/// Reads every valuation of some propositions, all of which it mentions.
fn every(propositions: u32) -> Label {
    let last = 1 << (propositions - 1);
    let (holds, fails) = (last, last);
    Label {
        cubes: vec![Cube { holds, fails: 0 }, Cube { holds: 0, fails }],
    }
}

#[test]
fn a_label_has_as_many_cubes_as_are_allowed() {
    let most = MOST_CUBES as u64;
    let union = |cubes: u64| exactly(0..cubes, 11).union(&Label::none(), &Work::unlimited());
    for cubes in [most - 1, most] {
        assert_eq!(
            union(cubes).map(|label| label.cubes.len() as u64),
            Ok(cubes)
        );
    }
    assert_eq!(union(most + 1), Err(TooLarge::cases().into()));
}

#[test]
fn the_automaton_of_a_property_has_as_many_states_and_propositions_as_are_allowed() {
    let of_property = |states: usize, propositions: usize| {
        let state = property::BuchiState {
            label: Formula::Constant(true),
            initial: false,
            reject: false,
            deadlock: false,
            infinite: false,
            next: Vec::new(),
        };
        let property = property::Buchi {
            propositions: vec![Expr::Choice(0); propositions],
            states: vec![state; states],
        };
        Buchi::of_property(&property, &Work::unlimited()).map(|buchi| buchi.states.len())
    };
    for states in [MOST_STATES - 1, MOST_STATES] {
        assert_eq!(of_property(states, 0), Ok(states));
    }
    let too_large = Err(TooLarge::states().into());
    assert_eq!(of_property(MOST_STATES + 1, 0), too_large);
    for propositions in [MOST_PROPOSITIONS - 1, MOST_PROPOSITIONS] {
        assert_eq!(of_property(0, propositions), Ok(0));
    }
    let (what, most) = (Counted::Propositions, MOST_PROPOSITIONS as u64);
    let too_large = Err(TooLarge { what, most }.into());
    assert_eq!(of_property(0, MOST_PROPOSITIONS + 1), too_large);
}

#[test]
fn a_split_automaton_has_as_many_states_as_are_allowed() {
    let split = |label: Label, one_more: bool| {
        let mut buchi = buchi(&[("!", label, &[])]);
        if one_more {
            buchi.states.push(BuchiState {
                initial: true,
                label: exactly(0..1, 6),
                ..BuchiState::default()
            });
        }
        let over = (1 << 6) - 1;
        let split = buchi.split_within(over, 64, &Work::unlimited());
        split.map(|split| split.states.len())
    };
    let but_one = exactly(0..1, 6).complement(&Work::unlimited()).unwrap();
    assert_eq!(split(but_one, false), Ok(63));
    assert_eq!(split(every(6), false), Ok(64));
    assert_eq!(
        split(every(6), true),
        Err(TooLarge::more_states_than(64).into())
    );
}

#[test]
fn a_split_automaton_has_as_many_transitions_as_are_allowed() {
    let split = |one_more: u32| {
        let mut buchi = buchi(&[("!", every(10), &[0])]);
        for _ in 0..one_more {
            let next = vec![buchi.states.len() as u32];
            buchi.states.push(BuchiState {
                initial: true,
                label: exactly(0..1, 10),
                next,
                ..BuchiState::default()
            });
        }
        let over = (1 << 10) - 1;
        let split = buchi.split_over(over, &Work::unlimited());
        split.map(|split| {
            split
                .states
                .iter()
                .map(|state| state.next.len())
                .sum::<usize>()
        })
    };
    assert_eq!(split(0), Ok(MOST_TRANSITIONS));
    assert_eq!(split(1), Err(TooLarge::transitions().into()));
}

#[test]
fn a_testing_automaton_becomes_one_of_as_many_states_as_are_allowed() {
    let state = |initial: Label| TestingState {
        initial: Some(initial),
        deadlock: true,
        ..TestingState::default()
    };
    let testing = |labels: &[Label]| Testing {
        propositions: 6,
        states: labels.iter().cloned().map(state).collect(),
    };
    let converted = |labels: &[Label]| {
        let made = buchi_within(&testing(labels), 64, &Work::unlimited());
        made.map(|buchi| buchi.states.len())
    };
    let but_one = exactly(0..1, 6).complement(&Work::unlimited()).unwrap();
    assert_eq!(converted(std::slice::from_ref(&but_one)), Ok(63));
    assert_eq!(converted(&[but_one, exactly(0..1, 6)]), Ok(64));
    let too_large = Err(TooLarge::more_states_than(64).into());
    assert_eq!(converted(&[every(6), exactly(0..1, 6)]), too_large);
}

#[test]
fn as_many_classes_as_allowed_are_told_apart() {
    let proposition = |number: u32| {
        Label::of_cube(Cube {
            holds: 1 << number,
            fails: 0,
        })
    };
    let told = |labels: Vec<Label>| {
        let states = labels.into_iter().map(|label| ("!", label, &[0][..]));
        let states = states.collect::<Vec<_>>();
        by_classes(&buchi(&states), &Work::unlimited()).map(|buchi| buchi.propositions)
    };
    let ten = || (0..10).map(proposition).collect::<Vec<_>>();
    // The last of them tells one class less apart.
    let mut less_one = ten();
    let all_others = exactly(511..512, 9).complement(&Work::unlimited()).unwrap();
    less_one[9] = proposition(9)
        .intersection(&all_others, &Work::unlimited())
        .unwrap();
    assert_eq!(told(less_one), Ok(10));
    assert_eq!(told(ten()), Ok(10));
    // One more splits one class.
    let mut more_one = ten();
    more_one.push(exactly(2047..2048, 11));
    let (what, most) = (Counted::Classes, 1_024);
    assert_eq!(told(more_one), Err(TooLarge { what, most }.into()));
}

#[test]
fn states_are_compared_where_they_and_their_transitions_are_no_more_than_allowed() {
    let compared = |edges: Vec<Vec<((), u32)>>| {
        let rejects = vec![false; edges.len()];
        let found = Simulation::of(&edges, &rejects, |_, _| true, &Work::unlimited());
        found.map(|found| found.is_some())
    };
    let alone = |states: usize| compared(vec![Vec::new(); states]);
    assert_eq!([511, 512, 513].map(alone), [Ok(true), Ok(true), Ok(false)]);
    let edges = |count: u32| {
        let own = |state: u32| (0..count).filter(move |at| at % 64 == state);
        let to = |state: u32| own(state).map(|at| ((), at / 64)).collect();
        compared((0..65).map(to).collect())
    };
    assert_eq!(
        [4_095, 4_096, 4_097].map(edges),
        [Ok(true), Ok(true), Ok(false)]
    );
}

/// States that read one valuation, each followed by the next one, round a ring.
fn ring(states: u32) -> Buchi {
    let state = |number: u32| BuchiState {
        label: super::figures::p(),
        initial: true,
        infinite: true,
        next: vec![(number + 1) % states],
        ..BuchiState::default()
    };
    Buchi {
        propositions: 1,
        states: (0..states).map(state).collect(),
        ends_repeat: true,
    }
}

#[test]
fn profiles_are_of_as_many_states_as_a_word_has_bits() {
    let included =
        |states: u32| profiles::inclusion(&ring(1), &ring(states), &[0, 1], &Work::unlimited());
    let (shown, unknown) = (Ok(Inclusion::Shown), Ok(Inclusion::Unknown));
    assert_eq!([63, 64, 65].map(included), [shown, shown, unknown]);
}

#[test]
fn delayed_simulation_is_tried_with_as_many_pairs_as_are_allowed() {
    let alone = |states: u32| {
        let mut all = ring(states);
        all.states.iter_mut().for_each(|state| state.next.clear());
        all
    };
    let simulates =
        |(some, all): (u32, u32)| delayed::simulates(&alone(all), &alone(some), &Work::unlimited());
    let sizes = [(1_023, 1_025), (1_024, 1_024), (17, 61_681)];
    assert_eq!(sizes.map(simulates), [Ok(true), Ok(true), Ok(false)]);
}

#[test]
fn a_formula_has_as_many_propositions_as_are_allowed() {
    let made = |number: u32, propositions: u32| {
        let formula = Formula::Eventually(Box::new(Formula::Proposition(number)));
        let made = ltl::buchi_of(&formula, propositions, &Work::unlimited());
        made.map(|_| ())
    };
    let too_many = Err(ltl::TooLarge::Propositions.into());
    let most = MOST_PROPOSITIONS as u32;
    assert_eq!(made(most - 2, most - 1), Ok(()));
    assert_eq!(made(most - 1, most), Ok(()));
    assert_eq!(made(most, most), too_many);
    assert_eq!(made(0, most + 1), too_many);
}
