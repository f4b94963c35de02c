//! Random testing automata that observe the states of random systems.

use stubborn_model::NamedProperty;
use stubborn_system::property::Property;
use stubborn_system::system::{Expr, System};

use crate::random::Random;
use crate::watch::marks::Marks;

/// A testing automaton; every initial state may begin.
#[derive(Debug)]
pub struct Automaton {
    pub propositions: Vec<Expr>,
    pub states: Vec<State>,
    pub initials: usize,
}

#[derive(Debug)]
pub struct State {
    pub marks: Marks,
    /// Which propositions change, and where it leads.
    pub next: Vec<(u32, usize)>,
}

/// An automaton beside a system with these properties.
pub fn automaton(system: &System, properties: &[NamedProperty], seed: u64) -> Automaton {
    let mut r = Random::new(seed ^ 0xa070_3a7a);
    let properties = properties
        .iter()
        .filter_map(|property| match &property.property {
            Property::Invariant(e) | Property::MayProgress(e) | Property::MustProgress(e) => {
                Some(e.clone())
            }
            _ => None,
        });
    let properties: Vec<Expr> = properties.collect();
    let mut propositions = Vec::new();
    for _ in 0..1 + r.below(2) {
        if !properties.is_empty() && !r.one_in(3) {
            propositions.push(r.pick(&properties).clone());
            continue;
        }
        let who = r.below(system.instances.len());
        let location = r.below(system.instances[who].locations.len());
        propositions.push(Expr::At(who as u32, vec![location as u32]));
    }
    let count = 1 + r.below(4);
    let density = [4, 8, 12][r.below(3)];
    let states = (0..count).map(|state| {
        let mut next = Vec::new();
        for changed in 1..1 << propositions.len() {
            for _ in 0..[0, 1, 1, 1, 2][r.below(5)] {
                next.push((changed, r.below(count)));
            }
        }
        let marks = Marks {
            reject: state > 0 && r.one_in(density),
            deadlock: r.one_in(density),
            livelock: r.one_in(3),
            infinite: r.one_in(3),
        };
        State { marks, next }
    });
    Automaton {
        states: states.collect(),
        propositions,
        initials: 1 + r.below(2.min(count)),
    }
}
