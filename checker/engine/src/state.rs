//! A state as plain structured values.

use stubborn_system::system::{LocationId, Order, System, Value};

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
}
