//! A tester that waits neither for rest nor for what it does not see is searched beside those alone who
//! matter to it: with the verdict of the whole System, from its plain state space.

use stubborn_engine::{Caller, Limits, Options, Reduction, Verdict, check};
use stubborn_random::read;
use stubborn_random::watch::{self, Kind};
use stubborn_system::property::Property;
use stubborn_system::slice::Dependencies;
use stubborn_system::system::System;

/// What is drawn so often is seen to be of every sort.
const CASES: u64 = 600;
const MOST_STATES: u64 = 1_000;

/// Whether the property is violated, and in how many states that was found out; `None` where there
/// are too many.
fn is_violated(system: &System, property: &Property, is_plain: bool) -> Option<(bool, u64)> {
    let options = Options {
        reduction: match is_plain {
            true => Reduction::None,
            false => Reduction::Stubborn,
        },
        keep_dead_variables: is_plain,
        limits: Limits {
            max_states: Some(MOST_STATES),
            ..Limits::default()
        },
        ..Options::default()
    };
    let asked = std::slice::from_ref(property);
    let outcome = check(system, asked, &options, Caller::default())
        .ok()?
        .pop()?;
    match outcome.verdict {
        Verdict::Holds => Some((false, outcome.states)),
        Verdict::Violated { .. } => Some((true, outcome.states)),
        Verdict::Undecided(_) => None,
    }
}

#[test]
fn a_tester_that_rejects_is_searched_beside_those_alone_who_matter_to_it() {
    let (mut violated, mut held, mut fewer) = (0, 0, 0);
    for seed in 0..CASES {
        let Some(case) = watch::draw(Kind::Tester, seed) else {
            continue;
        };
        let read = read::case(&case).expect("what is drawn is right");
        let Some(read) = read else {
            continue;
        };
        let Property::Tester(mut tester) = read.property else {
            panic!("a tester was drawn");
        };
        for state in &mut tester.states {
            (state.deadlock, state.livelock) = (false, false);
        }
        let property = Property::Tester(tester);
        assert!(!property.needs_every_process());
        let cone = Dependencies::new(&read.system).cone([&property]);
        if cone.instances().count() == read.system.instances.len() {
            continue;
        }
        let found = [true, false].map(|plain| is_violated(&read.system, &property, plain));
        if let [Some((plain, all)), Some((sliced, some))] = found {
            assert_eq!(plain, sliced, "seed {seed}");
            violated += u32::from(plain);
            held += u32::from(!plain);
            fewer += u32::from(some < all);
        }
    }
    assert!(
        violated >= 10 && held >= 10 && fewer >= 10,
        "{violated}, {held}, {fewer}"
    );
}
