//! Sets of small numbers.

use std::ops::Range;

/// One bit for each number below a bound.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    words: Box<[u64]>,
}

impl Bits {
    /// The empty set of numbers below `bound`.
    pub fn below(bound: usize) -> Bits {
        Bits {
            words: vec![0; bound.div_ceil(64)].into(),
        }
    }

    pub fn contains(&self, number: usize) -> bool {
        let word = self.words.get(number / 64);
        word.is_some_and(|word| word >> (number % 64) & 1 != 0)
    }

    /// Whether it is new.
    pub fn insert(&mut self, number: usize) -> bool {
        let (word, bit) = (&mut self.words[number / 64], 1 << (number % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    pub fn insert_all(&mut self, others: &Bits) {
        for (word, other) in self.words.iter_mut().zip(&others.words) {
            *word |= other;
        }
    }

    pub fn intersection(&self, other: &Bits) -> Bits {
        let words = self.words.iter().zip(&other.words);
        Bits {
            words: words.map(|(word, other)| word & other).collect(),
        }
    }

    /// Those of the range, ascending, counted from where it begins.
    pub fn within(&self, range: Range<usize>) -> impl Iterator<Item = u32> + '_ {
        let words = range.start / 64..range.end.div_ceil(64);
        let numbers = words.flat_map(|at| {
            let mut rest = self.words[at];
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(at * 64 + bit as usize)
            })
        });
        let begin = range.start;
        numbers
            .filter(move |number| range.contains(number))
            .map(move |number| (number - begin) as u32)
    }

    /// Memory that it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_of_a_set_has_its_numbers_from_0_on() {
        let mut bits = Bits::below(200);
        for number in [0, 63, 64, 130, 199] {
            assert!(bits.insert(number));
            assert!(!bits.insert(number));
        }
        let within = |range| bits.within(range).collect::<Vec<_>>();
        assert_eq!(within(0..200), [0, 63, 64, 130, 199]);
        assert_eq!(within(63..130), [0, 1]);
        assert_eq!(within(64..131), [0, 66]);
        assert_eq!(within(131..199), [0; 0]);
        assert_eq!(within(0..0), [0; 0]);
        assert!(bits.contains(130) && !bits.contains(131) && !bits.contains(1_000));
    }
}
