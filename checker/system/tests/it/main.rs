//! Systems from outside, one module for each subject.

mod slices;
