//! Stubborn sets: which of a state's steps are taken, and which may be left out.
//!
//! The rules are found from the model, in this order:
//!
//! 1. Every instance's *local states* are gone through ([`local_states`]), and what each step comes
//!    to there, for all values of the scalars of others that it reads ([`trial`], [`forest`]).
//! 2. Which steps an instance can still get to, from each local state ([`futures`]).
//! 3. Which steps disturb which, and which can make which conjunct true ([`interference`]), worked
//!    out when first asked for.
//! 4. In each state, a set of instances that is closed under what its steps need ([`choice`]).
//!
//! What this preserves, and under which condition, is in A. Valmari, "Stop It, and Be Stubborn!"
//! (ACSD 2015): terminal states (Thm 1) and AG EF termination (Thm 3) always; invariants, errors,
//! may-progress and recurrence (Thms 4 to 6) in models that are AG EF terminating.
//!
//! Beside a monitor, violations are preserved by Thm 4.1 of his CAV '93 paper ([`monitors`]).
//!
//! A step that fails is taken as one that changes nothing. What it is to others is then the same as
//! with any other step, and that it may occur is preserved by Theorem 4.

mod awaits;
mod choice;
mod conditions;
pub(crate) mod cycles;
mod footprint;
mod forest;
mod futures;
pub(crate) mod ignoring;
mod interference;
mod local_states;
mod members;
mod monitors;
pub mod mutation;
mod partial;
mod relations;
mod trial;
mod vocabulary;
mod work;

use std::ops::ControlFlow;

pub use awaits::{AwaitingState, Awaits};
use choice::{Choice, Chooser, Working};
pub use conditions::StateCheck;
use members::Members;
use monitors::{Observed, Tester, Visibility};
use mutation::{Mutation, is_left_out};
use relations::Relations;
use stubborn_system::system::InstanceId;

use crate::packed::{Expression, Packed, Scratch as PackedScratch};
use crate::recurring::Recurring;
use crate::successors::{Successors, Visit, Wanted};

/// The steps of a system, but for those outside a stubborn set.
pub struct Stubborn<'a> {
    packed: &'a Packed<'a>,
    relations: Option<Relations>,
    /// A set with a step that these see, or one that fails, is not enough: see [`cycles`].
    visible_to: Vec<Recurring>,
    tester: Option<Tester>,
    observed: Option<Observed>,
}

/// Working memory for the steps of one state.
pub struct Scratch {
    packed: PackedScratch,
    working: Option<Working>,
    worth: Worth,
}

/// What a set is for.
#[derive(Clone, Copy)]
enum Goal {
    /// D0 to D2 alone.
    Any,
    /// A monitor in a state of which this lies ahead.
    Monitor(Awaits),
}

impl<'a> Stubborn<'a> {
    /// `looked` are the properties' expressions, with what is looked for.
    pub fn new(packed: &'a Packed<'a>, checks: &[(&'a Expression, StateCheck)]) -> Stubborn<'a> {
        let checks: Vec<_> = checks.iter().map(|(e, how)| (&e.0, *how)).collect();
        Stubborn {
            packed,
            relations: known(packed, &checks, &[]).map(|known| known.0),
            visible_to: Vec::new(),
            tester: None,
            observed: None,
        }
    }

    /// For infinite executions of models that are not AG EF terminating.
    pub(crate) fn for_cycles(packed: &'a Packed<'a>, visible_to: Vec<Recurring>) -> Stubborn<'a> {
        Stubborn {
            visible_to,
            ..Stubborn::new(packed, &[])
        }
    }

    /// For a tester that is the instance `monitor` of the system: a process without variables,
    /// which has its visible actions in its alphabet, and `tau` as steps without communication.
    /// `awaits` tells for each of its locations what lies ahead.
    ///
    /// The reduced product has a violation (C1 to C4) exactly if the full one has one, if not of
    /// the same kind. The steps are a function of the state, unless the visitor wants them all.
    pub fn with_tester(
        packed: &'a Packed<'a>,
        monitor: InstanceId,
        awaits: Vec<Awaits>,
    ) -> Stubborn<'a> {
        let plain = Stubborn::new(packed, &[]);
        let tester = Tester::new(monitor, awaits, plain.relations.as_ref());
        Stubborn {
            tester: Some(tester),
            ..plain
        }
    }

    /// For a testing automaton that observes whether these propositions hold, and runs beside the
    /// system: [`visit_observed`](Stubborn::visit_observed) then gives the steps of the system.
    /// What is not asked so is given in full.
    pub fn observing(packed: &'a Packed<'a>, propositions: &[Expression]) -> Stubborn<'a> {
        let codes: Vec<_> = propositions.iter().map(|e| &e.0).collect();
        let (relations, observed) = match known(packed, &[], &codes) {
            Some((relations, values)) => {
                let observed = Observed::new(packed, &relations, &values);
                (Some(relations), Some(observed))
            }
            None => (None, None),
        };
        Stubborn {
            packed,
            relations,
            visible_to: Vec::new(),
            tester: None,
            observed,
        }
    }

    /// Gives the steps of a state of the system while the automaton is in a state of which this lies
    /// ahead.
    ///
    /// The product with the automaton, reduced so, has a violation exactly if the full one has one.
    /// The steps are a function of the state and of `awaits`, unless the visitor wants them all.
    pub fn visit_observed<V: Visit>(
        &self,
        state: &[u64],
        awaits: Awaits,
        scratch: &mut Scratch,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        let choice = match visitor.wanted() {
            Wanted::All => None,
            _ if self.observed.is_none() => None,
            _ => self.choose(Goal::Monitor(awaits), state, scratch),
        };
        self.visit_chosen(choice, state, scratch, visitor)
    }

    /// `None` where everything is to be fired.
    fn choose(&self, goal: Goal, state: &[u64], scratch: &mut Scratch) -> Option<Choice> {
        let relations = self.relations.as_ref()?;
        let visibility = match (&self.tester, &self.observed) {
            (Some(tester), _) => Visibility::Tester(tester),
            (None, Some(observed)) => Visibility::Observing(observed),
            (None, None) => Visibility::Nothing,
        };
        let mut chooser = Chooser {
            packed: self.packed,
            relations,
            working: scratch.working.as_mut()?,
            scratch: &mut scratch.packed,
            state,
            visibility,
            visible_ahead: Members::default(),
        };
        match goal {
            Goal::Any => chooser.choose(),
            Goal::Monitor(Awaits::Livelock) => chooser.choose_invisible(),
            Goal::Monitor(awaits) => chooser.choose_visible(awaits == Awaits::Ending),
        }
    }

    fn visit_chosen<V: Visit>(
        &self,
        choice: Option<Choice>,
        state: &[u64],
        scratch: &mut Scratch,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        let packed = &mut scratch.packed;
        let (Some(relations), Some(choice)) = (&self.relations, choice) else {
            return self.packed.visit(state, packed, visitor);
        };
        if !choice.leaves_out {
            return self.packed.visit(state, packed, visitor);
        }
        let instances = choice.instances;
        if !self.visible_to.is_empty()
            && !is_left_out(Mutation::Visible)
            && self.is_visible(instances, state, packed)
        {
            return self.packed.visit(state, packed, visitor);
        }
        visitor.leaves_out();
        let instances = instances.iter();
        for instance in instances.take_while(|instance| *instance < relations.locals.len()) {
            self.packed
                .visit_instance(instance, state, packed, visitor)?;
        }
        ControlFlow::Continue(())
    }

    /// Whether a step of these instances fails, or is one that a question sees.
    fn is_visible(&self, instances: Members, state: &[u64], scratch: &mut PackedScratch) -> bool {
        let mut witness = cycles::Witness {
            packed: self.packed,
            questions: &self.visible_to,
            state,
        };
        let mut instances = instances.iter();
        instances.any(|instance| {
            let flow = self
                .packed
                .visit_instance(instance, state, scratch, &mut witness);
            flow.is_break()
        })
    }
}

fn known(
    packed: &Packed<'_>,
    checks: &[(&crate::packed::code::Code, StateCheck)],
    observed: &[&crate::packed::code::Code],
) -> Option<(Relations, Vec<conditions::Condition>)> {
    let mut look = |_| ControlFlow::Continue(());
    let mut work = work::Work::new(&mut look);
    Relations::new(packed, checks, observed, &mut work).continue_value()?
}

/// Chooses sets for one state after another.
pub(crate) struct Sets<'s, 'a> {
    stubborn: &'s Stubborn<'a>,
    scratch: Scratch,
}

impl<'a> Stubborn<'a> {
    pub(crate) fn sets(&self) -> Sets<'_, 'a> {
        Sets {
            stubborn: self,
            scratch: self.scratch(),
        }
    }
}

impl Sets<'_, '_> {
    /// The instances whose steps are taken in a state, and those that have enabled steps: a joint
    /// one counts for its first participant.
    pub(crate) fn of(&mut self, state: &[u64]) -> (Members, Members) {
        let count = self.stubborn.packed.system().instances.len();
        let everything = Members::below(count.min(members::MOST_MEMBERS));
        let choice = self.stubborn.choose(Goal::Any, state, &mut self.scratch);
        match (choice, &self.scratch.working) {
            (Some(choice), Some(working)) => (choice.instances, working.busy()),
            _ => (everything, everything),
        }
    }
}

impl Successors for Stubborn<'_> {
    type Scratch = Scratch;

    fn words(&self) -> usize {
        self.packed.words()
    }

    fn initial(&self) -> &[u64] {
        self.packed.initial()
    }

    fn scratch(&self) -> Scratch {
        Scratch {
            packed: self.packed.scratch(),
            working: self.relations.as_ref().map(Working::new),
            worth: Worth::default(),
        }
    }

    fn visit<V: Visit>(
        &self,
        state: &[u64],
        scratch: &mut Scratch,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        let goal = match &self.tester {
            None if self.observed.is_some() => {
                return self.packed.visit(state, &mut scratch.packed, visitor);
            }
            None => Goal::Any,
            Some(tester) => Goal::Monitor(tester.awaits(self.packed, state)),
        };
        let tries = match visitor.wanted() {
            Wanted::All => false,
            Wanted::Reduced => true,
            // With a monitor, cycles are looked for among the very steps that were taken before.
            Wanted::AsItPays => self.tester.is_some() || scratch.worth.is_tried(),
        };
        let choice = match tries {
            true => self.choose(goal, state, scratch),
            false => None,
        };
        if let Some(choice) = &choice {
            scratch.worth.count(choice.enabled, choice.fired);
        }
        self.visit_chosen(choice, state, scratch, visitor)
    }
}

/// Whether choosing sets is worth its time, judged by what was left out so far and never by the
/// clock, so that figures repeat. Where nearly nothing is left out it is tried less and less often.
#[derive(Default)]
struct Worth {
    states: u32,
    enabled: u64,
    fired: u64,
    /// How many states more go by without a try.
    pause: u32,
    last_pause: u32,
}

/// So many states are looked at before each judgement.
const SAMPLE: u32 = 512;
/// A reduction that leaves out less than one step in so many does not pay.
const LEAST: u64 = 10;
const LONGEST_PAUSE: u32 = 1 << 16;

impl Worth {
    fn is_tried(&mut self) -> bool {
        if self.pause > 0 {
            self.pause -= 1;
            return false;
        }
        true
    }

    fn count(&mut self, enabled: u32, fired: u32) {
        self.states += 1;
        self.enabled += u64::from(enabled);
        self.fired += u64::from(fired);
        if self.states < SAMPLE {
            return;
        }
        let pays = (self.enabled - self.fired) * LEAST >= self.enabled;
        self.last_pause = match (pays, self.last_pause) {
            (true, _) => 0,
            (false, 0) => SAMPLE * 8,
            (false, last) => (last * 2).min(LONGEST_PAUSE),
        };
        self.pause = self.last_pause;
        *self = Worth {
            pause: self.pause,
            last_pause: self.last_pause,
            ..Worth::default()
        };
    }
}
