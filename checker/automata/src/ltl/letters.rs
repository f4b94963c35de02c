//! Sets of valuations, as unions of cubes that can be compared.

use crate::label::{Cube, Label, Valuation};

/// With more cubes a set is no longer brought into its canonical form.
const MOST_CANONICAL: usize = 48;

/// A set of valuations. It consists of all its prime implicants (Blake's canonical form), so that
/// equal sets look equal, unless there are too many of them: then it is only free of cubes within
/// cubes, and comparing may miss that one set is within another.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Letters(Vec<Cube>);

fn within(small: Cube, large: Cube) -> bool {
    small.holds & large.holds == large.holds && small.fails & large.fails == large.fails
}

/// Adds a cube, unless it is within another one, and takes out those within it.
fn add(cubes: &mut Vec<Cube>, cube: Cube) -> bool {
    if cube.is_empty() || cubes.iter().any(|&other| within(cube, other)) {
        return false;
    }
    cubes.retain(|&other| !within(other, cube));
    cubes.push(cube);
    true
}

/// The consensus of two cubes that disagree in one proposition.
fn consensus(one: Cube, other: Cube) -> Option<Cube> {
    let opposed = (one.holds & other.fails) | (one.fails & other.holds);
    (opposed.count_ones() == 1).then_some(Cube {
        holds: (one.holds | other.holds) & !opposed,
        fails: (one.fails | other.fails) & !opposed,
    })
}

impl Letters {
    /// Empty set.
    pub fn none() -> Letters {
        Letters(Vec::new())
    }

    /// Set of all valuations.
    pub fn any() -> Letters {
        Letters(vec![Cube::default()])
    }

    /// Set of the valuations in which the proposition holds, or in which it does not.
    pub fn literal(proposition: u32, holds: bool) -> Letters {
        let bit: Valuation = 1 << proposition;
        let (holds, fails) = if holds { (bit, 0) } else { (0, bit) };
        Letters(vec![Cube { holds, fails }])
    }

    /// Whether the set is empty.
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// Number of its cubes.
    pub fn size(&self) -> usize {
        self.0.len()
    }

    /// Brings it into canonical form, by iterated consensus.
    fn settle(mut cubes: Vec<Cube>) -> Letters {
        let mut next = 1;
        while next < cubes.len() && cubes.len() <= MOST_CANONICAL {
            let mut grown = false;
            for earlier in 0..next {
                if let Some(cube) = consensus(cubes[earlier], cubes[next])
                    && add(&mut cubes, cube)
                {
                    grown = true;
                    break;
                }
            }
            // Cubes may have gone: from the beginning, of what is few.
            next = if grown { 1 } else { next + 1 };
        }
        cubes.sort_unstable();
        Letters(cubes)
    }

    /// Returns the union of two sets.
    pub fn union(&self, other: &Letters) -> Letters {
        if self.contains(other) {
            return self.clone();
        }
        if other.contains(self) {
            return other.clone();
        }
        let mut cubes = self.0.clone();
        for &cube in &other.0 {
            add(&mut cubes, cube);
        }
        Letters::settle(cubes)
    }

    /// Returns the intersection of two sets.
    pub fn intersection(&self, other: &Letters) -> Letters {
        if self.contains(other) {
            return other.clone();
        }
        if other.contains(self) {
            return self.clone();
        }
        let mut cubes = Vec::new();
        for &one in &self.0 {
            for &other in &other.0 {
                let cube = Cube {
                    holds: one.holds | other.holds,
                    fails: one.fails | other.fails,
                };
                add(&mut cubes, cube);
            }
        }
        Letters::settle(cubes)
    }

    /// Whether the other set is within this one: exact where this one is in canonical form.
    pub(crate) fn contains(&self, other: &Letters) -> bool {
        other
            .0
            .iter()
            .all(|&cube| self.0.iter().any(|&large| within(cube, large)))
    }

    /// As the label of a state: of the cubes only as many as are needed.
    pub fn label(&self) -> Label {
        let mut cubes = self.0.clone();
        // The smallest sets of valuations first, which others are likely to cover.
        cubes.sort_by_key(|cube| {
            std::cmp::Reverse(cube.holds.count_ones() + cube.fails.count_ones())
        });
        let mut at = 0;
        while at < cubes.len() {
            let cube = cubes.remove(at);
            if !covered(cube, &cubes) {
                cubes.insert(at, cube);
                at += 1;
            }
        }
        cubes.sort_unstable();
        Label { cubes }
    }

    /// Returns the valuations that a label reads.
    pub fn of(label: &Label) -> Letters {
        let mut cubes = Vec::new();
        for &cube in &label.cubes {
            add(&mut cubes, cube);
        }
        Letters::settle(cubes)
    }
}

/// How many cubes may be looked at to see whether some cover another one.
const PATIENCE: u32 = 10_000;

/// Whether the cubes together contain a cube; false also where that would take too long to see.
fn covered(cube: Cube, cubes: &[Cube]) -> bool {
    // What is left to be covered, by splitting where a cube cuts through.
    let mut open = vec![cube];
    let mut patience = PATIENCE;
    while let Some(part) = open.pop() {
        if cubes.iter().any(|&large| within(part, large)) {
            continue;
        }
        let meets = |other: &&Cube| part.holds & other.fails == 0 && part.fails & other.holds == 0;
        let Some(cut) = cubes.iter().find(meets) else {
            return false;
        };
        let Some(left) = patience.checked_sub(cubes.len() as u32) else {
            return false;
        };
        patience = left;
        let free = (cut.holds | cut.fails) & !(part.holds | part.fails);
        let bit = free & free.wrapping_neg();
        open.push(Cube {
            holds: part.holds | bit,
            fails: part.fails,
        });
        open.push(Cube {
            holds: part.holds,
            fails: part.fails | bit,
        });
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn some_letters() -> impl Strategy<Value = Letters> {
        let cube = (0u64..16, 0u64..16).prop_map(|(holds, fails)| Cube {
            holds,
            fails: fails & !holds,
        });
        proptest::collection::vec(cube, 0..6).prop_map(|cubes| Letters::of(&Label { cubes }))
    }

    fn read(letters: &Letters) -> Vec<bool> {
        (0..16)
            .map(|v| letters.0.iter().any(|cube| cube.reads(v)))
            .collect()
    }

    proptest! {
        #[test]
        fn sets_of_valuations_are_what_their_valuations_are(
            one in some_letters(),
            other in some_letters(),
        ) {
            let (left, right) = (read(&one), read(&other));
            let pairs = || left.iter().zip(&right);
            let or: Vec<bool> = pairs().map(|(&a, &b)| a || b).collect();
            let and: Vec<bool> = pairs().map(|(&a, &b)| a && b).collect();
            prop_assert_eq!(read(&one.union(&other)), or);
            prop_assert_eq!(read(&one.intersection(&other)), and);
            prop_assert_eq!(one.contains(&other), pairs().all(|(&a, &b)| a || !b));
            prop_assert_eq!(one == other, left == right);
            let label = one.label();
            let again: Vec<bool> = (0..16).map(|v| label.reads(v)).collect();
            prop_assert_eq!(again, left);
        }
    }
}
