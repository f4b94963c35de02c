//! What leads out of a state of the product with an automaton (H. Hansen, W. Penczek, A. Valmari,
//! "Stuttering-insensitive automata for on-the-fly detection of livelock properties", 2002).

use stubborn_random::watch::automata::{Buchi, Testing};

use super::product::{Leads, Pair};
use super::space::Space;

/// Section 2.2. A run ends where the system does.
pub fn of_buchi(buchi: &Buchi, space: &Space, valuations: &[u64], (system, own): Pair) -> Leads {
    let mut leads = Leads {
        to: vec![],
        ends: space.ends(system),
    };
    for next in space.next(system) {
        for then in &buchi.states[own as usize].next {
            if buchi.goes(own, *then, valuations[next as usize]) {
                leads.to.push(((next, *then), true));
            }
        }
    }
    leads
}

/// Section 3.2. A run ends where the system does.
pub fn of_testing(
    testing: &Testing,
    space: &Space,
    valuations: &[u64],
    (system, own): Pair,
) -> Leads {
    let mut leads = Leads {
        to: vec![],
        ends: space.ends(system),
    };
    for next in space.next(system) {
        let change = testing.observes(valuations[system as usize] ^ valuations[next as usize]);
        for then in 0..testing.states.len() as u32 {
            if testing.goes(own, then, change) {
                leads.to.push(((next, then), change != 0));
            }
        }
    }
    leads
}
