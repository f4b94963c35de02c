//! The cone of influence: all that some properties depend on.

use std::collections::HashSet;
use std::convert::Infallible;
use std::ops::ControlFlow;

use super::arrays::Needed;
use super::bits::Bits;
use super::dependencies::{BETWEEN_LOOKS, Dependencies};
use super::stays::Cone;
use crate::footprint::{Thing, things_read};
use crate::property::{Property, StepPattern, StepSet};
use crate::system::{ActionId, ActionPattern, InstanceId, VariableRef};

impl Dependencies<'_> {
    /// The least cone of all these properties together.
    pub fn cone<'c>(&self, properties: impl IntoIterator<Item = &'c Property>) -> Cone {
        let mut goes_on = || ControlFlow::<Infallible>::Continue(());
        let ControlFlow::Continue(cone) = self.cone_within(properties, &mut goes_on);
        cone
    }

    /// As [`cone`](Dependencies::cone), while `goes_on` does not break off; it is asked now and
    /// then.
    pub fn cone_within<'c, Stop>(
        &self,
        properties: impl IntoIterator<Item = &'c Property>,
        goes_on: &mut dyn FnMut() -> ControlFlow<Stop>,
    ) -> ControlFlow<Stop, Cone> {
        let system = self.system;
        let mut growing = Growing {
            cone: Cone::empty(&self.layout),
            open: Vec::new(),
            seen: HashSet::new(),
            arrays: Bits::below(self.arrays.all.len()),
            used: Bits::below(self.arrays.all.len()),
            since_look: 0,
        };
        // Every step depends on every bound.
        for bound in &system.bounds {
            things_read(bound, &mut |thing| growing.add(thing));
        }
        let mut has_every_process = false;
        for property in properties {
            growing.look(goes_on)?;
            if property.needs_every_process() && !has_every_process {
                has_every_process = true;
                let all = 0..system.instances.len() as InstanceId;
                all.for_each(|instance| growing.add(Thing::Instance(instance)));
            }
            for expr in property.expressions() {
                things_read(expr, &mut |thing| growing.add(thing));
            }
            for steps in property.step_sets() {
                self.add_steps(steps, &mut growing);
            }
            for pattern in property.watched_actions() {
                self.add_participants(pattern, &mut growing);
            }
        }
        while let Some(thing) = growing.open.pop() {
            growing.look(goes_on)?;
            self.follow(thing, &mut growing);
        }
        ControlFlow::Continue(growing.cone)
    }

    /// Adds what this depends on.
    fn follow(&self, thing: Thing, growing: &mut Growing) {
        match thing {
            Thing::Instance(instance) => {
                self.need(&self.always[instance as usize], growing);
                for pattern in &self.system.instances[instance as usize].alphabet {
                    self.add_participants(pattern, growing);
                }
            }
            Thing::Variable(variable) => {
                if let Some(assigned) = self.assigned.get(&variable) {
                    growing.add_instances(&assigned.by);
                    self.need(&assigned.reads, growing);
                }
                if let VariableRef::Local(instance, _) = variable {
                    growing.add(Thing::Instance(instance));
                }
            }
            Thing::Channel(channel) => {
                growing.add_instances(&self.users[channel as usize]);
                for &array in &self.arrays.with[channel as usize] {
                    if growing.used.insert(array) {
                        growing.add_instances(&self.arrays.all[array].users);
                    }
                }
            }
        }
    }

    fn need(&self, all: &[Needed], growing: &mut Growing) {
        for &needed in all {
            match needed {
                Needed::Thing(thing) => growing.add(thing),
                Needed::Array(array) => {
                    growing.since_look += 1;
                    if growing.arrays.insert(array) {
                        let channels = self.arrays.all[array].channels();
                        channels.for_each(|channel| growing.add(Thing::Channel(channel)));
                    }
                }
            }
        }
    }

    /// Everybody who can take part in the steps.
    fn add_steps(&self, set: &StepSet, growing: &mut Growing) {
        for pattern in &set.patterns {
            match pattern {
                StepPattern::Action(pattern) => self.add_participants(pattern, growing),
                StepPattern::At(instance, _) | StepPattern::Taken(instance, _) => {
                    growing.add(Thing::Instance(*instance))
                }
            }
        }
    }

    /// Everybody who can take part in the actions, and so can stand in their way.
    fn add_participants(&self, pattern: &ActionPattern, growing: &mut Growing) {
        growing.add_action(pattern.action);
        let is_new = growing.seen.insert(pattern.clone());
        if is_new && let Some(alphabet) = self.alphabets.get(pattern.action as usize) {
            growing.since_look += alphabet.looked_at(pattern);
            alphabet.participants(pattern, &mut |instance| {
                growing.add(Thing::Instance(instance));
            });
        }
    }
}

struct Growing {
    cone: Cone,
    /// Those that were added and not followed yet.
    open: Vec<Thing>,
    /// The actions whose participants were added.
    seen: HashSet<ActionPattern>,
    /// The arrays all of whose channels were added,
    arrays: Bits,
    /// and those whose users were.
    used: Bits,
    /// How many things were looked at since somebody was asked whether to go on.
    since_look: usize,
}

impl Growing {
    /// Looks up from the work when there was enough of it.
    fn look<Stop>(&mut self, goes_on: &mut dyn FnMut() -> ControlFlow<Stop>) -> ControlFlow<Stop> {
        if self.since_look < BETWEEN_LOOKS {
            return ControlFlow::Continue(());
        }
        self.since_look = 0;
        goes_on()
    }

    fn add(&mut self, thing: Thing) {
        self.since_look += 1;
        if let Some(place) = self.cone.layout.place(thing)
            && self.cone.stays.insert(place)
        {
            self.open.push(thing);
        }
    }

    fn add_instances(&mut self, instances: &[InstanceId]) {
        for &instance in instances {
            self.add(Thing::Instance(instance));
        }
    }

    fn add_action(&mut self, action: ActionId) {
        if let Some(place) = self.cone.layout.place_of_action(action) {
            self.cone.stays.insert(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::{Expr, Instance, Step, System, Target, Type, Value, Variable};

    /// Each waits for the one before it, the first for nobody.
    fn chain(instances: InstanceId) -> System {
        let wait = |before: InstanceId| Step {
            communication: None,
            guard: Some(Expr::Variable(VariableRef::Local(before, 0))),
            choices: vec![],
            effects: vec![],
            target: Target::To(0),
        };
        let instance = |number: InstanceId| Instance {
            process: 0,
            locals: vec![Variable {
                ty: Type::Scalar { lo: 0, hi: 1 },
                initial: Value::Int(0),
            }],
            steps: number.checked_sub(1).map(wait).into_iter().collect(),
            locations: vec![],
            initial: 0,
            alphabet: vec![],
        };
        System {
            instances: (0..instances).map(instance).collect(),
            ..System::default()
        }
    }

    fn of_local(instance: InstanceId) -> Property {
        Property::Invariant(Expr::Variable(VariableRef::Local(instance, 0)))
    }

    #[test]
    fn a_cone_takes_a_bit_for_what_may_stay() {
        let system = chain(10_000);
        let dependencies = Dependencies::new(&system);
        let cone = dependencies.cone([&of_local(7)]);
        assert_eq!(
            cone.instances().collect::<Vec<_>>(),
            (0..8).collect::<Vec<_>>()
        );
        assert_eq!(cone.locals(7).collect::<Vec<_>>(), [0]);
        assert!(cone.bytes() < 3_000);
    }

    #[test]
    fn whoever_finds_a_cone_hears_that_it_is_to_end() {
        let system = chain(10_000);
        let dependencies = Dependencies::new(&system);
        let asked_for = |property: &Property, most: usize| {
            let mut asked = 0;
            let found = dependencies.cone_within([property], &mut || {
                asked += 1;
                match asked == most {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            });
            (found.is_break(), asked)
        };
        assert_eq!(asked_for(&of_local(9_999), 3), (true, 3));
        assert_eq!(asked_for(&of_local(7), 3), (false, 0));
        let (_, asked) = asked_for(&of_local(9_999), usize::MAX);
        assert!(asked > 9_999 / BETWEEN_LOOKS);
    }
}
