//! Symmetries of a System: permutations of a process's instances, together with the cells of arrays and
//! the values that name them, that map its steps onto themselves.
//!
//! # What a permutation does to a state
//!
//! The values that a scalar may have, and the indices of arrays, are of *sorts*, which are found out from
//! how they are used ([`sorts`]): the index of `gate` and the value of `turn` are of one sort in
//! `gate[turn]`, and what is calculated with, or compared by order, is of none. A permutation renames the values
//! of a sort wherever they stand, moves the cells of arrays that have them for indices, and moves the locations
//! and variables of instances, and channels, to others of the same kind. Where a variable has only the
//! value that it is given when nobody reads it again, that value names nobody and stays ([`blank`]).
//!
//! # What makes it a symmetry
//!
//! It is one if the steps of each instance, renamed in this way, are those of the instance that it is
//! moved to: as many of the same at each location ([`renamed`] says when two expressions are the same). Then a state s
//! has a step to t, by some instances, exactly where π(s) has one to π(t), by those that π moves
//! these to; a step of s fails exactly where one of π(s) does; and who stands at a final location
//! does so afterwards. So π is an automorphism of the graph of *all* states, reachable or not,
//! that the types allow. If it leaves the property's expressions and sets of steps as they are, s and π(s) are
//! bisimilar, in what the property sees, and whatever is told by bisimulation is told by one state for
//! all that permutations make of it (E. M. Clarke, R. Enders, T. Filkorn, S. Jha, "Exploiting Symmetry in
//! Temporal Logic Model Checking", FMSD 1996; E. A. Emerson, A. P. Sistla, "Symmetry and Model Checking", FMSD
//! 1996; C. N. Ip, D. L. Dill, "Better Verification Through Symmetry", FMSD 1996). The
//! initial state need not be kept: a path of states that each stand for others begins with one that stands
//! for the initial state, and each of its steps is one of the real state that it has come to by then.
//!
//! Of a sort the values are put into *clusters* such that any two of a cluster can be swapped. All
//! permutations within clusters are products of such swaps, so that it is enough to try these.

mod blank;
mod matching;
mod owners;
mod renamed;
mod shapes;
mod sorts;
mod swaps;

use crate::property::Property;
use crate::system::{InstanceId, LocationId, System, VariableIndex};

use blank::Blank;
pub use owners::Owned;
pub use shapes::Shape;
use shapes::SortId;

/// One of those that are permuted with each other: a value of a sort, or an instance that no value names.
pub type Element = u16;

/// A group of permutations of the elements, each of which may become any other of its cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// The elements of each cluster; they follow each other.
    pub clusters: Vec<Vec<Element>>,
    /// Of each sort that has elements, their values.
    values: Vec<Vec<(i64, Element)>>,
    /// Of each shared variable.
    shared: Vec<Shape>,
    /// Of each instance the shapes of its variables.
    locals: Vec<Vec<Shape>>,
    /// Of each channel the sorts of the parts of its messages.
    messages: Vec<Vec<Option<SortId>>>,
    pub instances: Vec<Owned>,
    pub channels: Vec<Owned>,
    /// Of each instance.
    blank: Vec<Blank>,
}

impl Symmetry {
    /// The permutations of a System that leave these properties as they are; `None` where there are none but
    /// the identity, or none are found, or `goes_on`, which is asked now and then, does not.
    ///
    /// Costs time in proportion to the size of the System times the number of values that are tried.
    pub fn find(
        system: &System,
        properties: &[Property],
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Option<Symmetry> {
        swaps::find(system, properties, goes_on)
    }

    /// Those of the permutations alone that leave elements among those of their class: `class` is, of each element, the first one
    /// of its class, in its cluster.
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

    /// What a value of a sort is an element as, if it is one.
    pub fn element(&self, sort: SortId, value: i64) -> Option<Element> {
        let values = self.values.get(sort as usize)?;
        let found = values.binary_search_by_key(&value, |(value, _)| *value);
        found.ok().map(|at| values[at].1)
    }

    /// The values of a sort that are elements, ascending.
    pub fn values(&self, sort: SortId) -> &[(i64, Element)] {
        &self.values[sort as usize]
    }

    /// What is renamed and moved of a shared variable.
    pub fn of_shared(&self, variable: VariableIndex) -> &Shape {
        &self.shared[variable as usize]
    }

    /// Likewise of an instance's own.
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
