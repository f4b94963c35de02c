//! AG EF termination, decided during a depth-first search.
//!
//! Tarjan's algorithm completes a strongly connected component when everything to which it leads
//! has been explored ("Stop It, and Be Stubborn!", A. Valmari, 2015, section V). Then it is known
//! whether a terminal state can be reached from it: one is in it, or a step leads to a complete
//! component. The first complete component from which none can be reached refutes the property, and
//! nothing more is recorded. A state all of whose steps fail is not terminal, and a component of
//! its own that leads nowhere.
//!
//! [`reach`](super::reach) would need all edges, and a search that ends: this check keeps none, and
//! ends the search at the first such component.

use stubborn_system::components::Tarjan;

use super::StateSet;

/// Observer of a depth-first search.
#[derive(Default)]
pub struct TerminationCheck {
    tarjan: Tarjan,
    /// States that are terminal or have a step to a complete component.
    ending: StateSet,
    answer: Option<bool>,
}

impl TerminationCheck {
    /// Whether a terminal state can be reached from every state; `None` until the property is
    /// refuted or the search is over.
    pub fn is_terminating(&self) -> Option<bool> {
        self.answer
    }

    /// Adds a new state at the end of the path.
    #[inline]
    pub fn found(&mut self, state: u32) {
        if self.answer.is_none() {
            self.tarjan.enter(state);
        }
    }

    /// Notes that the last state on the path has no step.
    pub fn terminal(&mut self, state: u32) {
        if self.answer.is_none() {
            self.ending.insert(state);
        }
    }

    /// Follows a step of the last state on the path; ignores the step by which that state was
    /// found.
    #[inline]
    pub fn edge(&mut self, from: u32, to: u32) {
        let Some((last, _)) = self.tarjan.last() else {
            return;
        };
        if last != from {
            debug_assert_eq!(last, to, "steps are taken at the end of the path");
        } else if self.tarjan.is_complete(to) {
            self.ending.insert(from);
        } else {
            self.tarjan.follow(to);
        }
    }

    /// Removes the last state from the path, all of whose steps have been taken. Returns whether
    /// this shows that no terminal state can be reached from it.
    pub fn left(&mut self, state: u32) -> bool {
        debug_assert!(self.tarjan.last().is_none_or(|(last, _)| last == state));
        let Some(mut component) = self.tarjan.leave() else {
            return false;
        };
        let ends = component.any(|member| self.ending.contains(member));
        drop(component);
        match self.tarjan.last() {
            Some((before, _)) if ends => self.ending.insert(before),
            _ => {
                *self = TerminationCheck {
                    answer: Some(ends),
                    ..TerminationCheck::default()
                }
            }
        }
        !ends
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.tarjan.bytes() + self.ending.bytes()
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
