//! What whoever has a coding of its own asks of it besides: where a word has not bits enough for some states they are kept
//! otherwise, and words tell the rest as before.

use super::{Change, Components};

impl Components {
    /// By which a word tells this state and no other.
    pub fn of_this_alone(state: &[u64]) -> Components {
        let words = (0..state.len() as u32).map(|word| (word, u64::MAX));
        let mut coding = Components::of(words.collect(), state);
        coding.settle();
        coding
    }

    /// As if a word had only so many bits.
    #[cfg(test)]
    pub fn of_few_bits(&mut self, bits: u32) {
        self.most_bits = bits;
    }

    /// From now on components get no more bits. Whether a word tells a state never changes any more.
    ///
    /// For it does where each of its values has a number that has bits, or can get one. No value ever gets another number. And
    /// where one cannot get any, as all that have bits are given, that stays so.
    pub fn settle(&mut self) {
        self.is_settled = true;
    }

    #[inline]
    pub fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// How words will change when they are [widened](super::Coding::widen) next, if they can be, and how many bits they will
    /// have.
    pub fn next_change(&self) -> Option<(Change, u32)> {
        let (fields, width) = self.fields()?;
        Some((self.change_to(&fields), width))
    }

    /// The word of a state, if its values have numbers that have bits.
    pub fn find(&self, state: &[u64]) -> Option<u64> {
        self.seek(state).ok()
    }

    /// The next states are like this one, whose word this is.
    pub fn goes_on_from(&mut self, word: u64, state: &[u64]) {
        debug_assert!(self.tells(word, state), "a word tells its state");
        self.from.copy_from_slice(state);
        self.word = word;
    }

    /// The components, by their numbers, that have some of these bits of a state.
    pub fn of_bits(&self, bits: &[u64]) -> Vec<u32> {
        let touched = (0..).zip(&self.components);
        let touched = touched.filter(|(_, of)| bits[of.word as usize] & of.mask != 0);
        touched.map(|(at, _)| at).collect()
    }

    /// Of the state of a word what these components tell, and no other bits.
    pub fn some_of(&self, word: u64, components: &[u32], state: &mut [u64]) {
        state.fill(0);
        for at in components {
            let of = &self.components[*at as usize];
            state[of.word as usize] |= of.values.value(of.place.of(word) as u32);
        }
    }
}
