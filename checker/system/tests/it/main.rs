//! Systems from outside, one module for each subject.

mod components;
mod footprints;
mod slices;
