//! What the steps of a group come to, by the bits of a word that say it.

use crate::store::prefetch::prefetch;

/// Words, each with some of its bits left out, and where the steps lead from states that have the others.
pub struct Outcomes {
    /// A power of two, no more than half of them taken.
    entries: Vec<Outcome>,
    /// Of a mixed key, the upper bits that say where it is looked for first: those that all of the key's
    /// bits have a part in.
    shift: u32,
    taken: usize,
    /// Of those that have several steps, where these lead.
    lists: Vec<u64>,
}

/// Where the steps of a group lead: a step's *change* is what the words before it and after it differ in.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub struct Outcome {
    /// Or all ones, where there is none.
    key: u64,
    /// How many steps there are, or [`NOT_KNOWN`].
    pub steps: u32,
    /// Where the changes begin in the list, if there are more than one.
    begin: u32,
    /// Of the only step.
    pub change: u64,
}

/// Instead of a number of steps: they have to be worked out.
pub const NOT_KNOWN: u32 = u32::MAX;
/// No key is this.
pub const NO_KEY: u64 = u64::MAX;

const VACANT: Outcome = Outcome {
    key: NO_KEY,
    steps: NOT_KNOWN,
    begin: 0,
    change: 0,
};

const FIRST_ENTRIES: usize = 16;
/// 128 KiB: more than comes near by itself.
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

    /// What is known of what is not kept.
    pub const UNKNOWN: Outcome = VACANT;

    /// Memory that a new one takes, in bytes.
    pub const BYTES: u64 = (FIRST_ENTRIES * size_of::<Outcome>()) as u64;

    /// Memory in use, in bytes.
    #[inline]
    pub fn bytes(&self) -> u64 {
        (self.entries.len() * size_of::<Outcome>() + self.lists.capacity() * 8) as u64
    }

    /// Forgets all, and keeps the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.entries.fill(VACANT);
        self.taken = 0;
        self.lists.clear();
    }

    #[inline(always)]
    fn home(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    /// Whether it is worth while to [fetch](Outcomes::fetch) what is looked up soon.
    #[inline(always)]
    pub fn is_large(&self) -> bool {
        self.entries.len() >= MANY_ENTRIES
    }

    /// Has what is kept for this key come near.
    #[inline(always)]
    pub fn fetch(&self, key: u64) {
        prefetch(&self.entries, self.home(key));
    }

    /// What is kept for this key; what is not known where nothing is.
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

    /// Whether something is kept for this key, though it were that it has to be worked out.
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

    /// How many bytes more it takes to keep another one with so many steps; `None` where there is no place
    /// for it at all.
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

    /// Keeps it for a key that has none; `None` says that it has to be worked out each time. There must be
    /// [place](Outcomes::bytes_to_keep) for it.
    pub fn keep(&mut self, key: u64, changes: Option<&[u64]>) {
        debug_assert!(key != NO_KEY && self.of(key).key != key, "it is kept once");
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

    /// What is kept for a number.
    fn changes(number: u64) -> Option<Vec<u64>> {
        match number % 5 {
            4 => None,
            many => Some((0..many).map(|step| number << 8 | step).collect()),
        }
    }

    /// Where the steps lead that are kept for this key.
    fn kept(outcomes: &Outcomes, key: u64) -> Option<Vec<u64>> {
        let outcome = outcomes.of(key);
        let steps = Some(outcome.steps).filter(|steps| *steps != NOT_KNOWN)?;
        let changes = (0..steps).map(|step| outcomes.change(outcome, step));
        Some(changes.collect())
    }

    #[test]
    fn what_is_kept_is_found_by_its_key_alone() {
        let mut outcomes = Outcomes::new();
        assert_eq!(outcomes.bytes(), Outcomes::BYTES);
        let key = |number: u64| number.wrapping_mul(0x0001_0000_0000_0001);
        for number in 0..3_000 {
            assert!(!outcomes.has(key(number)));
            let of_number = changes(number);
            let many = of_number.as_ref().map_or(0, Vec::len);
            let before = outcomes.bytes();
            let more = outcomes.bytes_to_keep(many).expect("there is place");
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
    fn there_is_no_place_for_more_than_so_many() {
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
