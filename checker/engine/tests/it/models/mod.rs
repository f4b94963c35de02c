//! Systems put together by hand.

pub mod peterson;

use stubborn_system::system::*;

pub fn int(value: i64) -> Expr {
    Expr::Const(Value::Int(value))
}

pub fn shared(variable: VariableIndex) -> Expr {
    Expr::Variable(VariableRef::Shared(variable))
}

pub fn local(instance: InstanceId, variable: VariableIndex) -> Expr {
    Expr::Variable(VariableRef::Local(instance, variable))
}

pub fn cell(array: Expr, index: Expr) -> Expr {
    Expr::Cell {
        array: Box::new(array),
        lo: 0,
        index: Box::new(index),
    }
}

pub fn binary(operator: Binary, left: Expr, right: Expr) -> Expr {
    Expr::Binary(operator, Box::new(left), Box::new(right))
}

pub fn add(left: Expr, right: Expr) -> Expr {
    binary(Binary::Add, left, right)
}

pub fn equal(left: Expr, right: Expr) -> Expr {
    binary(Binary::Equal, left, right)
}

pub fn less(left: Expr, right: Expr) -> Expr {
    binary(Binary::Less, left, right)
}

pub fn not(operand: Expr) -> Expr {
    Expr::Unary(Unary::Not, Box::new(operand))
}

pub fn range(lo: i64, hi: i64) -> Type {
    Type::Scalar { lo, hi }
}

pub fn array(len: u32, cell: Type) -> Type {
    Type::Array {
        lo: 0,
        len,
        cell: cell.into(),
    }
}

/// A variable with the least value.
pub fn variable(ty: Type) -> Variable {
    Variable {
        initial: ty.least(),
        ty,
    }
}

pub fn place(variable: VariableRef, ty: Type) -> Place {
    Place {
        variable,
        path: vec![],
        ty,
    }
}

pub fn set(variable: VariableRef, ty: Type, value: Expr) -> Effect {
    Effect::Assign {
        place: place(variable, ty.clone()),
        ty,
        value,
    }
}

/// Assigns to a cell of an array whose indices count from 0.
pub fn set_cell(variable: VariableRef, len: u32, index: Expr, ty: Type, value: Expr) -> Effect {
    Effect::Assign {
        place: Place {
            variable,
            path: vec![Access::Cell { lo: 0, len, index }],
            ty: ty.clone(),
        },
        ty,
        value,
    }
}

/// A step that does nothing but go somewhere.
pub fn go(target: LocationId) -> Step {
    Step {
        communication: None,
        guard: None,
        choices: vec![],
        effects: vec![],
        target: Target::To(target),
    }
}

pub fn when(guard: Expr, target: LocationId) -> Step {
    Step {
        guard: Some(guard),
        ..go(target)
    }
}

pub fn with(step: Step, effects: Vec<Effect>) -> Step {
    Step { effects, ..step }
}

/// An instance that begins at location 0, with the steps of each location; the alphabet is what
/// they mention.
pub fn instance(locations: Vec<Vec<Step>>) -> Instance {
    let mut instance = Instance {
        process: 0,
        locals: vec![],
        steps: vec![],
        locations: vec![],
        initial: 0,
        alphabet: vec![],
    };
    for steps in locations {
        let first = instance.steps.len() as StepId;
        instance.locations.push(Location {
            steps: (first..first + steps.len() as StepId).collect(),
            is_final: steps.is_empty(),
        });
        instance.steps.extend(steps);
    }
    for step in &instance.steps {
        if let Some(Communication::On { action, arguments }) = &step.communication {
            let arguments = arguments.iter().map(|argument| match argument {
                Argument::Match(Expr::Const(Value::Int(value))) => Some(*value),
                _ => None,
            });
            let pattern = ActionPattern {
                action: *action,
                arguments: arguments.collect(),
            };
            if !instance.alphabet.contains(&pattern) {
                instance.alphabet.push(pattern);
            }
        }
    }
    instance
}
