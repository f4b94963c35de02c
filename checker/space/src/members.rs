//! Small sets of the members of stubborn sets: processes and property checks.

/// Bound of the numbers of members.
pub const MOST_MEMBERS: usize = 256;

/// A set of numbers below [`MOST_MEMBERS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Members([u64; MOST_MEMBERS / 64]);

impl Members {
    /// All numbers below `count`.
    #[inline]
    pub fn below(count: usize) -> Members {
        (0..count).collect()
    }

    #[inline]
    pub fn insert(&mut self, member: usize) {
        self.0[member / 64] |= 1 << (member % 64);
    }

    #[inline]
    pub fn remove(&mut self, member: usize) {
        self.0[member / 64] &= !(1 << (member % 64));
    }

    #[inline]
    pub fn contains(&self, member: usize) -> bool {
        self.0[member / 64] >> (member % 64) & 1 != 0
    }

    #[inline]
    pub fn add(&mut self, other: &Members) {
        for (word, more) in self.0.iter_mut().zip(other.0) {
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
        let mut word = self.0.get(at)? & u64::MAX << (least % 64);
        while word == 0 {
            at += 1;
            word = *self.0.get(at)?;
        }
        Some(at * 64 + word.trailing_zeros() as usize)
    }

    #[inline]
    pub fn subtract(&mut self, other: &Members) {
        for (word, less) in self.0.iter_mut().zip(other.0) {
            *word &= !less;
        }
    }

    #[inline]
    pub fn and(&self, other: &Members) -> Members {
        let mut both = *self;
        for (word, other) in both.0.iter_mut().zip(other.0) {
            *word &= other;
        }
        both
    }

    /// A bit for each number.
    #[inline]
    pub fn words(self) -> [u64; MOST_MEMBERS / 64] {
        self.0
    }

    #[inline]
    pub fn is_subset(&self, of: &Members) -> bool {
        self.0.iter().zip(of.0).all(|(word, of)| word & !of == 0)
    }

    #[inline]
    pub fn meets(&self, other: &Members) -> bool {
        self.0
            .iter()
            .zip(other.0)
            .any(|(word, other)| word & other != 0)
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; MOST_MEMBERS / 64]
    }

    #[inline]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Ascending.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(w, mut word)| {
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros();
                (bit < 64).then(|| {
                    word &= word - 1;
                    w * 64 + bit as usize
                })
            })
        })
    }
}

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
