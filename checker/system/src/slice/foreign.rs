//! What of each instance somebody else looks at or changes: another instance, or a property.

use std::collections::HashSet;

use super::bits::Bits;
use crate::footprint::{Thing, of_step, things_read};
use crate::property::{Property, StepPattern};
use crate::system::{Expr, InstanceId, LocationId, System, VariableRef};
use crate::walk::{for_expressions_of_step, for_subexpressions};

/// By instance.
pub struct Foreign {
    /// The variables that somebody else reads or assigns to.
    pub touched: Vec<Bits>,
    /// The variables that somebody else assigns to.
    pub written: Vec<Bits>,
    /// The sets of locations of which somebody else asks whether the instance is there (ascending).
    pub asked: Vec<HashSet<Vec<LocationId>>>,
    /// The locations whose steps a recurrence names.
    pub named: Vec<HashSet<LocationId>>,
}

impl Foreign {
    /// Costs time in proportion to the System and the properties.
    pub fn of(system: &System, properties: &[Property]) -> Foreign {
        let none = || -> Vec<Bits> {
            let of = system.instances.iter();
            of.map(|one| Bits::below(one.locals.len())).collect()
        };
        let mut foreign = Foreign {
            touched: none(),
            written: none(),
            asked: vec![HashSet::new(); system.instances.len()],
            named: vec![HashSet::new(); system.instances.len()],
        };
        let mut ask = |expr: &Expr| {
            things_read(expr, &mut |thing| foreign.add(None, thing, false));
            foreign.ask(None, expr);
        };
        system.bounds.iter().for_each(&mut ask);
        let asked = properties.iter().flat_map(Property::expressions);
        asked.for_each(&mut ask);
        for property in properties {
            for pattern in property.step_sets().flat_map(|set| &set.patterns) {
                if let StepPattern::At(instance, locations) = pattern {
                    foreign.named[*instance as usize].extend(locations);
                }
            }
        }
        for (instance, number) in system.instances.iter().zip(0..) {
            // What is listed nowhere is never taken.
            let mut is_listed = Bits::below(instance.steps.len());
            for &step in instance.locations.iter().flat_map(|at| &at.steps) {
                if !is_listed.insert(step as usize) {
                    continue;
                }
                let step = &instance.steps[step as usize];
                of_step(number, step, &mut |touch| {
                    foreign.add(Some(number), touch.thing, touch.writes);
                });
                for_expressions_of_step(step, &mut |expr| foreign.ask(Some(number), expr));
            }
        }
        foreign
    }

    fn add(&mut self, by: Option<InstanceId>, thing: Thing, writes: bool) {
        if let Thing::Variable(VariableRef::Local(of, variable)) = thing
            && by != Some(of)
        {
            self.touched[of as usize].insert(variable as usize);
            if writes {
                self.written[of as usize].insert(variable as usize);
            }
        }
    }

    fn ask(&mut self, by: Option<InstanceId>, expr: &Expr) {
        for_subexpressions(expr, &mut |part| {
            if let Expr::At(of, locations) = part
                && by != Some(*of)
            {
                let asked = &mut self.asked[*of as usize];
                if !asked.contains(locations) {
                    asked.insert(locations.clone());
                }
            }
        });
    }
}
