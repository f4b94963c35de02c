//! The steps of an instance in portions that are about different things.
//!
//! If one step takes from one channel and the next one from another, their common footprint has as
//! many values as the product of the two, and steps cached by it are seldom found again. The same
//! is true of joint steps with different participants.

/// So many portions at the most: those are joined that have most in common.
pub const MOST: usize = 16;

/// In which portion each step of an instance is, at each location.
pub struct Portions {
    many: usize,
    of: Box<[Box<[u8]>]>,
}

impl Portions {
    /// Divides steps, given by the bits of a state that each may read or change, for each location;
    /// `None` if they are not known. At each location, steps are in one portion if one of them is
    /// about all that the others are about.
    pub fn of(locations: impl Iterator<Item = Vec<Option<Vec<u64>>>>) -> Portions {
        let of: Vec<Box<[u8]>> = locations.map(|steps| portions(&steps)).collect();
        let last = of.iter().flat_map(|steps| steps.iter()).max();
        Portions {
            many: last.map_or(0, |last| usize::from(*last) + 1),
            of: of.into(),
        }
    }

    /// How many there are, at least at one location.
    pub fn many(&self) -> usize {
        self.many
    }

    /// The portion of each of a location's steps.
    #[inline]
    pub fn at(&self, location: usize) -> &[u8] {
        &self.of[location]
    }
}

/// Steps of one portion, and the bits that they are about.
struct Portion {
    bits: Vec<u64>,
    steps: Vec<usize>,
}

/// The portion of each step.
fn portions(steps: &[Option<Vec<u64>>]) -> Box<[u8]> {
    // Steps whose bits are not known cannot be cached, but do not keep others from it.
    let are_all_known = steps.iter().all(Option::is_some);
    let most = MOST - usize::from(!are_all_known);
    let mut all: Vec<Portion> = Vec::new();
    for (at, bits) in steps.iter().enumerate() {
        if let Some(bits) = bits {
            add(&mut all, bits, at);
            if all.len() > most {
                join_two(&mut all);
            }
        }
    }
    let mut of = vec![all.len() as u8; steps.len()];
    for (number, portion) in (0..).zip(all) {
        portion.steps.into_iter().for_each(|step| of[step] = number);
    }
    of.into()
}

/// Adds a step to the smallest portion that is about all of its bits, or to all those together that
/// are about nothing else.
fn add(all: &mut Vec<Portion>, bits: &[u64], step: usize) {
    let larger = all.iter_mut().filter(|portion| is_in(bits, &portion.bits));
    if let Some(least) = larger.min_by_key(|portion| count(&portion.bits)) {
        least.steps.push(step);
        return;
    }
    let mut steps = vec![step];
    all.retain(|portion| {
        let stays = !is_in(&portion.bits, bits);
        if !stays {
            steps.extend(&portion.steps);
        }
        stays
    });
    let bits = bits.to_vec();
    all.push(Portion { bits, steps });
}

/// Joins the two portions that together are about the fewest bits more than one of them.
fn join_two(all: &mut Vec<Portion>) {
    let pairs = (0..all.len()).flat_map(|second| (0..second).map(move |first| (first, second)));
    let more = |(first, second): &(usize, usize)| {
        let (one, other) = (&all[*first].bits, &all[*second].bits);
        count(&union(one, other)) - count(one).max(count(other))
    };
    if let Some((first, second)) = pairs.min_by_key(more) {
        let second = all.swap_remove(second);
        all[first].bits = union(&all[first].bits, &second.bits);
        all[first].steps.extend(second.steps);
    }
}

fn union(one: &[u64], other: &[u64]) -> Vec<u64> {
    one.iter().zip(other).map(|(a, b)| a | b).collect()
}

fn count(bits: &[u64]) -> u32 {
    bits.iter().map(|word| word.count_ones()).sum()
}

fn is_in(some: &[u64], all: &[u64]) -> bool {
    some.iter().zip(all).all(|(some, all)| some & !all == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The portions of steps at one location that are each about these bits.
    fn portions_of(steps: &[Option<u64>]) -> Vec<u8> {
        let steps = steps.iter().map(|bits| bits.map(|bits| vec![bits]));
        let portions = Portions::of(std::iter::once(steps.collect()));
        let of = portions.at(0).to_vec();
        let has_steps = |number: usize| of.contains(&(number as u8));
        assert!((0..portions.many()).all(has_steps));
        of
    }

    #[test]
    fn what_is_about_more_of_the_same_is_in_one() {
        assert_eq!(portions_of(&[]), []);
        assert_eq!(portions_of(&[Some(1)]), [0]);
        assert_eq!(portions_of(&[Some(3), Some(1), Some(7)]), [0, 0, 0]);
        assert_eq!(
            portions_of(&[Some(1), Some(2), Some(2), Some(5)]),
            [1, 0, 0, 1]
        );
        // Between them there may be others.
        assert_eq!(
            portions_of(&[Some(1), Some(2), Some(1), Some(2)]),
            [0, 1, 0, 1]
        );
    }

    #[test]
    fn steps_about_what_is_not_known_are_apart() {
        assert_eq!(
            portions_of(&[Some(1), None, Some(2), None, Some(1)]),
            [0, 2, 1, 2, 0]
        );
        assert_eq!(portions_of(&[None]), [0]);
    }

    #[test]
    fn those_that_have_most_in_common_are_joined_if_there_are_too_many() {
        let mut steps: Vec<Option<u64>> = (0..MOST).map(|at| Some(7 << (3 * at))).collect();
        let all: Vec<u8> = (0..MOST as u8).collect();
        assert_eq!(portions_of(&steps), all);
        // It has two bits of the third.
        steps.push(Some(6 << 6 | 1 << 60));
        let of = portions_of(&steps);
        assert_eq!(of[2], of[MOST]);
        assert_eq!(of.iter().max(), all.last());
        steps.push(None);
        let of = portions_of(&steps);
        assert_eq!(of.iter().max(), of.last());
        assert_eq!(of.last(), all.last());
    }
}
