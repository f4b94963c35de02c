//! The steps of an instance in portions that are about different things.
//!
//! If one step takes from one channel and the next one from another, their common footprint has as
//! many values as the product of the two, and steps cached by it are seldom found again.

use std::ops::Range;

/// So many portions at the most; the last one has what is left.
pub const MOST: usize = 4;

/// Where the portions of an instance's steps end, at each location.
pub struct Portions {
    many: usize,
    ends: Box<[[u32; MOST]]>,
}

impl Portions {
    /// Divides steps, given by the bits of a state that each may read or change, for each location;
    /// `None` if they are not known. At each location, steps that follow each other are in one
    /// portion if some of them are about all that the others are about.
    pub fn of(locations: impl Iterator<Item = Vec<Option<Vec<u64>>>>) -> Portions {
        let ends: Vec<([u32; MOST], usize)> = locations.map(ends).collect();
        Portions {
            many: ends.iter().map(|(_, many)| *many).max().unwrap_or(0),
            ends: ends.iter().map(|(ends, _)| *ends).collect(),
        }
    }

    /// How many there are, at least at one location.
    pub fn many(&self) -> usize {
        self.many
    }

    /// Which of a location's steps are in a portion.
    pub fn steps(&self, location: usize, portion: usize) -> Range<usize> {
        let ends = &self.ends[location];
        let begin = portion.checked_sub(1).map_or(0, |before| ends[before]);
        begin as usize..ends[portion] as usize
    }
}

/// Where the portions end at a location, and how many have steps.
fn ends(steps: Vec<Option<Vec<u64>>>) -> ([u32; MOST], usize) {
    let all = steps.len() as u32;
    let mut ends = [all; MOST];
    let mut portion = 0;
    let mut about: Option<Vec<u64>> = None;
    for (at, step) in (0..).zip(steps) {
        let Some(more) = step else {
            // They cannot be remembered at all.
            return ([all; MOST], 1);
        };
        about = Some(match about {
            Some(bits) if is_in(&more, &bits) => bits,
            Some(bits) if portion + 1 < MOST && !is_in(&bits, &more) => {
                ends[portion] = at;
                portion += 1;
                more
            }
            Some(bits) => bits.iter().zip(&more).map(|(a, b)| a | b).collect(),
            None => more,
        });
    }
    (ends, usize::from(all > 0) + portion)
}

fn is_in(some: &[u64], all: &[u64]) -> bool {
    some.iter().zip(all).all(|(some, all)| some & !all == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the portions of steps at one location end that are each about these bits.
    fn ends_of(steps: &[Option<u64>]) -> Vec<usize> {
        let steps = steps.iter().map(|bits| bits.map(|bits| vec![bits]));
        let portions = Portions::of(std::iter::once(steps.collect()));
        let all: Vec<Range<usize>> = (0..portions.many())
            .map(|at| portions.steps(0, at))
            .collect();
        let begins = all.iter().map(|portion| portion.start);
        assert!(
            begins
                .skip(1)
                .eq(all.iter().map(|p| p.end).take(all.len().max(1) - 1))
        );
        all.iter().map(|portion| portion.end).collect()
    }

    #[test]
    fn what_is_about_more_of_the_same_is_in_one() {
        assert_eq!(ends_of(&[]), []);
        assert_eq!(ends_of(&[Some(1)]), [1]);
        assert_eq!(ends_of(&[Some(3), Some(1), Some(7)]), [3]);
        assert_eq!(ends_of(&[Some(1), Some(2), Some(2), Some(5)]), [1, 3, 4]);
        assert_eq!(ends_of(&[Some(1), Some(2), None]), [3]);
        let many = [1, 2, 4, 8, 16, 32].map(Some);
        assert_eq!(ends_of(&many), [1, 2, 3, 6]);
    }
}
