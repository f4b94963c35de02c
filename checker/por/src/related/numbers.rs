//! The local state of an instance in a state, found in a few instructions where it is known.

use rustc_hash::FxHashMap;
use stubborn_space::packed::key::Key;

use super::local_states::{LocalStateId, LocalStates};

/// A table has no more places than this.
const MOST_PLACES: u64 = 1 << 14;

/// The local states of an instance by the values of its variables.
pub struct Numbers {
    key: Key,
    /// By key, if that is an index: 0 where it is not known yet, or the number plus 1.
    table: Box<[LocalStateId]>,
    /// By key otherwise.
    others: FxHashMap<u64, LocalStateId>,
}

impl Numbers {
    pub fn new(locals: &LocalStates) -> Numbers {
        let key = Key::of_slots(&locals.tracked).or_index(&mut { MOST_PLACES });
        let places = match key {
            Key::Index { mask, .. } => mask as usize + 1,
            _ => 0,
        };
        Numbers {
            key,
            table: vec![0; places].into(),
            others: FxHashMap::default(),
        }
    }

    #[inline]
    pub fn find(&self, state: &[u64]) -> Option<LocalStateId> {
        let key = self.key.of_state(state)?;
        match self.key {
            Key::Index { .. } => self.table[key as usize].checked_sub(1),
            _ => self.others.get(&key).copied(),
        }
    }

    /// Notes a number, unless the values do not fit a word.
    pub fn learn(&mut self, state: &[u64], number: LocalStateId) {
        match (&self.key, self.key.of_state(state)) {
            (Key::Index { .. }, Some(key)) => self.table[key as usize] = number + 1,
            (_, Some(key)) => {
                self.others.insert(key, number);
            }
            (_, None) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use stubborn_space::packed::layout::Slot;

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
            is_right &= numbers.find(state).is_none();
            numbers.learn(state, number);
        }
        for (number, state) in (0..).zip(&states) {
            is_right &= numbers.find(state) == Some(number);
        }
        let kind = match numbers.key {
            Key::Index { .. } => "table",
            Key::Word(..) | Key::Slots(_) => "short",
            Key::TooWide => "long",
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
