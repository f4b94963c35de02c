//! What a run shows, written down finitely.

use crate::label::Valuation;

/// A sequence of valuations: one that ends, or an infinite one that comes round again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Word {
    /// Of a run that ends, never empty: a run is in a state before it takes its first step.
    Ends(Vec<Valuation>),
    /// The `prefix`, and then the `cycle`, never empty, for ever.
    Lasso {
        prefix: Vec<Valuation>,
        cycle: Vec<Valuation>,
    },
}
