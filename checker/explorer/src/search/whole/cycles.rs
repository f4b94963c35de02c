//! Whether a run can stay among some states for ever and take wanted steps infinitely often,
//! without kept edges.
//!
//! This is OWCTY, "one way catch them young", on several threads (I. Černá and R. Pelánek,
//! "Distributed Explicit Fair Cycle Detection", SPIN 2003; the symbolic original is K. Fisler, R.
//! Fraer, G. Kamhi, M. Y. Vardi and Z. Yang, "Is There a Best Symbolic Cycle-Detection Algorithm?",
//! TACAS 2001). There, a cycle has an accepting state; here it has a *wanted* step and no forbidden
//! states and steps. Of the states that are *left*, at first all in which a run may stay,
//!
//! 1. those stay left that can be reached from the target of a wanted step, by steps between states
//!    that are left;
//! 2. and of these those that are not *trimmed*: a state to which no step of a left state leads is
//!    removed, until there is none. Step 1 counts how many steps lead to each.
//!
//! No state of such a cycle is ever removed: it can be reached from the target of the cycle's
//! wanted step, and a step of the cycle leads to it. So if no state is left there is no cycle. If
//! no state was removed there is one: each state can be reached from the target of a wanted step,
//! whose source is left and can be reached from the target of another one, and so on, of finitely
//! many wanted steps. If all steps are wanted, the states that 2 leaves have a cycle, and 1 is not
//! needed.
//!
//! The number of repetitions has no useful bound: the search gives up after [`MOST_ENTERED`]
//! entries for each state.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

pub use stubborn_space::recurring::Step;
use stubborn_space::successors::{Label, Successors, Visit};
use stubborn_system::system::Failure;

use super::Whole;
use super::bits::Bits;
use super::counts::Counts;
use super::sections::Sections;
use crate::search::Question;
use crate::search::layers::Team;
use crate::search::layers::blocks::Blocks;
use crate::search::layers::bounds::Bounds;
use crate::search::layers::pool::{Member, all_together};
use crate::search::meter::{Meter, Stop};
use crate::store::quotient::Place;

/// Targets of steps that are looked up at a time, so that the waits for memory overlap.
const WINDOW: usize = 512;
/// Greatest number of entries for each state, on average.
const MOST_ENTERED: u64 = 32;

/// Whether there is a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    No,
    Yes,
    /// The search gave up.
    GivenUp,
}

/// Searches for a cycle of allowed steps, one of them wanted, among the states of `whole` in which
/// a run may stay, on the threads of a team.
///
/// Takes ten bits for each place of the set of states and some for states that wait, and time in
/// proportion to the edges and the number of repetitions. `steps` is the number of edges, for
/// reports of progress.
pub fn cycles<S, Q>(
    model: &S,
    (whole, steps): (&Whole, u64),
    meter: &mut Meter<'_>,
    team: Team,
    mut question: impl FnMut() -> Q,
) -> ControlFlow<Stop, Answer>
where
    S: Successors + Sync,
    S::Scratch: Send,
    Q: Question + Send,
{
    debug_assert_eq!(model.words(), 1, "a state is its word");
    let bounds = whole.bounds(steps, meter);
    let numbers = whole.numbers();
    bounds.hold(Bits::bytes_for(2 * numbers) + Counts::bytes_for(numbers))?;
    let mut hands = Vec::new();
    for _ in 0..team.threads.max(1) {
        bounds.hold(Window::BYTES)?;
        hands.push(Hand {
            scratch: model.scratch(),
            question: question(),
            window: Window::default(),
            next: Blocks::default(),
        });
    }
    let mut search = Search {
        model,
        whole,
        bounds,
        meter,
        team,
        hands,
        marks: Bits::new(2 * numbers),
        counts: Counts::new(numbers),
    };
    search.all()
}

struct Search<'s, 'm, S: Successors, Q> {
    model: &'s S,
    whole: &'s Whole,
    bounds: Bounds,
    meter: &'s mut Meter<'m>,
    team: Team,
    hands: Vec<Hand<S::Scratch, Q>>,
    /// Marks for each state that it is left, and that it was reached.
    marks: Bits,
    /// Number of steps of left states that lead to each state.
    counts: Counts,
}

fn left(number: u64) -> u64 {
    2 * number
}

fn reached(number: u64) -> u64 {
    2 * number + 1
}

/// Working memory of one thread, on cache lines of its own.
#[repr(align(128))]
struct Hand<C, Q> {
    scratch: C,
    question: Q,
    window: Window,
    /// States that this thread has found for the next pass.
    next: Blocks,
}

/// Targets of steps that are looked up together.
#[derive(Default)]
struct Window {
    targets: Vec<Place>,
    numbers: Vec<u64>,
}

impl Window {
    /// Upper bound of its memory, in bytes.
    const BYTES: u64 = (WINDOW * (size_of::<Place>() + size_of::<u64>())) as u64;
}

/// Treatment of states, or of the targets of their steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// Marks a state as left if a run may stay in it.
    Begin,
    /// Marks the target of a wanted step as reached.
    Sow,
    /// Marks the target of a step of a reached state as reached, and counts the step.
    Spread,
    /// Counts a step at its target.
    Count,
    /// Removes a state to which no step leads.
    TrimFirst,
    /// Uncounts a step of a removed state at its target, which is removed when no other is left.
    Trim,
}

impl<S, Q> Search<'_, '_, S, Q>
where
    S: Successors + Sync,
    S::Scratch: Send,
    Q: Question + Send,
{
    fn all(&mut self) -> ControlFlow<Stop, Answer> {
        let mut open = self.sweep(Pass::Begin)?;
        let mut left_to_enter = self.whole.states() * MOST_ENTERED;
        loop {
            let before = open;
            if Q::ALL_ARE_WANTED {
                self.sweep(Pass::Count)?;
            } else {
                let reached = self.sweep(Pass::Sow)? + self.go_on(Pass::Spread)?;
                debug_assert!(reached <= open, "what is reached was left");
                self.marks.odd_become_even();
                open = reached;
            }
            left_to_enter = left_to_enter.saturating_sub(2 * before);
            let gone = self.sweep(Pass::TrimFirst)? + self.go_on(Pass::Trim)?;
            debug_assert!(gone <= open, "what goes was left");
            open -= gone;
            if open == 0 {
                return ControlFlow::Continue(Answer::No);
            }
            if Q::ALL_ARE_WANTED || open == before {
                return ControlFlow::Continue(Answer::Yes);
            }
            if left_to_enter == 0 {
                return ControlFlow::Continue(Answer::GivenUp);
            }
            self.counts.clear(&self.bounds);
        }
    }

    /// Makes a pass over all states that are left. Returns how many marks have changed.
    fn sweep(&mut self, pass: Pass) -> ControlFlow<Stop, u64> {
        let sections = Sections::new(self.whole.numbers());
        self.with_hands(pass, self.hands.len(), |worker, hand| {
            while let Some(numbers) = sections.take() {
                for number in numbers {
                    worker.come_to(number, hand)?;
                }
                // Many numbers may have no state.
                worker.member.count_down()?;
            }
            ControlFlow::Continue(())
        })
    }

    /// Makes a pass over the states that were found for it, and those that it finds. Returns how
    /// many marks have changed.
    fn go_on(&mut self, pass: Pass) -> ControlFlow<Stop, u64> {
        let mut changed = 0;
        loop {
            let mut blocks = Blocks::default();
            for hand in &mut self.hands {
                blocks.append(hand.next.take());
            }
            let states = blocks.states();
            if states == 0 {
                return ControlFlow::Continue(changed);
            }
            let threads = self.team.of_layer(states);
            let blocks = Mutex::new(blocks);
            let next = || {
                let mut blocks = blocks.lock().unwrap_or_else(PoisonError::into_inner);
                blocks.take_last()
            };
            changed += self.with_hands(pass, threads, |worker, hand| {
                while let Some(block) = next() {
                    for state in &block {
                        worker.enter(*state, hand)?;
                    }
                    hand.next.recycle(block, worker.member.bounds);
                }
                ControlFlow::Continue(())
            })?;
        }
    }

    fn with_hands(
        &mut self,
        pass: Pass,
        threads: usize,
        work: impl Fn(&mut Worker<'_, S>, &mut Hand<S::Scratch, Q>) -> ControlFlow<()> + Sync,
    ) -> ControlFlow<Stop, u64> {
        let changed = AtomicU64::new(0);
        let (model, whole) = (self.model, self.whole);
        let (marks, counts) = (&self.marks, &self.counts);
        let hands = &mut self.hands[..threads];
        all_together(&self.bounds, self.meter, hands, |_, hand, member| {
            let mut worker = Worker {
                model,
                whole,
                marks,
                counts,
                pass,
                member,
                changed: 0,
            };
            let flow = match work(&mut worker, hand) {
                ControlFlow::Continue(()) => worker.look_up(&mut hand.window, &mut hand.next),
                stopped => stopped,
            };
            changed.fetch_add(worker.changed, Relaxed);
            worker.member.ended(flow)
        })?;
        ControlFlow::Continue(changed.into_inner())
    }
}

/// One thread in a pass.
struct Worker<'t, S> {
    model: &'t S,
    whole: &'t Whole,
    marks: &'t Bits,
    counts: &'t Counts,
    pass: Pass,
    member: Member<'t>,
    /// Number of marks that it has changed.
    changed: u64,
}

impl<S: Successors> Worker<'_, S> {
    fn come_to<Q: Question>(
        &mut self,
        number: u64,
        hand: &mut Hand<S::Scratch, Q>,
    ) -> ControlFlow<()> {
        if self.pass == Pass::Begin {
            if let Some(word) = self.whole.state(number)
                && hand.question.stays(&[word])
            {
                self.changed += u64::from(self.marks.insert(left(number)));
            }
            return self.member.count_down();
        }
        if !self.marks.has(left(number)) {
            return ControlFlow::Continue(());
        }
        let Some(word) = self.whole.state(number) else {
            debug_assert!(false, "only states are left");
            return ControlFlow::Continue(());
        };
        if self.pass != Pass::TrimFirst {
            return self.enter(word, hand);
        }
        if self.counts.is_zero(number) && self.marks.remove(left(number)) {
            self.changed += 1;
            let kept = hand.next.push(word, self.member.bounds);
            self.member.or_stop(kept)?;
        }
        self.member.count_down()
    }

    /// Takes the steps of a state.
    fn enter<Q: Question>(&mut self, word: u64, hand: &mut Hand<S::Scratch, Q>) -> ControlFlow<()> {
        let Hand {
            scratch,
            question,
            window,
            next,
        } = hand;
        let (model, from) = (self.model, [word]);
        let mut taking = Taking {
            worker: self,
            from: &from,
            question,
            window,
            next,
        };
        model.visit(&from, scratch, &mut taking)?;
        self.member.count_down()
    }

    /// Looks up the targets that were collected, and treats them as the pass does.
    fn look_up(&mut self, window: &mut Window, next: &mut Blocks) -> ControlFlow<()> {
        let Window { targets, numbers } = window;
        numbers.clear();
        let mut stop = None;
        targets.retain(|place| match self.whole.number_behind(*place) {
            ControlFlow::Continue(Some(number)) => {
                self.marks.fetch(left(number));
                self.counts.fetch(number);
                numbers.push(number);
                true
            }
            ControlFlow::Continue(None) => false,
            ControlFlow::Break(why) => {
                stop.get_or_insert(why);
                false
            }
        });
        if let Some(stop) = stop {
            return self.member.stop_with(stop);
        }
        for (place, number) in targets.iter().zip(&*numbers) {
            if self.marks.has(left(*number)) {
                let kept = match self.lead_to(*number) {
                    ControlFlow::Continue(true) => next.push(place.word, self.member.bounds),
                    flow => flow.map_continue(drop),
                };
                self.member.or_stop(kept)?;
            }
        }
        targets.clear();
        ControlFlow::Continue(())
    }

    /// Treats a left state to which a step leads. Returns whether its own steps are to be taken
    /// now.
    fn lead_to(&mut self, number: u64) -> ControlFlow<Stop, bool> {
        let is_new = match self.pass {
            Pass::Sow => self.marks.insert(reached(number)),
            Pass::Spread => {
                self.counts.up(number, self.member.bounds)?;
                self.marks.insert(reached(number))
            }
            Pass::Count => {
                self.counts.up(number, self.member.bounds)?;
                false
            }
            Pass::Trim => self.counts.down(number) && self.marks.remove(left(number)),
            Pass::Begin | Pass::TrimFirst => {
                debug_assert!(false, "no steps are taken");
                false
            }
        };
        self.changed += u64::from(is_new);
        ControlFlow::Continue(is_new)
    }
}

/// Visitor of the steps of one state.
struct Taking<'k, 't, S, Q> {
    worker: &'k mut Worker<'t, S>,
    from: &'k [u64],
    question: &'k mut Q,
    window: &'k mut Window,
    next: &'k mut Blocks,
}

impl<S: Successors, Q: Question> Visit for Taking<'_, '_, S, Q> {
    #[inline]
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        if let Ok(state) = outcome {
            let step = self.question.step(self.from, label, state);
            let is_looked_up = match self.worker.pass {
                Pass::Sow => step == Step::Wanted,
                _ => step != Step::Forbidden,
            };
            if is_looked_up {
                self.window.targets.push(self.worker.whole.seek(state[0]));
                if self.window.targets.len() == WINDOW {
                    self.worker.look_up(self.window, self.next)?;
                }
            }
        }
        self.worker.member.count_down()
    }

    fn pulse(&mut self) -> ControlFlow<()> {
        self.worker.member.ask_whether_to_go_on()
    }
}
