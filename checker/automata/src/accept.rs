//! Acceptance of a single word, by the definitions (Hansen, Penczek and Valmari 2002, 2.1 and 3.1).
//! What the conversions and reductions keep is measured against it. An empty word, which no run
//! has, is accepted by nothing.

use rustc_hash::FxHashSet;

use crate::buchi::Buchi;
use crate::label::Valuation;
use crate::testing::Testing;
use crate::word::Word;

impl Buchi {
    /// Whether a word is accepted. Takes time in the number of states by the length of the word.
    pub fn accepts(&self, word: &Word) -> bool {
        match word {
            Word::Ends(valuations) => match valuations.split_last() {
                None => false,
                Some((&last, before)) if self.ends_repeat => self.accepts_lasso(before, &[last]),
                Some(_) => self.accepts_end(valuations),
            },
            Word::Lasso { prefix, cycle } => self.accepts_lasso(prefix, cycle),
        }
    }

    /// (iii) and (iv).
    fn accepts_end(&self, valuations: &[Valuation]) -> bool {
        let mut at: FxHashSet<u32> = self.begins(valuations[0]).collect();
        for &valuation in &valuations[1..] {
            if at.iter().any(|&state| self.states[state as usize].reject) {
                return true;
            }
            let next = at.iter().flat_map(|&state| self.follows(state, valuation));
            at = next.collect();
        }
        at.iter().any(|&state| {
            let state = &self.states[state as usize];
            state.reject || state.deadlock
        })
    }

    /// (i) and (ii).
    fn accepts_lasso(&self, prefix: &[Valuation], cycle: &[Valuation]) -> bool {
        let places = Places { prefix, cycle };
        let Some(first) = places.first() else {
            return false;
        };
        let next = |(state, place): (u32, usize)| {
            let place = places.after(place);
            let next = self.follows(state, places.valuation(place));
            next.map(move |state| (state, place)).collect()
        };
        let begin = self.begins(first).map(|state| (state, 0)).collect();
        let reached = reachable(begin, next);
        reached.iter().any(|&node| {
            let state = &self.states[node.0 as usize];
            state.reject || state.infinite && reachable(next(node), next).contains(&node)
        })
    }
}

impl Testing {
    /// Whether a word is accepted. Takes time in the number of states by the length of the word.
    pub fn accepts(&self, word: &Word) -> bool {
        match word {
            Word::Ends(valuations) => self.accepts_end(valuations),
            Word::Lasso { prefix, cycle } => self.accepts_lasso(prefix, cycle),
        }
    }

    /// (iv) and (v).
    fn accepts_end(&self, valuations: &[Valuation]) -> bool {
        let Some(&first) = valuations.first() else {
            return false;
        };
        let mut at: FxHashSet<u32> = self.begins(first).collect();
        for pair in valuations.windows(2) {
            if at.iter().any(|&state| self.states[state as usize].reject) {
                return true;
            }
            let next = at
                .iter()
                .flat_map(|&state| self.follows(state, pair[0] ^ pair[1]));
            at = next.collect();
        }
        at.iter().any(|&state| {
            let state = &self.states[state as usize];
            state.reject || state.deadlock
        })
    }

    /// (i) to (iii).
    fn accepts_lasso(&self, prefix: &[Valuation], cycle: &[Valuation]) -> bool {
        let places = Places { prefix, cycle };
        let Some(first) = places.first() else {
            return false;
        };
        let next = |(state, place): (u32, usize)| {
            let after = places.after(place);
            let change = places.valuation(place) ^ places.valuation(after);
            let next = self.follows(state, change);
            next.map(move |state| (state, after)).collect()
        };
        let begin = self.begins(first).map(|state| (state, 0)).collect();
        let reached = reachable(begin, next);
        let changes = cycle.iter().any(|&valuation| valuation != cycle[0]);
        reached.iter().any(|&node| {
            let state = &self.states[node.0 as usize];
            state.reject
                || !changes && state.livelock && node.1 >= prefix.len()
                || changes && state.infinite && reachable(next(node), next).contains(&node)
        })
    }
}

/// The places of a lasso, numbered from 0.
#[derive(Clone, Copy)]
struct Places<'a> {
    prefix: &'a [Valuation],
    cycle: &'a [Valuation],
}

impl Places<'_> {
    /// What stands at the first place; nothing does where the cycle is empty.
    fn first(self) -> Option<Valuation> {
        let first = self.prefix.first().or(self.cycle.first());
        first.copied().filter(|_| !self.cycle.is_empty())
    }

    fn valuation(self, place: usize) -> Valuation {
        match self.prefix.get(place) {
            Some(&valuation) => valuation,
            None => self.cycle[place - self.prefix.len()],
        }
    }

    fn after(self, place: usize) -> usize {
        if place + 1 < self.prefix.len() + self.cycle.len() {
            place + 1
        } else {
            self.prefix.len()
        }
    }
}

/// States at places of a word.
type Node = (u32, usize);

/// All nodes that some nodes lead to, with these.
fn reachable(from: Vec<Node>, next: impl Fn(Node) -> Vec<Node>) -> FxHashSet<Node> {
    let mut found: FxHashSet<Node> = from.iter().copied().collect();
    let mut work = from;
    while let Some(node) = work.pop() {
        work.extend(next(node).into_iter().filter(|&next| found.insert(next)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::figures;

    fn lasso(prefix: &[u64], cycle: &[u64]) -> Word {
        Word::Lasso {
            prefix: prefix.to_vec(),
            cycle: cycle.to_vec(),
        }
    }

    #[test]
    fn a_lasso_is_accepted_where_an_infinite_state_returns() {
        let buchi = figures::not_eventually_always_p();
        assert!(buchi.accepts(&lasso(&[0, 1, 0], &[1])));
        assert!(buchi.accepts(&lasso(&[], &[1])));
        assert!(!buchi.accepts(&lasso(&[1, 1], &[1, 0])));
        assert!(!buchi.accepts(&lasso(&[], &[])));
    }

    #[test]
    fn an_end_is_accepted_in_a_deadlock_state_alone() {
        let mut buchi = figures::not_eventually_always_p();
        assert!(!buchi.accepts(&Word::Ends(vec![0, 1])));
        buchi.states[1].deadlock = true;
        assert!(buchi.accepts(&Word::Ends(vec![0, 1])));
        assert!(!buchi.accepts(&Word::Ends(vec![1, 0])));
        assert!(!buchi.accepts(&Word::Ends(Vec::new())));
    }

    #[test]
    fn an_end_is_read_as_repeating_where_the_automaton_says_so() {
        let mut buchi = figures::not_eventually_always_p();
        buchi.ends_repeat = true;
        assert!(buchi.accepts(&Word::Ends(vec![0, 1])));
        assert!(!buchi.accepts(&Word::Ends(vec![1, 0])));
    }

    #[test]
    fn reject_accepts_all_that_goes_on() {
        let mut buchi = figures::infinitely_often_p();
        for state in &mut buchi.states {
            state.reject = std::mem::take(&mut state.infinite);
        }
        assert!(buchi.accepts(&lasso(&[0, 1], &[0])));
        assert!(buchi.accepts(&Word::Ends(vec![0, 1, 0])));
        assert!(!buchi.accepts(&Word::Ends(vec![0, 0])));
    }

    #[test]
    fn infinite_states_of_a_testing_automaton_need_changes_for_ever() {
        let mut testing = figures::theorem_4_3();
        assert!(testing.accepts(&lasso(&[0, 1, 0], &[1])));
        assert!(!testing.accepts(&lasso(&[0], &[1, 0])));
        for state in &mut testing.states {
            state.infinite = std::mem::take(&mut state.livelock);
        }
        assert!(!testing.accepts(&lasso(&[0, 1, 0], &[1])));
        assert!(testing.accepts(&lasso(&[0], &[1, 0])));
    }
}
