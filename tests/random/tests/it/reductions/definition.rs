//! D0, D1 and D2 (Valmari 2015, section IV), checked as they are defined: for the set of steps that
//! was chosen in a state, and for every sequence of other steps.
//!
//! All sequences of other steps from a state make up a graph. Where every member of the set is
//! enabled in all of it (D2), D1 says that each step of this graph can be taken after the member
//! too, and then leads where the member leads after it (Lemma 2). Only the enabled members matter:
//! those that are not would have to stay so, or D1 would have them enabled at once, and then the
//! enabled ones alone are a set that obeys the conditions.
//!
//! A step that fails is one that changes nothing, and is told from one that does not fail. So is the
//! imaginary step of a property (Theorem 4), which occurs where the property's violation shows; it
//! is never a member, and where it occurs at once there is nothing to preserve.

use std::ops::ControlFlow;

use stubborn_engine::Label;
use stubborn_engine::reduction::Stubborn;
use stubborn_engine::related::Related;
use stubborn_engine::successors::{Successors, Visit, Wanted};
use stubborn_system::system::Failure;

use super::graph::{Edge, Graph, Name};

/// How often the conditions were put to the test.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tested {
    pub states: u64,
    /// States in which steps were left out.
    pub reduced: u64,
    /// Steps of others that a member was commuted with.
    pub squares: u64,
}

/// Gives the steps of a state that are to be looked at.
pub type Fire<'f> = dyn FnMut(&[u64], &mut Fired) + 'f;
/// What is asked of a set besides, of which the steps of others lead to these states.
pub type More<'f> = dyn Fn(&Set<'_, '_>, &[u32]) -> Result<(), String> + 'f;

/// Checks the sets that are chosen in every state. `shown` has, for each property that is looked
/// at, the states in which its violation shows.
pub fn obeyed(
    graph: &mut Graph<'_>,
    stubborn: &Stubborn<&Related<'_>>,
    shown: &[Vec<bool>],
) -> Result<Tested, String> {
    let mut scratch = stubborn.scratch();
    let mut fire = |state: &[u64], fired: &mut Fired| {
        let _ = stubborn.visit(state, &mut scratch, fired);
    };
    obeyed_and(graph, &mut fire, shown, &|_, _| Ok(()))
}

/// The same, with more that is asked of each set that leaves something out.
pub fn obeyed_and(
    graph: &mut Graph<'_>,
    fire: &mut Fire<'_>,
    shown: &[Vec<bool>],
    more: &More<'_>,
) -> Result<Tested, String> {
    let mut tested = Tested::default();
    for state in 0..graph.states() {
        let words = graph.words(state).to_vec();
        let mut fired = Fired::default();
        fire(&words, &mut fired);
        let members = members(graph, state, fired)?;
        tested.states += 1;
        if graph.of(state).iter().all(|e| members.contains(&e.name)) {
            continue;
        }
        tested.reduced += 1;
        let set = Set {
            graph,
            state,
            members,
            shown,
        };
        let states = set.closure();
        tested.squares += set.obeys(&states)?;
        more(&set, &states)?;
    }
    Ok(tested)
}

/// The steps that a reduction gives, always the same for the same state.
#[derive(Default)]
pub struct Fired {
    steps: Vec<(Name, Option<Vec<u64>>)>,
}

impl Visit for Fired {
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        let target = outcome.ok().map(<[u64]>::to_vec);
        self.steps.push((Name::of(label), target));
        ControlFlow::Continue(())
    }

    fn wanted(&self) -> Wanted {
        Wanted::Reduced
    }
}

/// The names of the fired steps, each with all that the plain space has of it.
fn members(graph: &mut Graph<'_>, state: u32, fired: Fired) -> Result<Vec<u32>, String> {
    let mut members = Vec::new();
    let mut steps: Vec<(u32, Option<u32>)> = Vec::new();
    for (name, target) in fired.steps {
        let name = graph.name(name);
        let target = match target {
            Some(words) => {
                let found = graph.find_words(&words);
                Some(found.ok_or(format!(
                    "a step of state {state} leads out of the plain space"
                ))?)
            }
            None => None,
        };
        steps.push((name, target));
        if !members.contains(&name) {
            members.push(name);
        }
    }
    let of_members = graph.of(state).iter().filter(|e| members.contains(&e.name));
    let mut plain: Vec<_> = of_members.map(|e| (e.name, e.target)).collect();
    plain.sort();
    steps.sort();
    if plain != steps {
        return Err(format!("in state {state} a step is fired in part"));
    }
    if members.is_empty() && !graph.is_terminal(state) {
        return Err(format!("D0: no step of state {state} is fired"));
    }
    Ok(members)
}

/// The steps that were fired in a state.
pub struct Set<'a, 'g> {
    pub graph: &'a Graph<'g>,
    pub state: u32,
    pub members: Vec<u32>,
    shown: &'a [Vec<bool>],
}

impl Set<'_, '_> {
    /// All states that the steps of others lead to.
    fn closure(&self) -> Vec<u32> {
        let mut seen = vec![false; self.graph.states() as usize];
        let mut found = vec![self.state];
        seen[self.state as usize] = true;
        let mut at = 0;
        while let Some(&state) = found.get(at) {
            at += 1;
            for edge in self.others(state) {
                if let Some(target) = edge.target
                    && !std::mem::replace(&mut seen[target as usize], true)
                {
                    found.push(target);
                }
            }
        }
        found
    }

    pub fn others(&self, state: u32) -> impl Iterator<Item = &Edge> {
        let edges = self.graph.of(state).iter();
        edges.filter(|edge| !self.members.contains(&edge.name))
    }

    pub fn of_name(&self, state: u32, name: u32) -> impl Iterator<Item = &Edge> {
        let edges = self.graph.of(state).iter();
        edges.filter(move |edge| edge.name == name)
    }

    fn obeys(&self, states: &[u32]) -> Result<u64, String> {
        let mut squares = 0;
        for &member in &self.members {
            for &at in states {
                if self.of_name(at, member).next().is_none() {
                    return Err(self.complaint("D2", member, at, "is disabled"));
                }
            }
            for &at in states {
                for other in self.others(at) {
                    squares += 1;
                    if !self.commute(member, at, other) {
                        let what = format!(
                            "does not commute with {:?}",
                            self.graph.names[other.name as usize]
                        );
                        return Err(self.complaint("D1", member, at, &what));
                    }
                }
                for shown in self.shown {
                    let is_hidden = self.of_name(at, member).any(|edge| {
                        let after = edge.target.unwrap_or(at);
                        !shown[after as usize]
                    });
                    if !shown[self.state as usize] && shown[at as usize] && is_hidden {
                        return Err(self.complaint("Theorem 4", member, at, "hides a violation"));
                    }
                }
            }
        }
        Ok(squares)
    }

    /// Whether every way to take the member after the other step is one of taking it before.
    fn commute(&self, member: u32, at: u32, other: &Edge) -> bool {
        let after_other = other.target.unwrap_or(at);
        self.of_name(after_other, member).all(|last| {
            let end = last.target.unwrap_or(after_other);
            self.of_name(at, member).any(|first| {
                let after_member = first.target.unwrap_or(at);
                first.target.is_none() == last.target.is_none()
                    && self.of_name(after_member, other.name).any(|second| {
                        second.target.is_none() == other.target.is_none()
                            && second.target.unwrap_or(after_member) == end
                    })
            })
        })
    }

    pub fn complaint(&self, condition: &str, member: u32, at: u32, what: &str) -> String {
        let member = &self.graph.names[member as usize];
        let members = self.members.iter().map(|m| &self.graph.names[*m as usize]);
        let members: Vec<_> = members.collect();
        let (from, to) = (self.graph.words(self.state), self.graph.words(at));
        let (from, to) = (self.graph.packed.unpack(from), self.graph.packed.unpack(to));
        format!("{condition}: {member:?} {what}\nin {to:?}\nof the set {members:?}\nin {from:?}")
    }
}
