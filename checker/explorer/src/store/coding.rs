//! One word for a state of several: the values of its components, each by a number.
//!
//! A state is taken apart into *components*, the bits of a word that belong to an instance, a variable or a
//! channel. Of each component few values occur, however many states there are, and each value has a number,
//! in the order in which they were met. The numbers side by side are the state's word (collapse compression,
//! G. J. Holzmann, "State Compression in SPIN", 1997, but in so few bits as there are numbers). It tells the
//! state: nothing is lost.
//!
//! How many bits a component has grows with its values. Then all words change, by a [`Change`].
//!
//! Several threads have a coding each, for the same words. All that is met first gets its number from what they
//! have in common, under a lock, which is seldom needed: values are few. What others have met a thread learns
//! when it meets it too, or where all wait for each other ([`Coding::catch_up`]).

mod field;
mod joining;
mod values;

use std::sync::{Arc, Mutex, PoisonError};

use stubborn_space::successors::{Bits, Place};

use self::values::{Component, Values};

pub use self::field::{Change, Field};
pub use self::joining::SAMPLE;

/// How states are told by words.
pub trait Coding {
    /// The next states are those of steps from this one.
    fn begin(&mut self, word: u64, state: &mut [u64]);

    /// The word of a state that a step leads to, or that the coding has outgrown its bits.
    fn word(&mut self, state: &[u64]) -> Result<u64, Outgrown>;

    /// The state of a word.
    fn state(&self, word: u64, state: &mut [u64]);

    /// Makes room for the values that were met, if a word has bits for them. Words change.
    fn widen(&mut self) -> Option<Change>;

    /// How words changed when they changed last.
    fn last_change(&self) -> Option<&Change> {
        None
    }

    /// Parts of a state, some of them several of these components, that take fewer bits together in
    /// states like these; `None` if there are none.
    fn joined(&self, _sample: &[u64]) -> Option<Vec<(u32, u64)>> {
        None
    }

    /// No more than so many of a word's lowest bits are ever set.
    fn width(&self) -> u32;

    /// The bits of a word that tell these bits of a state, which has as many words: states whose words have them
    /// in common have those in common, and the other way round, but that these may tell more.
    fn telling(&self, bits: &[u64]) -> u64;

    /// Where a word tells of a place, in no more than so many bits, and what it tells there.
    fn field(&self, place: Place, most_bits: u32) -> (Field, Bits);

    /// How many values of components have a number.
    fn values(&self) -> u64;

    /// Memory in use, in bytes; with the share of what threads have in common.
    fn bytes(&self) -> u64;

    /// Another one of the same words, for one more thread: from now on each value has the same number for both.
    fn one_more(&mut self) -> Self
    where
        Self: Sized;

    /// Learns which values have a number by now, for whichever thread that was. To be called before states are
    /// laid out whose words another one has found.
    fn catch_up(&mut self);

    /// Takes over the words as another thread's coding has [widened](Coding::widen) them.
    fn follow(&mut self, other: &Self);
}

/// There are more values than a word has bits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgrown;

/// States that are one word.
#[derive(Clone, Copy)]
pub struct OneWord {
    pub width: u32,
}

impl Coding for OneWord {
    #[inline(always)]
    fn begin(&mut self, word: u64, state: &mut [u64]) {
        state[0] = word;
    }

    #[inline(always)]
    fn word(&mut self, state: &[u64]) -> Result<u64, Outgrown> {
        Ok(state[0])
    }

    #[inline(always)]
    fn state(&self, word: u64, state: &mut [u64]) {
        state[0] = word;
    }

    fn widen(&mut self) -> Option<Change> {
        unreachable!("a word has bits for itself")
    }

    #[inline]
    fn width(&self) -> u32 {
        self.width
    }

    #[inline]
    fn telling(&self, bits: &[u64]) -> u64 {
        bits[0]
    }

    fn field(&self, place: Place, most_bits: u32) -> (Field, Bits) {
        let field = |of: Bits| (Field::of_mask(of.mask, most_bits)).map(|field| (field, of));
        field(place.most)
            .or_else(|| field(place.least))
            .unwrap_or_default()
    }

    #[inline]
    fn values(&self) -> u64 {
        0
    }

    fn bytes(&self) -> u64 {
        0
    }

    fn one_more(&mut self) -> OneWord {
        *self
    }

    fn catch_up(&mut self) {}

    fn follow(&mut self, _: &OneWord) {}
}

/// States of several words.
pub struct Components {
    /// By the words that they are of.
    components: Vec<Component>,
    /// Of each word of a state, the first of its components.
    first: Vec<u32>,
    /// The state that steps are taken from, and its word.
    from: Vec<u64>,
    word: u64,
    width: u32,
    last_change: Option<Change>,
    /// Memory in use, in bytes, and how many values have a number.
    bytes: u64,
    values: u64,
    /// So many a component may have; one of them would have had more.
    most_values: usize,
    is_full: bool,
    /// Where several threads have one each, what they have met together, by components: the values of each of
    /// them have the first numbers of these.
    met: Option<Met>,
}

type Met = Arc<[Mutex<Values>]>;

/// Why a state has no word.
enum NoWord {
    /// A component has a value without a number.
    New(usize, u64),
    /// The number of one has not bits enough.
    NoBits,
}

/// So many bits more than its values need may a component have,
const SPARE_BITS: u32 = 3;
/// and all together no more than that, unless they need them: so that a table has small slots.
const FEW_IN_ALL: u32 = 44;
/// A number is less than this, so that there is one more for a place in an index.
const MOST_VALUES: usize = u32::MAX as usize - 1;
/// States of more components are not worth a word.
const MOST_COMPONENTS: usize = 512;

impl Components {
    /// Of states like `initial`, whose word is 0: each part is a word of a state and some of its bits, and all
    /// bits that may ever be set are in one. `None` where there are too many.
    pub fn new(parts: Vec<(u32, u64)>, initial: &[u64]) -> Option<Components> {
        (parts.len() <= MOST_COMPONENTS).then(|| Components::of(parts, initial))
    }

    fn of(mut parts: Vec<(u32, u64)>, initial: &[u64]) -> Components {
        parts.sort_by_key(|(word, _)| *word);
        let words = 0..=initial.len() as u32;
        let first = words.map(|word| parts.partition_point(|part| part.0 < word) as u32);
        let components = parts
            .iter()
            .map(|(word, mask)| Component::new(*word, *mask));
        let mut coding = Components {
            first: first.collect(),
            components: components.collect(),
            from: initial.to_vec(),
            word: 0,
            width: 0,
            last_change: None,
            bytes: 0,
            values: 0,
            most_values: MOST_VALUES,
            is_full: false,
            met: None,
        };
        for component in &mut coding.components {
            let value = initial[component.word as usize] & component.mask;
            let number = component
                .values
                .known(value)
                .unwrap_or_else(|| component.values.add(value));
            debug_assert_eq!(number, 0, "the first value takes no bits");
            coding.bytes += component.values.bytes();
            coding.values += 1;
        }
        coding
    }

    /// The word of a state, as far as numbers are known.
    #[inline(always)]
    fn seek(&self, state: &[u64]) -> Result<u64, NoWord> {
        let mut word = self.word;
        for (at, to) in state.iter().enumerate() {
            let changed = self.from[at] ^ to;
            if changed == 0 {
                continue;
            }
            for at in self.first[at] as usize..self.first[at + 1] as usize {
                let component = &self.components[at];
                if changed & component.mask == 0 {
                    continue;
                }
                let value = to & component.mask;
                let Some(number) = component.values.known(value) else {
                    return Err(NoWord::New(at, value));
                };
                word = component.place.put(word, number).ok_or(NoWord::NoBits)?;
            }
        }
        debug_assert!(self.tells(word, state), "a word tells its state");
        Ok(word)
    }

    /// Of a value that has no number here.
    #[cold]
    fn add(&mut self, at: usize, value: u64) -> Result<u32, Outgrown> {
        let met = self.met.clone();
        let met = met.as_ref().map(|met| &met[at]);
        let mut met = met.map(|met| met.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(met) = &met {
            self.learn(at, met);
            if let Some(number) = self.components[at].values.known(value) {
                return Ok(number);
            }
        }
        let component = &mut self.components[at];
        if component.values.len() >= self.most_values {
            self.is_full = true;
            return Err(Outgrown);
        }
        let before = component.values.bytes();
        let number = component.values.add(value);
        self.bytes = self.bytes - before + component.values.bytes();
        self.values += 1;
        if let Some(met) = &mut met {
            let same = met.add(value);
            debug_assert_eq!(same, number, "a value has one number");
        }
        Ok(number)
    }

    /// How words change where the components come to have these places.
    fn change_to(&self, fields: &[Field]) -> Change {
        let moves = self.components.iter().zip(fields);
        let moves = moves.map(|(component, to)| (component.place, *to));
        // Of no bits the only number is 0.
        Change(moves.filter(|(from, _)| from.bits > 0).collect())
    }

    /// Learns the numbers of a component's values that others have met.
    fn learn(&mut self, at: usize, met: &Values) {
        let values = &mut self.components[at].values;
        let (known, before) = (values.len(), values.bytes());
        for number in known..met.len() {
            values.add(met.value(number as u32));
        }
        self.values += (values.len() - known) as u64;
        self.bytes = self.bytes - before + values.bytes();
    }

    /// Bits for the values that there are and, as far as a word has them, for some that will be: to change all
    /// words costs as much as to grow the table. And how many bits that are in all.
    fn fields(&self) -> Option<(Vec<Field>, u32)> {
        if self.is_full {
            return None;
        }
        let mut bits: Vec<u32> = self.components.iter().map(Component::least_bits).collect();
        let least: u32 = bits.iter().sum();
        if least > u64::BITS {
            return None;
        }
        let most = |component: &Component| component.mask.count_ones();
        let is_growing = |one: &Component| one.values.len() > 1 && one.least_bits() < most(one);
        let mut growing: Vec<usize> = (0..bits.len()).collect();
        growing.retain(|at| is_growing(&self.components[*at]));
        let many = growing.len().max(1) as u32;
        let each = |most: u32| (most.saturating_sub(least) / many).min(SPARE_BITS);
        match [FEW_IN_ALL, u64::BITS]
            .map(each)
            .into_iter()
            .find(|each| *each > 0)
        {
            Some(each) => growing.iter().for_each(|at| {
                bits[*at] = (bits[*at] + each).min(most(&self.components[*at]));
            }),
            // Not all can have one more: the fullest do.
            None => {
                let fullness = |at: usize| {
                    let values = self.components[at].values.len() as u64;
                    values << (32 - bits[at].min(32))
                };
                growing.sort_by_key(|at| std::cmp::Reverse(fullness(*at)));
                growing.truncate((u64::BITS - least) as usize);
                growing.iter().for_each(|at| bits[*at] += 1);
            }
        }
        let mut width = 0;
        let fields = bits.into_iter().map(|bits| {
            // What has no bits may come behind the last of the word.
            let shift = width % u64::BITS;
            width += bits;
            Field { shift, bits }
        });
        Some((fields.collect(), width))
    }
}

impl Coding for Components {
    #[inline]
    fn begin(&mut self, word: u64, state: &mut [u64]) {
        self.state(word, state);
        self.from.copy_from_slice(state);
        self.word = word;
    }

    #[inline]
    fn word(&mut self, state: &[u64]) -> Result<u64, Outgrown> {
        loop {
            match self.seek(state) {
                Ok(word) => return Ok(word),
                Err(NoWord::New(at, value)) => self.add(at, value)?,
                Err(NoWord::NoBits) => return Err(Outgrown),
            };
        }
    }

    #[inline]
    fn state(&self, word: u64, state: &mut [u64]) {
        state.fill(0);
        for component in &self.components {
            state[component.word as usize] |=
                component.values.value(component.place.of(word) as u32);
        }
    }

    fn widen(&mut self) -> Option<Change> {
        let (fields, width) = self.fields()?;
        let change = self.change_to(&fields);
        for (component, to) in self.components.iter_mut().zip(fields) {
            component.place = to;
        }
        self.width = width;
        self.word = change.of(self.word);
        self.last_change = Some(change.clone());
        Some(change)
    }

    fn last_change(&self) -> Option<&Change> {
        self.last_change.as_ref()
    }

    fn joined(&self, sample: &[u64]) -> Option<Vec<(u32, u64)>> {
        joining::joined(&self.components, sample)
    }

    #[inline]
    fn width(&self) -> u32 {
        self.width
    }

    #[inline]
    fn telling(&self, bits: &[u64]) -> u64 {
        let components = self.components.iter();
        let touched = components.filter(|of| bits[of.word as usize] & of.mask != 0);
        touched.fold(0, |all, of| all | of.place.mask())
    }

    fn field(&self, place: Place, most_bits: u32) -> (Field, Bits) {
        let Bits { word, mask } = match place.least.mask {
            0 => place.most,
            _ => place.least,
        };
        let mut components = self.components.iter();
        let found = components.find(|of| of.word == word && of.mask & mask != 0);
        let found = found.filter(|of| of.place.bits <= most_bits);
        let known = |of: &Component| Bits {
            word,
            mask: of.mask,
        };
        found.map_or_else(Default::default, |of| (of.place, known(of)))
    }

    #[inline]
    fn values(&self) -> u64 {
        self.values
    }

    fn bytes(&self) -> u64 {
        match self.met {
            None => self.bytes,
            Some(_) => 2 * self.bytes,
        }
    }

    fn one_more(&mut self) -> Components {
        let components = &self.components;
        let all = || components.iter().map(|one| Mutex::new(one.values.clone()));
        let met = self.met.get_or_insert_with(|| all().collect()).clone();
        let mut other = Components {
            components: components.clone(),
            first: self.first.clone(),
            from: self.from.clone(),
            last_change: self.last_change.clone(),
            met: Some(met),
            ..*self
        };
        other.catch_up();
        other
    }

    fn catch_up(&mut self) {
        let Some(met) = self.met.clone() else {
            return;
        };
        for (at, met) in met.iter().enumerate() {
            self.learn(at, &met.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }

    fn follow(&mut self, other: &Components) {
        self.catch_up();
        for (one, other) in self.components.iter_mut().zip(&other.components) {
            one.place = other.place;
        }
        self.width = other.width;
        self.last_change = other.last_change.clone();
        // Of the state that the next begins with it is told anew.
        (self.from).copy_from_slice(&other.from);
        self.word = other.word;
    }
}

impl Components {
    fn tells(&self, word: u64, state: &[u64]) -> bool {
        let mut told = vec![0; state.len()];
        self.state(word, &mut told);
        told == state
    }
}

#[cfg(test)]
mod tests;
