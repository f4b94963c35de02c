//! The steps of a specification as those of a process with no model around it.

use stubborn_system::system::{
    Access, Argument, Communication, Effect, Expr, InstanceId, Place, Step, Target, VariableRef,
};
use stubborn_system::walk::for_children_mut;

/// The instance that a specification's own variables belong to while it is read: none of the model,
/// so that a variable of the model that is reached through a definition is not taken for one.
pub(super) const UNPLACED: InstanceId = InstanceId::MAX;

/// Makes the step one of instance 0 of a System that has this process alone. Gives what it touches
/// beside its own variables, if anything; then there is no such step.
pub(super) fn place_alone(step: &mut Step) -> Option<&'static str> {
    let mut placing = Placing { foreign: None };
    match &mut step.communication {
        None => {}
        Some(Communication::On { arguments, .. }) => {
            for argument in arguments {
                match argument {
                    Argument::Match(value) => placing.expr(value),
                    Argument::Bind(place) => placing.place(place),
                    Argument::Skip => {}
                }
            }
        }
        Some(Communication::Send { .. } | Communication::Receive(..)) => {
            placing.foreign = Some("a channel");
        }
    }
    if let Some(guard) = &mut step.guard {
        placing.expr(guard);
    }
    placing.effects(&mut step.effects);
    if let Target::Test(condition, _, _) = &mut step.target {
        placing.expr(condition);
    }
    placing.foreign
}

struct Placing {
    /// What was found first.
    foreign: Option<&'static str>,
}

impl Placing {
    fn touches(&mut self, what: &'static str) {
        self.foreign.get_or_insert(what);
    }

    fn variable(&mut self, variable: &mut VariableRef) {
        match variable {
            VariableRef::Local(instance, _) if *instance == UNPLACED => *instance = 0,
            VariableRef::Local(..) => self.touches("a variable of a process of the model"),
            VariableRef::Shared(_) => self.touches("a shared variable"),
        }
    }

    fn place(&mut self, place: &mut Place) {
        self.variable(&mut place.variable);
        for access in &mut place.path {
            if let Access::Cell { index, .. } = access {
                self.expr(index);
            }
        }
    }

    fn effects(&mut self, effects: &mut [Effect]) {
        for effect in effects {
            match effect {
                Effect::Assign { place, value, .. } => {
                    self.place(place);
                    self.expr(value);
                }
                Effect::If(condition, then, otherwise) => {
                    self.expr(condition);
                    self.effects(then);
                    self.effects(otherwise);
                }
                Effect::Assert(condition) => self.expr(condition),
            }
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Variable(variable) => self.variable(variable),
            Expr::At(..) => self.touches("a process of the model"),
            Expr::Length(_) | Expr::IsEmpty(_) | Expr::IsFull(_) => {
                self.touches("a channel");
                return;
            }
            _ => {}
        }
        for_children_mut(expr, &mut |child| self.expr(child));
    }
}
