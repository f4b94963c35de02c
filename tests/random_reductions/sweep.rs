//! Goes through the models of a row of seeds, and makes those small that show something.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::model::Model;
use crate::tally::Tally;
use crate::{drawn, render, shrink};

/// Looks at a model in all that its seed asks for. `false` where it is of no use; an error says
/// what is wrong.
pub type Look<'a> = dyn Fn(&Model, u64, &mut Tally) -> Result<bool, String> + Sync + 'a;

pub struct Difference {
    pub seed: u64,
    pub complaint: String,
    pub model: Model,
}

/// After so many differences there is no use in more.
const ENOUGH: usize = 3;

fn number(variable: &str, otherwise: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{variable} is not a number: {text}")),
        Err(_) => otherwise,
    }
}

/// The same, a panic being a complaint too.
fn looked_at(look: &Look<'_>, model: &Model, seed: u64, tally: &mut Tally) -> Result<bool, String> {
    catch_unwind(AssertUnwindSafe(|| look(model, seed, tally))).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().cloned();
        let said = said.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
        Err(format!("panic: {}", said.unwrap_or_default()))
    })
}

/// Looks at so many systems on all processors, and tells of the first differences.
pub fn sweep(wanted: u64, first: u64, enough: usize, look: &Look<'_>) -> (Tally, Vec<Difference>) {
    let next = AtomicU64::new(first);
    let used = AtomicU64::new(0);
    let all = Mutex::new(Tally::default());
    let differences = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(2, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut tally = Tally::default();
                let is_done = || {
                    used.load(Ordering::Relaxed) >= wanted
                        || differences.lock().unwrap().len() >= enough
                };
                while !is_done() {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    let model = drawn::model(seed);
                    match looked_at(look, &model, seed, &mut tally) {
                        Ok(is_used) => {
                            used.fetch_add(u64::from(is_used), Ordering::Relaxed);
                        }
                        Err(complaint) => differences.lock().unwrap().push(Difference {
                            seed,
                            complaint,
                            model,
                        }),
                    }
                }
                all.lock().unwrap().add(&tally);
            });
        }
    });
    let drawn = next.load(Ordering::Relaxed) - first;
    let mut tally = all.into_inner().unwrap();
    tally.drawn = drawn;
    (tally, differences.into_inner().unwrap())
}

/// The test of a property of all systems: as many as are asked for, by default `wanted`, or the one
/// that is asked for. Gives the tally if there were enough to judge it.
pub fn test(wanted: u64, look: &Look<'_>) -> Option<Tally> {
    if let Ok(seed) = std::env::var("STUBBORN_SYSTEM") {
        let seed = seed.parse().expect("STUBBORN_SYSTEM is a number");
        let model = drawn::model(seed);
        println!("{}", render::text(&model).0);
        let mut tally = Tally::default();
        match looked_at(look, &model, seed, &mut tally) {
            Ok(false) => println!("(not used)"),
            Ok(true) => println!("{tally}"),
            Err(complaint) => {
                let difference = Difference {
                    seed,
                    complaint,
                    model,
                };
                panic!("{}", report(difference, look));
            }
        }
        return None;
    }
    let asked = number("STUBBORN_RANDOM_SYSTEMS", wanted);
    let seed = number("STUBBORN_SEED", 1);
    let started = Instant::now();
    let (tally, differences) = sweep(asked, seed.wrapping_mul(1 << 32), ENOUGH, look);
    let seconds = started.elapsed().as_secs_f64();
    println!("seed {seed}, {seconds:.1} s: {tally}");
    let reports = differences.into_iter().map(|d| report(d, look));
    let reports: Vec<_> = reports.collect();
    assert!(
        reports.is_empty(),
        "the reduction is wrong:\n{}",
        reports.join("\n")
    );
    (asked >= wanted).then_some(tally)
}

/// The same kind of complaint, whatever the property's name and the numbers in it.
fn kind(complaint: &str) -> String {
    let first = complaint.lines().next().unwrap_or("");
    let rest = match first.split_once(": ") {
        Some((name, rest)) if name.starts_with("prop") => rest,
        _ => first,
    };
    let letters = rest.chars().filter(|c| c.is_alphabetic() || *c == ' ');
    letters.take(24).collect()
}

fn report(difference: Difference, look: &Look<'_>) -> String {
    let Difference {
        seed,
        complaint,
        model,
    } = difference;
    let wanted = kind(&complaint);
    let started = Instant::now();
    let differs = |model: &Model| {
        let late = started.elapsed() > Duration::from_secs(60);
        let found = || looked_at(look, model, seed, &mut Tally::default());
        !late && matches!(found(), Err(complaint) if kind(&complaint) == wanted)
    };
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let small = shrink::shrink(model, differs);
    std::panic::set_hook(hook);
    let (text, _) = render::text(&small);
    let found = looked_at(look, &small, seed, &mut Tally::default()).err();
    let complaint = found.unwrap_or(complaint);
    format!("--- STUBBORN_SYSTEM={seed}\n{text}\n--- {complaint}\n")
}
