//! Finding of the sorts of a System.

use super::walk::{Walk, sorted};
use super::{NONE, Node, Sorts};
use crate::property::Property;
use crate::symmetry::obstacle::Site;
use crate::system::System;

impl Sorts {
    /// Returns the sorts of a System and of properties of it.
    pub fn of(system: &System, properties: &[Property]) -> Sorts {
        let mut sorts = Sorts {
            parent: vec![NONE],
            extent: vec![None],
            shared: Vec::new(),
            kind_of: Vec::new(),
            locals: Vec::new(),
            messages: Vec::new(),
            actions: Vec::new(),
            channel_arrays: Vec::new(),
            choices: Vec::new(),
            constants: Vec::new(),
            links: Vec::new(),
            varying: Vec::new(),
            chosen: Vec::new(),
        };
        sorts.declare(system);
        sorts.unify_channels(system);
        for (number, instance) in (0..).zip(&system.instances) {
            let mut constants = Vec::new();
            let mut of_steps: Vec<Vec<(Node, i64)>> = Vec::new();
            for (at, step) in instance.steps.iter().enumerate() {
                let choices = sorts.choices[number as usize][at].clone();
                let mut walk = Walk::new(&mut sorts, choices, Site::Step(number, at as u32));
                walk.step(step);
                of_steps.push(sorted(&walk.constants));
                constants.append(&mut walk.constants);
            }
            sorts.vary_together(&of_steps);
            sorts.constants.push(constants);
        }
        for (number, property) in properties.iter().enumerate() {
            for expr in property.expressions() {
                Walk::new(&mut sorts, Vec::new(), Site::Property(number)).plain(expr);
            }
        }
        sorts
    }
}
