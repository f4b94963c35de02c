//! Sorts that are probably one, though nothing in a System says so.
//!
//! What is found may be wrong: two parameters may have the same values everywhere. Permutations are
//! then sought without it.

use std::collections::{BTreeMap, HashMap};

use super::{NONE, Node, Sorts, Use};
use crate::system::{ChannelRef, System};

impl Sorts {
    /// Makes one of the sorts in which like instances differ alike: where one names 0 another one names 1, because a
    /// parameter of theirs is so. What it may be wrong about is that two parameters are one.
    pub fn join(&mut self) {
        let none = self.root(NONE);
        for (one, other) in std::mem::take(&mut self.varying) {
            if self.root(one) != none && self.root(other) != none {
                self.unify(one, other, Use::DECLARED);
            }
        }
        let mut first_of_kind: HashMap<usize, usize> = HashMap::new();
        let mut found: Vec<Vec<Node>> = Vec::new();
        let mut sorts_of_kind: HashMap<usize, Vec<Node>> = HashMap::new();
        for instance in 0..self.constants.len() {
            let first = *first_of_kind
                .entry(self.kind_of[instance])
                .or_insert(instance);
            if first != instance {
                let sorts = self.told_apart(first, instance);
                if let Some(one) = sorts.first() {
                    let of_kind = sorts_of_kind.entry(self.kind_of[instance]).or_default();
                    if !of_kind.contains(one) {
                        of_kind.push(*one);
                    }
                }
                if sorts.len() > 1 && !found.contains(&sorts) {
                    found.push(sorts);
                }
            }
        }
        // What chooses an instance is of the sort that tells it apart, if that is one.
        for (node, kind) in std::mem::take(&mut self.chosen) {
            if let Some([sort]) = sorts_of_kind.get(&kind).map(Vec::as_slice)
                && self.root(node) != none
            {
                found.push(vec![*sort, node]);
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
                .for_each(|pair| self.unify(pair[0], pair[1], Use::DECLARED));
        }
    }

    /// The sorts of which the steps of two instances name different values, ascending; none where these are more
    /// than one pair of values.
    fn told_apart(&self, one: usize, other: usize) -> Vec<Node> {
        let none = self.root(NONE);
        let mut counts: BTreeMap<(Node, bool, i64), i64> = BTreeMap::new();
        for (instance, count) in [(one, 1), (other, -1)] {
            for named in &self.constants[instance] {
                *counts
                    .entry((self.root(named.node), named.is_place, named.value))
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

    /// The channels that like instances use in the same way are those of an array.
    pub(super) fn unify_channels(&mut self, system: &System) {
        let mut first_of_kind: HashMap<usize, usize> = HashMap::new();
        for (number, instance) in system.instances.iter().enumerate() {
            let first = *first_of_kind.entry(self.kind_of[number]).or_insert(number);
            let steps = &system.instances[first].steps;
            if steps.len() != instance.steps.len() {
                continue;
            }
            let pairs = steps.iter().zip(&instance.steps);
            let pairs = pairs.flat_map(|(one, other)| one.channels().zip(other.channels()));
            for pair in pairs {
                let (ChannelRef::One(one), ChannelRef::One(other)) = pair else {
                    continue;
                };
                let parts = self.messages[*one as usize].clone();
                let parts = parts
                    .into_iter()
                    .zip(self.messages[*other as usize].clone());
                parts.for_each(|(a, b)| self.unify(a, b, Use::DECLARED));
            }
        }
    }

    /// Notes which constants of siblings vary together: those that a `for` or a quantifier has put
    /// there have one sort, as in `seen[0] = table[0]` and `seen[1] = table[1]`.
    pub(super) fn vary_together(&mut self, siblings: &[Vec<(Node, i64)>]) {
        let nodes = |row: &Vec<(Node, i64)>| row.iter().map(|(node, _)| *node).collect::<Vec<_>>();
        for rows in siblings.chunk_by(|one, other| nodes(one) == nodes(other)) {
            let mut columns: HashMap<Vec<i64>, Node> = HashMap::new();
            for (at, (node, _)) in rows[0].iter().enumerate() {
                let column: Vec<i64> = rows.iter().map(|row| row[at].1).collect();
                if column.iter().all(|value| *value == column[0]) {
                    continue;
                }
                let first = *columns.entry(column).or_insert(*node);
                if first != *node {
                    self.varying.push((first, *node));
                }
            }
        }
    }
}
