//! What a search tells of the states that it has gone through.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::models::peterson::{Version, mutex, peterson};
use stubborn_engine::coverage::{Coverage, Extent, Item, Sight};
use stubborn_engine::{
    Caller, Clock, Event, Limits, Observer, Options, Reduction, Symmetry, check,
};
use stubborn_system::property::Property;
use stubborn_system::system::VariableRef;

/// Notes what it is told, and cancels the search at the first verdict if it is to.
#[derive(Default)]
struct Told {
    seen: Mutex<Vec<(Vec<usize>, Coverage)>>,
    cancels: bool,
    is_cancelled: AtomicBool,
}

impl Observer for Told {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Decided(..) => self.is_cancelled.store(self.cancels, Ordering::Relaxed),
            Event::Saw(properties, seen) => {
                let mut told = self.seen.lock().expect("nobody panics");
                told.push((properties.to_vec(), seen.clone()));
            }
            _ => {}
        }
    }
}

impl Clock for Told {
    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }
}

const BUILT_IN: [Property; 3] = [
    Property::Errors,
    Property::Deadlock { allowed: None },
    Property::Termination,
];

fn asked(reduction: Reduction) -> Options {
    Options {
        reduction,
        tells_seen: true,
        symmetry: Symmetry::Off,
        keep_steps: true,
        ..Options::default()
    }
}

fn told(options: &Options, told: &Told, properties: &[Property]) -> Vec<(Vec<usize>, Coverage)> {
    let system = peterson(3, Version::Correct);
    check(
        &system,
        properties,
        options,
        Caller::timed_by(told).observed_by(told),
    )
    .expect("its states are small");
    std::mem::take(&mut told.seen.lock().expect("nobody panics"))
}

#[test]
fn what_was_seen_is_told_once_of_searches_that_are_shared_and_only_where_it_is_asked_for() {
    let found = told(&asked(Reduction::None), &Told::default(), &BUILT_IN);
    let [(properties, seen)] = found.as_slice() else {
        panic!("one search decides all of them: {found:?}");
    };
    assert_eq!(properties, &[0, 1, 2]);
    assert_eq!(seen.extent, Extent::Whole);
    let mut sums = [0; 3];
    for (item, entry) in &seen.entries {
        if let (Item::Location(who, _), Sight::States(states)) = (item, &entry.sight) {
            assert!(*states > 0);
            sums[*who as usize] += states;
        }
    }
    assert_eq!(sums, [seen.states; 3]);
    let silent = Options::default();
    assert_eq!(told_of(&silent), 0);
}

fn told_of(options: &Options) -> usize {
    told(options, &Told::default(), &BUILT_IN).len()
}

#[test]
fn a_reduced_search_has_every_local_state_in_fewer_states() {
    let whole = told(&asked(Reduction::None), &Told::default(), &BUILT_IN);
    let reduced = told(&asked(Reduction::Stubborn), &Told::default(), &BUILT_IN);
    let ([(_, whole)], [(_, reduced)]) = (whole.as_slice(), reduced.as_slice()) else {
        panic!("one search decides all of them");
    };
    assert_eq!(reduced.extent, Extent::Local);
    assert!(reduced.states < whole.states);
    let locals = |of: &Coverage| -> Vec<_> {
        let locals = of.entries.iter().filter_map(|(item, entry)| match item {
            Item::Variable(local @ VariableRef::Local(..)) => Some((*local, entry.sight.clone())),
            _ => None,
        });
        locals.collect()
    };
    assert_eq!(locals(whole).len(), 6);
    assert_eq!(locals(whole), locals(reduced));
}

#[test]
fn a_search_that_a_limit_has_cut_tells_a_part() {
    let options = Options {
        limits: Limits {
            max_states: Some(50),
            ..Limits::default()
        },
        ..asked(Reduction::None)
    };
    let found = told(&options, &Told::default(), &BUILT_IN);
    let seen: Vec<(Extent, u64)> = (found.iter())
        .map(|(_, seen)| (seen.extent, seen.states))
        .collect();
    assert_eq!(seen, [(Extent::Part, 50)]);
}

#[test]
fn a_search_that_is_cancelled_has_nothing_to_tell() {
    let properties = [
        Property::Deadlock { allowed: None },
        Property::Invariant(mutex(3)),
    ];
    let cancelled = Told {
        cancels: true,
        ..Told::default()
    };
    let found = told(&asked(Reduction::None), &cancelled, &properties);
    assert_eq!(found, []);
}
