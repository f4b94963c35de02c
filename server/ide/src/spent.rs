//! How much of the time of a search each of the properties has taken that it has decided.
//!
//! One search decides many properties, and what it says of each is how long it had gone on by then. Put beside each
//! other these times would count the same seconds again and again, so each property is told those alone that have gone
//! by since the one before it was decided, and those that are decided at once have them in equal shares: all of them
//! together are the time that a person has waited.

use std::collections::BTreeMap;

/// A property that a search has decided, or has left open.
#[derive(Clone, Copy, Debug)]
pub struct Decided<'a> {
    /// Its name without the values of its parameters.
    pub base: &'a str,
    /// How many states the search had by then.
    pub states: u64,
    /// And how long it had gone on, in seconds.
    pub seconds: f64,
    /// Nothing else was searched for with it.
    pub is_alone: bool,
}

/// What each has taken, in seconds, in their order. The values of one property share a search, and so do those properties
/// of which the last value was decided at the same state of one: no search says more of which it was.
pub fn spent(all: &[Decided<'_>]) -> Vec<f64> {
    let mut spent: Vec<f64> = all.iter().map(|one| one.seconds).collect();
    let mut families: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let together = all.iter().enumerate().filter(|(_, one)| !one.is_alone);
    for (at, one) in together {
        families.entry(one.base).or_default().push(at);
    }
    let mut searches: BTreeMap<(u64, u64), Vec<usize>> = BTreeMap::new();
    for family in families.into_values() {
        let last = family
            .iter()
            .map(|at| &all[*at])
            .max_by(|one, other| one.seconds.total_cmp(&other.seconds));
        if let Some(last) = last {
            let search = (last.states, last.seconds.to_bits());
            searches.entry(search).or_default().extend(family);
        }
    }
    for mut decided in searches.into_values() {
        decided.sort_by(|at, other| all[*at].seconds.total_cmp(&all[*other].seconds));
        let mut before = 0.0;
        for at_once in decided.chunk_by(|at, next| all[*at].seconds == all[*next].seconds) {
            let seconds = all[at_once[0]].seconds;
            for at in at_once {
                spent[*at] = (seconds - before) / at_once.len() as f64;
            }
            before = seconds;
        }
    }
    spent
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(base: &str, states: u64, seconds: f64) -> Decided<'_> {
        Decided {
            base,
            states,
            seconds,
            is_alone: false,
        }
    }

    #[test]
    fn the_values_of_a_property_have_the_time_of_their_search_together() {
        let of_access = (1..=1000).map(|at| one("access", at, at as f64 / 200.0));
        let each = spent(&of_access.collect::<Vec<_>>());
        assert!(each.iter().all(|taken| (taken - 0.005).abs() < 1e-9));
        assert!((each.iter().sum::<f64>() - 5.0).abs() < 1e-9);
    }

    #[test]
    fn what_one_search_decides_at_once_has_its_time_in_equal_shares() {
        let all = [
            one("errors", 1000, 5.0),
            one("deadlock", 1000, 5.0),
            one("access", 20, 2.0),
            one("access", 1000, 5.0),
            one("mutex", 20, 0.5),
        ];
        assert_eq!(spent(&all), [1.0, 1.0, 2.0, 1.0, 0.5]);
    }

    #[test]
    fn what_a_monitor_watches_for_has_a_search_of_its_own() {
        let alone = |seconds: f64| Decided {
            is_alone: true,
            ..one("fed", 10, seconds)
        };
        assert_eq!(
            spent(&[alone(1.0), alone(3.0), alone(1.0)]),
            [1.0, 3.0, 1.0]
        );
    }
}
