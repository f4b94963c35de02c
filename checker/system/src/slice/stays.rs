//! What stays of a System, and how much that is.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::bits::Bits;
use super::dependencies::{Dependencies, bits};
use super::layout::Layout;
use crate::footprint::Thing;
use crate::system::{ActionId, ChannelId, InstanceId, Type, VariableIndex, VariableRef};

/// What of a System stays for some properties. Whatever stays has with it all that it depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cone {
    /// Each in its place in the layout.
    pub(super) stays: Bits,
    pub(super) layout: Arc<Layout>,
}

// There are as many cones as properties, and they have one layout.
impl Hash for Cone {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.stays.hash(state);
    }
}

impl Dependencies<'_> {
    /// The logarithm to the base 2 of the number of valuations of what stays and can change: where
    /// the instances are, what varies of the variables, and the contents of the channels. A bound
    /// on the number of states, and a measure to compare cones with.
    pub fn bits(&self, cone: &Cone) -> f64 {
        let system = self.system;
        let mut all = 0.0;
        for instance in cone.instances() {
            let instance = &system.instances[instance as usize];
            all += (instance.locations.len().max(1) as f64).log2();
        }
        for variable in cone.variables() {
            let ty = self.type_of(variable);
            if self.varies(variable, ty) {
                all += bits(ty);
            }
        }
        for channel in cone.channels() {
            let channel = &system.channels[channel as usize];
            let messages: f64 = channel
                .message
                .iter()
                .map(|range| (range.size() as f64).log2())
                .sum();
            // All contents of a capacity n with m messages: 1 + m + … + m^n.
            let capacity = f64::from(channel.capacity);
            all += (capacity * messages).max((capacity + 1.0).log2());
        }
        all
    }

    /// Whether nothing is left out that takes a step or can change: then the slice has the states
    /// and steps of the System itself.
    pub fn is_whole(&self, cone: &Cone) -> bool {
        if cone.instances().count() < self.system.instances.len() {
            return false;
        }
        // What nobody assigns to does not change.
        let mut assigned = self.assigned.keys();
        assigned
            .all(|&variable| cone.has(variable) || !self.varies(variable, self.type_of(variable)))
    }

    fn type_of(&self, variable: VariableRef) -> &Type {
        match variable {
            VariableRef::Shared(v) => &self.system.variables[v as usize].ty,
            VariableRef::Local(i, v) => &self.system.instances[i as usize].locals[v as usize].ty,
        }
    }
}

impl Cone {
    /// Nothing.
    pub(super) fn empty(layout: &Arc<Layout>) -> Cone {
        Cone {
            stays: Bits::below(layout.len()),
            layout: Arc::clone(layout),
        }
    }

    pub(super) fn has(&self, variable: VariableRef) -> bool {
        let place = self.layout.place(Thing::Variable(variable));
        place.is_some_and(|place| self.stays.contains(place))
    }

    /// The instances that stay, ascending, as all the lists below.
    pub fn instances(&self) -> impl Iterator<Item = InstanceId> {
        self.stays.within(self.layout.instances())
    }

    pub fn shared(&self) -> impl Iterator<Item = VariableIndex> {
        self.stays.within(self.layout.shared())
    }

    /// Of one instance.
    pub fn locals(&self, instance: InstanceId) -> impl Iterator<Item = VariableIndex> {
        self.stays.within(self.layout.locals(instance))
    }

    pub(super) fn channels(&self) -> impl Iterator<Item = ChannelId> {
        self.stays.within(self.layout.channels())
    }

    pub(super) fn actions(&self) -> impl Iterator<Item = ActionId> {
        self.stays.within(self.layout.actions())
    }

    /// The shared ones, then the locals of one instance after those of another, whose variables stay
    /// only where it does.
    fn variables(&self) -> impl Iterator<Item = VariableRef> {
        let locals = self.instances().flat_map(|instance| {
            let locals = self.locals(instance);
            locals.map(move |local| VariableRef::Local(instance, local))
        });
        self.shared().map(VariableRef::Shared).chain(locals)
    }

    /// Memory that it takes.
    pub fn bytes(&self) -> usize {
        size_of::<Cone>() + self.stays.bytes()
    }
}
