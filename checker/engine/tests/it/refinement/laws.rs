//! Random processes: the tester finds what the definitions say, and refinement is a preorder.

use stubborn_system::property::{Semantics, Tester};

use super::definition::{compare, has_periodic};
use super::process::{ALL, EVENTS, Numbers, Process, has, tester};
use super::product::{Found, search, tester_alphabet};

fn found(system: &Process, specification: &Process, semantics: Semantics) -> Found {
    search(&tester(system, specification, semantics).tester, system)
}

fn refines(system: &Process, specification: &Process, semantics: Semantics) -> bool {
    !found(system, specification, semantics).anything()
}

/// Def. 3.1, and that it speaks of nothing that does not occur.
fn is_a_tester(tester: &Tester, system: &Process, specification: &Process) {
    let alphabet = tester_alphabet(tester);
    assert_eq!(alphabet, system.alphabet & specification.alphabet);
    for (number, state) in tester.states.iter().enumerate() {
        for step in &state.steps {
            match &step.on {
                None => {
                    assert!(!state.deadlock, "a deadlock monitor state has no tau");
                    let to = &tester.states[step.target as usize];
                    assert!(
                        to.steps.iter().all(|step| step.on.is_some()),
                        "no tau cycle"
                    );
                }
                Some(on) => assert!(
                    (0..EVENTS).any(|e| has(alphabet, e) && super::process::matches(on, e)),
                    "state {number} has a step on what never occurs"
                ),
            }
        }
    }
}

fn check(system: &Process, specification: &Process) {
    let illegal = compare(system, specification);
    for semantics in ALL {
        let canonical = tester(system, specification, semantics);
        is_a_tester(&canonical.tester, system, specification);
        assert_eq!(canonical.shown.len(), canonical.tester.states.len());
        let found = search(&canonical.tester, system);
        let about = || format!("{semantics:?}\n{system:?}\nagainst {specification:?}");
        if semantics != Semantics::Cffd {
            // In CFFD a run that fails after an illegal trace makes a difference.
            let expected = illegal.is_violated(semantics);
            assert_eq!(found.anything(), expected, "{}", about());
        }
        let (traces, failures) = match semantics {
            Semantics::Traces => (illegal.trace, false),
            Semantics::Failures | Semantics::Cffd => (illegal.trace, illegal.failure),
            _ => (false, false),
        };
        assert_eq!(found.trace, traces, "C1 in {}", about());
        assert_eq!(found.failure, failures, "C2 in {}", about());
        if semantics == Semantics::Cffd {
            let all = illegal.is_violated(semantics);
            assert_eq!(found.anything(), all || illegal.trace, "{}", about());
        }
    }
}

#[test]
fn a_tester_finds_what_the_definitions_say() {
    let mut numbers = Numbers(0x5eed_0001);
    for _ in 0..1_200 {
        let specification = numbers.process(false);
        let unrelated = numbers.process(false);
        let similar = numbers.variant(&specification, false);
        for system in [unrelated, similar] {
            check(&system, &specification);
            let illegal = compare(&system, &specification);
            let all = illegal.is_violated(Semantics::Cffd);
            let cffd = found(&system, &specification, Semantics::Cffd);
            assert_eq!(cffd.anything(), all, "{system:?} against {specification:?}");
        }
    }
}

#[test]
fn failing_steps_are_steps_that_lead_nowhere() {
    let mut numbers = Numbers(0x5eed_0002);
    for _ in 0..1_200 {
        let specification = numbers.process(true);
        let system = numbers.variant(&specification, true);
        check(&system, &specification);
    }
}

#[test]
fn periodic_traces_are_found_where_the_specification_lacks_them() {
    let mut numbers = Numbers(0x5eed_0003);
    let mut illegal = 0;
    for _ in 0..600 {
        let specification = numbers.process(false);
        let system = numbers.variant(&specification, false);
        let visible = specification.alphabet;
        let events: Vec<u32> = (0..EVENTS).filter(|event| has(visible, *event)).collect();
        let mut words: Vec<Vec<u32>> = vec![vec![]];
        for first in &events {
            words.push(vec![*first]);
            words.extend(events.iter().map(|second| vec![*first, *second]));
        }
        let differs = words.iter().any(|prefix| {
            words[1..].iter().any(|cycle| {
                has_periodic(&system, visible, prefix, cycle)
                    && !has_periodic(&specification, visible, prefix, cycle)
            })
        });
        if differs {
            illegal += 1;
            let found = found(&system, &specification, Semantics::InfiniteTraces);
            assert!(found.infinite_trace, "{system:?} against {specification:?}");
        }
    }
    assert!(illegal > 40, "only {illegal} differ");
}

#[test]
fn a_process_refines_itself() {
    let mut numbers = Numbers(0x5eed_0004);
    for _ in 0..500 {
        let process = numbers.process(true);
        for semantics in ALL {
            assert!(refines(&process, &process, semantics), "{process:?}");
        }
    }
}

#[test]
fn refinement_is_transitive() {
    let mut numbers = Numbers(0x5eed_0005);
    let mut chains = 0;
    for _ in 0..1_000 {
        let top = numbers.process(false).with_alphabet(15);
        let middle = numbers.variant(&top, false);
        let bottom = numbers.variant(&middle, false);
        for semantics in ALL {
            if refines(&bottom, &middle, semantics) && refines(&middle, &top, semantics) {
                chains += 1;
                assert!(
                    refines(&bottom, &top, semantics),
                    "{semantics:?}\n{bottom:?}\n{middle:?}\n{top:?}"
                );
            }
        }
    }
    assert!(chains > 400, "only {chains} chains");
}

#[test]
fn what_a_specification_may_do_more_breaks_no_traces() {
    let mut numbers = Numbers(0x5eed_0006);
    for _ in 0..500 {
        let system = numbers.process(false).with_alphabet(15);
        let mut wider = system.clone();
        for _ in 0..3 {
            let other = numbers.process(false);
            let arcs = other.arcs.iter().filter(|(from, _, to)| {
                *from < system.states && to.is_some_and(|to| to < system.states)
            });
            wider.arcs.extend(arcs);
            for semantics in [Semantics::Traces, Semantics::InfiniteTraces] {
                assert!(refines(&system, &wider, semantics), "{system:?} {wider:?}");
            }
            assert!(refines(&system, &wider, Semantics::Divergences));
        }
    }
}

#[test]
fn cffd_is_finer_than_the_others() {
    let mut numbers = Numbers(0x5eed_0007);
    for _ in 0..500 {
        let specification = numbers.process(false);
        let system = numbers.variant(&specification, false);
        if refines(&system, &specification, Semantics::Cffd) {
            for semantics in ALL {
                assert!(refines(&system, &specification, semantics), "{semantics:?}");
            }
        }
    }
}
