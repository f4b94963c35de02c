//! Table of the steps of a group, by the bits of a word that tell them.

use crate::store::prefetch::prefetch;

/// Hash table from some bits of a word to the steps of the states that have them.
pub struct Outcomes {
    /// A power of two, of which at most half are taken.
    entries: Vec<Outcome>,
    /// Shift of a mixed key to its upper bits, which depend on all bits of the key and give its
    /// home.
    shift: u32,
    taken: usize,
    /// The changes of entries with several steps.
    lists: Vec<u64>,
}

/// Steps of a group. The *change* of a step is the exclusive or of the words before and after it.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub struct Outcome {
    /// All ones if the entry is vacant.
    key: u64,
    /// The number of steps, or [`NOT_KNOWN`].
    pub steps: u32,
    /// Position of the changes in the list, if there are several.
    begin: u32,
    /// The change of the only step.
    pub change: u64,
}

/// Instead of a number of steps: they have to be computed.
pub const NOT_KNOWN: u32 = u32::MAX;
/// Not a key.
pub const NO_KEY: u64 = u64::MAX;

const VACANT: Outcome = Outcome {
    key: NO_KEY,
    steps: NOT_KNOWN,
    begin: 0,
    change: 0,
};

const FIRST_ENTRIES: usize = 16;
/// 128 KiB: more than stays in a processor's cache.
const MANY_ENTRIES: usize = 1 << 12;
/// 4 MiB: to move them takes some ten milliseconds.
const MOST_ENTRIES: usize = 1 << 17;
const MOST_IN_LISTS: usize = 1 << 19;

impl Outcomes {
    pub fn new() -> Outcomes {
        Outcomes {
            entries: vec![VACANT; FIRST_ENTRIES],
            shift: u64::BITS - FIRST_ENTRIES.ilog2(),
            taken: 0,
            lists: Vec::new(),
        }
    }

    /// Stands for what is not in a table.
    pub const UNKNOWN: Outcome = VACANT;

    /// Memory of a new table, in bytes.
    pub const BYTES: u64 = (FIRST_ENTRIES * size_of::<Outcome>()) as u64;

    /// Memory in use, in bytes.
    #[inline]
    pub fn bytes(&self) -> u64 {
        (self.entries.len() * size_of::<Outcome>() + self.lists.capacity() * 8) as u64
    }

    /// Removes all entries, and keeps the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.entries.fill(VACANT);
        self.taken = 0;
        self.lists.clear();
    }

    /// Changes the words of which keys and changes of steps are some bits, by a function that moves
    /// bits. Meanwhile it takes as many [bytes](Outcomes::bytes) more.
    pub fn translate(&mut self, change: impl Fn(u64) -> u64) {
        let vacant = vec![VACANT; self.entries.len()];
        for outcome in std::mem::replace(&mut self.entries, vacant) {
            if outcome.key != NO_KEY {
                self.put(Outcome {
                    key: change(outcome.key),
                    change: change(outcome.change),
                    ..outcome
                });
            }
        }
        let changes = self.lists.iter_mut();
        changes.for_each(|listed| *listed = change(*listed));
    }

    #[inline(always)]
    fn home(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    /// Whether it pays to [prefetch](Outcomes::fetch) entries.
    #[inline(always)]
    pub fn is_large(&self) -> bool {
        self.entries.len() >= MANY_ENTRIES
    }

    /// Prefetches the entry of a key.
    #[inline(always)]
    pub fn fetch(&self, key: u64) {
        prefetch(&self.entries, self.home(key));
    }

    /// The entry of a key, or one with [`NOT_KNOWN`] steps.
    #[inline(always)]
    pub fn of(&self, key: u64) -> Outcome {
        let mut at = self.home(key);
        loop {
            let outcome = self.entries[at & (self.entries.len() - 1)];
            if outcome.key == key || outcome.key == NO_KEY {
                return outcome;
            }
            at += 1;
        }
    }

    /// Whether a key has an entry, even if that says that the steps have to be computed.
    #[inline]
    pub fn has(&self, key: u64) -> bool {
        self.of(key).key == key
    }

    /// The change of one of several steps.
    #[inline]
    pub fn change(&self, outcome: Outcome, step: u32) -> u64 {
        match outcome.steps {
            1 => outcome.change,
            _ => self.lists[(outcome.begin + step) as usize],
        }
    }

    /// Bytes that one more entry with this many steps takes; `None` if there is no room for it.
    pub fn bytes_to_keep(&self, steps: usize) -> Option<u64> {
        let entries = self.entries.len();
        let more = match (self.taken + 1) * 2 > entries {
            false => 0,
            true if entries < MOST_ENTRIES => entries * 2 * size_of::<Outcome>(),
            true => return None,
        };
        let listed = self.lists.len() + if steps > 1 { steps } else { 0 };
        if listed > MOST_IN_LISTS {
            return None;
        }
        let list = match listed > self.lists.capacity() {
            true => listed.next_power_of_two() * 8,
            false => 0,
        };
        Some((more + list) as u64)
    }

    /// Adds an entry for a key without one; `None` says that the steps have to be computed each
    /// time. There must be [room](Outcomes::bytes_to_keep) for it.
    pub fn keep(&mut self, key: u64, changes: Option<&[u64]>) {
        debug_assert!(
            key != NO_KEY && self.of(key).key != key,
            "a key has one entry"
        );
        let mut outcome = Outcome { key, ..VACANT };
        if let Some(changes) = changes {
            outcome.steps = changes.len() as u32;
            match changes {
                [] => {}
                [change] => outcome.change = *change,
                changes => {
                    outcome.begin = self.lists.len() as u32;
                    let listed = self.lists.len() + changes.len();
                    if listed > self.lists.capacity() {
                        let more = listed.next_power_of_two() - self.lists.len();
                        self.lists.reserve_exact(more);
                    }
                    self.lists.extend_from_slice(changes);
                }
            }
        }
        self.taken += 1;
        if self.taken * 2 > self.entries.len() {
            let larger = vec![VACANT; self.entries.len() * 2];
            self.shift -= 1;
            let entries = std::mem::replace(&mut self.entries, larger);
            for outcome in entries {
                if outcome.key != NO_KEY {
                    self.put(outcome);
                }
            }
        }
        self.put(outcome);
    }

    #[inline]
    fn put(&mut self, outcome: Outcome) {
        let last = self.entries.len() - 1;
        let mut at = self.home(outcome.key);
        while self.entries[at].key != NO_KEY {
            at = (at + 1) & last;
        }
        self.entries[at] = outcome;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The entry of a number.
    fn changes(number: u64) -> Option<Vec<u64>> {
        match number % 5 {
            4 => None,
            many => Some((0..many).map(|step| number << 8 | step).collect()),
        }
    }

    /// The changes in the entry of a key.
    fn kept(outcomes: &Outcomes, key: u64) -> Option<Vec<u64>> {
        let outcome = outcomes.of(key);
        let steps = Some(outcome.steps).filter(|steps| *steps != NOT_KNOWN)?;
        let changes = (0..steps).map(|step| outcomes.change(outcome, step));
        Some(changes.collect())
    }

    #[test]
    fn entries_are_found_by_their_keys_alone() {
        let mut outcomes = Outcomes::new();
        assert_eq!(outcomes.bytes(), Outcomes::BYTES);
        let key = |number: u64| number.wrapping_mul(0x0001_0000_0000_0001);
        for number in 0..3_000 {
            assert!(!outcomes.has(key(number)));
            let of_number = changes(number);
            let many = of_number.as_ref().map_or(0, Vec::len);
            let before = outcomes.bytes();
            let more = outcomes.bytes_to_keep(many).expect("there is room");
            outcomes.keep(key(number), of_number.as_deref());
            assert!(outcomes.bytes() <= before + more);
            assert!(outcomes.has(key(number)));
        }
        for number in 0..3_000 {
            assert_eq!(kept(&outcomes, key(number)), changes(number), "{number}");
            assert!(!outcomes.has(key(number) | 1 << 40));
        }
        assert_eq!(kept(&outcomes, NO_KEY), None);
        let bytes = outcomes.bytes();
        outcomes.clear();
        assert!((0..3_000).all(|number| !outcomes.has(key(number))));
        assert_eq!(outcomes.bytes(), bytes);
    }

    #[test]
    fn entries_are_found_by_the_keys_that_theirs_become() {
        let mut outcomes = Outcomes::new();
        for number in 0..3_000 {
            outcomes.keep(number, changes(number).as_deref());
        }
        let moved = |word: u64| (word & 0xff) << 40 | word >> 8;
        outcomes.translate(moved);
        for number in 0..3_000 {
            let expected = changes(number).map(|all| all.into_iter().map(moved).collect());
            assert_eq!(kept(&outcomes, moved(number)), expected, "{number}");
        }
        assert!((0..3_000).all(|number| !outcomes.has(number | 1 << 39)));
    }

    #[test]
    fn a_table_has_a_maximal_size() {
        let mut outcomes = Outcomes::new();
        let kept = (0..).take_while(|key| {
            let has_place = outcomes.bytes_to_keep(0).is_some();
            if has_place {
                outcomes.keep(*key, Some(&[]));
            }
            has_place
        });
        assert_eq!(kept.count(), MOST_ENTRIES / 2);
        let mut lists = Outcomes::new();
        let steps = vec![7; MOST_IN_LISTS / 4];
        for key in 0..4 {
            assert!(lists.bytes_to_keep(steps.len()).is_some());
            lists.keep(key, Some(&steps));
        }
        assert_eq!(lists.bytes_to_keep(2), None);
        assert!(lists.bytes_to_keep(1).is_some());
    }
}
