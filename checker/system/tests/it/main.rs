//! Systems from outside, one module for each subject.

mod components;
mod dead;
mod footprints;
mod merged;
mod simplified;
mod slices;
