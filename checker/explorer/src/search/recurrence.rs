//! Recurrence: whether steps of one set can be taken infinitely often and those of another not.
//!
//! In a finite state space there is such an execution if and only if there is a cycle with a step
//! of the former and no step of the latter: a strong component of what is left without the latter
//! that has an edge of the former inside. It is what Theorem 6 of "Stop It, and Be Stubborn!"
//! (A. Valmari, 2015) speaks of, so that the same may be asked of a reduced state space.

use std::ops::ControlFlow;

use stubborn_space::monitor::Monitored;
use stubborn_space::successors::Label;

use super::meter::Stop;
use super::revisit::{Gather, revisit};
use super::{Listener, Run};
use crate::graph::components::{BYTES_PER_STATE, on_cycles_with};
use crate::graph::lasso::{self, Cycles, Lasso};
use crate::graph::{Edges, Poll};
use crate::store::exact::Exact;

/// What a recurrence asks of a step: whether a cycle may have it, and whether it must.
pub trait Question {
    /// Whether an execution that answers the question may take the step infinitely often.
    fn allows(&self, label: Label<'_>, from: &[u64]) -> bool;

    /// Whether it takes it, or one like it, infinitely often.
    fn wants(&self, label: Label<'_>, from: &[u64]) -> bool;
}

/// How many recurrences are asked about in one visit of the states.
pub const AT_ONCE: usize = 8;

/// The edges of a state space, each with what it is to some questions.
pub struct Marked {
    edges: Edges,
    /// Of each edge two bits for each question.
    marks: Vec<u16>,
}

/// The step is one that an execution which answers the question takes infinitely often.
const WANTED: u16 = 1;
/// The step may be taken infinitely often there.
const ALLOWED: u16 = 2;

impl Marked {
    /// Visits all states of a search again. No more than [`AT_ONCE`] questions.
    pub fn collect<M: Monitored, L: Listener, Q: Question>(
        run: &mut Run<'_, '_, M, Exact, L>,
        questions: &[Q],
    ) -> ControlFlow<Stop, Marked> {
        debug_assert!(questions.len() <= AT_ONCE, "a mark has two bits for each");
        let mut marking = Marking {
            marked: Marked {
                edges: Edges::default(),
                marks: Vec::new(),
            },
            questions,
        };
        // What deciding takes for each state, beside the edges.
        let held = run.space.states() * (BYTES_PER_STATE + 8);
        revisit(run, held, &mut marking)?;
        ControlFlow::Continue(marking.marked)
    }

    /// Memory in use, and what one question takes in addition, in bytes.
    pub fn bytes(&self) -> u64 {
        2 * self.edges.bytes() + self.marks.len() as u64 * 2
    }

    /// An execution that answers question number `nth`, if there is one: a lasso whose cycle has a wanted step and none
    /// that may not be taken again and again. It has the fewest steps that [`lasso::least`] finds.
    pub fn answer(&self, nth: usize, poll: Poll<'_, Stop>) -> ControlFlow<Stop, Option<Lasso>> {
        let is = |mark: u16, bit: u16| mark >> (2 * nth) & bit != 0;
        if !self.marks.iter().any(|mark| is(*mark, WANTED)) {
            return ControlFlow::Continue(None);
        }
        let states = self.edges.states();
        let mut left = Edges::default();
        let mut wanted = Vec::new();
        for state in 0..states {
            for (target, mark) in self.of(state) {
                if is(mark, ALLOWED) {
                    left.push(target);
                    wanted.push(is(mark, WANTED));
                }
            }
            left.end_state();
        }
        poll()?;
        let wanted = |edge: usize| wanted[edge];
        let on_cycles = on_cycles_with(&left, &wanted, poll)?;
        let cycles = Cycles {
            edges: &left,
            within: &|state| on_cycles.contains(state),
            with: Some(&wanted),
        };
        let may = |state: u32| on_cycles.contains(state);
        lasso::least(&self.edges, &cycles, may, poll)
    }

    /// The edges of a state.
    fn of(&self, state: u32) -> impl Iterator<Item = (u32, u16)> {
        let marks = &self.marks[self.edges.first(state)..];
        let targets = self.edges.of(state).iter();
        targets.zip(marks).map(|(target, mark)| (*target, *mark))
    }
}

struct Marking<'a, Q> {
    marked: Marked,
    questions: &'a [Q],
}

impl<Q: Question> Gather for Marking<'_, Q> {
    fn edge(&mut self, from: &[u64], label: Label<'_>, to: u32) {
        let mut mark = 0;
        for (nth, question) in self.questions.iter().enumerate() {
            if question.allows(label, from) {
                mark |= ALLOWED << (2 * nth);
                if question.wants(label, from) {
                    mark |= WANTED << (2 * nth);
                }
            }
        }
        self.marked.edges.push(to);
        self.marked.marks.push(mark);
    }

    fn end_state(&mut self) {
        self.marked.edges.end_state();
    }

    fn bytes(&self) -> u64 {
        self.marked.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The path and the cycle that answer a question about these edges.
    fn answer(lists: &[&[u32]], marks: &[u16]) -> Option<(Vec<u32>, Vec<u32>)> {
        let marked = Marked {
            edges: Edges::of_lists(lists),
            marks: marks.to_vec(),
        };
        match marked.answer(0, &mut || ControlFlow::Continue(())) {
            ControlFlow::Continue(found) => found.map(|found| (found.path, found.cycle)),
            ControlFlow::Break(_) => unreachable!("nothing stops it"),
        }
    }

    const BOTH: u16 = WANTED | ALLOWED;

    #[test]
    fn a_wanted_edge_recurs_only_where_allowed_edges_lead_back() {
        let there_and_back: [&[u32]; 3] = [&[1], &[2], &[1]];
        let found = answer(&there_and_back, &[ALLOWED, ALLOWED, BOTH]);
        assert_eq!(found, Some((vec![0, 1], vec![1, 2, 1])));
        assert_eq!(answer(&there_and_back, &[ALLOWED, 0, BOTH]), None);
        assert_eq!(answer(&there_and_back, &[BOTH, ALLOWED, ALLOWED]), None);
    }

    #[test]
    fn of_several_edges_between_two_states_each_counts() {
        let found = answer(&[&[1, 1], &[0]], &[0, BOTH, ALLOWED]);
        assert_eq!(found, Some((vec![0], vec![0, 1, 0])));
        assert_eq!(answer(&[&[1, 1], &[0]], &[0, ALLOWED, ALLOWED]), None);
    }

    #[test]
    fn a_loop_is_a_cycle() {
        let found = answer(&[&[1], &[0, 1]], &[ALLOWED, 0, BOTH]);
        assert_eq!(found, Some((vec![0, 1], vec![1, 1])));
    }
}
