//! The intermediate form: what a model means, whatever language it was written in.
//!
//! A [`System`](system::System) is what the engine explores; a [`Property`](property::Property) is
//! what is to be found out about it; a [`SourceMap`](source_map::SourceMap) beside it has the names
//! and the places of what they hold; a [`Slice`](slice::Slice) is the part of a System that some
//! properties depend on. What stands inside an expression is told by [`walk`], what expressions and
//! steps read and write by [`footprint`]: whoever asks that asks there. [`components`] are those of
//! any small graph, which front ends and automata both have.
//!
//! This crate has no syntax in it and no elaboration, no searches and no editor. A front end for
//! another language is a crate that makes these, beside `checker/model`.

pub mod components;
pub mod dump;
pub mod footprint;
pub mod property;
pub mod slice;
pub mod source;
pub mod source_map;
pub mod symmetry;
pub mod system;
pub mod value;
pub mod walk;
