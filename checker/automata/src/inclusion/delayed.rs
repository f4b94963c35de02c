//! Delayed simulation (Etessami, Wilke and Schuller 2005), which implies inclusion.

use crate::buchi::{Buchi, BuchiState};
use crate::work::{Stopped, Work};

/// With more pairs of states nothing is tried.
const MOST_PAIRS: usize = 1 << 20;
/// How many pairs of transitions are looked at.
const MOST_WORK: usize = 30_000_000;

/// Whether each run of `some` can be answered, step by step and knowing no more than the past, by a
/// run of `all` which is in an `infinite` state at some time after each time that the other is, and
/// in a `deadlock` state whenever the other is; until it comes to a `reject` state, where it has won.
/// In both each state reads one valuation. False also where it would take too long.
///
/// This shows inclusion: where the run of `some` is in `infinite` states infinitely often, so is the
/// answer, and where it ends in a `deadlock` state, the answer does.
///
/// The game's positions are pairs of states with whether an `infinite` state is owed. Won is
/// νX.μY: for each step there is an answer after which nothing is owed and the position is in X, or
/// the position is in Y.
pub fn simulates(all: &Buchi, some: &Buchi, work: &Work<'_>) -> Result<bool, Stopped> {
    let width = all.states.len();
    if some.states.len().saturating_mul(width) > MOST_PAIRS {
        return Ok(false);
    }
    let repeat = some.ends_repeat;
    let place = |one: u32, two: u32| one as usize * width + two as usize;
    let owed = |owed: bool, one: u32, two: u32| {
        (owed || some.states[one as usize].infinite) && !all.states[two as usize].infinite
    };
    // Whether the pair is not lost as it stands.
    let stands = |one: &BuchiState, two: &BuchiState| {
        one.label == two.label
            && (two.reject || !one.reject && (repeat || two.deadlock >= one.deadlock))
    };
    let mut pairs = Vec::new();
    for (one, state) in some.states.iter().enumerate() {
        work.spend(width)?;
        for (two, answer) in all.states.iter().enumerate() {
            if stands(state, answer) {
                pairs.push((one as u32, two as u32));
            }
        }
    }
    // For each pair, won with nothing owed and with an `infinite` state owed.
    let mut outer = vec![[false; 2]; some.states.len() * width];
    for &(one, two) in &pairs {
        outer[place(one, two)] = [true; 2];
    }
    let mut looked = 0;
    loop {
        work.spend(outer.len())?;
        let mut inner = vec![[false; 2]; outer.len()];
        let mut grown = true;
        while std::mem::take(&mut grown) {
            for &(one, two) in &pairs {
                let before = looked;
                for owing in [false, true] {
                    let at = place(one, two);
                    if inner[at][usize::from(owing)] {
                        continue;
                    }
                    let answers = &all.states[two as usize].next;
                    let answered = |&step: &u32| {
                        answers.iter().any(|&answer| {
                            looked += 1;
                            let at = place(step, answer);
                            match owed(owing, step, answer) {
                                false => outer[at][0],
                                true => inner[at][1],
                            }
                        })
                    };
                    let won = all.states[two as usize].reject
                        || some.states[one as usize].next.iter().all(answered);
                    inner[at][usize::from(owing)] = won;
                    grown |= won;
                    looked += 1;
                }
                work.spend(1 + looked - before)?;
                if looked > MOST_WORK {
                    return Ok(false);
                }
            }
        }
        if inner == outer {
            break;
        }
        outer = inner;
    }
    let initial = |buchi: &Buchi| -> Vec<u32> {
        let numbers = 0..buchi.states.len() as u32;
        let initial = numbers.filter(|&number| buchi.states[number as usize].initial);
        initial.collect()
    };
    let answers = initial(all);
    Ok(initial(some).iter().all(|&one| {
        let won = |&two: &u32| outer[place(one, two)][usize::from(owed(false, one, two))];
        answers.iter().any(won)
    }))
}
