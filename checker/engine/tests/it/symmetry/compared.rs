//! Verdicts with symmetry, held to those without.

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use stubborn_engine::interpreter::replay;
use stubborn_engine::{
    Caller, Limits, Options, Outcome, Reason, Reduction, Search, Storage, Symmetry, Verdict, check,
};
use stubborn_model::elaborate::Settings;
use stubborn_random::read::{self, Drawn};
use stubborn_random::symmetric::{self, Share};
use stubborn_system::property::Property;
use stubborn_system::system::System;

/// Nobody has seen two states with one of these.
const WIDE: Storage = Storage::Compact { bits: 64 };
/// In which some are likely to be missed.
const SMALL: Storage = Storage::Bitstate { bits: 10 };

pub const MOST_STATES: usize = 3000;
/// What takes longer is as good as one with more.
const PATIENCE: Duration = Duration::from_secs(20);

/// What was looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub compared: usize,
    /// With symmetry,
    pub turned: usize,
    /// of these beside a monitor,
    pub beside: usize,
    /// and how often it was found that it pays.
    pub paid: usize,
    pub violated: usize,
    /// Of violations with symmetry.
    pub cycles: usize,
    /// With symmetry, after few states without.
    pub in_trials: usize,
    /// With symmetry, in storage that takes states for others,
    pub hashed: usize,
    /// and violated.
    pub found_there: usize,
}

/// The text of a seed, and what it means, unless it has errors.
pub fn drawn(seed: u64) -> Option<(String, Drawn)> {
    let share = if seed.is_multiple_of(3) {
        Share::Nearly
    } else {
        Share::Symmetric
    };
    let text = symmetric::text(seed, share);
    let drawn = read::text(text.clone(), &Settings::default())?;
    Some((text, drawn))
}

fn plain() -> Options {
    Options {
        symmetry: Symmetry::Off,
        reduction: Reduction::None,
        keep_dead_variables: true,
        limits: Limits {
            max_states: Some(MOST_STATES as u64),
            // A state in which many who take part in an action have several failing steps each has as many as all of
            // these multiplied: one text in tens of thousands would take for ever.
            deadline: Instant::now().checked_add(PATIENCE),
            ..Limits::default()
        },
        ..Options::default()
    }
}

fn with_symmetry() -> Vec<Options> {
    let mut all = Vec::new();
    for reduction in [Reduction::None, Reduction::Stubborn] {
        // Of few states nobody asks for permutations unless told to; and trials have some thirty, and three hundred.
        for (symmetry, first_states) in [
            (Symmetry::Auto, None),
            (Symmetry::Auto, NonZeroU32::new(1)),
            (Symmetry::Always, NonZeroU32::new(1)),
        ] {
            all.push(Options {
                reduction,
                first_states,
                symmetry,
                ..Options::default()
            });
        }
    }
    for (storage, reduction, search) in [
        (WIDE, Reduction::Stubborn, Search::Breadth),
        (WIDE, Reduction::None, Search::Depth),
        (SMALL, Reduction::Stubborn, Search::Depth),
    ] {
        all.push(Options {
            storage,
            reduction,
            search,
            symmetry: Symmetry::Always,
            ..Options::default()
        });
    }
    for search in [Search::Breadth, Search::Depth] {
        for reduction in [Reduction::None, Reduction::Stubborn] {
            for keep in [false, true] {
                if reduction == Reduction::None && keep {
                    continue;
                }
                all.push(Options {
                    search,
                    reduction,
                    keep_dead_variables: keep,
                    symmetry: Symmetry::Always,
                    ..Options::default()
                });
            }
        }
    }
    all
}

/// How many of the ways to search each text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ways {
    Many,
    /// Where there are very many texts each need not go all of them.
    Few,
}

/// Every verdict of a seed's properties, all at once, and each by itself, or some of them: more permutations leave one
/// of them as it is.
///
/// # Errors
/// What differs.
pub fn compared(seed: u64, many: Ways, tally: &mut Tally) -> Result<(), String> {
    let Some((text, drawn)) = drawn(seed) else {
        return Ok(());
    };
    let system = &*drawn.system;
    let properties = drawn.properties.iter();
    let properties: Vec<Property> = properties.map(|named| named.property.clone()).collect();
    let expected = check(system, &properties, &plain(), Caller::default()).expect("it is small");
    let is_large = |outcome: &Outcome| {
        matches!(
            outcome.verdict,
            Verdict::Undecided(Reason::States(_) | Reason::Time)
        )
    };
    if expected.iter().any(is_large) {
        return Ok(());
    }
    let all = with_symmetry();
    let mut look = |asked: &[Property], expected: &[Outcome], ways: &[Options]| {
        for options in ways {
            let found = check(system, asked, options, Caller::default()).expect("it is small");
            for ((property, expected), found) in asked.iter().zip(expected).zip(&found) {
                let told = |what: &str| {
                    format!(
                        "seed {seed}: {what}\n{property:?} with {options:?}: {found:?}, expected is {:?}\n{text}",
                        expected.verdict
                    )
                };
                let is_beside = property.is_monitored() && found.symmetry.permutations().is_some();
                tally.beside += usize::from(is_beside);
                same((system, expected), (options, found), tally).map_err(|what| told(&what))?;
            }
        }
        Ok::<(), String>(())
    };
    // There are many ways: each is some text's, and some other property's.
    let some = |first: usize, every: usize| -> Vec<Options> {
        let ways = all.iter().copied().skip(first % every);
        ways.step_by(every).collect()
    };
    let (at_once, alone, of_them) = match many {
        Ways::Many => (2, 5, 1),
        Ways::Few => (8, all.len(), 3),
    };
    look(&properties, &expected, &some(seed as usize, at_once))?;
    for (number, (property, expected)) in properties.iter().zip(&expected).enumerate() {
        if !(seed as usize + number).is_multiple_of(of_them) {
            continue;
        }
        look(
            std::slice::from_ref(property),
            std::slice::from_ref(expected),
            &some(seed as usize / of_them + number, alone),
        )?;
    }
    Ok(())
}

fn same(
    (system, expected): (&System, &Outcome),
    (options, found): (&Options, &Outcome),
    tally: &mut Tally,
) -> Result<(), String> {
    tally.compared += 1;
    let is_turned = found.symmetry.permutations().is_some();
    tally.turned += usize::from(is_turned);
    tally.paid += usize::from(is_turned && options.symmetry == Symmetry::Auto);
    tally.in_trials += usize::from(is_turned && options.first_states.is_some());
    if options.storage != Storage::Exact && is_turned {
        tally.hashed += 1;
        tally.found_there += usize::from(found.verdict.is_violated());
    }
    match (&expected.verdict, &found.verdict) {
        (_, Verdict::Undecided(Reason::NeedsExactStorage)) if options.storage != Storage::Exact => {
            Ok(())
        }
        (expected, Verdict::Undecided(Reason::Missed(_)))
            if options.storage == SMALL
                || options.storage == WIDE && *expected == Verdict::Holds =>
        {
            Ok(())
        }
        (Verdict::Holds, Verdict::Holds) => Ok(()),
        (Verdict::Violated { .. }, Verdict::Violated { trace, .. }) => {
            tally.violated += 1;
            tally.cycles += usize::from(is_turned && !trace.cycle().is_empty());
            replay(system, trace).map_err(|why| format!("the trace is no run: {why:?}"))
        }
        _ => Err("the verdict is another one".to_owned()),
    }
}
