//! AG EF termination, decided while a depth-first search goes on.
//!
//! Tarjan's algorithm finds the strong components one after the other, each when all that it leads
//! to has been gone through ("Stop It, and Be Stubborn!", A. Valmari, 2015, section V). When one
//! is complete it is known whether a terminal state can be reached from it: one is in it, or a step
//! leads to a component that is complete. For as soon as one is complete from which none can be
//! reached, the answer is no, and nothing more is asked. A state all of whose steps fail is not
//! terminal, and a component of its own that leads nowhere.

use super::StateSet;

/// To be told of everything that a depth-first search meets, in its order.
#[derive(Default)]
pub struct TerminationCheck {
    /// The states on the search's path.
    path: Vec<Frame>,
    /// The states whose components are not complete, in the order in which they were found, which
    /// is that of their numbers.
    open: Vec<u32>,
    complete: StateSet,
    answer: Option<bool>,
}

struct Frame {
    state: u32,
    /// The least state of an incomplete component that is known to be reachable.
    low: u32,
    /// A terminal state is known to be reachable.
    ends: bool,
}

impl TerminationCheck {
    /// Whether a terminal state can be reached from every state; `None` while the search has not
    /// left its first state, and nothing speaks against it.
    pub fn is_terminating(&self) -> Option<bool> {
        self.answer
    }

    /// A new state, the next on the path.
    #[inline]
    pub fn found(&mut self, state: u32) {
        if self.answer.is_none() {
            self.open.push(state);
            self.path.push(Frame {
                state,
                low: state,
                ends: false,
            });
        }
    }

    /// A state that has no step, the last on the path.
    pub fn terminal(&mut self, state: u32) {
        if let Some(frame) = self.path.last_mut() {
            debug_assert_eq!(frame.state, state, "it was found just before");
            frame.ends = true;
        }
    }

    /// A step of the last state on the path; or the one by which that state was found, which says
    /// nothing new.
    #[inline]
    pub fn edge(&mut self, from: u32, to: u32) {
        let Some(frame) = self.path.last_mut() else {
            return;
        };
        if frame.state != from {
            debug_assert_eq!(frame.state, to, "steps are taken at the end of the path");
        } else if self.complete.contains(to) {
            // None could be reached from it, or the answer would be known.
            frame.ends = true;
        } else {
            frame.low = frame.low.min(to);
        }
    }

    /// All steps of the last state on the path have been taken. Whether it has become known just
    /// now that no terminal state can be reached from it.
    pub fn left(&mut self, state: u32) -> bool {
        let Some(frame) = self.path.pop() else {
            return false;
        };
        debug_assert_eq!(frame.state, state, "the last state is left first");
        if frame.low < state {
            if let Some(before) = self.path.last_mut() {
                before.low = before.low.min(frame.low);
                before.ends |= frame.ends;
            }
            return false;
        }
        if !frame.ends {
            *self = TerminationCheck {
                answer: Some(false),
                ..TerminationCheck::default()
            };
            return true;
        }
        while let Some(member) = self.open.pop_if(|member| *member >= state) {
            self.complete.insert(member);
        }
        match self.path.last_mut() {
            Some(before) => before.ends = true,
            None => {
                *self = TerminationCheck {
                    answer: Some(true),
                    ..TerminationCheck::default()
                }
            }
        }
        false
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        let lists = self.path.capacity() * size_of::<Frame>() + self.open.capacity() * 4;
        lists as u64 + self.complete.bytes()
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use proptest::prelude::*;

    use super::super::reach::can_reach;
    use super::super::{Edges, StateSet};
    use super::*;

    /// The edges between the states that a depth-first search from the first one finds, numbered in
    /// the order in which it does; which of these have no step; and what the check said at the end
    /// of the search, and of which state it spoke.
    struct Searched {
        edges: Edges,
        terminal: StateSet,
        answer: Option<bool>,
        stuck: Option<u32>,
    }

    /// Every state of `failing` has a step that fails.
    fn searched(lists: &[Vec<usize>], failing: &[bool]) -> Searched {
        let mut check = TerminationCheck::default();
        let mut numbers: Vec<Option<u32>> = vec![None; lists.len()];
        let mut targets: Vec<Vec<u32>> = vec![vec![]];
        let mut terminal = StateSet::default();
        let mut stuck = None;
        numbers[0] = Some(0);
        check.found(0);
        let mut path = vec![(0, 0)];
        while let Some((state, next)) = path.last_mut() {
            let (state, number) = (*state, numbers[*state].expect("it was found"));
            if lists[state].is_empty() && !failing[state] {
                check.terminal(number);
                terminal.insert(number);
            }
            match lists[state].get(*next) {
                Some(&target) => {
                    *next += 1;
                    let is_new = numbers[target].is_none();
                    let to = *numbers[target].get_or_insert(targets.len() as u32);
                    targets[number as usize].push(to);
                    if is_new {
                        targets.push(vec![]);
                        check.found(to);
                        path.push((target, 0));
                    }
                    check.edge(number, to);
                }
                None => {
                    if check.left(number) {
                        stuck.get_or_insert(number);
                    }
                    path.pop();
                }
            }
        }
        let lists: Vec<&[u32]> = targets.iter().map(Vec::as_slice).collect();
        Searched {
            edges: Edges::of_lists(&lists),
            terminal,
            answer: check.is_terminating(),
            stuck,
        }
    }

    fn agrees(lists: &[Vec<usize>], failing: &[bool]) {
        let found = searched(lists, failing);
        let mut poll = || ControlFlow::<()>::Continue(());
        let ControlFlow::Continue(reaching) = can_reach(&found.edges, &found.terminal, &mut poll)
        else {
            unreachable!("nothing stops it")
        };
        let all = (0..found.edges.states()).all(|state| reaching.contains(state));
        assert_eq!(found.answer, Some(all), "{lists:?} {failing:?}");
        assert_eq!(found.stuck.is_some(), !all);
        assert!(found.stuck.is_none_or(|state| !reaching.contains(state)));
    }

    #[test]
    fn a_cycle_that_leads_to_a_terminal_state_terminates_and_another_does_not() {
        let terminates = |lists: &[Vec<usize>]| searched(lists, &vec![false; lists.len()]).answer;
        assert_eq!(terminates(&[vec![]]), Some(true));
        assert_eq!(terminates(&[vec![1], vec![0, 2], vec![]]), Some(true));
        assert_eq!(terminates(&[vec![1, 2], vec![1], vec![]]), Some(false));
        assert_eq!(terminates(&[vec![0]]), Some(false));
    }

    #[test]
    fn a_state_all_of_whose_steps_fail_is_not_terminal() {
        let lists = [vec![1, 2], vec![], vec![]];
        assert_eq!(searched(&lists, &[false, true, false]).stuck, Some(1));
        assert_eq!(searched(&lists, &[true, false, false]).answer, Some(true));
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 2000,
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn it_says_what_a_backward_search_says(
            lists in proptest::collection::vec(proptest::collection::vec(0..1000_usize, 0..4), 1..40),
            fails in proptest::collection::vec(0..10, 40),
        ) {
            let lists: Vec<Vec<usize>> = lists
                .iter()
                .map(|targets| targets.iter().map(|target| target % lists.len()).collect())
                .collect();
            let failing: Vec<bool> = fails[..lists.len()].iter().map(|fails| *fails == 0).collect();
            agrees(&lists, &failing);
        }
    }
}
