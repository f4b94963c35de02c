//! Who takes part in an action.

use stubborn_system::system::{InstanceId, Range, System};

/// The alphabets, seen from one action.
pub struct Participants {
    pub ranges: Box<[Range]>,
    /// The instances that take part whatever the values are, ascending.
    always: Vec<InstanceId>,
    /// For each set of arguments that a pattern fixes.
    masks: Vec<Mask>,
}

/// The alphabets that fix these arguments and no others.
struct Mask {
    fixed: Box<[usize]>,
    /// The values of these arguments in the alphabets, ascending, each with its instances, which
    /// ascend too.
    entries: Vec<(Box<[i64]>, Vec<InstanceId>)>,
    /// The least value of the first of them.
    lo: i64,
    /// The first entry for each value of the first argument from `lo` on, and the number of
    /// entries: the index of a value finds its entries without a search.
    begins: Vec<u32>,
}

/// Most values of an argument for each of its values in an alphabet, so that the index takes little
/// more than the entries.
const INDEXED_FOR_EACH: usize = 4;
/// The index of so many values is always small.
const FEW_INDEXED: usize = 64;

impl Participants {
    /// For each action.
    pub fn of_system(system: &System) -> Vec<Participants> {
        let actions = system.actions.iter();
        let mut all: Vec<Participants> = actions
            .map(|action| Participants {
                ranges: action.arguments.clone().into(),
                always: Vec::new(),
                masks: Vec::new(),
            })
            .collect();
        for (instance, body) in system.instances.iter().enumerate() {
            for pattern in &body.alphabet {
                let action = &mut all[pattern.action as usize];
                action.add(instance as InstanceId, &pattern.arguments);
            }
        }
        for action in &mut all {
            for mask in &mut action.masks {
                mask.index(&action.ranges);
            }
        }
        all
    }

    fn add(&mut self, instance: InstanceId, arguments: &[Option<i64>]) {
        let fixed: Box<[usize]> = (0..arguments.len())
            .filter(|at| arguments[*at].is_some())
            .collect();
        if fixed.is_empty() {
            if self.always.last() != Some(&instance) {
                self.always.push(instance);
            }
            return;
        }
        let at = self.masks.iter().position(|mask| mask.fixed == fixed);
        let at = at.unwrap_or_else(|| {
            self.masks.push(Mask {
                fixed,
                entries: Vec::new(),
                lo: 0,
                begins: Vec::new(),
            });
            self.masks.len() - 1
        });
        let values: Box<[i64]> = arguments.iter().copied().flatten().collect();
        self.masks[at].entries.push((values, vec![instance]));
    }

    /// The instances that may have the action with some values in their alphabet of which these are
    /// known, ascending.
    pub fn possible(&self, values: &[Option<i64>], found: &mut Vec<InstanceId>) {
        found.clear();
        found.extend_from_slice(&self.always);
        for mask in &self.masks {
            let agrees =
                |(at, value): (&usize, &i64)| values[*at].is_none_or(|known| known == *value);
            for (of, instances) in &mask.entries {
                if mask.fixed.iter().zip(of.iter()).all(agrees) {
                    found.extend_from_slice(instances);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
    }

    /// The instances that have the action with these values in their alphabet, ascending; where
    /// some values are still open, those that have it whatever these are.
    pub fn of_values(&self, values: &[Option<i64>], found: &mut Vec<InstanceId>) {
        found.clear();
        found.extend_from_slice(&self.always);
        let mut is_sorted = true;
        for mask in &self.masks {
            if let Some(instances) = mask.of_values(values) {
                is_sorted &= found.is_empty();
                found.extend_from_slice(instances);
            }
        }
        if !is_sorted {
            found.sort_unstable();
            found.dedup();
        }
    }
}

impl Mask {
    /// Merges the entries of equal values, whose instances ascend, and indexes them.
    fn index(&mut self, ranges: &[Range]) {
        self.entries.sort_by(|(one, _), (other, _)| one.cmp(other));
        self.entries.dedup_by(|(values, instances), (before, all)| {
            let is_same = values == before;
            if is_same {
                let instances = instances.drain(..);
                instances.for_each(|who| {
                    if all.last() != Some(&who) {
                        all.push(who);
                    }
                });
            }
            is_same
        });
        let Range { lo, hi } = ranges[self.fixed[0]];
        self.lo = lo;
        let most = FEW_INDEXED + INDEXED_FOR_EACH * self.entries.len();
        if hi.checked_sub(lo).is_none_or(|last| last >= most as i64) {
            return;
        }
        let mut entry = 0;
        for value in lo..=hi {
            let begin = self.entries[entry..]
                .iter()
                .take_while(|(of, _)| of[0] < value);
            entry += begin.count();
            self.begins.push(entry as u32);
        }
        self.begins.push(self.entries.len() as u32);
    }

    /// The instances with these values in their alphabet; `None` if there are none, or one of the
    /// values is open.
    fn of_values(&self, values: &[Option<i64>]) -> Option<&[InstanceId]> {
        let first = values[self.fixed[0]]?;
        let entries = match self.begins.is_empty() {
            true => &self.entries[..],
            false => {
                let at = usize::try_from(first.checked_sub(self.lo)?).ok()?;
                let (begin, end) = (self.begins.get(at)?, self.begins.get(at + 1)?);
                &self.entries[*begin as usize..*end as usize]
            }
        };
        let wanted = self.fixed.iter().map(|at| values[*at]);
        if wanted.clone().any(|value| value.is_none()) {
            return None;
        }
        let at =
            entries.binary_search_by(|(of, _)| of.iter().copied().cmp(wanted.clone().flatten()));
        Some(&entries[at.ok()?].1)
    }
}
