//! Which scalars and indices are of one sort, found out from how a System uses them.
//!
//! What is assigned to each other, compared for equality, sent and received, or used as an index is of one sort,
//! as in a type inference by unification. What is calculated with, compared by order, or taken for a truth
//! value is of none. Nothing that is found here needs to be right: whether values can be swapped is
//! found out from the steps ([`renamed`](super::renamed)), which looks at the sorts once more.

mod find;
mod guess;
pub mod walk;

use std::collections::HashMap;

use super::obstacle::{Reason, Site};
use super::shapes::Shape;
use crate::system::{
    Access, ActionPattern, ChannelId, Expr, InstanceId, Place, System, Type, VariableRef,
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
    channel_arrays: Vec<ChannelArray>,
    /// Of each instance, by step.
    pub choices: Vec<Vec<Vec<Node>>>,
    /// Of each instance the constants in its steps.
    pub constants: Vec<Vec<Named>>,
    /// Why sorts are one: pairs that were of different sorts before. They form a forest.
    links: Vec<(Node, Node, Use)>,
    /// Pairs that the same constants vary in.
    varying: Vec<(Node, Node)>,
    /// Sorts of values that choose an instance, by the kind of the instances.
    chosen: Vec<(Node, usize)>,
}

/// Channels of which one is chosen by indices.
#[derive(Clone, Debug)]
pub struct ChannelArray {
    pub first: ChannelId,
    pub indices: Vec<IndexSort>,
}

/// The values of an index, and its sort.
#[derive(Clone, Copy, Debug)]
pub struct IndexSort {
    pub lo: i64,
    pub len: u32,
    pub node: Node,
}

impl ChannelArray {
    /// How many channels it has.
    pub fn len(&self) -> u32 {
        let lengths = self.indices.iter().map(|index| index.len);
        lengths.fold(1, u32::saturating_mul)
    }

    /// Where one of them, counted from 0, goes if each index becomes what `becomes` makes of it; `None` where
    /// that is no index.
    pub fn image(&self, at: u32, becomes: &dyn Fn(Node, i64) -> i64) -> Option<u32> {
        let (mut rest, mut apart, mut image) = (at, 1, 0);
        for index in self.indices.iter().rev() {
            let value = becomes(index.node, index.lo + i64::from(rest % index.len));
            let offset = u32::try_from(value - index.lo).ok();
            image += offset.filter(|offset| *offset < index.len)? * apart;
            rest /= index.len;
            apart *= index.len;
        }
        Some(image)
    }
}

/// What is done with something, and where.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    pub site: Site,
    pub reason: Reason,
}

/// A constant in a step.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// Its sort.
    pub node: Node,
    /// Whether it is an index of what is assigned to.
    is_place: bool,
    pub value: i64,
    pub used: Use,
}

impl Sorts {
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
            let parts = channel.message.iter();
            let parts = parts
                .map(|part| self.node(Some((part.lo, part.hi))))
                .collect();
            self.messages.push(parts);
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

    fn unify(&mut self, first: Node, second: Node, used: Use) {
        let (one, other) = (self.root(first), self.root(second));
        let (low, high) = (one.min(other), one.max(other));
        if low != high {
            self.links.push((first, second, used));
            self.parent[high as usize] = low;
            if let Some((lo, hi)) = self.extent[high as usize] {
                self.widen(low, lo, hi);
            }
        }
    }

    /// Returns the use that makes something one of those that have no sort.
    pub fn why_none(&self, node: Node) -> Option<Use> {
        let mut links: HashMap<Node, Vec<(Node, Use)>> = HashMap::new();
        for (one, other, used) in &self.links {
            links.entry(*one).or_default().push((*other, *used));
            links.entry(*other).or_default().push((*one, *used));
        }
        // From what has no sort, with the first use on the way.
        let mut known: HashMap<Node, Option<Use>> = HashMap::from([(NONE, None)]);
        let mut next = vec![NONE];
        while let Some(at) = next.pop() {
            let first = known[&at];
            for (to, used) in links.get(&at).into_iter().flatten() {
                if !known.contains_key(to) {
                    known.insert(*to, first.or(Some(*used)));
                    next.push(*to);
                }
            }
        }
        known.get(&node).copied().flatten()
    }

    fn unify_shapes(&mut self, one: &Shape<Node>, other: &Shape<Node>, used: Use) {
        match (one, other) {
            (Shape::Scalar(a), Shape::Scalar(b)) => self.unify(*a, *b, used),
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
                self.unify(*a, *b, used);
                self.unify_shapes(one, other, used);
            }
            (Shape::Record(one), Shape::Record(other)) => {
                for (one, other) in one.iter().zip(other) {
                    self.unify_shapes(one, other, used);
                }
            }
            _ => {}
        }
    }

    /// The array of channels that begins with this one, if one of them is ever chosen.
    pub fn channel_array(&self, first: ChannelId) -> Option<&ChannelArray> {
        self.channel_arrays
            .iter()
            .find(|array| array.first == first)
    }

    pub fn channel_arrays(&self) -> &[ChannelArray] {
        &self.channel_arrays
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

impl Use {
    /// Sorts of what is declared together.
    const DECLARED: Use = Use {
        site: Site::Declarations,
        reason: Reason::Other,
    };

    /// Something there has no counterpart.
    pub fn unlike(site: Site) -> Use {
        Use {
            site,
            reason: Reason::Other,
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
