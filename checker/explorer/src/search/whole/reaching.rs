//! States from which a goal can be reached (EF), without kept edges.
//!
//! A *walk* goes depth first from some state on. Where a step leads to a state from which a goal is
//! known to be reachable, this holds for all states on the walk's path, and the walk is over. If
//! goals can be reached from everywhere, the steps of few states are computed more than once. Each
//! thread alternates between several walks, so that their waits for memory overlap.
//!
//! The result does not depend on the order of the walks. A state becomes *known* if it is a goal or
//! has a step to a known state; so a goal can be reached from it. Within one *round* one walk
//! enters every state that is not known and examines all of its steps. If a round makes no state
//! known, no step leads from the other states to a known one, and no goal can be reached from them.
//!
//! A state may be left while another walk on which it depends is under way. The next round enters
//! it again, with fewer walks, which interfere less. No number of rounds is certain to suffice, so
//! the search gives up after [`MOST_ENTERED`] entries for each state: its time is proportional to
//! the number of edges.
//!
//! [`reach`](crate::graph::reach) would need the edges, which take more memory than the states, and
//! one thread: Tarjan's algorithm does not work on several.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use stubborn_space::successors::{Label, Successors, Visit};
use stubborn_system::system::Failure;

use super::Whole;
use super::bits::Bits;
use super::sections::Sections;
use crate::search::layers::bounds::Bounds;
use crate::search::layers::pool::{Member, all_together};
use crate::search::meter::{Meter, Stop};
use crate::store::quotient::Place;

/// Walks of each thread in the first round, in the second, and in all later ones, which have one
/// thread.
const WALKS: [usize; 3] = [16, 4, 1];
/// Greatest number of steps of a state that are collected before their targets are examined.
const STEPS_AT_ONCE: usize = 1 << 8;
/// Greatest number of entries for each state, on average.
const MOST_ENTERED: u64 = 24;

/// Predicate for the states to be reached. Each thread has one.
pub trait Goal {
    /// Whether a state is a goal.
    fn is(&mut self, state: &[u64]) -> bool;

    /// Whether every state without a step is a goal.
    fn is_each_end(&self) -> bool;
}

/// From where a goal can be reached.
pub enum Reaching {
    FromAll,
    /// From these states, and from no other.
    From(Known),
    /// The search gave up.
    GivenUp,
}

/// States from which a goal can be reached.
pub struct Known(Bits);

impl Known {
    /// Whether a goal can be reached from the state with this number.
    pub fn has(&self, number: u64) -> bool {
        self.0.has(known(number))
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}

/// Position of the mark that a state is known.
fn known(number: u64) -> u64 {
    2 * number
}

/// Position of the mark that a state has been entered in this round.
fn entered(number: u64) -> u64 {
    2 * number + 1
}

/// Finds the states of `whole`, which a search of `model` has visited, from which a goal can be
/// reached by steps between them.
///
/// Takes two bits for each place of the set of states, and time in proportion to the edges, whose
/// number `steps` is for reports of progress.
pub fn reaching<S, G>(
    model: &S,
    (whole, steps): (&Whole, u64),
    meter: &mut Meter<'_>,
    threads: usize,
    mut goal: impl FnMut() -> G,
) -> ControlFlow<Stop, Reaching>
where
    S: Successors + Sync,
    S::Scratch: Send,
    G: Goal + Send,
{
    debug_assert_eq!(model.words(), 1, "a state is its word");
    let bounds = whole.bounds(steps, meter);
    bounds.hold(Bits::bytes_for(2 * whole.numbers()))?;
    let mut marks = Bits::new(2 * whole.numbers());
    let hands = (0..threads.max(1)).map(|_| Hand {
        scratch: model.scratch(),
        goal: goal(),
    });
    let mut hands: Vec<Hand<S::Scratch, G>> = hands.collect();
    let (mut open, mut left_to_enter) = (whole.states(), whole.states() * MOST_ENTERED);
    let mut walks = WALKS.into_iter();
    loop {
        let walks = walks.next().unwrap_or_else(|| {
            hands.truncate(1);
            1
        });
        let sections = Sections::new(whole.numbers());
        let made_known = AtomicU64::new(0);
        all_together(&bounds, meter, &mut hands, |_, hand, member| {
            let mut walker = Walker {
                model,
                whole,
                marks: &marks,
                sections: &sections,
                section: 0..0,
                member,
                made_known: 0,
            };
            let flow = walker.walk(walks, hand);
            made_known.fetch_add(walker.made_known, Relaxed);
            walker.member.ended(flow)
        })?;
        let made_known = made_known.into_inner();
        debug_assert!(made_known <= open, "a state becomes known once");
        left_to_enter = left_to_enter.saturating_sub(open);
        open -= made_known;
        if open == 0 {
            return ControlFlow::Continue(Reaching::FromAll);
        }
        if made_known == 0 {
            return ControlFlow::Continue(Reaching::From(Known(marks)));
        }
        if left_to_enter == 0 {
            return ControlFlow::Continue(Reaching::GivenUp);
        }
        marks.clear_odd();
    }
}

/// Working memory of one thread, on cache lines of its own.
#[repr(align(128))]
struct Hand<C, G> {
    scratch: C,
    goal: G,
}

#[derive(Clone, Copy)]
struct State {
    number: u64,
    word: u64,
}

/// A depth-first search from some state on.
#[derive(Default)]
struct Walk {
    /// The states from the first to the last one entered, each a step from the one before.
    path: Vec<OnPath>,
    /// Targets of their steps that are still to be entered.
    waiting: Vec<State>,
    /// Targets of the last state's steps, to be looked up; their places have been prefetched.
    targets: Vec<Place>,
    /// The target to be examined next, whose marks have been prefetched.
    target: Option<State>,
    /// Whether a goal can be reached from the last state.
    arrives: bool,
    /// Whether there was no memory for a target that would have to wait.
    is_too_long: bool,
}

struct OnPath {
    number: u64,
    /// Number of states that were waiting before its steps were taken.
    waiting: usize,
}

/// One thread in a round.
struct Walker<'t, S> {
    model: &'t S,
    whole: &'t Whole,
    marks: &'t Bits,
    sections: &'t Sections,
    /// Numbers of states from which walks may begin.
    section: Range<u64>,
    member: Member<'t>,
    made_known: u64,
}

impl<S: Successors> Walker<'_, S> {
    /// Walks until every state has been entered.
    fn walk<G: Goal>(&mut self, walks: usize, hand: &mut Hand<S::Scratch, G>) -> ControlFlow<()> {
        let mut walks: Vec<Walk> = (0..walks).map(|_| Walk::default()).collect();
        let mut is_under_way = true;
        while is_under_way {
            is_under_way = false;
            for walk in &mut walks {
                is_under_way |= !self.examine(walk)? || self.enter_next(walk, hand)?;
            }
        }
        let held = walks
            .iter()
            .map(|walk| bytes(&walk.path) + bytes(&walk.waiting));
        self.member.bounds.let_go(held.sum());
        ControlFlow::Continue(())
    }

    /// Enters the next state of a walk, or begins a new walk. Returns whether there is one.
    fn enter_next<G: Goal>(
        &mut self,
        walk: &mut Walk,
        hand: &mut Hand<S::Scratch, G>,
    ) -> ControlFlow<(), bool> {
        loop {
            self.member.count_down()?;
            let next = match walk.path.last() {
                None => match self.beginning()? {
                    Some(state) => state,
                    None => return ControlFlow::Continue(false),
                },
                Some(last) if walk.waiting.len() == last.waiting => {
                    walk.path.pop();
                    continue;
                }
                Some(_) => match walk.waiting.pop() {
                    Some(state) => state,
                    None => continue,
                },
            };
            if self.marks.has(known(next.number)) {
                self.arrive(walk);
            } else if self.marks.insert(entered(next.number)) {
                self.enter(walk, next, hand)?;
                return ControlFlow::Continue(true);
            }
        }
    }

    /// Collects the targets of a state's steps.
    fn enter<G: Goal>(
        &mut self,
        walk: &mut Walk,
        state: State,
        hand: &mut Hand<S::Scratch, G>,
    ) -> ControlFlow<()> {
        if !has_room(&mut walk.path, self.member.bounds) {
            walk.forget();
        }
        walk.path.push(OnPath {
            number: state.number,
            waiting: walk.waiting.len(),
        });
        let words = [state.word];
        if hand.goal.is(&words) {
            walk.arrives = true;
            return ControlFlow::Continue(());
        }
        let model = self.model;
        let mut taking = Taking {
            walker: self,
            walk,
            has_steps: false,
        };
        let flow = model.visit(&words, &mut hand.scratch, &mut taking);
        let has_steps = taking.has_steps;
        walk.arrives |= !has_steps && hand.goal.is_each_end();
        match walk.arrives {
            // The visit may have broken off for that.
            true => ControlFlow::Continue(()),
            false => flow,
        }
    }

    /// Returns a state that has not been entered, if there is one.
    fn beginning(&mut self) -> ControlFlow<(), Option<State>> {
        loop {
            for number in &mut self.section {
                if !self.marks.has(known(number))
                    && !self.marks.has(entered(number))
                    && let Some(word) = self.whole.state(number)
                {
                    return ControlFlow::Continue(Some(State { number, word }));
                }
            }
            self.member.count_down()?;
            match self.sections.take() {
                Some(numbers) => self.section = numbers,
                None => return ControlFlow::Continue(None),
            }
        }
    }

    /// Examines one target, and looks the next one up. Returns whether there is none left.
    #[inline]
    fn examine(&mut self, walk: &mut Walk) -> ControlFlow<(), bool> {
        if let Some(target) = walk.target.take() {
            self.examine_marks(walk, target);
        }
        if walk.arrives {
            self.arrive(walk);
            return ControlFlow::Continue(true);
        }
        let Some(place) = walk.targets.pop() else {
            if walk.is_too_long {
                walk.forget();
            }
            return ControlFlow::Continue(true);
        };
        walk.target = self.look_up(place)?;
        ControlFlow::Continue(false)
    }

    /// Returns the state at a place; `None` where the step that leads to it is to be ignored.
    #[inline]
    fn look_up(&mut self, place: Place) -> ControlFlow<(), Option<State>> {
        let number = match self.whole.number_behind(place) {
            ControlFlow::Continue(number) => number,
            ControlFlow::Break(stop) => return self.member.stop_with(stop),
        };
        ControlFlow::Continue(number.map(|number| {
            self.marks.fetch(known(number));
            State {
                number,
                word: place.word,
            }
        }))
    }

    fn examine_marks(&mut self, walk: &mut Walk, target: State) {
        if self.marks.has(known(target.number)) {
            walk.arrives = true;
        } else if !self.marks.has(entered(target.number)) {
            walk.is_too_long |= !has_room(&mut walk.waiting, self.member.bounds);
            if !walk.is_too_long {
                walk.waiting.push(target);
            }
        }
    }

    /// Marks all states on the path of a walk: a goal can be reached from them.
    fn arrive(&mut self, walk: &mut Walk) {
        let path = walk.path.iter();
        let new = path.filter(|state| self.marks.insert(known(state.number)));
        self.made_known += new.count() as u64;
        walk.forget();
    }
}

/// Visitor of the steps of the state that a walk has just entered.
struct Taking<'k, 't, S> {
    walker: &'k mut Walker<'t, S>,
    walk: &'k mut Walk,
    has_steps: bool,
}

impl<S: Successors> Visit for Taking<'_, '_, S> {
    #[inline]
    fn step(&mut self, _: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        self.has_steps = true;
        if let Ok(state) = outcome {
            if self.walk.targets.len() == STEPS_AT_ONCE {
                self.examine_all()?;
            }
            self.walk.targets.push(self.walker.whole.seek(state[0]));
        }
        self.walker.member.count_down()
    }

    fn pulse(&mut self) -> ControlFlow<()> {
        self.walker.member.ask_whether_to_go_on()
    }
}

impl<S: Successors> Taking<'_, '_, S> {
    /// Examines the targets so far of a state with many steps. Breaks if a goal can be reached.
    #[cold]
    fn examine_all(&mut self) -> ControlFlow<()> {
        while let Some(place) = self.walk.targets.pop() {
            if let Some(target) = self.walker.look_up(place)? {
                self.walker.examine_marks(self.walk, target);
            }
            if self.walk.arrives {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

impl Walk {
    /// Ends the walk. States of its path that are not known are entered again in the next round.
    fn forget(&mut self) {
        self.path.clear();
        self.waiting.clear();
        self.targets.clear();
        self.arrives = false;
        self.is_too_long = false;
    }
}

/// Least capacity of a list that is not empty.
const LEAST_ROOM: usize = 16;

/// Memory of a list, in bytes.
fn bytes<T>(list: &Vec<T>) -> u64 {
    (list.capacity() * size_of::<T>()) as u64
}

/// Makes room for one more element. Returns whether there was memory for it.
fn has_room<T>(list: &mut Vec<T>, bounds: &Bounds) -> bool {
    if list.capacity() > list.len() {
        return true;
    }
    let before = bytes(list);
    let capacity = (list.capacity() * 2).max(LEAST_ROOM);
    // While a list grows the old one is still there.
    if bounds.hold((capacity * size_of::<T>()) as u64).is_break() {
        return false;
    }
    list.reserve_exact(capacity - list.len());
    bounds.let_go(before);
    true
}
