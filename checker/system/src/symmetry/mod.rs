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
mod difference;
mod group;
mod matching;
mod obstacle;
mod owners;
mod renamed;
mod shapes;
mod sorts;
mod swaps;

use crate::property::{Property, with_bounds};
use crate::system::System;

pub use difference::Difference;
pub use group::Symmetry;
pub use obstacle::{Reason, Site};
pub use owners::{Element, Owned};
pub use shapes::Shape;

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
        swaps::find(system, &with_bounds(system, properties), goes_on)
    }
}
