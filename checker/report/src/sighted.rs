//! What the searches of slices have seen of one System: of each instance and each variable what the
//! search tells that has looked at most of it.

use stubborn_engine::seen::{Seen, SeenVariable, Taken, Tests, renumbered};
use stubborn_system::slice::Cone;
use stubborn_system::system::{InstanceId, StepId, System, VariableIndex};

/// By the numbers of the System; `None` of what no search has looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighted {
    pub instances: Vec<Option<SightedInstance>>,
    pub variables: Vec<Option<Sight>>,
}

/// Where an instance was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SightedInstance {
    /// In how many states, for each location; `None` where no search had to tell.
    pub locations: Vec<Option<u64>>,
    pub locals: Vec<Option<Sight>>,
    /// How each of its steps could be taken; `None` where no search had to tell.
    pub steps: Vec<Option<Taken>>,
    /// Which branches of effects it goes into, as far as some search tells.
    pub branches: Tests,
    /// It never is at other locations, nor takes steps that were not taken.
    pub is_whole: bool,
    /// How many states were looked at.
    pub states: u64,
    /// States stand for others, in which those who are alike have changed places, so that it has been counted with these.
    pub is_turned: bool,
}

/// Which values a variable had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sight {
    pub seen: SeenVariable,
    /// How many states were looked at,
    pub states: u64,
    /// and whether each stands for several.
    pub is_turned: bool,
}

/// The numbers that what was seen has in the System.
struct Numbers<'a> {
    locals: &'a dyn Fn(InstanceId) -> Vec<VariableIndex>,
    branches: &'a dyn Fn(InstanceId, &Tests) -> Tests,
}

impl Sighted {
    pub fn nothing(system: &System) -> Sighted {
        Sighted {
            instances: vec![None; system.instances.len()],
            variables: vec![None; system.variables.len()],
        }
    }

    /// Adds what was seen of the slice that a cone leaves of the System.
    pub fn add(&mut self, system: &System, cone: &Cone, seen: &Seen) {
        let locals = |instance| cone.locals(instance).collect();
        let branches = |instance: InstanceId, tests: &Tests| {
            let steps = &system.instances[instance as usize].steps;
            let kept = |step: StepId| cone.tests_kept(system, &steps[step as usize]);
            renumbered(tests, &kept, &|kept, number| {
                kept.get(number as usize).copied()
            })
        };
        let of = Numbers {
            locals: &locals,
            branches: &branches,
        };
        self.add_by(cone.shared(), cone.instances(), &of, seen);
    }

    /// Adds what was seen, told by the numbers of the System itself.
    pub fn add_whole(&mut self, system: &System, seen: &Seen) {
        let locals = |instance: InstanceId| {
            (0..system.instances[instance as usize].locals.len() as VariableIndex).collect()
        };
        let variables = 0..system.variables.len() as VariableIndex;
        let instances = 0..system.instances.len() as InstanceId;
        let of = Numbers {
            locals: &locals,
            branches: &|_, tests| tests.clone(),
        };
        self.add_by(variables, instances, &of, seen);
    }

    /// `shared`, `instances` and `of` are the numbers in the System of what was seen.
    fn add_by(
        &mut self,
        shared: impl Iterator<Item = VariableIndex>,
        instances: impl Iterator<Item = InstanceId>,
        of: &Numbers<'_>,
        seen: &Seen,
    ) {
        let add = |known: &mut Option<Sight>, found: &SeenVariable| {
            let worth = (found.is_whole, seen.is_turned, seen.states);
            if is_better(worth, known.as_ref().map(Sight::worth)) {
                *known = Some(Sight {
                    seen: found.clone(),
                    states: seen.states,
                    is_turned: seen.is_turned,
                });
            }
        };
        for (number, found) in shared.zip(&seen.variables) {
            if let (Some(known), Some(found)) = (self.variables.get_mut(number as usize), found) {
                add(known, found);
            }
        }
        let is_whole = seen.is_local_whole();
        for (number, of_instance) in instances.zip(&seen.instances) {
            let known = self.instances.get_mut(number as usize);
            let (Some(known), Some(of_instance)) = (known, of_instance) else {
                continue;
            };
            let instance = known.get_or_insert_with(|| SightedInstance {
                locations: Vec::new(),
                locals: Vec::new(),
                steps: Vec::new(),
                branches: Tests::new(),
                is_whole: false,
                states: 0,
                is_turned: false,
            });
            // What one search has left out another may have gone through.
            if is_whole {
                for (test, taken) in (of.branches)(number, &of_instance.branches) {
                    let known = instance.branches.entry(test).or_default();
                    known.then |= taken.then;
                    known.otherwise |= taken.otherwise;
                }
            }
            for (local, found) in (of.locals)(number).into_iter().zip(&of_instance.locals) {
                let local = local as usize;
                if instance.locals.len() <= local {
                    instance.locals.resize(local + 1, None);
                }
                if let Some(found) = found {
                    add(&mut instance.locals[local], found);
                }
            }
            if is_better(
                (is_whole, seen.is_turned, seen.states),
                Some((instance.is_whole, instance.is_turned, instance.states)),
            ) {
                instance.locations.clone_from(&of_instance.locations);
                instance.steps.clone_from(&of_instance.steps);
                (instance.is_whole, instance.states) = (is_whole, seen.states);
                instance.is_turned = seen.is_turned;
            }
        }
    }
}

impl Sight {
    fn worth(&self) -> (bool, bool, u64) {
        (self.seen.is_whole, self.is_turned, self.states)
    }
}

/// Whether what a search tells is worth more than what is known: whether it tells of everything that
/// happens, whether a state stands for several, and how many states it has looked at.
fn is_better(found: (bool, bool, u64), known: Option<(bool, bool, u64)>) -> bool {
    known.is_none_or(|known| found > known)
}
