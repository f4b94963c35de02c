//! Leaving a part out of footprints on purpose, so that the tests can show that it is needed.
//!
//! Without the feature `mutations`, which only tests ask for, none of this is there.

/// What can be left out of a [footprint](super::footprint).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutation {
    /// Scalars that are written are in it, though nobody has read them.
    Writes,
    /// An index that is not known stands for every cell.
    Cells,
    /// Messages behind the first are in it.
    Messages,
    /// What other participants do is in it.
    Participants,
}

pub const MUTATIONS: [Mutation; 4] = [
    Mutation::Writes,
    Mutation::Cells,
    Mutation::Messages,
    Mutation::Participants,
];

#[cfg(feature = "mutations")]
thread_local! {
    static ACTIVE: std::cell::Cell<Option<Mutation>> = const { std::cell::Cell::new(None) };
}

/// Leaves the part out of all footprints that this thread asks for from now on.
#[cfg(feature = "mutations")]
pub fn mutate(mutation: Option<Mutation>) {
    ACTIVE.set(mutation);
}

/// Whether the part is left out.
#[cfg(feature = "mutations")]
pub(crate) fn is_left_out(mutation: Mutation) -> bool {
    ACTIVE.get() == Some(mutation)
}

/// Whether the part is left out: never.
#[cfg(not(feature = "mutations"))]
#[inline(always)]
pub(crate) fn is_left_out(_: Mutation) -> bool {
    false
}
