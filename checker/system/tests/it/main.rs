//! Systems from outside, one module for each subject.

mod footprints;
mod slices;
