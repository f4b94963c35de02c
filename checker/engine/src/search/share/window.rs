//! Words on their way into a set in parts, so many at a time that what is of one part can be put in together.

use crate::store::quotient::{AT_ONCE, Place, Quotient, ones};

/// So many words are gathered at a time: as many as keep the states of a layer nearly in the order in which
/// one thread would find them, on which it depends how often [`Recent`](crate::store::recent::Recent) helps;
/// and enough that a part is had for some tens of words, so that the waits for memory overlap.
pub const WINDOW: usize = 1024;
const _: () = assert!(WINDOW <= 1 << u16::BITS);

/// The words that one thread has gathered, in the order in which it came to them.
pub struct Window {
    words: Vec<u64>,
    /// Of each what its part does not tell.
    rests: Vec<u64>,
    /// Which of them belong to each part.
    of_parts: Vec<Vec<u16>>,
    places: Vec<Place>,
    /// For each word whether nobody had found it before.
    are_new: Vec<bool>,
}

impl Window {
    /// Empty, for words of so many parts.
    pub fn new(parts: usize) -> Window {
        Window {
            words: Vec::with_capacity(WINDOW),
            rests: Vec::with_capacity(WINDOW),
            of_parts: vec![Vec::new(); parts],
            places: Vec::with_capacity(WINDOW),
            are_new: Vec::with_capacity(WINDOW),
        }
    }

    /// The most memory that one for so many parts ever uses, in bytes: all words may belong to one part, and
    /// later all to another.
    pub fn bytes(parts: usize) -> u64 {
        let of_part = size_of::<Vec<u16>>() + WINDOW * size_of::<u16>();
        let of_word = 2 * size_of::<u64>() + size_of::<Place>() + size_of::<bool>();
        (parts * of_part + WINDOW * of_word) as u64
    }

    #[inline]
    pub fn add(&mut self, word: u64, (part, rest): (usize, u64)) {
        self.of_parts[part].push(self.words.len() as u16);
        self.words.push(word);
        self.rests.push(rest);
    }

    pub fn is_full(&self) -> bool {
        self.words.len() >= WINDOW
    }

    /// How many words wait.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    pub fn has_none_of(&self, part: usize) -> bool {
        self.of_parts[part].is_empty()
    }

    /// How many words belong to a part.
    pub fn many_of(&self, part: usize) -> usize {
        self.of_parts[part].len()
    }

    /// No word is known to be new.
    pub fn begin(&mut self) {
        self.are_new.clear();
        self.are_new.resize(self.words.len(), false);
    }

    /// Puts the words of a part into it, which has room for them. How many are new.
    #[inline]
    pub fn put_into(&mut self, part: usize, set: &mut Quotient) -> u64 {
        self.place(part, set);
        let indices = self.of_parts[part].chunks(AT_ONCE);
        let mut new = 0;
        for (indices, places) in indices.zip(self.places.chunks(AT_ONCE)) {
            let of_these = set.insert_all(places);
            for at in ones(of_these) {
                self.are_new[usize::from(indices[at])] = true;
            }
            new += u64::from(of_these.count_ones());
        }
        new
    }

    /// Begins to look for the words of a part.
    fn place(&mut self, part: usize, set: &Quotient) {
        self.places.clear();
        let place = |at: &u16| set.place(self.rests[usize::from(*at)]);
        self.places.extend(self.of_parts[part].iter().map(place));
    }

    /// The word, if it was new.
    #[inline]
    pub fn new_at(&self, at: usize) -> Option<u64> {
        self.are_new[at].then(|| self.words[at])
    }

    pub fn clear(&mut self) {
        self.words.clear();
        self.rests.clear();
        self.of_parts.iter_mut().for_each(Vec::clear);
    }
}
