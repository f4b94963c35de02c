//! The cone of influence: all that some properties depend on.

use std::collections::HashSet;

use super::dependencies::{Dependencies, bits};
use crate::footprint::{Thing, things_read};
use crate::property::{Buchi, Ltl, Property, StepPattern, StepSet, Testing};
use crate::system::{ActionPattern, InstanceId, System, VariableIndex, VariableRef};

/// What of a System stays for some properties. Whatever stays has with it all that it depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cone {
    pub(super) instances: Vec<bool>,
    pub(super) shared: Vec<bool>,
    pub(super) locals: Vec<Vec<bool>>,
    pub(super) channels: Vec<bool>,
    pub(super) actions: Vec<bool>,
}

/// Whether the property is also about the processes that share nothing with it: one of them can keep a
/// run going for ever, fail, or be where it should not stop.
pub fn needs_every_process(property: &Property) -> bool {
    match property {
        Property::Errors
        | Property::Deadlock { .. }
        | Property::Termination
        | Property::MustProgress(_)
        | Property::Ltl(_)
        | Property::Tester(_)
        | Property::Buchi(_)
        | Property::Testing(_)
        | Property::Refinement(_) => true,
        Property::Invariant(_) | Property::MayProgress(_) | Property::Recurrence { .. } => false,
    }
}

impl Dependencies<'_> {
    /// The least cone of all these properties together.
    pub fn cone<'c>(&self, properties: impl IntoIterator<Item = &'c Property>) -> Cone {
        let system = self.system;
        let mut growing = Growing {
            cone: Cone {
                instances: vec![false; system.instances.len()],
                shared: vec![false; system.variables.len()],
                locals: (system.instances.iter())
                    .map(|instance| vec![false; instance.locals.len()])
                    .collect(),
                channels: vec![false; system.channels.len()],
                actions: vec![false; system.actions.len()],
            },
            open: Vec::new(),
            seen: HashSet::new(),
        };
        for property in properties {
            if needs_every_process(property) {
                let all = 0..system.instances.len() as InstanceId;
                all.for_each(|instance| growing.add(Thing::Instance(instance)));
            }
            match property {
                Property::Errors | Property::Deadlock { allowed: None } | Property::Termination => {
                }
                Property::Deadlock { allowed: Some(e) }
                | Property::Invariant(e)
                | Property::MayProgress(e)
                | Property::MustProgress(e) => things_read(e, &mut |thing| growing.add(thing)),
                Property::Recurrence {
                    infinitely,
                    implies,
                } => {
                    self.add_steps(infinitely, &mut growing);
                    self.add_steps(implies, &mut growing);
                }
                Property::Ltl(Ltl { propositions, .. })
                | Property::Buchi(Buchi { propositions, .. })
                | Property::Testing(Testing { propositions, .. }) => {
                    for e in propositions {
                        things_read(e, &mut |thing| growing.add(thing));
                    }
                }
                Property::Tester(tester) => {
                    for pattern in tester.patterns() {
                        growing.cone.actions[pattern.action as usize] = true;
                    }
                }
                Property::Refinement(refinement) => {
                    for pattern in &refinement.specification.alphabet {
                        growing.cone.actions[pattern.action as usize] = true;
                    }
                }
            }
        }
        while let Some(thing) = growing.open.pop() {
            self.follow(thing, &mut growing);
        }
        growing.cone
    }

    /// Adds what this depends on.
    fn follow(&self, thing: Thing, growing: &mut Growing) {
        match thing {
            Thing::Instance(instance) => {
                for &needed in &self.always[instance as usize] {
                    growing.add(needed);
                }
                for pattern in &self.system.instances[instance as usize].alphabet {
                    self.add_participants(pattern, growing);
                }
            }
            Thing::Variable(variable) => {
                if let Some(assigned) = self.assigned.get(&variable) {
                    for &instance in &assigned.by {
                        growing.add(Thing::Instance(instance));
                    }
                    for &read in &assigned.reads {
                        growing.add(read);
                    }
                }
                if let VariableRef::Local(instance, _) = variable {
                    growing.add(Thing::Instance(instance));
                }
            }
            Thing::Channel(channel) => {
                for &instance in &self.users[channel as usize] {
                    growing.add(Thing::Instance(instance));
                }
            }
        }
    }

    /// Everybody who can take part in the steps.
    fn add_steps(&self, set: &StepSet, growing: &mut Growing) {
        for pattern in &set.patterns {
            match pattern {
                StepPattern::Action(pattern) => self.add_participants(pattern, growing),
                StepPattern::At(instance, _) => growing.add(Thing::Instance(*instance)),
            }
        }
    }

    /// Everybody who can take part in the actions, and so can stand in their way.
    fn add_participants(&self, pattern: &ActionPattern, growing: &mut Growing) {
        if let Some(is_there) = growing.cone.actions.get_mut(pattern.action as usize) {
            *is_there = true;
        }
        let is_new = growing.seen.insert(pattern.clone());
        if is_new && let Some(alphabet) = self.alphabets.get(pattern.action as usize) {
            alphabet.participants(pattern, &mut |instance| {
                growing.add(Thing::Instance(instance));
            });
        }
    }

    /// The logarithm to the base 2 of the number of valuations of what stays and can change: where
    /// the instances are, what varies of the variables, and the contents of the channels. A bound
    /// on the number of states, and a measure to compare cones with.
    pub fn bits(&self, cone: &Cone) -> f64 {
        let system = self.system;
        let mut all = 0.0;
        for (i, instance) in system.instances.iter().enumerate() {
            if cone.instances[i] {
                all += (instance.locations.len().max(1) as f64).log2();
            }
        }
        for (variable, ty) in variables(system) {
            if cone.has(variable) && self.varies(variable, ty) {
                all += bits(ty);
            }
        }
        for (channel, stays) in system.channels.iter().zip(&cone.channels) {
            if *stays {
                let messages: f64 = channel
                    .message
                    .iter()
                    .map(|range| (range.size() as f64).log2())
                    .sum();
                // All contents of a capacity n with m messages: 1 + m + … + m^n.
                let capacity = f64::from(channel.capacity);
                all += (capacity * messages).max((capacity + 1.0).log2());
            }
        }
        all
    }

    /// Whether nothing is left out that takes a step or can change: then the slice has the states
    /// and steps of the System itself.
    pub fn is_whole(&self, cone: &Cone) -> bool {
        let stays = |(variable, ty)| cone.has(variable) || !self.varies(variable, ty);
        cone.instances.iter().all(|stays| *stays) && variables(self.system).all(stays)
    }
}

/// All variables of a System, with their types.
fn variables(system: &System) -> impl Iterator<Item = (VariableRef, &crate::system::Type)> {
    let shared = system.variables.iter().enumerate();
    let shared = shared.map(|(v, variable)| {
        let variable_ref = VariableRef::Shared(v as VariableIndex);
        (variable_ref, &variable.ty)
    });
    let instances = system.instances.iter().enumerate();
    let locals = instances.flat_map(|(i, instance)| {
        let locals = instance.locals.iter().enumerate();
        locals.map(move |(v, variable)| {
            let variable_ref = VariableRef::Local(i as InstanceId, v as VariableIndex);
            (variable_ref, &variable.ty)
        })
    });
    shared.chain(locals)
}

impl Cone {
    pub(super) fn has(&self, variable: VariableRef) -> bool {
        match variable {
            VariableRef::Shared(v) => self.shared[v as usize],
            VariableRef::Local(i, v) => self.locals[i as usize][v as usize],
        }
    }

    /// How many instances stay.
    pub fn instances(&self) -> usize {
        self.instances.iter().filter(|stays| **stays).count()
    }
}

struct Growing {
    cone: Cone,
    /// Those that were added and not followed yet.
    open: Vec<Thing>,
    /// The actions whose participants were added.
    seen: HashSet<ActionPattern>,
}

impl Growing {
    fn add(&mut self, thing: Thing) {
        let stays = match thing {
            Thing::Instance(i) => self.cone.instances.get_mut(i as usize),
            Thing::Channel(c) => self.cone.channels.get_mut(c as usize),
            Thing::Variable(VariableRef::Shared(v)) => self.cone.shared.get_mut(v as usize),
            Thing::Variable(VariableRef::Local(i, v)) => {
                let locals = self.cone.locals.get_mut(i as usize);
                locals.and_then(|locals| locals.get_mut(v as usize))
            }
        };
        if let Some(stays) = stays
            && !*stays
        {
            *stays = true;
            self.open.push(thing);
        }
    }
}
