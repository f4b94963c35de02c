//! Which sorts meet in a step or an expression.

use super::{ChannelArray, IndexSort, NONE, Named, Node, Sorts, Use};
use crate::symmetry::obstacle::{Reason, Site};
use crate::symmetry::shapes::Shape;
use crate::system::{
    Access, Argument, Binary, ChannelId, ChannelIndex, ChannelRef, Communication, Effect, Expr,
    InstanceId, Place, Step, Target, Unary, Value, VariableRef,
};
use crate::value::elements_of_set;

/// Goes through a step or an expression, and makes one of the sorts that meet in it.
pub struct Walk<'s> {
    sorts: &'s mut Sorts,
    choices: Vec<Node>,
    /// The innermost first.
    bound: Vec<Shape<Node>>,
    pub constants: Vec<Named>,
    /// Within the indices of what is assigned to.
    is_place: bool,
    /// Where it is, and what is done with what has no sort.
    used: Use,
}

impl<'s> Walk<'s> {
    pub fn new(sorts: &'s mut Sorts, choices: Vec<Node>, site: Site) -> Walk<'s> {
        Walk {
            sorts,
            choices,
            bound: Vec::new(),
            constants: Vec::new(),
            is_place: false,
            used: Use {
                site,
                reason: Reason::Other,
            },
        }
    }

    pub fn step(&mut self, step: &Step) {
        match &step.communication {
            None => {}
            Some(Communication::On { action, arguments }) => {
                let parts = self.sorts.actions[*action as usize].clone();
                self.arguments(arguments, &parts);
            }
            Some(Communication::Send { channel, values }) => {
                self.sent(channel, values);
            }
            Some(Communication::Receive(channel, arguments, onward)) => {
                let parts = self.channel(channel);
                self.arguments(arguments, &parts);
                if let Some(onward) = onward {
                    self.sent(&onward.channel, &onward.values);
                }
            }
        }
        step.guard.iter().for_each(|guard| self.plain(guard));
        self.effects(&step.effects);
        if let Target::Test(condition, _, _) = &step.target {
            self.plain(condition);
        }
    }

    fn sent(&mut self, channel: &ChannelRef, values: &[Expr]) {
        let parts = self.channel(channel);
        for (value, part) in values.iter().zip(parts) {
            self.expect(value, &Shape::Scalar(part));
        }
    }

    fn effects(&mut self, effects: &[Effect]) {
        self.siblings(effects, None, |this, effect| match effect {
            Effect::Assign { place, value, .. } => {
                this.place(place);
                match this.sorts.part(place) {
                    Some(shape) => this.expect(value, &shape),
                    None => this.plain(value),
                }
            }
            Effect::If(condition, then, otherwise) => {
                this.plain(condition);
                this.effects(then);
                this.effects(otherwise);
            }
            Effect::Assert(condition) => this.plain(condition),
        });
    }

    /// Goes through siblings, which may be what a `for` or a quantifier is for each of its values.
    /// If they are cells, with the sort of the index and the least one.
    fn siblings<'e, T>(
        &mut self,
        all: &'e [T],
        index: Option<(Node, i64)>,
        mut walk: impl FnMut(&mut Self, &'e T),
    ) {
        let mut rows = Vec::with_capacity(all.len());
        for (nth, one) in (0..).zip(all) {
            let from = self.constants.len();
            walk(self, one);
            let mut row = sorted(&self.constants[from..]);
            row.extend(index.map(|(node, lo)| (node, lo + nth)));
            rows.push(row);
        }
        self.sorts.vary_together(&rows);
    }

    fn arguments(&mut self, arguments: &[Argument], parts: &[Node]) {
        for (argument, part) in arguments.iter().zip(parts) {
            match argument {
                Argument::Match(expr) => self.expect(expr, &Shape::Scalar(*part)),
                Argument::Bind(place) => {
                    self.place(place);
                    if let Some(shape) = self.sorts.part(place) {
                        self.sorts
                            .unify_shapes(&shape, &Shape::Scalar(*part), self.used);
                    }
                }
                Argument::Skip => {}
            }
        }
    }

    /// The sorts of the parts of a channel's messages.
    fn channel(&mut self, channel: &ChannelRef) -> Vec<Node> {
        match channel {
            ChannelRef::One(id) => self.sorts.messages[*id as usize].clone(),
            ChannelRef::Indexed { first, indices } => {
                let nodes: Vec<Node> = match self.sorts.channel_array(*first) {
                    Some(array) => array.indices.iter().map(|index| index.node).collect(),
                    None => self.declare(*first, indices),
                };
                for (index, node) in indices.iter().zip(nodes) {
                    self.expect(&index.index, &Shape::Scalar(node));
                }
                let parts = self.sorts.messages[*first as usize].clone();
                for channel in channel.array() {
                    let others = self.sorts.messages[channel as usize].clone();
                    parts
                        .iter()
                        .zip(others)
                        .for_each(|(a, b)| self.sorts.unify(*a, b, self.used));
                }
                parts
            }
        }
    }

    /// The sorts of the indices of an array of channels that is met for the first time.
    fn declare(&mut self, first: ChannelId, indices: &[ChannelIndex]) -> Vec<Node> {
        let sorts = indices.iter().map(|index| IndexSort {
            lo: index.lo,
            len: index.len,
            node: (self.sorts).node(Some((index.lo, index.lo + i64::from(index.len) - 1))),
        });
        let indices: Vec<IndexSort> = sorts.collect();
        let nodes = indices.iter().map(|index| index.node).collect();
        self.sorts
            .channel_arrays
            .push(ChannelArray { first, indices });
        nodes
    }

    fn place(&mut self, place: &Place) {
        self.is_place = true;
        self.indices(place);
        self.is_place = false;
    }

    fn indices(&mut self, place: &Place) {
        let mut shape = Some(self.sorts.variable(place.variable).clone());
        for access in &place.path {
            shape = match (access, shape) {
                (Access::Field(field), Some(Shape::Record(fields))) => {
                    fields.get(*field as usize).cloned()
                }
                (Access::Cell { index: expr, .. }, Some(Shape::Array { index, cell, .. })) => {
                    self.expect(expr, &Shape::Scalar(index));
                    Some(*cell)
                }
                (Access::Cell { index: expr, .. }, _) => {
                    self.plain(expr);
                    None
                }
                _ => None,
            };
        }
    }

    pub fn plain(&mut self, expr: &Expr) {
        self.expect(expr, &Shape::Scalar(NONE));
    }

    /// Operands of which none has a sort, for this reason.
    fn operands(&mut self, all: &[Expr], reason: Reason) {
        self.siblings(all, None, |this, operand| this.operand(operand, reason));
    }

    fn operand(&mut self, operand: &Expr, reason: Reason) {
        let outside = std::mem::replace(&mut self.used.reason, reason);
        self.plain(operand);
        self.used.reason = outside;
    }

    fn infer(&self, expr: &Expr) -> Option<Shape<Node>> {
        self.sorts.infer(expr, &self.choices, &self.bound)
    }

    /// The value is of the sorts that the expression itself tells, which are returned.
    fn expect_own(&mut self, expr: &Expr) -> Shape<Node> {
        let own = self.infer(expr).unwrap_or(Shape::Scalar(NONE));
        self.expect(expr, &own);
        own
    }

    fn both(&mut self, one: &Expr, other: &Expr) {
        let shape = self.infer(one);
        let shape = shape.or_else(|| self.infer(other));
        let shape = shape.unwrap_or(Shape::Scalar(NONE));
        self.expect(one, &shape);
        self.expect(other, &shape);
    }

    /// The value is of these sorts.
    fn expect(&mut self, expr: &Expr, shape: &Shape<Node>) {
        if let Some(own) = self.infer(expr) {
            let used = match calculates(expr) {
                true => Use {
                    reason: Reason::Calculates,
                    ..self.used
                },
                false => self.used,
            };
            self.sorts.unify_shapes(&own, shape, used);
        }
        match expr {
            Expr::Const(value) => {
                if let (Value::Int(value), Shape::Scalar(node)) = (value, shape) {
                    self.constants.push(Named {
                        node: *node,
                        is_place: self.is_place,
                        value: *value,
                        used: self.used,
                    });
                }
                // A set of one element names it.
                if let (Value::Cells(cells), Shape::Array { index, lo, .. }) = (value, shape) {
                    let elements: Vec<i64> = elements_of_set(cells, *lo).collect();
                    if let [element] = elements[..] {
                        self.constants.push(Named {
                            node: *index,
                            is_place: self.is_place,
                            value: element,
                            used: self.used,
                        });
                    }
                }
            }
            Expr::Variable(_) | Expr::Choice(_) | Expr::At(..) | Expr::Bound(_) | Expr::Fail(_) => {
            }
            Expr::Cell { array, index, .. } => match self.infer(array) {
                Some(whole @ Shape::Array { index: node, .. }) => {
                    self.expect(index, &Shape::Scalar(node));
                    self.expect(array, &whole);
                }
                // A table of constants.
                _ => {
                    self.expect_own(index);
                    if let Expr::Cells(cells) = &**array {
                        self.siblings(cells, None, |this, cell| this.expect(cell, shape));
                    }
                }
            },
            Expr::Field { record, .. } => {
                if let Some(own) = self.infer(record) {
                    self.expect(record, &own);
                }
            }
            Expr::Cells(cells) => match shape {
                Shape::Array {
                    index, lo, cell, ..
                } => self.siblings(cells, Some((*index, *lo)), |this, one| {
                    this.expect(one, cell)
                }),
                Shape::Record(fields) if fields.len() == cells.len() => {
                    for (part, field) in cells.iter().zip(fields) {
                        self.expect(part, field);
                    }
                }
                _ => cells.iter().for_each(|part| self.plain(part)),
            },
            Expr::Unary(operator, operand) => {
                let reason = match operator {
                    Unary::Not => Reason::Other,
                    Unary::Negate | Unary::BitNot => Reason::Calculates,
                };
                self.operand(operand, reason);
            }
            Expr::Binary(Binary::Equal | Binary::NotEqual, one, other) => self.both(one, other),
            Expr::Binary(operator, one, other) => match of_bound(*operator, one, other) {
                Some((value, bound)) => {
                    self.expect_own(value);
                    self.operand(bound, Reason::Compares(*operator));
                }
                None => {
                    let reason = match operator.negated() {
                        Some(_) => Reason::Compares(*operator),
                        None => Reason::Calculates,
                    };
                    self.operand(one, reason);
                    self.operand(other, reason);
                }
            },
            Expr::Sum(parts) | Expr::Min(parts) | Expr::Max(parts) => {
                self.operands(parts, Reason::Calculates);
            }
            Expr::All(parts) | Expr::Any(parts) | Expr::Count(parts) => {
                self.operands(parts, Reason::Other);
            }
            Expr::OneOf(first, others) => others.iter().for_each(|other| self.both(first, other)),
            Expr::If(condition, yes, no) => {
                self.plain(condition);
                self.expect(yes, shape);
                self.expect(no, shape);
            }
            Expr::Select { index, cases, lo } => {
                let index = match self.expect_own(index) {
                    Shape::Scalar(node) => Some((node, *lo)),
                    _ => None,
                };
                let chosen = cases.first().and_then(instance_of);
                if let (Some((node, _)), Some(instance)) = (index, chosen) {
                    let kind = self.sorts.kind_of[instance as usize];
                    self.sorts.chosen.push((node, kind));
                }
                self.siblings(cases, index, |this, case| this.expect(case, shape));
            }
            Expr::Let { value, body, .. } => {
                let own = self.expect_own(value);
                self.bound.insert(0, own);
                self.expect(body, shape);
                self.bound.remove(0);
            }
            Expr::Length(channel) | Expr::IsEmpty(channel) | Expr::IsFull(channel) => {
                self.channel(channel);
            }
        }
    }
}

/// The sorts and values of constants.
pub fn sorted(constants: &[Named]) -> Vec<(Node, i64)> {
    let constants = constants.iter();
    constants.map(|named| (named.node, named.value)).collect()
}

/// The instance whose location or variable an expression is.
fn instance_of(expr: &Expr) -> Option<InstanceId> {
    match expr {
        Expr::At(instance, _) | Expr::Variable(VariableRef::Local(instance, _)) => Some(*instance),
        Expr::Cell { array: of, .. } | Expr::Field { record: of, .. } => instance_of(of),
        _ => None,
    }
}

/// Whether the value of an expression is one that is calculated.
fn calculates(expr: &Expr) -> bool {
    match expr {
        Expr::Unary(operator, _) => *operator != Unary::Not,
        Expr::Binary(operator, ..) => {
            !matches!(operator, Binary::Equal | Binary::NotEqual) && operator.negated().is_none()
        }
        Expr::Sum(_) | Expr::Min(_) | Expr::Max(_) => true,
        _ => false,
    }
}

/// Returns what a comparison by order compares with a constant, and the constant. What is compared
/// may have a sort, whose values the constant tells apart or not: `holder > 0`, if 0 is nobody.
pub fn of_bound<'e>(
    operator: Binary,
    one: &'e Expr,
    other: &'e Expr,
) -> Option<(&'e Expr, &'e Expr)> {
    let is_order = matches!(
        operator,
        Binary::Less | Binary::LessOrEqual | Binary::Greater | Binary::GreaterOrEqual
    );
    match (one, other) {
        _ if !is_order => None,
        (Expr::Const(_), Expr::Const(_)) => None,
        (value, bound @ Expr::Const(_)) | (bound @ Expr::Const(_), value) => Some((value, bound)),
        _ => None,
    }
}
