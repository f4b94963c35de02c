//! What a search has seen of a System: who was where in how many states, and which values its variables
//! had.
//!
//! What was seen happens in the System: the states of a search are reachable ones, and those of a slice
//! are what stays of reachable ones (`stubborn_system::slice`). What was *not* seen happens nowhere only
//! as far as the [`Extent`] of the search says so.

use std::collections::BTreeMap;

use stubborn_system::slice::{Cone, Merged, Parts, Slice};
use stubborn_system::system::{Instance, InstanceId, LocationId, StepId, System, Target, Type};

/// How much of a state space was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// Some of it: what was not seen may happen all the same.
    Part,
    /// Enough of it that whatever one instance alone changes had everything that it can have: where
    /// the instance is, its own variables, the shared ones that nobody else assigns to. What several
    /// assign to may have values that were not seen.
    Local,
    /// All of it: what was not seen never happens.
    Whole,
}

/// What the states have of a System that a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub extent: Extent,
    /// How many states were looked at.
    pub states: u64,
    /// One state stands for all that permutations make of it. What was seen are all of these, and `states` and the counts of
    /// locations are of those that were kept: in which the instance was there, or another one that takes its place.
    pub is_turned: bool,
    /// Of a breadth-first search, how many states it found so many steps from the start, from none on. States that it found
    /// later, to make up for steps that it had left out, are in none of them.
    pub levels: Vec<u64>,
    /// By the numbers of the System; `None` of one that the search had left out.
    pub instances: Vec<Option<SeenInstance>>,
    pub variables: Vec<Option<SeenVariable>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenInstance {
    /// In how many states it was at each of its locations; `None` of one that steps pass over which were
    /// searched as one, perhaps in states of the System that the search had no need of.
    pub locations: Vec<Option<u64>>,
    pub locals: Vec<Option<SeenVariable>>,
    /// How each of its steps could be taken; `None` where nobody has looked.
    pub steps: Vec<Option<Taken>>,
    /// Which branches were gone into of the `if`s among the effects, as far as that is known.
    pub branches: Tests,
}

/// By step, and number among the `if`s of its effects ([`for_tests`](stubborn_system::walk::for_tests)), which of the
/// two branches some state has gone into.
pub type Tests = BTreeMap<(StepId, u32), Taken>;

/// How a step was taken in some state, failing included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// It was; a test was found true.
    pub then: bool,
    /// A test was found false.
    pub otherwise: bool,
}

impl Taken {
    pub const BOTH: Taken = Taken {
        then: true,
        otherwise: true,
    };

    /// Whether it was taken at all.
    pub fn at_all(self) -> bool {
        self.then || self.otherwise
    }

    fn add(&mut self, other: Taken) {
        self.then |= other.then;
        self.otherwise |= other.otherwise;
    }
}

/// What a variable had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenVariable {
    /// Of each of its scalars, in the order of its cells and fields.
    pub values: Vec<Values>,
    /// No scalar of it ever has another value.
    pub is_whole: bool,
}

/// The values that a scalar had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Of a type with few values: bit `k` stands for `lo + k`.
    Each { lo: i64, set: u64 },
    /// The least and the greatest.
    Between { least: i64, greatest: i64 },
}

impl Values {
    /// The values one by one, where they are few.
    pub fn each(&self) -> Option<impl Iterator<Item = i64> + use<>> {
        let Values::Each { lo, set } = *self else {
            return None;
        };
        let bits = (0..64).filter(move |bit| set >> bit & 1 == 1);
        Some(bits.map(move |bit| lo.wrapping_add(bit)))
    }

    /// The least and the greatest.
    pub fn ends(&self) -> (i64, i64) {
        match *self {
            Values::Each { lo, set } => {
                let high = 63 - i64::from(set.leading_zeros().min(63));
                let low = i64::from(set.trailing_zeros().min(63));
                (lo.wrapping_add(low), lo.wrapping_add(high))
            }
            Values::Between { least, greatest } => (least, greatest),
        }
    }
}

impl Seen {
    /// What was seen of a slice, by the numbers of the System that it was made of.
    pub fn lifted(&self, system: &System, slice: &Slice) -> Seen {
        let mut all = Seen {
            extent: self.extent,
            states: self.states,
            is_turned: self.is_turned,
            levels: self.levels.clone(),
            instances: vec![None; system.instances.len()],
            variables: vec![None; system.variables.len()],
        };
        for (seen, whole) in self.variables.iter().zip(&slice.variables) {
            all.variables[*whole as usize].clone_from(seen);
        }
        let instances = slice.instances.iter().zip(&slice.locals).enumerate();
        for (seen, (within, (whole, locals))) in self.instances.iter().zip(instances) {
            let Some(seen) = seen else { continue };
            let count = system.instances[*whole as usize].locals.len();
            let mut known = vec![None; count];
            for (variable, (local, number)) in (0..).zip(seen.locals.iter().zip(locals)) {
                known[*number as usize] = local.clone().map(|local| SeenVariable {
                    is_whole: local.is_whole
                        && !slice.dead.loses(within as u32, variable)
                        && !slice.merged.loses(within as u32, variable),
                    ..local
                });
            }
            // Who was never where a step begins or where it ends has not taken it.
            let was_at = |location: LocationId| seen.locations[location as usize] != Some(0);
            let is_passed = |location: LocationId| {
                let mut by = slice.merged.passed_by(within as u32, location);
                by.any(|(from, to)| was_at(from) && was_at(to))
            };
            let instance = &system.instances[*whole as usize];
            let steps = steps_of_parts(
                instance,
                (within as u32, &slice.system.instances[within]),
                &slice.merged,
                &seen.steps,
            );
            // Where an instance may be passed over a location it can go on from there.
            let goes_nowhere = |location: LocationId| {
                let mut here = instance.locations[location as usize].steps.iter();
                here.all(|step| steps[*step as usize].is_some_and(|taken| !taken.at_all()))
            };
            let counts = seen.locations.iter().zip(0..);
            let counts = counts.map(|(count, location)| match count {
                Some(0) if is_passed(location) && !goes_nowhere(location) => None,
                count => *count,
            });
            let locations = counts.collect();
            let branches = tests_of_parts((system, instance), (slice, within), seen);
            all.instances[*whole as usize] = Some(SeenInstance {
                locations,
                locals: known,
                steps,
                branches,
            });
        }
        all
    }

    /// What was seen of a System, by the numbers of the slice that a cone leaves of it.
    pub fn projected(&self, system: &System, cone: &Cone) -> Seen {
        let instance = |number: InstanceId| {
            let seen = self.instances[number as usize].as_ref()?;
            let locals = cone.locals(number);
            let steps = &system.instances[number as usize].steps;
            let kept = |step: StepId| cone.tests_kept(system, &steps[step as usize]);
            Some(SeenInstance {
                branches: renumbered(&seen.branches, &kept, &|kept, number| {
                    let at = kept.binary_search(&number).ok()?;
                    Some(at as u32)
                }),
                locations: seen.locations.clone(),
                locals: locals.map(|l| seen.locals[l as usize].clone()).collect(),
                steps: seen.steps.clone(),
            })
        };
        let shared = cone.shared();
        Seen {
            extent: self.extent,
            states: self.states,
            is_turned: self.is_turned,
            levels: self.levels.clone(),
            instances: cone.instances().map(instance).collect(),
            variables: shared.map(|v| self.variables[v as usize].clone()).collect(),
        }
    }

    /// Whether an instance that was seen never is at other locations than it was seen at.
    pub fn is_local_whole(&self) -> bool {
        self.extent >= Extent::Local
    }

    /// Whether this tells more than another one does of the same System.
    pub fn is_better_than(&self, other: &Seen) -> bool {
        // A state that stands for others tells more than one.
        let worth = |seen: &Seen| (seen.extent, seen.is_turned, seen.states);
        worth(self) > worth(other)
    }

    /// Memory that it takes, in bytes.
    pub fn bytes(&self) -> usize {
        let of_all = |all: &[Option<SeenVariable>]| -> usize {
            let of_one = |one: &SeenVariable| one.values.capacity() * size_of::<Values>();
            let known = all.iter().flatten().map(of_one).sum::<usize>();
            known + size_of_val(all)
        };
        let instances = self.instances.iter().flatten();
        let instances = instances.map(|instance| {
            size_of_val(instance.locations.as_slice())
                + size_of_val(instance.steps.as_slice())
                + instance.branches.len() * size_of::<((StepId, u32), Taken)>()
                + of_all(&instance.locals)
        });
        let own = size_of::<Seen>() + size_of_val(self.instances.as_slice());
        let levels = self.levels.capacity() * size_of::<u64>();
        own + levels + instances.sum::<usize>() + of_all(&self.variables)
    }
}

/// How the steps of an instance were taken, given how those of its slice were, each of which consists of some of
/// them ([`Merged::parts`]). A step that is in none of these was taken away since it never happens
/// (`Slice::simplified`, `Slice::merged`). A test that others follow was true where the next step begins there, and
/// may have been either where it can begin at both.
fn steps_of_parts(
    instance: &Instance,
    (within, sliced): (InstanceId, &Instance),
    merged: &Merged,
    taken: &[Option<Taken>],
) -> Vec<Option<Taken>> {
    // Where nobody has looked at the steps nothing is known of those that are not there either.
    let gone = taken
        .iter()
        .all(Option::is_some)
        .then_some(Taken::default());
    let mut steps = vec![gone; instance.steps.len()];
    let mut add = |step: StepId, taken: Taken| {
        let known: &mut Option<Taken> = &mut steps[step as usize];
        known.get_or_insert_default().add(taken);
    };
    for (number, taken) in (0..).zip(taken) {
        let Some(taken) = *taken else { continue };
        let parts = match merged.parts(within, number) {
            Parts::One(step) => {
                add(step, taken);
                continue;
            }
            Parts::Several(parts) => parts,
        };
        let target = &sliced.steps[number as usize].target;
        for (at, part) in parts.iter().enumerate() {
            let goes_on_at = |location: LocationId| match (parts.get(at + 1), target) {
                (Some(next), _) => instance.locations[location as usize].steps.contains(next),
                (None, Target::To(target)) => *target == location,
                (None, Target::Test { .. }) => false,
            };
            let part_taken = match (&instance.steps[*part as usize].target, target) {
                (Target::To(_), _) => Taken {
                    then: taken.at_all(),
                    otherwise: false,
                },
                // It is the last part, and the test is the whole step's.
                (Target::Test { .. }, Target::Test { .. }) if at + 1 == parts.len() => taken,
                (
                    Target::Test {
                        then, otherwise, ..
                    },
                    _,
                ) => Taken {
                    then: taken.at_all() && goes_on_at(*then),
                    otherwise: taken.at_all() && goes_on_at(*otherwise),
                },
            };
            add(*part, part_taken);
        }
    }
    steps
}

/// The same for the branches of effects. A step has those of its parts one after the other; what is not known of one
/// of the steps of a slice that have a part is not known.
fn tests_of_parts(
    (system, instance): (&System, &Instance),
    (slice, within): (&Slice, usize),
    seen: &SeenInstance,
) -> Tests {
    let mut tests = Tests::new();
    let mut unknown = Vec::new();
    let is_looked_at = seen.steps.iter().all(Option::is_some);
    if !is_looked_at {
        return tests;
    }
    let kept: Vec<Vec<u32>> = (instance.steps.iter())
        .map(|step| slice.tests_kept(system, step))
        .collect();
    // A step that is in none of them is never taken.
    for (step, kept) in (0..).zip(&kept) {
        tests.extend(
            kept.iter()
                .map(|number| ((step, *number), Taken::default())),
        );
    }
    for step in 0..seen.steps.len() as StepId {
        let parts = slice.merged.parts(within as InstanceId, step);
        let parts = std::iter::once(parts.first()).chain(parts.rest().iter().copied());
        let mut before = 0;
        for part in parts {
            for (number, at) in kept[part as usize].iter().zip(before..) {
                match seen.branches.get(&(step, at)) {
                    Some(taken) => tests.entry((part, *number)).or_default().add(*taken),
                    None => unknown.push((part, *number)),
                }
            }
            before += kept[part as usize].len() as u32;
        }
    }
    for one in unknown {
        tests.remove(&one);
    }
    tests
}

/// What is known of branches by other numbers; `kept` gives those that a slice keeps of a step's.
pub fn renumbered(
    tests: &Tests,
    kept: &dyn Fn(StepId) -> Vec<u32>,
    number: &dyn Fn(&[u32], u32) -> Option<u32>,
) -> Tests {
    let mut of_step: (Option<StepId>, Vec<u32>) = (None, Vec::new());
    let all = tests.iter().filter_map(|((step, test), taken)| {
        if of_step.0 != Some(*step) {
            of_step = (Some(*step), kept(*step));
        }
        Some(((*step, number(&of_step.1, *test)?), *taken))
    });
    all.collect()
}

/// How many scalars a variable has, as a number of places in memory.
pub fn scalars(ty: &Type) -> usize {
    usize::try_from(ty.scalars()).unwrap_or(usize::MAX)
}
