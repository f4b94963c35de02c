//! What a depth-first search decides on its way.

use crate::models::*;
use stubborn_engine::{Caller, Finding, Options, Order, Outcome, Search, Verdict, check};
use stubborn_system::property::Property;
use stubborn_system::system::System;

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

fn outcomes(system: &System, properties: &[Property], order: Order) -> Vec<Outcome> {
    let options = Options {
        search: Search::Depth,
        order,
        keep_steps: true,
        ..Options::default()
    };
    check(system, properties, &options, Caller::default()).expect("its states are small")
}

#[test]
fn termination_is_refuted_as_soon_as_a_component_without_a_way_out_is_complete() {
    let system = loop_or_line(100);
    for (order, states) in [(Order::Forward, 2), (Order::Reverse, 102)] {
        let found = outcomes(&system, &[Property::Termination], order).swap_remove(0);
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
    let properties = [Property::Errors, Property::Termination];
    let found = outcomes(&system, &properties, Order::Forward);
    assert_eq!(found[0].verdict, Verdict::Holds);
    assert!(found[1].verdict.is_violated());
    assert!(found.iter().all(|found| found.states == 102 && found.full));
}
