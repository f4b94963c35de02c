//! Steps that the states of a search can take, and branches of their effects, found by taking the
//! steps of the kept states again.
//!
//! # Steps that are never taken
//!
//! If every step was taken in every state, a step that none of them takes is never taken. If steps
//! were left out, the proof at the top of [`coverage`](super) shows as much, under the same
//! conditions ([`Extent::Local`](super::Extent)): let t1 … tn lead from a state of the reduced
//! space, tn being any step that is taken in some reachable state, and p one of its participants.
//! As long as no ti is in a set, p takes part in no step of that set: it would be a member, and tn
//! in the set. So p is moved by the ti alone, the reduced space takes these one after the other,
//! those of p in their order, and in the end tn as well. They lead to the same state in either
//! order (D1), so that a test comes to the same, too.
//!
//! # Branches of effects
//!
//! The same holds of the branches of the `if`s among a step's effects, whose compiled code notes
//! which of them it goes into ([`Packed::noting`]), if every step was taken in every state. If
//! steps were left out, a branch leads to no other location, so that two orders of steps may have
//! the same end though in one of them another branch is taken. Then only those `if`s are asked
//! about that the instance's local state decides (`local_branches.rs`): p has
//! taken the same branches. The branches of a step that fails somewhere stay unknown, since it is
//! not known which it would have taken.
//!
//! # Cost
//!
//! Most steps are taken in one of the first states, and are looked for no more. The others are
//! looked for once in all states that agree in what the steps of an instance are about
//! ([`Footprints::footprint`]).
//!
//! With symmetry, when a step is taken in a new way, all swaps of the state are looked at as well,
//! and so on, so that everything is known that permutations make of what is known. All swaps are
//! needed: one that moves none of the participants may still turn the step into another one of
//! theirs.

use std::ops::ControlFlow;

use rustc_hash::{FxHashMap, FxHashSet};
use stubborn_space::coverage::{Item, Taken};
use stubborn_system::system::{
    ActionId, Communication, InstanceId, LocationId, Step, StepId, Target,
};

use crate::packed::{Packed, Scratch};
use crate::runs::limits::Limited;
use crate::search::{Space, Stop};
use crate::successors::{Footprints, Polled, Successors, Wanted, WorkingMemory};
use crate::symmetry::{Orbits, swapped};

/// Number of states that are looked at between two polls of the limits.
pub const AT_ONCE: u32 = 1 << 10;
/// Approximate memory for a set of states that agree with others, beside their words, in bytes.
const BYTES_OF_ONE: usize = 32;

/// What is known of the steps of a System and what is still looked for.
struct Looking<'a> {
    packed: &'a Packed<'a>,
    limited: &'a Limited<'a>,
    steps: Vec<Vec<OfStep>>,
    /// Of each instance, by location.
    places: Vec<Vec<Place>>,
    /// Number of open steps for each action.
    actions: Vec<u32>,
    /// Each `if`, by its number in the compiled code.
    tests: Vec<(InstanceId, StepId, usize)>,
    asked: Asked,
    /// Number of open steps.
    open: u32,
    /// Number of facts that are known.
    known: u32,
}

struct OfStep {
    /// Where a test leads that is false.
    otherwise: Option<LocationId>,
    /// Some location has it; otherwise it is never taken, and not looked for.
    has_location: bool,
    action: Option<ActionId>,
    /// The ways to take the step itself, and the branches of the `if`s among its effects.
    ways: Vec<Ways>,
}

#[derive(Clone, Copy)]
struct Ways {
    had: Taken,
    /// Ways that are looked for; nothing if nothing is told of them.
    asked: Taken,
}

/// What is open at a location.
#[derive(Clone, Default)]
struct Place {
    /// Steps that are no joint ones and may be open.
    own: Vec<StepId>,
    /// Actions of its joint steps.
    actions: Vec<ActionId>,
}

impl OfStep {
    fn is_open(&self) -> bool {
        let mut ways = self.ways.iter();
        self.has_location && ways.any(|ways| ways.had.or(ways.asked) != ways.had)
    }
}

/// How each step was taken, and each branch of the `if`s that are asked about. Breaks if a limit is
/// reached.
pub fn taken(
    (packed, orbits): (&Packed<'_>, Option<&Orbits>),
    space: &Space,
    asked: &dyn Fn(InstanceId, &Step) -> Vec<bool>,
    limited: &Limited<'_>,
) -> ControlFlow<Stop, Vec<(Item, Taken)>> {
    let mut looking = Looking::new(packed, limited, asked);
    // It has the same layout.
    let has_branches = looking.asks_for_branches();
    let noting = has_branches.then(|| Packed::noting(packed.system()).ok());
    looking.packed = noting.as_ref().and_then(Option::as_ref).unwrap_or(packed);
    let mut scratch = looking.packed.scratch();
    let words = packed.words();
    let mut waiting = Vec::new();
    let mut next = 0;
    while next < space.len() && looking.open > 0 {
        let states = next..space.len().min(next + AT_ONCE);
        next = states.end;
        for state in space.words(states).chunks_exact(words) {
            looking.look_at(state, orbits, &mut scratch, &mut waiting)?;
            while let Some(begin) = waiting.len().checked_sub(words) {
                limited.poll(looking.bytes() + scratch.bytes() + size_of_val(&*waiting) as u64)?;
                let image = waiting.split_off(begin);
                looking.look_at(&image, orbits, &mut scratch, &mut waiting)?;
            }
        }
        limited.poll(looking.bytes() + scratch.bytes())?;
    }
    ControlFlow::Continue(looking.found())
}

impl<'a> Looking<'a> {
    fn new(
        packed: &'a Packed<'a>,
        limited: &'a Limited<'a>,
        asked: &dyn Fn(InstanceId, &Step) -> Vec<bool>,
    ) -> Looking<'a> {
        let system = packed.system();
        let mut looking = Looking {
            packed,
            limited,
            steps: Vec::new(),
            places: Vec::new(),
            actions: vec![0; system.actions.len()],
            tests: Vec::new(),
            asked: Asked::default(),
            open: 0,
            known: 0,
        };
        for (instance, who) in system.instances.iter().zip(0..) {
            let mut places = vec![Place::default(); instance.locations.len()];
            let mut has_location = vec![false; instance.steps.len()];
            for (here, place) in instance.locations.iter().zip(&mut places) {
                for step in &here.steps {
                    has_location[*step as usize] = true;
                    match instance.steps[*step as usize].communication {
                        Some(Communication::On { action, .. }) => place.actions.push(action),
                        _ => place.own.push(*step),
                    }
                }
                place.actions.dedup();
            }
            let mut steps = Vec::new();
            for ((step, has_location), number) in instance.steps.iter().zip(has_location).zip(0..) {
                let otherwise = match step.target {
                    Target::Test(_, then, otherwise) if then != otherwise => Some(otherwise),
                    _ => None,
                };
                let action = match step.communication {
                    Some(Communication::On { action, .. }) => Some(action),
                    _ => None,
                };
                if has_location {
                    looking.open += 1;
                    if let Some(action) = action {
                        looking.actions[action as usize] += 1;
                    }
                }
                let ways = |then, otherwise| Ways {
                    had: Taken::default(),
                    asked: Taken { then, otherwise },
                };
                let branches = asked(who, step);
                let tests = (1..=branches.len()).map(|test| (who, number, test));
                looking.tests.extend(tests);
                let step = ways(true, otherwise.is_some());
                let branches = branches
                    .into_iter()
                    .map(|is_asked| ways(is_asked, is_asked));
                steps.push(OfStep {
                    otherwise,
                    has_location,
                    action,
                    ways: std::iter::once(step).chain(branches).collect(),
                });
            }
            looking.steps.push(steps);
            looking.places.push(places);
        }
        looking
    }

    fn asks_for_branches(&self) -> bool {
        let mut steps = self.steps.iter().flatten();
        steps.any(|step| step.ways[1..].iter().any(|ways| ways.asked.at_all()))
    }

    /// Looks at a state; if there is something new, what swaps make of it waits.
    fn look_at(
        &mut self,
        state: &[u64],
        orbits: Option<&Orbits>,
        scratch: &mut Scratch,
        waiting: &mut Vec<u64>,
    ) -> ControlFlow<Stop> {
        let (packed, known) = (self.packed, self.known);
        for number in 0..self.places.len() {
            let location = packed.location(state, number as InstanceId) as usize;
            let place = &mut self.places[number][location];
            let steps = &self.steps[number];
            place.own.retain(|step| steps[*step as usize].is_open());
            let mut actions = place.actions.iter();
            let is_open =
                !place.own.is_empty() || actions.any(|one| self.actions[*one as usize] > 0);
            if !is_open || !self.asked.is_new(packed, number, location, state) {
                continue;
            }
            let mut stopped = None;
            let mut visitor = Polled(Wanted::All, |step| {
                let Some((label, outcome)) = step else {
                    return self.limited.poll(0).map_break(|stop| stopped = Some(stop));
                };
                for (who, step) in label.participants {
                    let location = outcome.ok().map(|target| packed.location(target, *who));
                    self.note(*who, *step, location);
                }
                ControlFlow::Continue(())
            });
            // It breaks off for no other reason.
            let _ = packed.visit_group(number, state, scratch, &mut visitor);
            if let Some(stop) = stopped {
                return ControlFlow::Break(stop);
            }
            for (test, is_second) in scratch.branches() {
                let (who, step, test) = self.tests[test as usize];
                let branch = Taken::test(!is_second);
                self.learn(who, step, |ways| {
                    ways[test].asked.at_all() && ways[test].add(branch)
                });
            }
        }
        if let Some(orbits) = orbits.filter(|_| self.known > known) {
            swapped(orbits, state, waiting);
        }
        ControlFlow::Continue(())
    }

    /// A step that may be taken: `location` is where its instance is then, and is not known if it
    /// fails.
    fn note(&mut self, who: InstanceId, step: StepId, location: Option<LocationId>) {
        let otherwise = self.steps[who as usize][step as usize].otherwise;
        self.learn(who, step, |ways| {
            let taken = match (otherwise, location) {
                // It is not known what its condition would have been.
                (Some(_), None) => Taken::BOTH,
                (otherwise, location) => Taken::test(otherwise.is_none() || otherwise != location),
            };
            let mut is_new = ways[0].add(taken);
            if location.is_none() {
                for branch in &mut ways[1..] {
                    is_new |= branch.asked.at_all();
                    branch.asked = Taken::default();
                }
            }
            is_new
        });
    }

    /// Changes what is known of a step by something that says whether it has changed anything.
    fn learn(&mut self, who: InstanceId, step: StepId, learn: impl FnOnce(&mut [Ways]) -> bool) {
        let of = &mut self.steps[who as usize][step as usize];
        let was_open = of.is_open();
        if !learn(&mut of.ways) {
            return;
        }
        self.known += 1;
        if !was_open || of.is_open() {
            return;
        }
        self.open -= 1;
        if let Some(action) = of.action {
            self.actions[action as usize] -= 1;
        }
    }

    fn found(self) -> Vec<(Item, Taken)> {
        let mut found = Vec::new();
        for (who, steps) in (0..).zip(self.steps) {
            for (step, of) in (0..).zip(steps) {
                found.push((Item::Step(who, step), of.ways[0].had));
                let branches = (0..).zip(&of.ways[1..]);
                let told = branches.filter(|(_, ways)| ways.asked.at_all());
                found.extend(told.map(|(test, ways)| (Item::Branch(who, step, test), ways.had)));
            }
        }
        found
    }

    fn bytes(&self) -> u64 {
        let steps: usize = self.steps.iter().map(Vec::len).sum();
        let places: usize = self.places.iter().map(Vec::len).sum();
        let ways = (steps + self.tests.len()) * size_of::<Ways>();
        let own = steps * size_of::<OfStep>() + ways + places * size_of::<Place>();
        (own + size_of_val(self.tests.as_slice())) as u64 + self.asked.bytes
    }
}

impl Ways {
    /// Whether that is new.
    fn add(&mut self, taken: Taken) -> bool {
        let before = self.had;
        self.had = before.or(taken);
        self.had != before
    }
}

type Known = FxHashSet<Box<[u64]>>;

/// States that were looked at: the steps of an instance at a location, of states that agree in what
/// these are about.
#[derive(Default)]
struct Asked {
    /// By instance and location: the bits of a state that the steps are about, and which there
    /// were.
    of: FxHashMap<(usize, usize), (Vec<u64>, Known)>,
    about: Vec<u64>,
    bytes: u64,
}

impl Asked {
    fn is_new(
        &mut self,
        packed: &Packed<'_>,
        instance: usize,
        location: usize,
        state: &[u64],
    ) -> bool {
        let (bits, known) = self.of.entry((instance, location)).or_insert_with(|| {
            let mut bits = vec![0; state.len()];
            if !packed.footprint(instance, state, packed.place(instance).least, &mut bits) {
                bits.fill(u64::MAX);
            }
            (bits, Known::default())
        });
        self.about.clear();
        self.about
            .extend(state.iter().zip(&*bits).map(|(word, bits)| word & bits));
        if known.contains(self.about.as_slice()) {
            return false;
        }
        known.insert(self.about.as_slice().into());
        self.bytes += (size_of_val(self.about.as_slice()) + BYTES_OF_ONE) as u64;
        true
    }
}
