//! From which states a goal can be reached (EF), without edges.
//!
//! A *walk* goes depth first from any state on. Where a step leads to a state from which a goal is known to
//! be reachable, it is so for all states that the walk has come through, and the walk is over. So if goals
//! can be reached from everywhere, the steps of few states are taken more than once. Each thread has several
//! walks and goes on with one while the memory that the others ask for comes near.
//!
//! Right is what is found in whatever order the walks go: a state is *known* where it is a goal, or where one
//! of its steps leads to a state that is known; so from each a goal can be reached. Within one *round* every
//! state that is not known is entered once, by one walk, which asks of each of its steps whether it leads to
//! one that is known. The last round makes nothing known: then no step of a state that is not known leads to
//! one that is, and from none of them a goal can be reached.
//!
//! A state may be left while a walk is still under way that it depends on; the next round enters it again, with
//! fewer walks at a time, so that they come less into each other's way. No number of rounds is certain to be
//! enough, so that it is given up after [`MOST_ENTERED`] times as many entries as there are states: then it
//! takes no more than a time in proportion to the edges.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use stubborn_space::successors::{Label, Successors, Visit};
use stubborn_system::system::Failure;

use super::bits::Bits;
use super::sections::Sections;
use super::{Sought, Whole};
use crate::search::layers::bounds::Bounds;
use crate::search::layers::crew::{Member, all_together};
use crate::search::meter::{Meter, Stop};

/// Each thread goes on with so many walks in turn: the waits for memory overlap. In the rounds after the first
/// one they are fewer, and then there is one alone, on one thread.
const WALKS: [usize; 3] = [16, 4, 1];
/// No more steps of a state are kept.
const STEPS_AT_ONCE: usize = 1 << 10;
/// For each state, so many entries are made at most.
const MOST_ENTERED: u64 = 24;

/// What is to be reached. Each thread has one.
pub trait Goal {
    /// Whether a state is one.
    fn is(&mut self, state: &[u64]) -> bool;

    /// Whether every state without a step is one.
    fn is_each_end(&self) -> bool;
}

/// From where a goal can be reached.
pub enum Reaching {
    FromAll,
    /// From these states, and from no other.
    From(Known),
    /// It is not known.
    GivenUp,
}

/// States from which a goal can be reached.
pub struct Known(Bits);

impl Known {
    /// Whether the state with this number is one of them.
    pub fn has(&self, number: u64) -> bool {
        self.0.has(known(number))
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}

/// Of each state a mark that it is known, and beside it one that it was entered in this round.
fn known(number: u64) -> u64 {
    2 * number
}

fn entered(number: u64) -> u64 {
    2 * number + 1
}

/// Finds out from which states of `whole`, which the model has found, a goal can be reached by steps between
/// them; on so many threads.
///
/// Costs two bits a state, and time in proportion to the edges. `steps` is how many steps there are, for who
/// is told of progress.
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
    let mut hands: Vec<Hand<S::Scratch, G>> = Vec::new();
    for _ in 0..threads.max(1) {
        hands.push(Hand {
            scratch: model.scratch(),
            goal: goal(),
        });
    }
    let (mut open, mut left_to_enter) = (whole.states(), whole.states() * MOST_ENTERED);
    let mut walks = WALKS.into_iter();
    loop {
        let walks = walks.next().unwrap_or_else(|| {
            hands.truncate(1);
            1
        });
        let round = Round {
            model,
            whole,
            marks: &marks,
            sections: Sections::new(whole.numbers()),
            made_known: 0.into(),
        };
        all_together(&bounds, meter, &mut hands, |_, hand, member| {
            round.done_by(hand, walks, member)
        })?;
        let made_known = round.made_known.into_inner();
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

/// One thread's, on lines of a processor's cache of its own.
#[repr(align(128))]
struct Hand<C, G> {
    scratch: C,
    goal: G,
}

/// Every state that is not known is entered once.
struct Round<'r, S> {
    model: &'r S,
    whole: &'r Whole,
    marks: &'r Bits,
    sections: Sections,
    made_known: AtomicU64,
}

#[derive(Clone, Copy)]
struct State {
    number: u64,
    word: u64,
}

/// Depth first, from some state on.
#[derive(Default)]
struct Walk {
    /// The states that it has come through, each a step from the one before.
    path: Vec<OnPath>,
    /// The states that steps of these lead to and that are still to be entered.
    waiting: Vec<State>,
    /// Where steps of the last state of the path lead, as far as that was not looked at.
    steps: Vec<u64>,
    /// How far the last of these is looked at.
    looking: Looking,
    /// It has come to where a goal can be reached.
    arrives: bool,
    /// There was no memory for all that would wait.
    is_too_long: bool,
}

/// At where a step leads. Each is begun by asking for memory, and gone on with when that has come near.
#[derive(Clone, Copy, Default)]
enum Looking {
    #[default]
    NotYet,
    ForNumber(Option<Sought>),
    /// At the marks of the state with this number.
    AtMarks(u64),
}

struct OnPath {
    number: u64,
    /// How many states were waiting before its steps were taken.
    waiting: usize,
}

impl<S: Successors> Round<'_, S> {
    /// Walks from states that nobody has entered, until there are no more.
    fn done_by<G: Goal>(
        &self,
        hand: &mut Hand<S::Scratch, G>,
        walks: usize,
        member: Member<'_>,
    ) -> Option<Stop> {
        let mut walker = Walker {
            round: self,
            member,
            sections: 0..0,
            made_known: 0,
        };
        let mut walks: Vec<Walk> = (0..walks).map(|_| Walk::default()).collect();
        let mut under_way = walks.len();
        while under_way > 0 {
            under_way = 0;
            for walk in &mut walks {
                let flow = match walker.look(walk) {
                    ControlFlow::Continue(true) => walker.enter_next(walk, hand),
                    ControlFlow::Continue(false) => ControlFlow::Continue(true),
                    stopped => stopped,
                };
                match flow {
                    ControlFlow::Continue(true) => under_way += 1,
                    ControlFlow::Continue(false) => {}
                    ControlFlow::Break(()) => return walker.member.ended(ControlFlow::Break(())),
                }
            }
        }
        self.made_known.fetch_add(walker.made_known, Relaxed);
        let bounds = walker.member.bounds;
        walks.iter().for_each(|walk| walk.let_go(bounds));
        walker.member.ended(ControlFlow::Continue(()))
    }
}

/// One thread, in a round.
struct Walker<'t, 'r, S> {
    round: &'t Round<'r, S>,
    member: Member<'t>,
    /// The numbers among which it looks for a state to begin with.
    sections: Range<u64>,
    made_known: u64,
}

impl<S: Successors> Walker<'_, '_, S> {
    /// Enters the state that is next on a walk, or begins a new one. Whether there is one.
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
            if self.round.marks.has(known(next.number)) {
                self.arrive(walk);
            } else if self.round.marks.insert(entered(next.number)) {
                self.enter(walk, next, hand)?;
                return ControlFlow::Continue(true);
            }
        }
    }

    /// Gathers where the steps of a state lead.
    fn enter<G: Goal>(
        &mut self,
        walk: &mut Walk,
        state: State,
        hand: &mut Hand<S::Scratch, G>,
    ) -> ControlFlow<()> {
        if !has_room(&mut walk.path, 1, self.member.bounds) {
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
        let model = self.round.model;
        let mut taking = Taking {
            walker: self,
            walk,
            has_steps: false,
        };
        let flow = model.visit(&words, &mut hand.scratch, &mut taking);
        let has_steps = taking.has_steps;
        walk.arrives |= !has_steps && hand.goal.is_each_end();
        match walk.arrives {
            // It has broken off for that, if it has.
            true => ControlFlow::Continue(()),
            false => flow,
        }
    }

    /// A state that was not entered, if there is one.
    fn beginning(&mut self) -> ControlFlow<(), Option<State>> {
        let Round {
            marks,
            whole,
            sections,
            ..
        } = self.round;
        loop {
            for number in &mut self.sections {
                if !marks.has(known(number))
                    && !marks.has(entered(number))
                    && let Some(word) = whole.state(number)
                {
                    return ControlFlow::Continue(Some(State { number, word }));
                }
            }
            self.member.count_down()?;
            match sections.take() {
                Some(numbers) => self.sections = numbers,
                None => return ControlFlow::Continue(None),
            }
        }
    }

    /// Goes on with looking at where the steps lead that were gathered, as far as the memory goes that was
    /// asked for. Whether there is nothing left to look at.
    #[inline]
    fn look(&mut self, walk: &mut Walk) -> ControlFlow<(), bool> {
        let Round { whole, marks, .. } = self.round;
        match walk.looking {
            Looking::NotYet => {}
            Looking::ForNumber(sought) => match whole.number_behind(sought) {
                ControlFlow::Continue(Some(number)) => {
                    marks.fetch(known(number));
                    walk.looking = Looking::AtMarks(number);
                    return ControlFlow::Continue(false);
                }
                ControlFlow::Continue(None) => {
                    walk.looking = Looking::NotYet;
                    walk.steps.pop();
                }
                ControlFlow::Break(stop) => return self.member.stop_with(stop),
            },
            Looking::AtMarks(number) => {
                walk.looking = Looking::NotYet;
                if let Some(word) = walk.steps.pop() {
                    self.look_at_marks(walk, State { number, word });
                }
            }
        }
        if walk.arrives {
            self.arrive(walk);
            return ControlFlow::Continue(true);
        }
        if let Some(word) = walk.steps.last() {
            walk.looking = Looking::ForNumber(whole.seek(*word));
            return ControlFlow::Continue(false);
        }
        if walk.is_too_long {
            walk.forget();
        }
        ControlFlow::Continue(true)
    }

    fn look_at_marks(&mut self, walk: &mut Walk, state: State) {
        let marks = self.round.marks;
        if marks.has(known(state.number)) {
            walk.arrives = true;
        } else if !marks.has(entered(state.number)) {
            walk.is_too_long |= !has_room(&mut walk.waiting, 1, self.member.bounds);
            if !walk.is_too_long {
                walk.waiting.push(state);
            }
        }
    }

    /// From all states that the walk has come through a goal can be reached.
    fn arrive(&mut self, walk: &mut Walk) {
        let path = walk.path.iter();
        let new = path.filter(|state| self.round.marks.insert(known(state.number)));
        self.made_known += new.count() as u64;
        walk.forget();
    }
}

/// Takes the steps of the state that a walk has just entered.
struct Taking<'k, 't, 'r, S> {
    walker: &'k mut Walker<'t, 'r, S>,
    walk: &'k mut Walk,
    has_steps: bool,
}

impl<S: Successors> Visit for Taking<'_, '_, '_, S> {
    #[inline]
    fn step(&mut self, _: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        self.has_steps = true;
        if let Ok(state) = outcome {
            if self.walk.steps.len() == STEPS_AT_ONCE {
                self.look_at_all()?;
            }
            self.walk.steps.push(state[0]);
        }
        self.walker.member.count_down()
    }

    fn pulse(&mut self) -> ControlFlow<()> {
        self.walker.member.ask_whether_to_go_on()
    }
}

impl<S: Successors> Taking<'_, '_, '_, S> {
    /// Looks at the steps so far of a state that has many. Breaks where a goal can be reached by one.
    #[cold]
    fn look_at_all(&mut self) -> ControlFlow<()> {
        while let Some(word) = self.walk.steps.pop() {
            let whole = self.walker.round.whole;
            match whole.number_behind(whole.seek(word)) {
                ControlFlow::Continue(Some(number)) => {
                    self.walker.look_at_marks(self.walk, State { number, word });
                }
                ControlFlow::Continue(None) => {}
                ControlFlow::Break(stop) => return self.walker.member.stop_with(stop),
            }
            if self.walk.arrives {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

impl Walk {
    /// It is over, or has become too long. What it has come through is entered again in the next round.
    fn forget(&mut self) {
        self.path.clear();
        self.waiting.clear();
        self.steps.clear();
        self.arrives = false;
        self.is_too_long = false;
    }

    fn let_go(&self, bounds: &Bounds) {
        bounds.let_go(bytes(&self.path) + bytes(&self.waiting));
    }
}

/// A list that is not empty has room for so many.
const LEAST_ROOM: usize = 16;

/// In bytes.
fn bytes<T>(list: &Vec<T>) -> u64 {
    (list.capacity() * size_of::<T>()) as u64
}

/// Whether there is room for so many more, or memory for it.
fn has_room<T>(list: &mut Vec<T>, more: usize, bounds: &Bounds) -> bool {
    if list.capacity() - list.len() >= more {
        return true;
    }
    let before = bytes(list);
    let capacity = (list.capacity() * 2).max(list.len() + more).max(LEAST_ROOM);
    // While a list grows the old one is still there.
    if bounds.hold((capacity * size_of::<T>()) as u64).is_break() {
        return false;
    }
    list.reserve_exact(capacity - list.len());
    bounds.let_go(before);
    true
}
