//! Which branches of their effects steps have gone into, where their code notes it
//! ([`Packed::noting`](super::Packed::noting)).

/// The numbers under which it was noted that effects have come there.
#[derive(Clone, Debug, Default)]
pub struct Noted {
    /// Bit by bit, those that ever were.
    all: Vec<u64>,
    /// Those that were not before somebody last took these.
    new: Vec<u32>,
}

impl Noted {
    pub fn add(&mut self, number: u32) {
        let (word, bit) = (number as usize / 64, 1 << (number % 64));
        if self.all.len() <= word {
            self.all.resize(word + 1, 0);
        }
        if self.all[word] & bit == 0 {
            self.all[word] |= bit;
            self.new.push(number);
        }
    }

    /// Gives those that were not known yet.
    pub fn take(&mut self) -> impl Iterator<Item = u32> + '_ {
        self.new.drain(..)
    }
}
