//! A fair run to be shown: the way to a part of the state space in which all assumptions can be
//! met, and a cycle in it that meets them.

use std::ops::ControlFlow;

use stubborn_space::successors::Label;
use stubborn_system::system::Failure;

use super::asked::{FairRun, Looking, OfSystem, Shown};
use super::assumed::Assumed;
use super::graph::{Graph, mark};
use super::parts::{join, meet};
use crate::graph::{Poll, StateSet};
use crate::search::steps::OwnedLabel;
use crate::search::whole::cycles::Step;
use crate::search::{Question, Stop, Ways as _};

/// So many of a part's first states are tried as those with which a cycle begins.
const CANDIDATES: usize = 8;
/// Where a part has more states, one.
const MANY: usize = 1 << 16;
/// Between two looks at the limits.
const STATES_BETWEEN_POLLS: usize = 1 << 14;
const UNSEEN: u32 = u32::MAX;

/// A cycle: the state with which it begins, and the numbers of its edges with where they lead.
pub struct Lasso {
    begin: u32,
    edges: Vec<(usize, u32)>,
}

/// A cycle in a fair part. It goes to the nearest step or state that meets something which is still
/// to be met, and so on, and then back; the shortest of a few that begin with different states.
pub fn through(
    graph: &Graph,
    assumed: &Assumed,
    part: &[u32],
    poll: Poll<'_, Stop>,
) -> ControlFlow<Stop, Lasso> {
    let mut begins: Vec<u32> = part.to_vec();
    begins.sort_unstable();
    let mut inside = StateSet::with_room(graph.edges.states());
    part.iter().for_each(|state| inside.insert(*state));
    let mut parents = vec![UNSEEN; graph.edges.states() as usize];
    let tried = match part.len() > MANY {
        true => 1,
        false => CANDIDATES,
    };
    let mut best: Option<Lasso> = None;
    for begin in begins.into_iter().take(tried) {
        let walk = Walk {
            graph,
            assumed,
            inside: &inside,
            parents: &mut parents,
            lasso: Lasso {
                begin,
                edges: Vec::new(),
            },
            taken: vec![0; assumed.words()],
            somewhere: graph.possible(begin).to_vec(),
            everywhere: graph.possible(begin).to_vec(),
            is_wanted: false,
        };
        let most = best.as_ref().map_or(usize::MAX, |best| best.edges.len());
        if let Some(lasso) = walk.round(most, poll)? {
            best = Some(lasso);
        }
    }
    let Some(best) = best else {
        unreachable!("in a fair part there is a fair cycle through each state");
    };
    ControlFlow::Continue(best)
}

struct Walk<'a> {
    graph: &'a Graph,
    assumed: &'a Assumed,
    inside: &'a StateSet,
    /// Of each state that a way has come to, the one before; between two ways of none.
    parents: &'a mut [u32],
    lasso: Lasso,
    /// The assumptions of which a step is on it,
    taken: Vec<u64>,
    /// of which one is possible in some state on it,
    somewhere: Vec<u64>,
    /// and in every one.
    everywhere: Vec<u64>,
    is_wanted: bool,
}

impl Walk<'_> {
    /// A fair cycle of fewer steps than so many, if this way of going leads to one.
    fn round(mut self, most: usize, poll: Poll<'_, Stop>) -> ControlFlow<Stop, Option<Lasso>> {
        loop {
            poll()?;
            let at = self
                .lasso
                .edges
                .last()
                .map_or(self.lasso.begin, |(_, to)| *to);
            let (weak, strong) = (self.open_weak(), self.open_strong());
            let is_met = self.is_wanted && is_empty(&weak) && is_empty(&strong);
            if is_met && at == self.lasso.begin {
                return ControlFlow::Continue(
                    (self.lasso.edges.len() < most).then_some(self.lasso),
                );
            }
            let graph = self.graph;
            let begin = self.lasso.begin;
            let goes = |(edge, to): (usize, u32)| {
                if is_met {
                    return to == begin;
                }
                let mark = graph.marks[edge];
                let taken = graph.set(mark.set);
                mark.is_wanted && !self.is_wanted
                    || meet(taken, &weak)
                    || meet(taken, &strong)
                    || weak
                        .iter()
                        .zip(graph.possible(to))
                        .any(|(weak, it)| weak & !it != 0)
            };
            let Some(way) = nearest(graph, self.inside, self.parents, (at, &goes), poll)? else {
                debug_assert!(false, "what is to be met is somewhere in a fair part");
                return ControlFlow::Continue(None);
            };
            way.into_iter().for_each(|step| self.take(step));
            if self.lasso.edges.len() >= most {
                return ControlFlow::Continue(None);
            }
        }
    }

    fn open_weak(&self) -> Vec<u64> {
        let open = |at: usize| self.assumed.weak()[at] & self.everywhere[at] & !self.taken[at];
        (0..self.assumed.words()).map(open).collect()
    }

    fn open_strong(&self) -> Vec<u64> {
        let open = |at: usize| self.assumed.strong()[at] & self.somewhere[at] & !self.taken[at];
        (0..self.assumed.words()).map(open).collect()
    }

    fn take(&mut self, (edge, to): (usize, u32)) {
        let mark = self.graph.marks[edge];
        self.is_wanted |= mark.is_wanted;
        join(&mut self.taken, self.graph.set(mark.set));
        let possible = self.graph.possible(to);
        join(&mut self.somewhere, possible);
        for (word, possible) in self.everywhere.iter_mut().zip(possible) {
            *word &= possible;
        }
        self.lasso.edges.push((edge, to));
    }
}

/// The edges of a shortest way among some states whose last edge `goes` where it is to.
fn nearest(
    graph: &Graph,
    inside: &StateSet,
    parents: &mut [u32],
    (from, goes): (u32, &dyn Fn((usize, u32)) -> bool),
    poll: Poll<'_, Stop>,
) -> ControlFlow<Stop, Option<Vec<(usize, u32)>>> {
    let mut seen = vec![from];
    parents[from as usize] = from;
    let mut found = None;
    let mut next = 0;
    'all: while let Some(&state) = seen.get(next) {
        next += 1;
        if next.is_multiple_of(STATES_BETWEEN_POLLS) {
            poll()?;
        }
        for (edge, to) in graph.of(state).filter(|(_, to)| inside.contains(*to)) {
            if goes((edge, to)) {
                found = Some((state, (edge, to)));
                break 'all;
            }
            if parents[to as usize] == UNSEEN {
                parents[to as usize] = state;
                seen.push(to);
            }
        }
    }
    let way = found.map(|(state, last)| {
        let mut way = vec![last];
        let mut at = state;
        while at != from {
            let parent = parents[at as usize];
            way.extend(graph.of(parent).find(|(_, to)| *to == at));
            at = parent;
        }
        way.reverse();
        way
    });
    for state in seen {
        parents[state as usize] = UNSEEN;
    }
    ControlFlow::Continue(way)
}

fn is_empty(set: &[u64]) -> bool {
    set.iter().all(|word| *word == 0)
}

/// The run to a state that shows what is looked for.
pub fn to_state<M: OfSystem, Q: Question>(
    run: &mut Looking<'_, '_, '_, M, Q>,
    state: u32,
    shown: Shown,
) -> FairRun {
    let path = run.space.path(state);
    let mut taken = FairRun {
        shown,
        start: run.space.boxed(&path[..1]).remove(0),
        steps: Vec::with_capacity(path.len() - 1),
        before_cycle: path.len() - 1,
    };
    for step in path.windows(2) {
        let (mut labels, to) = labels_between(run, step[0], step[1]);
        taken.steps.push((labels.swap_remove(0), to));
    }
    taken
}

/// The run that a lasso stands for, with the steps that meet the assumptions: of several steps
/// between two states not every one does.
pub fn taken<M: OfSystem, Q: Question>(
    run: &mut Looking<'_, '_, '_, M, Q>,
    assumed: &Assumed,
    graph: &Graph,
    lasso: &Lasso,
) -> FairRun {
    let mut taken = to_state(run, lasso.begin, Shown::Cycle);
    let mut set = vec![0; assumed.words()];
    let mut at = lasso.begin;
    for &(edge, to) in &lasso.edges {
        let meant = graph.marks[edge];
        let (labels, after) = labels_between(run, at, to);
        // The state that they are taken from is at hand still.
        let from = &run.state[..];
        let question = &mut *run.listener.question;
        let found = labels.into_iter().find(|label| {
            let step = question.step(from, label.label(), &after);
            let is_wanted = step == Step::Wanted;
            step != Step::Forbidden
                && is_wanted == meant.is_wanted
                && mark(assumed, run.model, from, label.label(), &mut set) == graph.set(meant.set)
        });
        let Some(label) = found else {
            unreachable!("the edge was made of such a step");
        };
        taken.steps.push((label, after));
        at = to;
    }
    taken
}

/// Returns all steps from one state to another, at least one, with the other. The first is in
/// `run.state` then.
fn labels_between<M: OfSystem, Q: Question>(
    run: &mut Looking<'_, '_, '_, M, Q>,
    from: u32,
    to: u32,
) -> (Vec<OwnedLabel>, Box<[u64]>) {
    run.space.copy(from, &mut run.state);
    let to = run.space.boxed(&[to]).remove(0);
    let mut labels = Vec::new();
    let mut between = |label: Label<'_>, outcome: Result<&[u64], &Failure>| {
        if outcome == Ok(&*to) {
            labels.push(OwnedLabel::of(label));
        }
        ControlFlow::Continue(())
    };
    let _ = run.model.visit(&run.state, &mut run.scratch, &mut between);
    assert!(!labels.is_empty(), "the search has taken such a step");
    (labels, to)
}
