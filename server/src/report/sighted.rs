//! What the searches of slices have seen of one System: of each instance and each variable what the
//! search tells that has looked at most of it.

use stubborn_engine::seen::{Seen, SeenVariable, Taken};
use stubborn_system::slice::Cone;
use stubborn_system::system::{InstanceId, System, VariableIndex};

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

impl Sighted {
    pub fn nothing(system: &System) -> Sighted {
        Sighted {
            instances: vec![None; system.instances.len()],
            variables: vec![None; system.variables.len()],
        }
    }

    /// Adds what was seen of the slice that a cone leaves of the System.
    pub fn add(&mut self, cone: &Cone, seen: &Seen) {
        let locals = |instance| cone.locals(instance).collect();
        self.add_by(cone.shared(), cone.instances(), &locals, seen);
    }

    /// Adds what was seen, told by the numbers of the System itself.
    pub fn add_whole(&mut self, system: &System, seen: &Seen) {
        let locals = |instance: InstanceId| {
            (0..system.instances[instance as usize].locals.len() as VariableIndex).collect()
        };
        let variables = 0..system.variables.len() as VariableIndex;
        let instances = 0..system.instances.len() as InstanceId;
        self.add_by(variables, instances, &locals, seen);
    }

    /// `shared`, `instances` and `locals` are the numbers in the System of what was seen.
    fn add_by(
        &mut self,
        shared: impl Iterator<Item = VariableIndex>,
        instances: impl Iterator<Item = InstanceId>,
        locals: &dyn Fn(InstanceId) -> Vec<VariableIndex>,
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
                is_whole: false,
                states: 0,
                is_turned: false,
            });
            for (local, found) in locals(number).into_iter().zip(&of_instance.locals) {
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
