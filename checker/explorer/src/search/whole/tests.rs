//! Questions about random graphs, answered from their definitions, on one thread and on several.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use stubborn_space::budget::Budget;
use stubborn_space::options::Limits;
use stubborn_space::successors::{Footprints, Label, Successors, Visit};
use stubborn_space::verdict::Reason;
use stubborn_system::system::Failure;

use super::cycles::{Answer, Step, cycles};
use super::reaching::{Goal, Reaching, reaching};
use super::*;

use crate::search::Question;
use crate::search::asked::Asked;
use crate::search::layers::{self, Look, Team};
use crate::search::meter::{Meter, Stop};

/// States are numbers below some bound; of each the states that its steps lead to, each with what a
/// question makes of it.
struct Graph(Vec<Vec<(usize, Step)>>);

/// A generator of numbers (Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 20) % end as u64) as usize
    }
}

const KINDS: [Step; 3] = [Step::Forbidden, Step::Allowed, Step::Wanted];

impl Graph {
    fn random(random: &mut Random) -> Graph {
        let states = 2 + random.below(120);
        let most = 1 + random.below(5);
        let is_near = random.below(2) == 0;
        let leads_back = 1 + random.below(20);
        let rarity = 2 + random.below(8);
        let lists = (0..states).map(|from| {
            let many = random.below(most + 1);
            let step = |_| {
                let to = match is_near {
                    true if random.below(leads_back) > 0 => {
                        (from + 1 + random.below(4)).min(states - 1)
                    }
                    _ => random.below(states),
                };
                let kind = match random.below(rarity) {
                    0 => KINDS[random.below(3)],
                    _ => Step::Allowed,
                };
                (to, kind)
            };
            (0..many).map(step).collect()
        });
        Graph(lists.collect())
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    /// From where a state with `is_goal` can be reached by steps with `is_taken`.
    fn reaching(
        &self,
        is_goal: impl Fn(usize) -> bool,
        is_taken: impl Fn(usize, usize, Step) -> bool,
    ) -> Vec<bool> {
        let mut reaching: Vec<bool> = (0..self.len()).map(is_goal).collect();
        loop {
            let leads_there = |from: usize| {
                let mut steps = self.0[from].iter();
                steps.any(|(to, kind)| reaching[*to] && is_taken(from, *to, *kind))
            };
            let new = (0..self.len()).find(|state| !reaching[*state] && leads_there(*state));
            match new {
                Some(state) => reaching[state] = true,
                None => return reaching,
            }
        }
    }

    fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.len()];
        let mut open = vec![0];
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut reached[state], true) {
                open.extend(self.0[state].iter().map(|(to, _)| to));
            }
        }
        reached
    }

    /// Whether there is a cycle as the question asks for, with `stays` for the states.
    fn has_cycle(&self, stays: &dyn Fn(usize) -> bool, kind_of: &dyn Fn(Step) -> Step) -> bool {
        let reached = self.reached();
        let is_taken = |from: usize, to: usize, kind| {
            reached[from] && stays(from) && stays(to) && kind_of(kind) != Step::Forbidden
        };
        (0..self.len()).any(|from| {
            let back = self.reaching(|state| state == from, is_taken);
            let mut steps = self.0[from].iter();
            steps.any(|(to, kind)| {
                kind_of(*kind) == Step::Wanted && is_taken(from, *to, *kind) && back[*to]
            })
        })
    }
}

const INITIAL: [u64; 1] = [0];

/// A step's number is its kind's.
impl Successors for Graph {
    type Scratch = ();

    fn words(&self) -> usize {
        1
    }

    fn initial(&self) -> &[u64] {
        &INITIAL
    }

    fn scratch(&self) {}

    fn visit(&self, state: &[u64], (): &mut (), visitor: &mut dyn Visit) -> ControlFlow<()> {
        let mut steps = self.0[state[0] as usize].iter();
        steps.try_for_each(|(to, kind)| {
            let participants = [(0, *kind as u32)];
            let label = Label {
                participants: &participants,
                action: None,
            };
            visitor.step(label, Ok(&[*to as u64]))
        })
    }
}

impl Footprints for Graph {}

struct NoLook;

impl Look for NoLook {
    fn looks(&self) -> usize {
        0
    }

    fn found(&mut self, _: usize, _: &[u64]) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    fn failing(&mut self, _: Label<'_>, _: &Failure) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    fn terminal(&mut self, _: &[u64]) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }
}

/// All states, found by so many threads.
fn whole(graph: &Graph, threads: usize) -> Whole {
    let mut meter = Meter::quiet(Budget::default());
    let bits = u64::MAX >> (graph.len() as u64).leading_zeros();
    let (flow, layers, _) = layers::search(
        graph,
        vec![(0, bits)],
        &mut meter,
        Team::for_any_model(threads),
        || NoLook,
    );
    assert!(flow.is_continue());
    layers.whole.expect("every step was taken")
}

#[derive(Clone, Copy)]
struct Goals<F> {
    is_goal: F,
    ends: bool,
}

impl<F: Fn(u64) -> bool> Goal for Goals<F> {
    fn is(&mut self, state: &[u64]) -> bool {
        (self.is_goal)(state[0])
    }

    fn is_each_end(&self) -> bool {
        self.ends
    }
}

/// Every state but these, and steps of these kinds.
#[derive(Clone, Copy)]
struct Kinds<F>(F);

impl<F: Fn(u64) -> bool> Question for Kinds<F> {
    fn stays(&mut self, state: &[u64]) -> bool {
        (self.0)(state[0])
    }

    fn step(&mut self, _: &[u64], label: Label<'_>, _: &[u64]) -> Step {
        KINDS[label.participants[0].1 as usize]
    }
}

/// The same where every step is wanted.
#[derive(Clone, Copy)]
struct Any<F>(F);

impl<F: Fn(u64) -> bool> Question for Any<F> {
    const ALL_ARE_WANTED: bool = true;

    fn stays(&mut self, state: &[u64]) -> bool {
        (self.0)(state[0])
    }

    fn step(&mut self, _: &[u64], _: Label<'_>, _: &[u64]) -> Step {
        Step::Wanted
    }
}

fn unlimited() -> Meter<'static> {
    Meter::quiet(Budget::default())
}

#[test]
fn a_goal_is_reached_from_where_it_is_reached() {
    let mut random = Random(7);
    let (mut from_all, mut from_some) = (0, 0);
    for _ in 0..600 {
        let graph = Graph::random(&mut random);
        let rarity = 1 + random.below(60);
        let goals: Vec<bool> = (0..graph.len())
            .map(|_| random.below(rarity) == 0)
            .collect();
        let ends = random.below(2) == 0;
        let is_goal = |state: usize| goals[state] || ends && graph.0[state].is_empty();
        let expected = graph.reaching(is_goal, |_, _, _| true);
        let reached = graph.reached();
        for threads in [1, 2, 3] {
            let whole = whole(&graph, threads);
            let goal = Goals {
                is_goal: |state: u64| goals[state as usize],
                ends,
            };
            let meter = &mut unlimited();
            let found = reaching(&graph, (&whole, 0), meter, threads, || goal);
            match found.continue_value().expect("there is no limit") {
                Reaching::FromAll => {
                    assert!((0..graph.len()).all(|state| expected[state] || !reached[state]));
                    from_all += 1;
                }
                Reaching::From(known) => {
                    let number = |state| whole.number(whole.seek(state as u64)).expect("it is one");
                    for state in (0..graph.len()).filter(|state| reached[*state]) {
                        assert_eq!(known.has(number(state)), expected[state]);
                    }
                    assert!((0..graph.len()).any(|state| reached[state] && !expected[state]));
                    from_some += 1;
                }
                Reaching::GivenUp => unreachable!("few rounds are enough"),
            }
        }
    }
    assert!(from_all > 300 && from_some > 300, "{from_all} {from_some}");
}

#[test]
fn there_is_a_cycle_where_there_is_one() {
    let mut random = Random(11);
    let mut met = [0; 4];
    for _ in 0..600 {
        let graph = Graph::random(&mut random);
        let rarity = 2 + random.below(30);
        let stays: Vec<bool> = (0..graph.len()).map(|_| random.below(rarity) > 0).collect();
        let stays = |state: u64| stays[state as usize];
        let expected = graph.has_cycle(&|state| stays(state as u64), &|kind| kind);
        let of_any = graph.has_cycle(&|state| stays(state as u64), &|_| Step::Wanted);
        for threads in [1, 2, 3] {
            let whole = whole(&graph, threads);
            let meter = &mut unlimited();
            let found = cycles(
                &graph,
                (&whole, 0),
                meter,
                Team::for_any_model(threads),
                || Kinds(stays),
            );
            let answer =
                |yes: bool| ControlFlow::Continue(if yes { Answer::Yes } else { Answer::No });
            assert_eq!(found, answer(expected));
            let found = cycles(
                &graph,
                (&whole, 0),
                meter,
                Team::for_any_model(threads),
                || Any(stays),
            );
            assert_eq!(found, answer(of_any));
            met[usize::from(expected)] += 1;
            met[2 + usize::from(of_any)] += 1;
        }
    }
    assert!(met.iter().all(|met| *met > 150), "{met:?}");
}

/// A line of so many states, each with a step to the next one, and so many with one to the first.
fn line(len: usize, back: usize) -> Graph {
    let lists = (0..len).map(|state| {
        let next = (state + 1 < len).then_some((state + 1, Step::Allowed));
        let first = (state > 0 && state <= back).then_some((0, Step::Wanted));
        next.into_iter().chain(first).collect()
    });
    Graph(lists.collect())
}

#[test]
fn a_long_line_is_gone_through_in_little_time() {
    let graph = line(300_000, 0);
    for threads in [1, 2, 3] {
        let whole = whole(&graph, threads);
        let meter = &mut unlimited();
        let goal = Goals {
            is_goal: |_| false,
            ends: true,
        };
        let found = reaching(&graph, (&whole, 0), meter, threads, || goal);
        assert!(matches!(found, ControlFlow::Continue(Reaching::FromAll)));
        let found = cycles(
            &graph,
            (&whole, 0),
            meter,
            Team::for_any_model(threads),
            || Any(|_| true),
        );
        assert_eq!(found, ControlFlow::Continue(Answer::No));
    }
}

#[test]
fn more_steps_to_a_state_than_a_byte_counts_are_counted() {
    // All but the first states go, one after the other, where the first one is none to stay in.
    let graph = line(2_000, 1_500);
    for threads in [1, 2, 3] {
        let whole = whole(&graph, threads);
        for (first, answer) in [(true, Answer::Yes), (false, Answer::No)] {
            let stays = |state| first || state > 0;
            let meter = &mut unlimited();
            let found = cycles(
                &graph,
                (&whole, 0),
                meter,
                Team::for_any_model(threads),
                || Kinds(stays),
            );
            assert_eq!(found, ControlFlow::Continue(answer));
            let found = cycles(
                &graph,
                (&whole, 0),
                meter,
                Team::for_any_model(threads),
                || Any(stays),
            );
            assert_eq!(found, ControlFlow::Continue(answer));
        }
    }
}

/// With so much memory besides the set of states.
fn max_memory(whole: &Whole, more: u64) -> Limits {
    Limits {
        max_memory: Some(whole.bytes() + more),
        ..Limits::default()
    }
}

#[test]
fn with_too_little_memory_nothing_is_said_and_with_little_what_is_so() {
    let graph = line(20_000, 0);
    let goal = Goals {
        is_goal: |_| false,
        ends: true,
    };
    for threads in [1, 2, 3] {
        let whole = whole(&graph, threads);
        let marks = whole.numbers() / 4;
        let no_memory = |limits: Limits| {
            let most = limits.max_memory.expect("there is a limit");
            Stop::Limit(Reason::Memory(most))
        };
        // A walk that may not be long is begun again.
        for (more, is_enough) in [(marks / 2, false), (marks + 50_000, true)] {
            let limits = max_memory(&whole, more);
            let meter = &mut Meter::quiet(limits.into());
            let found = reaching(&graph, (&whole, 0), meter, threads, || goal);
            match found {
                ControlFlow::Continue(found) => {
                    assert!(is_enough && matches!(found, Reaching::FromAll | Reaching::GivenUp));
                }
                ControlFlow::Break(stop) => {
                    assert!(!is_enough && stop == no_memory(limits));
                }
            }
        }
        let counts = whole.numbers();
        for (more, is_enough) in [(counts, false), (marks + counts + 100_000, true)] {
            let limits = max_memory(&whole, more);
            let meter = &mut Meter::quiet(limits.into());
            let found = cycles(
                &graph,
                (&whole, 0),
                meter,
                Team::for_any_model(threads),
                || Any(|_| true),
            );
            match is_enough {
                true => assert_eq!(found, ControlFlow::Continue(Answer::No)),
                false => assert_eq!(found, ControlFlow::Break(no_memory(limits))),
            }
        }
    }
}

#[test]
fn time_and_cancelling_are_heard() {
    let graph = line(50_000, 0);
    let goal = Goals {
        is_goal: |_| false,
        ends: true,
    };
    for threads in [1, 2, 3] {
        let whole = whole(&graph, threads);
        for (deadline, cancelled_after, reason) in [
            (Some(20), u64::MAX, Reason::Time),
            (None, 20, Reason::Cancelled),
        ] {
            let clock = Asked::cancelling_after(cancelled_after);
            let limits = Limits {
                deadline: deadline.map(|after| clock.start + Duration::from_millis(after)),
                ..Limits::default()
            };
            let stop = Stop::Limit(reason);
            let meter = &mut Meter::quiet(Budget::new(&clock).with(limits));
            let found = reaching(&graph, (&whole, 0), meter, threads, || goal);
            assert_eq!(found.map_continue(drop), ControlFlow::Break(stop.clone()));
            clock.begin_again();
            let meter = &mut Meter::quiet(Budget::new(&clock).with(limits));
            let found = cycles(
                &graph,
                (&whole, 0),
                meter,
                Team::for_any_model(threads),
                || Any(|_| true),
            );
            assert_eq!(found, ControlFlow::Break(stop));
        }
    }
}

#[test]
fn a_panic_on_one_thread_is_the_searchs() {
    let graph = line(50_000, 0);
    for threads in [1, 2, 3] {
        let whole = whole(&graph, threads);
        let panics = |state: u64| match state {
            17 => std::panic::resume_unwind(Box::new("so it ends")),
            _ => false,
        };
        let goal = Goals {
            is_goal: panics,
            ends: true,
        };
        let meter = &mut unlimited();
        let found = AssertUnwindSafe(|| {
            let _ = reaching(&graph, (&whole, 0), meter, threads, || goal);
        });
        let panic = catch_unwind(found).expect_err("somebody panics");
        assert_eq!(panic.downcast_ref(), Some(&"so it ends"));
        let meter = &mut unlimited();
        let found = AssertUnwindSafe(|| {
            let _ = cycles(
                &graph,
                (&whole, 0),
                meter,
                Team::for_any_model(threads),
                || Any(panics),
            );
        });
        let panic = catch_unwind(found).expect_err("somebody panics");
        assert_eq!(panic.downcast_ref(), Some(&"so it ends"));
    }
}
