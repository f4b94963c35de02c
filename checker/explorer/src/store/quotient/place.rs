//! Where in a table a word is looked for.

/// Where a word is or belongs.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub word: u64,
    pub(super) bucket: u64,
    pub(super) remainder: u64,
}

impl Place {
    /// Of a word with this mix, of which a remainder has `rest` bits.
    #[inline]
    pub(super) fn of_mixed(mixed: u64, rest: u32, word: u64) -> Place {
        Place {
            word,
            bucket: mixed >> rest,
            remainder: mixed & ((1 << rest) - 1),
        }
    }

    /// The word that it is of.
    #[inline]
    pub fn word(self) -> u64 {
        self.word
    }
}
