//! Merged steps on random systems: every verdict stays, which would not be so if one did not look at what
//! others and the property ask.

use std::cell::Cell;

use stubborn_engine::{Caller, Limits, Options, Reduction, Verdict, check};
use stubborn_random::systems::Source;
use stubborn_random::{fixed, local_runs, read};
use stubborn_system::property::Property;
use stubborn_system::slice::{Dead, Merged, Slice};
use stubborn_system::system::System;

const MOST_STATES: u64 = 400;

/// What is looked at to see which steps can be merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Looking {
    Everywhere,
    /// But not at what the property asks,
    PastTheProperty,
    /// or not at the other instances.
    PastTheOthers,
}

/// All of the System.
fn whole(system: System) -> Slice {
    let numbers = |count: usize| (0..count as u32).collect::<Vec<_>>();
    let locals = system.instances.iter();
    Slice {
        instances: numbers(system.instances.len()),
        variables: numbers(system.variables.len()),
        locals: locals.map(|one| numbers(one.locals.len())).collect(),
        channels: numbers(system.channels.len()),
        actions: numbers(system.actions.len()),
        is_simpler: false,
        merged: Merged::default(),
        dead: Dead::default(),
        system,
    }
}

/// The System with merged steps.
fn merged(system: &System, property: &Property, looking: Looking) -> System {
    let asked = std::slice::from_ref(property);
    match looking {
        Looking::Everywhere => whole(system.clone()).merged(asked, &mut || true).system,
        Looking::PastTheProperty => whole(system.clone()).merged(&[], &mut || true).system,
        Looking::PastTheOthers => {
            let mut merged = system.clone();
            for (number, instance) in merged.instances.iter_mut().enumerate() {
                let mut alone = system.clone();
                for (other, instance) in alone.instances.iter_mut().enumerate() {
                    if other != number {
                        instance.steps.clear();
                        instance
                            .locations
                            .iter_mut()
                            .for_each(|at| at.steps.clear());
                    }
                }
                let mut alone = whole(alone).merged(asked, &mut || true).system;
                *instance = alone.instances.swap_remove(number);
            }
            merged
        }
    }
}

/// Whether it is violated, where that is decided; and how many states there are.
fn plain(system: &System, property: &Property) -> Option<(bool, u64)> {
    let options = Options {
        reduction: Reduction::None,
        keep_dead_variables: true,
        limits: Limits {
            max_states: Some(MOST_STATES),
            ..Limits::default()
        },
        ..Options::default()
    };
    let found = check(
        system,
        std::slice::from_ref(property),
        &options,
        Caller::default(),
    );
    let found = found.expect("its states are small").swap_remove(0);
    match found.verdict {
        Verdict::Undecided(_) => None,
        verdict => Some((verdict.is_violated(), found.states)),
    }
}

/// How many systems were merged for one of their properties, of how many of these the search had fewer states, and of
/// how many the verdict was another one.
#[derive(Clone, Copy, Default)]
struct Compared {
    merged: u32,
    smaller: u32,
    others: u32,
}

impl Compared {
    fn look(&mut self, system: &System, property: &Property, looking: Looking) {
        let merged = merged(system, property, looking);
        if merged == *system {
            return;
        }
        let (Some(before), Some(after)) = (plain(system, property), plain(&merged, property))
        else {
            return;
        };
        let is_other = before.0 != after.0;
        self.merged += 1;
        self.smaller += u32::from(after.1 < before.1);
        self.others += u32::from(is_other);
        let may_be = looking != Looking::Everywhere;
        assert!(!is_other || may_be, "{property:?}");
    }
}

/// Of so many random systems with all their properties, and of no more than 300 that mostly work on their own variables.
fn compared(cases: u32, looking: Looking) -> [Compared; 2] {
    let anything = Cell::new(Compared::default());
    let numbers = || fixed::numbers(0..800);
    fixed::test(cases, &(numbers(), numbers()), |drawn| {
        let system = Source::new(&drawn.0).system();
        let mut compared = anything.get();
        for property in Source::new(&drawn.1).properties(&system) {
            compared.look(&system, &property, looking);
        }
        anything.set(compared);
        Ok(())
    });
    let mut alone = Compared::default();
    for seed in 0..u64::from(cases.min(300)) {
        let Some(drawn) = read::model(&local_runs::model(seed)) else {
            continue;
        };
        for named in &drawn.properties {
            alone.look(&drawn.system, &named.property, looking);
        }
    }
    [anything.into_inner(), alone]
}

#[test]
fn merged_steps_keep_every_verdict() {
    for compared in compared(300, Looking::Everywhere) {
        let Compared {
            merged, smaller, ..
        } = compared;
        assert!(smaller > 150 && merged >= smaller, "{merged}, {smaller}");
    }
}

#[test]
fn who_does_not_look_at_the_property_is_found_out() {
    let [anything, _] = compared(300, Looking::PastTheProperty);
    assert!(anything.others > 5, "{}", anything.others);
}

#[test]
fn who_does_not_look_at_the_others_is_found_out() {
    let others = compared(2_000, Looking::PastTheOthers).map(|compared| compared.others);
    // Few of them look at what is merged.
    assert!(others.iter().sum::<u32>() > 0, "{others:?}");
}
