//! The values of some scalars of a state as one number.

use super::layout::Slot;

/// Where the scalars are whose values are a key.
pub enum Key {
    /// These bits of one word, as far to the right as they go: the index of an entry.
    Index { word: u32, shift: u32, mask: u64 },
    /// These bits of one word.
    Word(u32, u64),
    /// The slots, each with where it goes in the key.
    Slots(Box<[(Slot, u8)]>),
    /// They have more than 64 bits.
    TooWide,
}

impl Key {
    pub fn of_slots(slots: &[Slot]) -> Key {
        let slots: Vec<Slot> = slots
            .iter()
            .copied()
            .filter(|slot| slot.mask != 0)
            .collect();
        let Some(first) = slots.first() else {
            return Key::Word(0, 0);
        };
        if slots.iter().all(|slot| slot.word == first.word) {
            let mask = slots.iter().fold(0, |mask, s| mask | s.mask << s.shift);
            return Key::Word(first.word, mask);
        }
        let mut width = 0;
        let mut placed = Vec::new();
        for slot in slots {
            placed.push((slot, width as u8));
            width += slot.mask.count_ones();
            if width > 64 {
                return Key::TooWide;
            }
        }
        Key::Slots(placed.into())
    }

    /// Itself as an index, where the bits stand side by side and there are so many places left.
    pub fn or_index(self, places: &mut u64) -> Key {
        let Key::Word(word, bits) = self else {
            return self;
        };
        // Where there are no bits there is one place.
        let shift = bits.trailing_zeros() % u64::BITS;
        let mask = bits >> shift;
        if mask & mask.wrapping_add(1) != 0 || mask >= *places {
            return self;
        }
        *places -= mask + 1;
        Key::Index { word, shift, mask }
    }

    /// The key of a state, if it fits a word.
    #[inline]
    pub fn of_state(&self, state: &[u64]) -> Option<u64> {
        match self {
            Key::Index { word, shift, mask } => Some(state[*word as usize] >> shift & mask),
            Key::Word(word, mask) => Some(state[*word as usize] & mask),
            Key::Slots(slots) => {
                let slots = slots.iter();
                Some(slots.fold(0, |key, (slot, at)| key | slot.raw(state) << at))
            }
            Key::TooWide => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(word: u32, width: u32) -> Slot {
        Slot {
            word,
            shift: 0,
            mask: u64::MAX >> (64 - width),
            lo: 0,
        }
    }

    #[test]
    fn the_values_of_sixty_four_bits_in_several_words_are_told_apart() {
        let (first, second) = ((1 << 40) - 2, (1 << 24) - 3);
        let key = |width: u32| {
            let key = Key::of_slots(&[slot(0, 40), slot(1, width)]);
            key.of_state(&[first, second & (u64::MAX >> (64 - width))])
        };
        let together = |width: u32| Some(first | (second & (u64::MAX >> (64 - width))) << 40);
        assert_eq!([23, 24, 25].map(key), [together(23), together(24), None]);
        // One word has as many by itself.
        assert_eq!(
            Key::of_slots(&[slot(0, 64)]).of_state(&[first, second]),
            Some(first)
        );
    }
}
