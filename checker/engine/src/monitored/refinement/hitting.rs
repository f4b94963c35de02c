//! Minimal hitting sets: the least refusals that a specification does not allow.

use stubborn_automata::{Stopped, Work};

/// The inclusion-minimal sets that have a member in common with each of `sets`, in lexical order,
/// or `None` where there would be more than `most`, in the end or on the way. Each set is
/// ascending.
///
/// Of no sets there is one, the empty set; where one of the sets is empty there is none. (Berge's
/// way, set by set: a hitting set of the first k+1 is one of the first k that hits the next, or one
/// that does not with a member of the next.) Costs up to `most`² comparisons a set.
///
/// # Errors
/// Where the work has been stopped.
pub fn minimal_hitting_sets(
    sets: &[Vec<u32>],
    most: usize,
    work: &Work<'_>,
) -> Result<Option<Vec<Vec<u32>>>, Stopped> {
    let mut found: Vec<Vec<u32>> = vec![Vec::new()];
    for set in sets {
        work.spend(found.len())?;
        let (mut hitting, missing): (Vec<Vec<u32>>, Vec<Vec<u32>>) = found
            .into_iter()
            .partition(|candidate| !are_disjoint(candidate, set));
        // One that hits is minimal still: it was before, and more has to be hit now.
        let minimal = hitting.len();
        for candidate in missing {
            for member in set {
                work.spend(1 + minimal)?;
                let mut grown = candidate.clone();
                if let Err(at) = grown.binary_search(member) {
                    grown.insert(at, *member);
                }
                let is_minimal = !hitting[..minimal].iter().any(|h| is_subset(h, &grown));
                if is_minimal {
                    hitting.push(grown);
                }
                if hitting.len() > most {
                    return Ok(None);
                }
            }
        }
        found = hitting;
    }
    found.sort_unstable();
    Ok(Some(found))
}

/// The inclusion-minimal ones of some ascending sets, each once, or `None` where more than `most`
/// pairs of sets would have to be compared. Whoever hits these hits all.
///
/// # Errors
/// Where the work has been stopped.
pub fn minimal_sets(
    mut sets: Vec<Vec<u32>>,
    most: usize,
    work: &Work<'_>,
) -> Result<Option<Vec<Vec<u32>>>, Stopped> {
    let mut compared = 0;
    sets.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    sets.dedup();
    let mut minimal: Vec<Vec<u32>> = Vec::new();
    for set in sets {
        work.spend(1 + minimal.len())?;
        compared += minimal.len();
        if compared > most {
            return Ok(None);
        }
        if !minimal.iter().any(|smaller| is_subset(smaller, &set)) {
            minimal.push(set);
        }
    }
    minimal.sort_unstable();
    Ok(Some(minimal))
}

fn are_disjoint(one: &[u32], other: &[u32]) -> bool {
    one.iter()
        .all(|member| other.binary_search(member).is_err())
}

fn is_subset(inner: &[u32], outer: &[u32]) -> bool {
    inner.len() <= outer.len() && inner.iter().all(|m| outer.binary_search(m).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hitting_sets_of_little_are_as_by_hand() {
        let hitting = |sets: &[&[u32]]| {
            let sets: Vec<Vec<u32>> = sets.iter().map(|set| set.to_vec()).collect();
            minimal_hitting_sets(&sets, 100, &Work::unlimited()).unwrap()
        };
        assert_eq!(hitting(&[]), Some(vec![vec![]]));
        assert_eq!(hitting(&[&[]]), Some(vec![]));
        assert_eq!(hitting(&[&[1, 2]]), Some(vec![vec![1], vec![2]]));
        assert_eq!(
            hitting(&[&[1, 2], &[2, 3]]),
            Some(vec![vec![1, 3], vec![2]])
        );
        assert_eq!(hitting(&[&[1], &[2], &[]]), Some(vec![]));
    }

    #[test]
    fn hitting_sets_are_those_that_trying_all_sets_finds() {
        // All families of up to three sets over four members, by their bits.
        let sets_of = |bits: u32| -> Vec<u32> { (0..4).filter(|m| bits >> m & 1 == 1).collect() };
        for family in 0..16_u32 * 16 * 16 {
            let family = [family % 16, family / 16 % 16, family / 256];
            let hits = |set: u32| family.iter().all(|other| set & other != 0);
            let is_minimal =
                |set: u32| hits(set) && (0..4).all(|m| set >> m & 1 == 0 || !hits(set & !(1 << m)));
            let mut expected: Vec<Vec<u32>> = (0..16)
                .filter(|set| is_minimal(*set))
                .map(sets_of)
                .collect();
            expected.sort();
            let sets = family.into_iter().map(sets_of).collect();
            let sets = minimal_sets(sets, 100, &Work::unlimited()).unwrap();
            let sets = sets.expect("there are few");
            assert_eq!(
                minimal_hitting_sets(&sets, 100, &Work::unlimited()),
                Ok(Some(expected)),
                "{family:?}"
            );
        }
    }

    #[test]
    fn too_many_hitting_sets_are_none() {
        let pairs: Vec<Vec<u32>> = (0..40).map(|n| vec![2 * n, 2 * n + 1]).collect();
        let work = Work::unlimited();
        assert_eq!(minimal_hitting_sets(&pairs, 1000, &work), Ok(None));
        assert_eq!(minimal_sets(pairs, 700, &work), Ok(None));
    }
}
