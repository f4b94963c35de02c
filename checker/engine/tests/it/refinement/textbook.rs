//! Pairs of processes that tell the semantics apart.

use stubborn_system::property::Semantics::{
    self, Cffd, Divergences, Failures, InfiniteTraces, Traces,
};

use super::process::{ALL, Process, tester};
use super::product::search;

/// In exactly these semantics the one refines the other, both with the alphabet of both.
fn refines(system: &Process, specification: &Process, expected: &[Semantics]) {
    let alphabet = system.alphabet | specification.alphabet;
    let system = system.clone().with_alphabet(alphabet);
    let specification = specification.clone().with_alphabet(alphabet);
    let holds = |semantics: &Semantics| {
        !search(&tester(&system, &specification, *semantics).tester, &system).anything()
    };
    let found: Vec<Semantics> = ALL.into_iter().filter(holds).collect();
    assert_eq!(found, expected, "{system:?} against {specification:?}");
}

#[test]
fn failures_see_who_chooses() {
    let late = Process::new(&[(0, "a", 1), (1, "b", 2), (1, "c", 3)]);
    let early = Process::new(&[(0, "a", 1), (0, "a", 2), (1, "b", 3), (2, "c", 4)]);
    refines(&early, &late, &[Traces, Divergences, InfiniteTraces]);
    refines(&late, &early, &ALL);
}

#[test]
fn a_choice_by_tau_is_no_better() {
    let late = Process::new(&[(0, "b", 2), (0, "c", 3)]);
    let early = Process::new(&[(0, "tau", 1), (0, "tau", 2), (1, "b", 3), (2, "c", 4)]);
    let half = Process::new(&[(0, "tau", 1), (0, "c", 2), (1, "b", 3)]);
    refines(&early, &late, &[Traces, Divergences, InfiniteTraces]);
    refines(&half, &late, &[Traces, Divergences, InfiniteTraces]);
    refines(&half, &early, &ALL);
    refines(&late, &half, &ALL);
}

#[test]
fn traces_do_not_see_that_nothing_is_done() {
    let stop = Process::new(&[]);
    let ticks = Process::new(&[(0, "a", 0)]);
    refines(&stop, &ticks, &[Traces, Divergences, InfiniteTraces]);
    refines(&ticks, &stop, &[Divergences]);
}

#[test]
fn divergences_see_a_tau_loop() {
    let once = Process::new(&[(0, "a", 1)]);
    let busy = Process::new(&[(0, "a", 1), (0, "tau", 0)]);
    refines(&busy, &once, &[Traces, Failures, InfiniteTraces]);
    // The other is never stable before its `a`.
    refines(&once, &busy, &[Traces, Divergences, InfiniteTraces]);
}

#[test]
fn a_livelock_is_no_deadlock() {
    let stop = Process::new(&[]).with_alphabet(1);
    let spins = Process::new(&[(0, "tau", 1), (1, "tau", 0)]).with_alphabet(1);
    refines(&spins, &stop, &[Traces, Failures, InfiniteTraces]);
    refines(&stop, &spins, &[Traces, Divergences, InfiniteTraces]);
    // CFFD does not take a divergence for chaos, as CSP does.
    let either = Process::new(&[(0, "tau", 0), (0, "tau", 1)]).with_alphabet(1);
    refines(&stop, &either, &ALL);
    refines(&spins, &either, &ALL);
}

#[test]
fn what_is_illegal_only_by_its_trace_is_no_infinite_trace() {
    let one = Process::new(&[(0, "a", 1)]);
    let two = Process::new(&[(0, "a", 1), (1, "a", 2)]);
    let forever = Process::new(&[(0, "a", 0)]);
    refines(&two, &one, &[Divergences, InfiniteTraces]);
    refines(&forever, &one, &[Divergences]);
    refines(&one, &forever, &[Traces, Divergences, InfiniteTraces]);
}

#[test]
fn a_divergence_after_an_illegal_trace_is_illegal() {
    let one = Process::new(&[(0, "a", 1)]);
    let then = Process::new(&[(0, "a", 1), (1, "b", 2), (2, "tau", 2)]);
    refines(&then, &one, &[InfiniteTraces]);
    // Whatever the specification does before.
    let busy = Process::new(&[(0, "a", 1), (0, "tau", 0), (1, "tau", 1)]);
    refines(&then, &busy, &[InfiniteTraces]);
}

#[test]
fn what_the_specification_does_not_speak_of_is_invisible() {
    let hidden = Process::new(&[(0, "a", 1), (1, "b", 0)]);
    let ticks = Process::new(&[(0, "a", 0)]);
    let visible_by_b = tester(&hidden, &ticks, Cffd);
    assert!(!search(&visible_by_b.tester, &hidden).anything());
    let spins = Process::new(&[(0, "b", 0)]);
    let quiet = Process::new(&[]).with_alphabet(1);
    assert!(search(&tester(&spins, &quiet, Cffd).tester, &spins).divergence);
}

#[test]
fn an_event_that_the_model_does_not_have_is_refused_by_it() {
    let ticks = Process::new(&[(0, "a", 0)]);
    let either = Process::new(&[(0, "a", 0), (0, "c", 1)]);
    let found = |semantics| search(&tester(&ticks, &either, semantics).tester, &ticks);
    assert!(found(Failures).failure);
    assert!(!found(Traces).anything());
    // It could choose to refuse it.
    let free = Process::new(&[(0, "a", 0), (0, "c", 1), (0, "tau", 2), (2, "a", 0)]);
    assert!(!search(&tester(&ticks, &free, Cffd).tester, &ticks).anything());
}
