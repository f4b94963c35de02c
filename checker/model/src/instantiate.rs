//! An instance of a template: its values put in for the open parameters, and what has become
//! constant folded as it is when it is read ([`crate::template`]).

use crate::evaluate::{Stop, evaluate, outside_type, position};
use crate::expressions::cannot_fail;
use crate::template::{Condition, OWN, opened};
use stubborn_system::source::Span;
use stubborn_system::source_map::Branches;
use stubborn_system::system::{
    Access, Argument, Binary, ChannelIndex, ChannelRef, Communication, Effect, Expr, InstanceId,
    Onward, Place, Step, Target, Value, VariableRef,
};
use stubborn_system::walk::{for_children, tests};

/// The template does not stand for this instance, which is to be read by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Differs;

/// An instance that a template stands for, maybe.
pub(crate) struct Instantiation<'v> {
    pub instance: InstanceId,
    /// Of the parameters.
    pub values: &'v [i64],
    /// How many parts have been made.
    pub parts: u64,
}

/// An expression, and whether a value stands in it for an open parameter.
type Made = (Expr, bool);

/// Where each `if` among the effects of a step stands, as they are gone through.
struct Placing<'b> {
    /// Of the template, from the next one on.
    open: std::slice::Iter<'b, Span>,
    made: Branches,
}

impl Placing<'_> {
    /// A branch that the instance does not have. What was decided in it in the template stays: that tells less, and
    /// nothing that is wrong.
    fn pass_over(&mut self, effects: &[Effect]) {
        if let Some(last) = tests(effects).checked_sub(1) {
            self.open.nth(last);
        }
    }
}

impl Instantiation<'_> {
    /// Whether the template stands for the instance as far as this condition goes.
    pub fn meets(&mut self, condition: &Condition) -> bool {
        let (Condition::Within(expr, _) | Condition::MayFail(expr) | Condition::OfState(expr)) =
            condition;
        let Ok(expr) = self.expr(expr) else {
            return false;
        };
        match (condition, expr) {
            (_, Expr::Fail(_)) => false,
            (Condition::Within(_, range), Expr::Const(Value::Int(value))) => range.contains(value),
            (Condition::Within(..), _) => true,
            (Condition::MayFail(_), expr) => !cannot_fail(&expr),
            (Condition::OfState(_), expr) => !matches!(expr, Expr::Const(_)),
        }
    }

    /// The step, and where each `if` among its effects stands, given where those of the template do.
    pub fn step(&mut self, step: &Step, branches: &Branches) -> Result<(Step, Branches), Differs> {
        let communication = match &step.communication {
            Some(communication) => Some(self.communication(communication)?),
            None => None,
        };
        let guard = match &step.guard {
            Some(guard) => Some(self.expr(guard)?).filter(|guard| !is_true(guard)),
            None => None,
        };
        let mut placing = Placing {
            open: branches.tests.iter(),
            made: Branches {
                tests: Vec::with_capacity(branches.tests.len()),
                decided: branches.decided.clone(),
            },
        };
        let step = Step {
            communication,
            guard,
            choices: step.choices.clone(),
            effects: self.effects(&step.effects, &mut placing)?,
            target: match &step.target {
                Target::To(location) => Target::To(*location),
                Target::Test(condition, then, otherwise) => {
                    Target::Test(self.expr(condition)?, *then, *otherwise)
                }
            },
        };
        Ok((step, placing.made))
    }

    fn communication(&mut self, communication: &Communication) -> Result<Communication, Differs> {
        Ok(match communication {
            Communication::On { action, arguments } => Communication::On {
                action: *action,
                arguments: self.arguments(arguments)?,
            },
            Communication::Send { channel, values } => Communication::Send {
                channel: self.channel(channel)?.0,
                values: self.exprs(values)?.0,
            },
            Communication::Receive(channel, arguments, onward) => Communication::Receive(
                self.channel(channel)?.0,
                self.arguments(arguments)?,
                match onward {
                    None => None,
                    Some(onward) => Some(Onward {
                        channel: self.channel(&onward.channel)?.0,
                        values: self.exprs(&onward.values)?.0,
                    }),
                },
            ),
        })
    }

    fn arguments(&mut self, arguments: &[Argument]) -> Result<Vec<Argument>, Differs> {
        let mut made = Vec::with_capacity(arguments.len());
        for argument in arguments {
            made.push(match argument {
                Argument::Match(expr) => Argument::Match(self.expr(expr)?),
                Argument::Bind(place) => {
                    let place = self.place(place)?;
                    let again = |other: &Argument| matches!(other, Argument::Bind(other) if *other == place);
                    // No place takes two values: that is told.
                    if made.iter().any(again) {
                        return Err(Differs);
                    }
                    Argument::Bind(place)
                }
                Argument::Skip => Argument::Skip,
            });
        }
        Ok(made)
    }

    fn effects(
        &mut self,
        effects: &[Effect],
        placing: &mut Placing<'_>,
    ) -> Result<Vec<Effect>, Differs> {
        let mut made = Vec::with_capacity(effects.len());
        for effect in effects {
            self.parts += 1;
            match effect {
                Effect::Assign { place, ty, value } => made.push(Effect::Assign {
                    place: self.place(place)?,
                    ty: ty.clone(),
                    value: self.expr(value)?,
                }),
                Effect::If(condition, then, otherwise) => {
                    let span = placing.open.next().copied();
                    match self.made(condition)? {
                        (Expr::Const(value), true) => {
                            let is_true = value != Value::Int(0);
                            let decided = span.map(|span| (span, is_true));
                            placing.made.decided.extend(decided);
                            if is_true {
                                made.extend(self.effects(then, placing)?);
                                placing.pass_over(otherwise);
                            } else {
                                placing.pass_over(then);
                                made.extend(self.effects(otherwise, placing)?);
                            }
                        }
                        (condition, _) => {
                            placing.made.tests.extend(span);
                            made.push(Effect::If(
                                condition,
                                self.effects(then, placing)?,
                                self.effects(otherwise, placing)?,
                            ));
                        }
                    }
                }
                Effect::Assert(condition) => {
                    let condition = self.expr(condition)?;
                    if !is_true(&condition) {
                        made.push(Effect::Assert(condition));
                    }
                }
            }
        }
        Ok(made)
    }

    fn place(&mut self, place: &Place) -> Result<Place, Differs> {
        let mut path = Vec::with_capacity(place.path.len());
        for access in &place.path {
            path.push(match access {
                Access::Field(field) => Access::Field(*field),
                Access::Cell { lo, len, index } => Access::Cell {
                    lo: *lo,
                    len: *len,
                    index: self.expr(index)?,
                },
            });
        }
        Ok(Place {
            variable: self.variable(place.variable),
            path,
            ty: place.ty.clone(),
        })
    }

    fn variable(&self, variable: VariableRef) -> VariableRef {
        match variable {
            VariableRef::Local(OWN, index) => VariableRef::Local(self.instance, index),
            other => other,
        }
    }

    /// A channel of an array that is known is named itself.
    fn channel(&mut self, channel: &ChannelRef) -> Result<(ChannelRef, bool), Differs> {
        let ChannelRef::Indexed { first, indices } = channel else {
            return Ok((channel.clone(), false));
        };
        let mut made = Vec::with_capacity(indices.len());
        let mut is_any_put_in = false;
        // Where the channel is, as long as all indices are known.
        let mut at = Some(0);
        for ChannelIndex { lo, len, index } in indices {
            let (index, is_put_in) = self.made(index)?;
            is_any_put_in |= is_put_in;
            at = match &index {
                Expr::Const(Value::Int(value)) => {
                    match (position(*value, *lo, *len as usize), is_put_in) {
                        (None, true) => return Err(Differs),
                        (offset, _) => at.and_then(|at| Some(at * *len + offset? as u32)),
                    }
                }
                _ => None,
            };
            made.push(ChannelIndex {
                lo: *lo,
                len: *len,
                index,
            });
        }
        if let (Some(at), true) = (at, is_any_put_in) {
            return Ok((ChannelRef::One(first + at), true));
        }
        let channel = ChannelRef::Indexed {
            first: *first,
            indices: made.into(),
        };
        Ok((channel, is_any_put_in))
    }

    fn expr(&mut self, expr: &Expr) -> Result<Expr, Differs> {
        Ok(self.made(expr)?.0)
    }

    fn exprs(&mut self, exprs: &[Expr]) -> Result<(Vec<Expr>, bool), Differs> {
        let mut made = Vec::with_capacity(exprs.len());
        let mut is_put_in = false;
        for expr in exprs {
            let (expr, put_in) = self.made(expr)?;
            made.push(expr);
            is_put_in |= put_in;
        }
        Ok((made, is_put_in))
    }

    /// What no value is put into is as it was read; all else is made as it is made when it is read
    /// ([`crate::expressions`]).
    fn made(&mut self, expr: &Expr) -> Result<Made, Differs> {
        self.parts += 1;
        if let Some(number) = opened(expr) {
            return Ok((Expr::Const(Value::Int(self.values[number])), true));
        }
        match expr {
            Expr::Const(_) | Expr::Choice(_) | Expr::At(..) | Expr::Bound(_) | Expr::Fail(_) => {
                Ok((expr.clone(), false))
            }
            Expr::Variable(variable) => Ok((Expr::Variable(self.variable(*variable)), false)),
            Expr::Cell { array, lo, index } => {
                let (index, in_index) = self.boxed(index)?;
                if let (Expr::Const(Value::Cells(cells)), Expr::Const(Value::Int(value)), true) =
                    (&**array, &*index, in_index)
                {
                    // A table need not be copied for one of its cells.
                    let cell = position(*value, *lo, cells.len()).ok_or(Differs)?;
                    return Ok((Expr::Const(cells[cell].clone()), true));
                }
                let (array, in_array) = self.boxed(array)?;
                let lo = *lo;
                folded(Expr::Cell { array, lo, index }, in_array || in_index)
            }
            Expr::Field { record, field } => {
                let (record, is_put_in) = self.boxed(record)?;
                let field = *field;
                folded(Expr::Field { record, field }, is_put_in)
            }
            Expr::Cells(cells) => self.operation(cells, Expr::Cells),
            Expr::Unary(operator, operand) => {
                let (operand, is_put_in) = self.boxed(operand)?;
                folded(Expr::Unary(*operator, operand), is_put_in)
            }
            Expr::Binary(operator, a, b) => {
                let (a, in_a) = self.boxed(a)?;
                let (b, in_b) = self.boxed(b)?;
                let is_put_in = in_a || in_b;
                if is_put_in && fails_by_itself(*operator, &b) {
                    return Err(Differs);
                }
                folded(Expr::Binary(*operator, a, b), is_put_in)
            }
            Expr::All(operands) => self.junction(operands, false),
            Expr::Any(operands) => self.junction(operands, true),
            Expr::If(condition, then, otherwise) => {
                let (condition, in_condition) = self.boxed(condition)?;
                match (&*condition, in_condition) {
                    (Expr::Const(value), true) => {
                        let is_false = *value == Value::Int(0);
                        return Ok((self.expr(if is_false { otherwise } else { then })?, true));
                    }
                    (Expr::Fail(_), true) => return Err(Differs),
                    _ => {}
                }
                let (then, in_then) = self.boxed(then)?;
                let (otherwise, in_otherwise) = self.boxed(otherwise)?;
                let is_put_in = in_condition || in_then || in_otherwise;
                Ok((Expr::If(condition, then, otherwise), is_put_in))
            }
            Expr::Count(operands) => self.summands(operands, Expr::Count),
            Expr::Sum(operands) => self.summands(operands, Expr::Sum),
            Expr::Min(operands) => self.operation(operands, Expr::Min),
            Expr::Max(operands) => self.operation(operands, Expr::Max),
            Expr::OneOf(first, others) => {
                let (first, in_first) = self.boxed(first)?;
                let (others, in_others) = self.exprs(others)?;
                folded(Expr::OneOf(first, others), in_first || in_others)
            }
            Expr::Select { lo, index, cases } => {
                let (index, in_index) = self.boxed(index)?;
                match (&*index, in_index) {
                    (Expr::Const(Value::Int(value)), true) => {
                        let chosen = position(*value, *lo, cases.len()).ok_or(Differs)?;
                        return Ok((self.expr(&cases[chosen])?, true));
                    }
                    (Expr::Fail(_), true) => return Err(Differs),
                    _ => {}
                }
                let (cases, in_cases) = self.exprs(cases)?;
                let lo = *lo;
                Ok((Expr::Select { lo, index, cases }, in_index || in_cases))
            }
            Expr::Let { value, ty, body } => {
                let (value, in_value) = self.boxed(value)?;
                match (&*value, in_value) {
                    (Expr::Const(value), true) if outside_type(value, ty).is_some() => {
                        return Err(Differs);
                    }
                    (Expr::Fail(_), true) => return Err(Differs),
                    _ => {}
                }
                let (body, in_body) = self.boxed(body)?;
                let ty = ty.clone();
                Ok((Expr::Let { value, ty, body }, in_value || in_body))
            }
            Expr::Length(channel) => self.of_channel(channel, Expr::Length),
            Expr::IsEmpty(channel) => self.of_channel(channel, Expr::IsEmpty),
            Expr::IsFull(channel) => self.of_channel(channel, Expr::IsFull),
        }
    }

    fn boxed(&mut self, expr: &Expr) -> Result<(Box<Expr>, bool), Differs> {
        let (expr, is_put_in) = self.made(expr)?;
        Ok((Box::new(expr), is_put_in))
    }

    fn operation(
        &mut self,
        operands: &[Expr],
        make: fn(Vec<Expr>) -> Expr,
    ) -> Result<Made, Differs> {
        let (operands, is_put_in) = self.exprs(operands)?;
        folded(make(operands), is_put_in)
    }

    /// As [`Self::operation`], without operands that add nothing.
    fn summands(
        &mut self,
        operands: &[Expr],
        make: fn(Vec<Expr>) -> Expr,
    ) -> Result<Made, Differs> {
        let (mut operands, is_put_in) = self.exprs(operands)?;
        if is_put_in {
            operands.retain(|operand| *operand != Expr::int(0));
        }
        folded(make(operands), is_put_in)
    }

    fn of_channel(
        &mut self,
        channel: &ChannelRef,
        make: fn(ChannelRef) -> Expr,
    ) -> Result<Made, Differs> {
        let (channel, is_put_in) = self.channel(channel)?;
        Ok((make(channel), is_put_in))
    }

    /// Conjunction (`decides` is false) or disjunction (true), as
    /// `Joined` in [`crate::expressions`] has it: after an operand that is known to decide, or to
    /// fail, no other is evaluated, and what is known and leaves it to the others is left out.
    fn junction(&mut self, operands: &[Expr], decides: bool) -> Result<Made, Differs> {
        let make = |operands| match decides {
            false => Expr::All(operands),
            true => Expr::Any(operands),
        };
        let mut made = Vec::with_capacity(operands.len());
        let mut is_put_in = false;
        for (position, operand) in operands.iter().enumerate() {
            let (operand, put_in) = self.made(operand)?;
            is_put_in |= put_in;
            // What the template knows to decide stands last in it.
            let is_decided = put_in || position + 1 == operands.len();
            match &operand {
                Expr::Const(value) if put_in && (*value != Value::Int(0)) != decides => {}
                Expr::Const(_) if is_decided && made.is_empty() => {
                    return Ok((Expr::int(decides), true));
                }
                Expr::Fail(_) if is_decided && made.is_empty() => return Ok((operand, true)),
                Expr::Const(_) | Expr::Fail(_) if is_decided => {
                    made.push(operand);
                    return Ok((make(made), true));
                }
                _ => made.push(operand),
            }
        }
        Ok(match made.len() {
            0 => (Expr::int(!decides), true),
            1 => (made.remove(0), is_put_in),
            _ => (make(made), is_put_in),
        })
    }
}

fn is_true(expr: &Expr) -> bool {
    *expr == Expr::int(1)
}

/// An operation worked out if a value has been put in and all its operands are known. What fails is
/// read by itself, since it may be told.
fn folded(expr: Expr, is_put_in: bool) -> Result<Made, Differs> {
    if !is_put_in {
        return Ok((expr, false));
    }
    let mut all_known = true;
    for_children(&expr, &mut |child| {
        all_known &= matches!(child, Expr::Const(_) | Expr::Fail(_))
    });
    if !all_known {
        return Ok((expr, true));
    }
    match evaluate(&expr) {
        Ok(value) => Ok((Expr::Const(value), true)),
        Err(Stop::Failure(_)) => Err(Differs),
        Err(Stop::State) => Ok((expr, true)),
    }
}

/// Whether the right operand alone makes the operation fail.
fn fails_by_itself(operator: Binary, right: &Expr) -> bool {
    let Expr::Const(Value::Int(value)) = right else {
        return false;
    };
    match operator {
        Binary::Divide | Binary::Remainder => *value == 0,
        Binary::ShiftLeft | Binary::ShiftRight => !(0..=63).contains(value),
        _ => false,
    }
}
