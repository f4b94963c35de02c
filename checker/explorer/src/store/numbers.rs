//! Numbers for the words of several sets to which words are dealt out and no more are added.

use super::deal::Dealer;
use super::quotient::{Place, Settled};

pub struct Numbers {
    dealer: Dealer,
    /// Number of the first of these sets; other processes have those before it and behind the last.
    first_set: usize,
    sets: Vec<Settled>,
    /// The first number of each set's words, and one that none has.
    firsts: Vec<u64>,
}

/// Where a word is looked for.
#[derive(Clone, Copy)]
pub struct Sought {
    set: usize,
    place: Place,
}

impl Numbers {
    /// For some of the sets that words are dealt out to, from the one with this number on.
    pub fn of_some(dealer: Dealer, first_set: usize, sets: Vec<Settled>) -> Numbers {
        let firsts = sets.iter().scan(0, |next, set| {
            let first = *next;
            *next += set.numbers();
            Some(first)
        });
        let mut firsts: Vec<u64> = firsts.collect();
        firsts.push(sets.iter().map(Settled::numbers).sum());
        Numbers {
            dealer,
            first_set,
            sets,
            firsts,
        }
    }

    pub fn into_sets(self) -> Vec<Settled> {
        self.sets
    }

    /// How many words there are.
    #[inline]
    pub fn len(&self) -> u64 {
        self.sets.iter().map(Settled::len).sum()
    }

    /// Every word's number is below this; there are numbers that none has.
    #[inline]
    pub fn end(&self) -> u64 {
        self.firsts[self.sets.len()]
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.sets.iter().map(Settled::bytes).sum()
    }

    /// Begins to look for a word, unless its set is somewhere else.
    #[inline]
    pub fn seek(&self, word: u64) -> Option<Sought> {
        let (set, word) = self.dealer.deal(word);
        let set = set.wrapping_sub(self.first_set);
        let place = self.sets.get(set)?.place(word);
        Some(Sought { set, place })
    }

    /// The number of a word, if it is in its set.
    #[inline]
    pub fn number(&self, sought: Sought) -> Option<u64> {
        let number = self.sets[sought.set].number(sought.place)?;
        Some(self.firsts[sought.set] + number)
    }

    /// The word with a number.
    #[inline]
    pub fn word(&self, number: u64) -> Option<u64> {
        let set = self.firsts.partition_point(|first| *first <= number) - 1;
        let word = self.sets.get(set)?.word(number - self.firsts[set])?;
        Some(self.dealer.word(self.first_set + set, word))
    }
}
