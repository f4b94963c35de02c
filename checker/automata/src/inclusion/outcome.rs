//! Outcome of a test of inclusion.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inclusion {
    Shown,
    /// The one accepts a word that the other does not.
    Refuted,
    /// A limit was reached first.
    Unknown,
}
