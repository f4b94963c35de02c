//! Recurrence: whether steps of one set can be taken infinitely often and those of another not.
//!
//! In a finite state space there is such an execution if and only if there is a cycle with a step
//! of the former and no step of the latter: a strong component of what is left without the latter
//! that has an edge of the former inside. It is what Theorem 6 of "Stop It, and Be Stubborn!"
//! (A. Valmari, 2015) speaks of, so that the same may be asked of a reduced state space.

use std::ops::ControlFlow;

use stubborn_system::property::{StepPattern, StepSet};
use stubborn_system::system::{ActionPattern, InstanceId, LocationId, System};

use super::components::{BYTES_PER_STATE, for_each_component};
use super::path::{shortest, to_nearest};
use super::revisit::{Gather, revisit};
use super::{Edges, Look, StateSet};
use crate::search::{Meter, Space, Stop};
use crate::successors::{Label, Successors};

/// How many recurrences are asked about in one visit of the states.
pub const AT_ONCE: usize = 8;

/// The steps of two sets, `A` and `B`: is there an execution with infinitely many of `A`, but not
/// of `B`?
pub struct Question {
    infinitely: Steps,
    implies: Steps,
}

/// A set of steps, as a search can ask for it.
struct Steps {
    actions: Vec<ActionPattern>,
    /// For some instances, ascending, whether all that they take at a location is meant.
    places: Vec<(InstanceId, Vec<bool>)>,
}

impl Question {
    pub fn new(system: &System, infinitely: &StepSet, implies: &StepSet) -> Question {
        Question {
            infinitely: Steps::new(system, infinitely),
            implies: Steps::new(system, implies),
        }
    }

    /// Whether a step is one that the execution takes infinitely often.
    pub fn wants(&self, label: Label<'_>, at: &impl Fn(InstanceId) -> LocationId) -> bool {
        self.infinitely.contains(label, at) && self.allows(label, at)
    }

    /// Whether it matters to the question how often the step is taken.
    pub fn is_visible(&self, label: Label<'_>, at: &impl Fn(InstanceId) -> LocationId) -> bool {
        self.infinitely.contains(label, at) || self.implies.contains(label, at)
    }

    /// Whether the execution may take the step infinitely often.
    pub fn allows(&self, label: Label<'_>, at: &impl Fn(InstanceId) -> LocationId) -> bool {
        !self.implies.contains(label, at)
    }
}

impl Steps {
    fn new(system: &System, set: &StepSet) -> Steps {
        let mut steps = Steps {
            actions: Vec::new(),
            places: Vec::new(),
        };
        for pattern in &set.patterns {
            match pattern {
                StepPattern::Action(pattern) => steps.actions.push(pattern.clone()),
                StepPattern::At(instance, locations) => {
                    let place = steps.places.binary_search_by_key(instance, |(i, _)| *i);
                    let place = place.unwrap_or_else(|place| {
                        let count = system.instances[*instance as usize].locations.len();
                        steps.places.insert(place, (*instance, vec![false; count]));
                        place
                    });
                    for location in locations {
                        steps.places[place].1[*location as usize] = true;
                    }
                }
            }
        }
        steps
    }

    fn contains(&self, label: Label<'_>, at: &impl Fn(InstanceId) -> LocationId) -> bool {
        let of_action = label.action.is_some_and(|(action, values)| {
            let is_it = |pattern: &ActionPattern| {
                let mut pairs = pattern.arguments.iter().zip(values);
                pattern.action == action
                    && pairs.all(|(wanted, value)| wanted.is_none_or(|wanted| wanted == *value))
            };
            self.actions.iter().any(is_it)
        });
        let is_place = |(instance, _): &(InstanceId, _)| {
            let place = self.places.binary_search_by_key(instance, |(i, _)| *i);
            place.is_ok_and(|place| self.places[place].1[at(*instance) as usize])
        };
        of_action || !self.places.is_empty() && label.participants.iter().any(is_place)
    }
}

/// The edges of a state space, each with what it is to some questions.
pub struct Marked {
    edges: Edges,
    /// Of each edge two bits for each question.
    marks: Vec<u16>,
}

/// An execution that comes to a cycle and goes round it for ever.
#[derive(Debug, PartialEq, Eq)]
pub struct Lasso {
    /// From the initial state on.
    pub path: Vec<u32>,
    /// From the last state of the path back to it.
    pub cycle: Vec<u32>,
}

/// The step is one that an execution which answers the question takes infinitely often.
const WANTED: u16 = 1;
/// The step may be taken infinitely often there.
const ALLOWED: u16 = 2;

impl Marked {
    /// Visits all states again, through the successors by which they were found. `location` says
    /// where an instance is in a state; `held` is memory in use besides that of the space. No more
    /// than [`AT_ONCE`] questions.
    pub fn collect<S: Successors>(
        successors: &S,
        location: impl Fn(&[u64], InstanceId) -> LocationId,
        questions: &[Question],
        space: &Space,
        held: u64,
        meter: &mut Meter<'_>,
    ) -> ControlFlow<Stop, Marked> {
        debug_assert!(questions.len() <= AT_ONCE, "a mark has two bits for each");
        let mut marking = Marking {
            marked: Marked {
                edges: Edges::default(),
                marks: Vec::new(),
            },
            questions,
            location,
        };
        // What deciding takes for each state, beside the edges.
        let held = held + space.states() * (BYTES_PER_STATE + 8);
        revisit(successors, space, held, meter, &mut marking)?;
        ControlFlow::Continue(marking.marked)
    }

    /// Memory in use, and what one question takes in addition, in bytes.
    pub fn bytes(&self) -> u64 {
        2 * self.edges.bytes() + self.marks.len() as u64 * 2
    }

    /// An execution that answers question number `nth`, if there is one: a shortest path to a state
    /// with a wanted step that can be taken again and again, and a cycle that begins with it.
    pub fn answer(&self, nth: usize, look: Look<'_>) -> ControlFlow<Stop, Option<Lasso>> {
        let is = |mark: u16, bit: u16| mark >> (2 * nth) & bit != 0;
        if !self.marks.iter().any(|mark| is(*mark, WANTED)) {
            return ControlFlow::Continue(None);
        }
        let states = self.edges.states();
        let mut left = Edges::default();
        for state in 0..states {
            for (target, mark) in self.of(state) {
                if is(mark, ALLOWED) {
                    left.push(target);
                }
            }
            left.end_state();
        }
        look()?;
        let all = StateSet::default().complement(states);
        let mut components = vec![0_u32; states as usize];
        let mut count = 0;
        for_each_component(&left, &all, look, |component| {
            for state in component {
                components[*state as usize] = count;
            }
            count += 1;
        })?;
        let same = |a: u32, b: u32| components[a as usize] == components[b as usize];
        let begins = |state: u32| {
            let mut edges = self.of(state);
            edges.find(|(target, mark)| is(*mark, WANTED) && same(state, *target))
        };
        let Some(path) = to_nearest(&self.edges, |state| begins(state).is_some()) else {
            return ControlFlow::Continue(None);
        };
        let last = path[path.len() - 1];
        let cycle = begins(last).and_then(|(target, _)| {
            let back = if target == last {
                vec![last]
            } else {
                shortest(&left, target, |state| same(state, last), |s| s == last)?
            };
            Some([last].into_iter().chain(back).collect())
        });
        debug_assert!(cycle.is_some(), "within a component every state is reached");
        ControlFlow::Continue(cycle.map(|cycle| Lasso { path, cycle }))
    }

    /// The edges of a state.
    fn of(&self, state: u32) -> impl Iterator<Item = (u32, u16)> {
        let marks = &self.marks[self.edges.first(state)..];
        let targets = self.edges.of(state).iter();
        targets.zip(marks).map(|(target, mark)| (*target, *mark))
    }
}

struct Marking<'a, L> {
    marked: Marked,
    questions: &'a [Question],
    location: L,
}

impl<L: Fn(&[u64], InstanceId) -> LocationId> Gather for Marking<'_, L> {
    fn edge(&mut self, from: &[u64], label: Label<'_>, to: u32) {
        let at = |instance| (self.location)(from, instance);
        let mut mark = 0;
        for (nth, question) in self.questions.iter().enumerate() {
            if question.allows(label, &at) {
                mark |= ALLOWED << (2 * nth);
                if question.infinitely.contains(label, &at) {
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
        assert_eq!(found, Some((vec![0, 1, 2], vec![2, 1, 2])));
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
