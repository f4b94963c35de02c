//! Stubborn sets of a model that is no System: processes that are written down as a table, with
//! what is known of them found from their steps in the plainest way.

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

use stubborn_engine::Label;
use stubborn_engine::members::Members;
use stubborn_engine::reduction::{At, Awaits, Stubborn, Visibility};
use stubborn_engine::relations::{Others, ProcessRelations, Pulse};
use stubborn_engine::successors::{Successors, Visit, Wanted};
use stubborn_system::system::Failure;

/// A step: from one place to another, where a variable has a value, setting another.
#[derive(Clone, Copy)]
struct Step {
    from: u64,
    to: u64,
    guard: Option<(usize, u64)>,
    sets: Option<(usize, u64)>,
}

fn step(from: u64, to: u64) -> Step {
    Step {
        from,
        to,
        guard: None,
        sets: None,
    }
}

/// Takes what is free, 0, for itself.
fn takes(from: u64, to: u64, what: usize) -> Step {
    Step {
        guard: Some((what, 0)),
        sets: Some((what, 1)),
        ..step(from, to)
    }
}

fn frees(from: u64, to: u64, what: usize) -> Step {
    Step {
        sets: Some((what, 0)),
        ..step(from, to)
    }
}

/// A state is the places of the processes, then the variables: all are 0 at first.
struct Table {
    processes: Vec<Vec<Step>>,
    initial: Vec<u64>,
}

impl Table {
    fn new(processes: Vec<Vec<Step>>, variables: usize) -> Table {
        Table {
            initial: vec![0; processes.len() + variables],
            processes,
        }
    }

    fn variable(&self, variable: usize) -> usize {
        self.processes.len() + variable
    }

    fn is_ready(&self, step: &Step, state: &[u64]) -> bool {
        step.guard
            .is_none_or(|(what, value)| state[self.variable(what)] == value)
    }

    /// The steps that a process can take from where it is or get to.
    fn future(&self, process: usize, state: &[u64]) -> Vec<Step> {
        let mut places = vec![state[process]];
        let mut at = 0;
        while let Some(place) = places.get(at).copied() {
            at += 1;
            for step in &self.processes[process] {
                if step.from == place && !places.contains(&step.to) {
                    places.push(step.to);
                }
            }
        }
        let steps = self.processes[process].iter();
        let steps = steps.filter(|step| places.contains(&step.from));
        steps.copied().collect()
    }
}

/// Whether one writes what the other reads or writes.
fn are_dependent(one: &Step, other: &Step) -> bool {
    let variables = |step: &Step| [step.guard, step.sets].map(|of| of.map(|(what, _)| what));
    let writes = |step: &Step, what| step.sets.is_some_and(|(written, _)| written == what);
    let disturbs = |one: &Step, other: &Step| {
        let mut touched = variables(other).into_iter().flatten();
        touched.any(|what| writes(one, what))
    };
    disturbs(one, other) || disturbs(other, one)
}

impl Successors for Table {
    type Scratch = ();

    fn words(&self) -> usize {
        self.initial.len()
    }

    fn initial(&self) -> &[u64] {
        &self.initial
    }

    fn scratch(&self) {}

    fn visit(&self, state: &[u64], _: &mut (), visitor: &mut dyn Visit) -> ControlFlow<()> {
        for process in 0..self.processes.len() {
            self.visit_process(process, state, &mut (), visitor)?;
        }
        ControlFlow::Continue(())
    }
}

impl ProcessRelations for Table {
    fn processes(&self) -> usize {
        self.processes.len()
    }

    fn visit_process(
        &self,
        process: usize,
        state: &[u64],
        _: &mut (),
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        for (number, step) in (0..).zip(&self.processes[process]) {
            if step.from != state[process] || !self.is_ready(step, state) {
                continue;
            }
            let mut next = state.to_vec();
            next[process] = step.to;
            if let Some((what, value)) = step.sets {
                next[self.variable(what)] = value;
            }
            let label = Label {
                participants: &[(process as u32, number)],
                action: None,
            };
            visitor.step(label, Ok(&next))?;
        }
        ControlFlow::Continue(())
    }

    fn begin(&self, _: &[u64], _: &mut ()) -> bool {
        true
    }

    fn enabled(&self, process: usize, state: &[u64], _: &mut ()) -> u32 {
        let steps = self.processes[process].iter();
        let here = steps.filter(|step| step.from == state[process]);
        here.filter(|step| self.is_ready(step, state)).count() as u32
    }

    fn needs(
        &self,
        process: usize,
        _: &Others,
        state: &[u64],
        _: &mut (),
        _: &mut Pulse<'_>,
    ) -> Members {
        let mut needs = Members::default();
        let steps = self.processes[process].iter();
        for step in steps.filter(|step| step.from == state[process]) {
            for other in (0..self.processes.len()).filter(|other| *other != process) {
                let mut future = self.future(other, state).into_iter();
                let is_needed = match self.is_ready(step, state) {
                    true => future.any(|other| are_dependent(step, &other)),
                    false => future.any(|other| other.sets == step.guard),
                };
                if is_needed {
                    needs.insert(other);
                }
            }
        }
        needs
    }
}

/// All steps of one process are visible.
struct SeesProcess(usize, Awaits);

impl Visibility<&Table> for SeesProcess {
    fn awaits(&self, _: &&Table, _: &[u64]) -> Option<Awaits> {
        Some(self.1)
    }

    fn ahead(&self, _: &mut At<'_, &Table>) -> Members {
        [self.0].into_iter().collect()
    }

    fn takes_visible(&self, _: usize, _: &mut At<'_, &Table>) -> bool {
        false
    }

    fn is_visible(&self, label: Label<'_>) -> bool {
        let mut participants = label.participants.iter();
        participants.any(|(who, _)| *who as usize == self.0)
    }
}

struct Targets(Vec<Vec<u64>>);

impl Visit for Targets {
    fn step(&mut self, _: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        self.0.extend(outcome.ok().map(<[u64]>::to_vec));
        ControlFlow::Continue(())
    }

    fn wanted(&self) -> Wanted {
        Wanted::Reduced
    }
}

/// How many states there are, and those without a step.
pub fn explored<S: Successors>(steps: &S) -> (usize, BTreeSet<Vec<u64>>) {
    let mut scratch = steps.scratch();
    let mut found = HashSet::from([steps.initial().to_vec()]);
    let mut open = vec![steps.initial().to_vec()];
    let mut terminal = BTreeSet::new();
    while let Some(state) = open.pop() {
        let mut targets = Targets(Vec::new());
        let _ = steps.visit(&state, &mut scratch, &mut targets);
        if targets.0.is_empty() {
            terminal.insert(state);
        }
        let new = targets.0.into_iter();
        open.extend(new.filter(|target| found.insert(target.clone())));
    }
    (found.len(), terminal)
}

#[test]
fn of_processes_that_have_nothing_in_common_one_order_is_left() {
    let walker = vec![step(0, 1), step(1, 2), step(2, 3)];
    let table = Table::new(vec![walker; 5], 0);
    let (all, ends) = explored(&table);
    let (some, kept) = explored(&Stubborn::new(&table));
    assert_eq!((all, some), (4 * 4 * 4 * 4 * 4, 5 * 3 + 1));
    assert_eq!(ends, kept);
}

/// Philosophers who take the fork on one side and then the other, for ever.
fn philosophers(count: usize) -> Table {
    let philosopher = |i: usize| {
        let (left, right) = (i, (i + 1) % count);
        vec![
            takes(0, 1, left),
            takes(1, 2, right),
            frees(2, 3, left),
            frees(3, 0, right),
        ]
    };
    Table::new((0..count).map(philosopher).collect(), count)
}

#[test]
fn all_terminal_states_are_kept_and_fewer_others() {
    let table = philosophers(5);
    let (all, ends) = explored(&table);
    let (some, kept) = explored(&Stubborn::new(&table));
    assert_eq!(ends, kept);
    assert_eq!(ends.len(), 1);
    assert!(some < all, "{some} of {all}");
}

#[test]
fn two_locks_in_two_orders_end_in_both_ways() {
    let first = vec![
        takes(0, 1, 0),
        takes(1, 2, 1),
        frees(2, 3, 1),
        frees(3, 4, 0),
    ];
    let second = vec![
        takes(0, 1, 1),
        takes(1, 2, 0),
        frees(2, 3, 0),
        frees(3, 4, 1),
    ];
    let table = Table::new(vec![first, second], 2);
    let (_, ends) = explored(&table);
    let (_, kept) = explored(&Stubborn::new(&table));
    assert_eq!(ends, kept);
    assert_eq!(kept.len(), 2);
}

#[test]
fn what_is_visible_is_taken_first_and_where_a_livelock_is_awaited_what_is_not() {
    let walker = vec![step(0, 1), step(1, 2), step(2, 3)];
    let table = Table::new(vec![walker; 3], 0);
    let first_moves = |awaits| {
        let stubborn = Stubborn::beside(&table, SeesProcess(1, awaits));
        let mut targets = Targets(Vec::new());
        let _ = stubborn.visit(&table.initial, &mut stubborn.scratch(), &mut targets);
        targets.0
    };
    assert_eq!(first_moves(Awaits::Lasting), [[0, 1, 0]]);
    assert_eq!(first_moves(Awaits::Livelock), [[1, 0, 0]]);
}
