//! Goes through what a row of seeds draws, and makes small what shows a difference.
//!
//! Every test run has a slice from a fixed seed. The environment asks for more, or for others:
//!
//! - `STUBBORN_RANDOM_SYSTEMS`: so many in place of the slice.
//! - `STUBBORN_SEED`: another row of seeds; 1 unless it is given.
//! - `STUBBORN_SYSTEM`: the one of this seed alone, as a difference names it.
//! - `STUBBORN_UNSHRUNK`: differences as they were drawn, which is sooner.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::model::Model;
use crate::{render, shrink};

/// What is drawn, and what must hold of it.
pub trait Subject: Sync {
    type Case: Send;
    type Tally: Tally;

    /// What a seed draws, if anything.
    fn draw(&self, seed: u64) -> Option<Self::Case>;

    /// Looks at a case in all that its seed asks for. `false` where it is of no use.
    ///
    /// # Errors
    /// What is wrong, in words.
    fn look(&self, case: &Self::Case, seed: u64, tally: &mut Self::Tally) -> Result<bool, String>;

    /// As a person would look at it.
    fn text(&self, case: &Self::Case) -> String;

    /// As little of it as still `differs`.
    fn smallest(&self, case: Self::Case, differs: &dyn Fn(&Self::Case) -> bool) -> Self::Case;
}

/// Which kinds of cases have been looked at, so that a test that has become blind is noticed.
pub trait Tally: Default + fmt::Display + Send {
    fn add(&mut self, other: &Self);
}

/// What is looked at in a model.
pub type Look<'a, T> = dyn Fn(&Model, u64, &mut T) -> Result<bool, String> + Sync + 'a;

/// Models that one function draws and another looks at.
pub struct Models<'a, T> {
    pub draw: fn(u64) -> Model,
    pub look: &'a Look<'a, T>,
}

impl<T: Tally> Subject for Models<'_, T> {
    type Case = Model;
    type Tally = T;

    fn draw(&self, seed: u64) -> Option<Model> {
        Some((self.draw)(seed))
    }

    fn look(&self, model: &Model, seed: u64, tally: &mut T) -> Result<bool, String> {
        (self.look)(model, seed, tally)
    }

    fn text(&self, model: &Model) -> String {
        render::text(model).0
    }

    fn smallest(&self, model: Model, differs: &dyn Fn(&Model) -> bool) -> Model {
        shrink::shrink(model, differs)
    }
}

/// A case of which something is wrong.
struct Difference<C> {
    seed: u64,
    complaint: String,
    case: C,
}

/// What a row of seeds has come to.
struct Swept<S: Subject> {
    drawn: u64,
    used: u64,
    tally: S::Tally,
    differences: Vec<Difference<S::Case>>,
}

/// After so many differences there is no use in more.
const ENOUGH: usize = 3;
/// So long a case is made smaller.
const PATIENCE: Duration = Duration::from_secs(60);

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    let number = text.parse();
    Some(number.unwrap_or_else(|_| panic!("{variable} is not a number: {text}")))
}

/// The test of what must hold of all cases: of as many as are asked for, by default `slice`, or of
/// the one that is asked for. Gives the tally if there were enough to judge it.
///
/// # Panics
/// Where a difference is found, with the smallest case that shows it.
pub fn test<S: Subject>(subject: &S, slice: u64) -> Option<S::Tally> {
    if let Some(seed) = number("STUBBORN_SYSTEM") {
        alone(subject, seed);
        return None;
    }
    let wanted = number("STUBBORN_RANDOM_SYSTEMS").unwrap_or(slice);
    let seed = number("STUBBORN_SEED").unwrap_or(1);
    let started = Instant::now();
    let swept = sweep(subject, wanted, seed.wrapping_mul(1 << 32), ENOUGH);
    println!(
        "seed {seed}, {:.1} s, {} of {} drawn: {}",
        started.elapsed().as_secs_f64(),
        swept.used,
        swept.drawn,
        swept.tally
    );
    let differences = swept.differences.into_iter();
    let reports: Vec<_> = differences.map(|d| report(subject, d)).collect();
    assert!(
        reports.is_empty(),
        "what is found differs from what is expected:\n{}",
        reports.join("\n")
    );
    (wanted >= slice).then_some(swept.tally)
}

fn alone<S: Subject>(subject: &S, seed: u64) {
    let Some(case) = subject.draw(seed) else {
        println!("(nothing is drawn)");
        return;
    };
    println!("{}", subject.text(&case));
    let mut tally = S::Tally::default();
    match looked_at(subject, &case, seed, &mut tally) {
        Ok(false) => println!("(not used)"),
        Ok(true) => println!("{tally}"),
        Err(complaint) => {
            let difference = Difference {
                seed,
                complaint,
                case,
            };
            panic!("{}", report(subject, difference));
        }
    }
}

/// Looks at `wanted` cases of the seeds from `first` on, on all processors, until `enough`
/// differences are found. A longer row than a test's slice says how far it has come.
fn sweep<S: Subject>(subject: &S, wanted: u64, first: u64, enough: usize) -> Swept<S> {
    let next = AtomicU64::new(first);
    let used = AtomicU64::new(0);
    let all = Mutex::new(S::Tally::default());
    let differences = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(2, |n| n.get());
    let is_done =
        || used.load(Ordering::Relaxed) >= wanted || differences.lock().unwrap().len() >= enough;
    let work = || {
        let mut tally = S::Tally::default();
        while !is_done() {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = subject.draw(seed) else {
                continue;
            };
            match looked_at(subject, &case, seed, &mut tally) {
                Ok(false) => {}
                Ok(true) => tell(used.fetch_add(1, Ordering::Relaxed) + 1, wanted),
                Err(complaint) => differences.lock().unwrap().push(Difference {
                    seed,
                    complaint,
                    case,
                }),
            }
        }
        all.lock().unwrap().add(&tally);
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    Swept {
        drawn: next.load(Ordering::Relaxed).wrapping_sub(first),
        used: used.load(Ordering::Relaxed),
        tally: all.into_inner().unwrap(),
        differences: differences.into_inner().unwrap(),
    }
}

/// Says at each tenth of a long row how far it has come.
fn tell(used: u64, wanted: u64) {
    const LONG: u64 = 10_000;
    if wanted >= LONG && used.is_multiple_of(wanted / 10) {
        eprintln!("{used} of {wanted}");
    }
}

/// The same, a panic being a complaint too.
fn looked_at<S: Subject>(
    subject: &S,
    case: &S::Case,
    seed: u64,
    tally: &mut S::Tally,
) -> Result<bool, String> {
    let look = AssertUnwindSafe(|| subject.look(case, seed, tally));
    catch_unwind(look).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().cloned();
        let said = said.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
        Err(format!("panic: {}", said.unwrap_or_default()))
    })
}

/// The same kind of complaint, whatever the property's name and the numbers in it.
fn kind(complaint: &str) -> String {
    let first = complaint.lines().next().unwrap_or("");
    let rest = match first.split_once(": ") {
        Some((name, rest)) if !name.contains(' ') => rest,
        _ => first,
    };
    let letters = rest.chars().filter(|c| c.is_alphabetic() || *c == ' ');
    letters.take(24).collect()
}

fn report<S: Subject>(subject: &S, difference: Difference<S::Case>) -> String {
    let Difference {
        seed,
        complaint,
        case,
    } = difference;
    let wanted = kind(&complaint);
    let patience = match std::env::var_os("STUBBORN_UNSHRUNK") {
        Some(_) => Duration::ZERO,
        None => PATIENCE,
    };
    let started = Instant::now();
    let found = |case: &S::Case| looked_at(subject, case, seed, &mut S::Tally::default()).err();
    let differs = |case: &S::Case| {
        started.elapsed() < patience && found(case).is_some_and(|other| kind(&other) == wanted)
    };
    let (small, complaint) = quietly(|| {
        let small = subject.smallest(case, &differs);
        let complaint = found(&small).unwrap_or(complaint);
        (small, complaint)
    });
    let text = subject.text(&small);
    format!("--- STUBBORN_SYSTEM={seed}\n{text}\n--- {complaint}\n")
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws numbers, and complains of those from a hundred on.
    struct Numbers;

    #[derive(Default)]
    struct Sum(u64);

    impl Tally for Sum {
        fn add(&mut self, other: &Sum) {
            self.0 += other.0;
        }
    }

    impl fmt::Display for Sum {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{} in all", self.0)
        }
    }

    impl Subject for Numbers {
        type Case = u64;
        type Tally = Sum;

        fn draw(&self, seed: u64) -> Option<u64> {
            (!seed.is_multiple_of(3)).then_some(seed)
        }

        fn look(&self, case: &u64, _: u64, tally: &mut Sum) -> Result<bool, String> {
            assert!(*case != 107, "a number that is not liked");
            if *case >= 100 {
                return Err(format!("n{case}: {case} is too much"));
            }
            tally.0 += 1;
            Ok(case.is_multiple_of(2))
        }

        fn text(&self, case: &u64) -> String {
            case.to_string()
        }

        fn smallest(&self, case: u64, differs: &dyn Fn(&u64) -> bool) -> u64 {
            (0..case).find(differs).unwrap_or(case)
        }
    }

    #[test]
    fn a_sweep_looks_at_as_many_cases_of_use_as_are_wanted() {
        let swept = sweep(&Numbers, 10, 0, ENOUGH);
        assert!(swept.used >= 10 && swept.differences.is_empty());
        assert!(swept.tally.0 >= swept.used && swept.drawn > swept.tally.0);
    }

    #[test]
    fn a_difference_is_told_with_the_smallest_case_of_its_kind() {
        let swept = quietly(|| sweep(&Numbers, 10, 200, 1));
        let difference = swept.differences.into_iter().next().expect("a difference");
        let (seed, told) = (difference.seed, report(&Numbers, difference));
        assert_eq!(
            told,
            format!("--- STUBBORN_SYSTEM={seed}\n100\n--- n100: 100 is too much\n")
        );
    }

    #[test]
    fn a_panic_is_a_difference_and_no_other_kind_stands_for_it() {
        let swept = quietly(|| sweep(&Numbers, 1, 107, 1));
        let difference = swept.differences.into_iter().find(|d| d.seed == 107);
        let told = report(&Numbers, difference.expect("a difference"));
        assert_eq!(
            told,
            "--- STUBBORN_SYSTEM=107\n107\n--- panic: a number that is not liked\n"
        );
    }
}
