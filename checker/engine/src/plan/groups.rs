//! Properties that are searched together, and those that are searched apart.

use crate::options::{Options, Symmetry};
use crate::plan::stages::Stage;

/// Most properties that are searched one by one for symmetry.
const MOST_APART: usize = 32;
/// Most properties whose permutations are determined one by one.
const MOST_SAMPLED: usize = 4 * MOST_APART;
/// Cost that several searches may have in all, as a fraction of one for all: each begins anew.
const OF_ONE: f64 = 0.9;

/// Size of a slice of the System.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Logarithm of the number of valuations, which bounds the number of states.
    pub bits: f64,
    pub instances: usize,
}

/// Returns the slices whose properties are searched apart, small ones first. The other properties
/// share a search.
///
/// A property that does without some instance or data is searched by itself or with those that have
/// the same slice, as long as all these searches together have no more valuations than a search for
/// all properties has.
pub fn by_slices<C>(all: Size, slices: Vec<(Size, Vec<usize>, C)>) -> Vec<(Vec<usize>, C)> {
    let mut smaller = slices;
    smaller.retain(|(size, ..)| size.instances < all.instances || size.bits < all.bits);
    smaller
        .sort_by(|(a, first, _), (b, other, _)| a.bits.total_cmp(&b.bits).then(first.cmp(other)));
    let mut share = 0.0;
    let apart = smaller.into_iter().take_while(|(size, ..)| {
        share += (size.bits - all.bits).exp2();
        share <= 1.0
    });
    apart
        .map(|(_, properties, slice)| (properties, slice))
        .collect()
}

/// Returns the searches for properties whose states are merged by permutations, in their order, and
/// the first stage of each.
///
/// The permutations that preserve all properties of a search may be few if each is about another
/// instance: `access(0)` and `access(1)` together leave no two instances to swap. So the properties
/// that all permutations preserve are searched together, and the others together or one by one, if
/// these searches are likely to cost less than one. `cost` estimates a search for some properties,
/// as a fraction of one without permutations; counts decide it, never a clock.
pub fn by_symmetry(
    open: &[usize],
    options: &Options,
    cost: &mut dyn FnMut(&[usize]) -> f64,
) -> (Stage, Vec<Vec<usize>>) {
    let one_search = || vec![open.to_vec()];
    let of_none = cost(&[]);
    if of_none >= 1.0 && options.symmetry != Symmetry::Always {
        return (Stage::Plain, one_search());
    }
    let stage = Stage::with_permutations(options);
    if stage == Stage::Plain || open.len() < 2 {
        return (stage, one_search());
    }
    let together = cost(open);
    if together <= of_none {
        return (stage, one_search());
    }
    let (mut preserved, mut others, mut of_others_apart) = (Vec::new(), Vec::new(), 0.0);
    for (at, property) in open.iter().enumerate() {
        // If there are many, the rest of them is searched together.
        let is_sampled = at < MOST_SAMPLED && others.len() <= MOST_APART;
        let of_it = if is_sampled {
            cost(&[*property])
        } else {
            f64::INFINITY
        };
        if of_it <= of_none {
            preserved.push(*property);
        } else {
            others.push(*property);
            of_others_apart += of_it;
        }
    }
    let of_preserved = if preserved.is_empty() { 0.0 } else { of_none };
    let are_apart = others.len() <= MOST_APART && of_others_apart < together;
    let of_others = if are_apart { of_others_apart } else { together };
    if of_preserved + of_others > OF_ONE * together {
        return (stage, one_search());
    }
    let mut searches = vec![preserved];
    match are_apart {
        true => searches.extend(others.into_iter().map(|property| vec![property])),
        false => searches.push(others),
    }
    searches.retain(|properties| !properties.is_empty());
    (stage, searches)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_slices_are_searched_apart_as_long_as_they_cost_no_more_than_one_search() {
        let size = |bits, instances| Size { bits, instances };
        let apart = |slices: &[(f64, usize)]| {
            let slices = slices.iter().enumerate();
            let slices =
                slices.map(|(at, (bits, instances))| (size(*bits, *instances), vec![at], at));
            let apart = by_slices(size(10.0, 4), slices.collect());
            apart
                .into_iter()
                .map(|(_, slice)| slice)
                .collect::<Vec<_>>()
        };
        assert_eq!(apart(&[(9.0, 4), (8.0, 3), (10.0, 4)]), [1, 0]);
        assert_eq!(apart(&[(9.0, 4), (9.0, 3), (9.0, 3)]), [0, 1]);
        // Without an instance less may happen, though there are as many valuations.
        assert_eq!(apart(&[(10.0, 3)]), [0]);
        assert!(apart(&[(10.0, 4)]).is_empty());
    }

    #[test]
    fn properties_that_permutations_preserve_are_searched_apart_from_the_others() {
        let by_symmetry = |costs: [f64; 3], of_all: f64| {
            let mut cost = |asked: &[usize]| match asked {
                [] => 0.1,
                [one] => costs[*one],
                _ => of_all,
            };
            by_symmetry(&[0, 1, 2], &Options::default(), &mut cost)
        };
        let (stage, searches) = by_symmetry([0.1, 0.2, 0.2], 1.0);
        assert_eq!(stage, Stage::Trial(0));
        assert_eq!(searches, [vec![0], vec![1], vec![2]]);
        let (_, searches) = by_symmetry([0.1, 0.5, 0.5], 1.0);
        assert_eq!(searches, [vec![0, 1, 2]]);
        let (_, searches) = by_symmetry([0.2, 0.2, 0.2], 1.0);
        assert_eq!(searches, [vec![0], vec![1], vec![2]]);
        let (_, searches) = by_symmetry([0.2, 0.2, 0.2], 0.1);
        assert_eq!(searches, [vec![0, 1, 2]]);
    }

    #[test]
    fn permutations_that_do_not_pay_are_used_only_if_they_are_forced() {
        let plan = |symmetry| {
            let options = Options {
                symmetry,
                ..Options::default()
            };
            by_symmetry(&[0, 1], &options, &mut |_| 1.0)
        };
        assert_eq!(plan(Symmetry::Auto), (Stage::Plain, vec![vec![0, 1]]));
        assert_eq!(plan(Symmetry::Always), (Stage::Turned, vec![vec![0, 1]]));
    }
}
