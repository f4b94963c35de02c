//! Which scalars and indices are of one sort, found out from how a System uses them.
//!
//! What is assigned to each other, compared for equality, sent and received, or used as an index is of one sort,
//! as in a type inference by unification. What is calculated with, compared by order, or taken for a truth
//! value is of none. Nothing that is found here needs to be right: whether values can be swapped is
//! found out from the steps ([`renamed`](super::renamed)), which looks at the sorts once more.

use std::collections::{BTreeMap, HashMap};

use super::shapes::Shape;
use crate::property::Property;
use crate::system::{
    Access, ActionPattern, Argument, Binary, ChannelRef, Communication, Effect, Expr, InstanceId,
    Order, Place, Step, System, Target, Type, Value, VariableRef,
};

/// Something that has a sort.
pub type Node = u32;

/// What is of no sort.
pub const NONE: Node = 0;

/// The sorts of everything in a System.
pub struct Sorts {
    parent: Vec<Node>,
    /// The least and the greatest value of each sort, at its root.
    extent: Vec<Option<(i64, i64)>>,
    pub shared: Vec<Shape<Node>>,
    /// Instances of one process whose variables have the same shape are of one kind.
    pub kind_of: Vec<usize>,
    /// Of each kind.
    pub locals: Vec<Vec<Shape<Node>>>,
    /// Of each channel.
    pub messages: Vec<Vec<Node>>,
    /// Of each action.
    pub actions: Vec<Vec<Node>>,
    /// The index of an array of channels, by the first.
    channel_indices: HashMap<u32, Node>,
    /// Of each instance, by step.
    pub choices: Vec<Vec<Vec<Node>>>,
    /// Of each instance the constants in its steps.
    constants: Vec<Vec<Named>>,
}

/// A constant: its sort, whether it is an index of what is assigned to, and its value.
type Named = (Node, bool, i64);

impl Sorts {
    pub fn of(system: &System, properties: &[Property]) -> Sorts {
        let mut sorts = Sorts {
            parent: vec![NONE],
            extent: vec![None],
            shared: Vec::new(),
            kind_of: Vec::new(),
            locals: Vec::new(),
            messages: Vec::new(),
            actions: Vec::new(),
            channel_indices: HashMap::new(),
            choices: Vec::new(),
            constants: Vec::new(),
        };
        sorts.declare(system);
        for (number, instance) in (0..).zip(&system.instances) {
            let mut constants = Vec::new();
            for (at, step) in instance.steps.iter().enumerate() {
                let choices = sorts.choices[number as usize][at].clone();
                let mut walk = Walk::new(&mut sorts, choices);
                walk.step(step);
                constants.append(&mut walk.constants);
            }
            sorts.constants.push(constants);
        }
        for property in properties {
            for expr in property.expressions() {
                Walk::new(&mut sorts, Vec::new()).plain(expr);
            }
        }
        sorts
    }

    /// Makes one of the sorts in which like instances differ alike: where one names 0 another one names 1, because a
    /// parameter of theirs is so. What it may be wrong about is that two parameters are one.
    pub fn join(&mut self) {
        let mut first_of_kind: HashMap<usize, usize> = HashMap::new();
        let mut found: Vec<Vec<Node>> = Vec::new();
        for instance in 0..self.constants.len() {
            let first = *first_of_kind
                .entry(self.kind_of[instance])
                .or_insert(instance);
            if first != instance {
                let sorts = self.told_apart(first, instance);
                if sorts.len() > 1 && !found.contains(&sorts) {
                    found.push(sorts);
                }
            }
        }
        // Two that differ in several parameters are told apart by all of the sorts of these.
        found.sort_by_key(Vec::len);
        let mut joined: Vec<Vec<Node>> = Vec::new();
        for sorts in found {
            let meets = |other: &&Vec<Node>| other.iter().any(|node| sorts.contains(node));
            if joined.iter().filter(meets).count() < 2 {
                joined.push(sorts);
            }
        }
        for sorts in joined {
            sorts
                .windows(2)
                .for_each(|pair| self.unify(pair[0], pair[1]));
        }
    }

    /// The sorts of which the steps of two instances name different values, ascending; none where these are more
    /// than one pair of values.
    fn told_apart(&self, one: usize, other: usize) -> Vec<Node> {
        let none = self.root(NONE);
        let mut counts: BTreeMap<Named, i64> = BTreeMap::new();
        for (instance, count) in [(one, 1), (other, -1)] {
            for (node, is_place, value) in &self.constants[instance] {
                *counts
                    .entry((self.root(*node), *is_place, *value))
                    .or_default() += count;
            }
        }
        counts.retain(|(node, ..), count| *count != 0 && *node != none);
        let mut values: Vec<i64> = counts.keys().map(|(.., value)| *value).collect();
        values.sort_unstable();
        values.dedup();
        let mut sorts: Vec<Node> = counts.keys().map(|(node, ..)| *node).collect();
        sorts.dedup();
        if values.len() == 2 { sorts } else { Vec::new() }
    }

    fn declare(&mut self, system: &System) {
        for variable in &system.variables {
            let shape = self.shape(&variable.ty);
            self.shared.push(shape);
        }
        let mut kinds: HashMap<(u32, Vec<Shape<()>>), usize> = HashMap::new();
        for instance in &system.instances {
            let shapes: Vec<Shape<()>> = (instance.locals.iter())
                .map(|local| Shape::of(&local.ty, &mut || ()))
                .collect();
            let next = self.locals.len();
            let kind = *kinds.entry((instance.process, shapes)).or_insert(next);
            if kind == next {
                let shapes = instance
                    .locals
                    .iter()
                    .map(|local| self.shape(&local.ty))
                    .collect();
                self.locals.push(shapes);
            } else {
                for (at, local) in instance.locals.iter().enumerate() {
                    let shape = self.locals[kind][at].clone();
                    self.extend(&shape, &local.ty);
                }
            }
            self.kind_of.push(kind);
            let choices = instance.steps.iter().map(|step| {
                let ranges = step.choices.iter();
                ranges
                    .map(|range| self.node(Some((range.lo, range.hi))))
                    .collect()
            });
            let choices = choices.collect();
            self.choices.push(choices);
        }
        for channel in &system.channels {
            let parts = channel.message.iter().map(|part| match channel.order {
                Order::Queue => self.node(Some((part.lo, part.hi))),
                // Where a message stands in a bag depends on its values.
                Order::Bag => NONE,
            });
            let parts = parts.collect();
            self.messages.push(parts);
        }
        // The channels of an array follow each other and are alike; it does no harm where others are taken for some.
        for (before, channel) in system.channels.windows(2).enumerate() {
            let (one, other) = (&channel[0], &channel[1]);
            if (one.order, one.capacity, &one.message)
                == (other.order, other.capacity, &other.message)
            {
                let parts = self.messages[before]
                    .clone()
                    .into_iter()
                    .zip(self.messages[before + 1].clone());
                parts.for_each(|(a, b)| self.unify(a, b));
            }
        }
        for action in &system.actions {
            let arguments = action.arguments.iter();
            let nodes = arguments
                .map(|range| self.node(Some((range.lo, range.hi))))
                .collect();
            self.actions.push(nodes);
        }
    }

    fn node(&mut self, extent: Option<(i64, i64)>) -> Node {
        self.parent.push(self.parent.len() as Node);
        self.extent.push(extent);
        self.parent.len() as Node - 1
    }

    fn shape(&mut self, ty: &Type) -> Shape<Node> {
        let shape = Shape::of(ty, &mut || self.node(None));
        self.extend(&shape, ty);
        shape
    }

    /// The type's values are among those of the sorts.
    fn extend(&mut self, shape: &Shape<Node>, ty: &Type) {
        match (shape, ty) {
            (Shape::Scalar(node), Type::Scalar { lo, hi }) => self.widen(*node, *lo, *hi),
            (Shape::Array { index, cell, .. }, Type::Array { lo, len, cell: ty }) => {
                self.widen(*index, *lo, lo.saturating_add(i64::from(*len) - 1));
                self.extend(cell, ty);
            }
            (Shape::Record(shapes), Type::Record(fields)) => {
                for (shape, ty) in shapes.iter().zip(fields.iter()) {
                    self.extend(shape, ty);
                }
            }
            _ => debug_assert!(false, "the shape is that of the type"),
        }
    }

    fn widen(&mut self, node: Node, lo: i64, hi: i64) {
        let root = self.root(node);
        let extent = &mut self.extent[root as usize];
        *extent = Some(extent.map_or((lo, hi), |(a, b)| (a.min(lo), b.max(hi))));
    }

    /// What stands for the sort of a node.
    pub fn root(&self, mut node: Node) -> Node {
        while self.parent[node as usize] != node {
            node = self.parent[node as usize];
        }
        node
    }

    fn unify(&mut self, one: Node, other: Node) {
        let (one, other) = (self.root(one), self.root(other));
        let (low, high) = (one.min(other), one.max(other));
        if low != high {
            self.parent[high as usize] = low;
            if let Some((lo, hi)) = self.extent[high as usize] {
                self.widen(low, lo, hi);
            }
        }
    }

    fn unify_shapes(&mut self, one: &Shape<Node>, other: &Shape<Node>) {
        match (one, other) {
            (Shape::Scalar(a), Shape::Scalar(b)) => self.unify(*a, *b),
            (
                Shape::Array {
                    index: a,
                    cell: one,
                    ..
                },
                Shape::Array {
                    index: b,
                    cell: other,
                    ..
                },
            ) => {
                self.unify(*a, *b);
                self.unify_shapes(one, other);
            }
            (Shape::Record(one), Shape::Record(other)) => {
                for (one, other) in one.iter().zip(other) {
                    self.unify_shapes(one, other);
                }
            }
            _ => {}
        }
    }

    /// The sort of the index of the array of channels that begins with this one.
    pub fn channel_index(&self, first: u32) -> Node {
        self.channel_indices.get(&first).copied().unwrap_or(NONE)
    }

    /// The sorts and the least and the greatest value of each, in the order in which they are declared.
    pub fn all(&self) -> Vec<(Node, i64, i64)> {
        let none = self.root(NONE);
        let roots = (0..self.parent.len() as Node)
            .filter(|node| self.root(*node) == *node && *node != none);
        roots
            .filter_map(|root| self.extent[root as usize].map(|(lo, hi)| (root, lo, hi)))
            .collect()
    }

    /// The shape of a variable.
    pub fn variable(&self, variable: VariableRef) -> &Shape<Node> {
        match variable {
            VariableRef::Shared(v) => &self.shared[v as usize],
            VariableRef::Local(i, v) => self.local(i, v),
        }
    }

    pub fn local(&self, instance: InstanceId, variable: u32) -> &Shape<Node> {
        &self.locals[self.kind_of[instance as usize]][variable as usize]
    }

    /// The shape of an expression's value, where it can be told: of a constant it cannot.
    pub fn infer(
        &self,
        expr: &Expr,
        choices: &[Node],
        bound: &[Shape<Node>],
    ) -> Option<Shape<Node>> {
        let none = Some(Shape::Scalar(NONE));
        match expr {
            Expr::Const(_) | Expr::Fail(_) | Expr::Cells(_) => None,
            Expr::Variable(variable) => Some(self.variable(*variable).clone()),
            Expr::Cell { array, .. } => match self.infer(array, choices, bound)? {
                Shape::Array { cell, .. } => Some(*cell),
                _ => None,
            },
            Expr::Field { record, field } => match self.infer(record, choices, bound)? {
                Shape::Record(mut fields) => {
                    let field = *field as usize;
                    (field < fields.len()).then(|| fields.swap_remove(field))
                }
                _ => None,
            },
            Expr::Choice(k) => choices.get(*k as usize).map(|node| Shape::Scalar(*node)),
            Expr::If(_, yes, no) => self
                .infer(yes, choices, bound)
                .or_else(|| self.infer(no, choices, bound)),
            Expr::Select { cases, .. } => cases
                .iter()
                .find_map(|case| self.infer(case, choices, bound)),
            Expr::Let { value, body, .. } => {
                let value = self
                    .infer(value, choices, bound)
                    .unwrap_or(Shape::Scalar(NONE));
                let mut inner = vec![value];
                inner.extend_from_slice(bound);
                self.infer(body, choices, &inner)
            }
            Expr::Bound(n) => bound.get(*n as usize).cloned(),
            Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::All(_)
            | Expr::Any(_)
            | Expr::Count(_)
            | Expr::Sum(_)
            | Expr::Min(_)
            | Expr::Max(_)
            | Expr::OneOf(..)
            | Expr::At(..)
            | Expr::Length(_)
            | Expr::IsEmpty(_)
            | Expr::IsFull(_) => none,
        }
    }

    /// The shape of what a place is, from that of its variable.
    pub fn part(&self, place: &Place) -> Option<Shape<Node>> {
        let mut shape = self.variable(place.variable);
        for access in &place.path {
            shape = match (access, shape) {
                (Access::Field(field), Shape::Record(fields)) => fields.get(*field as usize)?,
                (Access::Cell { .. }, Shape::Array { cell, .. }) => cell,
                _ => return None,
            };
        }
        Some(shape.clone())
    }
}

/// Goes through a step or an expression, and makes one of the sorts that meet in it.
struct Walk<'s> {
    sorts: &'s mut Sorts,
    choices: Vec<Node>,
    /// The innermost first.
    bound: Vec<Shape<Node>>,
    constants: Vec<Named>,
    /// Within the indices of what is assigned to.
    is_place: bool,
}

impl<'s> Walk<'s> {
    fn new(sorts: &'s mut Sorts, choices: Vec<Node>) -> Walk<'s> {
        Walk {
            sorts,
            choices,
            bound: Vec::new(),
            constants: Vec::new(),
            is_place: false,
        }
    }

    fn step(&mut self, step: &Step) {
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
        for effect in effects {
            match effect {
                Effect::Assign { place, value, .. } => {
                    self.place(place);
                    match self.sorts.part(place) {
                        Some(shape) => self.expect(value, &shape),
                        None => self.plain(value),
                    }
                }
                Effect::If(condition, then, otherwise) => {
                    self.plain(condition);
                    self.effects(then);
                    self.effects(otherwise);
                }
                Effect::Assert(condition) => self.plain(condition),
            }
        }
    }

    fn arguments(&mut self, arguments: &[Argument], parts: &[Node]) {
        for (argument, part) in arguments.iter().zip(parts) {
            match argument {
                Argument::Match(expr) => self.expect(expr, &Shape::Scalar(*part)),
                Argument::Bind(place) => {
                    self.place(place);
                    if let Some(shape) = self.sorts.part(place) {
                        self.sorts.unify_shapes(&shape, &Shape::Scalar(*part));
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
            ChannelRef::Indexed {
                first,
                lo,
                len,
                index,
            } => {
                let node = match self.sorts.channel_indices.get(first) {
                    Some(node) => *node,
                    None => {
                        let node = self.sorts.node(Some((*lo, lo + i64::from(*len) - 1)));
                        self.sorts.channel_indices.insert(*first, node);
                        node
                    }
                };
                self.expect(index, &Shape::Scalar(node));
                let parts = self.sorts.messages[*first as usize].clone();
                for channel in *first..first + len {
                    let others = self.sorts.messages[channel as usize].clone();
                    parts
                        .iter()
                        .zip(others)
                        .for_each(|(a, b)| self.sorts.unify(*a, b));
                }
                parts
            }
        }
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

    fn plain(&mut self, expr: &Expr) {
        self.expect(expr, &Shape::Scalar(NONE));
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
            self.sorts.unify_shapes(&own, shape);
        }
        match expr {
            Expr::Const(value) => {
                if let (Value::Int(value), Shape::Scalar(node)) = (value, shape) {
                    self.constants.push((*node, self.is_place, *value));
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
                        cells.iter().for_each(|cell| self.expect(cell, shape));
                    }
                }
            },
            Expr::Field { record, .. } => {
                if let Some(own) = self.infer(record) {
                    self.expect(record, &own);
                }
            }
            Expr::Cells(cells) => {
                for (at, part) in cells.iter().enumerate() {
                    match shape {
                        Shape::Array { cell, .. } => self.expect(part, cell),
                        Shape::Record(fields) if at < fields.len() => {
                            self.expect(part, &fields[at])
                        }
                        _ => self.plain(part),
                    }
                }
            }
            Expr::Unary(_, operand) => self.plain(operand),
            Expr::Binary(Binary::Equal | Binary::NotEqual, one, other) => self.both(one, other),
            Expr::Binary(_, one, other) => {
                self.plain(one);
                self.plain(other);
            }
            Expr::All(parts)
            | Expr::Any(parts)
            | Expr::Count(parts)
            | Expr::Sum(parts)
            | Expr::Min(parts)
            | Expr::Max(parts) => parts.iter().for_each(|part| self.plain(part)),
            Expr::OneOf(first, others) => others.iter().for_each(|other| self.both(first, other)),
            Expr::If(condition, yes, no) => {
                self.plain(condition);
                self.expect(yes, shape);
                self.expect(no, shape);
            }
            Expr::Select { index, cases, .. } => {
                self.expect_own(index);
                cases.iter().for_each(|case| self.expect(case, shape));
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

/// The values of an action's pattern, each with its sort.
pub fn arguments<'a>(
    sorts: &'a Sorts,
    pattern: &'a ActionPattern,
) -> impl Iterator<Item = (Option<i64>, Node)> + 'a {
    let nodes = sorts.actions[pattern.action as usize].iter();
    pattern.arguments.iter().copied().zip(nodes.copied())
}
