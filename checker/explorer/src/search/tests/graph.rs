//! Graphs given in full, and what is there to find in them.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use stubborn_space::successors::{Label, Successors, Visit};
use stubborn_space::verdict::Violation;
use stubborn_system::system::Failure;

use crate::search::found::Found;
use crate::search::{Marks, Monitored};

/// A state is two words: its number, and a function of it.
#[derive(Debug)]
pub struct Graph {
    initials: Vec<Box<[u64]>>,
    steps: Vec<Vec<Step>>,
    marks: Vec<Marks>,
    /// Where the run goes on though there is no step.
    goes_on: Vec<bool>,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    /// Nowhere if it fails.
    to: Option<usize>,
    is_visible: bool,
}

/// A generator of numbers (Marsaglia's xorshift).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 20) % end as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

fn state(number: usize) -> [u64; 2] {
    let number = number as u64;
    [number, number.wrapping_mul(0x9e37_79b9)]
}

fn number(state: &[u64]) -> usize {
    state[0] as usize
}

impl Graph {
    /// The monitor has a few states, with marks at random; a step between states with different
    /// ones is visible, and any other may be.
    pub fn random(random: &mut Random, states: usize) -> Graph {
        let rarity = 1 + random.below(12);
        Graph::with(random, states, rarity, false)
    }

    /// The same graph with the marks of one kind of violation alone.
    pub fn only(mut self, kind: Violation) -> Graph {
        for marks in &mut self.marks {
            marks.reject &= kind == Violation::Reject;
            marks.deadlock &= kind == Violation::Deadlock;
            marks.livelock &= kind == Violation::Livelock;
            marks.infinite &= kind == Violation::Infinite;
        }
        self
    }

    pub fn random_with_rare_violations(random: &mut Random, states: usize) -> Graph {
        Graph::with(random, states, 40, false)
    }

    /// All states are marked `livelock`.
    pub fn random_where_all_is_livelock(random: &mut Random, states: usize) -> Graph {
        let rarity = 1 + random.below(12);
        Graph::with(random, states, rarity, true)
    }

    fn with(random: &mut Random, states: usize, rarity: usize, all_livelock: bool) -> Graph {
        let monitor: Vec<Marks> = (0..1 + random.below(states.min(5) + states / 40))
            .map(|_| Marks {
                reject: random.one_in(3 * rarity),
                deadlock: random.one_in(2 * rarity),
                livelock: all_livelock || random.one_in(rarity),
                infinite: random.one_in(rarity),
            })
            .collect();
        let of: Vec<usize> = (0..states).map(|_| random.below(monitor.len())).collect();
        let degree = 1 + random.below(3);
        let seen = 1 + random.below(4);
        let steps = (0..states).map(|from| {
            let steps = (0..random.below(degree + 2)).map(|_| {
                let to = Some(random.below(states)).filter(|_| !random.one_in(20));
                Step {
                    to,
                    is_visible: random.one_in(seen) || to.is_some_and(|to| of[to] != of[from]),
                }
            });
            steps.collect()
        });
        let steps = steps.collect();
        let initials = (0..random.below(3).max(1)).map(|_| random.below(states));
        Graph {
            initials: initials.map(|number| Box::from(state(number))).collect(),
            steps,
            marks: of
                .iter()
                .map(|monitor_state| monitor[*monitor_state])
                .collect(),
            goes_on: (0..states).map(|_| random.one_in(4)).collect(),
        }
    }

    /// States in a row, with nothing to find.
    pub fn line(states: usize) -> Graph {
        let step = |to: usize| Step {
            to: Some(to),
            is_visible: false,
        };
        let marks = Marks {
            livelock: true,
            infinite: true,
            ..Marks::default()
        };
        Graph {
            initials: vec![Box::from(state(0))],
            steps: (1..=states)
                .map(|next| (next < states).then(|| step(next)).into_iter().collect())
                .collect(),
            marks: vec![marks; states],
            goes_on: vec![false; states],
        }
    }

    /// The states that steps lead to from some states, and these states.
    fn closure(&self, from: impl IntoIterator<Item = usize>, only_silent: bool) -> Vec<bool> {
        let mut is_in = vec![false; self.steps.len()];
        let mut open: Vec<usize> = from.into_iter().collect();
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut is_in[state], true) {
                let steps = self.steps[state].iter();
                let steps = steps.filter(|step| !only_silent || self.is_silent(state, **step));
                open.extend(steps.filter_map(|step| step.to));
            }
        }
        is_in
    }

    fn is_silent(&self, from: usize, step: Step) -> bool {
        !step.is_visible && self.marks[from].livelock
    }

    pub fn reachable(&self) -> impl Iterator<Item = usize> {
        let is_in = self.closure(self.initials.iter().map(|state| number(state)), false);
        (0..is_in.len()).filter(move |state| is_in[*state])
    }

    /// How many steps the reachable states have.
    pub fn edges(&self) -> u64 {
        self.reachable()
            .map(|state| self.steps[state].len() as u64)
            .sum()
    }

    /// The kinds of violation that are there (Valmari 1993, Thm 3.3).
    pub fn violations(&self) -> BTreeSet<Violation> {
        let mut there = BTreeSet::new();
        for state in self.reachable() {
            let marks = self.marks[state];
            if marks.reject {
                there.insert(Violation::Reject);
            }
            if marks.deadlock && self.is_end(state) {
                there.insert(Violation::Deadlock);
            }
            for step in &self.steps[state] {
                let Some(to) = step.to else { continue };
                if self.is_silent(state, *step) && self.closure([to], true)[state] {
                    there.insert(Violation::Livelock);
                }
                if step.is_visible && marks.infinite && self.closure([to], false)[state] {
                    there.insert(Violation::Infinite);
                }
            }
        }
        there
    }

    /// How many steps the nearest reject or deadlock state is away.
    pub fn distance_to(&self, violation: Violation) -> Option<usize> {
        let mut near: BTreeSet<usize> = self.initials.iter().map(|state| number(state)).collect();
        for distance in 0..=self.steps.len() {
            let is_there = near.iter().any(|state| match violation {
                Violation::Reject => self.marks[*state].reject,
                _ => self.marks[*state].deadlock && self.is_end(*state),
            });
            if is_there {
                return Some(distance);
            }
            let next = near.iter().flat_map(|state| &self.steps[*state]);
            near = next.filter_map(|step| step.to).collect();
        }
        None
    }

    fn is_end(&self, state: usize) -> bool {
        self.steps[state].is_empty() && !self.goes_on[state]
    }

    /// The steps from one state to another.
    fn between(&self, from: usize, to: usize) -> Vec<Step> {
        let steps = self.steps[from].iter().copied();
        steps.filter(|step| step.to == Some(to)).collect()
    }

    /// Asserts that what was found is there, and is of its kind.
    pub fn expect_real(&self, found: &Found) {
        assert!(
            self.initials.contains(&found.path[0]),
            "{found:?} begins nowhere"
        );
        let path: Vec<usize> = found.path.iter().map(|state| number(state)).collect();
        for pair in path.windows(2) {
            assert!(
                !self.between(pair[0], pair[1]).is_empty(),
                "{found:?} in {self:?}"
            );
        }
        let last = path[path.len() - 1];
        let around: Vec<usize> = found.cycle.iter().map(|state| number(state)).collect();
        let around = [&[last], &around[..]].concat();
        assert_eq!(around[around.len() - 1], last, "{found:?} does not close");
        let has = |is_meant: &dyn Fn(usize, Step) -> bool| {
            let pairs = around.windows(2);
            pairs
                .map(|pair| {
                    let steps = self.between(pair[0], pair[1]);
                    assert!(!steps.is_empty(), "{found:?} in {self:?}");
                    steps.iter().any(|step| is_meant(pair[0], *step))
                })
                .collect::<Vec<bool>>()
        };
        let is_right = match found.violation {
            Violation::Reject => self.marks[last].reject && around.len() == 1,
            Violation::Deadlock => {
                self.marks[last].deadlock && self.is_end(last) && around.len() == 1
            }
            Violation::Livelock => {
                let silent = has(&|from, step| self.is_silent(from, step));
                !silent.is_empty() && silent.iter().all(|is_silent| *is_silent)
            }
            Violation::Infinite => {
                let seen = has(&|from, step| step.is_visible && self.marks[from].infinite);
                seen.contains(&true)
            }
        };
        assert!(is_right, "{found:?} is not of its kind in {self:?}");
    }
}

impl Successors for Graph {
    type Scratch = ();

    fn words(&self) -> usize {
        2
    }

    fn initial(&self) -> &[u64] {
        &self.initials[0]
    }

    fn scratch(&self) {}

    fn visit(&self, from: &[u64], (): &mut (), visitor: &mut dyn Visit) -> ControlFlow<()> {
        for (nth, step) in self.steps[number(from)].iter().enumerate() {
            // Tells several steps between two states apart.
            let participants = [(0, nth as u32)];
            let label = Label {
                participants: &participants,
                action: None,
            };
            match step.to {
                Some(to) => visitor.step(label, Ok(&state(to)))?,
                None => visitor.step(label, Err(&Failure::DivisionByZero))?,
            }
        }
        ControlFlow::Continue(())
    }
}

impl Monitored for Graph {
    fn initials(&self) -> &[Box<[u64]>] {
        &self.initials
    }

    fn marks(&self, state: &[u64]) -> Marks {
        self.marks[number(state)]
    }

    fn is_visible(&self, label: Label<'_>, from: &[u64], _: &[u64]) -> bool {
        let (_, nth) = label.participants[0];
        self.steps[number(from)][nth as usize].is_visible
    }

    fn ends(&self, state: &[u64], (): &mut ()) -> bool {
        !self.goes_on[number(state)]
    }

    fn failure(&self, _: &[u64], (): &mut ()) -> Option<Failure> {
        None
    }
}
