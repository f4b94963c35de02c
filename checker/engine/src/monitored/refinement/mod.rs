//! Refinement: from a specification to the tester that finds what it does not allow.
//!
//! "A finite state process can be converted to a tester algorithmically, by applying finite
//! automaton determinization construction, and the canonical tester theory" (Valmari 1993, section
//! 3). The steps of this are: all states of the specification ([`lts`]), the sets of states that it
//! may be in after each trace ([`determinise`]), one state for those that are alike ([`minimise`]),
//! and the states and marks of the tester ([`canonical`]).

mod canonical;
mod determinise;
mod events;
mod hitting;
mod lts;
mod minimise;

use stubborn_automata::{NotMade, Work};
use stubborn_system::property::Refinement;
use stubborn_system::system::System;

use crate::verdict::Reason;

pub use canonical::Canonical;
use canonical::{Asked, canonical};
use determinise::Deterministic;
use events::Events;
use lts::Lts;
use minimise::minimise;

/// The tester that a system violates if and only if it does something that the specification cannot
/// do in the refinement's semantics.
///
/// Costs time and memory in proportion to the tester and to the subset construction, which may be
/// exponential in the specification; both are bounded.
///
/// # Errors [`Reason::MonitorTooLarge`] and [`Reason::AlphabetTooLarge`], and where the work has
/// been stopped.
pub fn tester_of(
    system: &System,
    refinement: &Refinement,
    work: &Work<'_>,
) -> Result<Canonical, NotMade<Reason>> {
    tester_within(system, refinement, Most::default(), work)
}

/// How large what is made on the way to a tester may get.
#[derive(Clone, Copy, Debug)]
struct Most {
    /// Of the specification.
    states: u64,
    /// Between them.
    transitions: usize,
    /// Of them, after all traces.
    subsets: usize,
    /// Of the tester.
    tester_states: usize,
}

impl Default for Most {
    fn default() -> Most {
        Most {
            states: lts::MOST_STATES,
            transitions: lts::MOST_TRANSITIONS,
            subsets: determinise::MOST_SUBSETS,
            tester_states: canonical::MOST_STATES,
        }
    }
}

fn tester_within(
    system: &System,
    refinement: &Refinement,
    most: Most,
    work: &Work<'_>,
) -> Result<Canonical, NotMade<Reason>> {
    let specification = &refinement.specification;
    let events = Events::new(system, &specification.alphabet, work)?;
    let alone = System {
        actions: system.actions.clone(),
        instances: vec![specification.clone()],
        ..System::default()
    };
    let lts = Lts::new(&alone, &events, most.states, most.transitions, work)?;
    let mut all = Deterministic::new(&lts, &events, most.subsets, work)?;
    Asked::of(refinement.semantics).forget_others(&mut all);
    let minimal = minimise(&all, work)?;
    canonical(
        &minimal,
        &events,
        refinement.semantics,
        most.tester_states,
        work,
    )
}

#[cfg(test)]
mod tests {
    use stubborn_system::property::Semantics;
    use stubborn_system::system::{
        Action, ActionPattern, Argument, Communication, Expr, Instance, Location, Range, Step,
        Target, Value,
    };

    use super::*;

    /// A specification that has `a(0)`, `a(1)` and so on round a ring, beside a model that has all
    /// of `a`.
    fn ring(states: u32, values: i64) -> (System, Refinement) {
        let on_any = ActionPattern {
            action: 0,
            arguments: vec![None],
        };
        let step = |state: u32| Step {
            communication: Some(Communication::On {
                action: 0,
                arguments: vec![Argument::Match(Expr::Const(Value::Int(0)))],
            }),
            guard: None,
            choices: Vec::new(),
            effects: Vec::new(),
            target: Target::To((state + 1) % states),
        };
        let location = |state: u32| Location {
            steps: vec![state],
            is_final: false,
        };
        let process = |states: u32| Instance {
            process: 0,
            locals: Vec::new(),
            steps: (0..states).map(step).collect(),
            locations: (0..states).map(location).collect(),
            initial: 0,
            alphabet: vec![on_any.clone()],
        };
        let arguments = vec![Range {
            lo: 0,
            hi: values - 1,
        }];
        let system = System {
            actions: vec![Action { arguments }],
            instances: vec![process(1)],
            ..System::default()
        };
        let refinement = Refinement {
            semantics: Semantics::Traces,
            specification: process(states),
        };
        (system, refinement)
    }

    fn tester(states: u32, most: Most) -> Result<usize, NotMade<Reason>> {
        let (system, refinement) = ring(states, 2);
        let made = tester_within(&system, &refinement, most, &Work::unlimited());
        made.map(|canonical| canonical.tester.states.len())
    }

    #[test]
    fn as_many_states_as_allowed_make_a_tester_and_one_more_makes_none() {
        let too_large = |most| Err(NotMade::TooLarge(Reason::MonitorTooLarge(most)));
        let all = Most::default();
        for states in [19, 20] {
            // One more for what is outside.
            let made = Ok(states as usize + 1);
            assert_eq!(tester(states, Most { states: 20, ..all }), made);
            assert_eq!(tester(states, Most { subsets: 20, ..all }), made);
            let tester_states = 21;
            assert_eq!(
                tester(
                    states,
                    Most {
                        tester_states,
                        ..all
                    }
                ),
                made
            );
        }
        assert_eq!(tester(21, Most { states: 20, ..all }), too_large(20));
        let (transitions, states) = (20, 21);
        let as_many = Most {
            transitions,
            states,
            ..all
        };
        assert_eq!(tester(19, as_many), Ok(20));
        assert_eq!(tester(20, as_many), Ok(21));
        assert_eq!(tester(21, as_many), too_large(21));
        assert_eq!(tester(21, Most { subsets: 20, ..all }), too_large(20));
        let tester_states = 21;
        assert_eq!(
            tester(
                21,
                Most {
                    tester_states,
                    ..all
                }
            ),
            too_large(21)
        );
    }

    #[test]
    fn as_many_events_as_allowed_are_an_alphabet_and_one_more_is_none() {
        let most = events::MOST_EVENTS;
        for (values, is_allowed) in [(most - 1, true), (most, true), (most + 1, false)] {
            let (system, refinement) = ring(2, values as i64);
            let alphabet = &refinement.specification.alphabet;
            let made = Events::new(&system, alphabet, &Work::unlimited());
            match made {
                Ok(made) => assert!(is_allowed && made.list.len() as u64 == values),
                Err(why) => {
                    assert_eq!(why, NotMade::TooLarge(Reason::AlphabetTooLarge(most)));
                    assert!(!is_allowed);
                }
            }
        }
    }

    #[test]
    fn as_many_hitting_sets_as_allowed_are_found_and_one_more_is_too_many() {
        // Two pairs without a common member are hit by four sets, and no more on the way.
        let pairs = [vec![0, 1], vec![2, 3]];
        for (most, is_allowed) in [(3, false), (4, true), (5, true)] {
            let found = hitting::minimal_hitting_sets(&pairs, most, &Work::unlimited());
            assert_eq!(found.map(|found| found.is_some()), Ok(is_allowed));
        }
        // Of three sets none of which is in another, three pairs are compared.
        let sets = vec![vec![0, 1], vec![1, 2], vec![0, 2]];
        for (most, is_allowed) in [(2, false), (3, true), (4, true)] {
            let found = hitting::minimal_sets(sets.clone(), most, &Work::unlimited());
            assert_eq!(found.map(|found| found.is_some()), Ok(is_allowed));
        }
    }
}
