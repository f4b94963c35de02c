//! Runs that end, in automata that read an end as repeating for ever.

use crate::buchi::Buchi;
use crate::work::{NotMade, Work};
use stubborn_system::components::Components;

impl Buchi {
    /// A Büchi automaton that accepts the same words, ends included, and in which
    /// [`ends_repeat`](Buchi::ends_repeat) does not hold: ends are accepted in its `deadlock` states.
    /// So it can be written where an automaton is one of the paper's. An automaton in which it does
    /// not hold is given back as it is; another one is split for it, and reduced.
    ///
    /// # Errors
    /// Where it would be too large, or the work has been stopped.
    pub fn with_deadlock_states(&self, work: &Work<'_>) -> Result<Buchi, NotMade> {
        if !self.ends_repeat {
            return Ok(self.clone());
        }
        let mut buchi = self.split(work)?;
        let still: Vec<Vec<u32>> = buchi
            .states
            .iter()
            .map(|state| {
                let next = state.next.iter().copied();
                next.filter(|&next| buchi.states[next as usize].label == state.label)
                    .collect()
            })
            .collect();
        let components = Components::of(&still);
        let goals = buchi.states.iter().enumerate().map(|(number, state)| {
            state.reject || state.infinite && components.is_on_cycle(number as u32)
        });
        let accepting = components.leading_to(&goals.collect::<Vec<bool>>());
        for (state, accepts) in buchi.states.iter_mut().zip(accepting) {
            state.deadlock = accepts;
        }
        buchi.ends_repeat = false;
        Ok(buchi.reduced(false, work)?)
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::figures;
    use crate::tests::random::Random;
    use crate::work::Work;

    #[test]
    fn ends_are_accepted_as_if_they_repeated() {
        let mut random = Random::new(91);
        for _ in 0..600 {
            let mut buchi = random.buchi(2);
            buchi.ends_repeat = true;
            let marked = buchi.with_deadlock_states(&Work::unlimited()).unwrap();
            assert!(!marked.ends_repeat);
            for _ in 0..20 {
                let word = random.word(2);
                assert_eq!(
                    buchi.accepts(&word),
                    marked.accepts(&word),
                    "{buchi:?} {word:?}"
                );
            }
        }
    }

    #[test]
    fn a_run_may_end_with_p_where_always_p_is_looked_for() {
        let mut buchi = figures::not_eventually_always_p();
        buchi.ends_repeat = true;
        let marked = buchi.with_deadlock_states(&Work::unlimited()).unwrap();
        let deadlock = marked.states.iter().map(|state| state.deadlock);
        assert!(
            deadlock.eq(marked
                .states
                .iter()
                .map(|state| state.label == figures::p()))
        );
    }
}
