//! Random systems of every kind that there is, made from a list of numbers: where it ends the
//! simplest choices are taken, so that a shorter list of smaller numbers is a simpler system.

use std::sync::Arc;

use stubborn_system::property::{Property, StepPattern, StepSet};
use stubborn_system::system::*;

pub struct Source<'a> {
    numbers: std::slice::Iter<'a, u16>,
}

/// The same system with a variable that nobody touches and for which one word has no room.
pub fn widened(system: &System) -> System {
    let cell = Arc::new(Type::Scalar {
        lo: 0,
        hi: (1 << 40) - 1,
    });
    let mut wide = system.clone();
    wide.variables.push(Variable {
        ty: Type::Array {
            lo: 0,
            len: 2,
            cell,
        },
        initial: Value::Cells(vec![Value::Int(7), Value::Int(0)]),
    });
    wide
}

/// What an expression may speak of.
#[derive(Clone, Default)]
struct Scope {
    variables: Vec<(VariableRef, Type)>,
    /// Each instance's number of locations.
    locations: Vec<u32>,
    channels: Vec<Channel>,
    choices: u32,
    bound: Vec<Type>,
}

impl<'a> Source<'a> {
    pub fn new(numbers: &'a [u16]) -> Source<'a> {
        Source {
            numbers: numbers.iter(),
        }
    }

    /// A number below `n`, which is not 0.
    fn below(&mut self, n: u32) -> u32 {
        self.numbers
            .next()
            .map_or(0, |number| u32::from(*number) % n)
    }

    /// Something that happens once in `n` times.
    fn rarely(&mut self, n: u32) -> bool {
        self.below(n) == n - 1
    }

    fn pick<'b, T>(&mut self, from: &'b [T]) -> &'b T {
        &from[self.below(from.len() as u32) as usize]
    }

    fn list<T>(&mut self, most: u32, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = self.below(most + 1);
        (0..count).map(|_| make(self)).collect()
    }

    fn range(&mut self) -> Range {
        let lo = i64::from(self.below(3)) - 1;
        Range {
            lo,
            hi: lo + i64::from(self.below(3)),
        }
    }

    fn scalar_type(&mut self) -> Type {
        match self.below(12) {
            0..=3 => Type::BOOL,
            4 => Type::Scalar {
                lo: i64::MIN,
                hi: i64::MAX,
            },
            5 => Type::Scalar {
                lo: i64::MAX - 1,
                hi: i64::MAX,
            },
            _ => {
                let Range { lo, hi } = self.range();
                Type::Scalar { lo, hi }
            }
        }
    }

    fn type_of_depth(&mut self, depth: u32) -> Type {
        match self.below(8) {
            5 | 6 if depth > 0 => Type::Array {
                lo: i64::from(self.below(3)) - 1,
                len: 1 + self.below(3),
                cell: self.type_of_depth(depth - 1).into(),
            },
            7 if depth > 0 => {
                let fields = 1 + self.below(2);
                let fields: Vec<Type> =
                    (0..fields).map(|_| self.type_of_depth(depth - 1)).collect();
                Type::Record(fields.into())
            }
            _ => self.scalar_type(),
        }
    }

    fn value_in(&mut self, ty: &Type) -> Value {
        match ty {
            Type::Scalar { lo, hi } => {
                let size = Range { lo: *lo, hi: *hi }.size().min(1000) as u32;
                Value::Int(lo + i64::from(self.below(size)))
            }
            Type::Array { len, cell, .. } => {
                Value::Cells((0..*len).map(|_| self.value_in(cell)).collect())
            }
            Type::Record(fields) => Value::Cells(fields.iter().map(|f| self.value_in(f)).collect()),
        }
    }

    fn variable(&mut self) -> Variable {
        let ty = self.type_of_depth(2);
        Variable {
            initial: self.value_in(&ty),
            ty,
        }
    }

    fn channel(&mut self) -> Channel {
        let mut message = vec![self.range()];
        message.extend(self.list(1, Self::range));
        let capacity = 1 + self.below(3);
        let initial = self.list(capacity, |source| {
            let parts = message.iter();
            parts
                .map(|part| part.lo + i64::from(source.below(part.size() as u32)))
                .collect()
        });
        Channel {
            order: *self.pick(&[Order::Queue, Order::Bag]),
            capacity,
            initial,
            message,
        }
    }

    pub fn system(&mut self) -> System {
        let mut system = System {
            variables: self.list(3, Self::variable),
            channels: Vec::new(),
            actions: self.list(2, |source| Action {
                arguments: source.list(2, Self::range),
            }),
            instances: Vec::new(),
            bounds: Vec::new(),
        };
        for channel in self.list(2, Self::channel) {
            // Sometimes an array of two.
            if self.rarely(3) {
                system.channels.push(channel.clone());
            }
            system.channels.push(channel);
        }
        let instances = 1 + self.below(4);
        let locals: Vec<Vec<Variable>> = (0..instances)
            .map(|_| self.list(2, Self::variable))
            .collect();
        let mut scope = Scope {
            locations: (0..instances).map(|_| 1 + self.below(4)).collect(),
            channels: system.channels.clone(),
            ..Scope::default()
        };
        for (v, variable) in system.variables.iter().enumerate() {
            let place = (VariableRef::Shared(v as u32), variable.ty.clone());
            scope.variables.push(place);
        }
        for (i, locals) in locals.iter().enumerate() {
            for (v, variable) in locals.iter().enumerate() {
                let place = VariableRef::Local(i as u32, v as u32);
                scope.variables.push((place, variable.ty.clone()));
            }
        }
        for (i, locals) in locals.into_iter().enumerate() {
            let instance = self.instance(i as u32, locals, &scope, &system.actions);
            system.instances.push(instance);
        }
        system
    }

    fn instance(
        &mut self,
        i: InstanceId,
        locals: Vec<Variable>,
        scope: &Scope,
        actions: &[Action],
    ) -> Instance {
        let count = scope.locations[i as usize];
        let mut instance = Instance {
            process: i,
            locals,
            steps: vec![],
            locations: vec![],
            initial: self.below(count),
            alphabet: vec![],
        };
        for _ in 0..count {
            let mut steps = vec![self.step(i, scope, actions)];
            steps.extend(self.list(2, |source| source.step(i, scope, actions)));
            if self.rarely(8) {
                steps.clear();
            }
            let first = instance.steps.len() as StepId;
            instance.locations.push(Location {
                steps: (first..first + steps.len() as StepId).collect(),
                is_final: self.below(2) == 1,
            });
            instance.steps.extend(steps);
        }
        for step in &instance.steps {
            if let Some(Communication::On { action, arguments }) = &step.communication {
                let arguments = arguments.iter().map(|argument| match argument {
                    Argument::Match(Expr::Const(Value::Int(value))) => Some(*value),
                    _ => None,
                });
                instance.alphabet.push(ActionPattern {
                    action: *action,
                    arguments: arguments.collect(),
                });
            }
        }
        if !actions.is_empty() && self.rarely(4) {
            let action = self.below(actions.len() as u32);
            let arguments = actions[action as usize].arguments.iter();
            let arguments = arguments.map(|range| (self.below(2) == 1).then_some(range.lo));
            let arguments = arguments.collect();
            instance.alphabet.push(ActionPattern { action, arguments });
        }
        instance
    }

    fn step(&mut self, i: InstanceId, scope: &Scope, actions: &[Action]) -> Step {
        let target = self.below(scope.locations[i as usize]);
        if self.rarely(8) {
            return Step {
                communication: None,
                guard: None,
                choices: vec![],
                effects: vec![],
                target: Target::Test(
                    self.truth(scope, 2),
                    target,
                    self.below(scope.locations[i as usize]),
                ),
            };
        }
        let communication = match self.below(6) {
            1 | 4 if !actions.is_empty() => {
                let action = self.below(actions.len() as u32);
                let arguments = actions[action as usize].arguments.iter();
                let arguments = arguments.map(|range| self.argument(i, scope, *range));
                Some(Communication::On {
                    action,
                    arguments: arguments.collect(),
                })
            }
            2 if !scope.channels.is_empty() => {
                let (channel, message) = self.channel_ref(scope);
                let values = message.iter().map(|range| self.number_near(scope, *range));
                Some(Communication::Send {
                    values: values.collect(),
                    channel,
                })
            }
            3 if !scope.channels.is_empty() => {
                let (channel, message) = self.channel_ref(scope);
                let arguments = message.iter().map(|range| self.argument(i, scope, *range));
                Some(Communication::Receive(
                    channel,
                    arguments.collect(),
                    self.onward(scope),
                ))
            }
            _ => None,
        };
        let guard = self.rarely(3).then(|| self.truth(scope, 2));
        let choices = if self.rarely(4) {
            self.list(2, Self::range)
        } else {
            vec![]
        };
        let mut scope = scope.clone();
        scope.choices = choices.len() as u32;
        Step {
            communication,
            guard,
            choices,
            effects: self.list(2, |source| source.effect(i, &scope, 1)),
            target: Target::To(target),
        }
    }

    fn argument(&mut self, i: InstanceId, scope: &Scope, range: Range) -> Argument {
        match self.below(5) {
            0 => Argument::Skip,
            1 if self.can_assign(i, scope) => Argument::Bind(self.place(i, scope, true)),
            // Often outside its type, or it fails.
            2 if self.below(2) == 0 => Argument::Match(self.number(scope, 1)),
            _ => Argument::Match(self.number_near(scope, range)),
        }
    }

    /// Mostly a constant of the range.
    fn number_near(&mut self, scope: &Scope, range: Range) -> Expr {
        if self.below(8) < 7 {
            let size = range.size().min(1000) as u32;
            Expr::Const(Value::Int(range.lo + i64::from(self.below(size))))
        } else {
            self.number(scope, 1)
        }
    }

    /// What is sent behind a `receive`: by numbers further on, so that the rest is as without it.
    fn onward(&self, scope: &Scope) -> Option<Onward> {
        let mut own = Source {
            numbers: self.numbers.clone(),
        };
        own.numbers.nth(6)?;
        own.rarely(3).then(|| {
            let (channel, message) = own.channel_ref(scope);
            let values = message.iter().map(|range| own.number_near(scope, *range));
            Onward {
                values: values.collect(),
                channel,
            }
        })
    }

    fn channel_ref(&mut self, scope: &Scope) -> (ChannelRef, Vec<Range>) {
        let at = self.below(scope.channels.len() as u32);
        let channel = &scope.channels[at as usize];
        let is_pair = scope.channels.get(at as usize + 1) == Some(channel);
        let channel_ref = if is_pair {
            ChannelRef::Indexed {
                first: at,
                indices: Box::new([ChannelIndex {
                    lo: 0,
                    len: 2,
                    index: self.number_near(scope, Range { lo: 0, hi: 1 }),
                }]),
            }
        } else {
            ChannelRef::One(at)
        };
        (channel_ref, channel.message.clone())
    }

    fn can_assign(&self, i: InstanceId, scope: &Scope) -> bool {
        scope.variables.iter().any(|(v, _)| is_own(*v, i))
    }

    /// A shared variable or one of the instance's own, or a part of it.
    fn place(&mut self, i: InstanceId, scope: &Scope, is_scalar: bool) -> Place {
        let own: Vec<_> = scope
            .variables
            .iter()
            .filter(|(v, _)| is_own(*v, i))
            .collect();
        let (variable, ty) = (*self.pick(&own)).clone();
        let mut place = Place {
            variable,
            path: vec![],
            ty,
        };
        loop {
            let (access, ty) = match &place.ty {
                Type::Scalar { .. } => return place,
                _ if !is_scalar && self.below(2) == 0 => return place,
                Type::Array { lo, len, cell } => {
                    let (lo, len, cell) = (*lo, *len, (**cell).clone());
                    let index = self.index(scope, lo, len);
                    (Access::Cell { lo, len, index }, cell)
                }
                Type::Record(fields) => {
                    let field = self.below(fields.len() as u32);
                    (Access::Field(field), fields[field as usize].clone())
                }
            };
            place.path.push(access);
            place.ty = ty;
        }
    }

    fn index(&mut self, scope: &Scope, lo: i64, len: u32) -> Expr {
        let hi = lo + i64::from(len) - 1;
        self.number_near(scope, Range { lo, hi })
    }

    fn effect(&mut self, i: InstanceId, scope: &Scope, depth: u32) -> Effect {
        match self.below(12) {
            4 | 7 if depth > 0 => Effect::If(
                self.truth(scope, 1),
                self.list(2, |source| source.effect(i, scope, depth - 1)),
                self.list(1, |source| source.effect(i, scope, depth - 1)),
            ),
            11 => Effect::Assert(self.truth(scope, 2)),
            _ if self.can_assign(i, scope) => {
                let place = self.place(i, scope, false);
                let ty = place.ty.clone();
                let value = match &ty {
                    Type::Scalar { lo, hi } if self.below(4) > 0 => {
                        self.number_near(scope, Range { lo: *lo, hi: *hi })
                    }
                    ty => self.value(scope, ty, 2),
                };
                Effect::Assign { place, ty, value }
            }
            _ => Effect::Assert(Expr::Const(Value::Int(1))),
        }
    }

    /// An expression of the type, whose scalars need not be in their ranges.
    fn value(&mut self, scope: &Scope, ty: &Type, depth: u32) -> Expr {
        if let Type::Scalar { .. } = ty {
            return if *ty == Type::BOOL {
                self.truth(scope, depth)
            } else {
                self.number(scope, depth)
            };
        }
        let alike: Vec<_> = scope
            .variables
            .iter()
            .filter(|(_, other)| other == ty)
            .collect();
        match self.below(8) {
            1..=3 if !alike.is_empty() => Expr::Variable(self.pick(&alike).0),
            4 if depth > 0 => Expr::If(
                Box::new(self.truth(scope, depth - 1)),
                Box::new(self.value(scope, ty, depth - 1)),
                Box::new(self.value(scope, ty, depth - 1)),
            ),
            5 if depth > 0 => self.binding(scope, depth, |source, scope| {
                source.value(scope, ty, depth - 1)
            }),
            6 if depth > 0 => Expr::Select {
                lo: 0,
                index: Box::new(self.number_near(scope, Range { lo: 0, hi: 1 })),
                cases: vec![
                    self.value(scope, ty, depth - 1),
                    self.value(scope, ty, depth - 1),
                ],
            },
            7 if depth > 0 => {
                let parts = match ty {
                    Type::Array { len, cell, .. } => vec![(**cell).clone(); *len as usize],
                    Type::Record(fields) => fields.to_vec(),
                    Type::Scalar { .. } => vec![],
                };
                let parts = parts.iter().map(|part| self.value(scope, part, depth - 1));
                Expr::Cells(parts.collect())
            }
            _ => match self.bound(scope, |other| other == ty) {
                Some(bound) => bound,
                None => Expr::Const(self.value_in(ty)),
            },
        }
    }

    fn bound(&mut self, scope: &Scope, fits: impl Fn(&Type) -> bool) -> Option<Expr> {
        let found: Vec<usize> = (0..scope.bound.len())
            .filter(|n| fits(&scope.bound[scope.bound.len() - 1 - n]))
            .collect();
        (!found.is_empty()).then(|| Expr::Bound(*self.pick(&found) as u32))
    }

    fn binding(
        &mut self,
        scope: &Scope,
        depth: u32,
        body: impl FnOnce(&mut Self, &Scope) -> Expr,
    ) -> Expr {
        let ty = self.type_of_depth(1);
        let value = Box::new(self.value(scope, &ty, depth - 1));
        let mut inner = scope.clone();
        inner.bound.push(ty.clone());
        let body = Box::new(body(self, &inner));
        Expr::Let { value, ty, body }
    }

    /// A scalar part of something, a truth value or not.
    fn scalar_part(&mut self, scope: &Scope, depth: u32) -> Option<(Expr, Type)> {
        let (mut expr, mut ty) = if scope.variables.is_empty() || self.rarely(5) {
            let ty = self.type_of_depth(2);
            (self.value(scope, &ty, depth.saturating_sub(1)), ty)
        } else {
            let (variable, ty) = self.pick(&scope.variables).clone();
            (Expr::Variable(variable), ty)
        };
        loop {
            (expr, ty) = match &ty {
                Type::Scalar { .. } => return Some((expr, ty)),
                Type::Array { lo, len, cell } => {
                    let index = self.index(scope, *lo, *len);
                    let expr = Expr::Cell {
                        array: Box::new(expr),
                        lo: *lo,
                        index: Box::new(index),
                    };
                    (expr, (**cell).clone())
                }
                Type::Record(fields) => {
                    let field = self.below(fields.len() as u32);
                    let expr = Expr::Field {
                        record: Box::new(expr),
                        field,
                    };
                    (expr, fields[field as usize].clone())
                }
            };
        }
    }

    fn number(&mut self, scope: &Scope, depth: u32) -> Expr {
        let constant = |source: &mut Self| match source.below(12) {
            10 => i64::MAX,
            11 => i64::MIN,
            small => i64::from(small) - 3,
        };
        if depth == 0 {
            return match self.below(4) {
                1 if scope.choices > 0 => Expr::Choice(self.below(scope.choices)),
                2 => match self.bound(scope, |ty| matches!(ty, Type::Scalar { .. })) {
                    Some(bound) => bound,
                    None => Expr::Const(Value::Int(constant(self))),
                },
                3 if !scope.variables.is_empty() => match self.scalar_part(scope, 0) {
                    Some((expr, _)) => expr,
                    None => Expr::Const(Value::Int(constant(self))),
                },
                _ => Expr::Const(Value::Int(constant(self))),
            };
        }
        let depth = depth - 1;
        match self.below(16) {
            0..=3 => match self.scalar_part(scope, depth) {
                Some((expr, _)) => expr,
                None => Expr::Const(Value::Int(constant(self))),
            },
            4..=6 => {
                let operator = *self.pick(&[
                    Binary::Add,
                    Binary::Subtract,
                    Binary::Multiply,
                    Binary::Divide,
                    Binary::Remainder,
                    Binary::BitAnd,
                    Binary::BitOr,
                    Binary::BitXor,
                    Binary::ShiftLeft,
                    Binary::ShiftRight,
                ]);
                let left = Box::new(self.number(scope, depth));
                Expr::Binary(operator, left, Box::new(self.number(scope, depth)))
            }
            7 => {
                let operator = *self.pick(&[Unary::Negate, Unary::BitNot]);
                Expr::Unary(operator, Box::new(self.number(scope, depth)))
            }
            8 => Expr::If(
                Box::new(self.truth(scope, depth)),
                Box::new(self.number(scope, depth)),
                Box::new(self.number(scope, depth)),
            ),
            9 => Expr::Count(self.list(3, |source| source.truth(scope, depth))),
            10 => Expr::Sum(self.list(3, |source| source.number(scope, depth))),
            11 => {
                let mut operands = vec![self.number(scope, depth)];
                operands.extend(self.list(2, |source| source.number(scope, depth)));
                if self.below(2) == 0 {
                    Expr::Min(operands)
                } else {
                    Expr::Max(operands)
                }
            }
            12 => Expr::Select {
                lo: -1,
                index: Box::new(self.number_near(scope, Range { lo: -1, hi: 0 })),
                cases: vec![self.number(scope, depth), self.number(scope, depth)],
            },
            13 => self.binding(scope, depth + 1, |source, scope| {
                source.number(scope, depth)
            }),
            14 if !scope.channels.is_empty() => Expr::Length(self.channel_ref(scope).0),
            15 if self.rarely(4) => Expr::Fail(Failure::DivisionByZero),
            _ => self.number(scope, 0),
        }
    }

    fn truth(&mut self, scope: &Scope, depth: u32) -> Expr {
        if depth == 0 {
            return match self.below(4) {
                0 => Expr::Const(Value::Int(i64::from(self.below(2)))),
                1 => match self.bound(scope, |ty| *ty == Type::BOOL) {
                    Some(bound) => bound,
                    None => Expr::Const(Value::Int(1)),
                },
                _ => self.at(scope),
            };
        }
        let depth = depth - 1;
        let pair = |source: &mut Self, ty: &Type| {
            let left = Box::new(source.value(scope, ty, depth));
            (left, Box::new(source.value(scope, ty, depth)))
        };
        match self.below(14) {
            0..=3 => {
                let operator = *self.pick(&[
                    Binary::Equal,
                    Binary::NotEqual,
                    Binary::Less,
                    Binary::LessOrEqual,
                    Binary::Greater,
                    Binary::GreaterOrEqual,
                ]);
                let left = Box::new(self.number(scope, depth));
                Expr::Binary(operator, left, Box::new(self.number(scope, depth)))
            }
            4 => {
                let ty = self.type_of_depth(1);
                let (left, right) = pair(self, &ty);
                let operator = *self.pick(&[Binary::Equal, Binary::NotEqual]);
                Expr::Binary(operator, left, right)
            }
            5 => Expr::All(self.list(3, |source| source.truth(scope, depth))),
            6 => Expr::Any(self.list(3, |source| source.truth(scope, depth))),
            7 => Expr::Unary(Unary::Not, Box::new(self.truth(scope, depth))),
            8 => self.at(scope),
            9 if !scope.channels.is_empty() => Expr::IsEmpty(self.channel_ref(scope).0),
            10 if !scope.channels.is_empty() => Expr::IsFull(self.channel_ref(scope).0),
            11 => {
                let ty = self.type_of_depth(1);
                let first = Box::new(self.value(scope, &ty, depth));
                let others = self.list(2, |source| source.value(scope, &ty, depth));
                Expr::OneOf(first, others)
            }
            12 => self.binding(scope, depth + 1, |source, scope| source.truth(scope, depth)),
            _ => match self.scalar_part(scope, depth) {
                Some((expr, ty)) if ty == Type::BOOL => expr,
                _ => self.truth(scope, 0),
            },
        }
    }

    fn at(&mut self, scope: &Scope) -> Expr {
        let instance = self.below(scope.locations.len() as u32);
        let count = scope.locations[instance as usize];
        let locations = (0..count).filter(|_| self.below(2) == 0);
        Expr::At(instance, locations.collect())
    }

    /// A property of each form.
    pub fn properties(&mut self, system: &System) -> Vec<Property> {
        let mut scope = Scope {
            locations: system
                .instances
                .iter()
                .map(|instance| instance.locations.len() as u32)
                .collect(),
            channels: system.channels.clone(),
            ..Scope::default()
        };
        for (v, variable) in system.variables.iter().enumerate() {
            let place = (VariableRef::Shared(v as u32), variable.ty.clone());
            scope.variables.push(place);
        }
        vec![
            Property::Errors,
            Property::Deadlock { allowed: None },
            Property::Deadlock {
                allowed: Some(self.truth(&scope, 2)),
            },
            Property::Termination,
            Property::Invariant(self.truth(&scope, 2)),
            Property::Invariant(self.truth(&scope, 1)),
            Property::MayProgress(self.truth(&scope, 2)),
            Property::MayProgress(self.truth(&scope, 1)),
            Property::MustProgress(self.truth(&scope, 2)),
            Property::MustProgress(self.truth(&scope, 1)),
            self.recurrence(system, &scope),
            self.recurrence(system, &scope),
            Property::Reachable(self.truth(&scope, 2)),
            Property::Reachable(self.truth(&scope, 1)),
        ]
    }

    fn recurrence(&mut self, system: &System, scope: &Scope) -> Property {
        let mut set = |most| StepSet {
            patterns: self.list(most, |source| source.step_pattern(system, scope)),
        };
        Property::Recurrence(set(4), set(2))
    }

    fn step_pattern(&mut self, system: &System, scope: &Scope) -> StepPattern {
        if !system.actions.is_empty() && self.below(2) == 0 {
            let action = self.below(system.actions.len() as u32);
            let ranges = &system.actions[action as usize].arguments;
            let arguments = ranges.iter().map(|range| {
                let value = range.lo + i64::from(self.below(range.size() as u32));
                (self.below(2) == 0).then_some(value)
            });
            return StepPattern::Action(ActionPattern {
                action,
                arguments: arguments.collect(),
            });
        }
        let Expr::At(instance, locations) = self.at(scope) else {
            unreachable!("it says where an instance is");
        };
        if self.below(4) == 0 {
            let count = system.instances[instance as usize].steps.len() as u32;
            let steps = (0..count).filter(|_| self.below(3) == 0).collect();
            return StepPattern::Taken(instance, steps);
        }
        StepPattern::At(instance, locations)
    }
}

fn is_own(variable: VariableRef, i: InstanceId) -> bool {
    match variable {
        VariableRef::Shared(_) => true,
        VariableRef::Local(other, _) => other == i,
    }
}
