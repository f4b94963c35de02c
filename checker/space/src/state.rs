//! A state as plain structured values.

use stubborn_system::system::{LocationId, Order, System, Value, VariableRef};

/// The value of every variable, the content of every channel and the location of every instance.
/// Equal states compare equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    /// One for each of [`System::variables`].
    pub shared: Vec<Value>,
    /// One for each of [`System::channels`]: its messages, the oldest first; a bag's ascending.
    pub channels: Vec<Vec<Vec<i64>>>,
    /// One for each of [`System::instances`].
    pub instances: Vec<InstanceState>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstanceState {
    pub location: LocationId,
    pub locals: Vec<Value>,
}

impl State {
    /// The state in which every run begins.
    pub fn initial(system: &System) -> State {
        let channels = system.channels.iter().map(|channel| {
            let mut messages = channel.initial.clone();
            if channel.order == Order::Bag {
                messages.sort();
            }
            messages
        });
        let instances = system.instances.iter().map(|instance| InstanceState {
            location: instance.initial,
            locals: instance.locals.iter().map(|v| v.initial.clone()).collect(),
        });
        State {
            shared: system.variables.iter().map(|v| v.initial.clone()).collect(),
            channels: channels.collect(),
            instances: instances.collect(),
        }
    }

    /// The value of a variable, or the part of it to which the cells and fields lead, from the
    /// outside in.
    pub fn part(&self, variable: VariableRef, path: &[u32]) -> Option<&Value> {
        let mut part = match variable {
            VariableRef::Shared(at) => self.shared.get(at as usize)?,
            VariableRef::Local(instance, at) => {
                let owner = self.instances.get(instance as usize)?;
                owner.locals.get(at as usize)?
            }
        };
        for at in path {
            part = match part {
                Value::Cells(cells) => cells.get(*at as usize)?,
                Value::Int(_) => return None,
            };
        }
        Some(part)
    }

    /// The same, to be written.
    pub fn part_mut(&mut self, variable: VariableRef, path: &[u32]) -> Option<&mut Value> {
        let mut part = match variable {
            VariableRef::Shared(at) => self.shared.get_mut(at as usize)?,
            VariableRef::Local(instance, at) => {
                let owner = self.instances.get_mut(instance as usize)?;
                owner.locals.get_mut(at as usize)?
            }
        };
        for at in path {
            part = match part {
                Value::Cells(cells) => cells.get_mut(*at as usize)?,
                Value::Int(_) => return None,
            };
        }
        Some(part)
    }
}
