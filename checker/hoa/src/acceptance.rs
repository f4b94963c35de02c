//! Acceptance conditions.

/// The number of an acceptance set, and whether its complement is meant.
pub(super) type Set = (u32, bool);

/// A positive boolean combination of what is met infinitely often, or not so.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Condition {
    Constant(bool),
    /// The set is met infinitely often.
    Inf(Set),
    /// The set is met finitely often.
    Fin(Set),
    All(Vec<Condition>),
    Any(Vec<Condition>),
}

/// One way to satisfy a condition: all of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Way {
    /// Sets to be met infinitely often, ascending.
    pub(super) infinitely: Vec<Set>,
    /// Sets to be met finitely often, ascending.
    pub(super) finitely: Vec<Set>,
}

/// More ways are not tried.
const MOST_WAYS: usize = 256;

impl Condition {
    /// All ways to satisfy it, none of which is part of another; `None` where there are too many.
    pub(super) fn ways(&self) -> Option<Vec<Way>> {
        let ways = match self {
            Condition::Constant(false) => Vec::new(),
            Condition::Constant(true) => vec![Way::default()],
            &Condition::Inf(set) => vec![Way {
                infinitely: vec![set],
                finitely: Vec::new(),
            }],
            &Condition::Fin(set) => vec![Way {
                infinitely: Vec::new(),
                finitely: vec![set],
            }],
            Condition::Any(parts) => {
                let ways: Option<Vec<_>> = parts.iter().map(Condition::ways).collect();
                ways?.concat()
            }
            Condition::All(parts) => {
                let mut ways = vec![Way::default()];
                for part in parts {
                    let more = part.ways()?;
                    let pairs = ways
                        .iter()
                        .flat_map(|way| more.iter().map(|and| way.with(and)));
                    ways = shortest(pairs.collect());
                    if ways.len() > MOST_WAYS {
                        return None;
                    }
                }
                ways
            }
        };
        let ways = shortest(ways);
        (ways.len() <= MOST_WAYS).then_some(ways)
    }

    /// With parts in ascending order and without parentheses that make no difference.
    fn sorted(self) -> Condition {
        let (all, parts) = match self {
            Condition::All(parts) => (true, parts),
            Condition::Any(parts) => (false, parts),
            other => return other,
        };
        let mut flat = Vec::new();
        for part in parts {
            match (part.sorted(), all) {
                (Condition::All(inner), true) | (Condition::Any(inner), false) => {
                    flat.extend(inner);
                }
                (other, _) => flat.push(other),
            }
        }
        flat.sort();
        match (flat.len(), all) {
            (1, _) => flat.remove(0),
            (0, _) => Condition::Constant(all),
            (_, true) => Condition::All(flat),
            (_, false) => Condition::Any(flat),
        }
    }

    /// Whether it is the other one up to the order of its parts.
    pub(super) fn is(&self, other: &Condition) -> bool {
        self.clone().sorted() == other.clone().sorted()
    }
}

impl Way {
    fn with(&self, other: &Way) -> Way {
        let join = |one: &[Set], other: &[Set]| {
            let mut all = [one, other].concat();
            all.sort_unstable();
            all.dedup();
            all
        };
        Way {
            infinitely: join(&self.infinitely, &other.infinitely),
            finitely: join(&self.finitely, &other.finitely),
        }
    }

    /// Whether it asks for no more than another one.
    fn is_within(&self, other: &Way) -> bool {
        let within =
            |one: &[Set], other: &[Set]| one.iter().all(|set| other.binary_search(set).is_ok());
        within(&self.infinitely, &other.infinitely) && within(&self.finitely, &other.finitely)
    }
}

fn shortest(mut ways: Vec<Way>) -> Vec<Way> {
    ways.sort_unstable();
    ways.dedup();
    if ways.len() > 16 * MOST_WAYS {
        return ways;
    }
    let all = ways.clone();
    ways.retain(|way| !all.iter().any(|other| other != way && other.is_within(way)));
    ways
}

/// The condition and the number of sets that a name stands for ("Canonical acceptance specifications"
/// in the format's definition); `None` where the name has no such meaning.
pub(super) fn canonical(name: &str, words: &[&str], numbers: &[u32]) -> Option<(u32, Condition)> {
    let inf = |set| Condition::Inf((set, false));
    let fin = |set| Condition::Fin((set, false));
    // So many that no file has them.
    let small = numbers.iter().all(|&number| number <= 500);
    let number = numbers.first().copied();
    let pairs = |count: u32, of: &dyn Fn(u32) -> Condition| (0..count).map(of).collect();
    match (name, number) {
        _ if !small => None,
        ("Buchi", None) => Some((1, inf(0))),
        ("co-Buchi", None) => Some((1, fin(0))),
        ("all", None) => Some((0, Condition::Constant(true))),
        ("none", None) => Some((0, Condition::Constant(false))),
        ("generalized-Buchi", Some(count)) => Some((count, Condition::All(pairs(count, &inf)))),
        ("generalized-co-Buchi", Some(count)) => Some((count, Condition::Any(pairs(count, &fin)))),
        ("Streett", Some(count)) => {
            let pair = |i| Condition::Any(vec![fin(2 * i), inf(2 * i + 1)]);
            Some((2 * count, Condition::All(pairs(count, &pair))))
        }
        ("Rabin", Some(count)) => {
            let pair = |i| Condition::All(vec![fin(2 * i), inf(2 * i + 1)]);
            Some((2 * count, Condition::Any(pairs(count, &pair))))
        }
        ("generalized-Rabin", Some(count)) => {
            let sizes = &numbers[1..];
            if sizes.len() != count as usize {
                return None;
            }
            let mut next = 0;
            let mut parts = Vec::new();
            for &size in sizes {
                let mut part = vec![fin(next)];
                part.extend((next + 1..=next + size).map(inf));
                next += size + 1;
                parts.push(Condition::All(part));
            }
            Some((next, Condition::Any(parts)))
        }
        ("parity", Some(count)) => {
            let (max, odd) = match words {
                [range @ ("min" | "max"), parity @ ("odd" | "even")] => {
                    (*range == "max", *parity == "odd")
                }
                _ => return None,
            };
            // From the set that matters least to the one that matters most. Without any, the least is
            // `count` and the greatest is -1.
            let without = if max { odd } else { (count % 2 == 1) == odd };
            let mut condition = Condition::Constant(without);
            for i in 0..count {
                let set = if max { i } else { count - 1 - i };
                let good = (set % 2 == 1) == odd;
                condition = match (good, condition) {
                    (true, Condition::Constant(false)) => inf(set),
                    (false, Condition::Constant(true)) => fin(set),
                    (true, Condition::Constant(true)) => Condition::Constant(true),
                    (false, Condition::Constant(false)) => Condition::Constant(false),
                    (true, rest) => Condition::Any(vec![inf(set), rest]),
                    (false, rest) => Condition::All(vec![fin(set), rest]),
                };
            }
            Some((count, condition))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_is_satisfied_in_as_many_ways_as_are_allowed() {
        let ways = |count: usize| {
            let any = (0..count as u32).map(|set| Condition::Inf((set, false)));
            let ways = Condition::Any(any.collect()).ways();
            ways.map(|ways| ways.len())
        };
        assert_eq!(ways(MOST_WAYS - 1), Some(MOST_WAYS - 1));
        assert_eq!(ways(MOST_WAYS), Some(MOST_WAYS));
        assert_eq!(ways(MOST_WAYS + 1), None);
    }
}
