//! Goes through the cases of a row of seeds, and makes those small that show something.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::case::{self, Case, Kind};
use crate::look::look;
use crate::shrink;
use crate::tally::Tally;

struct Difference {
    seed: u64,
    complaint: String,
    case: Case,
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
fn looked_at(case: &Case, seed: u64, tally: &mut Tally) -> Result<bool, String> {
    catch_unwind(AssertUnwindSafe(|| look(case, seed, tally))).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().cloned();
        let said = said.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
        Err(format!("panic: {}", said.unwrap_or_default()))
    })
}

fn sweep(kind: Kind, wanted: u64, first: u64) -> (Tally, Vec<Difference>) {
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
                        || differences.lock().unwrap().len() >= ENOUGH
                };
                while !is_done() {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = case::draw(kind, seed) else {
                        continue;
                    };
                    match looked_at(&case, seed, &mut tally) {
                        Ok(is_used) => {
                            used.fetch_add(u64::from(is_used), Ordering::Relaxed);
                            tally.cases += u64::from(is_used);
                        }
                        Err(complaint) => differences.lock().unwrap().push(Difference {
                            seed,
                            complaint,
                            case,
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

/// The test of a property of all cases of a kind: as many as are asked for, by default `wanted`, or
/// the one that is asked for. Gives the tally if there were enough to judge it.
pub fn test(kind: Kind, wanted: u64) -> Option<Tally> {
    if let Ok(seed) = std::env::var("STUBBORN_SYSTEM") {
        let seed = seed.parse().expect("STUBBORN_SYSTEM is a number");
        let Some(case) = case::draw(kind, seed) else {
            println!("(nothing is drawn)");
            return None;
        };
        let (model, watch) = case.texts();
        println!("{model}\n--- watch.tester\n{watch}");
        let mut tally = Tally::default();
        match looked_at(&case, seed, &mut tally) {
            Ok(false) => println!("(not used)"),
            Ok(true) => println!("{tally}"),
            Err(complaint) => {
                let difference = Difference {
                    seed,
                    complaint,
                    case,
                };
                panic!("{}", report(difference));
            }
        }
        return None;
    }
    let asked = number("STUBBORN_RANDOM_SYSTEMS", wanted);
    let seed = number("STUBBORN_SEED", 1);
    let started = Instant::now();
    let (tally, differences) = sweep(kind, asked, seed.wrapping_mul(1 << 32));
    let seconds = started.elapsed().as_secs_f64();
    println!("{kind:?}, seed {seed}, {seconds:.1} s: {tally}");
    let reports: Vec<_> = differences.into_iter().map(report).collect();
    assert!(
        reports.is_empty(),
        "the checker and the oracle differ:\n{}",
        reports.join("\n")
    );
    (asked >= wanted).then_some(tally)
}

/// The same kind of complaint, whatever the numbers in it.
fn sort(complaint: &str) -> String {
    let first = complaint.lines().next().unwrap_or("");
    let letters = first.chars().filter(|c| c.is_alphabetic() || *c == ' ');
    letters.take(16).collect()
}

fn report(difference: Difference) -> String {
    let Difference {
        seed,
        complaint,
        case,
    } = difference;
    let wanted = sort(&complaint);
    let started = Instant::now();
    let differs = |case: &Case| {
        let late = started.elapsed() > Duration::from_secs(10);
        let found = || looked_at(case, seed, &mut Tally::default());
        !late && matches!(found(), Err(complaint) if sort(&complaint) == wanted)
    };
    let small = quietly(|| smallest(case, &differs));
    let (model, watch) = small.texts();
    let found = looked_at(&small, seed, &mut Tally::default()).err();
    let complaint = found.unwrap_or(complaint);
    format!("--- STUBBORN_SYSTEM={seed}\n{model}\n--- watch.tester\n{watch}\n--- {complaint}\n")
}

/// Panics on the way are no news. Other tests may be reporting at the same time.
fn quietly<T>(work: impl FnOnce() -> T) -> T {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let done = work();
    std::panic::set_hook(hook);
    done
}

/// Less to watch and less to be watched, in turn.
fn smallest(mut case: Case, differs: &dyn Fn(&Case) -> bool) -> Case {
    for _ in 0..2 {
        while let Some(less) = case.with_less_to_watch().into_iter().find(differs) {
            case = less;
        }
        let monitor = case.monitor.clone();
        let with = |model: &crate::model::Model| Case {
            model: model.clone(),
            monitor: monitor.clone(),
        };
        case = with(&shrink::shrink(case.model.clone(), |model| {
            differs(&with(model))
        }));
    }
    case
}
