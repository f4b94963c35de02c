//! Expressions with the numbers of a slice in place of those of the whole System.

use super::translate::Slice;
use crate::property::{StepPattern, StepSet, Tester};
use crate::system::{
    Access, ActionPattern, ChannelRef, Communication, Expr, Instance, Place, VariableRef,
};
use crate::walk::for_children_mut;

/// From the numbers of the whole System to those of a slice.
pub struct Renaming<'a> {
    pub slice: &'a Slice,
    /// The choices of the step that stay.
    pub choices: &'a [u32],
}

impl Renaming<'_> {
    pub fn pattern(&self, pattern: &ActionPattern) -> ActionPattern {
        ActionPattern {
            action: self.action(pattern.action),
            arguments: pattern.arguments.clone(),
        }
    }

    pub fn step_set(&self, set: &StepSet) -> StepSet {
        let patterns = set.patterns.iter().map(|pattern| match pattern {
            StepPattern::Action(pattern) => StepPattern::Action(self.pattern(pattern)),
            StepPattern::At(instance, locations) => StepPattern::At(
                number_of(&self.slice.instances, *instance),
                locations.clone(),
            ),
        });
        StepSet {
            patterns: patterns.collect(),
        }
    }

    pub fn tester(&self, tester: &Tester) -> Tester {
        let mut tester = tester.clone();
        let steps = tester.states.iter_mut().flat_map(|state| &mut state.steps);
        let patterns = steps.filter_map(|step| step.on.as_mut());
        for pattern in patterns.chain(&mut tester.visible) {
            pattern.action = self.action(pattern.action);
        }
        tester
    }

    /// A specification shares nothing with the System but its actions.
    pub fn specification(&self, specification: &Instance) -> Instance {
        let mut specification = specification.clone();
        for pattern in &mut specification.alphabet {
            pattern.action = self.action(pattern.action);
        }
        for step in &mut specification.steps {
            if let Some(Communication::On { action, .. }) = &mut step.communication {
                *action = self.action(*action);
            }
        }
        specification
    }

    pub fn exprs(&self, exprs: &[Expr]) -> Vec<Expr> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    pub fn action(&self, action: u32) -> u32 {
        number_of(&self.slice.actions, action)
    }

    pub fn place(&self, place: &Place) -> Place {
        let access = |access: &Access| match access {
            Access::Field(field) => Access::Field(*field),
            Access::Cell { lo, len, index } => Access::Cell {
                lo: *lo,
                len: *len,
                index: self.expr(index),
            },
        };
        Place {
            variable: self.variable(place.variable),
            path: place.path.iter().map(access).collect(),
            ty: place.ty.clone(),
        }
    }

    fn variable(&self, variable: VariableRef) -> VariableRef {
        match variable {
            VariableRef::Shared(v) => VariableRef::Shared(number_of(&self.slice.variables, v)),
            VariableRef::Local(i, v) => {
                let instance = number_of(&self.slice.instances, i);
                let locals = &self.slice.locals[instance as usize];
                VariableRef::Local(instance, number_of(locals, v))
            }
        }
    }

    pub fn channel(&self, channel: &ChannelRef) -> ChannelRef {
        match channel {
            ChannelRef::One(channel) => ChannelRef::One(number_of(&self.slice.channels, *channel)),
            // All of an array that is used stay, side by side.
            ChannelRef::Indexed {
                first,
                lo,
                len,
                index,
            } => ChannelRef::Indexed {
                first: number_of(&self.slice.channels, *first),
                lo: *lo,
                len: *len,
                index: Box::new(self.expr(index)),
            },
        }
    }

    /// The expression with the numbers of the slice.
    pub fn expr(&self, expr: &Expr) -> Expr {
        let mut renamed = expr.clone();
        self.rename(&mut renamed);
        renamed
    }

    fn rename(&self, expr: &mut Expr) {
        match expr {
            Expr::Choice(k) => *k = number_of(self.choices, *k),
            Expr::Variable(variable) => *variable = self.variable(*variable),
            Expr::At(instance, _) => *instance = number_of(&self.slice.instances, *instance),
            Expr::Length(channel) | Expr::IsEmpty(channel) | Expr::IsFull(channel) => {
                let (ChannelRef::One(first) | ChannelRef::Indexed { first, .. }) = channel;
                *first = number_of(&self.slice.channels, *first);
            }
            // The rest has no numbers of its own.
            _ => {}
        }
        for_children_mut(expr, &mut |child| self.rename(child));
    }
}

/// Which number of the slice one of the whole System has become.
fn number_of(kept: &[u32], whole: u32) -> u32 {
    match kept.binary_search(&whole) {
        Ok(number) => number as u32,
        Err(_) => {
            unreachable!("a cone has all that the steps and properties of its slice speak of")
        }
    }
}
