//! An automaton beside the system, which observes the system's states (Hansen, Penczek and Valmari
//! 2002, sections 2.2 and 3.2).
//!
//! A state is the system's words, then the number of the automaton's state and the valuation that
//! it has read. The valuation is a function of the system's state, so it adds no states; it is kept
//! so that a change is visible without evaluating anything twice.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use stubborn_automata::forever::Forever;
use stubborn_automata::{Buchi, Testing, Valuation};
use stubborn_system::system::{Expr, Failure, InstanceId, LocationId};

use super::bits::Product;
use super::visibility;
use crate::members::Members;
use crate::packed::{Expression, Packed, Scratch as PackedScratch};
use crate::profit::Profit;
use crate::reduction::Awaits;
use crate::relations::{Others, ProcessRelations, Pulse};
use crate::search::fair::OfSystem;
use crate::search::{Marks, Monitored};
use crate::successors::{Around, Footprints, Label, Successors, Visit, WorkingMemory, find_step};

/// The automaton that runs beside the system.
#[derive(Clone, Debug)]
pub enum Watcher {
    Buchi(Buchi),
    Testing(Testing),
}

impl Watcher {
    fn states(&self) -> usize {
        match self {
            Watcher::Buchi(buchi) => buchi.states.len(),
            Watcher::Testing(testing) => testing.states.len(),
        }
    }

    fn state_marks(&self, at: usize) -> Marks {
        match self {
            Watcher::Buchi(buchi) => {
                let state = &buchi.states[at];
                Marks {
                    reject: state.reject,
                    deadlock: state.deadlock,
                    livelock: false,
                    infinite: state.infinite,
                }
            }
            Watcher::Testing(testing) => {
                let state = &testing.states[at];
                Marks {
                    reject: state.reject,
                    deadlock: state.deadlock,
                    livelock: state.livelock,
                    infinite: state.infinite,
                }
            }
        }
    }

    /// The marks of all states.
    pub fn marks(&self) -> Vec<Marks> {
        (0..self.states()).map(|at| self.state_marks(at)).collect()
    }

    /// Violations that lie ahead of each state of a testing automaton. Empty for a Büchi automaton,
    /// beside which no steps are left out.
    fn awaits(&self) -> Vec<Awaits> {
        let Watcher::Testing(testing) = self else {
            return Vec::new();
        };
        let states = testing.states.iter();
        let next = states.map(|state| state.next.iter().map(|(_, to)| *to).collect());
        Awaits::of(&self.marks(), &next.collect::<Vec<_>>())
    }
}

/// The product of the automaton with a system, whose steps `M` gives.
///
/// A testing automaton moves with what is visible, so that the product may be reduced
/// ([`Stubborn`](crate::reduction::Stubborn) around it); of a Büchi automaton, which reads every
/// state, it may not.
pub struct AutomatonProduct<'a, M> {
    pub packed: &'a Packed<'a>,
    model: M,
    watcher: &'a Watcher,
    propositions: Vec<Expression>,
    /// Stands for the automaton's state where an expression has no value: the number behind those
    /// of its states.
    failed: u32,
    /// How many bits such a number takes.
    at_bits: u32,
    /// What lies ahead of each of the automaton's states.
    awaits: Vec<Awaits>,
    /// Behind a lock, since a product is one that threads may share.
    forever: Option<Mutex<Forever>>,
    initials: Vec<Box<[u64]>>,
    words: usize,
}

/// Working memory for the steps of one state.
pub struct Scratch<S> {
    model: S,
    values: PackedScratch,
    next: Vec<u32>,
    state: Vec<u64>,
}

impl<'a, M: Successors> AutomatonProduct<'a, M> {
    /// The steps of `model` are those of `packed`.
    pub fn new(
        packed: &'a Packed<'a>,
        model: M,
        watcher: &'a Watcher,
        propositions: &[Expr],
    ) -> AutomatonProduct<'a, M> {
        let propositions: Vec<Expression> =
            propositions.iter().map(|e| packed.expression(e)).collect();
        let forever = match watcher {
            Watcher::Buchi(buchi) if buchi.ends_repeat => Some(Mutex::new(Forever::new(buchi))),
            _ => None,
        };
        let inner = packed.words();
        let failed = watcher.states();
        let at_bits = usize::BITS - failed.leading_zeros();
        let is_one_word = at_bits as usize + propositions.len() <= u64::BITS as usize;
        let mut product = AutomatonProduct {
            packed,
            model,
            watcher,
            words: inner + if is_one_word { 1 } else { 2 },
            propositions,
            failed: failed as u32,
            at_bits,
            awaits: watcher.awaits(),
            forever,
            initials: Vec::new(),
        };
        let mut values = packed.scratch();
        let start = packed.initial().to_vec();
        let add = |product: &mut AutomatonProduct<'_, M>, at, valuation| {
            let mut state = start.clone();
            product.push(&mut state, at, valuation);
            product.initials.push(state.into());
        };
        match product.valuation(&start, &mut values) {
            Err(_) => {
                let failed = product.failed;
                add(&mut product, failed, 0);
            }
            Ok(valuation) => {
                let begins: Vec<u32> = match watcher {
                    Watcher::Buchi(buchi) => buchi.begins(valuation).collect(),
                    Watcher::Testing(testing) => testing.begins(valuation).collect(),
                };
                for at in begins {
                    add(&mut product, at, valuation);
                }
            }
        }
        product
    }

    fn push(&self, state: &mut Vec<u64>, at: u32, valuation: Valuation) {
        if self.is_one_word() {
            state.push(u64::from(at) | valuation << self.at_bits);
        } else {
            state.push(u64::from(at));
            state.push(valuation);
        }
    }

    /// The automaton's state, and what it has read.
    fn split(&self, state: &[u64]) -> (u32, Valuation) {
        let word = state[self.packed.words()];
        if self.is_one_word() {
            let at = word & !(u64::MAX << self.at_bits);
            (at as u32, word >> self.at_bits)
        } else {
            (word as u32, state[self.packed.words() + 1])
        }
    }

    /// Whether one word has both.
    fn is_one_word(&self) -> bool {
        self.words == self.packed.words() + 1
    }

    fn valuation(&self, state: &[u64], scratch: &mut PackedScratch) -> Result<Valuation, Failure> {
        let mut valuation = 0;
        for (number, proposition) in self.propositions.iter().enumerate() {
            match self.packed.holds(proposition, state, scratch) {
                Ok(holds) => valuation |= u64::from(holds) << number,
                Err(failure) => return Err(*failure),
            }
        }
        Ok(valuation)
    }
}

impl<M: Successors> AutomatonProduct<'_, M> {
    /// The words of the system's state.
    pub fn system_words<'s>(&self, state: &'s [u64]) -> &'s [u64] {
        &state[..self.packed.words()]
    }

    /// Gives to `steps` a visitor for steps of the system, which makes those of the product of
    /// them. If the automaton has no state, there are none.
    fn visit_beside(
        &self,
        state: &[u64],
        scratch: &mut Scratch<M::Scratch>,
        visitor: &mut dyn Visit,
        steps: impl FnOnce(&[u64], &mut M::Scratch, &mut dyn Visit) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (at, before) = self.split(state);
        if at == self.failed {
            return ControlFlow::Continue(());
        }
        let Scratch {
            model,
            values,
            next,
            state: to,
        } = scratch;
        let mut beside = Around(visitor, |visitor, label, outcome| {
            let after = match outcome {
                Ok(after) => after,
                Err(failure) => return visitor.step(label, Err(failure)),
            };
            let valuation = self.moves((at, before), after, values, next);
            for &at in next.iter() {
                to.clear();
                to.extend_from_slice(after);
                self.push(to, at, valuation);
                visitor.step(label, Ok(to))?;
            }
            ControlFlow::Continue(())
        });
        steps(self.system_words(state), model, &mut beside)
    }

    /// Finds the states to which the automaton moves beside a step of the system, and returns the
    /// valuation after it.
    #[inline]
    fn moves(
        &self,
        (at, before): (u32, Valuation),
        after: &[u64],
        values: &mut PackedScratch,
        next: &mut Vec<u32>,
    ) -> Valuation {
        next.clear();
        let Ok(valuation) = self.valuation(after, values) else {
            next.push(self.failed);
            return 0;
        };
        match self.watcher {
            Watcher::Buchi(buchi) => next.extend(buchi.follows(at, valuation)),
            Watcher::Testing(_) if valuation == before => next.push(at),
            Watcher::Testing(testing) => next.extend(testing.follows(at, valuation ^ before)),
        }
        valuation
    }
}

impl<M: Successors> Successors for AutomatonProduct<'_, M> {
    type Scratch = Scratch<M::Scratch>;

    fn words(&self) -> usize {
        self.words
    }

    fn initial(&self) -> &[u64] {
        self.initials.first().map_or(&[], |state| state)
    }

    fn scratch(&self) -> Self::Scratch {
        Scratch {
            model: self.model.scratch(),
            values: self.packed.scratch(),
            next: Vec::new(),
            state: Vec::new(),
        }
    }

    fn visit(
        &self,
        state: &[u64],
        scratch: &mut Self::Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        self.visit_beside(state, scratch, visitor, |state, scratch, beside| {
            self.model.visit(state, scratch, beside)
        })
    }
}

impl<M: Successors> Footprints for AutomatonProduct<'_, M> {}

impl<S: WorkingMemory> WorkingMemory for Scratch<S> {
    fn bytes(&self) -> u64 {
        self.model.bytes()
    }

    fn profit(&mut self) -> Option<&mut Profit> {
        self.model.profit()
    }
}

impl<M: ProcessRelations> ProcessRelations for AutomatonProduct<'_, M> {
    fn processes(&self) -> usize {
        self.model.processes()
    }

    fn checks(&self) -> usize {
        self.model.checks()
    }

    fn visit_process(
        &self,
        process: usize,
        state: &[u64],
        scratch: &mut Self::Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        self.visit_beside(state, scratch, visitor, |state, scratch, beside| {
            self.model.visit_process(process, state, scratch, beside)
        })
    }

    fn begin(&self, state: &[u64], scratch: &mut Self::Scratch) -> bool {
        let has_steps = self.split(state).0 != self.failed;
        has_steps && (self.model).begin(self.system_words(state), &mut scratch.model)
    }

    /// Of the system: the automaton may have no move with one of them, or several.
    fn enabled(&self, process: usize, state: &[u64], scratch: &mut Self::Scratch) -> u32 {
        let state = self.system_words(state);
        (self.model).enabled(process, state, &mut scratch.model)
    }

    fn needs(
        &self,
        member: usize,
        others: &Others,
        state: &[u64],
        scratch: &mut Self::Scratch,
        pulse: &mut Pulse<'_>,
    ) -> Members {
        let state = self.system_words(state);
        (self.model).needs(member, others, state, &mut scratch.model, pulse)
    }

    fn work(&self, scratch: &Self::Scratch) -> u64 {
        self.model.work(&scratch.model)
    }

    fn learning(&self, scratch: &Self::Scratch) -> u64 {
        self.model.learning(&scratch.model)
    }
}

impl<M: ProcessRelations> visibility::Beside for AutomatonProduct<'_, M> {
    type System = M;

    fn system(&self) -> &M {
        &self.model
    }

    fn system_words<'s>(&self, state: &'s [u64]) -> &'s [u64] {
        self.system_words(state)
    }

    fn system_scratch<'s>(&self, scratch: &'s mut Self::Scratch) -> &'s mut M::Scratch {
        &mut scratch.model
    }

    fn awaits(&self, state: &[u64]) -> Option<Awaits> {
        let at = self.split(state).0 as usize;
        // Where it has failed there are no steps.
        Some(self.awaits.get(at).copied().unwrap_or(Awaits::Lasting))
    }
}

impl OfSystem for AutomatonProduct<'_, &Packed<'_>> {
    fn visit_system(
        &self,
        state: &[u64],
        scratch: &mut Self::Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        let state = self.system_words(state);
        self.packed.visit(state, &mut scratch.values, visitor)
    }

    fn location(&self, state: &[u64], instance: InstanceId) -> LocationId {
        self.packed.location(self.system_words(state), instance)
    }
}

impl<M: Successors> Product for AutomatonProduct<'_, M> {
    fn parts(&self) -> Vec<(u32, u64)> {
        let mut parts = self.packed.parts_with_whole_arrays();
        let next = self.packed.words() as u32;
        let low = |many: u32| u64::MAX.checked_shr(u64::BITS - many).unwrap_or(0);
        let (at, valuation) = (self.at_bits, self.propositions.len() as u32);
        match self.is_one_word() {
            true => parts.push((next, low(at + valuation))),
            false => parts.extend([(next, low(at)), (next + 1, low(valuation))]),
        }
        parts
    }
}

impl<M: Successors> Monitored for AutomatonProduct<'_, M> {
    fn initials(&self) -> &[Box<[u64]>] {
        &self.initials
    }

    fn marks(&self, state: &[u64]) -> Marks {
        let (at, valuation) = self.split(state);
        if at == self.failed {
            return Marks {
                reject: true,
                ..Marks::default()
            };
        }
        let repeats = |forever: &Mutex<Forever>| {
            // A poisoned cache is still consistent: each entry is complete.
            let mut forever = forever.lock().unwrap_or_else(PoisonError::into_inner);
            forever.accepts(at, valuation)
        };
        let marks = self.watcher.state_marks(at as usize);
        Marks {
            deadlock: marks.deadlock || self.forever.as_ref().is_some_and(repeats),
            ..marks
        }
    }

    /// A Büchi automaton reads every state; a testing automaton sees changes.
    fn is_visible(&self, _: Label<'_>, from: &[u64], to: &[u64]) -> bool {
        match self.watcher {
            Watcher::Buchi(_) => true,
            Watcher::Testing(_) => self.split(from).1 != self.split(to).1,
        }
    }

    /// The run ends where the system has no step, failing ones counted, and none is cut off.
    fn ends(&self, state: &[u64], scratch: &mut Self::Scratch) -> bool {
        let state = self.system_words(state);
        find_step(&self.model, state, &mut scratch.model, |_, _| Some(())).is_none()
            && self.packed.is_inside(state, &mut scratch.values)
    }

    fn failure(&self, state: &[u64], scratch: &mut Self::Scratch) -> Option<Failure> {
        if self.split(state).0 != self.failed {
            return None;
        }
        let state = self.system_words(state);
        self.valuation(state, &mut scratch.values).err()
    }
}
