//! Which steps the states of a search can take, told from the states that it has kept, as
//! [`look_back`](super::look_back) tells what they have.
//!
//! # What follows from what was not taken
//!
//! Where every step was taken in every state, a step that none of them takes is never taken. Where steps
//! were left out, the proof at the top of `look_back.rs` shows as much, under the same conditions
//! ([`Extent::Local`](crate::seen::Extent)): let t1 … tn lead from a state of the reduced space, tn being
//! any step that is taken in some reachable state, and p one of its participants. As long as no ti is in
//! a set, p takes part in no step of that set: it would be a member, and tn in the set. So p is moved by the
//! ti alone, the reduced space takes these one after the other, those of p in their order, and in the end tn
//! as well. They lead to the same state in either order (D1), so that a test comes to the same, too.
//!
//! # Branches of effects
//!
//! The same holds of the branches of the `if`s among a step's effects, whose compiled code notes which of them it goes
//! into ([`Packed::noting`]), where every step was taken in every state. Where steps were left out, a branch leads to no other location, so
//! that two orders of steps may have the same end though in one of them another branch is gone into. Nothing is said then but of those `if`s
//! that the instance's local state decides ([`own_tests`](super::own_tests)): p has gone through the same ones. Of a step that fails
//! somewhere nothing is said either, for it is not known where it would have gone.
//!
//! # What it costs
//!
//! Most steps are taken in one of the first states, and nothing is asked about them any more. What is asked about
//! the others is asked once for all states that agree in what the steps of an instance are about
//! ([`Successors::footprint`]).
//!
//! Where one state stands for all that permutations make of it, and a step is taken in a new way, every swap is applied to the
//! state, and what comes of it is looked at as well: so all is known that permutations make of what is known. Every swap, as one that
//! moves none of those who take the step may still turn it into another one of theirs.

use std::ops::ControlFlow;

use rustc_hash::{FxHashMap, FxHashSet};
use stubborn_system::system::{
    ActionId, Communication, Failure, InstanceId, LocationId, Step, StepId, System, Target,
};
use stubborn_system::walk::tests;

use super::own_tests::own_tests;
use crate::packed::{Packed, Scratch};
use crate::runs::limits::Limited;
use crate::search::{Space, Stop};
use crate::seen::{Extent, Taken, Tests};
use crate::successors::{Footprints, Label, Successors, Visit, WorkingMemory};
use crate::symmetry::{Orbits, swapped};

/// So many states are looked at before somebody is asked whether to go on.
const AT_ONCE: u32 = 1 << 10;
/// A set of this many states that agree with others takes about so many bytes for each, beside their words.
const BYTES_OF_ONE: usize = 32;

/// Of each step of each instance how it was taken, and into which branches its effects have gone, as far as `extent`
/// lets that be told. Breaks where a limit is reached.
pub fn taken(
    (packed, orbits): (&Packed<'_>, Option<&Orbits>),
    space: &Space,
    extent: Extent,
    limited: &Limited<'_>,
) -> ControlFlow<Stop, (Vec<Vec<Taken>>, Vec<Tests>)> {
    let asked = asked_tests(packed.system(), extent);
    let is_any = asked.iter().flatten().flatten().any(|is_asked| *is_asked);
    // It has the same layout.
    let noting = is_any
        .then(|| Packed::noting(packed.system()).ok())
        .flatten();
    let mut looking = Looking::at(noting.as_ref().unwrap_or(packed), asked);
    let packed = looking.packed;
    let mut scratch = packed.scratch();
    let mut asked = Asked::default();
    let words = packed.words();
    let mut waiting = Vec::new();
    let mut next = 0;
    while next < space.len() && looking.open > 0 {
        limited.poll(asked.bytes + scratch.bytes() + looking.bytes())?;
        let states = next..space.len().min(next + AT_ONCE);
        next = states.end;
        for state in space.words(states).chunks_exact(words) {
            let known = looking.known;
            looking.look_at(state, &mut asked, &mut scratch, limited)?;
            let Some(orbits) = orbits.filter(|_| looking.known > known) else {
                continue;
            };
            swapped(orbits, state, &mut waiting);
            while let Some(begin) = waiting.len().checked_sub(words) {
                let held = asked.bytes + scratch.bytes() + looking.bytes();
                limited.poll(held + size_of_val(waiting.as_slice()) as u64)?;
                let image = waiting.split_off(begin);
                let known = looking.known;
                looking.look_at(&image, &mut asked, &mut scratch, limited)?;
                if looking.known > known {
                    swapped(orbits, &image, &mut waiting);
                }
            }
        }
    }
    let tests = looking.tests();
    ControlFlow::Continue((looking.taken, tests))
}

/// Of each step of each instance, which of its `if`s are asked about.
type AskedTests = Vec<Vec<Vec<bool>>>;

fn asked_tests(system: &System, extent: Extent) -> AskedTests {
    if extent != Extent::Whole {
        return own_tests(system);
    }
    let of_step = |step: &Step| vec![true; tests(&step.effects)];
    let instances = system.instances.iter();
    instances
        .map(|instance| instance.steps.iter().map(of_step).collect())
        .collect()
}

/// What is still open of a System.
struct Looking<'a> {
    packed: &'a Packed<'a>,
    taken: Vec<Vec<Taken>>,
    /// Where a test leads that is false; `None` of any other step.
    otherwise: Vec<Vec<Option<LocationId>>>,
    /// The locations of an instance that have a step.
    at: Vec<Vec<Vec<LocationId>>>,
    instances: Vec<Open>,
    /// Of each action how many steps for it are open.
    actions: Vec<u32>,
    /// Of each step what is open of its branches.
    branches: Vec<Vec<Branches>>,
    /// Whose effects each `if` is among, and its number there, by its number in the compiled code.
    tests: Vec<(InstanceId, StepId, u32)>,
    /// How many steps are open.
    open: u32,
    /// How many ways to take a step are known.
    known: u32,
}

/// What is known of the branches of a step's effects.
#[derive(Default)]
struct Branches {
    /// Of each `if` that is asked about, which of its branches were gone into.
    of: Vec<Option<Taken>>,
    /// How many of these branches were not.
    open: u32,
    /// The step fails somewhere, and nothing is told of them.
    fails: bool,
}

/// What is open of one instance, by location.
struct Open {
    /// How many steps that are no joint ones.
    own: Vec<u32>,
    /// The actions for which there are steps.
    actions: Vec<Vec<ActionId>>,
}

impl<'a> Looking<'a> {
    fn at(packed: &'a Packed<'a>, asked: AskedTests) -> Looking<'a> {
        let system = packed.system();
        let mut looking = Looking {
            packed,
            taken: Vec::new(),
            otherwise: Vec::new(),
            at: Vec::new(),
            instances: Vec::new(),
            actions: vec![0; system.actions.len()],
            branches: Vec::new(),
            tests: Vec::new(),
            open: 0,
            known: 0,
        };
        for ((instance, who), asked) in system.instances.iter().zip(0..).zip(asked) {
            for (asked, step) in asked.iter().zip(0..) {
                let numbers = 0..asked.len() as u32;
                looking.tests.extend(numbers.map(|at| (who, step, at)));
            }
            let branches = asked.into_iter().map(Branches::asked);
            looking.branches.push(branches.collect());
            let otherwise = instance.steps.iter().map(|step| match step.target {
                Target::Test {
                    then, otherwise, ..
                } => Some(otherwise).filter(|_| then != otherwise),
                Target::To(_) => None,
            });
            let mut at = vec![Vec::new(); instance.steps.len()];
            let mut open = Open {
                own: vec![0; instance.locations.len()],
                actions: vec![Vec::new(); instance.locations.len()],
            };
            for (location, here) in (0..).zip(&instance.locations) {
                for step in &here.steps {
                    at[*step as usize].push(location);
                    match &instance.steps[*step as usize].communication {
                        Some(Communication::On { action, .. }) => {
                            let actions = &mut open.actions[location as usize];
                            if actions.last() != Some(action) {
                                actions.push(*action);
                            }
                        }
                        _ => open.own[location as usize] += 1,
                    }
                }
            }
            for (step, at) in instance.steps.iter().zip(&at) {
                // One that is at no location can never be taken, and nobody looks for it.
                if at.is_empty() {
                    continue;
                }
                looking.open += 1;
                if let Some(Communication::On { action, .. }) = &step.communication {
                    looking.actions[*action as usize] += 1;
                }
            }
            looking.otherwise.push(otherwise.collect());
            looking
                .taken
                .push(vec![Taken::default(); instance.steps.len()]);
            looking.at.push(at);
            looking.instances.push(open);
        }
        looking
    }

    fn look_at(
        &mut self,
        state: &[u64],
        asked: &mut Asked,
        scratch: &mut Scratch,
        limited: &Limited<'_>,
    ) -> ControlFlow<Stop> {
        for number in 0..self.instances.len() {
            let location = self.packed.location(state, number as InstanceId) as usize;
            let open = &self.instances[number];
            let mut actions = open.actions[location].iter();
            let is_open =
                open.own[location] > 0 || actions.any(|action| self.actions[*action as usize] > 0);
            if is_open && asked.is_new(self.packed, number, location, state) {
                let packed = self.packed;
                let mut noting = Noting {
                    looking: self,
                    limited,
                    stopped: None,
                };
                // It breaks off for no other reason.
                let _ = packed.visit_group(number, state, scratch, &mut noting);
                if let Some(stop) = noting.stopped {
                    return ControlFlow::Break(stop);
                }
                for (test, is_second) in scratch.branches() {
                    self.note_branch(test, is_second);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// A step that may be taken: `location` is where its instance is then, and is not known where it fails.
    fn note(&mut self, who: InstanceId, step: StepId, location: Option<LocationId>) {
        let was_done = self.is_done(who, step);
        let (instance, at) = (who as usize, step as usize);
        let taken = &mut self.taken[instance][at];
        let before = *taken;
        match (self.otherwise[instance][at], location) {
            (None, _) => taken.then = true,
            (Some(otherwise), Some(location)) if location == otherwise => taken.otherwise = true,
            (Some(_), Some(_)) => taken.then = true,
            // It is not known what its condition would have been.
            (Some(_), None) => *taken = Taken::BOTH,
        }
        let is_new = *taken != before;
        let branches = &mut self.branches[instance][at];
        let fails_first = location.is_none() && !branches.fails;
        if fails_first {
            branches.fails = true;
            branches.open = 0;
        }
        self.known += u32::from(is_new || fails_first);
        self.close(was_done, who, step);
    }

    /// Effects have gone into a branch of the `if` with this number: into the second, or the first.
    fn note_branch(&mut self, test: u32, is_second: bool) {
        let (who, step, at) = self.tests[test as usize];
        let was_done = self.is_done(who, step);
        let branches = &mut self.branches[who as usize][step as usize];
        let Some(taken) = &mut branches.of[at as usize] else {
            return;
        };
        let side = match is_second {
            true => &mut taken.otherwise,
            false => &mut taken.then,
        };
        if branches.fails || std::mem::replace(side, true) {
            return;
        }
        branches.open -= 1;
        self.known += 1;
        self.close(was_done, who, step);
    }

    /// Whether nothing more is to be known of a step.
    fn is_done(&self, who: InstanceId, step: StepId) -> bool {
        let (who, at) = (who as usize, step as usize);
        let taken = self.taken[who][at];
        let is_taken = match self.otherwise[who][at] {
            None => taken.then,
            Some(_) => taken == Taken::BOTH,
        };
        is_taken && self.branches[who][at].open == 0
    }

    /// Asks no more about a step that now is done.
    fn close(&mut self, was_done: bool, who: InstanceId, step: StepId) {
        if was_done || !self.is_done(who, step) {
            return;
        }
        self.open -= 1;
        let (who, at) = (who as usize, step as usize);
        match &self.packed.system().instances[who].steps[at].communication {
            Some(Communication::On { action, .. }) => self.actions[*action as usize] -= 1,
            _ => {
                for location in &self.at[who][at] {
                    self.instances[who].own[*location as usize] -= 1;
                }
            }
        }
    }

    /// Of each instance what is known of the branches of its effects.
    fn tests(&self) -> Vec<Tests> {
        let of_instance = |steps: &Vec<Branches>| {
            let told = (0..).zip(steps).filter(|(_, branches)| !branches.fails);
            let each = told.flat_map(|(step, branches)| {
                let tests = (0..).zip(&branches.of);
                tests.filter_map(move |(at, taken)| Some(((step, at), (*taken)?)))
            });
            each.collect()
        };
        self.branches.iter().map(of_instance).collect()
    }

    fn bytes(&self) -> u64 {
        let steps: usize = self.taken.iter().map(Vec::len).sum();
        let of_one =
            size_of::<Taken>() + size_of::<Option<LocationId>>() + size_of::<Vec<LocationId>>() + 4;
        let locations: usize = self.instances.iter().map(|open| open.own.len()).sum();
        let tests = self.tests.len() * (size_of::<(InstanceId, StepId, u32)>() + 3);
        let of_one = of_one + size_of::<Branches>();
        (steps * of_one + tests + locations * (4 + size_of::<Vec<ActionId>>())) as u64
    }
}

impl Branches {
    fn asked(asked: Vec<bool>) -> Branches {
        let of = asked.into_iter();
        let of: Vec<_> = of
            .map(|is_asked| is_asked.then_some(Taken::default()))
            .collect();
        let open = 2 * of.iter().flatten().count() as u32;
        let fails = false;
        Branches { of, open, fails }
    }
}

type Known = FxHashSet<Box<[u64]>>;

/// What was asked already: the steps of an instance at a location, of states that agree in what these are about.
#[derive(Default)]
struct Asked {
    /// By instance and location: the bits of a state that the steps are about, and which there were.
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

struct Noting<'l, 'a, 'p> {
    looking: &'l mut Looking<'a>,
    limited: &'l Limited<'p>,
    stopped: Option<Stop>,
}

impl Visit for Noting<'_, '_, '_> {
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        for (who, step) in label.participants {
            let location = outcome
                .ok()
                .map(|next| self.looking.packed.location(next, *who));
            self.looking.note(*who, *step, location);
        }
        ControlFlow::Continue(())
    }

    fn pulse(&mut self) -> ControlFlow<()> {
        match self.limited.poll(0) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(stop) => {
                self.stopped = Some(stop);
                ControlFlow::Break(())
            }
        }
    }
}
