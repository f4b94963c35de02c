//! The syntax from outside, one module for each subject.

mod again;
mod formatting;
mod messages;
mod survival;
mod trees;
