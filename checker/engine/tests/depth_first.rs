//! What a depth-first search decides on its way.

mod models;

use models::*;
use stubborn_engine::{Finding, Options, Order, Outcome, Search, Silent, Verdict, check};
use stubborn_model::claim::Claim;
use stubborn_model::system::System;

/// From location 0 either to 1, and there round for ever, or along a line of `len` others.
fn loop_or_line(len: u32) -> System {
    let mut locations = vec![vec![go(1), go(2)], vec![go(1)]];
    locations.extend((3..len + 2).map(|next| vec![go(next)]));
    locations.push(vec![]);
    System {
        instances: vec![instance(locations)],
        ..System::default()
    }
}

fn outcomes(system: &System, claims: &[Claim], order: Order) -> Vec<Outcome> {
    let options = Options {
        search: Search::Depth,
        order,
        ..Options::default()
    };
    check(system, claims, &options, &Silent).expect("its states are small")
}

#[test]
fn termination_is_refuted_as_soon_as_a_component_without_a_way_out_is_complete() {
    let system = loop_or_line(100);
    for (order, states) in [(Order::Forward, 2), (Order::Reverse, 102)] {
        let found = outcomes(&system, &[Claim::Termination], order).swap_remove(0);
        let Verdict::Violated { finding, trace } = found.verdict else {
            panic!("it does not terminate: {:?}", found.verdict);
        };
        assert_eq!(finding, Finding::NoTerminalReachable);
        assert_eq!(trace.last().instances[0].location, 1);
        assert_eq!(found.states, states, "{order:?}");
    }
}

#[test]
fn a_search_goes_on_for_what_is_undecided_when_termination_is_refuted() {
    let system = loop_or_line(100);
    let claims = [Claim::Errors, Claim::Termination];
    let found = outcomes(&system, &claims, Order::Forward);
    assert_eq!(found[0].verdict, Verdict::Holds);
    assert!(found[1].verdict.is_violated());
    assert!(found.iter().all(|found| found.states == 102 && found.full));
}
