//! Whether it pays to keep what was found out, judged by counts and never by the clock.

/// After so many times that something was not known it is asked whether keeping it pays.
const MISSES: u64 = 1 << 12;
/// What does not pay rests for so many times as many states as it was asked in.
const REST: u64 = 8;

/// Whether it pays to keep something, by how often it is asked for in vain.
pub struct Pays {
    /// It does if it is asked for at least so often, in eighths, for each time that it is not
    /// known.
    least: u64,
    /// How often something was not known, since so many states.
    misses: u64,
    since: u64,
    /// Nothing is to be looked up or kept until there were so many states.
    rests_until: u64,
}

impl Pays {
    /// What saves little, from so many states on: it pays if it is known three times of four.
    pub fn since(states: u64) -> Pays {
        Pays {
            least: 32,
            misses: 0,
            since: states,
            rests_until: 0,
        }
    }

    /// What saves much: once of five.
    pub fn at_once() -> Pays {
        Pays {
            least: 10,
            ..Pays::since(0)
        }
    }

    /// What is kept however seldom it is known.
    pub fn always() -> Pays {
        Pays {
            least: 0,
            ..Pays::since(0)
        }
    }

    #[inline(always)]
    pub fn rests(&self, states: u64) -> bool {
        states < self.rests_until
    }

    /// Once more something was not known. Whether there is a rest from now on.
    pub fn misses(&mut self, states: u64) -> bool {
        self.misses += 1;
        if self.misses < MISSES {
            return false;
        }
        let asked = states - self.since;
        let has_paid = asked * 8 >= MISSES * self.least;
        if !has_paid {
            self.rests_until = states + asked * REST;
        }
        self.misses = 0;
        self.since = states.max(self.rests_until);
        !has_paid
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_in_vain_too_often_rests_for_a_while_and_is_tried_again() {
        let mut pays = Pays::since(100);
        // Every other time.
        let begins = (1..)
            .find(|misses| pays.misses(100 + 2 * misses))
            .expect("once");
        assert_eq!(begins, MISSES);
        let now = 100 + 2 * MISSES;
        let until = now + 2 * MISSES * REST;
        assert!(pays.rests(now) && pays.rests(until - 1) && !pays.rests(until));
        // Every fourth time is often enough.
        assert!((1..=MISSES).all(|misses| !pays.misses(until + 4 * misses)));
        assert!(!pays.rests(until + 4 * MISSES));
    }

    #[test]
    fn what_saves_much_pays_if_it_is_known_once_of_five() {
        let mut pays = Pays::at_once();
        assert!((1..=MISSES).all(|misses| !pays.misses(misses * 5 / 4)));
        let (mut pays, states) = (Pays::at_once(), |misses| misses * 5 / 4 - misses / 128);
        assert!((1..MISSES).all(|misses| !pays.misses(states(misses))));
        assert!(pays.misses(states(MISSES)));
    }
}
