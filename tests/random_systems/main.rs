//! Small systems drawn by lot go as text through the whole program, and an oracle that is written
//! straight from the definitions of the language checks what it says of them.
//!
//! Five hundred systems from a fixed seed belong to the tests. For more, or others:
//!
//! ```text
//! STUBBORN_RANDOM_SYSTEMS=100000 STUBBORN_SEED=7 \
//!     cargo test -p stubborn --release --test random_systems -- --nocapture
//! ```
//!
//! A difference is printed with the model, made as small as it can be. `STUBBORN_SYSTEM=SEED`
//! looks at one system alone.

mod compare;
mod constants;
mod evaluate;
mod expand;
mod generate;
mod model;
mod points;
mod program;
mod random;
mod recurrence;
mod render;
mod rule;
mod show;
mod shown;
mod shrink;
mod space;
mod spell;
mod state;
mod statistics;
mod steps;
mod strangers;
mod value;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use model::Model;
use program::Program;
use space::Space;
use state::System;
use statistics::Statistics;

/// Larger systems are put back: small ones show a mistake as well, and sooner.
const MOST_STATES: usize = 2500;

fn number(variable: &str, otherwise: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{variable} is not a number: {text}")),
        Err(_) => otherwise,
    }
}

/// The system of a seed, unless it is too large or its text would have errors.
fn drawn(seed: u64) -> Option<(System, Space)> {
    let system = System::new(generate::model(seed));
    if !constants::are_sound(&system) || !rule::is_obeyed(&system) {
        return None;
    }
    let space = Space::of(&system, MOST_STATES)?;
    Some((system, space))
}

/// What differs between the program and the oracle, in words.
fn difference(program: &Program, model: &Model, turn: u64) -> Option<String> {
    let system = System::new(model.clone());
    if !constants::are_sound(&system) || !rule::is_obeyed(&system) {
        return None;
    }
    let space = Space::of(&system, MOST_STATES)?;
    program.agrees(&system, &space, turn).err()
}

fn report(program: &Program, seed: u64, complaint: String, model: Model) -> String {
    // The same kind of difference, whatever the property's name and the numbers in it.
    let kind = |c: &str| {
        let first = c.lines().next().unwrap_or("");
        let rest = first.split_once(": ").map_or(first, |(_, rest)| rest);
        rest.chars()
            .filter(|c| c.is_alphabetic() || *c == ' ')
            .take(24)
            .collect::<String>()
    };
    let wanted = kind(&complaint);
    let started = Instant::now();
    let same = |m: &Model| {
        if started.elapsed() > Duration::from_secs(60) {
            return false;
        }
        let found = std::panic::catch_unwind(|| difference(program, m, seed));
        matches!(found, Ok(Some(c)) if kind(&c) == wanted)
    };
    std::panic::set_hook(Box::new(|_| {}));
    let small = shrink::shrink(model, same);
    let _ = std::panic::take_hook();
    let (text, _) = render::text(&small);
    let complaint = difference(program, &small, seed).unwrap_or(complaint);
    format!("--- STUBBORN_SYSTEM={seed}\n{text}\n--- {complaint}\n")
}

#[test]
fn the_program_agrees_with_the_oracle_on_random_systems() {
    let program = Program::new("agrees");
    if let Ok(seed) = std::env::var("STUBBORN_SYSTEM") {
        let seed = seed.parse().expect("STUBBORN_SYSTEM is a number");
        let model = generate::model(seed);
        let (text, _) = render::text(&model);
        println!("{text}");
        match drawn(seed) {
            None => println!("(not used)"),
            Some((system, space)) => {
                println!("{} states, {} edges", space.states.len(), space.edges);
                if let Err(complaint) = program.agrees(&system, &space, seed) {
                    panic!("{}", report(&program, seed, complaint, model));
                }
            }
        }
        return;
    }
    let wanted = number("STUBBORN_RANDOM_SYSTEMS", 500) as usize;
    let first = number("STUBBORN_SEED", 1).wrapping_mul(1 << 32);
    let next = AtomicU64::new(first);
    let used = AtomicUsize::new(0);
    let statistics = Mutex::new(Statistics::default());
    let differences = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(2, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while used.load(Ordering::Relaxed) < wanted && differences.lock().unwrap().len() < 3
                {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    let Some((system, space)) = drawn(seed) else {
                        continue;
                    };
                    used.fetch_add(1, Ordering::Relaxed);
                    statistics.lock().unwrap().count(&system, &space);
                    if let Err(complaint) = program.agrees(&system, &space, seed) {
                        differences
                            .lock()
                            .unwrap()
                            .push((seed, complaint, system.model));
                    }
                }
            });
        }
    });
    let statistics = statistics.into_inner().unwrap();
    println!("{statistics}");
    let differences = differences.into_inner().unwrap();
    if !differences.is_empty() {
        let reports: Vec<_> = differences
            .into_iter()
            .map(|(s, c, m)| report(&program, s, c, m))
            .collect();
        panic!("the program and the oracle differ:\n{}", reports.join("\n"));
    }
    if wanted >= 500 {
        statistics.assert_diverse();
    }
}

/// Two participants that write the same variable are told of, wherever guards keep them apart.
#[test]
fn a_joint_step_that_writes_a_variable_twice_is_an_error_in_the_text() {
    let program = Program::new("conflicts");
    let mut seen = 0;
    let mut seed = 77 << 32;
    while seen < 40 {
        seed += 1;
        let Some(model) = rule::broken(generate::model(seed)) else {
            continue;
        };
        if !constants::are_sound(&System::new(model.clone())) {
            continue;
        }
        seen += 1;
        program.tells_of_a_conflict(&model);
    }
}
