//! Sets of the members of stubborn sets: processes and property checks.

/// Numbers below this one take no memory of their own.
const FEW: usize = 256;

/// A set of numbers.
#[derive(Clone, Debug, Default)]
pub struct Members {
    few: [u64; FEW / 64],
    /// The numbers from [`FEW`] on, as far as there is one.
    more: Vec<u64>,
}

impl Members {
    /// All numbers below `count`.
    pub fn below(count: usize) -> Members {
        (0..count).collect()
    }

    #[inline]
    pub fn insert(&mut self, member: usize) {
        match member < FEW {
            true => self.few[member / 64] |= 1 << (member % 64),
            false => {
                let at = (member - FEW) / 64;
                if self.more.len() <= at {
                    self.more.resize(at + 1, 0);
                }
                self.more[at] |= 1 << (member % 64);
            }
        }
    }

    #[inline]
    pub fn remove(&mut self, member: usize) {
        let word = match member < FEW {
            true => Some(&mut self.few[member / 64]),
            false => self.more.get_mut((member - FEW) / 64),
        };
        if let Some(word) = word {
            *word &= !(1 << (member % 64));
        }
    }

    /// The word of the numbers from `64 * at` on, if there may be greater ones.
    #[inline]
    fn word(&self, at: usize) -> Option<u64> {
        match self.few.get(at) {
            Some(word) => Some(*word),
            None => self.more.get(at - FEW / 64).copied(),
        }
    }

    #[inline]
    pub fn contains(&self, member: usize) -> bool {
        let word = self.word(member / 64).unwrap_or(0);
        word >> (member % 64) & 1 != 0
    }

    #[inline]
    pub fn add(&mut self, other: &Members) {
        for (word, more) in self.few.iter_mut().zip(other.few) {
            *word |= more;
        }
        if self.more.len() < other.more.len() {
            self.more.resize(other.more.len(), 0);
        }
        for (word, more) in self.more.iter_mut().zip(&other.more) {
            *word |= more;
        }
    }

    /// The smallest member.
    #[inline]
    pub fn first(&self) -> Option<usize> {
        self.at_least(0)
    }

    /// The smallest member that is not below `least`.
    #[inline]
    pub fn at_least(&self, least: usize) -> Option<usize> {
        let mut at = least / 64;
        let mut word = self.word(at)? & u64::MAX << (least % 64);
        while word == 0 {
            at += 1;
            word = self.word(at)?;
        }
        Some(at * 64 + word.trailing_zeros() as usize)
    }

    #[inline]
    pub fn subtract(&mut self, other: &Members) {
        for (word, less) in self.few.iter_mut().zip(other.few) {
            *word &= !less;
        }
        for (word, less) in self.more.iter_mut().zip(&other.more) {
            *word &= !less;
        }
    }

    #[inline]
    #[must_use]
    pub fn and(&self, other: &Members) -> Members {
        let mut both = self.clone();
        for (word, other) in both.few.iter_mut().zip(other.few) {
            *word &= other;
        }
        both.more.truncate(other.more.len());
        for (word, other) in both.more.iter_mut().zip(&other.more) {
            *word &= other;
        }
        both
    }

    /// A bit for each number below `count`.
    #[inline]
    pub fn words(&self, count: usize) -> impl Iterator<Item = u64> {
        (0..count.div_ceil(64)).map(|at| self.word(at).unwrap_or(0))
    }

    #[inline]
    pub fn is_subset(&self, of: &Members) -> bool {
        let mut few = self.few.iter().zip(of.few);
        let mut more = self.more.iter().enumerate();
        few.all(|(word, of)| word & !of == 0)
            && more.all(|(at, word)| word & !of.more.get(at).unwrap_or(&0) == 0)
    }

    #[inline]
    pub fn meets(&self, other: &Members) -> bool {
        let mut few = self.few.iter().zip(other.few);
        let mut more = self.more.iter().zip(&other.more);
        few.any(|(word, other)| word & other != 0) || more.any(|(word, other)| word & other != 0)
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.few == [0; FEW / 64] && self.more.iter().all(|word| *word == 0)
    }

    #[inline]
    pub fn len(&self) -> u32 {
        let words = self.few.iter().chain(&self.more);
        words.map(|word| word.count_ones()).sum()
    }

    /// Ascending.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let member = self.at_least(next)?;
            next = member + 1;
            Some(member)
        })
    }

    /// Memory besides that of the value itself, in bytes.
    pub fn bytes(&self) -> u64 {
        (self.more.capacity() * size_of::<u64>()) as u64
    }
}

impl PartialEq for Members {
    #[inline]
    fn eq(&self, other: &Members) -> bool {
        let len = self.more.len().max(other.more.len());
        let word = |of: &Members, at: usize| of.more.get(at).copied().unwrap_or(0);
        self.few == other.few && (0..len).all(|at| word(self, at) == word(other, at))
    }
}

impl Eq for Members {}

impl FromIterator<usize> for Members {
    #[inline]
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Members {
        let mut members = Members::default();
        numbers
            .into_iter()
            .for_each(|number| members.insert(number));
        members
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn sets_of_members_are_sets_of_numbers() {
        let some = |every: usize, below: usize| (0..below).filter(move |n| n % every == 1);
        let sizes = [0, 1, 255, 256, 257, 320, 321, 5000];
        for (a, b) in sizes.iter().flat_map(|a| sizes.map(|b| (*a, b))) {
            let (one, other): (Members, Members) = (some(3, a).collect(), some(2, b).collect());
            let (x, y): (BTreeSet<usize>, BTreeSet<usize>) =
                (some(3, a).collect(), some(2, b).collect());
            let is = |members: &Members, set: &BTreeSet<usize>| {
                members.iter().eq(set.iter().copied())
                    && members.len() as usize == set.len()
                    && members.is_empty() == set.is_empty()
                    && *members == set.iter().copied().collect()
            };
            let mut sum = one.clone();
            sum.add(&other);
            let mut rest = one.clone();
            rest.subtract(&other);
            assert!(is(&one, &x) && is(&sum, &(&x | &y)) && is(&rest, &(&x - &y)));
            assert!(is(&one.and(&other), &(&x & &y)));
            assert_eq!(one.meets(&other), !x.is_disjoint(&y));
            assert_eq!(one.is_subset(&other), x.is_subset(&y));
            assert_eq!(one.at_least(256), x.range(256..).next().copied());
            assert!((0..5001).all(|n| one.contains(n) == x.contains(&n)));
            x.iter().for_each(|n| sum.remove(*n));
            assert!(is(&sum, &(&y - &x)));
        }
    }
}
