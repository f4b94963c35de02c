//! Systems from outside, one module for each subject.

mod components;
mod dead;
mod footprints;
mod slices;
