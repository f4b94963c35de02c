//! Where in a table a word is looked for.

/// Where a word is or belongs.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub(super) word: u64,
    pub(super) bucket: u64,
    pub(super) remainder: u64,
}

impl Place {
    /// The word that it is of.
    pub fn word(self) -> u64 {
        self.word
    }
}
