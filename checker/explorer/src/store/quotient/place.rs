//! Place of a word in a table.

/// Bucket and remainder of a word.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub word: u64,
    pub(super) bucket: u64,
    pub(super) remainder: u64,
}

impl Place {
    /// Place of a word with this mix, in a table whose remainders have `rest` bits.
    #[inline]
    pub(super) fn of_mixed(mixed: u64, rest: u32, word: u64) -> Place {
        Place {
            word,
            bucket: mixed >> rest,
            remainder: mixed & ((1 << rest) - 1),
        }
    }

    /// The word itself.
    #[inline]
    pub fn word(self) -> u64 {
        self.word
    }
}
