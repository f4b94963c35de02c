//! Products of systems and random testing automata, and what their sets obey.

use std::ops::ControlFlow;

use stubborn_engine::Label;
use stubborn_engine::packed::{Expression, Packed, Scratch};
use stubborn_engine::reduction::Awaits;
use stubborn_engine::successors::{Successors, Visit, Wanted};
use stubborn_random::beside::automata::Automaton;
use stubborn_random::watch::marks::Marks;
use stubborn_system::system::Failure;

use super::definition::Set;
use super::watched::{self, Found, Product};

/// The steps of a system's state, beside an automaton of whose state this lies ahead.
pub type Steps<'f> = dyn FnMut(&[u64], Awaits, &mut Collector) + 'f;

/// The values of the propositions; `None` where one fails.
pub fn valuation(
    packed: &Packed<'_>,
    expressions: &[Expression],
    state: &[u64],
    scratch: &mut Scratch,
) -> Option<u32> {
    let mut all = 0;
    for (k, expression) in expressions.iter().enumerate() {
        let holds = packed.holds(expression, state, scratch).ok()?;
        all |= u32::from(holds) << k;
    }
    Some(all)
}

/// What it observes, compiled.
pub fn expressions(automaton: &Automaton, packed: &Packed<'_>) -> Vec<Expression> {
    let propositions = automaton.propositions.iter();
    propositions.map(|e| packed.expression(e)).collect()
}

/// The product, as far as these steps lead.
pub fn product(
    automaton: &Automaton,
    packed: &Packed<'_>,
    steps: &mut Steps<'_>,
    most: usize,
) -> Option<Product> {
    let expressions = expressions(automaton, packed);
    let states = automaton.states.iter();
    let marks = states.clone().map(|state| state.marks);
    let next = states.map(|state| state.next.iter().map(|(_, to)| *to as u32).collect());
    let awaits = watched::awaits(marks, &next.collect::<Vec<_>>());
    let mut scratch = packed.scratch();
    let initials = 0..automaton.initials;
    let initials = initials.map(|q| (packed.initial().to_vec(), q));
    Product::new(initials.collect(), most, &mut |(state, q)| {
        let at = &automaton.states[*q];
        let Some(before) = valuation(packed, &expressions, state, &mut scratch) else {
            let reject = true;
            return Found {
                marks: Marks { reject, ..at.marks },
                has_step: true,
                next: vec![],
            };
        };
        let mut collector = Collector::default();
        steps(state, awaits[*q], &mut collector);
        let mut next = Vec::new();
        for to in collector.next {
            match valuation(packed, &expressions, &to, &mut scratch) {
                None => next.push(((to, *q), true)),
                Some(after) if after == before => next.push(((to, *q), false)),
                Some(after) => {
                    let moves = at.next.iter().filter(|(c, _)| *c == after ^ before);
                    next.extend(moves.map(|(_, target)| ((to.clone(), *target), true)));
                }
            }
        }
        Found {
            marks: at.marks,
            has_step: collector.has_step,
            next,
        }
    })
}

/// What is asked of a set that leaves something out: no other step changes what is observed; or one
/// of the set does not fail and never does, and none of the set may. Where the automaton waits for a
/// livelock, the set has such a one anyway.
pub fn fulfils(
    set: &Set<'_, '_>,
    others: &[u32],
    values: &[Option<u32>],
    awaits: Awaits,
) -> Result<(), String> {
    let changes = |at: u32, name: u32| {
        let mut targets = set.of_name(at, name).filter_map(|edge| edge.target);
        targets.any(|to| values[to as usize] != values[at as usize])
    };
    let ever_changes = |name: u32| others.iter().any(|at| changes(*at, name));
    let other_change = others.iter().find_map(|&at| {
        let edge = set.others(at).find(|edge| changes(at, edge.name))?;
        Some((at, edge.name))
    });
    let is_key = |name: &u32| {
        let mut targets = set.of_name(set.state, *name).map(|edge| edge.target);
        targets.any(|target| target.is_some()) && !ever_changes(*name)
    };
    let has_key = set.members.iter().any(is_key);
    let key_may_do = has_key && awaits != Awaits::Lasting;
    match other_change {
        Some((at, name)) if !key_may_do || set.members.iter().any(|name| ever_changes(*name)) => {
            Err(set.complaint("observed", name, at, "is missing"))
        }
        None if !has_key && awaits == Awaits::Livelock => {
            let first = set.members.first().copied().unwrap_or(0);
            Err(set.complaint("livelock", first, set.state, "is no key"))
        }
        _ => Ok(()),
    }
}

#[derive(Default)]
pub struct Collector {
    has_step: bool,
    next: Vec<Vec<u64>>,
}

impl Visit for Collector {
    fn step(&mut self, _: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        self.has_step = true;
        self.next.extend(outcome.ok().map(<[u64]>::to_vec));
        ControlFlow::Continue(())
    }

    fn wanted(&self) -> Wanted {
        Wanted::Reduced
    }
}
