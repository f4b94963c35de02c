//! Searches that a limit ends and that are gone on with find what they would have found.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use stubborn_engine::{
    Asked, Exploration, Limits, Options, Outcome, Reason, Reduction, Search, Sink, Unfinished,
    Verdict, Watch, check, explore,
};
use stubborn_model::elaborate::Settings;
use stubborn_model::program::{ParsedFile, Program};
use stubborn_random::systems::Source;
use stubborn_system::property::Property;
use stubborn_system::system::System;

use crate::models::peterson::{Version, mutex, peterson};

/// Keeps searches in memory, and cancels each when it has asked so often.
#[derive(Default)]
struct Keeper {
    kept: Mutex<HashMap<String, Vec<u8>>>,
    /// Searches that were gone on with, and that could not be kept or gone on with.
    taken_up: AtomicU64,
    not_kept: AtomicU64,
    useless: AtomicU64,
    over: AtomicU64,
    asks_left: AtomicU64,
}

impl Keeper {
    fn cancelling(asks: u64) -> Keeper {
        Keeper {
            asks_left: asks.into(),
            ..Keeper::default()
        }
    }

    fn name(asked: &Asked<'_>) -> String {
        let options = Options {
            limits: Limits::default(),
            ..*asked.options
        };
        format!(
            "{:?} {:?} {options:?} {}",
            asked.system, asked.properties, asked.reduced
        )
    }

    fn kept(&self) -> usize {
        self.kept.lock().expect("nobody panics").len()
    }
}

impl Unfinished for Keeper {
    fn left(&self, asked: &Asked<'_>) -> Option<Box<dyn Read + '_>> {
        let kept = self.kept.lock().expect("nobody panics");
        let bytes = kept.get(&Keeper::name(asked))?.clone();
        self.taken_up.fetch_add(1, Relaxed);
        Some(Box::new(io::Cursor::new(bytes)))
    }

    fn is_useless(&self, _: &Asked<'_>) {
        self.useless.fetch_add(1, Relaxed);
    }

    fn keep(&self, asked: &Asked<'_>, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        let mut bytes = Vec::new();
        write(&mut bytes).expect("memory");
        let mut kept = self.kept.lock().expect("nobody panics");
        kept.insert(Keeper::name(asked), bytes);
    }

    fn cannot_keep(&self, _: &Asked<'_>) {
        self.not_kept.fetch_add(1, Relaxed);
    }

    fn is_over(&self, asked: &Asked<'_>) {
        self.over.fetch_add(1, Relaxed);
        let mut kept = self.kept.lock().expect("nobody panics");
        kept.remove(&Keeper::name(asked));
    }
}

impl Watch for Keeper {
    fn unfinished(&self) -> Option<&dyn Unfinished> {
        Some(self)
    }

    fn is_cancelled(&self) -> bool {
        self.asks_left.load(Relaxed) > 0 && self.asks_left.fetch_sub(1, Relaxed) == 1
    }
}

struct Counts;

impl Sink for Counts {
    fn wants_edges(&self) -> bool {
        false
    }
}

fn limited(options: &Options, states: u64) -> Options {
    Options {
        limits: Limits {
            max_states: Some(states),
            ..Limits::default()
        },
        ..*options
    }
}

fn is_cut(outcome: &Outcome) -> bool {
    matches!(
        outcome.verdict,
        Verdict::Undecided(Reason::States(_) | Reason::Cancelled)
    )
}

/// All but the time.
fn told(outcomes: &[Outcome]) -> Vec<Outcome> {
    let told = outcomes.iter().cloned();
    told.map(|outcome| Outcome {
        seconds: 0.0,
        ..outcome
    })
    .collect()
}

fn counted(found: &Exploration) -> (u64, u64, u64, u64, bool, bool) {
    (
        found.states,
        found.edges,
        found.terminal,
        found.failing,
        found.full,
        found.complete,
    )
}

fn ways() -> [Options; 4] {
    let plain = Options {
        reduction: Reduction::None,
        ..Options::default()
    };
    let all = Options {
        keep_dead_variables: true,
        ..plain
    };
    let depth = Options {
        search: Search::Depth,
        ..Options::default()
    };
    [Options::default(), plain, all, depth]
}

/// Ends the search after so many states, then after so many more, and so on; gives what it comes to, the limit
/// under which it does, and how often it was gone on with.
fn in_parts(
    system: &System,
    asked: &[Property],
    options: &Options,
    part: u64,
) -> (Vec<Outcome>, Options, u64) {
    let keeper = Keeper::default();
    for parts in 1.. {
        let options = limited(options, part * parts);
        let outcomes = check(system, asked, &options, &keeper).expect("its states are small");
        if !outcomes.iter().any(is_cut) || parts > 4_000 {
            assert_eq!(keeper.useless.load(Relaxed), 0, "what is kept is of use");
            return (outcomes, options, keeper.taken_up.load(Relaxed));
        }
    }
    unreachable!("a number has no end")
}

#[test]
fn petersons_algorithm_in_parts_has_the_counts_of_the_whole() {
    let system = peterson(3, Version::Correct);
    let properties = [
        Property::Errors,
        Property::Deadlock { allowed: None },
        Property::Termination,
        Property::Invariant(mutex(3)),
    ];
    for options in ways() {
        let whole = check(&system, &properties, &options, &Keeper::default());
        let whole = told(&whole.expect("its states are small"));
        assert!(
            whole
                .iter()
                .any(|outcome| outcome.verdict == Verdict::Holds)
        );
        for part in [1_000, 7_777] {
            let (outcomes, _, taken_up) = in_parts(&system, &properties, &options, part);
            assert_eq!(told(&outcomes), whole, "{options:?}");
            let is_large = whole[0].states > part;
            let goes_on = is_large && options.search == Search::Breadth;
            assert_eq!(taken_up > 0, goes_on, "{options:?}");
        }
    }
}

#[test]
fn a_violation_that_is_far_away_is_shown_by_the_same_run() {
    let system = peterson(3, Version::MutexViolating);
    let properties = [Property::Invariant(mutex(3))];
    for options in ways() {
        let whole = check(&system, &properties, &options, &Keeper::default());
        let whole = told(&whole.expect("its states are small"));
        assert!(whole[0].verdict.is_violated());
        let (outcomes, last, _) = in_parts(&system, &properties, &options, 500);
        // How short a run is made depends on the limit.
        let whole = check(&system, &properties, &last, &Keeper::default());
        let whole = told(&whole.expect("its states are small"));
        assert_eq!(told(&outcomes), whole, "{options:?}");
    }
}

#[test]
fn a_search_that_is_cancelled_goes_on_too() {
    let system = peterson(3, Version::Correct);
    let options = ways()[2];
    let whole = explore(&system, &options, &Keeper::default(), &mut Counts).expect("small states");
    let mut keeper = Keeper::cancelling(30);
    for parts in 0.. {
        let found = explore(&system, &options, &keeper, &mut Counts).expect("small states");
        if found.complete {
            assert_eq!(counted(&found), counted(&whole));
            assert!(parts > 3, "{parts}");
            break;
        }
        assert_eq!(found.stopped, Some(Reason::Cancelled));
        assert_eq!(keeper.kept(), 1);
        keeper.asks_left = (30 + 11 * parts).into();
    }
    assert_eq!(keeper.kept(), 0, "what is over is not wanted");
}

/// Sets of steps are chosen here, pay little, and are chosen in fewer and fewer states: which ones these are
/// depends on what was left out before.
const HARDLY_REDUCED: &str = "\
var x: 0..60
process worker(i in 1..3) {
    initial state a { do x = (2 * x + i) % 61 -> b }
    state b         { do x = (3 * x + i) % 61 -> c }
    state c         { do x = (5 * x + i) % 61 -> d }
    state d         { do x = (7 * x + i) % 61 -> a }
}
process quiet {
    initial state waits { when x == 7 -> one }
    state one   { -> two }
    state two   { -> three }
    state three { -> waits }
}
";

#[test]
fn what_a_reduction_goes_by_is_kept() {
    let file = Arc::new(ParsedFile::new("quiet.stb", HARDLY_REDUCED));
    let program = Program::assemble(file, &mut |_| None);
    let analysis = stubborn_model::analyze(&program, &Settings::default());
    let system = analysis.model.expect("the text has a meaning").system;
    let options = Options::default();
    let count = |keeper: &Keeper, options: &Options| {
        explore(&system, options, keeper, &mut Counts).expect("small states")
    };
    let whole = count(&Keeper::default(), &options);
    assert!(whole.complete && !whole.full);
    for part in [1_500, 2_000] {
        let keeper = Keeper::default();
        for parts in 1.. {
            let found = count(&keeper, &limited(&options, part * parts));
            if found.complete {
                assert_eq!(counted(&found), counted(&whole), "{part}");
                assert!(parts > 2, "{parts}");
                break;
            }
        }
    }
}

#[test]
fn what_has_fallen_stays_and_the_rest_goes_on() {
    // The mutex falls early, and the rest goes on.
    let system = peterson(3, Version::MutexViolating);
    let properties = [
        Property::Invariant(mutex(3)),
        Property::Errors,
        Property::Termination,
    ];
    for options in &ways()[1..3] {
        let whole = check(&system, &properties, options, &Keeper::default());
        let whole = told(&whole.expect("its states are small"));
        let keeper = Keeper::default();
        let most = whole[1].states * 3 / 4;
        let found = check(&system, &properties, &limited(options, most), &keeper);
        let found = found.expect("its states are small");
        assert!(found[0].verdict.is_violated() && is_cut(&found[1]));
        assert_eq!((keeper.kept(), keeper.not_kept.load(Relaxed)), (1, 0));
        let found = check(&system, &properties, options, &keeper);
        assert_eq!(told(&found.expect("its states are small")), whole);
        assert_eq!(keeper.taken_up.load(Relaxed), 1);
        assert_eq!(keeper.useless.load(Relaxed), 0);
    }
}

#[test]
fn what_was_changed_is_of_no_use_and_everything_is_searched() {
    let system = peterson(2, Version::Correct);
    let properties = [Property::Errors, Property::Termination];
    let options = ways()[2];
    let whole = check(&system, &properties, &options, &Keeper::default());
    let whole = told(&whole.expect("its states are small"));
    let keeper = Keeper::default();
    let _ = check(&system, &properties, &limited(&options, 300), &keeper);
    let (name, bytes) = {
        let kept = keeper.kept.lock().expect("nobody panics");
        let (name, bytes) = kept.iter().next().expect("it is kept");
        (name.clone(), bytes.clone())
    };
    for cut in (0..bytes.len()).step_by(97) {
        let broken = Keeper::default();
        let mut kept = broken.kept.lock().expect("nobody panics");
        kept.insert(name.clone(), bytes[..cut].to_vec());
        drop(kept);
        let outcomes = check(&system, &properties, &options, &broken);
        assert_eq!(told(&outcomes.expect("its states are small")), whole);
        assert_eq!(broken.useless.load(Relaxed), 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn random_systems_in_parts_are_what_they_are_in_one(
        numbers in prop::collection::vec(any::<u16>(), 0..160),
        part in 1_u64..60,
    ) {
        let system = Source::new(&numbers).system();
        let properties = Source::new(&numbers[numbers.len() / 2..]).properties(&system);
        for options in ways() {
            let most = limited(&options, 1_500);
            let Ok(whole) = check(&system, &properties, &most, &Keeper::default()) else {
                continue;
            };
            if whole.iter().any(is_cut) {
                continue;
            }
            let (outcomes, last, _) = in_parts(&system, &properties, &options, part);
            let whole = check(&system, &properties, &last, &Keeper::default()).expect("small states");
            prop_assert_eq!(told(&outcomes), told(&whole), "{:?}", options);
            let counts = |keeper: &Keeper, options: &Options| {
                explore(&system, options, keeper, &mut Counts).expect("small states")
            };
            let keeper = Keeper::default();
            let whole = counts(&keeper, &limited(&options, 3_000));
            if !whole.complete {
                continue;
            }
            let keeper = Keeper::default();
            for parts in 1..4_000 {
                let found = counts(&keeper, &limited(&options, part * parts));
                if found.complete {
                    prop_assert_eq!(counted(&found), counted(&whole), "{:?}", options);
                    break;
                }
            }
        }
    }
}
