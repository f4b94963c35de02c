//! Places of numbers in a word.

/// Some bits of a word that stand side by side: the number of a component's value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Field {
    pub shift: u32,
    pub bits: u32,
}

impl Field {
    /// Of bits that stand side by side, if they are no more than so many.
    pub(super) fn of_mask(mask: u64, most_bits: u32) -> Option<Field> {
        let bits = mask.count_ones();
        // Where there are no bits there is one place.
        let shift = mask.trailing_zeros() % u64::BITS;
        let field = Field { shift, bits };
        (bits <= most_bits && field.mask() == mask).then_some(field)
    }

    /// These bits of a word.
    #[inline]
    pub fn mask(self) -> u64 {
        match self.bits {
            0 => 0,
            bits => u64::MAX >> (u64::BITS - bits) << self.shift,
        }
    }

    #[inline]
    pub(super) fn of(self, word: u64) -> u64 {
        (word & self.mask()) >> self.shift
    }

    /// The word with another number there; `None` where that has more bits.
    #[inline]
    pub(super) fn put(self, word: u64, number: u32) -> Option<u64> {
        let number = u64::from(number);
        // What has no bits may stand behind the last one of a word, where no other number than 0 does.
        (number >> self.bits == 0).then(|| word & !self.mask() | number << self.shift)
    }
}

/// How the words of all states change: each field of bits moves, so that the exclusive or of two
/// words changes as they do.
#[derive(Clone)]
pub struct Change(pub(super) Vec<(Field, Field)>);

impl Change {
    #[inline]
    pub fn of(&self, word: u64) -> u64 {
        let fields = self.0.iter();
        fields.fold(0, |all, (from, to)| all | from.of(word) << to.shift)
    }
}
