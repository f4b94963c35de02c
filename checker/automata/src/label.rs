//! Which states of a system a state of an automaton reads.

/// The propositions that hold, bit `i` for proposition `i`.
pub type Valuation = u64;

/// No automaton has more propositions.
pub const MOST_PROPOSITIONS: usize = 64;

/// A conjunction of propositions and negated propositions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Cube {
    /// What must hold.
    pub holds: Valuation,
    /// What must not hold; with something of both no valuation is read.
    pub fails: Valuation,
}

/// A set of valuations: those that one of the cubes reads. None where there are no cubes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Label {
    pub cubes: Vec<Cube>,
}

impl Cube {
    pub fn reads(self, valuation: Valuation) -> bool {
        valuation & self.holds == self.holds && valuation & self.fails == 0
    }

    /// Whether it reads nothing.
    pub fn is_empty(self) -> bool {
        self.holds & self.fails != 0
    }
}

impl Label {
    /// Reads every valuation.
    pub fn any() -> Label {
        Label {
            cubes: vec![Cube::default()],
        }
    }

    pub fn reads(&self, valuation: Valuation) -> bool {
        self.cubes.iter().any(|cube| cube.reads(valuation))
    }
}
