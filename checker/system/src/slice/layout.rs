//! All that may stay of a System, in one row.

use std::ops::Range;

use crate::footprint::Thing;
use crate::system::{ActionId, InstanceId, System, VariableRef};

/// Where everything has its place: the instances, the shared variables, the locals of one instance
/// after those of another, the channels and the actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    instances: usize,
    /// Where the locals of each instance begin, and where those of the last one end.
    locals: Vec<usize>,
    channels: usize,
    actions: usize,
}

impl Layout {
    pub fn new(system: &System) -> Layout {
        let instances = system.instances.len();
        let mut end = instances + system.variables.len();
        let mut locals = vec![end];
        for instance in &system.instances {
            end += instance.locals.len();
            locals.push(end);
        }
        Layout {
            instances,
            locals,
            channels: system.channels.len(),
            actions: system.actions.len(),
        }
    }

    pub fn instances(&self) -> Range<usize> {
        0..self.instances
    }

    pub fn shared(&self) -> Range<usize> {
        self.instances..self.locals[0]
    }

    /// Empty for an instance that is not there.
    pub fn locals(&self, instance: InstanceId) -> Range<usize> {
        let bounds = self.locals.get(instance as usize..instance as usize + 2);
        bounds.map_or(0..0, |bounds| bounds[0]..bounds[1])
    }

    pub fn channels(&self) -> Range<usize> {
        let begin = self.locals[self.instances];
        begin..begin + self.channels
    }

    pub fn actions(&self) -> Range<usize> {
        let begin = self.channels().end;
        begin..begin + self.actions
    }

    /// How many places there are.
    pub fn len(&self) -> usize {
        self.actions().end
    }

    /// The place of a thing of the System.
    pub fn place(&self, thing: Thing) -> Option<usize> {
        let (mut places, number) = match thing {
            Thing::Instance(instance) => (self.instances(), instance),
            Thing::Variable(VariableRef::Shared(variable)) => (self.shared(), variable),
            Thing::Variable(VariableRef::Local(instance, variable)) => {
                (self.locals(instance), variable)
            }
            Thing::Channel(channel) => (self.channels(), channel),
        };
        places.nth(number as usize)
    }

    pub fn place_of_action(&self, action: ActionId) -> Option<usize> {
        self.actions().nth(action as usize)
    }
}
