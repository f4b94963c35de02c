//! Automata beside a run (Hansen, Penczek and Valmari 2002, sections 2.1 and 3.1).

use stubborn_system::property::{Buchi, Formula, Property, Testing};
use stubborn_system::system::{Expr, Failure, System};

use crate::interpreter::{holds, is_terminal};
use crate::monitored::witness::{Monitor, Move};
use crate::runs::no_trace::{NoTrace, Poll, polled};
use crate::search::Marks;
use crate::trace::Trace;

/// What of the propositions holds in a state.
pub type Valuation = Vec<bool>;

/// A valuation for each state of a trace; or the number of the first state in which a proposition has
/// no value.
pub type Valuations = Result<Vec<Valuation>, (usize, Failure)>;

/// What the reference interpreter says of the propositions in each state of a trace, those of its
/// cycle included.
///
/// # Errors
/// Where a limit is reached.
pub fn valuations(
    system: &System,
    propositions: &[Expr],
    trace: &Trace,
    poll: Poll<'_>,
) -> Result<Valuations, NoTrace> {
    let mut walk = trace.walk();
    let held = trace.bytes();
    let each = size_of::<Valuation>() + propositions.len();
    let mut all = Vec::new();
    loop {
        polled(poll, held + (all.len() * each) as u64)?;
        let values = propositions.iter().map(|e| holds(system, walk.state(), e));
        match values.collect::<Result<Valuation, Failure>>() {
            Ok(values) => all.push(values),
            Err(failure) => return Ok(Err((walk.taken(), failure))),
        }
        if walk.advance().is_none() {
            return Ok(Ok(all));
        }
    }
}

/// Whether a valuation is one that a label reads.
fn reads(label: &Formula, valuation: &[bool]) -> bool {
    match label {
        Formula::Constant(value) => *value,
        Formula::Proposition(number) => valuation[*number as usize],
        Formula::Not(operand) => !reads(operand, valuation),
        Formula::All(operands) => operands.iter().all(|f| reads(f, valuation)),
        Formula::Any(operands) => operands.iter().any(|f| reads(f, valuation)),
        // A label speaks of one state.
        Formula::Always(operand) | Formula::Eventually(operand) => reads(operand, valuation),
        Formula::Until(_, last) | Formula::WeakUntil(last, _) | Formula::Release(_, last) => {
            reads(last, valuation)
        }
    }
}

/// The automaton of a property beside a run, with a valuation for the start, and one for the state
/// after each step; `None` where the property has no automaton.
pub fn automaton_beside<'a>(
    system: &'a System,
    property: &'a Property,
    trace: &'a Trace,
    valuations: &'a [Valuation],
) -> Option<Box<dyn Monitor + 'a>> {
    match property {
        Property::Buchi(buchi) => Some(Box::new(BuchiBeside {
            system,
            buchi,
            trace,
            valuations,
        })),
        Property::Testing(testing) => Some(Box::new(TestingBeside {
            system,
            testing,
            trace,
            valuations,
        })),
        _ => None,
    }
}

struct BuchiBeside<'a> {
    system: &'a System,
    buchi: &'a Buchi,
    trace: &'a Trace,
    valuations: &'a [Valuation],
}

impl Monitor for BuchiBeside<'_> {
    fn begins(&self) -> Vec<u32> {
        let states = (0..).zip(&self.buchi.states);
        states
            .filter(|(_, state)| state.initial && reads(&state.label, &self.valuations[0]))
            .map(|(number, _)| number)
            .collect()
    }

    fn moves(&self, at: u32, step: usize) -> Vec<Move> {
        let next = self.buchi.states[at as usize].next.iter();
        let label = |state: u32| &self.buchi.states[state as usize].label;
        next.filter(|to| reads(label(**to), &self.valuations[step + 1]))
            .map(|to| Move::to(*to))
            .collect()
    }

    fn marks(&self, at: u32) -> Marks {
        let state = &self.buchi.states[at as usize];
        Marks {
            reject: state.reject,
            deadlock: state.deadlock,
            livelock: false,
            infinite: state.infinite,
        }
    }

    fn is_visible(&self, _: usize) -> bool {
        true
    }

    fn ends(&self, _: u32) -> bool {
        is_terminal(self.system, self.trace.last())
    }
}

struct TestingBeside<'a> {
    system: &'a System,
    testing: &'a Testing,
    trace: &'a Trace,
    valuations: &'a [Valuation],
}

impl TestingBeside<'_> {
    /// The propositions that change in a step.
    fn change(&self, step: usize) -> u64 {
        let pairs = self.valuations[step].iter().zip(&self.valuations[step + 1]);
        let changed = pairs
            .enumerate()
            .filter(|(_, (before, after))| before != after);
        changed.fold(0, |set, (number, _)| set | 1 << number)
    }
}

impl Monitor for TestingBeside<'_> {
    fn begins(&self) -> Vec<u32> {
        let states = (0..).zip(&self.testing.states);
        let reads = |label: &Formula| reads(label, &self.valuations[0]);
        states
            .filter(|(_, state)| state.initial.as_ref().is_some_and(reads))
            .map(|(number, _)| number)
            .collect()
    }

    fn moves(&self, at: u32, step: usize) -> Vec<Move> {
        let change = self.change(step);
        if change == 0 {
            return vec![Move::none(at)];
        }
        let next = self.testing.states[at as usize].next.iter();
        next.filter(|(wanted, _)| *wanted == change)
            .map(|(_, to)| Move::to(*to))
            .collect()
    }

    fn marks(&self, at: u32) -> Marks {
        let state = &self.testing.states[at as usize];
        Marks {
            reject: state.reject,
            deadlock: state.deadlock,
            livelock: state.livelock,
            infinite: state.infinite,
        }
    }

    fn is_visible(&self, step: usize) -> bool {
        self.change(step) != 0
    }

    fn ends(&self, _: u32) -> bool {
        is_terminal(self.system, self.trace.last())
    }
}
