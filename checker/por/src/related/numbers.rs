//! The local state of an instance in a state, found in a few instructions where it is known.

use rustc_hash::FxHashMap;
use stubborn_space::packed::layout::Slot;

use super::local_states::{LocalStateId, LocalStates};

/// The local states of an instance by the values of its variables.
pub enum Numbers {
    /// These bits of one word, from this one on; 0 where it is not known yet, or the number plus 1.
    Table(u32, u8, Box<[LocalStateId]>),
    /// All values one after the other.
    Short(FxHashMap<u64, LocalStateId>),
    /// They do not fit a word.
    Long,
}

impl Numbers {
    /// A table of more entries than this would be too large.
    const MOST_BITS: u32 = 14;

    pub fn new(locals: &LocalStates) -> Numbers {
        let tracked = &locals.tracked;
        let width: u32 = tracked.iter().map(|slot| slot.mask.count_ones()).sum();
        if width > 64 {
            return Numbers::Long;
        }
        let Some(first) = tracked.first() else {
            return Numbers::Table(0, 0, vec![0].into());
        };
        let bits = tracked
            .iter()
            .fold(0, |bits, slot| bits | slot.mask << slot.shift);
        let shift = bits.trailing_zeros();
        let span = 64 - bits.leading_zeros() - shift;
        let is_one_word = tracked.iter().all(|slot| slot.word == first.word);
        if is_one_word && span == width && width <= Self::MOST_BITS {
            return Numbers::Table(first.word, shift as u8, vec![0; 1 << width].into());
        }
        Numbers::Short(FxHashMap::default())
    }

    fn short(tracked: &[Slot], state: &[u64]) -> u64 {
        let (mut short, mut width) = (0, 0);
        for slot in tracked {
            short |= slot.raw(state) << width;
            width += slot.mask.count_ones();
        }
        short
    }

    #[inline]
    pub fn find(&self, tracked: &[Slot], state: &[u64]) -> Option<LocalStateId> {
        match self {
            Numbers::Table(word, shift, numbers) => {
                let at = (state[*word as usize] >> shift) as usize & (numbers.len() - 1);
                numbers[at].checked_sub(1)
            }
            Numbers::Short(numbers) => numbers.get(&Self::short(tracked, state)).copied(),
            Numbers::Long => None,
        }
    }

    pub fn learn(&mut self, tracked: &[Slot], state: &[u64], number: LocalStateId) {
        match self {
            Numbers::Table(word, shift, numbers) => {
                let at = (state[*word as usize] >> *shift) as usize & (numbers.len() - 1);
                numbers[at] = number + 1;
            }
            Numbers::Short(numbers) => {
                numbers.insert(Self::short(tracked, state), number);
            }
            Numbers::Long => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(word: u32, shift: u8, width: u32) -> Slot {
        Slot {
            word,
            shift,
            mask: u64::MAX >> (64 - width),
            lo: 0,
        }
    }

    /// How the local states of these scalars are found; and whether each of them is found that was
    /// learned, and no other.
    fn found(tracked: Vec<Slot>) -> (&'static str, bool) {
        let locals = LocalStates {
            states: Vec::new(),
            tracked,
            keys: Default::default(),
        };
        let tracked = &locals.tracked;
        let mut numbers = Numbers::new(&locals);
        // Nothing, one bit of a scalar, or all of them.
        let mut states = vec![[0; 2]];
        for slot in tracked {
            for raw in [1, slot.mask, slot.mask & !1] {
                let mut state = [0; 2];
                state[slot.word as usize] = raw << slot.shift;
                states.push(state);
            }
        }
        states.sort_unstable();
        states.dedup();
        let mut is_right = true;
        for (number, state) in (0..).zip(&states) {
            is_right &= numbers.find(tracked, state).is_none();
            numbers.learn(tracked, state, number);
        }
        for (number, state) in (0..).zip(&states) {
            is_right &= numbers.find(tracked, state) == Some(number);
        }
        let kind = match numbers {
            Numbers::Table(..) => "table",
            Numbers::Short(_) => "short",
            Numbers::Long => "long",
        };
        (kind, is_right)
    }

    #[test]
    fn fourteen_bits_of_one_word_are_looked_up_in_a_table() {
        let of = |width: u32| found(vec![slot(1, 5, 10), slot(1, 15, width - 10)]);
        let expected = [("table", true), ("table", true), ("short", true)];
        assert_eq!([13, 14, 15].map(of), expected);
    }

    #[test]
    fn sixty_four_bits_are_one_number() {
        let of = |width: u32| found(vec![slot(0, 0, 40), slot(1, 3, width - 40)]);
        // What does not fit is looked up by all values.
        let expected = [("short", true), ("short", true), ("long", false)];
        assert_eq!([63, 64, 65].map(of), expected);
    }
}
