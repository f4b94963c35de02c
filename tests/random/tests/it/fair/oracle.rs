//! Whether a fair run violates a property, by a formula over a state space in which each state says which step led to
//! it.
//!
//! A run is fair if it satisfies `always eventually (not possible or taken)` for each weak assumption, and `always
//! eventually possible implies always eventually taken` for each strong one, where `taken` is of the step that has led
//! to a state. What is asked is said by a formula too, of the marks of automata if need be, and the atoms of the
//! formulas' closure over the states decide ([`tableau`](crate::monitors::tableau)): nothing here looks for components
//! with something in them. A run that ends is read as repeating its last state: nothing is possible there, and nothing
//! was taken.

use std::collections::HashMap;

use stubborn_engine::interpreter::steps;
use stubborn_engine::{State, Trace};
use stubborn_random::watch::automata::{Buchi, Testing};
use stubborn_random::watch::formula::Formula;
use stubborn_system::property::{Assumption, StepSet};
use stubborn_system::system::{Expr, System};

use super::assumed::is_of;
use crate::monitors::space::{Space, Taken, valuation};
use crate::monitors::tableau::is_satisfied;

const MOST_NODES: usize = 600;
const MOST_ATOMS: usize = 3_000;

/// What is asked of runs.
pub enum Asked<'a> {
    /// The first look again and again.
    Must,
    /// Steps of the second set infinitely often, where those of the first are.
    Recurrence(&'a StepSet, &'a StepSet),
    Formula(&'a Formula),
    /// That it accepts none.
    Buchi(&'a Buchi),
    Testing(&'a Testing),
}

/// The states of a system, with what is asked of each and each step.
pub struct Oracle<'a> {
    pub assumptions: &'a [Assumption],
    looks: &'a [Expr],
    states: Vec<State>,
    numbers: HashMap<State, u32>,
    /// Of each state its looks.
    seen: Vec<u64>,
    /// Of each state the assumptions of which a step is possible, bit by bit.
    possible: Vec<u64>,
    steps: Vec<Vec<Step>>,
}

/// A step of a state.
#[derive(Clone)]
struct Step {
    /// The assumptions that it is one of.
    of: u64,
    participants: Vec<(u32, u32)>,
    action: Option<(u32, Vec<i64>)>,
    /// `None` where it fails.
    to: Option<u32>,
}

/// What is known of a run's place besides the system's state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Node {
    state: u32,
    own: u32,
    /// The assumptions that the last step was one of,
    of: u64,
    /// whether it was of the first and the second set that are asked for,
    sets: (bool, bool),
    /// whether an automaton saw it, and was then in a state that is marked `infinite`.
    is_seen: bool,
    is_accepting: bool,
}

/// Whatever comes is accepted: an automaton has rejected.
const REJECTED: u32 = u32::MAX;

/// The places of what is told of a node, after the looks.
struct Bits {
    looks: usize,
    assumptions: usize,
}

impl Bits {
    fn possible(&self, number: usize) -> Formula {
        Formula::Look(self.looks + 2 * number)
    }

    fn taken(&self, number: usize) -> Formula {
        Formula::Look(self.looks + 2 * number + 1)
    }

    fn after(&self, nth: usize) -> Formula {
        Formula::Look(self.looks + 2 * self.assumptions + nth)
    }
}

fn not(a: Formula) -> Formula {
    Formula::Not(Box::new(a))
}

fn and(a: Formula, b: Formula) -> Formula {
    Formula::And(Box::new(a), Box::new(b))
}

fn or(a: Formula, b: Formula) -> Formula {
    Formula::Or(Box::new(a), Box::new(b))
}

fn again_and_again(a: Formula) -> Formula {
    Formula::Always(Box::new(Formula::Eventually(Box::new(a))))
}

fn at_last(a: Formula) -> Formula {
    Formula::Eventually(Box::new(Formula::Always(Box::new(a))))
}

impl<'a> Oracle<'a> {
    /// Unless there are more states than `most`, or an expression fails in one of them.
    pub fn of(
        system: &'a System,
        assumptions: &'a [Assumption],
        looks: &'a [Expr],
        most: usize,
    ) -> Option<Oracle<'a>> {
        let initial = State::initial(system);
        let mut oracle = Oracle {
            assumptions,
            looks,
            numbers: HashMap::from([(initial.clone(), 0)]),
            states: vec![initial],
            seen: vec![],
            possible: vec![],
            steps: vec![],
        };
        while oracle.steps.len() < oracle.states.len() {
            let state = oracle.states[oracle.steps.len()].clone();
            let mut all = Vec::new();
            let mut possible = 0;
            for occurrence in steps(system, &state) {
                let of = oracle.sets_of(&state, &occurrence.participants, &occurrence.action);
                let to = occurrence.outcome.ok().map(|after| oracle.number(after));
                if to.is_some() {
                    possible |= of;
                }
                all.push(Step {
                    of,
                    participants: occurrence.participants,
                    action: occurrence.action,
                    to,
                });
            }
            oracle.steps.push(all);
            oracle.possible.push(possible);
            oracle.seen.push(valuation(system, &state, looks)?);
            if oracle.states.len() > most {
                return None;
            }
        }
        Some(oracle)
    }

    fn number(&mut self, state: State) -> u32 {
        let next = self.states.len() as u32;
        *self.numbers.entry(state).or_insert_with_key(|state| {
            self.states.push(state.clone());
            next
        })
    }

    fn sets_of(
        &self,
        state: &State,
        participants: &[(u32, u32)],
        action: &Option<(u32, Vec<i64>)>,
    ) -> u64 {
        let all = self.assumptions.iter().enumerate();
        all.fold(0, |bits, (number, one)| {
            bits | u64::from(is_of(&one.steps, state, participants, action)) << number
        })
    }

    fn bits(&self) -> Bits {
        Bits {
            looks: self.looks.len(),
            assumptions: self.assumptions.len(),
        }
    }

    fn ends(&self, state: u32) -> bool {
        self.steps[state as usize].is_empty()
    }

    /// Whether a fair run violates it; `None` where that is too much work.
    pub fn is_violated(&self, asked: &Asked<'_>) -> Option<bool> {
        let (space, told) = self.space(asked)?;
        let broken = and(self.broken(asked), self.fair());
        is_satisfied(&space, &told, &broken, MOST_ATOMS)
    }

    /// Whether any run does.
    pub fn of_all_runs(&self, asked: &Asked<'_>) -> Option<bool> {
        let (space, told) = self.space(asked)?;
        is_satisfied(&space, &told, &self.broken(asked), MOST_ATOMS)
    }

    /// Of the bits that are told.
    fn fair(&self) -> Formula {
        let bits = self.bits();
        let all = self.assumptions.iter().enumerate();
        let of_each = all.map(|(number, one)| {
            let (possible, taken) = (bits.possible(number), bits.taken(number));
            match one.is_strong {
                false => again_and_again(or(not(possible), taken)),
                true => or(at_last(not(possible)), again_and_again(taken)),
            }
        });
        of_each.reduce(and).unwrap_or(Formula::Constant(true))
    }

    fn broken(&self, asked: &Asked<'_>) -> Formula {
        let bits = self.bits();
        match asked {
            Asked::Must => at_last(not(Formula::Look(0))),
            Asked::Recurrence(..) => {
                let first = again_and_again(bits.after(0));
                and(first, at_last(not(bits.after(1))))
            }
            Asked::Formula(formula) => formula.negated(),
            Asked::Buchi(_) | Asked::Testing(_) => {
                let ended = at_last(bits.after(4));
                let quiet = at_last(bits.after(3));
                or(again_and_again(bits.after(2)), or(ended, quiet))
            }
        }
    }

    /// The runs' places as a space of their own, with what is told of each.
    fn space(&self, asked: &Asked<'_>) -> Option<(Space, Vec<u64>)> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut numbers: HashMap<Node, u32> = HashMap::new();
        let mut number = |nodes: &mut Vec<Node>, node: Node| {
            *numbers.entry(node).or_insert_with(|| {
                nodes.push(node);
                nodes.len() as u32 - 1
            })
        };
        // One more state leads to those in which a run may begin, so that there is one.
        let mut space = Space {
            states: vec![],
            steps: vec![],
        };
        let begins: Vec<u32> = match asked {
            Asked::Buchi(buchi) => buchi.begins(self.seen[0]).collect(),
            Asked::Testing(testing) => testing.begins(self.seen[0]).collect(),
            _ => vec![0],
        };
        let mut roots = Vec::new();
        for own in begins {
            let node = self.entered(
                asked,
                Node {
                    own,
                    ..Node::default()
                },
            );
            roots.push(number(&mut nodes, node));
        }
        let several = roots.len() != 1;
        while space.steps.len() < nodes.len() {
            let at = nodes[space.steps.len()];
            let mut taken = Vec::new();
            for step in &self.steps[at.state as usize] {
                let next = step
                    .to
                    .into_iter()
                    .flat_map(|to| self.follow(asked, at, step, to));
                for node in next {
                    taken.push(Taken {
                        actions: vec![],
                        target: Some(number(&mut nodes, node)),
                    });
                }
            }
            // Where the automaton does not go on, or all steps fail, the run does not end.
            if taken.is_empty() && !self.ends(at.state) {
                taken.push(Taken {
                    actions: vec![],
                    target: None,
                });
            }
            space.steps.push(taken);
            space.states.push(self.states[at.state as usize].clone());
            if nodes.len() > MOST_NODES {
                return None;
            }
        }
        let mut told: Vec<u64> = nodes.iter().map(|node| self.told(asked, *node)).collect();
        if several {
            // A formula of an automaton's marks is about what is met for ever: a state more at the beginning does not
            // matter to it.
            let shifted = |taken: &Taken| Taken {
                actions: vec![],
                target: taken.target.map(|to| to + 1),
            };
            let mut steps: Vec<Vec<Taken>> = vec![
                roots
                    .iter()
                    .map(|root| Taken {
                        actions: vec![],
                        target: Some(root + 1),
                    })
                    .collect(),
            ];
            if roots.is_empty() {
                steps[0].push(Taken {
                    actions: vec![],
                    target: None,
                });
            }
            steps.extend(
                space
                    .steps
                    .iter()
                    .map(|all| all.iter().map(shifted).collect()),
            );
            space.steps = steps;
            space.states.insert(0, self.states[0].clone());
            told.insert(0, 0);
        }
        Some((space, told))
    }

    /// What an automaton that rejects there is in.
    fn entered(&self, asked: &Asked<'_>, mut node: Node) -> Node {
        let rejects = match asked {
            Asked::Buchi(buchi) => buchi.marks(node.own).reject,
            Asked::Testing(testing) => testing.marks(node.own).reject,
            _ => false,
        };
        if rejects {
            node.own = REJECTED;
        }
        if self.ends(node.state) {
            (node.of, node.sets) = (0, (false, false));
            (node.is_seen, node.is_accepting) = (true, false);
        }
        node
    }

    fn follow(&self, asked: &Asked<'_>, at: Node, step: &Step, to: u32) -> Vec<Node> {
        let from = &self.states[at.state as usize];
        let is_of = |set: &StepSet| is_of(set, from, &step.participants, &step.action);
        let sets = match asked {
            Asked::Recurrence(infinitely, implies) => (is_of(infinitely), is_of(implies)),
            _ => (false, false),
        };
        let (before, after) = (self.seen[at.state as usize], self.seen[to as usize]);
        let node = |own: u32, is_seen: bool, is_accepting: bool| {
            let node = Node {
                state: to,
                own,
                of: step.of,
                sets,
                is_seen,
                is_accepting,
            };
            self.entered_from(asked, at, node)
        };
        if at.own == REJECTED {
            return vec![node(REJECTED, true, true)];
        }
        match asked {
            Asked::Buchi(buchi) => {
                let next = buchi.states[at.own as usize].next.iter();
                let goes = next.filter(|then| buchi.goes(at.own, **then, after));
                let marks = buchi.marks(at.own);
                goes.map(|then| node(*then, true, marks.infinite)).collect()
            }
            Asked::Testing(testing) => {
                let change = testing.observes(before ^ after);
                let all = 0..testing.states.len() as u32;
                let goes = all.filter(|then| testing.goes(at.own, *then, change));
                let is_seen = change != 0;
                let marks = testing.marks(at.own);
                goes.map(|then| node(then, is_seen, is_seen && marks.infinite))
                    .collect()
            }
            _ => vec![node(0, true, false)],
        }
    }

    fn entered_from(&self, asked: &Asked<'_>, at: Node, node: Node) -> Node {
        match at.own == REJECTED {
            true if self.ends(node.state) => self.entered(&Asked::Must, node),
            true => node,
            false => self.entered(asked, node),
        }
    }

    fn told(&self, asked: &Asked<'_>, node: Node) -> u64 {
        let mut told = self.seen[node.state as usize];
        let mut at = self.looks.len();
        let mut tell = |value: bool| {
            told |= u64::from(value) << at;
            at += 1;
        };
        for number in 0..self.assumptions.len() {
            tell(self.possible[node.state as usize] >> number & 1 == 1);
            tell(node.of >> number & 1 == 1);
        }
        tell(node.sets.0);
        tell(node.sets.1);
        let marks = match asked {
            _ if node.own == REJECTED => None,
            Asked::Buchi(buchi) => Some(buchi.marks(node.own)),
            Asked::Testing(testing) => Some(testing.marks(node.own)),
            _ => None,
        };
        tell(node.is_accepting);
        tell(!node.is_seen && marks.is_some_and(|marks| marks.livelock));
        let accepts_end = node.own == REJECTED || marks.is_some_and(|marks| marks.deadlock);
        tell(accepts_end && self.ends(node.state));
        told
    }

    /// The numbers of the states along a run, with the number of the step taken next in each, and where the cycle begins.
    pub fn along(&self, trace: &Trace) -> Option<Run> {
        let mut walk = trace.walk();
        let mut run = Run {
            states: vec![*self.numbers.get(walk.state())?],
            taken: Vec::new(),
            back: (!trace.cycle().is_empty()).then_some(trace.steps().len()),
        };
        while let Some(step) = walk.next_step() {
            let label = step.label();
            let at = *run.states.last()?;
            walk.advance();
            let to = *self.numbers.get(walk.state())?;
            let action = label
                .action
                .map(|(action, values)| (action, values.to_vec()));
            let is_it = |one: &&Step| {
                one.participants == label.participants && one.action == action && one.to == Some(to)
            };
            let taken = self.steps[at as usize].iter().find(is_it)?;
            run.taken.push(taken.clone());
            run.states.push(to);
        }
        Some(run)
    }

    /// Whether the run ends, or its cycle meets the assumptions.
    pub fn is_fair(&self, run: &Run) -> bool {
        let Some(back) = run.back else {
            return run.states.last().is_some_and(|last| self.ends(*last));
        };
        let of_cycle = &run.states[back..run.states.len() - 1];
        let taken = run.taken[back..]
            .iter()
            .fold(0, |bits, step| bits | step.of);
        let possible = of_cycle.iter().map(|state| self.possible[*state as usize]);
        let everywhere = possible.clone().fold(u64::MAX, |bits, here| bits & here);
        let somewhere = possible.fold(0, |bits, here| bits | here);
        let all = self.assumptions.iter().enumerate();
        all.into_iter().all(|(number, one)| {
            let has = |bits: u64| bits >> number & 1 == 1;
            let is_due = match one.is_strong {
                true => has(somewhere),
                false => has(everywhere),
            };
            has(taken) || !is_due
        })
    }

    /// Whether the run violates what is asked, where that is no automaton's matter.
    pub fn is_broken(&self, asked: &Asked<'_>, run: &Run) -> bool {
        let seen: Vec<u64> = run
            .states
            .iter()
            .map(|state| self.seen[*state as usize])
            .collect();
        let last = run.states.len() - 1;
        let cycle = run.back.unwrap_or(last)..run.back.map_or(last + 1, |_| last);
        match asked {
            Asked::Must => seen[cycle].iter().all(|looks| looks & 1 == 0),
            Asked::Recurrence(infinitely, implies) => {
                let Some(back) = run.back else { return false };
                let has = |set: &StepSet| {
                    (back..last).any(|at| {
                        let (state, step) = (run.states[at], &run.taken[at]);
                        let from = &self.states[state as usize];
                        is_of(set, from, &step.participants, &step.action)
                    })
                };
                has(infinitely) && !has(implies)
            }
            Asked::Formula(formula) => {
                // The last state of a lasso is that with which the cycle begins.
                let read = &seen[..cycle.end];
                !formula.along(read, cycle.start)[0]
            }
            Asked::Buchi(_) | Asked::Testing(_) => true,
        }
    }
}

/// A run of the system.
pub struct Run {
    states: Vec<u32>,
    taken: Vec<Step>,
    /// Where the cycle begins.
    back: Option<usize>,
}
