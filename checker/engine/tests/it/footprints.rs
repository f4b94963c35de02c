//! What a group of steps comes to is a function of its footprint, and changes nothing else.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use stubborn_engine::Label;
use stubborn_engine::packed::Packed;
use stubborn_engine::successors::{Bits, Footprints, Successors, Visit};
use stubborn_random::systems::Source;
use stubborn_random::{fixed, mixture, read};
use stubborn_system::system::{Failure, System};

use crate::extents::model;

/// The steps of a group, each with what it changes or why it fails.
#[derive(Default)]
struct Steps {
    from: Vec<u64>,
    steps: Vec<(String, Result<Vec<u64>, Failure>)>,
}

impl Visit for Steps {
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        let changes = |to: &[u64]| self.from.iter().zip(to).map(|(a, b)| a ^ b).collect();
        let outcome = outcome.map(changes).map_err(Failure::clone);
        self.steps.push((format!("{label:?}"), outcome));
        ControlFlow::Continue(())
    }
}

/// So many states, the nearest first.
fn states(packed: &Packed<'_>, most: usize) -> Vec<Vec<u64>> {
    struct Next<'s>(&'s mut Vec<Vec<u64>>, &'s mut HashSet<Vec<u64>>);
    impl Visit for Next<'_> {
        fn step(&mut self, _: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
            if let Ok(state) = outcome
                && self.1.insert(state.to_vec())
            {
                self.0.push(state.to_vec());
            }
            ControlFlow::Continue(())
        }
    }
    let mut all = vec![packed.initial().to_vec()];
    let mut found = all.iter().cloned().collect();
    let mut scratch = packed.scratch();
    let mut at = 0;
    while at < all.len() && all.len() < most {
        let state = all[at].clone();
        let _ = packed.visit(&state, &mut scratch, &mut Next(&mut all, &mut found));
        at += 1;
    }
    all
}

fn of_group(packed: &Packed<'_>, group: usize, state: &[u64]) -> Steps {
    let mut steps = Steps {
        from: state.to_vec(),
        ..Steps::default()
    };
    let flow = packed.visit_group(group, state, &mut packed.scratch(), &mut steps);
    assert!(flow.is_continue());
    steps
}

/// How often a group was looked at in a state, and how often its footprint was one that was met.
#[derive(Default)]
struct Looked {
    looked: u64,
    met: u64,
    /// How often finer groups gave the steps of one.
    split: u64,
}

fn look(system: &System, looked: &mut Looked) {
    let packed = Packed::new(system).expect("its states are small");
    let states = states(&packed, 200);
    for group in 0..packed.groups() {
        let finer = packed.finer(group);
        for state in states.iter().filter(|_| !finer.is_empty()) {
            let steps = |group| of_group(&packed, group, state).steps;
            let mut together: Vec<_> = finer.clone().flat_map(steps).collect();
            let mut expected = steps(group);
            // Portions are visited one after the other.
            together.sort_by_cached_key(|step| format!("{step:?}"));
            expected.sort_by_cached_key(|step| format!("{step:?}"));
            assert_eq!(together, expected);
            looked.split += 1;
        }
    }
    let groups = (0..packed.groups()).flat_map(|group| packed.finer(group).chain([group]));
    for group in groups {
        let place = packed.place(group);
        for common in [Bits::default(), place.least, place.most] {
            let mut met = HashMap::new();
            for state in &states {
                let mut bits = vec![0; state.len()];
                if !packed.footprint(group, state, common, &mut bits) {
                    continue;
                }
                let here = state[common.word as usize] & common.mask;
                let key: Vec<u64> = state.iter().zip(&bits).map(|(w, b)| w & b).collect();
                let found = of_group(&packed, group, state).steps;
                for (label, outcome) in &found {
                    let stays = |changes: &Vec<u64>| {
                        let mut both = changes.iter().zip(&bits);
                        both.all(|(changes, bits)| changes & !bits == 0)
                    };
                    assert!(outcome.as_ref().ok().is_none_or(stays), "{label}");
                }
                looked.looked += 1;
                match met.get(&(here, bits.clone(), key.clone())) {
                    Some(steps) => {
                        looked.met += 1;
                        assert_eq!(&found, steps);
                    }
                    None => {
                        met.insert((here, bits, key), found);
                    }
                }
            }
        }
    }
}

#[test]
fn states_that_have_a_footprint_in_common_have_the_steps_of_the_group_in_common() {
    let mut looked = Looked::default();
    for seed in 0..300 {
        let drawn = mixture::thirds(seed);
        if let Some(drawn) = read::model(&drawn) {
            look(&drawn.system, &mut looked);
        }
    }
    let Looked { looked, met, split } = looked;
    assert!(split > 5_000, "{split}");
    assert!(met * 2 > looked && looked > 50_000, "{met} {looked}");
}

#[test]
fn they_do_where_a_system_is_drawn_without_a_text() {
    let looked = RefCell::new(Looked::default());
    fixed::test(400, &fixed::numbers(0..300), |numbers| {
        look(&Source::new(&numbers).system(), &mut looked.borrow_mut());
        Ok(())
    });
    let Looked { looked, met, .. } = looked.into_inner();
    assert!(met * 3 > looked && looked > 3_000, "{met} {looked}");
}

#[test]
fn what_is_received_is_not_what_was_known_before() {
    let text = "
        channel c: queue[1] of 0..2
        var x, y: 0..2
        process sender {
            initial state s {
                for v in 0..2 send c(v) -> s
                when x < 2 do x = x + 1 -> s
                when x > 0 do x = x - 1 -> s
            }
        }
        process receiver {
            var heard: 0..2
            initial state s {
                receive c(?heard) when heard == 1 and x == 2 do y = heard -> s
                receive c(?heard) when heard != 1 do heard = 2 - heard -> s
            }
        }";
    let mut looked = Looked::default();
    look(&model(text).system, &mut looked);
    let Looked { looked, met, .. } = looked;
    assert!(met > 100 && looked > 300, "{met} {looked}");
}
