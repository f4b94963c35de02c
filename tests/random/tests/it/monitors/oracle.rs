//! The oracles themselves: what the atoms of a formula's closure say, against evaluating the formula
//! along the only run that a system has.

use stubborn_engine::State;

use super::space::{Space, Taken};
use super::tableau;
use stubborn_random::random::Random;
use stubborn_random::watch::formula;

/// A system that goes through so many states and then back to one of them, or ends.
fn single_run(states: usize, back: Option<usize>) -> Space {
    let empty = State {
        shared: vec![],
        channels: vec![],
        instances: vec![],
    };
    let step = |target: usize| Taken {
        actions: vec![],
        target: Some(target as u32),
    };
    let steps = (0..states).map(|state| match (state + 1 < states, back) {
        (true, _) => vec![step(state + 1)],
        (false, Some(back)) => vec![step(back)],
        (false, None) => vec![],
    });
    Space {
        states: vec![empty; states],
        steps: steps.collect(),
    }
}

/// # Panics
/// Where they differ.
pub fn agrees(formulas: u64) {
    let mut r = Random::new(0x01ac1e);
    let mut values = [0, 0];
    for _ in 0..formulas {
        let looks = 1 + r.below(3);
        let formula = formula::draw(looks, &mut r);
        let states = 1 + r.below(6);
        let back = (!r.one_in(4)).then(|| r.below(states));
        let valuations: Vec<u64> = (0..states).map(|_| r.next() % (1 << looks)).collect();
        let space = single_run(states, back);
        let Some(satisfied) = tableau::is_satisfied(&space, &valuations, &formula, 100_000) else {
            continue;
        };
        let along = formula.along(&valuations, back.unwrap_or(states - 1))[0];
        assert_eq!(
            satisfied, along,
            "{formula:?} along {valuations:?}, {back:?}"
        );
        values[usize::from(along)] += 1;
    }
    assert!(
        values.iter().all(|count| *count > formulas / 10),
        "{values:?}"
    );
}
