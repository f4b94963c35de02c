//! What is told without numbers, held to what is told with them.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use stubborn_random::{mixture, read};
use stubborn_system::property::Property;
use stubborn_system::system::{Failure, System};

use crate::check::told::{Told, drawn, told, told_reduced, told_with_numbers};
use crate::options::{Reduction, Use};
use crate::packed::Packed;
use crate::reduction::Stubborn;
use crate::related::Related;
use crate::successors::{Label, Successors, Visit, Wanted, WorkingMemory};
use crate::verdict::{Reason, Verdict};

/// How often each kind of property was met with each verdict.
#[derive(Default)]
struct Met(BTreeMap<(String, &'static str), u32>);

impl Met {
    fn add(&mut self, asked: &[Property], told: &Told) {
        for (property, (verdict, _)) in asked.iter().zip(told) {
            let kind = format!("{property:?}");
            let kind = kind.split(['(', ' ', '{']).next().unwrap_or_default();
            let verdict = match verdict {
                Verdict::Holds => "holds",
                Verdict::Violated { .. } => "violated",
                Verdict::Undecided(Reason::States(_)) => "states",
                Verdict::Undecided(_) => "undecided",
            };
            *self.0.entry((kind.to_owned(), verdict)).or_default() += 1;
        }
    }

    fn often(&self, kinds: &[&str]) {
        for kind in kinds {
            for verdict in ["holds", "violated", "states"] {
                let met = self.0.get(&((*kind).to_owned(), verdict)).copied();
                assert!(met.unwrap_or_default() > 10, "{kind} {verdict} {met:?}");
            }
        }
    }
}

#[test]
fn verdicts_traces_and_counts_are_those_of_a_search_with_numbers() {
    let met: Mutex<Met> = Mutex::default();
    drawn(250, |system, mut properties| {
        if Packed::new(system).expect("its states are small").words() > 1 {
            return Ok(());
        }
        properties.retain(|property| !property.is_monitored());
        properties.push(Property::Termination);
        for most in [3, 40, 3_000] {
            // Each by itself, and all together.
            let each = properties.iter().map(|property| vec![property.clone()]);
            for asked in each.chain([properties.clone()]) {
                let numbered = told_with_numbers(system, &asked, Reduction::None, most);
                for threads in [1, 2, 3] {
                    prop_assert_eq!(&told(system, &asked, threads, most), &numbered);
                }
                met.lock().expect("nobody panics").add(&asked, &numbered);
            }
        }
        Ok(())
    });
    let met = met.into_inner().expect("nobody panics");
    met.often(&["Termination", "MayProgress", "MustProgress", "Recurrence"]);
}

/// Random systems, in which processes get in each other's way or meet, with their properties that need no monitor.
fn systems(seeds: Range<u64>) -> impl Iterator<Item = (Arc<System>, Vec<Property>)> {
    let drawn = seeds.filter_map(|seed| {
        let model = mixture::thirds(seed);
        read::model(&model)
    });
    drawn.map(|drawn| {
        let properties = drawn.properties.into_iter().map(|named| named.property);
        let mut properties: Vec<Property> = properties.filter(|p| !p.is_monitored()).collect();
        properties.extend([Property::Errors, Property::Deadlock { allowed: None }]);
        properties.push(Property::Termination);
        (drawn.system, properties)
    })
}

#[test]
fn with_stubborn_sets_they_are_those_of_a_search_with_numbers() {
    let (mut met, mut left_out) = (Met::default(), 0);
    for (system, properties) in systems(0..cases(150).into()) {
        for most in [3, 40, 3_000] {
            let each = properties.iter().map(|property| vec![property.clone()]);
            for asked in each.chain([properties.clone()]) {
                let numbered = told_with_numbers(&system, &asked, Reduction::Stubborn, most);
                for threads in [1, 2, 3] {
                    assert_eq!(told_reduced(&system, &asked, threads, most), numbered);
                }
                met.add(&asked, &numbered);
                // Such a system needs no numbers.
                let is_left_out = |(_, counts): &(_, Option<(u64, u64, bool)>)| {
                    counts.is_some_and(|(states, _, full)| !full && states > 10)
                };
                let has_ends = |(asked, told): (&Property, _)| {
                    *asked == Property::Termination && is_left_out(told)
                };
                left_out += u32::from(asked.iter().zip(&numbered).any(has_ends));
            }
        }
    }
    met.often(&["Termination", "Deadlock", "Invariant"]);
    assert!(left_out > 10, "{left_out}");
}

/// As many as the environment asks for, or so many.
fn cases(many: u32) -> u32 {
    let asked = std::env::var("PROPTEST_CASES").ok();
    asked.and_then(|asked| asked.parse().ok()).unwrap_or(many)
}

/// Is told of the set that is chosen in a state.
#[derive(Default)]
struct Chosen {
    leaves_out: bool,
    steps: Vec<Option<Vec<u64>>>,
}

impl Visit for Chosen {
    fn wanted(&self) -> Wanted {
        Wanted::Reduced
    }

    fn leaves_out(&mut self) {
        self.leaves_out = true;
    }

    fn step(&mut self, _: Label<'_>, to: Result<&[u64], &Failure>) -> ControlFlow<()> {
        self.steps.push(to.ok().map(<[u64]>::to_vec));
        ControlFlow::Continue(())
    }
}

/// Each thread remembers what it has found out: what it does and what it is judged by may not depend on that.
#[test]
fn a_set_and_what_it_costs_do_not_depend_on_the_states_before() {
    let mut left_out = 0;
    for (system, _) in systems(0..cases(300).into()) {
        let packed = Packed::new(&system).expect("its states are small");
        let related = Related::new(&packed, &[], &mut |_| ControlFlow::Continue(()));
        let ControlFlow::Continue(related) = related else {
            continue;
        };
        let stubborn = Stubborn::new(related).foreseeing(Use::Always);
        let of_state = |state: &[u64], scratch: &mut _| {
            let counts_of = |scratch: &mut crate::reduction::Scratch<crate::related::Scratch>| {
                scratch
                    .profit()
                    .map(|profit| profit.counts())
                    .unwrap_or_default()
            };
            let before = counts_of(scratch);
            let mut chosen = Chosen::default();
            let _ = stubborn.visit(state, scratch, &mut chosen);
            let mut counts = counts_of(scratch);
            (counts.iter_mut().zip(before)).for_each(|(count, before)| *count -= before);
            (chosen.leaves_out, chosen.steps, counts)
        };
        let mut states = vec![packed.initial().to_vec()];
        let mut told = Vec::new();
        let scratch = &mut stubborn.scratch();
        while told.len() < states.len().min(300) {
            let of = of_state(&states[told.len()], scratch);
            for to in of.1.iter().flatten() {
                if !states.contains(to) {
                    states.push(to.clone());
                }
            }
            told.push(of);
        }
        let backwards = &mut stubborn.scratch();
        for (state, told) in states.iter().zip(&told).rev() {
            assert_eq!(&of_state(state, backwards), told);
            assert_eq!(&of_state(state, &mut stubborn.scratch()), told);
        }
        left_out += told.iter().filter(|of| of.0).count();
    }
    assert!(left_out > 500, "{left_out}");
}
