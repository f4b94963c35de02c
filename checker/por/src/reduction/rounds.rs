//! Searches that become exact round by round.
//!
//! Algorithm A of L. Brim, I. Černá, P. Moravec and J. Šimša, "Under-Approximation Generation using
//! Partial Order Reduction" (FI MU, 2005). Of the *transitions* that a property sees some are
//! *sensitive* (Def. 2.3): they alone count as visible where stubborn sets are chosen. None are in
//! the first round, all in the last, which is the search with stubborn sets as it is, with all that
//! is proved of it.
//!
//! What a round finds on a run is real, since a run of a reduced space is a run of the system,
//! whatever was left out of it. What is proved of any sets that obey D0 to D2 is proved in each
//! round: terminal states, AG EF termination, and what follows from that for properties that see no
//! transition at all (Valmari 2015, Thms 1, 3 and 6). Nothing else is, unless the round is *exact*:
//! nothing was left out in it; or whatever was asked of the transitions had the same answer as if
//! all had been sensitive, so that the sets are those of the last round.
//!
//! The paper makes one transition sensitive after each round. Here their number doubles, from one
//! on, so that there are about as many rounds as it has binary digits, and a property that holds
//! takes that many searches instead of one for each transition. The sets of sensitive transitions
//! grow all the same, so that the runs that are represented do.
//!
//! Algorithm B goes on where all that is visible is sensitive
//! ([`local_cycles`](crate::related::local_cycles)).

use rustc_hash::FxHashSet;
use stubborn_space::verdict::Round;

/// A transition that a property sees: a number whose meaning is the property's.
pub type Transition = u32;

/// Which transitions are sensitive, round after round.
pub struct Rounds {
    order: Vec<Transition>,
    sensitive: usize,
    number: u32,
    before: u64,
}

impl Rounds {
    /// The first one. `visible` has each transition with its distance: by how many of its own steps
    /// a process can get to it. The nearest become sensitive first.
    pub fn new(visible: Vec<(u32, Transition)>) -> Rounds {
        let mut rounds = Rounds {
            order: Vec::new(),
            sensitive: 0,
            number: 1,
            before: 0,
        };
        rounds.go_on_with(visible);
        rounds
    }

    /// Replaces the steps that become sensitive next, after those that are, for algorithm B, which
    /// finds them again in each round.
    pub fn go_on_with(&mut self, mut more: Vec<(u32, Transition)>) {
        // The least of several distances counts.
        more.sort_unstable_by_key(|(distance, transition)| (*transition, *distance));
        more.dedup_by_key(|(_, transition)| *transition);
        more.sort_unstable();
        let is_sensitive: FxHashSet<Transition> = self.sensitive().iter().copied().collect();
        more.retain(|(_, transition)| !is_sensitive.contains(transition));
        self.order.truncate(self.sensitive);
        self.order
            .extend(more.into_iter().map(|(_, transition)| transition));
    }

    pub fn sensitive(&self) -> &[Transition] {
        &self.order[..self.sensitive]
    }

    pub fn is_last(&self) -> bool {
        self.sensitive == self.order.len()
    }

    /// Begins the next round, after one with this many states that was not exact and left something
    /// open.
    pub fn widen(&mut self, states: u64) {
        debug_assert!(!self.is_last(), "the last round decides");
        self.sensitive = (2 * self.sensitive).clamp(1, self.order.len());
        self.number += 1;
        self.before += states;
    }

    pub fn round(&self) -> Round {
        Round {
            number: self.number,
            sensitive: self.sensitive as u32,
            visible: self.order.len() as u32,
            is_exact: self.is_last(),
            before: self.before,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(visible: Vec<(u32, Transition)>) -> Vec<Vec<Transition>> {
        let mut rounds = Rounds::new(visible);
        let mut all = vec![rounds.sensitive().to_vec()];
        while !rounds.is_last() {
            rounds.widen(10);
            all.push(rounds.sensitive().to_vec());
        }
        assert_eq!(rounds.round().number as usize, all.len());
        assert_eq!(rounds.round().before, 10 * (all.len() as u64 - 1));
        all
    }

    #[test]
    fn the_nearest_come_first_and_their_number_doubles() {
        let visible = vec![(3, 7), (0, 9), (3, 2), (1, 4), (2, 5), (1, 1)];
        let rounds = all(visible);
        assert_eq!(
            rounds,
            [
                vec![],
                vec![9],
                vec![9, 1],
                vec![9, 1, 4, 5],
                vec![9, 1, 4, 5, 2, 7]
            ]
        );
    }

    #[test]
    fn where_nothing_is_visible_the_first_round_is_the_last() {
        assert_eq!(all(Vec::new()), [vec![]]);
    }
}
