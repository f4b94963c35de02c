//! Numbers for words, in the order in which they were met.

/// Words that were met, each once.
#[derive(Clone, Default)]
pub struct Numbering {
    words: Vec<u64>,
    /// Numbers plus 1, or 0; a power of two, at most half of them taken, or none at all.
    table: Vec<u32>,
}

const FIRST_PLACES: usize = 16;

impl Numbering {
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// The word with a number.
    #[inline]
    pub fn word(&self, number: u32) -> u64 {
        self.words[number as usize]
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        (self.words.capacity() * 8 + self.table.len() * 4) as u64
    }

    #[inline]
    fn home(&self, word: u64) -> usize {
        let hash = word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        hash as usize & (self.table.len() - 1)
    }

    /// The number of a word that was met.
    #[inline]
    pub fn find(&self, word: u64) -> Option<u32> {
        if self.table.is_empty() {
            return None;
        }
        let mut at = self.home(word);
        loop {
            let number = self.table[at].checked_sub(1)?;
            if self.word(number) == word {
                return Some(number);
            }
            at = (at + 1) & (self.table.len() - 1);
        }
    }

    /// Gives a word that was not met the next number, which must be below `u32::MAX`.
    pub fn add(&mut self, word: u64) -> u32 {
        debug_assert!(self.find(word).is_none(), "a word is met once");
        let number = self.words.len() as u32;
        self.words.push(word);
        if self.words.len() * 2 > self.table.len() {
            self.table = vec![0; (self.table.len() * 2).max(FIRST_PLACES)];
            (0..=number).for_each(|number| self.place(number));
        } else {
            self.place(number);
        }
        number
    }

    fn place(&mut self, number: u32) {
        let mut at = self.home(self.word(number));
        while self.table[at] != 0 {
            at = (at + 1) & (self.table.len() - 1);
        }
        self.table[at] = number + 1;
    }
}
