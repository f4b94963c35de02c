//! Runs of steps that nobody else can observe or disturb, taken as one step.
//!
//! A location of an instance is *passed* if, whenever the instance is there, exactly one of its steps can
//! be taken, and that one (an *inner* step)
//!
//! 1. communicates with nobody and chooses nothing;
//! 2. reads nothing but variables of the instance that nobody else assigns to, and assigns to nothing but
//!    variables of the instance that nobody else reads or assigns to, and no property reads;
//! 3. cannot fail, and neither can the guards and the test that decide which one it is;
//! 4. leads to a location of which all others and the properties say what they say of this one, wherever
//!    they ask where the instance is; and is not one whose steps a recurrence names;
//! 5. is on no cycle of such steps alone: of each cycle one location is not passed.
//!
//! By 2 and 3 an inner step that can be taken stays so whatever the others do, and does the same before and
//! after their steps. So all inner steps together are confluent (J.F. Groote and M.P.A. Sellink,
//! "Confluence for process verification", TCS 170, 1996), they are invisible by 2 and 4, and by 5 there are
//! finitely many of them one after the other. S. Blom and J. van de Pol ("State Space Reduction by Proving
//! Confluence", CAV 2002) show that such steps may be given priority: the rest is branching bisimilar. In
//! model checkers of processes it is known as statement merging (G.J. Holzmann, "The Engineering of a
//! Model Checker: the Gnu i-Protocol Case Study Revisited", SPIN 1999) and transition compression (R.P.
//! Kurshan, V. Levin and H. Yenigün, "Compressing Transitions for Model Checking", CAV 2002).
//!
//! # Why every verdict stays
//!
//! Here a step that leads to a passed location is put together with the inner steps behind it. Let s ~ s'
//! for a state s of the System and a reachable state s' of the one with merged steps if s' is s after some
//! inner steps. The initial states are the same one. Let s ~ s'.
//!
//! - A step u of s by instances that are in s' where they are in s: it can be taken in s', since it reads
//!   nothing that inner steps of others change, and the merged step that begins with it leads to a state
//!   that is what it leads to after inner steps. It fails in both or in neither, inner steps not failing.
//! - A step of s by an instance that has gone on in s' is inner, and the only one that it has; and s' is
//!   after it as well.
//! - A step of s' is one of the state that inner steps lead to from s, followed by inner steps.
//!
//! So ~ is a branching bisimulation in which what it leaves out are inner steps, of which by 5 only so many
//! follow each other: one that is sensitive to divergence. Both states satisfy the properties' expressions
//! alike, or these fail in both.
//!
//! - *Errors*: a failing step of s' fails after inner steps from s; one of s fails in s'.
//! - *Deadlock*: where an inner step can be taken a state is not terminal, so s is terminal if and only if s'
//!   is and s = s'.
//! - *Invariant, termination and `may`* (AG, AG EF): states that are ~ satisfy the same formulas of CTL*
//!   without next (R. De Nicola and F. Vaandrager, "Three Logics for Branching Bisimulation", J. ACM 42,
//!   1995); terminal states can be reached from both or neither.
//! - *Must* (AG AF): the same theorem, for divergence is kept: a maximal run of s that avoids the goal gives
//!   one of s' without inner steps, which is maximal since it is infinite where that is and ends where that
//!   does. No fairness is assumed, so that a run on which an instance never takes an inner step is a run; it
//!   has a counterpart on which the instance has stopped just behind it.
//! - *Recurrence*: the steps that it names are no inner ones (4), and a merged step counts as its first
//!   part, with the same participants, action and place.
//!
//! A monitor that sees actions or changes of its propositions alone could be treated alike. Its search shows
//! runs in another way, and is made without merging; a Büchi automaton may count steps that change nothing.
//!
//! # What it takes
//!
//! Which step of a passed location is taken is decided by where the merged step begins: as a part of its
//! guard, in which each variable stands as what the effects make of it. That exactly one of the ways on is
//! open, and that no condition fails, is known of the passed location, and so of where the merged step begins
//! if its first part cannot fail there. Where it may, there has to be one way without conditions, so that it fails
//! as before, and where its guard would be true but for somebody else no condition fails that is asked behind
//! the effects alone. Where conditions cannot be said before the effects, or there
//! would be many cases, the instance stays at that location as before, which is right as well: in ~ it is
//! any number of inner steps that has been taken.
//!
//! What is shown never has merged steps: a trace is lifted by taking their parts ([`Merged::parts`]).

mod inner;
mod join;
mod substitute;

use self::join::{OfInstance, joined};
use super::foreign::Foreign;
use super::own_values::OwnValues;
use crate::property::{Property, StepPattern};
use crate::system::{InstanceId, LocationId, StepId, System, VariableIndex};

/// An instance with more than so many locations and steps, times variables, stays as it is: that bounds what
/// the analysis costs.
const MOST_PLACES: usize = 1 << 18;
/// Likewise for all instances together.
const MOST_OF_ALL: usize = 1 << 20;

/// Which steps are several, and what is passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Merged {
    /// By instance; `None` for one that is as it was.
    of: Vec<Option<OfInstance>>,
}

impl Merged {
    /// The steps that a step of the instance consists of: one, or several that are taken one after the
    /// other.
    pub fn parts(&self, instance: InstanceId, step: StepId) -> Parts<'_> {
        match self.of_instance(instance) {
            None => Parts::One(step),
            Some(of) => of
                .parts
                .get(step as usize)
                .map_or(Parts::One(step), |parts| Parts::Several(parts)),
        }
    }

    /// Whether a value that is assigned to a variable may be in no state.
    pub fn loses(&self, instance: InstanceId, variable: VariableIndex) -> bool {
        let of = self.of_instance(instance);
        of.is_some_and(|of| of.assigned.binary_search(&variable).is_ok())
    }

    /// From where to where there are steps that pass over this location; nothing where no step does.
    pub fn passed_by(
        &self,
        instance: InstanceId,
        location: LocationId,
    ) -> impl Iterator<Item = (LocationId, LocationId)> {
        let passed = self.of_instance(instance).and_then(|of| {
            let at = of
                .passed
                .binary_search_by_key(&location, |passed| passed.location);
            Some(&of.passed[at.ok()?].by)
        });
        passed.into_iter().flatten().copied()
    }

    pub fn is_empty(&self) -> bool {
        self.of.iter().all(Option::is_none)
    }

    fn of_instance(&self, instance: InstanceId) -> Option<&OfInstance> {
        self.of.get(instance as usize)?.as_ref()
    }
}

/// What a step consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts<'a> {
    One(StepId),
    /// At least one.
    Several(&'a [StepId]),
}

impl Parts<'_> {
    /// The step that the others follow.
    pub fn first(self) -> StepId {
        match self {
            Parts::One(step) => step,
            Parts::Several(steps) => steps[0],
        }
    }

    /// The inner steps that follow.
    pub fn rest(&self) -> &[StepId] {
        match self {
            Parts::One(_) => &[],
            Parts::Several(steps) => &steps[1..],
        }
    }
}

/// Whether a property names a step of the instance.
fn has_named_step(properties: &[Property], instance: InstanceId) -> bool {
    let sets = properties.iter().flat_map(Property::step_sets);
    sets.flat_map(|set| &set.patterns)
        .any(|pattern| matches!(pattern, StepPattern::Taken(other, _) if *other == instance))
}

/// Puts steps together wherever the given properties about the System, none of which a monitor watches for,
/// allow it. Costs time and memory in proportion to the System.
/// Once `goes_on`, which is asked for each instance, does not, the others stay as they are.
pub(super) fn merge(
    system: &mut System,
    properties: &[Property],
    goes_on: &mut dyn FnMut() -> bool,
) -> Merged {
    debug_assert!(
        !properties.iter().any(Property::is_monitored),
        "what a monitor watches for is searched as it is"
    );
    let foreign = Foreign::of(system, properties);
    let mut merged = Merged::default();
    let mut room = MOST_OF_ALL;
    for number in 0..system.instances.len() as InstanceId {
        let instance = &system.instances[number as usize];
        let many = instance.locations.len() + instance.steps.len();
        let places = many.saturating_mul(instance.locals.len() + 1);
        // Steps that a property names keep their numbers.
        if places > MOST_PLACES.min(room) || has_named_step(properties, number) || !goes_on() {
            merged.of.push(None);
            continue;
        }
        room -= places;
        let values = OwnValues::of(system, number, &foreign.written[number as usize]);
        let inner = inner::Inner::of(system, number, &values, &foreign);
        let joined = joined(system, number, &values, &foreign, &inner);
        merged.of.push(joined.map(|(instance, of)| {
            system.instances[number as usize] = instance;
            of
        }));
    }
    merged
}
