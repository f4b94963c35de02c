//! Recurrence: whether steps of one set can be taken infinitely often and those of another not.
//!
//! In a finite state space there is such an execution if and only if there is a cycle with a step
//! of the former and no step of the latter: a strong component of what is left without the latter
//! that has an edge of the former inside. Theorem 6 of "Stop It, and Be Stubborn!" (A. Valmari,
//! 2015) is about these cycles, so that the same may be asked of a reduced state space.

use std::ops::ControlFlow;

use stubborn_space::monitor::Monitored;
use stubborn_space::recurring::Step;
use stubborn_space::successors::{Polled, Wanted};

use super::meter::{Figures, Stop};
use super::{Listener, Question, Run};
use crate::graph::components::{BYTES_PER_STATE, on_cycles_with};
use crate::graph::lasso::{self, Cycles, Lasso};
use crate::graph::{Edges, Poll};
use crate::store::exact::Exact;

/// Greatest number of questions for which the edges are marked together.
pub const AT_ONCE: usize = 8;

/// The edges of a state space, marked for some questions.
#[derive(Default)]
pub struct Marked {
    pub edges: Edges,
    /// Two bits of each edge for each question; nothing without questions.
    marks: Vec<u16>,
}

/// The step is one that an execution which answers the question takes infinitely often.
const WANTED: u16 = 1;
/// The step may be taken infinitely often there.
const ALLOWED: u16 = 2;

impl Marked {
    /// Takes all steps of a search again, except those that fail, and marks them for no more than
    /// [`AT_ONCE`] questions.
    pub fn collect<M: Monitored, L: Listener, Q: Question>(
        run: &mut Run<'_, '_, M, Exact, L>,
        questions: &mut [Q],
    ) -> ControlFlow<Stop, Marked> {
        debug_assert!(questions.len() <= AT_ONCE, "a mark has two bits for each");
        // Deciding takes this beside the edges.
        let for_states = match questions.is_empty() {
            true => BYTES_PER_STATE,
            false => BYTES_PER_STATE + 8,
        };
        let held = run.figures().bytes + run.space.states() * for_states;
        let mut marked = Marked::default();
        for state in 0..run.space.len() {
            run.space.copy(state, &mut run.state);
            let (space, meter, from) = (&run.space, &mut *run.meter, &run.state);
            let mut poll = |marked: &Marked| {
                meter.poll_memory(Figures {
                    bytes: held + marked.bytes(),
                    ..space.figures(0)
                })
            };
            let (mut steps, mut stop) = (0_u32, None);
            let wanted = Wanted::again(space.reduced().contains(state));
            let mut visitor = Polled(wanted, |step| {
                if let Some((label, outcome)) = step {
                    if let Ok(target) = outcome
                        && let Some(to) = space.number(target)
                    {
                        marked.push(
                            to,
                            questions
                                .iter_mut()
                                .map(|one| one.step(from, label, target)),
                        );
                    }
                    steps = steps.wrapping_add(1);
                    if !steps.is_multiple_of(1 << 12) {
                        return ControlFlow::Continue(());
                    }
                }
                poll(&marked).map_break(|why| stop = Some(why))
            });
            let _ = run.model.visit(from, &mut run.scratch, &mut visitor);
            if let Some(stop) = stop {
                return ControlFlow::Break(stop);
            }
            if state % 256 == 0 {
                poll(&marked)?;
            }
            marked.edges.end_state();
        }
        ControlFlow::Continue(marked)
    }

    /// Memory in use, and for the edges that an answer copies, in bytes.
    pub fn bytes(&self) -> u64 {
        let copies = if self.marks.is_empty() { 1 } else { 2 };
        copies * self.edges.bytes() + self.marks.len() as u64 * 2
    }

    /// Returns an execution that answers question number `nth`, if there is one: a lasso whose
    /// cycle has a wanted step and no forbidden one, with the fewest steps that [`lasso::least`]
    /// finds.
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

    /// Adds an edge of the state that comes next, with what it is for each question.
    fn push(&mut self, target: u32, steps: impl ExactSizeIterator<Item = Step>) {
        self.edges.push(target);
        if steps.len() == 0 {
            return;
        }
        let marks = steps.enumerate().map(|(nth, step)| {
            let mark = match step {
                Step::Forbidden => 0,
                Step::Allowed => ALLOWED,
                Step::Wanted => ALLOWED | WANTED,
            };
            mark << (2 * nth)
        });
        self.marks.push(marks.fold(0, |all, mark| all | mark));
    }

    /// The edges of a state.
    fn of(&self, state: u32) -> impl Iterator<Item = (u32, u16)> {
        let marks = &self.marks[self.edges.first(state)..];
        let targets = self.edges.of(state).iter();
        targets.zip(marks).map(|(target, mark)| (*target, *mark))
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
