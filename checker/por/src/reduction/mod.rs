//! Stubborn sets: which of a state's steps are taken, and which may be left out.
//!
//! [`Stubborn`] wraps any model that tells the relations between its processes
//! ([`ProcessRelations`]), and gives in each state the steps of a set of processes that is closed
//! under what these need ([`choice`]). How the relations are found for packed states is in
//! [`related`](crate::related). What a monitor sees is handed in ([`Visibility`]).
//!
//! What this preserves, and under which condition, is in A. Valmari, "Stop It, and Be Stubborn!"
//! (ACSD 2015): terminal states (Thm 1) and AG EF termination (Thm 3) always; invariants, errors,
//! may-progress and recurrence (Thms 4 to 6) in models that are AG EF terminating. In others the
//! *ignoring problem* ([`ignoring`]) and a *cycle proviso* ([`cycles`]) make up for it.
//!
//! Beside a monitor, violations are preserved by Thm 4.1 of his CAV '93 paper
//! ([`related::visibility`](crate::related)).
//!
//! A step that fails is taken as one that changes nothing. What it is to others is then the same as
//! with any other step, and that it may occur is preserved by Theorem 4.
//!
//! # In which order models are wrapped
//!
//! A tester is a process of the system like any other, so that it is one whether the reduction
//! wraps the product or the product a reduced system: the sets are the same. An automaton is no
//! process. Sets for it depend on its state, which only the product has: the reduction wraps the
//! product. The other order, the product of a system that is reduced without knowing of the
//! automaton, is right where none of the propositions can change: the automaton then stays where
//! it is, and what there is to find are terminal states (Thm 1) and infinite runs, which the key of
//! D2 keeps (case 2 of the proof in [`related::visibility`](crate::related)).

mod awaits;
mod choice;
pub mod cycles;
mod foresight;
pub mod ignoring;
mod monitored;
mod rounds;
mod sensitive;
mod visibility;

use std::ops::ControlFlow;

pub use awaits::Awaits;
use choice::{Choice, Chooser, Working};
pub use rounds::{Rounds, Transition};
pub use sensitive::Sensitive;
pub use visibility::{At, Nothing, Visibility, key_finder};

use stubborn_space::members::Members;
use stubborn_space::profit::Profit;
use stubborn_space::relations::ProcessRelations;
use stubborn_space::successors::{
    Footprints, Label, Successors, Visit, Wanted, Wanting, WorkingMemory,
};
use stubborn_system::system::Failure;

/// The steps of a model, but for those outside a stubborn set.
pub struct Stubborn<M, V = Nothing> {
    model: M,
    visibility: V,
    /// Sets are made smaller by what others can still do while they stand still ([`foresight`]).
    foresees: bool,
}

/// Working memory for the steps of one state.
pub struct Scratch<S> {
    pub model: S,
    working: Working,
    profit: Profit,
}

impl<M: ProcessRelations> Stubborn<M> {
    /// For what no monitor watches for: terminal states, and the model's checks.
    pub fn new(model: M) -> Stubborn<M> {
        Stubborn::beside(model, Nothing)
    }
}

impl<M: ProcessRelations, V: Visibility<M>> Stubborn<M, V> {
    /// With a monitor the reduced product has a violation (C1 to C4) exactly if the full one has
    /// one, if not of the same kind. The steps are then a function of the state, unless the visitor
    /// wants them all.
    pub fn beside(model: M, visibility: V) -> Stubborn<M, V> {
        Stubborn {
            model,
            visibility,
            foresees: false,
        }
    }

    pub fn model(&self) -> &M {
        &self.model
    }

    /// Returns the parts that it was made of.
    pub fn into_parts(self) -> (M, V) {
        (self.model, self.visibility)
    }

    /// `None` where everything is to be fired. Breaks where `pulse` does.
    fn choose(
        &self,
        state: &[u64],
        scratch: &mut Scratch<M::Scratch>,
        foresees: bool,
        pulse: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<Choice>> {
        if !self.model.begin(state, &mut scratch.model) {
            return ControlFlow::Continue(None);
        }
        let mut chooser = Chooser {
            at: At {
                model: &self.model,
                state,
                scratch: &mut scratch.model,
            },
            visibility: &self.visibility,
            working: &mut scratch.working,
            pulse,
            foresees,
            is_stopped: false,
        };
        let choice = chooser.choose_for(self.visibility.awaits(&self.model, state));
        match chooser.is_stopped {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(choice),
        }
    }
}

/// Chooses sets for one state after another.
pub struct Sets<'s, M: Successors, V> {
    stubborn: &'s Stubborn<M, V>,
    scratch: Scratch<M::Scratch>,
}

impl<M: ProcessRelations, V: Visibility<M>> Stubborn<M, V> {
    pub fn sets(&self) -> Sets<'_, M, V> {
        let scratch = self.scratch();
        Sets {
            stubborn: self,
            scratch: Scratch {
                working: scratch.working.without_known(),
                ..scratch
            },
        }
    }
}

impl<M: ProcessRelations, V: Visibility<M>> Sets<'_, M, V> {
    /// The processes whose steps are taken in a state, and those that have enabled steps: a joint
    /// one counts for its first participant.
    pub fn of(&mut self, state: &[u64]) -> (Members, Members) {
        let everything = Members::below(self.stubborn.model.processes());
        let pulse = &mut || ControlFlow::Continue(());
        let foresees = self.stubborn.foresees;
        match (self.stubborn).choose(state, &mut self.scratch, foresees, pulse) {
            ControlFlow::Continue(Some(choice)) => (choice.members, self.scratch.working.busy()),
            _ => (everything.clone(), everything),
        }
    }

    /// Whether the steps that are taken in a state lead to these, which have a number each, in any
    /// order.
    pub fn lead(
        &mut self,
        state: &[u64],
        number: impl Fn(&[u64]) -> Option<u32>,
        to: &[u32],
    ) -> bool {
        let mut found = Vec::new();
        let targets = |_: Label<'_>, outcome: Result<&[u64], &Failure>| {
            found.extend(outcome.ok().map(&number));
            ControlFlow::Continue(())
        };
        let mut targets = Wanting(Wanted::Reduced, targets);
        let _ = self.stubborn.visit(state, &mut self.scratch, &mut targets);
        let mut wanted: Vec<Option<u32>> = to.iter().copied().map(Some).collect();
        found.sort_unstable();
        wanted.sort_unstable();
        found == wanted
    }
}

impl<M: ProcessRelations, V: Visibility<M>> Successors for Stubborn<M, V> {
    type Scratch = Scratch<M::Scratch>;

    fn words(&self) -> usize {
        self.model.words()
    }

    fn initial(&self) -> &[u64] {
        self.model.initial()
    }

    fn scratch(&self) -> Self::Scratch {
        Scratch {
            model: self.model.scratch(),
            working: Working::new(self.model.processes(), self.model.checks()),
            profit: Profit::default(),
        }
    }

    fn visit(
        &self,
        state: &[u64],
        scratch: &mut Self::Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        let tries = match visitor.wanted() {
            Wanted::All => false,
            Wanted::Reduced => true,
            // With a monitor, cycles are looked for among the very steps that were taken before.
            Wanted::AsItPays => {
                self.visibility.awaits(&self.model, state).is_some()
                    || scratch.profit.is_tried(state)
            }
        };
        if !tries {
            return self.model.visit(state, &mut scratch.model, visitor);
        }
        let before = self.model.work(&scratch.model);
        let choice = self.choose(state, scratch, self.foresees, &mut || visitor.pulse())?;
        if let Some(choice) = &choice {
            let work = self.model.work(&scratch.model) - before + choice.more_work;
            scratch.profit.count(choice.enabled, choice.fired, work);
        }
        let Some(choice) = choice.filter(|choice| choice.leaves_out) else {
            return self.model.visit(state, &mut scratch.model, visitor);
        };
        let members = choice.members;
        let mut at = At {
            model: &self.model,
            state,
            scratch: &mut scratch.model,
        };
        if !self.visibility.allows(&members, &mut at) {
            return self.model.visit(state, at.scratch, visitor);
        }
        visitor.leaves_out();
        let count = self.model.processes();
        for process in members.iter().take_while(|member| *member < count) {
            at.visit_process(process, visitor)?;
        }
        ControlFlow::Continue(())
    }
}

impl<M: ProcessRelations, V: Visibility<M>> Footprints for Stubborn<M, V> {}

impl<S: WorkingMemory> WorkingMemory for Scratch<S> {
    fn bytes(&self) -> u64 {
        self.model.bytes() + self.working.bytes()
    }

    fn profit(&mut self) -> Option<&mut Profit> {
        Some(&mut self.profit)
    }
}
