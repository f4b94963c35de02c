//! A group of permutations and what they move.

use super::blank::Blank;
use super::owners::{Element, Owned};
use super::shapes::{Shape, SortId};
use crate::system::{InstanceId, LocationId, VariableIndex};

/// A group of permutations of the elements, each of which may become any other of its cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// The elements of each cluster; they follow each other.
    pub clusters: Vec<Vec<Element>>,
    /// Values of the elements of each sort.
    pub(super) values: Vec<Vec<(i64, Element)>>,
    /// Shape of each shared variable.
    pub(super) shared: Vec<Shape>,
    /// Shapes of the variables of each instance.
    pub(super) locals: Vec<Vec<Shape>>,
    /// Sorts of the parts of the messages of each channel.
    pub(super) messages: Vec<Vec<Option<SortId>>>,
    pub instances: Vec<Owned>,
    pub channels: Vec<Owned>,
    /// Variables of each instance that are blank at each location.
    pub(super) blank: Vec<Blank>,
}

impl Symmetry {
    /// Returns the subgroup that maps each class of elements to itself. `class` has the first element
    /// of the class of each element, in its cluster.
    pub fn within(&self, class: &[Element]) -> Symmetry {
        let mut clusters = Vec::new();
        let mut number: Vec<Element> = vec![0; class.len()];
        let mut next: Element = 0;
        for cluster in &self.clusters {
            let is_first = |element: &&Element| class[usize::from(**element)] == **element;
            for first in cluster.iter().filter(is_first) {
                let mut members = Vec::new();
                let same = |element: &&Element| class[usize::from(**element)] == *first;
                for element in cluster.iter().filter(same) {
                    number[usize::from(*element)] = next;
                    members.push(next);
                    next += 1;
                }
                clusters.push(members);
            }
        }
        let mut within = self.clone();
        within.clusters = clusters;
        let values = within.values.iter_mut().flatten();
        values.for_each(|(_, element)| *element = number[usize::from(*element)]);
        let owned = within.instances.iter_mut().chain(&mut within.channels);
        let owners = owned.flat_map(|owned| &mut owned.owners);
        owners.for_each(|owner| *owner = number[usize::from(*owner)]);
        within
    }

    /// How many permutations there are.
    pub fn permutations(&self) -> f64 {
        let of_cluster =
            |cluster: &Vec<Element>| (1..=cluster.len()).map(|n| n as f64).product::<f64>();
        self.clusters.iter().map(of_cluster).product()
    }

    /// How many elements there are.
    pub fn elements(&self) -> usize {
        self.clusters.iter().map(Vec::len).sum()
    }

    /// Returns the element that a value of a sort is, if any.
    pub fn element(&self, sort: SortId, value: i64) -> Option<Element> {
        let values = self.values.get(sort as usize)?;
        let found = values.binary_search_by_key(&value, |(value, _)| *value);
        found.ok().map(|at| values[at].1)
    }

    /// The values of a sort that are elements, ascending.
    pub fn values(&self, sort: SortId) -> &[(i64, Element)] {
        &self.values[sort as usize]
    }

    /// Returns the parts of a shared variable that a permutation renames and moves.
    pub fn of_shared(&self, variable: VariableIndex) -> &Shape {
        &self.shared[variable as usize]
    }

    /// The same for a variable of an instance.
    pub fn of_local(&self, instance: InstanceId, variable: VariableIndex) -> &Shape {
        &self.locals[instance as usize][variable as usize]
    }

    /// The sorts of the parts of a channel's messages.
    pub fn of_message(&self, channel: u32) -> &[Option<SortId>] {
        &self.messages[channel as usize]
    }

    /// Whether the values of an instance's variable stay as they are where it stands at a location.
    pub fn is_blank(
        &self,
        instance: InstanceId,
        location: LocationId,
        variable: VariableIndex,
    ) -> bool {
        self.blank[instance as usize].is(location, variable)
    }
}
