//! The theorems by which a complete search with stubborn sets decides properties.
//!
//! They are those of A. Valmari, "Stop It, and Be Stubborn!" (ACSD 2015). A violation that a search
//! visits is one of the model in any case; the table says under which condition there is none if
//! the search has visited none. In the plain state space that holds of every property.
//!
//! A complete search beside a monitor decides what its algorithm finds ([`decides`]).

use crate::properties::Preserved;
use crate::search::violations::Algorithm;
use crate::several::Asked;
use crate::verdict::Violation;

/// Condition on a complete reduced search, whose sets fulfil D0 to D2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// None.
    Always,
    /// A terminal state can be reached from every state of the model.
    Terminating,
    /// No step is ignored forever ([`ignored`](crate::reduction::ignoring::ignored)).
    NothingIgnored,
    /// Every cycle has a state in which no step is left out.
    CycleProviso,
}

/// Question that is asked after the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Nothing: it suffices that no violation was visited.
    ByAbsence,
    /// That no cycle of the state space is one that the property excludes.
    ByCycles,
}

/// A row of the table: under the condition the search decides properties of this kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theorem {
    pub condition: Condition,
    pub kind: Preserved,
    pub shown: Shown,
    pub citation: &'static str,
}

const fn row(
    condition: Condition,
    kind: Preserved,
    shown: Shown,
    citation: &'static str,
) -> Theorem {
    Theorem {
        condition,
        kind,
        shown,
        citation,
    }
}

const VALMARI_1_3: &str = "Valmari 2015, Theorems 1 and 3";
const VALMARI_4: &str = "Valmari 2015, Theorem 4";
const VALMARI_5: &str = "Valmari 2015, Theorem 5";
const VALMARI_6: &str = "Valmari 2015, Theorem 6";
const IGNORING: &str = "proved in stubborn_por::reduction::ignoring";
const CLARKE: &str = "Clarke, Grumberg and Peled 1999, section 10.6 (C0 to C3)";

/// All theorems that are used.
pub const THEOREMS: &[Theorem] = {
    use Condition::{Always, CycleProviso, NothingIgnored, Terminating};
    use Preserved::{WhereTerminating, WithCycleProviso, WithoutIgnoring};
    use Shown::{ByAbsence, ByCycles};
    &[
        row(Always, Preserved::Always, ByAbsence, VALMARI_1_3),
        row(Terminating, Preserved::Always, ByAbsence, VALMARI_1_3),
        row(Terminating, WithoutIgnoring, ByAbsence, VALMARI_4),
        row(Terminating, WhereTerminating, ByAbsence, VALMARI_5),
        row(Terminating, WithCycleProviso, ByCycles, VALMARI_6),
        row(NothingIgnored, WithoutIgnoring, ByAbsence, IGNORING),
        row(CycleProviso, WithCycleProviso, ByCycles, CLARKE),
    ]
};

/// Returns what decides a property of this kind after a complete search under this condition, if
/// anything does.
pub fn shown(condition: Condition, kind: Preserved) -> Option<Shown> {
    let mut rows = THEOREMS.iter();
    let row = rows.find(|row| row.condition == condition && row.kind == kind)?;
    Some(row.shown)
}

/// Whether a search with stubborn sets may decide a property of this kind at all.
pub fn is_reducible(kind: Preserved) -> bool {
    THEOREMS.iter().any(|row| row.kind == kind)
}

/// Returns the cycles that a search beside a monitor finds, with rejecting states and ends of runs
/// (A. Valmari, "On-the-fly Verification with Stubborn Sets", CAV 1993, Theorem 3.3: C3 and C4).
pub fn cycles_of(algorithm: Algorithm) -> &'static [(Asked, Violation)] {
    const BOTH: &[(Asked, Violation)] = &[
        (Asked::Livelock, Violation::Livelock),
        (Asked::Infinite, Violation::Infinite),
    ];
    match algorithm {
        Algorithm::OnePass => &BOTH[..1],
        Algorithm::Nested { .. } => &BOTH[1..],
        Algorithm::FourPass | Algorithm::TwoVisit => BOTH,
    }
}

/// Whether a complete search beside a monitor with these kinds of states decides: whether it finds
/// all that the monitor watches for.
pub fn decides(algorithm: Algorithm, livelock: bool, infinite: bool) -> bool {
    let finds = |asked| cycles_of(algorithm).iter().any(|(one, _)| *one == asked);
    (!livelock || finds(Asked::Livelock)) && (!infinite || finds(Asked::Infinite))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminating_model_preserves_every_kind_that_is_preserved_at_all() {
        use Preserved::{Always, Never, WhereTerminating, WithCycleProviso, WithoutIgnoring};
        for kind in [Always, WithoutIgnoring, WhereTerminating, WithCycleProviso] {
            assert!(shown(Condition::Terminating, kind).is_some(), "{kind:?}");
            assert!(is_reducible(kind));
        }
        assert!(!is_reducible(Never));
    }

    #[test]
    fn no_pair_of_a_condition_and_a_kind_has_two_rows() {
        for (at, row) in THEOREMS.iter().enumerate() {
            let same = |other: &Theorem| (other.condition, other.kind) == (row.condition, row.kind);
            assert_eq!(THEOREMS.iter().position(same), Some(at));
        }
    }
}
