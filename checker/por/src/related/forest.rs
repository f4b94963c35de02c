//! What a step does, as a decision over the values of the scalars that it reads.
//!
//! Equal trees are one tree, so that equal numbers mean equal behaviour.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashSet};

/// Index of a scalar in [`Layout::slots`](stubborn_space::packed::layout::Layout::slots).
pub type CellId = u32;
pub type TreeId = u32;
pub type OutcomeId = u32;

/// What comes of trying a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It is not there: no message, or arguments that do not match. Of a step without an action
    /// also a guard that is false.
    Disabled,
    /// A part of a joint step that matches, with a guard that is false.
    Waits,
    Fails,
    /// A part of a joint step with an effect that fails: the step fails if no other part waits.
    Breaks,
    /// It fails if there is a message in the bag with these values, `None` for one that fails itself: other
    /// values ask for other messages, and who takes the last one ends it.
    FailsOn {
        bag: u32,
        values: Box<[Option<i64>]>,
    },
    Takes(Takes),
}

/// The effect of a step, as far as anybody else can see it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Takes {
    /// Tells apart where the instance itself gets to.
    pub class: u32,
    /// Ascending by scalar. A scalar that keeps its value is not written.
    pub writes: Box<[(CellId, Write)]>,
    /// What is done to channels.
    pub uses: Box<[(u32, ChannelUse)]>,
    /// The values that are sent, or that a message taken from a bag is to have.
    pub values: Box<[Option<i64>]>,
}

impl Takes {
    /// The write of a scalar, if it is written.
    pub fn write_of(&self, cell: CellId) -> Option<Write> {
        let found = self.writes.binary_search_by_key(&cell, |(cell, _)| *cell);
        found.ok().map(|at| self.writes[at].1)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Write {
    /// As it is stored.
    Known(u64),
    Add(i8),
    Any,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChannelUse {
    Append,
    Remove,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Tree {
    Leaf(OutcomeId),
    /// A child for each value of the scalar, as it is stored.
    Branch(CellId, Box<[TreeId]>),
}

/// A scalar is one of these values, ascending.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Literal {
    pub cell: CellId,
    pub values: Box<[u64]>,
}

/// A conjunction of literals about different scalars, and what happens where it holds.
#[derive(Clone, Debug)]
pub struct Cube {
    pub literals: Vec<Literal>,
    pub outcome: OutcomeId,
}

pub const DISABLED: OutcomeId = 0;
pub const WAITS: OutcomeId = 1;
pub const FAILS: OutcomeId = 2;
pub const BREAKS: OutcomeId = 3;

pub struct Forest {
    trees: IndexSet<Tree, FxBuildHasher>,
    outcomes: IndexSet<Outcome, FxBuildHasher>,
}

impl Forest {
    pub fn new() -> Forest {
        let mut forest = Forest {
            trees: IndexSet::default(),
            outcomes: IndexSet::default(),
        };
        let first = [
            Outcome::Disabled,
            Outcome::Waits,
            Outcome::Fails,
            Outcome::Breaks,
        ];
        let numbers = first.map(|outcome| forest.outcome(outcome));
        debug_assert_eq!(numbers, [DISABLED, WAITS, FAILS, BREAKS]);
        forest
    }

    pub fn outcome(&mut self, outcome: Outcome) -> OutcomeId {
        self.outcomes.insert_full(outcome).0 as OutcomeId
    }

    pub fn of_outcome(&self, outcome: OutcomeId) -> &Outcome {
        &self.outcomes[outcome as usize]
    }

    /// The effect of a step, if it is taken.
    pub fn takes(&self, outcome: OutcomeId) -> Option<&Takes> {
        match self.of_outcome(outcome) {
            Outcome::Takes(takes) => Some(takes),
            _ => None,
        }
    }

    fn tree(&mut self, tree: Tree) -> TreeId {
        self.trees.insert_full(tree).0 as TreeId
    }

    pub fn leaf(&mut self, outcome: OutcomeId) -> TreeId {
        self.tree(Tree::Leaf(outcome))
    }

    pub fn branch(&mut self, cell: CellId, children: Vec<TreeId>) -> TreeId {
        match children.first() {
            Some(first) if children.iter().all(|child| child == first) => *first,
            _ => self.tree(Tree::Branch(cell, children.into())),
        }
    }

    pub fn get(&self, tree: TreeId) -> &Tree {
        &self.trees[tree as usize]
    }

    /// What the tree comes to, given the value of each scalar.
    #[inline]
    pub fn decide(&self, mut tree: TreeId, raw: impl Fn(CellId) -> u64) -> OutcomeId {
        loop {
            match &self.trees[tree as usize] {
                Tree::Leaf(outcome) => return *outcome,
                Tree::Branch(cell, children) => tree = children[raw(*cell) as usize],
            }
        }
    }

    /// The ways through the tree, equal children taken together; `None` where there are more than
    /// `most`.
    pub fn cubes(&self, tree: TreeId, most: usize) -> Option<Vec<Cube>> {
        let mut cubes = Vec::new();
        let complete = self.walk(tree, &mut Vec::new(), &mut cubes, most);
        complete.then_some(cubes)
    }

    fn walk(
        &self,
        tree: TreeId,
        literals: &mut Vec<Literal>,
        cubes: &mut Vec<Cube>,
        most: usize,
    ) -> bool {
        match self.get(tree) {
            Tree::Leaf(outcome) => {
                cubes.push(Cube {
                    literals: literals.clone(),
                    outcome: *outcome,
                });
                cubes.len() <= most
            }
            Tree::Branch(cell, children) => grouped(children).into_iter().all(|(child, values)| {
                literals.push(Literal {
                    cell: *cell,
                    values: values.into(),
                });
                let goes_on = self.walk(child, literals, cubes, most);
                literals.pop();
                goes_on
            }),
        }
    }

    /// Calls `found` with each outcome that the tree can come to where every scalar has one of the
    /// values that `allowed` tells, until it returns false. Whether it never did. One may be given several times.
    pub fn outcomes<'s>(
        &self,
        tree: TreeId,
        allowed: &dyn Fn(CellId) -> Allowed<'s>,
        found: &mut dyn FnMut(OutcomeId) -> bool,
    ) -> bool {
        let (cell, children) = match self.get(tree) {
            Tree::Leaf(outcome) => return found(*outcome),
            Tree::Branch(cell, children) => (*cell, children),
        };
        match allowed(cell) {
            // A value outside the range cannot come about.
            Allowed::One(value) => children
                .get(value as usize)
                .is_none_or(|child| self.outcomes(*child, allowed, found)),
            Allowed::These { values, and, by } => {
                let both = |value: &&u64| and.is_none_or(|and| and.binary_search(value).is_ok());
                let moved = |value: &u64| value.wrapping_add_signed(i64::from(by));
                let values = values.iter().filter(both).map(moved);
                let mut those = values.filter_map(|value| children.get(value as usize));
                match (those.next(), those.next()) {
                    (None, _) => true,
                    (Some(only), None) => self.outcomes(*only, allowed, found),
                    (Some(first), Some(second)) => {
                        self.each([first, second].into_iter().chain(those), allowed, found)
                    }
                }
            }
            Allowed::Any => self.each(children.iter(), allowed, found),
        }
    }

    /// Likewise for each of the trees once.
    fn each<'s, 't>(
        &self,
        trees: impl Iterator<Item = &'t TreeId>,
        allowed: &dyn Fn(CellId) -> Allowed<'s>,
        found: &mut dyn FnMut(OutcomeId) -> bool,
    ) -> bool {
        let mut done: SmallSet = SmallSet::default();
        let mut trees = trees.filter(|tree| done.insert(**tree));
        trees.all(|tree| self.outcomes(*tree, allowed, found))
    }
}

/// The values that a scalar may have.
#[derive(Clone, Copy)]
pub enum Allowed<'a> {
    Any,
    One(u64),
    /// These, ascending, as far as they are among those others too; then so much is added.
    These {
        values: &'a [u64],
        and: Option<&'a [u64]>,
        by: i8,
    },
}

/// Trees, mostly few: they are looked through one by one as long as they are.
#[derive(Default)]
struct SmallSet {
    few: [TreeId; 8],
    len: usize,
    more: FxHashSet<TreeId>,
}

impl SmallSet {
    /// Whether it was not there.
    fn insert(&mut self, tree: TreeId) -> bool {
        if self.few[..self.len].contains(&tree) {
            return false;
        }
        if self.len < self.few.len() {
            self.few[self.len] = tree;
            self.len += 1;
            return true;
        }
        self.more.insert(tree)
    }
}

/// The different children, each with the values that lead to it.
fn grouped(children: &[TreeId]) -> IndexMap<TreeId, Vec<u64>, FxBuildHasher> {
    let mut groups: IndexMap<TreeId, Vec<u64>, FxBuildHasher> = IndexMap::default();
    for (value, child) in (0..).zip(children) {
        groups.entry(*child).or_default().push(value);
    }
    groups
}
